"""What the bound of the literal A_min in the discrete process says about a bound that depends on α."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

from crtools.claims.literal_restart import least_ratio as literal_least_ratio
from crtools.claims.result import Part
from crtools.theorems import literal_a_min

POWERS = range(1, 16)
"""Instances l = 1, u = 4^m, s = 10u are tried for these m."""


def approximately(value: Fraction) -> str:
    """Return a decimal with five digits, also beyond the range of floats."""
    import mpmath

    return str(mpmath.nstr(mpmath.mpf(value.numerator) / value.denominator, 6))


def exceeded(name: str, bound: Callable[[Fraction], Fraction | None]) -> Part:
    """Decide CR(A_min) ≤ bound(α) for the literal algorithm on two lengths: refuted by an instance, else inconclusive."""
    theorem = literal_a_min.theorem()
    tried = {"tried": "the proved lower bound on the literal A_min, at l = 1, u = 4^m, s = 10u"}
    if not theorem.holds:
        return Part(name, "inconclusive", {**tried, **theorem.as_json()})
    for power in POWERS:
        u = 4**power
        share = Fraction(1, isqrt(u) + 1)
        value = literal_a_min.least_ratio(10 * u, 1, u, share)
        claimed = bound(Fraction(1, u))
        if claimed is not None and value > claimed and value == literal_least_ratio(10 * u, 1, u, share):
            evidence: dict[str, Any] = {
                "counterexample": {
                    "s": 10 * u,
                    "l": 1,
                    "u": u,
                    "share of lengths u": str(share),
                    "limit": "n/M → ∞, M → ∞",
                },
                "ratio at least": f"{value} ≈ {approximately(value)}",
                "claimed": f"{claimed} ≈ {approximately(claimed)}",
                "second computation": "the same fraction from sums over the instance's requests",
                "why": theorem.as_json(),
            }
            return Part(name, "refuted", evidence, theorem.uses)
    return Part(name, "inconclusive", tried)
