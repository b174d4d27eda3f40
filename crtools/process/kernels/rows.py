"""A binary heap of the integers 0, …, size − 1 with rows of int64 as keys, the least row in lexicographic order first."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crtools.process.kernels.jit import Int, maker, part


class RowHeap(NamedTuple):
    """Slot k holds ``items[k]``, the least in slot 0; ``keys[item]`` is its row, ``place[item]`` its slot."""

    items: Any
    keys: Any
    place: Any
    count: Any


@maker
def new_row_heap(size: Int, width: Int) -> RowHeap:
    """Return an empty heap for the items 0, …, size − 1 with rows of this width, all different."""
    keys = np.zeros((size, width), np.int64)
    return RowHeap(np.empty(size, np.int64), keys, np.full(size, -1, np.int64), np.zeros(1, np.int64))


@part
def add(heap: RowHeap, item: Int) -> None:
    """Add an item that is not in the heap, by the row that stands in ``keys``."""
    hole = heap.count[0]
    heap.count[0] += 1
    _rise(heap, hole, item)


@part
def remove(heap: RowHeap, item: Int) -> None:
    """Remove an item that is in the heap."""
    hole = heap.place[item]
    heap.count[0] -= 1
    count = heap.count[0]
    last = heap.items[count]
    while hole < count:
        child = 2 * hole + 1
        if child >= count:
            break
        if child + 1 < count and _before(heap.keys, heap.items[child + 1], heap.items[child]):
            child += 1
        if not _before(heap.keys, heap.items[child], last):
            break
        _set(heap, hole, heap.items[child])
        hole = child
    if hole < count:
        _rise(heap, hole, last)


@part
def _rise(heap: RowHeap, hole: Int, item: Int) -> None:
    while hole:
        parent = (hole - 1) // 2
        if not _before(heap.keys, item, heap.items[parent]):
            break
        _set(heap, hole, heap.items[parent])
        hole = parent
    _set(heap, hole, item)


@part
def _before(keys: Any, one: Int, two: Int) -> bool:
    for k in range(keys.shape[1]):
        if keys[one, k] != keys[two, k]:
            return keys[one, k] < keys[two, k]
    return False


@part
def _set(heap: RowHeap, slot: Int, item: Int) -> None:
    heap.items[slot] = item
    heap.place[item] = slot
