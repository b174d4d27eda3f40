"""Where a supremum has several places: each is one of them, and none is between them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import derive
from crtools.enclosure import Enclosure
from crtools.ratios.supremum import NEAR, merge_near

CASES = [
    ("pmf((k-a)**2, l=1, u=2)", "a-max", 5, 2),
    ("pmf((k-a)**2, l=1, u=2)", "a-min", 3, 2),
    ("mix(w**2*point(1)+(1-w**2)*point(2))", "a-min", 0, 2),
    ("two-point(1, 9, weight)", "a-min", 0, 1),
]


@pytest.mark.parametrize(("law", "policy", "s", "number"), CASES)
def test_the_ratio_is_the_supremum_at_each_place(law: str, policy: str, s: int, number: int) -> None:
    found = derive(law, policy, s)
    sup = found.supremum()
    told: Any = sup.as_json()
    assert len(told["places"]) == number
    assert told["places"][0] == told["at"]
    [x] = found.ratio.free_symbols
    for place in told["places"]:
        value = found.ratio.subs(x, sp.Rational(place))
        assert abs(float(value) - float(sup.enclosure.middle)) < 1e-9
    assert sup.place.count(" or ") == number - 1
    if isinstance(sup.at, Enclosure):
        low, high = map(float, told["at_interval"])
        assert low <= float(told["at"]) <= high
        assert high - low < 1e-6


def test_places_that_a_symmetry_exchanges_are_both_named() -> None:
    """The law is the same at w and 1 − w."""
    told: Any = derive("mix(4*w*(1-w)*point(1)+(1-2*w)**2*point(9))", "a-min").supremum().as_json()
    assert sum(map(Fraction, told["places"])) == pytest.approx(1)


@given(st.lists(st.tuples(st.integers(1, 29_000), st.integers(0, 400)), min_size=1, max_size=8))
@settings(max_examples=50)
def test_intervals_are_joined_where_they_are_near_and_only_there(pairs: list[tuple[int, int]]) -> None:
    end = Fraction(30_000)
    given_ = [(Fraction(a), Fraction(a + width)) for a, width in pairs]
    found = merge_near(given_, end)
    assert all(any(a <= low and high <= b for a, b in found) for low, high in given_)
    assert {a for a, _ in found} <= {a for a, _ in given_}
    assert {b for _, b in found} <= {b for _, b in given_}
    for (_, before), (after, _) in pairwise(found):
        assert after - before > NEAR * min(after, end - after)
    for a, b in found:  # what was put together without having been given is short
        free = [x for k in range(41) if not any(low <= (x := a + (b - a) * k / 40) <= high for low, high in given_)]
        for x in free:
            before, after = max(high for _, high in given_ if high < x), min(low for low, _ in given_ if low > x)
            assert after - before <= NEAR * after


@pytest.mark.parametrize("s", [1, 5])
def test_the_boxes_beside_a_maximum_are_one_place(s: int) -> None:
    """Branch and bound leaves several boxes around it, which hold one maximum: the ratio rises before it and falls after it."""
    found = derive("geometric(q)", s=s)
    sup = found.supremum()
    assert isinstance(sup.at, Enclosure)
    assert sup.others == ()
    assert " or " not in sup.place
    low, high = sup.at.lower, sup.at.upper
    assert high - low < Fraction(1, 10**4)
    assert found.value(low - Fraction(1, 1000)) < float(sup.enclosure.lower) > found.value(high + Fraction(1, 1000))
    assert found.value(sup.at.middle) == pytest.approx(sup.enclosure.middle, rel=1e-9)
