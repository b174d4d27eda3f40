"""Buckets of requests that support a uniform draw, an addition and a removal in constant time.

Each bucket is a range of one shared array. A full bucket moves to the end of the array, with half as much room again; when the
array is full, all buckets are laid out anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crtools.numeric_types import IntArray
from crtools.process.kernels.jit import Int, maker, part


class Buckets(NamedTuple):
    """Bucket b holds ``cells[first[b] : first[b] + size[b]]``, and has ``room[b]`` cells; a request's place is in its bucket."""

    cells: npt.NDArray[np.int32]
    first: IntArray
    size: IntArray
    room: IntArray
    place: IntArray
    used: IntArray


@maker
def new_buckets(n: Int, buckets: Int) -> Buckets:
    """Return so many empty buckets for n requests."""
    return Buckets(
        np.empty(4 * n + 16 if n else 0, np.int32),
        np.zeros(buckets, np.int64),
        np.zeros(buckets, np.int64),
        np.zeros(buckets, np.int64),
        np.zeros(n, np.int64),
        np.zeros(1, np.int64),
    )


@part
def pick(buckets: Buckets, b: Int, number: float) -> Int:
    """Return a request of a bucket that is not empty, by a uniform number in [0, 1); it stays."""
    return np.int64(buckets.cells[buckets.first[b] + np.int64(number * buckets.size[b])])


@part
def put_in(buckets: Buckets, b: Int, i: Int, others: IntArray, count: Int) -> None:
    """Add request i to a bucket; ``others[:count]`` has every bucket that is not empty."""
    if buckets.size[b] == buckets.room[b]:
        _enlarge(buckets, b, others, count)
    buckets.place[i] = buckets.size[b]
    buckets.cells[buckets.first[b] + buckets.size[b]] = i
    buckets.size[b] += 1


@part
def take_out(buckets: Buckets, b: Int, i: Int) -> None:
    """Remove request i from its bucket; the last one there takes its place."""
    buckets.size[b] -= 1
    last = buckets.cells[buckets.first[b] + buckets.size[b]]
    buckets.cells[buckets.first[b] + buckets.place[i]] = last
    buckets.place[last] = buckets.place[i]


@part
def _enlarge(buckets: Buckets, b: Int, others: IntArray, count: Int) -> None:
    size = buckets.size[b]
    wanted = size + size // 2 + 2
    if buckets.used[0] + wanted > len(buckets.cells):
        _lay_out(buckets, others, count)
        if size < buckets.room[b]:
            return
    old, new = buckets.first[b], buckets.used[0]
    for k in range(size):
        buckets.cells[new + k] = buckets.cells[old + k]
    buckets.first[b], buckets.room[b] = new, wanted
    buckets.used[0] += wanted


@maker
def _lay_out(buckets: Buckets, others: IntArray, count: Int) -> None:
    cells = buckets.cells.copy()
    used = 0
    buckets.room[:] = 0
    for k in range(count):
        b = others[k]
        size = buckets.size[b]
        for i in range(size):
            buckets.cells[used + i] = cells[buckets.first[b] + i]
        buckets.first[b], buckets.room[b] = used, size + size // 4 + 1
        used += buckets.room[b]
    buckets.used[0] = used
