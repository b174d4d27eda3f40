"""A stationary point of xᵀNx / xᵀDx on its support, to any number of digits, by Newton's method with one float Jacobian."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from crtools.enclosure import ball, ball_matrix, fraction, midpoint, rational
from crtools.numeric_types import Ball, BallMatrix, FloatArray, Rational
from crtools.worst_cases.pencil import Pencil
from crtools.worst_cases.search import quotient

SIMPLEST = 1000
"""Weights are first tried as fractions of the largest with denominators up to this."""

FEW = 40
"""Supports of up to this size are tried as fractions."""


def refine(pencil: Pencil, y: FloatArray, digits: int) -> tuple[list[Ball], Ball]:
    """Return exact balls x ≥ 0 near the float point y, and a ball of the ratio at x, whose defect is below 10^(−digits).

    y is in the coordinates of ``pencil.floats``. Where Newton's method stalls the best x met is returned.
    """
    import scipy.linalg

    kept = np.flatnonzero(y)
    inside = np.ix_(kept, kept)
    (n, d), units = (m[inside] for m in pencil.floats), pencil.units[kept]
    unit = rational(pencil.unit)
    top, bottom = (ball_matrix([[rows[i][j] / unit for j in kept] for i in kept]) for rows in pencil.exact)
    border = (d @ y[kept])[:, None]
    jacobian = np.block([[n - quotient(n, d, y[kept]) * d, -border], [border.T, np.zeros((1, 1))]])
    scale = [ball(float(c)) for c in units]
    x = ball_matrix([[ball(float(v)) / c] for v, c in zip(y[kept], scale, strict=True)]).mid()
    best: Any = None
    with np.errstate(all="ignore"):
        factors = scipy.linalg.lu_factor(jacobian, check_finite=False)
        for _ in range(4 + digits // 4):
            value, defect = _defect(top, bottom, x, scale)
            size = max((abs(v) for v in defect), key=lambda v: float(v.log().mid()) if v > 0 else -np.inf)
            if best is not None and not size * 2 < best[2]:
                break
            best = x, value, size
            if not size > ball(Fraction(1, 10 ** (digits // 2 + 8))):
                break
            step = scipy.linalg.lu_solve(
                factors, [*(-float((v / size).mid()) for v in defect), 0.0], check_finite=False
            )
            if not np.isfinite(step).all():
                break
            moved = [x[a, 0] + size * ball(float(v)) / c for a, (v, c) in enumerate(zip(step[:-1], scale, strict=True))]
            if not all(v > 0 for v in moved):
                break
            x = ball_matrix([[midpoint(v)] for v in moved])
    x, value, _ = best
    result = [ball(0)] * pencil.order
    for a, k in enumerate(kept):
        result[k] = x[a, 0]
    return result, value


def _defect(top: BallMatrix, bottom: BallMatrix, x: BallMatrix, scale: list[Ball]) -> tuple[Ball, list[Ball]]:
    """Return the ratio λ at x as a ball, and the midpoints of (Nx − λDx)_i / c_i."""
    above, below = top * x, bottom * x
    value = (x.transpose() * above)[0, 0] / (x.transpose() * below)[0, 0]
    return value, [midpoint((above[a, 0] - value * below[a, 0]) / c) for a, c in enumerate(scale)]


def rational_point(pencil: Pencil, y: FloatArray) -> Fraction | None:
    """Return the exact ratio at a simple rational point near y that is stationary on its support, or None."""
    kept = np.flatnonzero(y)
    if len(kept) > FEW:
        return None
    near = y[kept] / pencil.units[kept]
    x = [rational(Fraction(float(v / near.max())).limit_denominator(SIMPLEST)) for v in near]
    above, below = ([_dot([rows[i][j] for j in kept], x) for i in kept] for rows in pencil.exact)
    value = _dot(above, x) / _dot(below, x)
    return fraction(value) if all(a == value * b for a, b in zip(above, below, strict=True)) else None


def _dot(a: list[Rational], b: list[Rational]) -> Rational:
    return sum((v * w for v, w in zip(a, b, strict=True)), rational(0))
