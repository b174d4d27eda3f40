"""docs/your-own-theory.md: its file runs as it stands there, and a broken theorem is not proved."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Done, crt
from paths import ROOT

PAGE = ROOT / "docs" / "your-own-theory.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def theory(tmp_path: Path) -> Path:
    [source] = blocks("python")
    (tmp_path / "theory.py").write_text(source, encoding="utf-8")
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
    [commands] = blocks("sh")
    for command in commands.split("\n"):
        if command:
            done = crt(*command.split()[1:], "--cache", str(theory / "kept"))
            assert done.returncode == 0, done.stderr
            assert all(len(line) <= 80 for line in done.stdout.splitlines())
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


def test_a_theorem_that_is_changed_is_not_proved_and_nothing_is_taken_from_the_cache(theory: Path) -> None:
    assert statuses(theory, "equal-jobs") == {"equal-jobs": "proved"}
    file = theory / "theory.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace("formula, n).qed()", "formula + 1, n).qed()"), encoding="utf-8"
    )
    done = process(theory, "verify", "--ledger", str(file), "equal-jobs", "--json")  # this one has read the file
    assert [claim["levels"][0]["status"] for claim in json.loads(done.stdout)["claims"]] == ["inconclusive"]


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
