"""The two matrices of a ratio on the lengths that can have weight: exact, and as floats in units of D's diagonal."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from crtools.enclosure import fraction, rational
from crtools.errors import InputError
from crtools.forms import FORMS, Form
from crtools.numeric_types import FloatArray, Rational
from crtools.setting import Setting

Rows = list[list[Rational]]
"""The rows of a matrix of FLINT's rationals."""

LARGEST_ORDER = 4000
"""A float matrix takes 8 n² bytes, and an eigenvalue problem of the order of n³ operations."""

ENTRY_BY_ENTRY = 200
"""Up to this order the floats are rounded from exact entries; above it the formulas run on arrays."""


SHARE = Fraction(1, 2**30)
"""The share of D's diagonal that is subtracted before D is shown copositive."""


class Symmetric(NamedTuple):
    """A symmetric matrix: ``rows`` exactly, and ``floats``, near rows_ij / (unit c_i c_j) for the ``units`` c."""

    rows: Rows
    floats: FloatArray
    units: FloatArray
    unit: Fraction


class Pencil:
    """N (``policy``) and D (``against``) on ``lengths``: those of the setting's intervals on which both are defined."""

    def __init__(self, policy: Form, against: Form, setting: Setting) -> None:
        self.policy, self.against, self.setting = policy, against, setting

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

    @property
    def order(self) -> int:
        """The number of lengths."""
        return len(self.lengths)

    @cached_property
    def exact(self) -> tuple[Rows, Rows]:
        """N and D as rows of exact rationals."""
        return self._rows(self.policy), self._rows(self.against)

    def _rows(self, form: Form) -> Rows:
        on = form.on(self.setting)
        any_ring = any(form is installed for installed in FORMS.values())  # a user's formula is promised fractions only
        rows: Rows = [[rational(0)] * self.order for _ in self.lengths]
        for a, i in enumerate(self.lengths):
            for b in range(a, self.order):
                j = self.lengths[b]
                rows[a][b] = rows[b][a] = on.entry(i, j, rational) if any_ring else rational(on.entry(i, j))
        return rows

    @cached_property
    def unit(self) -> Fraction:
        """The largest entry on D's diagonal. Raises ``InputError`` where one is ≤ 0."""
        on = self.against.on(self.setting)
        diagonal = [Fraction(on.entry(k, k)) for k in self.lengths]
        if min(diagonal) <= 0:
            raise self.not_copositive()
        return max(diagonal)

    @cached_property
    def units(self) -> FloatArray:
        """c_i = √(D_ii / ``unit``) as floats: a weight x_i is c_i x_i in the coordinates of :attr:`floats`."""
        on = self.against.on(self.setting)
        return np.sqrt([float(on.entry(k, k) / self.unit) for k in self.lengths])

    @cached_property
    def floats(self) -> tuple[FloatArray, FloatArray]:
        """The arrays N_ij/(c_i c_j) and D_ij/(c_i c_j), over ``unit``: D has ones on its diagonal."""
        if self.order <= ENTRY_BY_ENTRY:
            unit = rational(self.unit)
            both = [np.array([[float(fraction(e / unit)) for e in row] for row in rows]) for rows in self.exact]
        else:
            kept = np.array(self.lengths) - self.setting.l
            inside = np.ix_(kept, kept)
            both = [f.on(self.setting).matrix(float)[inside] / float(self.unit) for f in (self.policy, self.against)]
        n, d = (m / self.units / self.units[:, None] for m in both)
        return n, d

    def excess(self, bound: Fraction) -> Symmetric:
        """Return bound · D − N: copositive where ``bound`` is at least the worst case, and only there."""
        top, bottom = self.exact
        factor = rational(bound)
        rows = [[factor * b - a for a, b in zip(*pair, strict=True)] for pair in zip(top, bottom, strict=True)]
        n, d = self.floats
        return Symmetric(rows, float(bound) * d - n, self.units, self.unit)

    def denominator(self) -> Symmetric:
        """Return D less a small share of its diagonal: D is strictly copositive where this is copositive."""
        rows = [list(row) for row in self.exact[1]]
        for a, row in enumerate(rows):
            row[a] *= rational(1 - SHARE)
        return Symmetric(rows, self.floats[1] - float(SHARE) * np.eye(self.order), self.units, self.unit)

    def not_copositive(self) -> InputError:
        """Return the error for a denominator that may vanish or be negative at some weights."""
        return InputError(
            "against",
            self.against.name,
            "must be positive at all weights x ≥ 0, x ≠ 0; that is not shown in this setting",
        )

    def spread(self, x: FloatArray) -> FloatArray:
        """Return weights on ``lengths`` as an array over l, …, u that sums to 1."""
        weights = np.zeros(self.setting.size)
        weights[np.array(self.lengths) - self.setting.l] = x / x.sum()
        return weights
