"""Third differences: which policies have none, and what vanishes or is within its interval says nothing."""

from __future__ import annotations

import pytest

from crtools import POLICIES
from crtools.discovery.third_differences import (
    NEGLIGIBLE,
    SETTINGS,
    ThirdDifferences,
    looked_at,
    not_quadratic,
    over_areas,
    third_differences,
)

SIZES = ((180, 6, 8), (720, 6, 8))


def made(*pairs: tuple[float, float]) -> tuple[ThirdDifferences, ThirdDifferences]:
    before, last = (ThirdDifferences((2, 5, 1), 1, 1, (m,), (h,), (30.0,)) for m, h in pairs)
    return before, last


def test_what_vanishes_or_is_within_its_interval_says_nothing() -> None:
    assert not_quadratic(*made((1.0, 0.1), (1.0, 0.1)))
    assert not_quadratic(*made((-1.0, 0.1), (-2.0, 0.1)))
    assert not not_quadratic(*made((1.0, 0.1), (0.5, 0.1)))  # like 1/√M
    assert not not_quadratic(*made((2.67, 0.05), (1.86, 0.05)))  # like M^(−1/4)
    assert not not_quadratic(*made((1.23, 0.0), (0.516, 0.0)))  # faster than 1/√M
    assert not not_quadratic(*made((1.0, 0.5), (1.0, 0.5)))
    assert not not_quadratic(*made((0.1, 0.0), (0.1, 0.0)))


@pytest.mark.parametrize(("name", "seeds", "differ"), [("a-max", 32, True), ("a-min-cohort", 6, False)])
def test_which_policies_are_not_quadratic(name: str, seeds: int, differ: bool) -> None:
    before, last = (
        third_differences(POLICIES[name], (2, 5, 1), memory, 6 * memory, range(seeds)) for memory in (180, 720)
    )
    assert not_quadratic(before, last) == differ, (before, last)


def test_the_literal_a_min_has_third_differences_beyond_their_intervals() -> None:
    found = third_differences(POLICIES["a-min-literal"], (3, 5, 1), 360, 12 * 360, range(16))
    assert found.excess > NEGLIGIBLE


def test_several_lengths_and_s_are_looked_at() -> None:
    looks = looked_at(POLICIES["a-max"], SIZES)
    assert tuple(look.at for look in looks) == SETTINGS
    assert len({s for _, _, s in SETTINGS}) >= 3
    assert not any(36 % (s + length) for i, j, s in SETTINGS for length in (i, j))


def test_a_random_follows_its_areas_under_many_lengths_and_few_keep_it_in_step() -> None:
    few, *many = over_areas(POLICIES["a-random"], ((360, 12, 8), (1440, 24, 6)))
    assert not few.follows
    assert few.ratio > 1.05
    assert many[-1].follows
    assert not any(area.follows for area in over_areas(POLICIES["a-max"], SIZES)[1:])
    assert over_areas(POLICIES["a-ell"], SIZES) == ()
