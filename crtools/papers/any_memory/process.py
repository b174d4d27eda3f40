"""The process with a prompt of its own for each request, in plain Python: schedules, and queues by two rules.

A request is a pair (s, o) of its prompt and its output length. Started at p it holds s + a tokens at the instant p + a,
a = 1, …, o, and completes at p + o. At every instant at most ``memory`` tokens are held. Everything is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement, product
from typing import NamedTuple

from crtools.schedule import volume as volume_of

Request = tuple[int, int]
"""A prompt and an output length."""

Requests = Sequence[Request]


def volume(request: Request) -> int:
    """Return the token-instants of a run to its end."""
    return volume_of(*request)


def peak(request: Request) -> int:
    """Return the tokens that a request holds at its last instant."""
    return sum(request)


def shared(sizes: Sequence[int | Fraction]) -> Fraction:
    """Return Σ_{i,j} min(x_i, x_j) over all ordered pairs."""
    ordered = sorted(sizes, reverse=True)
    return sum((Fraction(x) * (2 * k + 1) for k, x in enumerate(ordered)), Fraction(0))


def area(requests: Requests, memory: int) -> Fraction:
    """Return A = (1/2M) Σ_{i,j} min(v_i, v_j)."""
    return shared([volume(r) for r in requests]) / (2 * memory)


def volume_bound(requests: Requests, memory: int) -> Fraction:
    """Return (1/M) Σ_k V_k, V_k the sum of the k smallest volumes."""
    return Fraction(sum(accumulate(sorted(volume(r) for r in requests))), memory)


def held(requests: Requests, starts: Sequence[int], instant: int) -> int:
    """Return the tokens held at an instant by requests that are run to their ends."""
    return sum(s + instant - p for (s, o), p in zip(requests, starts, strict=True) if p < instant <= p + o)


def feasible(requests: Requests, starts: Sequence[int], memory: int) -> bool:
    """Return whether the memory suffices; only completion instants are checked, where the use is largest."""
    completions = {p + o for (_, o), p in zip(requests, starts, strict=True)}
    return all(held(requests, starts, instant) <= memory for instant in completions)


def total(requests: Requests, starts: Sequence[int]) -> int:
    """Return the total latency."""
    return sum(starts) + sum(o for _, o in requests)


def queue_starts(requests: Requests, memory: int, *, look_ahead: bool) -> list[int]:
    """Return the starts of a queue in the given order, first in first out.

    The head starts while the peaks of those that run and its own fit, or with ``look_ahead`` while no later instant
    would need more than the memory.
    """
    starts: list[int] = []
    now = 0
    for k, request in enumerate(requests):
        while True:
            running = [(r, p) for r, p in zip(requests[:k], starts, strict=True) if p + r[1] > now]
            group = [*(r for r, _ in running), request]
            if look_ahead and feasible(group, [*(p for _, p in running), now], memory):
                break
            if not look_ahead and sum(map(peak, group)) <= memory:
                break
            now += 1
        starts.append(now)
    return starts


class Half(NamedTuple):
    """A half of a window: its upper end, whether its requests have large peaks, and these by volume, with their starts."""

    end: Fraction
    large: bool
    members: list[int]
    starts: list[int]


GROWTH, WEIGHT = Fraction(29, 10), Fraction(3, 2)


def places_by_volume(requests: Requests, memory: int) -> list[tuple[int, Fraction]]:
    """Return the requests by volume, each with 4/M times the sum of the volumes before it."""
    order = sorted(range(len(requests)), key=lambda i: (volume(requests[i]), i))
    before = accumulate((volume(requests[i]) for i in order), initial=0)
    return [(i, Fraction(4 * sum_before, memory)) for i, sum_before in zip(order, before, strict=False)]


def halves(requests: Requests, memory: int, first: Fraction, large_first: bool) -> list[Half]:
    """Return the halves of the windows of volumes with the ends ``first`` · g^r, in their order, each by reserved peaks."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for i, before in places_by_volume(requests, memory):
        large = 2 * peak(requests[i]) > memory
        due, r = before + (1 if large else WEIGHT) * requests[i][1], 0
        while due > first * GROWTH**r:
            r += 1
        while due <= first * GROWTH ** (r - 1):
            r -= 1
        groups.setdefault((r, large != large_first), []).append(i)
    now, done = 0, list[Half]()
    for (r, second), members in sorted(groups.items()):
        queue = [requests[i] for i in members]
        starts = [now + start for start in queue_starts(queue, memory, look_ahead=False)]
        now = max(start + o for start, (_, o) in zip(starts, queue, strict=True))
        done.append(Half(first * GROWTH**r, second != large_first, members, starts))
    return done


class BoxInstant(NamedTuple):
    """An instant after its admissions: the first threshold that is not admitted, and (threshold, kill age) of each running request."""

    refused: Fraction
    running: dict[int, tuple[Fraction, int]]


class BoxRun(NamedTuple):
    """A run of one list of boxes: γ and S of each request, the kill age of γ, its completion, and the instants."""

    gammas: list[Fraction]
    admitted: list[int]
    kill_ages: list[int]
    completions: list[int]
    instants: list[BoxInstant]


def kill_age(prompt: int, threshold: Fraction, largest_peak: int) -> int:
    """Return the largest age with a volume of at most the threshold and a peak of at most ``largest_peak``."""
    return next(c for c in range(largest_peak - prompt, -1, -1) if volume((prompt, c)) <= threshold)


def box_run(requests: Requests, memory: int, largest_peak: int, base: Fraction, firsts: Sequence[Fraction]) -> BoxRun:
    """Run all requests by one list of boxes with the thresholds ``firsts[i]`` · b^k, k = 0, 1, …, and P = ``largest_peak``."""
    table: list[tuple[Fraction, int, int]] = []
    for i, (s, _) in enumerate(requests):
        threshold, age = firsts[i], 0
        while s + age < largest_peak:
            age = kill_age(s, threshold, largest_peak)
            table += [(threshold, i, age)] if age else []
            threshold *= base
    table.sort()
    volumes = [volume(r) for r in requests]
    gammas = [min(t for t, j, _ in table if j == i and t >= v) for i, v in enumerate(volumes)]
    ages = [kill_age(s, gamma, largest_peak) for (s, _), gamma in zip(requests, gammas, strict=True)]
    starts, admitted, completed = dict[int, int](), dict[int, int](), dict[int, int]()
    running: dict[int, tuple[Fraction, int]] = {}
    instants: list[BoxInstant] = []
    now = 0
    while len(completed) < len(requests):
        for i, (_, age) in list(running.items()):
            if now - starts[i] == requests[i][1]:
                completed[i] = now
                table = [row for row in table if row[1] != i]
            if now - starts[i] in (age, requests[i][1]):
                del running[i]
        while table:
            threshold, i, age = table[0]
            others = sum(requests[j][0] + c for j, (_, c) in running.items() if j != i)
            if others + requests[i][0] + age > memory:
                break
            starts[i] = starts[i] if i in running else now
            running[i] = (threshold, age)
            if threshold == gammas[i]:
                admitted[i] = now
            table.pop(0)
        instants.append(BoxInstant(table[0][0] if table else Fraction(0), dict(running)))
        now += 1
    order = range(len(requests))
    return BoxRun(gammas, [admitted[i] for i in order], ages, [completed[i] for i in order], instants)


def small_instances(largest_n: int = 3, memories: Sequence[int] = range(2, 8)) -> Iterator[tuple[list[Request], int]]:
    """Iterate over requests with prompts up to 2 and lengths up to 3, and memories that every one of them fits in."""
    kinds = list(product(range(3), range(1, 4)))
    for size in range(1, largest_n + 1):
        for requests, memory in product(combinations_with_replacement(kinds, size), memories):
            if memory >= max(map(peak, requests)):
                yield list(requests), memory


def preemptive(
    jobs: Sequence[tuple[int, int]], speed: int, *, remaining: bool
) -> tuple[list[Fraction], list[Fraction]]:
    """Return completions and mean busy times of jobs (release, volume) on one machine that may preempt.

    It works on the job with the smallest volume among those present: the remaining volume, or the total one.
    """
    unprocessed, busy, completions = (
        [Fraction(v) for _, v in jobs],
        [Fraction(0)] * len(jobs),
        [Fraction(0)] * len(jobs),
    )
    now = Fraction(min(r for r, _ in jobs))
    while any(unprocessed):
        present = [j for j, (r, _) in enumerate(jobs) if unprocessed[j] and r <= now]
        later = [Fraction(r) for r, _ in jobs if r > now]
        if not present:
            now = min(later)
            continue
        job = min(present, key=lambda j: (unprocessed[j] if remaining else jobs[j][1], j))
        until = min([now + unprocessed[job] / speed, *later])
        work = (until - now) * speed
        busy[job] += work * (now + until) / 2
        unprocessed[job] -= work
        now = completions[job] = until
    return completions, [weighted / v for weighted, (_, v) in zip(busy, jobs, strict=True)]
