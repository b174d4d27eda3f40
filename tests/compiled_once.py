"""A loop that several processes of a run need is compiled by one of them; the others wait for it and read it from disk."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def one_process_at_a_time(compile: Callable[..., None], folder: Path) -> Callable[..., None]:
    """Return ``compile`` that waits while another process compiles the same function; Numba then finds the code on disk."""

    def locked(function: Any, kinds: Any) -> None:
        with (folder / f"{function.py_func.__name__}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            compile(function, kinds)

    return locked


def wait_for_each_other() -> None:
    """Let the processes of a run compile each loop once. They share the folder of the run."""
    from crtools.process.kernels import jit

    jit._compile = one_process_at_a_time(jit._compile, Path(os.environ["XDG_CACHE_HOME"]))  # pyright: ignore
