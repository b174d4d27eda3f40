"""Policies with a plan: what they may know of the requests, and the attempts that they list in advance for each of them.

Some requests are the pilot. The plan lists the attempts of every request at the start, and again whenever given shares of the
pilot and of all requests are done, from what has been observed by then. Both engines run the attempts by the rules of
docs/model.md ("Listed attempts"). Policies with a plan are in ``crtools/blind/scheduler.py``; ``tests/blind/test_scheduler.py``
tests them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import floor
from typing import Literal, NamedTuple

import numpy as np

from crtools.errors import InputError
from crtools.numeric_types import BoolArray, FloatArray, IntArray
from crtools.process.clocks import STEPS, Clock
from crtools.process.flow_bounds import step_work
from crtools.process.instance import Instance
from crtools.schedule import volume

GRAIN = 256
"""Prices are integers, in units of 1/``GRAIN`` token-instants."""


@dataclass(frozen=True)
class Seen:
    """What a policy knows when it lists attempts: M in tokens, and an array over all requests of each of these.

    s, l, u, drawn, release: as in ``Request``. tokens: how many it is known to have generated. done: whether that is its length.
    released: whether it is present. pilot: the numbers of the pilot's requests. clock, resume: the setting of the run.
    """

    memory: int
    s: IntArray
    l: IntArray
    u: IntArray
    drawn: FloatArray
    tokens: IntArray
    done: BoolArray
    pilot: IntArray
    release: IntArray | FloatArray
    released: BoolArray
    clock: Clock = STEPS
    resume: bool = False

    def size(self, s: FloatArray, lengths: FloatArray) -> FloatArray:
        """Return what requests of these lengths use: their volume in steps, their work in seconds."""
        return volume(s, lengths) if self.clock.in_steps else step_work(lengths, s, self.memory, self.clock)


@dataclass(frozen=True)
class AttemptTable:
    """A table of attempts, in columns; the rows of a request stand together, by increasing ``kill``.

    request: whose attempt it is. kill: the age at which the attempt is cancelled if it is unfinished; u in the last row of
    each request, or more in a plan of boxes, where ages may repeat. priority: waiting requests go by increasing priority. price:
    what a start costs, in 1/``GRAIN`` token-instants. kept: how much credit is kept where memory refuses this attempt. group,
    remaining: where they are given, the request of the largest expected remaining work is cancelled for memory. ``remaining`` has
    shape (2, groups, ages): the expected tokens k to come, and the expected sum of the numbers of these tokens; the last age holds
    for all later ones.
    """

    request: IntArray
    kill: IntArray
    priority: FloatArray | IntArray
    price: IntArray
    kept: IntArray
    group: IntArray | None = None
    remaining: FloatArray | None = None


def remaining_work(
    remaining: FloatArray, group: int | IntArray, s: int | IntArray, age: int | IntArray, memory: int, clock: Clock
) -> FloatArray:
    """Return the expected work that requests still need at these ages, by the tables ``AttemptTable.remaining``."""
    tokens, numbers = remaining[:, group, np.minimum(age, remaining.shape[2] - 1)]
    per_held = clock.base / memory + clock.per_held
    return (clock.per_token + per_held * s) * tokens + per_held * numbers


class Attempt(NamedTuple):
    """A row of :class:`AttemptTable` in integers; ``bound`` is the õ of the request in it, ``rank`` where it stands by priority."""

    kill: int
    price: int
    kept: int
    bound: int
    rank: int


@dataclass(frozen=True)
class Plan:
    """How and when a policy lists its attempts.

    list_attempts: the function that lists them. pilot: from n to the size of the pilot, the requests with the smallest ``drawn``. rounds,
    later: the attempts are listed again when each of these shares of the pilot, and of all requests, is done. again: from the number
    of completions at the last listing to the number at the next. lazy: attempts have no price, and a kill age is a permission: if the
    first waiting request does not fit, the earliest started request past its kill age whose next attempt comes later in the order is
    cancelled. "mostly": lazy except in steps with equal prompts. boxes: an attempt has no price and reserves s + its kill age; the
    next attempt of a running request raises the reservation. A lazy plan runs in every setting, a "mostly" lazy plan at release 0
    with restarts, all others there in steps only.
    """

    list_attempts: Callable[[Seen], AttemptTable]
    pilot: Callable[[int], int] = lambda n: 0
    rounds: tuple[float, ...] = ()
    later: tuple[float, ...] = ()
    again: Callable[[int], int] | None = None
    lazy: bool | Literal["mostly"] = False
    boxes: bool = False

    def is_lazy(self, it: Instance | Seen) -> bool:
        """Return whether, for these requests in their clock, kill ages are permissions and attempts free."""
        return self.lazy is True or (self.lazy == "mostly" and not (it.clock.in_steps and it.s.min() == it.s.max()))


class Planner:
    """The plan of one run: lists the attempts, and knows when to list them again.

    ``at``: attempts are listed next when at most this many of the pilot, or of all requests, are unfinished. ``group`` and
    ``remaining``: those of the last listing; empty if not given.
    """

    def __init__(self, name: str, plan: Plan, instance: Instance) -> None:
        self.name, self.plan, self.instance = name, plan, instance
        count = min(plan.pilot(instance.n), instance.n)
        self.pilot = np.argsort(instance.drawn, kind="stable")[:count]
        self.at = [-1, instance.n]
        self.group, self.remaining = np.zeros(0, np.int64), np.zeros((2, 0, 0))

    def attempts(self, tokens: IntArray, done: BoolArray, time: float) -> tuple[IntArray, IntArray]:
        """Return the rows of all attempts, columns as in :class:`Attempt`, and for each request the first and last of its own.

        The first is the first one longer than the ``tokens`` that the request is known to have generated. Raises
        ``InputError`` where the policy does not list attempts for each request.
        """
        table, instance = self._checked(tokens, done, time), self.instance
        unfinished = (int((~done[self.pilot]).sum()), int((~done).sum()))
        for k, shares in enumerate((self.plan.rounds, self.plan.later)):
            total = (len(self.pilot), instance.n)[k]
            counts = [floor(total * (1 - share)) for share in shares] if total else []
            self.at[k] = max((count for count in counts if count < unfinished[k]), default=-1)
        if self.plan.again is not None:
            self.at[1] = instance.n - max(self.plan.again(int(done.sum())), int(done.sum()) + 1)
        if table.group is not None and table.remaining is not None:
            self.group, self.remaining = table.group.astype(np.int64), np.ascontiguousarray(table.remaining, float)
        first = np.flatnonzero(np.diff(table.request, prepend=-1))
        last = np.append(first[1:], len(table.request)) - 1
        bound = np.append(0, table.kill[:-1]) + 1
        bound[first] = instance.bound
        if self.plan.is_lazy(instance):
            table = replace(table, price=0 * table.price, kept=0 * table.kept)
        rank = np.empty_like(first, shape=len(bound))
        rank[np.lexsort((table.request, instance.release[table.request], table.priority))] = np.arange(len(bound))
        rows = np.stack([table.kill, table.price, table.kept, bound, rank], axis=1).astype(np.int64)
        too_short = np.add.reduceat((table.kill <= tokens[table.request]).astype(np.int64), first)
        return rows, np.stack([np.minimum(first + too_short, last), last], axis=1)

    def _checked(self, tokens: IntArray, done: BoolArray, time: float) -> AttemptTable:
        it = self.instance
        known = (it.memory, it.s, it.l, it.u, it.drawn, tokens, done, self.pilot, it.release, it.release <= time)
        rows = self.plan.list_attempts(Seen(*known, it.clock, it.resume))
        same = rows.request[1:] == rows.request[:-1]
        last = np.append(~same, True)
        beyond, growth = rows.kill[last] - it.u[rows.request[last]], np.diff(rows.kill)[same] + self.plan.boxes
        beyond = np.minimum(beyond, 0) if self.plan.boxes else beyond
        whole = np.array_equal(rows.request[last], it.index) and not beyond.any()
        if not (whole and (growth > 0).all() and rows.kill.min() > 0 and rows.price.min() >= 0):
            says = "must list for each request, in order, attempts with increasing kill ages, the last of which is u"
            raise InputError("policy", self.name, says)
        largest = float(it.memory) * float(it.u.max()) * 4 * GRAIN
        if not self.plan.boxes and float(rows.price.max()) * 4 + float(rows.kept.max()) + largest > 2.0**62:
            raise InputError("memory", it.memory, f"must be below 2^52/u for {self.name}, where u is the largest one")
        return rows
