"""A priority queue of the integers 0, …, n − 1 whose keys are rows of int64, compared lexicographically; for all compiled loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crtools.numeric_types import IntArray
from crtools.process.kernels.jit import Int, maker, part


class PriorityQueue(NamedTuple):
    """A binary heap: slot k holds ``items[k]``, the one of least key in slot 0; ``keys[item]`` is the key of an item.

    ``place[item]`` is the slot of an item, −1 if it is not in the queue. ``counts[0]`` is the number of items.
    """

    items: IntArray
    keys: IntArray
    place: IntArray
    counts: IntArray


@maker
def new_queue(n: Int, width: Int) -> PriorityQueue:
    """Return an empty queue for n items with keys of this width, at least 2."""
    items, keys, place = np.empty(n, np.int64), np.empty((n, width), np.int64), np.full(n, -1, np.int64)
    return PriorityQueue(items, keys, place, np.zeros(1, np.int64))


@part
def first_key(queue: PriorityQueue) -> Int:
    """Return the first entry of the least key, or −1 of an empty queue."""
    return queue.keys[queue.items[0], 0] if queue.counts[0] else -1


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
    queue.keys[item, 0], queue.keys[item, 1] = first, second
    queue.counts[0] += 1
    _rise(queue, queue.counts[0] - 1, item)


@part
def push(queue: PriorityQueue, item: Int, row: IntArray) -> None:
    """Add an item that is not in the queue, with the key ``row[0]``."""
    for k in range(2, queue.keys.shape[1]):
        queue.keys[item, k] = row[0, k]
    add(queue, item, row[0, 0], row[0, 1])


@part
def remove(queue: PriorityQueue, item: Int) -> None:
    """Remove an item that is in the queue."""
    hole = queue.place[item]
    queue.place[item] = -1
    queue.counts[0] -= 1
    if hole < queue.counts[0]:
        _sink(queue, hole, queue.items[queue.counts[0]])


@part
def change(queue: PriorityQueue, item: Int, first: Int, second: Int) -> None:
    """Give an item that is in the queue a larger key of two entries."""
    queue.keys[item, 0], queue.keys[item, 1] = first, second
    _sink(queue, queue.place[item], item)


@part
def _sink(queue: PriorityQueue, hole: Int, item: Int) -> None:
    while True:
        child = 2 * hole + 1
        if child >= queue.counts[0]:
            break
        if child + 1 < queue.counts[0] and is_before(
            queue.keys, queue.items[child + 1], queue.keys, queue.items[child]
        ):
            child += 1
        if not is_before(queue.keys, queue.items[child], queue.keys, item):
            break
        _set(queue, hole, queue.items[child])
        hole = child
    _rise(queue, hole, item)


@part
def _rise(queue: PriorityQueue, hole: Int, item: Int) -> None:
    while hole:
        parent = (hole - 1) // 2
        if not is_before(queue.keys, item, queue.keys, queue.items[parent]):
            break
        _set(queue, hole, queue.items[parent])
        hole = parent
    _set(queue, hole, item)


@part
def _set(queue: PriorityQueue, slot: Int, item: Int) -> None:
    queue.items[slot], queue.place[item] = item, slot
