"""The compiled engine's loop: the process of docs/model.md for any policy, from event to event.

An event is a completion, a cancellation, or an age at which the assumed length of a running request changes. The loop calls the
rules for the next event when an attempt starts, and tries admission where something happened or a refused request may fit.
Instants are counted in steps; in seconds the loop adds up the time of each step between two events. A request that starts with
kept tokens counts as started so many instants earlier: its age and its memory are then those of any other request. The loop is
compiled once for all policies, because it calls their rules by an address (:mod:`crtools.process.kernels.rules`).
``crtools/process/engine.py`` prepares its state and calls it; ``tests/process/test_engine.py`` compares it with the reference
engine.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from crtools.numeric_types import FloatArray, IntArray
from crtools.process.kernels import rules as protocol
from crtools.process.kernels.jit import Int, compiled, part
from crtools.process.kernels.projected_memory import Projection, delete, drop, how_many_fit, insert, retry_at, used_at
from crtools.process.kernels.queues import Pool, PriorityQueue, add, enter, first, first_key, remove, size, take
from crtools.process.kernels.rules import CompiledRules, Records
from crtools.process.plans import GRAIN, Attempt

(TIME, BASE, ACTIVE, STARTED, PEAK, GROWING_BASE, GROWING, RESERVED, OVERBOOKED, CREDIT, LOST, TOKENS, VOLUME,
 MOVED, LOOK_AT, SEEDED, CREDITED, KEPT, UNFINISHED, PILOT_UNFINISHED, PLAN_AT, PILOT_PLAN_AT, ARRIVED, PREFILL,
 STARTING, PENDING, PREFILLED_AGAIN, UNPAYABLE) = range(28)  # fmt: skip
"""Entries of ``now``. The running requests need BASE + ACTIVE · t tokens at t. Those that are assumed to last one more token
need GROWING_BASE + GROWING · t; with reserved peaks the others need RESERVED. OVERBOOKED: whether what is assumed may exceed
the memory by itself. LOST, TOKENS, VOLUME: cancellations, and the tokens and token-instants that they cost. MOVED, LOOK_AT:
whether something happened, and else when a request may fit. CREDITED: up to when the credit has grown. KEPT: the most of it
that is kept from one instant to the next. UNFINISHED, PILOT_UNFINISHED: how many requests, and how many of the pilot, are
unfinished; attempts are listed when only PLAN_AT or PILOT_PLAN_AT are. ARRIVED: how many requests have been released. PREFILL,
STARTING: the tokens that the requests that start at this instant process in the step after it, and their number. PENDING: how
many requests await the end of their first step. PREFILLED_AGAIN: tokens that requests process at later starts before they
generate new ones. UNPAYABLE: whether a price is no machine integer."""

CLOCK, RUNNING, WAITING, HELD, MEMORY, COMPLETED, OUTPUT, BASE_TIME, PER_TOKEN, PER_HELD = range(protocol.ANSWER)
"""Entries of ``instant``, in the order of the fields of ``Now``; the last three are constant."""

DONE, OVERFULL, LIVELOCK, LOG_FULL, TOO_LARGE, PLAN = range(6)
"""Why the loop ends, or, for LOG_FULL and PLAN, is interrupted."""

PROJECTED, PEAKS, PACED, PLANNED = range(4)
"""What admission looks at: memory at every later instant; reserved peaks; the next instant and credit, for attempts that rules
make, or that a plan lists."""

NEVER, LEAST_BOUND, LATEST, LEAST_VALUE = range(4)
"""Who is cancelled where the next instant would need more than the memory; LEAST_VALUE: by the rule ``victim``, or, where a plan
lists it, the largest remaining work."""

KILL, PRICE, KEPT_CREDIT, BOUND, RANK = range(len(Attempt._fields))
"""Columns of ``State.attempts``."""

FAR = 2**62
LARGEST_PRICE = 2**60


class State(NamedTuple):
    """The state of a run.

    ``waiting``: the requests that wait, by priority, release and rank. ``running``: those that run, if memory may overflow, by their
    bounds for LEAST_BOUND, else the latest started first. ``row``: where rules write results, and where keys are handed
    on. ``attempts``, ``remaining``: as a plan lists them, or empty. ``instant``: what ``limit`` and ``opens`` see, and the answer of
    a rule.
    """

    requests: Records
    waiting: Pool
    events: PriorityQueue
    running: Pool
    projection: Projection
    row: IntArray
    now: IntArray
    log: IntArray
    attempts: IntArray
    instant: FloatArray
    remaining: FloatArray


class Settings(NamedTuple):
    """The constants of a run.

    last: the last instant. drawn: ties are drawn afresh. varies: assumed lengths may depend on the age. room: what admission may
    fill while something runs. in_steps: every step takes 1. limited, opens: whether the policy has these rules. lazy: kill ages
    of a plan are permissions, used where the first that waits does not fit. boxes: an attempt reserves s + its kill age, and one
    of a request that runs raises it; the next attempt of such a request waits too.
    """

    memory: Int
    last: Int
    admission: Int
    overflow: Int
    drawn: bool
    varies: bool
    history: bool
    seed: Int
    room: Int
    in_steps: bool
    resume: bool
    limited: bool
    opens: bool
    lazy: bool
    boxes: bool


@partial(compiled, counts=False)
def take_attempts(state: State, settings: Settings, rules: CompiledRules, stop: IntArray) -> None:
    """Give every unfinished request its current attempt, after the attempts were listed."""
    state.waiting.queue.counts[0] = 0
    for i in range(len(state.requests)):
        it = state.requests[i]
        if it.number >= 0:
            remove(state.events, i)
            _take_attempt(state, i)
            _look(state, rules, i, 0, settings)
        elif it.start < 0 and it.release <= state.instant[CLOCK]:
            _take_attempt(state, i)
            enter(state.waiting, i, state.row)
        if stop[0]:
            break


@partial(compiled, counts=False)
def run_events(state: State, settings: Settings, rules: CompiledRules, stop: IntArray) -> Int:
    """Run until all requests are done, or the last instant, an error or a full log ends it; return why."""
    now, requests, events, memory = state.now, state.requests, state.events, settings.memory
    if now[SEEDED] == 0:
        np.random.seed(settings.seed)  # noqa: NPY002 - the rules draw from Numba's own generator
        now[SEEDED] = 1
    while stop[0] == 0:
        t = now[TIME]
        if t > settings.last:
            return LIVELOCK
        if settings.history and len(state.log) < now[LOST] + now[ACTIVE]:
            return LOG_FULL
        used = now[BASE] + now[ACTIVE] * t
        if used > memory:
            return OVERFULL
        now[PEAK] = max(now[PEAK], used)
        if settings.admission >= PACED and now[CREDITED] < t:
            growth = 2 * memory - used if settings.admission == PACED else GRAIN * memory
            now[CREDIT] = min(now[CREDIT] + (t - now[CREDITED] - 1) * growth, now[KEPT]) + growth
            now[CREDITED] = t
        if settings.admission == PROJECTED:
            drop(state.projection, t + 1)
        while first_key(events) == t:
            i = events.items[0]
            remove(events, i)
            now[MOVED] = 1
            event = requests[i].event
            if event == protocol.CHANGE:
                _change(state, i, t, settings)
            if event in (protocol.CHANGE, protocol.AGAIN):
                _look(state, rules, i, t - requests[i].start, settings)
            else:
                _leave(state, i, t, settings)
                if event == protocol.END:
                    requests[i].completion = state.instant[CLOCK]
                    state.instant[COMPLETED] += 1
                    stop[1] = np.int64(state.instant[COMPLETED])
                    state.instant[OUTPUT] += requests[i].length
                    if settings.admission == PLANNED:
                        now[UNFINISHED] -= 1
                        now[PILOT_UNFINISHED] -= requests[i].pilot
                if event == protocol.CANCEL:
                    _cancel(state, rules, i, t, requests[i].new_bound, settings)
        while settings.overflow != NEVER and now[BASE] + now[ACTIVE] * (t + 1) > memory:
            now[MOVED] = 1
            i = _victim(state, rules, t, settings)
            bound = requests[i].bound
            if settings.overflow == LEAST_BOUND:
                bound = max(bound, t - requests[i].start)
            remove(events, i)
            _leave(state, i, t, settings)
            _cancel(state, rules, i, t, bound, settings)
        _arrive(state, rules, settings, stop)
        if now[UNPAYABLE]:
            return TOO_LARGE
        is_due = now[UNFINISHED] <= now[PLAN_AT] or now[PILOT_UNFINISHED] <= now[PILOT_PLAN_AT]
        if settings.admission == PLANNED and now[UNFINISHED] > 0 and is_due:
            return PLAN
        looks = now[MOVED] or t >= now[LOOK_AT] or settings.admission == PACED
        if looks and _admit(state, rules, t, settings):
            if now[ARRIVED] == len(requests):
                return DONE
            if not settings.in_steps:
                state.instant[CLOCK] = max(state.instant[CLOCK], requests[requests[now[ARRIVED]].arrival].release)
                continue
        following = t + 1
        if settings.admission != PACED:
            following = max(min(now[LOOK_AT], settings.last + 1), t + 1)
            if events.counts[0]:
                following = min(following, first_key(events))
            if settings.in_steps and now[ARRIVED] < len(requests):
                following = min(following, np.int64(requests[requests[now[ARRIVED]].arrival].release))
            if now[ACTIVE]:
                full = (memory - now[BASE]) // now[ACTIVE]  # the last instant at which all of them fit
                following = max(min(following, full if settings.overflow != NEVER else full + 1), t + 1)
        _advance(state, following, settings)
    return DONE


@part
def _advance(state: State, following: Int, settings: Settings) -> None:
    """Let the steps up to an instant pass; in seconds, at most up to the first instant at which a request is released."""
    now, instant = state.now, state.instant
    if settings.in_steps:
        now[TIME], instant[CLOCK] = following, following
    else:
        release = np.inf
        if now[ARRIVED] < len(state.requests):
            release = state.requests[state.requests[now[ARRIVED]].arrival].release
        processed = now[ACTIVE] - now[STARTING] + now[PREFILL]
        while now[TIME] < following:
            now[TIME] += 1
            held = now[BASE] + now[ACTIVE] * now[TIME]
            instant[CLOCK] += instant[BASE_TIME] + instant[PER_TOKEN] * processed + instant[PER_HELD] * held
            for k in range(now[PENDING]):
                state.requests[state.requests[k].pending].first_token = instant[CLOCK]
            now[PENDING], processed = 0, now[ACTIVE]
            if instant[CLOCK] >= release:
                break
    now[PREFILL] = now[STARTING] = 0


# ---- admission ---------------------------------------------------------------------------------------------------


@part
def _admit(state: State, rules: CompiledRules, t: Int, settings: Settings) -> bool:
    """Start the waiting requests in their order, up to the first that does not fit; return whether none waits or runs."""
    now = state.now
    again, now[KEPT] = np.int64(FAR), 0
    if settings.opens and not _ask(state, rules, protocol.ASK_OPENS, 0, t):
        now[LOOK_AT], now[MOVED] = t + 1, 0
        return now[ACTIVE] == 0 and _first(state, settings) < 0
    while True:
        i = _first(state, settings)
        if i < 0:
            break
        it = state.requests[i]
        if settings.boxes:
            if not _admit_box(state, rules, i, t, settings):
                break
            continue
        again = _fits(state, it.s + it.kept, it.assumed - it.kept, t, settings)
        if again > t and settings.lazy:
            kill_at = _kill_for(state, rules, i, t, settings)
            if kill_at == t:
                continue
            again = min(again, kill_at)
        if again <= t and settings.limited and now[ACTIVE]:
            _ask(state, rules, protocol.ASK_LIMIT, i, t)
            if now[ACTIVE] + 1 > state.instant[protocol.ANSWER]:
                again = t + 1
                break
        if again > t:
            if settings.admission == PLANNED:
                now[KEPT] = state.attempts[it.attempt, KEPT_CREDIT]
            break
        if now[ACTIVE] and it.price > now[CREDIT]:
            again, now[KEPT] = t + 1, FAR
            if settings.admission == PLANNED:  # until the credit is there, or the memory is not
                affordable = t - (now[CREDIT] - it.price) // (GRAIN * settings.memory)
                again = min(affordable, (settings.room - now[BASE] - it.s - it.kept - 1) // now[ACTIVE])
            break
        now[CREDIT] -= it.price
        take(state.waiting, i)
        _start(state, rules, i, t, settings)
    now[LOOK_AT], now[MOVED] = again, 0
    if i >= 0 and settings.drawn:
        now[LOOK_AT] = t + 1  # another may be drawn then
    return i < 0 and now[ACTIVE] == 0


@part
def _admit_box(state: State, rules: CompiledRules, i: Int, t: Int, settings: Settings) -> bool:
    """Start a request, or raise the kill age of one that runs, if what is reserved stays within the memory; return whether it does."""
    it, now = state.requests[i], state.now
    runs = it.number >= 0
    kill = state.attempts[it.attempt + (1 if runs else 0), KILL]
    if now[RESERVED] + it.s + kill - (it.s + it.assumed if runs else 0) > settings.memory:
        return False
    take(state.waiting, i)
    if runs:
        remove(state.events, i)
        _count(state, i, -1, settings)
        it.attempt += 1
        _take_attempt(state, i)
        _assume(state, i, t, it.assumed, settings)
        _look(state, rules, i, t - it.start, settings)
    else:
        _start(state, rules, i, t, settings)
    if it.attempt < it.last_attempt:
        state.row[0, 0] = state.attempts[it.attempt + 1, RANK]
        enter(state.waiting, i, state.row)
    return True


@part
def _ask(state: State, rules: CompiledRules, question: Int, i: Int, t: Int) -> Int:
    """Ask ``limit`` or ``opens`` at this instant."""
    now, instant = state.now, state.instant
    instant[RUNNING] = now[ACTIVE]
    instant[WAITING] = size(state.waiting)
    instant[HELD] = now[BASE] + now[ACTIVE] * t - now[PREFILL]
    return rules(question, state.requests, i, 0, state.row, instant)


@part
def _kill_for(state: State, rules: CompiledRules, head: Int, t: Int, settings: Settings) -> Int:
    """Cancel the earliest started request past its kill age whose next attempt comes after ``head``; return t, else when one gets there."""
    running, next_kill, victim = state.running.queue, np.int64(FAR), -1
    rank_of_head = state.attempts[state.requests[head].attempt, RANK]
    for k in range(running.counts[0]):
        i = running.items[k]
        it = state.requests[i]
        age = t - it.start
        following = it.attempt
        while age >= it.assumed and state.attempts[following, KILL] <= max(it.reached, age):
            following += 1
        if following > it.attempt and state.attempts[following, RANK] > rank_of_head:
            if victim < 0 or it.number < state.requests[victim].number:
                victim = i
        elif state.attempts[following, KILL] < it.length:  # from then on its next attempt is a later one
            next_kill = min(next_kill, it.start + state.attempts[following, KILL])
    if victim < 0:
        return next_kill
    remove(state.events, victim)
    _leave(state, victim, t, settings)
    _cancel(state, rules, victim, t, state.requests[victim].bound, settings)
    return t


@part
def _first(state: State, settings: Settings) -> Int:
    """Return the waiting request that is tried next, −1 if none waits."""
    return first(state.waiting, _draw(settings)) if size(state.waiting) else -1


@part
def _draw(settings: Settings) -> float:
    return np.random.random() if settings.drawn else 0.0  # noqa: NPY002


@part
def _fits(state: State, s: Int, assumed: Int, t: Int, settings: Settings) -> Int:
    """Return t if a request may start now, else a time > t before which it cannot start unless an event happens."""
    now, projection = state.now, state.projection
    memory = settings.room if now[ACTIVE] else settings.memory
    if settings.admission >= PACED:
        return t if now[BASE] + now[ACTIVE] * (t + 1) + s + 1 <= memory else FAR
    used = now[GROWING_BASE] + now[GROWING] * (t + 1)
    if settings.admission == PEAKS:
        return t if used + now[RESERVED] + s + assumed <= memory else t + 1 if now[GROWING] < 0 else FAR
    low, high = projection.span[0], projection.span[1]
    if low < high:
        used += used_at(projection, low, t + 1)
    if used + (s + 1 if assumed > 0 else 0) > memory:
        return max(projection.at[low], t + 1) if low < high else FAR
    if now[OVERBOOKED]:
        for k in range(low, high):
            if projection.used[k] > memory:
                return t + 1
    if assumed < 1:
        return t
    if s + assumed > memory:
        return FAR
    if how_many_fit(projection, t, s, assumed, memory, 1):
        return t
    return retry_at(projection, t, s, assumed, memory, 0)


# ---- what is assumed of running requests -------------------------------------------------------------------------


@part
def _assume(state: State, i: Int, t: Int, assumed: Int, settings: Settings) -> None:
    """Count a running request with this assumed length from now on."""
    it = state.requests[i]
    it.assumed = min(assumed, settings.memory + 1)
    it.grows = settings.varies and assumed == t - it.start + 1  # one more than it has, at each age until it changes
    _count(state, i, 1, settings)


@part
def _count(state: State, i: Int, sign: Int, settings: Settings) -> None:
    """Add what is assumed of a running request to what all need, or take it back where ``sign`` is −1."""
    it, now = state.requests[i], state.now
    if settings.boxes:
        now[RESERVED] += sign * (it.s + it.assumed)
    if settings.admission >= PACED:
        return
    if it.grows:
        now[GROWING_BASE] += sign * (it.s - it.start)
        now[GROWING] += sign
    elif settings.admission == PEAKS:
        now[RESERVED] += sign * (it.s + it.assumed)
    elif it.start + it.assumed > now[TIME]:
        if sign > 0:
            insert(state.projection, it.start, it.s, it.assumed, 1)
        else:
            delete(state.projection, it.start, it.s, it.assumed)


@part
def _change(state: State, i: Int, t: Int, settings: Settings) -> None:
    it = state.requests[i]
    _count(state, i, -1, settings)
    longer = it.new_bound > it.assumed
    _assume(state, i, t, it.new_bound, settings)
    if longer and it.grows == 0:
        state.now[OVERBOOKED] = 1


# ---- arrivals, starts, ends and cancellations --------------------------------------------------------------------


@part
def _arrive(state: State, rules: CompiledRules, settings: Settings, stop: IntArray) -> None:
    """Let the requests that are released by now wait."""
    now = state.now
    while now[ARRIVED] < len(state.requests) and stop[0] == 0:
        i = state.requests[now[ARRIVED]].arrival
        if state.requests[i].release > state.instant[CLOCK]:
            break
        if settings.admission == PLANNED and len(state.attempts):
            _take_attempt(state, i)
        _wait(state, rules, i, settings)
        now[ARRIVED] += 1
        now[MOVED] = 1


@part
def _wait(state: State, rules: CompiledRules, i: Int, settings: Settings) -> None:
    """Let a request wait, by its rules or by its attempt in ``row``."""
    it, row = state.requests[i], state.row
    if settings.admission != PLANNED:
        for place in range(protocol.PLACES):
            row[0, place] = 0
        it.assumed = rules(protocol.JOIN, state.requests, i, it.kept, row, state.instant)
        if it.kept:
            it.assumed = max(it.assumed, it.kept + 1)  # a request that starts again runs one step at least
    if settings.admission == PACED:
        if (it.s + float(abs(it.assumed))) * abs(it.assumed) < LARGEST_PRICE:
            it.price = _volume(it.s, it.assumed)
        else:
            state.now[UNPAYABLE] = 1
    row[0, protocol.PLACES], row[0, protocol.PLACES + 1] = it.release_rank, it.rank
    enter(state.waiting, i, row)


@part
def _start(state: State, rules: CompiledRules, i: Int, t: Int, settings: Settings) -> None:
    it, now = state.requests[i], state.now
    it.start, it.number = t - it.kept, now[STARTED]
    now[STARTED] += 1
    now[BASE] += it.s - it.start
    now[ACTIVE] += 1
    now[STARTING] += 1
    now[PREFILL] += it.s + it.kept
    if it.first_token < 0:
        it.first_token = t + 1
        if not settings.in_steps:
            state.requests[now[PENDING]].pending = i
            now[PENDING] += 1
    if settings.overflow != NEVER:
        state.row[0, 0], state.row[0, 1] = -it.number, 0
        if settings.overflow == LEAST_BOUND:
            state.row[0, 0], state.row[0, 1] = it.bound, it.rank
        enter(state.running, i, state.row)
    _assume(state, i, t, it.assumed, settings)
    _look(state, rules, i, it.kept, settings)


@part
def _look(state: State, rules: CompiledRules, i: Int, age: Int, settings: Settings) -> None:
    """Call the rules for the next ages, and schedule the next event of a running request."""
    it = state.requests[i]
    if settings.admission >= PACED:
        at, it.event = it.length, protocol.END
        if 0 < it.assumed < it.length and not settings.lazy:
            at, it.event, it.new_bound = it.assumed, protocol.CANCEL, it.assumed + 1
    else:
        at = rules(protocol.LOOK, state.requests, i, age, state.row, state.instant)
        it.event, it.new_bound = state.row[0, 0], state.row[0, 1]
    add(state.events, i, it.start + at, it.number)


@part
def _victim(state: State, rules: CompiledRules, t: Int, settings: Settings) -> Int:
    """Return the request that is cancelled for memory."""
    if settings.overflow == LEAST_BOUND:
        return first(state.running, _draw(settings))
    running = state.running.queue
    victim, least = running.items[0], np.inf
    if settings.overflow == LEAST_VALUE or state.remaining.shape[1]:
        for k in range(running.counts[0]):
            i = running.items[k]
            it = state.requests[i]
            if settings.overflow == LEAST_VALUE:
                rules(protocol.ASK_VICTIM, state.requests, i, t - it.start, state.row, state.instant)
                value = state.instant[protocol.ANSWER]
            else:
                value = -_remaining_work(state, i, t - it.start)
            if value < least or (value == least and it.number > state.requests[victim].number):
                victim, least = i, value
    return victim


@part
def _remaining_work(state: State, i: Int, age: Int) -> float:
    """Return the expected work, in the clock's unit, that a request still needs at an age, by the tables of its plan."""
    instant, group, at = state.instant, state.requests[i].group, min(age, state.remaining.shape[2] - 1)
    held = instant[BASE_TIME] / instant[MEMORY] + instant[PER_HELD]
    tokens, numbers = state.remaining[0, group, at], state.remaining[1, group, at]
    return (instant[PER_TOKEN] + held * state.requests[i].s) * tokens + held * numbers


@part
def _leave(state: State, i: Int, t: Int, settings: Settings) -> None:
    it, now = state.requests[i], state.now
    _count(state, i, -1, settings)
    now[BASE] -= it.s - it.start
    now[ACTIVE] -= 1
    if settings.admission == PACED:
        now[CREDIT] += it.price - _volume(it.s, t - it.start)
    if settings.overflow != NEVER:
        take(state.running, i)
    if settings.boxes and it.attempt < it.last_attempt:
        take(state.waiting, i)
    it.number = -1


@part
def _cancel(state: State, rules: CompiledRules, i: Int, t: Int, bound: Int, settings: Settings) -> None:
    """Let a request that has left wait again."""
    it, now = state.requests[i], state.now
    age = t - it.start
    if settings.history:
        row = now[LOST]
        state.log[row, 0], state.log[row, 1], state.log[row, 2] = i, it.start + it.kept, age
        state.log[row, 3], state.log[row, 4] = it.bound, it.kept
    now[LOST] += 1
    if settings.resume:
        it.kept = age
    else:
        now[TOKENS] += age
        now[VOLUME] += _volume(it.s, age)
    now[PREFILLED_AGAIN] += it.s + it.kept
    it.bound, it.queue_number, it.start = bound, now[LOST], -1
    if settings.lazy:
        it.reached = max(it.reached, age)
        while state.attempts[it.attempt, KILL] <= it.reached:
            it.attempt += 1
        _take_attempt(state, i)
    elif settings.admission == PLANNED:
        if age == it.assumed:
            it.reached = age
            it.attempt += 1
        else:
            now[CREDIT] += max(it.price - GRAIN * _volume(it.s, age), 0)
        _take_attempt(state, i)
    _wait(state, rules, i, settings)


@part
def _take_attempt(state: State, i: Int) -> None:
    """Let a request have its current attempt, and write its priority to ``row``."""
    it, attempt = state.requests[i], state.attempts[state.requests[i].attempt]
    it.assumed, it.price, it.bound, state.row[0, 0] = attempt[KILL], attempt[PRICE], attempt[BOUND], attempt[RANK]


@part
def _volume(s: Int, k: Int) -> Int:
    return s * k + k * (k + 1) // 2
