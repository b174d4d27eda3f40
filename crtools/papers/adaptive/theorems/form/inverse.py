"""B = Uᵀ W U and the tridiagonal inverse of B, row by row, first and last row included (paper, Part 2)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms.h_sf import entry
from crtools.proof.steps import Identity, Inference, Step
from crtools.proof.symbols import i, l, m, s, u
from crtools.proof.theorem import Theorem

ZERO, ONE = sp.Integer(0), sp.Integer(1)


def inverse(diagonal: Any, last: Any, off_diagonal: Any, s: Any = ZERO, l: Any = ONE) -> Theorem:
    """The claimed tridiagonal matrix is the inverse of B_u for every u ≥ l.

    ``diagonal`` (i < u) and ``off_diagonal`` (the pair i, i+1) are expressions in i, ``last`` one in u; at
    ``s`` = 0, ``l`` = 1 it is the paper's display. The product of row i with column m of B must be [i = m].
    """

    def b(x: Any, y: Any) -> Any:
        return entry(x, y, s)

    off_before = sp.sympify(off_diagonal).subs(i, i - 1)
    first, off_first = sp.sympify(diagonal).subs(i, l), sp.sympify(off_diagonal).subs(i, l)
    off_last = sp.sympify(off_diagonal).subs(i, u - 1)
    checks = (
        ("inner row, m < i", "l < i < u", off_before * b(m, i) + diagonal * b(m, i) + off_diagonal * b(m, i), 0),
        ("inner row, m = i", "", off_before * b(i - 1, i) + diagonal * b(i, i) + off_diagonal * b(i, i + 1), 1),
        ("inner row, m > i", "", off_before * b(i - 1, m) + diagonal * b(i, m) + off_diagonal * b(i + 1, m), 0),
        ("first row, m = l", "l < u", first * b(l, l) + off_first * b(l, l + 1), 1),
        ("first row, m > l", "", first * b(l, m) + off_first * b(l + 1, m), 0),
        ("last row, m < u", "u > l", off_last * b(m, u - 1) + last * b(m, u), 0),
        ("last row, m = u", "", off_last * b(u - 1, u) + last * b(u, u), 1),
    )
    steps: list[Step] = [
        Identity(name=name, text=text, lhs=lhs, rhs=sp.Integer(rhs)) for name, text, lhs, rhs in checks
    ]
    steps.append(
        Identity(name="u = l", text="the 1 × 1 case", lhs=sp.sympify(last).subs(u, l) * b(l, l), rhs=sp.Integer(1))
    )
    steps.append(
        Inference(
            name="inverse",
            conclusion=r"(B^{-1})\,B = I",
            text="every row times every column",
            follows_from=tuple(step.name for step in steps),
        )
    )
    return Theorem(
        "b-inverse",
        rf"(B_u^{{-1}})_{{ii}} = {sp.latex(diagonal)}\ (i<u),\ (B_u^{{-1}})_{{uu}} = {sp.latex(last)},\ "
        rf"(B_u^{{-1}})_{{i,i+1}} = {sp.latex(off_diagonal)}",
        f"for every integer u ≥ {l} and s = {s}" if s == 0 and l == 1 else "for all integers s ≥ 0 and u ≥ l ≥ 1",
        tuple(steps),
    )


def general_inverse() -> Theorem:
    """The inverse for every s and l: off-diagonal −1/w_{i+1}, diagonal 1/w_i + 1/w_{i+1}, last 1/w_u, w_k = s+2k−1.

    The first row has w_l = l(s+l) in place of s+2l−1, so it is checked with its own diagonal entry.
    """
    w = s + 2 * i - 1
    w_next = s + 2 * i + 1
    inner = inverse(1 / w + 1 / w_next, 1 / (s + 2 * u - 1), -1 / w_next, s, l)
    kept = tuple(step for step in inner.steps if step.name.startswith(("inner row", "last row")))
    first, off = 1 / (l * (s + l)) + 1 / (s + 2 * l + 1), -1 / (s + 2 * l + 1)
    own: tuple[Step, ...] = (
        Identity(name="first row, m = l", lhs=first * entry(l, l, s) + off * entry(l, l + 1, s), rhs=sp.Integer(1)),
        Identity(name="first row, m > l", lhs=first * entry(l, m, s) + off * entry(l + 1, m, s), rhs=sp.Integer(0)),
        Identity(name="u = l", lhs=entry(l, l, s) / (l * (s + l)), rhs=sp.Integer(1)),
    )
    steps = (*kept, *own)
    closing = Inference(name="inverse", conclusion=r"(B^{-1})\,B = I", follows_from=tuple(x.name for x in steps))
    return Theorem(
        "inverse of B, general",
        r"B^{-1} = U^{-1} W^{-1} U^{-\top}",
        "for all integers s ≥ 0 and u ≥ l ≥ 1",
        (*steps, closing),
    )
