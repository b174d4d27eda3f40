"""The loop for policies with one queue and lengths assumed once: h-sf, a-random, a-max, a-ell and their kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.ends import delete, drop, insert, new_ends, release, room
from crtools.process.kernels.heap import add, least, new_heap, remove
from crtools.process.kernels.jit import Int, compiled
from crtools.process.kernels.log import new_log, noted

ENDS_KNOWN, ENDS_EARLY, PROMOTES = 0, 1, 2
"""A request leaves at its assumed end; or perhaps earlier; or it rejoins the queue there, once, to stay to its end."""


@compiled
def run_fixed(
    queue: Any, s: Any, assumed: Any, length: Any, up: Any, memory: Int, mode: Int, limit: Int, history: bool
) -> Any:
    """Run one instance; ``queue`` lists the requests in order, with room for as many again where they rejoin.

    Returns (starts, cancellations, wasted tokens, wasted token-instants, peak, waiting, running, log), where waiting
    and running are counted after the instant ``limit``: unless both are 0, the run was not over then. The log holds
    one row (request, start, age, bound) for each cancellation, or nothing without ``history``.
    """
    n = len(s)
    starts = np.full(n, -1, np.int64)
    assumed = assumed.copy()
    ends = new_ends(min(n, assumed.max() if mode != PROMOTES else up.max()))
    heap = new_heap(n if mode != ENDS_KNOWN else 1)  # those whose leaving is an event
    numbers = n + 1  # a promotion's key is (time, number in the order of starts)
    cancellations = wasted = wasted_volume = peak = 0
    log = new_log(history)
    base = running = 0  # Σ (s − start) over the running, and their number
    head, same, tail, t, number = 0, 0, n, 0, 0
    size = guess = 0
    while True:
        if mode == ENDS_EARLY:
            peak = max(peak, base + running * t)
            while least(heap) == t:
                i = heap.items[0]
                remove(heap, i)
                base -= s[i] - starts[i]
                running -= 1
                if length[i] < assumed[i]:
                    delete(ends, starts[i], s[i], assumed[i])
            drop(ends, t + 1)
        else:
            peak = max(peak, drop(ends, t + 1))
        if mode == PROMOTES:
            while heap.count[0] and least(heap) // numbers == t:  # in the order of their starts
                i = heap.items[0]
                remove(heap, i)
                if history:
                    log = noted(log, cancellations, i, starts[i], assumed[i], assumed[i])
                cancellations += 1
                wasted += assumed[i]
                wasted_volume += s[i] * assumed[i] + assumed[i] * (assumed[i] + 1) // 2
                assumed[i] = up[i]
                starts[i] = -1
                queue[tail] = i
                tail += 1
        while head < tail:
            i = queue[head]
            size, guess = s[i], assumed[i]
            same = max(same, head + 1)  # queue[head:same] is alike
            while same < tail and s[queue[same]] == size and assumed[queue[same]] == guess:
                same += 1
            k = room(ends, t, size, guess, memory, same - head)
            if k == 0:
                break
            insert(ends, t, size, guess, k)
            base += k * (size - t)
            running += k
            for j in queue[head : head + k]:
                starts[j] = t
                if mode == ENDS_EARLY:
                    add(heap, j, t + length[j])
                elif mode == PROMOTES and length[j] > guess:
                    add(heap, j, (t + guess) * numbers + number)
                    number += 1
            head += k
        if head == tail and heap.count[0] == 0:
            break
        after = least(heap) // numbers if mode == PROMOTES and heap.count[0] else least(heap)
        if head < tail:
            free = release(ends, t, size, guess, memory, 0)
            after = free if after < 0 else min(after, free)
        t = after
        if t > limit:
            break
    peak = max(peak, drop(ends, np.int64(2**62)))
    still = ((starts >= 0) & (starts + np.minimum(assumed, length) > limit)).sum()
    return starts, cancellations, wasted, wasted_volume, peak, tail - head, still, log[:cancellations]
