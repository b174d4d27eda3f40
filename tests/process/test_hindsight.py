"""Whether a policy's rules read the true length is observed, in their code and while they are asked, whatever they say."""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
import pytest

from crtools import Policy, compare, simulate
from crtools.process.hindsight import fields_read
from crtools.process.policies import known_policies

LAW = "uniform(1, 20)"
FIELD = "len" + "gth"


def helper(r: Any) -> Any:
    return deeper(r) + 1


def deeper(r: Any) -> Any:
    return r.length - 1


class Sized:
    """A rule that is an object."""

    def __call__(self, r: Any) -> Any:
        return self.size(r)

    def size(self, r: Any) -> Any:
        return r.length


class Property:
    """A rule that wraps the request."""

    def __init__(self, r: Any = None) -> None:
        self.r = r

    @property
    def size(self) -> Any:
        return self.r.length


def reads_length(policy: Policy) -> bool:
    return "length" in fields_read(policy)


def closed(rule: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda r: rule(r)


def matched(r: Any) -> Any:
    match r:
        case object(length=size):
            return size
        case _:
            return 0


@cache
def kept(i: int) -> int:
    return i


TABLE = {"rules": [deeper]}

READ: dict[str, Callable[[Any], Any]] = {
    "attribute": lambda r: r.length,
    "noisy": lambda r: math.ceil(r.length * (0.5 + r.drawn)),
    "never taken": lambda r: r.length if r.index < 0 else r.l,
    "helper": lambda r: helper(r),
    "closure": closed(deeper),
    "partial": partial(lambda more, r: deeper(r) + more, 1),
    "object": Sized(),
    "method": Sized().size,
    "class": lambda r: Property(r).size,
    "default": lambda r, rule=deeper: rule(r),
    "table": lambda r: TABLE["rules"][0](r),
    "cached": lru_cache(lambda r: r.length),
    "nested": lambda r: (lambda q: max(x.length for x in [q]))(r),
    "getattr": lambda r: getattr(r, "length"),  # noqa: B009
    "getattr with a default": lambda r: getattr(r, "length", 3),
    "computed name": lambda r: getattr(r, FIELD),
    "computed name, never taken": lambda r: getattr(r, FIELD) if r.index < 0 else r.l,
    "attrgetter": operator.attrgetter("length"),
    "attrgetter of more": lambda r: operator.attrgetter("s", FIELD)(r)[1],
    "vars": lambda r: vars(r)["length"] if r.index < 0 else r.l,
    "dictionary": lambda r: r.__dict__["length"] if r.index < 0 else r.l,
    "dataclass": lambda r: dataclasses.astuple(r)[4] if r.index < 0 else r.l,
    "getattribute": lambda r: object.__getattribute__(r, FIELD) if r.index < 0 else r.l,
    "match": matched,
}

BLIND: dict[str, Callable[[Any], Any]] = {
    "bound": lambda r: r.bound,
    "a variable called length": lambda r: (lambda length: length + 1)(r.l),
    "getattr of another field": lambda r: getattr(r, "bound", 0),
    "words": lambda r: len("length") + r.s,
    "numbers": lambda r: math.log(r.u + 1) + float(np.sqrt(r.s)),
    "the age alone": lambda r: max(kept(int(r.l)), 3),
    "a table": lambda r: {1: 2}.get(int(r.l), 0),
}
COMPILED = ("a variable called length", "numbers")
"""The rules that are run in the compiled engine too, where each takes a second to compile."""


def policy(rule: Callable[[Any], Any], **more: Any) -> Policy:
    return Policy("own", priority=rule, assumed=lambda r, age: age + 1, overflow="latest", **more)


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("knows", ["", "l, u", "nothing", "a noisy prediction"])
def test_a_rule_that_reads_the_length_is_seen_in_its_code(name: str, knows: str) -> None:
    assert reads_length(policy(READ[name], knows=knows))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", BLIND)
def test_a_rule_that_does_not_is_blind(name: str) -> None:
    own = policy(BLIND[name], knows="o")
    assert not reads_length(own)
    for n in (20, 400) if name in COMPILED else (20,):
        assert not simulate(own, [5, 3, 9, 1] * (n // 4), 30).hindsight


@pytest.mark.parametrize("rule", ["priority", "assumed", "cancel", "bound"])
def test_every_rule_counts_but_the_one_that_says_what_must_fit(rule: str) -> None:
    rules: dict[str, Any] = {
        "priority": lambda r: r.length,
        "assumed": lambda r, age: r.length,
        "cancel": lambda r, age, draw: r.length if age < r.bound < r.length else None,
        "bound": lambda r: r.length,
    }
    plain: dict[str, Any] = {"priority": lambda r: r.l, "assumed": lambda r, age: age + 1, "overflow": "latest"}
    assert reads_length(Policy("own", **{**plain, rule: rules[rule]}))
    assert not reads_length(Policy("own", **plain, longest=lambda r: r.length))


@pytest.mark.parametrize("n", [20, 400])  # the reference engine, and the other
def test_a_read_that_the_code_hides_is_seen_in_the_run(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.process.hindsight.fields_read", lambda policy: set())
    lengths = [5, 3, 9, 1] * (n // 4)
    assert simulate(policy(lambda r: r.length), lengths, 30).hindsight
    assert simulate(policy(lambda r: r.l, bound=lambda r: r.length), lengths, 30).hindsight
    late = Policy(
        "late", priority=lambda r: r.l, assumed=lambda r, age: r.length if age == 7 else age + 1, overflow="latest"
    )
    assert simulate(late, lengths, 30).hindsight
    assert not simulate(policy(lambda r: r.l), lengths, 30).hindsight


def test_the_policies_that_come_along_are_what_they_say() -> None:
    told = {name: "o" in own.knows.split(", ") for name, own in known_policies().items()}
    assert {name: reads_length(own) for name, own in known_policies().items()} == told
    assert sorted(name for name, hindsight in told.items() if hindsight) == [
        "a-random", "h-sf", "h-volume", "h-windows", "h-work",
    ]  # fmt: skip


@pytest.mark.parametrize("knows", ["", "length", "the true o", "O"])
def test_a_hindsight_policy_is_not_ranked(knows: str) -> None:
    cheat = Policy("cheat", priority=lambda r: r.length, assumed=lambda r, age: r.length, knows=knows)
    found = compare(["fcfs", "a-min", cheat], LAW, memory=60, n=60, seeds=2)
    assert {cell.policy: cell.blind for cell in found.cells} == {"fcfs": True, "a-min": True, "cheat": False}
    assert "cheat" not in found.best_blind.values() and "cheat" not in found.sentence
    row = next(row for row in found.as_json()["rows"] if row["policy"] == "cheat")
    assert row["blind"] is False


def test_a_policy_that_reads_the_length_at_one_memory_is_blind_at_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.process.hindsight.fields_read", lambda policy: set())
    late = Policy("late", priority=lambda r: r.bound, assumed=lambda r, age: age + 1, overflow="latest",
                  cancel=lambda r, age, draw: r.bound + 1 if r.queue_number > 3 and age + 1 > r.length + 99 else None)  # fmt: skip
    found = compare([late], LAW, memory="25,4000", n=40, seeds=1)
    assert [cell.blind for cell in found.cells] == [False, False]


SPELLED_OUT = (
    "attribute", "noisy", "never taken", "helper", "closure", "method", "default", "table", "nested", "getattr",
    "getattr with a default",
)  # fmt: skip
"""Of the rules above those whose code, and that of what it calls, says which fields it reads."""


@pytest.mark.parametrize("name", READ)
def test_the_work_is_told_from_the_length(name: str) -> None:
    """The work depends on the clock, so that a policy which may read it must run in each."""
    assert ("work" in fields_read(policy(READ[name]))) == (name not in SPELLED_OUT)


def test_a_rule_that_reads_the_work_reads_the_length() -> None:
    assert fields_read(policy(lambda r: r.work)) == {"length", "work"}
