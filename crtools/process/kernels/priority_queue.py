"""A priority queue of the integers 0, …, n − 1 whose keys are rows of int64, compared lexicographically; for all compiled loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crtools.numeric_types import IntArray
from crtools.process.kernels.jit import Int, maker, part


class PriorityQueue(NamedTuple):
    """A binary heap: slot k holds ``items[k]`` with the key ``keys[k]``, the least in slot 0.

    ``place[item]`` is the slot of an item, −1 if it is not in the queue. ``counts[0]`` is the number of items. ``row`` is scratch
    space for the key of :func:`add` and :func:`change`.
    """

    items: IntArray
    keys: IntArray
    place: IntArray
    counts: IntArray
    row: IntArray


@maker
def new_queue(n: Int, width: Int) -> PriorityQueue:
    """Return an empty queue for n items with keys of this width, at least 2."""
    items, keys, place = np.empty(n, np.int64), np.empty((n, width), np.int64), np.full(n, -1, np.int64)
    return PriorityQueue(items, keys, place, np.zeros(1, np.int64), np.zeros((1, width), np.int64))


@part
def first_key(queue: PriorityQueue) -> Int:
    """Return the first entry of the least key, or −1 of an empty queue."""
    return queue.keys[0, 0] if queue.counts[0] else -1


@part
def is_before(one: IntArray, a: Int, two: IntArray, b: Int) -> bool:
    """Return whether row a of one table comes before row b of another."""
    if one[a, 0] != two[b, 0]:
        return one[a, 0] < two[b, 0]
    for k in range(1, min(one.shape[1], two.shape[1])):
        if one[a, k] != two[b, k]:
            return one[a, k] < two[b, k]
    return False


@part
def add(queue: PriorityQueue, item: Int, first: Int, second: Int) -> None:
    """Add an item that is not in the queue, with a key of two entries."""
    queue.row[0, 0], queue.row[0, 1] = first, second
    push(queue, item, queue.row)


@part
def push(queue: PriorityQueue, item: Int, row: IntArray) -> None:
    """Add an item that is not in the queue, with the key ``row[0]``."""
    queue.counts[0] += 1
    _rise(queue, queue.counts[0] - 1, item, row, 0)


@part
def remove(queue: PriorityQueue, item: Int) -> None:
    """Remove an item that is in the queue."""
    hole = queue.place[item]
    queue.place[item] = -1
    queue.counts[0] -= 1
    last = queue.counts[0]
    if hole < last:
        _sink(queue, hole, queue.items[last], queue.keys, last)


@part
def change(queue: PriorityQueue, item: Int, first: Int, second: Int) -> None:
    """Give an item that is in the queue a larger key of two entries."""
    queue.row[0, 0], queue.row[0, 1] = first, second
    _sink(queue, queue.place[item], item, queue.row, 0)


@part
def _sink(queue: PriorityQueue, hole: Int, item: Int, keys: IntArray, row: Int) -> None:
    count = queue.counts[0]
    while True:
        child = 2 * hole + 1
        if child >= count:
            break
        if child + 1 < count and is_before(queue.keys, child + 1, queue.keys, child):
            child += 1
        if not is_before(queue.keys, child, keys, row):
            break
        _set(queue, hole, queue.items[child], queue.keys, child)
        hole = child
    _rise(queue, hole, item, keys, row)


@part
def _rise(queue: PriorityQueue, hole: Int, item: Int, keys: IntArray, row: Int) -> None:
    while hole:
        parent = (hole - 1) // 2
        if not is_before(keys, row, queue.keys, parent):
            break
        _set(queue, hole, queue.items[parent], queue.keys, parent)
        hole = parent
    _set(queue, hole, item, keys, row)


@part
def _set(queue: PriorityQueue, slot: Int, item: Int, keys: IntArray, row: Int) -> None:
    queue.items[slot], queue.place[item] = item, slot
    queue.keys[slot, 0], queue.keys[slot, 1] = keys[row, 0], keys[row, 1]
    for k in range(2, queue.keys.shape[1]):
        queue.keys[slot, k] = keys[row, k]
