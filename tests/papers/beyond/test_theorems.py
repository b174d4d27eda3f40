"""The proofs: arguments in words are tested with power, bounds are on the right side of what policies do."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from fractions import Fraction
from math import exp, log, sqrt
from types import ModuleType
from typing import Any

import pytest
import sympy as sp

from crtools.blind import offsets_against_h_sf
from crtools.blind.rho_star import cost, least_cost, log_loss, process_bound
from crtools.enclosure import ball
from crtools.errors import InputError
from crtools.ledger import Finding, Open, Refuted, by_theorem
from crtools.ledger.verdict import verdict
from crtools.papers.beyond import computed
from crtools.papers.beyond.claims.against_h_sf import own_offsets
from crtools.papers.beyond.claims.minimax import at_base, at_least
from crtools.papers.beyond.theory import TEXT, constant, theorem
from crtools.proof.symbols import l, s
from tests.papers.beyond import trials

HALF, TWICE = Fraction(1, 2), Fraction(2)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("test", "factor"),
    [
        (trials.waits, HALF),
        (trials.waits, TWICE),
        (trials.means, HALF),
        (trials.means, TWICE),
        (trials.step_uses, HALF),
        (trials.prices, HALF),
        (trials.prices_in_process, HALF),
        (trials.pacing, HALF),
        (trials.orders, HALF),
        (trials.room, TWICE),
        (trials.times, HALF),
        (trials.times, TWICE),
    ],
    ids=lambda given: getattr(given, "__name__", str(given)),
)
def test_an_argument_with_a_constant_changed_by_2_meets_a_run_that_disagrees(
    test: Callable[[Fraction], str | None], factor: Fraction
) -> None:
    assert test(factor) is not None


@pytest.mark.parametrize("name", TEXT.names)
def test_the_theorems_hold(name: str) -> None:
    found = theorem(name)
    assert found.holds, found.first_failure


def test_every_function_that_tries_or_computes_is_named_in_the_text() -> None:
    named = {step.function for own in TEXT.theory.theorems.values() for step in own.steps if step.function}
    own = {
        name for module in (trials, computed) for name, each in vars(module).items() if returns_a_failure(each, module)
    }
    assert own == named & {*vars(trials), *vars(computed)}


def returns_a_failure(function: object, module: ModuleType) -> bool:
    plain: Any = inspect.unwrap(function) if callable(function) else None
    says = getattr(plain, "__annotations__", {}).get("return")
    return (
        says in ("str | None", str | None)
        and plain.__module__ == module.__name__
        and not plain.__name__.startswith("_")
    )


def test_the_constants_of_the_text_are_those_that_are_computed_with() -> None:
    assert TEXT.value("own_base", 1) == sp.Rational(str(offsets_against_h_sf.BASE))
    assert TEXT.value("own_bound", 1) == sp.Rational(str(offsets_against_h_sf.COST))
    assert str(computed.CONSTANT) in theorem("the price of all machine time").steps[4].latex().replace("}{", "/")
    assert least_cost(20).base.lower > TEXT.value("less_than_the_best_base", 1) ** 1


def test_a_bound_below_the_symbol_fails_at_the_balls() -> None:
    [own] = at_base(Fraction(69, 5), Fraction("2.7283"), "machine")
    failure = own.first_failure
    assert failure is not None
    assert failure.step.name == "balls"


@pytest.mark.parametrize("level", ["machine", "algorithm"])
def test_a_lower_bound_above_the_least_cost_is_refuted_where_own_offsets_are_proved(level: str) -> None:
    found = at_least(Fraction("2.7284"), level)
    assert isinstance(found, Refuted)
    assert any(record["theorem"].startswith("own offsets") for record in found.theorems)
    assert at_least(Fraction("2.7283"), level).status == "proved"


def test_an_open_finding_names_no_other_constant() -> None:
    found = [
        Finding("one", "it is so", Open("nothing was found")),
        Finding("two", "so too", by_theorem(theorem("one stationary point"))),
    ]
    assert verdict("form", "all", "none", ("it holds", "another one holds"), *found).why == "not decided"
    assert verdict("form", "all", "none", ("it holds", "another one holds"), found[1]).why == "it holds"


def test_a_smaller_constant_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert computed.lost_in_balls() is None
    monkeypatch.setattr(computed, "CONSTANT", Fraction(82, 100))
    assert computed.lost_in_balls() is not None


def test_the_factor_against_h_sf_is_tight() -> None:
    for factor, holds in ((2 * s + l + 1, True), (2 * s + l, False)):
        own = sp.Lambda((l, s), factor / (2 * (s + l)))
        assert theorem("volume against H-SF", factor=own).holds == holds


def test_own_offsets_against_h_sf_are_as_the_runs_say() -> None:
    assert trials.waits_in_steps() is None and trials.savings() is None
    assert trials.waits_in_steps(1.05) is not None and trials.savings(Fraction(2)) is not None
    assert own_offsets(0, 1, Fraction("1.44")).holds
    assert not own_offsets(0, 1, Fraction("1.42")).holds
    assert not own_offsets(0, 1, Fraction("1.36")).holds


def test_no_tail_is_left_out_between_the_balls_and_the_late_ones() -> None:
    late = offsets_against_h_sf.bound(0, 1).last + 1
    numbers = {name: constant(own) for name, own in (("prompt", 0), ("low", 1), ("factor", Fraction("1.44")))}
    assert computed.form_in_balls(**numbers, late=constant(late)) is None
    assert computed.form_in_balls(**numbers, late=constant(late + 1)) is not None


def test_in_steps_the_base_must_be_at_least_the_root_of_three() -> None:
    assert trials.one_each() is None
    assert trials.one_each(Fraction(299, 100)) is not None
    assert all(own.holds for own in at_base(Fraction(2), Fraction(40), "algorithm"))
    in_process, machine = at_base(Fraction(3, 2), Fraction(40), "algorithm")
    assert not in_process.holds
    assert machine.holds  # on one machine there are no intervals


def test_a_pause_uses_no_less_than_a_new_attempt() -> None:
    assert trials.pauses() is None
    assert trials.pauses(Fraction(11, 10)) is not None
    assert {step.name for step in theorem("weak duality in the process").steps} >= {
        "long pause",
        "short pause",
        "pauses",
    }


def test_newton_reaches_any_number_of_digits() -> None:
    for digits in (1, 30, 2000):
        found = least_cost(digits)
        assert found.value.width <= Fraction(10) ** (1 - digits)
        assert least_cost(digits + 7).value.lower in found.value
        assert cost(found.y.middle, log(found.y.middle)) == pytest.approx(found.value.middle)
    with pytest.raises(InputError, match="digits = 0"):
        least_cost(0)


# ---- the bound against policies that can be worked out ------------------------------------------------------------


def rounds(roots: list[float]) -> float:
    """Twice the total over n² of a policy that tries all unfinished jobs up to r², for each r in turn, on the law of the bound."""
    worked = total = 0.0
    for before, r in zip([1.0, *roots], roots, strict=False):
        work = 2 * r - before
        gain = 1 / before if r == roots[-1] else 1 / before - 1 / r
        total += gain * (2 * worked + work)
        worked += work
    return total


@pytest.mark.parametrize("largest", [2.0, 7.0, 30.0, 1e3, 1e6, 1e12])
@pytest.mark.parametrize("ratio", [1.3, 2.0, 3.7158, 8.0])
def test_no_policy_in_rounds_is_below_the_bound(largest: float, ratio: float) -> None:
    root = sqrt(largest)
    steps = max(1, round(log(root) / log(ratio)))
    roots = [root ** ((k + 1) / steps) for k in range(steps)]
    assert rounds(roots) >= 2.7283724 * (log(largest) - 1.2139)


def test_the_bound_is_not_far_below_the_best_policy_in_rounds() -> None:
    """So that a constant which is wrong by more than one or two would be seen."""
    root = 10.0
    best = min(rounds([root ** ((k + 1) / n) for k in range(n)]) for n in range(1, 30))
    assert 0 < best / 2.7283724 - (2 * log(root) - 1.2139) < 2


def test_what_is_lost_is_what_the_formulas_say() -> None:
    rho = 2.7283724269
    y = rho + sqrt(rho**2 - rho)
    kappa = 2 * y - 2 * rho * log(y)
    end = exp(log(2 * rho) - 1 + kappa / (2 * rho))
    start = sqrt(rho) * (1 + sqrt(2))
    assert float(log_loss(ball(rho))) == pytest.approx(2 * (2 + log(end / 2 / start) - kappa / rho))
    assert min(2 * sqrt(rho * (2 * z / 100 - 1)) - 2 * rho * log(z / 100) for z in range(100, 3000)) >= kappa - 1e-9
    assert min(end * z / 100 - 2 * rho * log(z / 100) for z in range(100, 3000)) >= kappa - 1e-9


@pytest.mark.parametrize(("s", "l", "u"), [(0, 1, 20), (0, 3, 400), (7, 2, 150)])
def test_the_bound_in_the_process_is_its_formula(s: int, l: int, u: int) -> None:
    def bound(a: int) -> float:
        total = 1 + sum((s + k + 1) / (s * k + k * (k + 1) / 2) for k in range(a, u))
        return 2.7283724269 * (log((s * u + u * (u + 1) / 2) / (s * a + a * (a + 1) / 2)) - 0.82756762) / total

    value, at = process_bound(s, l, u)
    assert float(value) == pytest.approx(max(1.0, *(bound(a) for a in range(l, u))), rel=1e-7)
    assert l <= at <= u


def test_the_bound_in_the_process_is_at_least_1_and_refuses_what_is_no_interval() -> None:
    assert process_bound(0, 5, 5)[0] == 1
    assert process_bound(0, 1, 10**8)[0] > Fraction(25, 10)
    with pytest.raises(InputError):
        process_bound(0, 5, 4)
