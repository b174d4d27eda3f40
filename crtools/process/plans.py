"""Policies that plan: what they know of the requests, the attempts that they list, and the run of these in compiled loops.

Some requests are a pilot. The policy lists for each request the attempts that it is to have, at first and again whenever so many of
the pilot are done, of what they have shown. docs/model.md has the rules; :mod:`crtools.process.plans_reference` is the same,
instant by instant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from crtools.errors import InputError, Livelock
from crtools.process.instance import Instance, Outcome

GRAIN = 256
"""Prices are integers, in so many parts of a token-instant."""


@dataclass(frozen=True)
class Seen:
    """What a policy knows when it plans.

    memory: M in tokens; s, l, u, own: of all requests, as in ``Request``; tokens: what each is known to have generated, done:
    whether that is its length; pilot: the numbers of the pilot. Arrays, of int64 but for ``own`` and ``done``.
    """

    memory: int
    s: Any
    l: Any
    u: Any
    own: Any
    tokens: Any
    done: Any
    pilot: Any


@dataclass(frozen=True)
class Listed:
    """Attempts, rows of int64 (``priority``: of float), those of one request together and by increasing ``kill``.

    request: whose; kill: at this age an unfinished one is cancelled, the last of each at its u; priority: who goes first;
    price: what a start costs, in 1/``GRAIN`` token-instants; kept: how much credit is kept where memory refuses it.
    """

    request: Any
    kill: Any
    priority: Any
    price: Any
    kept: Any


@dataclass(frozen=True)
class Plan:
    """How a policy plans. ``listed``: the attempts of all, of what is known; ``pilot``: for n requests, how many are the pilot.

    The pilot are those of the least ``own``. Attempts are listed at the start, and again when each of the shares ``rounds`` of the
    pilot are done, and each of the shares ``later`` of all.
    """

    listed: Callable[[Seen], Listed]
    pilot: Callable[[int], int] = lambda n: 0
    rounds: tuple[float, ...] = ()
    later: tuple[float, ...] = ()

    def chosen(self, instance: Instance) -> tuple[Any, list[int], list[int]]:
        """Return the pilot's numbers, and at how many of them, and of all, left over attempts are listed again, falling."""
        count = min(self.pilot(instance.n), instance.n)
        pilot = np.argsort(instance.own, kind="stable")[:count]
        rounds, later = (
            sorted({floor(n * (1 - share)) for share in shares} if n else (), reverse=True)
            for n, shares in ((count, self.rounds), (instance.n, self.later))
        )
        return pilot, rounds, later


def planned(name: str, plan: Plan, instance: Instance, pilot: Any, tokens: Any, done: Any) -> Listed:
    """Return the attempts that a policy lists, checked; ``InputError`` where they are none."""
    own = instance
    rows = plan.listed(Seen(own.memory, own.s, own.l, own.u, own.own, tokens, done, pilot))
    same = rows.request[1:] == rows.request[:-1]
    last = np.append(~same, True)
    whole = np.array_equal(rows.request[last], instance.index) and (rows.kill[last] == own.u[rows.request[last]]).all()
    if not (whole and (rows.kill[1:] > rows.kill[:-1])[same].all() and rows.kill.min() > 0 and rows.price.min() >= 0):
        raise InputError(
            "policy", name, "must list attempts for each request, in its order, each longer, the last to its u"
        )
    most = float(own.memory) * float(own.u.max()) * 4 * GRAIN
    if float(rows.price.max()) * 4 + float(rows.kept.max()) + most > 2.0**62:
        raise InputError("memory", own.memory, f"must be below 2^52 over the largest u for {name}")
    return rows


def run_planned(name: str, plan: Plan, instance: Instance, limit: int, history: bool) -> Outcome:
    """Run one policy on one instance; the arguments and errors are those of ``run_reference``."""
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.plans import run_attempts

    n = instance.n
    s, length = (np.array(column, np.int64) for column in (instance.s, instance.length))
    done, starts, reached = np.zeros(n, np.bool_), np.full(n, -1, np.int64), np.zeros(n, np.int64)
    clock, lost, log = np.zeros(3, np.int64), np.zeros(3, np.int64), np.empty((64 if history else 0, 4), np.int64)
    bounds, running = np.array(instance.bound, np.int64), np.empty(0, np.int64)
    pilot, rounds, later = plan.chosen(instance)
    watched = np.zeros(n, np.bool_)
    watched[pilot] = True
    while True:
        tokens = np.zeros(n, np.int64)
        tokens[running] = clock[0] - starts[running]
        tokens = np.where(done, length, np.maximum(tokens, reached))
        rows = planned(name, plan, instance, pilot, tokens, done)
        table = _table(rows, instance, tokens, running)
        until = _next(rounds, len(pilot) - done[pilot].sum()), _next(later, n - done.sum())
        log, running = run_loop(
            run_attempts, *table, *until, done, starts, bounds, reached, watched, s, length, instance.memory, GRAIN, limit, clock, lost, log
        )  # fmt: skip
        if clock[0] > limit:
            raise Livelock(name, limit, int(n - done.sum() - len(running)), len(running), int(lost[0]))
        if done.all():
            break
    least = int(instance.s.min()) * int(lost[1])
    volume = least + (int(lost[2]) - least) % 2**64
    return Outcome(
        starts, int(lost[0]), int(lost[1]), volume, int(clock[2]), bounds, log[: lost[0]] if history else None
    )


def _next(counts: list[int], left: int) -> int:
    """Return the largest of some counts below what is left, and −1 where there is none."""
    return max((count for count in counts if count < left), default=-1)


def _table(rows: Listed, instance: Instance, tokens: Any, running: Any) -> tuple[Any, ...]:
    """Return the attempts in their order as columns: request, bound, kill, price, kept, the row of the next attempt (−1: none).

    After these, each request's first attempt beyond the ``tokens`` that it is known to exceed, and the requests that run.
    """
    same = np.append(rows.request[1:] == rows.request[:-1], False)
    before = np.append(0, np.where(same, rows.kill, 0)[:-1])
    order = np.lexsort((rows.request, rows.priority))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    after = np.where(same, np.append(place[1:], -1), -1)
    bound = np.where(before > 0, before + 1, instance.bound[rows.request])
    first = np.flatnonzero(np.append(True, ~same[:-1]))
    last = np.append(first[1:], len(order)) - 1
    short = np.add.reduceat((rows.kill <= tokens[rows.request]).astype(np.int64), first)
    columns = (rows.request, bound, rows.kill, rows.price, rows.kept, after)
    return (*(np.array(column[order], np.int64) for column in columns), place[np.minimum(first + short, last)], running)
