"""ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y), the best ratio of a blind scheduler, enclosed to any number of digits.

``minimax`` prints it; the claims of the lower and the upper bound compare with it. Tests: tests/papers/beyond/test_theorems.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from crtools.enclosure import Enclosure, ball, midpoint, precision
from crtools.errors import NotCertified
from crtools.numeric_types import Ball, RingElement
from crtools.setting import integer

MOST_DIGITS = 10_000

METHOD = "interval Newton on the stationary point, in balls"


@dataclass(frozen=True)
class LeastCost:
    """The least cost ρ*, attained at the ratio y of the square roots of two consecutive thresholds, so at the base b = y²."""

    value: Enclosure
    y: Enclosure
    base: Enclosure


def cost(y: RingElement, log_y: RingElement) -> RingElement:
    """Return (y−1)(2y−1)/(y ln² y), over any ring."""
    return (y - 1) * (2 * y - 1) / (y * log_y**2)


def stationarity(y: RingElement, log_y: RingElement) -> RingElement:
    """Return ln y − 2(y−1)(2y−1)/(2y²−1), which has the sign of the cost's derivative at y > 1, over any ring."""
    return log_y - 2 * (y - 1) * (2 * y - 1) / (2 * y**2 - 1)


def slope(y: Ball) -> Ball:
    """Return the derivative of :func:`stationarity`, which is positive for y > 1 + 1/√2."""
    x = y - 1
    return (2 * x**2 - 1) * (2 * x**2 + 2 * x + 1) / (y * (2 * y**2 - 1) ** 2)


def cost_where_stationary(y: Ball) -> Ball:
    """Return (2y²−1)²/(4y(y−1)(2y−1)), the cost at the stationary point, where ln y is known."""
    return (2 * y**2 - 1) ** 2 / (4 * y * (y - 1) * (2 * y - 1))


def least_cost(digits: int = 10) -> LeastCost:
    """Return enclosures of ρ*, of its y and of its base, with upper − lower ≤ 10^(1−digits).

    The only stationary point in y > 1 is the minimum (claim rho-star). Raises ``InputError`` unless 1 ≤ digits ≤ 10,000.
    """
    bits = 64 + 4 * integer("digits", digits, 1, MOST_DIGITS)
    with precision(bits):
        y = stationary_ball(bits)
        return LeastCost(*(Enclosure.from_ball(x, METHOD) for x in (cost_where_stationary(y), y, y**2)))


def stationary_ball(bits: int) -> Ball:
    """Return a ball of y > 1 that contains the stationary point and no other, at a working precision of ``bits``.

    Raises ``NotCertified`` if the interval Newton step leaves the ball that it started from.
    """
    y, correct = ball(3.7158), 16
    while correct < bits:
        y, correct = midpoint(_newton(y, y)), 2 * correct
    for _ in range(2):
        y = midpoint(_newton(y, y))
    around = y + ball("+/- 1") * ball(2) ** -(bits - 32)
    enclosed = _newton(y, around)
    if not (around > 1.75 and around.contains_interior(enclosed)):
        raise NotCertified("Newton's step left the ball around the stationary point")
    return enclosed


def _newton(middle: Ball, around: Ball) -> Ball:
    return middle - stationarity(middle, middle.log()) / slope(around)
