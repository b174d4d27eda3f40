"""Certificates: written for every decided verdict, accepted by crtools-check, and rejected as soon as they are false."""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from amount import part_and_all
from forged import CHECKER, SLOW, Key, Path_, changes, check, check_alone, leaves, put, rejected, signed
from paths import ROOT

import crtools_check
from check import command, enclosures, process, statements
from crtools.cli import main
from crtools.errors import InputError
from crtools.ledger.certificates import CertificateFolder, file_name, write_certificates
from crtools.ledger.certificates import signed as document
from crtools.ledger.claim import ClaimResult
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import load
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM

CLAIMS = statements.book().claims
LEDGER = load()


@pytest.fixture
def folder(written: CertificateFolder, tmp_path: Path) -> Path:
    """A copy of the folder, to be spoiled."""
    return Path(shutil.copytree(written.folder, tmp_path / "copy"))


# ---- what is written ----------------------------------------------------------------------------------------------


Decided = list[tuple[Ledger, list[ClaimResult]]]


def test_every_decided_verdict_has_a_certificate_or_is_listed(decided: Decided, written: CertificateFolder) -> None:
    verdicts = {(r.id, v.level): v.status for _, results in decided for r in results for v in r.verdicts}
    listed = {(id, level): reason for id, level, reason in written.without}
    assert set(written.written) | set(listed) == set(verdicts)
    assert not set(written.written) & set(listed)
    assert set(written.written) == set(CLAIMS)
    for key in written.written:
        assert verdicts[key] == CLAIMS[key].status
    assert all(listed.values())
    named = {(id, "" if id.startswith("exp-") else level) for id, level in listed}
    assert {key for key in statements.book().without if key[0] not in SLOW} == named
    assert sorted(path.name for path in written.folder.iterdir()) == sorted(file_name(*k) for k in written.written)


def test_the_checker_holds_the_papers_values() -> None:
    given = {(name, claim.id): claim.given for name in statements.LEDGERS for claim in load(name).claims}
    for (id, level), statement in CLAIMS.items():
        assert statement.given == given[statement.ledger, id]
        assert statement.says, (id, level)


def test_every_finding_that_is_decided_is_in_the_certificate_of_its_verdict(decided: Decided) -> None:
    for result in (result for _, results in decided for result in results):
        for verdict in result.verdicts:
            own = CLAIMS.get((result.id, verdict.level))
            if own is not None:
                sure = {f.id: f.status for f in verdict.findings if f.status in ("proved", "certified", "refuted")}
                assert {id: finding.status for id, finding in own.findings.items()} == sure


FRAME = ("format", "ledger", "text", "id", "level", "status", "given", "findings", "witness")


def test_a_certificate_has_the_fields_of_the_format(documents: dict[Key, dict[str, Any]]) -> None:
    for (id, level), data in documents.items():
        assert list(data) == [*FRAME, "digest"]
        assert (data["format"], data["id"], data["level"]) == (4, id, level)
        assert data["digest"] == command.digest(data)
        assert not any(isinstance(leaf, float) for _, leaf in leaves(data))


def test_changed_values_give_no_certificate_and_remove_an_old_one(ledger: list[ClaimResult], tmp_path: Path) -> None:
    [trace] = [r for r in ledger if r.id == "trace"]
    assert write_certificates([trace], tmp_path, LEDGER).written == (("trace", AT_ZERO),)
    changed = next(c for c in LEDGER.claims if c.id == "trace").check({"closed_form": "harmonic(u)"})
    outcome = write_certificates([changed], tmp_path, LEDGER)
    assert outcome.written == ()
    assert "changed" in outcome.without[0][2]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_an_input_error(ledger: list[ClaimResult], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="--certificates"):
        write_certificates(ledger[:1], tmp_path / "file", LEDGER)


# ---- the checker's own ground --------------------------------------------------------------------------------------


def test_the_checker_imports_the_standard_library_only() -> None:
    sources = [path.read_text(encoding="utf-8") for path in CHECKER.glob("*.py")]
    tree = ast.parse("\n".join(source.replace("from __future__ import annotations", "") for source in sources))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= {*sys.stdlib_module_names, "check"}
    assert not any(isinstance(node, ast.Name) and node.id in ("__import__", "eval", "exec") for node in ast.walk(tree))


def _lines_of_code(name: str) -> int:
    """Count the lines of a file of the checker that are no docstring, comment or blank."""
    text = (CHECKER / name).read_text(encoding="utf-8")
    words = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)]
    left_out = {line for node in words for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = enumerate(text.splitlines(), start=1)
    return sum(bool(line.strip()) and not line.strip().startswith("#") and n not in left_out for n, line in lines)


def test_the_checker_is_as_small_as_its_page_says() -> None:
    page = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`check/.*?) \| (\d+) \|", page, re.MULTILINE)
    assert len(rows) == 3
    for names, said in rows:
        counted = sum(map(_lines_of_code, re.findall(r"check/(\w+\.py)", names)))
        assert abs(counted - int(said)) <= 10, (names, counted)
    assert _lines_of_code("kernel.py") <= 600
    assert sum(_lines_of_code(path.name) for path in CHECKER.glob("*.py")) <= 1920


def test_the_checker_accepts_everything_alone(written: CertificateFolder) -> None:
    done = check_alone(written.folder, "--json")
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    data = json.loads(done.stdout)
    assert data["accepted"] is True
    assert {(row["id"], row["level"]) for row in data["certificates"]} == set(CLAIMS)
    assert {row["result"] for row in data["certificates"]} == {"verified"}
    assert data["no_certificate"]


@pytest.mark.exhaustive  # takes seconds
def test_the_table_says_what_verified_and_what_has_no_certificate(written: CertificateFolder) -> None:
    done = check(written.folder)
    assert done.returncode == 0
    assert f"{len(CLAIMS)} of {len(CLAIMS)} verified" in done.stdout
    assert "no certificate:" in done.stdout
    assert "fig-log-fit form-at-zero" in done.stdout


@pytest.mark.exhaustive  # takes seconds
def test_a_folder_of_one_ledger_is_asked_for_that_ledger_only(written: CertificateFolder, tmp_path: Path) -> None:
    keys = [key for key, statement in CLAIMS.items() if statement.ledger == "beyond"]
    for key in keys:
        shutil.copy(written.folder / file_name(*key), tmp_path)
    done = check(tmp_path)
    assert f"{len(keys)} of {len(keys)} verified" in done.stdout
    assert "a-max-conjecture algorithm: " in done.stdout
    assert "exp-1" not in done.stdout
    (tmp_path / file_name(*keys[0])).unlink()
    assert f"{len(keys) - 1} of {len(keys)} verified" in check(tmp_path).stdout


@pytest.mark.exhaustive  # takes seconds
def test_what_only_crtools_computed_is_counted_and_printed(
    documents: dict[Key, dict[str, Any]], written: CertificateFolder
) -> None:
    trusted = {key: command.check_document(data) for key, data in documents.items()}
    assert {key for key, (_, own) in trusted.items() if own.computed} == {
        ("against-h-sf", "form"),
        ("blind-upper", "machine"),
        ("blind-upper", ALGORITHM),
        ("blind-lower", "machine"),
        ("blind-lower", ALGORITHM),
        ("any-prompts", ALGORITHM),
    }
    for statement, own in trusted.values():
        assert ("not recomputed" in command.worth(statement, own)) == bool(own.computed)
    shown = check(written.folder / "blind-upper.machine.json").stdout
    assert shown.count("\nnot recomputed: ") == 2


def test_one_certificate_can_be_checked_by_itself(written: CertificateFolder) -> None:
    done = check(written.folder / "trace.form-at-zero.json")
    assert done.returncode == 0
    assert "1 of 1 verified" in done.stdout


@pytest.mark.parametrize("arguments", [(), ("no-such-folder",), ("a", "b"), ("--no-such-option", "a")])
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    done = check_alone(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("crtools-check: ")
    assert done.stderr.count("\n") == 1


# ---- what is rejected ----------------------------------------------------------------------------------------------


@pytest.mark.exhaustive  # takes seconds
def test_a_missing_certificate_is_named(folder: Path) -> None:
    (folder / "trace.form-at-zero.json").unlink()
    done = check(folder, "--json")
    assert done.returncode == 1
    [row] = [r for r in json.loads(done.stdout)["certificates"] if r["result"] != "verified"]
    assert (row["id"], row["result"], row["reason"]) == ("trace", "missing", "missing certificate")


@pytest.mark.exhaustive  # takes seconds
def test_files_that_do_not_belong_there_are_rejected(folder: Path) -> None:
    shutil.copy(folder / "trace.form-at-zero.json", folder / "t1.form-at-zero.json")
    shutil.copy(folder / "trace.form-at-zero.json", folder / "trace.form.json")
    (folder / "notes.txt").write_text("")
    (folder / "t2.form-at-zero.json").write_text("{")
    (folder / "cor-ab.form-at-zero.json").unlink()
    (folder / "cor-ab.form-at-zero.json").mkdir()
    done = check(folder, "--json")
    assert done.returncode == 1
    bad = {row["id"] for row in json.loads(done.stdout)["certificates"] if row["result"] == "rejected"}
    assert bad == {"t1", "t2", "cor-ab", "trace.form.json", "notes.txt"}


def test_an_empty_folder_lacks_everything(tmp_path: Path) -> None:
    done = check(tmp_path)
    assert done.returncode == 1
    assert done.stdout.count("missing certificate") == len(CLAIMS)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "1",
        '{"format": 3}',
        '{"format": 3, "format": 1}',
        '{"format": NaN}',
        '{"format": 3.0}',
        "[" * 10**5,
    ],
)
def test_what_is_no_certificate_is_rejected(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    done = check(path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "rejected" in done.stdout


@pytest.mark.exhaustive  # takes seconds
def test_the_frame_of_a_certificate_is_fixed(documents: dict[Key, dict[str, Any]]) -> None:
    for key, data in documents.items():
        assert rejected(data) is None
        for other in {AT_ZERO, FORM, ALGORITHM} - {key[1]}:
            if (key[0], other) not in CLAIMS:
                assert rejected(signed(data, level=other)) is not None
        for change in (
            {"format": 1}, {"format": True}, {"format": "1"}, {"id": "no-such"}, {"id": key[0].upper()}, {"level": ""},
            {"level": "at s = 0"}, {"status": "supported"}, {"given": {}}, {"given": None}, {"reading": "u ≤ 10"},
            {"given": {**data["given"], "more": "1"}}, {"findings": {}}, {"findings": []}, {"findings": None},
            {"further": ["trace"]}, {"further": None}, {"proofs": None}, {"proofs": {}}, {"witness": None}, {"witness": []},
        ):  # fmt: skip
            assert rejected(signed(data, **change)) is not None, (key, change)
        for status in {"proved", "certified", "refuted"} - {data["status"]}:
            assert rejected(signed(data, status=status)) is not None
        for name, value in data["given"].items():
            reason = rejected(signed(data, given={**data["given"], name: value + " "}))
            assert reason is not None
            assert "not the text's claim" in reason
        for name in data:
            assert rejected({field: value for field, value in data.items() if field != name}) is not None
        assert rejected({**data, "digest": "0" * 64}) == "the digest is wrong"


SHARED_EVIDENCE: list[set[Key]] = [
    {("wlog", AT_ZERO), ("thm-log", AT_ZERO)},
    {("wlog", FORM), ("thm-log", FORM)},
    {("thm-log", ALGORITHM), ("cor-intervals", ALGORITHM)},
    {("intervals-help", AT_ZERO), ("intervals-help", FORM)},
    {("thm-optimality", AT_ZERO), ("thm-optimality", FORM)},
]
"""Verdicts that the same evidence decides: a proof for each s, and one for every s ≥ 0."""


@part_and_all("every", 30, 1)
def test_evidence_under_another_id_is_rejected(every: int, documents: dict[Key, dict[str, Any]]) -> None:
    for place, (key, data) in enumerate(documents.items()):
        for other, theirs in [*documents.items()][place % every :: every]:
            if key == other:
                continue
            evidence = {name: data[name] for name in ("proofs", "findings", "further", "witness") if name in data}
            allowed = any({key, other} <= group for group in SHARED_EVIDENCE)
            assert (rejected(signed(theirs, **evidence)) is None) == allowed, (key, other)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("key", CLAIMS, ids=".".join)
def test_every_single_change_of_the_findings_is_rejected(key: Key, documents: dict[Key, dict[str, Any]]) -> None:
    findings = documents[key]["findings"]
    for path, value in leaves(findings):
        for new in changes(value):
            assert rejected(signed(documents[key], findings=put(findings, path, new))) is not None, (path, new)


FALSE_EVIDENCE: list[tuple[str, Key, Path_, Any]] = [
    ("a schedule that exceeds the memory", ("hsf-lower", ALGORITHM), ("smallest", "starts"), [0, 0, 0, 3]),
    ("no prompt", ("hsf-lower", ALGORITHM), ("smallest", "s"), 0),
    ("α = 1", ("thm-two-point", FORM), ("l",), 3),
    ("a setting where the bound holds", ("thm-two-point", FORM), ("s",), 0),
    ("a q where the bound holds", ("geometric", FORM), ("bound", "q"), "1/2"),
    ("a q outside the law's range", ("geometric", FORM), ("bound", "q"), "1"),
    ("an increase instead of a decrease", ("geometric", FORM), ("monotone", "q"), ["99/100", "832/979"]),
    ("a negative weight", ("thm-aell", FORM), ("bound", "x_l"), -1),
    ("no weight", ("thm-aell", FORM), ("bound",), {"s": 1, "l": 1, "u": 2, "x_l": 0, "x_u": 0}),
    ("an order that is none", ("packed-random", ALGORITHM), ("packed", "order"), [0, 0, 1]),
    ("true for an integer", ("hsf-lower", ALGORITHM), ("smallest", "s"), True),
    ("α = 1 in the process", ("thm-two-point", ALGORITHM), ("a_min_bound", "u"), 1),
    ("a prompt where s = 0 is said", ("thm-two-point", ALGORITHM), ("a_min_bound", "s"), 1),
    ("two lengths with a prompt where s = 0 is said", ("uniform-bounds", ALGORITHM), ("two_point", "s"), 1),
    ("a law that the theorem does not speak of", ("thm-two-point", ALGORITHM), ("with_prompts", "share_of_u"), "9/10"),
    ("a law whose needs do not shrink", ("geometric", ALGORITHM), ("q",), "9/10"),
    ("a law that is none", ("geometric", ALGORITHM), ("q",), "1"),
    ("weights at which own offsets are not better", ("thm-optimality", FORM), ("x",), [1] * 10),
    ("lengths at which the ratio is no larger", ("thm-endpoints", ALGORITHM), ("process", "o"), [4, 4]),
    ("another interval", ("thm-endpoints", ALGORITHM), ("process", "u"), 5),
    ("a law that does not sum to 1", ("thm-optimality", ALGORITHM), ("expectations", "law_of_o"), {"2": "1/2"}),
    (
        "a law at which the display holds",
        ("thm-optimality", ALGORITHM),
        ("expectations", "law_of_o"),
        {"1": "1/2", "2": "1/4", "3": "1/4"},
    ),
    ("memory for all at once", ("prop-transition", ALGORITHM), ("smallest", "M"), 5),
    ("one length only", ("update-distribution", ALGORITHM), ("smallest", "lengths"), [3, 3]),
    ("α > 1/2 in the inference", ("thm-aell", FORM), ("inference", "alpha"), "3/4"),
    ("a price that rises", ("blind-finite", ALGORITHM), ("prices", 0), "1/2"),
    ("a law that does not end at u", ("blind-finite", "machine"), ("tails", 19), "1/1000"),
    ("an upper end that is no root", ("continuous-limit", FORM), ("high",), "8719561/5000000"),
]


@pytest.mark.parametrize(("note", "key", "path", "value"), FALSE_EVIDENCE, ids=[row[0] for row in FALSE_EVIDENCE])
def test_false_evidence_is_rejected(
    note: str, key: Key, path: Path_, value: Any, documents: dict[Key, dict[str, Any]]
) -> None:
    data = documents[key]
    assert rejected(signed(data, witness=put(data["witness"], path, value))) is not None, note


def test_false_examples_are_rejected_with_consistent_numbers(documents: dict[Key, dict[str, Any]]) -> None:
    """Every number recomputed for another instance, at which the claim holds."""
    two = documents["thm-two-point", FORM]
    x = [(1, 3), (3, 1)]
    value = enclosures.forms(x, 0, 1)[0] / enclosures.forms(x, 0, 1)[1]
    example = {"s": 0, "l": 1, "u": 3, "weights": [3, 1], "ratio": str(value)}
    assert rejected(signed(two, witness=example)) is not None
    even = [(1, 1), (3, 1)]
    value = enclosures.forms(even, 1, 1)[0] / enclosures.forms(even, 1, 1)[1]
    assert value < Fraction(4, 3)
    example = {"s": 1, "l": 1, "u": 3, "weights": [1, 1], "ratio": str(value)}
    assert rejected(signed(two, witness=example)) is not None
    forms = documents["thm-optimality", FORM]
    for kappa in ("1", "5"):
        assert rejected(signed(forms, witness={**example, "kappa": kappa})) is not None
    ends = documents["thm-endpoints", ALGORITHM]
    for lengths in ([1, 4], [4, 4]):
        example = {"s": 1, "l": 1, "u": 4, "M": 5, "lengths": lengths, "ratio": "1"}
        assert rejected(signed(ends, witness={**ends["witness"], "example": example})) is not None
    lower = documents["hsf-lower", ALGORITHM]
    quick = process.shortest_first([1, 2], 1, 5)
    total = process.total(quick, [1, 2])
    equal = {"lengths": [1, 2], "s": 1, "M": 5, "h_sf_total": total, "starts": quick, "total": total}
    assert rejected(signed(lower, witness=equal)) is not None
    memory = documents["prop-memory", ALGORITHM]
    assert rejected(signed(memory, witness=put(memory["witness"], ("smallest", "I"), [0, 1]))) is not None


def test_a_document_keeps_its_digest_in_any_language(documents: dict[Key, dict[str, Any]]) -> None:
    data = documents["cor-intervals", AT_ZERO]  # a name in it is not ASCII
    assert document({name: data[name] for name in FRAME}) == data


# ---- the command line -------------------------------------------------------------------------------------------


def test_verify_writes_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "new" / "folder"
    assert main(["verify", "t1", "thm-amax-upper", "--certificates", str(target), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["certificates"]
    files = [f"thm-amax-upper.{level}.json" for level in (AT_ZERO, FORM, ALGORITHM)] + ["t1.form-at-zero.json"]
    assert [row["file"] for row in data["written"]] == files
    assert data["no_certificate"] == []
    assert {path.name for path in target.iterdir()} == set(files)
    assert main(["verify", "t1", "--certificates", str(target)]) == 0
    assert "1 written to" in capsys.readouterr().out
    for path in target.iterdir():
        assert crtools_check.main([str(path)]) == 0
    assert crtools_check.main([str(target)]) == 1


def test_verify_refuses_a_folder_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["verify", "t1", "--certificates", str(tmp_path / "file")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("crtools: --certificates")
    assert captured.err.count("\n") == 1
