"""Claims on laws with one parameter q: below a bound, above it for larger s, monotone in q."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import log10
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.ledger.agree import agree
from crtools.ledger.claim import Given
from crtools.ledger.deciders.bounds import Bound, Family, decide_bound, written
from crtools.ledger.evidence import Certified, Data, Evidence, Open, Proved, Refuted
from crtools.papers.adaptive.evidence.laws.law_in_process import law_in_process
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.literal.sums import limit_by_integral, ratio_by_sums
from crtools.ratios import Derivation, Supremum, derive
from crtools.ratios.comparison import compare, number_at_least

q = sp.Symbol("q", positive=True)
GEOMETRIC, LINEAR = "geometric(q)", "linear-geometric(q)"
LARGER = (1, 2, 5, 10, 100)
"""The prompt sizes s ≥ 1 at which bounds are tried, smallest first."""

DIGITS = 40
"""Digits to which ratios are computed where bounds are compared with them; sums over lengths have some more."""

MOST_DIGITS = 120
"""Digits to which a limit is compared with a bound."""

READINGS = {
    AT_ZERO: "$s = 0$, every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms",
    FORM: "every $s ≥ 0$ and every $0 < q < 1$, $u → ∞$ and $M → ∞$, of the forms",
    ALGORITHM: "every $s ≥ 0$ and every $0 < q < 1$, Algorithm 2 to the letter with $ℓ = 1$ against H-SF, $n → ∞$ and then "
    "$M → ∞$, for every large $u$",
}
METHOD = "closed forms; Sturm; certified branch and bound; expansions at $q → 1$"
METHODS = {
    AT_ZERO: METHOD,
    FORM: METHOD,
    ALGORITHM: "a proved lower bound on Algorithm 2 against a proved upper bound on H-SF",
}

NOT_MONOTONE = Open("no bound on both sides of Algorithm 2's ratio is known as a function of $q$")


@lru_cache(maxsize=32)
def derived(spec: str, s: int) -> Derivation:
    """Return the derivation of A_min's ratio under a law, kept."""
    return derive(spec, s=s)


@lru_cache(maxsize=32)
def supremum(spec: str, s: int) -> Supremum:
    """Return the supremum over q, kept."""
    return derived(spec, s).supremum()


def direct(spec: str, s: int, at: Fraction, digits: int = 12) -> Enclosure:
    """Return the ratio at q = ``at`` by plain sums over lengths of the literal entries: shares no code with the forms."""
    return ratio_by_sums("k" if spec == LINEAR else "1", s, at, digits)


def exceeding(spec: str, s: int, bound: Bound) -> Evidence:
    """Refute ratio ≤ bound at one s: at a q at which it exceeds the bound, by two computations, or by the limit at q → 1."""
    found = supremum(spec, s)
    places = [Fraction(k, 100) for k in (50, 70, 80, 85, 90, 95, 99)] + [Fraction(999, 1000), Fraction(9999, 10000)]
    if isinstance(found.at, Enclosure):
        middle = (found.at.lower + found.at.upper) / 2
        places = [*(middle.limit_denominator(10**k) for k in (1, 2, 3, 6, 12)), *places]
    tried = (
        "the supremum exceeds the bound; it was not confirmed at a rational $q$ by sums over lengths, nor as the limit at "
        f"$q → 1$ with {MOST_DIGITS} digits"
    )

    def ratio(place: Fraction, claimed: Fraction) -> Fraction:
        return enclose(derived(spec, s).ratio, {q: place}, DIGITS).lower

    def refuted(place: Fraction, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted | None:
        digits = min(DIGITS, 12 - int(log10(max(ratio - claimed.upper, 1e-60))))
        value = enclose(derived(spec, s).ratio, {q: place}, digits + 3)
        second = agree(value, direct(spec, s, place, digits), f"the ratio at s = {s}, q = {place}")
        at = {"s": s, "q": str(place)}
        return _above(spec, at, claimed, value, second, digits) if second.lower > claimed.upper else None

    by_place = decide_bound(bound, Family(lambda place: place, ratio, refuted, places), tried=tried)
    return by_place if isinstance(by_place, Refuted) or found.at != 1 else _by_the_limit(spec, s, bound) or by_place


def _by_the_limit(spec: str, s: int, bound: Bound) -> Refuted | None:
    """Refute a bound that only q near 1 exceed: by the exact limit and by an integral over the law's limit."""
    limit, claimed = derived(spec, s).limit(q=1), bound.at(Fraction(1, 2), MOST_DIGITS)
    if compare(limit, bound.expr) != 1 or claimed is None:
        return None
    for digits in (15, 40, MOST_DIGITS):
        value, second = enclose(limit, {}, digits), limit_by_integral(spec == LINEAR, digits)
        if min(value.lower, second.lower) > claimed.upper:
            agree(value, second, f"the limit at s = {s}")
            return _above(spec, {"s": s, "q_tends_to": "1"}, claimed, value, second, digits)
    return None


def _above(spec: str, at: Data, claimed: Enclosure, value: Enclosure, second: Enclosure, digits: int) -> Refuted:
    return Refuted(
        witness=at,
        claimed=written(claimed, min(value.lower, second.lower)),
        actual=value.decimals(digits + 2)[0],
        second=second.decimals(digits + 2)[0],
        stays="the forms are the limit $M → ∞$; the law is not cut",
        values={"ratio": value.middle, "supremum_over_q": supremum(spec, at["s"]).as_json()},
    )


def _parts(spec: str, s: int) -> dict[Any, Any]:
    own = derived(spec, s).quotient
    return {} if own is None else dict(own.parts)


def bounded_at(level: str, spec: str, bound: Bound) -> Evidence:
    """Decide ratio ≤ bound under a family, at a level."""
    if level == ALGORITHM:
        return law_in_process(spec, bound)
    return bounded(spec, 0, bound) if level == AT_ZERO else bounded_for_larger(spec, bound)


def directed_at(level: str, spec: str, direction: str) -> Evidence:
    """Decide that the ratio increases, or decreases, with q, at a level."""
    s = int(level == FORM)
    return NOT_MONOTONE if level == ALGORITHM else (increasing if direction == "increases" else decreasing)(spec, s)


def bounded(spec: str, s: int, bound: Bound) -> Evidence:
    """Decide ratio ≤ bound for every q at one s."""
    found = supremum(spec, s)
    if found.status == "supported":
        return Open("the supremum is measured only", found.as_json())
    outcome = number_at_least(bound.expr, found.enclosure, found.value)
    if outcome:
        tight = found.value is not None and compare(bound.expr, found.value) == 0
        return _below(spec, s, {"bound": bound.text, "tight": tight, "where": found.place})
    if outcome is None:
        return Open("the bound could not be told from the supremum, exactly or by balls", found.as_json())
    return exceeding(spec, s, bound)


def _below(spec: str, s: int, values: dict[str, Any]) -> Evidence:
    """The supremum over q is at most the bound: proved, or certified where the supremum is an enclosure."""
    found = supremum(spec, s)
    values = {**values, "supremum": found.as_json()}
    argument = f"supremum over $q$: {found.method}; the bound is not below it"
    if found.status == "proved":
        return Proved(argument=argument, values=values, uses=found.uses)
    if found.at == 1 and len(_parts(spec, s)) == 1:
        # a ratio that is proved to increase has its limit as supremum; one enclosure compares it with the bound
        monotone = increasing(spec, s)
        if isinstance(monotone, Proved):
            values["since_it_increases"] = {"argument": monotone.argument, **monotone.values}
            return Proved(argument=argument, values=values, uses=monotone.uses)
    place = found.at.middle if isinstance(found.at, Enclosure) else Fraction(99, 100)
    near = Fraction(place).limit_denominator(1000)
    second = {"q": str(near), "ratio_by_sums": direct(spec, s, near).decimals(12)[1]}
    return Certified(found.as_json()["upper"], "every $0 < q < 1$", second, values, found.uses)


def bounded_for_larger(spec: str, bound: Bound) -> Evidence:
    """Refute ratio ≤ bound at the smallest s ≥ 1 of the list where it fails, else leave it open."""
    sure: list[dict[str, Any]] = []
    for s in LARGER:
        found = bounded(spec, s, bound)
        if isinstance(found, Refuted):
            return replace(found, values={**found.values, "s_where_the_bound_holds": sure})
        if isinstance(found, Proved | Certified):
            sure.append({"s": s, "supremum": supremum(spec, s).as_json()["upper"]})
    return Open("it holds at every s tried and is not proved for all", {"s": sure})


def increasing(spec: str, s: int) -> Evidence:
    """Decide whether the ratio increases in q: its derivative is a rational function, or one with one logarithm."""
    own = derived(spec, s).quotient
    assert own is not None
    if not own.parts:
        p, r = (sp.Poly(part.as_expr(), q, domain="QQ") for part in (own.numerator, own.denominator))
        rate = p.diff(q) * r - p * r.diff(q)
        if _positive_inside(rate):
            values = {"derivative_numerator": str(sp.factor(rate.as_expr())), "roots_inside": 0}
            return Proved(argument="the derivative has no root in $(0, 1)$", values=values, uses=("Sturm",))
    elif len(own.parts) == 1:
        outcome = _one_logarithm(own)
        if outcome is not None:
            return Proved(argument="the derivative's sign, piece by piece", values=outcome, uses=("Sturm",))
    found = supremum(spec, s)
    if found.attained and isinstance(found.at, Enclosure):
        low, high = Fraction(found.at.middle).limit_denominator(1000), Fraction(99, 100)
        while high <= low:
            high = (1 + high) / 2
        return _moves(spec, s, low, high, "increases")
    return Open("the derivative's sign, and two points with a decrease")


def _moves(spec: str, s: int, high: Fraction, low: Fraction, claimed: str) -> Refuted | Open:
    """Refute a direction: the ratio at q = ``high`` is larger than at ``low``, by two computations."""
    ratio, places = derived(spec, s).ratio, sorted((low, high))
    first, second = (enclose(ratio, {q: place}, 15) for place in (low, high))
    again = [direct(spec, s, place) for place in (low, high)]
    if not (first.upper < second.lower and again[0].upper < again[1].lower):
        return Open(f"no certified change from $q = {places[0]}$ to ${places[1]}$")
    ends = {
        low: (first.decimals(10)[1], again[0].decimals(10)[1]),
        high: (second.decimals(10)[0], again[1].decimals(10)[0]),
    }
    return Refuted(
        witness={"s": s, "q": [str(place) for place in places]},
        claimed=claimed,
        actual=[ends[place][0] for place in places],
        second=[ends[place][1] for place in places],
        stays="the forms are the limit $M → ∞$; the law is not cut",
    )


def _positive_inside(poly: Any) -> bool:
    """Return whether a polynomial is positive on 0 < q < 1."""
    return not _inside(poly) and bool(poly.eval(sp.Rational(1, 2)) > 0)


def _one_logarithm(own: Any) -> dict[str, Any] | None:
    """Show that (P₀ + P₁ L)/Q increases on (0, 1), L = ln(1+q), or return None.

    Its derivative has the sign of c·(a + b L) with a, b free of common factors. Between the roots of b the function
    f = a/b + L has a rational derivative of one sign, so f is monotone there and its sign follows from one end:
    f(0) = a(0)/b(0), f(1) = a(1)/b(1) + ln 2, and ±∞ at a root of b.
    """
    [(symbol, log)] = own.parts.items()
    if not isinstance(log, sp.log) or sp.expand(log.args[0] - 1 - q) != 0:
        return None
    whole: Any = sp.Poly(own.numerator, symbol)
    r = own.denominator.as_expr()
    if whole.degree() != 1 or r.has(symbol):
        return None
    p0, p1 = whole.nth(0), whole.nth(1)
    dl = 1 / (1 + q)
    up = _poly(((sp.diff(p0, q) + p1 * dl) * r - p0 * sp.diff(r, q)) * (1 + q))
    down = _poly((sp.diff(p1, q) * r - p1 * sp.diff(r, q)) * (1 + q))
    common = up.gcd(down)
    a, b = up.quo(common), down.quo(common)
    rate: Any = sp.cancel(sp.diff(a.as_expr() / b.as_expr(), q) + dl)
    slope_up, slope_down = (_poly(part) for part in sp.fraction(rate))
    if _inside(slope_up) or _inside(common) or b.eval(0) == 0 or b.eval(1) == 0:
        return None
    if any(_inside(f) and b.rem(f).as_expr() != 0 for f, _ in slope_down.factor_list()[1]):
        return None
    roots: Any = sorted(b.real_roots())
    marks = [sp.S.Zero, *(root for root in dict.fromkeys(roots) if 0 < root < 1), sp.S.One]
    pieces: list[str] = []
    for low, high in pairwise(marks):
        middle = sp.Rational(str(sp.N((low + high) / 2, 30)))
        sign_b, sign_c = (1 if poly.eval(middle) > 0 else -1 for poly in (b, common))
        rises = slope_up.eval(middle) * slope_down.eval(middle) > 0
        wanted = sign_b * sign_c  # the sign that f must have
        end = low if (wanted > 0) == rises else high  # where f is nearest to 0
        if not _end_sign(a, b, end, sign_b, wanted):
            return None
        pieces.append(
            f"({sp.N(low, 6)}, {sp.N(high, 6)}): f {'rises' if rises else 'falls'}, sign {wanted:+d} from its end {sp.N(end, 6)}"
        )
    return {
        "sign_of": f"({common.as_expr()})·(a + b·ln(1+q))",
        "a": str(sp.factor(a.as_expr())),
        "b": str(sp.factor(b.as_expr())),
        "derivative_of_f": str(sp.factor(rate)),
        "pieces": pieces,
    }


def _end_sign(a: Any, b: Any, end: Any, sign_b: int, wanted: int) -> bool:
    """Return whether f = a/b + ln(1+q), at an end of a piece, is 0 or has the wanted sign (weakly)."""
    if end == 0:
        return bool(a.eval(0) / b.eval(0) * wanted >= 0)
    if end == 1:
        value = enclose(a.eval(1) / b.eval(1) + sp.log(2), {}, 10)
        return value.lower > 0 if wanted > 0 else value.upper < 0
    return False  # f has a pole there: no piece that occurs needs it


def _poly(expr: Any) -> Any:
    return sp.Poly(sp.cancel(expr), q, domain="QQ")


def _inside(poly: Any) -> int:
    """Return the number of distinct roots in 0 < q < 1."""
    return sum(f.count_roots(0, 1) - (f.eval(0) == 0) - (f.eval(1) == 0) for f, _ in poly.factor_list()[1])


def typed(expr: Any) -> str:
    """Return an expression in q as a reader types it."""
    text = str(expr).replace("log", "ln")
    for power in range(20, 1, -1):
        text = text.replace(f"**{power}", "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power)))
    return text.replace("*", " ")


def direction_of(given: Given) -> str:
    """Return the direction that the claim is given, or raise ``InputError``."""
    value = given["direction"].strip()
    if value not in ("increases", "decreases"):
        raise InputError("direction", value, "must be increases or decreases")
    return value


def decreasing(spec: str, s: int) -> Refuted | Open:
    """Refute that the ratio decreases: it tends to 1 at q → 0 and is above 1 later."""
    return _moves(spec, s, Fraction(1, 2), Fraction(1, 10), "decreases")
