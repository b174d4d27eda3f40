"""One decorator for everything that is compiled: at the first call, and kept on disk for other processes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias, TypeVar, cast

import numba

Int: TypeAlias = Any
"""A machine integer: in compiled code an int64, whatever a type checker would infer from NumPy's stubs."""

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function with Numba when it is first called; its compiled code is cached on disk, where there is a place."""
    try:
        return cast(F, numba.njit(cache=True)(function))
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        _say_uncached()
        return cast(F, numba.njit(function))


@cache
def _say_uncached() -> None:
    """Say once in each process why the first run takes long."""
    print(
        "crtools: compiling anew in each run: no folder for compiled code can be written (NUMBA_CACHE_DIR names one)",
        file=sys.stderr,
    )
