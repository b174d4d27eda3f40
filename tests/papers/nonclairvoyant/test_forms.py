"""The forms and the machine of the second theory: one entry over every ring, exact runs, ratios by name."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
import sympy as sp

from crtools import Form, InputError, Setting, derive, form, ratio, worst_case
from crtools.papers.nonclairvoyant.forms import FORMS, b_scaling
from crtools.papers.nonclairvoyant.machine import in_order, round_robin, shortest_first, threshold
from tests.papers.nonclairvoyant.trials import kill_and_restart, scaling

SIZES = (2, 2, 3, 5, 7)
SETTING = Setting(s=0, l=2, u=7)
COUNTS = [Fraction(SIZES.count(k)) for k in range(2, 8)]


def of_largest(sizes: tuple[int, ...]) -> Fraction:
    return sum(in_order(sizes, range(len(sizes))[::-1]), Fraction(0))


def of_random(sizes: tuple[int, ...]) -> Fraction:
    runs = [sum(in_order(sizes, order), Fraction(0)) for order in permutations(range(len(sizes)))]
    return sum(runs, Fraction(0)) / len(runs)


@pytest.mark.parametrize(
    ("name", "total", "own"),
    [
        ("spt", sum(shortest_first(SIZES)), 1),
        ("round-robin", sum(round_robin(SIZES)), 0),
        ("random-order", of_random(SIZES), 1),
        ("largest-first", of_largest(SIZES), 1),
    ],
)
def test_twice_the_total_is_the_form_and_a_share_of_the_diagonal(name: str, total: Fraction, own: int) -> None:
    assert 2 * total == form(name).on(SETTING).value(COUNTS) + own * sum(SIZES)


def test_killing_and_restarting_is_its_form_with_half_of_the_sizes_left() -> None:
    sizes = SIZES[::-1]  # the longest first
    assert 2 * sum(scaling(sizes, 3, [1] * 5)) == b_scaling(3).on(SETTING).value(COUNTS) + sum(sizes)


@pytest.mark.parametrize("name", FORMS)
def test_the_rings_agree(name: str) -> None:
    of = form(name)
    assert of is FORMS[name]
    exact = of.on(SETTING).matrix()
    assert np.allclose(of.on(SETTING).matrix(float), exact.astype(float))
    product = of.on(SETTING).apply(COUNTS)
    assert product == list(exact @ np.array(COUNTS))
    assert of.entry(2, 5) == of.entry(5, 2) == of.entry(2, 5, 9)


@pytest.mark.parametrize("name", ["spt", "round-robin", "random-order", "largest-first"])
def test_symbols_too(name: str) -> None:
    i, j = sp.symbols("i j", positive=True)
    entry = form(name).entry(i, i + j)
    assert entry.subs({i: 2, j: 3}) == form(name).entry(2, 5)


def test_worst_cases_are_those_of_the_claims() -> None:
    assert worst_case("round-robin", l=1, u=9, against="spt").value == 2
    assert worst_case("random-order", l=1, u=9, against="spt").value == pytest.approx(2)  # ½(1 + √9)
    assert worst_case("largest-first", l=1, u=9, against="spt").value == pytest.approx(3)
    assert worst_case("b-scaling-3", l=1, u=9, against="spt").bounds().upper < 1 + 3 * 3**0.5


def test_families_and_own_laws_by_name() -> None:
    assert str(derive("geometric(q)", policy="random-order", against="spt").ratio) == "q + 1"
    assert derive("geometric(q)", policy="largest-first", against="spt").supremum().value == 3
    assert ratio("round-robin", "pmf(1/k, u=20)", against="spt").exact == 2
    assert ratio("b-scaling-3", "uniform(l=1, u=10)", against="spt").exact == Fraction(1241, 385)


def test_a_base_that_is_none_is_refused() -> None:
    assert isinstance(b_scaling(Fraction(5, 2)), Form)
    for base in (1, Fraction(1, 2), 3.0):
        with pytest.raises(InputError):
            b_scaling(base)  # type: ignore[arg-type]


# ---- the machine -----------------------------------------------------------------------------------------------------


def test_round_robin_shares_the_machine() -> None:
    assert round_robin([3, 1, 2]) == [6, 3, 5]


def test_attempts_that_fail_cost_their_length() -> None:
    attempts = [(0, Fraction(1)), (1, Fraction(1)), (0, Fraction(2)), (1, Fraction(2)), (0, Fraction(9))]
    assert kill_and_restart([2, 1], attempts) == [4, 2]
    assert kill_and_restart([2, 1], attempts, just_above=True) == [7, 5]
    assert kill_and_restart([2, 1], attempts, Fraction(10)) == [14, 12]


def test_all_shorter_attempts_together() -> None:
    """One job of size 1 with b = 2: 1/2 + 1/4 + … before the attempt of length 1."""
    assert scaling([1], 2, [1]) == [2]
    assert scaling([1], 2, [1], just_above=True) == [3]
    assert scaling([1], 2, [Fraction(3, 2)]) == [Fraction(5, 2)]


def test_the_least_length_that_is_enough() -> None:
    assert threshold(5, 2) == 8
    assert (threshold(4, 2), threshold(4, 2, just_above=True)) == (4, 8)
    assert threshold(Fraction(1, 5), 3, Fraction(3, 2)) == Fraction(1, 2)
