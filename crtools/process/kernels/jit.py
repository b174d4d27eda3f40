"""One decorator for everything that is compiled: at the first call, and kept on disk for other processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba

Int: TypeAlias = Any
"""A machine integer: in compiled code an int64, whatever a type checker would infer from NumPy's stubs."""

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function with Numba when it is first called; its compiled code is cached on disk."""
    return cast(F, numba.njit(cache=True)(function))
