"""``guarantees``: exact numbers by hand and a second way, no run above a proved factor, and refusals."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Rational

from crtools import InputError, guarantees, optimum, workload
from crtools.expressions import number
from crtools.papers.any_memory import LEDGER
from crtools.papers.any_memory.guarantees import GUARANTEES, LENGTHS, VOLUMES
from crtools.papers.any_memory.process import Request, full_memory, prompts_that_fill, total, volume
from crtools.papers.any_memory.theory import TEXT
from crtools.process import Guarantees
from tests.papers.any_memory.plain_runs import peak, queue_starts

BY_BOUNDS = ["h-windows", "box-offsets", "box-thresholds"]
"""Policies whose rows are checked by their bounds."""


def of(requests: list[Request], memory: int) -> Guarantees:
    """Return what is guaranteed of requests (s, o)."""
    return guarantees([o for _, o in requests], memory, s=[s for s, _ in requests])


def drawn(seed: int, most: int, largest: int) -> tuple[list[Request], int]:
    """Return random requests, and a memory that is often the largest peak."""
    own = random.Random(seed)
    requests = [(own.randrange(largest), own.randint(1, largest)) for _ in range(own.randint(1, most))]
    least = max(map(peak, requests))
    return requests, own.choice([least, least, least + own.randrange(largest), 2 * least - 1, 3 * least])


def assert_no_run_above_a_factor(requests: list[Request], memory: int) -> Guarantees:
    """Compute every number of the result again, from double sums and a queue in plain Python, and compare."""
    found = of(requests, memory)
    queue = sorted(requests, key=volume)
    v, n, L, u = [*map(volume, queue)], len(queue), sum(o for _, o in queue), max(o for _, o in queue)
    kappa = Fraction(memory, memory - max(map(peak, queue)) + 1)
    areas = Fraction(sum(min(x, y) for x in v for y in v), 2 * memory)
    vol = Fraction(sum((n - k) * x for k, x in enumerate(v)), memory)
    busy = areas + sum(Fraction(2 * o * o + 3 * (2 * s + 1) * o + 1, 6 * (o + 2 * s + 1)) for s, o in queue)
    assert found.bounds["volume"] == vol and found.bounds["length"] == L
    assert 0 <= busy - found.bounds["busy"] < Fraction(1, 10**12)
    least = max(found.bounds.values())
    taken = total(queue, queue_starts(queue, memory, look_ahead=True))
    growth = kappa * 2 * u / (u + 1)
    expected = {
        "volume-order": (max(2 * kappa, 1 + 4 * kappa / 3), 2 * kappa * areas + L),
        "greedy-starts": (1 + growth, growth * vol + L),
    }
    for row in found.rows:
        if row.policy == "h-volume":
            factor, bound = expected.pop(row.theorem)
            assert (row.factor, row.here) == (factor, bound / least)
            assert (row.total_latency, row.measured) == (taken, taken / least)
        assert row.measured <= row.here <= row.factor
    assert not expected and [row.policy for row in found.rows[2:]] == BY_BOUNDS
    by_windows, by_offsets, by_thresholds = (row.here * least - L for row in found.rows[2:])
    before = 4 * (areas - Fraction(sum(v), 2 * memory))
    assert by_windows <= min(Fraction("2.1885") * before + Fraction("3.1192") * L, Fraction("9.955") * least - L)
    for waiting, own, overhang, start in ((by_offsets, "6.8473", "1.021", 1), (by_thresholds, "14.1", "1.8", 0)):
        for lam in (1, Fraction(3, 2), 2, 4, 9):
            if lam >= start:  # the bound with the best of all λ
                limit = kappa * ((Fraction(own) + Fraction(overhang) / lam) * areas + lam * L)
                assert waiting <= limit * Fraction(1001, 1000)
    return found


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(300))
def test_no_run_on_random_requests_exceeds_a_proved_factor(seed: int) -> None:
    assert_no_run_above_a_factor(*drawn(seed, 40, 12))


@pytest.mark.parametrize("m", range(2, 8))
def test_the_families_at_full_memory_stay_within_their_factors(m: int) -> None:
    pairs, memory = full_memory(m, m)
    found = assert_no_run_above_a_factor(pairs, memory)
    assert found.P == found.memory == found.kappa
    assert found.rows[0].total_latency == m * (m + 1) * (m + 1) - m
    found = assert_no_run_above_a_factor(*prompts_that_fill(m))
    assert found.rows[0].total_latency == 4 * m * m + 5 * m


@pytest.mark.parametrize("seed", range(12))
def test_no_ratio_is_below_that_to_the_optimum(seed: int) -> None:
    requests, memory = drawn(seed, 4, 4)
    best = optimum([o for _, o in requests], memory, [s for s, _ in requests])
    assert best.proved
    for row in of(requests, memory).rows:
        assert Fraction(row.total_latency, best.total_latency) <= row.measured <= row.here <= row.factor


def test_an_instance_by_hand() -> None:
    found = guarantees([1, 1, 3, 3], 9, s=1)  # volumes 2, 2, 9, 9
    assert (found.n, found.memory, found.P, found.kappa, found.bound) == (4, 9, 4, Fraction(3, 2), "length")
    assert found.bounds["volume"] == Fraction(2 + 4 + 13 + 22, 9) and found.bounds["length"] == 8
    assert float(found.bounds["busy"]) == pytest.approx(62 / 9)  # A = 10/3, and e = 1/2, 1/2, 23/18, 23/18
    by_areas, greedy, windows, offsets, thresholds = found.rows
    assert (by_areas.factor, by_areas.here, by_areas.measured) == (3, Fraction(18, 8), 1)  # 2κA + L = 10 + 8
    assert (greedy.factor, greedy.here, greedy.measured) == (Fraction(13, 4), Fraction(73, 32), 1)  # 9/4 · 41/9 + 8
    assert by_areas.policy == greedy.policy == "h-volume"
    assert windows.factor == Fraction("9.955")
    assert (offsets.factor, thresholds.factor) == (Fraction("7.525") * 3 / 2, Fraction("14.57") * 3 / 2)  # M = 3P − 3
    more = guarantees([1, 1, 3, 3], 10, s=1).rows
    assert [row.factor for row in more[3:]] == [Fraction("7.525") * 10 / 7, Fraction("14.57") * 10 / 7]
    more = guarantees([1, 1, 3, 3], 7, s=1).rows  # M = 2P − 1
    assert [row.factor for row in more[3:]] == [Fraction("7.525") * 7 / 4, Fraction("14.57") * 7 / 4]


def test_one_request_and_full_memory() -> None:
    found = guarantees([4], 6, s=2)  # v = 18, κ = 6
    assert (found.kappa, found.rows[0].factor) == (6, 12)
    assert found.bounds["volume"] == 3 and found.bounds["length"] == found.rows[0].total_latency == 4
    assert found.rows[0].here == Fraction(18 + 4, 4)  # 2κA + L = 12 · 18/12 + 4
    assert found.rows[1].here == Fraction(8 * 6 * 3 + 5 * 4, 5 * 4)


def test_volumes_beyond_64_bits_are_exact() -> None:
    assert_no_run_above_a_factor([(10**14, 10**5), (2**44, 2**17), (3, 5)], 10**15)


def test_the_factors_are_those_of_the_claims() -> None:
    claims = {claim.id: claim for claim in LEDGER.claims}
    assert set(GUARANTEES) <= set(claims)
    given = {name: number(name, value) for name, value in claims["volume-order"].given.items()}
    factor = GUARANTEES["volume-order"].factor
    assert [factor(Fraction(kappa), 9) for kappa in (1, "3/2", 2)] == [
        given["limit"],
        given["at_three"],
        given["at_two"],
    ]
    assert factor(Fraction(100), 9) == 100 * given["double"]
    for u in (1, 2, 7):
        own = Fraction(str(TEXT.value("greedy_factor", u)))
        assert GUARANTEES["greedy-starts"].factor(Fraction(5, 3), u) == 1 + own * Fraction(5, 3)
    low, high = (
        1 / (stretch * TEXT.value("log_below", z)) for stretch, z in ((1, Rational(19, 39)), (2, Rational(3, 7)))
    )
    upper = {VOLUMES: TEXT.value("half_of_small", low), LENGTHS: TEXT.value("length_of_small", low)}
    upper |= {Fraction("6.84725"): TEXT.value("box_areas", high), Fraction("1.02091"): TEXT.value("box_overhang", high)}
    assert all(0 <= rounded - Fraction(str(exact)) < Fraction(1, 90_000) for rounded, exact in upper.items())
    assert TEXT.value("threshold_areas", Rational(9, 4)) == Rational(141, 10)
    for name, own in (("windows", None), ("box-offsets", "per_kappa"), ("box-thresholds", "per_kappa")):
        constants, factor = claims[name].given, GUARANTEES[name].factor
        assert factor(Fraction(50), 9) == number("", constants[own or "factor"]) * (50 if own else 1)
        if own:
            assert factor(Fraction(1499, 1000), 9) <= number("", constants["at_three"])
            assert factor(Fraction(1999, 1000), 9) == number("", constants["at_two"])
            assert factor(Fraction(1499, 1000), 9) < factor(Fraction(3, 2), 9)
    assert GUARANTEES["volume-order"].says.replace("·", "") in str(claims["volume-order"].statement).replace("·", "")


def test_decimals_are_rounded_away_from_the_proved_side() -> None:
    for seed in range(20):
        found = of(*drawn(seed, 9, 30))
        for digits in (1, 3, 7):
            for row in found.rows:
                for name, shown in row.decimals(digits).items():
                    assert 0 <= Fraction(shown) - getattr(row, name) < Fraction(shown) * Fraction(10, 10**digits)
        document = found.as_json()
        assert all(Fraction(document["bounds"][name]) <= value for name, value in found.bounds.items())
        assert Fraction(document["kappa"]) == found.kappa


def test_a_file_and_a_workload_are_the_same_as_arrays(tmp_path: Path) -> None:
    lengths, prompts = [5, 1, 3, 3], [0, 9, 2, 4]
    file = tmp_path / "own.csv"
    file.write_text("out,prompt\n" + "".join(f"{o},{s}\n" for o, s in zip(lengths, prompts, strict=True)))
    found = [
        guarantees(lengths, 20, s=prompts),
        guarantees(workload(lengths, s=prompts), 20),
        guarantees(f"csv:{file}#out,prompt", 20),
    ]
    assert found[0].rows == found[1].rows == found[2].rows
    assert found[0].bounds == found[1].bounds == found[2].bounds
    assert len(repr(found[0])) <= 300 and "h-volume ≤ " in repr(found[0])
    pytest.importorskip("pandas")
    assert list(found[0].table()["here"]) == [row.here for row in found[0].rows]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: guarantees([3, 4], 5, s=[0, 9]), r"memory = 5: must be at least 9 \+ 4, the tokens of request 1"),
        (lambda: guarantees([3, 4], 0), "memory = 0: must be"),
        (lambda: guarantees([], 9), "lengths = .*: must hold at least one request"),
        (lambda: guarantees([3, 0], 9), "lengths = 0: must be"),
        (lambda: guarantees([3, 4], 9, s=-1), "s = -1: must be"),
        (lambda: guarantees(workload([3, 4], release=[0, 2]), 9), "lengths = 2 requests.*: must have no release times"),
        (lambda: guarantees(workload([3, 4], rate=2), 9), "must have no release times"),
        (lambda: guarantees("geometric(q=1/2)", 9), "must be lengths such as"),
        (lambda: guarantees(workload([3, 4], s=1), 9, s=2), "s = 2: must be left out for a workload"),
    ],
)
def test_what_the_theorems_do_not_cover_is_refused(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=said) as caught:
        make()
    assert "\n" not in str(caught.value)
