"""The ledger any-memory: decided in full, told from its corrupted neighbours, its theorems' inequalities on random runs."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest
from amount import part_and_all
from claims_in_text import statuses_in_text
from least_total import by_volume, optimum
from tried import tried, with_trials

from check.command import main
from check.statements import Statement
from crtools import process, verify
from crtools.ledger import ClaimResult, by_theorem
from crtools.ledger.cache import default_folder
from crtools.ledger.registry import load
from crtools.ledger.run import self_test
from crtools.notation.terminal import unmarked
from crtools.papers.any_memory import LEDGER
from crtools.papers.any_memory.process import Request, area, feasible, total, volume
from crtools.papers.any_memory.theory import TEXT, theorem
from crtools.papers.beyond.claims.best_blind import common_plan_ratio, value
from crtools.proof.steps import Argument, Inference
from tests.papers.any_memory import trials
from tests.papers.any_memory.plain_runs import peak, queue_starts
from tests.papers.any_memory.trials import preemptive, small_instances

STATUSES = statuses_in_text(LEDGER)
SENTENCES = {
    "lower-bound": 6,
    "volume-order": 6,
    "full-memory": 3,
    "h-sf-unequal": 3,
    "paced-volume-order": 3,
    "greedy-starts": 8,
    "wrong-order": 5,
    "windows": 11,
    "box-offsets": 12,
    "box-thresholds": 11,
    "any-prompts": 12,
    "arrivals-lower-bound": 6,
    "online-without-kills": 3,
    "unstable": 2,
    "set-up-threshold": 8,
    "class-means": 6,
    "two-classes": 9,
    "class-shares": 12,
    "kills-and-classes": 10,
}
"""How many sentences each claim rests on."""

MOST_WORDS = 40

CORRUPTED = (
    ("define box_overhang(h) = 24/7*h^2", "define box_overhang(h) = 12/7*h^2"),  # half of what is reserved too much
    ("4*volume(c, s)*volume(o, s) - (s + c)^2*o^2 >= 0", "2*volume(c, s)*volume(o, s) - (s + c)^2*o^2 >= 0"),
    ("(l*M*f + W^2*q/(4*l))^2 - M*f*q*W^2", "(l*M*f + W^2*q/(8*l))^2 - M*f*q*W^2"),
    ("(2/y - 1/y^2)*z^2/2 - (d*z", "(2/y - 1/y^2)*z^2/3 - (d*z"),
    ("define threshold_areas(b) = 2*b*(b + 1)/(b - 1) + 12/5", "define threshold_areas(b) = b*(b + 1)/(b - 1) + 12/5"),
    ("(1 - p)*min(W, z) - min(two_mean", "(1 - p)*min(W, z)/2 - min(two_mean"),
    ("min(v, p*z) + (1 - p)*min(W, z)", "min(v, p*z) - (1 - p)*min(W, z)"),
    ("define other_size(p, v, x) = ((x + v)/p", "define other_size(p, v, x) = ((x - v)/p"),
    ("x + c*(1 - m) + (mu - x) - mu = c*(1 - m)", "x + c*(1 - m)/2 + (mu - x) - mu = c*(1 - m)"),
    ("P >= s + a: P^2 - volume(a, s) >= 0", "P >= s + a: P^2/2 - volume(a, s) >= 0"),
    ("1 > d >= 0: (1 - d)^2 - (1 - 2*d) >= 0", "1 > d >= 0: (1 - d)^2 - (1 - d) >= 0"),
    ("2*(m^4/m/P^2)^2/m^4 = 2*m^2/P^4", "2*(m^4/m/P^2)^2/m^4 = 2*m^3/P^4"),
    ("2*m^8*(1/(2*m))^2/P^4 = m^6/(2*P^4)", "2*m^8*(1/(2*m))^2/P^4 = m^6/P^4"),
    ("define class_share(L, c, m, e) = L*c*(1 - m)/e", "define class_share(L, c, m, e) = L*c*m/e"),
    ("M >= 1, p >= M/2: 2*p*o/M - o >= 0", "M >= 1, p >= M/2: p*o/M - o >= 0"),  # half of the areas
)
"""Facts of the text, each with a wrong one in its place."""


@pytest.fixture(scope="module")
def results() -> dict[str, ClaimResult]:
    return {result.id: result for result in verify(ledger=LEDGER, jobs=1, cache=default_folder())}


def test_it_is_found_through_its_entry_point() -> None:
    assert load("any-memory") is LEDGER
    assert set(SENTENCES) == set(STATUSES) == {claim.id for claim in LEDGER.claims}


@pytest.mark.parametrize("id", SENTENCES)
def test_a_claim_has_a_certificate_at_its_levels_and_rests_on_few_sentences(
    id: str, results: dict[str, ClaimResult]
) -> None:
    result = results[id]
    assert {verdict.level: verdict.status for verdict in result.verdicts} == STATUSES[id]
    assert [verdict.rests.missing for verdict in result.verdicts] == [""] * len(result.verdicts)
    assert sum(verdict.argued for verdict in result.verdicts) == SENTENCES[id]
    assert 0 < len(unmarked(result.why)) <= 45


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("volume order", {"double": "2", "at_two": "4", "at_three": "3", "limit": "7/3"}),
        ("windows", {"factor": "9.955"}),
        ("own offsets in boxes", {"per_kappa": "7.525", "at_three": "11.12", "at_two": "14.74"}),
        ("common thresholds in boxes", {"per_kappa": "14.57", "at_three": "21.8", "at_two": "29.03"}),
    ],
)
def test_a_constant_a_thousandth_smaller_is_not_proved(name: str, values: dict[str, str]) -> None:
    stated = {key: Fraction(own) for key, own in values.items()}
    assert by_theorem(theorem(name, **stated)).status == "proved"
    for key, own in stated.items():
        assert by_theorem(theorem(name, **(stated | {key: own * Fraction(999, 1000)}))).status != "proved"


OPEN_BELOW = {"at_two", "at_three", "limit", "factor of windows", "per_kappa"}
"""Constants of upper bounds of which no instance is known that needs them: a smaller one is not proved, and not refuted."""

LARGER = {"third of lower-bound", "term of arrivals-lower-bound"}
"""Constants of lower bounds, which say more where they are larger."""


@part_and_all("ids", ("volume-order", "windows", "class-shares", "two-classes"), None)
def test_a_constant_a_hundredth_sharper_is_refuted_or_not_proved(ids: tuple[str, ...] | None) -> None:
    for claim in LEDGER.claims:
        for name, stated in claim.given.items() if ids is None or claim.id in ids else ():
            if name == "base":
                continue
            full = f"{name} of {claim.id}"
            factor = Fraction(101 if full in LARGER else 99, 100)
            sharper = str(factor * Fraction(stated)) if re.fullmatch(r"[\d./]+", stated) else f"{factor}*({stated})"
            [result] = verify(claim.id, {name: sharper}, ledger=LEDGER)
            expected = "inconclusive" if {name, full} & OPEN_BELOW else "refuted"
            assert result.stated.status == expected, full


def test_a_share_that_is_right_for_v_and_x_above_1_is_not_proved() -> None:
    shares = {"up_to_v": "x/(x+(1-p)**2*max(v, 1))", "beyond_W": "(max(x, 1)-r*(1-p)*v)/(max(x, 1)+(1-p)**2*v)"}
    [result] = verify("two-classes", shares, ledger=LEDGER)
    statuses = {finding.id: finding.status for finding in result.stated.findings}
    assert all((status == "proved") == (id not in shares) for id, status in statuses.items())


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("old", "new"), CORRUPTED)
def test_a_corrupted_fact_is_refused(old: str, new: str, tmp_path: Path) -> None:
    text = (files("check") / "any_memory.txt").read_text("utf-8")
    assert text.count(old) == 1
    file = tmp_path / "any_memory.txt"
    file.write_text(text.replace(old, new), "utf-8")
    assert main(["--theory", str(file)]) == 1


@part_and_all("ids", ("full-memory",), None)
def test_every_corrupted_value_is_caught_and_every_true_one_accepted(ids: tuple[str, ...] | None) -> None:
    assert all(claim.wrong and claim.true for claim in LEDGER.claims)
    found = self_test(ids, ledger=LEDGER, jobs=1)
    assert [row for row in found.rows if not row.ok] == []


def test_an_argued_sentence_is_short() -> None:
    steps = [step for name in TEXT.names for step in TEXT.theorem(name).steps]
    said = [step.text for step in steps if isinstance(step, Argument | Inference)]
    assert [text for text in said if len(text.split()) > MOST_WORDS] == []


def test_no_claim_of_the_text_is_left_out() -> None:
    own: list[Statement] = [own for own in TEXT.book.claims.values() if own.ledger == TEXT.theory.name]
    assert {statement.id for statement in own} == set(STATUSES)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "theorem"),
    [
        ("mean_instant", "areas and lengths"),
        ("batch_total", "areas and lengths"),
        ("held", "no larger term"),
        ("queue_starts", "refused heads"),
        ("completions", "volume order at full memory"),
        ("waited", "charges in windows"),
        ("last_end", "charges in windows"),
        ("window_end", "windows"),
        ("admitted", "boxes in one list"),
        ("kill_age", "common thresholds in boxes"),
        ("mean_part", "own offsets in boxes"),
        ("used_before", "own offsets with any prompts"),
        ("started", "own offsets with any prompts"),
        ("unfinished_share", "classes by their means"),
    ],
)
def test_what_is_said_in_words_fails_with_a_wrong_constant(
    name: str, theorem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = getattr(trials, name)

    def doubled(*arguments: object, **options: object) -> object:
        value = right(*arguments, **options)
        return [2 * each for each in value] if isinstance(value, list) else 2 * value

    monkeypatch.setattr(trials, name, doubled)
    named = next(own for own in TEXT.names if own.startswith(theorem))
    assert any(tried(with_trials(TEXT, trials), named).values())


# ---- the theorems' inequalities on runs ---------------------------------------------------------------------------


def term(request: Request) -> Fraction:
    """Return e, written out again."""
    s, o = request
    return (o * o + Fraction(3 * (2 * s + 1) * o + 1, 2)) / (3 * (o + 2 * s + 1))


def drawn(seed: int, most: int, largest: int) -> tuple[list[Request], int]:
    """Return random requests of different shapes, and a memory in which each fits."""
    own = random.Random(seed)
    requests = [(own.randrange(largest), own.randint(1, largest)) for _ in range(own.randint(1, most))]
    least = max(map(peak, requests))
    return requests, own.choice([least, least + own.randrange(largest), 2 * least - 1, 3 * least])


def assert_volume_order(requests: list[Request], memory: int) -> None:
    """Assert the inequality of volume order, with either rule."""
    queue, peaks = by_volume(requests), max(map(peak, requests))
    kappa, lengths = Fraction(memory, memory - peaks + 1), sum(o for _, o in requests)
    reserved, ahead = (queue_starts(queue, memory, look_ahead=rule) for rule in (False, True))
    assert all(a <= r for a, r in zip(ahead, reserved, strict=True))
    assert total(queue, ahead) <= total(queue, reserved) <= 2 * kappa * area(requests, memory) + lengths


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(300))
def test_volume_order_on_random_requests(seed: int) -> None:
    requests, memory = drawn(seed, 40, 12)
    assert_volume_order(requests, memory)
    bound = area(requests, memory) + sum(map(term, requests))
    assert bound <= total(by_volume(requests), queue_starts(by_volume(requests), memory, look_ahead=True))


@part_and_all("most", 2, 4)
def test_every_small_instance_against_its_optimum(most: int) -> None:
    for requests, memory in small_instances(most):
        least, peaks = optimum(requests, memory), max(map(peak, requests))
        assert least >= area(requests, memory) + sum(map(term, requests))
        kappa = Fraction(memory, memory - peaks + 1)
        for rule in (False, True):
            queue = by_volume(requests)
            taken = total(queue, queue_starts(queue, memory, look_ahead=rule))
            assert taken <= max(2 * kappa, 1 + Fraction(4, 3) * kappa) * least
        assert_volume_order(requests, memory)


@pytest.mark.parametrize("seed", range(20))
def test_the_search_for_the_optimum_agrees_with_a_programme(seed: int) -> None:
    requests, memory = drawn(seed, 4, 4)
    assert (
        optimum(requests, memory)
        == process.optimum([o for _, o in requests], memory, [s for s, _ in requests]).total_latency
    )


LAWS = (
    {1: Fraction(1, 2), 10: Fraction(1, 2)},
    {1: Fraction(3, 4), 4: Fraction(1, 8), 40: Fraction(1, 8)},
    {2: Fraction(1, 5), 3: Fraction(4, 5)},
)


@pytest.mark.parametrize("law", LAWS, ids=range(len(LAWS)))
def test_from_the_threshold_on_and_no_earlier_running_to_the_end_is_best(law: dict[int, Fraction]) -> None:
    mean = sum((v * share for v, share in law.items()), Fraction(0))

    def condition(c: int) -> Fraction:
        p = sum((share for v, share in law.items() if v <= c), Fraction(0))
        used = sum((min(v, c) * share for v, share in law.items()), Fraction(0))
        return (mean * p - used) / (1 - p)

    threshold = max(condition(c) for c in sorted(law)[:-1])
    for sigma in (threshold, threshold + 1, threshold - Fraction(1, 10)):
        sizes = {sigma + v: share for v, share in law.items()}
        if min(sizes) > 0:
            assert (value(sizes) == common_plan_ratio(sizes)) == (sigma >= threshold)


@pytest.mark.parametrize("seed", range(100))
def test_flow_times_on_random_requests(seed: int) -> None:
    own = random.Random(seed)
    requests, memory = drawn(seed, 12, 6)
    releases = sorted(own.randrange(12) for _ in requests)
    starts: list[int] = []
    for k, release in enumerate(releases):
        start = max([release, *starts])
        while not feasible(requests[: k + 1], [*starts, start], memory):
            start += 1
        starts.append(start)
    flow = total(requests, starts) - sum(releases)
    jobs = list(zip(releases, map(volume, requests), strict=True))
    ends, _ = preemptive(jobs, memory, remaining=True)
    _, means = preemptive(jobs, memory, remaining=False)
    assert flow >= sum(ends) - sum(releases)
    assert flow >= sum(means) - sum(releases) + sum(map(term, requests))


def test_what_two_equal_requests_reserve_counts_the_last_run_of_the_first() -> None:
    """At 1, 9/4 and 81/16 they are killed at 1, 1 and 2; the second stops at 9/4."""
    assert trials.common_parts((0, 2), (0, 2), 20) == (1 + 1 + 4 + 1 + 1, Fraction(81, 16), Fraction(81, 16))
