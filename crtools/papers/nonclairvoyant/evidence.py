"""The ratios of this theory as formulas of their one parameter, decided from both sides, and the b at which they are least."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, hull, precision
from crtools.ledger.claim import Given
from crtools.ledger.deciders.bounds import Constant, KnownRatio, Parameter, T, decide_side
from crtools.ledger.deciders.ranges import Range, integers_from, unit
from crtools.ledger.verdict import Decision, Finding, decision
from crtools.numeric_types import SymExpr
from crtools.papers.nonclairvoyant.theory import ALGORITHM, KERNEL, TEXT, reading_of, theorem
from crtools.proof.theorem import Theorem
from crtools.signs.numbers import sign

y = sp.Symbol("y", positive=True)
"""The root of the base b."""


def jobs(smallest: int = 1) -> Parameter:
    """Return the number of jobs, from ``least`` on."""
    points = tuple(map(Fraction, range(smallest, smallest + 40)))
    return Parameter(
        sp.Symbol("n", positive=True), integers_from(n=smallest), 1 / T, points, Fraction(1, smallest), whole=True
    )


_root = 1 + sp.Symbol("r_0", positive=True)

BASE = Parameter(
    sp.Symbol("b", positive=True),
    Range("b > 1", ({"b": _root**2},)),
    1 / T**2,
    tuple(map(Fraction, (9, 100, 64, 4, 3))),
)
"""The base b > 1; T is 1/√b."""

ALPHA = Parameter(sp.Symbol("alpha", positive=True), unit("alpha"), T, tuple(Fraction(1, k) for k in (2, 4, 9, 100)))
"""The least size over the largest, 0 < α < 1."""


def in_base(expr: SymExpr) -> SymExpr:
    """Return an expression in y = √b in terms of b."""
    return expr.subs(y, sp.sqrt(BASE.symbol))


def exactly(given: Given, name: str, parameter: Parameter, ratio: KnownRatio) -> tuple[Finding, Finding]:
    """Decide from both sides whether a ratio is the formula that is given."""
    upper, lower = (
        given.evidence_for(name, decide_side, parameter, side, ratio, ratio) for side in ("at most", "at least")
    )
    formula = f"${given[name]}$"
    return Finding("at-most", f"at most {formula}", upper), Finding("reached", f"no less than {formula}", lower)


def both_sides(id: str, given: Given, ratio: KnownRatio, how: str, worst: str, *more: Finding) -> Decision:
    """Decide a ratio that is given for every b from both sides, and as a bound at every n."""
    upper, lower = exactly(given, "ratio", BASE, ratio)
    every = Finding("every-n", f"the total is {upper.says} times the optimum, at every n", upper.evidence)
    read = reading_of(id, how=how)
    same = "the costs of pairs are those of the kernel at every n, and half of the sizes is left on both sides"
    return decision(
        read.reasoned(KERNEL, f"reached by {worst}", upper, lower, *more),
        read.reasoned(ALGORITHM, same, every),
        why="tight for every b; at most this at every n",
    )


# ---- the best b: where the ratios with an offset are least, enclosed by the signs of their slopes in balls --------------

RATIO = TEXT.value("b_scaling", y)
COMMON = TEXT.value("common", y, sp.log(y))
OWN = TEXT.value("cost", y, sp.log(y))
"""The ratios without an offset, with one and with own ones."""

COMMON_SLOPE = TEXT.value("common_slope", y, sp.log(y))
OWN_SLOPE = TEXT.value("stationarity", y, sp.log(y))
"""The signs of the derivatives of the last two."""

PRINTED_BITS = 30
"""The precision of the ends that a certificate contains."""

BEST_WITHOUT_OFFSET = 1 + 3 * sp.sqrt(3)


def bisected(slope: SymExpr, bits: int = 60) -> tuple[Fraction, Fraction]:
    """Return rational numbers between which a slope in y > 1 changes its sign from − to +, by bisection in balls."""
    low, high = Fraction(3, 2), Fraction(8)
    assert (sign(slope, {y: low}), sign(slope, {y: high})) == (-1, 1)
    for _ in range(bits):
        middle = (low + high) / 2
        low, high = (middle, high) if sign(slope, {y: middle}) == -1 else (low, middle)
    return low, high


def _minimum_in_floats(ratio: SymExpr) -> tuple[float, float]:
    """Return the minimiser y > 1 of a ratio and its minimum, by a search in floats."""
    from scipy.optimize import minimize_scalar  # pyright: ignore[reportMissingTypeStubs]

    in_floats = sp.lambdify(y, ratio, "math")
    result: Any = minimize_scalar(in_floats, bounds=(1.5, 8), method="bounded", options={"xatol": 1e-10})
    return float(result.x), float(result.fun)


def _minimum(ratio: SymExpr, slope: SymExpr, *theorems: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return the minimum of a ratio, and the b = y² at which it is attained."""
    low, high = bisected(slope)
    with precision(240):
        value = Enclosure.from_ball(ball_value(ratio, {y: hull(low, high)}))
    minimiser, minimum = _minimum_in_floats(ratio)
    base = Enclosure(low**2, high**2)
    at = {"b": f"{base.decimals(14)[0]}…"}
    left_end, right_end = map(str, bisected(slope, PRINTED_BITS))
    bracket = {"low": left_end, "high": right_end}
    return Constant(value, theorems, minimum, at, bracket), Constant(base, theorems[:1], minimiser**2, at, bracket)


def best_scaling() -> Constant:
    """Return the smallest ratio without an offset, 1 + 3√3, attained at b = 3."""
    value, minimum = enclose(BEST_WITHOUT_OFFSET, {}, 30), _minimum_in_floats(RATIO)[1]
    return Constant(value, (partial(theorem, "the best b"),), minimum, {"b": "3"})


def best_common() -> tuple[Constant, Constant]:
    """Return the smallest ratio with one offset, 3.0311…, and its b = 8.157…."""
    return _minimum(COMMON, COMMON_SLOPE, partial(theorem, "the best b with one offset"))


def best_own(*more: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return ρ* = 2.72837…, the smallest ratio with own offsets, and its b = 13.807…; ``more``: further theorems about it."""
    return _minimum(OWN, OWN_SLOPE, partial(theorem, "one stationary point"), partial(theorem, "own offsets"), *more)
