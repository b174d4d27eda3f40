"""h-windows, box-offsets, box-thresholds: both engines against plain Python, and the inequalities of their theorems."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import log

import numpy as np
import pytest
import sympy as sp
from amount import part_and_all
from least_total import by_volume, optimum

from crtools import InputError
from crtools.papers.any_memory.guarantees import GUARANTEES, LENGTHS, VOLUMES
from crtools.papers.any_memory.policies import LARGE_FIRST, POLICIES, SMALL_WEIGHT, WINDOW_GROWTH, window_places
from crtools.papers.any_memory.process import (
    Request,
    area,
    full_memory,
    prompts_that_fill,
    total,
    total_of_run,
    two_parts,
    volume,
)
from crtools.papers.any_memory.theory import TEXT
from crtools.process import known_policies, simulate
from crtools.process.flow_bounds import flow_bound_in_steps
from crtools.process.instance import make_instance, uniform_draws
from tests.papers.any_memory.plain_runs import box_run, peak, queue_starts
from tests.papers.any_memory.trials import Half, halves, small_instances

BOXES = {"box-offsets": Fraction(25, 4), "box-thresholds": Fraction(9, 4)}


def drawn(seed: int, most: int = 15) -> tuple[list[Request], int]:
    """Return random requests of different shapes, and a memory in which each fits."""
    own = random.Random(seed)
    largest = own.choice([3, 6, 12, 30])
    requests = [(own.randrange(largest), own.randint(1, largest)) for _ in range(own.randint(1, most))]
    least = max(map(peak, requests))
    return requests, own.choice([least, least + own.randrange(largest), 2 * least, 3 * least])


def columns(requests: list[Request]) -> tuple[list[int], list[int]]:
    """Return the lengths and the prompts."""
    return [o for _, o in requests], [s for s, _ in requests]


def kappa_of(requests: list[Request], memory: int) -> Fraction:
    return Fraction(memory, memory - max(map(peak, requests)) + 1)


def largest_bound(requests: list[Request], memory: int) -> Fraction:
    """Return the largest lower bound on the optimum."""
    o, s = (np.array(column, dtype=np.int64) for column in columns(requests))
    return Fraction(flow_bound_in_steps(o, s, np.zeros_like(o), memory).value)


def boxed(name: str, requests: list[Request], memory: int, seed: int, longer: int = 0) -> list[int]:
    """Return the completions of a box policy in plain Python, with u longer than the lengths."""
    base, n = BOXES[name], len(requests)
    offsets = uniform_draws(n, seed) if name == "box-offsets" else np.zeros(n)
    firsts = [Fraction(float(base) ** offset) for offset in offsets]
    return box_run(requests, memory, max(map(peak, requests)) + longer, base, firsts).completions


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(60))
def test_both_engines_run_boxes_as_plain_python_does(seed: int) -> None:
    requests, memory = drawn(seed)
    lengths, prompts = columns(requests)
    longer = (seed % 3) * (memory - max(map(peak, requests)) > 4)
    upper = [o + longer for o in lengths]
    for name in BOXES:
        plain = boxed(name, requests, memory, seed, longer)
        runs = [simulate(name, lengths, memory, prompts, 1, upper, seed=seed, engine=e) for e in ("reference", "fast")]
        for run in runs:
            assert run.ends.tolist() == plain and not run.hindsight and run.note == ""
        one, other = ((r.cancellations, r.tokens_lost, r.peak_memory, r.bounds.tolist()) for r in runs)
        assert one == other


def test_the_family_that_refutes_a_constant_of_common_thresholds_runs_as_in_plain_python() -> None:
    requests, memory = [(0, 20)] * 400, 400
    plain = sum(boxed("box-thresholds", requests, memory, seed=0))
    assert total_of_run("box-thresholds", requests, memory, "reference") == plain


def exactly(half: Half) -> dict[int, int]:
    return dict(zip(half.members, half.starts, strict=True))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(60))
def test_both_engines_run_windows_as_plain_python_does(seed: int) -> None:
    requests, memory = drawn(seed)
    lengths, prompts = columns(requests)
    number = float(uniform_draws(len(requests), seed)[0])
    first = number < LARGE_FIRST
    offset = number / LARGE_FIRST if first else (number - LARGE_FIRST) / (1 - LARGE_FIRST)
    plain: dict[int, int] = {}
    for half in halves(requests, memory, Fraction(WINDOW_GROWTH**offset), first):
        plain |= exactly(half)
    for engine in ("reference", "fast"):
        run = simulate("h-windows", lengths, memory, prompts, seed=seed, engine=engine)
        assert run.starts.tolist() == [plain[i] for i in range(len(requests))] and run.hindsight and not run.note


def test_the_theorem_on_windows_is_about_the_constants_of_the_policy() -> None:
    h, share, g, c = (sp.Rational(str(x)) for x in (2, LARGE_FIRST, WINDOW_GROWTH, SMALL_WEIGHT))
    first, second = (g - 1) * h + h / c, 1 + h / c
    lengths = c * (g - 1) * h + 1 + h, c * (g - 1) / g * h + 1 + h
    assert TEXT.value("half_of_small", h) == share * first + (1 - share) * second
    assert TEXT.value("half_of_large", h) == share * second + (1 - share) * ((g - 1) * h + g * h / c)
    assert TEXT.value("length_of_small", h) == share * lengths[0] + (1 - share) * lengths[1]


def window_totals(requests: list[Request], memory: int) -> Iterator[tuple[float, int]]:
    """Iterate over all orders of windows, each with its probability and its total latency."""
    due: list[float] = []
    for before, request in zip(np.cumsum([0, *map(volume, by_volume(requests))]), by_volume(requests), strict=False):
        weight = 1 if 2 * peak(request) > memory else 1.5
        due.append(4 * before / memory + weight * request[1])
    cuts = sorted({0.0, 1.0, *(log(d, WINDOW_GROWTH) % 1 for d in due)})
    for low, high in pairwise(cuts):
        for large_first, chance in ((True, LARGE_FIRST), (False, 1 - LARGE_FIRST)):
            first = Fraction(WINDOW_GROWTH ** ((low + high) / 2))
            taken = sum(
                sum(half.starts) for half in halves(requests, memory, first, large_first)
            ) + sum(o for _, o in requests)  # fmt: skip
            yield (high - low) * chance, taken


def assert_windows(requests: list[Request], memory: int, best: Fraction | int) -> None:
    """Assert the bound of the theorem on the mean, and the factor to ``best``, at most the optimum."""
    mean = sum(chance * taken for chance, taken in window_totals(requests, memory))
    smaller = area(requests, memory) - Fraction(sum(map(volume, requests)), 2 * memory)
    lengths = sum(o for _, o in requests)
    assert mean <= float(4 * VOLUMES * smaller + LENGTHS * lengths) * (1 + 1e-9)
    assert mean <= 9.955 * float(best)


def assert_thresholds(requests: list[Request], memory: int, best: Fraction | int) -> None:
    """Assert the bound with the best λ, and the factor to ``best``, at most the optimum."""
    taken, kappa = sum(boxed("box-thresholds", requests, memory, 0)), kappa_of(requests, memory)
    waiting = GUARANTEES["box-thresholds"].waiting(kappa, 0, requests, memory)
    assert taken <= waiting + sum(o for _, o in requests)
    assert taken <= Fraction("14.57") * kappa * best


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(300))
def test_no_mean_and_no_run_is_above_a_theorem(seed: int) -> None:
    requests, memory = drawn(seed, 8)
    best, kappa = largest_bound(requests, memory), kappa_of(requests, memory)
    assert_windows(requests, memory, best)
    assert_thresholds(requests, memory, best)
    mean = Fraction(sum(sum(boxed("box-offsets", requests, memory, k)) for k in range(5)), 5)
    waiting = GUARANTEES["box-offsets"].waiting(kappa, 0, requests, memory)
    assert mean <= waiting + sum(o for _, o in requests) and mean <= Fraction("7.525") * kappa * best


@pytest.mark.parametrize("m", range(2, 7))
def test_windows_have_a_constant_at_full_memory_where_volume_order_has_none(m: int) -> None:
    requests, memory = full_memory(m, m)
    queue, starts, _ = two_parts(m, m)
    other = total(queue, list(starts))
    by_windows = max(taken for _, taken in window_totals(requests, memory))
    in_order = total(requests, queue_starts(requests, memory, look_ahead=True))
    assert (m + 2) * other == 3 * in_order
    assert by_windows <= 4 * other
    assert_windows(*prompts_that_fill(m), 4 * m * m + 5 * m)
    for kind in (full_memory(m, m), prompts_that_fill(m)):
        assert_thresholds(*kind, largest_bound(*kind))


@part_and_all("most", 1, 4)
def test_small_instances_against_their_optimum(most: int) -> None:
    count = 0
    for requests, memory in small_instances(most, range(2, 20)):
        best = optimum(requests, memory)
        assert_windows(requests, memory, best)
        assert_thresholds(requests, memory, best)
        mean = Fraction(sum(sum(boxed("box-offsets", requests, memory, k)) for k in range(4)), 4)
        assert mean <= Fraction("7.525") * kappa_of(requests, memory) * best
        count += 1
    assert count >= (10_000 if most == 4 else 40)


def test_they_are_theorems_to_run_and_no_recommendations() -> None:
    for name, policy in POLICIES.items():
        assert known_policies()[name] is policy and not policy.usual
        assert policy.summary.startswith("a theorem to run: ")
    kept = window_places(0.3, make_instance([3, 1, 2], 9, [1, 2, 0]))
    assert sorted(np.floor(kept).tolist()) == [0, 1, 2] and min(kept) == 0.5


def test_what_they_are_not_defined_for_is_refused() -> None:
    for name in BOXES:
        with pytest.raises(InputError, match=r"memory = 8: must hold 5 \+ 4 tokens, what request 1 may need under box"):
            simulate(name, [2, 3], 8, [0, 5], u=4)
        for setting in ({"release": [0, 2]}, {"clock": "seconds"}, {"preemption": "resume"}):
            with pytest.raises(InputError, match="runs by boxes: it needs release 0, the clock steps"):
                simulate(name, [2, 3], 12, [0, 5], **setting)  # pyright: ignore[reportArgumentType]
