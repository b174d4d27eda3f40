"""Decide whether a function of one variable is ≥ 0 on an interval: exactly, else in balls, else leave it open.

A gap in rational functions, roots of x, min and max is decided at one point between every two neighbours among its
roots; any other gap is refuted at a point, or shown to be ≥ 0 by balls, by its slope or because it is concave.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import Any, cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclosed
from crtools.enclosure import fraction, hull, precision
from crtools.errors import NotCertified
from crtools.expressions import arguments, substitute
from crtools.numeric_types import SymExpr, SymPoly
from crtools.signs.numbers import sign
from crtools.signs.ranges import Answer

LARGEST_INDEX = 12
"""The largest n for which a gap in x^(1/n) is decided exactly."""

MAX_CHOICES = 64
"""A gap with more choices among the arguments of its min and max is not decided exactly."""

DEEPEST = 3
"""Upper limit on how often a gap is differentiated."""

MAX_OPERATIONS = 60
"""A gap with more operations is not differentiated, which would take too long."""


def at_least(
    bound: SymExpr, target: SymExpr, x: SymExpr, low: Fraction, high: Fraction, *, closed: tuple[Fraction, ...] = ()
) -> Answer:
    """Decide whether bound(x) ≥ target(x) on low < x < high and at the ends in ``closed``."""
    gap: SymExpr = sp.expand_log(sp.sympify(bound - target).replace(sp.Abs, lambda arg: sp.Max(arg, -arg)))
    if not gap.has(x):
        constant_sign = sign(gap)
        if constant_sign is None:
            return Answer(None, reason="two equal numbers?")
        return Answer(constant_sign >= 0, simplest(low, high) if constant_sign < 0 else None)
    exponents = [power.exp for power in gap.atoms(sp.Pow) if power.base == x]
    index = lcm(*(int(e.q) for e in exponents if isinstance(e, sp.Rational)))  # all are powers of x^(1/index)
    roots = [sp.Rational(end) ** sp.Rational(1, index) for end in (low, high, *closed)]
    if 1 < index <= LARGEST_INDEX and all(root.is_Rational for root in roots):
        first, last, *others = map(fraction, roots)
        outcome = at_least(gap.subs(x, x**index), sp.S.Zero, x, first, last, closed=tuple(others))
        return Answer(outcome.holds, None if outcome.point is None else outcome.point**index, outcome.reason)
    return _exactly(gap, x, low, high, closed) or _in_balls(gap, x, low, high)


def _exactly(gap: SymExpr, x: SymExpr, low: Fraction, high: Fraction, closed: tuple[Fraction, ...]) -> Answer | None:
    """Decide a gap in rational functions, min and max by its value between its roots; None where it is not one."""
    choices = list(_choices(gap)) if len(gap.atoms(sp.Max, sp.Min)) <= 3 else []
    if not 0 < len(choices) <= MAX_CHOICES:
        return None
    arms = [arm for node in gap.atoms(sp.Max, sp.Min) for arm in arguments(node)]
    switches = [a - b for one, two in combinations(arms, 2) for a in _choices(one) for b in _choices(two)]
    pairs = [polynomials(expr, x) for expr in (*choices, *switches)]
    polys = [poly for pair in pairs if pair is not None for poly in pair]
    if None in pairs:
        return None
    for point in between_roots(polys, x, low, high):
        if gap.subs(x, sp.Rational(point)) < 0:
            return Answer(False, point)
    below = [pair[1] for pair in pairs if pair is not None]
    inside = (f for poly in below for f, _ in poly.factor_list()[1] if _roots(f, low, high))
    if next(inside, None) is not None:
        return Answer(None, reason="the bound has a pole in the range")
    if any(poly.eval(sp.Rational(end)) == 0 for poly in below for end in closed):
        return Answer(None, reason="the bound has a pole at an end of the range")
    return Answer(True)


def _choices(expr: SymExpr) -> Iterator[SymExpr]:
    """Iterate over the expressions that come out where each min and max is one of its arguments."""
    node = next((n for n in expr.atoms(sp.Max, sp.Min) if not any(a.has(sp.Max, sp.Min) for a in n.args)), None)
    if node is None:
        yield expr
        return
    for arg in node.args:
        yield from _choices(substitute(expr, {node: arg}))


def polynomials(expr: SymExpr, *variables: SymExpr) -> tuple[SymPoly, SymPoly] | None:
    """Return numerator and denominator over the rationals, or None where it is no rational function over them."""
    if not expr.is_rational_function(*variables) or expr.free_symbols.difference(variables):
        return None
    try:
        above, below = (sp.Poly(part, *variables) for part in sp.fraction(sp.cancel(sp.together(expr))))
    except sp.PolynomialError:
        return None
    return (above, below) if all(p.domain.is_QQ or p.domain.is_ZZ for p in (above, below)) else None


def between_roots(polys: list[SymPoly], x: SymExpr, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Iterate over simple rational points, one between every two neighbours among the ends and the roots inside."""
    a, b = sp.Rational(low), sp.Rational(high)
    factors = {f for poly in polys if not poly.is_zero for f, _ in poly.factor_list()[1] if _roots(f, low, high)}
    whole = sp.Poly(sp.prod(f.as_expr() for f in factors), x)
    eps = b - a
    while True:
        intervals: list[Any] = [] if whole.is_ground else [pair for pair, _ in whole.intervals(eps=eps, inf=a, sup=b)]
        marks: list[Any] = [(a, a), *sorted(intervals), (b, b)]
        if all(before[1] < after[0] for before, after in pairwise(marks)):
            break
        eps /= 64
    for before, after in pairwise(marks):
        yield simplest(*(fraction(end) for end in (before[1], after[0])))


def real_roots(poly: SymPoly) -> list[SymExpr]:
    """Return the distinct real roots of a polynomial over ℚ, in increasing order."""
    return list(dict.fromkeys(cast("list[SymExpr]", poly.real_roots())))


def _roots(poly: SymPoly, low: Fraction, high: Fraction) -> int:
    """Return the number of roots in the open interval, for a polynomial without multiple roots."""
    end_points = [sp.Rational(end) for end in (low, high)]
    return int(poly.count_roots(*end_points)) - sum(1 for end in end_points if poly.eval(end) == 0)


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction strictly between two with the least denominator."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:  # whole + 1/n for the least n
        reciprocal = 1 / (high - whole)
        return whole + Fraction(1, reciprocal.numerator // reciprocal.denominator + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


INSIDE = (
    *(Fraction(k, 400) for k in range(1, 400)),
    *(part for k in (4, 6, 9, 12, 20, 40) for part in (Fraction(1, 10**k), 1 - Fraction(1, 10**k))),
)
"""Parts of the way from one end of a range to the other, at which every gap is evaluated."""


def _in_balls(gap: SymExpr, x: SymExpr, low: Fraction, high: Fraction) -> Answer:
    points = sorted(low + (high - low) * part for part in INSIDE)
    values: dict[Fraction, Fraction] = {}
    for point in points:
        value = enclosed(gap, {x: point}, 3)
        if value is not None and value.upper < 0:
            return Answer(False, point)
        if value is not None:
            values[point] = value.upper
    lowest = _descend(gap, x, values)
    if lowest is not None:
        return Answer(False, lowest)
    if nonnegative(gap, x, low, high):
        return Answer(True)
    reason = f"the bound is not rational; no counterexample at {len(points)} points or near the least value at them"
    return Answer(None, reason=reason)


def _descend(gap: SymExpr, x: SymExpr, values: dict[Fraction, Fraction]) -> Fraction | None:
    """Return a point with a negative gap near the sampled place where it is least, by halving, or None."""
    points = list(values)
    if len(points) < 3:
        return None
    at = min(range(1, len(points) - 1), key=lambda i: values[points[i]])
    left, middle, right = points[at - 1 : at + 2]
    for _ in range(60):
        tried = ((left + middle) / 2, middle, (middle + right) / 2)
        enclosures = [(point, enclosed(gap, {x: point}, 40)) for point in tried]
        uppers = [value.upper for _, value in enclosures if value is not None]
        negative = next((point for point, value in enclosures if value is not None and value.upper < 0), None)
        if negative is not None or len(uppers) < len(tried):
            return negative
        at = uppers.index(min(uppers))
        left, middle, right = (left, *tried, right)[at : at + 3]
    return None


def nonnegative(gap: SymExpr, x: SymExpr, low: Fraction, high: Fraction, depth: int = DEEPEST) -> bool:
    """Return whether gap ≥ 0 on (low, high) is shown: exactly, by balls, by its slope or as it is concave."""
    gap = _without_positive_factors(gap, x)
    if not gap.has(x):
        constant_sign = sign(gap)
        return constant_sign is not None and constant_sign >= 0
    exact = _exactly(gap, x, low, high, ())
    if exact is not None:
        return exact.holds is True
    if positive_everywhere(gap, x, low, high) or _largest_is_nonnegative(gap, x, low, high, depth):
        return True
    wild = gap.has(sp.Max, sp.Min, sp.Sum) or any(power.exp.free_symbols for power in gap.atoms(sp.Pow))
    if wild or not depth or sp.count_ops(gap) > MAX_OPERATIONS:
        return False
    limits_hold = [_limit_is_nonnegative(gap, x, low, "+"), _limit_is_nonnegative(gap, x, high, "-")]
    slope = sp.diff(gap, x)
    for rising, end in zip((1, -1), limits_hold, strict=True):
        if end and nonnegative(rising * slope, x, low, high, depth - 1):
            return True
    return all(limits_hold) and nonnegative(-sp.diff(slope, x), x, low, high, depth - 1)


def _largest_is_nonnegative(gap: SymExpr, x: SymExpr, low: Fraction, high: Fraction, depth: int) -> bool:
    """For max(…) + rest: one of the arguments will do on the whole range; for min(…) + rest each must."""
    extrema = [arg for arg in sp.Add.make_args(gap) if isinstance(arg, sp.Max | sp.Min)]
    if not extrema or not depth:
        return False
    answers = (nonnegative(substitute(gap, {extrema[0]: arg}), x, low, high, depth - 1) for arg in extrema[0].args)
    return any(answers) if isinstance(extrema[0], sp.Max) else all(answers)


def _without_positive_factors(expr: SymExpr, x: SymExpr) -> SymExpr:
    """Divide by the lowest power of x > 0 and by factors that are shown to be positive."""
    if not x.is_positive:
        return expr
    expr = sp.expand(sp.expand_log(expr))
    if expr.is_Add:
        exponents = [term.as_coeff_exponent(x)[1] for term in arguments(expr)]
        lowest = min(exponents, key=lambda e: e if e.is_Rational else 0)
        return sp.expand(expr * x**-lowest) if lowest.is_Rational else expr
    return sp.Mul(*(factor for factor in sp.Mul.make_args(expr) if not factor.is_positive))


def _limit_is_nonnegative(gap: SymExpr, x: SymExpr, end: Fraction, side: str) -> bool:
    value = sign(gap, {x: end}) if end else None  # where it has a value in balls it is continuous
    if value is not None:
        return value >= 0
    limit = limit_of(gap, x, sp.Rational(end), side)
    value = sign(limit) if limit is not None and limit.is_finite else None
    return limit is sp.oo or (value is not None and value >= 0)


def limit_of(expr: SymExpr, x: SymExpr, end: SymExpr = sp.oo, side: str = "+") -> SymExpr | None:
    """Return the limit of an expression as x → end, or None where SymPy finds no number."""
    try:
        limit: Any = sp.limit(expr, x, end, side)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError):
        return None
    return limit if limit.is_number or limit.is_infinite else None


def positive_everywhere(gap: SymExpr, x: SymExpr, low: Fraction, high: Fraction, budget: int = 2000) -> bool:
    """Return whether balls show gap(x) > 0 on all of [low, high], by halving; False where they do not."""
    pending = [(low, high)]
    with precision(64):
        while pending and budget:
            budget -= 1
            a, b = pending.pop()
            with suppress(NotCertified):
                if ball_value(gap, {x: hull(a, b)}) > 0:
                    continue
            if (b - a) * 2**20 < high - low:
                return False
            pending += [(a, (a + b) / 2), ((a + b) / 2, b)]
    return not pending
