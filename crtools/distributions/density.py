"""A density of lengths as shares of u: the limit u → ∞ of the distributions with weights f(k/u), k ≤ u."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import sympy as sp

from crtools.distributions.base import Distribution
from crtools.distributions.real_weights import powers
from crtools.enclosure import fraction
from crtools.errors import InputError
from crtools.numeric_types import SymExpr

X = sp.Symbol("x", positive=True)
"""The share of u that a length is."""


class Density(Distribution):
    """Lengths x·u, u → ∞, with x of the density proportional to f(x) = Σ c x^m on 0 < x ≤ 1, rational c and m > −1.

    Only ``ratio`` takes it. Raises ``InputError`` for an f that is of another kind, negative somewhere, or 0.
    """

    def __init__(self, density: SymExpr, spec: str) -> None:
        self._expr, self._spec = sp.sympify(density), spec
        terms = powers(self._expr, X) or []
        self.powers = {-a: fraction(c) for c, a in terms if c.is_Rational and c != 0}
        if not self.powers or len(self.powers) < len(terms) or min(self.powers) <= -1:
            raise InputError("distribution", spec, "must be a sum of terms c·x^m with rational c and m > −1")
        if not _nonnegative(self.powers):
            raise InputError("distribution", spec, "must be ≥ 0 for 0 < x ≤ 1")

    @property
    def support(self) -> tuple[int, int | None]:
        """Refused: the lengths are shares of u → ∞."""
        allowed = "is a limit u → ∞, which only ratio takes; elsewhere give it an end, u=…"
        raise self.refusal(allowed)

    @property
    def expr(self) -> SymExpr:
        """The density, up to a factor."""
        return self._expr

    def weight(self, k: int) -> Fraction:
        """Refused: the lengths are shares of u → ∞."""
        return Fraction(self.support[0])

    def spec(self) -> str:
        """Return the spec text."""
        return self._spec


def _nonnegative(powers: dict[Fraction, Fraction]) -> bool:
    """Return whether Σ c x^m ≥ 0 on (0, 1): with x = z^n and a power of z taken out, it is a polynomial in z."""
    n, lowest_power = lcm(*(m.denominator for m in powers)), min(powers)
    z = sp.Symbol("z")
    terms = {(int((m - lowest_power) * n),): sp.Rational(c) for m, c in powers.items()}
    poly: Any = sp.Poly(terms, z, domain="QQ")
    turns: Any = sp.Poly(1, z, domain="QQ")
    for factor, power in poly.sqf_list()[1]:
        turns = turns * factor if power % 2 else turns
    inside = turns.count_roots(0, 1) - sum(turns.eval(end) == 0 for end in (0, 1))
    point = next(p for p in (sp.Rational(1, d) for d in range(2, poly.degree() + 4)) if poly.eval(p) != 0)
    return not inside and bool(poly.eval(point) > 0)
