"""Copositivity of a small matrix, decided exactly by running through the supports of a minimiser.

Let xᵀMx < 0 for some x ≥ 0, and let x minimise xᵀMx on Σ x_i = 1 with the smallest support S among minimisers. Then
M_S x_S = μ 1 with μ < 0. M_S is regular: for z ≠ 0 in its kernel Σ z_i = zᵀM_S x_S/μ = 0, and x + tz would reach the
boundary with the same value. So M is copositive if and only if no regular M_S has M_S⁻¹ 1 < 0 in every coordinate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from crtools.enclosure import solution

LARGEST_ENUMERATED = 12
"""Up to this order there are at most 4095 supports."""


def negative_point(matrix: Sequence[Sequence[Any]]) -> list[Fraction] | None:
    """Return x ≥ 0 with xᵀMx < 0 for a symmetric matrix of FLINT's rationals, or None where there is none: M is copositive."""
    for support in _supports(matrix):
        y = solution([[matrix[i][j] for j in support] for i in support], [1] * len(support))
        if y is not None and all(v < 0 for v in y):
            x = [Fraction(0)] * len(matrix)
            for i, v in zip(support, y, strict=True):
                x[i] = -v
            return x
    return None


def _supports(rows: Sequence[Sequence[Any]]) -> Iterator[list[int]]:
    """Yield the index sets S in which every row of M_S has a negative entry; elsewhere (M_S x)_i ≥ 0 for some i."""
    negative = [sum(1 << j for j, entry in enumerate(row) if entry < 0) for row in rows]
    for chosen in range(1, 1 << len(rows)):
        support = [i for i in range(len(rows)) if chosen >> i & 1]
        if all(negative[i] & chosen for i in support):
            yield support
