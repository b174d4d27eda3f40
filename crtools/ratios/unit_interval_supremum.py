"""The supremum of a ratio with logarithms over 0 < q < 1, certified by branch and bound.

Where the weights are power series in q with coefficients ≥ 0 and the forms have entries ≥ 0, N and D are such series too,
so ln N and ln D are **convex** functions of x = ln q (Hölder). On an interval ln N lies below its chord and ln D above its
secants from outside, which bounds ln N − ln D by a concave piecewise linear function: an error of second order from values
at four points. Near q = 0 the first term of D bounds it from below; near q = 1 the expansion of ``expansions`` takes over.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache

import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.closed_form.quotient import Quotient
from crtools.distributions import Poisson
from crtools.enclosure import Enclosure, ball, ends, hull, precision
from crtools.errors import NotCertified
from crtools.forms import Form
from crtools.forms.rational_entry import trace
from crtools.numeric_types import Ball, RingElement, SymExpr
from crtools.ratios.limits import expansions
from crtools.ratios.ratio import Ratio
from crtools.ratios.supremum import Supremum

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

BITS = 128

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
        self.both, self.first, self.degree, self.end = cache(both), first, degree, Fraction(end)
        self._values: dict[Fraction, tuple[Ball, Ball, Ball]] = {}
        self.largest = Fraction(0)  # the largest lower bound of the ratio at the points so far
        self.maximiser = Fraction(1, 2)

    @classmethod
    def of(cls, numerator: Quotient, denominator: Quotient, first: tuple[Fraction, int] | None) -> PowerSeries:
        """Return the series of two quotients; the first term of D is read off its expansion unless it is given."""
        if first is None:
            first = _first_term(denominator)
        [x] = numerator.parameters

        def both(q: Fraction) -> tuple[Ball, Ball]:
            values = [enclose(part.expr, {x: q}, SERIES_DIGITS) for part in (numerator, denominator)]
            with precision(BITS):
                n, d = (hull(value.lower, value.upper) for value in values)
            return n, d

        return cls(both, *first)

    def at(self, q: Fraction) -> tuple[Ball, Ball, Ball]:
        """Return (x, ln N, ln D) at q."""
        if q not in self._values:
            n, d = self.both(q)
            with precision(BITS):
                lower = ends(n / d)[0]
                if lower > self.largest:
                    self.largest, self.maximiser = lower, q
                self._values[q] = ball(q).log(), n.log(), d.log()
        return self._values[q]

    def around(self, a: Fraction, b: Fraction) -> list[tuple[Ball, Ball, Ball]]:
        """Return :meth:`at` at a, b and a point before and after them."""
        return [self.at(q) for q in (max(a - (b - a), a / 2), a, b, min(b + (b - a), (self.end + b) / 2))]

    def upper(self, a: Fraction, b: Fraction) -> Fraction:
        """Return an upper bound of N/D on [a, b]."""
        (xz, _, dz), (xa, na, da), (xb, nb, db), (xc, _, dc) = self.around(a, b)
        with precision(BITS):
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

    def near_zero(self, q: Fraction) -> Fraction:
        """Return an upper bound of N/D on (0, q]: N(q)/(first · q^degree)."""
        value, _ = self.both(q)
        self.at(q)
        with precision(BITS):
            return ends(value / ball(self.first * q**self.degree))[1]


def _first_term(denominator: Quotient) -> tuple[Fraction, int]:
    """Return (c, m) with c q^m at most the first term of a power series, c > 0."""
    for order in (8, 24, 80):
        p, q = expansions(denominator, 0, order, Fraction(1, 2**30))
        up, down = p.leading(), q.leading()
        if up is not None and down is not None and up[1] == down[1]:
            with precision(BITS):
                first = ends(ball_value(p.at.value(up[2]) / q.at.value(down[2]), {}))[0]
            if first > 0:
                return first, up[0] - down[0]
    raise NotCertified("the first term of the denominator is not determined")


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
        first = deltas[0] if 0 in deltas else _below_near_zero(series, top.lower)
        check_below(series, first, 1 - deltas[1], top.lower)
        return Supremum(name, top, limits[end], sp.Integer(end), False, "certified", method)
    polish(series)
    level = series.largest - (series.largest - limit) / 100
    level = Fraction(int(level * 2**40), 2**40)
    if not limit < level < series.largest:
        raise NotCertified("the maximum inside and the limit at an end are too close to be separated")
    return inner_supremum(series, 1 - _where_below(ratio, 1, level), level, name, method)


def inner_supremum(series: PowerSeries, last: Fraction, level: Fraction, name: str, method: str) -> Supremum:
    """Return the certified supremum where it is attained on (0, last] and the ratio is below ``level`` beyond."""
    upper, maximiser, *others = search(series, last, level)
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


def _below_near_zero(series: PowerSeries, level: Fraction) -> Fraction:
    """Return q with N/D ≤ level on (0, q]; raises ``NotCertified`` where none is found."""
    q = Fraction(1, 16)
    while series.near_zero(q) > level:
        q /= 2
        if q < Fraction(1, 2**80):
            raise NotCertified("the ratio is not below its supremum near 0")
    return q


def check_below(series: PowerSeries, first: Fraction, last: Fraction, level: Fraction) -> None:
    """Raise ``NotCertified`` unless bisection shows that N/D ≤ level on [first, last]."""
    parts = [*itertools.pairwise(steps(first, last, series.end))]
    for _ in range(MOST_INTERVALS + len(parts)):
        if not parts:
            return
        a, b = parts.pop()
        if series.upper(a, b) > level:
            parts += [(a, (a + b) / 2), ((a + b) / 2, b)]
    raise NotCertified("bisection ran out of intervals")


def search(series: PowerSeries, last: Fraction, level: Fraction) -> tuple[Fraction, *tuple[Segment, ...]]:
    """Bound N/D on (0, last], where it attains values above ``level``, to within ``TOLERANCE`` of its largest value.

    Returns the upper bound and the intervals that may attain it, the one with the largest value first, merged as ``NEAR`` says.
    Raises ``NotCertified`` where the number of intervals exceeds ``MOST_INTERVALS``.
    """
    heap: list[tuple[Fraction, Fraction, Fraction]] = []
    first = _below_near_zero(series, min(level, series.largest))
    parts = [*itertools.pairwise(steps(first, last, series.end))]
    for _ in range(MOST_INTERVALS // 2):
        for a, b in parts:
            bound = series.upper(a, b)
            if bound > series.largest:
                heapq.heappush(heap, (-bound, a, b))
        if not heap:
            return series.largest, (series.maximiser, series.maximiser)
        bound, a, b = heap[0]
        if -bound <= series.largest * (1 + TOLERANCE):
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
                sign = (p + q.scaled(QQ(-level.numerator, level.denominator))).sign() * q.sign()
            else:  # p q0 − q p0 over q q0, which has the sign of Λ^j, and Λ < 0
                sign = (p.scaled(bottom[2]) + q.scaled(-top[2] if top else 0)).sign() * (-1) ** bottom[1]
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

    def both(rate: Fraction) -> tuple[Ball, Ball]:
        return Ratio(policy, against, Poisson(rate), s).both(30)

    series = PowerSeries(both, first, 2, 2 * MEANS[-1])
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

    def holds(gap: Callable[[RingElement, RingElement, RingElement], RingElement]) -> bool:
        """Whether the coefficients show that gap(i, j, s) ≥ 0 for all 1 ≤ i ≤ j."""
        entry = trace(gap)
        return entry is not None and entry.nonnegative(s)

    def bounds_denominator(b: Fraction) -> bool:
        return holds(lambda i, j, s: d(i, j, s) - b * i * (s + i))

    def bounds_numerator(r: Fraction, a: Fraction) -> bool:
        return holds(lambda i, j, s: r * d(i, j, s) + a * (j - i) * (s + i + j) - n(i, j, s))

    below = next((b for b in reversed(FACTORS) if b and bounds_denominator(b)), None)
    if below is None:
        return
    with precision(64):
        e, v = ball(Fraction(101, 100) * mean), ball(Fraction(101, 100) * mean)
        smaller = mean - (v / 2).sqrt()
        top = (2 * v * ((s + 2 * e) ** 2 + 2 * v)).sqrt()
        factor = ends(top / (ball(below) * smaller * (s + smaller)))[1]
    for r in FACTORS:
        a = next((a for a in FACTORS if bounds_numerator(r, a)), None)
        if a is not None:
            yield r + a * factor
