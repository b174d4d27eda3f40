"""The search for counterexamples: exhaustive in increasing size, then random with shrinking."""

from __future__ import annotations

from typing import Any

import pytest

from check import process as judge
from crtools import verify
from crtools.ledger.deciders.search import (
    Hit,
    SmallInstance,
    first_hit,
    random_then_shrink,
    search,
    search_evidence,
    small_instances,
    smaller,
)
from crtools.ledger.evidence import Measured, Open, Refuted

RANGE: dict[str, Any] = {"n": 8, "longest": 15, "prompts": (1, 2, 4), "tries": 200}
SMALL: dict[str, Any] = {"n": 3, "longest": 4, "prompts": (1, 2)}
WIDE: dict[str, Any] = {"random_n": 8, "random_longest": 15, "tries": 200}


def planted(row: SmallInstance) -> Any:
    """Contradicts "no instance with three requests has a length of 7 or more"."""
    if len(row.lengths) < 3 or max(row.lengths) < 7:
        return None
    return Hit("at most 6", max(row.lengths), sorted(row.lengths)[-1], values={"three": list(row.lengths)})


@pytest.mark.parametrize("seed", range(12))
def test_a_planted_counterexample_is_found_and_shrunk_to_the_minimum(seed: int) -> None:
    found = random_then_shrink(planted, **RANGE, seed=seed)
    assert found.instance == SmallInstance((1, 1, 7), 1, 8)
    assert found.hit == Hit("at most 6", 7, 7, values={"three": [1, 1, 7]})
    assert found.smallest == "minimal under shrinking; smaller ones not excluded"
    assert 1 <= found.tried <= 200


def waits(row: SmallInstance) -> Any:
    """Contradicts "at s = 2 somebody waits only where M is below 11" (a statement that is not monotone in the steps)."""
    starts = judge.shortest_first(row.lengths, row.s, row.memory)
    return {"starts": starts} if row.s >= 2 and row.memory >= 11 and max(starts) > 0 else None


@pytest.mark.parametrize("seed", range(6))
def test_no_single_step_from_a_shrunk_instance_is_a_counterexample(seed: int) -> None:
    found = random_then_shrink(waits, **RANGE, seed=seed)
    row = found.instance
    assert row is not None and waits(row) == found.hit
    assert row.memory == 11
    steps = list(smaller(row, RANGE["prompts"]))
    assert steps and not any(map(waits, steps))
    # the least steps are among those tried
    assert {SmallInstance(row.lengths, row.s, row.memory - 1)} & set(steps)
    for i, o in enumerate(row.lengths):
        assert any(sorted(step.lengths) == sorted([*row.lengths[:i], *row.lengths[i + 1 :]]) for step in steps)
        if o > 1:
            assert any(sum(step.lengths) == sum(row.lengths) - 1 for step in steps)


def test_steps_lead_to_instances_that_can_run_and_are_smaller() -> None:
    for row in small_instances(3, 4, (0, 1, 3)):
        for step in smaller(row, (0, 1, 3)):
            least, most = step.s + max(step.lengths), sum(step.s + o for o in step.lengths)
            assert least <= step.memory <= most and list(step.lengths) == sorted(step.lengths)
            assert step.lengths and step.s in (0, 1, 3)
            before, after = ((len(r.lengths), sum(r.lengths), r.s, r.memory) for r in (row, step))
            assert after != before and all(a <= b for a, b in zip(after, before, strict=True))


def test_the_search_is_determined_by_its_seed() -> None:
    runs = [[random_then_shrink(waits, **RANGE, seed=seed) for seed in range(4)] for _ in range(2)]
    assert runs[0] == runs[1]
    drawn: list[list[SmallInstance]] = [[], []]
    for seed, rows in enumerate(drawn):
        random_then_shrink(rows.append, **{**RANGE, "tries": 50}, seed=seed)
    assert drawn[0] != drawn[1] and len(set(drawn[0])) > 40
    for row in drawn[0]:
        assert 1 <= len(row.lengths) <= 8 and 1 <= max(row.lengths) <= 15 and row.s in (1, 2, 4)
        assert row.s + max(row.lengths) <= row.memory <= sum(row.s + o for o in row.lengths)


def test_where_there_is_a_small_one_the_exhaustive_result_is_unchanged() -> None:
    def check(row: SmallInstance) -> Any:
        return {"hit": 1} if len(row.lengths) == 3 and row.memory % 5 == 0 else None

    found = search(check, **SMALL, **WIDE)
    assert found == first_hit(3, 4, (1, 2), check) and found.tried == 0
    assert found.smallest == "smallest, proved by exhaustion"
    assert found.as_json()["smaller_instances"].startswith("smallest, proved by exhaustion: ")
    assert found.looked_at == list(small_instances(3, 4, (1, 2))).index(found.instance)  # type: ignore[arg-type]


def test_a_counterexample_beyond_the_small_ones_says_what_is_excluded() -> None:
    found = search(planted, **SMALL, **WIDE)
    evidence = search_evidence(found)
    assert isinstance(evidence, Refuted)
    assert (evidence.status, found.instance) == ("refuted", SmallInstance((1, 1, 7), 1, 8))
    assert (evidence.claimed, evidence.actual, evidence.second) == ("at most 6", 7, 7)
    shown = evidence.witness
    assert shown["smaller_instances"] == "minimal under shrinking; smaller ones not excluded"
    assert shown["instances_looked_at"] == len(list(small_instances(3, 4, (1, 2))))
    assert shown["range"].startswith("n ≤ 3, o ≤ 4") and shown["random_instances_tried"] == found.tried


def test_what_is_not_found_is_supported_and_says_how_much_was_searched() -> None:
    evidence = search_evidence(search(lambda row: None, **SMALL, **WIDE, seed=3))
    assert isinstance(evidence, Measured) and evidence.status == "supported"
    assert evidence.values["random_instances_tried"] == 200
    assert "seed 3" in evidence.values["drawn_from"] and "n ≤ 8, o ≤ 15" in evidence.values["drawn_from"]
    assert evidence.values["instances_looked_at"] == len(list(small_instances(3, 4, (1, 2))))
    assert "seed 3" in evidence.sample and "200 random ones" in evidence.sample
    assert "random" not in str(search_evidence(first_hit(3, 4, (1, 2), lambda row: None)))


def test_a_claim_that_fails_only_from_some_length_on_is_refuted() -> None:
    """Equal to u at u = 1, 2, 3, and less at u = 4."""
    [result] = verify(["amax-safe"], set={"assumed": "u-(u-1)*(u-2)*(u-3)/100"})
    evidence = result.finding("never-exceeded").evidence
    assert isinstance(evidence, Refuted)
    at = evidence.witness
    assert at["lengths"] == [4, 4]
    assert not judge.feasible(at["starts"], at["lengths"], at["s"], at["M"])


# ---- what a finding says was searched is what was searched -----------------------------------------------------------


@pytest.mark.parametrize(("n", "longest", "prompts", "fewest"), [(2, 3, (1,), 1), (3, 2, (0, 2), 2), (1, 4, (1, 2), 1)])
def test_the_range_in_words_is_the_range_that_was_run(
    n: int, longest: int, prompts: tuple[int, ...], fewest: int
) -> None:
    rows: list[SmallInstance] = []
    found = first_hit(n, longest, prompts, rows.append, fewest)
    most, top = max(len(r.lengths) for r in rows), max(max(r.lengths) for r in rows)
    assert found.range == f"n ≤ {most}, o ≤ {top}, s in { {r.s for r in rows} }, every M"
    assert (found.largest_n, found.looked_at) == (most, len(rows))
    assert found.range in str(search_evidence(found))


def test_random_instances_lie_in_the_range_in_words() -> None:
    rows: list[SmallInstance] = []
    found = random_then_shrink(rows.append, n=8, longest=15, prompts=(1, 2, 4), tries=300, seed=0)
    assert found.random_range == "n ≤ 8, o ≤ 15, s in {1, 2, 4}, seed 0"
    assert found.largest_n == max(len(r.lengths) for r in rows) == 8
    assert (
        max(max(r.lengths) for r in rows) == 15 and {r.s for r in rows} == {1, 2, 4} and found.tried == len(rows) == 300
    )


def test_random_instances_of_one_token_are_drawn() -> None:
    rows: list[SmallInstance] = []
    random_then_shrink(rows.append, n=3, longest=1, prompts=(1,), tries=20, seed=0)
    assert {o for r in rows for o in r.lengths} == {1}


def test_what_was_asked_for_and_not_looked_at_is_not_supported() -> None:
    found = first_hit(3, 2, (1,), lambda row: None)
    assert search_evidence(found, claimed_n=3).status == "supported"
    evidence = search_evidence(found, claimed_n=4)
    assert isinstance(evidence, Open) and evidence.status == "inconclusive"
    assert evidence.tried.startswith("$n ≤ 3$ of the 4 requests asked")


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("hsf-lower", {"factor": "1/2", "requests": "20"}),
        ("packed-random", {"policy": "h-sf", "requests": "9"}),
        ("lem-max-random", {"factor": "2", "requests": "9"}),
    ],
)
def test_a_claim_on_more_requests_than_were_looked_at_stays_open(claim: str, given: dict[str, str]) -> None:
    verdict = verify([claim], set=given)[0].stated
    assert verdict.status not in ("supported", "proved", "certified")
    tried = [f.evidence.tried for f in verdict.findings if isinstance(f.evidence, Open)]
    assert tried and all(f"of the {given['requests']} requests asked" in text for text in tried)
    assert all("n ≤ " in text and "instances" in text for text in tried)


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(
    ("claim", "given", "words"),
    [
        ("hsf-lower", {"factor": "0.99", "requests": "2"}, "n ≤ 2, o ≤ 5, s in {1, 2}, every M"),
        ("packed-random", {"policy": "h-sf", "requests": "2"}, "n ≤ 2, o ≤ 4, s in {1, 2}, every M"),
        ("lem-max-random", {"requests": "1"}, "$n ≤ 1$, l < u ≤ 8, s = 1"),
        ("prop-memory", {"factor": "n"}, "n ≤ 3, o ≤ 3, s in {1}, every M"),
    ],
)
def test_a_supported_search_names_its_range_in_the_finding(claim: str, given: dict[str, str], words: str) -> None:
    findings = verify([claim], set=given)[0].stated.findings
    samples = [f.evidence.sample for f in findings if isinstance(f.evidence, Measured)]
    assert any(sample.startswith(words) for sample in samples)
