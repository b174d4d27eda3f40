"""The best b: where the ratios with an offset are least, proved to be one place, and enclosed by signs in balls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.blind.least import cost, cost_where_stationary, slope, stationarity
from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, hull, precision
from crtools.papers.nonclairvoyant.theorems.classes import RATIO, least_scaling
from crtools.papers.nonclairvoyant.theorems.offsets import COMMON, OWN, own_offsets, y
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem
from crtools.ratios.comparison import sign

COMMON_SLOPE = (2 * y**3 + y) * sp.log(y) - (2 * y**2 + y - 1) * y
OWN_SLOPE = stationarity(y, sp.log(y))
"""The signs of the derivatives of the two ratios."""

_log, x = sp.symbols("L x", positive=True)


def _slope(expr: Any) -> Any:
    """Return the derivative by y of an expression in y and ln y, with L for ln y."""
    return sp.diff(expr, y).subs(sp.log(y), _log)


def common_least() -> Theorem:
    """(2y + 1 − 1/y)/(2 ln y) falls up to one place and rises from there."""
    proof = Proof(
        "the best b with one offset", "every $y = √b > 1$", r"\frac{2y + 1 - 1/y}{2 \ln y} \text{ has one least value}"
    )
    proof.identity(
        "its derivative, with L = ln y",
        _slope(COMMON),
        (COMMON_SLOPE / (2 * y**3 * sp.log(y) ** 2)).subs(sp.log(y), _log),
    )
    ratio = COMMON_SLOPE / y**3
    proof.identity("the derivative of the sign's part over y³", _slope(ratio), (2 * y**2 + y - 1 - 2 * _log) / y**3)
    proof.positive("which is positive, as ln y ≤ y − 1", (2 * y**2 + y - 1 - 2 * (y - 1)).subs(y, x), x >= 1)
    return proof.therefore(
        r"\text{one change of sign, from } - \text{ to } +", "the part is −2 at y = 1 and grows beyond all bounds"
    ).qed()


def own_least() -> Theorem:
    """(y−1)(2y−1)/(y ln² y) falls up to its one stationary point and rises from there on."""
    flat = sp.solve(stationarity(y, _log), _log)[0]
    proof = Proof(
        "one stationary point",
        "every $y > 1$; $L = ln y$",
        r"f(y) = \tfrac{(y-1)(2y-1)}{y\ln^2 y}\text{ has one stationary point } y^* > 1,\ f(y) \ge f(y^*) = \rho^*",
    )
    proof.identity(
        "the derivative has the sign of h(y) = L − 2(y−1)(2y−1)/(2y²−1), as 2y² > 1",
        _slope(OWN),
        (2 * y**2 - 1) / (y**2 * _log**3) * stationarity(y, _log),
    )
    proof.identity("the derivative of h", _slope(OWN_SLOPE), slope(y))
    proof.positive("two factors of it, at y = 1 + x", (2 * x**2 + 2 * x + 1) / (2 * (1 + x) ** 2 - 1) ** 2, (x, 0))
    proof.identity("h starts at 0", stationarity(sp.Integer(1), 0), 0)
    proof.therefore(
        r"h < 0 \text{ on } (1, y^*),\quad h > 0 \text{ beyond}",
        "the last factor of h' is 2x² − 1: h falls from 0 up to x = 1/√2 and then rises, to infinity as the logarithm does",
    )
    proof.identity("the cost at the stationary point", cost(y, flat), cost_where_stationary(y))
    return proof.therefore(r"f(y) \ge f(y^*) = \rho^*").qed()


LEAST_SCALING = 1 + 3 * sp.sqrt(3)


@dataclass(frozen=True)
class Constant:
    """A number that is enclosed and proved by theorems, the same in floats by other code, and where it is taken."""

    value: Enclosure
    theorems: tuple[Callable[[], Theorem], ...]
    second: float
    witness: dict[str, str]

    @property
    def text(self) -> str:
        """The number with 14 digits, cut."""
        return f"{self.value.decimals(14)[0]}…"


def bisected(slope: Any, bits: int = 60) -> tuple[Fraction, Fraction]:
    """Return rational ends between which a slope in y > 1 changes from < 0 to > 0, by its signs in balls."""
    low, high = Fraction(3, 2), Fraction(8)
    assert (sign(slope, {y: low}), sign(slope, {y: high})) == (-1, 1)
    for _ in range(bits):
        middle = (low + high) / 2
        low, high = (middle, high) if sign(slope, {y: middle}) == -1 else (low, middle)
    return low, high


def _searched(ratio: Any) -> tuple[float, float]:
    """Return where a ratio in y > 1 is least and its value there, by a search in floats."""
    from scipy.optimize import minimize_scalar  # pyright: ignore[reportMissingTypeStubs]

    found: Any = minimize_scalar(
        sp.lambdify(y, ratio, "math"), bounds=(1.5, 8), method="bounded", options={"xatol": 1e-10}
    )
    return float(found.x), float(found.fun)


def _least(ratio: Any, slope: Any, *theorems: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return the least value of a ratio, and the b = y² at which it is taken."""
    low, high = bisected(slope)
    with precision(240):
        value = Enclosure.from_ball(ball_value(ratio, {y: hull(low, high)}))
    place, least = _searched(ratio)
    where = Enclosure(low**2, high**2)
    at = {"b": f"{where.decimals(14)[0]}…"}
    return Constant(value, theorems, least, at), Constant(where, theorems[:1], place**2, at)


def best_scaling() -> Constant:
    """Return the least ratio without an offset, 1 + 3√3; it is taken at b = 3."""
    return Constant(enclose(LEAST_SCALING, {}, 30), (least_scaling,), _searched(RATIO)[1], {"b": "3"})


def best_common() -> tuple[Constant, Constant]:
    """Return the least ratio with one offset, 3.0311…, and where it is taken, b = 8.157…"""
    return _least(COMMON, COMMON_SLOPE, common_least)


def best_own(*more: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return ρ* = 2.72837…, the least ratio with own offsets, and its b = 13.807…; ``more`` theorems are what is said of it."""
    return _least(OWN, OWN_SLOPE, own_least, own_offsets, *more)
