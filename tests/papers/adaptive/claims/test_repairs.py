"""The table of repairs: every entry names theorems of the text, and a claim uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

import crtools.papers.adaptive.claims as claims
from crtools.papers.adaptive import LEDGER
from crtools.papers.adaptive.evidence.reading import conclusion, entries, repairs
from crtools.papers.adaptive.theory import TEXT


def test_every_entry_is_at_a_level_and_rests_on_theorems_of_the_text() -> None:
    levels = {level.id for level in LEDGER.levels}
    for name, entry in entries().items():
        assert entry.level in levels and entry.sentence and entry.findings, name
        assert all(TEXT.has(theorem_name) for _, _, theorem_name in entry.findings), name


def test_every_entry_is_used_by_a_claim() -> None:
    sources = "".join(path.read_text("utf-8") for path in Path(claims.__file__).parent.rglob("*.py"))
    assert [name for name in entries() if f'"{name}"' not in sources] == []


def test_a_repair_is_proved_and_an_unknown_one_is_refused() -> None:
    [repair] = repairs("order-kept")
    assert repair.holds and repair.level == "algorithm"
    assert conclusion("a-max-below-twice-a-random").startswith("$TEL(A_max) ≤ 2M/(M−s−u)")
    with pytest.raises(KeyError):
        repairs("no-such-repair")
