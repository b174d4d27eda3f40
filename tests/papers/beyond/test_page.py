"""What docs/beyond/minimax.md says is what the ledger finds: states, numbers, and how many steps rest on words."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from paths import ROOT

from crtools import minimax
from crtools.blind.minimax import on_interval
from crtools.enclosure import decimal
from crtools.ledger.cache import default_folder
from crtools.papers.beyond import computed

PAGE = (ROOT / "docs" / "beyond" / "minimax.md").read_text(encoding="utf-8")


def test_the_states_are_those_of_the_ledger() -> None:
    cells = {side: next(line for line in PAGE.splitlines() if f"[blind-{side}]" in line) for side in ("upper", "lower")}
    for state in minimax(cache=default_folder()).states:
        cell = cells[state.side].split("|")[3 if state.level == "algorithm" else 2]
        assert state.status in cell
        assert f"resting on {state.argued} sentences" in cell


def test_the_steps_in_words_are_marked() -> None:
    upper, lower = PAGE[PAGE.index("## The upper") :].split("## The lower bound")
    assert upper.count(", in words)") == 2 + 3  # on one machine, and in the process
    assert lower.count(", in words)") == 3


def test_the_constant_is_the_one_that_is_proved() -> None:
    assert PAGE.count("0.83") >= 3
    assert Fraction("0.83") == computed.CONSTANT
    assert "0.82756" in PAGE
    assert decimal(computed.constant().lower, 5, up=False) == "0.82756"


ROWS = re.findall(r"\| \$\[(\d+), ([\d^]+)\]\$ \| ([\d.]+) \| ([\d.]+) \|", PAGE)
SLOW = {"40": pytest.mark.exhaustive, "100": pytest.mark.exhaustive, "1000": pytest.mark.exhaustive}


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(
    ("low", "high", "below", "above"), [pytest.param(*row, marks=SLOW.get(row[1], ())) for row in ROWS]
)
def test_the_table_has_what_the_bounds_are(low: str, high: str, below: str, above: str) -> None:
    base, _, power = high.partition("^")
    found = on_interval(0, int(low), int(base) ** int(power or 1))
    assert decimal(found.lower, len(below) - 1, up=False) == below
    assert decimal(found.upper, len(above) - 1, up=True) == above


def test_the_table_was_read() -> None:
    assert len(ROWS) == 5
