"""A closed form as a quotient of polynomials in its parameters and its transcendental parts.

A closed form is a rational function of parameters and of logarithms and polylogarithms. With the latter as further
variables it has a numerator and a denominator that are polynomials, so common factors cancel exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import sympy as sp
from flint import fmpq_poly

from crtools.closed_form.evaluate import ball_value, to_digits
from crtools.enclosure import Enclosure, ball, fraction, rational
from crtools.expressions import arguments, substitute
from crtools.numeric_types import Ball, Symbol, SymExpr, SymPoly
from crtools.parallel import WithoutCaches

LARGEST_SPLIT = 10**15
"""Logarithms of rational numbers up to this size are split into those of primes."""

LARGEST_FACTORED = 60
"""Polynomials up to this degree are shown factored."""


@dataclass(frozen=True)
class Quotient(WithoutCaches):
    """numerator / denominator, polynomials over ℚ in ``parameters`` and ``parts`` (symbol ↦ log or polylog)."""

    numerator: SymPoly
    denominator: SymPoly
    parameters: tuple[Symbol, ...]
    parts: Mapping[Symbol, SymExpr]

    @classmethod
    def of(cls, expr: SymExpr, parameters: tuple[Symbol, ...]) -> Quotient:
        """Bring an expression over one denominator and cancel; other functions than log, polylog are not accepted."""
        expr = _prime_logs(sp.sympify(expr))
        functions: Any = sorted(expr.atoms(sp.log, sp.polylog, sp.harmonic), key=sp.default_sort_key)
        functions = [*functions, *([sp.pi] if expr.has(sp.pi) else [])]
        parts: dict[Symbol, SymExpr] = {sp.Dummy(f"L{n}"): part for n, part in enumerate(functions)}
        rational = expr.xreplace({part: symbol for symbol, part in parts.items()})
        above, below = sp.fraction(sp.together(rational))
        if above == 0:
            below, parts = sp.S.One, {}
        names = (*parts, *parameters) or (sp.Dummy("one"),)
        cancelled: Any = _product(above, names).cancel(_product(below, names), include=True)
        p, q = cancelled
        return cls(p, q, parameters, parts)

    @cached_property
    def _coefficients(self) -> list[dict[tuple[int, ...], fmpq_poly]]:
        """Numerator and denominator as {powers of the parts: polynomial in the one parameter}."""
        return [
            {
                powers: fmpq_poly([rational(fraction(row.get(m, 0))) for m in range(max(row) + 1)])
                for powers, row in by_powers(side).items()
            }
            for side in (self.numerator, self.denominator)
        ]

    def enclose(self, at: Fraction, digits: int) -> Enclosure:
        """Return what :func:`crtools.closed_form.evaluate.enclose` does of ``expr`` at a value of its one parameter, only faster."""
        [x] = self.parameters
        coefficients = [{powers: p(rational(at)) for powers, p in side.items()} for side in self._coefficients]

        def value() -> Ball:
            parts = [ball_value(part, {x: ball(at)}) for part in self.parts.values()]
            top, bottom = (
                sum((ball(c) * prod(map(pow, parts, powers)) for powers, c in side.items()), ball(0))
                for side in coefficients
            )
            return top / bottom

        return to_digits(value, digits)

    @cached_property
    def expr(self) -> SymExpr:
        """The quotient as an expression: factored, each factor positive at a point inside the parameters' range."""
        up, down = self._factored(self.numerator), self._factored(self.denominator)
        (sign, up), (other, down) = self._positive(up), self._positive(down)
        return sign * other * up / down

    def _factored(self, poly: SymPoly) -> SymExpr:
        small = poly.total_degree() <= LARGEST_FACTORED
        factorization: Any = sp.factor_list(poly) if small else (1, [(poly, 1)])
        constant, factors = factorization
        result: SymExpr = sp.sympify(constant)
        for factor, power in factors:
            factor_expr = factor.as_expr()
            if any(factor_expr.has(symbol) for symbol in self.parts):
                factor_expr = self._collected(factor_expr)
            result *= factor_expr**power
        return result

    def _collected(self, expr: SymExpr) -> SymExpr:
        """Write a polynomial as Σ coefficient · product of parts, each coefficient factored."""
        total: SymExpr = sp.S.Zero
        for monomial, coefficient in sp.Poly(expr, *self.parts).terms():
            product: Any = sp.prod([part**m for part, m in zip(self.parts.values(), monomial, strict=True)])
            small = not self.parameters or sp.Poly(coefficient, *self.parameters).total_degree() <= LARGEST_FACTORED
            total += (sp.factor(coefficient) if small else coefficient) * product
        return total

    def _positive(self, expr: SymExpr) -> tuple[int, SymExpr]:
        """Split off the sign of a product, each factor made positive at the sample point where it is real there."""
        point = {x: sp.Rational(2 * n + 5, 7 * n + 17) for n, x in enumerate(self.parameters)}
        sign, result = 1, sp.S.One
        for factor in sp.Mul.make_args(expr):
            base, power = factor.as_base_exp()
            if not power.is_Integer:
                base, power = factor, sp.S.One
            if sp.N(base.xreplace(point), 60).is_negative:
                base = sp.Add(*(-term for term in sp.Add.make_args(base)))
                sign = -sign if power % 2 else sign
            result *= base**power
        return sign, result


def by_powers(poly: SymPoly) -> dict[tuple[int, ...], dict[int, Any]]:
    """Return a polynomial as {powers of all generators but the last: {power of the last: coefficient}}."""
    groups: dict[tuple[int, ...], dict[int, Any]] = {}
    for (*powers, m), c in poly.terms():
        groups.setdefault(tuple(powers), {})[m] = c
    return groups


def _prime_logs(expr: SymExpr) -> SymExpr:
    """Write logarithms of rational numbers by logarithms of primes, so that they cancel."""
    replacements: dict[SymExpr, SymExpr] = {}
    for log in expr.atoms(sp.log):
        [number] = arguments(log)
        if isinstance(number, sp.Rational) and max(number.p, number.q) < LARGEST_SPLIT:
            factors: Any = sp.factorrat(number)
            replacements[log] = sum((n * sp.log(p) for p, n in factors.items()), sp.S.Zero)
    return substitute(expr, replacements)


def _product(expr: SymExpr, names: tuple[Symbol, ...]) -> SymPoly:
    """Return an expression as a polynomial, multiplied out in its ring: much faster than on trees."""
    ring: Any = sp.polys.rings.PolyRing(names, sp.QQ)
    return sp.Poly.from_dict(dict(ring.from_expr(expr)), *names, domain=sp.QQ)
