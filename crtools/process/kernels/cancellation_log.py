"""What cancellations cost, and a log of them: rows (request, start, age, bound) in an array that doubles when full."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.jit import Int, maker


@maker
def new_log(kept: bool) -> Any:
    """Return an empty log, without room where nothing is to be kept."""
    return np.empty((64 if kept else 0, 4), np.int64)


@maker
def noted(log: Any, lost: Any, s: Int, request: Int, start: Int, age: Int, bound: Int) -> Any:
    """Return the log with this row, if it has room at all: the request, its start, its age now, its bound at the start.

    ``lost`` has the number of cancellations, the tokens and the token-instants that they cost; this one is added.
    """
    row = lost[0]
    lost[0] += 1
    lost[1] += age
    lost[2] += s * age + age * (age + 1) // 2
    if len(log) == 0:
        return log
    if row == len(log):
        longer = np.empty((2 * row, 4), np.int64)
        for k in range(row):  # entry by entry: an assignment of arrays takes Numba four seconds to compile
            for field in range(4):
                longer[k, field] = log[k, field]
        log = longer
    log[row, 0], log[row, 1], log[row, 2], log[row, 3] = request, start, age, bound
    return log
