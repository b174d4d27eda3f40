"""Claims on schedules: what families and factors do to their verdicts."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from amount import every_third
from changed_texts import refused
from decided import decided
from hypothesis import given, settings
from hypothesis import strategies as st

from check import process as judge
from check.process import run_queue, same_order
from crtools.ledger.deciders.search import SmallInstance, first_hit, search_evidence, small_instances
from crtools.ledger.evidence import SURE, Refuted
from crtools.papers.adaptive.claims import a_random, packed_schedules
from crtools.papers.adaptive.claims.hsf_lower import some_better, three_token_requests
from crtools.papers.adaptive.claims.packed_schedules import GROWN, Queue, slow_total
from crtools.papers.adaptive.claims.schedules import larger_set
from crtools.papers.adaptive.evidence import max_against_random
from crtools.papers.adaptive.literal import batches
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.process import simulate
from crtools.schedule import Schedule, volume
from tests.papers.adaptive import trials
from tests.papers.adaptive.bounds import at_finite_n
from tests.papers.adaptive.trials import prompts_that_fill_the_memory


def status(claim: str, **given: str) -> str:
    return decided(claim, given).stated.status


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("factor", "total", "each"),
    every_third(
        [
            ("1", "refuted", "refuted"),
            ("1.1", "refuted", "refuted"),
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
        step=2,
    ),
)
def test_latency_scaling_holds_with_no_constant_factor(factor: str, total: str, each: str) -> None:
    """One long request beside n − 1 short ones: TEL(I')/TEL(I) tends to n, and a short one waits for the long one."""
    result = decided("prop-memory", {"factor": factor})
    assert [result.finding(id).status for id in ("total", "each")] == [total, each]


def refutation(claim: str, finding: str, **given: str) -> Refuted:
    evidence = decided(claim, given).finding(finding).evidence
    assert isinstance(evidence, Refuted)
    return evidence


@pytest.mark.one_in(3)
@pytest.mark.parametrize("factor", ["1", "1.05", "1.1"])
def test_a_witness_of_less_memory_stays_as_the_memory_grows(factor: str) -> None:
    """What lives by rounding is the smallest instance, and the finding's witness is not it."""
    for id in ("total", "each"):
        evidence = refutation("prop-memory", id, factor=factor)
        assert evidence.stays and evidence.witness["M"] >= 50 * (evidence.witness["s"] + 4)
    small = refutation("prop-memory", "total").values["smallest"]
    assert small["by_rounding"] and small["M"] <= 2 * (small["s"] + max(small["lengths"]))
    rounded = refutation("prop-memory", "total", factor="3")
    assert not rounded.stays and rounded.values["by_rounding"]
    assert "by rounding" in decided("prop-memory", {"factor": "3"}).why
    assert "rounding" not in decided("prop-memory").why


def test_threes_and_fours_by_the_definitions() -> None:
    """The simulator, the schedules' own predicates and the starts one by one, against the runs in batches."""
    row = packed_schedules.member(1, 1000)
    one, two = packed_schedules.simulated_schedules(1, 1000)
    lengths = [3] * 25 + [4] * 1000
    for plan, memory, run in zip((one, two), (340, 337), row.runs, strict=True):
        assert list(plan.lengths) == lengths and plan.feasible(memory) and not plan.feasible(plan.peak_memory - 1)
        assert list(plan.starts) == [start for start, _, count in run for _ in range(count)]
    assert 337 * two.total_latency > 340 * one.total_latency
    assert two.total_latency == 29637 and one.total_latency == 27835


def test_the_ratio_of_threes_and_fours_stays_while_beta_tends_to_one() -> None:
    rows = packed_schedules.trend()
    assert [row["M"] for row in rows] == [340, 3400, 34_000, 340_000, 340_000]
    for row in rows:
        k = row["M"] // 340
        assert list(row["starts_in_four_instants"]) == [80 * k, 68 * k]
        assert 1.14 < row["ratio"] < 20 / 17 and row["inverse_beta"] == row["M"] / (row["M"] - 3)
    assert rows[-1]["ratio"] > rows[-2]["ratio"] and rows[-1]["inverse_beta"] < 1.00001
    engine = [simulate("h-sf", [3] * 250 + [4] * 100_000, memory, 1).total_latency for memory in (3400, 3397)]
    assert engine == list(rows[1]["totals"])


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 6)), min_size=1, max_size=3, unique_by=lambda row: row[0]),
    st.integers(0, 2),
    st.integers(0, 12),
)
@settings(max_examples=60, deadline=None)
def test_runs_in_batches_are_the_runs_one_by_one(counts: list[tuple[int, int]], s: int, more: int) -> None:
    counts = sorted(counts)
    lengths = [length for length, count in counts for _ in range(count)]
    memory = s + max(lengths) + more
    run = batches.shortest_first(counts, s, memory)
    starts = [start for start, _, count in run for _ in range(count)]
    assert starts == judge.shortest_first(lengths, s, memory)
    assert batches.total(run) == judge.total(starts, lengths)
    for own in (memory, memory + 2, memory - 1):
        expected = judge.feasible(starts, lengths, s, own) and judge.packed(starts, lengths, s, own)
        assert batches.packed(run, s, own) == expected
    late = [(start + 1, length, count) for start, length, count in run]
    moved = [start + 1 for start in starts]
    assert batches.packed(late, s, memory) == judge.packed(moved, lengths, s, memory)


def test_a_pair_of_threes_and_fours_that_is_no_pair_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "packed", lambda *_: False)
    with pytest.raises(AssertionError, match="not packed"):
        packed_schedules.member(1, 10)


def test_the_numbers_in_process_are_not_in_proportion() -> None:
    display = decided("prop-memory").finding("in-proportion")
    assert isinstance(display.evidence, Refuted)
    at, (large, small) = display.evidence.values["instant"], display.evidence.values["in_process"]
    one, two = packed_schedules.simulated_schedules(1, 1000)
    counted = [sum(p < at <= p + o for p, o in zip(x.starts, x.lengths, strict=True)) for x in (one, two)]
    assert counted == [large, small] and 340 * small != 337 * large


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_the_family_of_one_long_request_grows_towards_n(size: int) -> None:
    found = slow_total(size, Fraction(9 * size, 10))
    assert found is not None
    row = found.witness
    one, two = (Schedule(row[name], row["lengths"], row["s"]) for name in ("I", "I_prime"))
    assert one.feasible(row["M"])
    assert two.feasible(row["beta_M"])
    assert one.corresponds(two)
    assert one.optimally_packed(row["M"])
    assert two.optimally_packed(row["beta_M"])
    assert two.total_latency > Fraction(9 * size, 10) * Fraction(row["M"], row["beta_M"]) * one.total_latency
    assert two.total_latency < size * one.total_latency


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("factor", "exact", "with_an_error_term"),
    every_third(
        [
            ("1", "refuted", "refuted"),
            ("1.0799", "refuted", "refuted"),
            ("1.08", "refuted", "contradicted"),
            ("1.18", "refuted", "contradicted"),
            ("1.4", "refuted", "inconclusive"),
            ("1.9", "refuted", "inconclusive"),
            ("1.999", "inconclusive", "inconclusive"),
            ("2", "supported", "proved"),
        ],
        step=2,
    ),
)
def test_a_max_is_not_bounded_by_the_random_order(factor: str, exact: str, with_an_error_term: str) -> None:
    found = decided("lem-max-random", {"factor": factor})
    assert [f.status for f in found.stated.findings] == [with_an_error_term, exact]
    assert [f.decides for f in found.stated.findings] == [True, False]
    says = f"≤ {'' if factor == '1' else f'{factor} · '}E TEL(A_random, αM)$"
    assert all(says in f.says for verdict in found.verdicts for f in verdict.findings)


@pytest.mark.exhaustive  # takes seconds
def test_what_is_measured_in_long_runs_stands_beside_the_exact_witness() -> None:
    result = decided("lem-max-random", {"factor": "1.1"})
    low, high = max_against_random.long_runs()
    assert 1.18 < low <= high < 1.2 and f"{high:.2f}" in result.why
    assert [decided("lem-max-random", {"factor": f}).why for f in ("1.5", "2")] == [
        "true of the forms; algorithms: by rounding", "no counterexample found",
    ]  # fmt: skip


def test_a_random_in_step_fills_the_memory_that_a_max_keeps() -> None:
    """The family of the limit: what the theorem says of both policies, at one instance, and what a longer one breaks."""
    limit = decided("lem-max-random").finding("with-an-error-term").evidence
    assert isinstance(limit, Refuted)
    assert [run["A_max_over_A_random"] > 27 / 25 for run in limit.second["runs"]] == [True, True]
    s, low, up, batch, batches = 1, 50, 5000, 20, 10
    lengths = [low, 70, low, 70, low] * (batch * batches // 5)
    n, memory = len(lengths), batch * (s + low) * up // low
    starts = simulate("a-random", lengths, memory * low // up, s, order=range(n)).schedule.starts
    assert list(starts) == [low * (k // batch) for k in range(n)]
    slow = simulate("a-max", lengths, memory, s, low, up, order=range(n)).total_latency
    assert slow >= Fraction(n * (n - 1), 2) * Fraction(29, 25) * low * (s + up - 70) / memory - 70 * n
    assert trials.steps_of_a_random(more=2) is not None


def test_few_requests_fit_where_the_random_order_is_better_at_first() -> None:
    row = max_against_random.Row((4, 4), 4, 8, 14, 7)
    assert 1.25 < max_against_random.more_requests(row, 5)["A_max_over_A_random"] < 4 / 3
    assert "by rounding" in decided("lem-max-random").stated.why
    assert "by rounding" not in decided("lem-max-random", {"factor": "2"}).stated.why


@pytest.mark.exhaustive  # takes seconds
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
    hit = first_hit(3, 3, (0,), lambda r: "hit" if r.lengths == (1, 2) and r.memory == 3 else None)
    assert hit.instance is not None
    before = [row.lengths == (1, 2) and row.memory == 3 for row in small_instances(3, 3, (0,))].index(True)
    assert hit.looked_at == before


def test_a_search_through_nothing_supports_nothing() -> None:
    assert search_evidence(first_hit(1, 3, (1,), lambda _: None, fewest=2)).status == "inconclusive"
    assert search_evidence(first_hit(2, 3, (1,), lambda _: None, fewest=2)).status == "supported"


@pytest.mark.parametrize("factor", ["1", "0.9", "0.8", "0.76"])
def test_equal_lengths_beat_h_sf_in_a_small_schedule(factor: str) -> None:
    found = some_better(Fraction(factor), 24)
    assert found is not None
    row, starts = found.witness, found.values["starts"]
    lengths = row["lengths"]
    plan, own = (Schedule(x, lengths, row["s"]) for x in (starts, found.values["schedules"][0]["starts"]))
    assert plan.feasible(row["M"]) and own.feasible(row["M"])
    assert plan.total_latency == found.values["total"] == found.actual < Fraction(factor) * own.total_latency
    assert own.total_latency == simulate("h-sf", lengths, row["M"], row["s"]).total_latency


def test_eight_requests_of_length_three() -> None:
    """The totals that refute 0.9 with fewest requests: 52 against 60."""
    assert simulate("h-sf", [3] * 8, 9, 1).total_latency == 60
    plan = Schedule(tuple(range(8)), (3,) * 8, 1)
    assert plan.feasible(9) and plan.total_latency == 52
    assert some_better(Fraction(9, 10), 6) is None
    assert some_better(Fraction(9, 10), 8) is not None


@pytest.mark.one_in(2)
@pytest.mark.parametrize("factor", ["1.2", "1", "0.9", "0.8", "0.76"])
def test_three_token_requests_beat_h_sf_at_every_memory(factor: str) -> None:
    """At M = 36k, k times as many requests have k times both totals, so that nothing lives by rounding."""
    found = three_token_requests(Fraction(factor), 100_000)
    assert found is not None and found.stays and found.theorems
    n = found.witness["n"]
    for k in (1, 2, 7):
        h_sf = simulate("h-sf", [3] * (n * k), 36 * k, 1).total_latency
        plan = Schedule(tuple(i // (4 * k) for i in range(n * k)), (3,) * (n * k), 1)
        assert plan.feasible(36 * k) and plan.total_latency < Fraction(factor) * h_sf
        assert (h_sf, plan.total_latency) == (k * found.values["h_sf_total"], k * found.values["total"])
    assert three_token_requests(Fraction(factor), n - 1) is None
    assert three_token_requests(Fraction(3, 4), 10**9) is None


def test_the_ratio_to_h_sf_tends_to_four_thirds() -> None:
    ratios = [row["ratio"] for row in refutation("hsf-lower", "no-better-schedule").values["trend"]]
    assert ratios == sorted(ratios) and 1.31 < ratios[-1] < 4 / 3


def test_h_sf_can_take_almost_twice_as_long_and_no_longer() -> None:
    """At equal lengths u the quotient tends to 2(s+u)/(2s+u+1): the repair's bound is reached, and nothing else is."""
    assert theorem("equal lengths, started evenly").holds
    for wrong in ("4/3", "2", "near(s, u)*(1 + 1/10^9)", "(near(s, u) - 1/10^9)"):
        assert refused(TEXT.theory, "equal lengths, started evenly", "near(s, u)", wrong)
    s, u = 1, 12
    memory = (s + u) * volume(s, u)
    many = [u] * (4 * memory)
    even = Schedule([i // (s + u) for i in range(len(many))], many, s)
    assert even.feasible(memory) and even.total_latency < simulate("h-sf", many, memory, s).total_latency / 1.5
    claim = decided("hsf-lower")
    assert "almost twice" in claim.why and "up to" not in claim.why
    assert {finding.id for finding in claim.repairs[0].findings} == {"h-sf-near", "reached", "unequal-prompts"}


def test_h_sf_is_no_benchmark_for_unequal_prompts() -> None:
    """2K requests whose prompts fill the memory go before K² that fit together, as they are shorter."""
    for k in range(2, 7):
        lengths, prompts, memory = [1] * 2 * k + [2] * k**2, [2 * k**2 - 1] * 2 * k + [0] * k**2, 2 * k**2
        h_sf = simulate("h-sf", lengths, memory, prompts).total_latency
        by_volume = Schedule([*range(2, 2 * k + 2), *[0] * k**2], lengths, prompts)
        assert by_volume.feasible(memory)
        assert (h_sf, by_volume.total_latency) == (2 * k**3 + 4 * k**2 + k, 4 * k**2 + 5 * k)
        assert h_sf > Fraction(k, 2) * by_volume.total_latency
    assert prompts_that_fill_the_memory() is None and prompts_that_fill_the_memory(1) is not None
    assert theorem("H-SF with unequal prompts").holds
    for right, wrong in (("2*K^3 + 4*K^2 + K", "2*K^3 + 4*K^2"), ("4*K^2 + 5*K", "4*K^2 + 4*K"), ("- K/2 >", "- K >")):
        assert refused(TEXT.theory, "H-SF with unequal prompts", right, wrong)


def test_the_theorem_on_three_token_requests_holds_from_the_right_size_only() -> None:
    """The even total is above 9/10 of H-SF's at c = 1 and below it from 2 on; the quotient falls, and not below 3/4."""
    assert theorem("requests of three tokens").holds
    more = "k >= 1, c >= 1: 9/10*three_in_batches(k, c + 1) - three_evenly(k, c + 1)"
    sign = "k >= 1, c >= 1: three_in_batches(k, c) - three_evenly(k, c)"
    assert not refused(TEXT.theory, "requests of three tokens", sign, more)
    for less in (more.replace("c + 1", "c"), sign.replace("1: three", "1: 3/4*three")):
        assert refused(TEXT.theory, "requests of three tokens", sign, less)
    assert refused(TEXT.theory, "requests of three tokens", "c + 1", "c - 1/2")


def test_the_smallest_instance_stands_beside_the_witness() -> None:
    evidence = refutation("hsf-lower", "no-better-schedule")
    small, drawn = evidence.values["smallest"], evidence.values["schedules"]
    assert (small["h_sf_total"], small["total"]) == (13, 12)
    totals = [Schedule(row["starts"], row["lengths"], row["s"]).total_latency for row in drawn]
    assert totals == [13, 12, evidence.values["h_sf_total"], evidence.values["total"]]


@pytest.mark.parametrize("factor", ["0.6", "0.55", "0.52"])
def test_every_factor_well_above_a_half_is_refuted_at_a_concrete_size(factor: str) -> None:
    found = some_better(Fraction(factor), 200_000)
    assert found is not None
    row = found.witness
    if "n" in row:
        plan = Schedule(tuple(range(row["n"])), (row["every_length"],) * row["n"], 1)
        assert plan.feasible(row["M"]) and plan.total_latency == found.values["total"]
    assert found.values["total"] < Fraction(factor) * found.values["h_sf_total"]
    assert some_better(Fraction(1, 2), 200_000) is None


def test_a_single_permutation_decides_the_coupling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Totals whose means keep the factor while those of one permutation do not."""
    slow, fast = [4, 1], [3, 3]
    for name in ("totals", "confirmed"):
        monkeypatch.setattr(
            max_against_random,
            name,
            lambda policy, row, memory: (slow if policy == "a-max" else fast)[: 2 if len(row.lengths) == 1 else 1],
        )
    for pathwise, status in ((False, "supported"), (True, "refuted")):
        assert max_against_random.without_error_term.__wrapped__(Fraction(1), 1, pathwise=pathwise).status == status


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("n", "memory", "high"), [(1, 5, 4), (2, 5, 4), (3, 9, 5), (2, 11, 5), (4, 7, 3)])
def test_the_ends_are_worst_or_a_length_between_is_shown(n: int, memory: int, high: int) -> None:
    """By one list of all lengths in all orders."""

    def value(lengths: tuple[int, ...]) -> Fraction:
        orders = list(permutations(lengths))
        slow = sum(simulate("a-random", o, memory, 1, order=range(n)).total_latency for o in orders)
        return Fraction(slow, len(orders) * simulate("h-sf", lengths, memory, 1).total_latency)

    ratios = {lengths: value(lengths) for lengths in product(range(1, high + 1), repeat=n)}
    ends = max(ratio for lengths, ratio in ratios.items() if set(lengths) <= {1, high})
    given = {"n": str(n), "M": str(memory), "high": str(high)}
    found = decided("thm-endpoints", given).finding("process")
    assert found.status == ("refuted" if max(ratios.values()) > ends else "certified")
    if isinstance(found.evidence, Refuted):
        assert Fraction(found.evidence.actual) == ratios[tuple(found.evidence.witness["o"])] == max(ratios.values())


def test_the_witness_against_the_ends_is_the_plainest() -> None:
    found = decided("thm-endpoints").finding("process").evidence
    assert isinstance(found, Refuted)
    assert (found.witness["o"], found.actual) == ([2, 4], "17/14")
    assert set(found.values["ratios_on_the_ends"].values()) == {"1"}


def test_the_ends_are_not_worst_in_the_limit_either() -> None:
    """The policy that kills once: its runs on lengths 2 and 3 against all shares of lengths 1 and u."""
    [limit, process] = decided("thm-endpoints").stated.findings
    assert (process.decides, limit.decides, limit.status) == (False, True, "refuted")
    assert isinstance(limit.evidence, Refuted)
    assert Fraction(limit.evidence.actual.removeprefix("at least ")) == Fraction(16, 5) > 2
    assert all(run["ratio"] > 16 / 5 for run in limit.evidence.second["runs"])
    random, memory = np.random.default_rng(0), 440
    for share, n in product((0, 0.001, 0.01, 0.03, 0.1, 0.5, 1), (1000, 40_000)):
        longs = round(share * n)
        lengths = random.permutation([10] * longs + [1] * (n - longs)).tolist()
        most = at_finite_n.kill_once_upper(n - longs, longs, 1, 10, memory)
        if n == 1000:
            assert a_random.kill_once_total(lengths, range(n), 1, 10, memory) <= 1.05 * most
        else:
            assert most <= (2 * memory / (memory - 11) + 0.02) * simulate("h-sf", lengths, memory, 1).total_latency


@pytest.mark.parametrize(("factor", "expected"), [("2", "refuted"), ("2.000001", "refuted"), ("1", "refuted")])
def test_no_factor_saves_the_identity_of_the_expectations(factor: str, expected: str) -> None:
    found = decided("thm-endpoints", {"sum_factor": factor})
    assert found.finding("expectations").status == expected
    assert found.proof.state == "false-step"


@pytest.mark.parametrize(("finding", "skip"), [("packed", False), ("order-passing", True)])
def test_a_random_order_fails_at_larger_memories_as_well(finding: str, skip: bool) -> None:
    evidence = refutation("packed-random", finding)
    assert all(f"{memory}" in evidence.stays for memory, _ in GROWN)
    assert Queue("a-random", skip).starts(evidence.values["order"], instance(evidence), evidence.witness["M"]) in (
        evidence.values["starts"],
        evidence.values["starts"][0],
    )


def instance(evidence: Refuted) -> SmallInstance:
    return SmallInstance(tuple(evidence.witness["lengths"]), evidence.witness["s"], evidence.witness["M"])


def test_the_reading_of_the_pseudo_code_decides() -> None:
    result = decided("packed-random")
    assert {f.id: (f.status, f.decides) for f in result.stated.findings} == {
        "order-passing": ("refuted", True),
        "packed-passing": ("proved", True),
        "order": ("proved", False),
        "packed": ("refuted", False),
    }
    assert "until no further addition is possible" in result.stated.reading
    assert {d.id: d.status for d in result.proof.displays} == {"by-construction": "proved", "coupled": "refuted"}
    assert [r.status for r in result.standing_repairs] == ["proved", "proved"]


def test_the_order_at_alpha_m_has_the_smallest_witness() -> None:
    """All instances before it, by the checker's queue, which shares no code with the search."""

    def exchanged(row: SmallInstance) -> list[tuple[list[int], list[list[int]], int, int]]:
        lengths, up = list(row.lengths), max(row.lengths)
        found: list[tuple[list[int], list[list[int]], int, int]] = []
        for low in range(1, min(lengths) + 1):
            if low < up and low * row.memory % up == 0 and low * row.memory // up >= row.s + up:
                for order in permutations(range(len(lengths))):
                    memories = (row.memory, low * row.memory // up)
                    starts = [run_queue(order, lengths, lengths, row.s, m, True) for m in memories]
                    if not same_order(*starts):
                        found.append((list(order), starts, low, memories[1]))
        return found

    evidence = refutation("packed-random", "order-passing")
    rows = list(small_instances(3, 3, (1, 2)))
    at = rows.index(instance(evidence))
    assert (rows[at].lengths, rows[at].s, rows[at].memory) == ((2, 3, 3), 1, 6)
    assert not any(exchanged(row) for row in rows[:at])
    values = evidence.values
    assert (values["order"], values["starts"], values["l"], values["alpha_M"]) in exchanged(rows[at])
    assert ([1, 2, 0], [[0, 0, 2], [6, 0, 3]], 2, 4) in exchanged(rows[at])


def test_another_share_of_the_memory_than_alpha_is_no_witness() -> None:
    """Lengths (1, 2, 2) are exchanged at M = 4 and 3; but α ≤ 1/2, and 2 tokens hold no request of length 2."""
    row = SmallInstance((1, 2, 2), 1, 4)
    starts = [run_queue([1, 2, 0], [1, 2, 2], [1, 2, 2], 1, m, True) for m in (4, 3)]
    assert not same_order(*starts)
    assert Queue("a-random", skip=True).out_of_order(row) is None


@pytest.mark.parametrize("claim", ["tel-identity", "infeasible-pair", "amax-safe", "ex-amax", "ex-order"])
def test_a_proof_is_sound_while_its_display_holds(claim: str) -> None:
    result = decided(claim)
    assert result.proof.state == "sound" and result.levels == ("algorithm",) and result.stated.status in SURE


@pytest.mark.parametrize(
    ("claim", "changed"),
    [
        ("tel-identity", {"waiting": "1.01"}),
        ("infeasible-pair", {"use": "M-2"}),
        ("amax-safe", {"assumed": "u-1"}),
        ("ex-amax", {"batch": "3"}),
        ("ex-order", {"i3": "0,3,1,0"}),
    ],
)
def test_a_false_display_makes_the_proof_false(claim: str, changed: dict[str, str]) -> None:
    assert decided(claim, changed).proof.state == "false-step"


def test_a_false_batch_of_the_example_does_not_touch_its_verdict() -> None:
    result = decided("ex-amax", {"batch": "3"})
    assert result.stated.status == "certified"


@pytest.mark.parametrize(("order", "prompts", "margin"), [("decreasing", "equal", 0), ("increasing", "unequal", 3)])
def test_a_larger_set_than_the_prefix_by_its_witness(order: str, prompts: str, margin: int) -> None:
    found = larger_set(order, prompts, margin)
    assert found is not None
    row = found.witness
    chosen = row["a_larger_set"]
    lengths, own = ([row[name][i] for i in chosen] for name in ("lengths", "s"))
    assert Schedule((0,) * len(chosen), lengths, own).feasible(row["M"])
    fitting = [
        k
        for k in range(1, len(row["lengths"]) + 1)
        if Schedule((0,) * k, row["lengths"][:k], row["s"][:k]).feasible(row["M"])
    ]
    assert len(chosen) == found.actual > max(fitting, default=0) + margin
    assert row["lengths"] == sorted(row["lengths"], reverse=order == "decreasing")
