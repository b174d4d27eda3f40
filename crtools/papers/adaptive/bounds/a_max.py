"""A_max in the discrete process from below, at every n and M.

Who runs counts with u until it completes. So all that are younger than l hold at least s + u − l + 1 at one later instant,
as A_max sees it, and no more than M/(s+u−l+1) of them run at once, whatever their lengths.
"""

from __future__ import annotations

from fractions import Fraction


def lower_bound(n: int, s: int, l: int, u: int, memory: int) -> Fraction:
    """Return a lower bound on A_max's TEL for n requests of any lengths in [l, u] with prompts s."""
    return Fraction(l * (s + u - l + 1) * n * (n + 1), 2 * memory)
