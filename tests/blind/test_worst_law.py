"""The minimax ratio on an interval: a law below, a mixture that is good for all laws above."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Empirical, InputError, best
from crtools.blind.mixture import Mixture
from crtools.blind.worst_law import best_with_slope, closed, is_good_for_all, universal_cost
from crtools.schedule import volume


@pytest.mark.parametrize(("s", "l", "u"), [(0, 1, 2), (0, 3, 3), (2, 1, 5), (0, 1, 10), (20, 5, 12)])
def test_both_sides_meet(s: int, l: int, u: int) -> None:
    found = closed(s, l, u)
    assert found.value.width <= Fraction(1, 10**10)
    assert found.value.upper >= 1 and found.value.lower <= Fraction(2729, 1000)
    assert best(Empirical(found.weights), s).value.middle == pytest.approx(found.value.middle, rel=1e-9)


def test_the_value_on_one_to_ten() -> None:
    found = closed(0, 1, 10).value
    assert Fraction("1.962143") < found.lower <= found.upper < Fraction("1.962144")


@pytest.mark.exhaustive  # takes seconds
@settings(max_examples=20)
@given(st.lists(st.integers(1, 100), min_size=6, max_size=6), st.integers(0, 5))
def test_no_law_on_the_interval_is_worse(weights: list[int], s: int) -> None:
    own = best(Empirical(dict(enumerate(weights, start=2))), s)
    assert own.value.lower <= closed(s, 2, 7).value.upper


def paid_under(mixture: Mixture, weights: list[int]) -> Fraction:
    """Return twice what the mixture pays, in its own order, where requests have other weights: stage by stage, request by request."""
    sizes, plans = mixture.requests.sizes, list(zip(mixture.plans, mixture.weights, strict=True))
    total, time, area = Fraction(sum(mixture.weights) * sum(weights)), Fraction(0), Fraction(0)
    waiting = {
        (n, k): Fraction(share * w) / total for n, (_, share) in enumerate(plans) for k, w in enumerate(weights, 1)
    }
    for stage in mixture.stages:
        mine = [n for n, (plan, _) in enumerate(plans) if (stage.after, stage.until) in itertools.pairwise(plan)]
        before = sum(waiting.values())
        held = Fraction(0)
        for n in mine:
            for k in range(stage.after + 1, len(sizes) + 1):
                held += waiting[n, k] * min(sizes[k - 1], sizes[stage.until - 1])
                if k <= stage.until:
                    waiting[n, k] = Fraction(0)
        area += held * (before + sum(waiting.values()))
        time += held
    assert not any(waiting.values()) and time > 0
    return area


@pytest.mark.exhaustive  # takes seconds
@settings(max_examples=20)
@given(st.lists(st.integers(0, 50), min_size=6, max_size=6).filter(any))
def test_the_cost_under_another_law_is_the_quadratic_form(weights: list[int]) -> None:
    found = closed(1, 1, 6).mixture
    y, scale = np.array(weights, dtype=object), Fraction(1, 2 * (sum(weights) * sum(found.weights)) ** 2)
    form = y @ np.array(universal_cost(found), dtype=object) @ y
    assert form * scale == paid_under(found, weights)
    shared = sum(
        a * b * min(v, w)
        for a, v in zip(weights, found.requests.sizes, strict=False)
        for b, w in zip(weights, found.requests.sizes, strict=False)
    )
    assert form * scale * sum(weights) ** 2 <= shared * closed(1, 1, 6).value.upper


def test_a_smaller_ratio_or_another_mixture_is_not_good_for_all() -> None:
    found = closed(0, 1, 8)
    mixture, cost = found.mixture, universal_cost(found.mixture)
    assert is_good_for_all(mixture, cost, found.value.upper)
    assert not is_good_for_all(mixture, cost, found.value.lower - Fraction(1, 10**9))
    cost[2][5] += cost[2][5] // 20
    cost[5][2] = cost[2][5]
    assert not is_good_for_all(mixture, cost, found.value.upper)
    largest = max(mixture.weights)
    other = Mixture(mixture.requests, mixture.plans, tuple(w * (1 + (w == largest)) for w in mixture.weights))
    assert not is_good_for_all(other, universal_cost(other), found.value.upper)


def test_the_slope_is_the_difference_of_values() -> None:
    sizes = np.array([float(volume(1, o)) for o in range(1, 8)])
    shares = np.array([0.3, 0.2, 0.15, 0.1, 0.1, 0.08, 0.07])
    value, slope, _ = best_with_slope(sizes, shares)
    for k in range(7):
        moved = shares.copy()
        moved[k] += 1e-6
        scaled = moved / moved.sum()
        assert (best_with_slope(sizes, scaled)[0] - value) / 1e-6 == pytest.approx(slope[k] - slope @ shares, abs=1e-4)


@pytest.mark.parametrize(("s", "l", "u"), [(-1, 1, 2), (0, 0, 2), (0, 5, 4), (0, 1, 101)])
def test_bad_input_gets_one_line(s: int, l: int, u: int) -> None:
    with pytest.raises(InputError) as error:
        closed(s, l, u)
    assert "\n" not in str(error.value)
