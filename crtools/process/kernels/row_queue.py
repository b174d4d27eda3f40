"""A priority queue of the integers 0, …, n − 1 whose keys are rows of int64, compared lexicographically."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crtools.process.kernels.jit import Int, part


class RowQueue(NamedTuple):
    """A binary heap: slot k holds ``items[k]`` with the key ``keys[k]``, the least in slot 0.

    ``place[item]`` is its slot, −1 outside; ``count[0]`` is the number of items.
    """

    items: Any
    keys: Any
    place: Any
    count: Any


def new_row_queue(n: int, width: int) -> RowQueue:
    """Return an empty queue for n items with keys of this width, at least 2."""
    place = np.full(n, -1, np.int64)
    return RowQueue(np.empty(n, np.int64), np.empty((n, width), np.int64), place, np.zeros(1, np.int64))


@part
def is_before(one: Any, a: Int, two: Any, b: Int) -> bool:
    """Return whether row a of one table comes before row b of another."""
    if one[a, 0] != two[b, 0]:
        return one[a, 0] < two[b, 0]
    for k in range(1, min(one.shape[1], two.shape[1])):
        if one[a, k] != two[b, k]:
            return one[a, k] < two[b, k]
    return False


@part
def push(queue: RowQueue, item: Int, row: Any) -> None:
    """Add an item that is not in the queue, with the key ``row[0]``."""
    hole = queue.count[0]
    queue.count[0] += 1
    while hole and is_before(row, 0, queue.keys, (hole - 1) // 2):
        _set(queue, hole, queue.items[(hole - 1) // 2], queue.keys, (hole - 1) // 2)
        hole = (hole - 1) // 2
    _set(queue, hole, item, row, 0)


@part
def remove(queue: RowQueue, item: Int) -> None:
    """Remove an item that is in the queue."""
    hole = queue.place[item]
    queue.place[item] = -1
    queue.count[0] -= 1
    last = queue.count[0]
    if hole == last:
        return
    while 2 * hole + 1 < last:
        child = 2 * hole + 1
        if child + 1 < last and is_before(queue.keys, child + 1, queue.keys, child):
            child += 1
        if not is_before(queue.keys, child, queue.keys, last):
            break
        _set(queue, hole, queue.items[child], queue.keys, child)
        hole = child
    while hole and is_before(queue.keys, last, queue.keys, (hole - 1) // 2):
        _set(queue, hole, queue.items[(hole - 1) // 2], queue.keys, (hole - 1) // 2)
        hole = (hole - 1) // 2
    _set(queue, hole, queue.items[last], queue.keys, last)


@part
def _set(queue: RowQueue, slot: Int, item: Int, keys: Any, row: Int) -> None:
    queue.items[slot], queue.place[item] = item, slot
    queue.keys[slot, 0], queue.keys[slot, 1] = keys[row, 0], keys[row, 1]
    for k in range(2, queue.keys.shape[1]):
        queue.keys[slot, k] = keys[row, k]
