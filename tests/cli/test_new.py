"""``crtools new``: in an empty folder, by the commands that it prints alone, everything runs; and what it refuses."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from commands import Done, crt
from forged import check, signed


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str) -> Done:
    program, *arguments = shlex.split(command)
    if program == "crtools":
        return crt(*arguments)
    assert program == "crtools-check"
    done = check(*arguments)
    return Done(done.returncode, done.stdout, done.stderr)


def begun(kind: str, name: str) -> list[Done]:
    """Begin something, and run what is printed as the next commands."""
    done = crt("new", kind, name)
    assert done.returncode == 0, done.stderr
    first, *commands = done.stdout.splitlines()
    assert first.startswith("written: ") and all(len(line) <= 80 for line in (first, *commands))
    return [run(command.strip()) for command in commands]


def test_a_theory(folder: Path) -> None:
    tested, verified, judged = begun("theory", "my-theory")
    assert (tested.returncode, verified.returncode, judged.returncode) == (0, 0, 0)
    assert "wrong claims caught: 1 of 1; true ones accepted: 1 of 1" in tested.stdout
    assert "✓*    1" in verified.stdout  # proved, by one sentence
    assert (
        "equal-jobs  schedule  proved  verified modulo 1 argued step\n" in judged.stdout
        and "1 of 1 verified" in judged.stdout
    )
    assert {p.name for p in folder.iterdir()} - {"__pycache__"} == {"my_theory.txt", "my_theory.py", "certificates"}
    for name, lines in (("my_theory.txt", 15), ("my_theory.py", 20)):
        assert len((folder / name).read_text(encoding="utf-8").splitlines()) <= lines


def test_a_theory_with_one_digit_changed_is_refused(folder: Path) -> None:
    begun("theory", "t-1")
    [file] = (folder / "certificates").iterdir()
    document = json.loads(file.read_text(encoding="utf-8"))
    document["given"]["total"] = "n*(n+1)/3"
    file.write_text(json.dumps(signed(document)), encoding="utf-8")
    done = check("certificates", "--theory", "t_1.txt")
    assert done.returncode == 1 and "0 of 1 verified" in done.stdout
    assert crt("new", "theory", "t-2").returncode == 0
    text = folder / "t_2.txt"
    text.write_text(text.read_text(encoding="utf-8").replace("n*(n + 1)/2", "n*(n + 2)/2"), encoding="utf-8")
    assert check("--theory", "t_2.txt").returncode == 1
    done = crt("verify", "--ledger", "t_2.py")
    assert done.returncode == 1 and "equal-jobs: two computations of total" in done.stderr


def test_a_policy(folder: Path) -> None:
    listed, compared = begun("policy", "my-policy")
    assert (listed.returncode, compared.returncode) == (0, 0), compared.stderr
    assert "my_policy.py:POLICY" in listed.stdout and "my-policy" in compared.stdout


def test_a_form(folder: Path) -> None:
    ratio, derived, worst = begun("form", "my-form")
    assert (ratio.returncode, derived.returncode, worst.returncode) == (0, 0, 0)
    assert "22/5" in ratio.stdout and "7" in derived.stdout and "20" in worst.stdout


def test_nothing_is_overwritten(folder: Path) -> None:
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    done = crt("new", "theory", "mine")
    assert done.returncode == 2 and "mine.txt" in done.stderr and "nothing was written" in done.stderr
    assert [p.name for p in folder.iterdir()] == ["mine.txt"]
    assert (folder / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert crt("new", "form", "f").returncode == 0 and crt("new", "form", "f").returncode == 2
    (folder / "link.py").symlink_to("nowhere")
    assert crt("new", "form", "link").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "theory my-theory"),
        (("theory",), "crtools new theory my-theory"),
        (("theori", "x"), "did you mean theory?"),
        (("theory", "../x"), "small letters"),
        (("theory", "X"), "small letters"),
        (("theory", ""), "small letters"),
        (("theory", "a b"), "small letters"),
        (("theory", "x" * 300), "at most 40"),
        (("theory", "a\nb"), "small letters"),
        (("policy", "a\x1b[31mb"), "small letters"),
        (("form", "file/below"), "small letters"),
        (("form", "a\x00b"), "small letters"),
        (("form", "random"), "installed module"),
        (("form", "numpy"), "installed module"),
        (("form", "check"), "installed module"),
        (("theory", "adaptive"), "installed module or ledger"),
    ],
)
def test_what_is_refused(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    done = crt("new", *arguments)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    assert not list(folder.iterdir())


def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    folder.chmod(0o500)
    done = crt("new", "form", "f")
    folder.chmod(0o700)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_json() -> None:
    done = crt("new", "form", "f-2", "--json")
    document = json.loads(done.stdout)
    assert document["files"] == ["f_2.py"] and all(c.startswith("crtools ") for c in document["next"])
