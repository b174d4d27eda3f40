"""Policies of one's own: the file that docs/add-a-policy.md shows, and promises that a policy does not keep."""

from __future__ import annotations

import random
import re
import runpy
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

from crtools import InputError, Policy, replay, simulate
from crtools.process.plans import Plan

PAGE = (ROOT / "docs" / "add-a-policy.md").read_text(encoding="utf-8")
[CODE] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
[PRINTED] = re.findall(r"```\n\n?It prints\n\n```\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "lower_first.py"
    path.write_text(CODE, encoding="utf-8")
    return path


def instance(random_: random.Random) -> dict[str, Any]:
    n = random_.randint(1, 12)
    low = [random_.randint(1, 9) for _ in range(n)]
    up = [random_.randint(a, 12) for a in low]
    s = [random_.randint(0, 4) for _ in range(n)]
    return {
        "lengths": [random_.randint(a, b) for a, b in zip(low, up, strict=True)],
        "memory": max(a + b for a, b in zip(s, up, strict=True)) + random_.choice((0, 1, 5, 30)),
        "s": s,
        "l": low,
        "u": up,
    }


def test_the_documented_file_runs_and_prints_what_the_page_says(
    documented: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(documented), run_name="__main__")
    assert capsys.readouterr() == (PRINTED, "")
    reference, fast, doubling, _ = PRINTED.splitlines()
    assert reference.removeprefix("reference") == fast.removeprefix("fast")
    assert doubling.startswith("fast") and not doubling.endswith("cancelled: 0")


def test_the_documented_policy_is_the_same_in_both_engines(documented: Path) -> None:
    policy = runpy.run_path(str(documented))["LOWER_FIRST"]
    random_ = random.Random(1)
    for _ in range(200):
        given = instance(random_)
        one, two = (simulate(policy, **given, engine=engine) for engine in ("reference", "fast"))
        assert (one.engine, two.engine) == ("reference", "fast")
        assert one.starts.tolist() == two.starts.tolist()
        assert (one.total_latency, one.peak_memory, one.mean_memory) == (
            two.total_latency,
            two.peak_memory,
            two.mean_memory,
        )
        first = min(range(one.n), key=lambda i: given["l"][i])
        assert one.starts[first] == 0  # the shortest lower bound is never behind another


def test_the_documented_policy_that_cancels_is_the_same_in_both_engines(documented: Path) -> None:
    policy = runpy.run_path(str(documented))["DOUBLING"]
    random_ = random.Random(2)
    cancelled = 0
    for _ in range(100):
        given = instance(random_)
        run = simulate(policy, **given)
        assert run.engine == "reference" and run.schedule.feasible(given["memory"])
        restarts = 0  # of a bound l that is doubled until it reaches the length, or until u is allowed
        for o, l, u in zip(given["lengths"], given["l"], given["u"], strict=True):
            while 2 * l < o and 2 * l < u:
                l, restarts = 2 * l, restarts + 1
        assert run.cancellations == restarts
        cancelled += restarts
        assert simulate(policy, **given, engine="fast").starts.tolist() == run.starts.tolist()
    assert cancelled > 20


def own(**rules: Any) -> Policy:
    return Policy(**{"name": "own", "priority": lambda r: r.l, "assumed": lambda r, age: r.u, "fixed": True, **rules})


GIVEN: dict[str, Any] = {"lengths": [3, 1, 2], "memory": 9, "l": [2, 1, 1], "u": [3, 4, 2]}


@pytest.mark.parametrize(
    "rules",
    [
        {"name": ""}, {"name": 3}, {"priority": 3}, {"assumed": None}, {"longest": 4}, {"bound": None}, {"cancel": True},
        {"equals": "seed"}, {"overflow": True}, {"overflow": "first"}, {"cancel": lambda r, age, draw: None}, {"takes": "all"},
        {"overflow": "latest"}, {"fixed": False, "kernel": "any"}, {"kernel": "lower-bounds"}, {"knows": ["l"]}, {"knows": ()},
        {"knows": None}, {"summary": 3}, {"fixed": False, "plan": Plan(lambda known: known)},  # pyright: ignore
        {"usual": "no"}, {"fixed": 1}, {"peaks": "yes"}, {"fixed": False, "paced": 1}, {"prio": min},
    ],
)  # fmt: skip
def test_rules_that_are_none_or_contradict_fixed_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        own(**rules)
    assert "\n" not in str(caught.value)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("n", [3, 300])
@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"assumed": lambda r, age: None}, "assumed must return integers, and returned None"),
        ({"assumed": lambda r, age: "7"}, "assumed must return integers"),
        ({"longest": lambda r: None}, "longest must return lengths"),
        ({"longest": lambda r: -5}, "longest must return lengths"),
        ({"longest": lambda r: "u"}, "longest must return lengths"),
        ({"cancel": lambda r, age, draw: "z" if age == 2 else None}, "cancel must return"),
    ],
)
def test_what_a_rule_must_not_return_is_one_line_at_every_size(rules: dict[str, Any], says: str, n: int) -> None:
    policy = own(**{"fixed": False, "overflow": "latest", "assumed": lambda r, age: age + 1, **rules})
    with pytest.raises(InputError, match=says) as caught:
        simulate(policy, [5, 3, 4] * (n // 3), 30)
    assert "\n" not in str(caught.value)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("peaks", [False, True])
@pytest.mark.parametrize("equals", ["index", "order"])
def test_a_fixed_policy_may_assume_less_than_a_length_where_memory_never_overflows(peaks: bool, equals: Any) -> None:
    random_ = random.Random(3)
    ran = refused = 0
    for _ in range(110):
        given = instance(random_)
        given["memory"] += random_.choice((0, 8, 40))
        given["l"] = [min(a, o) for a, o in zip(given["l"], given["lengths"], strict=True)]
        policy = own(assumed=lambda r, age: r.l, longest=lambda r: r.length, peaks=peaks, equals=equals)
        order = random_.sample(range(len(given["lengths"])), len(given["lengths"]))
        found: list[Any] = []
        for engine in ("reference", "fast"):
            try:
                run = simulate(policy, **given, order=order, engine=engine)
                found.append((run.starts.tolist(), run.total_latency, run.peak_memory))
            except InputError as error:
                assert "assumes less than requests need" in str(error) and "\n" not in str(error)
                found.append("refused")
        assert found[0] == found[1]
        ran, refused = ran + (found[0] != "refused"), refused + (found[0] == "refused")
    assert ran > 20 and refused > 20


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "rules",
    [
        {"priority": lambda r: (r.l, r.u)},
        {"priority": lambda r: float("inf") if r.l > 1 else r.u},
        {"assumed": lambda r, age: r.u + age, "longest": lambda r: 2 * r.u},
        {"assumed": lambda r, age: r.l},
        {"assumed": lambda r, age: r.l, "memory": 3, "longest": lambda r: r.l},
        {"peaks": True},
    ],
)
def test_whoever_says_fixed_gets_what_the_reference_engine_gives(rules: dict[str, Any]) -> None:
    given, found = {**GIVEN, "memory": rules.get("memory", GIVEN["memory"])}, []
    table = {name: rule for name, rule in rules.items() if name != "memory"}
    for engine in ("fast", "reference"):
        try:
            found.append(simulate(own(**table), **given, engine=engine).starts.tolist())
        except InputError as error:
            found.append(str(error))
    assert found[0] == found[1]
    assert isinstance(found[0], str) == ("memory" in rules)


def test_a_priority_may_be_a_fraction_of_lengths() -> None:
    random_ = random.Random(3)
    ratio_first = own(priority=lambda r: r.l / r.u, longest=lambda r: r.u)
    orders = 0
    for _ in range(100):
        given = instance(random_)
        one, two = (simulate(ratio_first, **given, engine=engine) for engine in ("reference", "fast"))
        assert one.starts.tolist() == two.starts.tolist()
        orders += len(set(one.starts.tolist())) > 1
    assert orders > 20


def test_two_policies_of_one_name_do_not_hide_each_other() -> None:
    with pytest.raises(InputError, match="policies = h-sf: is given twice"):
        replay({"lengths": [1, 2], "memory": 9}, ["h-sf", own(name="h-sf")])


# ---- former names ------------------------------------------------------------------------------------------------


@contextmanager
def deprecations() -> Iterator[list[str]]:
    """The texts of all deprecation warnings, however often one is repeated."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
    texts += [str(one.message) for one in caught if issubclass(one.category, DeprecationWarning)]


def by_queue(r: Any) -> Any:
    return (r.joined, r.own) if r.index % 2 else (r.queue_number, r.drawn)


NEW = Policy(
    "queue", priority=lambda r: (r.queue_number, r.drawn), assumed=lambda r, age: r.bound, longest=lambda r: r.u,
    cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.u else None, draws=lambda numbers: numbers / 2,
)  # fmt: skip
OLD = {
    "a rule": lambda r: (r.joined, r.own),
    "a function that a rule calls": lambda r: by_queue(r),
    "getattr": lambda r: (r.queue_number, getattr(r, "own")),  # noqa: B009
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("where", OLD)
def test_former_names_of_fields_work_with_one_warning(where: str, engine: Any) -> None:
    given: dict[str, Any] = {"lengths": [5, 3, 8, 1, 7] * 9, "memory": 21, "l": 1, "u": 9, "seed": 3, "engine": engine}
    new = simulate(NEW, **given)
    old = replace(NEW, priority=OLD[where])
    with deprecations() as texts:
        runs = [simulate(old, **given) for _ in range(2)]
    assert [run.starts.tolist() for run in runs] == [new.starts.tolist()] * 2 and new.cancellations > 20
    assert all(run.engine == engine for run in runs)
    [text] = texts
    assert "r.drawn for r.own" in text and ("r.queue_number for r.joined" in text) is (where != "getattr")


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_the_former_name_of_draws_works_with_one_warning(engine: Any) -> None:
    given: dict[str, Any] = {"lengths": [5, 3, 8, 1, 7] * 9, "memory": 21, "l": 1, "u": 9, "seed": 3, "engine": engine}
    with deprecations() as texts:
        old = Policy(
            "queue", priority=lambda r: (r.joined, r.own), assumed=NEW.assumed, longest=NEW.longest, cancel=NEW.cancel,
            own=NEW.draws,
        )  # fmt: skip  # pyright: ignore[reportCallIssue]
        run = simulate(old, **given)
    assert run.starts.tolist() == simulate(NEW, **given).starts.tolist() and old.own is old.draws is NEW.draws
    [text] = texts
    assert "Policy(draws=...)" in text


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_former_names_in_a_file_work_with_one_warning(tmp_path: Path, engine: Any) -> None:
    path = tmp_path / "queue.py"
    path.write_text(
        "from crtools import Policy\nP = Policy('queue', priority=lambda r: r.joined, assumed=lambda r, age: r.u,"
        " longest=lambda r: r.u)\n",
        encoding="utf-8",
    )
    with deprecations() as texts:
        run = simulate(f"{path}:P", [3, 1, 2] * 5, memory=9, u=4, engine=engine)
    assert run.engine == engine and len(texts) == 1 and "r.queue_number for r.joined" in texts[0]


def test_present_names_give_no_warning() -> None:
    with deprecations() as texts:
        for name in ("a-restart", "a-offset", "a-learn", "h-sf"):
            simulate(name, [3, 1, 2] * 5, memory=9, u=4)
        simulate(replace(NEW, name="another"), [3, 1, 2], memory=19, u=4, l=1, engine="fast")
    assert texts == []
