"""A policy of one's own whose rules stand in a table that is filled as it is needed, run by a compiled loop.

What ``assumed`` and ``cancel`` say of an attempt depends on what they read of the request. So they are asked once for each
combination of these values, with a request that notes what is read, and of ``priority`` it is found how it depends on
``joined``; of a ``cancel`` that draws, the chance at each age (:mod:`crtools.process.coins`). Many combinations are asked of
together (:mod:`crtools.process.lanes`), and some of them alone too, where the same must come out. Rules that cannot be asked
for many ages at once, or of which a number is too large, are left to :mod:`crtools.process.events`, whose integers these
are, and whose draws.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from operator import attrgetter, index, itemgetter
from typing import Any, NamedTuple, NoReturn

import numpy as np

from crtools.errors import Livelock
from crtools.process.ages import Age, NotTraced
from crtools.process.asking import CHECKS, Piece, Rule
from crtools.process.coins import Toss, Tosses
from crtools.process.instance import Instance, One, Outcome, one_by_one
from crtools.process.lanes import Many, Split, largest, least, many, plain, real
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
around its own are added, first those that follow it, one for each request that may come to them."""

AROUND = 2**19
"""Where they are asked of together, more are added: so many chances may come with them."""

FEW = 8
"""Of fewer states the rules are asked one by one."""

ROOM = 2**17
"""Doubles in an array that a rule computes with, about: one for each age, from õ on, of each state of which it is asked together."""

CHANCES = 2**24
"""So many chances the table holds at most."""


class NotTabled(BaseException):
    """Rules that the table cannot hold; no ``except Exception`` of a rule can catch this."""


class _More(BaseException):
    """A rule has read what none had read before: the states are to be told apart by that too."""


@dataclass
class _Seen:
    """What the rules are known to read of a request, and whether a cancellation is known to lower its bound."""

    reads: set[str] = field(default_factory=lambda: {"bound"})
    lowers: bool = False


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
    seen, jobs = _Seen(), [One(*row) for row in one_by_one(instance)]
    for job, bound in zip(jobs, instance.bound.tolist(), strict=True):
        job.bound = bound
    try:
        while True:
            try:
                Tabled(policy, instance, jobs[:1], seen, changes).add(jobs[:1])  # what is read of one shows soon
                return Tabled(policy, instance, jobs, seen, changes).run(ranks, seed, limit, history)
            except _More:
                pass
    except NotTabled:
        return None


class Tabled:
    """The table, and the requests as the rules see them."""

    def __init__(self, policy: Policy, instance: Instance, jobs: list[One], seen: _Seen, changes: Changes) -> None:
        from crtools.process.kernels import tabled

        self.policy, self.instance, self.jobs, self.seen, self.changes = policy, instance, jobs, seen, changes
        self.kernel = tabled
        beside = sorted(seen.reads - {"bound"})
        kinds = list(map(attrgetter(*beside), jobs)) if beside else [None] * len(jobs)
        places = {kind: place for place, kind in enumerate(dict.fromkeys(kinds))}
        self.classes = [places[kind] for kind in kinds]  # of each request
        self.firsts: list[list[int]] = [[] for _ in places]  # of a class, the bounds at first, in order
        self.lengths: list[list[int]] = [[] for _ in places]  # the largest length up to each of these
        for job in sorted(jobs, key=attrgetter("bound")):
            class_ = self.classes[job.index]
            self.firsts[class_].append(job.bound)
            self.lengths[class_].append(max([job.length, *self.lengths[class_][-1:]]))
        self.tops = [lengths[-1] for lengths in self.lengths]  # of a class, the largest length
        self.many: list[int] = np.bincount(self.classes).tolist()  # and the number of requests
        self.states: dict[tuple[int, int], int] = {}
        self.groups: dict[tuple[int, ...], int] = {}
        self.alike: dict[int, int] = {}
        self.placed = np.full((64, 3), -1, np.int64)
        self.reach: list[int] = []  # the length up to which it is known what becomes of a request in this state
        self.table = np.zeros((64, tabled.KEY + 2 * tabled.PLACES), np.int64)
        self.changed, self.tossed = _Column(3), _Column(tabled.TOSS)
        self.chances = _Column(0, np.float64)
        self.kinds: list[type] | None = None  # of the numbers in a priority
        self.alone = Asked.of(policy)
        self.together: Asked | None = Asked.of(policy, checks=0)  # None once that has failed
        self.drawn = False  # whether ties are drawn

    def run(self, ranks: Any, seed: int, limit: int, history: bool) -> Outcome:
        """Run the loop to its end, and fill the table whenever it stops for that."""
        from crtools.process.kernels.groups import more_groups
        from crtools.process.kernels.jit import make_ready, run_loop
        from crtools.process.kernels.log import new_log

        k, policy, instance = self.kernel, self.policy, self.instance
        self.drawn = policy.equals == "ties" and ranks is None
        overflow = k.LATEST if policy.overflow == "latest" else k.MEMORY if policy.overflow else k.NEVER
        state = np.array(self._from(self.jobs))
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
        """Add the state that the loop has stopped for, and some that others may come to."""
        job = replace(self.jobs[int(process.now[self.kernel.WHO])], bound=int(process.now[self.kernel.WANTED]))
        (process.state[job.index],) = self._from([job])
        class_ = self.classes[job.index]
        top, low = self.tops[class_], int(self.instance.bound.min())
        around = max(AHEAD, AROUND // top) if self.together is not None else AHEAD
        bounds = chain(range(job.bound + 1, top + 1), range(job.bound - 1, low - 1, -1))
        new = (bound for bound in bounds if (class_, bound) not in self.states)
        with suppress(NotTabled):  # it may be that none comes to it
            self.add(replace(job, bound=bound) for bound in islice(new, min(around, self.many[class_]) - 1))

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

    def _from(self, jobs: Sequence[One]) -> list[int]:
        """Return the states of requests, and add those to which their cancellations lead."""
        ahead: Iterable[One] = jobs
        for _ in range(AHEAD):
            ahead = list(ahead)
            self.add(ahead)
            further: dict[int, One] = {}
            for job in ahead:
                state = self._state(job)
                if self.reach[state] < job.length:
                    self.reach[state] = job.length
                    further[state] = job
            rows = self.table[list(further), self.kernel.GOES : self.kernel.BECOMES + 1].tolist()
            ahead = [
                replace(job, bound=becomes)
                for job, (goes, becomes) in zip(further.values(), rows, strict=True)
                if goes < job.length
            ]
            if not ahead:
                break
        return [self._state(job) for job in jobs]

    def _state(self, job: One) -> int:
        return self.states[self.classes[job.index], job.bound]

    def add(self, jobs: Iterable[One]) -> None:
        """Add the states of requests that are not in the table."""
        new = {(self.classes[job.index], job.bound): job for job in jobs}
        new = {key: job for key, job in new.items() if key not in self.states}
        keys, first, top = sorted(new, key=itemgetter(1, 0)), 0, max(self.tops)
        while first < len(keys):  # of like bounds, as most of what a rule computes is for ages from õ on
            ages = max(self._top(*keys[first]) - keys[first][1], 1)
            last = first + max(min(ROOM // ages, 4 * ROOM // top), FEW)
            self._add_together(keys[first:last], new)
            first = last
        for key in keys:
            if key not in self.states:
                self.enter_states([key], self.ask_rules([key], new, self.alone))

    def _add_together(self, keys: list[tuple[int, int]], jobs: dict[tuple[int, int], One]) -> None:
        """Add states of which the rules can be asked together, in parts for which every comparison comes out the same."""
        parts, asked = [np.arange(len(keys))], 0
        while parts and self.together is not None:
            part = parts.pop()
            if len(part) < FEW:
                continue
            own = [keys[i] for i in part]
            try:
                said = self.ask_rules(own, jobs, self.together)
            except Split as split:
                parts += [part[~split.holds], part[split.holds]]
            except (NotTabled, NotTraced, TypeError):  # what one number could do, and many cannot
                self.together = None
            else:
                if all(said.of(i) == self.ask_rules([own[i]], jobs, self.alone).of(0) for i in (0, -1)):
                    self.enter_states(own, said)
                else:
                    self.together = None
            asked += 1
            if asked > FEW + len(keys) // FEW:
                self.together = None

    def _top(self, class_: int, bound: int) -> int:
        """Return the largest length of a request that can come to a state: where bounds only grow, of those that began below."""
        if self.seen.lowers:
            return self.tops[class_]
        below = bisect_right(self.firsts[class_], bound)
        return self.lengths[class_][below - 1] if below else 1

    def _grown(self, bound: Any, before: Any) -> Any:
        """Return a bound after a cancellation; where it is lower than before, other states than were thought of may be reached."""
        if not self.seen.lowers and largest(before - bound) > 0:
            self.seen.lowers = True
            raise _More
        return bound

    def ask_rules(self, keys: list[tuple[int, int]], jobs: dict[tuple[int, int], One], rules: Asked) -> Said:
        """Ask the rules of states. Raises ``Split`` where they do not say it of all in the same way."""
        noted = set[str]()
        own = _Noting.__new__(_Noting)
        values = object.__getattribute__(own, "__dict__")
        rows = [vars(jobs[key]) for key in keys]
        values |= {name: many([row[name] for row in rows]) for name in rows[0]} | {"joined": None, "__noted__": noted}
        bound, top = values["bound"], many([self._top(*key) for key in keys])
        ask = partial(self._ask, rules.assumed)
        goes, becomes, tosses = self._goes(rules.cancel, own, bound, top)
        first = ask(own, 0, top - 1)
        assumed = self._small(first.at(0))
        changes, _, _ = self.changes(ask, self._small, own, (0, least(goes, top)), assumed, 0, first)
        try:
            pairs = self._priority(own)
        except NotTabled:  # many may be what it cannot use: an index, a logarithm; numbers one by one it can
            if len(keys) == 1:
                raise
            each: list[list[Any]] = []
            for row in rows:
                values |= row
                each.append(self._priority(own))
            pairs = [many(column) for column in zip(*each, strict=True)]
        if not noted - {"joined"} <= self.seen.reads:
            self.seen.reads |= noted - {"joined"}
            raise _More
        if self.drawn and any(pairs[::2]):
            raise NotTabled  # groups of equals change
        return Said.of_all(len(keys), [assumed, goes, becomes], changes, tosses, pairs)

    def _priority(self, own: One) -> list[Any]:
        """Return the pairs of a request's priority."""
        span = [LARGEST]
        object.__getattribute__(own, "__dict__")["joined"] = Age(1, 0, 0, span)
        try:
            priority = self.policy.priority(own)
        except (Exception, NotTraced):  # what such a number cannot do, or an error, which is told by the other loop
            raise NotTabled from None
        if span != [LARGEST]:
            raise NotTabled
        return self._pairs(priority)

    def enter_states(self, keys: list[tuple[int, int]], said: Said) -> None:
        """Add rows with what the rules say of states."""
        k, count, first = self.kernel, len(keys), len(self.states)
        tosses = said.tosses.copy()
        for place, chance in enumerate(said.chances):
            if chance is not None:
                ages = tosses[:, place, k.UPTO] - tosses[:, place, k.CHANCE] + 1
                begins, _ = self.chances.add(chance[np.arange(chance.shape[1]) < ages[:, None]])
                tosses[:, place, k.CHANCE] = begins + np.cumsum(ages) - ages - tosses[:, place, k.CHANCE]
        if len(self.chances) > CHANCES:
            raise NotTabled
        while first + count > len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        new = self.table[first : first + count]
        new[:, [k.CLASS, k.BOUND]] = keys
        new[:, [k.ASSUMED, k.GOES, k.BECOMES]] = said.first
        new[:, k.KEY :] = said.pairs
        for rows, own, place in ((self.changed, said.changes, k.FIRST), (self.tossed, tosses, k.TOSSES)):
            begins, _ = rows.add(own.reshape(-1, own.shape[2]))
            new[:, place] = begins + own.shape[1] * np.arange(count)
            new[:, place + 1] = new[:, place] + own.shape[1]
        new[:, k.GROUP] = [self.groups.setdefault(row, len(self.groups)) for row in map(tuple, said.pairs.tolist())]
        new[:, k.ALIKE] = [self.alike.setdefault(bound, len(self.alike)) for _, bound in keys]
        self.states |= dict(zip(keys, range(first, first + count), strict=True))
        self.reach += [0] * count
        if 2 * len(self.states) > len(self.placed):
            self.placed = np.full((8 * _power(len(self.states)), 3), -1, np.int64)
            keys = list(self.states)
        for key in keys:
            self.placed[k.place_of(self.placed, *key)] = *key, self.states[key]

    def _goes(
        self, cancel: Tosses | None, own: One, bound: Any, top: Any
    ) -> tuple[Any, Any, list[tuple[Any, list[Any]]]]:
        """Return the age at which the request is cancelled, one past all where it never is; the new bound; and tosses.

        Of a toss: the chances, if there are any, and its row, where the first age stands in the place of ``CHANCE``.
        """
        rows: list[tuple[Any, list[Any]]] = []
        drawn, age = False, 1
        while cancel is not None and age < top:
            found = self._toss(cancel, own, age, top - 1)
            drawn |= found.chance is not None
            if not drawn and found.below.at(age) is not None:
                return age, self._grown(self._small(found.below.at(age)), bound), []
            at = self.kernel.NOTHING if found.chance is None else age
            below, above = (self._said(piece, age, bound) for piece in (found.below, found.above))
            rows.append((found.chance, [found.last, at, *below, *above]))
            age = found.last + 1
        return top + 1, bound, rows if drawn else []

    @staticmethod
    def _toss(cancel: Tosses, own: One, age: Any, last: Any) -> Toss:
        try:
            return cancel.ask(own, age, last)
        except (Exception, NotTraced):  # an error is told by the other loop, if it comes to that
            raise NotTabled from None

    def _said(self, piece: Piece, age: Any, bound: Any) -> list[Any]:
        """Return whether the request is cancelled at these ages, and k, c of the new bound."""
        if piece.at(age) is None:
            return [0, 0, 0]
        for at in (age, piece.last):
            self._grown(self._small(piece.at(at)), bound)
        return [1, piece.slope, self._small(piece.value)]

    @staticmethod
    def _ask(assumed: Rule, own: One, age: Any, last: Any) -> Piece:
        try:
            piece = assumed.ask(own, age, last)
        except Exception:  # it is told by the other loop, if it comes to that
            raise NotTabled from None
        if not piece.traced:
            raise NotTabled
        return piece

    def _small(self, value: Any) -> Any:
        if not isinstance(value, Many):
            try:
                value = index(value)
            except TypeError:
                raise NotTabled from None
        if real(value) or largest(abs(value)) * 4 * self.instance.n >= LARGEST:
            raise NotTabled
        return value

    def _pairs(self, priority: Any) -> list[Any]:
        """Return k and c for each place of a priority: integers in the order of the numbers, which are k·joined + c."""
        numbers = priority if isinstance(priority, tuple) else (priority,)
        kinds: list[type] = [float if real(number) else int for number in numbers]
        kinds.append(tuple if isinstance(priority, tuple) else int)
        self.kinds = self.kinds or kinds
        if kinds != self.kinds or len(numbers) > self.kernel.PLACES:
            raise NotTabled
        pairs: list[Any] = []
        for number in numbers:
            if isinstance(number, Age):
                if abs(number.k) > 2**20:
                    raise NotTabled
                pairs += [number.k, self._small(number.c)]
            elif real(number):
                pairs += [0, _ordered(number)]
            else:
                pairs += [0, self._small(number)]
        return pairs + [0] * (2 * self.kernel.PLACES - len(pairs))


def _ordered(number: Any) -> Any:
    """Return a 64-bit integer that is as far in the order of such integers as a double is in that of doubles."""
    if np.isnan(plain(number)).any():
        raise NotTabled
    bits = (np.asarray(plain(number)) + 0.0).view(np.int64)
    places = np.where(bits >= 0, bits, -(bits & 0x7FFF_FFFF_FFFF_FFFF))
    return Many(places, LARGEST - 1) if isinstance(number, Many) else int(places)


def _power(number: int) -> int:
    """Return the least power of two that is not smaller."""
    return 1 << (number - 1).bit_length()


class Asked(NamedTuple):
    """The rules, and what has been found of how they can be asked."""

    assumed: Rule
    cancel: Tosses | None

    @classmethod
    def of(cls, policy: Policy, checks: int = CHECKS) -> Asked:
        """Return the rules of a policy; so many times what is found is compared with what they say of integers."""
        cancel = None if policy.cancel is None else Tosses(policy.cancel, checks)
        return cls(Rule(policy.assumed, checks=checks), cancel)


class Said(NamedTuple):
    """What rules say of states, one after the other: arrays with a row for each of them.

    first: the length assumed at first, the age at which the request is cancelled, its new õ. changes, tosses: rows of the
    table's, with the first age of a stretch in place of where its chances stand. chances: the array of each toss, or None.
    pairs: those of the priority.
    """

    first: Any
    changes: Any
    tosses: Any
    chances: list[Any]
    pairs: Any

    @classmethod
    def of_all(
        cls, states: int, first: list[Any], changes: list[Any], tosses: list[tuple[Any, list[Any]]], pairs: list[Any]
    ) -> Said:
        """Make the arrays of numbers, each one of all states or many; a toss is its chances and its row."""

        def rows(own: Sequence[Sequence[Any]], width: int) -> Any:
            found = np.empty((states, len(own), width), np.int64)
            for i, row in enumerate(own):
                for j, number in enumerate(row):
                    found[:, i, j] = plain(number)
            return found

        chances = [None if own is None else np.broadcast_to(own, (states, own.shape[-1])) for own, _ in tosses]
        one, two = rows([first], len(first))[:, 0], rows([pairs], len(pairs))[:, 0]
        return cls(one, rows(changes, 3), rows([row for _, row in tosses], 8), chances, two)

    def of(self, state: int) -> list[Any]:
        """Return what they say of one state, to be compared."""
        tosses = self.tosses[state].tolist()
        chances = [
            None if own is None else own[state, : row[0] - row[1] + 1].tolist()
            for own, row in zip(self.chances, tosses, strict=True)
        ]
        return [self.first[state].tolist(), self.changes[state].tolist(), tosses, chances, self.pairs[state].tolist()]


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
