"""Pools of requests, from which the one of least key is taken: among equal keys by rank, or by a fresh uniform draw.

The loops in ``event_loop.py`` and ``rising_bounds.py`` keep the waiting requests, and the running ones by their bounds, in pools.
"""

from __future__ import annotations

from typing import NamedTuple

from crtools.numeric_types import IntArray
from crtools.process.kernels.jit import Int, maker, part
from crtools.process.kernels.priority_queue import PriorityQueue, new_queue, push, remove
from crtools.process.kernels.tie_groups import TieGroups, draw_first, join, leave, new_tie_groups


class Pool(NamedTuple):
    """Where ties are drawn, the requests are in ``groups``; else in ``queue``, with their rank as the last entry of the key."""

    queue: PriorityQueue
    groups: TieGroups


@maker
def new_pool(n: Int, width: Int, drawn: bool) -> Pool:
    """Return an empty pool for n requests with keys of this width, without the rank."""
    return Pool(new_queue(0 if drawn else n, width + 1), new_tie_groups(n if drawn else 0, width))


@part
def enter(pool: Pool, i: Int, row: IntArray) -> None:
    """Add a request with the key ``row[0]``."""
    if len(pool.groups.of):
        join(pool.groups, i, row)
    else:
        push(pool.queue, i, row)


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
