"""Lower bounds on the total flow time of every schedule, clairvoyant or blind, whether a killed request restarts or resumes.

With a prompt of s and an output of o tokens a request's *volume* is v = s·o + o(o+1)/2 token-steps, and the memory supplies M
of them a step. In seconds its *work* is w = c₁(s − 1 + o) + τ v with τ = c₀/M + c₂: a step of c₀ + c₁·(processed) + c₂·(held)
seconds holds at most M tokens, so that c₀ ≥ c₀·held/M, and each token of a request is processed and held at least once. So one
machine that does a unit of work per second, and may preempt without loss, is at least as fast as the process.
Tests: tests/process/test_flow_bounds.py.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TypeVar

import numpy as np

from crtools.numeric_types import FloatArray, IntArray
from crtools.process.clocks import Clock
from crtools.schedule import volume

ROUNDING = 1 - 1e-9
"""Bounds in seconds are sums of floats; this factor is larger than their rounding errors for up to a million requests."""

GRID = 2**60
"""Sums of fractions are taken in integers over this denominator, rounded down."""

CHUNK = 2**21
"""So many steps of requests are held in memory at once."""

MEMORY_SHARES = (0, 0.1, 0.25, 0.5, 0.75, 0.9)
"""Shares of a step's base time that ``_parallel_bound`` charges to the memory; the largest bound counts."""

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class FlowBound:
    """A lower bound on the total flow time, and which bound it is.

    ``name`` is ``volume`` (steps) or ``work`` (seconds), both shortest remaining first on one machine, ``length`` (each
    request's own steps), ``busy`` (mean busy times) or ``parallel`` (requests that run together delay each other; seconds
    only). ``value`` is a fraction in steps and a float in seconds. ``crtools guarantees`` prints each bound in steps, and
    docs/compare.md lists the names.
    """

    name: str
    value: Fraction | float


def flow_bound_in_steps(lengths: IntArray, s: IntArray, release: IntArray, memory: int) -> FlowBound:
    """Return the largest of :func:`flow_bounds_in_steps`."""
    return max(flow_bounds_in_steps(lengths, s, release, memory), key=lambda bound: bound.value)


def flow_bounds_in_steps(lengths: IntArray, s: IntArray, release: IntArray, memory: int) -> tuple[FlowBound, ...]:
    """Return the lower bounds on the total flow time in steps, as fractions.

    Parameters
    ----------
    lengths, s, release
        Output lengths, prompt sizes and release times of the n requests; int64 arrays of shape (n,).
    memory
        The capacity M in tokens.

    Notes
    -----
    Spreading the tokens held at an instant over the step before it gives a preemptive schedule of speed at most M that
    completes nothing later. So the total is at least that of the shortest remaining volume first. A request's mean busy time T lies
    at least e = (o² + 3/2·(2s+1)·o + 1/2)/(3(o + 2s + 1)) before its completion, and the total of the T is least where
    the smallest total volume always runs.
    """
    sizes, times = volumes(lengths, s).tolist(), _in_token_steps(release, memory)
    by_busy_time = mean_busy_time(sizes, times) / memory + _mean_distance_to_completion(lengths, s)
    return (
        FlowBound("volume", volume_bound_in_steps(lengths, s, release, memory)),
        FlowBound("length", Fraction(int(lengths.sum()))),
        FlowBound("busy", by_busy_time),
    )


def volume_bound_in_steps(lengths: IntArray, s: IntArray, release: IntArray, memory: int) -> Fraction:
    """Return the total flow time of the shortest remaining volume first at M token-steps a step."""
    sizes = volumes(lengths, s)
    if release.any():
        return Fraction(shortest_remaining_first(sizes.tolist(), _in_token_steps(release, memory)), memory)
    sizes = np.sort(sizes)
    kind = int if float(sizes[-1]) * len(sizes) ** 2 < 2**62 else object
    return Fraction(int(np.cumsum(sizes, dtype=kind).sum()), memory)


def volumes(lengths: IntArray, s: IntArray) -> IntArray:
    """Return the requests' volumes, as Python's integers where their sum may exceed 64 bits."""
    small = (float(s.max()) + float(lengths.max())) * float(lengths.max()) * len(lengths) < 2**62
    return volume(s, lengths) if small else volume(s.astype(object), lengths.astype(object))


def _in_token_steps(release: IntArray, memory: int) -> list[int]:
    """Return release times in token-steps of the machine, so that all numbers are integers."""
    return [memory * time for time in release.tolist()]


def _mean_distance_to_completion(lengths: IntArray, s: IntArray) -> Fraction:
    """Return a fraction just below Σ e_i; requests of the same s and o share one division."""
    pairs, counts = np.unique(np.stack([lengths, s]), axis=1, return_counts=True)
    total = 0
    for o, prompt, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
        twice = 2 * o * o + 3 * (2 * prompt + 1) * o + 1
        total += count * (twice * GRID // (6 * (o + 2 * prompt + 1)))
    return Fraction(total, GRID)


def flow_bound_in_seconds(
    lengths: IntArray, s: IntArray, release: FloatArray, memory: int, clock: Clock, *, resume: bool = False
) -> FlowBound:
    """Return the largest lower bound on the total flow time in seconds.

    The parameters are those of :func:`flow_bounds_in_steps`, with release times in seconds and the clock's coefficients.
    ``resume``: whether preemption keeps the tokens. Then the bound ``parallel`` is left out: of its term for two requests
    that run together there is a proof for restarts only.
    """
    work = step_work(lengths, s, memory, clock)
    shortest, distance = _remaining_times(lengths, s, memory, clock)
    times = (release - release.min()).tolist()  # flow times do not change, and floats are finer near 0
    bounds = [
        FlowBound("work", shortest_remaining_first(work.tolist(), times) * ROUNDING),
        FlowBound("length", float(shortest.sum()) * ROUNDING),
        FlowBound("busy", float(mean_busy_time(work.tolist(), times) + distance.sum()) * ROUNDING),
    ]
    if not resume and not release.any() and clock.per_token > 0 and int(s.min()) >= 1:
        parallel = max(_parallel_bound(lengths, s, memory, clock, share) for share in MEMORY_SHARES)
        bounds.append(FlowBound("parallel", parallel * ROUNDING))
    return max(bounds, key=lambda bound: bound.value)


def step_work(lengths: IntArray | FloatArray, s: IntArray | FloatArray, memory: int, clock: Clock) -> FloatArray:
    """Return each request's work in seconds of one machine: w(o) = c₁(s − 1 + o) + τ(s·o + o(o+1)/2), τ = c₀/M + c₂."""
    per_token_held = clock.base / memory + clock.per_held
    return clock.per_token * (s - 1 + lengths) + per_token_held * volume(s, lengths)


def offered_load(lengths: IntArray, s: IntArray, release: IntArray | FloatArray, memory: int, clock: Clock) -> float:
    """Return Σ work / (last release − first release), infinite where all requests are released together.

    At a load above 1 no policy is stable.
    """
    span = float(release.max() - release.min())
    return float(step_work(lengths, s, memory, clock).sum()) / span if span else inf


def shortest_remaining_first(sizes: Sequence[Number], release: Sequence[Number]) -> Number:
    """Return the total flow time of shortest remaining size first on one machine of unit speed.

    Sizes and release times are in one unit; with integers the result is an integer.

    >>> shortest_remaining_first([5, 1], [0, 2])  # the second job interrupts the first: 6 + 1
    7
    """
    zero = sizes[0] - sizes[0]
    return sum((end - release[job] for job, _, end, done in _pieces(sizes, release, remaining=True) if done), zero)


def mean_busy_time(sizes: Sequence[float], release: Sequence[float]) -> Fraction | float:
    """Return Σ (T − release), T a job's mean busy time where one machine always works on the smallest total size present.

    No preemptive schedule of speed at most 1 has a smaller total. With integers the result is a fraction at most n·2⁻⁶⁰ below.

    >>> mean_busy_time([2, 4], [0, 0])  # busy from 0 to 2 and from 2 to 6
    Fraction(5, 1)
    """
    twice = [sizes[0] - sizes[0]] * len(sizes)  # the integral of time over the work done on a job
    for job, begin, end, _ in _pieces(sizes, release, remaining=False):
        twice[job] += (end - begin) * (end + begin)
    totals = list(zip(twice, sizes, strict=True))
    if all(isinstance(value, int) for value in (*sizes, *release)):
        return Fraction(sum(int(total) * GRID // (2 * int(size)) for total, size in totals), GRID) - int(sum(release))
    return sum(total / (2 * size) for total, size in totals) - sum(release)


def _pieces(
    sizes: Sequence[Number], release: Sequence[Number], remaining: bool
) -> Iterator[tuple[int, Number, Number, bool]]:
    """Iterate over (job, begin, end, done) of one machine that works on the job of the smallest ``remaining``, or total, size."""
    order = sorted(range(len(sizes)), key=lambda job: release[job])
    left = list(sizes)
    waiting: list[tuple[Number, int]] = []
    now, arrived = release[order[0]], 0
    while waiting or arrived < len(order):
        if not waiting:
            now = max(now, release[order[arrived]])
        while arrived < len(order) and release[order[arrived]] <= now:
            heapq.heappush(waiting, (sizes[order[arrived]], order[arrived]))
            arrived += 1
        job, begin = waiting[0][1], now
        now += left[job]
        if arrived < len(order) and release[order[arrived]] < now:
            now = release[order[arrived]]
            left[job] -= now - begin
            heapq.heapreplace(waiting, (left[job] if remaining else sizes[job], job))
            yield job, begin, now, False
        else:
            heapq.heappop(waiting)
            yield job, begin, now, True


def _remaining_times(lengths: IntArray, s: IntArray, memory: int, clock: Clock) -> tuple[FloatArray, FloatArray]:
    """Return each request's least time to run alone, and the least mean distance of its work from its completion.

    The work of a step is spread evenly over it, and every later step takes at least its own time.
    """
    shortest, distance = np.empty(len(s)), np.empty(len(s))
    ends = np.cumsum(lengths)
    first = 0
    while first < len(s):
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + CHUNK, "right")))
        o, prompt = lengths[first:last], s[first:last]
        begin = np.cumsum(o) - o
        age = np.arange(int(o.sum())) - np.repeat(begin, o) + 1
        processed = np.where(age == 1, np.repeat(prompt, o), 1)
        held = np.repeat(prompt, o) + age
        time = clock.step(processed, held)
        work = clock.per_token * processed + (clock.base / memory + clock.per_held) * held
        whole = np.add.reduceat(time, begin)
        passed = np.cumsum(time)
        later = np.repeat(whole + passed[begin] - time[begin], o) - passed  # the time of the request's later steps
        shortest[first:last] = whole
        distance[first:last] = np.add.reduceat(work * (later + time / 2), begin) / np.add.reduceat(work, begin)
        first = last
    return shortest, distance


def _parallel_bound(lengths: IntArray, s: IntArray, memory: int, clock: Clock, share: float) -> float:
    """Return the bound that charges a share of a step's base time to the memory, and the rest to the requests that run together.

    The total is the sum over steps of duration · N, N = Y + F the requests that are not done: F the done parts (age − ½)/o of
    those that run, Y the rest. Processed tokens wait in the order of s + o, held tokens in that of the volumes. Of the rest
    c = (1 − share)·c₀ of each step, c·ΣF = c·Σo/2. Two requests that run together for k steps have done parts that sum to at
    least k/2, and each waits for the other's tokens: b running requests delay one another by at least c₁b(b − 1)/4 a step.
    Per step of a request this is at least min over b of cY/b + c₁(b − 1)/4 = √(c·c₁·Y) − c₁/4, where Y falls as in shortest
    length first.
    """
    rest = (1 - share) * clock.base
    tokens = clock.per_token * np.cumsum(np.sort(s + lengths - 1)).sum()
    held = (share * clock.base / memory + clock.per_held) * np.cumsum(np.sort(volume(s, lengths))).sum()
    unfinished = np.arange(len(s), 0, -1.0)
    mean_root = 2 / 3 * (unfinished**1.5 - (unfinished - 1) ** 1.5)
    together = np.sort(lengths) * (np.sqrt(rest * clock.per_token) * mean_root - clock.per_token / 4)
    return float(tokens + held + rest * lengths.sum() / 2 + together.sum())
