"""The least total latency of a few requests with prompts of their own, by a search over all starts."""

from __future__ import annotations

from crtools.papers.any_memory.process import Request, Requests, feasible, total, volume
from tests.papers.any_memory.plain_runs import queue_starts


def by_volume(requests: Requests) -> list[Request]:
    """Return the requests by increasing volume, equal ones in their order."""
    return sorted(requests, key=volume)


def optimum(requests: Requests, memory: int) -> int:
    """Return the least total latency of any schedule, by a search over all starts; for a few requests."""
    best = total(requests, queue_starts(by_volume(requests), memory, look_ahead=True))
    last = max(0, sum(o for _, o in requests))

    def search(k: int, starts: list[int], spent: int) -> None:
        nonlocal best
        rest = sum(o for _, o in requests[k:])
        if spent + rest >= best:
            return
        if k == len(requests):
            best = spent
            return
        first = starts[-1] if k and requests[k] == requests[k - 1] else 0
        for start in range(first, last):
            if spent + start + rest >= best:
                return
            if feasible(requests[: k + 1], [*starts, start], memory):
                search(k + 1, [*starts, start], spent + start + requests[k][1])

    requests = sorted(requests)
    search(0, [], 0)
    return best
