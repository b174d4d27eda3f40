"""Pages that take seconds to write: a process of its own writes each while the others are built."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path


@cache
def _started(hook: str) -> subprocess.Popen[str]:
    file = Path(__file__).with_name(f"{hook}.py")
    return subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE, text=True, encoding="utf-8")


def start(hook: str) -> None:
    """Start to run a file of this folder as a program, which prints a page."""
    _started(hook)


def page(hook: str) -> str:
    """Return what it printed. Raises ``ValueError`` where it failed."""
    process = _started(hook)
    text, _ = process.communicate()
    _started.cache_clear()
    if process.returncode:
        raise ValueError(f"docs/hooks/{hook}.py ended with {process.returncode}")
    return text
