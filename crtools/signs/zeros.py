"""The zeros of a function of one parameter inside a range, each in a short interval of its own.

Intervals are cut until none has more than one zero; in balls, so that a polynomial's coefficients may have logarithms of
numbers. A polynomial is taken factor by factor, so that its zeros are simple, and counted by Descartes' rule of signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Protocol, cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.closed_form.quotient import LARGEST_FACTORED
from crtools.enclosure import Enclosure, ball, ball_polynomial, fraction, precision
from crtools.errors import NotCertified
from crtools.numeric_types import Ball, Symbol, SymExpr, SymPoly
from crtools.signs.one_variable import simplest
from crtools.signs.ranges import Interval

WIDTH = Fraction(1, 10**25)
"""A zero is enclosed at least so closely, as a share of the range or of its distance to 0."""

MAX_INTERVALS = 4000
"""Upper limit on the intervals that are examined."""

SPLIT = Fraction(34, 55)
"""The share at which an interval is bisected; hardly ever a zero."""

BITS, LOST = 256, 4
"""Bits of the balls, and those that a polynomial may lose in [0, 1] for each of its degrees."""


@dataclass(frozen=True)
class Zero:
    """The only zero in ``place``; ``polynomial`` is irreducible over ℚ and has it, None where it is not known to be algebraic."""

    place: Enclosure
    polynomial: SymPoly | None = None


class Probe(Protocol):
    """A function whose zeros are isolated: the number of its zeros in an interval, and its sign at a point."""

    def count(self, a: Fraction, b: Fraction) -> int | None:
        """Return whether it has 0 or 1 zeros between two points, None where that is not shown."""
        ...

    def at(self, q: Fraction) -> int:
        """Return its sign at a point, 0 where that is not shown."""
        ...


def isolated(probe: Probe, starts: Sequence[Fraction]) -> list[Enclosure]:
    """Return the zeros on the intervals between the points, the function ≠ 0 at the first and the last."""
    pending = list(pairwise(starts))[::-1]
    isolating: list[Enclosure] = []
    for _ in range(MAX_INTERVALS):
        if not pending:
            return isolating
        a, b = pending.pop()
        number = probe.count(a, b)
        if number is None and b - a < WIDTH**2 * max(a, b / 2):
            break
        if number is None:
            middle = a + (b - a) * SPLIT
            pending += [(middle, b), (a, middle)]
        elif number:
            isolating.append(_narrowed(probe, a, b))
    raise NotCertified("zeros are not separated, or two curves touch")


def _narrowed(probe: Probe, a: Fraction, b: Fraction) -> Enclosure:
    """Return the one zero of a function between points of opposite signs in a short interval."""
    first = probe.at(a)
    while b - a > WIDTH * max(a, b / 2):
        middle = simplest(a + (b - a) / 3, b - (b - a) / 3)
        middle_sign = probe.at(middle)
        if not middle_sign or not first:
            raise NotCertified("a zero is not enclosed closely enough")
        a, b = (middle, b) if middle_sign == first else (a, middle)
    return Enclosure(a, b)


class _Polynomial:
    """A polynomial with ball coefficients, the lowest first."""

    def __init__(self, coefficients: list[Ball]) -> None:
        self.coefficients = coefficients

    def count(self, a: Fraction, b: Fraction) -> int | None:
        """Descartes' rule of signs, which is exact where it leaves 0 or 1."""
        inside = ball_polynomial(self.coefficients)(ball_polynomial([ball(a), ball(b - a)]))  # on [0, 1]
        moved = ball_polynomial(inside.coeffs()[::-1])(ball_polynomial([1, 1]))  # its zeros > 0 are those in (0, 1)
        signs = [_sign(c) for c in moved.coeffs()]
        changes = sum(one != other for one, other in pairwise(signs))
        return changes if all(signs) and changes < 2 else None

    def at(self, q: Fraction) -> int:
        return _sign(ball_polynomial(self.coefficients)(ball(q)))


def _sign(value: Ball) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0


def zeros(poly: SymPoly, x: SymExpr, interval: Interval, parts: Mapping[Symbol, SymExpr] | None = None) -> list[Zero]:
    """Return the zeros inside a range, in order, of a polynomial over ℚ in x and in ``parts`` (symbol ↦ number).

    Raises ``NotCertified`` for an irrational end of the range, and where zeros are not separated.
    """
    if not interval.exact():
        raise NotCertified(f"an end of the range {interval} is irrational")
    whole = sp.Poly(poly.as_expr(), x, *(parts or ()), domain="QQ")
    small = not parts or whole.total_degree() <= LARGEST_FACTORED
    factors: list[SymPoly] = [factor for factor, _ in whole.factor_list()[1]] if small else [whole]
    all_zeros = [zero for factor in factors for zero in _simple(sp.Poly(factor.as_expr(), x), interval, parts or {})]
    return sorted(all_zeros, key=lambda zero: zero.place.lower)


def _simple(poly: SymPoly, interval: Interval, parts: Mapping[Symbol, SymExpr]) -> Iterator[Zero]:
    """Iterate over the zeros of a polynomial in x, irreducible or with few factors, whose coefficients may have ``parts``."""
    algebraic = not poly.as_expr().has(*parts)
    if algebraic and poly.degree() == 1:
        root = -poly.nth(0) / poly.nth(1)
        if interval.low < root < interval.high:
            yield Zero(Enclosure(fraction(root), fraction(root)), poly)
        return
    v = sp.Dummy("v")
    above, below = (sp.Poly(part, v) for part in sp.fraction(sp.together(interval.place(v))))
    moved = cast(SymPoly, sp.Poly(poly.all_coeffs(), v).transform(above, below))  # 0 < v < 1: the share of the range
    for end in (0, 1):
        while not moved.is_zero and sp.expand(moved.eval(end)) == 0:
            moved = cast(SymPoly, sp.quo(moved, sp.Poly(v - end, v)))
    with precision(BITS + LOST * int(poly.degree())):
        values = {symbol: ball_value(part, {}) for symbol, part in parts.items()}
        coefficients = [ball_value(c, values) for c in reversed(moved.all_coeffs())]
        enclosures = isolated(_Polynomial(coefficients), (Fraction(0), Fraction(1)))
    for enclosure in enclosures:
        yield Zero(Enclosure(interval.at(enclosure.lower), interval.at(enclosure.upper)), poly if algebraic else None)


def integers_near_zeros(polys: Sequence[SymPoly], x: SymExpr, interval: Interval) -> list[int]:
    """Return the integers of a range that are next to zeros of polynomials over ℚ, or to its ends, in order."""
    low, high = interval.integers
    candidates = {low, low if high is None else high}
    for zero in (zero for poly in polys for zero in zeros(poly, x, interval)):
        candidates |= set(range(floor(zero.place.lower), ceil(zero.place.upper) + 1))
    return sorted(n for n in candidates if n >= low and (high is None or n <= high))
