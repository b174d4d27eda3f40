"""Bounds on H-SF at every n and M: an upper one on its total latency, and lower ones on its start times.

While a request of length k waits at the head of the queue, at least ⌊M/(s+k)⌋ requests run. So the limit of H-SF's TEL
over n²/(2M) is at most its form, even where Eq. (3) lets requests of different ages share the memory.

H-SF's starts fall into generations, and each leaves some memory unused. Where at least two requests start at one instant
t > 0, many have just completed. So such starts lie in windows W_g = [a_g, a_g + λ_g − l], a_{g+1} = a_g + λ_g, λ_g the first
length in W_g, and those of one window run together during the last l instants before a_{g+1}. There memory is unused: H-SF is
at least as slow as if a request of length k took

    c_k = v_k + l(l−1)/2,    v_k = sk + k(k+1)/2,

token-instants of a full memory. The instances of ``staggered`` attain this.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from crtools.numeric_types import RingElement
from crtools.schedule import volume


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


def charge(k: RingElement, s: RingElement, l: RingElement) -> RingElement:
    """Return c_k, the token-instants that a request of length k costs H-SF at least."""
    return volume(s, k) + volume(0, l - 1)


def earliest(rank: int, size: Fraction, lengths: Sequence[int]) -> int:
    """Return p_k's lower bound ℓ[z>1] + Σ_{2≤i<z} o(z−i), z = k/K, for the rank k (from 1) and generations of at most K."""
    position = rank / size
    earlier = (ceil((position - i) * size) for i in range(2, ceil(position)))
    return (lengths[0] if position > 1 else 0) + sum(lengths[first - 1] for first in earlier)
