"""Completion in a shell: what argcomplete, asked as bash asks it, offers after a few letters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from amount import every_third

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
        ("crtools derive --ov", {"--over"}),
        ("crtools verify trac", {"trace"}),
        ("crtools figure log", {"log-fit"}),
        ("crtools ratio own", {"own.py"}),
    ]),
)  # fmt: skip
def test_names_and_options_are_offered(line: str, words: set[str], tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("")
    (tmp_path / "own.txt").write_text("")
    assert offered(line, tmp_path) == words
