"""The tail coordinates T_k = Σ_{i≥k} x_i: W and C of both forms, and the positivity of D⁻¹N that they show."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import Form, form
from crtools.proof.steps import Identity, Inference, Positive, Step
from crtools.proof.symbols import i, j, k, l, s, u
from crtools.proof.theorem import Theorem, prefixed


def tails(policy: str | Form = "a-min") -> Theorem:
    """The form's matrix is Uᵀ C U with C the generators of its file, for every s ≥ 0 and u ≥ l ≥ 1."""
    chosen = form(policy)
    assert chosen.tails is not None
    a = chosen.formula
    inner_i, inner_j, first = chosen.tails.inner(i, s), chosen.tails.inner(j, s), chosen.tails.first(l, s)
    inner_k = chosen.tails.inner(k, s)

    def product(left: tuple[Any, ...], right: tuple[Any, ...]) -> Any:
        return sum((x * y for x, y in zip(left, right, strict=True)), sp.Integer(0))

    steps: tuple[Step, ...] = (
        Identity(name="corner", text="C_ll = a_ll", lhs=a(l, l, s), rhs=first.diagonal),
        Identity(
            name="row l",
            text="C_lj = a_lj − a_{l,j−1} for j > l",
            lhs=a(l, j, s) - a(l, j - 1, s),
            rhs=product(first.left, inner_j.right),
        ),
        Identity(
            name="diagonal",
            text="C_kk = a_kk − 2 a_{k−1,k} + a_{k−1,k−1} for k > l",
            lhs=a(k, k, s) - 2 * a(k - 1, k, s) + a(k - 1, k - 1, s),
            rhs=inner_k.diagonal,
        ),
        Identity(
            name="above the diagonal",
            text="C_ij = a_ij − a_{i−1,j} − a_{i,j−1} + a_{i−1,j−1} for l < i < j",
            lhs=a(i, j, s) - a(i - 1, j, s) - a(i, j - 1, s) + a(i - 1, j - 1, s),
            rhs=product(inner_i.left, inner_j.right),
        ),
        Inference(
            name="tails",
            text="x_k = T_k − T_{k+1}, so C is the second difference of the matrix",
            conclusion=r"\text{the matrix is } U^\top C\, U",
            follows_from=("corner", "row l", "diagonal", "above the diagonal"),
            theorems=("Abel summation",),
        ),
    )
    return Theorem(
        f"tails of {chosen.name}",
        r"N = U^\top C U,\ U_{ki} = [i \ge k]",
        "for all integers s ≥ 0 and u ≥ l ≥ 1, of the form",
        steps,
    )


def positivity(against: str = "h-sf") -> Theorem:
    """D⁻¹A > 0 entrywise for D the form ``against`` (h-sf or volume) and A the form of A_min.

    By Perron–Frobenius the supremum of the ratio over x ≥ 0 is then the spectral radius of D⁻¹A, attained at x > 0.
    With R_kj = a_kj − a_{k−1,j} (R_lj = a_lj) and w the diagonal of D in the tails, (D⁻¹A)_kj = R_kj/w_k −
    R_{k+1,j}/w_{k+1}, and the second term is absent for k = u.
    """
    a = form("a-min").formula
    rule = form(against).tails
    assert rule is not None
    w = rule.inner(k, s).diagonal
    w_next = w.subs(k, k + 1)
    w_l, w_after_l = rule.first(l, s).diagonal, w.subs(k, l + 1)

    def r_above(row: Any) -> Any:  # j ≥ row
        return a(row, j, s) - a(row - 1, j, s)

    def r_below(row: Any, column: Any) -> Any:  # column < row
        return a(column, row, s) - a(column, row - 1, s)

    def a_step(row: Any) -> Any:  # R_kk
        return a(row, row, s) - a(row - 1, row, s)

    w_u = w.subs(k, u)
    base, inner = ((s, 0), (l, 1)), ((s, 0), (l, 1), (k, l + 1))
    entries = (
        ("l < k < j", r_above(k) / w - r_above(k + 1) / w_next, (*inner, (j, k + 1))),
        ("k = j", a_step(k) / w - r_below(k + 1, k) / w_next, inner),
        ("k > j", r_below(k, j) / w - r_below(k + 1, j) / w_next, (*base, (j, l), (k, j + 1))),
        ("k = l < j", a(l, j, s) / w_l - r_above(l + 1) / w_after_l, (*base, (j, l + 1))),
        ("k = l = j < u", a(l, l, s) / w_l - r_below(l + 1, l) / w_after_l, base),
        ("k = u > j", r_below(u, j) / w_u, (*base, (j, l), (u, j + 1))),
        ("k = u = j > l", a_step(u) / w_u, (*base, (u, l + 1))),
        ("k = l = u = j", a(l, l, s) / w_l, base),
    )
    steps: list[Step] = [
        *prefixed("tails of A", tails("a-min")),
        *prefixed("tails of D", tails(against)),
        Positive(name="D, first weight", text="D = UᵀWU with W > 0: D is positive definite", expr=w_l, where=base),
        Positive(name="D, weights", text="likewise for k > l", expr=w, where=inner),
    ]
    for name, expr, where in entries:
        numerator, denominator = sp.fraction(sp.factor(expr))
        # against the volume bound, j² − sj − 2j is not positive term by term; (j − 1 − s/2)² is
        squares = (j - 1 - s / 2,) if against == "volume" and name == "l < k < j" else ()
        steps.append(
            Positive(name=f"denominator, {name}", text="the denominator is positive", expr=denominator, where=where)
        )
        steps.append(
            Positive(
                name=f"numerator, {name}",
                text="the numerator is positive",
                expr=numerator,
                where=where,
                squares=squares,
            )
        )
        steps.append(
            Identity(name=f"entry, {name}", text="the entry is that quotient", lhs=expr, rhs=numerator / denominator)
        )
    steps.append(
        Inference(
            name="positivity",
            text="every kind of entry is positive, so the supremum over x ≥ 0 is attained at a positive x",
            conclusion=r"D^{-1}A > 0,\quad \sup_{x\ge0} \frac{x^\top A x}{x^\top D x} = \rho(D^{-1}A)",
            follows_from=tuple(step.name for step in steps),
            theorems=("Perron–Frobenius",),
        )
    )
    return Theorem(
        f"positivity against {against}",
        rf"D^{{-1}}A > 0 \text{{ entrywise, }} D \text{{ the form }} \texttt{{{against}}}",
        "for all integers s ≥ 0 and u ≥ l ≥ 1, of the form a-min",
        tuple(steps),
    )
