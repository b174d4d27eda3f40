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
    queue: IntArray,
    s: IntArray,
    assumed: IntArray,
    length: IntArray,
    memory: Int,
    limit: Int,
    exact: bool,
    stop: IntArray,
) -> Any:
    """Run one instance; ``queue`` lists the requests in order, ``exact`` says that all lengths are assumed exactly.

    Returns (starts, peak, waiting, running). The last two are counted after the instant ``limit``: unless both are 0, the run
    was not over then. ``stop``: :func:`run_loop`.
    """
    n = len(s)
    starts = np.full(n, -1, np.int64)
    ends = new_projection(min(n, assumed.max()))
    completions = new_queue(1 if exact else n, 2)  # those whose completion is an event
    peak = base = running = 0  # base: Σ (s − start) over the running
    head = same = t = size = guess = 0
    while stop[0] == 0:
        if exact:
            peak = max(peak, drop(ends, t + 1))
        else:
            peak = max(peak, base + running * t)
            while first_key(completions) == t:
                i = completions.items[0]
                remove(completions, i)
                base -= s[i] - starts[i]
                running -= 1
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
            running += k
            for j in queue[head : head + k]:
                starts[j] = t
                if not exact:
                    add(completions, j, t + length[j], 0)
            head += k
            stop[1] = head  # the last ones still run
        if head == n and completions.counts[0] == 0:
            break
        after = first_key(completions)
        if head < n:
            free = release(ends, t, size, guess, memory, 0)
            after = free if after < 0 else min(after, free)
        t = after
        if t > limit:
            break
    peak = max(peak, drop(ends, np.int64(2**62)))
    still = 0
    for j in range(n):
        still += starts[j] >= 0 and starts[j] + length[j] > limit
    return starts, peak, n - head, still
