"""ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y): what the best blind scheduler pays, enclosed to any number of digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crtools.enclosure import Enclosure, ball, midpoint, precision
from crtools.errors import NotCertified
from crtools.setting import integer

MOST_DIGITS = 10_000

METHOD = "interval Newton on the stationary point, in balls"


@dataclass(frozen=True)
class LeastCost:
    """The least cost ρ*, and where it is: at the ratio y of two thresholds' roots, so at the base b = y²."""

    value: Enclosure
    y: Enclosure
    base: Enclosure


def cost(y: Any, log_y: Any) -> Any:
    """Return (y−1)(2y−1)/(y ln² y), over any ring."""
    return (y - 1) * (2 * y - 1) / (y * log_y**2)


def stationarity(y: Any, log_y: Any) -> Any:
    """Return ln y − 2(y−1)(2y−1)/(2y²−1), which has the sign of the cost's derivative at y > 1, over any ring."""
    return log_y - 2 * (y - 1) * (2 * y - 1) / (2 * y**2 - 1)


def slope(y: Any) -> Any:
    """Return the derivative of :func:`stationarity`, which is positive for y > 1 + 1/√2, over any ring."""
    x = y - 1
    return (2 * x**2 - 1) * (2 * x**2 + 2 * x + 1) / (y * (2 * y**2 - 1) ** 2)


def cost_where_stationary(y: Any) -> Any:
    """Return (2y²−1)²/(4y(y−1)(2y−1)): the cost at the stationary point, where ln y is known, over any ring."""
    return (2 * y**2 - 1) ** 2 / (4 * y * (y - 1) * (2 * y - 1))


def least_cost(digits: int = 10) -> LeastCost:
    """Return enclosures with upper − lower ≤ 10^(1−digits) of ρ*, of its y and of its base.

    The only stationary point in y > 1 is the minimum (claim rho-star). Raises ``InputError`` unless 1 ≤ digits ≤ 10,000.
    """
    bits = 64 + 4 * integer("digits", digits, 1, MOST_DIGITS)
    with precision(bits):
        y = stationary_ball(bits)
        return LeastCost(*(Enclosure.from_ball(x, METHOD) for x in (cost_where_stationary(y), y, y**2)))


def stationary_ball(bits: int) -> Any:
    """Return a ball of y > 1 with the stationary point in it and no other, at a working precision of ``bits``.

    Raises ``NotCertified`` where Newton's step does not stay inside.
    """
    y, right = ball(3.7158), 16
    while right < bits:
        y, right = midpoint(_newton(y, y)), 2 * right
    for _ in range(2):
        y = midpoint(_newton(y, y))
    around = y + ball("+/- 1") * ball(2) ** -(bits - 32)
    found = _newton(y, around)
    if not (around > 1.75 and around.contains_interior(found)):
        raise NotCertified("Newton's step left the ball around the stationary point")
    return found


def _newton(middle: Any, around: Any) -> Any:
    return middle - stationarity(middle, middle.log()) / slope(around)
