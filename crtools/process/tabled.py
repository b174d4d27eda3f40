"""A policy of one's own whose rules stand in a table that is filled as it is needed, run by a compiled loop.

What ``assumed`` and ``cancel`` say of an attempt depends on what they read of the request. So they are asked once for each
combination of these values, with a request that notes what is read, and of ``priority`` it is found how it depends on
``joined``; of a ``cancel`` that draws, the chance at each age (:mod:`crtools.process.coins`). Rules that cannot be asked for
many ages at once, or of which a number is too large, are left to :mod:`crtools.process.events`, whose integers these are,
and whose draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter, index
from typing import Any, NoReturn

import numpy as np

from crtools.errors import Livelock
from crtools.process.ages import Age, NotTraced
from crtools.process.asking import Piece, Rule
from crtools.process.coins import Toss, Tosses
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
"""So many cancellations of a request are looked at before it runs; and where a state is wanted, at most so many with the bounds
that follow its own are added, one for each request that may come to them."""

CHANCES = 2**24
"""So many chances the table holds at most."""


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
    policy: Policy, instance: Instance, ranks: Any, seed: int, limit: int, history: bool, changes: Changes
) -> Outcome | None:
    """Run one policy, as ``run_events`` does; None where the table cannot hold its rules."""
    if int(instance.memory) * max(limit, 4 * instance.n) >= LARGEST:
        return None
    reads = {"bound"}
    try:
        while True:
            try:
                return Tabled(policy, instance, reads, changes).run(ranks, seed, limit, history)
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
        self.tops: list[int] = []  # of a class, the largest length
        self.many: list[int] = []  # and the number of requests
        for job in self.jobs:
            self._enter(job)
        self.states: dict[tuple[int, int], int] = {}
        self.groups: dict[tuple[int, ...], int] = {}
        self.alike: dict[int, int] = {}
        self.placed = np.full((64, 3), -1, np.int64)
        self.reach: list[int] = []  # the length up to which it is known what becomes of a request in this state
        self.table = np.zeros((64, tabled.KEY + 2 * tabled.PLACES), np.int64)
        self.changed, self.tossed = _Column(3), _Column(tabled.TOSS)
        self.chances = _Column(0, np.float64)
        self.kinds: list[type] | None = None  # of the numbers in a priority
        self.assumed = Rule(policy.assumed)
        self.cancel = None if policy.cancel is None else Tosses(policy.cancel)
        self.drawn = False  # whether ties are drawn

    def _enter(self, job: One) -> None:
        class_ = self.classes.setdefault(self.key(job), len(self.classes))
        if class_ == len(self.tops):
            self.tops.append(0)
            self.many.append(0)
        self.tops[class_] = max(self.tops[class_], job.length)
        self.many[class_] += 1

    def run(self, ranks: Any, seed: int, limit: int, history: bool) -> Outcome:
        """Run the loop to its end, and fill the table whenever it stops for that."""
        from crtools.process.kernels.groups import more_groups
        from crtools.process.kernels.jit import make_ready, run_loop
        from crtools.process.kernels.log import new_log

        k, policy, instance = self.kernel, self.policy, self.instance
        self.drawn = policy.equals == "ties" and ranks is None
        overflow = k.LATEST if policy.overflow == "latest" else k.MEMORY if policy.overflow else k.NEVER
        state = np.array([self._from(job) for job in self.jobs])
        rank = instance.index if ranks is None else ranks
        columns = [np.array(column, np.int64) for column in (instance.s, instance.length, rank, state)]
        make_ready(k.new_process, *columns, self._rules(), self.drawn)
        process, log = k.new_process(*columns, self._rules(), self.drawn), new_log(history)
        rng, fixed = np.random.default_rng(seed), k.Fixed(instance.memory, limit, overflow, policy.peaks, self.drawn)
        stops = 0
        while True:
            why, log = run_loop(k.run_tabled, process, self._rules(), log, rng, fixed)
            if why != k.WANTS:
                break
            stops += 1
            if stops > 100 + process.lost[0] // 20:  # then a stop costs more than the loop that asks each time
                raise NotTabled
            self._add_wanted(process)
            if self.drawn and len(process.groups.kinds) < len(self.table):
                groups, least = (more_groups(own, len(self.table)) for own in (process.groups, process.least))
                process = process._replace(groups=groups, least=least)
        return self._outcome(process, why, limit, log if history else None)

    def _rules(self) -> Any:
        return self.kernel.Rules(self.table, self.changed.rows, self.tossed.rows, self.chances.rows, self.placed)

    def _add_wanted(self, process: Any) -> None:
        """Add the state that the loop has stopped for, and some that others are likely to come to."""
        job = self.jobs[int(process.now[self.kernel.WHO])]
        job.bound = int(process.now[self.kernel.WANTED])
        process.state[job.index] = self._from(job)
        class_ = self.classes[self.key(job)]
        for more in range(1, min(AHEAD, self.many[class_])):
            if job.bound + more > self.tops[class_]:
                break
            try:
                self._state(replace(job, bound=job.bound + more))
            except NotTabled:  # it may be that none comes to it
                break

    def _outcome(self, process: Any, why: int, limit: int, log: Any) -> Outcome:
        k, policy, now = self.kernel, self.policy, process.now
        t, base, active = (int(now[place]) for place in (k.T, k.BASE, k.ACTIVE))
        if why == k.OVERFULL:
            raise overfull(policy, base + active * t, self.instance.memory, t)
        if why == k.LATE:
            raise Livelock(policy.name, limit, int(now[k.WAITING]), active, int(process.lost[0]))
        cancellations, wasted, volume = map(int, process.lost)
        bounds, kept = self.table[process.state, k.BOUND], None if log is None else log[:cancellations]
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
        noted, state, top = set[str](), len(self.states), self.tops[class_]
        own = _Noting.__new__(_Noting)
        values = object.__getattribute__(own, "__dict__")
        values |= {**vars(job), "joined": None, "__noted__": noted}
        goes, becomes, tosses = self._goes(own, job.bound, top)
        first = self._ask(own, 0, max(top - 1, 0))
        assumed = self._small(first.at(0))
        changes, _, _ = self.changes(self._ask, self._small, own, (0, min(goes, top)), assumed, 0, first)
        span = [LARGEST]
        values["joined"] = Age(1, 0, 0, span)
        try:
            priority = self.policy.priority(own)
        except (Exception, NotTraced):  # what such a number cannot do, or an error, which is told by the other loop
            raise NotTabled from None
        if span != [LARGEST]:
            raise NotTabled
        if not noted - {"joined"} <= self.reads:
            self.reads |= noted - {"joined"}
            raise _More
        if state == len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        pairs = self._pairs(priority)
        if self.drawn and any(pairs[::2]):
            raise NotTabled  # groups of equals change
        group = self.groups.setdefault(tuple(pairs), len(self.groups))
        alike = self.alike.setdefault(job.bound, len(self.alike))
        rows = *self.changed.add(changes), *self.tossed.add(tosses)
        self.table[state] = [class_, job.bound, assumed, goes, becomes, *rows, group, alike, *pairs]
        return state

    def _goes(self, own: One, bound: int, top: int) -> tuple[int, int, list[list[int]]]:
        """Return the age at which the request is cancelled, one past all where it never is; the new bound; and tosses."""
        rows: list[list[int]] = []
        drawn, age = False, 1
        while self.cancel is not None and age < top:
            found = self._toss(self.cancel, own, age, top - 1)
            drawn |= found.chance is not None
            if not drawn and found.below.at(age) is not None:
                return age, self._small(found.below.at(age)), []
            chance = self.kernel.NOTHING
            if found.chance is not None:
                chance = self.chances.add(found.chance)[0] - age
            if len(self.chances) > CHANCES:
                raise NotTabled
            rows.append([found.last, chance, *self._said(found.below, age), *self._said(found.above, age)])
            age = found.last + 1
        return top + 1, bound, rows if drawn else []

    @staticmethod
    def _toss(cancel: Tosses, own: One, age: int, last: int) -> Toss:
        try:
            return cancel.ask(own, age, last)
        except (Exception, NotTraced):  # an error is told by the other loop, if it comes to that
            raise NotTabled from None

    def _said(self, piece: Piece, age: int) -> list[int]:
        """Return whether the request is cancelled at these ages, and k, c of the new bound."""
        if piece.at(age) is None:
            return [0, 0, 0]
        self._small(piece.at(age))
        self._small(piece.at(piece.last))
        return [1, piece.slope, self._small(piece.value)]

    def _ask(self, own: One, age: int, last: int) -> Piece:
        try:
            piece = self.assumed.ask(own, age, last)
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


class _Column:
    """Rows of an array that doubles when it is full."""

    def __init__(self, width: int, kind: Any = np.int64) -> None:
        self.rows = np.zeros((64, width) if width else 64, kind)
        self.count = 0

    def __len__(self) -> int:
        return self.count

    def add(self, rows: Any) -> tuple[int, int]:
        """Add rows; return the number of the first, and that after the last."""
        first, last = self.count, self.count + len(rows)
        while last > len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
        if len(rows):
            self.rows[first:last] = rows
        self.count = last
        return first, last
