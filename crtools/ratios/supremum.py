"""``Supremum``, the supremum of a ratio over its parameters; and the suprema over one parameter.

They are computed for a quotient of polynomials, certified by branch and bound for a ratio with logarithms over 0 < q < 1 and for
Poisson laws, or sampled.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias, cast

import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.closed_form.quotient import Quotient
from crtools.distributions import Poisson
from crtools.enclosure import Enclosure, ball, ends, fraction, hull, polynomial_on, precision
from crtools.errors import NotCertified
from crtools.forms import Form
from crtools.forms.rational_entry import Entry, trace
from crtools.numeric_types import Ball, JsonObject, SymExpr, SymPoly
from crtools.ratios.limits import expansions, leading_term, limit_at_end
from crtools.ratios.ratio import Ratio
from crtools.signs.charts import LOST, Zero, integers_near_zeros, zeros
from crtools.signs.ranges import Interval

NARROW = 1e-11
"""Above this relative width both ends are printed."""

LONGEST = 60
"""Longer exact values are printed as decimals."""

SAMPLES = 200

DIGITS = (20, 60, 200)
"""A sample and a limit are compared in this number of digits, until they are separated."""


Location: TypeAlias = "Enclosure | SymExpr | tuple[tuple[str, SymExpr, bool], ...] | None"
"""Where a supremum is attained or approached."""


@dataclass(frozen=True)
class Supremum:
    """sup of the ratio over the range of its parameter, or of several together (``parameter``: their names).

    ``bounds``: lower and upper, None if it is infinite. ``value``: an exact expression if there is one (``oo`` if infinite), else None.
    ``at``: an ``Enclosure`` of an interior point, an exact number or ±oo, or None for a constant ratio; for several parameters triples
    (name, exact number or oo, whether it is reached or a limit), a point near the largest computed value. ``others``: further points
    where the ratio is as large within the accuracy reached. ``attained``: whether parameters in the range attain it (None: not
    decided). With status ``supported`` the bounds enclose one value or limit, which bounds the supremum from below only.
    """

    parameter: str
    bounds: Enclosure | None
    value: SymExpr | None
    at: Location
    attained: bool | None
    status: str
    method: str
    uses: tuple[str, ...] = ()
    others: tuple[Location, ...] = ()

    @property
    def enclosure(self) -> Enclosure:
        """The bounds; raises ``NotCertified`` where the supremum is infinite."""
        if self.bounds is None:
            raise NotCertified(f"the ratio is unbounded, {self.place}")
        return self.bounds

    @property
    def value_text(self) -> str:
        """The value in print; a supremum that is only ``supported`` is at least it."""
        if self.bounds is None:
            return "∞"
        if self.status != "supported":
            digits = f"{self.enclosure.middle:.12g}" if isinstance(self.at, tuple) else repr(self.enclosure.middle)
            if self.enclosure.relative_width() > NARROW:
                digits = "between {} and {}".format(*self.enclosure.decimals(5))
            return digits if self.value is None or len(str(self.value)) > LONGEST else str(self.value)
        return f"at least {self.bounds.decimals(12)[0] if self.value is None else self.value}"

    @property
    def place(self) -> str:
        """Where the supremum is, in words."""
        if self.at is None:
            return f"at every {self.parameter}"
        if isinstance(self.at, tuple):
            return "near " + ", ".join(f"{name} {_near(value, reached)}" for name, value, reached in self.at)
        return " or ".join(map(self._location_text, (self.at, *self.others)))

    def _location_text(self, at: Any) -> str:
        if self.attained is False:
            return f"{self.parameter} → {end_text(at)} (not attained)"
        if isinstance(at, Enclosure):
            return f"{self.parameter} in [{', '.join(at.decimals(8))}]"
        if self.status == "supported" and self.attained is None:
            return f"{self.parameter} ≈ {float(at):.8g}"
        return f"{self.parameter} = {at}"

    def _at(self, at: Any) -> str | dict[str, str] | None:
        if at is None:
            return None
        if isinstance(at, tuple):
            return {name: str(value) for name, value, _ in at}
        if isinstance(at, Enclosure):
            return repr(at.middle)
        return repr(float(at)) if self.status == "supported" and self.attained is None else str(at)

    def as_json(self) -> JsonObject:
        """Return JSON data: decimal strings rounded outward, and the place; ``places`` has it and all others."""
        low, high = (None, None) if self.bounds is None or self.status == "supported" else self.bounds.decimals(15)
        interval = list(self.at.decimals(10)) if isinstance(self.at, Enclosure) else None
        return {
            "value": str(self.value) if self.value is not None else repr(self.enclosure.middle),
            "lower": low,
            "upper": high,
            "at": self._at(self.at),
            "at_interval": interval,
            "places": [self._at(at) for at in (self.at, *self.others)],
            "attained": self.attained,
            "status": self.status,
            "method": self.method,
            "uses": list(self.uses),
        }


def _near(value: SymExpr, reached: bool) -> str:
    """Return a coordinate of a place in print: an end as a limit, a short number exactly, others to eight digits."""
    if value is sp.oo or not reached:
        return f"→ {end_text(value)}"
    return f"= {value}" if len(str(value)) < 8 else f"≈ {float(value):.8g}"


def end_text(end: SymExpr) -> str:
    """Return an end of a range in print."""
    return "∞" if end is sp.oo else "−∞" if end == -sp.oo else str(end)


# ---- without a certificate -----------------------------------------------------------------------------------------


def sampled_supremum(
    value: Callable[[Fraction, int], Enclosure], interval: Interval, limits: Mapping[int, SymExpr]
) -> Supremum:
    """Return the largest of samples and of the limits at the ends (0 or 1 ↦ limit), as ``supported``.

    ``value(at, digits)`` encloses the ratio. The supremum is at least the lower end of the bounds, which is certified;
    nothing bounds it from above. A closed end attains its limit, an open one does not; at an interior sample ``attained``
    is not decided.
    """
    for end, limit in limits.items():
        if limit is sp.oo:
            return Supremum(interval.name, None, sp.oo, interval.ends[end], False, "certified", "the limit at the end")
    shares = [Fraction(k, SAMPLES) for k in range(1, SAMPLES)]
    shares += [part for k in range(8, 25, 2) for part in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))]
    value_at_share = cache(lambda share: value(interval.at(share), 15).middle)
    best, step = max(shares, key=value_at_share), Fraction(1, 4 * SAMPLES)
    while step > Fraction(1, 2**34):
        before = best
        best = max((share for share in (best, best - step, best + step) if 0 < share < 1), key=value_at_share)
        step = step / 2 if best == before else step
    at_ends = "and the limits at the ends" if len(limits) == 2 else "without the limit at an end, which is not known"
    method = f"largest of {len(shares)} samples, refined, {at_ends}"
    for digits in DIGITS:
        sample = value(interval.at(best), digits)
        enclosed_limits = {end: enclose(limit, {}, digits) for end, limit in limits.items()}
        end = max(enclosed_limits, key=lambda e: (enclosed_limits[e].lower, interval.closed[e]), default=None)
        if end is None or enclosed_limits[end].upper < sample.lower:
            return Supremum(interval.name, sample, None, interval.place(best), None, "supported", method)
        if enclosed_limits[end].lower > sample.upper or digits == DIGITS[-1]:
            at_end = enclosed_limits[end], limits[end], interval.ends[end], interval.closed[end]
            return Supremum(interval.name, *at_end, "supported", method)
    raise AssertionError("the last number of digits decides")


MOST_LISTED = 10**4
"""Upper limit on the integer values of a parameter that are evaluated one by one."""

MOST_WITH_PARTS = 300
"""The same limit where the ratio has harmonic numbers, whose exact values are long."""

BITS = 400
"""Bits of the balls of values."""


def quotient_supremum(ratio: Quotient, interval: Interval) -> Supremum:
    """Return the supremum on the range of the one parameter, whose ends are rational or infinite.

    It is at a zero of the derivative, or at an end; proved where the coefficients are rational, and certified where they have
    logarithms of numbers. Raises ``NotCertified`` for logarithms in the parameter, a pole inside, or values that are not separated.
    """
    if any(part.free_symbols for part in ratio.parts.values()):
        raise NotCertified("the weights are not power series in one base y, 0 < y < 1")
    [x] = ratio.parameters
    status = "certified" if ratio.parts else "proved"
    if zeros(ratio.denominator, x, interval, ratio.parts):
        raise NotCertified("the ratio has a pole inside the parameter's range")
    limits = {end: limit_at_end(ratio, interval, end) for end in (0, 1)}
    if sp.oo in limits.values():
        at = interval.ends[0 if limits[0] is sp.oo else 1]
        return Supremum(interval.name, None, sp.oo, at, False, status, "the limits at the ends")
    rate = _derivative(ratio)
    if rate.is_zero:
        value = enclose(limits[0], {}, 30)
        return Supremum(interval.name, value, limits[0], None, True, status, "the ratio is constant")
    at_ends = {end: _point(limit) if limit.is_Rational else enclose(limit, {}, 30) for end, limit in limits.items()}
    end = max((0, 1), key=lambda e: (at_ends[e].lower, interval.closed[e]))
    top, highest = at_ends[end], max(limit.upper for limit in at_ends.values())
    tied = at_ends[1 - end].upper > top.lower and limits[0] != limits[1]  # the ends are not separated
    inner = [(_value(ratio, zero), zero.place) for zero in zeros(rate, x, interval, ratio.parts)]
    lower_bound = max([top.lower, *(value.lower for value, _ in inner)])
    over = [(value, place) for value, place in inner if value.upper >= lower_bound]
    evidence = status, "the derivative's roots isolated by Descartes' rule of signs", ("Descartes",)
    if not over:
        if tied:
            raise NotCertified("the limits at the two ends are too close to be separated")
        other = (interval.ends[1 - end],) if limits[0] == limits[1] and all(interval.closed) else ()
        return Supremum(interval.name, top, limits[end], interval.ends[end], interval.closed[end], *evidence, other)
    over.sort(key=lambda one: one[0].lower, reverse=True)
    bounds = Enclosure(lower_bound, max(value.upper for value, _ in over))
    closed = [interval.ends[e] for e in (0, 1) if interval.closed[e] and at_ends[e].upper >= lower_bound]
    place, *others = (*(sp.Rational(at.upper) if at.width == 0 else at for _, at in over), *closed)
    if bounds.width == 0 and not isinstance(place, Enclosure):
        return Supremum(interval.name, bounds, sp.Rational(bounds.upper), place, True, *evidence, tuple(others))
    # if an end may be as large, the supremum is known to be attained only for a larger interior value or a closed end
    attained = True if lower_bound > highest or (interval.closed[end] and not tied) else None
    bounds = Enclosure(lower_bound, max(bounds.upper, highest))
    return Supremum(interval.name, bounds, None, place, attained, *evidence, tuple(others))


def _derivative(ratio: Quotient) -> SymPoly:
    """Return N'D − ND', as a polynomial in the parameter and the parts."""
    [x] = ratio.parameters
    p, q = (sp.Poly(part.as_expr(), x, *ratio.parts, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    return cast(SymPoly, p.diff(x) * q - p * q.diff(x))


def _value(ratio: Quotient, zero: Zero) -> Enclosure:
    """Return the ratio at a place, exact where both are rational."""
    [x], (a, b) = ratio.parameters, (zero.place.lower, zero.place.upper)
    p, q = (sp.Poly(part.as_expr(), x) for part in (ratio.numerator, ratio.denominator))
    if a == b and not ratio.parts:
        return _point(p.eval(sp.Rational(a)) / q.eval(sp.Rational(a)))
    with precision(BITS + LOST * max(int(p.degree()), int(q.degree()))):
        values = {symbol: ball_value(part, {}) for symbol, part in ratio.parts.items()}
        above, below = ([ball_value(c, values) for c in reversed(poly.all_coeffs())] for poly in (p, q))
        return Enclosure(*ends(polynomial_on(above, a, b) / polynomial_on(below, a, b)))


def integer_supremum(ratio: Quotient, interval: Interval) -> Supremum:
    """Return the largest value at the integers of a range; the ratio may have harmonic numbers where they are listed.

    Where there is no last one, the ratio is monotone between zeros of its derivative, so the integers next to them and the
    limit suffice. Raises ``NotCertified`` for many integers, a pole or logarithms.
    """
    [x], (low, high) = ratio.parameters, interval.integers
    if high is None:
        if zeros(ratio.denominator, x, interval):
            raise NotCertified("the ratio has a pole inside the parameter's range")
        rate = _derivative(ratio)
        lengths, limit = integers_near_zeros([rate], x, interval), limit_at_end(ratio, interval, 1)
        method = "the integers beside the derivative's roots, isolated by Descartes' rule of signs, and the limit"
        if rate.is_zero:
            return Supremum(x.name, _point(limit), limit, None, True, "proved", "the ratio is constant")
    else:
        lengths, limit, method = range(low, high + 1), -sp.oo, "exact values at every length"
        largest_count = MOST_WITH_PARTS if ratio.parts else MOST_LISTED
        harmonic = all(isinstance(part, sp.harmonic) for part in ratio.parts.values())
        if not (harmonic and 0 < len(lengths) <= largest_count):
            raise NotCertified("the lengths are too many to be listed")
    p, q = (sp.Poly(part.as_expr(), *ratio.parts, x) for part in (ratio.numerator, ratio.denominator))
    values: dict[int, Any] = {}
    for n in lengths:
        point = (*(part.xreplace({x: sp.Integer(n)}) for part in ratio.parts.values()), n)
        values[n] = p(*point) / q(*point)
    best = max(values, key=lambda n: values[n])
    others = tuple(sp.Integer(n) for n in values if n != best and values[n] == values[best])
    uses = ("Descartes",) if high is None else ()
    if limit > values[best]:
        bounds = None if limit is sp.oo else _point(limit)
        return Supremum(x.name, bounds, limit, sp.oo, False, "proved", method, uses)
    return Supremum(x.name, _point(values[best]), values[best], sp.Integer(best), True, "proved", method, uses, others)


def _point(value: SymExpr) -> Enclosure:
    return Enclosure(fraction(value), fraction(value))


# ---- with logarithms: branch and bound -------------------------------------------------------------------------------
#
# Where the weights are power series in q with coefficients ≥ 0 and the forms have entries ≥ 0, N and D are such series too,
# so ln N and ln D are **convex** functions of x = ln q (Hölder). On an interval ln N lies below its chord and ln D above its
# secants from outside, which bounds ln N − ln D by a concave piecewise linear function: an error of second order from values
# at four points. Near q = 0 the first term of D bounds it from below; near q = 1 the expansion of ``expansions`` takes over.

Segment = tuple[Fraction, Fraction]

ORDER = 12
"""Terms of the expansions at an end."""

TOLERANCE = Fraction(1, 10**12)
"""The relative width to which a supremum inside the range is enclosed."""

MOST_INTERVALS = 20_000

NEAR = Fraction(1, 1000)
"""Intervals that may contain the maximum are merged if the gap between them is at most this share of the distance to an end."""

FIRST_POINTS = (*(Fraction(k, 32) for k in range(2, 31)), *(1 - Fraction(1, 2**k) for k in range(1, 15)))
"""The points at which the ratio is evaluated first."""

SERIES_BITS = 128

SERIES_DIGITS = 24
"""Digits of the values of two series in closed form."""


class PowerSeries:
    """Two power series N and D in q with coefficients ≥ 0, and ln N, ln D and x = ln q at rational points of (0, end), cached.

    ``both`` gives balls of N and D at a point. D(q) ≥ ``first`` · q^``degree``, a bound of D's first term, and N(q)/q^``degree``
    increases.
    """

    def __init__(
        self, both: Callable[[Fraction], tuple[Ball, Ball]], first: Fraction, degree: int, end: Fraction | int = 1
    ) -> None:
        self.both, self.at = cache(both), cache(self._at)
        self.first, self.degree, self.end = first, degree, Fraction(end)
        self.largest = Fraction(0)  # the largest lower bound of the ratio at the points so far
        self.maximiser = Fraction(1, 2)

    @classmethod
    def of(cls, numerator: Quotient, denominator: Quotient, first: tuple[Fraction, int] | None) -> PowerSeries:
        """Return the series of two quotients; the first term of D is read off its expansion unless it is given."""

        def both(q: Fraction) -> tuple[Ball, Ball]:
            values = [part.enclose(q, SERIES_DIGITS) for part in (numerator, denominator)]
            with precision(SERIES_BITS):
                n, d = (hull(value.lower, value.upper) for value in values)
            return n, d

        if first is not None:
            return cls(both, *first)
        degree, logarithms, coefficient = leading_term(denominator, 0)
        with precision(SERIES_BITS):
            lower = ends(ball_value(coefficient, {}))[0]
        if logarithms or lower <= 0:
            raise NotCertified("the first term of the denominator is not determined")
        return cls(both, lower, degree)

    def _at(self, q: Fraction) -> Point:
        """Return (x, ln N, ln D) at q."""
        n, d = self.both(q)
        with precision(SERIES_BITS):
            lower = ends(n / d)[0]
            if lower > self.largest:
                self.largest, self.maximiser = lower, q
            return ball(q).log(), n.log(), d.log()

    def around(self, a: Fraction, b: Fraction) -> list[Point]:
        """Return :meth:`at` at a, b and a point before and after them."""
        return [self.at(q) for q in (max(a - (b - a), a / 2), a, b, min(b + (b - a), (self.end + b) / 2))]

    def below_near_zero(self, level: Fraction) -> Fraction:
        """Return q with N/D ≤ N(q)/(first · q^degree) ≤ level on (0, q]; raises ``NotCertified`` where none is found."""
        for power in range(4, 81):
            q = Fraction(1, 2**power)
            self.at(q)
            with precision(SERIES_BITS):
                if ends(self.both(q)[0] / ball(self.first * q**self.degree))[1] <= level:
                    return q
        raise NotCertified("the ratio is not below its supremum near 0")


Point: TypeAlias = tuple[Ball, Ball, Ball]
"""(x, ln N, ln D)."""


def chord_bound(around: Sequence[Point]) -> Fraction:
    """Return an upper bound of N/D between two points, given with one before and one after them."""
    (xz, _, dz), (xa, na, da), (xb, nb, db), (xc, _, dc) = around
    with precision(SERIES_BITS):
        chord, slope_before, slope_after = (nb - na) / (xb - xa), (da - dz) / (xa - xz), (dc - db) / (xc - xb)
        # the two lower lines of ln D meet at xm (any xm in [xa, xb] gives a bound)
        gap = float((slope_after - slope_before).mid())
        share = 0.5
        if gap > 0:
            meet = float(((da - slope_before * xa - db + slope_after * xb) / (slope_after - slope_before)).mid())
            share = (meet - float(xa.mid())) / float((xb - xa).mid())
        xm = xa + (xb - xa) * ball(min(max(share, 0.0), 1.0))
        top = na + chord * (xm - xa)
        candidates = [na - da, nb - db, top - (da + slope_before * (xm - xa)), top - (db + slope_after * (xm - xb))]
        return max(ends(c.exp())[1] for c in candidates)


def certified_supremum(ratio: Quotient, series: PowerSeries, limits: Mapping[int, SymExpr], name: str) -> Supremum:
    """Return the certified supremum over 0 < q < 1 of N/D, with the limits at 0 and 1; ``series`` has N and D.

    Raises ``NotCertified`` where a comparison is not decided.
    """
    for end, limit in limits.items():
        if limit is sp.oo:
            return Supremum(name, None, sp.oo, sp.Integer(end), False, "certified", "expansions at both ends")
    low, high = (enclose(limits[end], {}, 30) for end in (0, 1))
    for point in FIRST_POINTS:
        series.at(point)
    method = "branch and bound on chords of ln N and ln D, convex in ln q; expansion with remainder at the ends"
    limit = max(low.upper, high.upper)
    if series.largest <= limit:
        same = sp.simplify(limits[0] - limits[1]) == 0
        if not same and low.upper >= high.lower and high.upper >= low.lower:
            raise NotCertified("the limits at the two ends are too close to be separated")
        end = 1 if same or high.lower > low.upper else 0
        top = (low, high)[end]
        near = [e for e in (0, 1) if same or e in (1, end)]  # elsewhere the first term of D bounds the ratio near 0
        deltas = {e: _where_below(ratio, e, None if same or e == end else top.lower) for e in near}
        first = deltas[0] if 0 in deltas else series.below_near_zero(top.lower)
        if search(series, first, 1 - deltas[1], top.lower)[0] > top.lower:
            raise NotCertified("the ratio is larger inside than its limits at both ends, but not at the first points")
        return Supremum(name, top, limits[end], sp.Integer(end), False, "certified", method)
    polish(series)
    level = series.largest - (series.largest - limit) / 100
    level = Fraction(int(level * 2**40), 2**40)
    if not limit < level < series.largest:
        raise NotCertified("the maximum inside and the limit at an end are too close to be separated")
    return inner_supremum(series, 1 - _where_below(ratio, 1, level), level, name, method)


def inner_supremum(series: PowerSeries, last: Fraction, level: Fraction, name: str, method: str) -> Supremum:
    """Return the certified supremum where it is attained on (0, last] and the ratio is below ``level`` beyond."""
    first = series.below_near_zero(min(level, series.largest))
    upper, maximiser, *others = search(series, first, last, level)
    enclosure, at = Enclosure(series.largest, upper), Enclosure(*maximiser)
    others = tuple(Enclosure(*interval) for interval in others)
    return Supremum(name, enclosure, None, at, True, "certified", method, (), others)


def steps(low: Fraction, high: Fraction, end: Fraction) -> list[Fraction]:
    """Return points from low to high, in steps that are short near 0 and near the end."""
    marks = [low]
    while marks[-1] < high:
        marks.append(min(marks[-1] + min(marks[-1], end - marks[-1]) / 4, high))
    return marks


def polish(series: PowerSeries) -> None:
    """Move towards the maximum by interval halving, so that the lower bound is good before the search."""
    step = min(series.maximiser, series.end - series.maximiser) / 4
    for _ in range(70):
        before = series.maximiser
        for q in (before - step, before + step):
            if 0 < q < series.end:
                series.at(q)
        if series.maximiser == before:
            step /= 2
        if step < Fraction(1, 2**30):
            break


def search(
    series: PowerSeries, first: Fraction, last: Fraction, level: Fraction
) -> tuple[Fraction, *tuple[Segment, ...]]:
    """Bound N/D on [first, last] by ``level``, or where it attains larger values to within ``TOLERANCE`` of the largest.

    Returns the upper bound and the intervals that may attain it, the one with the largest value first, merged as ``NEAR`` says.
    Raises ``NotCertified`` where the number of intervals exceeds ``MOST_INTERVALS``.
    """
    heap: list[tuple[Fraction, Fraction, Fraction]] = []
    parts = [*itertools.pairwise(steps(first, last, series.end))]
    for _ in range(MOST_INTERVALS // 2):
        for a, b in parts:
            bound = chord_bound(series.around(a, b))
            if bound > max(series.largest, level):
                heapq.heappush(heap, (-bound, a, b))
        if not heap:
            return max(series.largest, level), (series.maximiser, series.maximiser)
        bound, a, b = heap[0]
        if series.largest >= level and -bound <= series.largest * (1 + TOLERANCE):
            maximisers = merge_near([(a, b) for bound, a, b in heap if -bound >= series.largest], series.end)
            maximisers.sort(key=lambda interval: not interval[0] <= series.maximiser <= interval[1])
            return -bound, *maximisers
        heapq.heappop(heap)
        parts = [(a, (a + b) / 2), ((a + b) / 2, b)]
    raise NotCertified("branch and bound ran out of intervals")


def merge_near(intervals: Iterable[Segment], end: Fraction) -> list[Segment]:
    """Return intervals of (0, end) that hold the given ones, in increasing order and no two of them ``NEAR`` each other."""
    merged: list[Segment] = []
    for a, b in sorted(intervals):
        if merged and a - merged[-1][1] <= NEAR * min(a, end - a):
            a, b = merged[-1][0], max(merged.pop()[1], b)
        merged.append((a, b))
    return merged


def sign_near(ratio: Quotient, end: int, level: Fraction | None) -> tuple[Fraction, int]:
    """Return δ, and the sign of ratio − level (None: less its limit) at all points closer than δ to an end of (0, 1)."""
    for order, power in itertools.product((ORDER, 3 * ORDER), range(4, 41)):
        delta = Fraction(1, 2**power)
        with suppress(NotCertified):
            p, q = expansions(ratio, end, order, delta)
            top, bottom = p.leading(), q.leading()
            if bottom is None:
                continue
            if level is not None:
                sign = (p + q * QQ(-level.numerator, level.denominator)).sign() * q.sign()
            else:  # p q0 − q p0 over q q0, which has the sign of Λ^j, and Λ < 0
                sign = (p * bottom[2] + q * (-top[2] if top else 0)).sign() * (-1) ** bottom[1]
            if sign:
                return delta, sign
    raise NotCertified(f"the sign near the end {end} is not determined")


def _where_below(ratio: Quotient, end: int, level: Fraction | None) -> Fraction:
    """Return δ with ratio < level (None: < its limit) at all points closer than δ to an end of (0, 1)."""
    with suppress(NotCertified):
        delta, sign = sign_near(ratio, end, level)
        if sign < 0:
            return delta
    raise NotCertified(f"the ratio could not be compared with its limit near {end}")


MEANS = (100, 400, 1600)
"""Means from one of which on the inequality is used."""

FACTORS = tuple(Fraction(n, 8) for n in (0, 1, 2, 4, 8, 16, 32, 64, 128))
"""Values that r, A and B are searched for among."""


def poisson_supremum(policy: Form, against: Form, s: int, name: str) -> Supremum:
    """Return the certified supremum over λ > 0 of the ratio under λ^k/k!, k ≥ 1: branch and bound up to a mean, a bound beyond.

    N and D are power series in λ. Beyond, the entries must satisfy, for all 1 ≤ i ≤ j and some r, A and B > 0,

        N_ij ≤ r D_ij + A (j−i)(s+i+j),    D_ij ≥ B i(s+i).

    With X, Y independent of the distribution, m = min(X, Y), V = Var X and E = E X, Cauchy–Schwarz and E m ≥ E − √(V/2) give

        N/D ≤ r + A √(2V) √((s+2E)² + 2V) / (B (E − √(V/2)) (s + E − √(V/2))).

    For λ ≥ 100 the distribution given k ≥ 1 has λ ≤ E ≤ 1.01 λ and V ≤ 1.01 λ, so the bound is at most its value with these, which
    decreases in λ. Raises ``NotCertified`` unless the supremum is attained and above the bound for large means.
    """
    first = Fraction(against.entry(1, 1, s))
    if not (policy.nonnegative_at(s) and against.nonnegative_at(s) and first > 0):
        raise NotCertified("the forms are not known to have non-negative entries, the first > 0")

    series = PowerSeries(lambda rate: Ratio(policy, against, Poisson(rate), s).both(30), first, 2, 2 * MEANS[-1])
    for k in range(1, 60):
        series.at(Fraction(k, 4))
    polish(series)
    level = Fraction(int(series.largest * (1 - Fraction(1, 100)) * 2**40), 2**40)
    last = next((mean for mean in MEANS if any(b < level for b in _beyond(policy, against, s, mean))), None)
    if last is None:
        raise NotCertified("the maximum does not exceed the bound of the ratio for large means")
    method = f"branch and bound on chords of ln N and ln D, convex in ln λ; an inequality for λ ≥ {last}"
    return inner_supremum(series, Fraction(last), level, name, method)


def _beyond(policy: Form, against: Form, s: int, mean: int) -> Iterator[Fraction]:
    """Iterate over upper bounds of the ratio for all λ ≥ mean, one for each r for which there are A and B."""
    assert policy.rational is not None
    assert against.rational is not None
    n, d = policy.rational.value, against.rational.value

    def bounds_numerator(r: Fraction, a: Fraction) -> bool:
        return nonnegative(lambda i, j, s: r * d(i, j, s) + a * (j - i) * (s + i + j) - n(i, j, s), s)

    factors = FACTORS[:0:-1]
    below = next((b for b in factors if nonnegative(lambda i, j, s, b=b: d(i, j, s) - b * i * (s + i), s)), None)
    if below is None:
        return
    with precision(64):
        v = ball(Fraction(101, 100) * mean)  # bounds the variance and the mean
        smaller = mean - (v / 2).sqrt()
        top = (2 * v * ((s + 2 * v) ** 2 + 2 * v)).sqrt()
        factor = ends(top / (ball(below) * smaller * (s + smaller)))[1]
    for r in FACTORS:
        a = next((a for a in FACTORS if bounds_numerator(r, a)), None)
        if a is not None:
            yield r + a * factor


def nonnegative(function: Entry, s: int | None) -> bool:
    """Return whether coefficients show that a function of i, j and s is ≥ 0 for all 1 ≤ i ≤ j (s None: and every s ≥ 0)."""
    entry = trace(function)
    return entry is not None and entry.nonnegative(s)
