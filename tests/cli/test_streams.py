"""Output that is closed or full: the exit code stays what the command's outcome is, and nothing is a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from amount import every_third

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full and a POSIX shell")
GOOD, BAD = 'ratio "uniform(1, 9)"', 'ratio "geometric(q=2)"'


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("arguments", "streams", "code"),
    every_third([
        (GOOD, ">&-", 0), (GOOD, "2>&-", 0), (GOOD, ">&- 2>&-", 0), (GOOD, "2>/dev/full", 0), (GOOD, ">/dev/full", 1),
        (BAD, "2>&-", 2), (BAD, "2>/dev/full", 2), (BAD, ">&-", 2), (BAD, ">/dev/full", 2),
        ("no-such-command", "2>/dev/full", 2), ("ratio --no-such", "2>/dev/full", 2), ("ratio --no-such", "2>&-", 2),
        ("verify t1 --show --no-cache", ">&-", 0), ("--version", ">&-", 0),
    ], step=5),
)  # fmt: skip
def test_closed_and_full_streams(arguments: str, streams: str, code: int) -> None:
    command = f'exec "{sys.executable}" -m crtools {arguments} {streams}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stdout + done.stderr) == (code, False)
    assert done.stderr.count("\n") == (1 if "2>" not in streams and code else 0)
