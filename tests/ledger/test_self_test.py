"""The self-test: every corrupted variant of every claim is told from the truth, and every true one is accepted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from amount import every_third
from decided import decided

from crtools.cli import main
from crtools.errors import InputError
from crtools.ledger import Claim, Decision, Finding, Given, PublishedProof, Refuted, Variant, Verdict
from crtools.ledger.cache import default_folder
from crtools.ledger.evidence import Evidence, Proved
from crtools.ledger.ledger import Ledger, Level
from crtools.ledger.registry import load
from crtools.ledger.run import Row, SelfTest, rows_of, self_test, status

BY_ID = {claim.id: claim for claim in load("adaptive").claims}


@pytest.mark.parametrize("name", list(BY_ID))
def test_every_claim_has_wrong_and_true_variants(name: str) -> None:
    claim = BY_ID[name]
    assert len(claim.wrong) >= 3
    assert len(claim.true) >= 1
    for variant in (*claim.wrong, *claim.true):
        assert variant.note
        assert set(variant.given) <= set(claim.given)
        assert any(claim.given[key] != value for key, value in variant.given.items())


LONG_RUNS = {"intervals-help", "exp-1", "exp-2", "exp-3", "uniform-bounds"}
"""Claims whose variants are long runs: in each run their own tests decide them with other values."""


@pytest.mark.parametrize("name", every_third([(name,) for name in BY_ID if name not in LONG_RUNS], step=12))
def test_a_wrong_claim_is_caught_and_a_true_one_accepted(name: str) -> None:
    """A part of what the exhaustive run looks at."""
    few = replace(BY_ID[name], corrupted=BY_ID[name].wrong[:1], variants=BY_ID[name].true[:1])
    stated, *others = (decided(name, given) for given in ({}, *(v.given for v in (*few.wrong, *few.true))))
    found = SelfTest(tuple(rows_of(few, [stated, *others])))
    assert len(found.rows) == 2
    assert [(row.note, row.finding, row.before, row.got) for row in found.missed] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", list(BY_ID))
def test_wrong_claims_are_caught_and_true_ones_accepted(name: str) -> None:
    claim = BY_ID[name]
    found = self_test([name], cache=default_folder())
    assert [row.note for row in found.rows] == [v.note for v in (*claim.wrong, *claim.true)]
    assert [(row.note, row.finding, row.before, row.got) for row in found.missed] == []
    assert found.count("corrupted") == (len(claim.wrong),) * 2
    assert found.count("true") == (len(claim.true),) * 2


def test_variants_differ_from_each_other() -> None:
    for claim in BY_ID.values():
        seen = [(sorted(v.given.items()), v.finding, v.level) for v in (*claim.wrong, *claim.true)]
        assert all(seen.count(row) == 1 for row in seen), claim.id


# ---- a made-up claim ----------------------------------------------------------------------------------------------


def at_most_one(number: str) -> Evidence:
    if int(number) <= 1:
        return Proved(argument="it is at most one")
    return Refuted({"x": number}, "at most 1", number, int(number))


def decide(given: Given) -> Decision:
    verdicts = tuple(
        Verdict(level, "as it is", "it is so", "reading", (Finding("small", f"{name} ≤ 1", at_most_one(given[name])),))
        for level, name in (("here", "x"), ("there", "y"))
    )
    return Decision("it is so", verdicts, PublishedProof((Finding("line", "line 1", at_most_one(given["z"])),)))


MADE_UP = Claim(
    id="made-up",
    place="nowhere",
    statement="x, y and z are at most 1",
    stated_at="there",
    given={"x": "0", "y": "2", "z": "1"},
    decide=decide,
    corrupted=(
        Variant("x too large", {"x": "3"}, "small", "here"),
        Variant("a false line", {"z": "2"}, "line"),
        Variant("y too large", {"y": "5"}),
    ),
    variants=(Variant("another x", {"x": "1"}, "small", "here"), Variant("y as it should be", {"y": "1"})),
)


def rows(claim: Claim) -> list[Row]:
    return rows_of(claim, [claim.check(), *(claim.check(v.given) for v in (*claim.wrong, *claim.true))])


def test_a_variant_counts_at_its_finding_its_level_or_where_the_claim_is_stated() -> None:
    result = MADE_UP.check()
    assert status(result, Variant("", {}, "small", "here")) == "proved"
    assert status(result, Variant("", {}, "small", "there")) == "refuted"
    assert status(result, Variant("", {}, "line")) == "proved"
    assert status(result, Variant("", {}, level="here")) == "proved"
    assert status(result, Variant("", {})) == "refuted"
    for unknown in (Variant("", {}, "large"), Variant("", {}, "line", "here"), Variant("", {}, level="nowhere")):
        with pytest.raises(InputError, match="made-up has no"):
            status(result, unknown)


def test_a_corrupted_variant_of_a_false_statement_is_held_against_a_true_variant() -> None:
    """Where the statement is refuted already, being refuted again catches nothing."""
    assert all(row.ok for row in rows(MADE_UP))
    alone = rows(replace(MADE_UP, variants=MADE_UP.wrong))
    assert [(row.note, row.before) for row in alone if not row.ok] == [("y too large", "refuted")]
    assert {row.note: row.before for row in rows(MADE_UP)}["y too large"] == "proved"


def test_what_cannot_be_told_from_the_truth_is_missed() -> None:
    """True statements among the corrupted, and a false one among the true: the self-test sees both."""
    swapped = replace(MADE_UP, corrupted=MADE_UP.true, variants=(replace(MADE_UP.wrong[0], holds=True),))
    found = SelfTest(tuple(rows(swapped)))
    assert len(found.missed) == len(found.rows) == 3
    assert found.count("corrupted") == (0, 2)
    assert found.count("true") == (0, 1)


def test_a_true_variant_must_keep_its_strength() -> None:
    kept = rows(MADE_UP)[-2]
    weaker = replace(kept, got="supported")
    assert (kept.note, kept.before, kept.ok) == ("another x", "proved", True)
    assert not weaker.ok
    assert replace(weaker, before="refuted").ok


def test_a_ledger_of_ones_own() -> None:
    levels = tuple(Level(name, name[0], name, "?") for name in ("here", "there"))
    other = replace(MADE_UP, id="other")
    own = Ledger(
        name="own", title="Own", source="", levels=levels, load=lambda: (MADE_UP, other), slow=frozenset({"other"})
    )
    assert {row.claim for row in self_test(ledger=own).rows} == {"made-up", "other"}
    assert {row.claim for row in self_test(ledger=own, quick=True).rows} == {"made-up"}
    assert self_test(["other"], ledger=own).missed == ()


def test_processes_and_cache_change_nothing(tmp_path: object) -> None:
    plain = self_test(["t1", "trace"]).as_json()
    assert self_test(["t1", "trace"], jobs=2, cache=str(tmp_path)).as_json() == plain
    assert self_test(["t1", "trace"], cache=str(tmp_path)).as_json() == plain


def test_the_command_prints_rows_and_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--self-test", "t1", "--no-cache", "--jobs", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["self_test"]
    claim = BY_ID["t1"]
    assert document["caught"] == document["wrong"] == len(claim.wrong)
    assert document["accepted"] == document["true"] == len(claim.true)
    assert all(
        {"claim", "kind", "variant", "given", "finding", "before", "expected", "got", "ok"} == set(row)
        for row in document["rows"]
    )
    assert main(["verify", "--self-test", "t1", "--no-cache", "--jobs", "1"]) == 0
    text = capsys.readouterr().out
    assert f"wrong claims caught: {len(claim.wrong)} of {len(claim.wrong)}" in text


def test_the_command_reports_what_is_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = self_test(["t1"]).rows
    broken = SelfTest((replace(rows[0], got="proved"), replace(rows[-1], got="refuted"), *rows[1:-1]))
    monkeypatch.setattr("crtools.ledger.run.self_test", lambda *_, **__: broken)
    assert main(["verify", "--self-test", "t1", "--no-cache"]) == 1
    text = " ".join(capsys.readouterr().out.split())  # lines are wrapped
    assert "cannot be told from the truth" in text
    assert "is true and not accepted" in text
    assert f"wrong claims caught: {len(BY_ID['t1'].wrong) - 1} of" in text


@pytest.mark.parametrize("extra", [["--set", "closed_form=u"], ["--expect", "x"], ["--show"]])
def test_the_self_test_stands_alone(extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--self-test", "t1", "--no-cache", *extra]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_bad_arguments() -> None:
    with pytest.raises(InputError, match="jobs"):
        self_test(["t1"], jobs=0)
    with pytest.raises(InputError, match="claim"):
        self_test(["nope"])
