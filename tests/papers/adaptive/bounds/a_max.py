"""A lower bound on A_max's total latency, at every n and M.

A running request counts with u until it completes. So all that are younger than l together hold at least s + u − l + 1 each at
one later instant, as A_max projects it, and at most M/(s+u−l+1) of them run at once, whatever their lengths.
"""

from __future__ import annotations

from fractions import Fraction


def lower_bound(n: int, s: int, l: int, u: int, memory: int) -> Fraction:
    """Return a lower bound on A_max's TEL for n requests of any lengths in [l, u] with prompts s."""
    return Fraction(l * (s + u - l + 1) * n * (n + 1), 2 * memory)
