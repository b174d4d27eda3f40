"""The process with a prompt of its own for each request, in plain Python: schedules, queues by two rules, and families.

A request is a pair (s, o) of its prompt and its output length. Started at p it holds s + a tokens at the instant p + a,
a = 1, …, o, and completes at p + o. At every instant at most ``memory`` tokens are held. Everything is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
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


# ---- families of the claims ----


def term(request: Request) -> Fraction:
    """Return how much later than the mean instant of its tokens, less one half, a request completes."""
    s, o = request
    return Fraction(sum((o - a) * (s + a) for a in range(1, o + 1)), volume(request)) + Fraction(1, 2)


def steady(s: int, o: int, count: int) -> tuple[list[Request], list[int], int]:
    """Return requests (s, o) that start one after the other at 0, 1, …, beside others that fill the memory from 0 on."""
    others = [(s + o - r, r) for r in range(1, o)]
    return [*others, *[(s, o)] * count], [*[0] * len(others), *range(count)], volume((s, o))


def full_memory(pairs: int, m: int) -> tuple[list[Request], int]:
    """Return pairs of (0, m) and (M − 1, 1), M = m(m+1)/2, and M."""
    memory = m * (m + 1) // 2
    return [(0, m), (memory - 1, 1)] * pairs, memory


def two_parts(pairs: int, m: int) -> tuple[list[Request], range, int]:
    """Return the same requests, those of length 1 first, one start at each instant, and M."""
    queue, memory = full_memory(pairs, m)
    return [*queue[1::2], *queue[::2]], range(2 * pairs), memory


def prompts_that_fill(K: int) -> tuple[list[Request], int]:
    """Return 2K requests of one token with prompts M − 1, and K² of two tokens without prompts, M = 2K²."""
    memory = 2 * K * K
    return [*[(memory - 1, 1)] * (2 * K), *[(0, 2)] * (K * K)], memory


def arriving(n: int) -> tuple[list[Request], int]:
    """Return a request that fills the memory M = n(n+1) at its last instant, n others, and M."""
    memory = n * (n + 1)
    return [(memory - n, n), *[(n, 1)] * n], memory


def flow_without_kills(n: int, start: int) -> int:
    """Return the smallest flow time without kills if the first starts at ``start`` and the others arrive one instant later."""
    requests, memory = arriving(n)
    other = next(p for p in range(start + 1, start + n + 1) if feasible(requests[:2], [start, p], memory))
    return start + n + n * (other + 1 - (start + 1))


def possible_flow(n: int, start: int) -> int:
    """Return the flow time of a schedule that knows when the others arrive."""
    requests, memory = arriving(n)
    first = 0 if start >= n - 1 else start + 2
    flow = first + n + n
    return flow if feasible(requests, [first, *[start + 1] * n], memory) else 0
