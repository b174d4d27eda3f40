"""Groups of requests with equal keys; a request of the group of least key is drawn uniformly, afresh each time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crtools.numeric_types import IntArray
from crtools.process.kernels.buckets import Buckets, new_buckets, pick, put_in, take_out
from crtools.process.kernels.jit import Int, maker, part
from crtools.process.kernels.priority_queue import is_before


class TieGroups(NamedTuple):
    """Groups in decreasing order of their keys: row k has the key ``keys[k]`` and the requests of bucket ``bucket[k]``.

    ``free``: buckets that are not in use; ``of[item]``: the bucket of a request; ``counts``: rows, free buckets, requests.
    """

    keys: IntArray
    bucket: IntArray
    free: IntArray
    of: IntArray
    counts: IntArray
    buckets: Buckets


@maker
def new_tie_groups(n: int, width: int) -> TieGroups:
    """Return no groups, with room for n requests and keys of this width."""
    size = n + 2 if n else 0
    return TieGroups(
        np.empty((size, width), np.int64), np.empty(size, np.int64), np.arange(size)[::-1].copy(), np.zeros(n, np.int64),
        np.array([0, size, 0]), new_buckets(n, size),
    )  # fmt: skip


@part
def join(groups: TieGroups, item: Int, row: IntArray) -> None:
    """Add a request that is in no group, with the key ``row[0]``."""
    if groups.counts[0] == len(groups.keys):
        _remove_empty(groups)
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
    groups.of[item] = groups.bucket[low]
    groups.counts[2] += 1
    put_in(groups.buckets, groups.bucket[low], item, groups.bucket, groups.counts[0])


@part
def leave(groups: TieGroups, item: Int) -> None:
    """Remove a request from its group."""
    groups.counts[2] -= 1
    take_out(groups.buckets, groups.of[item], item)


@part
def draw_first(groups: TieGroups, number: float) -> Int:
    """Return a request of the group of least key, by a uniform number in [0, 1); it stays. There must be one."""
    while groups.buckets.size[groups.bucket[groups.counts[0] - 1]] == 0:
        groups.counts[0] -= 1
        _release(groups, groups.counts[0])
    return pick(groups.buckets, groups.bucket[groups.counts[0] - 1], number)


@part
def first_size(groups: TieGroups) -> Int:
    """Return the size of the group of which ``draw_first`` last returned a request."""
    return groups.buckets.size[groups.bucket[groups.counts[0] - 1]]


@part
def _remove_empty(groups: TieGroups) -> None:
    kept = 0
    for k in range(groups.counts[0]):
        if groups.buckets.size[groups.bucket[k]] == 0:
            _release(groups, k)
        else:
            _copy(groups, kept, k)
            kept += 1
    groups.counts[0] = kept


@part
def _release(groups: TieGroups, k: Int) -> None:
    groups.free[groups.counts[1]] = groups.bucket[k]
    groups.counts[1] += 1


@part
def _copy(groups: TieGroups, to: Int, k: Int) -> None:
    groups.bucket[to] = groups.bucket[k]
    for c in range(groups.keys.shape[1]):
        groups.keys[to, c] = groups.keys[k, c]
