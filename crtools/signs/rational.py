"""The sign of a rational function of several variables, each in an interval: by roots, else by the signs of coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.expressions import free_symbols
from crtools.numeric_types import Symbol, SymExpr
from crtools.signs.one_variable import real_roots
from crtools.signs.ranges import Interval


def factored(expr: SymExpr) -> tuple[int, dict[SymExpr, int]]:
    """Return the sign of the constant and {irreducible factor: power} of a rational function."""
    sign, powers = 1, dict[SymExpr, int]()
    for part, direction in zip(sp.fraction(sp.cancel(sp.together(expr))), (1, -1), strict=True):
        factored: Any = sp.factor_list(part)
        constant, factors = factored
        sign *= int(sp.sign(constant))
        for factor, power in factors:
            powers[factor] = powers.get(factor, 0) + direction * power
    return sign, powers


def sign_on(expr: SymExpr, intervals: Mapping[Symbol, Interval]) -> int:
    """Return 1 where a rational function is ≥ 0 on the ranges, −1 where it is ≤ 0, 0 where that is not shown."""
    sign, powers = factored(expr)
    for factor, power in powers.items():
        if power % 2:
            sign *= factor_sign(factor, intervals)
    return sign if expr != 0 else 1


def factor_sign(factor: SymExpr, intervals: Mapping[Symbol, Interval]) -> int:
    """Return the sign that an irreducible polynomial has inside the intervals, 0 where none is shown."""
    free = sorted(free_symbols(factor), key=lambda x: x.name)
    if len(free) == 1:
        interval = intervals[free[0]]
        if any(interval.low < root < interval.high for root in real_roots(sp.Poly(factor, free[0]))):
            return 0
        return 1 if factor.subs(free[0], interval.place(Fraction(1, 2))) > 0 else -1
    # x = place(y/(1+y)), y > 0: one sign if all coefficients of the numerator have it
    shares = {x: sp.Dummy(positive=True) for x in free}
    put: dict[Any, Any] = {x: intervals[x].place(y / (1 + y)) for x, y in shares.items()}
    above, below = (sp.Poly(part, *shares.values()) for part in sp.fraction(sp.together(factor.subs(put))))
    signs = {sign for sign in (1, -1) for poly in (above,) if all(sign * c > 0 for c in poly.coeffs())}
    positive = all(c > 0 for c in below.coeffs())
    return signs.pop() if signs and positive else 0
