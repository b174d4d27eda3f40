"""Exponential polynomials Σ_ρ P_ρ(k) ρ^k over a field, closed under sums, products, prefix sums and tails.

The field is ℚ or ℚ(parameters); ρ is a field element; P_ρ is a polynomial in k. ``docs/closed-forms.md`` has the
mathematics. No distribution is named here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import comb
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing

from crtools.enclosure import fraction
from crtools.numeric_types import FieldElement, RingPoly, SymExpr


class NotClosed(ArithmeticError):
    """A sum is outside the class that the algebra closes, for instance a nested sum with two poles."""


@dataclass(frozen=True)
class Field:
    """The field of coefficients and the polynomial ring in k over it.

    Over ℚ(parameters) a sum of fractions takes a greatest common divisor at every step, so longer computations are done
    over one denominator, in ``numerators``, and end with one cancellation for each coefficient.
    """

    domain: Any

    @cached_property
    def ring(self) -> PolyRing:
        """The ring of polynomials in k."""
        return PolyRing("k", self.domain)

    @cached_property
    def numerators(self) -> PolyRing:
        """The ring of polynomials in k over ℚ[parameters]."""
        return self.ring if self.domain is QQ else PolyRing("k", self.domain.field.ring.to_domain())

    @property
    def k(self) -> RingPoly:
        """The polynomial k."""
        return self.ring.gens[0]

    @classmethod
    def of(cls, *symbols: SymExpr) -> Field:
        """Return ℚ(symbols), or ℚ without symbols."""
        return cls(QQ.frac_field(*symbols) if symbols else QQ)

    def element(self, expr: SymExpr) -> SymExpr:
        """Return a SymPy expression as an element; raises ``NotClosed`` where it is not rational in the parameters."""
        try:
            return self.domain.from_sympy(sp.together(expr))
        except (ValueError, sp.CoercionFailed, sp.PolynomialError):
            raise NotClosed(f"{expr} is not rational in the parameters") from None

    def parts(self, element: FieldElement) -> tuple[FieldElement, FieldElement]:
        """Return numerator and denominator in ℚ[parameters]."""
        return (element, self.domain.one) if self.domain is QQ else (element.numer, element.denom)

    def quotient(self, above: FieldElement, below: FieldElement) -> FieldElement:
        """Return above/below, in lowest terms."""
        return above / below if self.domain is QQ else self.domain.field.new(above, below)

    def over_one(self, p: RingPoly) -> tuple[RingPoly, FieldElement]:
        """Return (P, d) with p = P/d, P in ``numerators``."""
        below: FieldElement = self.parts(self.domain.one)[1]
        for denominator in {self.parts(c)[1] for c in p.values()}:
            below = below * (denominator if self.domain is QQ else denominator.exquo(denominator.gcd(below)))
        numerators = {
            m: above * (below / d if self.domain is QQ else below.exquo(d))
            for m, c in p.items()
            for above, d in [self.parts(c)]
        }
        return self.numerators.from_dict(numerators), below

    def divided(self, p: RingPoly, below: FieldElement) -> RingPoly:
        """Return P/d for P in ``numerators``."""
        return self.ring.from_dict({m: self.quotient(c, below) for m, c in p.items()})


class ExponentialPolynomial:
    """An immutable function k ↦ Σ_ρ P_ρ(k) ρ^k on the integers k ≥ 1."""

    __slots__ = ("field", "terms")

    def __init__(self, field: Field, terms: Mapping[FieldElement, RingPoly]) -> None:
        self.field = field
        self.terms: dict[FieldElement, RingPoly] = {rho: p for rho, p in terms.items() if p}

    def __add__(self, other: ExponentialPolynomial) -> ExponentialPolynomial:
        return ExponentialPolynomial(self.field, add_by_key(self.terms, other.terms))

    def __mul__(self, other: ExponentialPolynomial) -> ExponentialPolynomial:
        terms: dict[FieldElement, RingPoly] = {}
        for rho, p in self.terms.items():
            for sigma, r in other.terms.items():
                base, product = rho * sigma, self._product(p, r)
                terms[base] = terms[base] + product if base in terms else product
        return ExponentialPolynomial(self.field, terms)

    def _product(self, p: RingPoly, r: RingPoly) -> RingPoly:
        (above, below), (other, under) = self.field.over_one(p), self.field.over_one(r)
        return self.field.divided(above * other, below * under)

    def times(self, polynomial: RingPoly) -> ExponentialPolynomial:
        """Return the product with a polynomial in k."""
        return self * ExponentialPolynomial(self.field, {self.field.domain.one: polynomial})

    def sums_below(self) -> ExponentialPolynomial:
        """Return j ↦ Σ_{k=1}^{j−1} of the function; no base may be 1."""
        field, constant = self.field, self.field.domain.zero
        terms: dict[FieldElement, RingPoly] = {}
        for rho, p in self.terms.items():
            terms[rho] = field.divided(*_antidifference(field, p, rho))
            constant = constant + complete_sum(field, p, rho)
        return ExponentialPolynomial(field, {**terms, field.domain.one: field.ring.one * constant})

    def tails_above(self) -> ExponentialPolynomial:
        """Return i ↦ Σ_{k>i} of the function; every |ρ| must be below 1."""
        terms: dict[FieldElement, RingPoly] = {}
        for rho, p in self.terms.items():
            above, below = _antidifference(self.field, p, rho)
            a, b = self.field.parts(rho)
            terms[rho] = self.field.divided(_shift(above) * -a, below * b)
        return ExponentialPolynomial(self.field, terms)


def add_by_key(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the sums of the values of two mappings, key by key."""
    return {**one, **{key: one[key] + value if key in one else value for key, value in other.items()}}


def complete_sum(field: Field, p: RingPoly, rho: FieldElement) -> RingPoly:
    """Return Σ_{k≥1} p(k) ρ^k = −F(1) ρ for |ρ| < 1."""
    numerator, below = field.over_one(p)
    values = [numerator.evaluate(0, field.numerators.domain(n)) for n in range(1, max(int(numerator.degree()), 0) + 2)]
    firsts: list[FieldElement] = []  # Δ^n p at 1
    while values:
        firsts.append(values[0])
        values = [y - x for x, y in pairwise(values)]
    total, power = _solved(field, firsts, rho)
    a, b = field.parts(rho)
    return field.quotient(-a * total, below * power * b)


def _solved(field: Field, differences: list[Any], rho: Any) -> tuple[Any, Any]:
    """Return the antidifference F = P/d for ρ ≠ 1, from p, Δp, … (or from their values at one place).

    With Δ the difference, (ρ(1 + Δ) − 1) F = p, so F = Σ_n (−ρ)^n Δ^n p / (ρ − 1)^{n+1}; ρ = a/b.
    """
    a, b = field.parts(rho)
    total, power = 0 * differences[0], field.parts(field.domain.one)[1]
    for difference in reversed(differences):
        total, power = difference * power - total * a, power * (a - b)
    return total * b, power


def _antidifference(field: Field, p: RingPoly, rho: FieldElement) -> tuple[RingPoly, FieldElement]:
    """Return F = P/d, as (P, d), with F(k+1) ρ^{k+1} − F(k) ρ^k = p(k) ρ^k, for ρ ≠ 1; its degree is that of p."""
    numerator, below = field.over_one(p)
    differences = [numerator]
    while differences[-1].degree() > 0:
        differences.append(_shift(differences[-1]) - differences[-1])
    total, power = _solved(field, differences, rho)
    return total, below * power


def _shift(p: RingPoly) -> RingPoly:
    """Return p(k + 1) for p ≠ 0."""
    c = [p.get((m,), p.ring.domain.zero) for m in range(int(p.degree()) + 1)]
    for first in range(len(c) - 1):
        for m in range(len(c) - 2, first - 1, -1):
            c[m] = c[m] + c[m + 1]
    return p.ring.from_dict({(m,): x for m, x in enumerate(c) if x})


def faulhaber(m: int, n: SymExpr) -> SymExpr:
    """Return Σ_{k=1}^{n} k^m as a polynomial in n, by Faulhaber's formula."""
    return sp.Add(*(sp.Rational(c) * n**power for power, c in enumerate(sum_of_powers(m))))


@lru_cache(maxsize=64)
def sum_of_powers(m: int) -> list[Fraction]:
    """Return the coefficients of Σ_{k=1}^{n} k^m in n, the lowest first."""
    return [Fraction(0), *(comb(m + 1, j) * fraction(sp.bernoulli(j)) / (m + 1) for j in range(m, -1, -1))]
