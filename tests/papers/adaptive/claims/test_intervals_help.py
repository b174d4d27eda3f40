"""intervals-help: the exact means over ties, the family at which refinement hurts, and the verdict."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from amount import part_and_all
from decided import decided

from crtools import simulate
from crtools.ledger.evidence import Proved, Refuted
from crtools.papers.adaptive.claims.intervals_help import (
    LIMIT,
    family_mean,
    in_the_ratio,
    of_the_cohort_rule,
    with_many_batches,
)
from crtools.papers.adaptive.literal.ties import expectations
from crtools.papers.adaptive.theory import theorem as named
from crtools.proof.steps import Identity
from crtools.proof.theorem import by_itself


def mean_total(lengths: tuple[int, ...], bounds: tuple[int, ...], s: int, memory: int) -> Fraction:
    return expectations(lengths, s, memory, bounds).total


def simulated(lengths: tuple[int, ...], bounds: tuple[int, ...], s: int, memory: int, seeds: int = 600) -> list[int]:
    return [
        simulate("a-min-literal", lengths, memory, s, bounds, max(lengths), seed=k).total_latency for k in range(seeds)
    ]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("number", range(12))
def test_exact_means_are_the_simulator_s(number: int) -> None:
    random_ = random.Random(number)
    n, s = random_.randint(2, 5), random_.randint(0, 2)
    lengths = tuple(random_.randint(1, 4) for _ in range(n))
    bounds = tuple(random_.randint(1, o) for o in lengths)
    memory = s + max(lengths) + random_.randint(0, 6)
    exact = float(mean_total(lengths, bounds, s, memory))
    totals = simulated(lengths, bounds, s, memory)
    assert abs(np.mean(totals) - exact) <= 5 * np.std(totals) / sqrt(len(totals)) + 1e-9


@pytest.mark.parametrize(
    ("lengths", "bounds", "s", "memory", "mean"),
    [
        ((1,), (1,), 0, 1, 1), ((1, 1), (1, 1), 1, 2, 3), ((2, 3), (1, 1), 1, 4, Fraction(15, 2)), ((2, 3), (1, 3), 1, 4, 8),
        ((1, 2, 3, 4), (1, 2, 3, 4), 1, 7, 12),
    ],
)  # fmt: skip
def test_known_means(lengths: tuple[int, ...], bounds: tuple[int, ...], s: int, memory: int, mean: Fraction) -> None:
    assert mean_total(lengths, bounds, s, memory) == mean


@part_and_all("seeds", 600, 2000)
def test_a_state_that_returns_is_solved_for(seeds: int) -> None:
    """o = (3, 3), s = 1, M = 5: the two can cancel each other again and again."""
    exact = float(mean_total((3, 3), (1, 1), 1, 5))
    totals = simulated((3, 3), (1, 1), 1, 5, seeds)
    assert len(set(totals)) > 3
    assert abs(np.mean(totals) - exact) <= 5 * np.std(totals) / sqrt(len(totals))


@pytest.mark.one_in(9)
@pytest.mark.parametrize("m", [1, 2, 5, 15])
def test_the_family(m: int) -> None:
    lengths, memory = (2,) * 3 * m + (3,) * 3 * m, 12 * m
    single, refined = (1,) * 6 * m, (1,) * 3 * m + (3,) * 3 * m
    totals = simulated(lengths, single, 1, memory, 200)
    assert set(simulated(lengths, refined, 1, memory, 20)) == {21 * m}
    assert min(totals) >= 19 * m and max(totals) <= 21 * m
    assert {t % 2 for t in totals} == {19 * m % 2}
    exact = float(family_mean(m))
    assert exact <= 19 * m + sqrt(2 * m * m / (6 * m - 1))
    assert abs(np.mean(totals) - exact) <= 5 * np.std(totals) / sqrt(len(totals)) + 1e-9


def test_the_family_s_mean_by_following_every_draw() -> None:
    lengths = (2, 2, 2, 3, 3, 3)
    assert mean_total(lengths, (1,) * 6, 1, 12) == family_mean(1) == Fraction(97, 5)
    assert mean_total(lengths, (1, 1, 1, 3, 3, 3), 1, 12) == 21


def test_the_theorem_holds_and_a_changed_one_does_not() -> None:
    from dataclasses import replace

    theorem = named("refined intervals can hurt")
    assert theorem.holds
    theorem = replace(theorem, judge=by_itself)
    identities = [step for step in theorem.steps if isinstance(step, Identity)]
    assert len(identities) == 8
    for wrong in identities:
        steps = tuple(replace(wrong, rhs=wrong.rhs + 1) if step is wrong else step for step in theorem.steps)
        assert not replace(theorem, steps=steps).holds


def test_the_verdict() -> None:
    result = decided("intervals-help")
    assert {v.level: v.status for v in result.verdicts} == {
        "form-at-zero": "proved", "form": "proved", "algorithm": "inconclusive",
    }  # fmt: skip
    assert {f.id: (f.status, f.decides) for f in result.stated.findings} == {
        "ratio": ("inconclusive", True), "every-instance": ("refuted", False), "many-batches": ("contradicted", False),
        "experiments": ("supported", False),
    }  # fmt: skip
    assert "As formalized in the following corollary" in result.stated.reading
    evidence = result.finding("every-instance").evidence
    assert isinstance(evidence, Refuted)
    smallest = evidence.values["smallest_instance"]
    assert (smallest["lengths"], smallest["s"], smallest["M"]) == ([2, 3], 1, 4)
    assert smallest["mean_totals"] == {"single": "15/2", "refined": "8"}
    assert result.proof.state == "not-examined"


def test_a_refinement_to_single_lengths_is_h_sf() -> None:
    """What the repair rests on: with an interval for each length the revised A_min is H-SF, at any n and M."""
    [repair] = decided("intervals-help").standing_repairs
    backing = repair.findings[0].evidence
    assert isinstance(backing, Proved)
    assert backing.values["cohort_rule_measured"]["status"] == "contradicted"
    rng = np.random.default_rng(7)
    for s in (0, 1, 4):
        lengths = rng.integers(1, 9, 300).tolist()
        run = simulate("a-min-literal", lengths, 60, s, lengths, 8, seed=s)
        assert run.cancellations == 0
        assert run.total_latency == simulate("h-sf", lengths, 60, s).total_latency


@pytest.mark.exhaustive
def test_many_batches_do_not_repair_it() -> None:
    assert [with_many_batches(Fraction(f)).status for f in ("1", "1.05", "1.0655", "1.1")] == [
        "contradicted", "contradicted", "inconclusive", "supported",
    ]  # fmt: skip
    assert [of_the_cohort_rule(Fraction(f)).status for f in ("1", "1.05", "2")] == [
        "contradicted",
        "contradicted",
        "supported",
    ]


def statuses(factor: str) -> list[str]:
    result = decided("intervals-help", {"factor": factor})
    return [*(f.status for f in result.stated.findings), result.at("form-at-zero").status, result.at("form").status]


@pytest.mark.exhaustive  # runs of the experiments
def test_the_factor_decides() -> None:
    assert Fraction(21, 19) == LIMIT
    assert statuses("1.105")[:2] == ["inconclusive", "refuted"]
    assert statuses("1.106")[1] == "inconclusive"  # small instances only
    assert statuses("2") == ["inconclusive", "supported", "supported", "supported", "proved", "proved"]
    assert statuses("0.999")[4:] == ["refuted", "refuted"]
    assert statuses("1/2") == ["refuted", "refuted", "contradicted", "contradicted", "refuted", "refuted"]


def test_the_ratio_is_refuted_below_1_by_the_interval_itself() -> None:
    found = in_the_ratio(Fraction(999, 1000))
    assert isinstance(found, Refuted)
    lengths = [1, 2, 3] * 20
    totals = [simulate("a-min-literal", lengths, 24, 1, 1, 3, seed=k).total_latency for k in range(5)]
    assert found.second == {"totals_with_5_seeds": totals} and len(set(totals)) > 1
