"""A pool of requests from which one of least bound is taken: by rank, or drawn uniformly and afresh each time.

By rank, a heap of requests. With draws, a heap of the bounds that occur, and for each of them a bucket: a stretch of
one shared array, which moves to the end of the array with half as much room again where it is full; when the array
is full, all buckets are laid out anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crtools.process.kernels.heap import Heap, add, new_heap, remove
from crtools.process.kernels.jit import Int, compiled


class Pool(NamedTuple):
    """``ranks`` is empty where ties are drawn; bucket b holds ``cells[first[b] : first[b] + size[b]]``."""

    heap: Heap
    ranks: Any
    cells: Any
    first: Any
    size: Any
    room: Any
    place: Any
    used: Any


@compiled
def new_pool(n: Int, largest: Int, ranks: Any) -> Pool:
    """Return an empty pool for n requests with bounds up to ``largest``."""
    drawn = len(ranks) == 0
    buckets = largest + 1 if drawn else 0
    return Pool(
        new_heap(buckets if drawn else n),
        ranks,
        np.empty(4 * n + 16 if drawn else 0, np.int32),
        np.zeros(buckets, np.int64),
        np.zeros(buckets, np.int64),
        np.zeros(buckets, np.int64),
        np.zeros(n if drawn else 0, np.int64),
        np.zeros(1, np.int64),
    )


@compiled
def members(pool: Pool) -> Int:
    """Return a number of requests known to have the least bound: all of them where ties are drawn, else one."""
    return 1 if len(pool.ranks) else pool.size[pool.heap.items[0]]


@compiled
def choose(pool: Pool, rng: Any) -> Int:
    """Return the request of least bound that stands first in the ranks, or one drawn uniformly; it stays."""
    top = pool.heap.items[0]
    if len(pool.ranks):
        return top
    return np.int64(pool.cells[pool.first[top] + np.int64(rng.random() * pool.size[top])])


@compiled
def put(pool: Pool, i: Int, bound: Int) -> None:
    """Add request i with this bound."""
    if len(pool.ranks):
        add(pool.heap, i, bound * len(pool.ranks) + pool.ranks[i])
        return
    if pool.size[bound] == 0:
        add(pool.heap, bound, bound)
    if pool.size[bound] == pool.room[bound]:
        _enlarge(pool, bound)
    pool.place[i] = pool.size[bound]
    pool.cells[pool.first[bound] + pool.size[bound]] = i
    pool.size[bound] += 1


@compiled
def take(pool: Pool, i: Int, bound: Int) -> None:
    """Remove request i, which is in the pool with this bound."""
    if len(pool.ranks):
        remove(pool.heap, i)
        return
    pool.size[bound] -= 1
    last = pool.cells[pool.first[bound] + pool.size[bound]]
    pool.cells[pool.first[bound] + pool.place[i]] = last
    pool.place[last] = pool.place[i]
    if pool.size[bound] == 0:
        remove(pool.heap, bound)


@compiled
def _enlarge(pool: Pool, bound: Int) -> None:
    size = pool.size[bound]
    wanted = size + size // 2 + 2
    if pool.used[0] + wanted > len(pool.cells):
        _lay_out(pool)
        if size < pool.room[bound]:
            return
    old, new = pool.first[bound], pool.used[0]
    for k in range(size):
        pool.cells[new + k] = pool.cells[old + k]
    pool.first[bound], pool.room[bound] = new, wanted
    pool.used[0] += wanted


@compiled
def _lay_out(pool: Pool) -> None:
    cells = pool.cells.copy()
    used = 0
    pool.room[:] = 0
    for k in range(pool.heap.count[0]):
        b = pool.heap.items[k]
        size = pool.size[b]
        for i in range(size):
            pool.cells[used + i] = cells[pool.first[b] + i]
        pool.first[b], pool.room[b] = used, size + size // 4 + 1
        used += pool.room[b]
    pool.used[0] = used
