"""One machine with kill and restart, run exactly: what the arguments in words are tested on.

Each test multiplies what is argued by ``factor``, 1 in the proofs: with ½ or 2 in its place it must find a run that disagrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor, log

import numpy as np

from crtools.schedule import peak, volume

Number = Fraction | float


def completions(sizes: Sequence[Number], plan: Iterable[tuple[int, Number]]) -> dict[int, Number]:
    """Return when each job is finished by a plan of (job, time after which it is killed), one attempt after the other."""
    now: Number = Fraction(0)
    ends: dict[int, Number] = {}
    for job, limit in plan:
        if job not in ends:
            now += min(sizes[job], limit)
            if sizes[job] <= limit:
                ends[job] = now
    return ends


def by_thresholds(thresholds: Sequence[Sequence[Number]]) -> list[tuple[int, Number]]:
    """Return all jobs' attempts in the order of their thresholds."""
    return sorted(((job, c) for job, own in enumerate(thresholds) for c in own), key=lambda attempt: attempt[1])


@cache
def waits(factor: Fraction = Fraction(1)) -> str | None:
    """Test: a job completes at the sum of min(v_j, c) over all thresholds c up to its own last one that find j unfinished."""
    tables = [tuple(first * 4**k for k in range(3)) for first in (Fraction(1, 2), Fraction(2, 3), Fraction(1))]
    for sizes in product((Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(7)), repeat=3):
        found = completions(sizes, by_thresholds(tables))
        for i, size in enumerate(sizes):
            last = min(c for c in tables[i] if c >= size)
            used = sum(
                min(sizes[j], c)
                for j in range(3)
                for c in tables[j]
                if c <= last and not any(sizes[j] <= d < c for d in tables[j])
            )
            if found[i] != factor * used:
                return f"sizes {sizes}, job {i}: {found[i]}, not {used}"
    return None


GRID = 16
"""Offsets of each job over which means are taken."""


def mean_wait(y: float, base: float) -> tuple[float, float]:
    """Return a job of size 1's own attempts and its wait for one of size y, averaged over a grid of both offsets, from runs."""
    own = wait = 0.0
    for u, v in product(range(GRID), repeat=2):
        tables = [_thresholds(offset, base, max(1.0, y)) for offset in ((u + 0.5) / GRID, (v + 0.25) / GRID)]
        alone = completions([1.0], by_thresholds(tables[:1]))[0]
        own += float(alone) / GRID**2
        wait += (float(completions([1.0, y], by_thresholds(tables))[0]) - float(alone)) / GRID**2
    return own, wait


def _thresholds(offset: float, base: float, largest: float) -> list[float]:
    last = floor(log(largest) / log(base)) + 2
    return [base ** (k + offset) for k in range(last - 16, last + 1)]


def expected_wait(y: float, base: float) -> float:
    """Return E W(b^V): the mean over V of what the other used at thresholds up to b^V."""
    ends = [base ** ((k + 0.5) / 2000) for k in range(2000)]
    used = (min(c, y) + y * max(0.0, log(min(c, base * y) / y)) for c in ends)
    return sum(used) / len(ends) / log(base)


@cache
def means(factor: float = 1.0) -> str | None:
    """Test: the means over a grid of offsets are v(1 + 1/ln b) for a job's own attempts, and E W for the wait."""
    for base, y in product((3.0, 13.8), (0.2, 1.0, 2.0, 9.0)):
        (own, wait), expected = mean_wait(y, base), factor * expected_wait(y, base)
        if abs(own - (1 + 1 / log(base))) > 0.05 or abs(wait - expected) > 0.05 * max(1.0, expected):
            return f"b = {base}, sizes 1 and {y}: {own} and {wait}, not {1 + 1 / log(base)} and {expected}"
    return None


@cache
def step_uses(factor: Fraction = Fraction(1)) -> str | None:
    """Test: an attempt that kills at c after one at a uses a·P(v > a) + ∫_a^c P(v > t) dt, for laws on a few sizes."""
    sizes = [Fraction(k) for k in (1, 2, 4, 9)]
    for weights in product((1, 2, 5), repeat=4):
        law = [Fraction(w, sum(weights)) for w in weights]
        for a, c in ((a, c) for a in (0, 1, 2, 4) for c in (1, 2, 4, 9) if a < c):
            used = sum((p * min(v, c) for v, p in zip(sizes, law, strict=True) if v > a), start=Fraction(0))
            beyond = lambda t, law=law: sum((p for v, p in zip(sizes, law, strict=True) if v > t), start=Fraction(0))  # noqa: E731
            if used != factor * (a * beyond(a) + sum((beyond(t) for t in range(a, c)), start=Fraction(0))):
                return f"law {law}, from {a} to {c}: {used}"
    return None


@cache
def pauses(factor: Fraction = Fraction(1)) -> str | None:
    """Test: a pause of v(a)/(s+a) instants or more at a, and the rest up to c, use at least ``factor`` F(a, c)."""
    lengths = (1, 2, 4)
    for s, weights in product((0, 2), product((1, 2, 5), repeat=3)):
        law = [Fraction(weight, sum(weights)) for weight in weights]
        for a, c, pause in ((a, c, p) for a, c in ((1, 2), (1, 4), (2, 4)) for p in range(9)):
            if pause * (s + a) < volume(s, a):
                continue
            used = again = Fraction(0)
            for chance, o in zip(law, lengths, strict=True):
                if o > a:
                    used += chance * ((s + a) * pause + sum(s + k for k in range(a + 1, min(o, c) + 1)))
                    again += chance * sum(s + k for k in range(1, min(o, c) + 1))
            if used < factor * again:
                return f"s = {s}, law {law}, {pause} instants at {a}, then up to {c}: {used}, less than {again}"
    return None


PRICE = ((4, Fraction(3)), (10, Fraction(2)), (30, Fraction(1, 2)))
"""A falling price: until when, and how much for a unit of time."""


def rate(t: int) -> Fraction:
    """Return the price of the unit of time that ends at t."""
    return next((price for end, price in PRICE if t <= end), Fraction(0))


def rounds(lengths: Sequence[int], limits: Iterable[int], beside: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Iterate over (start, end) of the attempts of kill and restart with these limits, so many beside each other at each."""
    left, now = list(lengths), 0
    for limit in limits:
        for first in range(0, len(left), beside(limit)):
            ends = [now + min(o, limit) for o in left[first : first + beside(limit)]]
            yield from ((now, end) for end in ends)
            now = max(ends)
        left = [o for o in left if o > limit]


def _price_is_wrong(run: Sequence[tuple[int, int]], held: Callable[[int], int], most: Number) -> str | None:
    """Return what is wrong of a run whose attempts pay for what they hold at each age, together at most ``most`` times the price."""
    paid = [sum(rate(t) * held(t - p) for t in range(p + 1, end + 1)) for p, end in run]
    if sum(paid) > most * sum(rate(t) for t in range(1, max(end for _, end in run) + 1)):
        return "the prices do not add up"
    least = (rate(end) * sum(held(age) for age in range(1, end - p + 1)) for p, end in run)
    return "an attempt pays less than its last price" if any(a < b for a, b in zip(paid, least, strict=True)) else None


@cache
def prices(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the jobs pay for disjoint times, so together at most what the time until the end costs; each at least the last price."""
    for sizes, limits in product(product((1, 4, 9), repeat=3), ((1, 4, 9), (4, 9), (9,))):
        wrong = _price_is_wrong([*rounds(sizes, limits, lambda limit: 1)], lambda age: 1, factor)
        if wrong is not None:
            return f"sizes {sizes}, limits {limits}: {wrong}"
    return None


@cache
def prices_in_process(factor: Fraction = Fraction(1)) -> str | None:
    """Test: in runs of the process, all attempts together pay at most M times the price, and each at least its last price."""
    for lengths, s, extra in product(product((1, 3, 5), repeat=4), (0, 2), (0, 4)):
        memory = s + 5 + extra
        run = [*rounds(lengths, (1, 2, 4, 8), lambda limit, s=s, memory=memory: memory // (s + min(limit, 5)))]
        wrong = _price_is_wrong(run, lambda age, s=s: s + age, factor * memory)
        if wrong is not None:
            return f"lengths {lengths}, s = {s}, M = {memory}: {wrong}"
    return None


def paced(lengths: Sequence[int], s: int, memory: int) -> list[int]:
    """Return the starts of the paced shortest-first: ⌊M/v(o)⌋ of length o at each instant, and o instants after the last of them.

    In the order of the sorted lengths.
    """
    starts: list[int] = []
    now = 0
    for o in sorted(set(lengths)):
        rate, count = memory // volume(s, o), lengths.count(o)
        starts += [now + k // rate for k in range(count)]
        now += -(-count // rate) + o
    return starts


def paced_most(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """Return the upper bound on the total latency of :func:`paced`."""
    ordered, v = sorted(lengths), volume(s, max(lengths))
    work = sum(volume(s, o) * (2 * (len(ordered) - k) - 1) for k, o in enumerate(ordered))  # Σ_ij v(min(o_i, o_j))
    added = sum(1 + p for p in set(ordered)) + max(ordered)
    return Fraction(work, 2 * (memory - v)) + len(ordered) * added


@cache
def pacing(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the paced shortest-first never exceeds the memory, and its total latency is within its bound."""
    for s in (0, 1, 3):
        for lengths in ((1,) * 9, (1, 1, 2, 2, 2), (1, 2, 3, 3, 3, 3), (2,) * 12 + (3,) * 7, (1,) * 300):
            for memory in (volume(s, max(lengths)) + extra for extra in (1, 4, 30)):
                starts, ordered = np.array(paced(lengths, s, memory)), np.array(sorted(lengths))
                if peak(starts, ordered, s) > memory:
                    return f"lengths {lengths}, s = {s}, M = {memory}: too much memory"
                total = int((starts + ordered).sum())
                if total > factor * paced_most(lengths, s, memory):
                    return f"lengths {lengths}, s = {s}, M = {memory}: total {total}"
    return None
