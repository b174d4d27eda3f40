"""a-restart's form against A_min's: bounded by a constant, while A_min's grows with log 1/α at s = 0."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.papers.adaptive.theorems.form import log_bound
from crtools.proof.steps import Identity, Inference, Positive
from crtools.proof.symbols import l
from crtools.proof.theorem import Theorem, prefixed

BOUND = Fraction(32, 3)
"""At s = 0 a-restart's form is at most this times H-SF's."""


def forms_at_zero() -> Theorem:
    """At s = 0 a-restart's form is at most 32/3 of H-SF's, and A_min's supremum at u = 2^m is at least 1 + m/8."""
    lam = sp.Symbol("lambda", positive=True)
    e, m = sp.Symbol("e"), sp.Symbol("m")
    bound = sp.Rational(BOUND.numerator, BOUND.denominator)
    return Theorem(
        "the forms at s = 0",
        r"\sup \frac{\text{a-restart}}{\text{H-SF}} \le \tfrac{32}{3},\qquad "
        r"\sup \frac{\mathcal A_{\min}}{\text{H-SF}} \ge 1 + \tfrac m8 \text{ on } [1, 2^m]",
        "s = 0; a-restart: every l ≤ u; A_min: l = 1, u = 2^m, m ≥ 0",
        (
            Identity(
                name="phases from 2 on",
                text="H-SF weighs T_j² ≥ T_k², L_{k−2} < j ≤ L_{k−1}, by (2λ)² − λ²; a-restart has at most 2 (4λ)² T_k²",
                lhs=bound * ((2 * lam) ** 2 - lam**2),
                rhs=2 * (4 * lam) ** 2,
            ),
            Positive(
                name="phases 0 and 1",
                text="both are within the weight l² of T_l = 1",
                expr=bound * l**2 - 2 * l**2 - 2 * (2 * l) ** 2,
                where=((l, 1),),
            ),
            Inference(
                name="a-restart",
                conclusion=r"\text{a-restart}(x) \le \tfrac{32}{3}\, x^\top D x",
                follows_from=("phases from 2 on", "phases 0 and 1"),
            ),
            *prefixed("A_min", log_bound.lower()),
            Positive(
                name="E in blocks",
                text="for 2^j < k ≤ 2^{j+1} = 2v there are v terms 1/(2k−1) ≥ 1/(4v−1) > 1/(4v): so E ≥ 1 + m/4",
                expr=lam / (4 * lam - 1) - sp.Rational(1, 4),
                where=((lam, 1),),
            ),
            Positive(
                name="its bound",
                text="¾ + ½E − 1/(4E) with E = 1 + m/4 + e, e ≥ 0, is at least 1 + m/8",
                expr=sp.Rational(3, 4)
                + (1 + m / 4 + e) / 2
                - 1 / (4 * (1 + m / 4 + e))
                - (1 + m / 8),
                where=((m, 0), (e, 0)),
                strict=False,
            ),
            Inference(
                name="A_min's supremum",
                conclusion=r"\sup \ge 1 + \tfrac m8",
                follows_from=(f"A_min: {log_bound.lower().steps[-1].name}", "E in blocks", "its bound"),
            ),
        ),
    )  # fmt: skip
