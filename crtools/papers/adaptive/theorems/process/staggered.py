"""Instances at which A_random runs in lock step and H-SF does not: almost all lengths are u, a few lie between l and u.

At 0 the shorter requests start beside cl of length u. As those of length l + r end, for r = 0, …, d−1, d = u − l, c requests of
length u start in their place, and so H-SF has d + 1 groups of length u, one instant out of step with each other, that together
fill the memory at d + 1 instants of every u. It serves uc requests per u instants, each for c_u token-instants of the memory: no
schedule of H-SF is faster. A_random meets the few shorter requests one by one, and none of them can break the step: all B
requests of a batch start and end together.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Any, NamedTuple

import sympy as sp

from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import l, m, s, u
from crtools.proof.theorem import Theorem
from crtools.schedule import volume

c, r = sp.symbols("c r", positive=True)


def unit(s: Any, l: Any, u: Any) -> Any:
    """Return M/c = u(s+l) + d(d+1)/2, d = u − l."""
    return u * (s + l) + volume(0, u - l)


def ratio(s: Any, l: Any, u: Any) -> Any:
    """Return A_random's latency over H-SF's in the limit: u(s+u) over :func:`unit`."""
    return u * (s + u) / unit(s, l, u)


def left(r: Any, s: Any, l: Any, u: Any) -> Any:
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


def family(s: int, l: int, u: int, least: int, periods: int) -> Family:
    """Return the instance with the smallest c ≥ ``least`` that is a common multiple of s+l, …, s+u."""
    common = lcm(*range(s + l, s + u + 1))
    return at_scale(s, l, u, -(-least // common) * common, periods)


def at_scale(s: int, l: int, u: int, scale: int, periods: int) -> Family:
    """Return the instance at c, a multiple of s+l, …, s+u−1; A_random is in lock step only where s+u divides M too."""
    kept = [int(scale * left(Fraction(r), s, l, u)) for r in range(u - l + 1)]
    shorter = tuple(first - after for first, after in pairwise(kept))
    return Family(s, l, u, scale * unit(s, l, u), shorter, scale, periods)


def h_sf_total(row: Family) -> int:
    """Return H-SF's total latency: cl of length u end at u, 2u, …, and c each at l + r after these, r < d."""
    first = sum(number * (row.l + r) for r, number in enumerate(row.shorter))
    later = sum(range(row.l, row.u)) * row.periods
    return first + row.scale * (row.u * row.u * row.periods * (row.periods + 1) // 2 + later)


def a_random_least(row: Family) -> Fraction:
    """Return a lower bound on the expectation of A_random's total latency."""
    full, left = divmod(row.long, row.batch)
    in_step = row.u * (row.batch * full * (full + 1) // 2 + left * (full + 1))
    near = Fraction(row.short * (row.short - 1) * (row.batch + 1), row.n - 1)
    return (1 - near) * in_step


def _small() -> Iterator[Family]:
    for prompt, low, up in ((0, 1, 2), (0, 1, 3), (0, 2, 4), (1, 1, 3), (1, 2, 4), (3, 1, 2), (0, 2, 5)):
        yield family(prompt, low, up, 1, 3)


def _groups() -> str | None:
    for row in _small():
        found = simulate("h-sf", row.lengths, row.memory, row.s, engine="fast").total_latency
        if found != h_sf_total(row):
            return f"{row}: total {found}"
    return None


def _in_step() -> str | None:
    for row in _small():
        batch = 2 * (row.s + row.u)
        memory = batch * (row.s + row.u)
        for length in range(row.l, row.u):
            for first in (0, 1, batch - 1, batch, batch + 1):
                short = set(accumulate([first, batch + 2, batch + 5]))
                lengths = [length if place in short else row.u for place in range(5 * batch)]
                starts = simulate("a-random", lengths, memory, row.s, order=range(len(lengths))).schedule.starts
                found = [int(start) for start, o in zip(starts, lengths, strict=True) if o == row.u]
                if found != [row.u * (place // batch) for place in range(len(found))]:
                    return f"s = {row.s}, u = {row.u}, M = {memory}, {length} at {sorted(short)}: starts {found}"
    return None


@cache
def theorem() -> Theorem:
    """liminf E TEL(A_random)/TEL(H-SF) ≥ 2u(s+u)/(2u(s+l) + d(d+1)), for all s ≥ 0 and l < u; and c_u is attained."""
    memory, d = c * unit(s, l, u), u - l
    proof = Proof(
        "A_random in step, H-SF staggered",
        "every s ≥ 0 and 1 ≤ l < u, d = u − l, M = c(u(s+l) + d(d+1)/2), c a large common multiple of s+l, …, s+u",
    )
    text = "A_r of the first generation and the r groups of c that started at l, …, l + r − 1 hold M at l + r"
    proof.identity(text, c * left(r, s, l, u) * (s + l + r) + c * sp.summation(s + m, (m, 1, r)), memory)
    proof.identity("A_d = cl are of length u", c * left(d, s, l, u), c * l)
    proof.nonnegative(
        "A_r decreases: A_r − A_{r+1} of length l + r",
        (left(r, s, l, u) - left(r + 1, s, l, u)).subs(u, l + r + 1 + m),
        *((s, 0), (l, 1), (r, 0), (m, 0)),
    )
    proof.identity(
        "from then on all grow by 1 per instant, cu in all, and c of length u are replaced", c * u, c * (s + u) - c * s
    )
    proof.argued(
        r"\mathrm{TEL}(\text{H-SF}) = \tfrac{n^2}{2c}(1+o(1))",
        "so the memory is full at l, …, u, and again u instants later each time: exactly as many start as have ended, c at each "
        "of l + ju, …, u − 1 + ju and cl at u + ju; at the instants between, none have ended and the memory will be full at "
        "the next of these",
        test=_groups,
        tested="(s, l, u) in (0, 1, 2), (0, 1, 3), (0, 2, 4), (1, 1, 3), (1, 2, 4), (3, 1, 2), (0, 2, 5), three periods",
        name="groups",
    )
    proof.identity(
        "M/c = u c_u/u: H-SF's charge v_u + l(l−1)/2 is attained",
        unit(s, l, u),
        volume(s, u) + volume(0, l - 1),
        name="tight",
    )
    proof.argued(
        r"\text{the }k\text{-th request of length }u\text{ starts at }u\lfloor (k-1)/B\rfloor",
        "B = M/(s+u) of them fill M when they end together. One shorter request among or just after them fits as well, since "
        "(B+1)(s+u−1) ≤ M, and leaves nothing: nobody starts before the B end. This goes on as long as no two shorter requests are "
        "within B + 1 places of each other",
        test=_in_step,
        tested="the same settings with each shorter length at three places that far apart",
        name="lock step",
    )
    proof.therefore(
        r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}}) \ge "
        r"\Bigl(1-\tfrac{h(h-1)(B+1)}{n-1}\Bigr)\sum_{k<n_u} u\bigl(\lfloor k/B\rfloor+1\bigr) = \tfrac{n^2u}{2B}(1+o(1))",
        "of the h shorter requests two given ones are so near with probability at most 2(B+1)/(n−1), and h does not grow with n",
    )
    proof.identity("uc requests of length u per u instants against B", u / (memory / (s + u)) / (1 / c), ratio(s, l, u))
    return proof.therefore(
        r"\liminf_{n\to\infty} \frac{\mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}})}{\mathrm{TEL}(\text{H-SF})} "
        r"\ge \frac{2u(s+u)}{2u(s+l)+d(d+1)}"
    ).qed()
