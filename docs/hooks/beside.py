"""What takes seconds to write: a process of its own writes each while pages are built."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from multiprocessing import get_context
from typing import Any

Work = Callable[[], Any]

_begun: dict[str, Work] = {}


def start(name: str, work: Work) -> None:
    """Begin some work in a copy of this process, which has all that this one has loaded; where Linux is not, once it is asked for."""
    _begun[name] = cache(_in_a_copy(name, work) if sys.platform == "linux" else work)


def result(name: str) -> Any:
    """Return what the work of a name returned. Raises ``ValueError`` where it failed."""
    return _begun[name]()


def _in_a_copy(name: str, work: Work) -> Work:
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=lambda: theirs.send(work()), daemon=True)
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # NumPy's threads: no copy uses them
        process.start()
    theirs.close()

    def receive() -> Any:
        try:
            return ours.recv()
        except EOFError:
            process.join()
            raise ValueError(f"what writes {name} ended with {process.exitcode}") from None

    return receive
