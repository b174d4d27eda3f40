"""A binary heap of the integers 0, …, size − 1 with int64 keys, from which any member can be removed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crtools.process.kernels.jit import Int, maker, part


class Heap(NamedTuple):
    """Slot k holds ``items[k]`` with ``keys[k]``, the least in slot 0; ``place[item]`` is its slot, −1 outside."""

    items: Any
    keys: Any
    place: Any
    count: Any


@maker
def new_heap(size: Int) -> Heap:
    """Return an empty heap for the items 0, …, size − 1."""
    place = np.full(size, -1, np.int64)
    return Heap(np.empty(size, np.int64), np.empty(size, np.int64), place, np.zeros(1, np.int64))


@part
def least(heap: Heap) -> Int:
    """Return the least key, or −1 of an empty heap."""
    return heap.keys[0] if heap.count[0] else -1


@part
def add(heap: Heap, item: Int, key: Int) -> None:
    """Add an item that is not in the heap."""
    hole = heap.count[0]
    heap.count[0] += 1
    _rise(heap, hole, item, key)


@part
def remove(heap: Heap, item: Int) -> None:
    """Remove an item that is in the heap."""
    hole = heap.place[item]
    heap.place[item] = -1
    heap.count[0] -= 1
    count = heap.count[0]
    if hole < count:
        _sink(heap, hole, heap.items[count], heap.keys[count])


@part
def change(heap: Heap, item: Int, key: Int) -> None:
    """Give an item that is in the heap a larger key."""
    _sink(heap, heap.place[item], item, key)


@part
def _sink(heap: Heap, hole: Int, item: Int, key: Int) -> None:
    count = heap.count[0]
    while True:
        child = 2 * hole + 1
        if child >= count:
            break
        if child + 1 < count and heap.keys[child + 1] < heap.keys[child]:
            child += 1
        if heap.keys[child] >= key:
            break
        _set(heap, hole, heap.items[child], heap.keys[child])
        hole = child
    _rise(heap, hole, item, key)


@part
def _rise(heap: Heap, hole: Int, item: Int, key: Int) -> None:
    while hole:
        parent = (hole - 1) // 2
        if heap.keys[parent] <= key:
            break
        _set(heap, hole, heap.items[parent], heap.keys[parent])
        hole = parent
    _set(heap, hole, item, key)


@part
def _set(heap: Heap, slot: Int, item: Int, key: Int) -> None:
    heap.items[slot] = item
    heap.keys[slot] = key
    heap.place[item] = slot
