"""Schedules as data: the paper's example of the predicates, and each predicate against its definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.errors import InputError
from crtools.process import simulate
from crtools.schedule import Schedule

LENGTHS = (1, 2, 3, 4)
I1 = Schedule((0, 2, 0, 3), LENGTHS, s=1)
I2 = Schedule((1, 1, 0, 3), LENGTHS, s=1)
I3 = Schedule((0, 0, 0, 2), LENGTHS, s=1)

small = settings(deadline=None, derandomize=True, max_examples=300)


@st.composite
def schedules(draw: st.DrawFn) -> tuple[Schedule, Schedule]:
    """Two schedules of the same one to five requests."""
    n = draw(st.integers(1, 5))
    lengths = draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    s = draw(st.one_of(st.integers(0, 3), st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    starts = st.lists(st.integers(0, 6), min_size=n, max_size=n)
    return Schedule(draw(starts), lengths, s), Schedule(draw(starts), lengths, s)


def test_the_papers_example() -> None:
    for a, b in product((I1, I2, I3), repeat=2):
        assert a.corresponds(b)
    assert not I1.delayed(I2) and not I2.delayed(I1)
    assert I1.delayed(I3) and I2.delayed(I3) and not I3.delayed(I1)
    assert I3.feasible(6) and not I3.feasible(5)
    assert I3.optimally_packed(7) and not I1.optimally_packed(7)
    assert I3.total_latency == 12 and I3.completions == (1, 2, 3, 6) and I3.makespan == 6
    assert [I3.memory_use(t) for t in range(8)] == [0, 6, 6, 6, 3, 4, 5, 0]
    assert I3.mean_memory == Fraction(6 + 6 + 6 + 3 + 4 + 5, 6)


@small
@given(schedules())
def test_predicates_follow_their_definitions(pair: tuple[Schedule, Schedule]) -> None:
    a, b = pair
    rows = list(zip(a.starts, b.starts, strict=True))
    assert a.corresponds(b) == all((i - j) * (i2 - j2) >= 0 for i, i2 in rows for j, j2 in rows)
    assert b.delayed(a) == all(i <= i2 for i, i2 in rows)
    uses = [a.memory_use(t) for t in range(1, a.makespan + 1)]
    assert a.peak_memory == max(uses)
    assert a.mean_memory == Fraction(sum(uses), a.makespan)
    assert a.total_latency == sum(a.completions)
    for memory in (a.peak_memory, a.peak_memory + 2):
        assert a.optimally_packed(memory) == packed(a, memory)


def packed(schedule: Schedule, memory: int) -> bool:
    for job, i in enumerate(schedule.starts):
        earlier = [k for k in range(i) if k in schedule.starts]
        for k in range(max(earlier, default=0), i):
            starts = list(schedule.starts)
            starts[job] = k
            if Schedule(starts, schedule.lengths, schedule.s).feasible(memory):
                return False
    return True


@pytest.mark.exhaustive  # takes seconds
@small
@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.integers(0, 2), st.integers(0, 12), st.integers(0, 9))
def test_policies_with_known_lengths_pack_optimally(lengths: list[int], s: int, extra: int, seed: int) -> None:
    memory = s + max(lengths) + extra
    for policy in ("h-sf", "a-random"):
        schedule = simulate(policy, lengths, memory, s, seed=seed).schedule
        assert schedule.feasible(memory)
        assert policy != "h-sf" or schedule.optimally_packed(memory)


def test_fields_are_plain_integers_and_equal_schedules_are_equal() -> None:
    made = Schedule(np.array([0, 2]), [np.int64(3), 4], np.array([1, 1]))
    assert made == Schedule((0, 2), (3, 4), (1, 1)) and hash(made) == hash(Schedule((0, 2), (3, 4), (1, 1)))
    assert all(type(x) is int for x in (*made.starts, *made.lengths, *made.prompts))


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (((), ()), "lengths"),
        (((0,), (1, 2)), "starts"),
        (((0, -1), (1, 2)), "starts"),
        (((0, 0), (1, 0)), "lengths"),
        (((0, 0), (1, 2.5)), "lengths"),
        (((0, 0), (1, 1), (1,)), "s"),
        (((0, 0), (1, 1), -1), "s"),
        ((0, (1, 1)), "starts"),
        (({0, 1}, (1, 1)), "starts"),
        (("01", (1, 1)), "starts"),
        (((0, True), (1, 1)), "starts"),
        (((0, 0), {1: 1, 2: 1}), "lengths"),
        (((0, 0), (1, float("nan"))), "lengths"),
        ((np.ma.array([0, 1], mask=[1, 0]), (1, 1)), "starts"),
        ((np.array([[0, 1]]), (1,)), "starts"),
        (((0, 0), (1, 1), "1"), "s"),
        (((0, 0), (1, 1), None), "s"),
        (((0, 0), (1, 1), 1.0), "s"),
    ],
)
def test_bad_schedules_are_refused(arguments: tuple, name: str) -> None:
    with pytest.raises(InputError) as caught:
        Schedule(*arguments)
    assert caught.value.argument == name and "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [-1, 1.5, None, "7", True, np.array([1, 2])])
def test_a_memory_or_time_that_is_none_is_refused(wrong: Any) -> None:
    for method in (I3.feasible, I3.optimally_packed, I3.memory_use):
        with pytest.raises(InputError):
            method(wrong)


def test_huge_numbers_are_exact() -> None:
    big = 10**30
    made = Schedule((0, big, big), (1, 2, 2), s=big)
    assert made.peak_memory == 2 * big + 4 and made.makespan == big + 2
    assert made.feasible(2 * big + 4) and not made.feasible(2 * big + 3)
    many = Schedule((0,) * 20_000, (1,) * 20_000, s=10**15)  # the sum is beyond 64 bits
    assert many.peak_memory == 20_000 * (10**15 + 1)


def test_schedules_of_other_requests_are_not_compared() -> None:
    with pytest.raises(InputError, match="same requests"):
        I1.corresponds(Schedule((0,), (1,)))
    with pytest.raises(InputError, match="same requests"):
        I1.delayed(Schedule(I1.starts, LENGTHS, s=2))
    with pytest.raises(InputError, match="must be a Schedule"):
        I1.corresponds(LENGTHS)  # type: ignore[arg-type]
