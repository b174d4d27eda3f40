"""Requests in groups of equal keys: one of the group of least key is drawn, uniformly and afresh each time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crtools.process.kernels.buckets import Buckets, new_buckets, pick, put_in, take_out
from crtools.process.kernels.jit import Int, maker, part
from crtools.process.kernels.rows import RowHeap, add, new_row_heap, remove

SAME, SIZE, LENGTH = range(3)
"""Columns of ``kinds``: whether all that a group has had since it was empty were of one kind, and the least s and length."""


class Groups(NamedTuple):
    """A heap of the groups that are not empty, a bucket for each group, and what kinds of requests it has had."""

    heap: RowHeap
    buckets: Buckets
    kinds: Any


@maker
def new_groups(n: Int, groups: Int, width: Int) -> Groups:
    """Return so many empty groups, with keys of this width, for n requests."""
    return Groups(new_row_heap(groups, width), new_buckets(n, groups), np.zeros((groups, 3), np.int64))


def more_groups(groups: Groups, count: int) -> Groups:
    """Return the same with so many groups."""
    heap, buckets = groups.heap, groups.buckets
    heap = heap._replace(**{name: _longer(getattr(heap, name), count) for name in ("items", "keys", "place")})
    buckets = buckets._replace(**{name: _longer(getattr(buckets, name), count) for name in ("first", "size", "room")})
    return Groups(heap, buckets, _longer(groups.kinds, count))


def _longer(column: Any, count: int) -> Any:
    longer = np.zeros((count, *column.shape[1:]), column.dtype)
    longer[: len(column)] = column
    return longer


@part
def join(groups: Groups, g: Int, i: Int, s: Int, length: Int) -> None:
    """Add request i, which is in no group, to group g, whose key stands in ``heap.keys``."""
    kinds = groups.kinds
    if groups.buckets.size[g] == 0:
        add(groups.heap, g)
        kinds[g, SAME], kinds[g, SIZE], kinds[g, LENGTH] = 1, s, length
    elif s != kinds[g, SIZE] or length != kinds[g, LENGTH]:
        kinds[g, SAME] = 0
        kinds[g, SIZE], kinds[g, LENGTH] = min(s, kinds[g, SIZE]), min(length, kinds[g, LENGTH])
    put_in(groups.buckets, g, i, groups.heap.items, groups.heap.count[0])


@part
def quit_group(groups: Groups, g: Int, i: Int) -> None:
    """Remove request i from its group g."""
    take_out(groups.buckets, g, i)
    if groups.buckets.size[g] == 0:
        remove(groups.heap, g)


@part
def drawn_first(groups: Groups, rng: Any) -> Int:
    """Return one of the group of least key, drawn uniformly; it stays."""
    return pick(groups.buckets, groups.heap.items[0], rng)
