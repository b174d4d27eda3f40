"""Instances at which A_random runs in lock step and H-SF does not: almost all lengths are u, a few lie between l and u.

At 0 the shorter requests start beside cl of length u. As those of length l + r end, for r = 0, …, d−1, d = u − l, c requests of
length u start in their place, and so H-SF has d + 1 groups of length u, one instant out of step with each other, that together
fill the memory at d + 1 instants of every u. It serves uc requests per u instants, each for c_u token-instants of the memory: no
schedule of H-SF is faster. A_random meets the few shorter requests one by one, and none of them can break the step: all B
requests of a batch start and end together.
"""

from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from crtools.numeric_types import RingElement
from crtools.schedule import volume


def unit(s: RingElement, l: RingElement, u: RingElement) -> RingElement:
    """Return M/c = u(s+l) + d(d+1)/2, d = u − l."""
    return u * (s + l) + volume(0, u - l)


def ratio(s: RingElement, l: RingElement, u: RingElement) -> RingElement:
    """Return A_random's latency over H-SF's in the limit: u(s+u) over :func:`unit`."""
    return u * (s + u) / unit(s, l, u)


def first_generation(r: RingElement, s: RingElement, l: RingElement, u: RingElement) -> RingElement:
    """Return A_r/c, where A_r requests of the first generation are at least l + r long: those that fill up the memory at l + r."""
    return (unit(s, l, u) - volume(s, r)) / (s + l + r)


class Family(NamedTuple):
    """An instance: ``shorter`` requests of length l + r each, ``scale`` = c, and ``periods`` times uc of length u."""

    s: int
    l: int
    u: int
    memory: int
    shorter: tuple[int, ...]
    scale: int
    periods: int

    @property
    def short(self) -> int:
        """The number of requests shorter than u."""
        return sum(self.shorter)

    @property
    def long(self) -> int:
        """The number of requests of length u."""
        return self.periods * self.u * self.scale

    @property
    def n(self) -> int:
        """The number of requests."""
        return self.short + self.long

    @property
    def batch(self) -> int:
        """How many requests of length u fit at once when they start together."""
        return self.memory // (self.s + self.u)

    @property
    def lengths(self) -> list[int]:
        """The lengths, sorted."""
        short = [self.l + r for r, number in enumerate(self.shorter) for _ in range(number)]
        return short + [self.u] * self.long


def family(s: int, l: int, u: int, smallest_scale: int, periods: int) -> Family:
    """Return the instance with the smallest c ≥ ``smallest_scale`` that is a common multiple of s+l, …, s+u."""
    common = lcm(*range(s + l, s + u + 1))
    return at_scale(s, l, u, -(-smallest_scale // common) * common, periods)


def at_scale(s: int, l: int, u: int, scale: int, periods: int) -> Family:
    """Return the instance at c, a multiple of s+l, …, s+u−1; A_random is in lock step only where s+u divides M too."""
    kept = [int(scale * first_generation(Fraction(r), s, l, u)) for r in range(u - l + 1)]
    shorter = tuple(first - after for first, after in pairwise(kept))
    return Family(s, l, u, scale * unit(s, l, u), shorter, scale, periods)


def h_sf_total(row: Family) -> int:
    """Return H-SF's total latency: cl of length u end at u, 2u, …, and c each at l + r after these, r < d."""
    first = sum(number * (row.l + r) for r, number in enumerate(row.shorter))
    later = sum(range(row.l, row.u)) * row.periods
    return first + row.scale * (row.u * row.u * row.periods * (row.periods + 1) // 2 + later)


def a_random_lower_bound(row: Family) -> Fraction:
    """Return a lower bound on the expectation of A_random's total latency."""
    full, remainder = divmod(row.long, row.batch)
    in_step = row.u * (row.batch * full * (full + 1) // 2 + remainder * (full + 1))
    disturbed = Fraction(row.short * (row.short - 1) * (row.batch + 1), row.n - 1)
    return (1 - disturbed) * in_step
