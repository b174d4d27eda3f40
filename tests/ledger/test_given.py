"""What a claim is given: evidence that does not use a changed value is kept, and one that takes too long is open."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from crtools.expressions import parse
from crtools.ledger import Claim, Decision, Finding, PublishedProof, Verdict, ledger
from crtools.ledger.cache import ResultCache
from crtools.ledger.claim import Given
from crtools.ledger.evidence import Evidence, Open, Proved
from crtools.ledger.ledger import Ledger, Level
from crtools.ledger.run import Task, decide_all

CALLS: list[tuple[object, ...]] = []


def noted(*arguments: object) -> Evidence:
    CALLS.append(arguments)
    return Proved(argument=f"of {arguments}")


def endless(*arguments: object) -> Evidence:
    CALLS.append(arguments)
    while True:
        time.sleep(0.01)


def decide(given: Given) -> Decision:
    found = [
        Finding("of-x", "x", given.evidence(noted, Fraction(given["x"]))),
        Finding("of-y", "y", given.evidence(endless if given["y"] == "slow" else noted, "y", given["y"])),
        Finding("of-z", "z", given.evidence(noted, "z", sp.Symbol("z") + 1)),
    ]
    return Decision("so", (Verdict("here", "r", "w", "m", tuple(found)),), PublishedProof())


CLAIM = Claim(id="c", place="p", statement="s", stated_at="here", given={"x": "1", "y": "2", "z": "3"}, decide=decide)
OWN = Ledger(name="own", title="Own", source="", levels=(Level("here", "h", "here", "?"),), load=lambda: (CLAIM,))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ResultCache:
    monkeypatch.setattr(ledger, "comes_with_crtools", lambda own: own is OWN)  # as if it were one of the package's
    CALLS.clear()
    return ResultCache(tmp_path, OWN.name)


def test_a_changed_value_decides_only_what_uses_it(kept: ResultCache) -> None:
    [first] = decide_all([Task(OWN, CLAIM)], cache=kept.folder)
    assert len(CALLS) == 3
    [second] = decide_all([Task(OWN, CLAIM, {"x": "7"})], cache=kept.folder)
    assert CALLS[3:] == [(Fraction(7),)]
    assert second.finding("of-y") == first.finding("of-y")
    assert second.finding("of-x") != first.finding("of-x")


def test_without_a_folder_nothing_is_kept(kept: ResultCache) -> None:
    decide_all([Task(OWN, CLAIM)])
    decide_all([Task(OWN, CLAIM)])
    assert len(CALLS) == 6


def test_what_is_out_of_time_is_open_and_not_kept_and_the_rest_is(kept: ResultCache) -> None:
    [late] = decide_all([Task(OWN, CLAIM, {"y": "slow"}, 0.3)], cache=kept.folder)
    assert [f.status for f in late.verdicts[0].findings] == ["proved", "inconclusive", "proved"]
    found = late.finding("of-y").evidence
    assert isinstance(found, Open) and found.tried == "time: not decided within 0.3 s"
    CALLS.clear()
    decide_all([Task(OWN, CLAIM, {"y": "slow"}, 0.3)], cache=kept.folder)
    assert CALLS == [("y", "slow")]


def test_a_damaged_entry_is_decided_anew(kept: ResultCache) -> None:
    decide_all([Task(OWN, CLAIM)], cache=kept.folder)
    entries = sorted(kept.folder.glob("evidence-*.json"))
    assert len(entries) == 3
    for path in entries:
        path.write_text(path.read_text(encoding="utf-8").replace("of (", "of( "), encoding="utf-8")
    CALLS.clear()
    decide_all([Task(OWN, CLAIM, {"x": "7"})], cache=kept.folder)
    assert len(CALLS) == 3


def test_equal_arguments_have_one_key_and_others_another(kept: ResultCache) -> None:
    given = Given({}, kept)
    tree = [parse("f", text, ["k"]) for text in ("k+1", "k + 1", "k+2")]
    rows = [1, "1", Fraction(1, 2), sp.Rational(1, 2), None, (1, 2), (1, (2,)), sp.Symbol("a"), sp.Symbol("a", positive=True)]  # fmt: skip
    for arguments in (*((row,) for row in rows), (1, 2), *((one,) for one in tree), (noted,), (endless,), ({"a": 1},)):
        given.evidence(noted, *arguments)
        given.evidence(noted, *arguments)
    assert len(CALLS) == len(rows) + 1 + 2 + 2 + 1


def test_what_has_no_key_is_decided_each_time(kept: ResultCache) -> None:
    given, own = Given({}, kept), 1
    for argument in (lambda: own, object()):
        CALLS.clear()
        given.evidence(noted, argument)
        given.evidence(noted, argument)
        assert len(CALLS) == 2
