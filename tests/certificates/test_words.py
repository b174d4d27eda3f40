"""One count of words: what verify prints beside a verdict is what the checker counts in its certificate."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from paths import ROOT

from check import command
from crtools import verify
from crtools.cli import main
from crtools.ledger import Claim, Decision, Finding, Ledger, Level, PublishedProof, Verdict, by_theorem, certificates
from crtools.ledger.cache import default_folder
from crtools.ledger.certificates import write_certificates
from crtools.ledger.registry import load
from crtools.ledger.verdict import NOT_CHECKED, Trust
from crtools.proof.builder import Proof
from crtools.proof.symbols import n
from crtools.report.page import page

if TYPE_CHECKING:
    from pathlib import Path

    from crtools.ledger import ClaimResult
    from crtools.ledger.certificates import CertificateFolder

sys.path.insert(0, str(ROOT / "docs" / "hooks"))

import words  # pyright: ignore[reportMissingImports]

Decided = list[tuple[Ledger, "list[ClaimResult]"]]


@pytest.fixture(scope="session")
def rows(written: CertificateFolder) -> dict[tuple[str, str], dict[str, Any]]:
    """What the checker prints of every certificate, as JSON."""
    found = {(row["id"], row["level"]): row for row in words.checked(written.folder)}
    return {key: found[key] for key in written.written}


@pytest.mark.exhaustive  # takes seconds
def test_verify_and_the_checker_print_the_same_numbers(decided: Decided, rows: dict[tuple[str, str], Any]) -> None:
    seen: set[tuple[str, str]] = set()
    for ledger, results in decided:
        for result in results:
            for verdict, data in zip(result.verdicts, result.as_json()["levels"], strict=True):
                key, own = (result.id, verdict.level), verdict.rests
                assert own.missing != NOT_CHECKED and not own.missing.startswith("rejected"), (key, own.missing)
                assert data["certificate"] == (key in rows)
                if key in rows:
                    seen.add(key)
                    row = rows[key]
                    assert row["result"] == "verified" and row["ledger"] == ledger.name.replace("-", "_")
                    assert (own.facts, own.argued, own.computed) == (
                        row["facts"],
                        row["sentences"],
                        row["computations"],
                    )
                    assert (row["sentences"], row["computations"]) == (len(row["argued"]), len(row["computed"]))
                    assert (data["argued"], data["facts"], data["computed"]) == (own.argued, own.facts, own.computed)
                    assert own.witness == row["witness"]
                    assert len(row["digest"]) == 64
    assert seen == set(rows)


@pytest.mark.exhaustive  # takes seconds
def test_a_count_from_the_proofs_is_the_same(decided: Decided) -> None:
    """Where the statement asks for nothing beside the proofs of the findings: what counts without a certificate."""
    same = 0
    for result in (result for _, results in decided for result in results):
        for verdict in result.verdicts:
            statement, own = command.book().claims.get((result.id, verdict.level)), verdict.rests
            if statement is None or statement.further or statement.beside or statement.words or statement.witness:
                continue
            # a theorem with arguments counts twice where the given formula stands beside the text's name of it
            cited = [name for name in statement.needed() if "(" in name]
            if not cited and all(finding.how not in ("alone", "joined") for finding in statement.findings.values()):
                alone = verdict.uncertified("")
                counts = (own.facts, own.argued, own.computed)
                assert (alone.facts, alone.argued, alone.computed) == counts, result.id
                same += own.argued > 0
    assert same > 20


def test_the_page_has_a_line_per_certificate(tmp_path: Path) -> None:
    written = write_certificates(verify(["trace", "hsf-lower"], cache=default_folder()), tmp_path, load()).written
    rows = {key: row for row in words.checked(tmp_path) if (key := (row["id"], row["level"])) in written}
    assert set(rows) == {("trace", "form-at-zero"), ("hsf-lower", "algorithm")}
    text = words.page(list(rows.values()), [("trace", "form-at-zero")])
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| claim")]
    assert len(lines) == len(rows)
    own = rows["trace", "form-at-zero"]
    assert own["facts"] > 1 and own["sentences"] == 5
    assert f"| trace | form-at-zero | proved | {own['facts']} | 5 | 0 |  | yes |" in lines
    assert "| hsf-lower | algorithm | refuted | 0 | 0 | 0 | yes |  |" in lines
    row = rows["trace", "form-at-zero"]
    with pytest.raises(AssertionError):
        words.page([{**row, "result": "rejected"}], [])


def test_a_certificate_that_the_judge_refuses_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    [result] = verify(["t1"])
    assert result.stated.rests.missing == ""
    monkeypatch.setattr(certificates, "signed", lambda rest: {**rest, "digest": "0" * 64})
    [verdict] = certificates.with_trust(result, load()).verdicts
    assert verdict.rests.missing == "rejected: the digest is wrong"
    assert verdict.rests.mark(in_coq=False) == "5-"
    assert verdict.as_json()["certificate"] is False


def test_a_changed_claim_has_no_certificate() -> None:
    [result] = verify(["trace"], {"closed_form": "sum(1/k, k, 1, u)"})
    assert result.stated.status == "proved"
    own = result.stated.rests
    assert (own.argued, own.computed, own.witness) == (5, 0, False) and own.facts > 1
    assert own.missing == "its values were changed: it is not the ledger's claim"


# ---- a ledger of one's own ---------------------------------------------------------------------------------------

FORM = Level("form", "f", "the forms", "is it right?")


def bogus(given: Any) -> Decision:
    """Decide what no formula says."""
    theorem = Proof("bogus", "every $n$").identity("trivial", n + n, 2 * n).therefore("P = NP").qed()
    finding = Finding("x", "P = NP", by_theorem(theorem))
    return Decision("by magic", (Verdict("form", "always", "obvious", "identity", (finding,)),), PublishedProof())


CLAIM = Claim(id="bogus", place="p", statement="P = NP", stated_at="form", given={}, decide=bogus)
BOGUS = Ledger(name="bogus", title="Bogus", source="me", levels=(FORM,), load=lambda: (CLAIM,))


def test_nothing_that_counts_words_is_said_to_be_checked_by_machine() -> None:
    results = verify(ledger=BOGUS)
    [result] = results
    assert result.stated.rests == Trust(1, 1, 0, False, "the checker has no statement of it")
    shown, text = page(results, BOGUS), result.show()
    for one in (shown, text):
        assert "rests on 1 sentence; no certificate: the checker has no statement of it" in " ".join(one.split())
        assert "checked by machine" not in one and "re-checked" not in one
    assert "Of 1 verdict by proof, enclosure or counterexample, 1 rest on sentences that no machine judges" in shown
    assert "1. judged: trivial" in text and "2. concluded: P = NP" in text


def test_a_certificate_of_another_ledgers_claim_is_not_taken_over() -> None:
    """A claim of one's own may have the id of a claim that the checker knows: it is judged by nobody."""
    own = replace(BOGUS, load=lambda: (replace(CLAIM, id="trace"),))
    [verdict] = certificates.with_trust(replace(verify(ledger=BOGUS)[0], id="trace"), own).verdicts
    assert verdict.rests.missing and verdict.argued == 1


def test_the_shell_prints_what_python_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "t1", "--show", "--no-cache"]) == 0
    assert capsys.readouterr().out.rstrip("\n") == verify(["t1"])[0].show()
    assert main(["verify", "t1", "--json", "--no-cache"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["resting"] == {"form-at-zero": {"proved": {"Coq": 1}}}
