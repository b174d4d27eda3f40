"""The self-test: every corrupted variant of every claim is told from the truth, and every true one is accepted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from crtools.cli import main
from crtools.errors import InputError
from crtools.ledger import CLAIMS
from crtools.ledger.claim import Variant
from crtools.ledger.self_test import SelfTest, rows_of, self_test, status

BY_ID = {claim.id: claim for claim in CLAIMS}


@pytest.mark.parametrize("name", list(BY_ID))
def test_wrong_claims_are_caught_and_true_ones_accepted(name: str) -> None:
    claim = BY_ID[name]
    assert len(claim.corrupted) >= 3
    assert len(claim.variants) >= 1
    for variant in (*claim.corrupted, *claim.variants):
        assert variant.note
        assert set(variant.given) <= set(claim.given)
        assert any(claim.given[key] != value for key, value in variant.given.items())
    found = self_test([name])
    assert [row.note for row in found.rows] == [v.note for v in (*claim.corrupted, *claim.variants)]
    assert [(row.note, row.part, row.before, row.got) for row in found.missed] == []
    assert found.count("corrupted") == (len(claim.corrupted),) * 2
    assert found.count("true") == (len(claim.variants),) * 2


def test_variants_differ_from_each_other() -> None:
    for claim in CLAIMS:
        seen = [(sorted(v.given.items()), v.part) for v in (*claim.corrupted, *claim.variants)]
        assert all(seen.count(row) == 1 for row in seen), claim.id


def test_what_cannot_be_told_from_the_truth_is_missed() -> None:
    """A true statement among the corrupted, and a false one among the true: the self-test sees both."""
    t1 = BY_ID["t1"]
    swapped = replace(t1, corrupted=t1.variants, variants=t1.corrupted[:1])
    results = [swapped.check(), *(swapped.check(v.given) for v in (*swapped.corrupted, *swapped.variants))]
    found = SelfTest(tuple(rows_of(swapped, results)))
    assert len(found.missed) == len(found.rows) == len(t1.variants) + 1
    assert found.count("corrupted")[0] == found.count("true")[0] == 0
    assert {row.got for row in found.rows} == {"proved", "refuted"}


def test_a_corrupted_variant_of_a_false_statement_is_held_against_a_true_variant() -> None:
    """Where the paper's statement is refuted already, being refuted again catches nothing."""
    claim = BY_ID["thm-endpoints"]
    alone = replace(claim, variants=())
    results = [alone.check(), *(alone.check(v.given) for v in alone.corrupted)]
    assert all(row.before == "refuted" and not row.ok for row in rows_of(alone, results))
    assert all(row.before == "proved" and row.ok for row in self_test([claim.id]).rows if row.kind == "corrupted")


def test_a_true_variant_must_keep_its_strength() -> None:
    rows = self_test(["t1"]).rows
    weaker = replace(rows[-1], got="supported")
    assert rows[-1].ok
    assert not weaker.ok
    assert replace(weaker, before="refuted").ok


def test_a_part_that_no_name_starts_with_is_not_decided() -> None:
    result = BY_ID["t1"].check()
    assert status(result, "T_1") == "proved"
    assert status(result, "no such part") == "inconclusive"
    claim = replace(BY_ID["t1"], corrupted=(Variant("x", {"closed_form": "0"}, "no such part"),), variants=())
    [row] = rows_of(claim, [claim.check(), claim.check({"closed_form": "0"})])
    assert not row.ok


def test_processes_and_cache_change_nothing(tmp_path: object) -> None:
    plain = self_test(["t1", "tel-identity"]).as_json()
    assert self_test(["t1", "tel-identity"], jobs=2, cache=str(tmp_path)).as_json() == plain
    assert self_test(["t1", "tel-identity"], cache=str(tmp_path)).as_json() == plain


def test_quick_leaves_slow_claims_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.ledger.ledger.SLOW", frozenset({"t1"}))
    assert {row.claim for row in self_test(["t1", "tel-identity"], quick=True).rows} == {"tel-identity"}


def test_the_command_prints_rows_and_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--self-test", "t1", "--no-cache", "--jobs", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["self_test"]
    claim = BY_ID["t1"]
    assert document["caught"] == document["wrong"] == len(claim.corrupted)
    assert document["accepted"] == document["true"] == len(claim.variants)
    assert all(
        {"claim", "kind", "variant", "given", "part", "before", "expected", "got", "ok"} == set(row)
        for row in document["rows"]
    )
    assert main(["verify", "--self-test", "t1", "--no-cache", "--jobs", "1"]) == 0
    text = capsys.readouterr().out
    assert f"wrong claims caught: {len(claim.corrupted)} of {len(claim.corrupted)}" in text


def test_the_command_reports_what_is_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = self_test(["t1"]).rows
    broken = SelfTest((replace(rows[0], got="proved"), replace(rows[-1], got="refuted"), *rows[1:-1]))
    monkeypatch.setattr("crtools.ledger.self_test.self_test", lambda *_, **__: broken)
    assert main(["verify", "--self-test", "t1", "--no-cache"]) == 1
    text = capsys.readouterr().out
    assert "cannot be told from the truth" in text
    assert "is true and not accepted" in text
    assert f"wrong claims caught: {len(BY_ID['t1'].corrupted) - 1} of" in text


@pytest.mark.parametrize("extra", [["--set", "closed_form=u"], ["--expect", "x"], ["--show"]])
def test_the_self_test_stands_alone(extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--self-test", "t1", "--no-cache", *extra]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_bad_arguments() -> None:
    with pytest.raises(InputError, match="jobs"):
        self_test(["t1"], jobs=0)
    with pytest.raises(InputError, match="claim"):
        self_test(["nope"])
