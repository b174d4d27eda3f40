"""Summands with poles, f(k) / Π (k + c)^m for integers c ≥ 0, and their complete sums in closed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as data_field
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import Any, cast

import sympy as sp

from crtools.closed_form.exponential_polynomial import ExponentialPolynomial, Field, NotClosed, add_by_key, complete_sum
from crtools.enclosure import fraction
from crtools.numeric_types import FieldElement, RingPoly, SymExpr

LARGEST_POLE = 100
"""A sum over 1/(k + c) brings ρ^(−c) and c terms, which are written out up to this c; in a form's entries c is s."""


@dataclass(frozen=True)
class ClosedForm:
    """rational + Σ coefficient · Li_m(ρ) + Σ coefficient · (closed form)², with Li_1(ρ) = −log(1 − ρ); of one field."""

    field: Field
    rational: FieldElement
    polylogs: Mapping[tuple[int, FieldElement], FieldElement] = data_field(
        default_factory=dict[tuple[int, FieldElement], FieldElement]
    )
    squares: tuple[tuple[FieldElement, ClosedForm], ...] = ()

    def __add__(self, other: ClosedForm) -> ClosedForm:
        kept = {k: v for k, v in add_by_key(self.polylogs, other.polylogs).items() if v}
        return ClosedForm(self.field, self.rational + other.rational, kept, self.squares + other.squares)

    def __sub__(self, other: ClosedForm) -> ClosedForm:
        return self + other.scaled(-self.field.domain.one)

    def scaled(self, factor: FieldElement) -> ClosedForm:
        """Return factor times the value."""
        kept = {k: v * factor for k, v in self.polylogs.items() if v * factor}
        squares = tuple((c * factor, root) for c, root in self.squares)
        return ClosedForm(self.field, self.rational * factor, kept, squares)

    def expr(self) -> SymExpr:
        """Return a SymPy expression; logarithms are split along the factors of 1 − ρ and collected."""
        logs: dict[SymExpr, SymExpr] = {}
        polylogs: SymExpr = sp.S.Zero
        for (order, rho), value in self.polylogs.items():
            base, coefficient = _expr(self.field, rho), _expr(self.field, value)
            if order == 1:
                for argument, power in _factors(1 - base):
                    logs[argument] = logs.get(argument, 0) - coefficient * power
            else:
                polylogs += coefficient * sp.polylog(order, base)
        total = _expr(self.field, self.rational) + polylogs
        total += sum((_expr(self.field, c) * root.expr() ** 2 for c, root in self.squares), sp.S.Zero)
        for argument, coefficient in logs.items():
            reduced = sp.factor(sp.cancel(sp.together(coefficient)))
            if reduced != 0:
                total += reduced * sp.log(argument)
        return total


def _expr(field: Field, element: FieldElement) -> SymExpr:
    return field.domain.to_sympy(element)


def _factors(expr: SymExpr) -> list[tuple[SymExpr, int]]:
    """Split a polynomial or number that is positive for bases in (0, 1) into factors with that property."""
    numerator, denominator = sp.fraction(sp.together(expr))
    if not expr.free_symbols:
        return [(sp.cancel(expr), 1)]
    factored: Any = sp.factor_list(numerator)
    constant, pieces = factored
    result: list[tuple[SymExpr, int]] = []
    for piece, power in pieces:
        # at 1/3, a point where every 1 − ρ and its factors are non-zero, the sign tells which of ±piece is positive
        sign = piece.subs(dict.fromkeys(piece.free_symbols, sp.Rational(1, 3)))
        result.append((sp.expand(-piece), power) if sign < 0 else (piece, power))
        if sign < 0:
            constant *= (-1) ** power
    constant = constant / denominator
    if constant.free_symbols or constant <= 0:
        return [(expr, 1)]
    if constant != 1:
        result.append((constant, 1))
    return result


@dataclass(frozen=True)
class Summand:
    """k ↦ function(k) / Π_c (k + c)^{poles[c]}, k ≥ 1."""

    function: ExponentialPolynomial
    poles: Mapping[int, int] = data_field(default_factory=dict[int, int])

    @property
    def field(self) -> Field:
        """The field of the coefficients."""
        return self.function.field

    def __mul__(self, other: Summand) -> Summand:
        return Summand(self.function * other.function, add_by_key(self.poles, other.poles)).reduced()

    def over(self, field: Field) -> Summand:
        """Return the same function with coefficients in a larger field."""
        read, write = self.field.domain.to_sympy, field.domain.from_sympy
        terms = {
            write(read(rho)): field.ring.from_dict({m: write(read(c)) for m, c in p.terms()})
            for rho, p in self.function.terms.items()
        }
        return Summand(ExponentialPolynomial(field, terms), self.poles)

    def times(self, polynomial: RingPoly, poles: Mapping[int, int] | None = None) -> Summand:
        """Return the product with polynomial(k) / Π (k + c)^m."""
        return Summand(self.function.times(polynomial), add_by_key(self.poles, poles or {})).reduced()

    def shifted(self, n: int) -> Summand:
        """Return k ↦ the value at k + n, n ≥ 0."""
        field = self.field
        moved = {rho: p.compose(field.k, field.k + field.domain(n)) * rho**n for rho, p in self.function.terms.items()}
        return Summand(ExponentialPolynomial(field, moved), {c + n: m for c, m in self.poles.items()})

    def at(self, k: int) -> FieldElement:
        """Return the value at k ≥ 1, an element of the field."""
        domain = self.field.domain
        above = sum((p.evaluate(0, domain(k)) * rho**k for rho, p in self.function.terms.items()), domain.zero)
        return above / domain(prod((k + c) ** m for c, m in self.poles.items()))

    def reduced(self) -> Summand:
        """Cancel common factors k + c."""
        function, poles = self.function, {c: m for c, m in self.poles.items() if m}
        for c in list(poles):
            factor = self.field.k + self.field.domain(c)
            while poles.get(c) and all(not p.rem(factor) for p in function.terms.values()):
                function = ExponentialPolynomial(
                    self.field, {r: cast(RingPoly, p.quo(factor)) for r, p in function.terms.items()}
                )
                poles[c] -= 1
                if not poles[c]:
                    del poles[c]
        return Summand(function, poles)

    def complete_sum(self) -> ClosedForm:
        """Return Σ_{k≥1} in closed form; every base must lie in (0, 1)."""
        reduced = self.reduced()
        total = ClosedForm(self.field, self.field.domain.zero)
        for rho, p in reduced.function.terms.items():
            if rho == self.field.domain.one:
                raise NotClosed("a sum does not converge")
            total = total + _sum_with_poles(self.field, p, rho, reduced.poles)
        return total


def _sum_with_poles(field: Field, p: RingPoly, rho: FieldElement, poles: Mapping[int, int]) -> ClosedForm:
    """Return Σ_{k≥1} p(k) ρ^k / Π (k+c)^m by partial fractions."""
    if not p:
        return ClosedForm(field, field.domain.zero)
    if not poles:
        return ClosedForm(field, complete_sum(field, p, rho))
    if len(poles) > 1:
        (c, m), (d, n), *more = sorted(poles.items())
        # 1/((k+c)(k+d)) = (1/(k+c) − 1/(k+d))/(d−c)
        others = dict(more)
        first = _sum_with_poles(field, p, rho, {**others, c: m, d: n - 1} if n > 1 else {**others, c: m})
        second = _sum_with_poles(field, p, rho, {**others, c: m - 1, d: n} if m > 1 else {**others, d: n})
        factor = field.domain.one / field.domain(d - c)
        return (first + second.scaled(-field.domain.one)).scaled(factor)
    [(c, m)] = poles.items()
    factor = field.k + field.domain(c)
    if m == 0:
        return _sum_with_poles(field, p, rho, {})
    quotient, remainder = cast("tuple[RingPoly, RingPoly]", p.div(factor))
    constant = remainder.LC if remainder else field.domain.zero  # a number: the divisor is linear
    tail = _sum_with_poles(field, quotient, rho, {c: m - 1} if m > 1 else {})
    if not constant:
        return tail
    if c > LARGEST_POLE:
        raise NotClosed(
            f"a sum over 1/(k + {c}) is not written out: its closed form has {c} terms (at most {LARGEST_POLE})"
        )
    # Σ_{k≥1} ρ^k/(k+c)^m = ρ^{−c} (Li_m(ρ) − Σ_{j=1}^{c} ρ^j/j^m)
    a, b = field.parts(rho)
    head: FieldElement = field.numerators.domain.zero
    for j in range(c, 0, -1):  # Σ_{j≤c} a^j b^{c−j} / j^m
        head = a * (head + b ** (c - j) / j**m)
    shifted = field.quotient(b**c, a**c)
    return tail + ClosedForm(field, -constant * field.quotient(head, a**c), {(m, rho): constant * shifted})


def faulhaber(m: int, n: SymExpr) -> SymExpr:
    """Return Σ_{k=1}^{n} k^m as a polynomial in n, by Faulhaber's formula."""
    return sp.Add(*(sp.Rational(c) * n**power for power, c in enumerate(sum_of_powers(m))))


@lru_cache(maxsize=64)
def sum_of_powers(m: int) -> list[Fraction]:
    """Return the coefficients of Σ_{k=1}^{n} k^m in n, the lowest first."""
    return [Fraction(0), *(comb(m + 1, j) * fraction(sp.bernoulli(j)) / (m + 1) for j in range(m, -1, -1))]
