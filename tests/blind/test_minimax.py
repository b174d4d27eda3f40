"""``minimax``, and prices checked in exact arithmetic."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from pathlib import Path
from typing import Any

import pytest

from check.command import main as check
from crtools import minimax
from crtools.blind.dual_price import DualPrice, expected_minimum, find_price
from crtools.blind.minimax import Minimax, bounds, on_interval
from crtools.blind.worst_law import closed, on_a_part
from crtools.cli import main
from crtools.errors import InputError, NotCertified
from crtools.ledger.cache import default_folder
from crtools.schedule import volume

F = Fraction


@cache
def found() -> Minimax:
    return minimax(30, s=0, l=1, u=12, cache=default_folder())


@pytest.mark.exhaustive  # takes seconds
def test_both_inequalities_have_their_state() -> None:
    states = {(state.side, state.level): state for state in found().states}
    assert set(states) == {(side, level) for side in ("upper", "lower") for level in ("machine", "algorithm")}
    for state in states.values():
        assert state.status == "proved"
        assert state.argued > 0


def test_the_number_and_the_interval() -> None:
    assert found().value.width < F(1, 10**29)
    assert found().value.decimals(26)[0] == "2.7283724269301930628498831"
    own = found().interval
    assert own is not None
    assert 2 < own.lower < own.upper == own.against_h_sf_process < found().value.lower < own.own_offsets
    assert own.upper - own.lower < F(1, 10**7)
    quick = bounds(0, 1, 12)
    assert quick.lower < own.lower and quick.upper == quick.own_offsets == own.own_offsets
    assert quick.closed is None and own.closed is not None
    assert sum(own.closed.weights.values()) == sum(share for _, share in own.closed.plans) == 1


@pytest.mark.exhaustive  # takes seconds
def test_long_intervals_have_the_quick_bounds() -> None:
    assert on_interval(0, 1, 101) == bounds(0, 1, 101)


def falls(s: int, l: int, ends: list[int]) -> list[int]:
    """The ends at which the lower bound is less than at the one before."""
    lower = [bounds(s, l, u).lower for u in ends]
    return [u for u, (a, b) in zip(ends[1:], pairwise(lower), strict=True) if b < a]


def test_the_lower_bound_does_not_fall_as_the_interval_grows() -> None:
    assert bounds(0, 1, 99).lower < F("2.41133823") < bounds(0, 1, 101).lower == bounds(0, 1, 100).lower
    assert falls(0, 1, [30, 100, 101, 150, 1000, 1001]) == []


@pytest.mark.exhaustive  # takes seconds
def test_nor_on_long_intervals_and_with_prompts() -> None:
    thousands = [10**3, 3162, 3163, 10**4, 10**5, 316_228, 10**6, 1_100_000, 10**7, 31_622_777, 5 * 10**7, 10**8]
    assert falls(0, 1, [100, 300, *thousands]) == []
    assert falls(50, 1, [30, 100, 101, 1000, 10**5, 10**6, 10**8]) == []


def test_a_part_of_the_interval_is_searched_where_no_law_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved on [l, l + 7] holds on a larger interval, at the same prompt size."""
    for module in ("worst_law", "minimax"):
        monkeypatch.setattr(sys.modules[f"crtools.blind.{module}"], "MOST_LENGTHS", 8)
    part = closed(3, 2, 9)
    for u in (10, 11, 30):
        assert bounds(3, 2, u).lower >= part.value.lower > 1
    assert on_a_part(0, 2, 9) is None and on_a_part(1, 1, 8) is None  # no part is kept for these


@pytest.mark.parametrize(("s", "lower"), [(0, "2.41133823"), (5, "2.37491382"), (50, "2.27720687")])
def test_a_kept_law_is_of_its_prompt_size_and_lengths(s: int, lower: str) -> None:
    kept = on_a_part(s, 1, 100)
    assert kept is not None
    assert F(lower) < kept.lower() <= kept.upper() < F(lower) + F(1, 10**8)
    assert [*kept.requests.sizes] == [s * o + o * (o + 1) // 2 for o in range(1, 101)]
    assert on_a_part(s, 1, 99) is on_a_part(s, 2, 100) is on_a_part(s + 1, 1, 100) is None


def test_where_no_worst_law_is_found_the_quick_bounds_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.blind.worst_law.is_good_for_all", lambda *given: False)
    assert on_interval(0, 1, 6) == bounds(0, 1, 6)


def test_the_form_of_h_sf() -> None:
    own = found().interval
    assert own is not None
    assert own.against_h_sf == own.h_sf_form.factor < F(36, 25)


@pytest.mark.exhaustive  # takes seconds
def test_bounds_of_an_interval() -> None:
    assert bounds(0, 7, 7).lower == 1
    long = bounds(2, 10, 20)
    assert long.against_h_sf < long.upper * F(15, 24)


@pytest.mark.parametrize("given", [{"s": 3}, {"l": 2}, {"u": 0}, {"l": 5, "u": 4}, {"s": -1, "u": 3}])
def test_what_is_no_interval_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        minimax(5, **given)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["minimax", "--digits", "30", "--u", "12"]) == 0
    shown = capsys.readouterr().out
    assert "2.7283724269301930628498831937057 ≤ ρ* ≤ 2.7283724269301930628498831937058" in shown
    assert "upper bound, machine: proved, resting on 14 sentences" in shown
    assert "to the optimum" in shown.splitlines()[0]
    for against in ("to the optimum: no blind", "to H-SF as a process: at most", "to H-SF's form: own offsets"):
        assert against in shown
    assert "a\nrequest that does not run has lost its tokens" in shown and "2 − 2/(n+1)" in shown
    assert "a mixture of" in shown and re.search(r"the worst law: \d+: \d+\.\d\d%", shown)
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert main(["minimax", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["value"]["lower"] == "2.72837242693"
    assert document["interval"] is None
    assert document["against"]["value"] == document["against"]["lower"] == "the optimum"
    assert main(["minimax", "--u", "12", "--json"]) == 0
    interval = json.loads(capsys.readouterr().out)["interval"]
    assert set(document["against"]) - {"value"} <= set(interval)
    assert 0 < float(interval["upper"]) - float(interval["lower"]) < 1e-7
    assert sum(F(share) for share in interval["worst_law"].values()) == 1
    assert sum(F(plan["share"]) for plan in interval["plans"]) == 1
    form = interval["own_offsets_against_h_sf_form"]
    assert (form["status"], form["base"], form["for"]) == ("certified", "69/5", "every u")
    assert float(form["upper"]) < 1.44 < float(interval["against_h_sf_process"])
    assert [row["claim"] for row in document["inequalities"]] == ["blind-upper"] * 2 + ["blind-lower"] * 2


@pytest.mark.exhaustive  # takes seconds
def test_the_certificate_of_an_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "interval.json"
    assert main(["minimax", "--u", "10", "--certificate", str(file)]) == 0
    capsys.readouterr()
    assert check([str(file)]) == 0
    shown = capsys.readouterr().out
    assert "proved: 1.9621436509" in shown and "for the worst law on [1, 10], s = 0" in shown
    for more in ([], ["--u", "200"]):
        file.unlink(missing_ok=True)
        assert main(["minimax", *more, "--certificate", str(file)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1 and not file.exists()


# ---- prices ------------------------------------------------------------------------------------------------------

SMALL = DualPrice(1, (1, 2, 4), (F(1, 2), F(1, 5), F(0)), (F(0), F(1), F(3), F(9)), (F(2), F(1), F(1, 4), F(0)))


def attempt_uses(s: int, lengths: Sequence[int], tails: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return F(a, c) for 0 ≤ a < c: what an attempt uses that kills at the c-th length, after one at the a-th (0: none)."""
    volumes, survival = (0, *(volume(s, o) for o in lengths)), (1, *tails)
    rows: list[list[Fraction]] = []
    for a in range(len(lengths)):
        used = F(volumes[a]) * survival[a]
        row: list[Fraction] = [F(0)] * (a + 1)
        for c in range(a + 1, len(volumes)):
            used += survival[c - 1] * (volumes[c] - volumes[c - 1])
            row.append(used)
        rows.append(row)
    return rows


def cheapest_of_all(price: DualPrice) -> Fraction:
    """Every plan that kills at some of the lengths, at every non-decreasing choice of times."""
    tails, uses, last = (F(1), *price.tails), attempt_uses(price.s, price.lengths, price.tails), len(price.lengths)
    costs: list[Fraction] = []
    for size in range(last):
        for inner in combinations(range(1, last), size):
            stops = (0, *inner, last)
            for times in combinations_with_replacement(range(len(price.times)), len(stops) - 1):
                steps = zip(stops, stops[1:], times, strict=False)
                costs.append(
                    sum(
                        ((tails[a] - tails[c]) * price.times[i] + price.prices[i] * uses[a][c] for a, c, i in steps),
                        F(0),
                    )
                )
    return min(costs)


def test_the_check_is_the_cheapest_of_all_plans() -> None:
    paid = F(3, 2) * 1 + F(5, 8) * 2 + F(1, 8) * 6
    assert SMALL.check() == 2 * (cheapest_of_all(SMALL) - paid) / expected_minimum(1, SMALL.lengths, SMALL.tails)


def test_no_plan_is_cheaper_between_the_times() -> None:
    between = [F(k, 2) for k in range(19)]
    prices = [F(2) - t if t < 1 else F(1) - (t - 1) * F(3, 8) if t < 3 else F(9 - t) / 24 for t in between]
    assert [prices[between.index(t)] for t in SMALL.times] == [*SMALL.prices]
    assert cheapest_of_all(replace(SMALL, times=tuple(between), prices=tuple(prices))) == cheapest_of_all(SMALL)


def test_what_an_attempt_uses_is_a_mean() -> None:
    law = {1: F(1, 2), 2: F(3, 10), 4: F(1, 5)}
    volumes = {1: 2, 2: 5, 4: 14}  # o + o(o+1)/2
    uses = attempt_uses(1, SMALL.lengths, SMALL.tails)
    assert uses[0][2] == law[1] * 2 + (law[2] + law[4]) * 5
    assert uses[1][3] == law[2] * 5 + law[4] * 14
    assert expected_minimum(1, SMALL.lengths, SMALL.tails) == sum(
        law[a] * law[b] * volumes[min(a, b)] for a in law for b in law
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"prices": (F(1), F(2), F(1, 4), F(0))},
        {"prices": (F(2), F(1), F(1, 4), F(1, 8))},
        {"prices": (F(2), F(1), F(0), F(-1, 4))},
        {"prices": (F(2), F(1), F(0))},
        {"tails": (F(1, 2), F(1, 5), F(1, 10))},
        {"tails": (F(1, 5), F(1, 2), F(0))},
        {"times": (F(1), F(2), F(3), F(9))},
        {"times": (F(0), F(3), F(3), F(9))},
        {"lengths": (1, 4, 2)},
        {"lengths": (1, 2, 2)},
    ],
)
def test_what_is_no_law_or_no_price_is_refused(changed: dict[str, tuple[Fraction, ...]]) -> None:
    with pytest.raises(NotCertified):
        replace(SMALL, **changed).check()


def test_no_price_proves_more_than_the_best_policy_pays() -> None:
    """On one length nothing is lost, on two the best of three plans pays what it pays."""
    assert find_price(0, 6, 6).check() <= 1
    price = find_price(0, 1, 2)
    p = 1 - price.tails[0]  # a share p of length 1 with volume 1, the rest of length 2 with volume 3
    in_order = p * 1 + (1 - p) * 3  # no kill: everyone waits for half of all work
    first_short = 1 * p + (1 - p) * (2 + 3 * (1 - p))  # all are tried for volume 1, then the rest run
    assert price.check() <= min(in_order, first_short) / expected_minimum(0, price.lengths, price.tails)
    assert price.check() > Fraction(11, 10)
