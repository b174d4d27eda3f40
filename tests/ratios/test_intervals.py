"""Several prediction intervals under a law, against double sums with the rule written out again, and against worst cases."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from commands import crt
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crtools import Empirical, InputError, Setting, derive, distribution, form, ratio, worst_case
from crtools.ratios.ratio import Intervals

SPLIT = ((1, 4), (4, 9), (10, 60))
CASES = [
    ("uniform(1, 20)", SPLIT, 0), ("uniform(1, 20)", SPLIT, 3), ("zipf(2, 30)", ((1, 1), (2, 30)), 1),
    ("two-point(3, 9, 1/3)", SPLIT, 2), ("two-point(5, 9, 1/3)", SPLIT, 2), ("empirical(2:1, 5:3, 40:1)", ((2, 5), (30, 40)), 0),
    ("mix(1/2*uniform(1,3)+1/2*uniform(12,15))", ((1, 3), (12, None)), 5),
]  # fmt: skip


def interval(k: int, intervals: Any) -> int:
    """The number of the interval that a length belongs to: the last one that starts at or below it."""
    return max(n for n, (low, _) in enumerate(intervals) if low <= k)


def double_sum(name: str, law: Any, s: int, intervals: Any, *, ruled: bool = True) -> Fraction:
    total = Fraction(0)
    for i, x in law.items():
        for j, y in law.items():
            across = ruled and interval(i, intervals) != interval(j, intervals)
            if name == "a-min" and not across:
                a, b = min(i, j), max(i, j)
                own = Fraction((s + a) * (b * b + 2 * a * b - a * a + s * (a + b)), 2 * (s + b))
            else:
                own = Fraction(min(i, j) * (s + min(i, j)))  # H-SF, and A_min between two intervals
            total += own * x * y
    return total


@pytest.mark.parametrize(("spec", "intervals", "s"), CASES)
def test_exact_ratios_are_double_sums(spec: str, intervals: Any, s: int) -> None:
    law = distribution(spec)
    known = double_sum("a-min", law, s, intervals) / double_sum("h-sf", law, s, intervals)
    own = ratio("a-min", law, s, intervals=intervals)
    assert own.exact == known
    assert known in own.direct(12)
    assert own.enclosure(12).lower <= known <= own.enclosure(12).upper


def test_without_the_rule_or_with_a_moved_end_the_double_sum_is_another_one() -> None:
    law = distribution("uniform(1, 20)")
    own = ratio("a-min", law, 3, intervals=SPLIT).exact
    bottom = double_sum("h-sf", law, 3, SPLIT)
    assert double_sum("a-min", law, 3, SPLIT, ruled=False) / bottom == ratio("a-min", law, 3).exact != own
    for moved in (((1, 4), (5, 9), (10, 60)), ((1, 3), (4, 8), (9, 60)), ((1, 9), (10, 60))):
        assert double_sum("a-min", law, 3, moved) / bottom != own


def test_unbounded_laws_closed_and_summed() -> None:
    intervals = ((1, 2), (3, 5), (6, None))
    for spec, s in (("geometric(q=1/3)", 0), ("linear-geometric(q=1/4)", 2), ("log-series(q=1/3)", 1)):
        own = ratio("a-min", spec, s, intervals=intervals)
        law = distribution(spec).truncate(60)
        cut = double_sum("a-min", law, s, intervals) / double_sum("h-sf", law, s, intervals)
        assert (own.exact is None) == spec.startswith("log")  # a pole in each of two nested sums
        for found in (own.enclosure(15), own.direct(15)):
            assert float(cut) == pytest.approx(found.middle, rel=1e-14)
            assert found.width < Fraction(1, 10**13)
    sums = ratio("a-min", "poisson(mean=4)", 1, intervals=intervals)
    law = distribution("poisson(mean=4)").truncate(60)
    cut = double_sum("a-min", law, 1, intervals) / double_sum("h-sf", law, 1, intervals)
    assert sums.value == pytest.approx(float(cut), rel=1e-14)


@pytest.mark.exhaustive  # takes seconds
def test_closed_forms_with_a_symbol_are_the_ratios_at_numbers() -> None:
    own = derive("geometric(q)", "a-min", 1, intervals=((1, 3), (4, None)))
    assert own.ratio is not None
    for q in ("1/5", "9/10"):
        number = ratio("a-min", f"geometric(q={q})", 1, intervals=((1, 3), (4, None))).direct(12)
        closed = own.enclosure(q, 12)
        assert max(number.lower, closed.lower) <= min(number.upper, closed.upper)
        assert own.value(q) < derive("geometric(q)", "a-min", 1).value(q)
    top = own.supremum()
    assert (top.status, top.enclosure.upper >= own.enclosure("9/10").lower) == ("certified", True)
    across, inside = (derive(f"two-point({l}, 9, weight)", intervals=((1, 4), (5, 9))) for l in (3, 5))
    assert across.ratio == 1
    assert inside.ratio == derive("two-point(5, 9, weight)").ratio


def test_long_laws_by_sums_in_each_interval() -> None:
    intervals = ((1, 400), (401, 1500))
    setting = Setting(2, intervals=intervals)
    x: Any = np.full(1500, 1.0)
    floats = form("a-min").on(setting).value(x) / form("h-sf").on(setting).value(x)
    own = ratio("a-min", "uniform(1, 1500)", 2, intervals=intervals)
    assert own.exact is None
    assert own.enclosure(12).middle == pytest.approx(floats, rel=1e-11)


@settings(max_examples=20, deadline=None)
@given(st.dictionaries(st.integers(1, 12), st.integers(1, 9), min_size=1), st.integers(0, 3))
def test_no_law_exceeds_the_worst_case_and_intervals_never_cost(counts: dict[int, int], s: int) -> None:
    intervals = ((1, 3), (4, 7), (8, 12))
    law = Empirical({k: Fraction(w) for k, w in counts.items()})
    own = ratio("a-min", law, s, intervals=intervals).exact
    assert own <= worst_case("a-min", s=s, intervals=intervals).bounds().upper
    assert own <= ratio("a-min", law, s).exact
    assert own == ratio("a-min", law, s, intervals=((1, 3), (4, 7), (8, None))).exact


def test_one_interval_that_is_wider_than_the_law() -> None:
    narrow, wide = (ratio("a-max", "uniform(5, 20)", 3, intervals=i).exact for i in (None, ((1, 50),)))
    assert wide / narrow == Fraction(3 + 50, 3 + 20)
    two = derive("two-point(1, 9, weight)", "a-ell", 2, intervals=((1, 9),))
    assert two.ratio == derive("two-point(1, 9, weight)", "a-ell", 2).ratio
    assert ratio("a-min", "uniform(5, 20)", 3, intervals=((1, 50),)).exact == ratio("a-min", "uniform(5, 20)", 3).exact


@pytest.mark.parametrize(
    ("policy", "spec", "intervals", "words"),
    [
        ("a-min", "uniform(1, 9)", ((1, 5), (7, 9)), "also 6"), ("a-min", "uniform(1, 9)", ((2, 9),), "also 1"),
        ("a-min", "uniform(1, 9)", ((1, 8),), "also 9"), ("a-min", "geometric(q=1/2)", ((1, 9),), "no last end"),
        ("a-max", "uniform(1, 9)", ((1, 5), (6, 9)), "no rule across intervals"),
        ("a-ell", "two-point(1, 9, 1/2)", ((1, 10),), "the lengths 1 and 10 only"),
        ("a-min", "uniform(1, 9)", ((1, 5), (4, 9)), "at least u_1 = 5"), ("a-min", "uniform(1, 9)", (), "pairs"),
        ("a-min", "uniform(1, 9)", "1-9", "pairs"), ("a-min", "uniform(1, 9)", ((1, 2, 3),), "pairs"),
        ("a-min", "uniform(1, 9)", (4, None), "pairs"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_line(policy: str, spec: str, intervals: Any, words: str) -> None:
    for ask in (lambda: ratio(policy, spec, intervals=intervals), lambda: derive(spec, policy, intervals=intervals)):
        with pytest.raises(InputError, match=words) as error:
            ask()
        assert "\n" not in str(error.value)
    for law in ("two-point(l, 9, 1/2)", "uniform(l=1, u)", "poisson(mean)"):
        with pytest.raises(InputError, match="needs numbers"):
            derive(law, intervals=((1, 5), (6, None)))


def test_the_commands() -> None:
    told = json.loads(crt("ratio", "uniform(1,20)", "--intervals", "1-4,4-9, 10-", "--s", "3", "--json").stdout)
    assert told["intervals"] == [[1, 4], [4, 9], [10, None]]
    assert Fraction(told["exact"]) == ratio("a-min", "uniform(1,20)", 3, intervals=SPLIT).exact
    plain = crt("derive", "geometric(q)", "--intervals", "1-2,3-").stdout
    assert "on the intervals 1-2,3-\n" in plain
    note = crt("ratio", "uniform(1,20)", "--intervals", "1-4,5-", "--policy", "a-random").stdout
    assert "on the intervals 1-4,5-; a-random has no rule across them" in note
    assert crt("ratio", "uniform(1,20)", "--intervals", "1-4,6-").returncode == 2


UNBOUNDED = (
    "geometric(q=1/2)",
    "poisson(mean=4)",
    "pmf(k**2*q**k, q=1/2)",
    "pareto(5)",
    "pmf(k**(-9/2))",
    "geometric(q)",
)


@pytest.mark.parametrize("spec", [*UNBOUNDED, "mix(1/2*geometric(q=1/2)+1/2*point(3))", "uniform(1, 30)"])
@given(starts=st.sets(st.integers(2, 20), min_size=1, max_size=4), gap=st.integers(0, 4), first=st.integers(1, 3))
@settings(max_examples=6)
def test_intervals_that_leave_a_length_out_are_refused(spec: str, starts: set[int], gap: int, first: int) -> None:
    """The lengths before ``first`` and one in front of one of the intervals are left out; each is a length of the law."""
    bounds = sorted(starts)
    at = bounds[gap % len(bounds)]
    ends = [*(start - 1 - (start == at) for start in bounds), None]
    intervals = tuple(zip([first, *bounds], ends, strict=True))
    assume(all(up is None or low <= up for low, up in intervals))
    left_out = 1 if first > 1 else at - 1
    with pytest.raises(InputError, match=f"^intervals = .*: must contain every length of .*, also {left_out}$"):
        Intervals.of(intervals, distribution(spec))


@pytest.mark.parametrize("spec", UNBOUNDED)
def test_intervals_that_leave_none_out_are_taken(spec: str) -> None:
    found = Intervals.of(((1, 3), (3, 9), (10, None)), distribution(spec))
    assert found is not None
    assert found.blocks == ((1, 2), (3, 9), (10, None))


def test_what_has_no_weight_may_be_left_out() -> None:
    law = "mix(1/2*point(2)+1/2*pmf(q**k, l=7, q=1/2))"
    [whole, split] = (ratio("a-min", law, 1, intervals=i).exact for i in (((2, 6), (7, None)), ((2, 2), (7, None))))
    assert whole == split
