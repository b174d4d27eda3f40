"""Steps as data: a rule, and expressions as text that another program reads and checks again.

An expression is built of integers, names, + − · / and whole powers, in Python's notation, and ``Sum(term, (k, low, high))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword
from math import gcd
from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter

from crtools.proof.steps import Identity, Induction, PolynomialIntegral, Positive, Step, Telescoping

Data = dict[str, Any]
Terms = list[list[Any]]


class _Printer(StrPrinter):
    def _print_Symbol(self, expr: Any) -> str:
        return f"{expr.name}_" if iskeyword(expr.name) else str(expr.name)

    def _print_Dummy(self, expr: Any) -> str:
        return f"{expr.name}_"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if not expr.exp.is_Integer:
            raise ValueError(f"{expr} is not a rational function")
        return str(super()._print_Pow(expr, rational))  # type: ignore[no-untyped-call]


def text(expr: Any) -> str:
    """Return a rational function as text; ``ValueError`` for a root or a float."""
    own = sp.sympify(expr)
    if own.has(sp.Float):
        raise ValueError(f"{expr} is not exact")
    return str(_Printer().doprint(own))


def formal(step: Step) -> Data | None:
    """Return the rule of a step that holds and what it needs, or None for what is said in words or no rational function."""
    try:
        return _formal(step)
    except (ValueError, sp.PolynomialError):
        return None


def _formal(step: Step) -> Data | None:
    if isinstance(step, Identity):
        return {"rule": "identity", "left": text(step.lhs), "right": text(step.rhs)}
    if isinstance(step, Positive):
        return sign(step)
    if isinstance(step, Telescoping):
        shown = {"summand": text(step.summand), "total": text(step.antidifference)}
        return {"rule": "sum", "index": text(step.index), **shown}
    if isinstance(step, Induction):
        sides = {"left": text(step.lhs), "right": text(step.rhs)}
        return {"rule": "induction", "index": text(step.index), "start": step.start, **sides}
    if isinstance(step, PolynomialIntegral):
        names = ("integrand", "variable", "low", "high", "value")
        return {"rule": "integral", **{name: text(getattr(step, name)) for name in names}}
    return None


def sign(step: Positive) -> Data:
    """Return a sign's step: with the quotient after v = bound + v', from the last variable to the first."""
    return {
        "rule": "sign",
        "where": [[text(v), text(bound)] for v, bound in step.where],
        "expression": text(step.expr),
        "relation": ">" if step.strict else ">=",
        "squares": [text(q) for q in step.squares],
        **quotient(step.shifted, [v for v, _ in step.where]),
    }


def terms(poly: Any) -> Terms:
    """Return [[coefficient, [exponents]], …] of a SymPy polynomial with integer coefficients, exponents increasing."""
    return [[str(int(c)), [int(p) for p in powers]] for powers, c in sorted(poly.terms()) if c != 0]


def quotient(expr: Any, variables: Sequence[Any]) -> dict[str, Terms]:
    """Return numerator and denominator of a rational function, reduced, with integer coefficients without common divisor."""
    parts = [sp.Poly(part, *variables, domain="QQ") for part in sp.fraction(sp.cancel(sp.together(expr)))]
    parts = joint_integers(parts)
    if parts[0].is_zero:
        parts = [parts[0], parts[1].one]
    return {"numerator": terms(parts[0]), "denominator": terms(parts[1])}


def joint_integers(parts: Sequence[Any]) -> list[Any]:
    """Scale polynomials by one number: integer coefficients without common divisor, the last one's leading one positive."""
    common = sp.ilcm(*(c.q for part in parts for c in part.coeffs()))
    scaled = [part * common for part in parts]
    divisor = gcd(*(int(c) for part in scaled for c in part.coeffs()))
    sign = -1 if scaled[-1].LC() < 0 else 1
    return [part.mul_ground(sp.Rational(sign, divisor)) for part in scaled]
