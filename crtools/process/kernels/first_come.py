"""The loop of ``fcfs``: requests start in the order of their numbers, and the latest started is preempted.

Those who run or are done have lower numbers than all who wait, and of those who run the latest started has the highest. So
the line is a number: the first who waits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.heap import add, least, new_heap, remove
from crtools.process.kernels.jit import Int, compiled
from crtools.process.kernels.log import new_log, noted


@compiled
def run_first_come(s: Any, length: Any, bounds: Any, memory: Int, limit: Int, history: bool, stop: Any) -> Any:
    """Run one instance. Returns what ``run_fixed`` does, in the second place the bounds."""
    n = len(s)
    starts, done = np.full(n, -1, np.int64), np.zeros(n, np.bool_)
    events = new_heap(n)  # completions
    base = active = 0  # Σ (s − start) over the running, and their number
    lost, log, peak = np.zeros(3, np.int64), new_log(history), 0
    t, first, left = 0, 0, n
    while stop[0] == 0:
        peak = max(peak, base + active * t)
        while least(events) == t:
            i = events.items[0]
            remove(events, i)
            base -= s[i] - starts[i]
            active -= 1
            done[i] = True
            left -= 1
        while base + active * (t + 1) > memory:
            first -= 1
            while done[first]:
                first -= 1
            remove(events, first)
            log = noted(log, lost, s[first], first, starts[first], t - starts[first], bounds[first])
            base -= s[first] - starts[first]
            active -= 1
        while first < n and (done[first] or base + active * (t + 1) + s[first] + 1 <= memory):
            if not done[first]:
                starts[first] = t
                add(events, first, t + length[first])
                base += s[first] - t
                active += 1
            first += 1
        if active == 0:
            break
        t = min(least(events), (memory - base) // active)  # the first completion, or the first overflow
        if t > limit:
            break
    return starts, bounds, lost, log, peak, left - active, active
