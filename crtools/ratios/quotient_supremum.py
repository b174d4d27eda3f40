"""The supremum of a quotient of polynomials in one parameter: at a zero of its derivative, or at an end.

It is proved where the coefficients are rational, and certified where they have logarithms of numbers.
"""

from __future__ import annotations

from typing import Any, cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.closed_form.quotient import Quotient
from crtools.enclosure import Enclosure, ends, fraction, polynomial_on, precision
from crtools.errors import NotCertified
from crtools.numeric_types import SymExpr, SymPoly
from crtools.ratios.limits import limit_at_end
from crtools.ratios.supremum import Supremum
from crtools.signs.ranges import Interval
from crtools.signs.zeros import LOST, Zero, integers_beside, zeros

MOST_LISTED = 10**4
"""Upper limit on the integer values of a parameter that are evaluated one by one."""

MOST_WITH_PARTS = 300
"""The same limit where the ratio has harmonic numbers, whose exact values are long."""

BITS = 400
"""Bits of the balls of values."""


def quotient_supremum(ratio: Quotient, interval: Interval) -> Supremum:
    """Return the supremum on the range of the one parameter, whose ends are rational or infinite.

    Raises ``NotCertified`` for logarithms in the parameter, a pole inside, or values that are not separated.
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
        return Supremum(
            interval.name, enclose(limits[0], {}, 30), limits[0], None, True, status, "the ratio is constant"
        )
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
        other = (
            (interval.ends[1 - end],) if limits[0] == limits[1] and interval.closed[0] and interval.closed[1] else ()
        )
        return Supremum(interval.name, top, limits[end], interval.ends[end], interval.closed[end], *evidence, other)
    over.sort(key=lambda one: one[0].lower, reverse=True)
    bounds = Enclosure(lower_bound, max(value.upper for value, _ in over))
    closed = [interval.ends[e] for e in (0, 1) if interval.closed[e] and at_ends[e].upper >= lower_bound]
    place, *others = (*(sp.Rational(at.upper) if at.width == 0 else at for _, at in over), *closed)
    if bounds.width == 0 and not isinstance(place, Enclosure):
        return Supremum(interval.name, bounds, sp.Rational(bounds.upper), place, True, *evidence, tuple(others))
    # where the end may be as large, only an interior value above it, or a closed end, tells that it is attained
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
        lengths, limit = integers_beside([rate], x, interval), limit_at_end(ratio, interval, 1)
        method = "the integers beside the derivative's roots, isolated by Descartes' rule of signs, and the limit"
        if rate.is_zero:
            return Supremum(x.name, _point(limit), limit, None, True, "proved", "the ratio is constant")
    else:
        lengths, limit, method = range(low, high + 1), -sp.oo, "exact values at every length"
        largest_count = MOST_WITH_PARTS if ratio.parts else MOST_LISTED
        if not 0 < len(lengths) <= largest_count or not all(
            isinstance(part, sp.harmonic) for part in ratio.parts.values()
        ):
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
