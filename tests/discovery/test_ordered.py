"""Polynomials compare as all the numbers they stand for do, or do not compare at all."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.discovery.rules import Region, Undecided

a, b, i, j, s = sp.symbols("a b i j s")
REGION = Region({i: 1 + a, j: 2 + a + b, s: s})
COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
NUMBERS = list(product((1, 2, 5), (1, 2, 7), (0, 1, 4)))

coefficients = st.tuples(*[st.integers(-2, 2)] * 6)


@given(coefficients, coefficients, st.sampled_from(COMPARISONS))
@settings(max_examples=60, deadline=None)
def test_what_is_decided_holds_for_every_number(one: tuple[int, ...], two: tuple[int, ...], compare: object) -> None:
    assert callable(compare)
    left, right = (sum(c * m for c, m in zip(cs, (1, i, j, s, i * j, s * i), strict=True)) for cs in (one, two))
    try:
        decided = compare(REGION.number(left), REGION.number(right))
    except Undecided:
        return
    for low, more, prompt in NUMBERS:
        at = {i: low, j: low + more, s: prompt}
        assert compare(sp.sympify(left).subs(at), sp.sympify(right).subs(at)) == decided


def test_numbers_compare_and_calculate() -> None:
    low, high = REGION.number(i), REGION.number(j)
    assert low < high and min(low, high) is low and max(low, 1) == low and not low < 1 and bool(low)
    assert 2 * low - 1 + high * 3 == low + (low - 1) + 3 * high
    for undecided in (lambda: low == 1, lambda: 2 * low < high, lambda: bool(low - 1)):
        with pytest.raises(Undecided):
            undecided()
    anything: Any = low
    for other in (
        lambda: 0.5 * low,
        lambda: anything / 2,
        lambda: anything**low,
        lambda: anything // 2,
        lambda: low == "i",
        lambda: {low},
    ):
        with pytest.raises(TypeError):
            other()
