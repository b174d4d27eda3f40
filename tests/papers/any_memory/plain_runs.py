"""Queues and boxes in plain Python, with which the engines and the theorems' sentences are compared. Everything is exact."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from crtools.papers.any_memory.process import Request, Requests, feasible, volume


def peak(request: Request) -> int:
    """Return the tokens that a request holds at its last instant."""
    return sum(request)


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
