"""The loop of :mod:`crtools.process.events` for rules that stand in a table (:mod:`crtools.process.tabled`).

It leaves where a request comes to a state that is not in the table yet, and goes on at the same instant when it is. What is
drawn, ties and coins, is drawn in the order in which that loop draws it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crtools.process.coins import STRETCH
from crtools.process.kernels.ends import Ends, delete, drop, insert, new_ends, release, room
from crtools.process.kernels.groups import LENGTH, SAME, SIZE, Groups, drawn_first, join, new_groups, quit_group
from crtools.process.kernels.jit import Int, borrowing, compiled
from crtools.process.kernels.log import noted
from crtools.process.kernels.rows import RowHeap, add, new_row_heap, remove

CLASS, BOUND, ASSUMED, GOES, BECOMES, FIRST, LAST, TOSSES, TOSSED, GROUP, ALIKE, KEY = range(12)
"""Columns of the table: what tells requests apart beside õ, and õ; the length assumed at first; the age at which the request
is cancelled whatever is drawn, and its new õ; its rows among the changes, and among the tosses, none where nothing is drawn;
the group of its priority, and that of its õ, where ties are drawn; and from KEY on pairs k, c: the priority is
k·joined + c, in each place."""

PLACES = 3
"""Places that a priority may have."""

UPTO, CHANCE, BELOW, ABOVE, TOSS = 0, 1, 2, 5, 8
"""Columns of the tosses: the last age of a stretch of ages; where their chances stand, less the first age of them, −1 where
nothing is drawn; what happens where the number drawn is below, and where it is not: whether the request is cancelled, and
k, c, with k·age + c its new õ. The first stretch of a state begins at age 1."""

NOTHING = -(2**62)
"""In the place of ``CHANCE``: nothing is drawn."""

CHANGES, ENDS, LOOKS = 1, 0, 2
"""Kinds of events, in the order in which those of one instant are looked at."""

T, BASE, ACTIVE, STARTED, PEAK, FIXED, GROWING, SUM, MANY, STRAINED, WHO, WANTED, WAITING = range(13)
"""Entries of ``now``: those of :mod:`crtools.process.events`; who waits for the state with which õ; how many wait."""

DONE, WANTS, OVERFULL, LATE = range(4)
"""Why the loop leaves."""

NEVER, MEMORY, LATEST = range(3)
"""Who is cancelled where memory would overflow: nobody, those of least õ, the latest."""


class Rules(NamedTuple):
    """The table; its rows of changes and of tosses; the chances; and the hash table of states (:func:`place_of`)."""

    table: Any
    changes: Any
    tosses: Any
    chances: Any
    states: Any


class Fixed(NamedTuple):
    """What does not change in a run. ``drawn``: whether ties are drawn afresh; else ``rank`` of the process breaks them."""

    memory: Any
    limit: Any
    overflow: Any
    peaks: Any
    drawn: Any


class Process(NamedTuple):
    """Columns by request, the heaps, the table of ends, and ``now``.

    ``state`` is a row of the table of rules. ``until``, ``kind`` and ``becomes``: up to which age it is known what becomes of an
    attempt; whether it ends then or is looked at again before; and the õ that it ends with, if it is cancelled.
    """

    s: Any
    length: Any
    rank: Any
    state: Any
    joined: Any
    start: Any
    number: Any
    change: Any
    until: Any
    kind: Any
    becomes: Any
    assumed: Any
    counted: Any
    fixed: Any
    growing: Any
    running: Any
    place: Any
    waiting: RowHeap
    groups: Groups
    least: Groups
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
def new_process(s: Any, length: Any, rank: Any, state: Any, rules: Rules, drawn: bool) -> Process:
    """Return all requests waiting at time 0."""
    n, groups = len(s), len(rules.table) if drawn else 0
    now = np.zeros(13, np.int64)
    now[WHO] = -1
    zeros = np.zeros((10, n), np.int64)
    process = Process(
        s, length, rank, state, zeros[0], np.full(n, -1, np.int64), np.full(n, -1, np.int64), zeros[1], zeros[2], zeros[3],
        zeros[4], zeros[5], np.zeros(n, np.bool_), zeros[6], zeros[7], zeros[8], zeros[9],
        new_row_heap(0 if drawn else n, PLACES + 1), new_groups(n if drawn else 0, groups, PLACES),
        new_groups(n if drawn else 0, groups, 1), new_row_heap(n, 3), new_ends(n), np.zeros(3, np.int64), now,
    )  # fmt: skip
    for i in range(n):
        _wait(process, rules, i, drawn)
    return process


@compiled
def run_tabled(p: Process, rules: Rules, log: Any, rng: Any, f: Fixed, stop: Any) -> Any:
    """Go on until all is done or something is wanted; return why, and the log."""
    now, table = p.now, rules.table
    if now[WHO] >= 0:
        _wait(p, rules, now[WHO], f.drawn)
        now[WHO] = -1
    while stop[0] == 0:
        t = now[T]
        now[PEAK] = max(now[PEAK], now[BASE] + now[ACTIVE] * t)
        if not f.peaks:
            drop(p.ends, t + 2)
        while True:
            i, bound = _next_gone(p, rules, t, rng, f)
            if i < 0:
                break
            log = noted(log, p.lost, p.s[i], i, p.start[i], t - p.start[i], table[p.state[i], BOUND])
            _leave(p, rules, i, t, f)
            p.joined[i], p.start[i] = p.lost[0], -1
            if bound != table[p.state[i], BOUND]:
                p.state[i] = rules.states[place_of(rules.states, table[p.state[i], CLASS], bound), 2]
                if p.state[i] < 0:
                    now[WHO], now[WANTED] = i, bound
                    return WANTS, log
            _wait(p, rules, i, f.drawn)
        again = _admit(p, rules, t, rng, f)
        if now[WAITING] == 0 and now[ACTIVE] == 0:
            return DONE, log
        following = f.limit + 1
        if again >= 0:
            following = min(following, again)
        if p.events.count[0]:
            following = min(following, p.events.keys[p.events.items[0], 0])
        if now[ACTIVE]:
            full = max((f.memory - now[BASE]) // now[ACTIVE], t)  # the last instant at which all of them fit
            following = min(following, max(full, t + 1) if f.overflow else full + 1)
            if following > full and full < f.limit:
                now[T] = full + 1
                return OVERFULL, log
        now[T] = following
        if following > f.limit:
            return LATE, log
    return LATE, log


@borrowing
def _admit(p: Process, rules: Rules, t: Int, rng: Any, f: Fixed) -> Int:
    """Start who fits; return a later instant before which who does not fit cannot, −1 where it takes an event."""
    while p.now[WAITING]:
        i = drawn_first(p.groups, rng) if f.drawn else p.waiting.items[0]
        s, assumed = p.s[i], rules.table[p.state[i], ASSUMED]
        if not _fits(p, s, assumed, t, f.memory, f.peaks):
            if f.drawn:
                kinds, group = p.groups.kinds, rules.table[p.state[i], GROUP]
                s, assumed = kinds[group, SIZE], kinds[group, LENGTH]
                if not kinds[group, SAME] and _fits(p, s, assumed, t, f.memory, f.peaks):
                    return t + 1  # another may be drawn then
            return _again(p, s, assumed, t, f.memory, f.peaks)
        if f.drawn:
            quit_group(p.groups, rules.table[p.state[i], GROUP], i)
        else:
            remove(p.waiting, i)
        p.now[WAITING] -= 1
        _start(p, rules, i, t, rng, f)
    return -1


@borrowing
def _next_gone(p: Process, rules: Rules, t: Int, rng: Any, f: Fixed) -> tuple[Int, Int]:
    """Do what happens at t up to the next cancellation; return who is cancelled and the new õ, or −1."""
    while p.events.count[0]:
        i = p.events.items[0]
        if p.events.keys[i, 0] != t:
            break
        if p.events.keys[i, 1] == CHANGES:
            _change(p, rules, i, t, f)
            remove(p.events, i)
            _expect(p, rules, i)
        elif p.events.keys[i, 1] == LOOKS:
            _look_ahead(p, rules, i, t - p.start[i], rng)
            remove(p.events, i)
            _expect(p, rules, i)
        elif t - p.start[i] == p.length[i]:
            _leave(p, rules, i, t, f)
        else:
            return i, p.becomes[i]
    if f.overflow and p.now[BASE] + p.now[ACTIVE] * (t + 1) > f.memory:
        gone = drawn_first(p.least, rng) if f.drawn and f.overflow == MEMORY else _first_gone(p, rules, f)
        bound = rules.table[p.state[gone], BOUND]
        return gone, bound if f.overflow == LATEST else max(bound, t - p.start[gone])
    return -1, 0


@borrowing
def _first_gone(p: Process, rules: Rules, f: Fixed) -> Int:
    """Return who of the running is cancelled first: the latest, or the one of least õ."""
    gone = p.running[0]
    for k in range(1, p.now[ACTIVE]):
        i = p.running[k]
        if f.overflow == LATEST:
            sooner = p.number[i] > p.number[gone]
        else:
            one, two = rules.table[p.state[i], BOUND], rules.table[p.state[gone], BOUND]
            sooner = one < two or (one == two and p.rank[i] < p.rank[gone])
        if sooner:
            gone = i
    return gone


@borrowing
def _change(p: Process, rules: Rules, i: Int, t: Int, f: Fixed) -> None:
    """Assume of a running request what its next row of changes says."""
    row = p.change[i]
    length, slope = rules.changes[row, 1], rules.changes[row, 2]
    p.change[i] += 1
    _release(p, i, t, f.peaks)
    if f.peaks:
        _put(p, i, p.s[i] + length - slope * t, slope)
    else:
        if length > p.assumed[i]:
            p.now[STRAINED] = 1
        _reserve(p, i, t, length, f.memory)


@borrowing
def _wait(p: Process, rules: Rules, i: Int, drawn: bool) -> None:
    table, state = rules.table, p.state[i]
    group = table[state, GROUP]
    keys = p.groups.heap.keys if drawn else p.waiting.keys
    row = group if drawn else i
    for k in range(PLACES):
        keys[row, k] = table[state, KEY + 2 * k] * p.joined[i] + table[state, KEY + 2 * k + 1]
    if drawn:
        join(p.groups, group, i, p.s[i], table[state, ASSUMED])
    else:
        keys[row, PLACES] = p.rank[i]
        add(p.waiting, i)
    p.now[WAITING] += 1


@borrowing
def _start(p: Process, rules: Rules, i: Int, t: Int, rng: Any, f: Fixed) -> None:
    now, table, state = p.now, rules.table, p.state[i]
    p.start[i], p.number[i] = t, now[STARTED]
    now[STARTED] += 1
    now[BASE] += p.s[i] - t
    p.running[now[ACTIVE]], p.place[i] = i, now[ACTIVE]
    now[ACTIVE] += 1
    if f.drawn and f.overflow == MEMORY:
        p.least.heap.keys[table[state, ALIKE], 0] = table[state, BOUND]
        join(p.least, table[state, ALIKE], i, 0, 0)
    if f.peaks:
        _put(p, i, p.s[i] + table[state, ASSUMED], 0)
    else:
        _reserve(p, i, t, table[state, ASSUMED], f.memory)
    p.change[i] = table[state, FIRST]
    _look_ahead(p, rules, i, 0, rng)
    _expect(p, rules, i)


@borrowing
def _look_ahead(p: Process, rules: Rules, i: Int, age: Int, rng: Any) -> None:
    """Find what becomes of a running request after this age, as far as it is drawn now."""
    table, tosses, state, length = rules.table, rules.tosses, p.state[i], p.length[i]
    p.until[i], p.kind[i], p.becomes[i] = min(length, table[state, GOES]), ENDS, table[state, BECOMES]
    row, last = table[state, TOSSES], table[state, TOSSED]
    if row == last:
        return
    a, known = age + 1, length
    while a < known:
        while tosses[row, UPTO] < a:
            row += 1
        what = BELOW
        if tosses[row, CHANCE] != NOTHING:
            if known == length:
                known = min(length, a + 1 + max(age, STRETCH))
            if not rng.random() < rules.chances[tosses[row, CHANCE] + a]:
                what = ABOVE
        if tosses[row, what]:
            p.until[i], p.becomes[i] = a, tosses[row, what + 1] * a + tosses[row, what + 2]
            return
        a = a + 1 if tosses[row, CHANCE] != NOTHING else tosses[row, UPTO] + 1
    p.until[i], p.kind[i] = known, ENDS if known == length else LOOKS


@borrowing
def _expect(p: Process, rules: Rules, i: Int) -> None:
    """Note the next event of a running request."""
    row, kind = p.change[i], p.kind[i]
    age = p.until[i] - (kind == LOOKS)
    if row < rules.table[p.state[i], LAST] and rules.changes[row, 0] < p.until[i]:
        age, kind = rules.changes[row, 0], CHANGES
    p.events.keys[i, 0], p.events.keys[i, 1], p.events.keys[i, 2] = p.start[i] + age, kind, p.number[i]
    add(p.events, i)


@borrowing
def _leave(p: Process, rules: Rules, i: Int, t: Int, f: Fixed) -> None:
    now = p.now
    _release(p, i, t, f.peaks)
    remove(p.events, i)
    if f.drawn and f.overflow == MEMORY:
        quit_group(p.least, rules.table[p.state[i], ALIKE], i)
    now[BASE] -= p.s[i] - p.start[i]
    now[ACTIVE] -= 1
    last = p.running[now[ACTIVE]]
    p.running[p.place[i]], p.place[last] = last, p.place[i]


@borrowing
def _put(p: Process, i: Int, fixed: Int, growing: Int) -> None:
    p.fixed[i], p.growing[i] = fixed, growing
    p.now[FIXED] += fixed
    p.now[GROWING] += growing


@borrowing
def _reserve(p: Process, i: Int, t: Int, assumed: Int, memory: Int) -> None:
    start, s = p.start[i], p.s[i]
    assumed = min(assumed, memory + 1)  # no longer fits than that
    p.assumed[i], p.counted[i] = assumed, assumed > t - start
    if assumed > t - start:
        p.now[SUM] += s - start
        p.now[MANY] += 1
    if assumed > t - start + 1:
        insert(p.ends, start, s, assumed, 1)


@borrowing
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


@borrowing
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


@borrowing
def _worst(ends: Ends) -> Int:
    most = 0
    for row in range(ends.span[0], ends.span[1]):
        most = max(most, ends.used[row])
    return most


@borrowing
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
