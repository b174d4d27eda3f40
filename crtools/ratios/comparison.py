"""The one place where numbers and functions from outside are compared: exactly, else in balls, else not decided.

A number's sign: by balls of growing precision; 0 only where it is shown, for algebraic numbers and for rational
functions of logarithms. A function's: a gap in rational functions, roots of x, min and max is decided at one
point between every two neighbours among its roots; any other gap is refuted at a point, or shown to be ≥ 0 by balls,
by its slope or because it is concave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm, prod
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclosed
from crtools.enclosure import Enclosure, ball, fraction, hull, precision
from crtools.errors import NotCertified

LARGEST_INDEX = 12
"""The largest n for which a gap in x^(1/n) is decided exactly."""

LARGEST_DEGREE = 24
"""Algebraic numbers are compared with 0 where the indices of their roots have at most this product."""

LARGEST_POWER = 1000
"""An exact value is taken only of powers whose exponents have parts up to this."""

PRECISIONS = (64, 256, 1024, 4096)
"""Bits of the balls by which signs are looked for, one after the other."""

MOST_CHOICES = 64
"""A gap with more choices among the arguments of its min and max is not decided exactly."""

DEEPEST = 3
"""How often a gap is differentiated."""

LONGEST = 60
"""A gap is differentiated, and its limits are taken, where it has at most so many operations."""

LOG_OF = "log of {}"


@dataclass(frozen=True)
class Comparison:
    """``holds`` is True (everywhere), False (fails at ``point``) or None (not decided, ``reason``)."""

    holds: bool | None
    point: Fraction | None = None
    reason: str = ""


# ---- numbers ---------------------------------------------------------------------------------------------------------


def sign(expr: Any, at: Mapping[Any, Fraction] | None = None) -> int | None:
    """Return 1, 0 or −1 as a real expression is at rational values of its symbols, or None: not decided, or not real."""
    expr, at = sp.sympify(expr), at or {}
    value: Any = None
    for bits in PRECISIONS:
        with precision(bits):
            try:
                value = ball_value(expr, {x: ball(v) for x, v in at.items()})
            except (NotCertified, ArithmeticError, TypeError, ValueError):
                value = None
                continue
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    if value is None or not value.is_finite() or not _short_powers(expr):
        return None
    exact = expr.subs({x: sp.Rational(v) for x, v in at.items()})
    return 0 if _is_zero(exact) else None


def compare(first: Any, second: Any) -> int | None:
    """Return the sign of first − second of two real numbers, or None where it is not decided."""
    return sign(sp.sympify(first) - sp.sympify(second))


def _short_powers(expr: Any) -> bool:
    powers = [power.exp for power in expr.atoms(sp.Pow)]
    return all(e.is_Rational and max(abs(e.p), e.q) <= LARGEST_POWER for e in powers)


def _is_zero(number: Any) -> bool:
    """Return whether a number is seen to be 0: each log is put as a sum over primes, which are taken as independent."""
    number = number.replace(lambda e: isinstance(e, sp.log) and e.args[0].is_Rational, _over_primes)
    logs = sorted(number.free_symbols, key=str)
    above = sp.fraction(sp.together(number))[0]
    try:
        poly = sp.Poly(sp.expand(above), *logs) if logs else None
        return all(map(_algebraic_zero, [above] if poly is None else poly.coeffs()))
    except (sp.PolynomialError, NotImplementedError):
        return False


def _over_primes(log: Any) -> Any:
    parts = ((log.args[0].p, 1), (log.args[0].q, -1))
    return sp.Add(
        *(
            side * power * sp.Symbol(LOG_OF.format(base))
            for part, side in parts
            for base, power in sp.factorint(part, limit=10**4).items()
            if base != 1
        )
    )


def _algebraic_zero(number: Any) -> bool:
    if number.is_Rational:
        return number == 0
    indices = {power: power.exp.q for power in number.atoms(sp.Pow) if power.exp.is_Rational}
    if number.atoms(sp.Function) or not number.is_algebraic or prod(indices.values()) > LARGEST_DEGREE:
        return False
    x = sp.Dummy("x")
    return bool(sp.minimal_polynomial(number, x) == x)


def number_at_least(bound: Any, supremum: Enclosure, exact: Any = None) -> bool | None:
    """Decide whether a real number is ≥ the number enclosed, which is ``exact`` where that is known; None: not decided."""
    found = None if exact is None else compare(bound, exact)
    if found is not None:
        return found >= 0
    below, above = compare(bound, sp.Rational(supremum.lower)), compare(bound, sp.Rational(supremum.upper))
    return True if above is not None and above >= 0 else False if below == -1 else None


# ---- functions -------------------------------------------------------------------------------------------------------


def at_least(
    bound: Any, target: Any, x: Any, low: Fraction, high: Fraction, *, closed: tuple[Fraction, ...] = ()
) -> Comparison:
    """Decide whether bound(x) ≥ target(x) on low < x < high and at the ends in ``closed``."""
    gap: Any = sp.expand_log(sp.sympify(bound - target).replace(sp.Abs, lambda arg: sp.Max(arg, -arg)))
    if not gap.has(x):
        found = sign(gap)
        point = simplest(low, high) if found == -1 else None
        return Comparison(
            None if found is None else found >= 0, point, "" if found is not None else "two equal numbers?"
        )
    index = _root_index(gap, x)
    ends = _rational_roots((low, high, *closed), index)
    if 1 < index <= LARGEST_INDEX and ends is not None:
        outcome = at_least(gap.subs(x, x**index), sp.S.Zero, x, *ends[:2], closed=ends[2:])
        return Comparison(outcome.holds, None if outcome.point is None else outcome.point**index, outcome.reason)
    return _exactly(gap, x, low, high, closed) or _in_balls(gap, x, low, high)


def _rational_roots(values: tuple[Fraction, ...], index: int) -> tuple[Fraction, ...] | None:
    """Return the roots of numbers ≥ 0 where all are rational, else None."""
    roots = [sp.Rational(value) ** sp.Rational(1, index) for value in values]
    return tuple(map(fraction, roots)) if all(r.is_Rational for r in roots) else None


def _root_index(expr: Any, x: Any) -> int:
    """Return the least n for which all powers of x in the expression are integer powers of x^(1/n)."""
    exponents = [power.exp for power in sp.sympify(expr).atoms(sp.Pow) if power.base == x]
    return lcm(*(int(e.q) for e in exponents if e.is_Rational))


def _exactly(gap: Any, x: Any, low: Fraction, high: Fraction, closed: tuple[Fraction, ...]) -> Comparison | None:
    """Decide a gap in rational functions, min and max by its value between its roots; None where it is not one."""
    choices = list(_choices(gap)) if len(gap.atoms(sp.Max, sp.Min)) <= 3 else []
    if not 0 < len(choices) <= MOST_CHOICES:
        return None
    arms = [arm for node in gap.atoms(sp.Max, sp.Min) for arm in node.args]
    switches = [a - b for one, two in combinations(arms, 2) for a in _choices(one) for b in _choices(two)]
    pairs = [polynomials(expr, x) for expr in (*choices, *switches)]
    polys = [poly for pair in pairs if pair is not None for poly in pair]
    if None in pairs:
        return None
    for point in between_roots(polys, x, low, high):
        if gap.subs(x, sp.Rational(point)) < 0:
            return Comparison(False, point)
    below = [pair[1] for pair in pairs if pair is not None]
    inside = (f for poly in below for f, _ in poly.factor_list()[1] if _roots(f, low, high))
    if next(inside, None) is not None:
        return Comparison(None, reason="the bound has a pole in the range")
    if any(poly.eval(sp.Rational(end)) == 0 for poly in below for end in closed):
        return Comparison(None, reason="the bound has a pole at an end of the range")
    return Comparison(True)


def _choices(expr: Any) -> Iterator[Any]:
    """Iterate over the expressions that come out where each min and max is one of its arguments."""
    node = next((n for n in expr.atoms(sp.Max, sp.Min) if not any(a.has(sp.Max, sp.Min) for a in n.args)), None)
    if node is None:
        yield expr
        return
    for arg in node.args:
        yield from _choices(expr.xreplace({node: arg}))


def polynomials(expr: Any, x: Any) -> tuple[Any, Any] | None:
    """Return numerator and denominator over the rationals, or None where it is no rational function over them."""
    expr = sp.together(expr)
    if not expr.is_rational_function(x) or expr.free_symbols - {x}:
        return None
    above, below = (sp.Poly(part, x) for part in sp.fraction(sp.cancel(expr)))
    return (above, below) if all(p.domain.is_QQ or p.domain.is_ZZ for p in (above, below)) else None


def between_roots(polys: list[Any], x: Any, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Iterate over simple rational points, one between every two neighbours among the ends and the roots inside."""
    a, b = sp.Rational(low), sp.Rational(high)
    factors = {f for poly in polys if not poly.is_zero for f, _ in poly.factor_list()[1] if _roots(f, low, high)}
    whole = sp.Poly(sp.prod(f.as_expr() for f in factors), x)
    eps = b - a
    while True:
        found: list[Any] = [] if whole.is_ground else [pair for pair, _ in whole.intervals(eps=eps, inf=a, sup=b)]
        marks: list[Any] = [(a, a), *sorted(found), (b, b)]
        if all(left[1] < right[0] for left, right in pairwise(marks)):
            break
        eps /= 64
    for left, right in pairwise(marks):
        yield simplest(*(fraction(end) for end in (left[1], right[0])))


def _roots(poly: Any, low: Fraction, high: Fraction) -> int:
    """Return the number of roots in the open interval, for a polynomial without multiple roots."""
    ends = [sp.Rational(end) for end in (low, high)]
    return poly.count_roots(*ends) - sum(1 for end in ends if poly.eval(end) == 0)


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction strictly between two with the least denominator."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:  # whole + 1/n for the least n
        rest = 1 / (high - whole)
        return whole + Fraction(1, rest.numerator // rest.denominator + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


INSIDE = (
    *(Fraction(k, 400) for k in range(1, 400)),
    *(part for k in (4, 6, 9, 12, 20, 40) for part in (Fraction(1, 10**k), 1 - Fraction(1, 10**k))),
)
"""Parts of the way from one end of a range to the other, at which any gap is looked at."""


def _in_balls(gap: Any, x: Any, low: Fraction, high: Fraction) -> Comparison:
    places = sorted(low + (high - low) * part for part in INSIDE)
    values: dict[Fraction, Fraction] = {}
    for point in places:
        value = enclosed(gap, {x: point}, 3)
        if value is not None and value.upper < 0:
            return Comparison(False, point)
        if value is not None:
            values[point] = value.upper
    lowest = _descend(gap, x, values)
    if lowest is not None:
        return Comparison(False, lowest)
    if nonnegative(gap, x, low, high):
        return Comparison(True)
    reason = f"the bound is not rational; no counterexample at {len(places)} points or near the least value at them"
    return Comparison(None, reason=reason)


def _descend(gap: Any, x: Any, values: dict[Fraction, Fraction]) -> Fraction | None:
    """Return a point with a negative gap near the sampled place where it is least, by halving, or None."""
    places = list(values)
    if len(places) < 3:
        return None
    at = min(range(1, len(places) - 1), key=lambda i: values[places[i]])
    left, middle, right = places[at - 1 : at + 2]
    for _ in range(60):
        tried = ((left + middle) / 2, middle, (middle + right) / 2)
        found = [(point, enclosed(gap, {x: point}, 40)) for point in tried]
        uppers = [value.upper for _, value in found if value is not None]
        negative = next((point for point, value in found if value is not None and value.upper < 0), None)
        if negative is not None or len(uppers) < len(tried):
            return negative
        at = uppers.index(min(uppers))
        left, middle, right = (left, *tried, right)[at : at + 3]
    return None


def nonnegative(gap: Any, x: Any, low: Fraction, high: Fraction, depth: int = DEEPEST) -> bool:
    """Return whether gap ≥ 0 on (low, high) is shown: exactly, by balls, by its slope or as it is concave."""
    gap = _without_positive_factors(gap, x)
    if not gap.has(x):
        found = sign(gap)
        return found is not None and found >= 0
    exact = _exactly(gap, x, low, high, ())
    if exact is not None:
        return exact.holds is True
    if positive_everywhere(gap, x, low, high) or _largest_is_nonnegative(gap, x, low, high, depth):
        return True
    wild = gap.has(sp.Max, sp.Min, sp.Sum) or any(power.exp.free_symbols for power in gap.atoms(sp.Pow))
    if wild or not depth or sp.count_ops(gap) > LONGEST:
        return False
    ends = [_limit_is_nonnegative(gap, x, low, "+"), _limit_is_nonnegative(gap, x, high, "-")]
    slope = sp.diff(gap, x)
    for rising, end in zip((1, -1), ends, strict=True):
        if end and nonnegative(rising * slope, x, low, high, depth - 1):
            return True
    return all(ends) and nonnegative(-sp.diff(slope, x), x, low, high, depth - 1)


def _largest_is_nonnegative(gap: Any, x: Any, low: Fraction, high: Fraction, depth: int) -> bool:
    """For max(…) + rest: one of the arguments will do on the whole range; for min(…) + rest each must."""
    own = [arg for arg in sp.Add.make_args(gap) if isinstance(arg, sp.Max | sp.Min)]
    if not own or not depth:
        return False
    shown = (nonnegative(gap.xreplace({own[0]: arg}), x, low, high, depth - 1) for arg in own[0].args)
    return any(shown) if isinstance(own[0], sp.Max) else all(shown)


def _without_positive_factors(expr: Any, x: Any) -> Any:
    """Divide by the lowest power of x > 0 and by factors that are seen to be positive."""
    if not x.is_positive:
        return expr
    expr = sp.expand(sp.expand_log(expr))
    if expr.is_Add:
        lowest = min((term.as_coeff_exponent(x)[1] for term in expr.args), key=lambda e: e if e.is_Rational else 0)
        return sp.expand(expr * x**-lowest) if lowest.is_Rational else expr
    return sp.Mul(*(factor for factor in sp.Mul.make_args(expr) if not factor.is_positive))


def _limit_is_nonnegative(gap: Any, x: Any, end: Fraction, side: str) -> bool:
    value = sign(gap, {x: end}) if end else None  # where it has a value in balls it is continuous
    if value is not None:
        return value >= 0
    try:
        found: Any = sp.limit(gap, x, sp.Rational(end), side)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError):
        return False
    value = sign(found) if found.is_number and found.is_finite else None
    return found is sp.oo or (value is not None and value >= 0)


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
