"""geometric, thm-lg, lg-mode and uniform-bounds: the laws P(k) ∝ q^k and P(k) ∝ k q^k."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sympy as sp

from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.result import Decision, Part, Proof, Status, Verdict, from_theorem
from crtools.claims.two_point import published_proof
from crtools.closed_form.evaluate import enclose
from crtools.closed_form.exponential_polynomial import ExponentialPolynomial, Field
from crtools.closed_form.summand import Summand
from crtools.derivation import Derivation, Supremum, derive
from crtools.derivation.comparison import number_at_least
from crtools.enclosure import Enclosure
from crtools.errors import InputError, NotCertified
from crtools.expressions import formula, number
from crtools.theorems.steps import Identity
from crtools.theorems.theorem import Theorem

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
    from crtools.claims.literal_sums import ratio_by_sums

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
        return Part(name, "inconclusive", {"tried": "the supremum exceeds the bound; no rational q was found"})
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


def decide_geometric(given: Given) -> Decision:
    """Decide the bound and the monotonicity of the geometric law's ratio."""
    bound, direction = number("bound", given["bound"]), _direction(given)
    at_zero = bound_part("bounded, s = 0", GEOMETRIC, 0, bound)
    monotone = _directed("monotone in q, s = 0", GEOMETRIC, 0, direction)
    larger = larger_part("bounded, s ≥ 1", GEOMETRIC, bound)
    no_longer = _directed("monotone in q, s = 1", GEOMETRIC, 1, direction)
    form = {"closed form at s = 0": str(derived(GEOMETRIC, 0).ratio), "checked against": derived(GEOMETRIC, 0).evidence}
    at_zero = Part(at_zero.part, at_zero.status, {**at_zero.evidence, **form}, at_zero.uses)
    argued = (at_zero, monotone)
    why0 = f"s = 0: the ratio is {derived(GEOMETRIC, 0).ratio}, → {derived(GEOMETRIC, 0).limit(q=1)} as q → 1"
    why1 = f"s = 1: the supremum is {supremum(GEOMETRIC, 1).enclosure.middle:.5f}, at q = {_place(GEOMETRIC, 1)}"
    return Decision(
        (
            Verdict("as-stated", READING, METHOD, (larger, no_longer, *argued), why1),
            Verdict("where-argued", ARGUED, METHOD, argued, why0),
        ),
        Proof(
            "not-examined", "the paper reads it off a plot and calls a theoretical result hard; a closed form exists"
        ),
    )


def _place(spec: str, s: int) -> str:
    at = supremum(spec, s).at
    return f"{at.middle:.4f}" if isinstance(at, Enclosure) else str(at)


def _direction(given: Given) -> str:
    value = given["direction"].strip()
    if value not in ("increases", "decreases"):
        raise InputError("direction", value, "must be increases or decreases")
    return value


def _directed(name: str, spec: str, s: int, direction: str) -> Part:
    part = increasing_part(name, spec, s)
    if direction == "increases":
        return part
    return _decreasing(name, spec, s)


def _decreasing(name: str, spec: str, s: int) -> Part:
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


# ---- the linearly weighted geometric law ------------------------------------------------------------------------------


def decide_lg(given: Given) -> Decision:
    """Decide the closed form, both bounds, the monotonicity and the two displayed sums."""
    direction = _direction(given)
    bounds = {name: number(name, given[name]) for name in ("bound", "weaker_bound")}
    _, claimed = formula("closed_form", given["closed_form"], {"q": q})
    closed = _closed_form_part(claimed)
    argued = (
        closed,
        *(bound_part(f"at most the {WORDS[n]}, s = 0", LINEAR, 0, b) for n, b in bounds.items()),
        _directed("monotone in q, s = 0", LINEAR, 0, direction),
    )
    displays = _sums(given)
    larger = (
        _other_s(claimed),
        *(larger_part(f"at most the {WORDS[n]}, s ≥ 1", LINEAR, b) for n, b in bounds.items()),
        _directed("monotone in q, s = 1", LINEAR, 1, direction),
    )
    bad = [p.part for p in displays if p.status == "refuted"]
    holds = all(p.status in ("proved", "certified") for p in argued)
    state = "hold" if holds else "do not all hold"
    why = f"s = 0: closed form, bounds and monotonicity {state}; false as displayed: {'; '.join(bad) or 'nothing'}"
    return Decision(
        (
            Verdict("as-stated", READING, METHOD, (*larger, *argued, *displays), f"{why}; s = 1: {larger[0].status}"),
            Verdict("where-argued", ARGUED, METHOD, (*argued, *displays), why),
        ),
        published_proof((*argued[:2], *displays)),
    )


def _closed_form_part(claimed: Any) -> Part:
    truth = derived(LINEAR, 0).ratio
    theorem = Theorem("LG", "the closed form", "s = 0, 0 < q < 1", (Identity(name="equal", lhs=claimed, rhs=truth),))
    try:
        part = from_theorem("the closed form, s = 0", theorem, derived=str(truth))
    except (ValueError, sp.PolynomialError):
        part = Part("the closed form, s = 0", "inconclusive", {"tried": "not a rational function of q"})
    if part.status == "proved":
        return part
    return _differs("the closed form, s = 0", claimed, 0)


def _other_s(claimed: Any) -> Part:
    return _differs("the closed form, s = 1", claimed, 1)


def _differs(name: str, claimed: Any, s: int) -> Part:
    """Refute a closed form at a rational q, by two computations."""
    for place in (Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)):
        value = enclose(derived(LINEAR, s).ratio, {q: place}, 15)
        try:
            theirs = enclose(sp.expand_log(claimed.subs(q, sp.Rational(place.numerator, place.denominator))), {}, 15)
        except (NotCertified, ArithmeticError):
            continue
        second = direct(LINEAR, s, place)
        if theirs.upper < min(value.lower, second.lower) or theirs.lower > max(value.upper, second.upper):
            evidence = {
                "counterexample": {"s": s, "q": str(place)},
                "claimed": theirs.decimals(12)[0],
                "actual": value.decimals(12)[0],
                "second computation": second.decimals(12)[0],
            }
            return Part(name, "refuted", evidence)
    return Part(name, "inconclusive", {"tried": "agrees with the derived ratio at three points"})


def _sums(given: Given) -> tuple[Part, ...]:
    """Decide the two displayed sums: Σ k³q^{k−1}(c₁ k q^{k−1} + c₂ Σ_{i>k} i q^{i−1}) and the numerator's."""
    field = Field.of(q)
    k, one = field.k, field.domain.one
    rho = field.domain.from_sympy(q)

    def term(poly: Any) -> ExponentialPolynomial:  # poly(k) q^{k−1}
        return ExponentialPolynomial(field, {rho: poly * (one / rho)})

    own, tail_of = (number(n, given[n]) for n in ("display_own", "display_tail"))
    first_own = Summand(term(k**3) * term(k)).complete_sum()
    first_tail = Summand(term(k**3) * term(k).tails_above()).complete_sum()
    left = (
        sp.Rational(own.numerator, own.denominator) * first_own.expr()
        + sp.Rational(tail_of.numerator, tail_of.denominator) * first_tail.expr()
    )
    # Σ_{i≥k} i² q^{i−1} and Σ_{i≥k} q^{i−1} + 2 Σ_{i>k} (i − k) q^{i−1}
    from_k = term(k**2) + term(k**2).tails_above()
    second = term(field.ring.one) + term(field.ring.one).tails_above()
    twice = term(k).tails_above() + term(field.ring.one).tails_above().times(-k)
    numerator = Summand(from_k * (second + twice.times(field.ring.one * 2))).complete_sum().expr()
    parts: list[Part] = []
    for title, key, value, plain in (
        ("the displayed denominator sum", "display_denominator", left, _plain_denominator(own, tail_of)),
        ("the displayed numerator sum", "display_numerator", numerator, _plain_numerator()),
    ):
        _, shown = formula(key, given[key], {"q": q})
        theorem = Theorem(title, title, "0 < q < 1", (Identity(name="display", text=title, lhs=value, rhs=shown),))
        part = from_theorem(title, theorem)
        if part.status != "proved":
            put = {q: HALF}
            status: Status = "inconclusive"
            try:
                gap = enclose(sp.expand_log((value - shown).subs(put).doit()), {}, 5)
                ours = enclose(sp.sympify(value).subs(put), {}, 12)
                if not gap.lower <= 0 <= gap.upper and abs(ours.middle - plain) < 1e-9:
                    status = "refuted"
            except (NotCertified, ArithmeticError, TypeError, ValueError):
                pass
            evidence = {
                "counterexample": {"q": "1/2"},
                "the sum": str(sp.cancel(value).subs(put)),
                "as displayed": str(shown.subs(put)),
                "second computation": repr(plain),
                "right with": "k q^{k−1} + 2 Σ, not 2k q^{k−1} + Σ" if key == "display_denominator" else "",
            }
            part = Part(title, status, evidence)
        parts.append(part)
    return tuple(parts)


def _plain_denominator(own: Fraction, tail_of: Fraction) -> float:
    """The displayed sum at q = ½, term by term in floats."""
    w = [0.0] + [i * 0.5 ** (i - 1) for i in range(1, 200)]
    return sum(k**3 * 0.5 ** (k - 1) * (float(own) * w[k] + float(tail_of) * sum(w[k + 1 :])) for k in range(1, 200))


def _plain_numerator() -> float:
    """The displayed numerator sum at q = ½, term by term in floats."""
    total = 0.0
    for k in range(1, 200):
        first = sum(i * i * 0.5 ** (i - 1) for i in range(k, 200))
        second = sum(0.5 ** (i - 1) for i in range(k, 200)) + 2 * sum(
            (i - k) * 0.5 ** (i - 1) for i in range(k + 1, 200)
        )
        total += first * second
    return total


def decide_mode(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1 of m(q) for every q."""
    _, claimed = formula("mode", given["mode"], {"q": q})
    name = "the mode is within 1 of the formula"
    worst: dict[str, Any] | None = None
    places = (*(Fraction(k, 20) for k in range(1, 20)), *(1 - Fraction(1, 2**k) for k in range(5, 13)))
    looked_at = 0
    for place in places:
        modes = _modes(place)
        try:
            shown = enclose(
                sp.expand_log(claimed.subs(q, sp.Rational(place.numerator, place.denominator)).doit()), {}, 8
            )
        except (NotCertified, ArithmeticError, TypeError, ValueError):
            continue
        looked_at += 1
        gap = min(max(shown.lower - m, m - shown.upper) for m in modes)
        if gap > 1 and worst is None:
            found = max(range(1, 40000), key=lambda k: float(k) * float(place) ** (k - 1))
            worst = {
                "counterexample": {"q": str(place)},
                "mode": modes,
                "formula": list(shown.decimals(6)),
                "second computation": f"argmax of k q^(k−1) by evaluation: {found}",
                "strongest true form": "the mode is ⌈q/(1−q)⌉ (and q/(1−q)+1 where that is an integer), within 1 of 1/ln(1/q)",
            }
            if found not in modes:
                raise AssertionError("two computations of the mode differ")
    part = (
        Part(name, "refuted", worst)
        if worst is not None
        else _mode_proof(name, claimed)
        if looked_at == len(places)
        else Part(
            name, "inconclusive", {"tried": f"the formula was evaluated at {looked_at} of {len(places)} values of q"}
        )
    )
    reading = (
        "for every 0 < q < 1: some mode of P(k) = k p² q^{k−1} differs from the formula by at most 1 (s does not occur)"
    )
    why = (
        f"within 1 of the mode at all {looked_at} values of q"
        if looked_at == len(places)
        else "not evaluated everywhere"
    )
    if worst is not None:
        why = f"at q = {worst['counterexample']['q']} the mode is {worst['mode'][0]}, the formula gives {worst['formula'][0]}"
    verdict = Verdict("as-stated", reading, "exact comparison of P(k+1) with P(k)", (part,), why)
    return Decision((verdict,), Proof("not-examined", "a remark without proof"))


def _modes(place: Fraction) -> list[int]:
    """P(k+1) ≥ P(k) exactly for k ≤ q/(1−q)."""
    turn = place / (1 - place)
    whole = int(turn)
    return [whole, whole + 1] if turn == whole and whole >= 1 else [whole + 1]


def _mode_proof(name: str, claimed: Any) -> Part:
    """A mode lies in [q/(1−q), 1/(1−q)]; so does 1/ln(1/q), because 1 − 1/x ≤ ln x ≤ x − 1."""
    if claimed.is_rational_function(q):
        from crtools.derivation.comparison import at_least

        zero, one = Fraction(0), Fraction(1)
        above = at_least(claimed, q / (1 - q), q, zero, one).holds
        below = at_least(1 / (1 - q), claimed, q, zero, one).holds
        if above and below:
            return Part(
                name,
                "proved",
                {
                    "argument": "an interval of length 1 contains both",
                    "both lie in": "[q/(1−q), 1/(1−q)], an interval of length 1",
                },
                ("Sturm",),
            )
    return Part(name, "supported", {"sample": "27 values of q", "margin": "the difference is at most 1 at each"})


def decide_uniform(given: Given) -> Decision:
    """Decide the three uniform bounds of the abstract."""
    from crtools.claims.two_point import decide_two_point

    bounds = {n: number(n, given[n]) for n in ("two_point", "geometric", "linear_geometric")}
    inner = decide_two_point({**TWO_POINT_GIVEN, "bound": given["two_point"]})
    stated, argued = inner.verdicts
    two = {"stated": stated.parts[0], "argued": argued.parts[0]}
    names = {"geometric": GEOMETRIC, "linear_geometric": LINEAR}
    at_zero = tuple(bound_part(f"{n}: at most the bound, s = 0", spec, 0, bounds[n]) for n, spec in names.items())
    larger = tuple(larger_part(f"{n}: at most the bound, s ≥ 1", spec, bounds[n]) for n, spec in names.items())
    zero_two = Part(
        "two_point: at most the bound, s = 0",
        two["argued"].status,
        two["argued"].evidence,
        two["argued"].uses,
    )
    more_two = Part("two_point: at most the bound, s ≥ 1", two["stated"].status, two["stated"].evidence)
    why = "; ".join(f"{p.part}: {p.status}" for p in (more_two, *larger))
    return Decision(
        (
            Verdict("as-stated", READING, METHOD, (more_two, *larger, zero_two, *at_zero), why),
            Verdict(
                "where-argued",
                ARGUED,
                METHOD,
                (zero_two, *at_zero),
                "; ".join(f"{p.part}: {p.status}" for p in (zero_two, *at_zero)),
            ),
        ),
        Proof("not-examined", "a summary of Theorems no and LG and of the geometric figure"),
    )


def _two_point_given() -> dict[str, str]:
    from crtools.claims.two_point import TWO_POINT

    return dict(TWO_POINT.given)


TWO_POINT_GIVEN = _two_point_given()

GEOMETRIC_CLAIM = Claim(
    id="geometric",
    place="Section 5.2",
    statement="CR(A_min) under G(p) increases with q and is bounded by 1.7",
    given={"bound": "1.7", "direction": "increases"},
    decide=decide_geometric,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "1.66"}, "bounded, s = 0"),
        Variant("the other direction", {"direction": "decreases"}, "monotone in q, s = 0"),
        Variant("a bound just below the limit", {"bound": "1.6822"}, "bounded, s = 0"),
    ),
    variants=(Variant("a weaker bound", {"bound": "1.75"}, "bounded, s = 0"),),
)

LG = Claim(
    id="thm-lg",
    place="Theorem LG",
    statement="the closed form under LG(p), ≤ 14/9, increasing in q, bounded by 1.6; the two sums displayed in its proof",
    given={
        "closed_form": "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)",
        "bound": "14/9",
        "weaker_bound": "1.6",
        "direction": "increases",
        "display_own": "2",
        "display_tail": "1",
        "display_denominator": "(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4)",
        "display_numerator": "(1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)",
    },
    decide=decide_lg,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "1.54"}, "at most the bound, s = 0"),
        Variant(
            "a coefficient",
            {"closed_form": "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5)"},
            "the closed form, s = 0",
        ),
        Variant(
            "a sign", {"display_numerator": "(1-3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)"}, "the displayed numerator"
        ),
    ),
    variants=(
        Variant("a right display", {"display_own": "1", "display_tail": "2"}, "the displayed denominator"),
        Variant("a weaker bound", {"bound": "1.56"}, "at most the bound, s = 0"),
    ),
)

LG_MODE = Claim(
    id="lg-mode",
    place="Section 5.3",
    statement="LG(p) peaks around log(1/q)",
    given={"mode": "log(1/q)"},
    decide=decide_mode,
    corrupted=(
        Variant("a sign", {"mode": "log(q)"}),
        Variant("a factor", {"mode": "2/log(1/q)"}),
        Variant("another function", {"mode": "1/(1-q)**2"}),
    ),
    variants=(Variant("the reciprocal", {"mode": "1/log(1/q)"}), Variant("a rational form", {"mode": "1/(1-q)"})),
)

UNIFORM = Claim(
    id="uniform-bounds",
    place="abstract, contributions",
    statement="1.5, 1.7 and 1.56 bound CR(A_min) uniformly under two-point, geometric and LG laws",
    given={"two_point": "1.5", "geometric": "1.7", "linear_geometric": "1.56"},
    decide=decide_uniform,
    rests_on=("thm-two-point", "geometric", "thm-lg"),
    corrupted=(
        Variant("1.5 less 1 %", {"two_point": "1.485"}, "two_point: at most the bound, s = 0"),
        Variant("1.7 less 2 %", {"geometric": "1.66"}, "geometric: at most the bound, s = 0"),
        Variant("1.56 less 1 %", {"linear_geometric": "1.5444"}, "linear_geometric: at most the bound, s = 0"),
    ),
    variants=(
        Variant(
            "weaker",
            {"two_point": "1.6", "geometric": "1.8", "linear_geometric": "1.6"},
            "geometric: at most the bound, s = 0",
        ),
    ),
)
