"""``switch``: where the ratios of two forms cross over a distribution's one parameter, and which is the smaller on each side.

Both are ratios to the same form, so they cross where the two forms are equal: where the ratio of one to the other, which
``derive`` has in closed form, is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, TypeAlias, cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.closed_form.quotient import Quotient
from crtools.distributions import Distribution
from crtools.distributions.base import K
from crtools.enclosure import Enclosure, ball, fraction, hull, precision
from crtools.errors import InputError, NotCertified
from crtools.forms import Form
from crtools.grammar import forms_and_law
from crtools.names import named_arguments
from crtools.numeric_types import Ball, JsonObject, SymExpr, SymPoly
from crtools.plotting.figure import Figure
from crtools.ratios.closed_forms import KnownUpperEnd
from crtools.ratios.derivation import Derivation, size_of_prompts
from crtools.ratios.ratio import Ratio
from crtools.ratios.supremum import PowerSeries, chord_bound, nonnegative, sign_near, steps
from crtools.signs.charts import Chart, Count, SignAt, Zero, integer_runs, isolated, quotient_chart, sign_at
from crtools.signs.ranges import Interval
from crtools.tables import WithRows, shortened

SUMMED, MEAN_SUMMED = Fraction(15, 16), Fraction(100)
"""Without a closed form: the largest base, and the largest Poisson mean, for which sums are computed."""

SUM_DIGITS = 30
"""The digits of such sums."""


@dataclass(frozen=True)
class Crossing:
    """A value of the parameter at which the two ratios are equal, the only one in the enclosure ``place``; ``name`` stands for it.

    ``exact``: its value if it is rational or a root of a quadratic. ``polynomial``: the irreducible one over ℚ of which it is a root,
    None if it is not known to be algebraic.
    """

    name: str
    place: Enclosure
    polynomial: SymPoly | None = None
    exact: SymExpr | None = None

    @classmethod
    def of(cls, name: str, zero: Zero) -> Crossing:
        """Return the crossing at a zero of the difference."""
        poly = zero.polynomial
        if poly is None or poly.degree() > 2:
            return cls(name, zero.place, poly)
        [exact] = [r for r in sp.roots(poly, multiple=True) if zero.place.lower <= r <= zero.place.upper]
        return cls(name, zero.place, poly, exact)

    @property
    def rational(self) -> bool:
        """Whether it is a rational number."""
        return self.exact is not None and self.exact.is_Rational

    def __str__(self) -> str:
        return str(self.exact) if self.rational else self.name


End: TypeAlias = "SymExpr | Crossing"


@dataclass(frozen=True)
class Piece:
    """A part of the parameter's range, and the form ``better`` that has the smaller ratio there; None: both are equal.

    The ends are SymPy numbers, ±oo or crossings, and belong to the piece where ``low_in`` and ``high_in`` say so. Where not
    ``strict``, the ratio may be equal somewhere in the piece.
    """

    parameter: str
    low: End
    high: End
    low_in: bool
    high_in: bool
    better: str | None
    strict: bool = True

    def __str__(self) -> str:
        low, high = (sp.Symbol(str(end)) if isinstance(end, Crossing) else end for end in (self.low, self.high))
        if low == high:
            return f"{self.parameter} = {low}"
        return str(Interval(self.parameter, low, high, self.low_in, self.high_in))


class Switch(WithRows):
    """Where the ratios of two forms to any third one cross over the one parameter of a distribution, as ``switch`` returns it.

    ``pieces`` are the parts of the parameter's ``range`` in order, ``crossings`` the points inside it where both are equal.
    ``status`` is ``proved``, ``certified`` or, with a ``reason``, ``inconclusive``. ``method`` and ``uses`` name the computation
    and the theorems from the literature.

    Examples
    --------
    >>> from crtools import switch
    >>> result = switch("a-min", "a-ell", "two-point(1, 10, w)")
    >>> result.status, [str(crossing) for crossing in result.crossings]
    ('proved', ['20/109'])
    """

    def __init__(self, first: Form, second: Form, law: Distribution, s: Any, u: str | None = None) -> None:
        self.first, self.second, self.distribution, self.s, self.u = first, second, law, s, u
        self._over = (second, first) if u is not None and first.bind is None else (first, second)
        if u is not None and self._over[1].bind is not None:
            raise InputError("u", u, f"applies to one form, but both {first.name} and {second.name} depend on it")
        end = None if u is None else KnownUpperEnd(self._over[0], law, s, u)
        free = [*law.parameters, *([s] if isinstance(s, sp.Symbol) else []), *(end.letters if end else ())]
        if len(free) != 1:
            names = ", ".join(map(str, free)) or "none"
            allowed = f"must have one free parameter with s and u (has {names}), as two-point(l=1, u=10, weight) has"
            raise law.refusal(allowed)
        self._compared = compared = _Compared(*self._over, law, s, None, end)
        self.range = compared.range
        self.crossings: list[Crossing] = []
        self.pieces: list[Piece] = []
        self.status, self.method, self.reason = "inconclusive", "", ""
        self.uses: tuple[str, ...] = ()
        try:
            self._decide(compared)
        except NotCertified as error:
            self._otherwise(compared, error.reason)
        if self.pieces and not self.range.shown:
            self.status, self.reason = "inconclusive", f"the range is not shown: {self.range}"

    @property
    def throughout(self) -> str | None:
        """The form whose ratio is nowhere the larger and somewhere the smaller, where that is decided; else None."""
        winners = {piece.better for piece in self.pieces} - {None}
        return winners.pop() if len(winners) == 1 and self.status != "inconclusive" else None

    # ---- the pieces ------------------------------------------------------------------------------------------------

    def _decide(self, compared: _Compared) -> None:
        gap, interval = compared.gap, self.range
        if gap.numerator.is_zero:
            self.pieces = [self._piece(*interval.ends, *interval.closed, 0)]
            self.status, self.method = "proved", "the two forms are equal at the law"
        elif interval.integer:
            runs, self.status, self.method, self.uses, self.reason = integer_runs(gap, interval)
            self.pieces = [self._piece(run.low, run.high, True, run.high != sp.oo, run.sign) for run in runs]
        else:
            chart = compared.chart
            ends = zip(interval.ends, interval.closed, strict=True)
            self._read(chart, interval, *(closed and not sign_at(gap, end) for end, closed in ends))
            self.status, self.method, self.uses = chart.status, chart.method, chart.uses

    def _read(self, chart: Chart, interval: Interval, low_equal: bool = False, high_equal: bool = False) -> None:
        """Set the crossings and the pieces of a range, at whose ends both may be equal."""
        self.crossings = [Crossing.of(f"{interval.name}{n}", zero) for n, zero in enumerate(chart.zeros, 1)]
        marks = [interval.low, *self.crossings, interval.high]
        equal = [low_equal, *(True for _ in self.crossings), high_equal]
        closed = [interval.low_in, *(True for _ in self.crossings), interval.high_in]
        for n, mark in enumerate(marks):
            if equal[n]:
                self.pieces.append(self._piece(mark, mark, True, True, 0))
            if n < len(chart.signs):
                low_in, high_in = (closed[m] and not equal[m] for m in (n, n + 1))
                self.pieces.append(self._piece(mark, marks[n + 1], low_in, high_in, chart.signs[n]))

    def _piece(self, low: End, high: End, low_in: bool, high_in: bool, sign: int) -> Piece:
        """Return the piece on which the first of the compared forms less the second has a sign."""
        one, other = self._over
        return Piece(self.range.name, low, high, low_in, high_in, (None, other.name, one.name)[sign])

    def _otherwise(self, compared: _Compared, reason: str) -> None:
        """Compare entry by entry, or on a part of the range by sums, where there is no chart for the given reason."""
        interval = self.range
        one, other = self._over
        for side, lower, upper in ((-1, one, other), (1, other, one)):
            if nowhere_larger(lower, upper, None if isinstance(self.s, sp.Symbol) else self.s):
                self.pieces = [replace(self._piece(*interval.ends, *interval.closed, side), strict=False)]
                self.status, self.method = "proved", "no entry of its form is larger"
                return
        self.reason = reason
        with suppress(NotCertified):
            chart, part = compared.summed
            self._read(chart, part)
            where = f"up to {part.high}" if part.low == interval.low else f"for {part}"
            self.reason = f"certified {where}, nothing is known beyond: {reason}"

    def __repr__(self) -> str:
        pieces = "; ".join(f"{piece}: {piece.better or 'equal'}" for piece in self.pieces)
        end = "" if self.u is None else f", u={self.u}"
        call = f"switch({self.first.name!r}, {self.second.name!r}, {self.distribution}, s={self.s}{end})"
        return f"{shortened(pieces or self.reason)} ({self.status}): {call}"

    def _rows(self) -> list[JsonObject]:
        return [{self.range.name: str(piece), "better": piece.better or "equal"} for piece in self.pieces]

    def plot(self, places: int = 120) -> Figure:
        """Return the first form over the second against the parameter, as :meth:`Derivation.plot` does: they cross at 1."""
        return self._compared.plot(places)


@named_arguments()
def switch(
    first: str | Form, second: str | Form, dist: str | Distribution, s: int | str = 0, u: str | None = None
) -> Switch:
    """Return where the ratios of two forms cross over a distribution's parameter, and which is smaller on each side.

    Parameters
    ----------
    first, second : str or Form
        The two forms that are compared.
    dist : str or Distribution
        A distribution with one free parameter, or with none where s is a letter.
    s : int or str
        Prompt size in tokens, or a letter that stands for it.
    u : str, optional
        The upper end of the interval that one of the forms is given, as a number or a formula in the parameter, such as
        ``"2/(1-q)"``.

    Returns
    -------
    Switch
        Its ``pieces`` and ``crossings``.

    Raises
    ------
    InputError
        For unknown names, a distribution that does not have one free parameter, or a form that does not fit it.

    Examples
    --------
    >>> print("; ".join(f"{piece}: {piece.better}" for piece in switch("a-min", "a-ell", "two-point(1, 10, w)").pieces))
    0 <= w < 20/109: a-min; w = 20/109: None; 20/109 < w < 1: a-ell; w = 1: None

    Notes
    -----
    Both are ratios to the same third form, which does not matter as long as it is positive.
    """
    return Switch(*forms_and_law(first, second, dist), size_of_prompts(s), None if u is None else str(u))


MOST_TERMS = 60
"""Upper limit on the first terms of two power series that are compared."""

BITS = 256

CHORDS = "chords of ln N and ln D, convex in ln of the base"
"""The method of charts of two series."""

Terms = Callable[[int], tuple[Fraction, Fraction]]
"""The coefficients of y^m in two power series."""


def _chart_of_series(series: PowerSeries, low: Fraction, high: Fraction, method: str) -> Chart:
    """Return the chart of N − D of two power series with coefficients ≥ 0 on [low, high]; ``method``: that near the ends."""

    def sign_of(q: Fraction) -> int:
        _, n, d = series.at(q)
        return (n > d) - (n < d)

    def count(a: Fraction, b: Fraction) -> int | None:
        around = series.around(a, b)
        if chord_bound(around) < 1 or chord_bound([(x, d, n) for x, n, d in around]) < 1:
            return 0
        (xz, nz, dz), (xa, na, da), (xb, nb, db), (xc, nc, dc) = around
        with precision(BITS):  # a convex function's slopes lie between those of the adjacent chords
            before, after = xa - xz, xc - xb
            rising = (na - nz) / before > (dc - db) / after
            falling = (nc - nb) / after < (da - dz) / before
        signs = sign_of(a), sign_of(b)
        return int(signs[0] != signs[1]) if all(signs) and (rising or falling) else None

    return chart_between(count, sign_of, steps(low, high, series.end), f"{CHORDS}; {method}")


def chart_between(count: Count, sign_of: SignAt, starts: Sequence[Fraction], method: str) -> Chart:
    """Return the chart of a function between the first and the last of some points, at which it is not 0."""
    isolated_zeros = isolated(count, sign_of, starts)
    marks = [starts[0], *(point for zero in isolated_zeros for point in (zero.lower, zero.upper)), starts[-1]]
    signs = tuple(sign_of(point) for point in marks[::2])
    if not all(signs):
        raise NotCertified("N and D are too close to be separated")
    return Chart(tuple(map(Zero, isolated_zeros)), signs, "certified", method)


def _near_zero(series: PowerSeries, terms: Terms) -> tuple[Fraction, int]:
    """Return δ and the sign of N − D on 0 < y ≤ δ: that of its first term, which outweighs the remainders of both series at δ."""
    degrees = range(series.degree, series.degree + MOST_TERMS + 1)
    m = next((m for m in degrees if terms(m)[0] != terms(m)[1]), None)
    if m is None:
        raise NotCertified(f"the first {MOST_TERMS} terms of both series are equal")
    n, d = terms(m)
    for power in range(3, 80):
        delta = Fraction(1, 2**power)
        first_terms = sum(sum(terms(k)) * delta**k for k in range(series.degree, m + 1))
        with precision(BITS):
            remainder = sum(series.both(delta), ball(0)) - ball(first_terms)
            if remainder < ball(abs(n - d) * delta**m):
                return delta, 1 if n > d else -1
    raise NotCertified("the first term of the difference does not outweigh the others")


def nowhere_larger(first: Form, second: Form, s: int | None) -> bool:
    """Return whether coefficients show that no entry of the first form is larger than the second's, for all 1 ≤ i ≤ j.

    s None: for every s ≥ 0.
    """
    if first.rational is None or second.rational is None:
        return False
    one, other = first.rational.value, second.rational.value
    return nonnegative(lambda i, j, s: other(i, j, s) - one(i, j, s), s)


def _sign_on(expr: SymExpr, x: SymExpr, a: Fraction, b: Fraction) -> int:
    """Return the sign that balls show of an expression on [a, b], or 0."""
    with precision(128), suppress(NotCertified):
        value = ball_value(expr, {x: hull(a, b)})
        return (value > 0) - (value < 0)
    return 0


class _Compared(Derivation):
    """The ratio of the two forms, and where it is above and below 1."""

    @property
    def range(self) -> Interval:
        """The range of the one parameter; with ``shown`` False where it is not known."""
        [name] = (x.name for x in self.parameters)
        return self.ranges.get(name, Interval(name, assumed="summable weights >= 0, not all 0", shown=False))

    @cached_property
    def gap(self) -> Quotient:
        """The ratio less 1, which has the sign of first − second."""
        quotient = self._one_parameter()
        self._require_positive()
        return Quotient.of(quotient.expr - 1, self.parameters)

    @cached_property
    def chart(self) -> Chart:
        """The signs of :attr:`gap` inside the range of a real parameter."""
        if not any(part.free_symbols for part in self.gap.parts.values()):
            return quotient_chart(self.gap, self.range)
        base, base_ends = self._closed.base, self._base_ends
        if base is None or base_ends is None:
            raise NotCertified("the weights are not power series in one base y, 0 < y < 1")
        ratio, series = self._closed.ratio, self._closed.power_series()
        terms = self._terms(base.law.expr.subs(base.parameter, 1)) if base.single else None
        low, first = sign_near(ratio, 0, Fraction(1)) if terms is None else _near_zero(series, terms)
        high, last = sign_near(ratio, 1, Fraction(1))
        chart = _chart_of_series(series, low, 1 - high, "series at the ends")
        if (chart.signs[0], chart.signs[-1]) != (first, last):
            raise AssertionError("the signs at the ends and inside differ")
        if base.same:
            return chart
        step = base_ends[1] - base_ends[0]  # the base may decrease in the parameter
        zeros = tuple(Zero(cast(Enclosure, base.back(zero.place, self.range))) for zero in chart.zeros)
        return replace(chart, zeros=zeros[::step], signs=chart.signs[::step])

    @cached_property
    def summed(self) -> tuple[Chart, Interval]:
        """The signs on a first part of the range, from sums, for weights c_k y^k in the parameter y; ``NotCertified`` for others."""
        law, interval = self.distribution, self.range
        if self.upper_end is not None:
            return self._in_balls()
        base = self._closed.base
        if law.entire is None and not (base and base.same and base.single and interval.unit):
            raise NotCertified("the weights are not those of one power series")
        if not (self.policy.nonnegative_at(self.s) and self.against.nonnegative_at(self.s)):
            raise NotCertified("the forms are not known to have non-negative entries")
        coefficient = law.entire if base is None else base.law.expr.subs(base.parameter, 1)
        if self._size is None:
            raise NotCertified("sums need a number s")
        terms = self._terms(cast(SymExpr, coefficient))
        last, end = (SUMMED, 1) if base else (MEAN_SUMMED, 2 * MEAN_SUMMED)

        def both(y: Fraction) -> tuple[Ball, Ball]:
            at = (law if base is None else base.law).at({interval.name: y})
            return Ratio(self.policy, self.against, at, self.s).both(SUM_DIGITS)

        degree = next((m for m in range(2, MOST_TERMS) if terms(m)[1] > 0), None)
        if degree is None or any(terms(m)[0] for m in range(2, degree)):
            raise NotCertified(f"the form {self.against.name} has no first term > 0")
        series = PowerSeries(both, terms(degree)[1], degree, end)
        low, first = _near_zero(series, terms)
        chart = _chart_of_series(series, low, last, "the first terms at 0")
        if chart.signs[0] != first:
            raise AssertionError("the signs near 0 and inside differ")
        return chart, replace(interval, high=sp.Rational(last), high_in=True)

    def _in_balls(self) -> tuple[Chart, Interval]:
        """Return the signs on the middle of a range with rational ends, from balls of the difference and its derivative."""
        interval, [x] = self.range, self.parameters
        if not all(end.is_Rational for end in interval.ends):
            raise NotCertified(f"the range {interval} has an end that is no number")
        low, high = (interval.at(share) for share in (1 - SUMMED, SUMMED))
        gap = self.gap.expr
        slope = gap.diff(x)

        def sign_of(q: Fraction) -> int:
            return _sign_on(gap, x, q, q)

        def count(a: Fraction, b: Fraction) -> int | None:
            if _sign_on(gap, x, a, b):
                return 0
            return {-1: 1, 1: 0}.get(sign_of(a) * sign_of(b)) if _sign_on(slope, x, a, b) else None

        chart = chart_between(count, sign_of, [low, high], "balls of the difference and its derivative")
        return chart, replace(interval, low=sp.Rational(low), high=sp.Rational(high), low_in=True, high_in=True)

    def _terms(self, coefficient: SymExpr) -> Terms:
        """Return the coefficients of both forms' power series under weights c_k y^k, ``coefficient`` being c_k."""
        c = cache(lambda k: fraction(coefficient.subs(K, k)))

        @cache
        def terms(m: int) -> tuple[Fraction, Fraction]:
            weights = [(i, m - i, c(i) * c(m - i)) for i in range(1, m)]
            forms = self.policy, self.against
            first, second = (sum((f.entry(i, j, self.s) * w for i, j, w in weights), Fraction(0)) for f in forms)
            return first, second

        return terms
