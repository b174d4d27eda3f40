"""docs/your-own-theory.md: its file runs as it stands there, and a broken theorem is not proved."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Done, crt
from forged import check, signed
from paths import ROOT

PAGE = ROOT / "docs" / "your-own-theory.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def theory(tmp_path: Path) -> Path:
    [source], (*_, text) = blocks("python"), blocks("text")
    (tmp_path / "theory.py").write_text(source, encoding="utf-8")
    (tmp_path / "theory.txt").write_text(text, encoding="utf-8")
    return tmp_path


def process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "crtools", *arguments, "--cache", str(folder / "kept")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def verify(file: Path, *arguments: str) -> Done:
    return crt("verify", "--ledger", str(file), *arguments, "--cache", str(file.parent / "kept"))


def statuses(folder: Path, *arguments: str) -> dict[str, str]:
    done = verify(folder / "theory.py", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return {c["id"]: c["levels"][0]["status"] for c in json.loads(done.stdout)["claims"]}


def test_the_page_runs(theory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(theory)
    assert statuses(theory) == {"equal-jobs": "proved", "two-jobs": "refuted", "tel-identity": "proved"}
    ours, judges = blocks("sh")
    for command in ours.splitlines():
        done = crt(*command.split()[1:], "--cache", str(theory / "kept"))
        assert done.returncode == 0, done.stderr
        assert all(len(line) <= 80 for line in done.stdout.splitlines())
    alone, certificates = (check(*command.split()[1:]) for command in judges.splitlines())
    assert alone.stdout.startswith("theory.txt: 3 facts, 3 theorems: all hold; 2 sentences\n")
    assert "2 of 2 verified" in certificates.stdout and "verified at the witness" in certificates.stdout
    assert (alone.returncode, certificates.returncode) == (0, 0), certificates.stdout
    shown = verify(theory / "theory.py", "two-jobs", "--show").stdout
    assert "11/7" in shown and "at most twice the" in shown


@pytest.mark.parametrize(
    ("claim", "value", "status"),
    [
        ("two-jobs", "factor=2", "proved"),
        ("two-jobs", "factor=5", "proved"),
        ("two-jobs", "factor=1.999999", "refuted"),
        ("two-jobs", "factor=1/10", "refuted"),
        ("equal-jobs", "total=n*(n+1)", "refuted"),
        ("equal-jobs", "total=sum(i, i, 1, n)", "proved"),
    ],
)
def test_a_value_from_outside(theory: Path, claim: str, value: str, status: str) -> None:
    assert statuses(theory, claim, "--set", value) == {claim: status}


def test_every_variant_is_told_from_the_truth(theory: Path) -> None:
    done = verify(theory / "theory.py", "equal-jobs", "two-jobs", "--self-test", "--json")
    found = json.loads(done.stdout)["self_test"]
    assert done.returncode == 0 and all(row["ok"] for row in found["rows"])
    assert (found["caught"], found["accepted"]) == (3, 2)


@pytest.mark.exhaustive  # takes seconds
def test_a_theorem_that_is_changed_is_not_proved_and_nothing_is_taken_from_the_cache(theory: Path) -> None:
    assert statuses(theory, "equal-jobs") == {"equal-jobs": "proved"}
    change(theory, "Sum(k, (k, 1, n)) = total(n)", "Sum(k, (k, 1, n)) = total(n) + 1")
    done = process(theory, "verify", "--ledger", "theory.py", "equal-jobs", "--json")  # this one has read the files
    assert [claim["levels"][0]["status"] for claim in json.loads(done.stdout)["claims"]] == ["inconclusive"]


def change(folder: Path, old: str, new: str) -> None:
    file = folder / "theory.txt"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("old", "new", "rejected"),
    [
        ("says n jobs", "says all jobs", 2),  # another text, whatever has changed: its digest is another
        ("two jobs have two orders", "two jobs have two orders, and no other", 2),
        ("holds worse > given.factor*better", "holds worse > 0*given.factor*better", 2),
        ("given factor = 3/2", "given factor = 2", 2),
    ],
)
def test_certificates_of_another_text_are_refused(
    theory: Path, old: str, new: str, rejected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(theory)
    done = crt("verify", "--ledger", "theory.py", "--no-cache", "--certificates", "certs")
    assert done.returncode == 0, done.stderr
    assert check("certs", "--theory", "theory.txt").returncode == 0
    change(theory, old, new)
    done = check("certs", "--theory", "theory.txt")
    assert done.returncode == 1
    assert done.stdout.count("rejected") - 1 == rejected  # and the line below them
    assert "of another text than theory.txt" in done.stdout
    assert check("certs").returncode == 1, "no claim of the packed texts"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("value", [[1, 3], [1, 1], [4, 1], [1, 5, 9], "1", [0, 9]])
def test_a_witness_that_is_none_is_refused(theory: Path, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(theory)
    assert crt("verify", "--ledger", "theory.py", "--no-cache", "--certificates", "certs").returncode == 0
    file = theory / "certs" / "two-jobs.algorithm.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["witness"] == {"sizes": [1, 5]}
    file.write_text(json.dumps(signed({**document, "witness": {"sizes": value}})), encoding="utf-8")
    assert check(file, "--theory", "theory.txt").returncode == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("x = 1\n", "must define LEDGER"),
        ("x = 1 +\n", "must run: SyntaxError"),
        ("1 / 0\n", "must run: ZeroDivisionError"),
    ],
)
def test_a_file_without_a_ledger(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "bad.py").write_text(content, encoding="utf-8")
    done = verify(tmp_path / "bad.py")
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1
    assert verify(tmp_path / "missing.py").returncode == 2
