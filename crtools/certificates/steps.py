"""Steps of a proof as coefficient lists: an identity's value, a shifted positive function, an antidifference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.proof.steps import Identity, PolynomialIntegral, Positive, Telescoping
from crtools.proof.theorem import Theorem

Terms = list[list[Any]]


def terms(poly: Any) -> Terms:
    """Return [[coefficient, [exponents]], …] of a SymPy polynomial with integer coefficients, exponents increasing."""
    return [[str(int(c)), [int(p) for p in powers]] for powers, c in sorted(poly.terms()) if c != 0]


def quotient(expr: Any, variables: Sequence[str]) -> dict[str, Terms]:
    """Return numerator and denominator of a rational function, reduced, with integer coefficients without common divisor."""
    own = [sp.Symbol(name) for name in variables]
    plain = sp.sympify(expr)
    plain = plain.xreplace({symbol: sp.Symbol(symbol.name) for symbol in plain.free_symbols})
    parts = [sp.Poly(part, *own or [sp.Dummy()], domain="QQ") for part in sp.fraction(sp.cancel(sp.together(plain)))]
    parts = joint_integers(parts)
    if parts[0].is_zero:
        parts = [parts[0], parts[1].one]
    shown = [terms(part) for part in parts]
    if not own:  # a constant: the dummy's exponent is dropped
        shown = [[[c, []] for c, _ in part] for part in shown]
    return {"numerator": shown[0], "denominator": shown[1]}


def joint_integers(parts: Sequence[Any]) -> list[Any]:
    """Scale polynomials by one number: integer coefficients without common divisor, the last one's leading one positive."""
    common = sp.ilcm(*(c.q for part in parts for c in part.coeffs()))
    scaled = [part * common for part in parts]
    divisor = gcd(*(int(c) for part in scaled for c in part.coeffs()))
    sign = -1 if scaled[-1].LC() < 0 else 1
    return [part.mul_ground(sp.Rational(sign, divisor)) for part in scaled]


def same(name: str, variables: str, value: Any) -> Data:
    """Return an identity's step: the value of both sides."""
    names = variables.split()
    return {"step": name, "variables": names, **quotient(value, names)}


def sign(name: str, where: Sequence[tuple[Any, Any]], expr: Any, relation: str = ">") -> Data:
    """Return a sign's step: the function after v = bound + v', from the last variable to the first."""
    own = [(sp.Symbol(str(v)), sp.sympify(bound)) for v, bound in where]
    plain = [(v, b.xreplace({x: sp.Symbol(x.name) for x in b.free_symbols})) for v, b in own]
    shifted = sp.sympify(expr)
    shifted = shifted.xreplace({symbol: sp.Symbol(symbol.name) for symbol in shifted.free_symbols})
    for v, bound in reversed(plain):
        shifted = shifted.xreplace({v: v + bound})
    shown = [[str(v), str(b).replace(" ", "")] for v, b in plain]
    return {
        "step": name,
        "where": shown,
        "sign": relation,
        **quotient(shifted, [v.name for v, _ in plain]),
    }


def telescoping(name: str, variables: str, index: str, antidifference: Any) -> Data:
    """Return a telescoping sum's step: the antidifference, which has to vanish at 0."""
    names = variables.split()
    return {"step": name, "variables": names, "index": index, **quotient(antidifference, names)}


def of_theorem(theorem: Theorem, names: Mapping[str, str]) -> list[Data]:
    """Return steps of a theorem that holds: names with the variables of identities ("" where none are needed).

    Raises ``AssertionError`` where the theorem does not hold and ``KeyError`` for an unknown name.
    """
    if not theorem.holds:
        raise AssertionError(f"Theorem {theorem.name} does not hold")
    own = {step.name: step for step in theorem.steps}
    result: list[Data] = []
    for name, variables in names.items():
        step = own[name]
        if isinstance(step, Positive):
            result.append(sign(name, step.where, step.expr, ">" if step.strict else ">="))
        elif isinstance(step, Telescoping):
            result.append(telescoping(name, variables, str(step.index), step.antidifference))
        else:
            assert isinstance(step, Identity | PolynomialIntegral)
            value = step.lhs if isinstance(step, Identity) else step.value
            result.append(same(name, variables, value))
    return result


def renamed(step: Data, name: str) -> Data:
    """Return a step under another name."""
    return {**step, "step": name}
