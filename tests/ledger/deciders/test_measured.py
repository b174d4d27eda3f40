"""Measured figures against what is allowed: supported, contradicted, or open where their own error reaches across."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crtools.ledger.deciders.measured import Interval, compared, measured, spread

NUMBERS = st.floats(-5, 5)
INTERVALS = st.tuples(NUMBERS, NUMBERS).map(lambda pair: (min(pair), max(pair)))


@pytest.mark.parametrize(
    ("figures", "least", "most", "status"),
    [
        ([(1.0, 2.0)], 1, 2, "supported"),
        ([(1.0, 2.0)], 1.5, 3, "inconclusive"),
        ([(1.0, 2.0)], 2.5, 3, "contradicted"),
        ([(1.0, 2.0), (4.0, 5.0)], 1, 3, "contradicted"),
        ([(1.0, 2.0), None], 1, 3, "inconclusive"),
        ([None, (4.0, 5.0)], 1, 3, "contradicted"),
        ([(inf, inf)], 0, 3, "contradicted"),
        ([], -inf, inf, "inconclusive"),
        ([(1.0, 1.0)], -inf, 1 - Fraction(1, 10**20), "contradicted"),
    ],
)
def test_known(figures: list[Interval | None], least: float, most: float, status: str) -> None:
    assert compared(figures, least, most) == status
    assert measured(figures, least=least, most=most, sample="x", margin="y").status == status


@given(st.lists(INTERVALS, min_size=1, max_size=5), NUMBERS, NUMBERS, st.data())
def test_what_the_figures_may_be_is_never_on_the_other_side(
    figures: list[Interval], a: float, b: float, data: st.DataObject
) -> None:
    """Whatever the true figures are within their errors: all are allowed where supported, one is not where contradicted."""
    least, most = min(a, b), max(a, b)
    true = [data.draw(st.floats(float(low), float(high))) for low, high in figures]
    status = compared(figures, least, most)
    inside = [least <= value <= most for value in true]
    assert status != "supported" or all(inside)
    assert status != "contradicted" or not all(inside)


@given(st.lists(INTERVALS, min_size=1, max_size=5), NUMBERS)
def test_one_limit_at_several_sizes_is_contradicted_only_by_all_of_them(figures: list[Interval], most: float) -> None:
    status = compared(spread(figures), -inf, most)
    assert (status == "contradicted") == all(low > most for low, _ in figures)
    assert (status == "supported") == all(high <= most for _, high in figures)


def test_a_size_without_an_error_leaves_the_limit_open() -> None:
    assert compared(spread([(4.0, 5.0), None]), 0, 1) == "inconclusive"
