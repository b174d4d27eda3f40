"""The figures of the further results: their titles say what their tables show, and a row computed again is the same."""

from __future__ import annotations

import csv
from typing import Any

import pytest
from paths import ROOT

from crtools.papers.adaptive.figures.style import LOOKS, PROVED, PUBLISHED
from crtools.papers.beyond.figures import blind
from crtools.process.comparing import Mean


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


def test_every_policy_drawn_has_a_look_of_its_own() -> None:
    looks = [LOOKS[policy] for policy in blind.POLICIES]
    assert len({look.label for look in looks}) == len({(x.colour, x.line) for x in looks}) == len(looks)
    assert not {PROVED, PUBLISHED} & {look.colour for look in looks}
