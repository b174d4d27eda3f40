"""Lower bounds on the total flow time: never above the best schedule of small instances, and equal to known values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from crtools.process import flow_bounds
from crtools.process.clocks import SECONDS, STEPS, Clock, as_clock
from crtools.process.flow_bounds import (
    FlowBound,
    flow_bound_in_seconds,
    flow_bound_in_steps,
    mean_busy_time,
    offered_load,
    shortest_remaining_first,
    step_work,
)
from crtools.process.run import volume_bound
from crtools.schedule import volume

CLOCKS = [SECONDS, as_clock((0.01, 0.002, 0.0005)), as_clock((0.5, 0.0, 0.0)), as_clock((0.0, 0.3, 0.01))]


def schedules(
    o: list[int], s: list[int], release: list[int], memory: int
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """All starts without preemption up to a horizon, each with the tokens held at every instant."""
    horizon = max(release) + sum(o)
    for starts in product(*(range(r, horizon - length + 1) for r, length in zip(release, o, strict=True))):
        held = [0] * (horizon + 1)
        for start, length, prompt in zip(starts, o, s, strict=True):
            for age in range(1, length + 1):
                held[start + age] += prompt + age
        if max(held) <= memory:
            yield starts, held


def total_seconds(starts: tuple[int, ...], held: list[int], o: list[int], s: list[int], clock: Clock) -> float:
    now, ends = 0.0, {}
    for step in range(max(start + length for start, length in zip(starts, o, strict=True))):
        running = [i for i in range(len(o)) if starts[i] <= step < starts[i] + o[i]]
        processed = sum(s[i] if starts[i] == step else 1 for i in running)
        now += clock.step(processed, held[step + 1])
        ends |= {i: now for i in running if starts[i] + o[i] == step + 1}
    return sum(ends.values())


def arrays(*columns: list[int]) -> list[np.ndarray]:
    return [np.array(column, np.int64) for column in columns]


def instance(draw: Random) -> tuple[list[int], list[int], int]:
    n = draw.choice([2, 3, 3])
    o = [draw.randint(1, 4) for _ in range(n)]
    s = [draw.choice([0, 1, 2, 5]) for _ in range(n)]
    peak = max(a + b for a, b in zip(o, s, strict=True))
    return o, s, peak + draw.choice([0, 1, 3, 20])


@pytest.mark.parametrize("seed", range(40))
def test_no_schedule_in_steps_is_below_the_bound(seed: int) -> None:
    draw = Random(seed)
    o, s, memory = instance(draw)
    release = [draw.choice([0, 0, 1, 3]) for _ in o]
    totals = (sum(starts) + sum(o) - sum(release) for starts, _ in schedules(o, s, release, memory))
    bound = flow_bound_in_steps(*arrays(o, s, release), memory)
    assert bound.value <= min(totals)


@pytest.mark.parametrize("seed", range(30))
def test_no_schedule_in_seconds_is_below_the_bound(seed: int) -> None:
    draw = Random(seed)
    o, s, memory = instance(draw)
    clock = CLOCKS[seed % len(CLOCKS)]
    best = min(total_seconds(*schedule, o, s, clock) for schedule in schedules(o, s, [0] * len(o), memory))
    lengths, prompts, release = arrays(o, s, [0] * len(o))
    for resume in (False, True):
        assert flow_bound_in_seconds(lengths, prompts, release * 1.0, memory, clock, resume=resume).value <= best


@pytest.mark.parametrize("seed", range(5))
def test_without_releases_the_volume_bound_is_that_of_equal_release(seed: int) -> None:
    draw = np.random.default_rng(seed)
    lengths, s = draw.integers(1, 50, 40), draw.integers(0, 9, 40)
    sizes = volume(s, lengths).tolist()
    assert Fraction(shortest_remaining_first(sizes, [0] * 40), 200) == volume_bound(lengths, 200, s)


def preempted(sizes: list[int], release: list[int], remaining: bool) -> tuple[int, Fraction]:
    """Unit by unit: the total flow time, and the total of the mean busy times less the releases."""
    left, now, flow, busy = list(sizes), 0, 0, Fraction(0)
    while any(left):
        present = [i for i, r in enumerate(release) if r <= now and left[i]]
        if present:
            i = min(present, key=lambda i: (left[i] if remaining else sizes[i], i))
            left[i] -= 1
            busy += Fraction(2 * now + 1, 2 * sizes[i])
            flow += 0 if left[i] else now + 1 - release[i]
        now += 1
    return flow, busy - sum(release)


@pytest.mark.parametrize("seed", range(20))
def test_one_machine_agrees_with_a_run_unit_by_unit(seed: int) -> None:
    draw = Random(seed)
    sizes = [draw.randint(1, 9) for _ in range(6)]
    release = [draw.randint(0, 12) for _ in sizes]
    assert shortest_remaining_first(sizes, release) == preempted(sizes, release, True)[0]
    exact = preempted(sizes, release, False)[1]
    assert 0 <= exact - mean_busy_time(sizes, release) <= Fraction(len(sizes), flow_bounds.GRID)
    floats = mean_busy_time([float(v) for v in sizes], [float(r) for r in release])
    assert floats == pytest.approx(float(exact))


def test_each_bound_is_the_largest_somewhere() -> None:
    ample = flow_bound_in_steps(*arrays([5, 5], [0, 0], [0, 0]), 1000)
    assert ample == FlowBound("length", Fraction(10))
    interrupted = flow_bound_in_steps(*arrays([10, 1, 2], [40, 40, 40], [13, 18, 17]), 55)
    assert interrupted.name == "volume"
    assert flow_bound_in_steps(*arrays([9] * 30, [0] * 30, [0] * 30), 12).name == "busy"
    lengths, s, release = arrays([50] * 400, [30] * 400, [0] * 400)
    assert flow_bound_in_seconds(lengths, s, release * 1.0, 10**6, SECONDS).name == "parallel"
    assert flow_bound_in_seconds(lengths, s, release * 1.0, 10**6, SECONDS, resume=True).name != "parallel"
    lengths, s, release = arrays([10, 1, 2], [40, 40, 40], [13, 18, 17])
    assert flow_bound_in_seconds(lengths, s, release * 1.0, 55, as_clock((1, 0, 0))).name == "work"


def test_the_parts_of_a_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One request alone: its least time is its run's, and with one piece at a time nothing changes."""
    lengths, s = arrays([3, 1, 7, 2], [4, 0, 2, 9])
    shortest, distance = flow_bounds._remaining_times(lengths, s, 100, SECONDS)
    for i, (o, prompt) in enumerate(zip(lengths.tolist(), s.tolist(), strict=True)):
        times = [SECONDS.step(prompt if age == 1 else 1, prompt + age) for age in range(1, o + 1)]
        assert shortest[i] == pytest.approx(sum(times))
        tau = SECONDS.base / 100 + SECONDS.per_held
        work = [SECONDS.per_token * (prompt if a == 1 else 1) + tau * (prompt + a) for a in range(1, o + 1)]
        assert sum(work) == pytest.approx(step_work(lengths, s, 100, SECONDS)[i])
        mean = sum(w * (sum(times[a + 1 :]) + times[a] / 2) for a, w in enumerate(work)) / sum(work)
        assert distance[i] == pytest.approx(mean)
    monkeypatch.setattr(flow_bounds, "CHUNK", 1)
    for whole, pieces in zip((shortest, distance), flow_bounds._remaining_times(lengths, s, 100, SECONDS), strict=True):
        assert pieces == pytest.approx(whole)


def test_the_offered_load_is_work_over_the_span_of_the_releases() -> None:
    lengths, s, release = arrays([2, 2], [1, 1], [0, 10])
    assert offered_load(lengths, s, release * 1.0, 5, STEPS) == pytest.approx(2 * 5 / 5 / 10)
    assert offered_load(lengths, s, release * 0.0, 5, STEPS) == float("inf")


@pytest.mark.parametrize(
    "clock", ["hours", (1, 2), (1, -1, 0), (0, 0, 1), (1, float("nan"), 0), (float("inf"), 0, 0), 3, "a,b,c"]
)
def test_a_clock_that_is_none_is_refused_in_one_line(clock: object) -> None:
    with pytest.raises(ValueError, match=r"^clock = ") as error:
        as_clock(clock)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
