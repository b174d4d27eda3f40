"""Instances at which A_random runs in lock step and H-SF does not: almost all lengths are u, a few are l < u.

H-SF starts all requests of length l at 0, beside requests of length u. From then on it has two groups of length u, one
u − l instants out of step with the other, and each needs memory while the other is small. A_random meets the requests of
length l one by one, and none of them can break the step: all B requests of a batch start and end together.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, product
from math import gcd, lcm
from random import Random
from typing import Any, NamedTuple

import sympy as sp

from crtools.papers.adaptive.theorems.process import staggered
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import l, s, u
from crtools.proof.theorem import Theorem

c = sp.Symbol("c", positive=True)


def unit(s: Any, l: Any, u: Any) -> Any:
    """Return M/c = l(s+u) + (u−l)(s+u−l), twice H-SF's latency times M/n² in the limit."""
    return l * (s + u) + (u - l) * (s + u - l)


def ratio(s: Any, l: Any, u: Any) -> Any:
    """Return A_random's latency over H-SF's in the limit: u(s+u) over :func:`unit`."""
    return u * (s + u) / unit(s, l, u)


class Family(NamedTuple):
    """An instance with ``short`` requests of length l and ``periods`` times ``early + late`` of length u."""

    s: int
    l: int
    u: int
    memory: int
    short: int
    early: int
    late: int
    batch: int
    periods: int

    @property
    def long(self) -> int:
        """The number of requests of length u."""
        return self.periods * (self.early + self.late)

    @property
    def lengths(self) -> list[int]:
        """The lengths, sorted."""
        return [self.l] * self.short + [self.u] * self.long

    @property
    def n(self) -> int:
        """The number of requests."""
        return self.short + self.long


def family(s: int, l: int, u: int, size: int, periods: int) -> Family:
    """Return the instance with the ``size``-th memory at which all numbers are integers."""
    step = unit(s, l, u)
    least = lcm((s + u) // gcd(s + u, step), (s + l) // gcd(s + l, step))
    least *= -(-(s + l) * (s + u) // (least * step * (u - l)))  # so that a batch can hold a request of length l too
    return at_scale(s, l, u, size * least, periods)


def at_scale(s: int, l: int, u: int, scale: int, periods: int) -> Family:
    """Return the instance with M = ``scale`` · :func:`unit`, a multiple of s + l; A_random is in lock step only in a family's."""
    memory, early = scale * unit(s, l, u), l * scale
    return Family(s, l, u, memory, memory // (s + l) - early, early, (u - l) * scale, memory // (s + u), periods)


def h_sf_total(row: Family) -> int:
    """Return H-SF's total latency: ``early`` requests end at u, 2u, …, and ``late`` ones l later."""
    times = row.periods * (row.periods + 1) // 2 * row.u
    return row.short * row.l + row.early * times + row.late * (times + row.l * row.periods)


def a_random_least(row: Family | staggered.Family) -> Fraction:
    """Return a lower bound on the expectation of A_random's total latency."""
    full, left = divmod(row.long, row.batch)
    in_step = row.u * (row.batch * full * (full + 1) // 2 + left * (full + 1))
    near = Fraction(row.short * (row.short - 1) * (row.batch + 1), row.n - 1)
    return (1 - near) * in_step


def _small() -> Iterator[Family]:
    for prompt, (low, up), size in product((0, 1, 3), ((1, 2), (2, 3), (1, 3), (2, 5)), (1, 2)):
        yield family(prompt, low, up, size, 4)


def _two_groups() -> str | None:
    for row in _small():
        run = simulate("h-sf", row.lengths, row.memory, row.s)
        found = list(run.schedule.starts)
        groups = [((row.u * k, row.early), (row.u * k + row.l, row.late)) for k in range(row.periods)]
        if found != [0] * row.short + [start for pair in groups for start, size in pair for _ in range(size)]:
            return f"{row}: starts {found}"
        if run.total_latency != h_sf_total(row):
            return f"{row}: total {run.total_latency}"
    return None


def _in_step() -> str | None:
    for seed, row in enumerate(_small()):
        longs = 6 * row.batch + 1
        for first in (0, 1, row.batch - 1, row.batch, row.batch + 1, 3 * row.batch // 2):
            after = [first, *(row.batch + 2 + Random(seed).randrange(row.batch) for _ in range(3))]  # the gaps
            short = set(accumulate(after, lambda place, gap: place + gap))
            lengths = [row.l if place in short else row.u for place in range(longs + 4)]
            starts = simulate("a-random", lengths, row.memory, row.s, order=range(len(lengths))).schedule.starts
            found = [start for start, length in zip(starts, lengths, strict=True) if length == row.u]
            if found != [row.u * (k // row.batch) for k in range(len(found))]:
                return f"{row}, l at {sorted(short)}: starts {found}"
    return None


@cache
def theorem() -> Theorem:
    """liminf E TEL(A_random)/TEL(H-SF) ≥ u(s+u)/(l(s+u) + (u−l)(s+u−l)), for all s ≥ 0 and l < u."""
    step = unit(s, l, u)
    memory, early, late = c * step, l * c, (u - l) * c
    short = memory / (s + l) - early
    proof = Proof(
        "A_random in lock step",
        "every s ≥ 0 and 1 ≤ l < u, M = c(l(s+u) + (u−l)(s+u−l)) a multiple of s + l and of s + u, c large enough; of the discrete process",
    )
    text = "M/(s+l) requests, all of length l and lc of length u, just fit until the former end at l"
    proof.identity(text, (short + early) * (s + l), memory, name="at 0")
    proof.positive("there are c (u−l)(s+u)/(s+l) of length l", short, s >= 0, l >= 1, u >= l + 1, (c, 1))
    text = "when those of length u end, the (u−l)c that started l after them are of age u − l: together M"
    proof.identity(text, early * (s + u) + late * (s + u - l), memory, name="at l")
    text = "when these end in turn, the next lc are of age l: together M"
    proof.identity(text, late * (s + u) + early * (s + l), memory, name="at u")
    proof.argued(
        r"\mathrm{TEL}(\text{H-SF}) = \tfrac{n^2}{2c}(1+o(1))",
        "so at 0, l, u, u + l, 2u, … exactly so many requests fit and no more: H-SF starts lc of length u at ju and "
        "(u−l)c at ju + l, for ever",
        test=_two_groups,
        tested="s in {0, 1, 3}, [1, 2], [2, 3], [1, 3], [2, 5], two memories each, 4 periods",
        name="two groups",
    )
    proof.argued(
        r"\text{the }k\text{-th request of length }u\text{ starts at }u\lfloor (k-1)/B\rfloor",
        "B = M/(s+u). A batch takes requests in the order until B of length u are in it, as they fill M at its end; one "
        "request of length l among or just after them fits as well, since (B+1)(s+l) ≤ M. It ends at age l and leaves "
        "nothing: the B others fill M at age u, so that nobody starts before they end. This goes on as long as no two "
        "requests of length l are within B + 1 places of each other",
        test=_in_step,
        tested="the same settings, with requests of length l at many places that far apart",
        name="lock step",
    )
    proof.therefore(
        r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}}) \ge "
        r"\Bigl(1-\tfrac{n_\ell(n_\ell-1)(B+1)}{n-1}\Bigr)\sum_{k<n_u} u\bigl(\lfloor k/B\rfloor+1\bigr) "
        r"= \tfrac{n^2u}{2B}(1+o(1))",
        "two given requests are so near with probability at most 2(B+1)/(n−1), and their number does not grow with n",
        of=("lock step",),
    )
    text = "uc requests of length u per u instants against B"
    proof.identity(text, u / (memory / (s + u)) / (1 / c), ratio(s, l, u), name="limit")
    return proof.therefore(
        r"\liminf_{n\to\infty} \frac{\mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}})}{\mathrm{TEL}(\text{H-SF})} "
        r"\ge \frac{u(s+u)}{\ell(s+u)+(u-\ell)(s+u-\ell)}"
    ).qed()
