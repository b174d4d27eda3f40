"""Policies of one's own from event to event: the integers of the reference engine, its errors, and its distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from amount import part_and_all
from hypothesis import given, settings
from hypothesis import strategies as st
from whole_run import record

from crtools import InputError, Policy, simulate
from crtools.errors import Livelock
from crtools.process import POLICIES, ages, coins, events, lanes, tabled
from crtools.process.asking import Age, NotTraced, Rule
from crtools.process.instance import last_in_turn
from crtools.process.kernels import ends
from crtools.process.lanes import Many
from crtools.process.tabled import run_from_table


@st.composite
def runs(draw: st.DrawFn) -> tuple[Policy, dict[str, Any]]:
    """A policy put together from rules, sensible and not, and an instance that it may run."""
    r = draw(st.randoms(use_true_random=False))
    n, most = r.randint(1, 9), r.choice((3, 6, 12, 20))
    low = [r.randint(1, most) for _ in range(n)]
    up = [r.randint(a, most) for a in low]
    s = [r.randint(0, 5) for _ in range(n)] if r.random() < 0.5 else [r.randint(0, 3)] * n
    number = [r.randint(-3, 12) for _ in range(12)]
    priorities = (
        lambda q: q.l, lambda q: q.bound, lambda q: q.joined, lambda q: -q.length, lambda q: 0,
        lambda q: (q.bound, q.s), lambda q: (q.u - q.l) / q.u,
    )  # fmt: skip
    assumed = (
        lambda q, age: q.u,
        lambda q, age: q.bound,
        lambda q, age: max(q.bound, age + 1),
        lambda q, age: min(2 * q.bound, q.u),
        lambda q, age: age + 1,
        lambda q, age: max(q.bound, age + 2),
        lambda q, age: max(q.length - age // 2, age + 1),
        lambda q, age: q.length if age < 2.5 else q.u - age,
        lambda q, age: q.length + number[(age + q.index) % 12],
        lambda q, age: age + 1 + abs(number[(q.index + q.bound) % 12]),
    )
    cancel = (
        None,
        None,
        lambda q, age, toss: min(2 * q.bound, q.u) if age == q.bound < q.u else None,
        lambda q, age, toss: q.bound + 3 if q.bound <= age < q.u else None,
        lambda q, age, toss: age + 1 if 2 * age > 3 + q.bound and age + q.joined < 9 else None,
        lambda q, age, toss: age + 1 if age >= q.bound and number[(age + q.joined) % 12] > 3 else None,
    )
    policy = Policy(
        "own", priority=r.choice(priorities), assumed=r.choice(assumed), cancel=r.choice(cancel),
        equals=r.choice(("index", "order", "ties")), overflow=r.choice((False, True, "latest")), peaks=r.random() < 0.3,
        longest=r.choice((lambda q: q.u, lambda q: max(q.length, 1))),
    )  # fmt: skip
    return policy, {
        "lengths": [r.randint(a, b) for a, b in zip(low, up, strict=True)],
        "memory": max(a + b for a, b in zip(s, up, strict=True)) + r.choice((0, 0, 1, 3, 10, 30)),
        "s": s, "l": low, "u": up, "order": r.sample(range(n), n), "ties": r.sample(range(n), n),
        "limit": r.choice((200, 200, 30)),
    }  # fmt: skip


def outcome(policy: Policy, given_: dict[str, Any], engine: Any) -> Any:
    """Everything that the engines must agree on, errors included."""
    try:
        run = simulate(policy, **given_, engine=engine, history=True)
    except (InputError, Livelock) as error:
        return str(error)
    assert run.engine == engine
    counts = (run.total_latency, run.cancellations, run.wasted_tokens, run.peak_memory, run.mean_memory)
    return run.starts.tolist(), run.bounds.tolist(), record(run), counts


@part_and_all("examples", 250, 4000)
def test_any_policy_runs_as_in_the_reference_engine(examples: int) -> None:
    seen = {"cancelled": 0, "stopped": 0, "too much": 0, "smooth": 0}

    @settings(deadline=None, derandomize=True, max_examples=examples, database=None)
    @given(runs())
    def agree(run: tuple[Policy, dict[str, Any]]) -> None:
        found = outcome(*run, "fast")
        assert found == outcome(*run, "reference")
        if isinstance(found, str):
            seen["too much" if "memory" in found else "stopped"] += 1
        else:
            seen["cancelled" if found[3][1] else "smooth"] += 1

    agree()
    assert min(seen.values()) > 5, seen


@pytest.mark.parametrize("what", ["release", "room"])
def test_a_wrong_projection_is_seen(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    exact = getattr(ends.for_python(), what)
    late = {"release": lambda *given_: exact(*given_) + 1, "room": lambda *given_: exact(*given_) - 1}
    lengths = np.random.default_rng(1).integers(1, 13, 40)
    own = replace(POLICIES["a-restart"], kernel=None)
    runs_ = [simulate(own, lengths, 30, 1, 1, 12, seed=2, engine="reference").starts.tolist()]
    runs_.append(simulate(own, lengths, 30, 1, 1, 12, seed=2, engine="fast").starts.tolist())
    monkeypatch.setattr(ends.for_python(), what, late[what])
    monkeypatch.setattr(events, "run_from_table", lambda *given_: None)  # compiled as a whole, with its own ends
    try:
        runs_.append(simulate(own, lengths, 30, 1, 1, 12, seed=2, engine="fast", limit=2000).starts.tolist())
    except Livelock:
        runs_.append([])
    assert runs_[0] == runs_[1] != runs_[2]


@part_and_all("examples", 100, 2000)
def test_the_loop_without_a_table_runs_as_the_reference_engine_too(
    examples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[bool] = []

    def kept_apart(*given_: Any) -> None:
        found.append(run_from_table(*given_) is not None)

    @settings(deadline=None, derandomize=True, max_examples=examples, database=None)
    @given(runs())
    def agree(run: tuple[Policy, dict[str, Any]]) -> None:
        assert outcome(*run, "fast") == outcome(*run, "reference")

    monkeypatch.setattr(events, "run_from_table", kept_apart)
    agree()
    assert min(found.count(True), found.count(False)) > examples // 20


@pytest.mark.parametrize(("column", "by"), [("ASSUMED", 1), ("GOES", 1), ("BECOMES", 1), ("KEY", -1)])
def test_a_wrong_table_is_seen(monkeypatch: pytest.MonkeyPatch, column: str, by: int) -> None:
    lengths = np.random.default_rng(1).integers(1, 13, 40)
    own = Policy(
        "own", priority=lambda r: (r.bound, r.joined), assumed=lambda r, age: r.bound, longest=lambda r: r.u,
        cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.u else None,
    )  # fmt: skip
    starts = [simulate(own, lengths, 30, 1, 1, 12, engine=engine).starts.tolist() for engine in ("reference", "fast")]
    exact = tabled.Tabled.enter_states

    def wrong(self: Any, keys: Any, said: Any) -> None:
        first = len(self.states)
        exact(self, keys, said)
        self.table[first : len(self.states), getattr(self.kernel, column)] += by

    monkeypatch.setattr(tabled.Tabled, "enter_states", wrong)
    assert starts[0] == starts[1] != _starts_or_error(own, lengths)


def _starts_or_error(own: Policy, lengths: Any) -> Any:
    try:
        return simulate(own, lengths, 30, 1, 1, 12, engine="fast").starts.tolist()
    except (InputError, Livelock) as error:
        return str(error)


@pytest.mark.parametrize(
    ("rules", "fits"),
    [
        ({}, True),
        ({"priority": lambda r: -2 * r.joined + r.l}, True),
        ({"priority": lambda r: (r.l / 3, r.joined, r.s)}, True),
        ({"priority": lambda r: 1 / (1 + r.joined)}, False),
        ({"priority": lambda r: 0 if r.joined > 3 else 1}, False),
        ({"priority": lambda r: 0.5 if r.l > 1 else 1}, False),
        ({"priority": lambda r: (0, 1, 2, r.l)}, False),
        ({"priority": lambda r: sorted(vars(r).items())[0][1]}, False),
        ({"assumed": lambda r, age: r.u + r.joined}, False),
        ({"assumed": lambda r, age: r.u + 2**70}, False),
        ({"cancel": lambda r, age, draw: r.bound + 1 if draw() < 0.1 and r.bound < 9 else None}, True),
        ({"cancel": lambda r, age, draw: age + 1 if age > 1 and draw() < 1 / (r.s + age + 1) else None}, True),
        ({"cancel": lambda r, age, draw: age if draw() >= 0.9 else None}, True),
        ({"cancel": lambda r, age, draw: age + 1 if draw() + draw() < 0.5 else None}, False),
        ({"cancel": lambda r, age, draw: age + 1 if 0.1 < draw() < 0.3 else None}, False),
        ({"cancel": lambda r, age, draw: age + 1 + int(2 * draw()) if age == 2 else None}, False),
        ({"cancel": lambda r, age, draw: age + 1 if draw() < 0.3 and isinstance(age, int) else None}, False),
        ({"priority": lambda r: r.bound, "equals": "ties"}, True),
        ({"priority": lambda r: (r.bound, r.joined), "equals": "ties"}, False),
    ],
)
def test_what_a_table_holds(monkeypatch: pytest.MonkeyPatch, rules: dict[str, Any], fits: bool) -> None:
    held: list[bool] = []

    def noted(*given_: Any) -> Any:
        found = run_from_table(*given_)
        held.append(found is not None)
        return found

    monkeypatch.setattr(events, "run_from_table", noted)
    table: dict[str, Any] = {"name": "own", "priority": lambda r: r.l, "assumed": lambda r, age: r.u, **rules}
    given_: dict[str, Any] = {
        "lengths": [3, 1, 2, 4, 2],
        "memory": 9,
        "s": [1, 0, 2, 1, 0],
        "l": [2, 1, 1, 1, 2],
        "u": 4,
    }
    one, two = (outcome(Policy(**table), given_, engine) for engine in ("fast", "reference"))
    assert held == [fits]
    assert one == two or "cancel" in rules or "equals" in rules  # which draw


@st.composite
def drawing(draw: st.DrawFn) -> tuple[Policy, dict[str, Any]]:
    """A policy that draws ties or coins or both, and an instance."""
    policy, given_ = draw(runs())
    r = draw(st.randoms(use_true_random=False))
    tossed = (
        policy.cancel,
        lambda q, age, toss: age + 1 if age >= q.bound and toss() < 1 / (q.s + age + 1) else None,
        lambda q, age, toss: max(q.bound, age + 1) if toss() <= 0.2 else None,
        lambda q, age, toss: q.bound + 1 if toss() > 0.5 + q.bound / (4 + 2 * age) else None,
        lambda q, age, toss: None if age > 5 else age + 2 if toss() < age * 0.05 else age + 1 if age == 5 else None,
        lambda q, age, toss: age + 1 if toss() < min(0.3, age / 40) and age < 9 else None,
    )
    priority = r.choice((policy.priority, lambda q: q.bound, lambda q: (q.s, -q.bound), lambda q: 0))
    given_.pop("ties")
    given_ |= {"seed": r.randint(0, 99), "limit": 400}
    if r.random() < 0.3:  # more than the first stretch of numbers
        given_ |= {"lengths": [40 + 7 * o for o in given_["lengths"]], "u": 200, "memory": 420, "limit": 1500}
    return replace(policy, cancel=r.choice(tossed), priority=priority, equals=r.choice(("ties", "index"))), given_


@part_and_all("examples", 120, 4000)
def test_what_is_drawn_is_the_same_with_and_without_a_table(examples: int, monkeypatch: pytest.MonkeyPatch) -> None:
    held = {True: 0, False: 0}
    cancelled: list[int] = []

    def noted(*given_: Any) -> Any:
        found = run_from_table(*given_)
        held[found is not None] += 1
        return found

    @settings(deadline=None, derandomize=True, max_examples=examples, database=None)
    @given(drawing())
    def agree(run: tuple[Policy, dict[str, Any]]) -> None:
        monkeypatch.setattr(events, "run_from_table", noted)
        found = outcome(*run, "fast")
        monkeypatch.setattr(events, "run_from_table", lambda *given_: None)
        assert found == outcome(*run, "fast")
        cancelled.append(0 if isinstance(found, str) else found[3][1])

    agree()
    assert held[True] > examples // 3 and sum(map(bool, cancelled)) > examples // 5, (held, sum(map(bool, cancelled)))


def asked(monkeypatch: pytest.MonkeyPatch, few: int) -> list[int]:
    """Have the rules asked together where there are so many states; return how many were, each time, as it runs."""
    together: list[int] = []
    exact = tabled.Tabled.enter_states

    def noted(self: Any, keys: Any, said: Any) -> None:
        together.append(len(keys))
        exact(self, keys, said)

    monkeypatch.setattr(tabled, "FEW", few)
    monkeypatch.setattr(tabled.Tabled, "enter_states", noted)
    return together


@part_and_all("examples", 80, 3000)
def test_states_asked_of_together_are_those_asked_of_alone(examples: int) -> None:
    sizes: list[int] = []

    @settings(deadline=None, derandomize=True, max_examples=examples, database=None)
    @given(drawing(), st.booleans())
    def agree(run: tuple[Policy, dict[str, Any]], doubled: bool) -> None:
        policy, given_ = run
        if doubled:
            given_ |= {"lengths": given_["lengths"] * 3, "s": given_["s"] * 3, "l": given_["l"] * 3, "order": None}
            given_["u"] = given_["u"] if isinstance(given_["u"], int) else given_["u"] * 3
        found: list[Any] = []
        for few in (2, 10**9):
            with pytest.MonkeyPatch.context() as patch:
                sizes.extend(asked(patch, few))
                found.append(outcome(policy, given_, "fast"))
        assert found[0] == found[1]

    agree()


OWN = replace(POLICIES["a-min-cohort"], name="own", kernel=None)
LENGTHS = np.random.default_rng(1).integers(1, 300, 100)
BOUNDS = np.random.default_rng(2).integers(1, LENGTHS + 1)
GIVEN: dict[str, Any] = {"lengths": LENGTHS, "memory": 900, "s": [k % 3 for k in range(100)], "l": BOUNDS, "u": 300}


@pytest.mark.parametrize(
    ("rules", "fits"),
    [
        ({}, True),
        ({"equals": "index"}, True),
        ({"peaks": False}, True),
        ({"cancel": lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.u else None}, True),
        (
            {"cancel": lambda r, age, draw: age + 1 if age > 0.8 * r.bound and draw() < r.bound / (r.u * 99) else None},
            True,
        ),
        ({"cancel": lambda r, age, draw: age + 1 if age / 3 > r.bound // 2 and draw() < r.l % 3 / 99 else None}, True),
        ({"assumed": lambda r, age: max(r.bound, age + 1) if r.bound % 4 else max(r.bound + 1, age + 1)}, True),
        ({"priority": lambda r: (r.u - r.bound) / r.u}, True),
        ({"assumed": lambda r, age: max([0, *range(1, 301)][r.bound], age + 1)}, False),
        ({"assumed": lambda r, age: max({k: k for k in range(301)}[r.bound], age + 1)}, False),
        ({"assumed": lambda r, age: max(r.bound if isinstance(r.bound, int) else r.bound + 1, age + 1)}, False),
        ({"priority": lambda r: r.bound if isinstance(r.bound, int) else -r.bound}, False),
        (
            {"cancel": lambda r, age, draw: age + 1 if isinstance(r.s, int) < age - r.bound and draw() < 0.1 else None},
            False,
        ),
        (
            {"cancel": lambda r, age, draw: age + 1 if draw() < 1 / (9 + age + isinstance(r.bound, int)) else None},
            False,
        ),
    ],
)
def test_which_rules_are_asked_together(monkeypatch: pytest.MonkeyPatch, rules: dict[str, Any], fits: bool) -> None:
    own, found = replace(OWN, **rules), []
    for few in (8, 10**9):
        with monkeypatch.context() as patch:
            sizes = asked(patch, few)
            found.append((outcome(own, GIVEN, "fast"), max(sizes)))
    assert found[0][0] == found[1][0] and not isinstance(found[0][0], str)
    assert found[1][1] == 1 and (found[0][1] > 1) == fits


@pytest.mark.parametrize("wrong", ["least", "many", "column"])
def test_wrong_numbers_of_many_are_seen_and_each_is_asked_alone(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    exact = outcome(OWN, GIVEN, "fast")
    right = getattr(lanes, wrong)

    def off(*given_: Any) -> Any:
        found = right(*given_)
        return found + 1 if isinstance(found, Many) or getattr(found, "ndim", 0) == 2 else found

    for module in (tabled, ages):
        if hasattr(module, wrong):
            monkeypatch.setattr(module, wrong, off)
    sizes = asked(monkeypatch, 8)
    assert outcome(OWN, GIVEN, "fast") == exact and max(sizes) == 1


@pytest.mark.parametrize("wrong", ["chances", "seed"])
def test_a_wrong_coin_is_seen(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    lengths = np.random.default_rng(1).integers(1, 30, 60)
    own = replace(POLICIES["a-min-cohort"], name="own", kernel=None)
    given_: dict[str, Any] = {"lengths": lengths, "memory": 60, "s": 1, "l": 1, "u": 30}
    exact = outcome(own, given_, "fast")
    if wrong == "seed":
        assert outcome(own, {**given_, "seed": 1}, "fast") != exact
        return
    asked = coins.Tosses.ask

    def later(self: Any, *given_: Any) -> Any:
        found = asked(self, *given_)
        return found if found.chance is None else found._replace(chance=found.chance * 1.05)

    monkeypatch.setattr(coins.Tosses, "ask", later)
    assert outcome(own, given_, "fast") != exact


@pytest.mark.parametrize("equals", ["index", "ties"])
def test_coins_have_the_distribution_of_the_reference_engine(equals: Any) -> None:
    own = Policy(
        "own", priority=lambda r: r.bound, assumed=lambda r, age: max(r.bound, age + 1), equals=equals, peaks=True,
        overflow=True, longest=lambda r: r.u,
        cancel=lambda r, age, draw: age + 1 if age >= r.bound and draw() < 0.5 * age / (age + 2) else None,
    )  # fmt: skip
    given_: dict[str, Any] = {"lengths": [4, 3, 5, 2, 6, 1], "memory": 11, "s": 1, "l": 1, "u": 6}
    one, two = (
        [simulate(own, **given_, seed=k, engine=engine) for k in range(250)] for engine in ("fast", "reference")
    )
    assert close([run.total_latency for run in one], [run.total_latency for run in two])
    assert close([run.cancellations for run in one], [run.cancellations for run in two])


def lowered() -> tuple[Policy, dict[str, Any]]:
    """Requests with long lengths come, once cancelled, to the bound of short ones; they count for the next instant, as they age."""
    own = Policy(
        "own",
        priority=lambda q: q.bound,
        assumed=lambda q, age: max(q.bound, age + 1),
        cancel=lambda q, age, toss: 3 if age >= q.bound > 3 else None,
        overflow=True,
    )
    bounds = np.random.default_rng(3).integers(3, 20, 60)
    lengths = np.where(bounds == 3, 4, 2 * bounds)
    return own, {"lengths": lengths, "memory": 90, "s": 1, "l": bounds, "u": 40}


def test_a_bound_may_fall_to_one_that_only_short_requests_had(monkeypatch: pytest.MonkeyPatch) -> None:
    policy, given_ = lowered()
    found = outcome(policy, given_, "reference")
    assert found == outcome(policy, given_, "fast")
    assert found[3][1] > 60  # cancellations
    monkeypatch.setattr(tabled.Tabled, "_grown", lambda self, bound, before: bound)
    assert found != outcome(policy, given_, "fast")


def test_a_priority_that_looks_a_bound_up_is_asked_alone_and_the_other_rules_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("crtools.process.hindsight.REQUESTS", 0)  # the engine's calls alone are counted
    bounds = np.random.default_rng(1).integers(1, 300, 400)
    places, asked_, runs_ = list(range(2000)), [0, 0], []

    def own(which: int, priority: Any) -> Policy:
        def cancel(q: Any, age: Any, draw: Any) -> Any:
            asked_[which] += 1
            return max(q.bound, age + 1) if age >= q.bound and draw() < 1 / (q.s + age + 1) else None

        return replace(POLICIES["a-min-cohort"], name="own", kernel=None, priority=priority, cancel=cancel)

    for which, priority in enumerate((lambda q: q.bound, lambda q: places[q.bound])):
        run = simulate(own(which, priority), 2 * bounds, 2000, 1, bounds, 600, seed=1, engine="fast")
        runs_.append(run.starts.tolist())
    assert runs_[0] == runs_[1]
    assert asked_[0] == asked_[1] < 800


def test_rules_that_read_more_and_more_of_a_request_are_told_apart_by_it() -> None:
    lengths = np.random.default_rng(7).integers(1, 25, 60)
    own = Policy(
        "own", priority=lambda r: r.joined, longest=lambda r: r.u,
        assumed=lambda r, age: r.bound if r.bound < 4 else r.bound + r.s,
        cancel=lambda r, age, draw: (
            None if age != r.bound or r.bound >= r.u else r.bound + 1 + (r.index % 3 if r.bound > 5 else 0)
        ),
    )  # fmt: skip
    given_: dict[str, Any] = {"lengths": lengths, "memory": 90, "s": [k % 4 for k in range(60)], "l": 1, "u": 24}
    found = outcome(own, given_, "fast")
    assert found == outcome(own, given_, "reference") and found[3][1] > 200


def close(one: Sequence[float], two: Sequence[float]) -> bool:
    error = math.hypot(stdev(one), stdev(two)) / math.sqrt(len(one))
    return abs(mean(one) - mean(two)) <= 5 * error + 1e-9


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("name", ["a-min-literal", "a-min-cohort"])
@pytest.mark.parametrize("s", [1, [0, 3, 1, 2, 0, 5]])
def test_drawn_ties_and_coins_have_the_distribution_of_the_compiled_loops(name: str, s: Any) -> None:
    own = replace(POLICIES[name], name="own", kernel=None)
    given_: dict[str, Any] = {"lengths": [4, 3, 5, 2, 6, 1], "memory": 11, "s": s, "l": 1, "engine": "fast"}
    one, two = ([simulate(policy, **given_, seed=k) for k in range(400)] for policy in (own, name))
    assert close([run.total_latency for run in one], [run.total_latency for run in two])
    assert close([run.cancellations for run in one], [run.cancellations for run in two])
    fair = replace(own, equals="index")  # what a wrong way of drawing would look like
    three = [simulate(fair, **given_, seed=k).total_latency for k in range(400)]
    assert name == "a-min-cohort" or not close(three, [run.total_latency for run in two])


def test_ties_are_drawn_afresh_where_the_first_does_not_fit() -> None:
    # request 1 fits beside 0 at once, 2 only later: with equal priorities a fresh draw at each instant finds 1 soon
    own = Policy("own", priority=lambda r: int(r.index > 0), assumed=lambda r, age: r.length, equals="ties")
    given_: dict[str, Any] = {"lengths": [30, 1, 12], "memory": 34, "s": [1, 1, 12]}
    starts = {
        engine: [simulate(own, **given_, seed=k, engine=engine).starts.tolist() for k in range(200)]
        for engine in ("fast", "reference")
    }
    for request in (1, 2):
        fast, slow = ([float(run[request]) for run in starts[engine]] for engine in ("fast", "reference"))
        assert close(fast, slow)
    assert len({run[1] for run in starts["fast"]}) > 3


@part_and_all("examples", 60, 600)
def test_fixed_reservations_of_peaks_are_compiled(examples: int) -> None:
    @settings(deadline=None, derandomize=True, max_examples=examples, database=None)
    @given(runs())
    def agree(run: tuple[Policy, dict[str, Any]]) -> None:
        own = replace(
            run[0], assumed=lambda r, age: max(r.u, r.l), cancel=None, overflow=False, peaks=True, fixed=True,
            priority=lambda r: min(r.s, r.l), equals="order", longest=lambda r: max(r.u, 1),
        )  # fmt: skip
        assert outcome(own, run[1], "fast") == outcome(own, run[1], "reference")

    agree()


def test_a_large_run_of_ones_own_keeps_the_rules() -> None:
    lengths = np.random.default_rng(3).integers(1, 101, 2000)
    for name in ("a-restart", "a-min-cohort"):
        run = simulate(replace(POLICIES[name], name="own", kernel=None), lengths, 2000, s=2, l=1, u=100)
        assert run.engine == "fast" and run.cancellations > 500
        assert run.schedule.feasible(2000) and run.peak_memory <= 2000
        if name == "a-restart":
            assert run.starts.tolist() == simulate(name, lengths, 2000, s=2, l=1, u=100).starts.tolist()


@part_and_all("examples", 40, 600)
def test_paced_policies_of_ones_own_run_as_in_the_reference_engine(examples: int) -> None:
    ran = {"fast": 0, "reference": 0}

    @settings(deadline=None, derandomize=True, max_examples=examples, database=None)
    @given(runs(), st.randoms(use_true_random=False))
    def agree(run: tuple[Policy, dict[str, Any]], r: Any) -> None:
        own = Policy(
            "own", paced=True, longest=lambda q: q.u, equals=r.choice(("index", "index", "index", "order")),
            priority=r.choice((
                lambda q: q.bound, lambda q: q.s * q.bound + q.l if q.s else 3, lambda q: -q.u, lambda q: (q.bound, q.s),
                lambda q: q.joined, lambda q: 0,
            )),
            assumed=r.choice((
                lambda q, age: min(2 * q.bound, q.u), lambda q, age: q.u, lambda q, age: min(q.bound + q.index % 3, q.u),
            )),
        )  # fmt: skip
        found = outcome(own, run[1], "reference")
        try:
            assert simulate(own, **run[1], engine="fast").engine == "fast"
        except InputError as error:
            ran["reference"] += "no fast engine" in str(error)
        except Livelock as error:
            assert str(error) == found
        else:
            ran["fast"] += 1
            assert outcome(own, run[1], "fast") == found

    agree()
    assert min(ran.values()) > examples // 10, ran


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_of_those_killed_at_once_the_one_started_first_goes_first(engine: Any) -> None:
    own = Policy(
        "own", paced=True, priority=lambda q: q.bound, longest=lambda q: q.u,
        assumed=lambda q, age: min(q.bound + q.index % 3, q.u),
    )  # fmt: skip
    given_: dict[str, Any] = {
        "lengths": [2, 1, 1, 4, 5, 1],
        "memory": 16,
        "s": 1,
        "l": [1, 1, 1, 2, 3, 1],
        "u": [2, 1, 1, 4, 5, 3],
    }
    lost = simulate(own, **given_, engine=engine, history=True).cancelled
    assert lost is not None
    rows = list(zip(lost.request.tolist(), lost.start.tolist(), lost.age.tolist(), strict=True))
    assert rows == [(0, 0, 1), (3, 0, 2), (4, 1, 4), (3, 2, 3)]  # the last two at t = 5


def test_an_end_and_a_turn_fit_into_one_integer() -> None:
    assert last_in_turn(1000, 10**6, 10**4) == 1000
    most = last_in_turn(2**61, 10**6, 10**4)
    assert most < 2**61 and (most + 10**4) * 10**6 + 10**6 < 2**63


class Seen:
    """A request with numbers."""

    l, u, bound, length, s, index = 2, 9, 4, 7, 1, 0


@given(st.integers(-3, 3), st.integers(-20, 20), st.sampled_from([*range(-20, 20), 3.5, -0.25]), st.integers(0, 30))
def test_an_age_keeps_the_ages_at_which_a_comparison_holds(k: int, c: int, other: Any, now: int) -> None:
    for compare in (
        lambda x: x < other, lambda x: x <= other, lambda x: x == other, lambda x: x != other, lambda x: other < x,
        lambda x: x >= other, lambda x: bool(x),
    ):  # fmt: skip
        span = [60]
        found = compare(Age(1, 0, now, span) * k + c)
        assert now <= span[0] <= 60
        assert all(compare(k * age + c) == found for age in range(now, span[0] + 1))
        wider = Age(k, c, now, [60])
        assert found == compare(k * now + c) == compare(wider)


@pytest.mark.parametrize(
    "rule",
    [
        lambda r, age: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12][age],
        lambda r, age: {age: 3}.get(4, age + 5),
        lambda r, age: age // 2 + 5,
        lambda r, age: int(math.sqrt(age)) + 5,
        lambda r, age: 5 if isinstance(age, int) else 6,
        lambda r, age: int(np.minimum(age, 4)) + 5,
        lambda r, age: r.u - age if age % 2 else r.u,
    ],
)
def test_what_an_age_cannot_do_is_asked_with_integers(rule: Any) -> None:
    asked, age = Rule(rule), 0
    while age < 10:
        piece = asked.ask(Seen, age, 9)
        assert [piece.at(a) for a in range(age, piece.last + 1)] == [rule(Seen, a) for a in range(age, piece.last + 1)]
        age = piece.last + 1
    assert not asked.traces


def test_a_rule_that_compares_is_asked_a_few_times_only() -> None:
    calls: list[Any] = []

    def doubled(r: Any, age: Any, draw: Any) -> int | None:
        calls.append(age)
        return 2 * r.bound if age == r.bound < r.u else None

    asked = Rule(doubled, lambda: 0.5)
    assert asked.ask(Seen, 1, 10**6).last == 3 and asked.ask(Seen, 4, 10**6).at(4) == 8
    assert asked.ask(Seen, 5, 10**6).last == 10**6 and len(calls) < 12
    assert Rule(lambda r, age, draw: 1 if draw() < 2 else None, lambda: 0.5).ask(Seen, 1, 9).traced is False
    with pytest.raises(NotTraced):
        bool(Age(1, 0, 1, [9]) < float("inf"))


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"assumed": lambda r, age: r.u + 0.5}, "assumed must return integers, and returned"),
        ({"cancel": lambda r, age, draw: "no"}, "cancel must return integers, and returned 'no'"),
        ({"priority": lambda r: "a" if r.l > 1 else 1}, "priority must return numbers, or tuples"),
        ({"bound": lambda r: 1.5}, "bound must return integers"),
    ],
)
def test_what_no_engine_could_use_is_refused(rules: dict[str, Any], says: str) -> None:
    table: dict[str, Any] = {"name": "own", "priority": lambda r: r.l, "assumed": lambda r, age: r.u, **rules}
    own = Policy(**table)
    with pytest.raises(InputError, match=says):
        simulate(own, [3, 1, 2], 9, l=[2, 1, 1], u=4, engine="fast")


@pytest.mark.exhaustive  # takes seconds
def test_fcfs_preempts_the_latest_and_takes_it_first_again() -> None:
    # all three start and hold 3 · 2 = M tokens at t = 2; 3 · 3 would not fit, so 2 goes, and starts when the others are done
    run = simulate("fcfs", [3, 3, 3], 6, history=True)
    assert run.cancelled is not None
    assert run.cancelled.request.tolist() == [2] and run.cancelled.start.tolist() == [0]
    assert run.starts.tolist() == [0, 0, 3] and run.total_latency == 3 + 3 + 6
    lengths = np.random.default_rng(5).integers(1, 60, 300)
    for s in (0, 3):
        fast, slow = (simulate("fcfs", lengths, 200, s, engine=engine) for engine in ("fast", "reference"))
        assert fast.starts.tolist() == slow.starts.tolist() and fast.cancellations == slow.cancellations > 50
        first = simulate(replace(POLICIES["fcfs"], name="own", overflow=True), lengths, 200, s)
        assert first.total_latency != fast.total_latency


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("rule", ["priority", "assumed", "longest", "bound", "cancel"])
def test_an_error_in_a_rule_is_told_with_its_line(rule: str, engine: Any) -> None:
    table: dict[str, Any] = {"name": "own", "priority": lambda r: r.l, "assumed": lambda r, age: r.u}
    failing: tuple[tuple[Any, str], ...] = (
        (lambda r, *more: {}["x"], r"KeyError: 'x' \(test_events.py, line \d+\)"),
        (lambda r, *more: r.size, "AttributeError: a request has no size; it has index, s, l, u, length"),
    )
    for function, says in failing:
        table[rule] = function
        with pytest.raises(InputError, match=f"policy = own: a rule raised {says}"):
            simulate(Policy(**table), [3, 1, 2], 9, l=[2, 1, 1], u=4, engine=engine)
