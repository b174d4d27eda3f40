"""A log of cancellations: rows (request, start, age, bound) in an array that doubles where it is full."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.jit import Int, compiled


@compiled
def new_log(kept: bool) -> Any:
    """Return an empty log, without room where nothing is to be kept."""
    return np.empty((64 if kept else 0, 4), np.int64)


@compiled
def noted(log: Any, row: Int, request: Int, start: Int, age: Int, bound: Int) -> Any:
    """Return the log with this row: the request, its start, its age when it was cancelled, its bound at the start."""
    if row == len(log):
        longer = np.empty((2 * row, 4), np.int64)
        for k in range(row):
            for column in range(4):
                longer[k, column] = log[k, column]
        log = longer
    log[row, 0], log[row, 1], log[row, 2], log[row, 3] = request, start, age, bound
    return log
