"""The lower bound for every blind policy, by a price on machine time (docs/beyond/minimax.md).

Sizes with P(v > t) = t^{−1/2} on [1, R) and an atom at R. Time is counted per job. The price of a unit of machine time is

    w(t) = 2√(ρq) − qt  for t ≤ t₀ = √ρ (1+√2), q = 3 − 2√2;   ρ/t  for t₀ ≤ t ≤ ½T√R;   its tangent, up to T√R;   0  after that.

A job's steps and what its machine time costs are together at least ρ ln R + κ; the price of all machine time is
ρ (½ ln R + 2 + ln ½T − ½ ln ρ − ln(1+√2)). Here κ = 2Y − 2ρ ln Y, Y = ρ + √(ρ²−ρ), and ln T = ln 2ρ − 1 + κ/(2ρ).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from crtools.blind.rho_star import least_cost
from crtools.enclosure import ball, ends, harmonic_ball
from crtools.schedule import volume
from crtools.setting import Setting


def gained(rho: Any) -> Any:
    """Return κ = 2Y − 2ρ ln Y, Y = ρ + √(ρ²−ρ): what the last steps cost beyond 2ρ times their logarithm; a ball for a ball."""
    y = rho + (rho**2 - rho).sqrt()
    return 2 * y - 2 * rho * y.log()


def end_of_price(rho: Any) -> Any:
    """Return T: the price ends at T√R; a ball for a ball."""
    return (2 * rho) * (gained(rho) / (2 * rho) - 1).exp()


def lost(rho: Any) -> Any:
    """Return c with: twice the area under the number unfinished, per pair of jobs, is at least ρ (ln R − c); a ball for a ball."""
    start = rho.sqrt() * (1 + ball(2).sqrt())
    return 2 * (2 + (end_of_price(rho) / (2 * start)).log() - gained(rho) / rho)


def process_bound(s: int, l: int, u: int) -> tuple[Fraction, int]:
    """Return what every blind policy pays at least on [l, u], for n → ∞ and then M → ∞, and the law's smallest size but one.

    The law has P(o > k) = √(v(a)/v(k)) for a ≤ k < u, all lengths above a; of all a ≥ l the best is taken. The bound is
    ρ* (ln(v(u)/v(a)) − c)/(1 + Σ_{a≤k<u} (s+k+1)/v(k)), and 1 where that is less. Raises ``InputError`` as ``Setting`` does.
    """
    Setting(s=s, l=l, u=u)
    rho = ball(least_cost(20).value.lower)
    loss = lost(rho)
    found = {a: _bound_from(a, s, u, rho, loss) for a in range(l, min(u, l + TRIED))}
    at = max(found, key=lambda a: found[a], default=u)
    return max(Fraction(1), found.get(at, Fraction(1))), at


TRIED = 60
"""Smallest lengths that are tried: the best is among the first, as the law loses more by its ends than by its steps."""


def _bound_from(a: int, s: int, u: int, rho: Any, loss: Any) -> Fraction:
    """Return the bound for one a; (s+k+1)/v(k) = 2((s+1)/k + s/(k+2s+1))/(2s+1), whose sums are harmonic numbers."""
    total = 1 + (ball(2 * (s + 1)) * harmonic_ball(a, u - 1) + 2 * s * harmonic_ball(a + 2 * s + 1, u + 2 * s)) / (
        2 * s + 1
    )
    return ends(rho * (ball(Fraction(volume(s, u), volume(s, a))).log() - loss) / total)[0]


def limit_bound(log_ratio: Fraction) -> Any:
    """Return a ball of ρ* (ln R − c)/(1 + ln R): what every blind policy pays at least on one machine, for n → ∞."""
    rho = ball(least_cost(20).value.lower)
    return rho * (ball(log_ratio) - lost(rho)) / (1 + ball(log_ratio))
