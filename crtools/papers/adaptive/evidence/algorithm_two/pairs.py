"""Requests of lengths 1 and 2: H-SF's exact total latency in two phases, sharing no code with ``crtools.process``."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Phase(NamedTuple):
    """An instance for H-SF whose schedule is known: M, the numbers of both lengths, TEL, and the limit of 2M·TEL/n².

    ``limit`` are the coefficients of x₁², x₁x₂ and x₂².
    """

    memory: int
    ones: int
    twos: int
    total: int
    limit: tuple[int, int, int]


def in_step(s: int, r: int, batches: int) -> Phase:
    """M = (s+1)(s+2)r: full batches of length 1, then batches of (s+1)r requests of length 2 every other instant."""
    memory, k1, k2 = (s + 1) * (s + 2) * r, (s + 2) * r, (s + 1) * r
    size = (s + 1) * (s + 2) * r * batches
    q, p = size // k1, size // k2
    total = k1 * q * (q + 1) // 2 + k2 * sum(q + 2 * m for m in range(1, p + 1))
    return Phase(memory, size, size, total, (s + 1, 2 * (s + 1), 2 * (s + 2)))


def out_of_step(s: int, r: int, batches: int) -> Phase:
    """M = (s+1)(2s+3)r: (s+2)r requests of length 1 are left for a last batch, beside which (s+1)r of length 2 start.

    From then on (s+1)r requests of length 2 start at every instant: (s+1)r(s+2) + (s+1)r(s+1) = M, for ever.
    """
    memory, k1, k2 = (s + 1) * (2 * s + 3) * r, (2 * s + 3) * r, (s + 1) * r
    q = batches
    ones = k1 * q + (s + 2) * r
    p = ones // k2
    total = k1 * q * (q + 1) // 2 + (s + 2) * r * (q + 1) + k2 * sum(q + m + 2 for m in range(p))
    return Phase(memory, ones, k2 * p, total, (s + 1, 2 * (s + 1), 2 * s + 3))


def at_half(limit: tuple[int, int, int]) -> Fraction:
    """Return the limit at equal shares."""
    return Fraction(sum(limit), 4)
