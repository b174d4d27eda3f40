"""The ratio of two forms under a law with symbols: both forms in closed form, the ranges of the symbols, and the comparison with sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from crtools.closed_form.quotient import Quotient
from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, is_packaged
from crtools.numeric_types import Symbol, SymExpr
from crtools.pickling import WithoutCaches
from crtools.ratios.closed_forms import ClosedForms, check_size, value_at
from crtools.ratios.intervals import Intervals
from crtools.ratios.known_upper_end import KnownUpperEnd
from crtools.ratios.ratio import Ratio, bounded
from crtools.signs.quotients import positive_on
from crtools.signs.ranges import Interval

CHECKS = 3
"""Every closed form is compared with direct sums at this many points."""

COMPARED_DIGITS = 15
"""Digits of the comparison."""

SIZES = (2, 0, 7)
"""Prompt sizes for the comparison where s is a symbol."""


class SymbolicRatio(WithoutCaches):
    """The form ``policy`` over the form ``against`` under a distribution, as a quotient in the symbols of the distribution and s.

    ``ratio`` is None where no closed form is reached (``reason`` says why). ``ranges`` gives the range of each
    parameter, by name, on which the weights are those of a distribution. ``evidence`` lists the points at which the closed form
    was compared with certified direct sums.
    """

    def __init__(
        self,
        policy: Form,
        against: Form,
        law: Distribution,
        s: Any,
        intervals: Intervals | None = None,
        upper_end: KnownUpperEnd | None = None,
    ) -> None:
        self.upper_end = upper_end
        policy = policy if upper_end is None else upper_end.form(1)
        if intervals is not None:
            if isinstance(s, sp.Symbol):
                raise InputError("s", s, "must be a number where there are several intervals")
            policy, against = intervals.checked(policy, law), intervals.checked(against, law)
        self.policy, self.against, self.distribution, self.s = policy, against, law, s
        self.intervals = intervals
        self._size: int | None = None if isinstance(s, sp.Symbol) else s
        if s in law.parameters:
            raise InputError("s", s, f"must be another letter: {s} is a parameter of {law.spec()}")
        self.reason: str | None = None
        for each in (policy, against):
            _check_fits(each, law, self._size)
        self.ranges, self._values = dict[str, Interval](), None
        self._closed = ClosedForms((policy, against), law, s, intervals)
        try:
            check_size(law, self._size or 0)
            self.ranges = dict(law.ranges)
            if isinstance(s, sp.Symbol):
                self.ranges[s.name] = Interval(s.name, sp.S.Zero, low_in=True, integer=True)
            if upper_end is not None:
                self.ranges |= upper_end.ranges
            self._values = self._closed.values if upper_end is None else self._values_at_upper_end(upper_end)
        except NotClosed as error:
            self.reason = str(error)
        self.evidence = list[dict[str, str]]()
        if self._values is not None:
            ratio = self._values[0] / self._values[1]
            self.evidence = compared(ratio, self.parameters, self._points(), intervals)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free symbols: those of the distribution, and s where it is one."""
        letters = () if self.upper_end is None else self.upper_end.letters
        return (*self.distribution.parameters, *([self.s] if self._size is None else []), *letters)

    @cached_property
    def quotient(self) -> Quotient | None:
        """The ratio as a quotient of polynomials, or None."""
        if self._values is None:
            return None
        return Quotient.of(self._values[0] / self._values[1], self.parameters)

    @cached_property
    def ratio(self) -> SymExpr | None:
        """The ratio as a simplified SymPy expression, or None where no closed form is reached."""
        return None if self.quotient is None else self.quotient.expr

    @cached_property
    def numerator(self) -> SymExpr | None:
        """The form ``policy`` at the normalised law: TEL ≈ n²/(2M) times this."""
        return self._normalised(0)

    @cached_property
    def denominator(self) -> SymExpr | None:
        """The form ``against`` at the normalised law."""
        return self._normalised(1)

    @property
    def latex(self) -> str:
        """The ratio in LaTeX."""
        return "" if self.ratio is None else sp.latex(self.ratio, ln_notation=True)

    @cached_property
    def alternative(self) -> SymExpr | None:
        """For two points at s = 0: the ratio in α = l/u and t = x_l/x_u, else None."""
        return None if self.s or self.ratio is None else self.distribution.in_quotients(self.ratio)

    @property
    def _range(self) -> Interval:
        """The range of the one parameter."""
        [interval] = self.ranges.values()
        return interval

    @cached_property
    def _base_ends(self) -> tuple[int, int] | None:
        """The base at the ends of the range, where the weights are power series in a base y onto (0, 1)."""
        has_upper_end = self.upper_end is not None
        return None if has_upper_end or self._closed.base is None else self._closed.base.ends(self._range)

    def _checked(self, at: Any) -> Fraction:
        """Return a value of the one parameter that is in its range, where the denominator is positive."""
        exact = self._range.checked(at)
        if not is_packaged(self.against) and self._values is not None:
            [symbol] = self.parameters
            if value_at(self._values[1], {symbol: exact}, COMPARED_DIGITS).lower <= 0:
                raise InputError(
                    "against", self.against.name, f"must be positive at the law; at {symbol} = {at} it is not"
                )
        return exact

    def _values_at_upper_end(self, upper_end: KnownUpperEnd) -> tuple[SymExpr, SymExpr]:
        values: list[tuple[SymExpr, SymExpr]] = []

        def at(form: Form) -> SymExpr:
            values.append(ClosedForms((form, self.against), self.distribution, self.s).values)
            return values[-1][0]

        return upper_end.value(at), values[0][1]

    def _normalised(self, which: int) -> SymExpr | None:
        if self._values is None:
            return None
        return Quotient.of(self._values[which] / self._closed.mass**2, self.parameters).expr

    def _closed_form(self) -> Quotient:
        if self.quotient is None:
            raise NotCertified(f"no closed form: {self.reason}")
        return self.quotient

    def _one_parameter(self) -> Quotient:
        quotient = self._closed_form()
        if len(self.parameters) != 1:
            names = ", ".join(str(p) for p in self.parameters) or "none"
            allowed = f"must have one free parameter here (has {names})"
            raise InputError("distribution", self.distribution.spec(), allowed)
        return quotient

    def _require_positive(self) -> None:
        """Raise ``NotCertified`` unless the denominator is shown to be positive on the parameter's range."""
        if is_packaged(self.against) or self.against.bind is not None or self._values is None:
            return
        rational = self.against.rational
        positive, several = rational is not None and rational.positive(self._size), len(self.parameters) > 1
        if positive and all(interval.shown for interval in self.ranges.values()):
            return
        if several or not positive_on(Quotient.of(self._values[1], self.parameters), self._range):
            of = "" if several else f" of {self._range.name}"
            raise NotCertified(f"the form {self.against.name} is not shown to be positive on the whole range{of}")

    def _points(self) -> Iterator[Point]:
        """Iterate over the points of comparison: values of the law's parameters, of s and of letters, and the law there."""
        samples = list(self.distribution.samples(CHECKS))
        for n in range(len(SIZES) if self._size is None else len(samples)):
            values, law = samples[n % len(samples)]
            size = SIZES[n] if self._size is None else self._size
            at = values if self.upper_end is None else values | self.upper_end.point(n)
            with_s = at if self._size is not None else {**at, self.s.name: Fraction(size)}
            top = self.policy if self.upper_end is None else self.upper_end.at(at | {str(self.s): Fraction(size)}, law)
            yield Point(with_s, law, size, (top, self.against))


def _check_fits(form: Form, law: Distribution, size: int | None) -> None:
    """Raise ``InputError`` where a form is not defined under a law, or has no closed form there. ``size``: s, None where a symbol."""
    if form.lengths is not None and not law.two_lengths:
        raise InputError("policy", form.name, "is defined for laws on two lengths only")
    unbounded = not law.open_ends and not law.finite
    if form.bind is not None:
        if law.ending is law:
            raise InputError("policy", form.name, f"needs a number for {law.ending.u}")
        if unbounded:
            allowed = f"needs a law of finite support, or, in derive and switch, a u such as 2/(1-q); {law.spec()} is unbounded"
            raise InputError("policy", form.name, allowed)
    elif (law.open_ends or (unbounded and law.parameters) or size is None) and not form.closes(size):
        raise InputError("form", form.name, form.unclosed)
    if unbounded:
        bounded(form, size or 0)


@dataclass(frozen=True)
class Point:
    """Values by name, the distribution there, s, and the two forms (the first with its upper end there)."""

    at: dict[str, Fraction]
    law: Distribution
    s: int
    forms: tuple[Form, Form]


def compared(
    ratio: SymExpr, parameters: Iterable[Symbol], points: Iterable[Point], intervals: Intervals | None
) -> list[dict[str, str]]:
    """Return where a closed form was compared with direct sums, and both values.

    Raises ``AssertionError`` where they disagree, ``NotCertified`` where sums reach it at no point.
    """
    rows: list[dict[str, str]] = []
    symbols = tuple(parameters)
    for point in points:
        try:
            direct = Ratio(*point.forms, point.law, point.s, intervals).direct(COMPARED_DIGITS)
        except NotCertified:  # the ratio may vanish at a point
            continue
        closed = value_at(ratio, {symbol: point.at[symbol.name] for symbol in symbols}, COMPARED_DIGITS)
        if direct.upper < closed.lower or closed.upper < direct.lower:
            raise AssertionError(f"closed form and direct sum differ at {point.at}: {closed} and {direct}")
        low, high = direct.decimals(COMPARED_DIGITS)
        rows.append(
            {
                "at": ", ".join(f"{name} = {value}" for name, value in point.at.items()),
                "direct sum": f"[{low}, {high}]",
                "closed form": " … ".join(closed.decimals(COMPARED_DIGITS)),
            }
        )
    if not rows:
        raise NotCertified("direct sums reach the closed form at no point")
    return rows
