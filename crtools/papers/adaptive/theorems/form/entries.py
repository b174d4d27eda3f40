"""The matrix entries of both forms, from the double sums of Lemma "Amin" (Corollary "A/B" and its general form)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms.h_sf import H_SF
from crtools.papers.adaptive.forms.a_min import A_MIN
from crtools.proof.steps import Identity, Inference, Step, Telescoping
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem


def completed_and_left(k: Any, length: Any, delta: Any, s: Any) -> Any:
    """Coefficient of x_length in Σ_{i≥k} δ/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i (the second is 0 at i = k)."""
    return (delta + 2 * (length - k)) / (s + length)


def cross_term(k: Any, delta: Any, s: Any, i: Any = i, j: Any = j) -> Any:
    """Coefficient of x_i x_j, i < j, in the k-th summand of A_min's form, k ≤ i."""
    return delta * (i * completed_and_left(k, j, delta, s) + j * completed_and_left(k, i, delta, s))


def entries(a: Any = None, b: Any = None) -> Theorem:
    """A_min's matrix is a_ij and H-SF's is b_ij, for every s ≥ 0 and u ≥ l ≥ 1, independent of l.

    ``a`` and ``b`` replace the claimed entries (expressions in i ≤ j and s).
    """
    a = A_MIN.formula(i, j, s) if a is None else a
    b = H_SF.formula(i, j, s) if b is None else b
    return Theorem(
        "entries",
        rf"a_{{ij}} = {sp.latex(a)}, \quad b_{{ij}} = {sp.latex(b)} \quad (l \le i \le j \le u)",
        "for all integers s ≥ 0 and 1 ≤ l ≤ i ≤ j ≤ u, of the forms; a_ij does not depend on l",
        (*_cross_steps(a, s, l), *_diagonal_steps(a, s, l), *_h_sf_steps(b, s)),
    )


def corollary(a: Any, b: Any) -> Theorem:
    """Corollary "A/B": the entries at s = 0, l = 1, with the claimed ``a`` and ``b`` in i ≤ j."""
    return Theorem(
        "cor-ab",
        rf"a_{{ij}} = {sp.latex(a)}, \quad b_{{ij}} = {sp.latex(b)}",
        "for all integers 1 ≤ i ≤ j ≤ u at s = 0, l = 1, of the forms",
        (*_cross_steps(a, 0, 1), *_diagonal_steps(a, 0, 1), *_h_sf_steps(b, 0)),
    )


def cross_coefficient(claimed: Any) -> Theorem:
    """The coefficient of x_i x_j, i < j, in A_min's form at s = 0, l = 1 is ``claimed``."""
    return Theorem(
        "cross term",
        rf"2 a_{{ij}} = {sp.latex(claimed)}",
        "for all integers 1 ≤ i < j ≤ u at s = 0, l = 1, of the form",
        _cross_steps(claimed / 2, 0, 1),
    )


def ordered(expr: Any) -> Any:
    """Return an expression for i ≤ j: min(i, j) is i and max(i, j) is j."""
    return expr.xreplace({sp.Min(i, j): i, sp.Max(i, j): j})


def symmetric(expr: Any) -> Identity:
    """Return the step that a formula gives the same value for (i, j) and (j, i)."""
    swapped = ordered(expr.xreplace({i: j, j: i}))
    return Identity(name="symmetric", text="exchanging i and j changes nothing", lhs=ordered(expr), rhs=swapped)


def _cross_steps(a: Any, s: Any, l: Any) -> tuple[Step, ...]:
    inner = cross_term(k, sp.Integer(1), s)
    primitive = k * (i * (1 + 2 * j) / (s + j) + j * (1 + 2 * i) / (s + i)) - k * (k + 1) * (i / (s + j) + j / (s + i))
    at_l = cross_term(l, sp.sympify(s + l), s)
    total = at_l + primitive.subs(k, i) - primitive.subs(k, l)
    return (
        Telescoping(
            name="cross terms, k > l",
            text="the coefficient of x_i x_j (i < j) in the k-th summand, l < k ≤ i, sums up by telescoping",
            summand=inner,
            antidifference=primitive,
            index=k,
        ),
        Identity(
            name="cross terms, total",
            text="the summand k = l and the sum over l < k ≤ i give 2 a_ij",
            lhs=total,
            rhs=2 * a,
        ),
    )


def _diagonal_steps(a: Any, s: Any, l: Any) -> tuple[Step, ...]:
    inner = i * completed_and_left(k, i, sp.Integer(1), s)
    primitive = i * (k * (1 + 2 * i) - k * (k + 1)) / (s + i)
    at_l = (s + l) * i * completed_and_left(l, i, sp.sympify(s + l), s)
    return (
        Telescoping(
            name="squares, k > l",
            text="the coefficient of x_i² in the k-th summand, l < k ≤ i",
            summand=inner,
            antidifference=primitive,
            index=k,
        ),
        Identity(
            name="squares, total",
            text="the summand k = l and the sum over l < k ≤ i give a_ii",
            lhs=at_l + primitive.subs(k, i) - primitive.subs(k, l),
            rhs=sp.sympify(a).subs(j, i),
        ),
        Inference(
            name="A",
            text="every monomial of the form is accounted for",
            conclusion=r"\text{A\_min's form is } \sum_{i,j} a_{ij} x_i x_j",
            follows_from=("cross terms, k > l", "cross terms, total", "squares, k > l", "squares, total"),
        ),
    )


def _h_sf_steps(b: Any, s: Any) -> tuple[Step, ...]:
    return (
        Identity(
            name="H-SF, cross terms", text="k = i is the only summand with x_i x_j", lhs=2 * i * (s + i), rhs=2 * b
        ),
        Identity(name="H-SF, squares", text="and with x_i²", lhs=i * (s + i), rhs=sp.sympify(b).subs(j, i)),
        Inference(
            name="B",
            conclusion=r"\text{H-SF's form is } \sum_{i,j} b_{ij} x_i x_j",
            follows_from=("H-SF, cross terms", "H-SF, squares"),
        ),
    )
