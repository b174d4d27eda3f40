"""Completion in a shell: what argcomplete, asked as bash asks it, offers after a few letters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from amount import every_third

from crtools.cli import completion

pytest.importorskip("argcomplete")


def offered(line: str, folder: Path) -> set[str]:
    """Return what is offered at the end of a line."""
    out = folder / "answer"
    asked = {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(out), "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_TYPE": "9", "_ARGCOMPLETE_COMP_WORDBREAKS": " ",
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "crtools"], env={**os.environ, **asked}, cwd=folder, check=False, capture_output=True
    )
    return {word.strip().replace("\\", "") for word in out.read_text().split("\n")}


@pytest.mark.parametrize(
    ("line", "words"),
    every_third([
        ("crtools wors", {"worst-case"}),
        ("crtools ratio a-mi", {"a-min", "a-min-literal-area"}),
        ("crtools compare a-rest", {"a-restart"}),
        ("crtools compare h-sf --clock s", {"steps", "seconds"}),
        ("crtools derive --ov", {"--over"}),
        ("crtools verify trac", {"trace"}),
        ("crtools figure log", {"log-fit"}),
        ("crtools ratio own", {"own.py"}),
        ("crtools guar", {"guarantees"}),
    ]),
)  # fmt: skip
def test_names_and_options_are_offered(line: str, words: set[str], tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("")
    (tmp_path / "own.txt").write_text("")
    assert offered(line, tmp_path) == words


def test_names_in_a_file_are_offered_and_it_is_not_run(tmp_path: Path) -> None:
    own = """
from pathlib import Path
Path("was-run").touch()
COIN = OTHER = 3
COHORT: int = 4
only: int
first, (COMB, *rest) = 1, (2, 3)
_hidden = COIN.real = rest[only] = [(CODE := inner) for inner in rest]
def COPY(): COMPUTED = 6
"""
    (tmp_path / "own.py").write_text(own)
    (tmp_path / "bad.py").write_text("CO = (")
    (tmp_path / "bytes.py").write_bytes(b"CO = 1\0\xff")
    assert offered("crtools compare own.py:CO", tmp_path) == {"own.py:COIN", "own.py:COHORT", "own.py:COMB"}
    assert not (tmp_path / "was-run").exists()
    assert completion.names_in_file("own.py:") == []
    found = completion.names_in_file(f"{tmp_path}/own.py:")
    assert [name.split(":")[1] for name in found] == ["COIN", "OTHER", "first", "COMB", "rest", "COHORT"]
    for text in ("bad.py:", "bytes.py:", "none.py:", "own.py", "own.txt:", ":", ""):
        assert completion.names_in_file(str(tmp_path / text) if text else text) == []
