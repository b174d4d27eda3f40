"""A_min, Algorithm 2 to the letter, with every draw of its ties followed: exact expectations, as fractions.

Written from the algorithm's words and sharing no code with ``crtools.process``, for a handful of requests. Requests
of one length and one state are alike, so a state is a sorted list. ``check/process.py`` has the other, independent route.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")

Wait = tuple[int, int, bool]
"""A waiting request: (length, bound õ, whether it has been started with this bound before)."""

Job = tuple[int, int, int]
"""A running request: (length, õ at its start, age)."""

State = tuple[tuple[Wait, ...], tuple[Job, ...]]
"""Waiting and running requests, each sorted."""

Cells = dict[tuple[int, int], Fraction]
"""Expected counts by (bound i, length j)."""

LARGEST = 20_000
"""The most states that :func:`mean_total` follows."""


class Endless(RuntimeError):
    """Some tie can fall so that requests are cancelled again and again: no finite sum of fractions."""


@dataclass
class Expected:
    """Expectations over ties: TEL, and by (i, j) starts b, starts that complete c, requests that start at least once.

    moves: by (i, k, j) the cancelled starts with bound i, new bound k and length j.
    """

    total: Fraction = Fraction(0)
    started: Cells = field(default_factory=lambda: defaultdict(Fraction))
    completed: Cells = field(default_factory=lambda: defaultdict(Fraction))
    entered: Cells = field(default_factory=lambda: defaultdict(Fraction))
    moves: dict[tuple[int, int, int], Fraction] = field(default_factory=lambda: defaultdict(Fraction))


@dataclass(frozen=True)
class Instant:
    """One way in which the ties of an instant fall: its probability, whom it cancels and starts, and the state after it."""

    share: Fraction
    cancelled: tuple[Job, ...]
    started: tuple[Wait, ...]
    waiting: tuple[Wait, ...]
    running: tuple[Job, ...]


def expectations(lengths: Sequence[int], s: int, memory: int, l: int = 1, instants: int = 60) -> Expected:
    """Return the expectations of Algorithm 2 on an instance; raises :class:`Endless` if it may last over ``instants``."""
    law: dict[State, Fraction] = {(tuple(sorted((o, l, False) for o in lengths)), ()): Fraction(1)}
    found = Expected()
    for _ in range(instants):
        following: dict[State, Fraction] = defaultdict(Fraction)
        for (waiting, running), p in law.items():
            found.total += p * (len(waiting) + len(running))
            for way in _ways(waiting, running, s, memory):
                q = p * way.share
                for o, bound, age in way.cancelled:
                    found.moves[bound, max(bound, age), o] += q
                for o, bound, again in way.started:
                    found.started[bound, o] += q
                    found.entered[bound, o] += 0 if again else q
                for o, bound, age in way.running:
                    found.completed[bound, o] += q * (age + 1 == o)
                after = _after(way)
                if after != ((), ()):
                    following[after] += q
        if not following:
            return found
        law = following
    raise Endless(f"not over after {instants} instants for some ties")


def mean_total(lengths: Sequence[int], bounds: Sequence[int], s: int, memory: int) -> Fraction:
    """Return E TEL of A_min with first bounds ``bounds``; draws that lead to a state seen before are solved for.

    Raises ``OverflowError`` where there are more states than are followed.
    """
    start: State = (tuple(sorted((o, bound, False) for o, bound in zip(lengths, bounds, strict=True))), ())
    moves: dict[State, dict[State, Fraction]] = {}
    open_: list[State] = [start]
    while open_:
        state = open_.pop()
        if state in moves:
            continue
        moves[state] = defaultdict(Fraction)
        if len(moves) > LARGEST:
            raise OverflowError("too many states")
        if state == ((), ()):
            continue
        for way in _ways(*state, s, memory):
            waiting, running = _after(way)
            then = tuple((o, bound, False) for o, bound, _ in waiting), running
            moves[state][then] += way.share
            open_.append(then)
    return _solved(moves, start)


def _ways(waiting: tuple[Wait, ...], running: tuple[Job, ...], s: int, memory: int) -> Iterator[Instant]:
    """Cancel and admit; all that run are unfinished."""
    for share, queue, rest, cancelled in _cancel(waiting, running, s, memory):
        for second, left, begun, started in _admit(queue, rest, s, memory):
            yield Instant(share * second, cancelled, started, left, begun)


def _after(way: Instant) -> State:
    """Return the state at the next instant, where those that reach their length leave."""
    return way.waiting, tuple(sorted((o, bound, age + 1) for o, bound, age in way.running if age + 1 < o))


def _cancel(
    waiting: tuple[Wait, ...], running: tuple[Job, ...], s: int, memory: int, before: tuple[Job, ...] = ()
) -> Iterator[tuple[Fraction, tuple[Wait, ...], tuple[Job, ...], tuple[Job, ...]]]:
    if sum(s + age + 1 for _, _, age in running) <= memory:
        yield Fraction(1), waiting, running, before
        return
    least = min(bound for _, bound, _ in running)
    equal = [job for job in running if job[1] == least]
    for job in sorted(set(equal)):
        o, bound, age = job
        joined = tuple(sorted((*waiting, (o, max(bound, age), age <= bound))))
        for share, queue, rest, all_ in _cancel(joined, _without(running, job), s, memory, (*before, job)):
            yield Fraction(equal.count(job), len(equal)) * share, queue, rest, all_


def _admit(
    waiting: tuple[Wait, ...], running: tuple[Job, ...], s: int, memory: int, before: tuple[Wait, ...] = ()
) -> Iterator[tuple[Fraction, tuple[Wait, ...], tuple[Job, ...], tuple[Wait, ...]]]:
    least = min((bound for _, bound, _ in waiting), default=0)
    if not waiting or not _fits(running, least, s, memory):  # one prompt size: all ties fit or none
        yield Fraction(1), waiting, running, before
        return
    equal = [job for job in waiting if job[1] == least]
    for job in sorted(set(equal)):
        begun = tuple(sorted((*running, (job[0], least, 0))))
        for share, left, now, all_ in _admit(_without(waiting, job), begun, s, memory, (*before, job)):
            yield Fraction(equal.count(job), len(equal)) * share, left, now, all_


def _without(rows: tuple[T, ...], row: T) -> tuple[T, ...]:
    place = rows.index(row)
    return (*rows[:place], *rows[place + 1 :])


def _fits(running: tuple[Job, ...], new: int, s: int, memory: int) -> bool:
    """The paper's Eq. (5); a running request counts up to max(õ, age + 1)."""
    rows = [(age, max(bound, age + 1)) for _, bound, age in running] + [(0, new)]
    ahead = range(1, max(up_to - age for age, up_to in rows) + 1)
    return all(sum(s + age + d for age, up_to in rows if age + d <= up_to) <= memory for d in ahead)


def _solved(moves: dict[State, dict[State, Fraction]], start: State) -> Fraction:
    """Solve E(state) = requests left + Σ share · E(next) by eliminating one state after the other."""
    cost = {state: Fraction(len(state[0]) + len(state[1])) for state in moves}
    before: dict[State, set[State]] = {state: set() for state in moves}
    for state, shares in moves.items():
        for then in shares:
            before[then].add(state)
    for state in list(moves):
        if state == start:
            continue
        shares = moves.pop(state)
        stay = 1 - shares.pop(state, Fraction(0))
        if stay == 0:
            raise OverflowError("a state that is never left")
        for previous in before.pop(state) - {state}:
            if previous not in moves or state not in moves[previous]:
                continue
            share = moves[previous].pop(state) / stay
            cost[previous] += share * cost[state]
            for then, p in shares.items():
                moves[previous][then] = moves[previous].get(then, Fraction(0)) + share * p
                before[then].add(previous)
    return cost[start] / (1 - moves[start].get(start, Fraction(0)))
