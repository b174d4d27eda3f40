"""The tables of readings: their rows have known names, the claims are as they say, and a name that is mistyped is refused."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from crtools.ledger import Finding, Open
from crtools.ledger.readings import Readings
from crtools.ledger.registry import ledgers

TABLES = {name: ledger for name, ledger in ledgers().items() if not ledger.file}
ROW = r"claim|place|stated at|rests on|({levels})( method)?|display [a-z0-9-]+( instead)?|gap|gap .+|note"


def readings_of(name: str) -> Readings:
    return import_module(f"crtools.papers.{name.replace('-', '_')}.theory").READINGS


@pytest.mark.parametrize("name", TABLES)
def test_every_row_has_a_known_name_and_every_name_in_brackets_is_a_word(name: str) -> None:
    known = re.compile(ROW.format(levels="|".join(level.id for level in TABLES[name].levels)))
    for id, rows in readings_of(name).rows.items():
        assert [row for row in rows if not known.fullmatch(row)] == [], id
        assert all(re.fullmatch(r"\w+", word) for text in rows.values() for word in re.findall("‹(.*?)›", text)), id


@pytest.mark.parametrize("name", TABLES)
def test_the_claims_are_as_the_table_says_and_every_level_has_a_method(name: str) -> None:
    table, claims = readings_of(name).rows, {claim.id: claim for claim in TABLES[name].load()}
    stated = {id: rows for id, rows in table.items() if "claim" in rows}
    assert stated and stated.keys() <= claims.keys()
    for id, rows in stated.items():
        read = {level.id for level in TABLES[name].levels if level.id in rows}
        assert (claims[id].statement, claims[id].stated_at) == (rows["claim"], rows["stated at"]), id
        assert all(f"{level} method" in rows for level in read), id


def table(tmp_path: Path, text: str) -> Any:
    readings = Readings("crtools.papers.beyond")
    readings.table = tmp_path / "readings.txt"
    readings.table.write_text(text, "utf-8")
    return readings


SMALL = """# a comment

both
  machine: every job
  method: counting

first both
  claim: a sentence that goes
    on here
  place: page 3
  stated at: machine
  rests on: second third
  display last: ‹width› jobs
  instead: two jobs
  note: one display
"""


def test_a_block_begins_with_another_and_a_line_may_go_on(tmp_path: Path) -> None:
    readings = table(tmp_path, SMALL)
    finding = Finding("any", "anything", Open("nothing was tried"))
    claim = readings.claim("first", given={"jobs": "3"})(lambda given: readings.of("first").decision("why", finding))
    assert (claim.id, claim.place, claim.stated_at, claim.rests_on) == (
        "first",
        "page 3",
        "machine",
        ("second", "third"),
    )
    assert claim.statement == "a sentence that goes on here"
    [verdict] = claim.check().verdicts
    assert (verdict.level, verdict.reading, verdict.method, verdict.why) == (
        "machine",
        "every job",
        "counting",
        "not decided",
    )
    read = readings.of("first", width=5)
    [display] = read.proof(last=Open("not tried")).displays
    assert (display.says, display.instead) == ("5 jobs", "two jobs")
    assert read.proof("last", last=Open("not tried")).displays[0].instead == ""
    assert read.verdict("machine", "as given", finding).why == "as given"


def test_a_name_that_is_not_in_the_table_is_refused(tmp_path: Path) -> None:
    readings, finding = table(tmp_path, SMALL), Finding("any", "anything", Open("nothing was tried"))
    with pytest.raises(KeyError, match="machin"):
        readings.of("first").verdict("machin", "mistyped", finding)
    with pytest.raises(KeyError, match="no-such-claim"):
        readings.claim("no-such-claim")
    with pytest.raises(KeyError, match="width"):
        readings.of("first").proof(last=Open("not tried"))
    with pytest.raises(KeyError, match="last"):
        readings.of("first", width=5).proof()
