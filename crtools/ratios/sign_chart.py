"""Where a function of one parameter is positive, negative and 0: its zeros, isolated, and its sign between them.

Rational functions: zeros of irreducible polynomials, isolated exactly. Logarithms of numbers as coefficients: zeros by
balls, on intervals that are halved until the function has one sign or is monotone. Two power series with coefficients
≥ 0, N against D: likewise, with N/D bounded by convexity (``branch_and_bound``) and the ends by expansions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, Protocol

import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.enclosure import Enclosure, ball, fraction, hull, polynomial_ball, precision
from crtools.errors import NotCertified
from crtools.ratios.branch_and_bound import ORDER, Bounds, PowerSeries
from crtools.ratios.comparison import sign, simplest
from crtools.ratios.expansions import expansions
from crtools.ratios.quotient import Quotient
from crtools.ratios.ranges import Range

WIDTH = Fraction(1, 10**16)
"""A zero is enclosed at least so closely, as a share of the range or of its distance to 0."""

MOST_HALVED = 4000
"""So many intervals are looked at."""

SPLIT = Fraction(34, 55)
"""Where an interval is cut in two: hardly ever at a zero."""

MOST_TERMS = 60
"""So many terms of two power series are compared."""

BITS = 256


@dataclass(frozen=True)
class Zero:
    """The only zero in ``place``; ``polynomial`` is irreducible over ℚ and has it, None where it is not known to be algebraic."""

    place: Enclosure
    polynomial: Any = None


@dataclass(frozen=True)
class Chart:
    """The zeros inside a range in increasing order, and the function's sign before, between and after them."""

    zeros: tuple[Zero, ...]
    signs: tuple[int, ...]
    status: str
    method: str
    uses: tuple[str, ...] = ()


# ---- quotients of polynomials ----------------------------------------------------------------------------------------


def quotient_chart(gap: Quotient, own: Range) -> Chart:
    """Return the chart of a quotient whose transcendental parts are numbers, inside the range of its parameter.

    Raises ``NotCertified`` for an irrational end, a pole inside, or zeros that are not told apart.
    """
    if not own.exact():
        raise NotCertified(f"an end of the range {own} is irrational")
    [x] = gap.parameters
    zeros: list[Zero] = []
    in_balls = False
    for poly, below in ((gap.numerator, False), (gap.denominator, True)):
        found: Any = sp.factor_list(poly)
        for factor, _ in found[1]:
            expr = factor.as_expr()
            if not expr.has(x):
                continue
            rational = not expr.has(*gap.parts)
            in_balls |= not rational
            here = _algebraic(sp.Poly(expr, x), own) if rational else _in_balls(expr, gap, own)
            if here and below:
                raise NotCertified("a pole inside the range")
            zeros += here
    zeros.sort(key=lambda zero: zero.place.lower)
    signs = [_sign_at(gap, point) for point in _between(zeros, own)]
    if in_balls:
        return Chart(tuple(zeros), tuple(signs), "certified", "signs in balls, on intervals halved around the zeros")
    return Chart(tuple(zeros), tuple(signs), "proved", "signs between the roots of the difference", ("Sturm",))


def _sign_at(gap: Quotient, point: Fraction) -> int:
    found = sign(gap.expr, {gap.parameters[0]: point})
    if not found:
        raise NotCertified(f"the sign at {point} is not decided")
    return found


def _algebraic(poly: Any, own: Range) -> list[Zero]:
    """Return the roots inside the range of a polynomial that is irreducible over ℚ."""
    low, high = (None if end.is_infinite else end for end in own.ends)
    found: list[Zero] = []
    for (a, b), _ in poly.intervals(eps=sp.Rational(WIDTH), inf=low, sup=high):
        if poly.degree() > 1 or (a != low and a != high):  # a root at an end is rational
            found.append(Zero(Enclosure(fraction(a), fraction(b)), poly))
    return found


def _between(zeros: Sequence[Zero], own: Range) -> Iterator[Fraction]:
    """Iterate over a rational point before, between and after the zeros; raises ``NotCertified`` where they overlap."""
    ends = [None if end.is_infinite else fraction(end) for end in own.ends]
    marks = [(ends[0], ends[0]), *((z.place.lower, z.place.upper) for z in zeros), (ends[1], ends[1])]
    for (_, a), (b, _) in pairwise(marks):
        if a is None and b is None:
            yield Fraction(0)
        elif a is None or b is None:
            yield b - 1 if b is not None else Fraction(1) + (a or 0)
        elif a < b:
            yield simplest(a, b)
        else:
            raise NotCertified("two zeros are not told apart")


# ---- halving ---------------------------------------------------------------------------------------------------------


class _Probe(Protocol):
    """What is known of a function: its sign on an interval (0: not seen), whether it is monotone there, its sign at a point."""

    def on(self, a: Fraction, b: Fraction) -> int: ...

    def monotone(self, a: Fraction, b: Fraction) -> bool: ...

    def at(self, q: Fraction) -> int: ...


def _isolated(probe: _Probe, starts: Sequence[Fraction]) -> list[Enclosure]:
    """Return the zeros on the intervals between the points, the function ≠ 0 at the first and the last."""
    left = list(reversed(list(pairwise(starts))))
    found: list[Enclosure] = []
    for _ in range(MOST_HALVED):
        if not left:
            return found
        a, b = left.pop()
        if probe.on(a, b):
            continue
        if probe.monotone(a, b):
            ends = probe.at(a), probe.at(b)
            if all(ends):
                found += [_narrowed(probe, a, b)] if ends[0] != ends[1] else []
                continue
        middle = a + (b - a) * SPLIT
        left += [(middle, b), (a, middle)]
    raise NotCertified("zeros are not told apart, or two curves touch")


def _narrowed(probe: _Probe, a: Fraction, b: Fraction) -> Enclosure:
    """Return the one zero of a monotone function between points of opposite signs in a short interval."""
    first = probe.at(a)
    while b - a > WIDTH * max(a, b / 2):
        middle = simplest(a + (b - a) / 3, b - (b - a) / 3)
        own = probe.at(middle)
        if not own:
            raise NotCertified("a zero is not enclosed closely enough")
        a, b = (middle, b) if own == first else (a, middle)
    return Enclosure(a, b)


class _BallPolynomial:
    """A polynomial with ball coefficients on [0, 1]."""

    def __init__(self, coefficients: list[Any]) -> None:
        self.value = coefficients
        self.slope = [m * c for m, c in enumerate(coefficients)][1:]

    @staticmethod
    def _sign(coefficients: list[Any], x: Any) -> int:
        value = polynomial_ball(coefficients, x)
        return 1 if value > 0 else -1 if value < 0 else 0

    def on(self, a: Fraction, b: Fraction) -> int:
        return self._sign(self.value, hull(a, b))

    def monotone(self, a: Fraction, b: Fraction) -> bool:
        return self._sign(self.slope, hull(a, b)) != 0

    def at(self, q: Fraction) -> int:
        return self._sign(self.value, ball(q))


def _in_balls(expr: Any, gap: Quotient, own: Range) -> list[Zero]:
    """Return the zeros inside the range of a polynomial whose coefficients have logarithms of numbers."""
    [x] = gap.parameters
    v = sp.Dummy("v")
    poly: Any = sp.Poly(sp.fraction(sp.together(expr.subs(x, own.place(v))))[0], v)  # the share v: 0 < v < 1
    for end in (0, 1):
        while sp.expand(poly.eval(end)) == 0:
            poly = sp.quo(poly, sp.Poly(v - end, v))
    with precision(BITS):
        values = {symbol: ball_value(part, {}) for symbol, part in gap.parts.items()}
        coefficients = [ball_value(c, values) for c in reversed(poly.all_coeffs())]
        found = _isolated(_BallPolynomial(coefficients), (Fraction(0), Fraction(1)))
    return [Zero(Enclosure(own.at(z.lower), own.at(z.upper))) for z in found]


# ---- two power series ------------------------------------------------------------------------------------------------


Terms = Callable[[int], tuple[Fraction, Fraction]]
"""The coefficients of y^m in two power series."""


class _TwoSeries:
    """ln N − ln D of two power series with coefficients ≥ 0, as a function of the base."""

    def __init__(self, series: PowerSeries, end: Fraction) -> None:
        both = cache(series.both)
        swapped = PowerSeries(lambda q: both(q)[::-1], series.first, series.degree)
        self.above = Bounds(PowerSeries(both, series.first, series.degree), end)
        self.below = Bounds(swapped, end)

    def at(self, q: Fraction) -> int:
        _, n, d = self.above.at(q)
        return 1 if n > d else -1 if n < d else 0

    def on(self, a: Fraction, b: Fraction) -> int:
        if self.above.upper(a, b) < 1:
            return -1
        return 1 if self.below.upper(a, b) < 1 else 0

    def monotone(self, a: Fraction, b: Fraction) -> bool:
        """The slopes of a convex function on [a, b] lie between those of its chords left and right of it."""
        h = b - a
        points = [self.above.at(q) for q in (max(a - h, a / 2), a, b, min(b + h, (self.above.end + b) / 2))]
        with precision(BITS):
            (xz, nz, dz), (xa, na, da), (xb, nb, db), (xc, nc, dc) = points
            before, after = xa - xz, xc - xb
            rising = (na - nz) / before > (dc - db) / after
            falling = (nc - nb) / after < (da - dz) / before
        return bool(rising or falling)


def closed_chart(gap: Quotient, series: PowerSeries, terms: Terms | None) -> Chart:
    """Return the chart of N − D on 0 < y < 1, where ``gap`` has its sign and ``series`` encloses N and D.

    ``terms(m)`` are the coefficients of y^m in N and D, None where they are not known. Raises ``NotCertified`` where the sign
    at an end is not seen, or zeros are not told apart.
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
    probe = _TwoSeries(series, end)
    places = _isolated(probe, [*_steps(low, high, end)])
    marks = [low, *(point for place in places for point in (place.lower, place.upper)), high]
    signs = tuple(probe.at(point) for point in marks[::2])
    if not all(signs):
        raise NotCertified("N and D are too close to be told apart")
    return tuple(map(Zero, places)), signs


def _near_zero(series: PowerSeries, terms: Terms) -> tuple[Fraction, int]:
    """Return δ and the sign of N − D on 0 < y ≤ δ: that of its first term, which outweighs the rest of both series at δ."""
    known = [(series.degree, terms(series.degree))]
    while known[-1][1][0] == known[-1][1][1]:
        if len(known) > MOST_TERMS:
            raise NotCertified(f"the first {MOST_TERMS} terms of both series are equal")
        known.append((known[-1][0] + 1, terms(known[-1][0] + 1)))
    m, (n, d) = known[-1]
    for power in range(3, 80):
        delta = Fraction(1, 2**power)
        with precision(BITS):
            rest = sum(series.both(delta), ball(0)) - ball(sum((a + b) * delta**k for k, (a, b) in known))
            if rest < ball(abs(n - d) * delta**m):
                return delta, 1 if n > d else -1
    raise NotCertified("the first term of the difference does not outweigh the others")


def _near(gap: Quotient, end: int) -> tuple[Fraction, int]:
    """Return δ and the sign that a quotient has at all places closer than δ to the end."""
    for order in (ORDER, 3 * ORDER):
        for power in range(3, 41):
            delta = Fraction(1, 2**power)
            try:
                _, p, q = expansions(gap, end, order, delta)
            except NotCertified:
                continue
            if p.sign() and q.sign():
                return delta, p.sign() * q.sign()
    raise NotCertified(f"the sign near the end {end} is not seen")


def _steps(low: Fraction, high: Fraction, end: Fraction) -> Iterator[Fraction]:
    """Iterate from low to high in steps that are short near 0 and near the end."""
    while low < high:
        yield low
        low += min(low, end - low) / 4
    yield high
