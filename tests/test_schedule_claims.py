"""Claims on schedules: what families and factors do to their verdicts."""

from __future__ import annotations

import pytest

from crtools import verify
from crtools.claims.max_random import _grown
from crtools.claims.prop_memory import _families
from crtools.claims.search import first, small_instances


def status(claim: str, **given: str) -> str:
    return verify([claim], set=given)[0].verdicts[0].status


@pytest.mark.parametrize(
    ("factor", "expected"), [("1", "refuted"), ("1.5", "refuted"), ("1.8", "refuted"), ("3", "supported")]
)
def test_latency_scaling_fails_by_a_factor_of_nearly_two(factor: str, expected: str) -> None:
    assert status("prop-memory", factor=factor) == expected


def test_the_family_of_large_prompts_grows_towards_two() -> None:
    small, large = (row["TEL(I')/TEL(I)"] for row in _families())
    assert 1.8 < small < large < 2
    for row in _families():
        assert row["TEL(I')/TEL(I)"] > row["M"] / row["βM"]


@pytest.mark.parametrize(("factor", "expected"), [("1", "refuted"), ("1.3", "refuted"), ("1.4", "supported")])
def test_a_max_is_not_bounded_by_the_random_order(factor: str, expected: str) -> None:
    assert status("lem-max-random", factor=factor) == expected


def test_the_family_of_a_max_does_not_depend_on_the_scale() -> None:
    assert _grown(1, 30)["A_max over A_random"] == _grown(3, 30)["A_max over A_random"] > 1.3


@pytest.mark.parametrize(("factor", "expected"), [("1", "refuted"), ("0.95", "refuted"), ("0.9", "supported")])
def test_how_far_h_sf_is_from_optimal_on_small_instances(factor: str, expected: str) -> None:
    assert status("hsf-lower", factor=factor) == expected


def test_the_search_goes_through_instances_in_increasing_order() -> None:
    rows = list(small_instances(3, 3, (0, 1)))
    keys = [(len(r.lengths), max(r.lengths), r.memory) for r in rows]
    assert keys == sorted(keys)
    assert len(set(rows)) == len(rows)
    assert all(max(r.lengths) + r.s <= r.memory <= sum(r.s + o for o in r.lengths) for r in rows)
    hit = first(3, 3, (0,), lambda r: "hit" if r.lengths == (1, 2) and r.memory == 3 else None)
    assert hit.instance is not None
    before = [row.lengths == (1, 2) and row.memory == 3 for row in small_instances(3, 3, (0,))].index(True)
    assert hit.looked_at == before
