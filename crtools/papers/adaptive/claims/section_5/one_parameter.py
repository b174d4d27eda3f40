"""Parts of claims on laws with one parameter q: below a bound, above it for larger s, monotone in q."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.ledger.claim import Given
from crtools.ledger.result import Part
from crtools.ratios import Derivation, Supremum, derive
from crtools.ratios.comparison import number_at_least

q = sp.Symbol("q", positive=True)
HALF = sp.Rational(1, 2)
GEOMETRIC, LINEAR = "geometric(q)", "linear-geometric(q)"
LARGER = (1, 2, 5, 10, 100)
"""The prompt sizes s ≥ 1 at which bounds are tried, smallest first."""

WORDS = {"bound": "bound", "weaker_bound": "weaker bound"}

READING = "for every s ≥ 0 and every 0 < q < 1, u → ∞ and M → ∞, of the form"
ARGUED = "s = 0, every 0 < q < 1, u → ∞ and M → ∞, of the form"
METHOD = "closed forms; Sturm; certified branch and bound; expansions at q → 1"


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
    from crtools.papers.adaptive.literal.sums import ratio_by_sums

    return ratio_by_sums("k" if spec == LINEAR else "1", s, at, digits)


def exceeding(spec: str, s: int, bound: Fraction) -> dict[str, Any] | None:
    """Return a q at which the ratio exceeds the bound, confirmed by a second computation, or None."""
    found = supremum(spec, s)
    places = [Fraction(found.at.middle).limit_denominator(1000)] if isinstance(found.at, Enclosure) else []
    places += [Fraction(k, 100) for k in (50, 70, 80, 85, 90, 95, 99)] + [Fraction(999, 1000), Fraction(9999, 10000)]
    for place in places:
        ratio = derived(spec, s).ratio
        value = enclose(ratio, {q: place}, 15)
        if value.lower > bound:
            second = direct(spec, s, place)
            if second.lower > value.upper or second.upper < value.lower:
                raise AssertionError(f"two computations of the ratio differ at s = {s}, q = {place}")
            if second.lower <= bound:
                continue
            return {
                "counterexample": {"s": s, "q": str(place)},
                "ratio": list(value.decimals(12)),
                "claimed bound": str(bound),
                "second computation": list(second.decimals(12)),
                "supremum over q": found.as_json(),
            }
    return None


def _parts(spec: str, s: int) -> dict[Any, Any]:
    own = derived(spec, s).quotient
    return {} if own is None else dict(own.parts)


def bound_part(name: str, spec: str, s: int, bound: Fraction) -> Part:
    """Decide ratio ≤ bound for every q at one s."""
    found = supremum(spec, s)
    outcome = number_at_least(bound, found.enclosure) if found.status != "supported" else None
    if outcome is None and found.value is not None and sp.Rational(bound.numerator, bound.denominator) == found.value:
        outcome = True
    if outcome:
        tight = found.value is not None and found.value == sp.Rational(bound.numerator, bound.denominator)
        evidence: dict[str, Any] = {
            "argument": f"supremum over q: {found.method}; the bound is not below it",
            "supremum": found.as_json(),
            "bound": str(bound),
            "tight": tight,
            "where": found.place,
        }
        if found.status == "certified" and found.at == 1 and len(_parts(spec, s)) == 1:
            # a ratio that is proved to increase has its limit as supremum; one enclosure compares it with the bound
            monotone = increasing_part("it increases", spec, s)
            if monotone.status == "proved":
                return Part(name, "proved", {**evidence, "since it increases": monotone.evidence}, monotone.uses)
        return Part(name, "proved" if found.status == "proved" else "certified", evidence, found.uses)
    if outcome is None:
        return Part(name, "inconclusive", {"tried": "the supremum's enclosure contains the bound", **found.as_json()})
    data = exceeding(spec, s, bound)
    if data is None:
        tried = "the supremum exceeds the bound; it was not confirmed at a rational q by sums over lengths"
        return Part(name, "inconclusive", {"tried": tried})
    return Part(name, "refuted", data)


def larger_part(name: str, spec: str, bound: Fraction) -> Part:
    """Refute ratio ≤ bound at the smallest s ≥ 1 of the list where it fails, else leave it open."""
    sure: list[dict[str, Any]] = []
    for s in LARGER:
        part = bound_part(name, spec, s, bound)
        if part.status == "refuted":
            return Part(name, "refuted", {**part.evidence, "s where the bound holds": sure})
        if part.status in ("proved", "certified"):
            sure.append({"s": s, "supremum": supremum(spec, s).as_json()["upper"]})
    return Part(name, "inconclusive", {"tried": "holds at every s tried, not proved for all", "s": sure})


def increasing_part(name: str, spec: str, s: int) -> Part:
    """Decide whether the ratio increases in q: its derivative is a rational function, or one with one logarithm."""
    own = derived(spec, s).quotient
    assert own is not None
    if not own.parts:
        p, r = (sp.Poly(part.as_expr(), q, domain="QQ") for part in (own.numerator, own.denominator))
        rate = p.diff(q) * r - p * r.diff(q)
        if _positive_inside(rate):
            evidence = {
                "argument": "the derivative has no root in (0, 1)",
                "derivative's numerator": str(sp.factor(rate.as_expr())),
                "roots in (0, 1)": 0,
            }
            return Part(name, "proved", evidence, ("Sturm",))
    elif len(own.parts) == 1:
        outcome = _one_logarithm(own)
        if outcome is not None:
            return Part(name, "proved", outcome, ("Sturm",))
    found = supremum(spec, s)
    if found.attained and isinstance(found.at, Enclosure):
        low, high = Fraction(found.at.middle).limit_denominator(1000), Fraction(99, 100)
        while high <= low:
            high = (1 + high) / 2
        return _decrease(name, spec, s, low, high)
    return Part(name, "inconclusive", {"tried": "neither the derivative's sign nor two points with a decrease"})


def _decrease(name: str, spec: str, s: int, low: Fraction, high: Fraction) -> Part:
    ratio = derived(spec, s).ratio
    first, second = (enclose(ratio, {q: place}, 15) for place in (low, high))
    if not second.upper < first.lower:
        return Part(name, "inconclusive", {"tried": f"no certified decrease from q = {low} to {high}"})
    again = [direct(spec, s, place) for place in (low, high)]
    if not again[1].upper < again[0].lower:
        raise AssertionError("the second computation does not confirm the decrease")
    return Part(
        name,
        "refuted",
        {
            "counterexample": {"s": s, "q": [str(low), str(high)]},
            "ratio": [first.decimals(10)[0], second.decimals(10)[1]],
            "second computation": [again[0].decimals(10)[0], again[1].decimals(10)[1]],
        },
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
        "argument": "the derivative's sign, piece by piece",
        "derivative's sign": f"that of ({common.as_expr()})·(a + b·ln(1+q))",
        "a": str(sp.factor(a.as_expr())),
        "b": str(sp.factor(b.as_expr())),
        "f' = (a/b + ln(1+q))'": str(sp.factor(rate)),
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


def place_of(spec: str, s: int) -> str:
    """Return where the supremum over q is, as text."""
    at = supremum(spec, s).at
    return f"{at.middle:.4f}" if isinstance(at, Enclosure) else str(at)


def direction_of(given: Given) -> str:
    """Return the direction that the claim is given, or raise ``InputError``."""
    value = given["direction"].strip()
    if value not in ("increases", "decreases"):
        raise InputError("direction", value, "must be increases or decreases")
    return value


def directed(name: str, spec: str, s: int, direction: str) -> Part:
    """Decide that the ratio increases, or decreases, with q."""
    part = increasing_part(name, spec, s)
    if direction == "increases":
        return part
    return decreasing_part(name, spec, s)


def decreasing_part(name: str, spec: str, s: int) -> Part:
    """Refute that the ratio decreases: it tends to 1 at q → 0 and is above 1 later."""
    ratio = derived(spec, s).ratio
    low, high = (enclose(ratio, {q: place}, 15) for place in (Fraction(1, 10), Fraction(1, 2)))
    again = [direct(spec, s, place) for place in (Fraction(1, 10), Fraction(1, 2))]
    if low.upper < high.lower and again[0].upper < again[1].lower:
        return Part(
            name,
            "refuted",
            {
                "counterexample": {"s": s, "q": ["1/10", "1/2"]},
                "ratio": [low.decimals(10)[1], high.decimals(10)[0]],
                "second computation": [again[0].decimals(10)[1], again[1].decimals(10)[0]],
            },
        )
    return Part(name, "inconclusive", {"tried": "q = 1/10 and 1/2"})
