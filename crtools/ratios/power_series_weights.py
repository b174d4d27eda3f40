"""The weights of a distribution as power series with coefficients ≥ 0 in one base y = ρ(q), 0 < y < 1, up to a common factor.

Three kinds have one: weights c_k y^k; sums of such terms with bases r y^m; and mixtures of distributions c_k y^k and distributions
without a parameter, since multiplying by the product Π Z_i of their masses, itself a power series, clears the denominators Z_i(y).

``closed_forms`` sums forms in y; ``symbolic`` and ``switch`` take a place in y back to q. Tests: tests/ratios/test_derivation.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.quadratic import mass
from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution, Mixture, Pmf
from crtools.distributions.base import K
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError
from crtools.numeric_types import Symbol, SymExpr
from crtools.signs.one_variable import real_roots
from crtools.signs.ranges import Interval

INVERSE_WIDTH = sp.Rational(1, 10**30)
"""Largest width of the enclosure of an irrational parameter ρ⁻¹(y)."""


@dataclass(frozen=True)
class PowerSeriesWeights:
    """``law`` in y, for which it has the symbol ``parameter``; ``base``: ρ(parameter); ``factor``: Π Z_i."""

    law: Pmf | Mixture
    base: SymExpr
    parameter: Symbol
    factor: SymExpr = sp.S.One

    @classmethod
    def of(cls, law: Distribution) -> PowerSeriesWeights | None:
        """Return the distribution in its base, or None if it has none or its coefficients could not be shown to be ≥ 0."""
        if len(law.parameters) != 1:
            return None
        try:
            return _of_mixture(law) if isinstance(law, Mixture) else _of_pmf(law) if isinstance(law, Pmf) else None
        except NotClosed:
            return None

    @property
    def same(self) -> bool:
        """Whether the base is the parameter itself."""
        return self.base == self.parameter

    @property
    def single(self) -> bool:
        """Whether the weights are c_k y^k."""
        return isinstance(self.law, Pmf) and len(self.law.summand.function.terms) == 1

    def in_parameter(self, expr: SymExpr) -> SymExpr:
        """Return an expression in y as one in the parameter."""
        return expr if self.same else expr.subs(self.parameter, self.base)

    def ends(self, interval: Interval) -> tuple[int, int] | None:
        """Return the base at both ends of the interval if it maps the interval one to one onto (0, 1), else None."""
        values = self._end(interval.low), self._end(interval.high)
        slope: Any = sp.fraction(sp.cancel(sp.diff(self.base, self.parameter)))[0]
        factors: Any = sp.factor_list(slope, self.parameter)[1]
        turns = any(
            power % 2
            and any(interval.low < root < interval.high for root in real_roots(sp.Poly(factor, self.parameter)))
            for factor, power in factors
        )
        return (0, 1) if values == (0, 1) and not turns else (1, 0) if values == (1, 0) and not turns else None

    def _end(self, end: SymExpr) -> int | None:
        value = sp.limit(self.base, self.parameter, end) if end.is_infinite else self.base.subs(self.parameter, end)
        value = sp.nsimplify(sp.simplify(value)) if value.is_finite else value
        return int(value) if value in (0, 1) else None

    def back(self, at: SymExpr | Enclosure, interval: Interval) -> SymExpr | Enclosure:
        """Return ρ⁻¹(y), the parameter at a place of y inside (0, 1): exact if rational, else enclosed."""
        if isinstance(at, Enclosure):
            pieces = [self._inverse(sp.Rational(y), interval) for y in (at.lower, at.upper)]
            return Enclosure(min(a for a, _ in pieces), max(b for _, b in pieces))
        low, high = self._inverse(sp.sympify(at), interval)
        return sp.Rational(low) if low == high else Enclosure(low, high)

    def _inverse(self, y: SymExpr, interval: Interval) -> tuple[Fraction, Fraction]:
        poly = sp.Poly(sp.fraction(sp.cancel(self.base - y))[0], self.parameter, domain="QQ")
        [root] = [root for root in real_roots(poly) if interval.low < root < interval.high]
        if root.is_Rational:
            return fraction(root), fraction(root)
        near = sp.N(root, 60)
        isolated: Any = poly.intervals(eps=INVERSE_WIDTH)
        [(a, b)] = [pair for pair, _ in isolated if pair[0] <= near <= pair[1]]
        return fraction(a), fraction(b)

    def first_term(self, entry: Callable[[int, int], Fraction]) -> tuple[Fraction, int] | None:
        """Return (c, m) for the term c y^m of the smallest length in Σ entry(i, j) x_i x_j; None unless the weights are c_k y^k."""
        if not self.single:
            return None
        coefficient = self.law.expr.subs(self.parameter, 1)
        k, weight = next((k, w) for k in itertools.count(self.law.support[0]) if (w := coefficient.subs(K, k)) != 0)
        return fraction(weight) ** 2 * Fraction(entry(k, k)), 2 * k


def _of_pmf(law: Pmf) -> PowerSeriesWeights | None:
    """Return weights c_k y^k with c_k free of parameters, or Σ_m c_mk q^(mk) with all c_mk ≥ 0."""
    if law.finite:
        return None
    convert: Any = law.field.domain.to_sympy
    terms = law.summand.function.terms
    below = sp.prod([(K + c) ** m for c, m in law.summand.poles.items()])
    [x] = law.parameters
    if len(terms) == 1:
        [(rho, poly)] = terms.items()
        base, leading = convert(rho), convert(poly.LC)
        shape: Any = sum(sp.cancel(convert(c) / leading) * K**m for (m,), c in poly.terms())
        if not base.free_symbols or shape.has(x):
            return None
        return PowerSeriesWeights(Pmf(shape * x**K / below, l=law.support[0]), base, x)
    groups: dict[int, SymExpr] = {}
    for rho, poly in terms.items():
        r, m = convert(rho).as_coeff_exponent(x)
        shape = sum(convert(c) * K**n for (n,), c in poly.terms())
        if r.has(x) or not (m.is_Integer and m >= 0) or shape.has(x):
            return None
        groups[int(m)] = groups.get(int(m), sp.S.Zero) + shape * r**K
    return PowerSeriesWeights(law, x, x) if all(_nonnegative(g, below) for g in groups.values()) else None


def _nonnegative(sequence: SymExpr, below: SymExpr | int) -> bool:
    """Return whether ``Pmf`` proves that Σ P(k) r^k ≥ 0 for all k ≥ 1; a factor t^k > 0 makes the terms summable."""
    largest = max((abs(power.base) for power in sequence.atoms(sp.Pow) if power.exp.has(K)), default=sp.S.One)
    try:
        Pmf(sp.expand(sequence * (1 / (2 * largest)) ** K / below))
    except InputError:
        return False
    return True


def _of_mixture(law: Mixture) -> PowerSeriesWeights | None:
    """Return a mixture, with numbers as shares, of distributions c_k y^k of one base and distributions without a parameter."""
    parts: list[tuple[Any, Distribution]] = []
    bases: set[SymExpr] = set()
    factor: SymExpr = sp.S.One
    for share, part in law.parts:
        if not isinstance(share, Fraction):
            return None
        in_base = PowerSeriesWeights.of(part) if part.parameters else None
        if part.parameters and (in_base is None or in_base.factor != 1 or (len(law.parts) > 1 and not in_base.single)):
            return None
        if in_base is not None:
            bases.add(in_base.base)
            factor = factor * mass(in_base.law.field, in_base.law.summand, in_base.law.point_weights).expr()
        parts.append((share, part if in_base is None else in_base.law))
    if len(bases) != 1:
        return None
    [base] = bases
    [x] = law.parameters
    if len(parts) == 1:
        only = parts[0][1]
        assert isinstance(only, Pmf)
        return PowerSeriesWeights(only, base, x)
    return PowerSeriesWeights(Mixture(parts), base, x, factor)
