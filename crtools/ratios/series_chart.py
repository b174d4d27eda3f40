"""The sign chart of N − D for two power series N and D with coefficients ≥ 0, as a :class:`crtools.signs.quotients.Chart`.

N/D is bounded by convexity (``unit_interval_supremum``), and the ends by expansions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from crtools.closed_form.quotient import Quotient
from crtools.enclosure import ball, precision
from crtools.errors import NotCertified
from crtools.ratios.expansions import expansions
from crtools.ratios.unit_interval_supremum import ORDER, Bounds, PowerSeries, steps
from crtools.signs.quotients import Chart
from crtools.signs.zeros import Probe, Zero, isolated

MOST_TERMS = 60
"""Upper limit on the first terms of two power series that are compared."""

BITS = 256


Terms = Callable[[int], tuple[Fraction, Fraction]]
"""The coefficients of y^m in two power series."""


class _TwoSeries:
    """ln N − ln D of two power series with coefficients ≥ 0, as a function of the base."""

    def __init__(self, series: PowerSeries, end: Fraction) -> None:
        both = cache(series.both)
        swapped = PowerSeries(lambda q: (both(q)[1], both(q)[0]), series.first, series.degree)
        self.above = Bounds(PowerSeries(both, series.first, series.degree), end)
        self.below = Bounds(swapped, end)

    def at(self, q: Fraction) -> int:
        _, n, d = self.above.at(q)
        return 1 if n > d else -1 if n < d else 0

    def count(self, a: Fraction, b: Fraction) -> int | None:
        if self.above.upper(a, b) < 1 or self.below.upper(a, b) < 1:
            return 0
        signs = self.at(a), self.at(b)
        return int(signs[0] != signs[1]) if all(signs) and self._monotone(a, b) else None

    def _monotone(self, a: Fraction, b: Fraction) -> bool:
        """Return whether the difference is monotone on [a, b]: a convex function's slopes lie between those of the adjacent chords."""
        (xz, nz, dz), (xa, na, da), (xb, nb, db), (xc, nc, dc) = self.above.around(a, b)
        with precision(BITS):
            before, after = xa - xz, xc - xb
            rising = (na - nz) / before > (dc - db) / after
            falling = (nc - nb) / after < (da - dz) / before
        return bool(rising or falling)


def closed_chart(gap: Quotient, series: PowerSeries, terms: Terms | None) -> Chart:
    """Return the chart of N − D on 0 < y < 1, where ``gap`` has its sign and ``series`` encloses N and D.

    ``terms(m)`` are the coefficients of y^m in N and D, None where they are not known. Raises ``NotCertified`` where the sign
    at an end is not seen, or zeros are not separated.
    """
    low, first = _near(gap, 0) if terms is None else _near_zero(series, terms)
    high, last = _near(gap, 1)
    zeros, signs = _inside(series, low, 1 - high, Fraction(1))
    if (signs[0], signs[-1]) != (first, last):
        raise AssertionError("the signs at the ends and inside differ")
    return Chart(zeros, signs, "certified", f"{CHORDS}; series at the ends")


def summed_chart(series: PowerSeries, terms: Terms, last: Fraction, end: Fraction) -> Chart:
    """Return the chart of N − D on 0 < y ≤ last, for series that converge on 0 < y < end.

    Raises ``NotCertified`` as :func:`closed_chart` does.
    """
    low, first = _near_zero(series, terms)
    zeros, signs = _inside(series, low, last, end)
    if signs[0] != first:
        raise AssertionError("the signs near 0 and inside differ")
    return Chart(zeros, signs, "certified", f"{CHORDS}; the first terms at 0")


CHORDS = "chords of ln N and ln D, convex in ln of the base"


def _inside(
    series: PowerSeries, low: Fraction, high: Fraction, end: Fraction
) -> tuple[tuple[Zero, ...], tuple[int, ...]]:
    """Return the zeros of N − D on [low, high], at whose ends it is not 0, and the signs between them."""
    chart = chart_between(_TwoSeries(series, end), steps(low, high, end), CHORDS)
    return chart.zeros, chart.signs


def chart_between(probe: Probe, starts: Sequence[Fraction], method: str) -> Chart:
    """Return the chart of a probe's function between the first and the last of some points, at which it is not 0."""
    isolated_zeros = isolated(probe, starts)
    marks = [starts[0], *(point for zero in isolated_zeros for point in (zero.lower, zero.upper)), starts[-1]]
    signs = tuple(probe.at(point) for point in marks[::2])
    if not all(signs):
        raise NotCertified("N and D are too close to be separated")
    return Chart(tuple(map(Zero, isolated_zeros)), signs, "certified", method)


def _near_zero(series: PowerSeries, terms: Terms) -> tuple[Fraction, int]:
    """Return δ and the sign of N − D on 0 < y ≤ δ: that of its first term, which outweighs the rest of both series at δ."""
    terms_so_far = [(series.degree, terms(series.degree))]
    while terms_so_far[-1][1][0] == terms_so_far[-1][1][1]:
        if len(terms_so_far) > MOST_TERMS:
            raise NotCertified(f"the first {MOST_TERMS} terms of both series are equal")
        terms_so_far.append((terms_so_far[-1][0] + 1, terms(terms_so_far[-1][0] + 1)))
    m, (n, d) = terms_so_far[-1]
    for power in range(3, 80):
        delta = Fraction(1, 2**power)
        with precision(BITS):
            remainder = sum(series.both(delta), ball(0)) - ball(sum((a + b) * delta**k for k, (a, b) in terms_so_far))
            if remainder < ball(abs(n - d) * delta**m):
                return delta, 1 if n > d else -1
    raise NotCertified("the first term of the difference does not outweigh the others")


def _near(gap: Quotient, end: int) -> tuple[Fraction, int]:
    """Return δ and the sign that a quotient has at all places closer than δ to the end."""
    for order in (ORDER, 3 * ORDER):
        for power in range(3, 41):
            delta = Fraction(1, 2**power)
            try:
                p, q = expansions(gap, end, order, delta)
            except NotCertified:
                continue
            if p.sign() and q.sign():
                return delta, p.sign() * q.sign()
    raise NotCertified(f"the sign near the end {end} is not determined")
