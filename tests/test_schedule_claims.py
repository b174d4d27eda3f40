"""Claims on schedules: what families and factors do to their verdicts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from crtools import verify
from crtools.ledger.deciders.search import first, searched, small_instances
from crtools.papers.adaptive.claims.appendix.max_random import _grown
from crtools.papers.adaptive.claims.appendix.prop_memory import _grown as _grown_memory
from crtools.papers.adaptive.claims.appendix.prop_memory import _total_family
from crtools.papers.adaptive.claims.section_6.hsf_families import better, two_lengths
from crtools.process import simulate
from crtools.schedule import Schedule


def status(claim: str, **given: str) -> str:
    return verify([claim], set=given)[0].verdicts[0].status


@pytest.mark.parametrize(
    ("factor", "total", "each"),
    [
        ("1", "refuted", "refuted"),
        ("1.8", "refuted", "refuted"),
        ("3", "refuted", "refuted"),
        ("9.9", "refuted", "refuted"),
        ("100", "inconclusive", "refuted"),
        ("10**30", "inconclusive", "inconclusive"),
        ("0.99*n", "refuted", "refuted"),
        ("n", "supported", "refuted"),
        ("2*n", "proved", "refuted"),
        ("2*n-1e-9", "supported", "refuted"),
    ],
)
def test_latency_scaling_holds_with_no_constant_factor(factor: str, total: str, each: str) -> None:
    """One long request beside n − 1 short ones: TEL(I')/TEL(I) tends to n, and a short one waits for the long one."""
    parts = verify(["prop-memory"], set={"factor": factor})[0].verdicts[0].parts
    assert [part.status for part in parts] == [total, each]


def test_the_family_of_large_prompts_grows_towards_two() -> None:
    small, large = (row["TEL(I')/TEL(I)"] for row in _grown_memory())
    assert 1.8 < small < large < 2
    for row in _grown_memory():
        assert row["TEL(I')/TEL(I)"] > row["M"] / row["βM"]


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_the_family_of_one_long_request_grows_towards_n(size: int) -> None:
    found = _total_family(size, Fraction(9 * size, 10))
    assert found is not None
    row = found["counterexample"]
    one, two = (Schedule(row[name], row["lengths"], row["s"]) for name in ("I", "I'"))
    assert one.feasible(row["M"])
    assert two.feasible(row["βM"])
    assert one.corresponds(two)
    assert one.optimally_packed(row["M"])
    assert two.optimally_packed(row["βM"])
    assert two.total_latency > Fraction(9 * size, 10) * Fraction(row["M"], row["βM"]) * one.total_latency
    assert two.total_latency < size * one.total_latency


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        ("1", "refuted"),
        ("1.3", "refuted"),
        ("1.4", "refuted"),
        ("1.9", "refuted"),
        ("1.999", "inconclusive"),
        ("2", "supported"),
    ],
)
def test_a_max_is_not_bounded_by_the_random_order(factor: str, expected: str) -> None:
    assert status("lem-max-random", factor=factor) == expected


def test_the_family_of_a_max_does_not_depend_on_the_scale() -> None:
    assert _grown(1, 30)["A_max over A_random"] == _grown(3, 30)["A_max over A_random"] > 1.3


@pytest.mark.parametrize(("factor", "expected"), [("1", "refuted"), ("0.95", "refuted"), ("0.9", "supported")])
def test_how_far_h_sf_is_from_optimal_on_small_instances(factor: str, expected: str) -> None:
    requests = "3" if expected == "supported" else "any"  # a search without a hit looks at everything
    assert status("hsf-lower", factor=factor, requests=requests) == expected


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


def test_a_search_through_nothing_supports_nothing() -> None:
    assert searched("x", first(1, 3, (1,), lambda _: None, fewest=2)).status == "inconclusive"
    assert searched("x", first(2, 3, (1,), lambda _: None, fewest=2)).status == "supported"


@pytest.mark.parametrize("factor", ["0.9", "0.8", "0.76"])
def test_equal_lengths_beat_h_sf_in_a_small_schedule(factor: str) -> None:
    found = better(Fraction(factor), 24)
    assert found is not None
    row, starts = found["counterexample"], found["starts of a better schedule"]
    plan, own = (Schedule(x, row["lengths"], row["s"]) for x in (starts, found["schedules"][0]["starts"]))
    assert plan.feasible(row["M"]) and own.feasible(row["M"])
    assert plan.total_latency == found["its total"] < Fraction(factor) * own.total_latency
    assert own.total_latency == simulate("h-sf", row["lengths"], row["M"], row["s"]).total_latency


def test_eight_requests_of_length_three() -> None:
    """The totals that refute 0.9: 52 against 60."""
    assert simulate("h-sf", [3] * 8, 9, 1).total_latency == 60
    plan = Schedule(tuple(range(8)), (3,) * 8, 1)
    assert plan.feasible(9) and plan.total_latency == 52
    assert better(Fraction(9, 10), 6) is None
    assert better(Fraction(9, 10), 8) is not None


@pytest.mark.parametrize("factor", ["0.6", "0.55", "0.52"])
def test_every_factor_well_above_a_half_is_refuted_at_a_concrete_size(factor: str) -> None:
    found = better(Fraction(factor), 200_000)
    assert found is not None
    row = found["counterexample"]
    if "n" in row:
        plan = Schedule(tuple(range(row["n"])), (row["every length"],) * row["n"], 1)
        assert plan.feasible(row["M"]) and plan.total_latency == found["its total"]
    assert found["its total"] < Fraction(factor) * found["H-SF's total"]
    assert better(Fraction(1, 2), 200_000) is None


def test_two_lengths_stay_within_what_is_asked() -> None:
    for most in (1, 4, 6, 8):
        assert all(len(row.lengths) <= most for row in two_lengths(most))
    assert len(list(two_lengths(8))) == 60


def test_a_single_permutation_decides_the_coupling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Totals whose means keep the factor while those of one permutation do not."""
    monkeypatch.setattr("crtools.papers.adaptive.claims.appendix.max_random._both_totals", lambda *_: ([4, 1], [3, 3]))
    monkeypatch.setattr(
        "crtools.papers.adaptive.claims.appendix.max_random._max_random_hit",
        lambda *_: {"counterexample": "one permutation"},
    )
    parts = verify(["lem-max-random"], set={"requests": "1"})[0].verdicts[0].parts
    assert [part.status for part in parts] == ["supported", "refuted"]
