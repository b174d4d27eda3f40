"""The loop for attempts that are listed beforehand, each with a price out of a credit that grows by M at every instant."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.cancellation_log import noted
from crtools.process.kernels.jit import Int, compiled, part
from crtools.process.kernels.priority_queue import PriorityQueue, add, least, new_queue, remove


@compiled
def run_attempts(
    request: Any,
    bound: Any,
    kill: Any,
    price: Any,
    kept: Any,
    after: Any,
    first: Any,
    running: Any,
    until: Int,
    until_all: Int,
    done: Any,
    starts: Any,
    bounds: Any,
    reached: Any,
    watched: Any,
    s: Any,
    length: Any,
    memory: Int,
    grain: Int,
    limit: Int,
    clock: Any,
    lost: Any,
    log: Any,
    stop: Any,
) -> Any:
    """Run until of the watched requests at most ``until`` are left, or of all ``until_all``, or none at all.

    The columns up to ``running`` are what ``crtools.process.plans`` lists. ``clock``: time, credit, the most memory in use up to
    now. It is written to, as are ``done``, ``starts``, ``bounds``, ``reached`` and ``lost``. Returns the log and the requests that
    run, in the order of their starts.
    """
    rows, n = len(request), len(s)
    waiting, events = new_queue(rows, 2), new_queue(rows, 2)
    began = np.full(rows, -1, np.int64)
    latest = np.empty(rows, np.int64)  # a stack of those started, with some that have ended since
    height = 0
    t, credit, peak = clock[0], clock[1], clock[2]
    base = active = 0  # Σ (s − start) over the running, and their number
    runs = np.zeros(n, np.bool_)
    for i in running:
        j = first[i]
        runs[i] = True
        began[j] = starts[i]
        bounds[i] = bound[j]
        height = _started(events, latest, height, j, starts[i] + min(kill[j], length[i]))
        base += s[i] - starts[i]
        active += 1
    left = total = 0
    for i in range(n):
        total += not done[i]
        left += watched[i] and not done[i]
        if not done[i] and not runs[i]:
            add(waiting, first[i], first[i], 0)
    while stop[0] == 0:
        peak = max(peak, base + active * t)
        while True:
            j, height = _next_gone(events, latest, height, began, t, base + active * (t + 1) > memory)
            if j < 0:
                break
            i, age = request[j], t - began[j]
            base -= s[i] - began[j]
            active -= 1
            if age == length[i]:
                done[i] = True
                left -= watched[i]
                total -= 1
            else:
                log = noted(log, lost, s[i], i, began[j], age, bound[j])
                again = after[j]
                if age == kill[j]:
                    reached[i] = age
                else:
                    again = j
                    credit += max(price[j] - grain * (s[i] * age + age * (age + 1) // 2), 0)
                add(waiting, again, again, 0)
            began[j] = -1
        if left <= until or total <= until_all:
            credit = 0
            break
        short, cost, need, most = False, 0, 0, 0
        while waiting.count[0]:
            j = waiting.items[0]
            i = request[j]
            need, cost, most = s[i] + 1, price[j], kept[j]
            if base + active * (t + 1) + need > memory:
                break
            short = active > 0 and cost > credit
            if short:
                break
            most = 0
            remove(waiting, j)
            height = _started(events, latest, height, j, t + min(kill[j], length[i]))
            began[j] = starts[i] = t
            bounds[i] = bound[j]
            base += s[i] - t
            active += 1
            credit -= cost
        if active == 0:
            break
        following = min(least(events), (memory - base) // active)  # the first end, or the first overflow
        if short:  # look again where the credit is there, and where the memory is not
            following = min(following, t - (credit - cost) // (grain * memory), (memory - base - need) // active)
            credit += (following - t) * grain * memory
        else:
            credit = min(min(credit, most) + (following - t - 1) * grain * memory, most) + grain * memory
        t = following
        if t > limit:
            break
    clock[0], clock[1], clock[2] = t, credit, peak
    ran = np.empty(active, np.int64)
    k = 0
    for h in range(height):
        if began[latest[h]] >= 0:
            ran[k] = request[latest[h]]
            k += 1
    return log, ran


@part
def _started(events: PriorityQueue, latest: Any, height: Int, j: Int, end: Int) -> Int:
    """Enter an attempt that ends, or is killed, at ``end``: of such it goes in its turn. Returns the stack's height."""
    latest[height] = j
    add(events, j, end, height)
    return height + 1


@part
def _next_gone(events: PriorityQueue, latest: Any, height: Int, began: Any, t: Int, full: bool) -> tuple[Int, Int]:
    """Take out of those that end at t the one started first, or else, where memory is full, the one started last; −1 if none.

    ``latest``: a stack, of this height, of the attempts that were started, with some that have ended since; ``began``: when
    an attempt that runs was started, −1 of others. Returns the attempt and the stack's height.
    """
    if least(events) == t:
        j = events.items[0]
    elif full:
        height -= 1
        while began[latest[height]] < 0:
            height -= 1
        j = latest[height]
    else:
        return -1, height
    remove(events, j)
    return j, height
