"""A_min's worst case over H-SF's at s = 0 where l and u grow together: the limit solves an equation in elementary functions.

With z = k/l in [1, y], y = 1/α, tails T(z) and T_0 = T(1) of weight of its own, the eigenvalue equation C T = λ W T becomes

    4λ z T(z) = c + P(z)/z² + 3z² G(z),   P = T_0 + 3∫_1^z v² T dv,   G = ∫_z^y T/v² dv,   c = T_0 + ∫_1^y T dv,
    2λ T_0 = 2T_0 + ∫_1^y (1 + 1/v²) T dv.

In w = ln z the function U = 4λzT − c solves U″ = μ²(U + c) − 4c with μ² = 4 − 3/λ.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from crtools.enclosure import Enclosure, ball, ends, hull, precision
from crtools.forms import form
from crtools.papers.adaptive.theory import theorem
from crtools.papers.beyond.theorems.claimed import WORST
from crtools.papers.beyond.theorems.long_prompts import at_finite
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.symbols import j, k, l
from crtools.proof.theorem import Theorem

SYMBOLS: dict[str, Any] = {name: sp.Symbol(name, positive=True) for name in ("x", "m", "t")}
"""λ, μ = √(4−3/λ) and tanh(½μ ln(1/α)) in a formula for ln(1/α)."""

x, m, t = SYMBOLS.values()
RANGE = (Bound(m, 1, strict=True, high=2), Bound(t, 0, strict=True, high=1))
"""λ > 1, and 0 < ln(1/α)."""
READING = "s = 0, l → ∞ and l/u → α < 1, of the forms"


def logarithm(x: Any, m: Any, t: Any) -> Any:
    """Return ln(1/α) of the limit x, over any ring."""
    return 4 * (x - 1) - (x - 1) * (2 + 4 * t / m) / (2 * x - 1 + x * m * t)


def tanh_at(value: Fraction, alpha: Fraction) -> Any:
    """Return t = tanh(½μ ln(1/α)) at λ = ``value``, as a ball."""
    return ((4 - 3 / ball(value)).sqrt() * ball(1 / alpha).log() / 2).tanh()


def limit(alpha: Fraction, digits: int = 20) -> Enclosure:
    """Return an enclosure of the limit at 0 < α < 1: a change of sign of ln(1/α) − ``logarithm``, by bisection in balls."""
    with precision(64 + 4 * digits):
        length = ball(1 / alpha).log()

        def excess(value: Fraction) -> Any:
            return logarithm(ball(value), (4 - 3 / ball(value)).sqrt(), tanh_at(value, alpha)) - length

        low, high = Fraction(1), 2 + ends(length)[1].limit_denominator(1000) / 4
        while high - low > Fraction(1, 10**digits):
            middle = Fraction(round((low + high) / 2 * 10 ** (digits + 2)), 10 ** (digits + 2))
            sign = excess(middle)
            if not (sign > 0 or sign < 0):
                break
            low, high = (middle, high) if sign < 0 else (low, middle)
        return Enclosure.from_ball(hull(low, high), "Theorem “the continuous limit”, bisection in balls")


def _as_it_should() -> str | None:
    """Look at l·|worst case − limit| at α = 1/10 and ½: it is small, and falls as l grows."""
    for alpha in (Fraction(1, 10), Fraction(1, 2)):
        far = limit(alpha).middle
        scaled = [low * abs(at_finite(alpha, Fraction(0), low) - far) for low in (10, 100, 1000)]
        if not 1 > scaled[0] > scaled[1] > scaled[2]:
            return f"α = {alpha}: {scaled}"
    return None


@cache
def continuous_limit() -> Theorem:
    """The worst case at s = 0 tends to the only λ > 1 with ln(1/α) = ``logarithm``."""
    rule, zero = form("a-min").tails, sp.S.Zero
    assert rule is not None
    row, column = rule.inner(k, zero), rule.inner(j, zero)
    entry = sum(a * b for a, b in zip(row.left, column.right, strict=True))
    near = (1 + 3 * k**2 / j**2) / 2
    at_l = sum(a * b for a, b in zip(rule.first(l, zero).left, column.right, strict=True))
    proof = Proof("the continuous limit", READING)
    proof.cite(theorem("tails of a-min"), theorem("A_min's worst case at s = 0"))
    proof.nonnegative("C_kj is near (1 + 3k²/j²)/2, l < k < j", 1 / (j - 1) - (entry - near), k >= 2, j >= k + 1)
    proof.nonnegative("from below too", 1 / (j - 1) + (entry - near), k >= 2, j >= k + 1)
    proof.identity(
        "C_lj is near l(1 + l²/j²)/2", at_l - l * (1 + l**2 / j**2) / 2, l**3 / (2 * j**2 * (j - 1)), l >= 1, j >= l + 1
    )
    _ordinary(proof)
    _boundary(proof)
    proof.nonnegative("at t ≤ 1 ≤ μ: ln(1/α) ≥ 4(λ−1) − 3", 3 - 6 * (x - 1) / (2 * x - 1), x >= 1, name="root")
    proof.therefore(
        r"\ln\tfrac1\alpha = 4(\lambda-1) - \frac{(\lambda-1)(2+4t/\mu)}{2\lambda-1+\lambda\mu t} \text{ has a root } \lambda > 1",
        "for each α < 1 with t = tanh(½μ ln(1/α)): the right side is 0 at λ = 1 and grows without bound; at a root T solves the "
        "limiting equation with T_0 = 1",
        name="exists",
    )
    proof.argued(
        rf"{WORST} = \lambda + O(1/l)",
        "put T_k = T(k/l), T_l = 1, at a root λ > 1. Sums of a function with a bounded derivative over k/l are integrals up to O(1/l); "
        "the diagonal C_kk < 2 and the two differences above add O(1/l) as well, and u/l → 1/α moves T's boundary. So W^(−½)(C − λW)T "
        "has the norm o(1) relative to W^(½)T, O(1/l) for u = l/α, and the symmetric W^(−½)CW^(−½) an eigenvalue as near to λ. As "
        "A = ½ωωᵀ + P with P ≤ ¾B all its eigenvalues but the largest are at most ¾: it is the largest, the worst case. So no "
        "second root exists",
        test=_as_it_should,
        tested="l = 10, 100, 1000 at α = 1/10 and ½: l times the difference falls",
        name="limit",
    )
    return proof.qed()


def _ordinary(proof: Proof) -> None:
    """U″ = μ²(U + c) − 4c makes P = z²(2U − U′)/4 and 3z²G = (2U + U′)/4 the integrals that they should be."""
    value, slope, c = sp.symbols("U V c")
    root = 4 - 3 / x
    second = root * (value + c) - 4 * c
    from_p = (2 * value - slope) / 2 + (2 * slope - second) / 4
    from_g = -(2 * value + slope) / 2 + (2 * slope + second) / 4
    proof.identity("(z²(2U−U′)/4)′ = 3z³T over z², T = (U+c)/(4λz)", from_p, 3 * (value + c) / (4 * x), name="P")
    proof.identity("((2U+U′)/(4z²))′ = −3T/z, times z²", from_g, -3 * (value + c) / (4 * x), name="G")


def _boundary(proof: Proof) -> None:
    """The four conditions at the ends with T_0 = 1, for U = K + (U(0)−K) cosh μw + U′(0)/μ sinh μw."""
    value = 3 / (4 - m**2)  # λ
    c = value * m * (m**2 + 3 * m * t + 2) / (3 * (m + 2 * t))
    constant = 3 * c / (value * m**2)
    start = 6 * value - 2 - 3 * c
    slope = 2 * start - 4
    cosh, sinh = (1 + t**2) / (1 - t**2), 2 * t / (1 - t**2)
    end = constant + (start - constant) * cosh + slope / m * sinh
    end_slope = (start - constant) * m * sinh + slope * cosh
    length = logarithm(value, m, t)
    proof.identity("K is the constant solution", m**2 * (constant + c) - 4 * c, 0, *RANGE, name="constant")
    proof.identity("P(1) = T_0 = 1", (2 * start - slope) / 4, 1, *RANGE, name="start")
    proof.identity(
        "row l: 2(λ−1) = c − 1 + G(1)", c - 1 + (2 * start + slope) / 12, 2 * (value - 1), *RANGE, name="first row"
    )
    proof.identity("G(y) = 0", 2 * end + end_slope, 0, *RANGE, name="end")
    proof.identity(
        "c = 1 + ∫T dv, as ∫(U+c) dw = (U′(L) − U′(0) + 4cL)/μ² over [0, L], L = ln(1/α) by the formula",
        1 + (end_slope - slope + 4 * c * length) / (4 * value * m**2),
        c,
        *RANGE,
        name="total",
    )


def same_logarithm(formula: Any) -> Theorem:
    """The limit at α has ln(1/α) equal to ``formula`` in λ, μ and t."""
    proof = Proof("the equation", READING).cite(continuous_limit())
    root = 3 / (4 - m**2)
    proof.identity("the formula at λ = 3/(4−μ²)", formula.subs(x, root), logarithm(root, m, t), *RANGE)
    return proof.therefore(r"\ln\tfrac1\alpha \text{ is the formula's value}").qed()
