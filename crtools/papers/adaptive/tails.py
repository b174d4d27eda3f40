"""The tail coordinates T_k = Σ_{i≥k} x_i of any form that has them in its file: are they what the file says?

Of the paper's forms this stands in the theory's text, theorems "tails of …"; of a form of one's own it is made here.
"""

from __future__ import annotations

import sympy as sp

from crtools.errors import InputError
from crtools.forms import Form, form
from crtools.numeric_types import SymExpr
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem


def tails(policy: str | Form) -> Theorem:
    """Return the theorem that a form's matrix is Uᵀ C U with C the generators of its file, for every s ≥ 0 and u ≥ l ≥ 1.

    Raises ``InputError`` for a form without generators.
    """
    own = form(policy)
    a, rule = own.formula, own.tails
    if rule is None:
        raise InputError("form", own.name, "must have generators of its tails")
    first, inner_i, inner_j = rule.first(l, s), rule.inner(i, s), rule.inner(j, s)

    def product(left: tuple[SymExpr, ...], right: tuple[SymExpr, ...]) -> SymExpr:
        return sum((x * y for x, y in zip(left, right, strict=True)), sp.Integer(0))

    def difference(x: SymExpr, y: SymExpr) -> SymExpr:
        return a(x, y, s) - a(x - 1, y, s) - a(x, y - 1, s) + a(x - 1, y - 1, s)

    proof = Proof(
        f"tails of {own.name}",
        "for all integers s ≥ 0 and u ≥ l ≥ 1, of the form",
        r"N = U^\top C U,\ U_{ki} = [i \ge k]",
    )
    proof.identity("C_ll = a_ll", a(l, l, s), first.diagonal)
    proof.identity("C_lj = a_lj − a_{l,j−1} for j > l", a(l, j, s) - a(l, j - 1, s), product(first.left, inner_j.right))
    twice = a(k, k, s) - 2 * a(k - 1, k, s) + a(k - 1, k - 1, s)
    proof.identity("C_kk = a_kk − 2 a_{k−1,k} + a_{k−1,k−1} for k > l", twice, rule.inner(k, s).diagonal)
    beside = product(inner_i.left, inner_j.right)
    proof.identity("C_ij = a_ij − a_{i−1,j} − a_{i,j−1} + a_{i−1,j−1} for l < i < j", difference(i, j), beside)
    return proof.therefore(
        r"\text{the matrix is } U^\top C\, U",
        "x_k = T_k − T_{k+1}, so C is the second difference of the matrix",
        uses=("Abel summation",),
    ).qed()
