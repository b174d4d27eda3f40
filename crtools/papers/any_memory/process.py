"""The process with a prompt of its own for each request, in plain Python: schedules, and queues by two rules.

A request is a pair (s, o) of its prompt and its output length. Started at p it holds s + a tokens at the instant p + a,
a = 1, …, o, and completes at p + o. At every instant at most ``memory`` tokens are held. Everything is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement, product

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
    """Return whether the memory suffices; most is held when a request completes."""
    ends = {p + o for (_, o), p in zip(requests, starts, strict=True)}
    return all(held(requests, starts, end) <= memory for end in ends)


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


def small_instances(most: int = 3, memories: Sequence[int] = range(2, 8)) -> Iterator[tuple[list[Request], int]]:
    """Iterate over requests with prompts up to 2 and lengths up to 3, and memories that every one of them fits in."""
    kinds = list(product(range(3), range(1, 4)))
    for size in range(1, most + 1):
        for requests, memory in product(combinations_with_replacement(kinds, size), memories):
            if memory >= max(map(peak, requests)):
                yield list(requests), memory


def preemptive(
    jobs: Sequence[tuple[int, int]], speed: int, *, remaining: bool
) -> tuple[list[Fraction], list[Fraction]]:
    """Return completions and mean busy times of jobs (release, volume) on one machine that may preempt.

    It works on the smallest volume that is present: by what remains of it, or in total.
    """
    rest, busy, ends = [Fraction(v) for _, v in jobs], [Fraction(0) for _ in jobs], [Fraction(0) for _ in jobs]
    now = Fraction(min(r for r, _ in jobs))
    while any(rest):
        present = [j for j, (r, _) in enumerate(jobs) if rest[j] and r <= now]
        later = [Fraction(r) for r, _ in jobs if r > now]
        if not present:
            now = min(later)
            continue
        job = min(present, key=lambda j: (rest[j] if remaining else jobs[j][1], j))
        until = min([now + rest[job] / speed, *later])
        work = (until - now) * speed
        busy[job] += work * (now + until) / 2
        rest[job] -= work
        now = ends[job] = until
    return ends, [own / v for own, (_, v) in zip(busy, jobs, strict=True)]
