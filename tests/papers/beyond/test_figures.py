"""The figures of the further results: their titles say what their tables show, and a row computed again is the same."""

from __future__ import annotations

import csv
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from paths import ROOT

from crtools.blind.worst_law import closed
from crtools.papers.adaptive.figures.style import LOOKS, PROVED, PUBLISHED
from crtools.papers.beyond.figures import blind
from crtools.papers.beyond.figures.minimax import PROMPTS, minimax_map
from crtools.plotting.sheet import Sheet
from crtools.process.measures import Mean


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    with (ROOT / "figures/blind.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ratios(rows: list[dict[str, Any]], policy: str, u: int) -> list[float]:
    return [float(row["to_volume"]) for row in rows if (row["policy"], row["u"]) == (policy, str(u))]


def test_the_title_of_blind_says_what_its_table_shows(rows: list[dict[str, Any]]) -> None:
    ends = [u for policy in blind.POLICIES for u in blind.UPPER_ENDS if u <= blind.LAST.get(policy, u)]
    assert len(rows) == len(ends) * len(blind.PANELS)
    largest = {policy: max(r for u in blind.UPPER_ENDS for r in ratios(rows, policy, u)) for policy in blind.POLICIES}
    assert largest["a-offset"] < 1.06 * 2.7283
    assert all(float(row["one_machine"]) < 2.7283 for row in rows if row["one_machine"])
    for law, s in blind.PANELS[:3]:
        for policy in ("a-max", "a-min-literal", "a-min-cohort"):
            of_law = [row for row in rows if (row["law"], row["s"]) == (law, str(s))]
            by_u = [ratios(of_law, policy, u)[0] for u in blind.UPPER_ENDS]
            assert by_u == sorted(by_u) and by_u[-1] > 1.3 * ratios(of_law, "a-offset", 1000)[0]


def test_a_row_of_blind_computed_again_is_the_same(rows: list[dict[str, Any]]) -> None:
    for policy in ("a-offset", "a-learn", "a-max"):
        n, memory, runs, limit = blind.measured("zipf", 0, 10, policy)
        [row] = [r for r in rows if (r["law"], r["u"], r["policy"]) == ("zipf", "10", policy)]
        assert (row["n"], row["M"], float(row["to_volume"])) == (str(n), str(memory), pytest.approx(Mean.of(runs).mean))
        assert row["one_machine"] == ("" if limit is None else f"{limit:.12g}")


def test_the_band_of_blind_holds_the_minimax(rows: list[dict[str, Any]]) -> None:
    band = {(row["s"], row["u"]): (float(row["nobody_below"]), float(row["somebody_within"])) for row in rows}
    assert band["0", "10"] == pytest.approx((1.96214365, 1.96214366), abs=1e-7)
    assert all(high - low < 1e-6 for (_, u), (low, high) in band.items() if int(u) <= 30)
    assert all(low < 2.7284 and high < 2.7284 for low, high in band.values())
    for s in ("0", "50"):
        lows = [band[s, str(u)][0] for u in blind.UPPER_ENDS]
        assert lows == sorted(lows)


def test_every_policy_drawn_has_a_look_of_its_own() -> None:
    looks = [LOOKS[policy] for policy in blind.POLICIES]
    assert len({look.label for look in looks}) == len({(x.colour, x.line) for x in looks}) == len(looks)
    assert not {PROVED, PUBLISHED} & {look.colour for look in looks}


def test_the_map_of_the_minimax_is_certified_falls_both_ways_and_is_computed_again() -> None:
    with (ROOT / "figures/minimax.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    value = {(int(row["l"]), int(row["s_over_l"])): float(row["upper"]) for row in rows}
    assert all(1 <= float(row["lower"]) <= float(row["upper"]) < 1.01 * float(row["lower"]) for row in rows)
    lengths, prompts = (sorted({place[k] for place in value}) for k in range(2))
    for one, other in pairwise(lengths):
        assert all(value[one, times] > value[other, times] for times in prompts)
    for one, other in pairwise(prompts):
        assert all(value[l, one] > value[l, other] for l in lengths[:-1])
    for l, times in ((5, 2), (9, 30), (20, 0)):
        [row] = [row for row in rows if (row["l"], row["s_over_l"]) == (str(l), str(times))]
        own = closed(times * l, l, int(row["u"])).value
        assert (float(row["lower"]), float(row["upper"])) == pytest.approx(
            (float(own.lower), float(own.upper)), abs=1e-6
        )


def test_a_small_map_of_the_minimax_is_computed_and_its_title_says_how_it_falls() -> None:
    made = minimax_map(iter, 4)
    rows = [dict(zip(made.data, row, strict=True)) for row in zip(*made.data.values(), strict=True)]
    assert [(row["l"], row["s"]) for row in rows] == [(l, times * l) for l in range(1, 5) for times in PROMPTS]
    for l, times in ((1, 0), (3, 2)):
        [row] = [row for row in rows if (row["l"], row["s_over_l"]) == (l, times)]
        value = closed(times * l, l, 4).value
        assert row["closed"] and row["lower"] <= value.lower <= value.upper <= row["upper"]
    assert made.draw("svg")
    one_way = [row | {"upper": row["l"] - row["s_over_l"] / 1000} for row in rows]
    no_way = [row | {"upper": row["l"] + row["s_over_l"]} for row in rows]
    page: Any = made.page
    titles = [" ".join(partial(page, rows=each)(Sheet()).get_suptitle().split()) for each in (rows, one_way, no_way)]
    wanted = (
        r"it falls in $\ell/u$ and in $s/\ell$, from 1.638 to 1",
        r"it falls in $s/\ell$, from 4.000 to 0.9",
        r"on $[\ell, u]$, from 104.000 to 1",
    )
    assert [end in title for end, title in zip(wanted, titles, strict=True)] == [True] * 3
