"""What the bound of the literal A_min in the discrete process says about a bound that depends on α."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

from crtools.ledger.result import Part
from crtools.papers.adaptive.literal.restart import least_ratio as literal_least_ratio
from crtools.papers.adaptive.theorems.process import literal_a_min

POWERS = range(1, 16)
"""Instances l = 1, u = 4^m, s = 10u are tried for these m."""


def approximately(value: Fraction) -> str:
    """Return a decimal with five digits, also beyond the range of floats."""
    import mpmath

    return str(mpmath.nstr(mpmath.mpf(value.numerator) / value.denominator, 6))


def at_least(value: Fraction, digits: int = 6) -> str:
    """Return a decimal with so many significant digits that is at most a positive value."""
    return _cut(value, digits, up=False)


def at_most(value: Fraction, digits: int = 6) -> str:
    """Return a decimal with so many significant digits that is at least a positive value."""
    return _cut(value, digits, up=True)


def _cut(value: Fraction, digits: int, *, up: bool) -> str:
    if value <= 0:
        raise ValueError("a positive value is needed")
    before = len(str(value.numerator // value.denominator)) if value >= 1 else 0
    places = max(0, digits - before)
    scaled = value * 10**places
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    text = str(whole).rjust(places + 1, "0")
    return f"{text[:-places]}.{text[-places:]}".rstrip("0").rstrip(".") if places else text


def apart(small: Fraction, large: Fraction) -> tuple[str, str]:
    """Return two decimals, the first at least ``small`` and below the second, which is at most ``large``; small < large."""
    for digits in (6, 12, 24, 48, 96):
        low, high = at_most(small, digits), at_least(large, digits)
        if Fraction(low) < Fraction(high):
            return low, high
    return str(small), str(large)


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
