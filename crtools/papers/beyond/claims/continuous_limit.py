"""continuous-limit, long-prompts: A_min's worst case where l and u, and s too, grow together, by equations.

The limit of the worst case of A_min over H-SF as l and u grow at a fixed α = l/u: without prompts, and for s/l → τ > 0.

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
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Measured, Refuted
from crtools.ledger.claims import proved_or_refuted
from crtools.ledger.deciders.ranges import Range, formula_on
from crtools.numeric_types import Ball, FloatArray, SymExpr
from crtools.papers.beyond.theory import reading_of, stated_claim, theorem
from crtools.proof.text import Text
from crtools.worst_cases import worst_case

# ---- the limit without prompts --------------------------------------------------------------------------------------


SYMBOLS: dict[str, sp.Symbol] = {name: sp.Symbol(name, positive=True) for name in ("x", "m", "t")}
"""λ, μ = √(4−3/λ) and tanh(½μ ln(1/α)) in a formula for ln(1/α)."""


@cache
def logarithm() -> SymExpr:
    """Return ln(1/α) as the theory's text defines it, in ``SYMBOLS``."""
    return Text("beyond").value("logarithm", *SYMBOLS.values())


def formula_at(formula: SymExpr, value: Ball, alpha: Fraction) -> Ball:
    """Return a formula in ``SYMBOLS`` at λ = ``value``."""
    at = value, (4 - 3 / value).sqrt(), tanh_at(value, alpha)
    return ball_value(formula, dict(zip(SYMBOLS.values(), at, strict=True)))


def tanh_at(value: Ball, alpha: Fraction) -> Ball:
    """Return t = tanh(½μ ln(1/α)) at λ = ``value``."""
    return ((4 - 3 / value).sqrt() * ball(1 / alpha).log() / 2).tanh()


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


# ---- the limit with prompts, in floats ------------------------------------------------------------------------------

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


# ---- the claim without prompts --------------------------------------------------------------------------------------

ALPHAS = (Fraction(1, 10), Fraction(1, 2), Fraction(1, 100))
"""α at which a formula is compared with ln(1/α)."""

FAR = 1000
"""The largest l of the worst case that is compared with a limit."""

DECIMALS = Fraction(1, 2 * 10**6)
"""Half a unit of the sixth decimal."""

ABOVE = Range(
    "x > 1, m > 1, t > 0", ({"x": 1 + SYMBOLS["x"], "m": 1 + SYMBOLS["m"], "t": SYMBOLS["t"]},)
)  # each symbol is positive


def equation(formula: SymExpr) -> Evidence:
    """Decide whether ln(1/α) is the formula at the limit: an identity, or one α at which it is not."""

    def refuted(alpha: Fraction) -> Refuted | None:
        with precision(128):
            limit, length = without_prompts(alpha), ball(1 / alpha).log()
            claimed = formula_at(formula, hull(limit.lower, limit.upper), alpha)
            if claimed.overlaps(length):
                return None
            witness = {"alpha": str(alpha), "lambda": str(limit)}
            second = f"the worst case at a large l is {at_finite(alpha, Fraction(0), FAR)!r}"
            said, actual = (number.str(12, radius=False) for number in (claimed, length))
            return Refuted(witness, said, actual, second, "it is a limit")

    proof = theorem("the equation", formula=sp.Lambda(tuple(SYMBOLS.values()), formula))
    return proved_or_refuted(proof, ALPHAS, refuted)


def around_the_root(root: Enclosure, alpha: Fraction) -> dict[str, str]:
    """Return λ and t = tanh(½μ ln(1/α)) below and above the root, eight decimals apart."""
    bracket: dict[str, str] = {}
    for name, value, step in zip(("low", "high"), map(Fraction, root.decimals(8)), (-1, 1), strict=True):
        with precision(128):
            t = ends(tanh_at(ball(value), alpha))[0]
        bracket |= {name: str(value), f"t_{name}": str(Fraction(round(t * 10**12) + step, 10**12))}
    return bracket


def value(alpha: Fraction, claimed: Fraction) -> Evidence:
    """Decide whether the limit at α is a number, to six decimals."""
    limit, second = without_prompts(alpha), at_finite(alpha, Fraction(0), FAR)
    if abs(limit.lower - claimed) <= DECIMALS >= abs(limit.upper - claimed):
        return Certified(str(limit), f"α = {alpha}; {limit.method}", second, around_the_root(limit, alpha))
    return Refuted({"alpha": str(alpha)}, str(claimed), str(limit), second, "it is a limit")


@stated_claim("continuous-limit")
def continuous_limit(given: Given) -> Decision:
    """Decide the equation and the number."""
    alpha, claimed = number("alpha", given["alpha"]), number("value", given["value"])
    if not (Fraction(1, 1000) <= alpha <= Fraction(9, 10) and alpha.numerator <= 1000):
        raise InputError(
            "alpha", given["alpha"], "must be a fraction from 1/1000 to 9/10 with a numerator of at most 1000"
        )
    _, formula = formula_on("logarithm", given["logarithm"], SYMBOLS, ABOVE)
    return reading_of("continuous-limit").decision(
        ("the limit is the root of this equation", "the limit is another number"),
        Finding("equation", f"the limit has $ln(1/α) = {given['logarithm']}$", given.evidence(equation, formula)),
        Finding("value", f"at $α = {alpha}$ it is {given['value']} to six decimals", value(alpha, claimed)),
    )


# ---- the claim with prompts -----------------------------------------------------------------------------------------

NEAR = 2e-6
"""How near to the equation's root the worst case has to be."""


def at_the_root(alpha: Fraction, tau: Fraction, claimed: Fraction) -> Evidence:
    """Compare the equation's root with the worst case at a large l, and both with a number of six decimals."""
    root, finite = with_prompts(alpha, tau), at_finite(alpha, tau, FAR)
    agrees = abs(root - claimed) <= 5e-7 and abs(root - finite) <= NEAR
    sample = f"α = {alpha}, s/l = {tau}: the equation's root {root:.9f}, and the worst case at l ≤ {FAR}, {finite:.9f}"
    return Measured(agrees, sample, f"{abs(root - finite):.1e} between the two", {"root": root, "at_finite_l": finite})


@stated_claim("long-prompts", given={"alpha": "1/10", "tau": "1", "value": "1.795015"})
def long_prompts(given: Given) -> Decision:
    """Decide the number."""
    alpha, tau, claimed = (number(name, given[name]) for name in ("alpha", "tau", "value"))
    if not Fraction(1, 100) <= alpha <= Fraction(9, 10) or alpha.numerator > 9:
        raise InputError("alpha", given["alpha"], "must be a fraction from 1/100 to 9/10 with a numerator below 10")
    if not Fraction(1, 10) <= tau <= 100 or tau.denominator > 10:
        raise InputError("tau", given["tau"], "must be a fraction from 1/10 to 100 with a denominator of at most 10")
    says = f"at $α = {alpha}$ and $s/l → {tau}$ it is {given['value']} to six decimals"
    finding = Finding("value", says, given.evidence(at_the_root, alpha, tau, claimed))
    holds, fails = f"the worst case at l = {FAR} is at its root", "it is another number"
    return reading_of("long-prompts").decision((holds, fails), finding)
