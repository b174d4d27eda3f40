"""Commands as a user gives them, run in this process: the exit code, and what is printed where."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

from crtools.cli import main


class Done(NamedTuple):
    """What a command left behind, under the names of ``subprocess.CompletedProcess``."""

    returncode: int
    stdout: str
    stderr: str


def crt(*arguments: str) -> Done:
    """Run a command without a process of its own, which takes longer to start than most commands take."""
    return run(main, *arguments)


def run(program: Callable[[Sequence[str]], int], *arguments: str) -> Done:
    """Run the main function of a program in this process."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            code = program(arguments)
        except SystemExit as left:  # the parser's own
            code = int(left.code or 0)
    return Done(code, out.getvalue(), error.getvalue())
