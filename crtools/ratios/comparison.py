"""Is a bound at least a known function or number? Decided exactly, or refuted at a rational point."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclosed
from crtools.enclosure import Enclosure, hull, precision
from crtools.errors import NotCertified

LARGEST_INDEX = 12
"""The largest n for which a gap in x^(1/n) is decided exactly."""


@dataclass(frozen=True)
class Comparison:
    """``holds`` is True (everywhere), False (fails at ``point``) or None (not decided, ``reason``)."""

    holds: bool | None
    point: Fraction | None = None
    reason: str = ""


def at_least(
    bound: Any, target: Any, x: Any, low: Fraction, high: Fraction, *, closed: tuple[Fraction, ...] = ()
) -> Comparison:
    """Decide whether bound(x) ≥ target(x) on low < x < high and at the ends in ``closed``, for a rational target.

    A rational gap is decided by its factors: it keeps its sign unless a factor of odd power has a root inside, and
    roots are counted exactly. On (0, 1) a gap in roots of x is rational in another variable. Any other gap is
    refuted at a sample point, or shown to be positive on the closed range in ball arithmetic.
    """
    index = _root_index(bound - target, x)
    if 1 < index <= LARGEST_INDEX and (low, high) == (0, 1) and not closed:
        over, under = (sp.sympify(expr).subs(x, x**index) for expr in (bound, target))
        outcome = at_least(over, under, x, low, high)
        return Comparison(outcome.holds, None if outcome.point is None else outcome.point**index, outcome.reason)
    gap: Any = sp.together(sp.expand_log(bound - target))
    if not gap.is_rational_function(x) or gap.free_symbols - {x}:
        return _sampled(bound, target, x, low, high)
    above, below = (sp.Poly(part, x) for part in sp.fraction(sp.cancel(gap)))
    if not all(poly.domain.is_QQ or poly.domain.is_ZZ for poly in (above, below)):
        return _sampled(bound, target, x, low, high)
    a, b = sp.Rational(low.numerator, low.denominator), sp.Rational(high.numerator, high.denominator)
    place = negative_place(above, below, a, b)
    if place is not None:
        return Comparison(False, Fraction(int(place.p), int(place.q)))
    if any(roots_inside(f, a, b) for f, _ in below.factor_list()[1]):
        return Comparison(None, reason="the bound has a pole in the range")
    for end in closed:
        at = sp.Rational(end.numerator, end.denominator)
        if below.eval(at) == 0:
            return Comparison(None, reason=f"the bound has a pole at the end {end} of the range")
    return Comparison(True)


def _root_index(expr: Any, x: Any) -> int:
    """Return the least n for which all powers of x in the expression are integer powers of x^(1/n)."""
    exponents = [power.exp for power in sp.sympify(expr).atoms(sp.Pow) if power.base == x]
    return lcm(*(int(e.q) for e in exponents if e.is_Rational))


def roots_inside(poly: Any, low: Any, high: Any) -> int:
    """Return the number of roots in the open interval, for a polynomial without multiple roots."""
    return poly.count_roots(low, high) - sum(1 for end in (low, high) if poly.eval(end) == 0)


def negative_place(above: Any, below: Any, low: Any, high: Any) -> Any:
    """Return a rational point in (low, high) at which above/below is negative, or None: then there is no such point."""
    product = above * below
    if product.is_zero:
        return None
    turning = [f for f, power in product.factor_list()[1] if power % 2 and roots_inside(f, low, high)]
    if not turning:  # one sign but for zeros
        point = _free_point(product, low, high)
        return point if product.eval(point) < 0 else None
    for factor in turning:
        eps = (high - low) / 8
        while True:  # the sign changes at this root: close enough to it there is a negative value on one side
            for (left, right), _ in factor.intervals(eps=eps, inf=low, sup=high):
                width = max(right - left, eps)
                for point in (left, right, left - width, right + width):
                    if low < point < high and product.eval(point) < 0:
                        return sp.Rational(point)
            eps /= 64


def _free_point(poly: Any, low: Any, high: Any) -> Any:
    """Return a rational point in (low, high) that is no root."""
    parts = 2
    while True:
        for k in range(1, parts):
            point = low + (high - low) * sp.Rational(k, parts)
            if poly.eval(point) != 0:
                return point
        parts += 1


def _sampled(bound: Any, target: Any, x: Any, low: Fraction, high: Fraction) -> Comparison:
    inside = [Fraction(k, 400) for k in range(1, 400)]
    inside += [part for k in (4, 6, 9, 12, 20, 40) for part in (Fraction(1, 10**k), 1 - Fraction(1, 10**k))]
    gap = bound - target
    for point in (low + (high - low) * part for part in inside):
        value = enclosed(gap, {x: point}, 3)
        if value is not None and value.upper < 0:
            return Comparison(False, point)
    if positive_everywhere(gap, x, low, high):
        return Comparison(True)
    return Comparison(None, reason=f"the bound is not rational; no counterexample at {len(inside)} sample points")


def positive_everywhere(gap: Any, x: Any, low: Fraction, high: Fraction, most: int = 2000) -> bool:
    """Return whether balls show gap(x) > 0 on all of [low, high], by halving; False where they do not."""
    left = [(low, high)]
    with precision(64):
        while left and most:
            most -= 1
            a, b = left.pop()
            try:
                if ball_value(gap, {x: hull(a, b)}) > 0:
                    continue
            except NotCertified:
                pass
            if (b - a) * 2**20 < high - low:
                return False
            left += [(a, (a + b) / 2), ((a + b) / 2, b)]
    return not left


def number_at_least(bound: Fraction, supremum: Enclosure) -> bool | None:
    """Decide whether bound ≥ the number enclosed; None where the enclosure does not tell."""
    if bound >= supremum.upper:
        return True
    return False if bound < supremum.lower else None
