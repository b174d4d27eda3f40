"""The table of readings: its rows have known names, each claim has a block, and a name that is mistyped is refused."""

from __future__ import annotations

import re

import pytest

from crtools.ledger import Finding, Open
from crtools.papers.adaptive import LEDGER
from crtools.papers.adaptive.evidence.reading import Reading, reading_of, stated_claim

LEVELS = "|".join(level.id for level in LEDGER.levels)
ROW = re.compile(rf"claim|place|stated at|rests on|({LEVELS})( method)?|display [a-z0-9-]+( instead)?|gap|gap .+|note")


def test_every_row_has_a_known_name_and_every_name_in_brackets_is_a_word() -> None:
    for claim in LEDGER.load():
        rows = reading_of(claim.id).rows
        assert [row for row in rows if not ROW.fullmatch(row)] == [], claim.id
        assert all(re.fullmatch(r"\w+", name) for text in rows.values() for name in re.findall("‹(.*?)›", text)), (
            claim.id
        )


def test_a_block_says_what_the_claim_is_and_at_which_levels_it_is_read() -> None:
    for claim in LEDGER.load():
        rows = reading_of(claim.id).rows
        assert claim.statement == rows["claim"] and claim.stated_at in rows, claim.id
        assert all(f"{level.id} method" in rows for level in LEDGER.levels if level.id in rows), claim.id


def test_a_name_that_is_not_in_the_table_is_refused() -> None:
    finding = Finding("any", "anything", Open("nothing was tried"))
    with pytest.raises(KeyError, match="algoritm"):
        reading_of("tel-identity").verdict("algoritm", "mistyped", finding)
    with pytest.raises(KeyError, match="no-such-claim"):
        stated_claim("no-such-claim")
    with pytest.raises(KeyError, match="width"):
        Reading({"algorithm": "‹width›", "algorithm method": ""}, {"length": 1}).verdict("algorithm", "", finding)
