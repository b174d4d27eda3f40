"""The theorem that a form's matrix is Uᵀ C U in tail coordinates, with C made of the generators in ``Form.tails``.

For the paper's forms the theory's text has it ("tails of …"). :func:`tails` makes it for a form of the user's own; see
docs/add-a-form.md. Tested in tests/papers/adaptive/theorems/test_form.py.
"""

import sympy as sp

from crtools.errors import InputError
from crtools.forms import Form, form
from crtools.numeric_types import SymExpr
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem


def tails(policy: str | Form) -> Theorem:
    """Return the theorem that a form's matrix is Uᵀ C U with C made of its generators, for every s ≥ 0 and u ≥ l ≥ 1.

    Raises ``InputError`` for a form without generators.
    """
    policy_form = form(policy)
    a, rule = policy_form.formula, policy_form.tails
    if rule is None:
        raise InputError("form", policy_form.name, "must have generators of its tails")
    first, inner_i, inner_j = rule.first(l, s), rule.inner(i, s), rule.inner(j, s)

    def product(row_factors: tuple[SymExpr, ...], column_factors: tuple[SymExpr, ...]) -> SymExpr:
        return sum((x * y for x, y in zip(row_factors, column_factors, strict=True)), sp.Integer(0))

    def difference(x: SymExpr, y: SymExpr) -> SymExpr:
        return a(x, y, s) - a(x - 1, y, s) - a(x, y - 1, s) + a(x - 1, y - 1, s)

    proof = Proof(
        f"tails of {policy_form.name}",
        "for all integers s ≥ 0 and u ≥ l ≥ 1, of the form",
        r"N = U^\top C U,\ U_{ki} = [i \ge k]",
    )
    proof.identity("C_ll = a_ll", a(l, l, s), first.diagonal)
    proof.identity("C_lj = a_lj − a_{l,j−1} for j > l", a(l, j, s) - a(l, j - 1, s), product(first.left, inner_j.right))
    twice = a(k, k, s) - 2 * a(k - 1, k, s) + a(k - 1, k - 1, s)
    proof.identity("C_kk = a_kk − 2 a_{k−1,k} + a_{k−1,k−1} for k > l", twice, rule.inner(k, s).diagonal)
    off_diagonal = product(inner_i.left, inner_j.right)
    proof.identity("C_ij = a_ij − a_{i−1,j} − a_{i,j−1} + a_{i−1,j−1} for l < i < j", difference(i, j), off_diagonal)
    return proof.therefore(
        r"\text{the matrix is } U^\top C\, U",
        "x_k = T_k − T_{k+1}, so C is the second difference of the matrix",
        uses=("Abel summation",),
    ).qed()
