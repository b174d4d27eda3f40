"""The history of a run: what was cancelled is in it, both engines agree on it, and times in another clock are made from it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.errors import InputError
from crtools.process import simulate

ENGINES = ("reference", "fast")


@st.composite
def instances(draw: st.DrawFn) -> dict[str, Any]:
    random_ = draw(st.randoms(use_true_random=False))
    n, most = random_.randint(1, 10), random_.choice((2, 4, 8))
    low = [random_.randint(1, most) for _ in range(n)]
    up = [random_.randint(a, most) for a in low]
    s = [random_.randint(0, 5) for _ in range(n)]
    return {
        "memory": max(a + b for a, b in zip(s, up, strict=True)) + random_.choice((0, 1, 5, 20)),
        "s": s,
        "l": low,
        "u": up,
        "lengths": [random_.randint(a, b) for a, b in zip(low, up, strict=True)],
        "either": [random_.choice((a, b)) for a, b in zip(low, up, strict=True)],
        "order": random_.sample(range(n), n),
        "ties": random_.sample(range(n), n),
        "limit": 2000,
    }


def runs(instance: dict[str, Any]) -> Any:
    """Every deterministic run by both engines; those that do not end are left out by a short limit."""
    from crtools.process import Livelock

    either = instance["either"]
    plain = {key: value for key, value in instance.items() if key != "either"}
    for policy in ("h-sf", "a-max", "a-min-literal", "a-ell"):
        own = {**plain, "lengths": either} if policy == "a-ell" else plain
        try:
            yield tuple(simulate(policy, **own, engine=e, history=True) for e in ENGINES)
        except Livelock:
            continue


def rows(run: Any) -> list[tuple[int, ...]]:
    """One row (request, start, age, bound) for each cancellation."""
    lost = run.cancelled
    return list(zip(*(c.tolist() for c in (lost.request, lost.start, lost.age, lost.bound)), strict=True))


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=120)
@given(instances())
def test_engines_agree_on_every_cancellation(instance: dict[str, Any]) -> None:
    for slow, fast in runs(instance):
        assert sorted(rows(slow)) == sorted(rows(fast))
        for run in (slow, fast):
            assert len(rows(run)) == run.cancellations
            assert run.cancelled.age.sum() == run.wasted_tokens
            ends = run.cancelled.start + run.cancelled.age
            assert (np.diff(ends) >= 0).all()  # in the order of time
            for request, start, age, bound in rows(run):
                assert 0 <= start < start + age <= run.starts[request]
                assert 1 <= age < run.lengths[request]
                assert bound >= 1


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=150)
@given(instances(), st.integers(0, 10**6))
def test_runs_with_draws_log_what_they_count(instance: dict[str, Any], seed: int) -> None:
    for policy in ("a-min-literal", "a-min-cohort"):
        for engine in ENGINES:
            own = {key: instance[key] for key in ("lengths", "memory", "s", "l", "u")}
            run = simulate(policy, **own, seed=seed, engine=engine, history=True)
            assert len(rows(run)) == run.cancellations
            assert run.cancelled.age.sum() == run.wasted_tokens
            check_work(run)


def literal(run: Any) -> tuple[list[int], list[int]]:
    """Tokens processed in each step and memory at its end, episode by episode and step by step."""
    processed, held = [0] * run.makespan, [0] * run.makespan
    for request, start, end, kept in zip(*(c.tolist() for c in vars(run.episodes).values()), strict=True):
        assert kept == 0
        for t in range(start, end):
            processed[t] += int(run.prompts[request]) if t == start else 1
            held[t] += int(run.prompts[request]) + t + 1 - start
    return processed, held


def check_work(run: Any) -> None:
    processed, held = literal(run)
    assert max(held) == run.peak_memory
    assert sum(held) / run.makespan == pytest.approx(run.mean_memory)
    tokens = run.prompts[run.episodes.request].sum() + run.lengths.sum() + run.wasted_tokens - len(run.episodes.start)
    assert sum(processed) == tokens
    clock = [Fraction(0)]
    for tokens_in_step, held_at_end in zip(processed, held, strict=True):
        clock.append(
            clock[-1] + Fraction(352, 10) + Fraction(281, 1000) * tokens_in_step + held_at_end * Fraction(1, 10**4)
        )
    in_seconds = [float(clock[end]) / 1000 for end in (run.starts + run.lengths).tolist()]
    assert run.completion_times_in("seconds") == pytest.approx(in_seconds)
    unfinished = sum(int((run.starts + run.lengths > t).sum()) for t in range(run.makespan))
    assert run.completion_times_in("steps").sum() == unfinished == run.total_latency
    assert run.completion_times_in((1, 0, 0)).tolist() == run.completion_times.tolist()


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=100)
@given(instances())
def test_step_times_count_cancelled_work(instance: dict[str, Any]) -> None:
    for pair in runs(instance):
        for run in pair:
            check_work(run)


def test_the_log_grows_beyond_its_first_room() -> None:
    lengths = random.Random(1).choices(range(1, 40), k=300)
    run = simulate("a-min-literal", lengths, 400, s=1, l=1, engine="fast", history=True)
    assert run.cancellations > 500
    check_work(run)


def test_without_history_nothing_is_kept() -> None:
    run = simulate("a-min-literal", [3, 3, 2], 6, s=1, l=1, history=False)
    assert run.cancelled is None
    assert simulate("a-min-literal", [3] * 400, 9, s=1, l=1).cancelled is None  # not small: kept where asked for
    with pytest.raises(InputError, match="history"):
        _ = run.episodes
    with pytest.raises(InputError, match="history"):
        run.completion_times_in("seconds")
    with pytest.raises(InputError, match="release = 3: must be 0"):
        simulate("fcfs", [3, 1], 6, release=[0, 3], history=True).completion_times_in("seconds")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("preemption", ["restart", "resume"])
@pytest.mark.parametrize("clock", ["seconds", (0.5, 0.1, 0.01), (0, 0.2, 0.003)])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_in_steps_has_the_times_of_the_run_in_seconds(engine: Any, clock: Any, preemption: Any) -> None:
    draw = np.random.default_rng(5)
    lengths, prompts, ties = draw.integers(1, 30, 40), draw.integers(0, 20, 40), draw.permutation(40)
    for policy in ("fcfs", "shortest-prompt", "h-sf", "h-volume", "a-max", "a-min-literal"):
        given: dict[str, Any] = {"s": prompts, "l": 1, "ties": ties, "engine": engine, "preemption": preemption}
        in_steps = simulate(policy, lengths, 90, history=True, **given)
        in_seconds = simulate(policy, lengths, 90, clock=clock, **given)
        assert in_steps.completion_times_in(clock) == pytest.approx(in_seconds.completion_times, rel=1e-9)
        assert policy in ("h-sf", "h-volume", "a-max") or in_steps.cancellations
