"""Queues of requests for the compiled loops: a priority queue; groups of equal keys, of which one is drawn; and pools, one or the other.

Keys are rows of int64, compared lexicographically. ``engine.py`` makes the queues; ``event_loop.py`` and ``special_loops.py`` use them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crtools.numeric_types import IntArray
from crtools.process.kernels.jit import Int, maker, part


class PriorityQueue(NamedTuple):
    """A binary heap of the integers 0, …, n − 1: slot k holds ``items[k]``, the one of least key in slot 0.

    ``keys[item]`` is the key of an item, ``place[item]`` its slot while it is in the queue. ``counts[0]`` is the number of items.
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
    """Return whether row a of one table is before row b of another: lexicographically, on the columns that both have."""
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
def remove(queue: PriorityQueue, item: Int) -> None:
    """Remove an item that is in the queue."""
    hole = queue.place[item]
    queue.place[item] = -1
    queue.counts[0] -= 1
    if hole < queue.counts[0]:
        _sink(queue, hole, queue.items[queue.counts[0]])


@part
def change(queue: PriorityQueue, item: Int, first: Int, second: Int) -> None:
    """Give an item that is in the queue another key of two entries."""
    queue.keys[item, 0], queue.keys[item, 1] = first, second
    _sink(queue, queue.place[item], item)


@part
def _sink(queue: PriorityQueue, hole: Int, item: Int) -> None:
    while True:
        child = 2 * hole + 1
        if child >= queue.counts[0]:
            break
        right = child + 1
        if right < queue.counts[0] and is_before(queue.keys, queue.items[right], queue.keys, queue.items[child]):
            child = right
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


class TieGroups(NamedTuple):
    """Groups of requests with equal keys; one of the group of least key is drawn uniformly, afresh each time.

    Rows are in decreasing order of their keys, so the least is last: row k has the key ``keys[k]`` and the requests of bucket
    ``bucket[k]``. Bucket b holds ``cells[start[b] : start[b] + size[b]]``, and has ``room[b]`` cells. A full bucket moves to the end of
    the array, with half as much room again; when the array is full, all buckets are laid out anew. So on average a draw and a removal
    take constant time, and an addition O(log k) for k keys; with a new key, or the last request of one, O(k).

    ``free``: buckets that are not in use; ``of[item]``, ``place[item]``: the bucket of a request, and where it stands there;
    ``counts``: rows, free buckets, requests, cells in use.
    """

    keys: IntArray
    bucket: IntArray
    free: IntArray
    start: IntArray
    size: IntArray
    room: IntArray
    of: IntArray
    place: IntArray
    cells: npt.NDArray[np.int32]
    counts: IntArray


@maker
def new_tie_groups(n: int, width: int) -> TieGroups:
    """Return no groups, with room for n requests and keys of this width."""
    return TieGroups(
        np.empty((n, width), np.int64), np.empty(n, np.int64), np.arange(n)[::-1].copy(), np.zeros(n, np.int64),
        np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64),
        np.empty(4 * n + 16, np.int32), np.array([0, n, 0, 0]),
    )  # fmt: skip


@part
def join(groups: TieGroups, item: Int, row: IntArray) -> None:
    """Add a request that is in no group, with the key ``row[0]``."""
    low, high = 0, groups.counts[0]
    while low < high:  # the first row whose key is not greater
        middle = (low + high) // 2
        if is_before(row, 0, groups.keys, middle):
            low = middle + 1
        else:
            high = middle
    if low == groups.counts[0] or is_before(groups.keys, low, row, 0):
        for k in range(groups.counts[0], low, -1):
            _copy(groups, k, k - 1)
        groups.counts[0] += 1
        groups.counts[1] -= 1
        groups.bucket[low] = groups.free[groups.counts[1]]
        for c in range(groups.keys.shape[1]):
            groups.keys[low, c] = row[0, c]
    b = groups.bucket[low]
    if groups.size[b] == groups.room[b]:
        _enlarge(groups, b)
    groups.of[item], groups.place[item] = b, groups.size[b]
    groups.cells[groups.start[b] + groups.size[b]] = item
    groups.size[b] += 1
    groups.counts[2] += 1


@part
def leave(groups: TieGroups, item: Int) -> None:
    """Remove a request from its group, where the last one in its bucket takes its place, and a group without requests."""
    b = groups.of[item]
    groups.counts[2] -= 1
    groups.size[b] -= 1
    last = groups.cells[groups.start[b] + groups.size[b]]
    groups.cells[groups.start[b] + groups.place[item]] = last
    groups.place[last] = groups.place[item]
    if groups.size[b] == 0:
        groups.counts[0] -= 1
        row = groups.counts[0]
        while groups.bucket[row] != b:
            row -= 1
        for k in range(row, groups.counts[0]):
            _copy(groups, k, k + 1)
        groups.free[groups.counts[1]] = b
        groups.counts[1] += 1


@part
def draw_first(groups: TieGroups, number: float) -> Int:
    """Return a request of the group of least key, by a uniform number in [0, 1); it stays. There must be one."""
    b = groups.bucket[groups.counts[0] - 1]
    return np.int64(groups.cells[groups.start[b] + np.int64(number * groups.size[b])])


@part
def first_size(groups: TieGroups) -> Int:
    """Return the size of the group of least key. There must be one."""
    return groups.size[groups.bucket[groups.counts[0] - 1]]


@part
def _enlarge(groups: TieGroups, b: Int) -> None:
    size = groups.size[b]
    wanted = size + size // 2 + 2
    if groups.counts[3] + wanted > len(groups.cells):
        _lay_out(groups)
        if size < groups.room[b]:
            return
    old, new = groups.start[b], groups.counts[3]
    for k in range(size):
        groups.cells[new + k] = groups.cells[old + k]
    groups.start[b], groups.room[b] = new, wanted
    groups.counts[3] += wanted


@maker
def _lay_out(groups: TieGroups) -> None:
    cells = groups.cells.copy()
    used = 0
    groups.room[:] = 0
    for b in groups.bucket[: groups.counts[0]]:
        size = groups.size[b]
        for i in range(size):
            groups.cells[used + i] = cells[groups.start[b] + i]
        groups.start[b], groups.room[b] = used, size + size // 4 + 1
        used += groups.room[b]
    groups.counts[3] = used


@part
def _copy(groups: TieGroups, to: Int, k: Int) -> None:
    groups.bucket[to] = groups.bucket[k]
    for c in range(groups.keys.shape[1]):
        groups.keys[to, c] = groups.keys[k, c]


class Pool(NamedTuple):
    """A pool from which the request of least key is taken: among equal keys by rank, or by a fresh uniform draw.

    Where ties are drawn, the requests are in ``groups``; else in ``queue``, with their rank as the last entry of the key.
    """

    queue: PriorityQueue
    groups: TieGroups


@maker
def new_pool(n: Int, width: Int, drawn: bool) -> Pool:
    """Return an empty pool for n requests with keys of this width, without the rank."""
    return Pool(new_queue(0 if drawn else n, width + 1), new_tie_groups(n if drawn else 0, width))


@part
def enter(pool: Pool, i: Int, row: IntArray) -> None:
    """Add a request with the key ``row[0]``, whose last entry is the rank unless ties are drawn."""
    if len(pool.groups.of):
        join(pool.groups, i, row)
        return
    for k in range(2, pool.queue.keys.shape[1]):
        pool.queue.keys[i, k] = row[0, k]
    add(pool.queue, i, row[0, 0], row[0, 1])


@part
def take(pool: Pool, i: Int) -> None:
    """Remove a request that is in the pool."""
    if len(pool.groups.of):
        leave(pool.groups, i)
    else:
        remove(pool.queue, i)


@part
def size(pool: Pool) -> Int:
    """Return the number of requests in the pool."""
    return pool.groups.counts[2] if len(pool.groups.of) else pool.queue.counts[0]


@part
def first(pool: Pool, number: float) -> Int:
    """Return the first request of a pool that is not empty, drawn by a uniform number in [0, 1) among ties; it stays."""
    return draw_first(pool.groups, number) if len(pool.groups.of) else pool.queue.items[0]
