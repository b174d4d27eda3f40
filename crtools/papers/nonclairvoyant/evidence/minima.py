"""The best b: where the ratios with an offset are least, enclosed by the signs of their slopes in balls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, hull, precision
from crtools.ledger.deciders.decimals import Constant
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

LEAST_SCALING = 1 + 3 * sp.sqrt(3)


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

    found: Any = minimize_scalar(
        sp.lambdify(y, ratio, "math"), bounds=(1.5, 8), method="bounded", options={"xatol": 1e-10}
    )
    return float(found.x), float(found.fun)


def _least(ratio: SymExpr, slope: SymExpr, *theorems: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return the least value of a ratio, and the b = y² at which it is taken."""
    low, high = bisected(slope)
    with precision(240):
        value = Enclosure.from_ball(ball_value(ratio, {y: hull(low, high)}))
    place, least = _minimum_in_floats(ratio)
    where = Enclosure(low**2, high**2)
    at = {"b": f"{where.decimals(14)[0]}…"}
    left, right = bisected(slope, PRINTED_BITS)
    ends = {"low": str(left), "high": str(right)}
    return Constant(value, theorems, least, at, ends), Constant(where, theorems[:1], place**2, at, ends)


def best_scaling() -> Constant:
    """Return the least ratio without an offset, 1 + 3√3; it is taken at b = 3."""
    return Constant(
        enclose(LEAST_SCALING, {}, 30), (partial(theorem, "the best b"),), _minimum_in_floats(RATIO)[1], {"b": "3"}
    )


def best_common() -> tuple[Constant, Constant]:
    """Return the least ratio with one offset, 3.0311…, and where it is taken, b = 8.157…"""
    return _least(COMMON, COMMON_SLOPE, partial(theorem, "the best b with one offset"))


def best_own(*more: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return ρ* = 2.72837…, the least ratio with own offsets, and its b = 13.807…; ``more`` theorems are what is said of it."""
    return _least(OWN, OWN_SLOPE, partial(theorem, "one stationary point"), partial(theorem, "own offsets"), *more)
