"""The paper's T_1 and T_2 and the trace of B⁻¹A, at s = 0, l = 1 and in general."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.form.tails import tails
from crtools.proof.steps import Identity, Induction, Inference
from crtools.proof.symbols import i, l, s, u
from crtools.proof.theorem import Theorem, prefixed

DIAGONAL = 4 * i / (4 * i**2 - 1)
"""(B_u⁻¹)_ii for i < u, Theorem "b-inverse"."""

LAST = 1 / (2 * u - 1)
"""(B_u⁻¹)_uu."""

OFF_DIAGONAL = -1 / (2 * i + 1)
"""(B_u⁻¹)_{i,i+1}."""


def _a(x: Any, y: Any) -> Any:
    return form("a-min").formula(x, y, sp.Integer(0))


def t1_sum() -> Any:
    """T_1(u) = Σ_i (B⁻¹)_ii a_ii, from the inverse and the entries."""
    return sp.Sum(sp.cancel(DIAGONAL * _a(i, i)), (i, 1, u - 1)) + LAST * _a(u, u)


def t2_sum() -> Any:
    """T_2(u) = Σ_{i<u} (B⁻¹)_{i,i+1} a_{i,i+1}."""
    return sp.Sum(sp.cancel(sp.together(OFF_DIAGONAL * _a(i, i + 1))), (i, 1, u - 1))


def closed_form(name: str, what: str, quantity: Any, claimed: Any) -> Theorem:
    """``quantity`` (a finite sum in u) equals ``claimed`` for every u ≥ 1."""
    step = Induction(name="closed form", text="base u = 1, and equal increments", lhs=quantity, rhs=claimed, index=u)
    return Theorem(name, rf"{what} = {sp.latex(claimed)}", "for every integer u ≥ 1, s = 0, l = 1", (step,))


def t2_summand(claimed: Any) -> Theorem:
    """The summand of T_2 at i is ``claimed``."""
    total = t2_sum()
    step = Identity(
        name="summand",
        text="the summand as displayed",
        lhs=total.function.xreplace({total.limits[0][0]: i}),
        rhs=claimed,
    )
    return Theorem("summand of T_2", sp.latex(claimed), "for every integer i ≥ 1, s = 0, l = 1", (step,))


def combined() -> Theorem:
    """The paper's closed forms of T_1 and 2 T_2 add up to H_u."""
    odd: Any = sp.Sum(1 / (2 * i + 1), (i, 1, u - 1))
    shifted: Any = sp.Sum(1 / (i + 1), (i, 1, u - 1))
    t1, twice_t2 = (u**2 + 1) / 2 + odd / 2, -(u**2 - 1) / 2 + shifted - odd / 2
    return closed_form("t1 and t2 combined", "T_1(u) + 2T_2(u)", t1 + twice_t2, sp.Sum(1 / i, (i, 1, u)))


def trace(claimed: Any) -> Theorem:
    """tr(B_u⁻¹A_u) = T_1(u) + 2 T_2(u) equals ``claimed`` for every u ≥ 1."""
    return closed_form("trace", r"\operatorname{tr}(B_u^{-1}A_u)", t1_sum() + 2 * t2_sum(), claimed)


def general_trace() -> Theorem:
    """tr(B⁻¹A) = 1 + Σ_{i=l+1}^{u} 1/(s+i) for every s ≥ 0 and u ≥ l ≥ 1: C_ii/W_i is 1/(s+i)."""
    rows_a, rows_b = form("a-min").tails, form("h-sf").tails
    assert rows_a is not None
    assert rows_b is not None
    steps = (
        Identity(
            name="first",
            text="C_ll/W_l",
            lhs=rows_a.first(l, s).diagonal / rows_b.first(l, s).diagonal,
            rhs=sp.Integer(1),
        ),
        Identity(
            name="inner",
            text="C_ii/W_i for i > l",
            lhs=rows_a.inner(i, s).diagonal / rows_b.inner(i, s).diagonal,
            rhs=1 / (s + i),
        ),
    )
    embedded = (*prefixed("tails of A", tails("a-min")), *prefixed("tails of B", tails("h-sf")))
    closing = Inference(
        name="trace",
        text='tr(B⁻¹A) = tr(W⁻¹C): B = UᵀWU and A = UᵀCU, and the trace is cyclic (Theorem "tails")',
        conclusion=r"\operatorname{tr}(B^{-1}A) = 1 + \sum_{i=l+1}^{u} \frac{1}{s+i}",
        follows_from=("first", "inner", *(step.name for step in embedded)),
    )
    return Theorem(
        "trace, general",
        closing.conclusion,
        "for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms",
        (*embedded, *steps, closing),
    )
