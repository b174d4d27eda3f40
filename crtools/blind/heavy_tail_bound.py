"""The lower bound ρ* (ln R − c)/(1 + ln R) for every blind policy, by a price on machine time (docs/beyond/minimax.md).

Sizes have P(v > t) = t^{−1/2} on [1, R) and an atom at R. Time is counted per job. The price of a unit of machine time is

    w(t) = 2√(ρq) − qt  for t ≤ t₀ = √ρ (1+√2), q = 3 − 2√2;   ρ/t  for t₀ ≤ t ≤ ½T√R;   its tangent, up to T√R;   0  after that.

A job's steps and the cost of its machine time are together at least ρ ln R + κ; the price of all machine time is
ρ (½ ln R + 2 + ln ½T − ½ ln ρ − ln(1+√2)). Here κ = 2Y − 2ρ ln Y, Y = ρ + √(ρ²−ρ), and ln T = ln 2ρ − 1 + κ/(2ρ).

``minimax`` and the claims blind-lower and blind-upper use it. Tests: tests/papers/beyond/test_theorems.py.
"""

from __future__ import annotations

from fractions import Fraction

from crtools.blind.rho_star import least_cost
from crtools.enclosure import ball, ends, harmonic_ball
from crtools.numeric_types import Ball
from crtools.schedule import volume
from crtools.setting import Setting


def last_steps_gain(rho: Ball) -> Ball:
    """Return κ: what the last steps cost beyond 2ρ times their logarithm."""
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
    bounds = {a: _bound_from(a, s, u, rho, loss) for a in range(l, min(u, l + TRIED))}
    a = max(bounds, key=lambda a: bounds[a], default=u)
    return max(Fraction(1), bounds.get(a, Fraction(1))), a


TRIED = 60
"""Values of a that are tried: the best is among the first, where the ends of the distribution cost more than its steps."""


def _bound_from(a: int, s: int, u: int, rho: Ball, loss: Ball) -> Fraction:
    """Return the bound for one a; (s+k+1)/v(k) = 2((s+1)/k + s/(k+2s+1))/(2s+1), whose sums are harmonic numbers."""
    harmonics = 2 * (s + 1) * harmonic_ball(a, u - 1) + 2 * s * harmonic_ball(a + 2 * s + 1, u + 2 * s)
    log_ratio = ball(Fraction(volume(s, u), volume(s, a))).log()
    return ends(rho * (log_ratio - loss) / (1 + harmonics / (2 * s + 1)))[0]


def limit_bound(log_ratio: Fraction) -> Ball:
    """Return ρ* (ln R − c)/(1 + ln R): a lower bound for every blind policy on one machine, for n → ∞."""
    rho = ball(least_cost(20).value.lower)
    return rho * (ball(log_ratio) - log_loss(rho)) / (1 + ball(log_ratio))
