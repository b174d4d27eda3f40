"""The loop for policies with one queue that reserve peaks and cancel nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.heap import add, least, new_heap, remove
from crtools.process.kernels.jit import Int, compiled
from crtools.process.kernels.log import new_log


@compiled
def run_reserved(queue: Any, s: Any, assumed: Any, length: Any, memory: Int, limit: Int, stop: Any) -> Any:
    """Run one instance; a request starts where Σ (s + assumed) ≤ M with its own, and leaves after ``length`` ≤ assumed.

    Returns what ``run_fixed`` returns.
    """
    n = len(s)
    starts = np.full(n, -1, np.int64)
    heap = new_heap(n)
    base = running = reserved = head = peak = t = 0  # base: Σ (s − start) over the running
    while stop[0] == 0:
        peak = max(peak, base + running * t)
        while least(heap) == t:
            i = heap.items[0]
            remove(heap, i)
            base -= s[i] - starts[i]
            running -= 1
            reserved -= s[i] + assumed[i]
        while head < n and reserved + s[queue[head]] + assumed[queue[head]] <= memory:
            i = queue[head]
            head += 1
            starts[i] = t
            base += s[i] - t
            running += 1
            reserved += s[i] + assumed[i]
            add(heap, i, t + length[i])
        if running == 0:
            break
        t = least(heap)
        if t > limit:
            break
    return starts, assumed, np.zeros(3, np.int64), new_log(False), peak, n - head, running
