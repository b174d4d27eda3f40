"""Sums Σ_{k=1}^{n} k^m as polynomials in n, by Faulhaber's formula."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

import sympy as sp

from crtools.enclosure import fraction
from crtools.numeric_types import SymExpr


def faulhaber(m: int, n: SymExpr) -> SymExpr:
    """Return Σ_{k=1}^{n} k^m as a polynomial in n."""
    return sp.Add(*(sp.Rational(c) * n**power for power, c in enumerate(sum_of_powers(m))))


@lru_cache(maxsize=64)
def sum_of_powers(m: int) -> list[Fraction]:
    """Return the coefficients of Σ_{k=1}^{n} k^m in n, the lowest first."""
    return [Fraction(0), *(comb(m + 1, j) * fraction(sp.bernoulli(j)) / (m + 1) for j in range(m, -1, -1))]
