"""Decide whether xᵀMx ≥ 0 for all x ≥ 0: exactly for few lengths, by sufficient conditions for many.

Exactly, by running through the supports of a minimiser: let xᵀMx < 0 for some x ≥ 0, and let x minimise xᵀMx on
Σ x_i = 1 with the smallest support S among minimisers. Then M_S x_S = μ 1 with μ < 0. M_S is regular: for z ≠ 0 in its
kernel Σ z_i = zᵀM_S x_S/μ = 0, and x + tz would reach the boundary with the same value. So M is copositive if and only
if no regular M_S has M_S⁻¹ 1 < 0 in every coordinate.

For more lengths, by M = Q + P with Q positive definite and P ≥ 0: P is guessed in floats, and Q is checked in balls by
congruence. For a float matrix X near the inverse of Q's Cholesky factor, XQXᵀ is computed in balls; Q is definite where each
diagonal entry exceeds the sum of the others in its row. A direction x in which Q is almost singular is eliminated first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from crtools.enclosure import ball, ball_matrix, midpoint, solution
from crtools.numeric_types import Ball, BallMatrix, FloatArray, IntArray, Rational

Rows = list[list[Rational]]
"""The rows of a matrix of FLINT's rationals."""

ENTRYWISE = "comparison of entries, exact"
SUPPORTS = "enumeration of supports, exact copositivity test"
DEFINITE = "λD − N positive definite, in ball arithmetic"
DECOMPOSED = "λD − N = positive definite + nonnegative, in ball arithmetic"

LARGEST_ENUMERATED = 12
"""Up to this order there are at most 4095 supports, and all are tried where an exact value is wanted."""


class Finding(NamedTuple):
    """The outcome for a matrix: the ``method`` that shows it copositive, or a ``point`` x ≥ 0 with xᵀMx < 0, or neither."""

    method: str | None = None
    point: list[Fraction] | None = None


def copositive(
    rows: Rows, units: FloatArray, direction: Sequence[Ball] | None = None, *, exactly: bool = False
) -> Finding:
    """Look for a proof that a symmetric matrix is copositive; what involves balls runs at the current precision.

    A length whose row has no negative entry can be left out, again and again: xᵀMx is the least without it. If at most
    ``LARGEST_ENUMERATED`` lengths remain the answer is exact. Otherwise M = Q + P is tried with Q definite and P ≥ 0;
    ``direction`` is a vector ≥ 0 of balls at which M almost vanishes, and M_ij is of the order of c_i c_j for the ``units`` c. With
    ``exactly`` that is not tried.
    """
    kept = _undecided(rows)
    if not kept.size:
        return Finding(ENTRYWISE)
    if kept.size <= LARGEST_ENUMERATED:
        point = negative_point([[rows[i][j] for j in kept] for i in kept])
        if point is None:
            return Finding(SUPPORTS)
        at = dict(zip(kept.tolist(), point, strict=True))
        return Finding(point=[at.get(a, Fraction(0)) for a in range(len(rows))])
    return Finding() if exactly else _decomposed(rows, units, kept, direction)


def _undecided(rows: Rows) -> IntArray:
    """Return the indices that remain when rows without a negative entry are left out, again and again."""
    negative = np.array([[e < 0 for e in row] for row in rows])
    kept = np.arange(len(negative))
    while True:
        needed = negative[np.ix_(kept, kept)].any(axis=1)
        if needed.all():
            return kept
        kept = kept[needed]


def negative_point(matrix: Sequence[Sequence[Rational]]) -> list[Fraction] | None:
    """Return x ≥ 0 with xᵀMx < 0 for a symmetric matrix of FLINT's rationals, or None where there is none: M is copositive."""
    for support in _supports(matrix):
        y = solution([[matrix[i][j] for j in support] for i in support], [1] * len(support))
        if y is not None and all(v < 0 for v in y):
            inside = dict(zip(support, y, strict=True))
            return [-inside.get(i, Fraction(0)) for i in range(len(matrix))]
    return None


def _supports(rows: Sequence[Sequence[Rational]]) -> Iterator[list[int]]:
    """Yield the index sets S in which every row of M_S has a negative entry; elsewhere (M_S x)_i ≥ 0 for some i."""
    negative = [sum(1 << j for j, entry in enumerate(row) if entry < 0) for row in rows]
    for chosen in range(1, 1 << len(rows)):
        support = [i for i in range(len(rows)) if chosen >> i & 1]
        if all(negative[i] & chosen for i in support):
            yield support


def _decomposed(rows: Rows, units: FloatArray, kept: IntArray, direction: Sequence[Ball] | None) -> Finding:
    scale = {i: ball(float(units[i])) for i in kept}
    at = None if direction is None else [direction[i] * c for i, c in scale.items()]
    if at is not None and not any(v > 0 for v in at):
        at = None
    scaled = ball_matrix([[ball(rows[i][j]) / (c * d) for j, d in scale.items()] for i, c in scale.items()])
    x = np.zeros(len(kept)) if at is None else np.array([float(v.mid()) for v in at])
    guess = guess_nonnegative(_middles(scaled), x)
    p = np.maximum((guess + guess.T) / 2, 0)  # symmetric and ≥ 0, whatever the guess was
    if not positive_definite(scaled - ball_matrix(p.tolist()), at):
        return Finding()
    return Finding(DECOMPOSED if p.any() else DEFINITE)


def _middles(matrix: BallMatrix) -> FloatArray:
    return np.array([[float(e.mid()) for e in row] for row in matrix.tolist()])


# ---- positive definite plus nonnegative ---------------------------------------------------------------------------

WORK = 2 * 10**9
"""Order³ × steps of the guess stays below this, some ten seconds, up to order 464; above it 20 steps are made."""


def guess_nonnegative(m: FloatArray, x: FloatArray) -> FloatArray:
    """Return P ≥ 0, symmetric, such that m − P is nearly positive definite on the complement of x, with (m − P)x ≈ 0.

    ``m``: floats, a matrix that is nearly 0 at ``x`` ≥ 0 and nowhere far below; x = 0 asks for m − P definite
    everywhere. P vanishes on the support of x. Alternating steps between the definite cone and P's conditions; returns
    the best P met.
    """
    import scipy.linalg

    basis = scipy.linalg.null_space(x[None, :]) if x.any() else np.eye(len(m))
    if not basis.size:
        return np.zeros_like(m)
    scale = float(np.abs(m).max()) or 1.0
    p = np.zeros_like(m) if (x > 0).all() else _conditions(np.where(np.eye(len(m)) > 0, 0, m), m, x)
    best, best_p = -np.inf, p
    for _ in range(max(20, min(500, WORK // len(m) ** 3))):
        values, vectors = np.linalg.eigh(basis.T @ (m - p) @ basis)
        if values[0] > best:
            best, best_p = float(values[0]), p
        if best > 1e-4 * scale or (x > 0).all():
            break
        lacking = basis @ vectors
        p = _conditions(p - 1.5 * (lacking * np.maximum(2e-4 * scale - values, 0)) @ lacking.T, m, x)
    return best_p


def _conditions(p: FloatArray, m: FloatArray, x: FloatArray) -> FloatArray:
    """Return P made ≥ 0, 0 on the support of x, with its other rows scaled so that Px = max(mx, 0) there."""
    p = np.maximum(p, 0)
    kept, other = x > 0, x == 0
    p[np.ix_(kept, kept)] = 0
    if kept.any() and other.any():
        part = p[np.ix_(other, kept)]
        part[part @ x[kept] <= 0] = 1.0
        part *= (np.maximum((m @ x)[other], 0) / (part @ x[kept]))[:, None]
        p[np.ix_(other, kept)] = part
        p[np.ix_(kept, other)] = part.T
    return p


def positive_definite(q: BallMatrix, direction: Sequence[Ball] | None) -> bool:
    """Return whether a symmetric ball matrix is shown positive definite at the current precision.

    ``direction``: balls, a vector x in which q may be almost singular, or None.
    """
    m = q if direction is None else _eliminated(q, direction)
    if m is None:
        return False
    units = [m[a, a] for a in range(m.nrows())]
    if not units:
        return True
    if not all(unit > 0 for unit in units):
        return False
    units = [midpoint(1 / unit.sqrt()) for unit in units]
    scaled = ball_matrix([[e * units[a] * units[b] for b, e in enumerate(row)] for a, row in enumerate(m.tolist())])
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(_middles(scaled)))
    except np.linalg.LinAlgError:
        return False
    if not np.isfinite(inverse).all():
        return False
    x = ball_matrix(inverse.tolist())
    rows: list[list[Ball]] = (x * scaled * x.transpose()).tolist()
    return all(row[a] > sum((abs(e) for b, e in enumerate(row) if b != a), ball(0)) for a, row in enumerate(rows))


def _eliminated(q: BallMatrix, direction: Sequence[Ball]) -> BallMatrix | None:
    """Return the Schur complement of q at the direction, without its largest coordinate, or None where xᵀqx > 0 fails."""
    x = ball_matrix([[v] for v in direction])
    y = q * x
    value: Ball = (x.transpose() * y)[0, 0]
    largest = max(range(len(direction)), key=lambda a: float(abs(direction[a]).mid()))
    if not (value > 0 and abs(direction[largest]) > 0):
        return None
    kept = [a for a in range(len(direction)) if a != largest]
    return ball_matrix([[q[a, b] - y[a, 0] * y[b, 0] / value for b in kept] for a in kept])
