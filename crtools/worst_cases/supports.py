"""Copositivity of a small matrix, decided exactly by running through the supports of a minimiser.

Let xᵀMx < 0 for some x ≥ 0, and let x minimise xᵀMx on Σ x_i = 1 with the smallest support S among minimisers. Then
M_S x_S = μ 1 with μ < 0. M_S is regular: for z ≠ 0 in its kernel Σ z_i = zᵀM_S x_S/μ = 0, and x + tz would reach the
boundary with the same value. So M is copositive if and only if no regular M_S has M_S⁻¹ 1 < 0 in every coordinate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from crtools.enclosure import fraction

LARGEST_ENUMERATED = 12
"""Up to this order there are at most 4095 supports."""


def negative_point(matrix: Sequence[Sequence[Any]]) -> list[Fraction] | None:
    """Return x ≥ 0 with xᵀMx < 0 for a symmetric matrix of rationals, or None where there is none: M is copositive."""
    exact = [[fraction(entry) for entry in row] for row in matrix]
    common = lcm(*(entry.denominator for row in exact for entry in row))
    rows = [[int(entry * common) for entry in row] for row in exact]
    for support in _supports(rows):
        y = _solve_ones([[rows[i][j] for j in support] for i in support])
        if y is not None and all(v < 0 for v in y):
            x = [Fraction(0)] * len(rows)
            for i, v in zip(support, y, strict=True):
                x[i] = -v
            return x
    return None


def _supports(rows: list[list[int]]) -> Iterator[list[int]]:
    """Yield the index sets S in which every row of M_S has a negative entry; elsewhere (M_S x)_i ≥ 0 for some i."""
    negative = [sum(1 << j for j, entry in enumerate(row) if entry < 0) for row in rows]
    for chosen in range(1, 1 << len(rows)):
        support = [i for i in range(len(rows)) if chosen >> i & 1]
        if all(negative[i] & chosen for i in support):
            yield support


def _solve_ones(rows: list[list[int]]) -> list[Fraction] | None:
    """Return the solution y of M y = 1 by fraction-free elimination, or None where M is singular. Overwrites ``rows``."""
    size = len(rows)
    for row in rows:
        row.append(1)
    before = 1
    for a in range(size):
        pivot = next((b for b in range(a, size) if rows[b][a]), None)
        if pivot is None:
            return None
        rows[a], rows[pivot] = rows[pivot], rows[a]
        lead, top = rows[a][a], rows[a]
        for row in rows[a + 1 :]:
            factor = row[a]
            for b in range(a + 1, size + 1):
                row[b] = (lead * row[b] - factor * top[b]) // before  # exact (Bareiss)
        before = lead
    y = [Fraction(0)] * size
    for a in range(size - 1, -1, -1):
        rest = sum((rows[a][b] * y[b] for b in range(a + 1, size)), Fraction(0))
        y[a] = (rows[a][size] - rest) / rows[a][a]
    return y
