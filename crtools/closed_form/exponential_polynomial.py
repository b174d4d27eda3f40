"""Exponential polynomials Σ_ρ P_ρ(k) ρ^k over a field, closed under sums, products, prefix sums and tails.

The field is ℚ or ℚ(parameters); ρ is a field element; P_ρ is a polynomial in k. ``docs/closed-forms.md`` has the
mathematics. No distribution is named here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing


@dataclass(frozen=True)
class Field:
    """The field of coefficients and the polynomial ring in k over it."""

    domain: Any

    @property
    def ring(self) -> PolyRing:
        """The ring of polynomials in k."""
        return PolyRing("k", self.domain)

    @property
    def k(self) -> Any:
        """The polynomial k."""
        return self.ring.gens[0]

    @classmethod
    def of(cls, *symbols: Any) -> Field:
        """Return ℚ(symbols), or ℚ without symbols."""
        return cls(QQ.frac_field(*symbols) if symbols else QQ)


class ExponentialPolynomial:
    """An immutable function k ↦ Σ_ρ P_ρ(k) ρ^k on the integers k ≥ 1."""

    __slots__ = ("field", "terms")

    def __init__(self, field: Field, terms: Mapping[Any, Any]) -> None:
        self.field = field
        self.terms: dict[Any, Any] = {rho: p for rho, p in terms.items() if p}

    def __add__(self, other: ExponentialPolynomial) -> ExponentialPolynomial:
        terms = dict(self.terms)
        for rho, p in other.terms.items():
            terms[rho] = terms[rho] + p if rho in terms else p
        return ExponentialPolynomial(self.field, terms)

    def __mul__(self, other: ExponentialPolynomial) -> ExponentialPolynomial:
        terms: dict[Any, Any] = {}
        for rho, p in self.terms.items():
            for sigma, r in other.terms.items():
                base = rho * sigma
                terms[base] = terms[base] + p * r if base in terms else p * r
        return ExponentialPolynomial(self.field, terms)

    def times(self, polynomial: Any) -> ExponentialPolynomial:
        """Return the product with a polynomial in k."""
        return ExponentialPolynomial(self.field, {rho: p * polynomial for rho, p in self.terms.items()})

    def sums_below(self) -> ExponentialPolynomial:
        """Return j ↦ Σ_{k=1}^{j−1} of the function."""
        constant, result = self.field.domain.zero, ExponentialPolynomial(self.field, {})
        one = self.field.domain.one
        for rho, p in self.terms.items():
            f = antidifference(self.field, p, rho)
            result = result + ExponentialPolynomial(self.field, {rho: f})
            constant = constant - rho * f.evaluate(0, one)
        return result + ExponentialPolynomial(self.field, {one: self.field.ring.one * constant})

    def tails_above(self) -> ExponentialPolynomial:
        """Return i ↦ Σ_{k>i} of the function; every |ρ| must be below 1."""
        terms: dict[Any, Any] = {}
        for rho, p in self.terms.items():
            f = antidifference(self.field, p, rho)
            terms[rho] = -_shift(self.field, f) * rho
        return ExponentialPolynomial(self.field, terms)


def antidifference(field: Field, p: Any, rho: Any) -> Any:
    """Return the polynomial F with F(k+1) ρ^{k+1} − F(k) ρ^k = p(k) ρ^k; F(1) ρ vanishes from sums at ρ = 1 by constants.

    For ρ ≠ 1 the degree of F is that of p, and F is solved from the top coefficient down; for ρ = 1 it is one more.
    """
    k, zero = field.k, field.ring.zero
    rest, result = p, zero
    if rho != field.domain.one:
        factor = rho - field.domain.one
        while rest:
            degree = rest.degree()
            term = k**degree * (rest.LC / factor)
            result += term
            rest -= _shift(field, term) * rho - term
        return result
    while rest:
        degree = rest.degree()
        term = k ** (degree + 1) * (rest.LC / field.domain(degree + 1))
        result += term
        rest -= _shift(field, term) - term
    return result


def _shift(field: Field, p: Any) -> Any:
    return p.compose(field.k, field.k + 1)
