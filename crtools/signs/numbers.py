"""The sign of a real number: by balls of growing precision; 0 only where it is shown.

It is shown for algebraic numbers and for rational functions of logarithms.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.enclosure import Enclosure, ball, precision
from crtools.errors import NotCertified
from crtools.expressions import arguments
from crtools.numeric_types import Ball, Exact, SymExpr

LARGEST_DEGREE = 24
"""Algebraic numbers are compared with 0 where the indices of their roots have at most this product."""

LARGEST_POWER = 1000
"""An exact value is taken only of powers whose exponents have parts up to this."""

PRECISIONS = (64, 256, 1024, 4096)
"""Bits of the balls by which signs are searched for, one after the other."""

LOG_OF = "log of {}"


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
    if value is None or not value.is_finite() or not _short_powers(expr):
        return None
    exact = expr.subs({x: sp.Rational(v) for x, v in at.items()})
    return 0 if _is_zero(exact) else None


def compare(first: SymExpr | Exact, second: SymExpr | Exact) -> int | None:
    """Return the sign of first − second of two real numbers, or None where it is not decided."""
    first, second = (cast(SymExpr, sp.sympify(number)) for number in (first, second))
    return sign(first - second)


def _short_powers(expr: SymExpr) -> bool:
    powers = [power.exp for power in expr.atoms(sp.Pow)]
    return all(isinstance(e, sp.Rational) and max(abs(e.p), e.q) <= LARGEST_POWER for e in powers)


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
    [number] = arguments(log)
    assert isinstance(number, sp.Rational)
    parts = ((number.p, 1), (number.q, -1))
    return sp.Add(
        *(
            side * power * sp.Symbol(LOG_OF.format(base))
            for part, side in parts
            for base, power in sp.factorint(part, limit=10**4).items()
            if base != 1
        )
    )


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
