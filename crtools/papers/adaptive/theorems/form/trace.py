"""The paper's T_1 and T_2 and the trace of B⁻¹A, at s = 0, l = 1 and in general."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import sympy as sp

from crtools.papers.adaptive.forms.a_min import entry as a_min
from crtools.papers.adaptive.theorems.form.entries import entries
from crtools.papers.adaptive.theorems.form.inverse import inverse
from crtools.papers.adaptive.theorems.form.tails import generators, tails
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, l, s, u
from crtools.proof.theorem import Theorem

DIAGONAL = 4 * i / (4 * i**2 - 1)
"""(B_u⁻¹)_ii for i < u, Theorem "b-inverse"."""

LAST = 1 / (2 * u - 1)
"""(B_u⁻¹)_uu."""

OFF_DIAGONAL = -1 / (2 * i + 1)
"""(B_u⁻¹)_{i,i+1}."""


PRINTED = "inverse of B_u"


@cache
def printed_inverse() -> Theorem:
    """The matrix with these entries is the inverse of B_u."""
    return replace(inverse(DIAGONAL, LAST, OFF_DIAGONAL), name=PRINTED)


def t1_sum() -> Any:
    """T_1(u) = Σ_i (B⁻¹)_ii a_ii, from the inverse and the entries."""
    return sp.Sum(sp.cancel(DIAGONAL * a_min(i, i, 0)), (i, 1, u - 1)) + LAST * a_min(u, u, 0)


def t2_sum() -> Any:
    """T_2(u) = Σ_{i<u} (B⁻¹)_{i,i+1} a_{i,i+1}."""
    return sp.Sum(sp.cancel(sp.together(OFF_DIAGONAL * a_min(i, i + 1, 0))), (i, 1, u - 1))


def closed_form(name: str, what: str, quantity: Any, claimed: Any) -> Theorem:
    """``what``, which is ``quantity`` (a finite sum in u) by B_u⁻¹ and A_u's entries, equals ``claimed`` for every u ≥ 1."""
    statement = rf"{what} = {sp.latex(claimed)}"
    proof = Proof(name, "for every integer u ≥ 1, s = 0, l = 1", statement)
    proof.induction("base u = 1, and equal increments", quantity, claimed, u).cite(printed_inverse(), entries())
    return proof.therefore(
        statement, "the sum is over the entries of B_u⁻¹, which is tridiagonal, times those of A_u at the same places"
    ).qed()


def t2_summand(claimed: Any) -> Theorem:
    """The summand of T_2 at i is ``claimed``."""
    total = t2_sum()
    proof = Proof("summand of T_2", "for every integer i ≥ 1, s = 0, l = 1", sp.latex(claimed))
    return proof.identity("the summand as displayed", total.function.xreplace({total.limits[0][0]: i}), claimed).qed()


def combined() -> Theorem:
    """The paper's closed forms of T_1 and 2 T_2 add up to H_u."""
    odd: Any = sp.Sum(1 / (2 * i + 1), (i, 1, u - 1))
    shifted: Any = sp.Sum(1 / (i + 1), (i, 1, u - 1))
    t1, twice_t2 = (u**2 + 1) / 2 + odd / 2, -(u**2 - 1) / 2 + shifted - odd / 2
    whole: Any = sp.Sum(1 / i, (i, 1, u))
    proof = Proof(
        "t1 and t2 combined", "for every integer u ≥ 1, s = 0, l = 1", rf"T_1(u) + 2T_2(u) = {sp.latex(whole)}"
    )
    return proof.induction("base u = 1, and equal increments", t1 + twice_t2, whole, u).qed()


def trace(claimed: Any) -> Theorem:
    """tr(B_u⁻¹A_u) = T_1(u) + 2 T_2(u) equals ``claimed`` for every u ≥ 1."""
    return closed_form("trace", r"\operatorname{tr}(B_u^{-1}A_u)", t1_sum() + 2 * t2_sum(), claimed)


def general_trace() -> Theorem:
    """tr(B⁻¹A) = 1 + Σ_{i=l+1}^{u} 1/(s+i) for every s ≥ 0 and u ≥ l ≥ 1: C_ii/W_i is 1/(s+i)."""
    a, b = generators("a-min"), generators("h-sf")
    proof = Proof("trace, general", "for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms")
    proof.cite(tails("a-min"), tails("h-sf"))
    proof.identity("C_ll/W_l", a.first(l, s).diagonal / b.first(l, s).diagonal, 1, name="first")
    proof.identity("C_ii/W_i for i > l", a.inner(i, s).diagonal / b.inner(i, s).diagonal, 1 / (s + i), name="inner")
    proof.therefore(
        r"\operatorname{tr}(B^{-1}A) = 1 + \sum_{i=l+1}^{u} \frac{1}{s+i}",
        "tr(B⁻¹A) = tr(W⁻¹C): B = UᵀWU and A = UᵀCU, and the trace is cyclic",
    )
    return proof.qed()
