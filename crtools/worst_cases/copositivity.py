"""Whether xᵀMx ≥ 0 for all x ≥ 0, shown exactly for few lengths and by sufficient conditions for many.

Exactly, by running through the supports of a minimiser: let xᵀMx < 0 for some x ≥ 0, and let x minimise xᵀMx on
Σ x_i = 1 with the smallest support S among minimisers. Then M_S x_S = μ 1 with μ < 0. M_S is regular: for z ≠ 0 in its
kernel Σ z_i = zᵀM_S x_S/μ = 0, and x + tz would reach the boundary with the same value. So M is copositive if and only
if no regular M_S has M_S⁻¹ 1 < 0 in every coordinate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from crtools.enclosure import ball, ball_matrix, rational, solution
from crtools.worst_cases.decompose import guess_nonnegative, positive_definite
from crtools.worst_cases.pencil import Symmetric

ENTRYWISE = "comparison of entries, exact"
SUPPORTS = "enumeration of supports, exact copositivity test"
DEFINITE = "λD − N positive definite, in ball arithmetic"
DECOMPOSED = "λD − N = positive definite + nonnegative, in ball arithmetic"

LARGEST_ENUMERATED = 12
"""Up to this order there are at most 4095 supports."""


class Finding(NamedTuple):
    """What was found of a matrix: the ``method`` that shows it copositive, or a ``point`` x ≥ 0 with xᵀMx < 0, or neither."""

    method: str | None = None
    point: list[Fraction] | None = None


def copositive(matrix: Symmetric, direction: Sequence[Any] | None = None, *, exactly: bool = False) -> Finding:
    """Look for a proof that a matrix is copositive; what involves balls runs at the current precision.

    A length whose row has no negative entry can be left out, again and again: xᵀMx is the least without it. If at most
    ``LARGEST_ENUMERATED`` lengths remain the answer is exact. Otherwise M = Q + P is tried with Q definite and P ≥ 0;
    ``direction`` is a vector ≥ 0 of balls at which M almost vanishes. With ``exactly`` that is not tried.
    """
    kept = _undecided(matrix)
    if not kept.size:
        return Finding(ENTRYWISE)
    if kept.size <= LARGEST_ENUMERATED:
        point = negative_point([[matrix.rows[i][j] for j in kept] for i in kept])
        if point is None:
            return Finding(SUPPORTS)
        at = dict(zip(kept.tolist(), point, strict=True))
        return Finding(point=[at.get(a, Fraction(0)) for a in range(len(matrix.rows))])
    return Finding() if exactly else _decomposed(matrix, kept, direction)


def _undecided(matrix: Symmetric) -> Any:
    """Return the indices that remain when rows without a negative entry are left out, again and again."""
    negative = np.array([[e < 0 for e in row] for row in matrix.rows])
    kept = np.arange(len(negative))
    while True:
        needed = negative[np.ix_(kept, kept)].any(axis=1)
        if needed.all():
            return kept
        kept = kept[needed]


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


def _decomposed(matrix: Symmetric, kept: Any, direction: Sequence[Any] | None) -> Finding:
    units = matrix.units[kept]
    at = None if direction is None else [direction[a] * ball(float(c)) for a, c in zip(kept, units, strict=True)]
    if at is not None and not any(v > 0 for v in at):
        at = None
    x = np.zeros(len(kept)) if at is None else np.array([float(v.mid()) for v in at])
    guess = guess_nonnegative(matrix.floats[np.ix_(kept, kept)], x)
    p = np.maximum((guess + guess.T) / 2, 0)  # symmetric and ≥ 0, whatever the guess was
    inverse, unit = {i: 1 / ball(float(c)) for i, c in zip(kept, units, strict=True)}, rational(matrix.unit)
    scaled = ball_matrix([[ball(matrix.rows[i][j] / unit) * inverse[i] * inverse[j] for j in kept] for i in kept])
    if not positive_definite(scaled - ball_matrix(p.tolist()), at):
        return Finding()
    return Finding(DECOMPOSED if p.any() else DEFINITE)
