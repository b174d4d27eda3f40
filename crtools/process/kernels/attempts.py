"""What the loops over attempts share: which one ends, or is cancelled, next."""

from __future__ import annotations

from typing import Any

from crtools.process.kernels.heap import Heap, least, remove
from crtools.process.kernels.jit import Int, part


@part
def next_gone(events: Heap, latest: Any, height: Int, began: Any, t: Int, full: bool) -> tuple[Int, Int]:
    """Take out the attempt that ends at t, or else, where memory is full, the one started last; −1 where none goes.

    ``latest``: a stack, of this height, of the attempts that were started, with some that have ended since; ``began``: when
    an attempt that runs was started, −1 of others. Returns the attempt and the stack's height.
    """
    if least(events) == t:
        j = events.items[0]
    elif full:
        height -= 1
        while began[latest[height]] < 0:
            height -= 1
        j = latest[height]
    else:
        return -1, height
    remove(events, j)
    return j, height
