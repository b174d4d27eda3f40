"""What the loops over attempts share: those that run, and which of them ends, or is cancelled, next."""

from __future__ import annotations

from typing import Any

from crtools.process.kernels.heap import Heap, add, least, remove
from crtools.process.kernels.jit import Int, part


@part
def started(events: Heap, latest: Any, height: Int, j: Int, end: Int) -> Int:
    """Enter an attempt that ends, or is killed, at ``end``: of such it goes in its turn. Returns the stack's height."""
    latest[height] = j
    add(events, j, end * len(latest) + height)
    return height + 1


@part
def next_end(events: Heap, latest: Any) -> Int:
    """Return when the next attempt ends, −1 where none runs."""
    return least(events) // len(latest)


@part
def next_gone(events: Heap, latest: Any, height: Int, began: Any, t: Int, full: bool) -> tuple[Int, Int]:
    """Take out of those that end at t the one started first, or else, where memory is full, the one started last; −1 if none.

    ``latest``: a stack, of this height, of the attempts that were started, with some that have ended since; ``began``: when
    an attempt that runs was started, −1 of others. Returns the attempt and the stack's height.
    """
    if next_end(events, latest) == t:
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
