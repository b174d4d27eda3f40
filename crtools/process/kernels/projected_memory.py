"""Projected memory of running requests. It only grows between their assumed ends, so only the ends are stored and checked.

For each distinct assumed end e of a running request: the tokens held at e by the requests that are assumed to last
until e or longer, and their number. Adding, removing or testing requests takes a time linear in the number of ends.
``event_loop.py`` and ``special_loops.py`` call this; ``tests/process/test_engine.py`` and ``test_engines.py`` compare their runs with
the reference engine.
"""

from typing import NamedTuple

import numpy as np

from crtools.numeric_types import IntArray
from crtools.process.kernels.jit import Int, maker, part


class Projection(NamedTuple):
    """Rows ``span[0]``, …, ``span[1]`` − 1, in increasing order of the assumed ends ``at``.

    used: the tokens held at that end by the requests that are assumed to last until it or longer. counts: the number of these.
    """

    at: IntArray
    used: IntArray
    counts: IntArray
    span: IntArray


@maker
def new_projection(distinct: Int) -> Projection:
    """Return an empty table for at most ``distinct`` ends at a time."""
    size = 2 * distinct + 2
    return Projection(
        np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64), np.zeros(2, np.int64)
    )


@part
def drop(ends: Projection, t: Int) -> None:
    """Forget the ends before t."""
    while ends.span[0] < ends.span[1] and ends.at[ends.span[0]] < t:
        ends.span[0] += 1


@part
def find(ends: Projection, x: Int) -> Int:
    """Return the first row whose end is at x or later."""
    low, high = ends.span[0], ends.span[1]
    return low + np.searchsorted(ends.at[low:high], x)


@part
def used_at(ends: Projection, row: Int, x: Int) -> Int:
    """Return the tokens held at x, where ``row`` is ``find(ends, x)``."""
    return ends.used[row] - ends.counts[row] * (ends.at[row] - x) if row < ends.span[1] else 0


@part
def insert(ends: Projection, start: Int, s: Int, length: Int, k: Int) -> None:
    """Add k requests started at ``start`` with prompts of s tokens, assumed to last ``length``."""
    end = start + length
    row = find(ends, end)
    low, high = ends.span[0], ends.span[1]
    if row == high or ends.at[row] != end:
        used = used_at(ends, row, end)
        count = ends.counts[row] if row < high else 0
        if high == len(ends.at):  # the ends that were forgotten make room
            for i in range(low, high):
                _move(ends, i, i - low)
            row, high, ends.span[0] = row - low, high - low, 0
        for i in range(high, row, -1):
            _move(ends, i - 1, i)
        ends.span[1] = high + 1
        ends.at[row], ends.used[row], ends.counts[row] = end, used, count
    _change(ends, row, s - start, k)


@part
def delete(ends: Projection, start: Int, s: Int, length: Int) -> None:
    """Take back one request whose end is in the table."""
    row = find(ends, start + length)
    _change(ends, row, s - start, -1)
    high = ends.span[1]
    after = ends.counts[row + 1] if row + 1 < high else 0
    if ends.counts[row] == after:  # nobody ends here any more
        for i in range(row, high - 1):
            _move(ends, i + 1, i)
        ends.span[1] = high - 1


@part
def _move(ends: Projection, row: Int, to: Int) -> None:
    ends.at[to], ends.used[to], ends.counts[to] = ends.at[row], ends.used[row], ends.counts[row]


@part
def _change(ends: Projection, row: Int, base: Int, k: Int) -> None:
    low = ends.span[0]
    at, used, count = ends.at[low : row + 1], ends.used[low : row + 1], ends.counts[low : row + 1]
    for i in range(len(at)):
        used[i] += k * (base + at[i])
        count[i] += k


@part
def how_many_fit(ends: Projection, t: Int, s: Int, length: Int, memory: Int, wanted: Int) -> Int:
    """Return how many of ``wanted`` equal new requests fit at t, by the ends in the table and their own end."""
    row = find(ends, t + length)
    low = ends.span[0]
    free = memory - used_at(ends, row, t + length)
    k = min(wanted, free // (s + length)) if free > 0 else 0
    for i in range(low, row):
        each = s + ends.at[i] - t
        if each * k > memory - ends.used[i]:
            k = max((memory - ends.used[i]) // each, 0)
            if k == 0:
                break
    return k


@part
def retry_at(ends: Projection, t: Int, s: Int, length: Int, memory: Int, margin: Int) -> Int:
    """Return a time > t before which a new request refused at t cannot fit, if nobody starts or leaves.

    ``margin`` is 1 where the table has dropped the end t + 1 too (``run_rising_bounds``), else 0. The request's share at an end
    falls by one per instant.
    """
    last = t + length
    row = find(ends, last)
    low, high = ends.span[0], ends.span[1]
    result = t + 1
    if row < high and used_at(ends, row, last) + s + length > memory:
        result = max(result, ends.at[row] - length + 1)
    for i in range(low, row):
        if ends.used[i] + s + ends.at[i] - t > memory:
            result = max(result, min(ends.at[i] - margin, ends.used[i] + s + ends.at[i] - memory))
    return result
