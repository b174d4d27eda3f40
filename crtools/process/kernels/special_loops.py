"""Two loops that are faster than the one for any policy (``engine.py`` says when they run): without preemption, and with rising bounds."""

from typing import Any

import numpy as np

from crtools.numeric_types import IntArray
from crtools.process.kernels import queues
from crtools.process.kernels.jit import Int, compiled, maker, part
from crtools.process.kernels.projected_memory import delete, drop, how_many_fit, insert, new_projection, retry_at


@compiled
def run_no_preemption(
    queue: IntArray, s: IntArray, assumed: IntArray, length: IntArray, memory: Int, last: Int, stop: IntArray
) -> Any:
    """Run one instance of a policy that cancels nothing: one queue, and one assumed length for each request, at least its true length.

    ``queue`` lists the requests in order.
    Returns (starts, peak, waiting, running); unless the last two are 0, the run was not over at the instant ``last``.
    """
    n = len(s)
    starts = np.full(n, -1, np.int64)
    ends = new_projection(min(n, assumed.max()))
    completions = queues.new_queue(n, 2)
    peak = base = head = same = t = prompt = guess = 0  # base: Σ (s − start) over the running
    while stop[0] == 0 and t <= last:
        peak = max(peak, base + completions.counts[0] * t)
        while queues.first_key(completions) == t:
            i = completions.items[0]
            queues.remove(completions, i)
            base -= s[i] - starts[i]
            stop[1] += 1
            if length[i] < assumed[i]:
                delete(ends, starts[i], s[i], assumed[i])
        drop(ends, t + 1)
        while head < n:
            i = queue[head]
            prompt, guess = s[i], assumed[i]
            same = max(same, head + 1)  # queue[head:same] is alike
            while same < n and s[queue[same]] == prompt and assumed[queue[same]] == guess:
                same += 1
            k = how_many_fit(ends, t, prompt, guess, memory, same - head)
            if k == 0:
                break
            insert(ends, t, prompt, guess, k)
            base += k * (prompt - t)
            for j in queue[head : head + k]:
                starts[j] = t
                queues.add(completions, j, t + length[j], 0)
            head += k
        if completions.counts[0] == 0:
            break
        following = queues.first_key(completions)
        if head < n:
            following = min(following, retry_at(ends, t, prompt, guess, memory, 0))
        t = following
    return starts, peak, n - head, completions.counts[0]


@compiled
def run_rising_bounds(
    s: IntArray,
    length: IntArray,
    bounds: IntArray,
    ranks: IntArray,
    memory: Int,
    coins: bool,
    rng: np.random.Generator,
    last: int,
    history: bool,
    stop: IntArray,
) -> Any:
    """Run one instance of a reading of A_min: by the running lower bound õ, cancelled and started again.

    With ``coins`` peaks are reserved, and past its bound a request is cancelled by coin.

    ``ranks`` breaks ties; empty, they are drawn afresh. Returns (first and last starts, last bounds, (cancellations, tokens and
    token-instants lost, tokens prefilled again), log of cancellations, peak, waiting, running); the last two count requests that
    are unfinished after the instant ``last``.
    """
    n = len(s)
    first_starts, starts = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    bounds = bounds.copy()
    smallest, alike = s.min(), s.min() == s.max()
    largest = length.max()
    drawn = len(ranks) == 0
    waiting, running = queues.new_pool(n, 1, drawn), queues.new_pool(n, 1, drawn)
    events = queues.new_queue(n, 2)  # a running request's completion; with coins first its bound and its coin
    ends = new_projection(min(n, largest))
    tossed = np.zeros(n if coins else 0, np.int64)  # the age at which the coin cancels
    grows = np.zeros(n if coins else 0, np.bool_)  # whether its reserved peak grows by one per instant
    base = active = 0  # Σ (s − start) over the running, and their number
    fixed = growing = 0  # the reserved peaks at t are fixed + growing · t
    lost, log, peak = np.zeros(4, np.int64), np.empty((64 if history else 0, 5), np.int64), 0
    t, left, row = 0, n, np.zeros((1, 2), np.int64)
    for i in range(n):
        _put(waiting, i, bounds[i], ranks, row)
    while stop[0] == 0:
        peak = max(peak, base + active * t)
        drop(ends, t + 2)
        while True:
            event = queues.first_key(events) == t
            if event:
                i = events.items[0]
            elif base + active * (t + 1) > memory:
                i = queues.first(running, rng.random() if drawn else 0.0)
            else:
                break
            age = t - starts[i]
            if event and age < length[i] and age < tossed[i]:  # only with coins: at its bound, and not cancelled
                grows[i] = True
                fixed += 1 - starts[i] - bounds[i]
                growing += 1
                queues.change(events, i, starts[i] + min(tossed[i], length[i]), 0)
                continue
            queues.remove(events, i)
            queues.take(running, i)
            base -= s[i] - starts[i]
            active -= 1
            if coins:
                fixed -= s[i] + (1 - starts[i] if grows[i] else bounds[i])
                growing -= grows[i]
            elif starts[i] + bounds[i] >= t + 2:
                delete(ends, starts[i], s[i], bounds[i])
            if age == length[i]:
                left -= 1
                stop[1] = n - left
            else:
                log = _logged(log, lost, s[i], i, starts[i], age, bounds[i])
                bounds[i] = max(bounds[i], age + event)  # a coin says that it is longer than its age
                _put(waiting, i, bounds[i], ranks, row)
        after = np.int64(-1)
        while queues.size(waiting):
            i = queues.first(waiting, rng.random() if drawn else 0.0)
            bound, prompt = bounds[i], s[i]
            free = memory - fixed - growing * t if coins else memory - base - active * (t + 1)
            alternatives = queues.first_size(waiting.groups) if alike and drawn else 1
            k = min(free // (prompt + bound if coins else prompt + 1), alternatives)
            if k > 0 and not coins:
                k = how_many_fit(ends, t, prompt, bound, memory, k)
            if k <= 0:
                least_size = prompt if alike or not drawn else smallest
                if coins:  # what is reserved only grows, but the next draw may fall on a smaller request
                    if fixed + growing * t + least_size + bound <= memory:
                        after = t + 1
                elif base + active * (t + 2) + least_size + 1 <= memory:
                    after = retry_at(ends, t, least_size, bound, memory, 1)
                    if base + active * (after + 1) + least_size + 1 > memory:
                        after = np.int64(-1)
                break
            for step in range(k):
                if step:
                    i = queues.first(waiting, rng.random() if drawn else 0.0)
                queues.take(waiting, i)
                _put(running, i, bound, ranks, row)
                starts[i] = t
                if first_starts[i] < 0:
                    first_starts[i] = t
                if coins:
                    grows[i] = False
                    tossed[i] = _toss(prompt, bound, length[i], rng)
                    queues.add(events, i, t + bound, 0)
                else:
                    queues.add(events, i, t + length[i], 0)
            base += k * (prompt - t)
            active += k
            if coins:
                fixed += k * (prompt + bound)
            elif bound > 1:
                insert(ends, t, prompt, bound, k)
        if active == 0:
            break
        following = min(queues.first_key(events), (memory - base) // active)  # the first event, or the first overflow
        t = min(following, after) if after > 0 else following
        if t > last:
            break
    return first_starts, starts, bounds, lost, log, peak, left - active, active


@part
def _put(pool: queues.Pool, i: Int, bound: Int, ranks: IntArray, row: IntArray) -> None:
    row[0, 0], row[0, 1] = bound, ranks[i] if len(ranks) else 0
    queues.enter(pool, i, row)


@maker
def _logged(log: IntArray, lost: IntArray, s: Int, request: Int, start: Int, age: Int, bound: Int) -> IntArray:
    """Return the log with a row for this cancellation, if it has room at all, and add to what cancellations cost."""
    row = lost[0]
    lost[0] += 1
    lost[1] += age
    lost[2] += s * age + age * (age + 1) // 2
    lost[3] += s
    if len(log) == 0:
        return log
    if row == len(log):
        longer = np.empty((2 * row, 5), np.int64)
        for k in range(row):  # entry by entry: an assignment of arrays takes Numba four seconds to compile
            for field in range(5):
                longer[k, field] = log[k, field]
        log = longer
    log[row, 0], log[row, 1], log[row, 2], log[row, 3], log[row, 4] = request, start, age, bound, 0
    return log


@part
def _toss(s: Int, bound: Int, length: Int, rng: np.random.Generator) -> Int:
    """Return the age at which the coins cancel a request, or its length if none does.

    P(no coin cancels up to age a) = Π_{b = bound}^{a} (1 − 1/(s + b + 1)) = (s + bound)/(s + a + 1).
    """
    reached = (s + bound) / (1.0 - rng.random())
    return np.int64(reached) - s if reached < s + length else length
