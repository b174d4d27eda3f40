"""The loop for requests by their running lower bound õ, cancelled and tried again."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.bound_pool import choose, members, new_pool, put, take
from crtools.process.kernels.cancellation_log import new_log, noted
from crtools.process.kernels.jit import Int, compiled, part
from crtools.process.kernels.priority_queue import add, change, least, new_queue, remove
from crtools.process.kernels.projected_memory import delete, drop, insert, new_projection, release, room


@compiled
def run_lower_bounds(
    s: Any,
    length: Any,
    bounds: Any,
    ranks: Any,
    memory: Int,
    coins: bool,
    rng: Any,
    limit: int,
    history: bool,
    stop: Any,
) -> Any:
    """Run one instance; with ``coins`` peaks are reserved, and past its bound a request is cancelled by coin.

    ``ranks`` breaks ties; empty, they are drawn afresh. Returns what ``run_fixed`` does, in the second place the bounds.
    """
    n = len(s)
    starts = np.full(n, -1, np.int64)
    bounds = bounds.copy()
    smallest, alike = s.min(), s.min() == s.max()
    largest = length.max()
    waiting, running = new_pool(n, largest, ranks), new_pool(n, largest, ranks)
    events = new_queue(n, 2)  # a running request's completion; with coins first its bound and its coin
    ends = new_projection(min(n, largest))
    tossed = np.zeros(n if coins else 0, np.int64)  # the age at which the coin cancels
    grows = np.zeros(n if coins else 0, np.bool_)  # whether its reserved peak grows by one per instant
    base = active = 0  # Σ (s − start) over the running, and their number
    fixed = growing = 0  # the reserved peaks at t are fixed + growing · t
    lost, log, peak = np.zeros(3, np.int64), new_log(history), 0
    t, left = 0, n
    for i in range(n):
        put(waiting, i, bounds[i])
    while stop[0] == 0:
        peak = max(peak, base + active * t)
        drop(ends, t + 2)
        while True:
            event = least(events) == t
            if event:
                i = events.items[0]
            elif base + active * (t + 1) > memory:
                i = choose(running, rng)
            else:
                break
            age = t - starts[i]
            if event and age < length[i] and age < tossed[i]:  # only with coins: at its bound, and not cancelled
                grows[i] = True
                fixed += 1 - starts[i] - bounds[i]
                growing += 1
                change(events, i, starts[i] + min(tossed[i], length[i]), 0)
                continue
            remove(events, i)
            take(running, i, bounds[i])
            base -= s[i] - starts[i]
            active -= 1
            if coins:
                fixed -= s[i] + (1 - starts[i] if grows[i] else bounds[i])
                growing -= grows[i]
            elif starts[i] + bounds[i] >= t + 2:
                delete(ends, starts[i], s[i], bounds[i])
            if age == length[i]:
                left -= 1
            else:
                log = noted(log, lost, s[i], i, starts[i], age, bounds[i])
                bounds[i] = max(bounds[i], age + event)  # a coin says that it is longer than its age
                put(waiting, i, bounds[i])
        after = np.int64(-1)
        while waiting.heap.count[0]:
            i = choose(waiting, rng)
            bound, size = bounds[i], s[i]
            free = memory - fixed - growing * t if coins else memory - base - active * (t + 1)
            k = min(free // (size + bound if coins else size + 1), members(waiting) if alike else 1)
            if k > 0 and not coins:
                k = room(ends, t, size, bound, memory, k)
            if k <= 0:
                least_size = size if alike or len(ranks) else smallest
                if coins:  # what is reserved only grows, but the next draw may fall on a smaller request
                    if fixed + growing * t + least_size + bound <= memory:
                        after = t + 1
                elif base + active * (t + 2) + least_size + 1 <= memory:
                    after = release(ends, t, least_size, bound, memory, 1)
                    if base + active * (after + 1) + least_size + 1 > memory:
                        after = np.int64(-1)
                break
            for step in range(k):
                if step:
                    i = choose(waiting, rng)
                take(waiting, i, bound)
                put(running, i, bound)
                starts[i] = t
                if coins:
                    grows[i] = False
                    tossed[i] = _toss(size, bound, length[i], rng)
                    add(events, i, t + bound, 0)
                else:
                    add(events, i, t + length[i], 0)
            base += k * (size - t)
            active += k
            if coins:
                fixed += k * (size + bound)
            elif bound > 1:
                insert(ends, t, size, bound, k)
        if active == 0:
            break
        following = min(least(events), (memory - base) // active)  # the first event, or the first overflow
        t = min(following, after) if after > 0 else following
        if t > limit:
            break
    return starts, bounds, lost, log, peak, left - active, active


@part
def _toss(s: Int, bound: Int, length: Int, rng: Any) -> Int:
    """Return the age at which the coins cancel a request, or its length if none does.

    P(no coin cancels up to age a) = Π_{b = bound}^{a} (1 − 1/(s + b + 1)) = (s + bound)/(s + a + 1).
    """
    reached = (s + bound) / (1.0 - rng.random())
    return np.int64(reached) - s if reached < s + length else length
