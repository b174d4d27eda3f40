"""An upper bound on H-SF's total latency, at every n and M.

While a request of length k waits at the head of the queue, at least ⌊M/(s+k)⌋ requests run. So the limit of H-SF's TEL
over n²/(2M) is at most its form, even where Eq. (3) lets requests of different ages share the memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def upper_bound(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """Return an upper bound on H-SF's TEL for increasing lengths with prompts s; M is at least s + the last of them."""
    total = start = Fraction(0)
    before = lengths[0]
    for length in lengths:
        together = memory // (s + length)
        if length > before:
            start += Fraction(before * memory, (s + 1) * together)
        total += start + length
        start += Fraction(length, together)
        before = length
    return total
