"""A policy of one's own whose rules stand in a table that is filled as it is needed, run by a compiled loop.

What ``assumed`` and ``cancel`` say of an attempt depends on what they read of the request. So they are asked once for each
combination of these values, with a request that notes what is read, and of ``priority`` it is found how it depends on
``joined``. Rules that draw, that cannot be asked for many ages at once, or of which a number is too large are left to
:mod:`crtools.process.events`, whose integers these are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter, index
from typing import Any, NoReturn

import numpy as np

from crtools.errors import Livelock
from crtools.process.asking import Age, Piece, Rule
from crtools.process.instance import Instance, One, Outcome, one_by_one
from crtools.process.policies import Policy
from crtools.process.reference import overfull

LARGEST = 2**62
"""No number that the loop comes to is as large."""

Ask = Callable[[Any, int, int], Piece]
"""What :meth:`crtools.process.asking.Rule.ask` does."""

Changes = Callable[..., tuple[list[tuple[int, int, int]], int, int]]
"""Where what is assumed changes: ``changes`` of the processes in :mod:`crtools.process.events`."""


AHEAD = 64
"""So many cancellations of a request are looked at before it runs."""


class NotTabled(BaseException):
    """Rules that the table cannot hold; no ``except Exception`` of a rule can catch this."""


class _More(BaseException):
    """A rule has read what none had read before: the states are to be told apart by that too."""


class _Noting(One):
    """A request that notes what is read of it; ``joined`` is for priorities, as a number that is not known."""

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__(self, "__dict__")
        if name not in own or own[name] is None:
            raise NotTabled
        own["__noted__"].add(name)
        return own[name]

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise NotTabled


def run_from_table(
    policy: Policy, instance: Instance, ranks: Any, limit: int, history: bool, changes: Changes
) -> Outcome | None:
    """Run one policy, as ``run_events`` does; None where the table cannot hold its rules."""
    if int(instance.memory) * max(limit, 4 * instance.n) >= LARGEST or (policy.equals == "ties" and ranks is None):
        return None
    reads = {"bound"}
    try:
        while True:
            try:
                return Tabled(policy, instance, reads, changes).run(ranks, limit, history)
            except _More:
                pass
    except NotTabled:
        return None


class Tabled:
    """The table, and the requests as the rules see them."""

    def __init__(self, policy: Policy, instance: Instance, reads: set[str], changes: Changes) -> None:
        from crtools.process.kernels import tabled

        self.policy, self.instance, self.reads, self.changes, self.kernel = policy, instance, reads, changes, tabled
        self.jobs = [One(*row) for row in one_by_one(instance)]
        for job, bound in zip(self.jobs, instance.bound.tolist(), strict=True):
            job.bound = bound
        beside = sorted(reads - {"bound"})
        self.key: Callable[[One], Any] = attrgetter(*beside) if beside else lambda job: None
        self.classes: dict[Any, int] = {}
        self.states: dict[tuple[int, int], int] = {}
        self.placed = np.full((64, 3), -1, np.int64)
        self.reach: list[int] = []  # the length up to which it is known what becomes of a request in this state
        self.table = np.zeros((64, tabled.KEY + 2 * tabled.PLACES), np.int64)
        self.rows = np.zeros((64, 3), np.int64)
        self.changed = 0
        self.kinds: list[type] | None = None  # of the numbers in a priority
        self.assumed = Rule(policy.assumed)
        self.cancel = None if policy.cancel is None else Rule(policy.cancel, _no_draw)
        self.top = int(instance.length.max())

    def run(self, ranks: Any, limit: int, history: bool) -> Outcome:
        """Run the loop to its end, and fill the table whenever it stops for that."""
        from crtools.process.kernels.jit import make_ready, run_loop
        from crtools.process.kernels.log import new_log

        k, policy, instance = self.kernel, self.policy, self.instance
        overflow = k.LATEST if policy.overflow == "latest" else k.MEMORY if policy.overflow else k.NEVER
        state = np.array([self._from(job) for job in self.jobs])
        rank = instance.index if ranks is None else ranks
        s, length, rank, state = (np.array(column, np.int64) for column in (instance.s, instance.length, rank, state))
        make_ready(k.new_process, s, length, rank, state, self.table)
        process, log = k.new_process(s, length, rank, state, self.table), new_log(history)
        stops = 0
        while True:
            fixed = instance.memory, limit, overflow, policy.peaks
            why, log = run_loop(k.run_tabled, process, self.table, self.rows, self.placed, log, *fixed)
            if why != k.WANTS:
                break
            stops += 1
            if stops > 100 + process.lost[0] // 20:  # then a stop costs more than the loop that asks each time
                raise NotTabled
            job = self.jobs[int(process.now[k.WHO])]
            job.bound = int(process.now[k.WANTED])
            process.state[job.index] = self._from(job)
        now, lost = process.now, process.lost
        t, base, active = (int(now[place]) for place in (k.T, k.BASE, k.ACTIVE))
        if why == k.OVERFULL:
            raise overfull(policy, base + active * t, instance.memory, t)
        if why == k.LATE:
            raise Livelock(policy.name, limit, int(process.waiting.count[0]), active, int(lost[0]))
        cancellations, wasted, volume = map(int, lost)
        bounds, kept = self.table[process.state, k.BOUND], log[:cancellations] if history else None
        return Outcome(process.start, cancellations, wasted, volume, int(now[k.PEAK]), bounds, kept)

    def _from(self, job: One) -> int:
        """Return the state of a request, and find those to which its cancellations lead."""
        first = state = self._state(job)
        for _ in range(AHEAD):
            goes, becomes = self.table[state, self.kernel.GOES], self.table[state, self.kernel.BECOMES]
            if self.reach[state] >= job.length:
                break
            self.reach[state] = job.length
            if goes >= job.length:
                break
            state = self._state(replace(job, bound=int(becomes)))
        return first

    def _state(self, job: One) -> int:
        key = self.classes.setdefault(self.key(job), len(self.classes)), job.bound
        found = self.states.get(key)
        if found is None:
            found = self.ask_rules(job, key[0])
            self.states[key] = found
            self.reach.append(0)
            if 2 * len(self.states) > len(self.placed):
                self.placed = np.full((4 * len(self.placed), 3), -1, np.int64)
                for (class_, bound), state in self.states.items():
                    self.placed[self.kernel.place_of(self.placed, class_, bound)] = class_, bound, state
            else:
                self.placed[self.kernel.place_of(self.placed, *key)] = *key, found
        return found

    def ask_rules(self, job: One, class_: int) -> int:
        """Ask the rules of a request, and add a row."""
        noted, state = set[str](), len(self.states)
        own = _Noting.__new__(_Noting)
        values = object.__getattribute__(own, "__dict__")
        values |= {**vars(job), "joined": None, "__noted__": noted}
        goes, becomes = self._goes(own, job.bound)
        first = self._ask(self.assumed, own, 0, max(self.top - 1, 0))
        assumed = self._small(first.at(0))
        ask = partial(self._ask, self.assumed)
        changes, _, _ = self.changes(ask, self._small, own, (0, min(goes, self.top)), assumed, 0, first)
        span = [LARGEST]
        values["joined"] = Age(1, 0, 0, span)
        try:
            priority = self.policy.priority(own)
        except Exception:  # what such a number cannot do, or an error, which is told by the other loop
            raise NotTabled from None
        if span != [LARGEST]:
            raise NotTabled
        if not noted - {"joined"} <= self.reads:
            self.reads |= noted - {"joined"}
            raise _More
        if state == len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        while self.changed + len(changes) > len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
        last = self.changed + len(changes)
        self.rows[self.changed : last] = np.array(changes, np.int64).reshape(-1, 3)
        self.table[state] = [class_, job.bound, assumed, goes, becomes, self.changed, last, *self._pairs(priority)]
        self.changed = last
        return state

    def _goes(self, own: One, bound: int) -> tuple[int, int]:
        """Return the age at which the request is cancelled, and the new bound; an age past all where it never is."""
        age = 1
        while self.cancel is not None and age < self.top:
            piece = self._ask(self.cancel, own, age, self.top - 1)
            if (becomes := piece.at(age)) is not None:
                return age, self._small(becomes)
            age = piece.last + 1
        return self.top + 1, bound

    def _ask(self, rule: Rule, own: One, age: int, last: int) -> Piece:
        try:
            piece = rule.ask(own, age, last)
        except Exception:  # it is told by the other loop, if it comes to that
            raise NotTabled from None
        if not piece.traced:
            raise NotTabled
        return piece

    def _small(self, value: Any) -> int:
        try:
            number = index(value)
        except TypeError:
            raise NotTabled from None
        if abs(number) * 4 * self.instance.n >= LARGEST:
            raise NotTabled
        return number

    def _pairs(self, priority: Any) -> list[int]:
        """Return k and c for each place of a priority: integers in the order of the numbers, which are k·joined + c."""
        numbers = priority if isinstance(priority, tuple) else (priority,)
        kinds: list[type] = [float if isinstance(number, float) else int for number in numbers]
        kinds.append(tuple if isinstance(priority, tuple) else int)
        self.kinds = self.kinds or kinds
        if kinds != self.kinds or len(numbers) > self.kernel.PLACES:
            raise NotTabled
        pairs: list[int] = []
        for number in numbers:
            if isinstance(number, Age):
                if abs(number.k) > 2**20:
                    raise NotTabled
                pairs += [number.k, self._small(number.c)]
            elif isinstance(number, float):
                pairs += [0, _ordered(number)]
            else:
                pairs += [0, self._small(number)]
        return pairs + [0] * (2 * self.kernel.PLACES - len(pairs))


def _ordered(number: float) -> int:
    """Return a 64-bit integer that is as far in the order of such integers as a float is in that of floats."""
    if number != number:
        raise NotTabled
    bits = int(np.float64(number + 0.0).view(np.int64))
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


def _no_draw() -> NoReturn:
    raise NotTabled
