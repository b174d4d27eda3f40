"""Several prediction intervals under a distribution: each length is known to lie in one of them.

``ratio`` and ``derive`` make an :class:`Intervals` of their argument; ``Ratio`` and ``ClosedForms`` evaluate forms with it.

A form with a rule across intervals, ``between``, serves lower intervals first: two lengths of the same interval have the form's entry,
two lengths of different intervals the entry of ``between``. So its value is that of ``between``, plus the difference of the two forms
within each interval (:func:`refined`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

import sympy as sp

from crtools.closed_form.exponential_polynomial import Field
from crtools.closed_form.summand import ClosedForm, NotClosed, quadratic_value
from crtools.distributions import Distribution
from crtools.distributions.base import K
from crtools.errors import InputError
from crtools.forms import Form, known_forms
from crtools.numeric_types import RingElement, SymExpr
from crtools.setting import LARGEST_LENGTH, Setting, listed

LONGEST_WRITTEN_OUT = 60
"""Largest number of lengths of an interval in a closed form, which has a term for each pair."""


@dataclass(frozen=True)
class Intervals:
    """``given``: the intervals, an open end as None; ``blocks``: the same without shared ends and without empty ones."""

    given: tuple[tuple[int, int | None], ...]
    blocks: tuple[tuple[int, int | None], ...]

    @classmethod
    def of(cls, intervals: Iterable[tuple[int, int | None]] | None, law: Distribution) -> Intervals | None:
        """Return prediction intervals under a distribution, or None if none are given.

        The last interval may be open, u = None; it must be if the distribution is unbounded. Raises ``InputError`` if intervals are
        out of order or miss a length of the distribution.
        """
        if intervals is None:
            return None
        if law.open_ends or law.entire is not None:
            raise law.refusal("needs numbers for its parameters where there are intervals")
        pairs = listed("intervals", intervals, "must be pairs (l, u) with u_j ≤ l_{j+1}")
        endless = bool(pairs) and isinstance(pairs[-1], Sequence) and len(pairs[-1]) == 2 and pairs[-1][1] is None
        setting = Setting(0, intervals=[*pairs[:-1], (pairs[-1][0], LARGEST_LENGTH)] if endless else pairs)
        given, blocks = (
            (*pairs_of[:-1], (pairs_of[-1][0], None if endless else pairs_of[-1][1]))
            for pairs_of in (setting.intervals, setting.blocks())
        )
        result = cls(given, blocks)
        result._check(law)
        return result

    def _check(self, law: Distribution) -> None:
        low, high = law.support
        if high is None and self.blocks[-1][1] is not None:
            raise InputError("intervals", str(self), f"must have no last end under {law.spec()}, as in 1-5,6-")
        last = self.blocks[-1][0] if high is None else high
        last_lengths = [0, *(last if up is None else up for _, up in self.blocks)]
        first_lengths = [*(start for start, _ in self.blocks), last + 1]
        for end, start in zip(last_lengths, first_lengths, strict=True):
            for k in range(max(end + 1, low), min(start, last + 1)):
                if _has_length(law, k):
                    raise InputError("intervals", str(self), f"must contain every length of {law.spec()}, also {k}")

    @property
    def single(self) -> bool:
        """Whether there is one interval."""
        return len(self.given) == 1

    def checked(self, form: Form, law: Distribution) -> Form:
        """Return the form, bound to the ends of a single interval; raise ``InputError`` if it is not defined on these intervals."""
        [(low, up), *others] = self.given
        if not others and form.bind is not None and up is not None:
            lengths = law.support if law.parameters else (k for k, _ in law.items())
            if form.lengths is not None and any(k not in form.lengths(low, up) for k in lengths):
                raise InputError("policy", form.name, f"is defined for the lengths {low} and {up} only")
            return replace(form.bind(low, up), lengths=None)
        if others and form.bind is not None:
            names = ", ".join(f.name for f in known_forms().values() if f.between is not None)
            raise InputError("form", form.name, f"has no rule across intervals: give it one interval, or take {names}")
        return form

    def within(self, low: int, high: int) -> list[tuple[int, int]]:
        """Return the blocks' parts in [low, high]."""
        parts = [(max(a, low), high if b is None else min(b, high)) for a, b in self.blocks]
        return [(a, b) for a, b in parts if a <= b]

    def across(self, form: Form) -> Form:
        """Return the form with its rule across intervals built into its entries, for numbers only."""
        if form.between is None or self.single:
            return form
        within, between = form.formula, form.between.formula

        def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
            together = any(low <= i and (up is None or j <= up) for low, up in self.blocks)
            return (within if together else between)(i, j, s)

        return replace(form, formula=entry, tails=None, between=None)

    def __str__(self) -> str:
        return ",".join(f"{low}-{'' if up is None else up}" for low, up in self.given)


def _has_length(law: Distribution, k: int) -> bool:
    """Return whether a length within the ends of the support has a nonzero weight."""
    if not law.rational:
        return bool(law.ball_weights(k, k)[0] != 0)
    return bool(law.expr.subs(K, k) != 0 if law.parameters else law.weight(k))


def refined(
    intervals: Intervals | None, form: Form, total: Callable[[Form, int, int | None], RingElement]
) -> RingElement:
    """Return a form's sum over all pairs of lengths; ``total(form, first, last)`` sums over [first, last], last = None for no end."""
    if intervals is None or intervals.single or form.between is None:
        return total(form, 1, None)
    whole = total(form.between, 1, None)
    return sum((total(form, *block) - total(form.between, *block) for block in intervals.blocks), whole)


def closed_value(law: Distribution, form: Form, s: Any, intervals: Intervals | None = None) -> SymExpr:
    """Return a form's value under a distribution as an expression, also in s if that is a symbol; raise ``NotClosed`` if none is known."""
    field, summand, more = law.field, law.summand, law.point_weights
    if isinstance(s, sp.Symbol):
        if more:
            raise NotClosed("a part of the law has finitely many lengths")
        field = Field.of(*law.parameters, s)
        summand = summand.over(field)

    def total(f: Form, first: int, last: int | None) -> ClosedForm:
        if last is None:
            before = first - 1
            point_weights = {k - before: w for k, w in more.items() if k > before}
            moved = summand.shifted(before)
            return quadratic_value(field, moved, lambda i, j, s: f.formula(i + before, j + before, s), s, point_weights)
        if last - first >= LONGEST_WRITTEN_OUT:
            raise NotClosed(f"an interval of more than {LONGEST_WRITTEN_OUT} lengths is not written out")
        x = [summand.at(k) + more.get(k, field.domain.zero) for k in range(first, last + 1)]
        pairs = combinations_with_replacement(range(len(x)), 2)
        entries = ((a, b, sp.sympify(f.entry(first + a, first + b, s)) * (1 if a == b else 2)) for a, b in pairs)
        terms = (field.domain.from_sympy(entry) * x[a] * x[b] for a, b, entry in entries)
        return ClosedForm(field, sum(terms, field.domain.zero))

    return refined(intervals, form, total).expr()
