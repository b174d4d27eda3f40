"""One machine with kill and restart, run exactly: what the arguments in words are tested on.

Each test multiplies what is argued by ``factor``, 1 in the proofs: with ½ or 2 in its place it must find a run that disagrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp, floor, log

from crtools.schedule import volume

Number = Fraction | float


@dataclass(frozen=True)
class Attempt:
    """A job's attempt: when it started, how long it ran, and whether the job was finished."""

    job: int
    start: Number
    length: Number
    finished: bool


def attempts(sizes: Sequence[Number], plan: Sequence[tuple[int, Number]]) -> Iterator[Attempt]:
    """Iterate over the attempts of a plan of (job, time after which it is killed), one after the other; finished jobs are left out."""
    now: Number = Fraction(0)
    done: set[int] = set()
    for job, limit in plan:
        if job not in done:
            length = min(sizes[job], limit)
            if sizes[job] <= limit:
                done.add(job)
            yield Attempt(job, now, length, job in done)
            now += length


def completions(sizes: Sequence[Number], plan: Sequence[tuple[int, Number]]) -> dict[int, Number]:
    """Return the completion times by job."""
    return {a.job: a.start + a.length for a in attempts(sizes, plan) if a.finished}


def by_thresholds(thresholds: Sequence[Sequence[Number]]) -> list[tuple[int, Number]]:
    """Return all jobs' attempts in the order of their thresholds."""
    return sorted(((job, c) for job, own in enumerate(thresholds) for c in own), key=lambda attempt: attempt[1])


@cache
def waits(factor: Fraction = Fraction(1)) -> str | None:
    """Test: a job completes at the sum of min(v_j, c) over all thresholds c up to its own last one that find j unfinished."""
    tables = [(Fraction(1, 2), Fraction(2), Fraction(8)), (Fraction(2, 3), Fraction(8, 3), Fraction(32, 3))]
    tables.append((Fraction(1), Fraction(4), Fraction(16)))
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


def mean_wait(x: float, y: float, base: float) -> tuple[float, float]:
    """Return a job of size x's own attempts and its wait for one of size y, averaged over a grid of both offsets, from runs."""
    own = wait = 0.0
    for u, v in product(range(GRID), repeat=2):
        tables = [_thresholds((u + 0.5) / GRID, base, max(x, y)), _thresholds((v + 0.25) / GRID, base, max(x, y))]
        alone = completions([x], by_thresholds(tables[:1]))[0]
        own += float(alone) / GRID**2
        wait += (float(completions([x, y], by_thresholds(tables))[0]) - float(alone)) / GRID**2
    return own, wait


def _thresholds(offset: float, base: float, largest: float) -> list[float]:
    last = floor(log(largest) / log(base)) + 2
    return [base ** (k + offset) for k in range(last - 16, last + 1)]


def expected_wait(x: float, y: float, base: float) -> float:
    """Return E W(x b^V): the mean over V of what the other used at thresholds up to x b^V, in closed form by Simpson's rule."""
    rule = 2000
    weights = [1 if k in (0, rule) else 4 if k % 2 else 2 for k in range(rule + 1)]
    return sum(w * _used(x * exp(log(base) * k / rule), y, base) for k, w in enumerate(weights)) / (3 * rule)


def _used(c: float, y: float, base: float) -> float:
    return (min(c, y) + y * max(0.0, log(min(c, base * y) / y))) / log(base)


@cache
def means(factor: float = 1.0) -> str | None:
    """Test: the means over a grid of offsets are v(1 + 1/ln b) for a job's own attempts, and E W for the wait."""
    for base in (3.0, 13.8):
        for y in (0.2, 1.0, 2.0, 9.0):
            own, wait = mean_wait(1.0, y, base)
            expected = factor * expected_wait(1.0, y, base)
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


PRICE = ((4, Fraction(3)), (10, Fraction(2)), (30, Fraction(1, 2)))
"""A falling price: until when, and how much for a unit of time."""


def paid(start: Number, length: Number) -> Number:
    """Return the price of the time from ``start`` on."""
    total, begin = Fraction(0), Fraction(0)
    for end, rate in PRICE:
        total += rate * max(Fraction(0), Fraction(min(start + length, end)) - Fraction(max(start, begin)))
        begin = Fraction(end)
    return total


@cache
def prices(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the jobs pay for disjoint times, so together what the time until the end costs; each pays at least the last price."""
    for sizes in product((1, 4, 9), repeat=3):
        for limits in ((1, 4, 9), (4, 9), (9,)):
            plan = [(job, Fraction(c)) for c in limits for job in range(3)]
            run = list(attempts([Fraction(v) for v in sizes], plan))
            end = run[-1].start + run[-1].length
            if sum(paid(a.start, a.length) for a in run) != factor * paid(Fraction(0), end):
                return f"sizes {sizes}, limits {limits}: the prices do not add up"
            for a in run:
                rate = next((r for t, r in PRICE if a.start + a.length < t), Fraction(0))
                if paid(a.start, a.length) < rate * a.length:
                    return f"sizes {sizes}, limits {limits}: an attempt pays less than its last price"
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
                starts, ordered = paced(lengths, s, memory), sorted(lengths)
                total = sum(p + o for p, o in zip(starts, ordered, strict=True))
                for t in range(1, starts[-1] + ordered[-1] + 1):
                    if sum(s + t - p for p, o in zip(starts, ordered, strict=True) if p < t <= p + o) > memory:
                        return f"lengths {lengths}, s = {s}, M = {memory}: too much memory at {t}"
                if total > factor * paced_most(lengths, s, memory):
                    return f"lengths {lengths}, s = {s}, M = {memory}: total {total}"
    return None


@cache
def prices_in_process(factor: Fraction = Fraction(1)) -> str | None:
    """Test: in runs of the process, all attempts together pay at most M times the price, and each at least its last price."""
    for lengths in product((1, 3, 5), repeat=4):
        for s, memory in ((s, s + 5 + extra) for s in (0, 2) for extra in (0, 4)):
            run = list(_process_attempts(lengths, s, memory))
            total = sum(_rate(t) * (s + t - p) for p, end in run for t in range(p + 1, end + 1))
            if total > factor * memory * sum(_rate(t) for t in range(1, max(end for _, end in run) + 1)):
                return f"lengths {lengths}, s = {s}, M = {memory}: the prices do not add up"
            if any(
                sum(_rate(t) * (s + t - p) for t in range(p + 1, end + 1)) < _rate(end) * volume(s, end - p)
                for p, end in run
            ):
                return f"lengths {lengths}, s = {s}, M = {memory}: an attempt pays less than its last price"
    return None


def _rate(t: int) -> Fraction:
    return next((rate for end, rate in PRICE if t < end), Fraction(0))


def _process_attempts(lengths: Sequence[int], s: int, memory: int) -> Iterator[tuple[int, int]]:
    """Iterate over (start, end) of the attempts of kill and restart with the limits 1, 2, 4, 8, in batches that fit at their peak."""
    left, now, limit = list(lengths), 0, 1
    while left:
        width = max(1, memory // (s + min(limit, 5)))
        for first in range(0, len(left), width):
            ends = [now + min(o, limit) for o in left[first : first + width]]
            yield from ((now, end) for end in ends)
            now = max(ends)
        left, limit = [o for o in left if o > limit], 2 * limit
