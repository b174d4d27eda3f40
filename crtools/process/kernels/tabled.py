"""The loop of :mod:`crtools.process.events` for rules that stand in a table (:mod:`crtools.process.tabled`).

It leaves where a request comes to a state that is not in the table yet, and goes on at the same instant when it is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crtools.process.kernels.ends import Ends, delete, drop, insert, new_ends, release, room
from crtools.process.kernels.jit import Int, compiled
from crtools.process.kernels.log import noted
from crtools.process.kernels.rows import RowHeap, add, new_row_heap, remove

CLASS, BOUND, ASSUMED, GOES, BECOMES, FIRST, LAST, KEY = range(8)
"""Columns of the table: what tells requests apart beside õ, and õ; the length assumed at first; the age at which the request
is cancelled, and its new õ; its rows among the changes; and from KEY on pairs k, c: the priority is k·joined + c, in each place."""

PLACES = 3
"""Places that a priority may have."""

CHANGES, ENDS = 1, 0
"""Kinds of events, in the order in which those of one instant are looked at."""

T, BASE, ACTIVE, STARTED, PEAK, FIXED, GROWING, SUM, MANY, STRAINED, WHO, WANTED = range(12)
"""Entries of ``now``: those of :mod:`crtools.process.events`, and who waits for the state with which õ."""

DONE, WANTS, OVERFULL, LATE = range(4)
"""Why the loop leaves."""

NEVER, MEMORY, LATEST = range(3)
"""Who is cancelled where memory would overflow: nobody, those of least õ, the latest."""


class Process(NamedTuple):
    """Columns by request, the two heaps, the table of ends, and ``now``; ``state`` is a row of the table of rules."""

    s: Any
    length: Any
    rank: Any
    state: Any
    joined: Any
    start: Any
    number: Any
    change: Any
    assumed: Any
    counted: Any
    fixed: Any
    growing: Any
    running: Any
    place: Any
    waiting: RowHeap
    events: RowHeap
    ends: Ends
    lost: Any
    now: Any


@compiled
def place_of(states: Any, class_: Int, bound: Int) -> Int:
    """Return the row of a hash table where the state of a class and õ stands, or would stand: rows class, õ, state or −1."""
    mask = len(states) - 1
    row = (class_ * 40503 + bound * 2654435761) & mask
    while states[row, 2] >= 0 and (states[row, 0] != class_ or states[row, 1] != bound):
        row = (row + 1) & mask
    return row


@compiled
def new_process(s: Any, length: Any, rank: Any, state: Any, table: Any) -> Process:
    """Return all requests waiting at time 0."""
    n = len(s)
    now = np.zeros(12, np.int64)
    now[WHO] = -1
    process = Process(
        s, length, rank, state, np.zeros(n, np.int64), np.full(n, -1, np.int64), np.full(n, -1, np.int64),
        np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_), np.zeros(n, np.int64), np.zeros(n, np.int64),
        np.zeros(n, np.int64), np.zeros(n, np.int64), new_row_heap(n, PLACES + 1), new_row_heap(n, 3), new_ends(n),
        np.zeros(3, np.int64), now,
    )  # fmt: skip
    for i in range(n):
        _wait(process, table, i)
    return process


@compiled
def run_tabled(
    p: Process, table: Any, changes: Any, states: Any, log: Any, memory: Int, limit: Int, overflow: Int, peaks: bool, stop: Any
) -> Any:  # fmt: skip
    """Go on until all is done or something is wanted; return why, and the log."""
    now = p.now
    if now[WHO] >= 0:
        _wait(p, table, now[WHO])
        now[WHO] = -1
    while stop[0] == 0:
        t = now[T]
        now[PEAK] = max(now[PEAK], now[BASE] + now[ACTIVE] * t)
        if not peaks:
            drop(p.ends, t + 2)
        while True:
            i, bound = _next_gone(p, table, changes, t, memory, overflow, peaks)
            if i < 0:
                break
            log = noted(log, p.lost, p.s[i], i, p.start[i], t - p.start[i], table[p.state[i], BOUND])
            _leave(p, i, t, peaks)
            p.joined[i], p.start[i] = p.lost[0], -1
            if bound != table[p.state[i], BOUND]:
                p.state[i] = states[place_of(states, table[p.state[i], CLASS], bound), 2]
                if p.state[i] < 0:
                    now[WHO], now[WANTED] = i, bound
                    return WANTS, log
            _wait(p, table, i)
        again = -1
        while p.waiting.count[0]:
            i = p.waiting.items[0]
            s, assumed = p.s[i], table[p.state[i], ASSUMED]
            if not _fits(p, s, assumed, t, memory, peaks):
                again = _again(p, s, assumed, t, memory, peaks)
                break
            remove(p.waiting, i)
            _start(p, table, changes, i, t, memory, peaks)
        if p.waiting.count[0] == 0 and now[ACTIVE] == 0:
            return DONE, log
        following = limit + 1
        if again >= 0:
            following = min(following, again)
        if p.events.count[0]:
            following = min(following, p.events.keys[p.events.items[0], 0])
        if now[ACTIVE]:
            full = max((memory - now[BASE]) // now[ACTIVE], t)  # the last instant at which all of them fit
            following = min(following, max(full, t + 1) if overflow else full + 1)
            if following > full and full < limit:
                now[T] = full + 1
                return OVERFULL, log
        now[T] = following
        if following > limit:
            return LATE, log
    return LATE, log


@compiled
def _next_gone(
    p: Process, table: Any, changes: Any, t: Int, memory: Int, overflow: Int, peaks: bool
) -> tuple[Int, Int]:
    """Do what happens at t up to the next cancellation; return who is cancelled and the new õ, or −1."""
    while p.events.count[0]:
        i = p.events.items[0]
        if p.events.keys[i, 0] != t:
            break
        if p.events.keys[i, 1] == CHANGES:
            row = p.change[i]
            p.change[i] += 1
            _release(p, i, t, peaks)
            if peaks:
                _put(p, i, p.s[i] + changes[row, 1] - changes[row, 2] * t, changes[row, 2])
            else:
                if changes[row, 1] > p.assumed[i]:
                    p.now[STRAINED] = 1
                _reserve(p, i, t, changes[row, 1], memory)
            remove(p.events, i)
            _expect(p, table, changes, i)
        elif t - p.start[i] == p.length[i]:
            _leave(p, i, t, peaks)
        else:
            return i, table[p.state[i], BECOMES]
    if overflow and p.now[BASE] + p.now[ACTIVE] * (t + 1) > memory:
        gone = p.running[0]
        for k in range(1, p.now[ACTIVE]):
            i = p.running[k]
            if overflow == LATEST:
                sooner = p.number[i] > p.number[gone]
            else:
                one, two = table[p.state[i], BOUND], table[p.state[gone], BOUND]
                sooner = one < two or (one == two and p.rank[i] < p.rank[gone])
            if sooner:
                gone = i
        bound = table[p.state[gone], BOUND]
        return gone, bound if overflow == LATEST else max(bound, t - p.start[gone])
    return -1, 0


@compiled
def _wait(p: Process, table: Any, i: Int) -> None:
    state = p.state[i]
    for k in range(PLACES):
        p.waiting.keys[i, k] = table[state, KEY + 2 * k] * p.joined[i] + table[state, KEY + 2 * k + 1]
    p.waiting.keys[i, PLACES] = p.rank[i]
    add(p.waiting, i)


@compiled
def _start(p: Process, table: Any, changes: Any, i: Int, t: Int, memory: Int, peaks: bool) -> None:
    now, state = p.now, p.state[i]
    p.start[i], p.number[i] = t, now[STARTED]
    now[STARTED] += 1
    now[BASE] += p.s[i] - t
    p.running[now[ACTIVE]], p.place[i] = i, now[ACTIVE]
    now[ACTIVE] += 1
    if peaks:
        _put(p, i, p.s[i] + table[state, ASSUMED], 0)
    else:
        _reserve(p, i, t, table[state, ASSUMED], memory)
    p.change[i] = table[state, FIRST]
    _expect(p, table, changes, i)


@compiled
def _expect(p: Process, table: Any, changes: Any, i: Int) -> None:
    """Note the next event of a running request."""
    state, row = p.state[i], p.change[i]
    age, kind = min(p.length[i], table[state, GOES]), ENDS
    if row < table[state, LAST] and changes[row, 0] < age:
        age, kind = changes[row, 0], CHANGES
    p.events.keys[i, 0], p.events.keys[i, 1], p.events.keys[i, 2] = p.start[i] + age, kind, p.number[i]
    add(p.events, i)


@compiled
def _leave(p: Process, i: Int, t: Int, peaks: bool) -> None:
    now = p.now
    _release(p, i, t, peaks)
    remove(p.events, i)
    now[BASE] -= p.s[i] - p.start[i]
    now[ACTIVE] -= 1
    last = p.running[now[ACTIVE]]
    p.running[p.place[i]], p.place[last] = last, p.place[i]


@compiled
def _put(p: Process, i: Int, fixed: Int, growing: Int) -> None:
    p.fixed[i], p.growing[i] = fixed, growing
    p.now[FIXED] += fixed
    p.now[GROWING] += growing


@compiled
def _reserve(p: Process, i: Int, t: Int, assumed: Int, memory: Int) -> None:
    start, s = p.start[i], p.s[i]
    assumed = min(assumed, memory + 1)  # no longer fits than that
    p.assumed[i], p.counted[i] = assumed, assumed > t - start
    if assumed > t - start:
        p.now[SUM] += s - start
        p.now[MANY] += 1
    if assumed > t - start + 1:
        insert(p.ends, start, s, assumed, 1)


@compiled
def _release(p: Process, i: Int, t: Int, peaks: bool) -> None:
    now = p.now
    if peaks:
        now[FIXED] -= p.fixed[i]
        now[GROWING] -= p.growing[i]
        return
    start, s = p.start[i], p.s[i]
    if p.counted[i]:
        now[SUM] -= s - start
        now[MANY] -= 1
    if start + p.assumed[i] >= t + 2:
        delete(p.ends, start, s, p.assumed[i])


@compiled
def _fits(p: Process, s: Int, assumed: Int, t: Int, memory: Int, peaks: bool) -> bool:
    now = p.now
    if peaks:
        return now[FIXED] + now[GROWING] * t + s + assumed <= memory
    if now[SUM] + now[MANY] * (t + 1) + (s + 1 if assumed >= 1 else 0) > memory:
        return False
    if now[STRAINED] and _worst(p.ends) > memory:
        return False
    if assumed < 1:
        return True
    return s + assumed <= memory and room(p.ends, t, s, assumed, memory, 1) > 0


@compiled
def _worst(ends: Ends) -> Int:
    most = 0
    for row in range(ends.span[0], ends.span[1]):
        most = max(most, ends.used[row])
    return most


@compiled
def _again(p: Process, s: Int, assumed: Int, t: Int, memory: Int, peaks: bool) -> Int:
    """Return a time before which a request that was refused cannot fit, if no event comes; −1: never."""
    now = p.now
    if peaks:
        return t + 1 if _fits(p, s, assumed, t + 1, memory, peaks) else -1
    if now[STRAINED] and _worst(p.ends) > memory:
        return t + 1
    if assumed < 1 or s + assumed > memory or now[MANY] == 0:
        return -1
    after = release(p.ends, t, s, assumed, memory, 1)
    return -1 if now[SUM] + now[MANY] * (after + 1) + s + 1 > memory else after
