"""The limit of the worst case of A_min over H-SF as l and u grow at a fixed α = l/u: without prompts, and for s/l → τ > 0.

Without prompts (theorem “the continuous limit”): with z = k/l in [1, y], y = 1/α, tails T(z) and a tail T_0 at l with a weight of its
own, the eigenvalue equation C T = λ W T becomes

    4λ z T(z) = c + P(z)/z² + 3z² G(z),   P = T_0 + 3∫_1^z v² T dv,   G = ∫_z^y T/v² dv,   c = T_0 + ∫_1^y T dv,
    2λ T_0 = 2T_0 + ∫_1^y (1 + 1/v²) T dv.

In w = ln z the function U = 4λzT − c solves U″ = μ²(U + c) − 4c with μ² = 4 − 3/λ.

With prompts, in floats: with p = (s + k)/l, x = τ/(2p), tails T(p), T = 1 at k = l, δ = x d/dx and c = 1 + τ + ∫ T dp, the
eigenvalue equation of the tails makes U = 2λ(2p − τ)T − c solve, with μ² = 4 − 3/λ,

    δ²U − μ²U − x(δ² − δ + 2 − μ²)U + (3c/λ)(1 − x) = 0,

a hypergeometric equation. With h = 2U − δU, p₀ = 1 + τ and y = u/l the boundary conditions are

    U − h(3 − 4x)/(12(1 − x)) = 1 at p₀,   h = 0 at y + τ,   2(λ − 1) = c − p₀ + h/(6(2 + τ)) at p₀.

At τ → 0 the solutions are exponentials.
"""

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.enclosure import Enclosure, ball, ends, hull, precision
from crtools.numeric_types import Ball, FloatArray, SymExpr
from crtools.proof.text import Text
from crtools.worst_cases import worst_case

# ---- without prompts ------------------------------------------------------------------------------------------------


SYMBOLS: dict[str, sp.Symbol] = {name: sp.Symbol(name, positive=True) for name in ("x", "m", "t")}
"""λ, μ = √(4−3/λ) and tanh(½μ ln(1/α)) in a formula for ln(1/α)."""


@cache
def logarithm() -> SymExpr:
    """Return ln(1/α) as the theory's text defines it, in ``SYMBOLS``."""
    return Text("beyond").value("logarithm", *SYMBOLS.values())


def formula_at(formula: SymExpr, value: Ball, alpha: Fraction) -> Ball:
    """Return a formula in ``SYMBOLS`` at λ = ``value``."""
    root = (4 - 3 / value).sqrt()
    at = value, root, (root * ball(1 / alpha).log() / 2).tanh()
    return ball_value(formula, dict(zip(SYMBOLS.values(), at, strict=True)))


def tanh_at(value: Fraction, alpha: Fraction) -> Ball:
    """Return t = tanh(½μ ln(1/α)) at λ = ``value``."""
    return ((4 - 3 / ball(value)).sqrt() * ball(1 / alpha).log() / 2).tanh()


def without_prompts(alpha: Fraction, digits: int = 20) -> Enclosure:
    """Return an enclosure of the limit at 0 < α < 1: the sign change of ``logarithm`` − ln(1/α), by bisection in balls."""
    with precision(64 + 4 * digits):
        length = ball(1 / alpha).log()

        def excess(value: Fraction) -> Ball:
            return formula_at(logarithm(), ball(value), alpha) - length

        low, high = Fraction(1), 2 + ends(length)[1].limit_denominator(1000) / 4
        while high - low > Fraction(1, 10**digits):
            middle = Fraction(round((low + high) / 2 * 10 ** (digits + 2)), 10 ** (digits + 2))
            sign = excess(middle)
            if not (sign > 0 or sign < 0):
                break
            low, high = (middle, high) if sign < 0 else (low, middle)
        return Enclosure.from_ball(hull(low, high), "Theorem “the continuous limit”, bisection in balls")


# ---- with prompts, in floats ----------------------------------------------------------------------------------------

STEP_ERROR = 1e-13
"""Relative and absolute tolerance of a step of the solver."""


def excess(value: float, tau: float, y: float) -> float:
    """Return the difference of the sides of the last boundary condition at λ = ``value``, where the others hold.

    The state has the rows U, δU and ∫ T dp from p₀ on; its columns are their coefficients of U and δU at p₀ and of c.
    """
    from scipy.integrate import solve_ivp  # pyright: ignore[reportMissingTypeStubs]

    square, unit = 4 - 3 / value, np.eye(3)

    def slopes(log_p: float, state: FloatArray) -> FloatArray:
        """Return the derivatives by ln p = −δ."""
        (u, delta, _), p = state.reshape(3, 3), np.exp(log_p)
        x = tau / (2 * p)
        second = (square * u + x * ((2 - square) * u - delta)) / (1 - x) - 3 / value * unit[2]
        return np.ravel([-delta, -second, p * (u + unit[2]) / (2 * value * (2 * p - tau))])

    start = np.ravel([unit[0], unit[1], 0 * unit[2]])
    ends = np.log([1 + tau, y + tau])
    solution: Any = solve_ivp(slopes, ends, start, method="DOP853", rtol=STEP_ERROR, atol=STEP_ERROR)
    last, x = solution.y[:, -1].reshape(3, 3), tau / (2 * (1 + tau))
    h = 2 * unit[0] - unit[1]  # at p₀
    system = [unit[0] - h * (3 - 4 * x) / (12 * (1 - x)), 2 * last[0] - last[1], unit[2] - last[2]]
    solved = np.linalg.solve(system, [1, 0, 1 + tau])
    return float(solved[2] - (1 + tau) + h @ solved / (6 * (2 + tau)) - 2 * (value - 1))


def with_prompts(alpha: Fraction, tau: Fraction) -> float:
    """Return the root of :func:`excess` next to the worst case at l ≤ 100, as a float; 0 < α < 1 and τ > 0."""
    from scipy.optimize import newton  # pyright: ignore[reportMissingTypeStubs]

    start = at_finite(alpha, tau, 100)
    return float(newton(excess, start, args=(float(tau), float(1 / alpha)), x1=start + 0.001, tol=1e-12))


def at_finite(alpha: Fraction, tau: Fraction, largest: int) -> float:
    """Return the worst case at the largest l ≤ ``largest`` for which l/α and τl are integers, in floats."""
    step = alpha.numerator * tau.denominator
    l = largest // step * step
    return worst_case(l=l, u=int(l / alpha), s=int(tau * l)).value
