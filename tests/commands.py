"""Commands as a user gives them, run in this process: the exit code, and what is printed where."""

from __future__ import annotations

import contextlib
import io
from typing import NamedTuple

from crtools.cli import main


class Done(NamedTuple):
    """What a command left behind, under the names of ``subprocess.CompletedProcess``."""

    returncode: int
    stdout: str
    stderr: str


def crt(*arguments: str) -> Done:
    """Run a command without a process of its own, which takes longer to start than most commands take."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            code = main(arguments)
        except SystemExit as left:  # the parser's own
            code = int(left.code or 0)
    return Done(code, out.getvalue(), error.getvalue())
