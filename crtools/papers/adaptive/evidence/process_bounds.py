"""What the bound of the literal A_min in the discrete process says about a bound that depends on α."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from crtools.ledger.agree import agree
from crtools.ledger.evidence import Open, Refuted
from crtools.papers.adaptive.evidence.algorithm_two import beside
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.literal.restart import least_ratio as literal_least_ratio
from crtools.papers.adaptive.theorems.process import algorithm_two

Bound = Callable[[Fraction], Fraction | None]
"""A bound as a function of α; None where its value was not found."""

LENGTHS = (3, 4, 5, 10, 20, 50, 100)
"""Lengths u at which a bound is compared, at l = 1 and s = 1, with the ratio that Algorithm 2 has at least by areas."""

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


def exceeded(bound: Bound) -> Refuted | Open:
    """Decide CR(A_min) ≤ bound(α) for the literal algorithm on two lengths: refuted by an instance, else open."""
    return _by_areas(bound) or _by_cancellations(bound)


def share_of(s: int, u: int) -> Fraction:
    """Return the largest share 1/k of length u on {1, u} at which the mean area is below 2(s+1)."""
    return Fraction(1, (s * u + u * (u + 1) // 2 - (s + 1)) // (s + 1) + 1)


def _by_areas(bound: Bound) -> Refuted | None:
    """Where a share of length u is so small that starts hold most of the memory, at s = 1."""
    theorem = algorithm_two.ratio(of_starts=True)
    for u in LENGTHS:
        share = share_of(1, u)
        x = {1: 1 - share, u: share}
        claimed, ratio = bound(Fraction(1, u)), algorithm_two.area_ratio(x, 1)
        if claimed is None or ratio <= claimed or not algorithm_two.starts_hold_most(x, 1) or not theorem.holds:
            continue
        return Refuted(
            witness={"s": 1, "l": 1, "u": u, "share_of_u": str(share)},
            claimed=str(claimed),
            actual=f"at least {ratio}",
            second={
                "token_by_token": str(agree(ratio, literal.areas_over_peaks(x, 1), "a ratio")),
                **runs(1, u, share),
            },
            stays="$n → ∞$ and then $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur",
            theorems=theorem.records,
            values={"ratio_at_least": float(at_least(ratio))},
        )
    return None


@lru_cache(maxsize=8)
def runs(s: int, u: int, share: Fraction) -> dict[str, Any]:
    """Run Algorithm 2 and H-SF on {1, u} in these shares, and Algorithm 2 once more by the counting implementation."""
    one = [1] * (share.denominator - 1) + [u]
    memory, less = (max(least, 4 * (s + u)) for least in (400, 100))
    return beside(one * (200_000 // share.denominator), memory, one * (3000 // share.denominator), less, s, u)


def _by_cancellations(bound: Bound) -> Refuted | Open:
    """Where cancellations are few because prompts are long: s = 10u, u = 4^m."""
    theorem = algorithm_two.long_prompts()
    tried = "the lower bounds on Algorithm 2 that are proved: at $s = 1$ by areas, and at $ℓ = 1$, $u = 4^m$, $s = 10u$"
    if not theorem.holds:
        return Open(tried)
    for power in POWERS:
        u = 4**power
        share = Fraction(1, isqrt(u) + 1)
        value = algorithm_two.least_ratio(10 * u, 1, u, share)
        claimed = bound(Fraction(1, u))
        if claimed is not None and value > claimed:
            second = agree(value, literal_least_ratio(10 * u, 1, u, share), "a lower bound")
            return Refuted(
                witness={"s": 10 * u, "l": 1, "u": u, "share_of_u": str(share)},
                claimed=f"{claimed} ≈ {approximately(claimed)}",
                actual=f"at least {value} ≈ {approximately(value)}",
                second={"the_bound_from_sums_over_requests": str(second)},
                stays="$n/M → ∞$ and $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur",
                theorems=theorem.records,
            )
    return Open(tried)
