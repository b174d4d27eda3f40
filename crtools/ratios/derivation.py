"""``Derivation``: a ratio as a function of a distribution's parameters, with its values, limits, supremum and plot.

``ratio_curves`` draws several of them in one figure.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from html import escape
from itertools import chain, cycle
from typing import Any, cast, overload

import sympy as sp

from crtools.closed_form.quotient import Quotient
from crtools.closed_form.sums import NotClosed
from crtools.distributions import Distribution, TwoPoint
from crtools.distributions.base import LawLike
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form, is_packaged
from crtools.grammar import Word, form_and_law
from crtools.installed_ledgers import policy_indices
from crtools.names import named_arguments
from crtools.numeric_types import Symbol, SymExpr
from crtools.parallel import WithoutCaches
from crtools.plotting.figure import Figure, curve
from crtools.plotting.sheet import Sheet
from crtools.ratios.box_supremum import box_supremum
from crtools.ratios.closed_forms import ClosedForms, KnownUpperEnd, check_size, value_at
from crtools.ratios.last_length import LastLength, over_last_length
from crtools.ratios.limits import limit_at_end, limits_of_each
from crtools.ratios.one_parameter_supremum import SupremumOver, supremum_over
from crtools.ratios.ratio import Intervals, Ratio, bounded
from crtools.ratios.supremum import (
    LONGEST,
    Supremum,
    certified_supremum,
    integer_supremum,
    poisson_supremum,
    quotient_supremum,
    sampled_supremum,
)
from crtools.setting import integer
from crtools.signs.charts import positive_on
from crtools.signs.ranges import UNIT, Interval
from crtools.tables import shortened

CHECKS = 3
"""The number of points at which every closed form is compared with direct sums."""

COMPARED_DIGITS = 15
"""Digits of the comparison."""

SIZES = (2, 0, 7)
"""Prompt sizes for the comparison where s is a symbol."""


class Derivation(WithoutCaches):
    """The ratio of two forms under a distribution with free parameters, as ``derive`` returns it.

    ``ratio`` is the closed form, None where there is none (``reason`` says why); ``ranges`` has the range of each parameter;
    ``evidence`` lists the points at which the closed form was compared with certified direct sums.

    Examples
    --------
    >>> from crtools import derive
    >>> result = derive("a-min", "two-point(l=1, u=10, weight)")
    >>> round(result.value(weight="1/4"), 6)
    1.032745
    >>> result.ranges["weight"].high
    1
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
        policy = policy if upper_end is None else upper_end.form(1)
        if intervals is not None:
            if isinstance(s, sp.Symbol):
                raise InputError("s", s, "must be a number where there are several intervals")
            policy, against = intervals.checked(policy, law), intervals.checked(against, law)
        self.policy, self.against, self.distribution, self.s = policy, against, law, s
        self.intervals, self.upper_end = intervals, upper_end
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
            self._values = self._closed.values if upper_end is None else upper_end.values(against)
        except NotClosed as error:
            self.reason = str(error)
        self.evidence = [] if self._values is None else self._compared_with_sums(self._values[0] / self._values[1])

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
        """For two points at s = 0, with symbols for both and the share: the ratio in α = l/u and t = x_l/x_u, else None."""
        law = self.distribution
        if self.s or self.ratio is None or not isinstance(law, TwoPoint) or len(law.parameters) != 3:
            return None
        alpha, t = sp.symbols("alpha t", positive=True)
        put = self.ratio.xreplace({law.u: sp.S.One, law.l: alpha, law.share: t / (1 + t)})
        return cast("SymExpr", sp.factor(sp.cancel(sp.together(put))))

    @property
    def _range(self) -> Interval:
        [interval] = self.ranges.values()
        return interval

    @cached_property
    def _base_ends(self) -> tuple[int, int] | None:
        """The base at the ends of the range, where the weights are power series in a base y onto (0, 1)."""
        has_upper_end = self.upper_end is not None
        return None if has_upper_end or self._closed.base is None else self._closed.base.ends(self._range)

    def _normalised(self, which: int) -> SymExpr | None:
        if self._values is None:
            return None
        return Quotient.of(self._values[which] / self._closed.mass_squared, self.parameters).expr

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

    def _compared_with_sums(self, ratio: SymExpr) -> list[dict[str, str]]:
        """Return where the closed form was compared with direct sums, and both values; ``NotCertified`` where sums reach it nowhere."""
        rows: list[dict[str, str]] = []
        samples = self.distribution.samples(CHECKS)
        sizes = SIZES if self._size is None else [self._size] * len(samples)
        for n, (size, (values, law)) in enumerate(zip(sizes, cycle(samples), strict=False)):
            at, top = values, self.policy
            if self.upper_end is not None:
                at = values | self.upper_end.point(n)
                top = self.upper_end.at(at | {str(self.s): Fraction(size)}, law)
            with_s = at if self._size is not None else at | {self.s.name: Fraction(size)}
            try:
                direct = Ratio(top, self.against, law, size, self.intervals).direct(COMPARED_DIGITS)
            except NotCertified:  # the ratio may vanish at a point
                continue
            closed = value_at(ratio, {symbol: with_s[symbol.name] for symbol in self.parameters}, COMPARED_DIGITS)
            if direct.upper < closed.lower or closed.upper < direct.lower:
                raise AssertionError(f"closed form and direct sum differ at {with_s}: {closed} and {direct}")
            low, high = direct.decimals(COMPARED_DIGITS)
            point = ", ".join(f"{name} = {value}" for name, value in with_s.items())
            decimals = " … ".join(closed.decimals(COMPARED_DIGITS))
            rows.append({"at": point, "direct sum": f"[{low}, {high}]", "closed form": decimals})
        if not rows:
            raise NotCertified("direct sums reach the closed form at no point")
        return rows

    def value(self, at: Any = None, **named: Any) -> float:
        """Return the ratio at a value of its one parameter, ``value(1/2)`` or ``value(q=1/2)``, rounded from a ball of 24 digits.

        Raises ``InputError`` for a value outside the parameter's range, and for another name.
        """
        if named:
            if [*named] != [self.parameter]:
                raise InputError("value", ", ".join(named), f"must be the one parameter {self.parameter}")
            at = named[self.parameter]
        return self.enclosure(at, 24).middle

    def enclosure(self, at: Any, digits: int = 15) -> Enclosure:
        """Return a rigorous enclosure of the ratio at a value of its one parameter, to ``digits`` digits.

        Raises ``InputError`` for a value outside the parameter's range.
        """
        digits = integer("digits", digits, 1, 1000)
        quotient = self._one_parameter()
        [symbol] = quotient.parameters
        point = {symbol: self._range.checked(at)}
        assert self._values is not None
        if not is_packaged(self.against) and value_at(self._values[1], point, COMPARED_DIGITS).lower <= 0:
            raise InputError("against", self.against.name, f"must be positive at the law; at {symbol} = {at} it is not")
        return value_at(quotient.expr, point, digits)

    def number(self, digits: int = 15) -> Enclosure | None:
        """Return a certified enclosure for a distribution without free parameters, whether or not a closed form is reached."""
        if self.parameters:
            return None
        return Ratio(self.policy, self.against, self.distribution, self.s, self.intervals).enclosure(digits)

    def limit(self, **end: Any) -> SymExpr:
        """Return the exact limit of the ratio as its one parameter tends to an end of its range, from inside.

        ``limit(q=1)`` or ``limit(q=0)`` where 0 < q < 1; for an infinite end ``limit(u="oo")``. Raises
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
        interval = self._range
        if interval.integer and interval.high is not sp.oo:
            raise InputError("limit", name, "is an integer length between 1 and u: there is no limit")
        for side in self._sides:
            at = interval.ends[side]
            if str(at) == str(place) or at == place or (at.is_Rational and fraction(at) == place):
                return self._limit(side)
        allowed = " or ".join(str(interval.ends[side]) for side in self._sides)
        raise InputError("limit", str(place), f"must be {allowed}, an end of the range {interval}")

    @cached_property
    def limits(self) -> list[tuple[str, SymExpr, Any]]:
        """The limits at the ends of each parameter's range: (name, end, exact value, in the others if there are several)."""
        if self.last_length is not None:
            with suppress(NotCertified):
                if (value := self.last_length.limit[0]) is not None:
                    return [(self.parameters[0].name, sp.oo, value)]
            return []
        if not self.parameters or self.quotient is None:
            return []
        if len(self.parameters) > 1 or self._size is None:
            return limits_of_each(self.quotient, self.ranges)
        interval = self._range
        return [(interval.name, interval.ends[side], value) for side, value in self._known_limits.items()]

    @cached_property
    def last_length(self) -> LastLength | None:
        """The ratio as a sequence in the last length u, for a distribution up to a symbol u; else None."""
        law = self.distribution.ending
        if law is not self.distribution or self._size is None:
            return None
        return over_last_length(self.policy, self.against, law, self._size)

    @property
    def _sides(self) -> tuple[int, ...]:
        """The ends of the range, 0 for the lower and 1 for the upper, at which there is a limit."""
        interval = self._range
        return (0, 1) if not interval.integer else (1,) if interval.high is sp.oo else ()

    def _limit(self, side: int) -> SymExpr:
        """Return the limit at the lower (0) or the upper (1) end of the range."""
        if self._base_ends:
            return self._closed.limit(self._base_ends[side])
        return limit_at_end(self._one_parameter(), self._range, side)

    @cached_property
    def _known_limits(self) -> dict[int, SymExpr]:
        limits: dict[int, SymExpr] = {}
        for side in self._sides:
            with suppress(NotCertified):
                limits[side] = self._limit(side)
        return limits

    @overload
    def supremum(self) -> Supremum: ...
    @overload
    def supremum(self, over: str) -> SupremumOver: ...

    def supremum(self, over: str | None = None) -> Supremum | SupremumOver:
        """Return the supremum over the ranges of all free parameters; raises ``InputError`` where there is none.

        ``over``: the name of one parameter; then the supremum over it and the point that attains it are formulas in the others.
        Raises ``NotCertified`` for several parameters where the ratio is not rational, or no narrow enclosure is reached; with
        ``over``, where the derivative's sign is not determined.
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
            quotient = self._closed_form()
            self._require_positive()
            if quotient.parts:
                reason = "over several parameters only a ratio without logarithms is searched"
                raise NotCertified(f"{reason}; give numbers for all but one")
            if hidden := [str(interval) for interval in self.ranges.values() if not interval.shown]:
                raise NotCertified(f"the range is not shown: {hidden[0]}")
            return box_supremum(quotient, self.ranges)
        quotient, interval = self._one_parameter(), self._range
        self._require_positive()
        if interval.integer:
            if not quotient.parts or interval.high is not sp.oo:
                return integer_supremum(quotient, interval)
            ending = self.distribution.ending
            if ending is not None and self._size is not None:
                return over_last_length(self.policy, self.against, ending, self._size).supremum
            raise NotCertified(f"the ratio has logarithms; give {interval.name} a number")
        try:
            supremum = self._inner_supremum() if self._base_ends else quotient_supremum(quotient, interval)
        except NotCertified as error:
            self.reason = f"the supremum is not certified: {error.reason}"
            [x] = quotient.parameters
            supremum = sampled_supremum(lambda at, d: value_at(quotient.expr, {x: at}, d), interval, self._known_limits)
        if interval.shown:
            return supremum
        self.reason = f"the range is not shown: {interval}"
        return replace(supremum, status="supported", attained=None if supremum.attained else supremum.attained)

    def _inner_supremum(self) -> Supremum:
        """Return the supremum over the base y, 0 < y < 1, taken back to the parameter."""
        closed, interval = self._closed, self._range
        inner = closed.base
        assert inner is not None
        if any(part.free_symbols for part in closed.ratio.parts.values()):
            limits = {end: closed.limit(end) for end in (0, 1)}
            supremum = certified_supremum(closed.ratio, closed.power_series(), limits, interval.name)
        else:
            supremum = replace(quotient_supremum(closed.ratio, UNIT), parameter=interval.name)
        if inner.same or supremum.at is None:
            return supremum
        return replace(supremum, at=inner.back(cast("SymExpr | Enclosure", supremum.at), interval))

    def plot(self, places: int = 120) -> Figure:
        """Return the ratio against its one parameter, at ``places`` points inside its range, as a figure.

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
        """Return ``number`` points inside the range of the one parameter, the integers of its beginning where they are integers.

        Raises ``InputError`` for several parameters or none, ``NotCertified`` where the range has no end.
        """
        self._one_parameter()
        interval, number = self._range, integer("places", number, 2, 10_000)
        if interval.integer:
            first, last = interval.integers
            return [Fraction(k) for k in range(first, 1 + min(first + number, last or first + number))]
        if not all(end.is_Rational for end in interval.ends):
            raise NotCertified(f"the range {interval} has an end that is no number; value(…) takes any place in it")
        low, high = map(fraction, interval.ends)
        return [low + (high - low) * k / (number + 1) for k in range(1, number + 1)]

    def __repr__(self) -> str:
        formula = "" if self.ratio is None else f"{shortened(str(self.ratio))} (closed form, compared with direct sums)"
        return f"{formula or self.reason}: derive({self.policy.name!r}, {self.distribution}, s={self.s})"

    @property
    def _displayed_supremum(self) -> tuple[str, Supremum] | None:
        """The supremum in LaTeX, by its exact value if that is short, and the ``Supremum``; None where there is none."""
        with suppress(InputError, NotCertified):
            top = self.supremum()
            short = top.value is not None and len(str(top.value)) <= LONGEST
            return sp.latex(top.value, ln_notation=True) if short else rf"\text{{{top.value_text}}}", top
        return None

    def _repr_latex_(self) -> str | None:
        """Return the formula and its supremum in LaTeX; None where there is no formula."""
        if self.ratio is None:
            return None
        lines = [self.latex]
        if self._displayed_supremum is not None:
            latex, top = self._displayed_supremum
            lines.append(rf"\text{{supremum }} {latex} \text{{, {top.place} ({top.status})}}")
        body = r" \\[1ex] &".join(lines)
        return rf"$\displaystyle \begin{{aligned}}&{body}\end{{aligned}}$"

    def _repr_html_(self) -> str | None:
        """Return the formula, its supremum with its status and, of one parameter, its curve; None where there is no formula."""
        if self.ratio is None:
            return None
        from latex2mathml.converter import convert

        parts = [f"<p>{convert(self.latex)}</p>"]
        if self._displayed_supremum is not None:
            latex, top = self._displayed_supremum
            parts.append(f"<p>supremum {convert(latex)}, {escape(top.place)} <b>{top.status}</b></p>")
        with suppress(InputError, NotCertified):
            picture = b64encode(self.plot().draw()).decode()
            what = escape(f"the ratio against {self.parameter}")
            parts.append(f'<img alt="{what}" src="data:image/png;base64,{picture}" style="max-width:100%">')
        return f"<div>{''.join(parts)}</div>"


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


@named_arguments()
def derive(
    first: Word | None = None,
    second: Word | None = None,
    /,
    s: int | str = 0,
    against: str | Form = "h-sf",
    *,
    policy: str | Form | None = None,
    dist: LawLike | None = None,
    intervals: Iterable[tuple[int, int | None]] | None = None,
    u: str | None = None,
) -> Derivation:
    """Return the ratio of two forms under a distribution with free parameters, in closed form.

    Parameters
    ----------
    first, second, against, policy, dist, intervals
        As for :func:`crtools.ratio`: the form and the distribution in either order or by keyword, the form in the denominator, and
        prediction intervals. The distribution may have free parameters.
    s : int or str
        Prompt size in tokens, or a letter that stands for it.
    u : str, optional
        The upper end of the prediction interval that the policy is given, as a formula in the distribution's parameters
        and further letters, such as ``"c/(1-q)"``.

    Returns
    -------
    Derivation
        Its ``ratio``, ``limit(q=1)``, ``supremum()``, ``value(q)`` and ``plot()``.

    Raises
    ------
    InputError
        For unknown names, a form that does not fit the distribution or the intervals, or a letter s in which no closed form
        is reached.

    Examples
    --------
    >>> derive("geometric(q)").limit(q=1)
    10 - 12*log(2)

    Notes
    -----
    Every closed form is compared with certified direct sums at rational points before it is returned.
    """
    size = size_of_prompts(s)
    numerator_form, law = form_and_law(first, second, policy, dist)
    if u is not None and intervals is not None:
        raise InputError("u", u, "goes with one interval: leave out the intervals")
    upper_end = None if u is None else KnownUpperEnd(numerator_form, law, size, str(u))
    denominator_form, blocks = form(against, "against"), Intervals.of(intervals, law)
    derivation = Derivation(numerator_form, denominator_form, law, size, blocks, upper_end)
    if isinstance(size, sp.Symbol) and derivation.quotient is None:
        reason = derivation.reason
        raise InputError("s", s, f"must be a number here, such as s=1, or the law one on few lengths: {reason}")
    return derivation


def size_of_prompts(s: object) -> Any:
    """Return a prompt size as an integer, or a letter as a symbol. Raises ``InputError``."""
    if isinstance(s, sp.Symbol) or (isinstance(s, str) and s.isidentifier()):
        return sp.Symbol(str(s), positive=True)
    return integer("s", s, 0)


# ---- several ratios in one figure ------------------------------------------------------------------------------------

POINTS = 160
"""The number of points on a curve."""

COLOURS = ("#0072B2", "#D55E00", "#000000", "#117733", "#AA4499", "#FFB000")
MARKERS = "os^DPv"
LINES = ("-", "--", "-.", ":", (0, (1, 1)), (0, (6, 2)))
MARKED = 9
"""Markers on a curve."""


def ratio_curves(
    law: str | Distribution,
    policies: Sequence[str | Form],
    against: str | Form = "h-sf",
    sizes: Sequence[int] = (0,),
    places: int = POINTS,
) -> Figure:
    """Return the ratio of each form at each prompt size against the distribution's one parameter, as a figure.

    A colour and a marker for each form, a line for each size. Raises ``InputError`` for a distribution without a free parameter or
    with several, ``NotCertified`` where no closed form is reached.
    """
    if not 0 < len(policies) <= len(COLOURS) or not 0 < len(sizes) <= len(LINES):
        raise InputError("policies", len(policies), f"at most {len(COLOURS)} forms, at most {len(LINES)} prompt sizes")
    curves = [[derive(law, f, s, against=against) for s in dict.fromkeys(sizes)] for f in policies]
    first = curves[0][0]
    at = first.places(places)
    data = {first.parameter: [float(x) for x in at]}
    data |= {_column(one): [one.value(x) for x in at] for one in chain(*curves)}
    notes = {"law": first.distribution.spec(), "against": first.against.name}
    return Figure("ratio", data, partial(_draw, data=data, curves=curves), {}, notes)


def _column(derivation: Derivation) -> str:
    return f"{derivation.policy.name} s={derivation.s}"


def _named(form: Form) -> str:
    """Return a form's name as a figure shows it: an A with its index, or H-SF."""
    letter, _, index = form.name.partition("-")
    if letter == "a" and index in policy_indices():
        return r"$\mathcal{A}_\ell$" if index == "ell" else rf"$\mathcal{{A}}_{{\mathrm{{{index}}}}}$"
    return "H-SF" if form.name == "h-sf" else form.name


def _draw(sheet: Sheet, data: Mapping[str, Sequence[float]], curves: Sequence[Sequence[Derivation]]) -> Any:
    page = sheet.canvas(7, 4.4)
    axis = page.subplots()
    first, number = curves[0][0], len(curves) * len(curves[0])
    xs = data[first.parameter]
    for n, of_form in enumerate(curves):
        marks = (len(xs) // MARKED * n // number, max(len(xs) // MARKED, 1))
        for one, line in zip(of_form, LINES, strict=False):
            axis.plot(
                xs, data[_column(one)], color=COLOURS[n], ls=line, lw=1.5, marker=MARKERS[n], ms=4.5,
                mfc="white", markevery=marks, label=f"{_named(one.policy)}, $s={one.s}$",
            )  # fmt: skip
    axis.set_xlabel(f"${first.parameter}$")
    axis.set_ylabel(f"form over that of {_named(first.against)}")
    axis.grid(alpha=0.25)
    sheet.legend(page, axis.get_legend_handles_labels()[0])
    sheet.title(page, f"Ratios of forms under {first.distribution.spec()}")
    return page
