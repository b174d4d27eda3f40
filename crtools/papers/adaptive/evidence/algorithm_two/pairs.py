"""Requests of lengths 1 and 2: H-SF's exact total latency in two phases, sharing no code with ``crtools.process``."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple


class Phase(NamedTuple):
    """An instance for H-SF whose schedule is known: M, the numbers of both lengths, and TEL."""

    memory: int
    ones: int
    twos: int
    total: int


def in_step(s: int, r: int, batches: int) -> Phase:
    """M = (s+1)(s+2)r: full batches of length 1, then batches of (s+1)r requests of length 2 every other instant.

    At equal shares 2M·TEL/n² tends to ¼ ((s+1) + 2(s+1) + 2(s+2)), with the number of batches and then with r.
    """
    memory, k1, k2 = (s + 1) * (s + 2) * r, (s + 2) * r, (s + 1) * r
    size = (s + 1) * (s + 2) * r * batches
    q, p = size // k1, size // k2
    total = k1 * q * (q + 1) // 2 + k2 * sum(q + 2 * m for m in range(1, p + 1))
    return Phase(memory, size, size, total)


def out_of_step(s: int, r: int, batches: int) -> Phase:
    """M = (s+1)(2s+3)r: (s+2)r requests of length 1 are left for a last batch, beside which (s+1)r of length 2 start.

    From then on (s+1)r requests of length 2 start at every instant: (s+1)r(s+2) + (s+1)r(s+1) = M, for ever. The limit is
    ¼ ((s+1) + 2(s+1) + (2s+3)).
    """
    memory, k1, k2 = (s + 1) * (2 * s + 3) * r, (2 * s + 3) * r, (s + 1) * r
    q = batches
    ones = k1 * q + (s + 2) * r
    p = ones // k2
    total = k1 * q * (q + 1) // 2 + (s + 2) * r * (q + 1) + k2 * sum(q + m + 2 for m in range(p))
    return Phase(memory, ones, k2 * p, total)


def limit(phase: Callable[[int, int, int], Phase], s: int) -> Fraction:
    """Return what 2M·TEL/n² tends to in a phase, at equal shares."""
    return Fraction(3 * (s + 1) + (2 * (s + 2) if phase is in_step else 2 * s + 3), 4)
