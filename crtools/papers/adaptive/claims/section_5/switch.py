"""switch and dominates: for which α = l/u one of the bounds printed after Theorem 7 is below another."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from re import fullmatch

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Proved, Refuted, agree, by_theorem
from crtools.ledger.deciders.ranges import constant, formula_on, from_half, unit, up_to_half
from crtools.ledger.evidence import Data
from crtools.numeric_types import SymExpr, SymPoly
from crtools.papers.adaptive.evidence.reading import repairs
from crtools.papers.adaptive.evidence.two_lengths import alpha
from crtools.papers.adaptive.theory import AT_ZERO, reading_of, stated_claim, theorem
from crtools.signs.numbers import compare, sign
from crtools.signs.one_variable import at_least, between_roots, polynomials, real_roots, simplest


@stated_claim("switch")
def switch(given: Given) -> Decision:
    """Decide for which α the bound of A_ℓ is smaller than that of A_min."""
    symbols = {"alpha": alpha}
    _, threshold = formula_on("threshold", given["threshold"], {}, constant())
    _, a_min = formula_on("a_min_bound", given["a_min_bound"], symbols, unit("alpha"))
    _, low = formula_on("bound_low", given["bound_low"], symbols, up_to_half("alpha"))
    _, high = formula_on("bound_high", given["bound_high"], symbols, from_half("alpha"))
    evidence = compared(threshold, a_min, low, high)
    where = evidence.values.get("smaller_on", "a set that was not found")
    lines = {
        "proved": f"smaller exactly for $α < {float(threshold.evalf()):.4f}…$",
        "refuted": f"not so at $α = {evidence.witness['alpha']}$" if isinstance(evidence, Refuted) else "",
    }
    says = f"$A_ℓ$'s bound is the smaller one exactly for $α < {given['threshold'].strip()}$"
    why = f"$A_ℓ$'s bound is the smaller one on ${where}$"
    times = given["times"].strip()
    in_times, literal = rounded(threshold, times), to_the_letter(threshold, times, a_min, low)
    findings = (
        Finding("smaller-exactly-below", says, evidence),
        Finding("in-times", f"at the threshold $u/l$ is ${times}$, rounded", in_times),
        Finding("in-times-to-the-letter", f"for every $u > {times}l$", literal, decides=False),
    )
    line = lines.get(evidence.status, "")
    short = line if 0 < len(line) <= 40 else "decided by exact roots" if line else "not decided"
    read = reading_of("switch")
    return Decision(short, (read.verdict(AT_ZERO, why, *findings),), read.proof(reduction=evidence))


IN_FORCE = 1 + alpha / (2 * (1 - alpha))
"""A_ℓ's bound up to ½."""


@stated_claim("dominates")
def dominates(given: Given) -> Decision:
    """Decide whether one bound is at least the other for every α from the threshold on."""
    _, threshold = formula_on("threshold", given["threshold"], {}, constant())
    if not (compare(threshold, 0) == 1 and compare(threshold, 1) == -1):
        raise InputError("threshold", given["threshold"], "must be between 0 and 1")
    large, small = (
        formula_on(key, given[key], {"alpha": alpha}, unit("alpha"))[1] for key in ("dominating", "a_min_bound")
    )
    evidence, in_force = larger_from(threshold, large, small), larger_from(threshold, large, IN_FORCE)
    dominating_text, a_min_text, threshold_text = (
        f"${given[key].strip()}$" for key in ("dominating", "a_min_bound", "threshold")
    )
    why = (
        f"smaller at $α = {evidence.witness['alpha']}$"
        if isinstance(evidence, Refuted)
        else f"{evidence.status} by exact signs"
    )
    findings = (
        Finding("dominates", f"{dominating_text} is at least {a_min_text} for $α ≥ {threshold_text[1:]}", evidence),
        Finding(
            "in-force",
            f"{dominating_text} is at least $1 + α/(2(1−α))$ there, $A_ℓ$'s bound up to ½",
            in_force,
            decides=False,
        ),
    )
    read = reading_of("dominates")
    true = repairs("one-plus-two-alpha-squared-dominates", "a-ell-bound-dominates")
    return Decision(why, (read.verdict(AT_ZERO, why, *findings),), read.proof(), true)


# ---- Where one of two bounds in α is the smaller one: exactly below a threshold? -------------------------------------

HALF = Fraction(1, 2)
DIGITS = 40
"""Digits of the enclosure of the threshold; the bounds are compared at points outside it."""


def compared(threshold: SymExpr, a_min: SymExpr, low: SymExpr, high: SymExpr) -> Proved | Refuted | Open:
    """Decide whether A_ℓ's bound, ``low`` up to ½ and ``high`` from there, is below A_min's exactly for α < threshold.

    The bounds have no poles. Looked at are a rational α between every two neighbours among the roots of the difference, ½
    and both ends of the threshold, and ½ and the roots themselves where they are rational.
    """
    below_half, above_half = (polynomials(a_min - piece, alpha) for piece in (low, high))
    if below_half is None or above_half is None:
        return Open("exact roots; the bounds are not rational functions of $α$ with rational coefficients")
    sides = ((below_half, (Fraction(0), HALF)), (above_half, (HALF, Fraction(1))))
    roots = [root for (above, _), (a, b) in sides for root in _roots(above, a, b)]

    def smaller(point: Fraction) -> bool | None:
        """Return whether A_ℓ's bound is the smaller one at α; None at ½ where the two pieces differ."""
        at = sp.Rational(point)
        signs_there = {bool(above.eval(at) / below.eval(at) > 0) for (above, below), (a, b) in sides if a <= point <= b}
        return signs_there.pop() if len(signs_there) == 1 else None

    def points(*marks_: Fraction) -> list[Fraction]:
        more = [sp.Poly(alpha - sp.Rational(end), alpha) for end in marks_]
        return [p for (above, _), (a, b) in sides for p in between_roots([above, *more], alpha, a, b)]

    marks: list[SymExpr] = sorted({sp.S.Zero, sp.S.Half, sp.S.One, *(root for root, _ in roots)})
    values = {"smaller_on": _union_text(marks, points(), smaller), "threshold": str(threshold)}
    near = enclose(threshold, {}, DIGITS)
    rational = [fraction(mark) for mark in marks[1:-1] if mark.is_Rational]
    for point in (*points(near.lower, near.upper), *rational):
        yes, side = smaller(point), compare(sp.Rational(point), threshold)
        if side is None:
            return Open("the threshold could not be told from a point, exactly or by balls", values)
        if yes is not None and yes != (side < 0):
            bounds = [expr.subs({alpha: sp.Rational(point)}) for expr in (a_min, high if point > HALF else low)]
            return _refuted(point, threshold, bounds, values)
    irrational = any(not root.is_Rational and root < near.lower for root, _ in roots)
    if irrational or None in map(smaller, rational):
        return Open("exact roots; at one of them, below the threshold, no bound is the smaller one", values)
    outside = compare(threshold, 0) in (-1, 0) or compare(threshold, 1) in (0, 1)
    if outside or compare(threshold, HALF) == 0 or _turns(roots, threshold, near):
        return Proved(argument="signs between the exact roots of the difference", values=values, uses=("Sturm",))
    return Open("exact roots; no rational $α$ was found between the threshold and where the signs change", values)


def rounded(threshold: SymExpr, times: str) -> Proved | Refuted | Open:
    """Decide whether a decimal is 1/threshold, rounded to as many digits."""
    if not fullmatch(r"[1-9][0-9]{0,8}([.][0-9]{1,20})?", times):
        raise InputError("times", times, "must be a decimal number such as 2.6")
    if compare(threshold, 0) != 1:
        return Open("the threshold is not above 0")
    value, half = Fraction(times), Fraction(1, 2 * 10 ** len(times.partition(".")[2]))
    near = enclose(1 / threshold, {}, DIGITS)
    if value - half < near.lower and near.upper < value + half:
        return by_theorem(
            theorem("the switch"), argument=f"$1/α$ is {near.decimals(12)[0]} there, which is rounded {times}"
        )
    if near.upper < value - half or near.lower > value + half:
        witness, second = {"threshold": str(threshold)}, float(1 / threshold.evalf())
        return Refuted(witness, times, near.decimals(12)[0], second, "a number: no limit is taken")
    return Open("the digits of $1/threshold$")


def to_the_letter(threshold: SymExpr, times: str, a_min: SymExpr, low: SymExpr) -> Evidence:
    """Decide whether A_ℓ's bound is the smaller one wherever u > times · l: below the threshold it is."""
    end = 1 / Fraction(times)
    if compare(sp.Rational(end), threshold) != 1:
        return Proved(argument=f"$1/{times}$ is at most the threshold")
    point = simplest(enclose(threshold, {}, DIGITS).upper, end)
    bounds = [expr.subs({alpha: sp.Rational(point)}) for expr in (a_min, low)]
    if not (point < HALF and bounds[0] < bounds[1]):
        return Open(f"$α = {point}$")
    claimed = f"$u/l$ is above {times}, so that $A_ℓ$'s bound is the smaller one"
    return _refuted(point, threshold, bounds, {"u_over_l": str(1 / point)}, claimed)


def _refuted(
    point: Fraction, threshold: SymExpr, bounds: Sequence[SymExpr], values: Data, claimed: str = ""
) -> Refuted:
    ours, theirs = bounds
    side = "below" if compare(sp.Rational(point), threshold) == -1 else "not below"
    return Refuted(
        witness={"alpha": str(point)},
        claimed=claimed or f"$α$ is {side} the threshold",
        actual={"bound_of_A_min": str(ours), "bound_of_A_ell": str(theirs)},
        second={"in_floats": [float(ours), float(theirs)], "threshold_in_floats": float(threshold)},
        stays="two functions of $α$: no limit is taken",
        values=values,
    )


def _union_text(
    marks: Sequence[SymExpr], points: Sequence[Fraction], smaller: Callable[[Fraction], bool | None]
) -> str:
    """Return the open intervals between marks on which A_ℓ's bound is smaller, for a reader."""
    intervals: list[list[SymExpr]] = []
    for (start, end), point in zip(pairwise(marks), points, strict=True):
        if smaller(point) and intervals and intervals[-1][1] == start == HALF and smaller(HALF):
            intervals[-1][1] = end
        elif smaller(point):
            intervals.append([start, end])
    return " ∪ ".join(f"({start}, {end})" for start, end in intervals) or "nowhere"


# ---- whether one bound dominates another from a threshold on --------------------------------------------------------


def larger_from(threshold: SymExpr, large: SymExpr, small: SymExpr) -> Evidence:
    """Decide whether large(α) ≥ small(α) for threshold ≤ α < 1."""
    near, one = enclose(threshold, {}, DIGITS), Fraction(1)
    beyond = at_least(large, small, alpha, near.upper, one, closed=(near.upper,))
    if beyond.point is not None:
        ours, other = (expr.subs({alpha: sp.Rational(beyond.point)}) for expr in (large, small))
        floats = [float(expr.subs({alpha: float(beyond.point)})) for expr in (large, small)]
        agree(bool(ours < other), floats[0] < floats[1], "which bound is the larger one")
        second = {"in_floats": floats, "threshold_in_floats": float(threshold)}
        witness, stays = {"alpha": str(beyond.point)}, "two functions of $α$: no limit is taken"
        return Refuted(witness, f"at least {other}", str(ours), second, stays)
    pair = polynomials(large - small, alpha)
    roots = [] if pair is None else [root for poly in pair for root in _roots(poly, near.lower, near.upper)]
    if beyond.holds and (
        near.width == 0 or at_least(large, small, alpha, near.lower, one).holds or _turns(roots, threshold, near)
    ):
        return Proved(argument="signs between the exact roots of the difference", uses=("Sturm",))
    return Open("; ".join(filter(None, ("exact roots of the difference", beyond.reason))))


def _roots(above: SymPoly, low: Fraction, high: Fraction) -> list[tuple[SymExpr, SymPoly]]:
    """Return the roots of a polynomial from ``low`` to ``high``, each with the irreducible factor whose root it is."""
    factors = (factor for factor, _ in above.factor_list()[1])
    return [(root, factor) for factor in factors for root in real_roots(factor) if low <= root <= high]


def _turns(roots: Sequence[tuple[SymExpr, SymPoly]], threshold: SymExpr, near: Enclosure) -> bool:
    """Return whether the threshold is the only root near it."""
    here = [factor for root, factor in roots if near.lower <= root <= near.upper]
    return len(here) == 1 and sign(here[0].as_expr().subs(alpha, threshold)) == 0
