"""Whether xᵀMx ≥ 0 for all x ≥ 0, shown exactly for few lengths and by sufficient conditions for many."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from crtools.enclosure import ball, ball_matrix, rational
from crtools.worst_cases.decompose import guess_nonnegative, positive_definite
from crtools.worst_cases.pencil import Symmetric
from crtools.worst_cases.supports import LARGEST_ENUMERATED, negative_point

ENTRYWISE = "comparison of entries, exact"
SUPPORTS = "enumeration of supports, exact copositivity test"
DEFINITE = "λD − N positive definite, in ball arithmetic"
DECOMPOSED = "λD − N = positive definite + nonnegative, in ball arithmetic"


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
