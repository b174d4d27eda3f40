"""Domains of names: an ``Interval`` of one name, a ``Range`` of several together; and the ``Answer`` to a question there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import sympy as sp

from crtools.enclosure import fraction
from crtools.errors import InputError
from crtools.expressions import free_symbols, number
from crtools.numeric_types import Symbol, SymExpr

INWARD = sp.Rational(1, 10**24)
"""The distance from an irrational end to the rational one inside that replaces it in computations."""


@dataclass(frozen=True)
class Answer:
    """``holds`` is True (everywhere), False (fails at ``point``) or None (not decided, ``reason``).

    ``point`` is the value of the one variable, or those of the parameters by symbol.
    """

    holds: bool | None
    point: Any = None
    reason: str = ""


@dataclass(frozen=True)
class Interval:
    """The interval of a parameter's values; ``low_in`` and ``high_in`` tell whether the ends belong to it.

    The ends are SymPy numbers or ±oo or, for a distribution with symbols l and u, the other symbol. ``assumed`` is what was chosen or not
    shown; ``shown`` is False where some values in the range may not give a distribution.
    """

    name: str
    low: SymExpr = -sp.oo
    high: SymExpr = sp.oo
    low_in: bool = False
    high_in: bool = False
    integer: bool = False
    assumed: str = ""
    shown: bool = True

    @property
    def ends(self) -> tuple[SymExpr, SymExpr]:
        """(low, high)."""
        return self.low, self.high

    @property
    def closed(self) -> tuple[bool, bool]:
        """Whether the ends belong to it."""
        return self.low_in, self.high_in

    @property
    def unit(self) -> bool:
        """Whether the ends are 0 and 1."""
        return self.ends == (0, 1)

    @property
    def integers(self) -> tuple[int, int | None]:
        """The first and the last integer, None where there is no last one."""
        return int(self.low) + (not self.low_in), None if self.high is sp.oo else int(self.high) - (not self.high_in)

    def exact(self) -> bool:
        """Return whether both ends are rational or infinite."""
        return all(end.is_Rational or end.is_infinite for end in self.ends)

    def __contains__(self, value: object) -> bool:
        x = sp.sympify(value)
        above = x > self.low or (self.low_in and x == self.low)
        below = x < self.high or (self.high_in and x == self.high)
        return bool(above and below) and (x.is_Integer or not self.integer)

    def checked(self, value: object) -> Fraction:
        """Return a value of the parameter as a ``Fraction``; raises ``InputError`` for one outside the range."""
        if isinstance(value, sp.Rational | int | Fraction):
            exact = Fraction(int(value.numerator), int(value.denominator))
        else:
            exact = number(self.name, repr(value) if isinstance(value, float) else str(value))
        if exact not in self:
            raise InputError(self.name, str(value), f"must lie in the range {self}")
        return exact

    def place(self, share: SymExpr | Fraction) -> SymExpr:
        """Return the point of the range at a share of (0, 1), increasing and rational; a share in symbols gives an expression."""
        v: Any = sp.sympify(share)
        low, high = self.low, self.high
        if v.is_number:
            low, high = _rational_inside(low, 1), _rational_inside(high, -1)
        if low.is_infinite and high.is_infinite:
            return (2 * v - 1) / (v * (1 - v))
        if low.is_infinite:
            return high - (1 - v) / v
        return low + (v / (1 - v) if high.is_infinite else (high - low) * v)

    def at(self, share: Fraction) -> Fraction:
        """Return :meth:`place` at a number."""
        return fraction(self.place(share))

    def parametrised(self, n: int) -> SymExpr:
        """Return its values in one parameter r_n, > 0 or, where an end belongs to the interval, ≥ 0.

        Raises ``InputError`` where both ends do.
        """
        if all(self.closed):
            raise InputError(self.name, str(self), "must be an interval that is open at an end")
        if self.ends == (-sp.oo, sp.oo):
            return sp.Symbol(self.name, real=True)
        r = parameter(n, whole=self.integer, above_zero=not any(self.closed))
        if self.low.is_infinite or self.high.is_infinite:
            return self.high - r if self.low.is_infinite else self.low + r
        part = 1 / (1 / (self.high - self.low) + r)
        return cast(SymExpr, sp.together(self.high - part)) if self.low_in else self.low + part

    def __str__(self) -> str:
        lower_text = "" if self.low == -sp.oo else f"{self.low} {'<=' if self.low_in else '<'} "
        upper_text = "" if self.high == sp.oo else f" {'<=' if self.high_in else '<'} {self.high}"
        bare = f"{lower_text}{self.name}{upper_text}" if lower_text or upper_text else f"{self.name} real"
        bare = f"{bare}, integer" if self.integer else bare
        return f"{bare} (assumed: {self.assumed})" if self.assumed else bare


UNIT = Interval("y", sp.S.Zero, sp.S.One)
"""0 < y < 1."""


def parameter(number: int, *, whole: bool = False, above_zero: bool = False) -> Symbol:
    """Return a parameter of a range: real or integer, > 0 or ≥ 0."""
    kind = {"integer": True} if whole else {"real": True}
    return sp.Symbol(f"r_{number}", **kind, **({"positive": True} if above_zero else {"nonnegative": True}))


def _rational_inside(end: SymExpr, side: int) -> SymExpr:
    if end.is_Rational or end.is_infinite or end.free_symbols:
        return end
    return sp.Rational(str(sp.N(end, 40))) + side * INWARD


@dataclass(frozen=True)
class Range:
    """The values that a formula's names take together: each case writes the names in parameters.

    A parameter is a SymPy symbol that is ≥ 0 or > 0, real or integer, as its assumptions say, or any real number. In a range with
    ``near_zero`` the one name is exp(−L), and only its values below some positive number count. ``bounds``: those of the
    names that a step of a proof states (:class:`crtools.proof.steps.Bound`).
    """

    text: str
    cases: tuple[Mapping[str, Any], ...]
    near_zero: bool = False
    bounds: tuple[tuple[Any, ...], ...] = ()

    @classmethod
    def of(cls, *intervals: Interval) -> Range:
        """Return the values of names that do not depend on each other."""
        values = {interval.name: interval.parametrised(n) for n, interval in enumerate(intervals)}
        words = (str(replace(interval, assumed="")).replace("<=", "≤") for interval in intervals)
        inside = [interval for interval in intervals if not any(interval.closed) and not interval.low.is_infinite]
        bounds = tuple((x.name, x.low, True, *([] if x.high is sp.oo else [x.high])) for x in inside)
        return cls(", ".join(words) or "numbers", (values,), bounds=bounds)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a formula on this range may have."""
        return tuple(self.cases[0])

    @cached_property
    def parameters(self) -> tuple[tuple[Symbol, ...], ...]:
        """The parameters of each case."""
        return tuple(tuple(sorted(free_symbols(*map(sp.sympify, case.values())), key=str)) for case in self.cases)
