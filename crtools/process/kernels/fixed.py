"""The loop for policies with one queue and lengths assumed once, or assumed anew where a request rejoins the queue."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.ends import delete, drop, insert, new_ends, release, room
from crtools.process.kernels.heap import add, least, new_heap, remove
from crtools.process.kernels.jit import Int, compiled
from crtools.process.kernels.log import new_log, noted

ENDS_KNOWN, ENDS_EARLY, PROMOTES, DOUBLES = 0, 1, 2, 3
"""A request leaves at its assumed end; or perhaps earlier; or, unfinished there, rejoins the queue with u or with twice
what was assumed."""


ROUNDS = 64
"""No request is started more often than this: what is assumed doubles."""


@compiled
def run_fixed(
    queue: Any, s: Any, assumed: Any, length: Any, up: Any, memory: Int, mode: Int, limit: Int, history: bool, stop: Any
) -> Any:
    """Run one instance; ``queue`` lists the requests in order, with room for as many again where they rejoin.

    Returns (starts, assumed, lost, log, peak, waiting, running), where ``assumed`` are the lengths assumed of the
    requests at their last starts, ``lost`` and ``log`` what :func:`noted` keeps, the latter with ``history``; waiting
    and running are counted after the instant ``limit``: unless both are 0, the run was not over then. ``stop``:
    :func:`run_loop`.
    """
    n = len(s)
    starts = np.full(n, -1, np.int64)
    assumed = assumed.copy()
    rejoins = mode in (PROMOTES, DOUBLES)
    ends = new_ends(min(n, up.max() if rejoins else assumed.max()))
    heap = new_heap(n if mode != ENDS_KNOWN else 1)  # those whose leaving is an event
    numbers = ROUNDS * (n + 1) if rejoins else 1  # an event's key is (time, number in the order of starts)
    lost, log, peak = np.zeros(3, np.int64), new_log(history), 0
    base = running = 0  # Σ (s − start) over the running, and their number
    head, same, tail, t, number = 0, 0, n, 0, 0
    size = guess = 0
    while stop[0] == 0:
        if mode == ENDS_KNOWN:
            peak = max(peak, drop(ends, t + 1))
        else:
            peak = max(peak, base + running * t)
            while least(heap) // numbers == t:  # in the order of their starts
                i = heap.items[0]
                remove(heap, i)
                base -= s[i] - starts[i]
                running -= 1
                if length[i] < assumed[i]:
                    delete(ends, starts[i], s[i], assumed[i])
                elif length[i] > assumed[i]:
                    log = noted(log, lost, s[i], i, starts[i], assumed[i], assumed[i])
                    assumed[i] = up[i] if mode == PROMOTES else min(2 * assumed[i], up[i])
                    starts[i] = -1
                    if tail == len(queue):  # what has left makes room
                        for k in range(head, tail):
                            queue[k - head] = queue[k]
                        head, same, tail = 0, same - head, tail - head
                    queue[tail] = i
                    tail += 1
            drop(ends, t + 1)
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
                if mode != ENDS_KNOWN:
                    add(heap, j, (t + min(guess, length[j])) * numbers + number)
                    number += rejoins
            head += k
        if head == tail and heap.count[0] == 0:
            break
        after = least(heap) // numbers
        if head < tail:
            free = release(ends, t, size, guess, memory, 0)
            after = free if after < 0 else min(after, free)
        t = after
        if t > limit:
            break
    peak = max(peak, drop(ends, np.int64(2**62)))
    still = 0
    for j in range(n):
        still += starts[j] >= 0 and starts[j] + min(assumed[j], length[j]) > limit
    return starts, assumed, lost, log, peak, tail - head, still
