"""What a history tells of new requests: expected work and kill plans, against direct sums and the best schedule for a law."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from crtools import Empirical, best
from crtools.blind.expected_work import History
from crtools.blind.min_norm_point import Group, Search, machine_cost
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.clocks import SECONDS, STEPS, Clock
from crtools.process.flow_bounds import step_work
from crtools.process.plans import AttemptTable, Seen, remaining_work

MEMORY = 5000


def history(rows: int = 3000, spread: float = 1.5) -> tuple[IntArray, IntArray]:
    """Return prompts and outputs that depend on them; outputs vary more with a larger ``spread``."""
    rng = np.random.default_rng(7)
    s = rng.integers(0, 300, rows)
    o = np.clip(np.exp(rng.normal(2 + s / 150, spread)), 1, 800).astype(np.int64)
    return s, o


def work(s: Any, o: Any, clock: Clock) -> FloatArray:
    c0, c1, c2 = clock.base, clock.per_token, clock.per_held
    return c1 * (s - 1 + o) + (c0 / MEMORY + c2) * (s * o + o * (o + 1) / 2)


TO_THE_END = 2**40
"""u: the kill age of a request's last attempt."""


def new(s: IntArray, clock: Clock = STEPS, memory: int = MEMORY) -> Seen:
    """Return requests with these prompts that have not run yet."""
    none = np.zeros_like(s)
    u, drawn, released = np.full_like(s, TO_THE_END), np.zeros(len(s)), np.ones(len(s), bool)
    return Seen(memory, s, none + 1, u, drawn, none, none > 0, none[:0], none, released, clock)


@pytest.mark.parametrize("clock", [STEPS, SECONDS])
@pytest.mark.parametrize("classes", [1, 4, 16])
def test_expected_work_is_the_mean_over_the_outputs_of_the_class(clock: Clock, classes: int) -> None:
    history_s, history_o = history()
    s = np.array([0, 7, 150, 299, 5000])
    past = History(history_s, history_o, classes)
    expected, group, history_group = past.work(new(s, clock)), past.group(s), past.group(history_s)
    sizes = np.bincount(history_group)
    assert len(sizes) == classes and sizes.min() > 3000 / classes - 40
    for i, prompt in enumerate(s):
        outputs = history_o[history_group == group[i]]
        assert expected[i] == pytest.approx(work(prompt, outputs, clock).mean(), rel=1e-12)
        for age in (0, 1, 50, 300):
            longer = outputs[outputs > age]
            mean = (work(prompt, longer, clock) - work(prompt, age, clock)).mean()
            left = remaining_work(past.remaining, group[[i]], s[[i]], np.array([age]), MEMORY, clock)
            assert left == pytest.approx([mean], rel=1e-9)


def test_beyond_the_longest_output_of_a_class_all_classes_tell_what_remains() -> None:
    found = History(np.array([1, 1, 9, 9]), np.array([1, 3, 10, 20]), classes=2)
    assert found.group(np.array([1, 9])).tolist() == [0, 1]
    assert found.remaining[0][0, [0, 1, 3, 10, 19]].tolist() == [2, 2, 12, 10, 1]
    assert found.remaining[0][1, [0, 10, 19]].tolist() == [15, 10, 1]
    assert found.remaining[1][0, 3] == (55 + 210) / 2 - 6
    ages = np.array([19, 20, 99])
    left = remaining_work(found.remaining, np.ones(3, np.int64), np.full(3, 9), ages, MEMORY, STEPS)
    assert len(set(left.tolist())) == 1


def test_equal_prompts_have_one_class_and_prompts_without_history_the_nearest() -> None:
    found = History(np.full(50, 5), np.arange(1, 51))
    assert found.group(np.array([0, 5, 90])).tolist() == [0, 0, 0] and found.remaining.shape == (2, 1, 50)


def kills(table: AttemptTable | None) -> list[list[tuple[int, float]]]:
    assert table is not None
    rows = list(zip(table.kill.tolist(), table.priority.tolist(), strict=True))
    pointer = np.append(0, np.cumsum(np.bincount(table.request)))
    return [rows[a:b] for a, b in pairwise(pointer.tolist())]


@pytest.mark.parametrize("clock", [STEPS, Clock("seconds", 1, 1e-7, 1e-7)])
def test_keys_are_minus_the_index_of_each_attempt(clock: Clock) -> None:
    history_s, history_o = history()
    s = np.random.default_rng(1).integers(0, 300, 400)
    past = History(history_s, history_o, classes=4)
    attempts = kills(past.kills(new(s, clock), 0.1))
    group, history_group = past.group(s), past.group(history_s)
    unit = MEMORY if clock.in_steps else 1  # in steps the attempts use volumes
    assert len(attempts) == len(s) and any(len(rows) > 1 for rows in attempts)
    for i, rows in enumerate(attempts):
        assert rows[-1][0] == TO_THE_END
        outputs, after = history_o[history_group == group[i]], 0
        for age, key in rows:
            assert age > after
            completes = ((outputs > after) & (outputs <= age)).mean()
            uses = unit * (work(s[i], np.minimum(outputs, age), clock) * (outputs > after)).mean()
            assert key == pytest.approx(-completes / uses, rel=1e-9)
            after = age


def test_for_one_prompt_the_plans_are_those_of_the_best_schedule_for_the_law() -> None:
    lengths, counts = np.array([1, 9]), np.array([800, 200])
    found = History(np.full(1000, 2), np.repeat(lengths, counts)).kills(new(np.full(5000, 2)), 0.1)
    shares = {plan.thresholds: float(plan.share) for plan in best(Empirical({1: 4, 9: 1}), 2).plans}
    tried = np.mean([rows[0][0] == 1 for rows in kills(found)])
    assert 0 < shares[(1,)] < 1 and tried == pytest.approx(shares[(1,)], abs=2e-3)


def test_no_kills_without_the_gain_or_where_all_work_is_short() -> None:
    history_s, history_o = history()
    s = np.random.default_rng(1).integers(0, 300, 400)

    def planned(number: int = 400, memory: int = MEMORY, clock: Clock = STEPS, gain: float = 0.1) -> bool:
        return History(history_s, history_o, 4).kills(new(s[:number], clock, memory), gain) is not None

    assert planned() and planned(gain=0)
    assert not planned(gain=0.9)
    assert not planned(number=20) and not planned(memory=10**7)  # all fits at once: the longest request decides
    assert not planned(clock=Clock("seconds", 1e-3, 1, 0))  # work is known from the prompt but for a little
    narrow_s, narrow_o = history(spread=0.1)
    assert History(narrow_s, narrow_o, 4).kills(new(s), 0.1) is None


def test_the_gain_is_that_of_the_cost_on_one_machine() -> None:
    rng = np.random.default_rng(3)
    groups = [
        Group(share, np.cumsum(4.0 ** np.arange(6) * rng.random(6)), np.array([8, 5, 3, 2, 1, 1]) / 20)
        for share in (0.3, 0.7)
    ]
    means = np.array([(group.sizes * group.weights).sum() for group in groups])
    shares = np.array([0.3, 0.7])
    through = (np.minimum.outer(means, means) * np.outer(shares, shares)).sum()
    assert machine_cost(groups, [{(0, len(group.sizes)): 1.0} for group in groups]) == pytest.approx(through)
    plans = [mixture.plans for mixture in Search(groups, 1e-9).mixtures()]
    assert machine_cost(groups, plans) < through
    for plan in ((0, 6), (0, 2, 6), (0, 1, 3, 6)):  # no other plan of one group improves on the best mixtures
        other = [{**{p: 0.99 * x for p, x in plans[0].items()}, plan: 0.01 + 0.99 * plans[0].get(plan, 0)}, plans[1]]
        assert machine_cost(groups, other) >= machine_cost(groups, plans) * (1 - 1e-9)


def test_long_laws_are_put_into_cells() -> None:
    rng = np.random.default_rng(2)
    history_o = np.ceil(rng.pareto(0.7, 4000) * 10).astype(np.int64).clip(1, 5000)
    found = History(np.zeros(4000, np.int64), history_o).kills(new(np.zeros(2000, np.int64)), 0.1)
    assert len(np.unique(history_o)) > 300
    ages = {age for rows in kills(found) for age, _ in rows}
    assert len(ages) > 2 and ages - {TO_THE_END} <= set(history_o.tolist())


def test_work_is_that_of_the_lower_bounds() -> None:
    s, o = history(50)
    assert np.allclose(work(s, o, SECONDS), step_work(o, s, MEMORY, SECONDS))
