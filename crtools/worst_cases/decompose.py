"""Copositivity of a larger matrix by M = Q + P with Q positive definite and P ≥ 0: P is guessed in floats, Q checked in balls.

Positive definiteness is shown by congruence: for a float matrix X near the inverse of Q's Cholesky factor, XQXᵀ is
computed in balls, and is definite where each diagonal entry exceeds the sum of the others in its row (X is then
regular, and Q is definite). A direction x in which Q is almost singular is eliminated first, in balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crtools.enclosure import Ball, ball, ball_matrix, midpoint

WORK = 2 * 10**9
"""Order³ × steps of the guess stays below this: some ten seconds."""


def guess_nonnegative(m: Any, x: Any) -> Any:
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


def _conditions(p: Any, m: Any, x: Any) -> Any:
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


def positive_definite(q: Any, direction: Sequence[Any] | None) -> bool:
    """Return whether a symmetric ball matrix is shown positive definite at the current precision.

    ``direction``: balls, a vector x in which q may be almost singular, or None.
    """
    if direction is not None:
        q = _eliminated(q, direction)
        if q is None:
            return False
    size = q.nrows()
    if not size:
        return True
    units = [q[a, a] for a in range(size)]
    if not all(unit > 0 for unit in units):
        return False
    units = [midpoint(1 / unit.sqrt()) for unit in units]
    scaled = ball_matrix([[e * units[a] * units[b] for b, e in enumerate(row)] for a, row in enumerate(q.tolist())])
    floats = np.array([[float(e.mid()) for e in row] for row in scaled.tolist()])
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(floats))
    except np.linalg.LinAlgError:
        return False
    if not np.isfinite(inverse).all():
        return False
    x = ball_matrix(inverse.tolist())
    return all(_dominant(a, row) for a, row in enumerate((x * scaled * x.transpose()).tolist()))


def _dominant(a: int, row: Sequence[Any]) -> bool:
    others = sum((abs(e) for b, e in enumerate(row) if b != a), ball(0))
    return bool(row[a] > others)


def _eliminated(q: Any, direction: Sequence[Any]) -> Any:
    """Return the Schur complement of q at the direction, without its largest coordinate, or None where xᵀqx > 0 fails."""
    x = ball_matrix([[v] for v in direction])
    y = q * x
    value: Ball = (x.transpose() * y)[0, 0]
    largest = max(range(len(direction)), key=lambda a: float(abs(direction[a]).mid()))
    if not (value > 0 and abs(direction[largest]) > 0):
        return None
    kept = [a for a in range(len(direction)) if a != largest]
    return ball_matrix([[q[a, b] - y[a, 0] * y[b, 0] / value for b in kept] for a in kept])
