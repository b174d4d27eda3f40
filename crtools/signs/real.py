"""Real numbers that are not fractions: computed with as expressions, compared exactly or in balls, or refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.numeric_types import SymExpr
from crtools.signs.numbers import compare

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
