"""A pool of requests from which one of least bound is taken: by rank, or drawn uniformly and afresh each time.

By rank, a queue of requests. With draws, a queue of the bounds that occur, and a bucket for each of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from crtools.process.kernels.buckets import Buckets, new_buckets, pick, put_in, take_out
from crtools.process.kernels.jit import Int, maker, part
from crtools.process.kernels.priority_queue import PriorityQueue, add, new_queue, remove


class Pool(NamedTuple):
    """``ranks`` is empty where ties are drawn; then bucket b holds the requests with bound b."""

    heap: PriorityQueue
    ranks: Any
    buckets: Buckets


@maker
def new_pool(n: Int, largest: Int, ranks: Any) -> Pool:
    """Return an empty pool for n requests with bounds up to ``largest``."""
    drawn = len(ranks) == 0
    buckets = largest + 1 if drawn else 0
    return Pool(new_queue(buckets if drawn else n, 2), ranks, new_buckets(n if drawn else 0, buckets))


@part
def members(pool: Pool) -> Int:
    """Return a number of requests known to have the least bound: all of them where ties are drawn, else one."""
    return 1 if len(pool.ranks) else pool.buckets.size[pool.heap.items[0]]


@part
def choose(pool: Pool, rng: Any) -> Int:
    """Return the request of least bound that stands first in the ranks, or one drawn uniformly; it stays."""
    top = pool.heap.items[0]
    return top if len(pool.ranks) else pick(pool.buckets, top, rng)


@part
def put(pool: Pool, i: Int, bound: Int) -> None:
    """Add request i with this bound."""
    if len(pool.ranks):
        add(pool.heap, i, bound, pool.ranks[i])
        return
    if pool.buckets.size[bound] == 0:
        add(pool.heap, bound, bound, 0)
    put_in(pool.buckets, bound, i, pool.heap.items, pool.heap.count[0])


@part
def take(pool: Pool, i: Int, bound: Int) -> None:
    """Remove request i, which is in the pool with this bound."""
    if len(pool.ranks):
        remove(pool.heap, i)
        return
    take_out(pool.buckets, bound, i)
    if pool.buckets.size[bound] == 0:
        remove(pool.heap, bound)
