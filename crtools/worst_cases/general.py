"""The worst case of any two forms: a copositive problem, bounded from both sides.

sup xᵀNx / xᵀDx over x ≥ 0 is the least λ for which λD − N is copositive. From below: the ratio at the best weights that a
search finds, evaluated in balls. From above: the λ just above it, with a proof that λD − N is copositive. A point that
refutes such a λ is where the search goes on. The search runs in floats, on n and d with ones on d's diagonal. Its starts are pairs
(in closed form), eigenvectors and random points; each climbs along coordinates with the exact step and ends in an eigenvector of
the lengths that it uses.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from crtools.enclosure import (
    Enclosure,
    ball,
    ball_matrix,
    ends,
    fraction,
    midpoint,
    precision,
    rational,
    relative_width_of,
)
from crtools.errors import InputError, NotCertified
from crtools.forms import FORMS, Form
from crtools.numeric_types import Ball, BallMatrix, FloatArray, IntArray, Rational
from crtools.worst_cases.base import WorstCase, narrow
from crtools.worst_cases.copositivity import Rows, copositive

LARGEST_BOUNDED = 1000
"""Up to this order upper bounds are computed; the exact entries alone take some ten seconds there."""

LARGEST_AT_ONCE = 120
"""Up to this order the value too waits for the upper bound, which may find better weights."""

DIGITS = 11
"""The digits that :meth:`General.bounds` tries first."""

GAPS = (*(Fraction(1, 10**k) for k in range(3, 8)), *(Fraction(k, 100) for k in (1, 2, 5, 10, 20, 50, 100, 300, 1000)))
"""The relative gaps between the bounds among which one is sought where they do not meet."""

LARGEST_ORDER = 4000
"""A float matrix takes 8 n² bytes, and an eigenvalue problem of the order of n³ operations."""

ENTRY_BY_ENTRY = 200
"""Up to this order the floats are rounded from exact entries; above it the formulas run on arrays."""

SHARE = Fraction(1, 2**30)
"""The share of D's diagonal that is subtracted before D is shown copositive."""


class General(WorstCase):
    """The supremum of xᵀNx / xᵀDx over weights x ≥ 0 on ``lengths``: those of the setting on which both forms are defined."""

    @cached_property
    def lengths(self) -> list[int]:
        """The lengths that weights may have, in order; raises ``InputError`` for more than ``LARGEST_ORDER``."""
        l, u = self.setting.l, self.setting.u
        few = [set(f.lengths(l, u)) for f in (self.policy, self.against) if f.lengths is not None]
        if few:
            blocks = self.setting.blocks()
            return [k for k in sorted(set.intersection(*few)) if any(low <= k <= up for low, up in blocks)]
        if sum(up - low + 1 for low, up in self.setting.blocks()) > LARGEST_ORDER:
            raise InputError("u", u, f"forms without a tail structure take at most {LARGEST_ORDER} lengths")
        return self.setting.lengths()

    @cached_property
    def exact_matrices(self) -> tuple[Rows, Rows]:
        """N and D over ``unit`` as rows of exact rationals."""
        return self._exact_rows(self.policy), self._exact_rows(self.against)

    def _exact_rows(self, form: Form) -> Rows:
        on, unit = form.on(self.setting), rational(self.unit)
        any_ring = any(form is installed for installed in FORMS.values())  # a user's formula is promised fractions only
        rows: Rows = [[rational(0)] * len(self.lengths) for _ in self.lengths]
        for (a, i), (b, j) in combinations_with_replacement(enumerate(self.lengths), 2):
            entry = on.entry(i, j, rational) if any_ring else rational(on.entry(i, j))
            rows[a][b] = rows[b][a] = entry / unit
        return rows

    @cached_property
    def _diagonal(self) -> list[Fraction]:
        """The entries on D's diagonal; raises ``InputError`` where one is ≤ 0."""
        on = self.against.on(self.setting)
        diagonal = [Fraction(on.entry(k, k)) for k in self.lengths]
        if min(diagonal) <= 0:
            raise self._not_copositive
        return diagonal

    @cached_property
    def unit(self) -> Fraction:
        """The largest entry on D's diagonal."""
        return max(self._diagonal)

    @cached_property
    def units(self) -> FloatArray:
        """c_i = √(D_ii / ``unit``) as floats: a weight x_i is c_i x_i in the coordinates of :attr:`float_matrices`."""
        return np.sqrt([float(entry / self.unit) for entry in self._diagonal])

    @cached_property
    def float_matrices(self) -> tuple[FloatArray, FloatArray]:
        """The arrays N_ij/(c_i c_j) and D_ij/(c_i c_j), over ``unit``: D has ones on its diagonal."""
        if len(self.lengths) <= ENTRY_BY_ENTRY:
            both = [np.array([[float(fraction(e)) for e in row] for row in rows]) for rows in self.exact_matrices]
        else:
            kept = np.array(self.lengths) - self.setting.l
            inside = np.ix_(kept, kept)
            both = [f.on(self.setting).matrix(float)[inside] / float(self.unit) for f in (self.policy, self.against)]
        n, d = (m / self.units / self.units[:, None] for m in both)
        return n, d

    def excess(self, bound: Fraction) -> Rows:
        """Return (bound · D − N)/``unit``: copositive where ``bound`` is at least the worst case, and only there."""
        factor = rational(bound)
        return [[factor * b - a for a, b in zip(*pair, strict=True)] for pair in zip(*self.exact_matrices, strict=True)]

    @property
    def _not_copositive(self) -> InputError:
        """The error for a denominator that may vanish or be negative at some weights."""
        allowed = "must be positive at all weights x ≥ 0, x ≠ 0; that is not shown in this setting"
        return InputError("against", self.against.name, allowed)

    @cached_property
    def value(self) -> float:
        """The largest ratio found, as a float."""
        if len(self.lengths) <= LARGEST_AT_ONCE:
            with suppress(NotCertified):
                return float(self.bounds().lower)
        return quotient(*self.float_matrices, self._point)

    def _weights(self) -> FloatArray:
        """Return weights at which the ratio is :attr:`value`, after which the best point of the search is known."""
        _ = self.value
        x, weights = self._point / self.units, np.zeros(self.setting.size)
        weights[np.array(self.lengths) - self.setting.l] = x / x.sum()
        return weights

    @property
    def method(self) -> str:
        """How the upper bound was obtained, or what was done without one."""
        try:
            return self.bounds().method
        except NotCertified:
            return "vertices, pairs and ascent from many starts, in floats"

    def bounds(self) -> Enclosure:
        """Return certified bounds, however far apart; raises ``NotCertified`` where no upper bound is found."""
        return self._reached

    @cached_property
    def _reached(self) -> Enclosure:
        self._check()
        return self._tight(DIGITS) or self._wide()

    def _enclosure(self, digits: int, method: str) -> Enclosure:
        self._check()
        reached = self.__dict__.get("_reached")
        if reached is None or reached.relative_width() > relative_width_of(digits):
            tight = self._tight(digits)
            if tight is not None:
                return tight
        low, high = self.bounds().decimals(DIGITS)
        reason = f"no enclosure of the asked width: {low} ≤ worst case ≤ {high} is certified"
        return narrow(self.bounds(), digits, reason)

    # ---- the pieces -------------------------------------------------------------------------------------------------

    @cached_property
    def _point(self) -> FloatArray:
        """The best point of the search, in the coordinates of :attr:`float_matrices`."""
        n, d = self.float_matrices
        if not (np.isfinite(n).all() and np.isfinite(d).all()):
            raise InputError("policy", self.policy.name, "has an entry beyond the range of floats in this setting")
        if (d < 0).any() and not (len(self.lengths) <= LARGEST_BOUNDED and self._defined):
            raise self._not_copositive
        tries = 8 if len(self.lengths) <= LARGEST_AT_ONCE else 2
        lengths = np.array(self.lengths)
        blocks = [np.flatnonzero((lengths >= low) & (lengths <= up)) for low, up in self.setting.blocks()]
        parts = [np.arange(len(lengths)), *(block for block in blocks if 0 < len(block) < len(lengths))]
        return max((climb(n, d, x) for x in starts(n, d, parts, tries)), key=lambda x: quotient(n, d, x))

    def _tight(self, digits: int) -> Enclosure | None:
        """Return an enclosure of the asked width with its ends about the best point, which may improve on the way."""
        with precision(int(3.33 * digits) + 96 + len(self.lengths).bit_length()):
            while True:
                exact = self._exact()
                if exact is not None:
                    return exact
                x, value = refine(self, self._point, digits + 3)
                lower = ends(value)[0]
                upper = lower + abs(lower) * relative_width_of(digits) * 3 / 4
                test = copositive(self.excess(upper), self.units, x)
                if test.method is not None and lower:
                    return Enclosure(lower, upper, test.method)
                if test.point is None or not self._improve(test.point):
                    return None

    def _improve(self, point: list[Fraction]) -> bool:
        """Go on from a better point; return whether that was better than what is known."""
        n, d = self.float_matrices
        start = np.array([float(v / max(point)) for v in point]) * self.units
        better = max((start, climb(n, d, start)), key=lambda x: quotient(n, d, x))
        if not quotient(n, d, better) > quotient(n, d, self._point):
            return False
        self._point = better
        return True

    def _exact(self) -> Enclosure | None:
        """Return the exact worst case where it is the ratio at simple fractions and few lengths decide it."""
        value = rational_point(self, self._point)
        if value is None:
            return None
        test = copositive(self.excess(value), self.units, exactly=True)
        return None if test.method is None else Enclosure(value, value, test.method)

    def _wide(self) -> Enclosure:
        """Return the lower bound and the least upper bound among a few, sought by bisection, that has a proof."""
        n, d = self.float_matrices
        with precision(128):
            lower = ends(refine(self, self._point, DIGITS)[1])[0]
            unit = abs(lower) or Fraction(float(np.abs(np.diag(n)).max())) or Fraction(1)
            uppers = sorted([*(lower + gap * unit for gap in GAPS), *_entrywise(n, d)])
            proof = cache(lambda upper: copositive(self.excess(upper), self.units).method or "")
            first_proved = bisect_left(uppers, True, key=lambda upper: bool(proof(upper)))
            if first_proved == len(uppers):
                raise NotCertified("no upper bound was found")
            return Enclosure(lower, uppers[first_proved], proof(uppers[first_proved]))

    def _check(self) -> None:
        """Raise unless D is shown strictly copositive and the order allows bounds."""
        if len(self.lengths) > LARGEST_BOUNDED:
            raise NotCertified(f"a pair of forms without a theorem is bounded on at most {LARGEST_BOUNDED} lengths")
        if not self._defined:
            raise self._not_copositive

    @cached_property
    def _defined(self) -> bool:
        """Whether D less a small share of its diagonal is copositive, so that D is strictly so."""
        rows = [list(row) for row in self.exact_matrices[1]]
        if all(e >= 0 for row in rows for e in row):  # and those on the diagonal are > 0
            return True
        for a, row in enumerate(rows):
            row[a] *= rational(1 - SHARE)
        with precision(128):
            return copositive(rows, self.units).method is not None


SIMPLEST = 1000
"""Weights are first tried as fractions of the largest with denominators up to this."""

FEW = 40
"""Supports of up to this size are tried as fractions."""


def refine(case: General, y: FloatArray, digits: int) -> tuple[list[Ball], Ball]:
    """Return exact balls x ≥ 0 near the float point y, and a ball of the ratio at x, whose defect is below 10^(−digits).

    y is in the coordinates of ``case.float_matrices``. Where Newton's method, with one float Jacobian, stalls the best x met is returned.
    """
    import scipy.linalg

    kept = np.flatnonzero(y)
    inside = np.ix_(kept, kept)
    (n, d), units = (m[inside] for m in case.float_matrices), case.units[kept]
    top, bottom = (ball_matrix([[rows[i][j] for j in kept] for i in kept]) for rows in case.exact_matrices)
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
            right = [*(-float((v / size).mid()) for v in defect), 0.0]
            step = scipy.linalg.lu_solve(factors, right, check_finite=False)
            if not np.isfinite(step).all():
                break
            moved = [x[a, 0] + size * ball(float(v)) / c for a, (v, c) in enumerate(zip(step[:-1], scale, strict=True))]
            if not all(v > 0 for v in moved):
                break
            x = ball_matrix([[midpoint(v)] for v in moved])
    x, value, _ = best
    result = [ball(0)] * len(case.lengths)
    for a, k in enumerate(kept):
        result[k] = x[a, 0]
    return result, value


def _defect(top: BallMatrix, bottom: BallMatrix, x: BallMatrix, scale: list[Ball]) -> tuple[Ball, list[Ball]]:
    """Return the ratio λ at x as a ball, and the midpoints of (Nx − λDx)_i / c_i."""
    above, below = top * x, bottom * x
    value = (x.transpose() * above)[0, 0] / (x.transpose() * below)[0, 0]
    return value, [midpoint((above[a, 0] - value * below[a, 0]) / c) for a, c in enumerate(scale)]


def rational_point(case: General, y: FloatArray) -> Fraction | None:
    """Return the exact ratio at a simple rational point near y that is stationary on its support, or None."""
    kept = np.flatnonzero(y)
    if len(kept) > FEW:
        return None
    near = y[kept] / case.units[kept]
    x = [rational(Fraction(float(v / near.max())).limit_denominator(SIMPLEST)) for v in near]
    above, below = ([_dot([rows[i][j] for j in kept], x) for i in kept] for rows in case.exact_matrices)
    value = _dot(above, x) / _dot(below, x)
    return fraction(value) if all(a == value * b for a, b in zip(above, below, strict=True)) else None


def _dot(a: list[Rational], b: list[Rational]) -> Rational:
    return sum((v * w for v, w in zip(a, b, strict=True)), rational(0))


def _entrywise(n: FloatArray, d: FloatArray) -> list[Fraction]:
    """Return a bound λ just above max n_ij/d_ij, for which λD − N has no negative entry, where there is one."""
    if ((d <= 0) & (n > 0)).any() or (d < 0).any():
        return []
    largest = float((n[d > 0] / d[d > 0]).max())
    return [Fraction(largest) + Fraction(abs(largest) or 1.0) / 2**40]


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
