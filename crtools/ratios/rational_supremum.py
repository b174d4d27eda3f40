"""The supremum of a rational ratio, proved: the derivative's roots are counted and isolated exactly.

The counts are by Descartes' rule of signs, on intervals that are halved until it leaves no doubt. Where the coefficients
are not rational (logarithms of numbers), the derivative's sign is found in balls, and the supremum is certified.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, ball, ends, fraction, hull, polynomial_ball, polynomial_on, precision
from crtools.errors import NotCertified
from crtools.ratios.expansions import limit_at, limit_at_infinity
from crtools.ratios.quotient import LARGEST_FACTORED, Quotient
from crtools.ratios.ranges import Range
from crtools.ratios.supremum import Supremum

MOST_LISTED = 10**4
"""So many integer values of a parameter are looked at one by one."""

NEAR = Fraction(1, 10**25)
"""The width of an interval with a root of the derivative."""

MOST_WITH_PARTS = 300
"""So many where the ratio has harmonic numbers, whose exact values are long."""

CANCELLED = 4
"""Bits that a polynomial may lose in [0, 1] for each of its degrees."""

MOST_HALVED = 5000
"""So many intervals are looked at."""


def rational_supremum(ratio: Quotient, own: Range) -> Supremum:
    """Return the supremum of a rational ratio on the range of its parameter, whose ends are rational or infinite.

    Raises ``NotCertified`` where the ratio has a pole inside.
    """
    if own.unit:
        return _unit_supremum(ratio, {0: own.low_in, 1: own.high_in})
    found = _unit_supremum(on_unit(ratio, own), {0: own.low_in, 1: own.high_in})
    return replace(found, parameter=own.name, at=_moved(found.at, own))


def on_unit(ratio: Quotient, own: Range) -> Quotient:
    """Return a rational ratio as a function of the share v of the range, 0 < v < 1."""
    [x] = ratio.parameters
    v = sp.Dummy("v", positive=True)
    above, below = (sp.Poly(part, v, domain="QQ") for part in sp.fraction(sp.together(own.place(v))))
    plain = (sp.Poly(part.as_expr(), x, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    p, q = (sp.Poly(poly.all_coeffs(), v, domain="QQ") for poly in plain)
    most = max(p.degree(), q.degree())
    moved: list[Any] = [poly.transform(above, below) * below ** (most - poly.degree()) for poly in (p, q)]
    cancelled: Any = moved[0].cancel(moved[1], include=True)
    return Quotient(cancelled[0], cancelled[1], (v,), {})


def rational_limit(ratio: Quotient, end: Any) -> Any:
    """Return the limit of a rational ratio > 0 at a rational or infinite end of its range (oo where unbounded)."""
    [x] = ratio.parameters
    p, q = (sp.Poly(part.as_expr(), x, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    if not end.is_infinite:
        return sp.oo if q.eval(end) == 0 else p.eval(end) / q.eval(end)  # p/q is in lowest terms
    more = p.degree() - q.degree()
    return p.LC() / q.LC() if more == 0 else sp.oo if more > 0 else sp.S.Zero


def _moved(at: Any, own: Range) -> Any:
    """Return the place in the range for a place in [0, 1]."""
    if at is None or at in (0, 1):
        return None if at is None else own.ends[int(at)]
    if isinstance(at, Enclosure):
        return Enclosure(own.at(at.lower), own.at(at.upper))
    return sp.sympify(own.place(at))


def _unit_supremum(ratio: Quotient, closed: Mapping[int, bool]) -> Supremum:
    """Return the supremum over 0 < x < 1 and the ends that are ``closed``."""
    [x] = ratio.parameters
    p, q = (sp.Poly(part.as_expr(), x, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    if any(_isolated(f) for f in _factors(q)):
        raise NotCertified("the ratio has a pole inside the parameter's range")
    rate: Any = p.diff(x) * q - p * q.diff(x)
    method = "the derivative's roots isolated by Descartes' rule of signs"
    if rate.is_zero:
        value = p.LC() / q.LC()
        return Supremum(x.name, _point(value), value, None, True, "proved", "the ratio is constant")
    values = {end: limit_at(ratio, end) for end in (0, 1)}
    best_end = max(values, key=lambda end: (values[end], closed[end]))
    top: Any = values[best_end]
    if top is sp.oo:
        return Supremum(x.name, None, top, sp.sympify(best_end), False, "proved", "the limits at the ends")
    roots = [root for factor in _factors(rate) for root in _roots(factor)]
    with precision(400 + CANCELLED * int(p.degree() + q.degree())):
        above, below = ([ball(fraction(c)) for c in reversed(poly.all_coeffs())] for poly in (p, q))
        inner = [
            (Enclosure(*ends(polynomial_on(above, a, b) / polynomial_on(below, a, b))), a, b)
            for a, b in roots
            if a != b
        ]
    for a, b in roots:
        if a == b:
            exact = fraction(p.eval(sp.Rational(a)) / q.eval(sp.Rational(a)))
            inner.append((Enclosure(exact, exact), a, b))
    least = max([fraction(top), *(value.lower for value, _, _ in inner)])
    over = [item for item in inner if item[0].upper >= least]
    if not over:
        return Supremum(x.name, _point(top), top, sp.sympify(best_end), closed[best_end], "proved", method)
    upper = max(value.upper for value, _, _ in over)
    low, high = min(a for _, a, _ in over), max(b for _, _, b in over)
    if low == high:
        value, place = sp.Rational(upper), sp.Rational(low)
        return Supremum(x.name, _point(value), value, place, True, "proved", method)
    # where the end may be as large, only an interior value above it, or a closed end, tells that it is attained
    attained = True if least > fraction(top) or closed[best_end] else None
    return Supremum(x.name, Enclosure(least, upper), None, Enclosure(low, high), attained, "proved", method)


def integer_supremum(ratio: Quotient, low: int) -> Supremum:
    """Return the supremum of a rational ratio over the integers u ≥ ``low``.

    The ratio is monotone between roots of its derivative, so the integers beside them, ``low`` and the limit suffice.
    """
    [u] = ratio.parameters
    p, q = (sp.Poly(part.as_expr(), u, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    if any(f.count_roots(low, None) for f, _ in q.factor_list()[1]):
        raise NotCertified("the ratio has a pole inside the parameter's range")
    rate: Any = p.diff(u) * q - p * q.diff(u)
    if rate.is_zero:
        value = p.LC() / q.LC()
        return Supremum(u.name, _point(value), value, None, True, "proved", "the ratio is constant")
    beside = {low}
    for factor, _ in rate.factor_list()[1]:
        for (a, b), _ in factor.intervals(eps=sp.Rational(1, 4), inf=low):
            beside |= set(range(max(int(sp.floor(a)), low), int(sp.ceiling(b)) + 1))
    values: dict[int, Any] = {n: p.eval(n) / q.eval(n) for n in sorted(beside)}
    best = max(values, key=lambda n: values[n])
    limit = limit_at_infinity(ratio)
    method = "the integers beside the derivative's roots, isolated by Sturm sequences, and the limit"
    if limit > values[best]:
        bounds = None if limit is sp.oo else _point(limit)
        return Supremum(u.name, bounds, limit, sp.oo, False, "proved", method, ("Sturm",))
    return Supremum(u.name, _point(values[best]), values[best], sp.Integer(best), True, "proved", method, ("Sturm",))


def listed_supremum(ratio: Quotient, lengths: range) -> Supremum:
    """Return the largest of the exact values of a ratio, which may have harmonic numbers, at a few integers.

    Raises ``NotCertified`` for many, or for logarithms.
    """
    [x] = ratio.parameters
    parts = ratio.parts.values()
    most = MOST_WITH_PARTS if parts else MOST_LISTED
    if not 0 < len(lengths) <= most or not all(isinstance(part, sp.harmonic) for part in parts):
        raise NotCertified("the lengths are too many to be listed")
    p, q = (sp.Poly(part.as_expr(), *ratio.parts, x) for part in (ratio.numerator, ratio.denominator))
    values: dict[int, Any] = {}
    for n in lengths:
        place = (*(part.xreplace({x: sp.Integer(n)}) for part in parts), n)
        values[n] = p(*place) / q(*place)
    best = max(values, key=lambda n: values[n])
    method = "exact values at every length"
    return Supremum(x.name, _point(values[best]), values[best], sp.Integer(best), True, "proved", method)


def enclosed_supremum(ratio: Quotient, own: Range, limits: Mapping[int, Any]) -> Supremum:
    """Return the supremum of a quotient of polynomials whose coefficients have logarithms of numbers, in balls.

    Intervals are halved until the derivative has one sign; what is left are short ones around its roots. ``limits``: the
    limits at the lower (0) and the upper end (1). Raises ``NotCertified`` where the largest of all is not told apart.
    """
    if any(part.free_symbols for part in ratio.parts.values()) or set(limits) != {0, 1}:
        raise NotCertified("the weights are not power series in one base y, 0 < y < 1")
    if sp.oo in limits.values():
        raise NotCertified("the ratio is unbounded")
    v = sp.Dummy("v")
    moved = Quotient.of(ratio.expr.subs(ratio.parameters[0], own.place(v)), (v,))
    with precision(200):
        p, q = (_ball_coefficients(part, moved) for part in (moved.numerator, moved.denominator))
        flat = _critical(p, q)
        if flat and (flat[0][0] == 0 or flat[-1][1] == 1):
            raise NotCertified("the derivative may vanish at an end")
        inner = [(polynomial_ball(p, hull(a, b)) / polynomial_ball(q, hull(a, b)), a, b) for a, b in flat]
        values = [(Enclosure.from_ball(value), a, b) for value, a, b in inner]
    ends_ = {end: enclose(limit, {}, 30) for end, limit in limits.items()}
    end = max(ends_, key=lambda e: (ends_[e].lower, (own.low_in, own.high_in)[e]))
    method = "the derivative's sign in balls, on intervals that are halved around its roots"
    most = max((value.lower for value, _, _ in values), default=ends_[end].lower)
    others = [ends_[1 - end].upper, *(value.upper for value, _, _ in values)]
    if ends_[end].lower > max(others):
        attained = (own.low_in, own.high_in)[end]
        return Supremum(own.name, ends_[end], limits[end], own.ends[end], attained, "certified", method)
    if most <= max(e.upper for e in ends_.values()):
        raise NotCertified("the maximum inside and the limits at the ends are too close to be told apart")
    over = [item for item in values if item[0].upper >= most]
    place = Enclosure(min(own.at(a) for _, a, _ in over), max(own.at(b) for _, _, b in over))
    bounds = Enclosure(most, max(value.upper for value, _, _ in over))
    return Supremum(own.name, bounds, None, place, True, "certified", method)


def _ball_coefficients(poly: Any, quotient: Quotient) -> list[Any]:
    """Return the coefficients in the one parameter as balls, the lowest first."""
    parts = [ball_value(part, {}) for part in quotient.parts.values()]
    found: dict[int, Any] = {}
    for (*powers, m), c in sp.Poly(poly, *quotient.parts, *quotient.parameters).terms():
        term = ball(fraction(c))
        for part, power in zip(parts, powers, strict=True):
            term = term * part**power
        found[m] = found.get(m, ball(0)) + term
    return [found.get(m, ball(0)) for m in range(max(found) + 1)]


def _critical(p: list[Any], q: list[Any]) -> list[tuple[Fraction, Fraction]]:
    """Return short intervals of [0, 1] outside which (p/q)' is not 0, in order; neighbours are joined."""
    rate = [ball(0) for _ in range(len(p) + len(q))]
    for m, a in enumerate(p):
        for n, b in enumerate(q):
            if m + n:
                rate[m + n - 1] += (m - n) * a * b
    left, flat = [(Fraction(0), Fraction(1))], list[tuple[Fraction, Fraction]]()
    for _ in range(MOST_HALVED):
        if not left:
            return flat
        a, b = left.pop()
        slope, below = polynomial_ball(rate, hull(a, b)), polynomial_ball(q, hull(a, b))
        if (slope > 0 or slope < 0) and below > 0:
            continue
        if (b - a) * 2**60 > 1:
            left += [((a + b) / 2, b), (a, (a + b) / 2)]
        elif not below > 0:
            raise NotCertified("the denominator may vanish")
        else:
            flat = [*flat[:-1], (flat[-1][0], b)] if flat and flat[-1][1] == a else [*flat, (a, b)]
    raise NotCertified("the derivative's roots are not told apart")


def _isolated(poly: Any) -> list[tuple[Fraction, Fraction]]:
    """Return open intervals with one root each, or (root, root), all in (0, 1) of a polynomial with simple roots.

    Intervals are halved until Descartes' rule leaves no doubt (Vincent, Collins, Akritas).
    """
    found, left = list[tuple[Fraction, Fraction]](), [(poly, Fraction(0), Fraction(1))]
    while left:
        own, low, high = left.pop()
        changes = _sign_changes(own)
        if changes == 1:
            found.append((low, high))
        if changes <= 1:
            continue
        middle, half = (low + high) / 2, sp.Poly(sp.Rational(1, 2) * own.gen, own.gen, domain="QQ")
        below = own.compose(half)
        above = below.shift(1)
        if not above.nth(0):
            found.append((middle, middle))
        left += [(below, low, middle), (above, middle, high)]
    return sorted(found)


def _sign_changes(poly: Any) -> int:
    """Return Descartes' bound of the number of roots in (0, 1), exact where it is 0 or 1."""
    moved = sp.Poly(poly.all_coeffs()[::-1], poly.gen).shift(1)  # its roots > 0 are those of the polynomial in (0, 1)
    signs = [c > 0 for c in moved.all_coeffs() if c != 0]
    return sum(a != b for a, b in itertools.pairwise(signs))


def _factors(poly: Any) -> list[Any]:
    """Return polynomials with simple roots, those of ``poly`` in all: its irreducible factors where it is not large."""
    if poly.degree() > LARGEST_FACTORED:
        return [poly.sqf_part()]
    return [factor for factor, _ in poly.factor_list()[1]]


def _roots(poly: Any) -> list[tuple[Fraction, Fraction]]:
    """Return intervals of width ≤ NEAR with one root each, all in (0, 1) of one of ``_factors``."""
    if poly.degree() == 1:
        root = fraction(-poly.nth(0) / poly.nth(1))
        return [(root, root)] if 0 < root < 1 else []
    coefficients = [int(c) for c in reversed(poly.clear_denoms()[1].all_coeffs())]
    return [_narrowed(coefficients, a, b) for a, b in _isolated(poly)]


def _narrowed(coefficients: list[int], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Return the half, again and again, at whose ends the polynomial has different signs; (root, root) where it is met."""
    start = _sign(coefficients, low)
    while high - low > NEAR:
        middle = (low + high) / 2
        sign = _sign(coefficients, middle)
        if not sign:
            return middle, middle
        low, high = (middle, high) if sign == start else (low, middle)
    return low, high


def _sign(coefficients: list[int], x: Fraction) -> int:
    """Return the sign of a polynomial at a number: −1, 0 or 1."""
    for bits in (200, 800, 3200):
        with precision(bits):
            value = polynomial_ball(coefficients, ball(x))
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
    exact = sum((c * x**m for m, c in enumerate(coefficients)), Fraction(0))
    return (exact > 0) - (exact < 0)


def _point(value: Any) -> Enclosure:
    return Enclosure(fraction(value), fraction(value))
