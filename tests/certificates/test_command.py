"""The command line of the judge: whatever it is given, it answers in one line for each thing, and never in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forged import check
from paths import ROOT

from check import command
from check.command import digest
from check.statements import book, of_files

TEXT = """theorem nobody names it(found(m))
  reading every m
  states it
  m >= 1: found(m) = found(m)

theorem two
  reading every n
  states $n + n = 2n$
  n >= 1: n + n = 2*n
"""
OWN = """define twice(n) = 2*n
theorem two(total(n))
  reading every n
  states it
  n >= 1: n + n = total(n)

claim two-jobs
  given total = 2*n
    is twice(n)
level schedule proved
  says n and n are 2n.
  finding total proved: two(twice)
"""


def test_a_theorem_about_a_function_that_nobody_names_is_one_line_and_the_others_are_judged(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(TEXT, encoding="utf-8")
    done = check("--theory", path)
    assert (done.returncode, done.stderr) == (1, "")
    first, second, _ = done.stdout.splitlines()
    assert first == f"{path}, line 1: expected a theorem or a claim that names it with its functions"
    assert second.startswith(f"{path}: 1 facts, 1 theorems: 1 more do not hold")
    path.write_text(TEXT + "\ntheorem three\n  reading r\n  states s\n  1 = 2\n", encoding="utf-8")
    found = json.loads(check("--theory", path, "--json").stdout)["texts"][0]
    assert [line.split(": ")[-1] for line in found["wrong"]] == [
        "expected a theorem or a claim that names it with its functions",
        "the two sides differ",
    ]


def a_certificate(folder: Path, text: Path) -> Path:
    """Write the certificate of the claim in OWN, by the text in a file; return its path."""
    theory = of_files([str(text)]).theories[text.stem]
    document: dict[str, Any] = {"format": command.FORMAT, "ledger": text.stem, "text": theory.digest, "id": "two-jobs"}
    document |= {"level": "schedule", "status": "proved", "given": {"total": "2*n"}, "witness": {}}
    document |= {"findings": {"total": {"status": "proved", "theorems": ["two(twice)"]}}}
    path = folder / "two-jobs.schedule.json"
    path.write_text(json.dumps({**document, "digest": digest(document)}), encoding="utf-8")
    return path


def test_a_renamed_text_and_a_text_that_is_not_given_are_said_with_what_to_do(tmp_path: Path) -> None:
    text, renamed, folder = tmp_path / "own.txt", tmp_path / "new.txt", tmp_path / "certificates"
    folder.mkdir()
    for path in (text, renamed):
        path.write_text(OWN, encoding="utf-8")
    own = a_certificate(folder, text)
    for path in (folder, own):
        assert "1 of 1 verified" in check(path, "--theory", text).stdout
        done = check(path, "--theory", renamed)
        assert "it is of the text own, not new: give the text under this name (--theory own.txt), or " in done.stdout
        done = check(path)
        assert done.returncode == 1 and done.stdout.count("--theory FILE") == 1
        assert "missing certificate" not in done.stdout


def test_the_name_and_the_kind_of_a_file_are_looked_at_before_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[Any] = []
    monkeypatch.setattr(command, "check_document", lambda document, known=None: judged.append(document))
    (name, level), (other, _), *_ = (key for key in book().claims if key[1] == "form")
    for document in ({"kind": "best"}, {"id": other, "level": level}, {"id": name, "level": "other"}, {}, [], "x"):
        path = tmp_path / f"{name}.{level}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        rows = {row["id"]: row["reason"] for row in command.check_folder(str(tmp_path)) if row["level"] == level}
        assert rows[name] == "a certificate of another claim or level"
    assert judged == []


def test_a_closed_pipe_ends_it_in_silence(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text(OWN, encoding="utf-8")
    read, write = os.pipe()
    os.close(read)
    program = [sys.executable, str(ROOT / "check"), "--theory", str(tmp_path / "own.txt")]
    done = subprocess.run(program, stdout=write, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(write)
    assert done.returncode != 0 and done.stderr == ""


FILES: dict[str, bytes] = {
    "binary": b"\x00\xff\xfe\x80",
    "empty": b"",
    "huge": b" " * 1_000_001,
    "utf": b"theorem \xc3\x28\n",
    "bom": b"\xef\xbb\xbftheorem a\n",
    "terminal": b"theorem \x1b[31m\n",
    "deep": b"[" * 100_000,
    "objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "open": b'{"format": 4, "id":',
    "null": b"null",
    "twice": b'{"format": 4, "format": 4}',
    "float": b'{"format": 1e999999}',
    "digits": b'{"format": ' + b"9" * 5000 + b"}",
    "kind": b'{"kind": ["best"], "format": 4}',
    "id": b'{"id": [], "level": {}, "format": 4}',
}


@pytest.mark.parametrize("name", [*FILES, "folder", "pipe", "nothing", "loop"])
def test_whatever_a_file_is_it_takes_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some"
    if name in FILES:
        path.write_bytes(FILES[name])
    elif name == "folder":
        (path / "inside").mkdir(parents=True)
    elif name == "pipe":
        os.mkfifo(path)
    elif name == "loop":
        path.symlink_to(path)
    text = name == "empty"  # a text without a theorem, all of which holds
    try:
        code = command.main(["--theory", str(path)])
    except SystemExit as error:
        code = error.code
    shown = capsys.readouterr()
    assert (code, shown.err.count("\n")) == ((0, 0) if text else (2, 1)), shown.err
    try:
        code = command.main([str(path)])
    except SystemExit as error:
        code = error.code
    shown = capsys.readouterr()
    lines = [line for line in shown.out.splitlines() if "rejected  " in line]
    assert (code, len(lines), shown.err.count("\n")) == ((2, 0, 1) if name in ("nothing", "loop") else (1, 1, 0))
    assert "\x1b" not in shown.out + shown.err


TWICE = """
import sys
from check import statements
packed = statements.packed
statements.packed = lambda name: "define same(a) = a\\n" * (name == "adaptive") + packed(name)
from {module} import main
sys.exit(main({arguments!r}))
"""


@pytest.mark.parametrize(
    ("module", "arguments"), [("crtools.cli", ["verify", "thm-aell"]), ("check.command", [str(ROOT / "docs")])]
)
def test_a_name_that_two_packed_texts_define_is_one_line(module: str, arguments: list[str]) -> None:
    program = [sys.executable, "-c", TWICE.format(module=module, arguments=arguments)]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode in (1, 2) and done.stderr.count("\n") == 1
    assert "beyond.txt, line 5: 'same' stands in two that it builds on" in done.stderr
