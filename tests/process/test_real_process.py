"""Clocks, kept tokens, and the rules victim, reserve, limit and opens: both engines, a literal loop, and runs worked by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from amount import part_and_all

from crtools.blind.expected_work import expected_work
from crtools.errors import InputError, Livelock
from crtools.process import Policy, Run, simulate
from crtools.process.clocks import Clock, as_clock
from crtools.process.policies import Now, parallel_limit

ENGINES: tuple[Any, ...] = ("reference", "fast")
CLOCKS: tuple[Any, ...] = ("steps", "seconds", (0.5, 0.1, 0.01), (0, 0.2, 0.003), (1, 0, 0))
HISTORY = (np.repeat([1, 4, 8], 30), np.tile([1, 1, 9], 30))

POLICIES = [
    Policy("large-victim", priority=lambda r: r.s, assumed=lambda r, age: age + 1, victim=lambda r, age: -(r.s + age)),
    Policy(
        "limited", priority=lambda r: (r.release, r.s), assumed=lambda r, age: age + 1, overflow="latest", reserve=0.1,
        limit=lambda r, now: 1 + now.waiting / 3 + now.held / (now.memory + 1) + now.time / 10 + now.output / (now.completed + 1),
    ),
    Policy(
        "sometimes", priority=lambda r: r.s, assumed=lambda r, age: age + 1, overflow="latest",
        opens=lambda now: now.running < 3 or now.waiting > 2,
    ),
    Policy(
        "predicted", priority=lambda r: r.predicted, assumed=lambda r, age: max(r.predicted, age + 1), overflow=True,
    ),
    Policy(
        "doubling", priority=lambda r: r.bound, assumed=lambda r, age: min(2 * r.bound, r.u), longest=lambda r: r.u,
        cancel=lambda r, age, draw: 2 * r.bound if age >= 2 * r.bound and age < r.u else None, overflow="latest",
    ),
    Policy(
        "kept-first", priority=lambda r: -r.kept, assumed=lambda r, age: 3, overflow=True,
    ),
    Policy(
        "reserved", priority=lambda r: r.s, assumed=lambda r, age: r.u, longest=lambda r: r.u, peaks=True,
        reserve=lambda clock: 0.2 if clock.per_token else 0.1,
    ),
    expected_work(HISTORY, classes=3, kappa=2.5, load=0.5),
]  # fmt: skip
NAMES: list[Any] = ["fcfs", "h-sf", "h-volume", "h-work", "shortest-prompt", "a-random"]
VARIANTS: list[Any] = [expected_work(HISTORY, classes=3), expected_work(cap=False), "expected-work"]
"""What one policy runs as with other arguments: in the exhaustive run."""


def instance(random: np.random.Generator) -> dict[str, Any]:
    n = int(random.integers(1, 12))
    lengths, s = random.integers(1, random.integers(2, 14), n), random.integers(0, random.integers(1, 9), n)
    clock = CLOCKS[random.integers(len(CLOCKS))]
    last = int(random.choice([0, 3, 20]))
    return {
        "lengths": lengths,
        "memory": int((s + lengths.max()).max() + random.integers(0, 15)),
        "s": s,
        "release": random.integers(0, last + 1, n) if clock == "steps" else random.choice([1, 0.05]) * last * random.random(n),
        "clock": clock,
        "preemption": str(random.choice(["restart", "resume"])),
        "predicted": random.integers(1, 14, n),
        "order": random.permutation(n),
    }  # fmt: skip


def numbers(run: Run) -> list[Any]:
    """What both engines must agree on exactly."""
    cancelled: Any = run.cancelled
    columns = (run.starts, run.ends, run.bounds, cancelled.request, cancelled.start, cancelled.age, cancelled.kept)
    amounts = (
        run.cancellations,
        run.tokens_lost,
        run.tokens_prefilled_again,
        run.peak_memory,
        run.mean_memory,
        run.hindsight,
    )
    return [*(column.tolist() for column in columns), amounts]


def close(one: Run, other: Run) -> bool:
    """Whether times agree to a relative 1e-9, and exactly in steps."""
    pairs = ((one.completion_times, other.completion_times), (one.time_to_first_token, other.time_to_first_token))
    if one.clock == "steps":
        return all(a.dtype == np.int64 and np.array_equal(a, b) for a, b in pairs)
    return all(np.allclose(a, b, rtol=1e-9, atol=1e-12) for a, b in pairs)


@pytest.mark.parametrize(
    "policy",
    [*POLICIES, *NAMES, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in VARIANTS)],
    ids=lambda policy: getattr(policy, "name", policy),
)
@part_and_all("examples", 20, 600)
def test_engines_agree(policy: Any, examples: int) -> None:
    random = np.random.default_rng(len(getattr(policy, "name", policy)))
    for _ in range(examples):
        given = instance(random)
        runs: list[Any] = []
        for engine in ENGINES:
            try:
                runs.append(simulate(policy, **given, engine=engine, history=True, limit=5000))
            except (InputError, Livelock) as error:  # also where a rule lets memory overflow
                runs.append(str(error))
        if any(isinstance(run, str) for run in runs):
            assert runs[0] == runs[1]
            continue
        slow, fast = runs
        assert fast.engine == "fast" and not fast.note
        assert numbers(slow) == numbers(fast) and close(slow, fast), given
        assert fast.to_bound > 1 - 1e-9 and (fast.flow_times >= fast.time_to_first_token - 1e-12).all()
        held = np.zeros(int(fast.ends.max()) + 1, np.int64)
        steps = np.zeros(fast.n, np.int64)
        for i, start, end, kept in zip(*vars(fast.episodes).values(), strict=True):
            held[start + 1 : end + 1] += fast.prompts[i] + kept + np.arange(1, end - start + 1)
            steps[i] += end - start
        assert held.max() == fast.peak_memory <= given["memory"]
        expected = fast.lengths if fast.preemption == "resume" else fast.lengths + np.bincount(
            fast.cancelled.request, fast.cancelled.age, fast.n
        ).astype(np.int64)  # fmt: skip
        assert steps.tolist() == expected.tolist()


@pytest.mark.parametrize("clock", ["steps", (1, 0.01, 0)])
@pytest.mark.parametrize("name", ["a-learn", "best:uniform(l=1, u=13)"])
def test_lazy_kills_in_seconds_and_where_prompts_differ(name: str, clock: Any) -> None:
    random, cancelled = np.random.default_rng(8), 0
    for n in (40, 40, 40, 60, 200):
        lengths, s = np.where(random.random(n) < 0.7, 1, 13), random.integers(1, 9, n)
        given: dict[str, Any] = {"l": 1, "u": 13, "clock": clock, "history": True, "seed": n}
        slow, fast = (simulate(name, lengths, 90, s, **given, engine=engine) for engine in ENGINES)
        assert numbers(slow) == numbers(fast) and close(slow, fast)
        cancelled += fast.cancellations
        in_order = simulate("fcfs", lengths, 90, s, **given, engine="fast")
        assert fast.total_latency < in_order.total_latency
    assert cancelled > 10


def test_a_kill_age_is_used_at_the_instant_at_which_it_is_reached() -> None:
    prompts = [3, 3, 5, 3, 4, 0, 3, 5, 3, 4, 1, 4, 0, 2, 5, 3, 4, 5, 5, 4, 2, 2, 3, 4, 5, 5, 5, 4, 5, 3]
    outputs = [12, 1, 15, 3, 1, 1, 1, 1, 1, 10, 3, 13, 11, 1, 1, 3, 1, 1, 1, 1, 20, 20, 1, 1, 1, 1, 1, 15, 3, 3]
    policy = expected_work((np.array(prompts), np.array(outputs)), classes=2, gain=0, cap=False)
    lengths, s = [18, 11, 1, 15, 1, 1, 18, 13], [0, 2, 2, 4, 0, 3, 0, 4]
    slow, fast = (simulate(policy, lengths, 19, s, clock="seconds", engine=engine, history=True) for engine in ENGINES)
    assert numbers(slow) == numbers(fast) and close(slow, fast)
    assert fast.cancellations > 0


def test_a_request_that_runs_alone_may_use_the_reserve_and_keeps_others_out() -> None:
    policy = Policy("reserving", lambda r: r.queue_number, lambda r, age: r.length, reserve=0.25)
    runs = [simulate(policy, [4, 1], 5, clock=(1, 0, 0), engine=engine) for engine in ENGINES]
    assert [run.flow_times.tolist() for run in runs] == [[4, 5], [4, 5]]  # 4 tokens are more than ⌊0.75 · 5⌋


def literal(given: dict[str, Any]) -> tuple[list[float], int]:
    """First come first served, written down again: completion times, and the tokens prefilled again."""
    base, per_token, per_held = (
        as_clock(given["clock"]).base,
        as_clock(given["clock"]).per_token,
        as_clock(given["clock"]).per_held,
    )
    n, memory, s, o = len(given["lengths"]), given["memory"], given["s"], given["lengths"]
    order = sorted(range(n), key=lambda i: (given["release"][i], i))
    have, ran, done = dict.fromkeys(order, 0), list[int](), dict[int, float]()
    time, again, started = 0.0, 0, set[int]()
    while len(done) < n:
        for i in [i for i in ran if have[i] == o[i]]:
            done[i] = time
            ran.remove(i)
        while sum(s[i] + have[i] + 1 for i in ran) > memory:
            i = ran.pop()
            have[i] = have[i] if given["preemption"] == "resume" else 0
        present = [i for i in order if given["release"][i] <= time and i not in done and i not in ran]
        if not present and not ran and len(done) < n:
            time = min(given["release"][i] for i in order if i not in done)
            continue
        processed = len(ran)
        for i in present:
            if sum(s[j] + have[j] + 1 for j in [*ran, i]) > memory:
                break
            ran.append(i)
            processed += s[i] + have[i]
            again += int(s[i] + have[i]) if i in started else 0
            started.add(i)
        for i in ran:
            have[i] += 1
        time += base + per_token * processed + per_held * sum(s[i] + have[i] for i in ran)
    return [done[i] for i in range(n)], again


def test_a_literal_loop_agrees() -> None:
    random = np.random.default_rng(2)
    cancelled = 0
    for _ in range(150):
        given = instance(random)
        completions, again = literal(given)
        run = simulate("fcfs", **given, engine="fast")
        assert np.allclose(run.completion_times, completions, rtol=1e-9) and run.tokens_prefilled_again == again
        assert run.total_latency == pytest.approx(sum(completions) - sum(np.broadcast_to(given["release"], run.n)))
        cancelled += run.cancellations
    assert cancelled > 50


@pytest.mark.parametrize("engine", ENGINES)
def test_runs_worked_by_hand(engine: Any) -> None:
    """M = 6: at 1 request 2 is cancelled with 1 token, at 2 request 1 with 2; both keep them, and need one step each."""
    run = simulate("fcfs", [3, 3, 2], 6, 1, preemption="resume", engine=engine, history=True)
    assert run.ends.tolist() == [3, 4, 5] and run.starts.tolist() == [0, 3, 4]
    assert (run.cancellations, run.tokens_lost, run.tokens_prefilled_again) == (2, 0, (1 + 2) + (1 + 1))
    assert run.time_to_first_token.tolist() == [1, 1, 1] and run.mean_memory == (9 + 9 + 5) / 5
    # seconds: the first step takes 1 + 2·(3 + 4) and holds 4 + 5; then one token each
    run = simulate("fcfs", [1, 2], 20, [3, 4], clock=(1, 2, 0.5), release=[0.5, 0.5], engine=engine)
    assert run.completion_times.tolist() == [0.5 + 1 + 14 + 4.5, 20 + 1 + 2 + 3] and run.makespan == 26
    assert run.time_to_first_token.tolist() == [19.5, 19.5] and run.starts.tolist() == [0, 0]
    # a gap: the clock jumps to 9, and no step is counted
    run = simulate("fcfs", [1, 1], 20, 0, clock=(1, 0, 0), release=[0, 9], engine=engine)
    assert run.completion_times.tolist() == [1, 10] and run.starts.tolist() == [0, 1]


@pytest.mark.parametrize("engine", ["reference", pytest.param("fast", marks=pytest.mark.exhaustive)])
def test_a_reserve_a_limit_and_a_victim(engine: Any) -> None:
    def with_(**rules: Any) -> Policy:
        rest = {} if "victim" in rules else {"overflow": "latest"}
        return Policy("mine", priority=lambda r: r.index, assumed=lambda r, age: age + 1, **rest, **rules)

    # M·(1 − 0.3) = 7: three of two tokens each fit, four need 8; alone, a request may fill all of M
    assert simulate(with_(reserve=0.3), [1] * 4, 10, 1, engine=engine).starts.tolist() == [0, 0, 0, 1]
    assert simulate(with_(reserve=0.3), [1, 1], 10, [9, 1], engine=engine).starts.tolist() == [0, 1]
    assert simulate(with_(reserve=0.3), [1] * 4, 8, 1, engine=engine).starts.tolist() == [0, 0, 1, 1]  # 5.6
    assert simulate(with_(limit=lambda r, now: 2), [2, 1, 1], 90, 1, engine=engine).starts.tolist() == [0, 0, 1]
    assert simulate(with_(limit=lambda r, now: 0), [2, 1, 1], 90, 1, engine=engine).starts.tolist() == [0, 2, 3]
    assert simulate(with_(reserve=0.9), [1, 1, 1], 10, 0, engine=engine).starts.tolist() == [0, 1, 2]  # 1 token of 10
    # at 1 both hold 2 and would need 6 at 2: the larger prompt goes, of equals the latest admitted
    run = simulate(with_(victim=lambda r, age: -r.s), [2, 2], 5, [1, 1], engine=engine, history=True)
    assert run.cancelled is not None and run.cancelled.request.tolist() == [1]
    run = simulate(with_(victim=lambda r, age: -r.s), [2, 2], 6, [2, 1], engine=engine, history=True)
    assert run.cancelled is not None and run.cancelled.request.tolist() == [0]
    opens = with_(opens=lambda now: now.time >= 3)
    assert simulate(opens, [1, 1], 90, 1, engine=engine).starts.tolist() == [3, 3]
    assert simulate(opens, [1, 1], 90, 1, engine=engine, clock=(1, 0, 0)).starts.tolist() == [3, 3]
    with pytest.raises(Livelock):
        simulate(with_(opens=lambda now: now.time < 0), [1, 1], 90, 1, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_victims_that_never_complete_end_at_the_limit(engine: Any) -> None:
    oldest = Policy("oldest", priority=lambda r: 0, assumed=lambda r, age: age + 1, victim=lambda r, age: -age)
    with pytest.raises(Livelock, match="oldest"):
        simulate(oldest, [3, 3], 5, 1, engine=engine)
    assert simulate(oldest, [3, 3], 5, 1, engine=engine, preemption="resume").makespan == 5


def test_h_work_is_h_volume_in_steps_and_limits_in_seconds() -> None:
    random = np.random.default_rng(3)
    lengths, s = random.integers(1, 40, 200), random.integers(0, 90, 200)
    one, other = (simulate(name, lengths, 900, s) for name in ("h-work", "h-volume"))
    assert one.starts.tolist() == other.starts.tolist() and one.hindsight and other.hindsight
    order = np.argsort(s * lengths + lengths * (lengths + 1) // 2, kind="stable")
    assert (np.diff(other.starts[order]) >= 0).all()
    now = Now(0, 5, 15, 0, 900, 0, 0, 0.5, 0.01, 0)
    assert parallel_limit(40, 10, now) == pytest.approx(2 * 20 * 0.5 * 40 / (0.01 * 50))
    run = simulate("h-work", [40] * 300, 10**6, 10, clock=(0.5, 0.04, 0), engine="fast")
    at_first = int((run.starts == 0).sum())
    assert at_first == math.floor(math.sqrt(4 * 2 * 300 * 0.5 * 40 / (0.04 * 50)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clock": "hours"}, "clock"), ({"clock": (1, 2)}, "clock"), ({"clock": (0, 0, 1)}, "base"), ({"clock": (1, -1, 0)}, "finite"),
        ({"clock": (math.nan, 1, 0)}, "finite"),
        ({"clock": Clock("seconds", math.nan, 1, 0)}, "finite"), ({"release": [0.5, 1]}, "release"), ({"release": [-1, 0]}, "release"),
        ({"release": [0.5, -1], "clock": "seconds"}, "release"), ({"release": [0, math.nan], "clock": "seconds"}, "release"),
        ({"release": [0, 1, 2], "clock": "seconds"}, "release"), ({"predicted": [1]}, "predicted"), ({"predicted": [0, 1]}, "predicted"),
        ({"clock": (0, 1, 0), "s": [0, 1]}, "no time"), ({"clock": (1, 2e9, 0)}, "at most"),
        ({"preemption": "swap"}, "preemption"), ({"policy": POLICIES[3]}, "predicted"),
        ({"policy": "a-offset", "clock": "seconds"}, "prices"),
        ({"policy": "a-learn", "preemption": "resume", "clock": "seconds"}, "prices"), ({"policy": "a-offset", "release": 1}, "prices"),
    ],
)  # fmt: skip
def test_refusals(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        simulate(**{"policy": "fcfs", "lengths": [2, 3], "memory": 9, **arguments})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"reserve": 1}, "reserve"), ({"reserve": -0.1}, "reserve"), ({"victim": lambda r, age: 0, "overflow": True}, "victim"),
        ({"limit": lambda now: 1}, "limit"), ({"opens": 3}, "opens"), ({"victim": lambda r: 1}, "victim"),
        ({"victim": lambda r, age: 0, "paced": True}, "paced"),
    ],
)  # fmt: skip
def test_refused_rules(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Policy("mine", priority=lambda r: 0, assumed=lambda r, age: age + 1, **rules)


@pytest.mark.parametrize("engine", ENGINES)
def test_rules_must_return_numbers(engine: Any) -> None:
    for rules in ({"limit": lambda r, now: "two"}, {"victim": lambda r, age: None}):
        policy = Policy("mine", priority=lambda r: 0, assumed=lambda r, age: age + 1, **rules)  # pyright: ignore
        with pytest.raises(InputError, match="must return numbers"):
            simulate(policy, [3, 3], 5, 1, engine=engine)
