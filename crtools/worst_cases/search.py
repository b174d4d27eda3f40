"""Local search for the largest ratio xᵀnx / xᵀdx over x ≥ 0, in floats, where d has ones on its diagonal.

Nothing here is trusted: what is found is a lower bound once its quotient is evaluated rigorously. Starts are single
lengths, all pairs (in closed form), eigenvectors and random points; each climbs along coordinates with the exact step
and ends in an eigenvector of the lengths that it uses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from crtools.numeric_types import FloatArray, IntArray

FARTHEST = 1e6
"""The longest step along a coordinate, for max x = 1: what lies beyond is that coordinate alone."""

NEGLIGIBLE = 1e-10
"""Coordinates below this share of the largest are taken as 0."""


def quotient(n: FloatArray, d: FloatArray, x: FloatArray) -> float:
    """Return xᵀnx / xᵀdx."""
    return float(x @ n @ x / (x @ d @ x))


def starts(n: FloatArray, d: FloatArray, blocks: Sequence[IntArray], count: int) -> Iterator[FloatArray]:
    """Yield starting points: the top eigenvector of each block, ``count`` pairs of lengths and as many random points.

    A pair is e_i + t e_j with the largest ratio over j and t ≥ 0; those i come first where this is largest.
    """
    for block in blocks:
        x = eigenvector_start(n, d, block)
        if x is not None:
            yield x
    one, diagonal = np.ones(len(n)), np.diag(n)
    pairs: list[tuple[float, int, int, float]] = []
    for i in range(len(n)):
        steps, values = _along(n[i, i], n[i], diagonal, d[i, i], d[i], 0 * one)
        j = int(values.argmax())
        pairs.append((float(values[j]), i, j, float(steps[j])))
    for _, i, j, step in sorted(pairs, reverse=True)[:count]:
        x = np.zeros(len(n))
        x[i] = 1
        x[j] += step
        yield x
    generator = np.random.default_rng(0)
    for _ in range(count):
        yield generator.dirichlet(one)


def eigenvector_start(n: FloatArray, d: FloatArray, kept: IntArray) -> FloatArray | None:
    """Return the top eigenvector on ever fewer coordinates until it is positive there; None where d is not definite."""
    import scipy.linalg

    size = len(n)
    while True:
        last = len(kept) - 1
        inside = np.ix_(kept, kept)
        try:
            _, vectors = scipy.linalg.eigh(n[inside], d[inside], subset_by_index=[last, last])
        except np.linalg.LinAlgError:
            return None
        if vectors.shape[1] == 0:  # LAPACK may find none where all eigenvalues are one
            _, vectors = scipy.linalg.eigh(n[inside], d[inside])
            vectors = vectors[:, -1:]
        v = vectors[:, 0] * (np.sign(vectors[:, 0].sum()) or 1.0)
        positive = v > 1e-12 * np.abs(v).max()
        if positive.all() or not positive.any():
            x = np.zeros(size)
            x[kept] = np.abs(v)
            return x
        kept = kept[positive]


def climb(n: FloatArray, d: FloatArray, x: FloatArray, rounds: int = 20) -> FloatArray:
    """Return a local maximiser ≥ 0 with largest coordinate 1: coordinate steps and eigenvectors, in turn."""
    for _ in range(rounds):
        x, stationary = _settle(n, d, _coordinate_steps(n, d, x / x.max()))
        if stationary:
            break
    return x


def _coordinate_steps(n: FloatArray, d: FloatArray, x: FloatArray, steps: int = 300) -> FloatArray:
    diagonal = np.diag(n)
    nx, dx = n @ x, d @ x
    for step in range(1, steps + 1):
        if step % 50 == 0 or x.max() < 0.1:  # afresh, against the drift of the updates
            x = x / x.max()
            nx, dx = n @ x, d @ x
        above, below = float(x @ nx), float(x @ dx)
        moves, values = _along(above, nx, diagonal, below, dx, -x)
        i = int(values.argmax())
        if not values[i] > above / below + 1e-14 * abs(above / below):
            break
        x[i] = max(x[i] + moves[i], 0.0) if moves[i] > -x[i] else 0.0
        nx, dx = nx + moves[i] * n[i], dx + moves[i] * d[i]
    return x / x.max()


def _along(
    a: Any, b: FloatArray, c: FloatArray, e: Any, f: FloatArray, lowest: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Maximise (a + 2bt + ct²)/(e + 2ft + t²) over t ≥ ``lowest``, for arrays; return the steps and the values."""
    p, q, r = b * e - f * a, c * e - a, c * f - b  # the derivative's numerator is p + qt + rt²
    with np.errstate(all="ignore"):
        half = -(q + np.copysign(np.sqrt(np.maximum(q * q - 4 * r * p, 0)), q)) / 2
        t = np.stack([half / r, p / half, lowest])
        t = np.where(np.isfinite(t) & (t >= lowest), np.minimum(t, FARTHEST), lowest)
        below = e + 2 * f * t + t * t
        values = np.where(below > 1e-9 * e, (a + 2 * b * t + c * t * t) / below, -np.inf)
    best = values.argmax(axis=0)
    columns = np.arange(len(best))
    return t[best, columns], values[best, columns]


def _settle(n: FloatArray, d: FloatArray, x: FloatArray) -> tuple[FloatArray, bool]:
    """Move to the eigenvector near x on its support, if it is positive; say whether no coordinate wants to grow."""
    kept = x > NEGLIGIBLE * x.max()
    inside = np.ix_(kept, kept)
    top, bottom, y = n[inside], d[inside], x[kept]
    for _ in range(6):
        rho = quotient(top, bottom, y)
        try:
            z = np.linalg.solve(top - rho * bottom, bottom @ y)
        except np.linalg.LinAlgError:
            break
        z = z * np.sign(z.sum())
        if not (np.isfinite(z).all() and (z > 0).all()) or quotient(top, bottom, z) < rho - 1e-13 * abs(rho):
            break
        y = z / z.max()
    result = np.zeros_like(x)
    result[kept] = y / y.max()
    product = n @ result
    growth = np.where(kept, -np.inf, product - quotient(n, d, result) * (d @ result))
    return result, bool(growth.max() <= 1e-11 * np.abs(product).max())
