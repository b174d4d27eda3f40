"""The loop for requests that are tried, killed and tried again, as fast as a credit of token-instants allows."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.kernels.attempts import next_end, next_gone, started
from crtools.process.kernels.heap import add, new_heap, remove
from crtools.process.kernels.jit import Int, compiled, part
from crtools.process.kernels.log import new_log, noted


@compiled
def run_paced(
    request: Any,
    bound: Any,
    assumed: Any,
    after: Any,
    s: Any,
    length: Any,
    memory: Int,
    limit: Int,
    history: bool,
    stop: Any,
) -> Any:
    """Run one instance; the first four columns are what ``crtools.process.fast`` lists of the attempts.

    Returns what ``run_fixed`` returns, but in the second place the bounds that the requests were last started with.
    """
    attempts, n = len(request), len(s)
    starts = np.full(n, -1, np.int64)
    bounds = np.zeros(n, np.int64)
    waiting, events = new_heap(attempts), new_heap(attempts)
    began = np.full(attempts, -1, np.int64)  # when an attempt that runs was started
    latest = np.empty(attempts, np.int64)  # a stack of those started, with some that have ended since
    height = 0
    first = np.ones(attempts, np.bool_)
    first[after[after >= 0]] = False
    for j in range(attempts):
        if first[j]:
            add(waiting, j, j)
    base = active = 0  # Σ (s − start) over the running, and their number
    lost, log, peak = np.zeros(3, np.int64), new_log(history), 0
    t, credit = 0, 2 * memory
    while stop[0] == 0:
        peak = max(peak, base + active * t)
        while True:
            j, height = next_gone(events, latest, height, began, t, base + active * (t + 1) > memory)
            if j < 0:
                break
            i, age = request[j], t - began[j]
            base -= s[i] - began[j]
            active -= 1
            credit += _volume(s[i], assumed[j]) - _volume(s[i], age)
            if age < length[i]:
                log = noted(log, lost, s[i], i, began[j], age, bound[j])
                again = after[j] if age == assumed[j] else j
                add(waiting, again, again)
            began[j] = -1
        short, price, need = False, 0, 0
        while waiting.count[0]:
            j = waiting.items[0]
            i = request[j]
            need = s[i] + 1
            if base + active * (t + 1) + need > memory:
                break
            price = _volume(s[i], assumed[j])
            short = active > 0 and price > credit
            if short:
                break
            remove(waiting, j)
            height = started(events, latest, height, j, t + min(assumed[j], length[i]))
            began[j] = starts[i] = t
            bounds[i] = bound[j]
            base += s[i] - t
            active += 1
            credit -= price
        if active == 0:
            break
        following = min(next_end(events, latest), (memory - base) // active)  # the first end, or the first overflow
        if short:  # look again before the credit can be there, and where the memory is not
            following = min(following, t + max((price - credit) // (2 * memory), 1), (memory - base - need) // active)
            credit += _granted(memory, base, active, t, following)
        else:
            if following - 1 - t <= -credit // memory:  # else any debt is paid by then, for an instant grants M or more
                credit = min(min(credit, 0) + _granted(memory, base, active, t, following - 1), 0)
            else:
                credit = 0
            credit += _granted(memory, base, active, following - 1, following)
        t = following
        if t > limit:
            break
    return starts, bounds, lost, log, peak, waiting.count[0], active


@part
def _volume(s: Int, length: Int) -> Int:
    return s * length + length * (length + 1) // 2


@part
def _granted(memory: Int, base: Int, active: Int, t: Int, until: Int) -> Int:
    """Return Σ (2M − use) over the instants t + 1, …, until, where nobody starts or leaves between."""
    return (until - t) * (2 * memory - base) - active * ((until * (until + 1) - t * (t + 1)) // 2)
