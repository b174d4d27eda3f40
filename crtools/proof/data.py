"""Expressions as text that another program reads and checks again.

An expression is built of integers, names, + − · /, powers, ``exp``, ``factorial`` and ``binomial``, in Python's notation, and
``Sum(term, (k, low, high))``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from keyword import iskeyword
from math import gcd

import sympy as sp
from sympy.printing.str import StrPrinter

from check.kernel import LONGEST_NAME
from crtools.numeric_types import JsonObject, SymExpr, SymObject, SymPoly

Data = JsonObject


def spelled(symbol: sp.Symbol) -> str:
    """Return a name that the kernel reads: the symbol's own unless that is a keyword, too long or not of letters and digits."""
    name = f"{symbol.name}_" if iskeyword(symbol.name) or isinstance(symbol, sp.Dummy) else str(symbol.name)
    if len(name) <= LONGEST_NAME and re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        return name
    return f"v{hashlib.sha256(name.encode()).hexdigest()[: LONGEST_NAME - 1]}"


class _Printer(StrPrinter):
    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return spelled(expr)

    _print_Dummy = _print_Symbol

    def _print_Exp1(self, expr: SymExpr) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return "exp(1)"

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        if expr.exp.is_number and not expr.exp.is_Integer:
            raise ValueError(f"{expr} is not a rational function")
        return str(super()._print_Pow(expr, rational))  # type: ignore[no-untyped-call]


def text(expr: SymExpr) -> str:
    """Return a rational function as text, also of powers and factorials; ``ValueError`` for a root, a float, π, i or ∞."""
    value: SymObject = sp.sympify(expr)
    if not all(isinstance(part, (sp.Symbol, sp.Rational, type(sp.E))) for part in value.atoms()):
        raise ValueError(f"{expr} is no rational function with exact numbers")
    return str(_Printer().doprint(value)).replace("Min(", "min(").replace("Max(", "max(")


def joint_integers(parts: Sequence[SymPoly]) -> list[SymPoly]:
    """Scale polynomials by one number: integer coefficients without common divisor, the last one's leading one positive."""
    common = sp.ilcm(*(c.q for part in parts for c in part.coeffs()))
    scaled = [part * common for part in parts]
    divisor = gcd(*(int(c) for part in scaled for c in part.coeffs()))
    sign = -1 if scaled[-1].LC() < 0 else 1
    return [part.mul_ground(sp.Rational(sign, divisor)) for part in scaled]
