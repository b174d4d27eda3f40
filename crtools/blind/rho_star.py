"""ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y), the best ratio of a blind scheduler, and its lower bound (ρ* (ln R − c))/(1 + ln R).

The bound is by a price on machine time (docs/beyond/minimax.md). Sizes have P(v > t) = t^{−1/2} on [1, R) and an atom at R. Time is
counted per job. The price of a unit of machine time is

    w(t) = 2√(ρq) − qt  for t ≤ t₀ = √ρ (1+√2), q = 3 − 2√2;   ρ/t  for t₀ ≤ t ≤ ½T√R;   its tangent, up to T√R;   0  after that.

A job's steps and the cost of its machine time are together at least ρ ln R + κ; the price of all machine time is
ρ (½ ln R + 2 + ln ½T − ½ ln ρ − ln(1+√2)). Here κ = 2Y − 2ρ ln Y, Y = ρ + √(ρ²−ρ), and ln T = ln 2ρ − 1 + κ/(2ρ).

``minimax`` and claims of the ledger beyond use both. Tests: tests/papers/beyond/test_theorems.py.
"""

from dataclasses import dataclass
from fractions import Fraction

from crtools.enclosure import Enclosure, ball, ends, harmonic_ball, midpoint, precision
from crtools.errors import NotCertified
from crtools.numeric_types import Ball, RingElement
from crtools.schedule import volume
from crtools.setting import Setting, integer

MOST_DIGITS = 10_000


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


def least_cost(digits: int = 10) -> LeastCost:
    """Return enclosures of ρ*, of its y and of its base, with upper − lower ≤ 10^(1−digits).

    The only stationary point in y > 1 is the minimum (claim rho-star). Raises ``InputError`` unless 1 ≤ digits ≤ 10,000.
    """
    bits = 64 + 4 * integer("digits", digits, 1, MOST_DIGITS)
    with precision(bits):
        y = stationary_ball(bits)
        value = (2 * y**2 - 1) ** 2 / (4 * y * (y - 1) * (2 * y - 1))  # the cost, where ln y is known
        method = "interval Newton on the stationary point, in balls"
        return LeastCost(*(Enclosure.from_ball(x, method) for x in (value, y, y**2)))


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


def last_steps_gain(rho: Ball) -> Ball:
    """Return κ = 2y − 2ρ ln y at y = ρ + √(ρ² − ρ), the gain of the last steps."""
    y = rho + (rho**2 - rho).sqrt()
    return 2 * y - 2 * rho * y.log()


def end_of_price(rho: Ball) -> Ball:
    """Return T: the price ends at T√R."""
    return (2 * rho) * (last_steps_gain(rho) / (2 * rho) - 1).exp()


def log_loss(rho: Ball) -> Ball:
    """Return c such that twice the area under the number unfinished, per pair of jobs, is at least ρ (ln R − c)."""
    start = rho.sqrt() * (1 + ball(2).sqrt())
    return 2 * (2 + (end_of_price(rho) / (2 * start)).log() - last_steps_gain(rho) / rho)


def process_bound(s: int, l: int, u: int) -> tuple[Fraction, int]:
    """Return a lower bound on every blind policy's ratio on [l, u], for n → ∞ and then M → ∞, and the best a of the distribution.

    The distribution has P(o > k) = √(v(a)/v(k)) for a ≤ k < u, all lengths above a. The bound is the best over a ≥ l of
    ρ* (ln(v(u)/v(a)) − c)/(1 + Σ_{a≤k<u} (s+k+1)/v(k)), and at least 1. Raises ``InputError`` as ``Setting`` does.
    """
    Setting(s=s, l=l, u=u)
    rho = ball(least_cost(20).value.lower)
    loss = log_loss(rho)
    bounds: dict[int, Fraction] = {}
    for a in range(l, min(u, l + TRIED)):
        # (s+k+1)/v(k) = 2((s+1)/k + s/(k+2s+1))/(2s+1), whose sums are harmonic numbers
        harmonics = 2 * (s + 1) * harmonic_ball(a, u - 1) + 2 * s * harmonic_ball(a + 2 * s + 1, u + 2 * s)
        log_ratio = ball(Fraction(volume(s, u), volume(s, a))).log()
        bounds[a] = ends(rho * (log_ratio - loss) / (1 + harmonics / (2 * s + 1)))[0]
    a = max(bounds, key=lambda a: bounds[a], default=u)
    return max(Fraction(1), bounds.get(a, Fraction(1))), a


TRIED = 60
"""Values of a that are tried: the best is among the first, where the ends of the distribution cost more than its steps."""


def limit_bound(log_ratio: Fraction) -> Ball:
    """Return ρ* (ln R − c)/(1 + ln R): a lower bound for every blind policy on one machine, for n → ∞."""
    rho = ball(least_cost(20).value.lower)
    return rho * (ball(log_ratio) - log_loss(rho)) / (1 + ball(log_ratio))
