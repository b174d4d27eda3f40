"""The two engines: known totals, the same integers from both, and the invariants of a run."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from amount import part_and_all
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import SHARED
from whole_run import record

from crtools.process import POLICIES, Livelock, Policy, Run, replay, simulate, volume_bound

INSTANCES = SHARED / "instances.json"
ENGINES = ("reference", "fast")

LOWER_FIRST = Policy(
    "lower-first", priority=lambda r: r.l, assumed=lambda r, age: r.u, longest=lambda r: r.u, fixed=True
)

# (instance, totals, H-SF's starts, cancellations of a-min-literal); the first two are the paper's examples
KNOWN: list[tuple[dict[str, Any], dict[str, int], tuple[int, ...], int]] = [
    (
        {"memory": 10, "s": 1, "l": 1, "u": 4, "lengths": [1] * 5, "order": [0, 1, 4, 3, 2], "ties": [3, 4, 0, 2, 1]},
        {"h-sf": 5, "a-random": 5, "a-max": 9, "a-min-literal": 5},
        (0,) * 5,
        0,
    ),
    (
        {"memory": 7, "s": 1, "l": 1, "u": 4, "lengths": [1, 2, 3, 4], "order": [1, 3, 2, 0], "ties": [3, 2, 0, 1]},
        {"h-sf": 12, "a-random": 17, "a-max": 25, "a-min-literal": 15},
        (0, 0, 0, 2),
        1,
    ),
    (
        {
            "memory": 15,
            "s": 3,
            "l": 1,
            "u": 8,
            "lengths": [1, 2, 1, 1, 6, 5, 6],
            "order": [5, 2, 1, 0, 3, 6, 4],
            "ties": [4, 6, 0, 3, 2, 5, 1],
        },
        {"h-sf": 32, "a-random": 32, "a-max": 76, "a-min-literal": 50},
        (0, 1, 0, 0, 2, 1, 6),
        3,
    ),
    (
        {
            "memory": 51,
            "s": [4, 10, 10, 5, 9, 9, 1],
            "l": [1, 11, 11, 1, 1, 21, 1],
            "u": [10, 20, 20, 10, 10, 30, 10],
            "lengths": [3, 13, 19, 3, 6, 26, 5],
            "order": [5, 1, 0, 6, 2, 4, 3],
            "ties": [4, 1, 0, 2, 6, 3, 5],
        },
        {"h-sf": 91, "a-random": 147, "a-max": 119, "a-min-literal": 107},
        (0, 0, 3, 0, 0, 13, 0),
        4,
    ),
]


def everything(run: Run) -> tuple[Any, ...]:
    """What must agree between the engines."""
    lost = (run.cancellations, run.wasted_tokens)
    kept = None if run.cancelled is None else record(run)
    return (*run.starts.tolist(), run.total_latency, run.makespan, *lost, run.peak_memory, run.mean_memory, kept)


def outcome(*arguments: Any, **options: Any) -> Any:
    try:
        return everything(simulate(*arguments, **options))
    except Livelock as error:
        return str(error)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("instance", "totals", "starts", "cancellations"), KNOWN)
def test_known_instances(instance: dict, totals: dict, starts: tuple, cancellations: int, engine: Any) -> None:
    runs = replay(instance, totals, engine=engine)
    assert {name: run.total_latency for name, run in runs.items()} == totals
    assert runs["h-sf"].schedule.starts == starts
    assert runs["a-min-literal"].cancellations == cancellations
    assert all(run.engine == engine for run in runs.values())


@pytest.mark.parametrize("engine", ENGINES)
def test_shared_instances(engine: Any) -> None:
    if not INSTANCES.exists():
        pytest.skip("the shared instances are not here")
    instances = json.loads(INSTANCES.read_text())["instances"]
    assert len(instances) >= 10
    for instance in instances:
        runs = replay(instance, instance["total_latency"], engine=engine)
        assert {name: run.total_latency for name, run in runs.items()} == instance["total_latency"]
        assert list(runs["h-sf"].schedule.starts) == instance["h_sf_starts"]
        assert runs["a-min-literal"].cancellations == instance["a_min_literal_cancellations"]


@st.composite
def instances(draw: st.DrawFn) -> dict[str, Any]:
    """One interval and one prompt, or intervals and prompts of each request's own; memory from just enough upwards."""
    random_ = draw(st.randoms(use_true_random=False))
    n, most = random_.randint(1, 12), random_.choice((2, 4, 8, 15))
    low = [random_.randint(1, most) for _ in range(n)]
    up = [random_.randint(a, most) for a in low]
    if random_.random() < 0.4:
        low, up = [low[0]] * n, [up[0]] * n
    s = [random_.randint(0, 6) for _ in range(n)] if random_.random() < 0.5 else [random_.randint(0, 4)] * n
    need = max(a + b for a, b in zip(s, up, strict=True))
    return {
        "memory": need + random_.choice((0, 0, 1, 3, 10, 30)),
        "s": s,
        "l": low,
        "u": up,
        "lengths": [random_.randint(a, b) for a, b in zip(low, up, strict=True)],
        "either": [random_.choice((a, b)) for a, b in zip(low, up, strict=True)],
        "order": random_.sample(range(n), n),
        "ties": random_.sample(range(n), n),
        "limit": random_.choice((None, None, 20)),
    }


@part_and_all("examples", 80, 1500)
def test_engines_agree_on_every_deterministic_run(examples: int) -> None:
    @settings(deadline=None, derandomize=True, max_examples=examples)
    @given(instances())
    def agree(instance: dict[str, Any]) -> None:
        either = instance.pop("either")
        for policy in ("h-sf", "a-random", "a-max", "a-min-literal", "a-ell", "a-restart", LOWER_FIRST):
            given_ = {**instance, "lengths": either} if policy == "a-ell" else instance
            assert outcome(policy, **given_, engine="fast") == outcome(policy, **given_, engine="reference"), policy

    agree()


@pytest.mark.parametrize("number", range(6))
def test_engines_agree_on_larger_instances(number: int) -> None:
    random_ = random.Random(number)
    n, most = 60, random_.choice((12, 40))
    low = [random_.randint(1, most) for _ in range(n)]
    up = [random_.randint(a, most) for a in low]
    s = [random_.randint(0, 8) for _ in range(n)]
    lengths = [random_.randint(a, b) for a, b in zip(low, up, strict=True)]
    permutations = {"order": random_.sample(range(n), n), "ties": random_.sample(range(n), n)}
    memory = most + 8 + random_.choice((0, 30, 200))
    for policy in ("h-sf", "a-random", "a-max", "a-min-literal"):
        fast, slow = (
            simulate(policy, lengths, memory, s, low, up, **permutations, engine=e) for e in ("fast", "reference")
        )
        assert everything(fast) == everything(slow)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(instances(), st.integers(0, 10**6))
def test_runs_with_draws_keep_the_rules(instance: dict[str, Any], seed: int) -> None:
    lengths, memory, s = instance["lengths"], instance["memory"], instance["s"]
    for policy in ("a-min-literal", "a-min-cohort"):
        for engine in ENGINES:
            run = simulate(policy, lengths, memory, s, instance["l"], instance["u"], seed=seed, engine=engine)
            schedule = run.schedule
            assert schedule.feasible(memory) and schedule.peak_memory <= run.peak_memory <= memory
            assert (run.total_latency, run.makespan) == (schedule.total_latency, schedule.makespan)
            assert run.mean_memory >= float(schedule.mean_memory) - 1e-9
            assert run.wasted_tokens >= run.cancellations
            assert run.to_volume >= 1
            again = simulate(policy, lengths, memory, s, instance["l"], instance["u"], seed=seed, engine=engine)
            assert everything(again) == everything(run)


def test_a_large_drawn_run_keeps_the_rules() -> None:
    lengths = np.random.default_rng(3).integers(1, 101, 5000)
    for policy in ("a-min-literal", "a-min-cohort"):
        run = simulate(policy, lengths, 10**4, s=2, l=1, engine="fast")
        assert run.schedule.feasible(10**4)
        assert run.schedule.peak_memory <= run.peak_memory <= 10**4
        area = sum(2 * o + o * (o + 1) // 2 for o in lengths.tolist())
        assert area / run.makespan < run.mean_memory <= 10**4


def test_volume_bound() -> None:
    lengths, memory = [3, 1, 2], 6
    volumes = sorted(2 * o + o * (o + 1) // 2 for o in lengths)
    bound = Fraction(volumes[0] + sum(volumes[:2]) + sum(volumes), memory)
    assert volume_bound(lengths, memory, s=2) == bound
    run = simulate("h-sf", lengths, memory, s=2)
    assert run.volume_bound == bound and run.to_volume == pytest.approx(run.total_latency / bound)
    for s, o in ((10**12, 10**8), (10**15 - 10**8, 10**8), (10**15 - 1, 1)):  # beyond 64 bits alone, or in their sum
        size = s * o + o * (o + 1) // 2
        run = simulate("h-sf", [o] * 2, 10**15, s=s)
        assert run.volume_bound == volume_bound([o] * 2, 10**15, s=s) == Fraction(3 * size, 10**15)
        assert run.mean_memory == pytest.approx(2 * size / run.makespan)
    huge = volume_bound([10**8] * 3000, 2 * 10**8)
    assert huge == Fraction((10**8 * (10**8 + 1) // 2) * (3000 * 3001 // 2), 2 * 10**8)


def test_what_cancellations_held_is_exact_beyond_64_bits() -> None:
    memory, s = 10**15, 5 * 10**14 - 60_000
    run = simulate("a-restart", [30_000, 20_000, 35_000, 40_000] * 2, memory, s, 1, 40_000, engine="fast", history=True)
    assert run.cancelled is not None
    held = sum(s * o + o * (o + 1) // 2 for o in (*run.cancelled.age.tolist(), *run.lengths.tolist()))
    assert s * run.wasted_tokens > 2**63  # what the compiled loops count in
    assert run.mean_memory == pytest.approx(held / run.makespan)


def test_switch_says_what_ran() -> None:
    low = simulate("switch", [1, 10, 1], 20, l=1, u=10)
    high = simulate("switch", [5, 10, 7], 20, l=5, u=10)
    assert (low.policy, low.ran) == ("switch", "a-ell")
    assert (high.policy, high.ran) == ("switch", "a-min-literal")
    # α* = (3 − √5)/2 = 0.38196601…: the convergents 13/34 and 21/55 of the golden section lie on either side
    assert simulate("switch", [34, 13], 60, l=13, u=34).ran == "a-min-literal"
    assert simulate("switch", [55, 21], 60, l=21, u=55).ran == "a-ell"


def test_a_min_alone_is_the_literal_one() -> None:
    assert simulate("a-min", [1, 2], 9).policy == "a-min-literal"


def test_order_stands_for_a_seed() -> None:
    lengths = np.random.default_rng(5).integers(1, 9, 200)
    for policy in ("a-random", "a-max"):
        runs = [simulate(policy, lengths, 60, seed=4, engine=e) for e in ENGINES]
        assert everything(runs[0]) == everything(runs[1])
        assert everything(simulate(policy, lengths, 60, seed=5)) != everything(runs[0])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_limit_turns_into_an_error_that_shows_the_state(policy: str, engine: Any) -> None:
    with pytest.raises(Livelock, match=r"not finished at t = 3: \d+ requests wait, \d+ run") as caught:
        simulate(policy, [4] * 6, 8, l=4, u=4, limit=3, engine=engine)
    own = POLICIES[policy]
    state = caught.value.running, caught.value.waiting
    if own.limit is not None or (own.plan is not None and own.plan.boxes):  # coins say who runs
        assert sum(state) >= 6 > state[0] > 0
        return
    running = 3 if own.paced and own.plan is None else 2  # credit 8, 10 spent: −2, 6, 14, so the second starts at t = 2
    assert state == (running, 6 - running)
