"""Tail coordinates T_k = Σ_{i≥k} x_i, in which the matrix of a form is Uᵀ C U with U the tail-sum matrix (T = U x).

C is diagonal plus a few semiseparable terms,

    C_kk = diagonal(k),      C_ij = Σ_r left_r(i) · right_r(j)   for i < j,

so products take O(u) and no subtraction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Vector = list[Any]


class TailRow(NamedTuple):
    """The generators of one index k in tail coordinates: C_kk, and the factors of C_kj (left) and C_ik (right)."""

    diagonal: Any
    left: tuple[Any, ...] = ()
    right: tuple[Any, ...] = ()


class TailRule(NamedTuple):
    """The generators of every row: ``first(l, s)`` for the row k = l and ``inner(k, s)`` for k > l."""

    first: Callable[[Any, Any], TailRow]
    inner: Callable[[Any, Any], TailRow]


def tail_rows(rule: TailRule | None, low: int, up: int, s: int, ring: Callable[[int], Any]) -> list[TailRow]:
    """Return the generators of the rows low, …, up in tail coordinates over a ring: ``ring(int)`` makes its numbers."""
    assert rule is not None
    size = ring(s)
    return [
        rule.first(ring(low), size),
        *(rule.inner(ring(k), size) for k in range(low + 1, up + 1)),
    ]


def tail_product(rows: Sequence[TailRow], t: Sequence[Any]) -> Vector:
    """Return C T for the generators ``rows``, in O(u) operations of T's ring and without a subtraction."""
    result: Vector = [row.diagonal * value for row, value in zip(rows, t, strict=True)]
    for r in range(len(rows[0].left)):
        left = [row.left[r] for row in rows]
        right = [row.right[r] for row in rows]
        running: Any = 0
        for k in range(len(rows) - 1, -1, -1):
            result[k] += left[k] * running
            running = running + right[k] * t[k]
        running = 0
        for k in range(len(rows)):
            result[k] += right[k] * running
            running = running + left[k] * t[k]
    return result


def tail_sums(x: Sequence[Any]) -> Vector:
    """Return T_k = Σ_{i≥k} x_i."""
    return prefix_sums(x[::-1])[::-1]


def prefix_sums(x: Sequence[Any]) -> Vector:
    """Return the running sums of ``x``."""
    from itertools import accumulate

    return list(accumulate(x))


def float_tail_rows(rule: TailRule | None, low: int, up: int, s: int, *, starts: bool = True) -> TailRow:
    """Return the generators of rows low, …, up as float arrays; with ``starts`` the row low is the first."""
    import numpy as np

    return array_tail_rows(rule, np.arange(low, up + 1, dtype=float), float(s), starts=starts)


def array_tail_rows(rule: TailRule | None, k: Any, s: Any, *, starts: bool) -> TailRow:
    """Return the generators of the rows of successive lengths k, an array of floats or balls; with ``starts`` as above."""
    assert rule is not None
    if not starts:
        return rule.inner(k, s)
    own = rule.first(k[0], s)
    k = k.copy()
    k[0] += 1  # row l has its own rule, whatever the inner one is there
    row = rule.inner(k, s)
    for array, number in zip((row.diagonal, *row.left, *row.right), (own.diagonal, *own.left, *own.right), strict=True):
        array[0] = number
    return row


def float_tail_product(row: TailRow, t: Any) -> Any:
    """Return C T for generators and T as float arrays."""
    import numpy as np

    result = row.diagonal * t
    for left, right in zip(row.left, row.right, strict=True):
        suffix = np.zeros_like(t)
        suffix[:-1] = float_tail_sums(right * t)[1:]
        prefix = np.zeros_like(t)
        prefix[1:] = np.cumsum(left * t)[:-1]
        result += left * suffix + right * prefix
    return result


def float_tail_sums(x: Any) -> Any:
    """Return T_k = Σ_{i≥k} x_i of a float array."""
    import numpy as np

    return np.cumsum(x[::-1])[::-1]


def float_prefix_sums(x: Any) -> Any:
    """Return the running sums of a float array."""
    import numpy as np

    return np.cumsum(x)
