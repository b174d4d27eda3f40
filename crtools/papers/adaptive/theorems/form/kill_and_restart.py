"""a-restart's form against A_min's: bounded by a constant, while A_min's grows with log 1/α at s = 0."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.papers.adaptive.theorems.form import log_bound
from crtools.proof.builder import Proof
from crtools.proof.symbols import l
from crtools.proof.theorem import Theorem

BOUND = Fraction(32, 3)
"""At s = 0 a-restart's form is at most this times H-SF's."""


def forms_at_zero() -> Theorem:
    """At s = 0 a-restart's form is at most 32/3 of H-SF's, and A_min's supremum at u = 2^m is at least 1 + m/8."""
    e, m, v = sp.symbols("e m v")
    bound, more = sp.Rational(BOUND), 1 + m / 4 + e
    proof = Proof(
        "the forms at s = 0",
        "s = 0; a-restart: every l ≤ u; A_min: l = 1, u = 2^m, m ≥ 0",
        r"\sup \frac{\text{a-restart}}{\text{H-SF}} \le \tfrac{32}{3},\qquad "
        r"\sup \frac{\mathcal A_{\min}}{\text{H-SF}} \ge 1 + \tfrac m8 \text{ on } [1, 2^m]",
    )
    proof.identity(
        "phases k ≥ 2, of lengths up to L_k = 2^k l, T_k the share that takes part: H-SF weighs T_j² ≥ T_k², v = L_{k−2} < j ≤ "
        "L_{k−1} = 2v, by (2v)² − v²; a-restart has at most 2 (4v)² T_k²",
        bound * ((2 * v) ** 2 - v**2),
        2 * (4 * v) ** 2,
    )
    proof.positive(
        "phases 0 and 1: both are within the weight l² of T_l = 1", bound * l**2 - 2 * l**2 - 2 * (2 * l) ** 2, l >= 1
    )
    proof.therefore(
        r"\text{a-restart}(x) \le \tfrac{32}{3}\, x^\top D x",
        "the sum over all phases: no two of them are charged to the same part of H-SF's form, 0 and 1 to l² T_l², each phase k ≥ 2 to "
        "the T_j² with L_{k−2} < j ≤ L_{k−1}",
    )
    proof.cite(log_bound.lower())
    proof.positive(
        "for 2^j < k ≤ 2^{j+1} = 2v there are v terms 1/(2k−1) ≥ 1/(4v−1) > 1/(4v): so E ≥ 1 + m/4",
        v / (4 * v - 1) - sp.Rational(1, 4),
        v >= 1,
    )
    proof.nonnegative(
        "¾ + ½E − 1/(4E) with E = 1 + m/4 + e, e ≥ 0, is at least 1 + m/8",
        sp.Rational(3, 4) + more / 2 - 1 / (4 * more) - (1 + m / 8),
        *(m >= 0, e >= 0),
    )
    proof.therefore(r"\sup \ge 1 + \tfrac m8")
    return proof.qed()
