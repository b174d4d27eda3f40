"""A_min's worst case over H-SF's where s, l and u grow together, s/l → τ > 0: the equation that the limit solves, in floats.

With p = (s + k)/l, x = τ/(2p), tails T(p), T = 1 at k = l, δ = x d/dx and c = 1 + τ + ∫ T dp, the eigenvalue equation of the tails makes
U = 2λ(2p − τ)T − c solve, with μ² = 4 − 3/λ,

    δ²U − μ²U − x(δ² − δ + 2 − μ²)U + (3c/λ)(1 − x) = 0,

a hypergeometric equation. With h = 2U − δU, p₀ = 1 + τ and y = u/l the conditions at the ends are

    U − h(3 − 4x)/(12(1 − x)) = 1 at p₀,   h = 0 at y + τ,   2(λ − 1) = c − p₀ + h/(6(2 + τ)) at p₀.

At τ → 0 this is ``continuous``, where the solutions are exponentials.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from crtools.worst_cases import worst_case

PRECISE = 1e-13
"""The relative error of a step of the solution."""


def excess(value: float, tau: float, y: float) -> float:
    """Return the difference of the two sides of the last condition at λ = ``value``, the others met.

    All is linear in U and δU at p₀ and in c, the columns of the state: U, δU and the mass ∫ T dp from p₀ on.
    """
    from scipy.integrate import solve_ivp  # pyright: ignore[reportMissingTypeStubs]

    square, unit = 4 - 3 / value, np.eye(3)

    def slopes(log_p: float, state: Any) -> Any:
        """By ln p, where δ = −d/d ln p."""
        (u, delta, _), p = state.reshape(3, 3), np.exp(log_p)
        x = tau / (2 * p)
        second = (square * u + x * ((2 - square) * u - delta)) / (1 - x) - 3 / value * unit[2]
        return np.ravel([-delta, -second, p * (u + unit[2]) / (2 * value * (2 * p - tau))])

    start = np.ravel([unit[0], unit[1], 0 * unit[2]])
    ends = np.log([1 + tau, y + tau])
    found: Any = solve_ivp(slopes, ends, start, method="DOP853", rtol=PRECISE, atol=PRECISE)
    there, x = found.y[:, -1].reshape(3, 3), tau / (2 * (1 + tau))
    here = 2 * unit[0] - unit[1]  # h at p₀
    system = [unit[0] - here * (3 - 4 * x) / (12 * (1 - x)), 2 * there[0] - there[1], unit[2] - there[2]]
    solved = np.linalg.solve(system, [1, 0, 1 + tau])
    return float(solved[2] - (1 + tau) + here @ solved / (6 * (2 + tau)) - 2 * (value - 1))


def limit(alpha: Fraction, tau: Fraction) -> float:
    """Return the root of the equation nearest to the worst case at l ≤ 100, as a float; 0 < α < 1 and τ > 0."""
    from scipy.optimize import newton  # pyright: ignore[reportMissingTypeStubs]

    start = at_finite(alpha, tau, 100)
    return float(newton(excess, start, args=(float(tau), float(1 / alpha)), x1=start + 0.001, tol=1e-12))


def at_finite(alpha: Fraction, tau: Fraction, most: int) -> float:
    """Return the worst case at the largest l ≤ ``most`` at which l/α and τl are whole, as a float."""
    step = alpha.numerator * tau.denominator
    l = most // step * step
    return worst_case(l=l, u=int(l / alpha), s=int(tau * l)).value
