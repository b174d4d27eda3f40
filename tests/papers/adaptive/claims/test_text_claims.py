"""Claims that the paper's text makes beside its theorems, computed again, and the places at which it contradicts itself."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt
from random import Random

import pytest
from decided import decided

from check import process as judge
from crtools import simulate, verify
from crtools.ledger.evidence import Proved, Refuted
from crtools.ledger.registry import load
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.policies.transitions import unfinished
from crtools.report.errata import CONTRADICTIONS, latex, markdown
from crtools.schedule import Schedule

# ---- no-cancellations ----------------------------------------------------------------------------------------------


def test_the_last_attempts_of_a_run_that_cancels_fit_and_have_its_total() -> None:
    random, cancelled = Random(0), 0
    for _ in range(60):
        s, lengths = random.randrange(3), [random.randint(1, 6) for _ in range(random.randint(2, 12))]
        memory = random.randint(s + max(lengths), 3 * (s + max(lengths)))
        run = simulate("a-min-literal", lengths, memory, s, 1, seed=random.randrange(100))
        cancelled += run.cancellations
        assert judge.feasible(list(run.starts), lengths, s, memory)
        assert Schedule(tuple(run.starts), tuple(lengths), s).total_latency == run.total_latency
    assert cancelled > 50


def test_with_unknown_lengths_cancellations_are_needed() -> None:
    found = decided("no-cancellations", {"lengths": "unknown", "later": "100"}).finding("no-later").evidence
    assert isinstance(found, Refuted)
    n = found.witness["n"]
    assert found.second == [n // 5, n // 2]
    assert n // 2 > n // 5 + 100


# ---- amax-not-tight ------------------------------------------------------------------------------------------------


def h(z: Fraction) -> Fraction:
    """Σ_{k ≤ z} ⌈k⌉ with steps of one, as the theorem has it."""
    whole = floor(z)
    return (whole + 1) * (whole + 2 * (z - whole)) / Fraction(2)


def test_the_sharper_bound_holds_of_step_functions() -> None:
    """m̄h(ν) ≤ (3+2y)/5 (m̄ν + H), H = (ν−1)⁺ + ∫ o(t)(⌊ν−t⌋−1) dt, summed over thin slices; for ⅓ in ⅖'s place it fails."""
    worst = Fraction(0)
    for places in range(4, 40):
        for long in range(places + 1):
            for y in (Fraction(11, 10), Fraction(2), Fraction(9)):
                width = Fraction(1, 4)
                nu = places * width
                o = [Fraction(1)] * (places - long) + [y] * long
                mean = sum(o) / places
                later = sum(o[k] * max(floor(nu - (k + Fraction(1, 2)) * width) - 1, 0) * width for k in range(places))
                total = mean * nu + max(nu - 1, Fraction(0)) + later
                assert mean * h(nu) <= (3 + 2 * y) / 5 * total
                worst = max(worst, (mean * h(nu) / total - 1) / (y - 1))
    assert Fraction(1, 3) < worst < Fraction(2, 5)


@pytest.mark.parametrize(("s", "low", "up"), [(0, 1, 2), (1, 1, 3), (0, 2, 3)])
def test_a_max_stays_below_the_sharper_bound_in_runs(s: int, low: int, up: int) -> None:
    memory, y = (s + up + 1) ** 3, Fraction(up, low)
    factor = Fraction(memory + up * (s + low), memory - s - up) * y * (3 + 2 * y) / 5
    for n in (memory, 4 * memory):
        for long in (0, n // 4, n // 2, n):
            lengths = [low] * (n - long) + [up] * long
            best = simulate("h-sf", lengths, memory, s).total_latency
            mean = sum(simulate("a-max", lengths, memory, s, low, up, seed=seed).total_latency for seed in range(4)) / 4
            assert 1 <= mean / best <= factor


def test_at_alpha_1_the_bound_is_reached_and_decides_nothing() -> None:
    result = decided("amax-not-tight")
    for level, id in ((AT_ZERO, "at-zero"), (FORM, "of-form"), (ALGORITHM, "of-algorithm")):
        assert result.finding(f"not-tight-{id}", level).status == "proved"
        assert not result.finding(f"at-one-{id}", level).decides


def test_what_is_known_at_every_n_is_not_said_to_be_beyond_itself() -> None:
    assert decided("amax-not-tight", {"bound": "(3+2/alpha)/(5*alpha)"}).stated.status != "proved"
    assert decided("amax-not-tight", {"bound": "(3.01+2/alpha)/(5*alpha)"}).stated.status == "proved"


# ---- observation-1 -------------------------------------------------------------------------------------------------


def test_the_smallest_instance_in_runs_and_through_all_its_ties() -> None:
    lengths, s, memory = [2, 2, 4], 1, 6
    left = [
        unfinished(simulate("a-min-literal", lengths, memory, s, 1, 4, seed=seed, history=True)).get(3)
        for seed in range(60)
    ]
    assert 1 in left
    before = judge.literal([(o, 1) for o in lengths], s, memory)["before"]
    assert judge.expected(before, 3, 2, 1) == Fraction(1, 3)
    found = decided("observation-1").finding("before-the-start").evidence
    assert isinstance(found, Refuted)
    assert (found.values["smallest"]["lengths"], found.values["smallest"]["M"]) == (lengths, memory)


def test_both_engines_count_the_same_requests_before_a_period() -> None:
    random = Random(1)
    for _ in range(40):
        s, lengths = random.randrange(3), [random.randint(1, 4) for _ in range(random.randint(2, 5))]
        memory = random.randint(s + max(lengths), 2 * (s + max(lengths)))
        run = simulate("a-min-literal", lengths, memory, s, 1, 4, seed=random.randrange(9), history=True)
        before = judge.literal([(o, 1) for o in lengths], s, memory)["before"]
        for bound, left in unfinished(run).items():
            assert left * (s + 1) < memory - s
            assert not left or any(p for (i, j, _), p in before.items() if i == bound and j < bound)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("left", ["0", "5", "M/(s+1)-2", "M/(s+3)", "sqrt(M)"])
def test_no_smaller_number_than_a_batch_is_left(left: str) -> None:
    assert decided("observation-1", {"left": left}).stated.status == "refuted"


def test_a_batch_is_what_may_be_left() -> None:
    found = decided("observation-1", {"left": "M/(s+1)-1"}).finding("before-the-start").evidence
    assert isinstance(found, Proved)
    assert decided("observation-1").proof.state == "false-step"


# ---- dominates, switch ---------------------------------------------------------------------------------------------


def test_the_larger_bound_at_many_alphas() -> None:
    """Exactly, by squares: α ≥ (√17 − 1)/8 where (8α + 1)² ≥ 17, α ≥ (3 − √5)/2 where (3 − 2α)² ≤ 5."""
    between = 0
    for alpha in (Fraction(k, 2000) for k in range(1, 2000)):
        high, low, a_min = 1 + 2 * alpha**2, 1 + alpha / (2 * (1 - alpha)), (3 - alpha) / 2
        assert (high >= a_min) == ((8 * alpha + 1) ** 2 >= 17)
        assert low >= high
        threshold = (3 - 2 * alpha) ** 2 <= 5
        assert ((low if alpha <= Fraction(1, 2) else high) >= a_min) == threshold
        between += threshold and high < a_min
    assert between > 10
    found = decided("dominates").finding("dominates").evidence
    assert isinstance(found, Refuted)
    own = Fraction(found.witness["alpha"])
    assert (3 - 2 * own) ** 2 <= 5
    assert (8 * own + 1) ** 2 < 17


def test_2_6_is_the_rounded_threshold_and_to_the_letter_it_is_false() -> None:
    result = decided("switch")
    assert isqrt(5 * 10**6) == 2236  # (3 + √5)/2 = 2.618
    assert [(f.id, f.status, f.decides) for f in result.stated.findings] == [
        ("smaller-exactly-below", "proved", True), ("in-times", "proved", True), ("in-times-to-the-letter", "refuted", False),
    ]  # fmt: skip
    found = result.finding("in-times-to-the-letter").evidence
    assert isinstance(found, Refuted)
    alpha = Fraction(found.witness["alpha"])
    assert 1 / alpha > Fraction(13, 5)
    assert 1 + alpha / (2 * (1 - alpha)) > (3 - alpha) / 2
    assert decided("switch", {"times": "2.62"}).finding("in-times-to-the-letter").status == "proved"


# ---- lg-extremes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("q", [Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(97, 100)])
def test_tails_at_equal_mean_by_sums(q: Fraction) -> None:
    mean = (1 + q) / (1 - q)
    last = floor(2 * mean) + 60
    lg = [k * (1 - q) ** 2 * q ** (k - 1) for k in range(1, last)]
    geometric = [(1 - 1 / mean) ** (k - 1) / mean for k in range(1, last)]
    for k in range(2, last):
        own, other = 1 - sum(lg[: k - 1]), 1 - sum(geometric[: k - 1])
        assert own > q ** (k - 1)  # at equal p
        if k == 2:
            assert own > other  # near the mean more
        if k >= 2 * mean:
            assert own < other


def test_the_reading_says_equal_mean_and_the_other_one_stands_beside() -> None:
    result = decided("lg-extremes")
    assert "of the same mean" in result.stated.reading
    assert [(f.id, f.status, f.decides) for f in result.stated.findings] == [
        ("tails", "refuted", True), ("variance", "refuted", False), ("at-equal-p", "proved", False),
    ]  # fmt: skip
    assert [repair.status for repair in result.repairs] == ["proved"]


# ---- where the paper contradicts itself ----------------------------------------------------------------------------


def test_to_the_letter_a_bound_of_algorithm_2_would_fall() -> None:
    """Two requests of length 3, s = 1, M = 5: in some run one with õ = 2 is cancelled with one token, and keeps 2."""
    runs = [simulate("a-min-literal", [3, 3], 5, 1, 1, 3, seed=seed, history=True) for seed in range(20)]
    assert any((run.cancelled.bound > run.cancelled.age).any() for run in runs if run.cancelled)
    moved = judge.literal([(3, 1), (3, 1)], 1, 5)["moved"]
    assert judge.expected(moved, 2, 2, 3) > 0
    assert all(new >= bound for bound, new, _ in moved)


def test_with_more_than_l_tokens_a_ell_would_overflow() -> None:
    assert judge.tokens([0, 0], [3, 3], 1, 1) == 4  # admitted: each counts with l = 1 token
    assert judge.tokens([0, 0], [3, 3], 1, 2) == 6  # neither has more than one token at t = 1
    run = simulate("a-ell", [3, 3], 4, 1, 1, 3, history=True)
    assert run.cancellations == 2
    assert run.peak_memory <= 4


def test_the_errata_list_the_contradictions_and_the_source() -> None:
    ledger = load("adaptive")
    text, tex = markdown(verify(["dominates"]), ledger), latex(verify(["dominates"]), ledger)
    assert text.count("Taken here:") == len(ledger.slips()) == 8 == tex.count(r"\emph{Taken here:}")
    assert f"## {CONTRADICTIONS}" in text
    for words in (
        "17bdebab18e6d104666cb9631c04703183705826c594b2eed85aeea1f815c1c7",
        "number of words",
        "later restarted",
        "disjoint",
    ):
        assert words in text, words
    assert "$" not in text
    assert CONTRADICTIONS not in latex(verify(["dominates"]))
