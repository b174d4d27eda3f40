"""The sign of a real number: by balls of growing precision; 0 only where it is shown.

It is shown for algebraic numbers and for rational functions of logarithms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from typing import Any, cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, ball, precision
from crtools.errors import NotCertified
from crtools.expressions import arguments
from crtools.numeric_types import Ball, SymExpr

LARGEST_DEGREE = 24
"""Algebraic numbers are compared with 0 where the indices of their roots have at most this product."""

LARGEST_POWER = 1000
"""An exact value is taken only of powers whose exponents have parts up to this."""

PRECISIONS = (64, 256, 1024, 4096)
"""Bits of the balls by which signs are searched for, one after the other."""


def sign(expr: sp.Basic, at: Mapping[SymExpr, Fraction] | None = None) -> int | None:
    """Return 1, 0 or −1 as a real expression is at rational values of its symbols, or None: not decided, or not real."""
    expr, at = cast(SymExpr, sp.sympify(expr)), at or {}
    value: Ball | None = None
    for bits in PRECISIONS:
        with precision(bits):
            try:
                value = ball_value(expr, {x: ball(v) for x, v in at.items()})
            except (NotCertified, ArithmeticError, TypeError, ValueError):
                value = None
                continue
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    exponents = [power.exp for power in expr.atoms(sp.Pow)]
    short = all(isinstance(e, sp.Rational) and max(abs(e.p), e.q) <= LARGEST_POWER for e in exponents)
    if value is None or not value.is_finite() or not short:
        return None
    exact = expr.subs({x: sp.Rational(v) for x, v in at.items()})
    return 0 if _is_zero(exact) else None


def compare(first: SymExpr | int | Fraction, second: SymExpr | int | Fraction) -> int | None:
    """Return the sign of first − second of two real numbers, or None where it is not decided."""
    first, second = (cast(SymExpr, sp.sympify(number)) for number in (first, second))
    return sign(first - second)


def _is_zero(number: SymExpr) -> bool:
    """Return whether a number is shown to be 0: each log is put as a sum over primes, which are taken as independent."""
    number = cast(SymExpr, number.replace(lambda e: isinstance(e, sp.log) and e.args[0].is_Rational, _over_primes))
    logs = sorted(number.free_symbols, key=str)
    above = sp.fraction(sp.together(number))[0]
    try:
        poly = sp.Poly(sp.expand(above), *logs) if logs else None
        return all(map(_algebraic_zero, [above] if poly is None else poly.coeffs()))
    except (sp.PolynomialError, NotImplementedError):
        return False


def _over_primes(log: SymExpr) -> SymExpr:
    powers: Any = sp.factorrat(arguments(log)[0], limit=10**4)
    return sp.Add(*(power * sp.Symbol(f"log of {base}") for base, power in powers.items() if base != 1))


def _algebraic_zero(number: SymExpr) -> bool:
    if number.is_Rational:
        return number == 0
    indices = {power: power.exp.q for power in number.atoms(sp.Pow) if isinstance(power.exp, sp.Rational)}
    if number.atoms(sp.Function) or not number.is_algebraic or prod(indices.values()) > LARGEST_DEGREE:
        return False
    x = sp.Dummy("x")
    return bool(sp.minimal_polynomial(number, x) == x)


def number_at_least(bound: SymExpr, supremum: Enclosure, exact: SymExpr | None = None) -> bool | None:
    """Decide whether a real number is ≥ the number enclosed, which is ``exact`` where that is known; None: not decided."""
    exact_sign = None if exact is None else compare(bound, exact)
    if exact_sign is not None:
        return exact_sign >= 0
    below, above = compare(bound, sp.Rational(supremum.lower)), compare(bound, sp.Rational(supremum.upper))
    return True if above is not None and above >= 0 else False if below == -1 else None


Operation = Callable[[SymExpr, SymExpr], SymExpr]


def _combined(operation: Operation) -> Callable[[Real, object], Exact]:
    return lambda self, other: exact(operation(self.expr, _expression(other)))


def _compared(holds: Callable[[int], bool]) -> Callable[[Real, object], bool]:
    def decide(self: Real, other: object) -> bool:
        difference_sign = compare(self.expr, _expression(other))
        if difference_sign is None:
            raise ArithmeticError(f"it is not decided whether {self} is below, at or above {other}")
        return holds(difference_sign)

    return decide


class Real:
    """A real number that is not shown to be a fraction. A comparison that is not decided raises ``ArithmeticError``."""

    def __init__(self, expr: SymExpr) -> None:
        self.expr = expr

    __add__ = __radd__ = _combined(lambda a, b: a + b)
    __mul__ = __rmul__ = _combined(lambda a, b: a * b)
    __sub__, __rsub__ = _combined(lambda a, b: a - b), _combined(lambda a, b: b - a)
    __truediv__, __rtruediv__ = _combined(lambda a, b: a / b), _combined(lambda a, b: b / a)
    __eq__, __ne__ = _compared(lambda sign: sign == 0), _compared(lambda sign: sign != 0)
    __lt__, __le__ = _compared(lambda sign: sign < 0), _compared(lambda sign: sign <= 0)
    __gt__, __ge__ = _compared(lambda sign: sign > 0), _compared(lambda sign: sign >= 0)
    __hash__ = None  # pyright: ignore[reportAssignmentType] -- equal numbers have many expressions

    def __bool__(self) -> bool:
        return self != 0

    def __abs__(self) -> Real:
        return self if self > 0 else exact(-self.expr)

    def __float__(self) -> float:
        return enclose(self.expr, {}, 20).middle

    def __str__(self) -> str:
        return str(self.expr)


Exact = Fraction | Real


def exact(value: Any) -> Any:
    """Return a SymPy number as a ``Fraction``, or a ``Real`` where it is none; ``ArithmeticError`` where it is not real."""
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    if not (value.is_number and value.is_real and value.is_finite):
        raise ArithmeticError(f"{value} is not a real number")
    return Real(value)


def _expression(value: Any) -> SymExpr:
    if isinstance(value, Real):
        return value.expr
    return sp.Rational(value.numerator, value.denominator)
