"""B = Uᵀ W U and the tridiagonal inverse of B, row by row, first and last row included (paper, Part 2)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms.h_sf import entry
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, l, m, s, u
from crtools.proof.theorem import Theorem


def inverse(diagonal: Any, last: Any, off_diagonal: Any) -> Theorem:
    """The claimed tridiagonal matrix is the inverse of B_u for every u ≥ 1, at s = 0, l = 1: the paper's display.

    ``diagonal`` (i < u) and ``off_diagonal`` (the pair i, i+1) are expressions in i, ``last`` one in u.
    """
    diagonal, last, off_diagonal = (sp.sympify(part) for part in (diagonal, last, off_diagonal))
    proof = Proof(
        "b-inverse",
        "for every integer u ≥ 1 and s = 0",
        rf"(B_u^{{-1}})_{{ii}} = {sp.latex(diagonal)}\ (i<u),\ (B_u^{{-1}})_{{uu}} = {sp.latex(last)},\ "
        rf"(B_u^{{-1}})_{{i,i+1}} = {sp.latex(off_diagonal)}",
    )
    ends = (diagonal.subs(i, 1), last, last.subs(u, 1))
    return _rows(proof, diagonal, off_diagonal, ends, sp.Integer(0), sp.Integer(1))


def general_inverse() -> Theorem:
    """The inverse for every s and l: off-diagonal −1/w_{i+1}, diagonal 1/w_i + 1/w_{i+1}, last 1/w_u, w_k = s+2k−1.

    The first row has w_l = l(s+l) in place of s+2l−1, so it is checked with its own diagonal entry.
    """
    w, after = s + 2 * i - 1, s + 2 * i + 1
    proof = Proof("inverse of B, general", "for all integers s ≥ 0 and u ≥ l ≥ 1", r"B^{-1} = U^{-1} W^{-1} U^{-\top}")
    alone = 1 / (l * (s + l))
    ends = (alone + 1 / after.subs(i, l), 1 / w.subs(i, u), alone)
    return _rows(proof, 1 / w + 1 / after, -1 / after, ends, s, l)


def _rows(proof: Proof, diagonal: Any, off: Any, ends: tuple[Any, Any, Any], s: Any, l: Any) -> Theorem:
    """Show that row i of the claimed inverse times column m of B is [i = m].

    ``ends``: the first diagonal entry, the last one, and the only one where u = l.
    """

    def b(x: Any, y: Any) -> Any:
        return entry(x, y, s)

    first, last, alone = ends
    before, after_l, before_u = (off.subs(i, at) for at in (i - 1, l, u - 1))
    for text, product, value in (
        ("inner row, l < i < u, m < i", before * b(m, i) + diagonal * b(m, i) + off * b(m, i), 0),
        ("inner row, m = i", before * b(i - 1, i) + diagonal * b(i, i) + off * b(i, i + 1), 1),
        ("inner row, m > i", before * b(i - 1, m) + diagonal * b(i, m) + off * b(i + 1, m), 0),
        ("first row, l < u, m = l", first * b(l, l) + after_l * b(l, l + 1), 1),
        ("first row, m > l", first * b(l, m) + after_l * b(l + 1, m), 0),
        ("last row, u > l, m < u", before_u * b(m, u - 1) + last * b(m, u), 0),
        ("last row, m = u", before_u * b(u - 1, u) + last * b(u, u), 1),
        ("u = l, the 1 × 1 case", alone * b(l, l), 1),
    ):
        proof.identity(text, product, value)
    return proof.therefore(r"(B^{-1})\,B = I", "every row times every column").qed()
