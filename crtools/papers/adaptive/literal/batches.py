"""H-SF's schedule of many equal requests in batches, exactly, for ``claims/packed_schedules.py``; the simulator computes small ones again.

A schedule is a list of batches (start, length, count). Shares no code with ``crtools.process`` and ``crtools.schedule``. Tested in
tests/papers/adaptive/claims/test_schedules.py.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

Batch = tuple[int, int, int]


def shortest_first(counts: Sequence[tuple[int, int]], s: int, memory: int) -> list[Batch]:
    """Return H-SF's batches of ``counts``, (length, how many) in increasing length."""
    waiting, done, running, t = [list(row) for row in counts], list[Batch](), list[Batch](), 0
    while any(count for _, count in waiting):
        running = [row for row in running if row[0] + row[1] > t]
        for row in (row for row in waiting if row[1]):
            fits = min((memory - _held(running, s, t + a)) // (s + a) for a in range(1, row[0] + 1))
            started = min(row[1], max(fits, 0))
            if started:
                running.append((t, row[0], started))
                done.append(running[-1])
                row[1] -= started
            if row[1]:
                break
        t += 1
    return done


def _held(batches: Sequence[Batch], s: int, t: int) -> int:
    return sum(count * (s + t - start) for start, length, count in batches if start < t <= start + length)


def total(batches: Sequence[Batch]) -> int:
    """Return the sum of the completion times."""
    return sum(count * (start + length) for start, length, count in batches)


def running(batches: Sequence[Batch], t: int) -> int:
    """Return how many requests hold memory at the instant t."""
    return sum(count for start, length, count in batches if start < t <= start + length)


def completions(batches: Sequence[Batch]) -> Iterator[tuple[int, int]]:
    """Iterate over (completion time, how many) in the order of the batches."""
    return ((start + length, count) for start, length, count in batches)


def packed(batches: Sequence[Batch], s: int, memory: int) -> bool:
    """Return whether it is feasible, and no request can start earlier, at an instant from the start of the batch before on."""
    longest = max(length for _, length, _ in batches)
    rows = sorted(batches)
    every = [start for start, _, _ in rows]
    starts = sorted({*every})
    before = dict(zip(starts, [0, *starts], strict=False))
    near = {p: rows[bisect_left(every, p - 2 * longest) : bisect_right(every, p + 2 * longest)] for p in starts}
    used = {p + a: _held(near[p], s, p + a) for p in starts for a in range(1, longest + 1)}
    if max(used.values()) > memory:
        return False
    for start, length, _ in batches:
        for earlier in range(before[start], start):
            at = range(earlier + 1, earlier + length + 1)
            moved = [used.get(t, 0) + (s + t - earlier) - (s + t - start if t > start else 0) for t in at]
            if max(moved) <= memory:
                return False
    return True


def in_order(batches: Sequence[Batch]) -> bool:
    """Return whether no batch starts before one that stands before it: two such schedules of one queue are in corresponding order."""
    starts = [start for start, _, _ in batches]
    return starts == sorted(starts)
