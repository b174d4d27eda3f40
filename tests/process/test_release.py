"""Release times: both engines against each other, a run worked by hand, what shifts with time, bounds and refusals."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amount import part_and_all
from whole_run import everything, record

from crtools.errors import InputError
from crtools.process import POLICIES, Policy, Run, known_policies, replay, simulate, volume_bound
from crtools.process.flow_bounds import flow_bound_in_steps

ENGINES: tuple[Any, ...] = ("reference", "fast")

USERS = [
    Policy("late-first", priority=lambda r: (-r.release, r.length), assumed=lambda r, age: r.length),
    Policy(
        "wide", priority=lambda r: (r.release % 3, r.queue_number, -r.index), assumed=lambda r, age: max(r.bound, age + 1),
        equals="ties", overflow=True, bound=lambda r: 1,
    ),
    Policy(
        "reserved", priority=lambda r: r.bound, assumed=lambda r, age: min(r.u, r.bound + r.release % 2), longest=lambda r: r.u,
        equals="order", peaks=True,
        cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound + r.release % 2 and age < r.u else None,
    ),
    Policy(
        "drawn-apart", priority=lambda r: (r.release % 3, r.queue_number, r.index), assumed=lambda r, age: age + 1, equals="ties",
        overflow="latest",
    ),
    Policy("plain-order", priority=lambda r: 0, assumed=lambda r, age: age + 1, equals="order", overflow="latest"),
    Policy("lower-first", priority=lambda r: r.l, assumed=lambda r, age: r.u, longest=lambda r: r.u, fixed=True),
]  # fmt: skip
UNPACED: list[Policy] = [policy for policy in known_policies().values() if not policy.paced]


def instance(random_: random.Random, policy: Policy | None = None) -> dict[str, Any]:
    """A small instance whose requests come alone, in groups and after pauses; nothing is drawn after the start."""
    n, most = random_.randint(1, 10), random_.choice((1, 3, 6, 10))
    low = [random_.randint(1, most) for _ in range(n)]
    up = [random_.randint(a, most) for a in low]
    s = [random_.randint(0, 4) for _ in range(n)] if random_.random() < 0.5 else random_.randint(0, 4)
    last = random_.choice((0, 2, 10, 40, 200))
    ends = policy is not None and policy.takes == "l-or-u"
    return {
        "lengths": [random_.choice((a, b)) if ends else random_.randint(a, b) for a, b in zip(low, up, strict=True)],
        "memory": max(np.add(s, up)) + random_.choice((0, 0, 1, 3, 8, 30)),
        "s": s,
        "l": low,
        "u": up,
        "release": [random_.randint(0, last) for _ in range(n)] if random_.random() < 0.9 else last,
        "order": random_.sample(range(n), n),
        "ties": random_.sample(range(n), n),
    }


def check(run: Run, release: Any) -> None:
    """Check what holds of every run with release times."""
    times = np.broadcast_to(release, run.n)
    assert run.release.tolist() == times.tolist() and not run.release.flags.writeable
    assert run.flow_times.dtype == np.int64
    assert run.flow_times.tolist() == [p + o - r for p, o, r in zip(run.starts, run.lengths, times, strict=True)]
    assert (run.starts >= times).all() and (run.episodes.start >= times[run.episodes.request]).all()
    assert run.total_latency == sum(run.flow_times.tolist()) and run.mean_latency == run.total_latency / run.n
    assert run.makespan == max((run.starts + run.lengths).tolist())
    assert run.schedule.feasible(run.memory) and run.peak_memory <= run.memory
    assert run.volume_bound <= run.total_latency


@pytest.mark.one_in(2)
@pytest.mark.parametrize("policy", [*UNPACED, *USERS], ids=lambda policy: policy.name)
@part_and_all("examples", 10, 400)
def test_engines_agree(policy: Policy, examples: int) -> None:
    random_ = random.Random(policy.name)
    drawn = policy.name == "a-min-cohort"  # its coins are drawn
    for _ in range(examples):
        given = instance(random_, policy)
        if policy.name == "drawn-apart":  # ties are drawn, but no two priorities are equal
            del given["ties"]
        limit = random_.choice((None, None, None, 12))
        slow, fast = (everything(policy, given, engine, limit) for engine in ENGINES)
        if not drawn:
            assert fast == slow, given
        if limit is None:
            for engine in ENGINES if drawn else ENGINES[1:]:
                run = simulate(policy, **given, engine=engine, history=True)
                assert run.engine == engine and not run.note
                check(run, given["release"])


@part_and_all("n", 150, 400)
def test_larger_runs_agree(n: int) -> None:
    random_ = np.random.default_rng(4)
    lengths = random_.integers(1, 30, n)
    arguments: dict[str, Any] = {
        "s": random_.integers(0, 6, n),
        "l": 1,
        "u": 30,
        "ties": random_.permutation(n),
        "history": True,
    }
    cancelled = 0
    for policy in ("fcfs", "h-sf", "a-random", "a-max", "a-min-literal", "a-restart", *USERS[:5]):
        for last in (n // 10, 15 * n // 2):  # an overloaded machine, and one that is often idle
            release = random_.integers(0, last, n)
            slow, fast = (
                simulate(policy, lengths, 90, release=release, engine=engine, **arguments) for engine in ENGINES
            )
            assert fast.starts.tolist() == slow.starts.tolist() and record(fast) == record(slow), fast.policy
            assert (fast.peak_memory, fast.mean_memory) == (slow.peak_memory, slow.mean_memory)
            check(fast, release)
            cancelled += fast.cancellations
    assert cancelled > 1000


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_worked_by_hand(engine: Any) -> None:
    """M = 5, s = 1: at t = 2 requests 0 and 1 would need 4 + 3 > 5 at t = 3, so 1 is cancelled; nothing is there from 5 to 10."""
    run = simulate("fcfs", [3, 2, 1, 1], 5, s=1, release=[0, 1, 1, 10], engine=engine, history=True)
    assert run.starts.tolist() == [0, 3, 3, 10]
    assert record(run) == [[1], [1], [1], [1], [0]]
    assert run.flow_times.tolist() == [3, 4, 3, 1]
    assert (run.total_latency, run.mean_latency, run.makespan, run.peak_memory) == (11, 2.75, 11, 5)
    # volumes 9, 5, 2, 2 at 5 a step: 0 has 4 left at time 5/5, so 2 goes first, then 0, then 1: (2 + 11 + 11 + 2)/5
    assert run.volume_bound == Fraction(26, 5) and run.to_volume == pytest.approx(55 / 26)
    assert run.mean_memory == pytest.approx((9 + 5 + 2 + 2 + 2) / 11)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_earlier_release_goes_first_among_equals(engine: Any) -> None:
    late = [3, 2, 1, 1]  # all wait when request 0, which fills the memory, completes at 5
    ranks = [3, 2, 1, 0]  # by release; in `order` request 4 comes before request 3
    for policy, expected in (("fcfs", [3, 2, 0, 1]), ("a-random", ranks), (USERS[4], ranks)):
        run = simulate(
            policy, [5, 1, 1, 1, 1], 5, release=[0, *late], s=[0, 4, 4, 4, 4], order=[0, 4, 3, 2, 1], engine=engine
        )
        assert run.starts.tolist() == [0, *(5 + rank for rank in expected)], run.policy
    run = simulate("h-sf", [5, 2, 1, 1], 5, release=[0, 1, 3, 2], engine=engine, s=[0, 3, 4, 4])
    assert run.starts.tolist() == [0, 7, 6, 5]


def test_ties_are_drawn_among_those_of_one_release_only() -> None:
    counts: dict[str, Counter[tuple[int, ...]]] = {}
    for engine in ENGINES:
        starts = [
            tuple(simulate("a-min-literal", [2, 1, 1, 1], 2, l=1, u=2, release=[0, 2, 1, 1], s=[0, 1, 1, 1], seed=seed,
                           engine=engine).starts.tolist())
            for seed in range(200)
        ]  # fmt: skip
        counts[engine] = Counter(starts)
    assert set(counts["fast"]) == set(counts["reference"])
    for count in counts.values():
        assert all(start[1] > max(start[2:]) for start in count)
        assert 60 < sum(number for start, number in count.items() if start[2] < start[3]) < 140


@part_and_all("seeds", 150, 400)
def test_drawn_runs_have_the_same_mean_in_both_engines(seeds: int) -> None:
    lengths, release = [4, 1, 3, 2, 4, 1, 2, 3], [0, 0, 1, 1, 1, 3, 9, 9]
    for policy in ("a-min-literal", "a-min-cohort"):
        totals = [
            [simulate(policy, lengths, 8, 1, 1, 4, release=release, seed=seed, engine=engine).total_latency
             for seed in range(seeds)]
            for engine in ENGINES
        ]  # fmt: skip
        error = sum(float(np.var(each)) / seeds for each in totals) ** 0.5
        assert error > 0 and abs(np.mean(totals[0]) - np.mean(totals[1])) < 4 * error


@pytest.mark.one_in(3)
@pytest.mark.parametrize("policy", [*UNPACED, *USERS[1:]], ids=lambda policy: policy.name)
def test_runs_shift_with_time_and_separate_batches_do_not_meet(policy: Policy) -> None:
    random_ = random.Random(policy.name)
    for _ in range(8):
        given = instance(random_, policy)
        n, shift = len(given["lengths"]), 600  # a multiple of what the rules of USERS divide by
        del given["release"]
        for engine in ENGINES:
            run, moved, whole = (
                simulate(policy, **given, release=release, engine=engine, seed=3)
                for release in (0, [shift] * n, [0] * n)
            )
            assert everything_of(whole) == everything_of(run)
            if policy.name != "a-min-cohort" or engine == "reference":  # the engines' coins differ
                assert (moved.starts - shift).tolist() == run.starts.tolist()
                assert (moved.total_latency, moved.volume_bound) == (run.total_latency, run.volume_bound)
                assert moved.makespan == run.makespan + shift
            if policy.name not in ("a-min-cohort", "h-windows"):  # windows are made of all requests
                twice: dict[str, Any] = {key: [*given[key]] * 2 for key in ("lengths", "l", "u")}
                twice |= {"s": [*np.broadcast_to(given["s"], n)] * 2, "memory": given["memory"]}
                twice |= {key: [*given[key], *(n + i for i in given[key])] for key in ("order", "ties")}
                both = simulate(policy, **twice, release=[0] * n + [shift] * n, engine=engine)
                assert run.makespan < shift
                assert both.starts.tolist() == [*run.starts, *(run.starts + shift)]
                assert both.total_latency == 2 * run.total_latency and both.volume_bound == 2 * run.volume_bound


def everything_of(run: Run) -> tuple[Any, ...]:
    return run.starts.tolist(), run.bounds.tolist(), run.total_latency, run.cancellations, run.volume_bound


def test_bounds() -> None:
    random_ = random.Random(7)
    for _ in range(200):
        given = instance(random_)
        n = len(given["lengths"])
        run = simulate("h-sf", **{k: v for k, v in given.items() if k not in ("order", "ties")}, engine="reference")
        assert run.volume_bound == volume_bound(given["lengths"], given["memory"], given["s"], given["release"])
        best = flow_bound_in_steps(run.lengths, run.prompts, run.release, run.memory)
        assert run.volume_bound <= best.value <= run.total_latency
        assert volume_bound(given["lengths"], given["memory"], given["s"], [0] * n) == volume_bound(
            given["lengths"], given["memory"], given["s"]
        )
    assert volume_bound([1, 2], 1, 0, [0, 5]) == 1 + 3
    huge = 10**15 - 10**8  # volumes beyond 64 bits
    assert volume_bound([10**8] * 2, 10**15, huge, [0, 10**9]) == Fraction(
        2 * (huge * 10**8 + 10**8 * (10**8 + 1) // 2), 10**15
    )


@pytest.mark.parametrize("release", [
    -1, 0.5, 1.0, float("nan"), "1", True, 10**9 + 1, [0, -1], [0, 0.5], [0, float("nan")], [0], [0, 1, 2],
    np.array([0.0, 1.0]), np.array([0, -1]), [[0, 1]], None,
])  # fmt: skip
def test_wrong_release_times_are_refused_in_one_line(release: Any) -> None:
    for policy in ("fcfs", "a-offset"):
        with pytest.raises(InputError, match="release") as caught:
            simulate(policy, [1, 2], 5, release=release)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("policy", ["a-offset", "a-learn", "best:uniform(l=1, u=4)"])
def test_paced_policies_need_release_0(policy: str) -> None:
    arguments: dict[str, Any] = {"lengths": [1, 4], "memory": 9, "l": 1, "u": 4}
    with pytest.raises(InputError, match=r"release = 2: .* runs by prices: it needs release 0") as caught:
        simulate(policy, **arguments, release=[0, 2])
    assert "\n" not in str(caught.value)
    assert simulate(policy, **arguments, release=[0, 0]) == simulate(policy, **arguments)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_before_a_release(engine: Any) -> None:
    with pytest.raises(Exception, match="not finished at t = 4: 2 requests wait, 0 run"):
        simulate("fcfs", [1, 1, 1], 3, release=[0, 9, 9], limit=4, engine=engine)
    assert simulate("fcfs", [1, 1], 3, release=[0, 10**9], engine=engine).makespan == 10**9 + 1


def test_an_instance_may_have_release_times(tmp_path: Path) -> None:
    given = {"memory": 5, "s": 1, "lengths": [3, 2, 1, 1], "release": [0, 1, 1, 10]}
    file = tmp_path / "instance.json"
    file.write_text(json.dumps(given))
    assert replay(given, "fcfs")["fcfs"].total_latency == replay(file, "fcfs")["fcfs"].total_latency == 11
    runs = replay(given)
    assert {"a-offset", "a-learn"} <= set(runs.left_out) and set(runs) | set(runs.left_out) <= set(POLICIES)
    assert "release" in runs.left_out["a-offset"]
    with pytest.raises(InputError, match="released"):
        replay({**given, "released": 0})


def test_the_default_draws_and_runs_as_before() -> None:
    for policy in ("a-random", "a-min-literal", "a-min-cohort", "a-restart"):
        for engine in ENGINES:
            run = simulate(policy, [3, 1, 2, 4, 1], 7, 1, 1, seed=5, engine=engine)
            assert run == simulate(policy, [3, 1, 2, 4, 1], 7, 1, 1, seed=5, engine=engine, release=[0] * 5)
            assert run.release.tolist() == [0] * 5 and run.flow_times.sum() == run.total_latency
