"""The matrix entries of both forms, from the double sums of Lemma "Amin" (Corollary "A/B" and its general form)."""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from crtools.closed_form.plain import plain
from crtools.forms.h_sf import H_SF
from crtools.papers.adaptive.forms.a_min import A_MIN
from crtools.proof.builder import Proof
from crtools.proof.steps import Identity
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem


def _summand(k: Any, delta: Any, s: Any, other: Any) -> Any:
    """Coefficient of x_i x_other, i < other, in the k-th summand of A_min's form, k ≤ i."""

    def completed_and_left(length: Any) -> Any:  # of Σ_{i≥k} δ/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i
        return (delta + 2 * (length - k)) / (s + length)

    return delta * (i * completed_and_left(other) + other * completed_and_left(i))


@cache
def entries(a: Any = None, b: Any = None) -> Theorem:
    """A_min's matrix is a_ij and H-SF's is b_ij, for every s ≥ 0 and u ≥ l ≥ 1, independent of l.

    ``a`` and ``b`` replace the claimed entries (expressions in i ≤ j and s).
    """
    a = A_MIN.formula(i, j, s) if a is None else a
    b = H_SF.formula(i, j, s) if b is None else b
    proof = Proof(
        "entries",
        "for all integers s ≥ 0 and 1 ≤ l ≤ i ≤ j ≤ u, of the forms; a_ij does not depend on l",
        rf"a_{{ij}} = {sp.latex(a)}, \quad b_{{ij}} = {sp.latex(b)} \quad (l \le i \le j \le u)",
    )
    return _both(proof, a, b, s, l)


def corollary(a: Any, b: Any) -> Theorem:
    """Corollary "A/B": the entries at s = 0, l = 1, with the claimed ``a`` and ``b`` in i ≤ j."""
    proof = Proof(
        "cor-ab",
        "for all integers 1 ≤ i ≤ j ≤ u at s = 0, l = 1, of the forms",
        rf"a_{{ij}} = {sp.latex(a)}, \quad b_{{ij}} = {sp.latex(b)}",
    )
    return _both(proof, a, b, 0, 1)


def cross_coefficient(claimed: Any) -> Theorem:
    """The coefficient of x_i x_j, i < j, in A_min's form at s = 0, l = 1 is ``claimed``."""
    reading = "for all integers 1 ≤ i < j ≤ u at s = 0, l = 1, of the form"
    proof = Proof("cross term", reading, rf"2 a_{{ij}} = {sp.latex(claimed)}")
    _summed(proof, "cross terms, k > l", j, 1, claimed / 2, 0, 1)
    return proof.qed()


def ordered(expr: Any) -> Any:
    """Return an expression for 1 ≤ i ≤ j: of a minimum or maximum the argument that it is, as far as this is seen."""
    return plain(expr.xreplace({sp.Min(i, j): i, sp.Max(i, j): j}), _nonnegative)


def _nonnegative(expr: Any) -> bool:
    """Return whether a polynomial is seen to be ≥ 0 for 1 ≤ i ≤ j: no coefficient in i − 1 and j − i is negative."""
    first, more = sp.symbols("p q", nonnegative=True)
    whole = sp.expand(expr.xreplace({i: 1 + first, j: 1 + first + more}))
    return bool(whole.is_polynomial(first, more)) and all(c >= 0 for c in sp.Poly(whole, first, more).coeffs())


def symmetric(expr: Any) -> Identity:
    """Return the step that a formula gives the same value for (i, j) and (j, i)."""
    swapped = ordered(expr.xreplace({i: j, j: i}))
    return Identity(name="symmetric", text="exchanging i and j changes nothing", lhs=ordered(expr), rhs=swapped)


def _both(proof: Proof, a: Any, b: Any, s: Any, l: Any) -> Theorem:
    _summed(proof, "cross terms, k > l", j, 1, a, s, l)
    _summed(proof, "squares, k > l", i, sp.Rational(1, 2), a, s, l)
    proof.therefore(
        r"\text{A\_min's form is } \sum_{i,j} a_{ij} x_i x_j", "every monomial of the form is accounted for"
    )
    proof.identity("in H-SF's form k = i is the only summand with x_i x_j", 2 * i * (s + i), 2 * b)
    proof.identity("and with x_i²", i * (s + i), sp.sympify(b).subs(j, i))
    return proof.therefore(
        r"\text{H-SF's form is } \sum_{i,j} b_{ij} x_i x_j", "every monomial of this form, too, is accounted for"
    ).qed()


def _summed(proof: Proof, name: str, other: Any, share: Any, a: Any, s: Any, l: Any) -> None:
    """Add that ``share`` of the summands' coefficients of x_i x_other sums up to its coefficient, 2 a_ij or a_ii."""
    primitive = k * (i * (1 + 2 * other) / (s + other) + other * (1 + 2 * i) / (s + i))
    primitive = share * (primitive - k * (k + 1) * (i / (s + other) + other / (s + i)))
    inner, at_l = (share * _summand(at, sp.sympify(delta), s, other) for at, delta in ((k, 1), (l, s + l)))
    total = at_l + primitive.subs(k, i) - primitive.subs(k, l)
    monomial, value = ("x_i²", "a_ii") if other == i else ("x_i x_j (i < j)", "2 a_ij")
    proof.telescoping(f"the coefficient of {monomial} in the k-th summand, l < k ≤ i", inner, primitive, k, name=name)
    proof.identity(
        f"the summand k = l and the sum over l < k ≤ i give {value}", total, 2 * share * sp.sympify(a).subs(j, other)
    )
