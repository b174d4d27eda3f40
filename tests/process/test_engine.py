"""The compiled engine runs any policy: the integers of the reference engine, its errors, and its distribution."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from amount import part_and_all
from whole_run import record

from crtools import InputError, Policy, simulate
from crtools.errors import Livelock
from crtools.process import POLICIES
from crtools.process.engine import is_fixed

NUMBERS = [5, -2, 11, 0, 7, 3, -1, 9, 12, 4, 6, 1]


def twice(bound: int) -> int:
    """A function that rules call by name."""
    return 2 * bound


# Each row is compiled once: (priority, assumed, cancel). Rules that make no sense must agree, too.
RULES: list[tuple[Any, Any, Any]] = [
    (lambda q: q.l, lambda q, age: q.u, None),
    (lambda q: q.bound, lambda q, age: max(q.bound, age + 1), None),
    (lambda q: q.index, lambda q, age: age + 1, None),
    (lambda q: q.queue_number, lambda q, age: q.bound, lambda q, age, toss: min(2 * q.bound, q.u) if age == q.bound < q.u else None),
    (lambda q: (q.bound, q.s), lambda q, age: min(2 * q.bound, q.u),
     lambda q, age, toss: q.bound + 3 if q.bound <= age < q.u else None),
    (lambda q: (q.u - q.l) / q.u, lambda q, age: max(q.length - age // 2, age + 1),
     lambda q, age, toss: age + 1 if 2 * age > 3 + q.bound and age + q.queue_number < 9 else None),
    (lambda q: -q.length, lambda q, age: q.length if age < 2.5 else q.u - age,
     lambda q, age, toss: age + 1 if age >= q.bound and NUMBERS[(age + q.queue_number) % 12] > 3 else None),
    (lambda q: 0, lambda q, age: q.length + NUMBERS[(age + q.index) % 12], None),
    (lambda q: (q.l, -q.queue_number, q.s / 3), lambda q, age: max(q.bound, age + 2),
     lambda q, age, toss: twice(q.bound) if age == q.bound + 1 else None),
    (lambda q: math.sqrt(q.bound), lambda q, age: age + 1 + abs(NUMBERS[(q.index + q.bound) % 12]), None),
    (lambda q: q.queue_number, lambda q, age: int(math.log(q.bound + age + 1) * 4),
     lambda q, age, toss: q.u if age == q.l and q.bound < q.u else None),
    (lambda q: q.s**2 - q.l * q.u, lambda q, age: (q.bound << 1) % 13 + age, None),
]  # fmt: skip
PACED: list[tuple[Any, Any, Any]] = [
    (lambda q: q.bound, lambda q, age: min(2 * q.bound, q.u), None),
    (lambda q: (q.bound, q.s), lambda q, age: min(q.bound + q.index % 3, q.u), None),
    (lambda q: q.queue_number, lambda q, age: q.u, None),
]


def instance(r: random.Random) -> dict[str, Any]:
    """An instance that a policy may run which assumes up to u."""
    n, most = r.randint(1, 9), r.choice((3, 6, 12, 20))
    low = [r.randint(1, most) for _ in range(n)]
    up = [r.randint(a, most) for a in low]
    s = [r.randint(0, 5) for _ in range(n)] if r.random() < 0.5 else [r.randint(0, 3)] * n
    return {
        "lengths": [r.randint(a, b) for a, b in zip(low, up, strict=True)],
        "memory": max(a + b for a, b in zip(s, up, strict=True)) + r.choice((0, 0, 1, 3, 10, 30)),
        "s": s, "l": low, "u": up, "order": r.sample(range(n), n), "ties": r.sample(range(n), n),
        "limit": r.choice((200, 200, 30)),
    }  # fmt: skip


def policy(rules: tuple[Any, Any, Any], r: random.Random, paced: bool = False) -> Policy:
    """A policy with these rules, and the rest drawn."""
    priority, assumed, cancel = rules
    more: dict[str, Any] = {"equals": r.choice(("index", "order", "ties")), "longest": lambda q: q.u}
    if not paced:
        more |= {"overflow": r.choice((False, True, "latest")), "peaks": r.random() < 0.3}
        more |= {"longest": r.choice((lambda q: q.u, lambda q: q.length))}
    return Policy("own", priority, assumed, cancel=cancel, paced=paced, **more)


def outcome(own: Policy, given: dict[str, Any], engine: Any) -> Any:
    """Everything that the engines must agree on, errors included."""
    try:
        run = simulate(own, **given, engine=engine, history=True)
    except (InputError, Livelock) as error:
        return str(error)
    assert run.engine == engine and not run.note
    counts = (run.total_latency, run.cancellations, run.wasted_tokens, run.peak_memory, run.mean_memory)
    return run.starts.tolist(), run.bounds.tolist(), record(run), counts


@part_and_all("examples", 25, 1000)
def test_any_policy_runs_as_in_the_reference_engine(examples: int) -> None:
    seen = {"cancelled": 0, "stopped": 0, "overfull": 0, "smooth": 0}
    for number, rules in enumerate(RULES + PACED):
        r = random.Random(number)
        for _ in range(examples):
            own, given = policy(rules, r, paced=rules in PACED), instance(r)
            found = outcome(own, given, "fast")
            assert found == outcome(own, given, "reference"), (number, given, own)
            if isinstance(found, str):
                seen["overfull" if "memory" in found else "stopped"] += 1
            else:
                seen["cancelled" if found[3][1] else "smooth"] += 1
    assert min(seen.values()) > 20, seen


@pytest.mark.parametrize("name", [name for name, own in POLICIES.items() if own.plan is None])
@part_and_all("examples", 12, 1000)
def test_the_policies_of_crtools_run_as_in_the_reference_engine_by_their_rules_too(name: str, examples: int) -> None:
    r = random.Random(1)
    for _ in range(examples):
        given = instance(r) | {"limit": None}
        if POLICIES[name].takes == "l-or-u":
            given["lengths"] = [r.choice(ends) for ends in zip(given["l"], given["u"], strict=True)]
        if POLICIES[name].cancel is not None and "draw" in str(POLICIES[name].kernel):
            continue
        found = [outcome(own, given, engine) for own in (POLICIES[name], replace(POLICIES[name], kernel=None, fixed=False))
                 for engine in ("fast", "reference")]  # fmt: skip
        if name == "a-min-cohort":  # its coins are drawn in another order
            continue
        assert found[0] == found[1] == found[2] == found[3]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("number", range(4))
def test_a_larger_run_is_the_same_in_both_engines(number: int) -> None:
    r = random.Random(number)
    lengths = [r.randint(1, 60) for _ in range(150)]
    given: dict[str, Any] = {
        "lengths": lengths,
        "memory": 200,
        "s": [r.randint(0, 5) for _ in lengths],
        "l": 1,
        "u": 64,
    }
    for name in ("fcfs", "a-restart", "a-offset"):
        one, two = (outcome(POLICIES[name], given, engine) for engine in ("fast", "reference"))
        assert one == two and one[3][1] > 50


# ---- which engine runs what --------------------------------------------------------------------------------------


def own(**rules: Any) -> Policy:
    table: dict[str, Any] = {"name": "own", "priority": lambda r: r.l, "assumed": lambda r, age: r.u, **rules}
    return Policy(**table)


GIVEN: dict[str, Any] = {"lengths": [3, 1, 2, 4, 2], "memory": 9, "s": [1, 0, 2, 1, 0], "l": [2, 1, 1, 1, 2], "u": 4}
TABLE = {1: 2}
OBJECT = object()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"cancel": lambda r, age, draw: 3 if age == TABLE.get(r.l) and r.bound < 3 else None},
         "cancel: it refers to a value of type dict"),
        ({"cancel": lambda r, age, draw: r.l if draw is None else r.nothing if age > 99 else None},
         "Unknown attribute 'nothing'"),
        ({"priority": lambda r: f"{r.l}".count("1") + len(sorted(vars(r))), "peaks": True}, ""),
        ({"priority": lambda r: 2**70 + r.l, "cancel": lambda r, age, draw: None}, ""),
        ({"assumed": lambda r, age: r.u if OBJECT else r.l, "peaks": True}, "assumed: it refers to a value of type object"),
        ({"priority": lambda r: (1, 2, 3, r.l), "peaks": True}, "a priority may have up to 3 components"),
        ({"cancel": lambda r, age, draw: 1 // (age - 2) if age > 9 else None, "overflow": True}, None),
    ],
)  # fmt: skip
def test_rules_that_are_not_compiled_run_in_the_reference_engine_with_a_note(rules: dict[str, Any], why: Any) -> None:
    fast, slow = (simulate(own(**rules), **GIVEN, engine=engine, limit=400) for engine in ("fast", "reference"))
    assert fast.starts.tolist() == slow.starts.tolist() and not slow.note
    if why is None:
        assert fast.engine == "fast" and not fast.note
    else:
        assert fast.engine == "reference" and "reference engine" in fast.note and why in fast.note
        assert "\n" not in fast.note


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "rules",
    [
        {"priority": lambda r: (r.s + 10**6) ** 5},
        {"priority": lambda r: (r.s * 10**12 + r.l) * 10**9 % 97},
        {"priority": lambda r: -((r.l + 2) << 62)},
        {"priority": lambda r: r.l * 4611686018427387904},
        {"assumed": lambda r, age: (r.u * 10**10) * (10**10 + age) // 10**20},
        {"assumed": lambda r, age: min(r.u, int(1e300 * (age + 1)))},
        {"assumed": lambda r, age: min(r.u, round(9.5e18 + age))},
        {"assumed": lambda r, age: min(r.u, math.floor(2.0**62 * (1 + age)))},
        {
            "cancel": lambda r, age, draw: 2**62 * 2 // 2**62 + r.u if age == 1 and r.bound < 4 else None,
            "overflow": True,
        },
        {"bound": lambda r: r.l * 10**18 * 10 // 10**19, "priority": lambda r: r.bound},
        {"priority": lambda r: (r.l + 10**6) ** 5, "fixed": True},
        {"priority": lambda r: ((r.l + 10**6) ** 5) % 7, "fixed": True},
    ],
)
def test_integers_that_a_machine_cannot_hold_are_exact(rules: dict[str, Any]) -> None:
    fast, slow = (outcome_or_note(own(**rules), engine) for engine in ("fast", "reference"))
    assert fast == slow


def outcome_or_note(policy_: Policy, engine: Any) -> Any:
    run = simulate(policy_, **GIVEN, engine=engine, history=True, limit=400)
    return run.starts.tolist(), run.bounds.tolist(), record(run)


def test_a_large_constant_is_no_obstacle_where_results_are_small() -> None:
    run = simulate(own(priority=lambda r: (r.index * 2654435761 + 12345) % 1009, peaks=True), **GIVEN, engine="fast")
    assert run.engine == "fast"
    assert run.starts.tolist() == simulate(own(priority=lambda r: (r.index * 2654435761 + 12345) % 1009, peaks=True),
                                           **GIVEN, engine="reference").starts.tolist()  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"assumed": lambda r, age: r.u + 0.5}, "assumed must return integers, and returned 4.5"),
        ({"assumed": lambda r, age: None}, "assumed must return integers, and returned None"),
        (
            {"assumed": lambda r, age: None if age == 1 else r.u, "peaks": True},
            "assumed must return integers, and returned None",
        ),
        ({"cancel": lambda r, age, draw: "no"}, "cancel must return integers, and returned 'no'"),
        (
            {"priority": lambda r: "a" if r.l > 1 else 1},
            "priority must return numbers, or tuples of them, and returned",
        ),
        ({"priority": lambda r: None}, "priority must return numbers"),
        ({"priority": lambda r: float("nan")}, "priority must return numbers, or tuples of them, and returned nan"),
        ({"priority": lambda r: (r.l, math.inf - math.inf), "peaks": True}, "and returned nan"),
        ({"priority": lambda r: r.l * float("nan"), "fixed": True}, "and returned nan"),
        ({"bound": lambda r: 1.5}, "bound must return integers"),
        ({"draws": lambda numbers: numbers[1:]}, "draws must return an array of numbers, one for each request"),
        ({"draws": lambda numbers: 0.5}, "draws must return an array of numbers"),
    ],
)
def test_what_no_engine_can_use_is_refused_by_both(rules: dict[str, Any], says: str, engine: Any) -> None:
    with pytest.raises(InputError, match=says):
        simulate(own(**rules), **GIVEN, engine=engine)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("rule", ["priority", "assumed", "longest", "bound", "cancel"])
def test_an_error_in_a_rule_is_told_with_its_line(rule: str, engine: Any) -> None:
    failing: tuple[tuple[Any, str], ...] = (
        (lambda r, *more: {}["x"], r"KeyError: 'x' \(test_engine.py, line \d+\)"),
        (lambda r, *more: r.size, "AttributeError: a request has no size; it has index, s, l, u, length"),
        (lambda r, *more: 1 // (r.l - r.l), r"ZeroDivisionError: .* \(test_engine.py, line \d+\)"),
        (lambda r, *more: NUMBERS[r.l + 100], r"IndexError: .* \(test_engine.py, line \d+\)"),
    )
    for function, says in failing:
        with pytest.raises(InputError, match=f"policy = own: a rule raised {says}"):
            simulate(own(**{rule: function}), **GIVEN, engine=engine)


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("equals", ["index", "order", "ties"])
@pytest.mark.parametrize("name", ["ranks", "order", "ties", "seed", "last", "room", "longest", "history"])
def test_rules_do_not_see_the_settings_of_the_run(name: str, equals: Any, engine: Any) -> None:
    says = f"AttributeError: a request has no {name}; it has index"
    for rule in ("priority", "bound", "longest"):
        for permutations in ({}, {"order": [1, 2, 0, 4, 3], "ties": [2, 0, 1, 3, 4]}):
            rules = own(equals=equals, fixed=True, **{rule: lambda r: getattr(r, name)})
            with pytest.raises(InputError, match=says):
                simulate(rules, **GIVEN, **permutations, engine=engine)
    with pytest.raises(InputError, match=says):
        simulate(own(draws=lambda numbers, r: numbers + getattr(r, name)), **GIVEN, engine=engine)


def add_two_in_place(r: Any, *more: Any) -> Any:
    bound = r.bound
    bound += 2
    return bound


@pytest.mark.parametrize(
    ("rules", "total"),
    [
        ({"assumed": add_two_in_place, "longest": lambda r: r.u}, 12),
        ({"priority": add_two_in_place, "assumed": lambda r, age: r.length}, 11),
        ({"priority": add_two_in_place, "assumed": add_two_in_place, "longest": lambda r: r.u}, 12),
    ],
)
def test_a_rule_cannot_write_into_the_bounds(rules: dict[str, Any], total: int) -> None:
    for engine in ("fast", "reference"):
        run = simulate(own(fixed=True, **rules), [3, 1, 2, 5], 9, l=[1, 1, 2, 3], u=6, engine=engine)
        assert (run.engine, run.total_latency, run.bounds.tolist()) == (engine, total, [1, 1, 2, 3])


@pytest.mark.parametrize("name", ["index", "s", "l", "u", "length", "drawn", "queue_number", "release"])
def test_a_rule_cannot_write_into_a_column(name: str) -> None:
    def priority(r: Any) -> Any:
        column = getattr(r, name)
        column += 2
        return -column

    for engine in ("fast", "reference"):
        written, read = (
            simulate(own(priority=rule), **GIVEN, engine=engine) for rule in (priority, lambda r: -getattr(r, name) - 2)
        )
        assert written.starts.tolist() == read.starts.tolist()
        assert written.prompts.tolist() == read.prompts.tolist() and written.lengths.tolist() == read.lengths.tolist()


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_rule_cannot_replace_a_column(engine: Any) -> None:
    def longest(r: Any) -> Any:
        r.length = r.length * 0 + 1
        return r.u

    run = simulate(own(longest=longest, assumed=lambda r, age: r.u), [3, 1, 2, 5], 9, u=6, engine=engine)
    assert run.lengths.tolist() == [3, 1, 2, 5]


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_rule_may_write_into_what_it_reads(engine: Any) -> None:
    def bound(r: Any) -> Any:
        return np.maximum(r.l, 2, out=r.l)

    run, plain = (
        simulate(own(bound=rule, assumed=lambda r, age: r.u), [3, 1, 2, 5], 9, l=1, u=6, engine=engine)
        for rule in (bound, lambda r: np.maximum(r.l, 2))
    )
    assert run.bounds.tolist() == plain.bounds.tolist() == [2, 2, 2, 2]


def test_infinite_priorities_go_last() -> None:
    rules = own(priority=lambda r: math.inf if r.l == 1 else -math.inf if r.s == 0 else r.s)
    fast, slow = (simulate(rules, **GIVEN, engine=engine) for engine in ("fast", "reference"))
    assert fast.engine == "fast" and fast.starts.tolist() == slow.starts.tolist()


def test_a_rule_is_compiled_anew_where_what_it_refers_to_has_changed() -> None:
    step = [1, 2, 3]
    rules = own(assumed=lambda r, age: r.u - 1 + step[0], longest=lambda r: r.u + 1, peaks=True)
    first = simulate(rules, **GIVEN, engine="fast").starts.tolist()
    step[0] = 2
    second = [simulate(rules, **GIVEN, engine=engine).starts.tolist() for engine in ("fast", "reference")]
    assert second[0] == second[1] != first


def test_fixed_is_seen_where_it_holds() -> None:
    assert is_fixed(own()) and is_fixed(own(fixed=True)) and is_fixed(POLICIES["h-sf"])
    for rules in ({"cancel": lambda r, age, draw: None}, {"overflow": True}, {"peaks": True}, {"equals": "ties"},
                  {"assumed": lambda r, age: max(r.u, age)}):  # fmt: skip
        assert not is_fixed(own(**rules))


def test_a_fixed_policy_may_assume_less_than_a_length_where_memory_does_not_overflow() -> None:
    short = own(assumed=lambda r, age: min(2 * r.bound, r.u), longest=lambda r: r.length, fixed=True)
    for n, memory, overfull in ((2, 100, False), (2, 10, True), (400, 200_000, False)):
        lengths, both = ([7, 8] * n)[:n], []
        for engine in ("fast", "reference"):
            try:
                both.append(simulate(short, lengths, memory, l=2, u=10, engine=engine).total_latency)
            except InputError as error:
                both.append(str(error))
        assert both[0] == both[1]
        assert ("assumes less" in str(both[0])) == overfull


# ---- draws -------------------------------------------------------------------------------------------------------


def close(one: Sequence[float], two: Sequence[float]) -> bool:
    error = math.hypot(stdev(one), stdev(two)) / math.sqrt(len(one))
    return abs(mean(one) - mean(two)) <= 5 * error + 1e-9


@pytest.mark.parametrize("equals", ["index", "ties"])
@part_and_all("seeds", 100, 250)
def test_coins_have_the_distribution_of_the_reference_engine(equals: Any, seeds: int) -> None:
    tosses = own(
        priority=lambda r: r.bound, assumed=lambda r, age: max(r.bound, age + 1), equals=equals, peaks=True,
        overflow=True, longest=lambda r: r.u,
        cancel=lambda r, age, draw: age + 1 if age >= r.bound and draw() < 0.5 * age / (age + 2) else None,
    )  # fmt: skip
    given: dict[str, Any] = {"lengths": [4, 3, 5, 2, 6, 1], "memory": 11, "s": 1, "l": 1, "u": 6}
    one, two = (
        [simulate(tosses, **given, seed=k, engine=engine) for k in range(seeds)] for engine in ("fast", "reference")
    )
    assert close([run.total_latency for run in one], [run.total_latency for run in two])
    assert close([run.cancellations for run in one], [run.cancellations for run in two])
    assert [run.starts.tolist() for run in one[:9]] == [
        simulate(tosses, **given, seed=k, engine="fast").starts.tolist() for k in range(9)
    ]


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("name", ["a-min-literal", "a-min-cohort"])
@pytest.mark.parametrize("s", [1, [0, 3, 1, 2, 0, 5]])
def test_drawn_ties_and_coins_have_the_distribution_of_the_loop_for_lower_bounds(name: str, s: Any) -> None:
    rules = replace(POLICIES[name], name="own", kernel=None)
    given: dict[str, Any] = {"lengths": [4, 3, 5, 2, 6, 1], "memory": 11, "s": s, "l": 1, "engine": "fast"}
    one, two = ([simulate(policy_, **given, seed=k) for k in range(400)] for policy_ in (rules, name))
    assert close([run.total_latency for run in one], [run.total_latency for run in two])
    assert close([run.cancellations for run in one], [run.cancellations for run in two])
    fair = replace(rules, equals="index")  # what a wrong way of drawing would look like
    three = [simulate(fair, **given, seed=k).total_latency for k in range(400)]
    assert name == "a-min-cohort" or not close(three, [run.total_latency for run in two])


@part_and_all("seeds", 80, 200)
def test_ties_are_drawn_afresh_where_the_first_does_not_fit(seeds: int) -> None:
    # request 1 fits beside 0 at once, 2 only later: with equal priorities a fresh draw at each instant finds 1 soon
    rules = own(priority=lambda r: int(r.index > 0), assumed=lambda r, age: r.length, equals="ties")
    given: dict[str, Any] = {"lengths": [30, 1, 12], "memory": 34, "s": [1, 1, 12]}
    starts = {
        engine: [simulate(rules, **given, seed=k, engine=engine).starts.tolist() for k in range(seeds)]
        for engine in ("fast", "reference")
    }
    for request in (1, 2):
        fast, slow = ([float(run[request]) for run in starts[engine]] for engine in ("fast", "reference"))
        assert close(fast, slow)
    assert len({run[1] for run in starts["fast"]}) > 3


@part_and_all("seeds", 100, 300)
def test_two_draws_in_a_rule_are_two_numbers(seeds: int) -> None:
    rules = own(cancel=lambda r, age, draw: age + 1 if age == 1 and draw() + draw() > 1 else None, overflow=True)
    runs = [simulate(rules, [3] * 5, 100, u=3, seed=k, engine="fast", limit=10**4).cancellations for k in range(seeds)]
    assert abs(mean(runs) - 5) < 1  # each start is cancelled with probability 1/2, so 5 · 1 cancellations


# ---- single rules ------------------------------------------------------------------------------------------------


def test_a_large_run_of_ones_own_keeps_the_rules() -> None:
    lengths = np.random.default_rng(3).integers(1, 101, 2000)
    run = simulate(replace(POLICIES["a-min-cohort"], name="own", kernel=None), lengths, 2000, s=2, l=1, u=100)
    assert run.engine == "fast" and run.cancellations > 500
    assert run.schedule.feasible(2000) and run.peak_memory <= 2000


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_of_those_killed_at_once_the_one_started_first_goes_first(engine: Any) -> None:
    rules = own(
        paced=True,
        priority=lambda q: q.bound,
        longest=lambda q: q.u,
        assumed=lambda q, age: min(q.bound + q.index % 3, q.u),
    )
    given: dict[str, Any] = {
        "lengths": [2, 1, 1, 4, 5, 1], "memory": 16, "s": 1, "l": [1, 1, 1, 2, 3, 1], "u": [2, 1, 1, 4, 5, 3],
    }  # fmt: skip
    lost = simulate(rules, **given, engine=engine, history=True).cancelled
    assert lost is not None
    rows = list(zip(lost.request.tolist(), lost.start.tolist(), lost.age.tolist(), strict=True))
    assert rows == [(0, 0, 1), (3, 0, 2), (4, 1, 4), (3, 2, 3)]  # the last two at t = 5


def test_a_bound_may_fall_to_one_that_only_short_requests_had() -> None:
    rules = own(priority=lambda q: q.bound, assumed=lambda q, age: max(q.bound, age + 1),
                cancel=lambda q, age, toss: 3 if age >= q.bound > 3 else None, overflow=True)  # fmt: skip
    bounds = np.random.default_rng(3).integers(3, 20, 60)
    given: dict[str, Any] = {
        "lengths": np.where(bounds == 3, 4, 2 * bounds),
        "memory": 90,
        "s": 1,
        "l": bounds,
        "u": 40,
    }
    found = outcome(rules, given, "fast")
    assert found == outcome(rules, given, "reference") and found[3][1] > 60


def test_prices_beyond_machine_integers_are_exact() -> None:
    rules = own(paced=True, assumed=lambda r, age: r.u, longest=lambda r: r.u)
    runs = [
        simulate(rules, [2, 1, 2], 10**15, s=10**14, l=1, u=10**8, engine=engine) for engine in ("fast", "reference")
    ]
    assert runs[0].starts.tolist() == runs[1].starts.tolist()
    assert runs[0].engine == "reference" and "price is too large" in runs[0].note


def test_fcfs_preempts_the_latest_and_takes_it_first_again() -> None:
    # all three start and hold 3 · 2 = M tokens at t = 2; 3 · 3 would not fit, so 2 goes, and starts when the others are done
    run = simulate("fcfs", [3, 3, 3], 6, history=True)
    assert run.cancelled is not None
    assert run.cancelled.request.tolist() == [2] and run.cancelled.start.tolist() == [0]
    assert run.starts.tolist() == [0, 0, 3] and run.total_latency == 3 + 3 + 6
