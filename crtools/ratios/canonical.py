"""A law with one base ρ(q) as the law with weights c_k y^k at y = ρ(q): its ratio is that law's."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution, Mixture, Pmf
from crtools.distributions.base import K
from crtools.enclosure import Enclosure
from crtools.ratios.ranges import Range

NEAR = sp.Rational(1, 10**30)
"""The width to which a place is taken back to the parameter."""


@dataclass(frozen=True)
class Canonical:
    """``law`` has weights c_k y^k, c_k free of parameters, with y written as the symbol ``parameter``; ``base`` is ρ."""

    law: Pmf
    base: Any
    parameter: Any

    @classmethod
    def of(cls, law: Distribution) -> Canonical | None:
        """Return the canonical law of a ``Pmf`` in one parameter with one base, or of the only part of a mixture."""
        if isinstance(law, Mixture) and len(law.parts) == 1 and isinstance(law.parts[0][0], Fraction):
            return cls.of(law.parts[0][1])
        if not isinstance(law, Pmf) or len(law.parameters) != 1 or law.support != (1, None):
            return None
        try:
            summand = law.summand
        except NotClosed:
            return None
        if len(summand.function.terms) != 1:
            return None
        [(rho, poly)] = summand.function.terms.items()
        convert: Any = law.field.domain.to_sympy
        base, leading = convert(rho), convert(poly.LC)
        shape: Any = sum(sp.cancel(convert(c) / leading) * K**m for (m,), c in poly.terms())
        [x] = law.parameters
        if not base.free_symbols or shape.has(x):
            return None
        below = sp.prod([(K + c) ** m for c, m in summand.poles.items()])
        return cls(Pmf(shape * x**K / below), base, x)

    @property
    def same(self) -> bool:
        """Whether the base is the parameter itself."""
        return self.base == self.parameter

    def put(self, expr: Any) -> Any:
        """Return an expression in y as one in the parameter."""
        return expr if self.same else expr.subs(self.parameter, self.base)

    def ends(self, own: Range) -> tuple[int, int] | None:
        """Return the base at the two ends of the range where it maps the range one to one onto (0, 1), else None."""
        found = self._end(own.low), self._end(own.high)
        slope: Any = sp.fraction(sp.cancel(sp.diff(self.base, self.parameter)))[0]
        factors: Any = sp.factor_list(slope, self.parameter)[1]
        turns = any(
            power % 2 and any(own.low < root < own.high for root in sp.Poly(factor, self.parameter).real_roots())
            for factor, power in factors
        )
        return (0, 1) if found == (0, 1) and not turns else (1, 0) if found == (1, 0) and not turns else None

    def _end(self, end: Any) -> int | None:
        value = sp.limit(self.base, self.parameter, end) if end.is_infinite else self.base.subs(self.parameter, end)
        value = sp.nsimplify(sp.simplify(value)) if value.is_finite else value
        return int(value) if value in (0, 1) else None

    def back(self, at: Any, own: Range) -> Any:
        """Return the place of the parameter for a place of y inside (0, 1): exact if rational, else enclosed."""
        if isinstance(at, Enclosure):
            pieces = [self._inverse(sp.Rational(y.numerator, y.denominator), own) for y in (at.lower, at.upper)]
            return Enclosure(min(a for a, _ in pieces), max(b for _, b in pieces))
        low, high = self._inverse(sp.sympify(at), own)
        return sp.Rational(low.numerator, low.denominator) if low == high else Enclosure(low, high)

    def _inverse(self, y: Any, own: Range) -> tuple[Fraction, Fraction]:
        poly = sp.Poly(sp.fraction(sp.cancel(self.base - y))[0], self.parameter, domain="QQ")
        roots: Any = poly.real_roots()
        [root] = [root for root in dict.fromkeys(roots) if own.low < root < own.high]
        if root.is_Rational:
            return _fraction(root), _fraction(root)
        near = sp.N(root, 60)
        isolated: Any = poly.intervals(eps=NEAR)
        [(a, b)] = [pair for pair, _ in isolated if pair[0] <= near <= pair[1]]
        return _fraction(a), _fraction(b)

    @cached_property
    def start(self) -> int:
        """The smallest length with positive weight."""
        return next(k for k in range(1, self.law.summand.function.terms[self._rho].degree() + 3) if self.weight(k))

    def weight(self, k: int) -> Fraction:
        """Return c_k."""
        return _fraction(sp.Rational(self.law.expr.subs({self.parameter: 1, K: k})))

    @property
    def _rho(self) -> Any:
        return next(iter(self.law.summand.function.terms))


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator))
