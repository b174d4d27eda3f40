"""Closed forms in ball arithmetic: a precision loop, because ρ^(−s) cancels badly in floats."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import prod
from typing import Any, cast

import sympy as sp
from flint import acb

from crtools.enclosure import Ball, Enclosure, ball, fraction, precision, relative_width_of
from crtools.errors import NotCertified
from crtools.expressions import arguments
from crtools.numeric_types import SymExpr

MAX_BITS = 20_000
MAX_TERMS = 2000

FUNCTIONS: dict[Any, Callable[..., Ball]] = {
    sp.pi.func: Ball.pi,
    sp.E.func: lambda: ball(1).exp(),
    sp.log: Ball.log,
    sp.exp: Ball.exp,
    sp.factorial: lambda n: (n + 1).gamma(),
    sp.binomial: lambda n, k: (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma(),  # 0 at integers k > n ≥ 0
    sp.harmonic: lambda n: (n + 1).digamma() + Ball.const_euler(),
    sp.Max: lambda *values: reduce(Ball.max, values),
    sp.Min: lambda *values: reduce(Ball.min, values),
}
"""The functions that are evaluated in balls."""


def ball_value(expr: SymExpr, values: Mapping[Any, Ball]) -> Ball:
    """Return a ball that contains a SymPy expression of + × powers, log, exp, factorials, polylog, min, max and finite sums.

    ``values``: symbol ↦ ball. Raises ``NotCertified`` for what has no real value, or none that is found.
    """
    if expr in values:
        return values[expr]
    if expr.is_Rational:
        return ball(fraction(expr))
    if expr.is_Add:
        return sum((ball_value(arg, values) for arg in arguments(expr)), start=ball(0))
    if expr.is_Mul:
        return prod((ball_value(arg, values) for arg in arguments(expr)), start=ball(1))
    if isinstance(expr, sp.Pow):
        base = ball_value(expr.base, values)
        if expr.exp.is_Integer:
            power = base ** abs(int(expr.exp))
            return power if expr.exp > 0 else 1 / power
        if base.is_zero() and expr.exp.is_positive:
            return base
        if not base > 0:
            raise NotCertified("a power of what may not be positive is not evaluated in balls")
        return (base.log() * ball_value(expr.exp, values)).exp()
    if isinstance(expr, sp.Sum) and len(expr.limits) == 1:
        index, low, high = expr.limits[0]
        if low.is_Integer and high.is_Integer and high - low <= MAX_TERMS:
            term, numbers = cast(SymExpr, expr.function), range(int(low), int(high) + 1)
            return sum((ball_value(term, {**values, index: ball(k)}) for k in numbers), start=ball(0))
    if isinstance(expr, sp.polylog):
        order, argument = arguments(expr)
        return acb(ball_value(argument, values)).polylog(acb(int(order))).real
    if expr.func in FUNCTIONS and (len(expr.args) == 1 or not isinstance(expr, sp.harmonic)):
        return FUNCTIONS[expr.func](*(ball_value(arg, values) for arg in arguments(expr)))
    raise NotCertified(f"{expr.func.__name__} is not evaluated in balls")


def enclose(expr: SymExpr, values: Mapping[Any, Fraction], digits: int) -> Enclosure:
    """Return an enclosure of the expression at rational values with upper − lower ≤ 0.9 · 10^(1−digits) · |value|."""
    return to_digits(lambda: ball_value(expr, {symbol: ball(number) for symbol, number in values.items()}), digits)


def to_digits(value: Callable[[], Ball], digits: int) -> Enclosure:
    """Return what :func:`enclose` does, of a value that is computed again at higher precisions until it is narrow."""
    bits = int(3.33 * digits) + 64
    reached = float("inf")
    while bits <= MAX_BITS:
        with precision(bits):
            try:
                result = Enclosure.from_ball(value(), "closed form in ball arithmetic")
            except NotCertified as error:
                if error.width is None and "without bound" not in error.reason:
                    raise
                bits *= 2
                continue
        size = max(abs(result.lower), abs(result.upper))
        reached = result.relative_width()
        if result.width <= relative_width_of(digits) * size:
            return result
        bits *= 2
    raise NotCertified("the closed form cancels beyond the largest precision", reached)


def enclosed(expr: SymExpr, values: Mapping[Any, Fraction], digits: int) -> Enclosure | None:
    """Return :func:`enclose`, or None where the expression has no real value there that can be enclosed."""
    try:
        return enclose(expr, values, digits)
    except (NotCertified, ArithmeticError, TypeError, ValueError):
        return None
