"""Tail coordinates T_k = Σ_{i≥k} x_i, in which the matrix of a form is Uᵀ C U with U the tail-sum matrix (T = U x).

C is diagonal plus a few semiseparable terms,

    C_kk = diagonal(k),      C_ij = Σ_r left_r(i) · right_r(j)   for i < j,

so products take O(u) and no subtraction.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from crtools.numeric_types import RingElement


class TailRow(NamedTuple):
    """The generators of a row k, or of an array of rows: C_kk, and the factors of C_kj (left) and of C_ik (right)."""

    diagonal: RingElement
    left: tuple[RingElement, ...] = ()
    right: tuple[RingElement, ...] = ()


class TailRule(NamedTuple):
    """The generators of every row: ``first(l, s)`` for the row k = l and ``inner(k, s)`` for k > l."""

    first: Callable[[RingElement, RingElement], TailRow]
    inner: Callable[[RingElement, RingElement], TailRow]


def tail_rows(rule: TailRule | None, k: RingElement, s: RingElement, *, starts: bool = True) -> TailRow:
    """Return the generators of the rows of successive lengths k, an array over any ring; with ``starts`` row k[0] is the first."""
    assert rule is not None
    if not starts:
        return rule.inner(k, s)

    def column(first: RingElement, others: RingElement) -> RingElement:
        values = np.empty_like(k)
        values[0], values[1:] = first, others
        return values

    first_row, inner_rows = rule.first(k[0], s), rule.inner(k[1:], s)
    return TailRow(
        column(first_row.diagonal, inner_rows.diagonal),
        tuple(map(column, first_row.left, inner_rows.left)),
        tuple(map(column, first_row.right, inner_rows.right)),
    )


def tail_product(row: TailRow, t: RingElement) -> RingElement:
    """Return C T for arrays of generators and of T, in O(u) operations of their ring and without a subtraction."""
    result = row.diagonal * t
    for left, right in zip(row.left, row.right, strict=True):
        suffix, prefix = np.zeros_like(t), np.zeros_like(t)
        suffix[:-1] = tail_sums(right * t)[1:]
        prefix[1:] = np.cumsum(left * t)[:-1]
        result += left * suffix + right * prefix
    return result


def tail_sums(x: RingElement) -> RingElement:
    """Return T_k = Σ_{i≥k} x_i of an array."""
    return np.cumsum(x[::-1])[::-1]
