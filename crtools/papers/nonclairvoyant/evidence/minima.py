"""The best b: where the ratios with an offset are least, enclosed by the signs of their slopes in balls."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, hull, precision
from crtools.ledger.deciders.bounds import Constant
from crtools.numeric_types import SymExpr
from crtools.papers.nonclairvoyant.theory import TEXT, theorem
from crtools.proof.theorem import Theorem
from crtools.signs.numbers import sign

y = sp.Symbol("y", positive=True)
"""The root of the base b."""

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
