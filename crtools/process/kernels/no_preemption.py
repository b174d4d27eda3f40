"""The loop for policies that cancel nothing: one queue, and one assumed length for each request, at least its true length."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.numeric_types import IntArray
from crtools.process.kernels.jit import Int, compiled
from crtools.process.kernels.priority_queue import add, first_key, new_queue, remove
from crtools.process.kernels.projected_memory import delete, drop, insert, new_projection, release, room


@compiled
def run_no_preemption(
    queue: IntArray, s: IntArray, assumed: IntArray, length: IntArray, memory: Int, last: Int, stop: IntArray
) -> Any:
    """Run one instance; ``queue`` lists the requests in order.

    Returns (starts, peak, waiting, running); unless the last two are 0, the run was not over at the instant ``last``.
    """
    n = len(s)
    starts = np.full(n, -1, np.int64)
    ends = new_projection(min(n, assumed.max()))
    completions = new_queue(n, 2)
    peak = base = head = same = t = size = guess = 0  # base: Σ (s − start) over the running
    while stop[0] == 0 and t <= last:
        peak = max(peak, base + completions.counts[0] * t)
        while first_key(completions) == t:
            i = completions.items[0]
            remove(completions, i)
            base -= s[i] - starts[i]
            stop[1] += 1
            if length[i] < assumed[i]:
                delete(ends, starts[i], s[i], assumed[i])
        drop(ends, t + 1)
        while head < n:
            i = queue[head]
            size, guess = s[i], assumed[i]
            same = max(same, head + 1)  # queue[head:same] is alike
            while same < n and s[queue[same]] == size and assumed[queue[same]] == guess:
                same += 1
            k = room(ends, t, size, guess, memory, same - head)
            if k == 0:
                break
            insert(ends, t, size, guess, k)
            base += k * (size - t)
            for j in queue[head : head + k]:
                starts[j] = t
                add(completions, j, t + length[j], 0)
            head += k
        if completions.counts[0] == 0:
            break
        following = first_key(completions)
        if head < n:
            following = min(following, release(ends, t, size, guess, memory, 0))
        t = following
    return starts, peak, n - head, completions.counts[0]
