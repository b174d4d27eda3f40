"""The tail coordinates T_k = Σ_{i≥k} x_i: W and C of both forms, and the positivity of D⁻¹N that they show."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import Form, form
from crtools.forms.base import TailRule
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, s, u
from crtools.proof.theorem import Theorem


def generators(policy: str | Form) -> TailRule:
    """Return the generators of a form that has them in its file."""
    rule = form(policy).tails
    assert rule is not None
    return rule


def tails(policy: str | Form = "a-min") -> Theorem:
    """The form's matrix is Uᵀ C U with C the generators of its file, for every s ≥ 0 and u ≥ l ≥ 1."""
    a, rule = form(policy).formula, generators(policy)
    first, inner_i, inner_j = rule.first(l, s), rule.inner(i, s), rule.inner(j, s)

    def product(left: tuple[Any, ...], right: tuple[Any, ...]) -> Any:
        return sum((x * y for x, y in zip(left, right, strict=True)), sp.Integer(0))

    def difference(x: Any, y: Any) -> Any:
        return a(x, y, s) - a(x - 1, y, s) - a(x, y - 1, s) + a(x - 1, y - 1, s)

    proof = Proof(
        f"tails of {form(policy).name}",
        "for all integers s ≥ 0 and u ≥ l ≥ 1, of the form",
        r"N = U^\top C U,\ U_{ki} = [i \ge k]",
    )
    proof.identity("C_ll = a_ll", a(l, l, s), first.diagonal)
    proof.identity("C_lj = a_lj − a_{l,j−1} for j > l", a(l, j, s) - a(l, j - 1, s), product(first.left, inner_j.right))
    proof.identity(
        "C_kk = a_kk − 2 a_{k−1,k} + a_{k−1,k−1} for k > l",
        a(k, k, s) - 2 * a(k - 1, k, s) + a(k - 1, k - 1, s),
        rule.inner(k, s).diagonal,
    )
    proof.identity(
        "C_ij = a_ij − a_{i−1,j} − a_{i,j−1} + a_{i−1,j−1} for l < i < j",
        difference(i, j),
        product(inner_i.left, inner_j.right),
    )
    proof.therefore(
        r"\text{the matrix is } U^\top C\, U",
        "x_k = T_k − T_{k+1}, so C is the second difference of the matrix",
        uses=("Abel summation",),
    )
    return proof.qed()


def positivity(against: str = "h-sf") -> Theorem:
    """D⁻¹A > 0 entrywise for D the form ``against`` (h-sf or volume) and A the form of A_min.

    By Perron–Frobenius the supremum of the ratio over x ≥ 0 is then the spectral radius of D⁻¹A, attained at x > 0.
    With R_kj = a_kj − a_{k−1,j} (R_lj = a_lj) and w the diagonal of D in the tails, (D⁻¹A)_kj = R_kj/w_k −
    R_{k+1,j}/w_{k+1}, and the second term is absent for k = u.
    """
    a, rule = form("a-min").formula, generators(against)
    w, w_l = rule.inner(k, s).diagonal, rule.first(l, s).diagonal
    w_next, w_after_l, w_u = (w.subs(k, at) for at in (k + 1, l + 1, u))

    def above(row: Any, column: Any = j) -> Any:  # column ≥ row
        return a(row, column, s) - a(row - 1, column, s)

    def below(row: Any, column: Any) -> Any:  # column < row
        return a(column, row, s) - a(column, row - 1, s)

    base, inner = (s >= 0, l >= 1), (s >= 0, l >= 1, k >= l + 1)
    proof = Proof(
        f"positivity against {against}",
        "for all integers s ≥ 0 and u ≥ l ≥ 1, of the form a-min",
        rf"D^{{-1}}A > 0 \text{{ entrywise, }} D \text{{ the form }} \texttt{{{against}}}",
    )
    proof.cite(tails("a-min"), tails(against))
    proof.positive("D = UᵀWU with W > 0: D is positive definite", w_l, *base)
    proof.positive("likewise for k > l", w, *inner)
    first = above(k) / w - above(k + 1) / w_next
    if against == "volume":  # j² − sj − 2j is not positive term by term; (j − 1 − s/2)² is
        numerator, denominator = sp.fraction(sp.factor(first))
        proof.identity("the entry of l < k < j", first, numerator / denominator)
        proof.positive("its denominator", denominator, *inner, j >= k + 1)
        proof.positive("its numerator", numerator, *inner, j >= k + 1, squares=(j - 1 - s / 2,))
    else:
        proof.positive("the entry of l < k < j", first, *inner, j >= k + 1, name="l < k < j")
    for name, expr, where in (
        ("k = j", above(k, k) / w - below(k + 1, k) / w_next, inner),
        ("k > j", below(k, j) / w - below(k + 1, j) / w_next, (*base, j >= l, k >= j + 1)),
        ("k = l < j", a(l, j, s) / w_l - above(l + 1) / w_after_l, (*base, j >= l + 1)),
        ("k = l = j < u", a(l, l, s) / w_l - below(l + 1, l) / w_after_l, base),
        ("k = u > j", below(u, j) / w_u, (*base, j >= l, u >= j + 1)),
        ("k = u = j > l", above(u, u) / w_u, (*base, u >= l + 1)),
        ("k = l = u = j", a(l, l, s) / w_l, base),
    ):
        proof.positive("", expr, *where, name=name)
    proof.therefore(
        r"D^{-1}A > 0,\quad \sup_{x\ge0} \frac{x^\top A x}{x^\top D x} = \rho(D^{-1}A)",
        "every kind of entry is positive, so the supremum over x ≥ 0 is attained at a positive x",
        uses=("Perron–Frobenius",),
    )
    return proof.qed()
