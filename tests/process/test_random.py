"""Runs with draws have the distribution that MODEL.md gives: means against exact expectations and recorded ones."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from paths import SHARED

from crtools.process import simulate

INSTANCES = SHARED / "instances.json"
RUNS = 1000
ERRORS = 5  # standard errors allowed

# (lengths, memory, s, l)
CASES: list[tuple[list[int], int, Any, Any]] = [
    ([1, 2, 3, 4], 7, 1, 1),
    ([3, 3, 2], 4, 0, 1),
    ([4, 2, 3, 1], 6, 0, 1),
    ([4, 3, 5, 5], 9, [0, 3, 1, 2], 2),
    ([2, 5, 4, 6], 9, [3, 0, 2, 1], [1, 2, 1, 2]),
    ([6, 5, 6], 9, 2, 3),
    ([3, 4, 4, 2], 12, [8, 0, 4, 2], 1),
]


class Exact:
    """The process as a Markov chain on (running: (request, age, õ), waiting: (request, õ)), written out anew.

    Every order of ties and every set of coins is followed with its probability. TEL is the sum over all steps of the
    number of unfinished requests.
    """

    def __init__(self, lengths: list[int], memory: int, s: Any, l: Any, cohort: bool) -> None:
        n = len(lengths)
        self.o, self.memory, self.cohort = lengths, memory, cohort
        self.s = s if isinstance(s, list) else [s] * n
        self.l = l if isinstance(l, list) else [l] * n

    def means(self) -> tuple[float, float]:
        """Return the expected TEL and number of cancellations."""
        law: dict[Any, float] = {(frozenset(), frozenset(enumerate(self.l))): 1.0}
        latency = cancelled = 0.0
        while sum(law.values()) > 1e-13:
            following: dict[Any, float] = defaultdict(float)
            for (running, waiting), p in law.items():
                left = frozenset((i, a, b) for i, a, b in running if a < self.o[i])
                if not left and not waiting:
                    continue
                latency += p * (len(left) + len(waiting))
                for q, rest, queue, count in self.coins(left, waiting):
                    for q2, rest2, queue2, count2 in self.overflow(rest, queue):
                        cancelled += p * q * q2 * (count + count2)
                        for q3, rest3, queue3 in self.admit(rest2, queue2):
                            older = frozenset((i, a + 1, b) for i, a, b in rest3)
                            following[older, queue3] += p * q * q2 * q3
            law = following
        return latency, cancelled

    def coins(self, running: frozenset, waiting: frozenset) -> Iterator[tuple[float, frozenset, frozenset, int]]:
        states = [(1.0, running, waiting, 0)]
        for i, a, b in running if self.cohort else ():
            if a < b:
                continue
            p = 1 / (self.s[i] + a + 1)
            states = [
                new
                for q, rest, queue, count in states
                for new in (
                    (q * (1 - p), rest, queue, count),
                    (q * p, rest - {(i, a, b)}, queue | {(i, a + 1)}, count + 1),
                )
            ]
        yield from states

    def overflow(self, running: frozenset, waiting: frozenset) -> Iterator[tuple[float, frozenset, frozenset, int]]:
        if sum(self.s[i] + a + 1 for i, a, _ in running) <= self.memory:
            yield 1.0, running, waiting, 0
            return
        least = min(b for _, _, b in running)
        ties = [job for job in running if job[2] == least]
        for i, a, b in ties:
            for q, rest, queue, count in self.overflow(running - {(i, a, b)}, waiting | {(i, max(a, b))}):
                yield q / len(ties), rest, queue, count + 1

    def admit(self, running: frozenset, waiting: frozenset) -> Iterator[tuple[float, frozenset, frozenset]]:
        if not waiting:
            yield 1.0, running, waiting
            return
        least = min(b for _, b in waiting)
        ties = [job for job in waiting if job[1] == least]
        for i, b in ties:
            if self.fits(running | {(i, 0, b)}):
                for q, rest, queue in self.admit(running | {(i, 0, b)}, waiting - {(i, b)}):
                    yield q / len(ties), rest, queue
            else:
                yield 1 / len(ties), running, waiting

    def fits(self, running: frozenset) -> bool:
        if self.cohort:
            return sum(self.s[i] + max(b, a + 1) for i, a, b in running) <= self.memory
        horizon = range(1, max(self.o) + 2)
        uses = (sum(self.s[i] + a + d for i, a, b in running if a + d <= max(b, a + 1)) for d in horizon)
        return max(uses) <= self.memory


def mean_and_error(values: list[int]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / (len(values) - 1)
    return mean, math.sqrt(variance / len(values))


def agrees(values: list[int], expected: float, error: float = 0.0) -> None:
    mean, own = mean_and_error(values)
    assert abs(mean - expected) <= ERRORS * math.hypot(own, error) + 1e-9, (mean, own, expected)


@cache
def expected(case: int, policy: str) -> tuple[float, float]:
    """The expected TEL and number of cancellations."""
    return Exact(*CASES[case], cohort=policy == "a-min-cohort").means()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("policy", ["a-min-literal", "a-min-cohort"])
@pytest.mark.parametrize(
    ("case", "runs"),
    [
        *((case, RUNS) for case in range(0, len(CASES), 6)),
        *(pytest.param(case, 3 * RUNS, marks=pytest.mark.exhaustive) for case in range(len(CASES))),
    ],
)
def test_means_are_the_exact_expectations(case: int, policy: str, runs: int) -> None:
    latency, cancelled = expected(case, policy)
    lengths, memory, s, l = CASES[case]
    for engine, seeds in (("fast", runs), ("reference", runs // 5)):
        found = [simulate(policy, lengths, memory, s, l, seed=k, engine=engine) for k in range(seeds)]  # pyright: ignore
        agrees([run.total_latency for run in found], latency)
        agrees([run.cancellations for run in found], cancelled)


@pytest.mark.exhaustive  # takes seconds
def test_the_cases_are_not_trivial() -> None:
    cancelled = {p: [expected(case, p)[1] for case in range(len(CASES))] for p in ("a-min-literal", "a-min-cohort")}
    assert min(cancelled["a-min-cohort"]) > 0.05
    assert sum(mean > 0.05 for mean in cancelled["a-min-literal"]) >= 5


def test_the_coins_survival_law() -> None:
    # one request of 6 tokens with l = 1, s = 2 and memory for itself alone: a start with bound i reaches j with
    # probability (s + i)/(s + j), so it is first cancelled with probability 1 − 3/8
    first = [simulate("a-min-cohort", [6], 8, 2, 1, seed=k, engine="fast").cancellations > 0 for k in range(RUNS)]
    agrees([int(x) for x in first], 1 - 3 / 8)


@pytest.mark.exhaustive
def test_means_of_the_shared_instances() -> None:
    if not INSTANCES.exists():
        pytest.skip("the shared instances are not here")
    for instance in json.loads(INSTANCES.read_text())["instances"]:
        if "a_min_literal_random_ties_mean_and_standard_error" in instance:
            mean, error = instance["a_min_literal_random_ties_mean_and_standard_error"]
            fields = {key: instance[key] for key in ("lengths", "memory", "s", "l", "u")}
            values = [simulate("a-min-literal", **fields, seed=k, engine="fast").total_latency for k in range(RUNS)]
            agrees(values, mean, error)
