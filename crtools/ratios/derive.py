"""``derive``: the ratio of two forms under a law with symbols, in closed form, verified before it is returned."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any, overload

import sympy as sp

from crtools.closed_form.quotient import Quotient
from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form, known
from crtools.grammar import form_and_law
from crtools.pickling import WithoutCaches
from crtools.plotting.curve import curve
from crtools.plotting.figure import Figure
from crtools.ratios.boxes import box_supremum
from crtools.ratios.branch_and_bound import certified_supremum
from crtools.ratios.closed_forms import ClosedForms, check_size, value_at
from crtools.ratios.intervals import Intervals
from crtools.ratios.last_length import LastLength, over_last_length
from crtools.ratios.limits import limit_at_end, limits_of_each
from crtools.ratios.over_one import SupremumOver, supremum_over
from crtools.ratios.poisson_supremum import poisson_supremum
from crtools.ratios.quotient_supremum import integer_supremum, quotient_supremum
from crtools.ratios.ratio import Ratio, bounded
from crtools.ratios.supremum import LONGEST, Supremum, sampled_supremum
from crtools.ratios.told_end import ToldEnd
from crtools.setting import integer
from crtools.signs.quotients import positive_on
from crtools.signs.ranges import UNIT, Interval

CHECKS = 3
"""Every closed form is compared with direct sums at this many points."""

SIZES = (2, 0, 7)
"""Prompt sizes for the comparison where s is a symbol."""

CHECK_DIGITS = 15


class Derivation(WithoutCaches):
    """The ratio of the form ``policy`` to the form ``against`` under a law with free parameters.

    ``ratio`` is None where no closed form is reached (``reason`` says why). ``ranges`` gives the range of each
    parameter, by name, on which the weights are those of a law. ``evidence`` lists the points at which the closed form
    was compared with certified direct sums.
    """

    def __init__(
        self,
        policy: Form,
        against: Form,
        law: Distribution,
        s: Any,
        intervals: Intervals | None = None,
        told: ToldEnd | None = None,
    ) -> None:
        self.told = told
        policy = policy if told is None else told.form(1)
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
            if told is not None:
                self.ranges |= told.ranges
            self._values = self._closed.values if told is None else self._both_told(told)
        except NotClosed as error:
            self.reason = f"{error}; give s a number" if self._size is None else str(error)
        self.evidence = self._verified()

    # ---- results ---------------------------------------------------------------------------------------------------

    @property
    def parameters(self) -> tuple[Any, ...]:
        """The free symbols: those of the law, and s where it is one."""
        letters = () if self.told is None else self.told.letters
        return (*self.distribution.parameters, *([self.s] if self._size is None else []), *letters)

    @cached_property
    def quotient(self) -> Quotient | None:
        """The ratio as a quotient of polynomials, or None."""
        if self._values is None:
            return None
        return Quotient.of(self._values[0] / self._values[1], self.parameters)

    @cached_property
    def ratio(self) -> Any:
        """The ratio as a simplified SymPy expression, or None where no closed form is reached."""
        return None if self.quotient is None else self.quotient.expr

    @cached_property
    def numerator(self) -> Any:
        """The form ``policy`` at the normalised law: TEL ≈ n²/(2M) times this."""
        return self._normalised(0)

    @cached_property
    def denominator(self) -> Any:
        """The form ``against`` at the normalised law."""
        return self._normalised(1)

    @property
    def latex(self) -> str:
        """The ratio in LaTeX."""
        return "" if self.ratio is None else sp.latex(self.ratio, ln_notation=True)

    @cached_property
    def alternative(self) -> Any:
        """For two points at s = 0: the ratio in α = l/u and t = x_l/x_u, else None."""
        return None if self.s or self.ratio is None else self.distribution.in_quotients(self.ratio)

    def limit(self, **end: Any) -> Any:
        """Return the exact limit of the ratio as its one parameter tends to an end of its range, from inside.

        ``limit(q=1)`` or ``limit(q=0)`` where 0 < q < 1; for an infinite end ``limit(u=sympy.oo)``. Raises
        ``InputError`` for another name or place, ``NotCertified`` where no closed form or no expansion is known.
        """
        if len(end) != 1:
            raise InputError("limit", str(end), "takes one parameter and its end, for instance q=1")
        [(name, place)] = end.items()
        quotient = self._one_parameter()
        [symbol] = quotient.parameters
        if symbol.name != name:
            raise InputError("limit", name, f"must be the free parameter {symbol.name}")
        self._require_positive()
        own = self._range
        if own.integer and own.high is not sp.oo:
            raise InputError("limit", name, "is an integer length between 1 and u: there is no limit")
        for side in self._sides:
            if own.ends[side] == place or (own.ends[side].is_Rational and fraction(own.ends[side]) == place):
                return self._limit(side)
        allowed = " or ".join(str(own.ends[side]) for side in self._sides)
        raise InputError("limit", str(place), f"must be {allowed}, an end of the range {own}")

    @cached_property
    def limits(self) -> list[tuple[str, Any, Any]]:
        """The limits at the ends of each parameter's range: (name, end, exact value, in the others if there are several)."""
        if self.last_length is not None:
            value = self.last_length.known_limit
            return [] if value is None else [(self.parameters[0].name, sp.oo, value)]
        if not self.parameters or self.quotient is None:
            return []
        if len(self.parameters) > 1 or self._size is None:
            return limits_of_each(self.quotient, self.ranges)
        own = self._range
        return [(own.name, own.ends[side], value) for side, value in self._known_limits.items()]

    @cached_property
    def last_length(self) -> LastLength | None:
        """The ratio as a sequence in the last length u, for a law up to a symbol u; else None."""
        law = self.distribution.ending
        if law is not self.distribution or self._size is None:
            return None
        return over_last_length(self.policy, self.against, law, self._size)

    def value(self, at: Any = None, **named: Any) -> float:
        """Return the ratio at a value of its one parameter, ``value(1/2)`` or ``value(q=1/2)``, rounded from a ball of 24 digits.

        Raises ``InputError`` for a value outside the parameter's range, and for another name.
        """
        if named:
            [(name, at)], own = (named.items() if len(named) == 1 else [("", None)]), self.parameter
            if name != own:
                raise InputError("value", ", ".join(named), f"must be the one parameter {own}")
        return self.enclosure(at, 24).middle

    def enclosure(self, at: Any, digits: int = 15) -> Enclosure:
        """Return a rigorous enclosure of the ratio at a value of its one parameter, to ``digits`` digits.

        Raises ``InputError`` for a value outside the parameter's range.
        """
        digits = integer("digits", digits, 1, 1000)
        [symbol] = self._one_parameter().parameters
        return value_at(self.ratio, {symbol: self._checked(at)}, digits)

    def _checked(self, at: Any) -> Fraction:
        """Return a value of the one parameter that is in its range, where the denominator is positive."""
        exact = self._range.checked(at)
        if not known(self.against) and self._values is not None:
            [symbol] = self.parameters
            if value_at(self._values[1], {symbol: exact}, CHECK_DIGITS).lower <= 0:
                raise InputError(
                    "against", self.against.name, f"must be positive at the law; at {symbol} = {at} it is not"
                )
        return exact

    def number(self, digits: int = 15) -> Enclosure | None:
        """Return a certified enclosure for a law without free parameters, whether or not a closed form is reached."""
        if self.parameters:
            return None
        return Ratio(self.policy, self.against, self.distribution, self.s, self.intervals).enclosure(digits)

    @overload
    def supremum(self) -> Supremum: ...
    @overload
    def supremum(self, over: str) -> SupremumOver: ...

    def supremum(self, over: str | None = None) -> Supremum | SupremumOver:
        """Return the supremum over the ranges of all free parameters; raises ``InputError`` where there is none.

        ``over``: the name of one parameter; then the supremum over it is a formula in the others, as is the place that
        attains it. Raises ``NotCertified`` for several parameters where the ratio is not rational, or no narrow enclosure
        is reached; with ``over``, where the derivative's sign is not read off.
        """
        if over is None:
            return self._supremum
        self._require_positive()
        return supremum_over(self._closed_form(), self.ranges, str(over))

    @cached_property
    def _supremum(self) -> Supremum:
        if self.distribution.entire is not None and self._size is not None:
            return poisson_supremum(self.policy, self.against, self.s, self.parameters[0].name)
        if self.last_length is not None:
            return self.last_length.supremum
        if len(self.parameters) > 1:
            return self._joint_supremum()
        quotient, own = self._one_parameter(), self._range
        self._require_positive()
        if own.integer:
            if not quotient.parts or own.high is not sp.oo:
                return integer_supremum(quotient, own)
            ending = self.distribution.ending
            if ending is not None and self._size is not None:
                return over_last_length(self.policy, self.against, ending, self._size).supremum
            raise NotCertified(f"the ratio has logarithms; give {own.name} a number")
        try:
            found = self._inner_supremum() if self._base_ends else quotient_supremum(quotient, own)
        except NotCertified as error:
            self.reason = f"the supremum is not certified: {error.reason}"
            [x] = quotient.parameters
            found = sampled_supremum(lambda at, d: value_at(self.ratio, {x: at}, d), own, self._known_limits)
        if own.shown:
            return found
        self.reason = f"the range is not shown: {own}"
        return replace(found, status="supported", attained=None if found.attained else found.attained)

    def _joint_supremum(self) -> Supremum:
        quotient = self._closed_form()
        self._require_positive()
        if quotient.parts:
            raise NotCertified(
                "over several parameters only a ratio without logarithms is searched; give numbers for all but one"
            )
        hidden = [str(own) for own in self.ranges.values() if not own.shown]
        if hidden:
            raise NotCertified(f"the range is not shown: {hidden[0]}")
        return box_supremum(quotient, self.ranges)

    # ---- the pieces ------------------------------------------------------------------------------------------------

    @property
    def _range(self) -> Interval:
        """The range of the one parameter."""
        [own] = self.ranges.values()
        return own

    @cached_property
    def _base_ends(self) -> tuple[int, int] | None:
        """The base at the ends of the range, where the weights are power series in a base y onto (0, 1)."""
        told = self.told is not None
        return None if told or self._closed.base is None else self._closed.base.ends(self._range)

    def _both_told(self, told: ToldEnd) -> tuple[Any, Any]:
        values: list[tuple[Any, Any]] = []

        def at(form: Form) -> Any:
            values.append(ClosedForms((form, self.against), self.distribution, self.s).values)
            return values[-1][0]

        return told.value(at), values[0][1]

    @property
    def _sides(self) -> tuple[int, ...]:
        """The ends of the range, 0 for the lower and 1 for the upper, at which there is a limit."""
        own = self._range
        return (0, 1) if not own.integer else (1,) if own.high is sp.oo else ()

    def _limit(self, side: int) -> Any:
        """Return the limit at the lower (0) or the upper (1) end of the range."""
        if self._base_ends:
            return self._closed.limit(self._base_ends[side])
        return limit_at_end(self._one_parameter(), self._range, side)

    @cached_property
    def _known_limits(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        for side in self._sides:
            try:
                found[side] = self._limit(side)
            except NotCertified:
                continue
        return found

    def _inner_supremum(self) -> Supremum:
        """Return the supremum over the base y, 0 < y < 1, taken back to the parameter."""
        closed, sides, own = self._closed, self._base_ends, self._range
        inner = closed.base
        assert inner is not None
        assert sides is not None
        if any(part.free_symbols for part in closed.ratio.parts.values()):
            limits = {end: closed.limit(end) for end in (0, 1)}
            found = certified_supremum(closed.ratio, closed.power_series(), limits, own.name)
        else:
            found = replace(quotient_supremum(closed.ratio, UNIT), parameter=own.name)
        if inner.same or found.at is None:
            return found
        at = own.ends[sides.index(int(found.at))] if found.at in (0, 1) else inner.back(found.at, own)
        return replace(found, at=at)

    def _normalised(self, which: int) -> Any:
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
        """Raise ``NotCertified`` unless the denominator is seen to be positive on the parameter's range."""
        if known(self.against) or self.against.bind is not None or self._values is None:
            return
        rational = self.against.rational
        positive, several = rational is not None and rational.positive(self._size), len(self.parameters) > 1
        if positive and all(own.shown for own in self.ranges.values()):
            return
        if several or not positive_on(Quotient.of(self._values[1], self.parameters), self._range):
            of = "" if several else f" of {self._range.name}"
            raise NotCertified(f"the form {self.against.name} is not seen to be positive on the whole range{of}")

    def _verified(self) -> list[dict[str, str]]:
        """Compare the closed form with direct sums; raises ``AssertionError`` where they disagree."""
        if self._values is None:
            return []
        found: list[dict[str, str]] = []
        for place, law, size in self._points():
            try:
                top = self.policy if self.told is None else self.told.at(place | {str(self.s): Fraction(size)}, law)
                direct = Ratio(top, self.against, law, size, self.intervals).direct(CHECK_DIGITS)
            except NotCertified:  # the ratio may vanish at a point
                continue
            point = place if self._size is not None else {**place, self.s.name: Fraction(size)}
            values = {parameter: point[parameter.name] for parameter in self.parameters}
            closed = value_at(self._values[0] / self._values[1], values, CHECK_DIGITS)
            if direct.upper < closed.lower or closed.upper < direct.lower:
                raise AssertionError(f"closed form and direct sum differ at {point}: {closed} and {direct}")
            low, high = direct.decimals(CHECK_DIGITS)
            found.append(
                {
                    "at": ", ".join(f"{name} = {value}" for name, value in point.items()),
                    "direct sum": f"[{low}, {high}]",
                    "closed form": " … ".join(closed.decimals(CHECK_DIGITS)),
                }
            )
        if not found:
            raise NotCertified("direct sums reach the closed form at no point")
        return found

    def _points(self) -> list[tuple[dict[str, Fraction], Distribution, int]]:
        """Return the points of comparison: values of the law's parameters, the law there, and s."""
        own = self.distribution.samples(CHECKS)
        if self.told is not None:
            own = [(place | self.told.point(n), law) for n, (place, law) in enumerate(own)]
        if self._size is not None:
            return [(place, law, self._size) for place, law in own]
        return [(*own[n % len(own)], size) for n, size in enumerate(SIZES)]

    def plot(self, places: int = 120) -> Figure:
        """Return the ratio against its one parameter, at so many points inside its range, as a figure.

        An integer parameter without a last value is drawn up to its first value + ``places``. Raises ``InputError``
        for several parameters or none, ``NotCertified`` where no closed form is reached, or the range has no end.
        """
        at = self.places(places)
        data = {self.parameter: [float(x) for x in at], "ratio": [self.value(x) for x in at]}
        against = f"form of {self.policy.name} over that of {self.against.name}"
        return curve("derive", data, f"{self.distribution.spec()}, s = {self.s}: {against}")

    @property
    def parameter(self) -> str:
        """The name of the one parameter. Raises ``InputError`` for several or none."""
        [symbol] = self._one_parameter().parameters
        return symbol.name

    def places(self, number: int) -> list[Fraction]:
        """Return so many points inside the range of the one parameter, the integers of its beginning where they are integers.

        Raises ``InputError`` for several parameters or none, ``NotCertified`` where the range has no end.
        """
        self._one_parameter()
        own, number = self._range, integer("places", number, 2, 10_000)
        if own.integer:
            first, last = own.integers
            return [Fraction(k) for k in range(first, 1 + min(first + number, last or first + number))]
        if not all(end.is_Rational for end in own.ends):
            raise NotCertified(f"the range {own} has an end that is no number; value(…) takes any place in it")
        low, high = map(fraction, own.ends)
        return [low + (high - low) * k / (number + 1) for k in range(1, number + 1)]

    def __repr__(self) -> str:
        shown = (
            f"= {self.ratio} (closed form, compared with direct sums)" if self.ratio is not None else f": {self.reason}"
        )
        return f"derive({self.distribution}, {self.policy.name!r}, s={self.s}) {shown}"

    def _repr_latex_(self) -> str | None:
        if self.ratio is None:
            return None
        lines = [self.latex]
        if (found := self._known_supremum()) is not None:
            lines.append(rf"\text{{supremum }} {_latex(found)} \text{{, {found.place} ({found.status})}}")
        body = r" \\[1ex] &".join(lines)
        return rf"$\displaystyle \begin{{aligned}}&{body}\end{{aligned}}$"

    def _repr_html_(self) -> str | None:
        """Return the formula, its supremum with its status and, of one parameter, its curve."""
        if self.ratio is None:
            return None
        from latex2mathml.converter import convert

        shown = [f"<p>{convert(self.latex)}</p>"]
        if (found := self._known_supremum()) is not None:
            shown.append(f"<p>supremum {convert(_latex(found))}, {escape(found.place)} <b>{found.status}</b></p>")
        with suppress(InputError, NotCertified):
            picture = b64encode(self.plot().draw()).decode()
            what = escape(f"the ratio against {self.parameter}")
            shown.append(f'<img alt="{what}" src="data:image/png;base64,{picture}" style="max-width:100%">')
        return f"<div>{''.join(shown)}</div>"

    def _known_supremum(self) -> Supremum | None:
        with suppress(InputError, NotCertified):
            return self.supremum()
        return None


def _latex(found: Supremum) -> str:
    """Return a supremum in LaTeX: its exact value where that is short."""
    short = found.value is not None and len(str(found.value)) <= LONGEST
    return sp.latex(found.value, ln_notation=True) if short else rf"\text{{{found.shown}}}"


def _check_fits(own: Form, law: Distribution, size: int | None) -> None:
    """Raise ``InputError`` where a form is not defined under a law, or has no closed form there. ``size``: s, None where a symbol."""
    if own.lengths is not None and not law.two_lengths:
        raise InputError("policy", own.name, "is defined for laws on two lengths only")
    unbounded = not law.open_ends and not law.finite
    if own.bind is not None:
        if law.ending is law:
            raise InputError("policy", own.name, f"needs a number for {law.ending.u}")
        if unbounded:
            allowed = f"needs a law of finite support, or to be told u, such as c/(1-q); {law.spec()} is unbounded"
            raise InputError("policy", own.name, allowed)
    elif (law.open_ends or (unbounded and law.parameters) or size is None) and not own.closes(size):
        raise InputError("form", own.name, own.unclosed)
    if unbounded:
        bounded(own, size or 0)


def derive(
    first: str | Form | Distribution | None = None,
    second: str | Form | Distribution | None = None,
    /,
    s: int | str = 0,
    against: str | Form = "h-sf",
    *,
    policy: str | Form | None = None,
    dist: str | Distribution | None = None,
    intervals: Iterable[tuple[int, int | None]] | None = None,
    u: str | None = None,
) -> Derivation:
    """Return the ratio of a form to ``against`` under a law, ``derive("h-sf", "geometric(q)")``, as a closed form in its free parameters.

    The form, or its name, comes first (``policy``; without it the default one is meant), then the law or its spec (``dist``).
    ``s`` is a number, or a letter that stands for it. ``intervals``: pairs (l, u) in one of which each length is known to
    lie; the last u may be None, no end. ``u``: what a form that knows the interval's ends is told of the upper one, a formula
    in the law's parameters and letters, ``u="c/(1-q)"``. Raises ``InputError`` for unknown names or a form that the law or the intervals do
    not fit. Every closed form is compared with certified direct sums at rational points before it is returned.

    >>> derive("geometric(q)").limit(q=1)
    10 - 12*log(2)
    """
    letter = isinstance(s, sp.Symbol) or (isinstance(s, str) and s.isidentifier())
    size = sp.Symbol(str(s), positive=True) if letter else integer("s", s, 0)
    own, law = form_and_law(first, second, policy, dist)
    if u is not None and intervals is not None:
        raise InputError("u", u, "goes with one interval: leave out the intervals")
    told = None if u is None else ToldEnd(own, law, size, str(u))
    return Derivation(own, form(against, "against"), law, size, Intervals.of(intervals, law), told)
