"""Entries by the rule of phases: those of known forms and of exact runs; other rules give others, or none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import sympy as sp

from crtools import POLICIES, Policy, form, worst_case
from crtools.discovery.discover import form_by_phases
from crtools.discovery.entries import Entries
from crtools.discovery.measurements import ExactRuns
from crtools.discovery.phase_theorem import ByPhases, by_phases, theorem
from crtools.discovery.rules import NoPhases, Phase, ends, entries, entries_at, numbers, phases, within
from crtools.proof.symbols import i, j, s
from crtools.setting import Setting

A_ELL = replace(POLICIES["a-ell"], kernel=None)
LONGEST_FIRST = Policy("longest-first", priority=lambda r: -r.length, assumed=lambda r, age: r.length, fixed=True)

TWICE = Policy(
    "twice",
    priority=lambda r: r.bound,
    assumed=lambda r, age: max(r.bound, r.l),
    bound=lambda r: 0,
    cancel=lambda r, age, draw: (r.u if r.bound else r.l) if age == max(r.bound, r.l) < r.u else None,
    longest=lambda r: 3 * r.u,
)
"""A user's, which asks for more memory than it needs: everybody runs for l, then who is left once more, then for u."""

DOUBLING = Policy(
    "doubling",
    priority=lambda r: r.bound,
    assumed=lambda r, age: min(2 * r.bound, r.u),
    cancel=lambda r, age, draw: 2 * r.bound if age == 2 * r.bound < r.u else None,
    longest=lambda r: r.u,
)
"""That of docs/add-a-policy.md: a request may grow to twice its bound."""

AWAY = ((2, 7, 0), (3, 4, 2), (3, 7, 1))
"""Lengths and s that no guess is made from."""


def measured(policy: Policy, at: tuple[int, int, int]) -> Entries | None:
    return ExactRuns(policy).entries(*at)


def at_point(found: ByPhases, at: tuple[int, int, int]) -> Entries:
    """Return the values of formulas at i, j, s."""
    low, high, prompt = map(Fraction, at)
    if len(found.formulas) == 3:
        return Entries(*(formula.function(low, high, prompt) for formula in found.formulas))
    (one,) = found.formulas
    return Entries(*(one.function(*pair, prompt) for pair in ((low, low), (low, high), (high, high))))


@pytest.mark.parametrize(("policy", "count"), [(POLICIES["h-sf"], 1), (A_ELL, 3), (TWICE, 3)])
def test_proved_entries_are_those_of_runs_away_from_where_the_theorem_is_tested(policy: Policy, count: int) -> None:
    found = by_phases(policy)
    assert len(found.formulas) == count
    assert found.theorem.holds, found.theorem.first_failure
    for at in AWAY:
        assert at_point(found, at) == measured(policy, at) == entries_at(policy, *at)


def test_who_was_cancelled_is_told_by_the_place_in_the_queue() -> None:
    later = replace(A_ELL, priority=lambda r: 0 if r.queue_number == 0 else 1)
    assert by_phases(later).formulas == by_phases(A_ELL).formulas
    assert by_phases(later).theorem.holds
    tries = Policy(
        "tries", priority=lambda r: r.queue_number, assumed=lambda r, age: min(r.bound, r.length), bound=lambda r: 1, equals="order",
        cancel=lambda r, age, draw: 3 * r.bound if age == r.bound < r.length else None,
    )  # fmt: skip
    assert entries_at(tries, 4, 5, 1) is None  # both lengths in the third phase, and they leave at different ages
    alike = replace(tries, assumed=lambda r, age: r.bound)
    assert entries_at(alike, 3, 9, 1) == measured(alike, (3, 9, 1)) is not None
    with pytest.raises(NoPhases, match="more than their places"):
        phases(replace(alike, priority=lambda r: (r.queue_number, r.length)), numbers(3, 9, 1))


def test_proved_entries_are_the_forms() -> None:
    h_sf, a_ell = by_phases(POLICIES["h-sf"]), by_phases(A_ELL)
    assert sp.expand(sp.sympify(h_sf.formulas[0].text) - form("h-sf").formula(*sp.symbols("i j s"))) == 0
    on = form("a-ell").on(Setting(3, 4, 11))
    assert at_point(a_ell, (4, 11, 3)) == Entries(*(on.entry(*pair) for pair in ((4, 4), (4, 11), (11, 11))))


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (POLICIES["a-random"], "share a place in the queue"),
        (POLICIES["a-max"], "another length than that at which requests leave"),
        (POLICIES["a-min-cohort"], "by coin"),
        (POLICIES["a-offset"], "attempts are paced"),
        (POLICIES["a-restart"], r"how j and 2\*i compare"),
        (LONGEST_FIRST, "a later phase is shorter"),
        (replace(A_ELL, priority=lambda r: -r.queue_number), "more than comparisons and polynomials"),
        (replace(A_ELL, priority=lambda r: 0), "need not go behind"),
        (
            replace(A_ELL, priority=lambda r: 7 if r.queue_number == 3 else r.queue_number),
            "the place of a request in the queue and 3",
        ),
        (replace(A_ELL, assumed=lambda r, age: 0 * r.l), "it assumes no length"),
        (replace(A_ELL, priority=lambda r: r.index), "which request it is"),
        (replace(A_ELL, assumed=lambda r, age: r.bound + age), "another length of a request as this grows"),
    ],
)
def test_what_has_no_phases_is_told_why(policy: Policy, reason: str) -> None:
    with pytest.raises(NoPhases, match=reason):
        by_phases(policy)


OFF_BY_ONE: dict[str, dict[str, Any]] = {
    "assumed": {"assumed": lambda r, age: r.bound + 1},
    "cancelled one earlier": {"cancel": lambda r, age, draw: r.u if age == r.bound - 1 < r.u else None},
    "cancelled one later": {"cancel": lambda r, age, draw: r.u if age == r.bound + 1 < r.u else None},
    "bound": {"bound": lambda r: r.l + 1},
    "next bound": {"cancel": lambda r, age, draw: r.u + 1 if age == r.bound < r.u else None},
    "hindsight": {"bound": lambda r: r.length},
}


@pytest.mark.parametrize("name", OFF_BY_ONE)
def test_another_threshold_is_refused_or_gives_other_entries(name: str) -> None:
    """Also where the policy has kept its name: nothing is looked up."""
    other = replace(A_ELL, **OFF_BY_ONE[name])
    try:
        found = by_phases(other)
    except NoPhases:
        return
    assert found.theorem.holds
    assert at_point(found, (2, 5, 1)) == measured(other, (2, 5, 1)) != at_point(by_phases(A_ELL), (2, 5, 1))


PRIORITIES = (lambda r: r.queue_number, lambda r: r.bound, lambda r: (r.bound, r.length), lambda r: r.length)
ASSUMED = (lambda r, age: r.bound, lambda r, age: min(r.bound, r.length), lambda r, age: r.length)
BOUNDS = (lambda r: r.l, lambda r: r.length, lambda r: 2 * r.l)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("rules", list(product(PRIORITIES, ASSUMED, BOUNDS)))
def test_where_a_policy_has_phases_its_runs_agree(rules: tuple[Any, Any, Any]) -> None:
    priority, assumed, bound = rules
    policy = Policy(
        "one of many", priority=priority, assumed=assumed, bound=bound, longest=lambda r: 2 * r.u,
        cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.length else None,
    )  # fmt: skip
    for at in ((2, 3, 1), (1, 4, 0)):
        by_rule = entries_at(policy, *at)
        assert by_rule is None or by_rule == measured(policy, at)


def test_phases_that_change_from_pair_to_pair_make_a_form() -> None:
    restart = POLICIES["a-restart"]
    found = form_by_phases(restart, "restart-found")
    for l, u, prompt in ((2, 5, 1), (1, 6, 2), (3, 4, 0)):
        setting = Setting(prompt, l, u)
        assert [found.on(setting).entry(*p) for p in ((l, l), (l, u), (u, u))] == [
            form("a-restart").on(setting).entry(*p) for p in ((l, l), (l, u), (u, u))
        ]
    assert worst_case(found, 2, 5, 1).value > 1
    assert entries_at(DOUBLING, 2, 4, 1) is None  # length 2 leaves before 4, and others start beside its batch


def test_phases_are_data() -> None:
    assert phases(A_ELL, numbers(2, 5, 1)) == (Phase(2, (True, True)), Phase(5, (False, True)))
    assert entries([Phase(2, (True, True)), Phase(5, (False, True))], 1) == Entries(6, 9, 42)


@pytest.mark.parametrize(
    "wrong",
    [
        Entries(i * (s + i), 2 * i * (s + i), 2 * i * (s + i) + j * (s + j)),
        Entries(i * (s + i), 3 * i * (s + i) / 2, 2 * i * (s + i) - j * (s + j)),
        Entries(i * (s + j), 3 * i * (s + i) / 2, 2 * i * (s + i) + j * (s + j)),
    ],
)
def test_a_wrong_entry_is_no_theorem(wrong: Entries) -> None:
    found = by_phases(A_ELL).phases
    assert not theorem(A_ELL, ends(), found, wrong).holds
    assert theorem(A_ELL, ends(), found, entries(found, s)).holds


def test_wrong_phases_are_no_theorem() -> None:
    for wrong in (
        (Phase(i, (True, True)), Phase(j + 1, (False, True))),
        (Phase(i, (True, False)), Phase(j, (False, True))),
    ):
        proof = theorem(A_ELL, ends(), wrong, entries(wrong, s))
        assert [result.step.name for result in proof.results if not result.holds][:2] == ["rules", "batches"]
    with pytest.raises(NoPhases):
        phases(A_ELL, within())
