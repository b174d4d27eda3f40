"""Policies that plan: what they know of the requests, the attempts that they list, and the run of these in compiled loops.

The first ``pilot`` requests of a random order run to their end, with whoever else fits; then the policy lists for each request the
attempts that it is to have, of what it has seen. docs/model.md has the rules; :mod:`crtools.process.planned_reference` is the same,
instant by instant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from crtools.errors import InputError, Livelock
from crtools.process.instance import Instance, Outcome

GRAIN = 256
"""Prices are integers, in so many parts of a token-instant."""


@dataclass(frozen=True)
class Known:
    """What a policy knows when it plans.

    memory: M in tokens; s, l, u, own: of all requests, as in ``Request``; pilot: the numbers of the requests that ran to their end;
    lengths: their lengths in tokens, int64 arrays.
    """

    memory: int
    s: Any
    l: Any
    u: Any
    own: Any
    pilot: Any
    lengths: Any


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
    """How a policy plans. ``pilot``: for n requests, how many are run to their end first; ``listed``: the attempts of all."""

    pilot: Callable[[int], int]
    listed: Callable[[Known], Listed]


def piloted(instance: Instance, plan: Plan) -> tuple[Any, Listed]:
    """Return the numbers of the pilot's requests, and the attempts until it is done: one each, in the order of ``own``."""
    order = np.argsort(instance.own, kind="stable")
    rank = np.empty(instance.n)
    rank[order] = np.arange(instance.n)
    free = np.zeros(instance.n, np.int64)
    count = min(plan.pilot(instance.n), instance.n)
    return order[:count], Listed(instance.index, instance.u.astype(np.int64), rank, free, free)


def planned(name: str, plan: Plan, instance: Instance, pilot: Any) -> Listed:
    """Return the attempts that a policy lists, checked; ``InputError`` where they are none."""
    own = instance
    rows = plan.listed(Known(own.memory, own.s, own.l, own.u, own.own, pilot, own.length[pilot]))
    same = rows.request[1:] == rows.request[:-1]
    last = np.append(~same, True)
    whole = np.array_equal(rows.request[last], instance.index) and (rows.kill[last] == own.u[rows.request[last]]).all()
    if not (whole and (rows.kill[1:] > rows.kill[:-1])[same].all() and rows.kill.min() > 0 and rows.price.min() >= 0):
        raise InputError("policy", name, "must list attempts for each request, in its order, each longer, the last to its u")
    if float(rows.price.max()) * 4 + float(rows.kept.max()) + GRAIN * float(own.memory) * float(own.u.sum()) > 2.0**62:
        raise InputError("memory", own.memory, f"{name} needs M · Σ u below 2^54")
    return rows


def run_planned(name: str, plan: Plan, instance: Instance, limit: int, history: bool) -> Outcome:
    """Run one policy on one instance; the arguments and errors are those of ``run_reference``."""
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.planned import run_attempts

    n, pilot = instance.n, np.empty(0, np.int64)
    s, length = (np.array(column, np.int64) for column in (instance.s, instance.length))
    done, starts = np.zeros(n, np.bool_), np.full(n, -1, np.int64)
    clock, lost, log = np.array([0, 0, 0], np.int64), np.zeros(3, np.int64), np.empty((64 if history else 0, 4), np.int64)
    bounds, running = np.array(instance.bound, np.int64), np.empty(0, np.int64)
    pilot, rows = piloted(instance, plan)
    phases = (True, False) if len(pilot) else (False,)
    for first in phases:
        if not first:
            rows = planned(name, plan, instance, pilot)
        watched = np.zeros(n, np.bool_)
        watched[pilot] = first
        table, at = _table(rows, instance, starts, running, int(clock[0]))
        log, running = run_loop(
            run_attempts, *table, at, done, starts, bounds, watched, s, length, instance.memory, limit, clock, lost, log
        )  # fmt: skip
        if clock[0] > limit:
            raise Livelock(name, limit, int(n - done.sum() - len(running)), len(running), int(lost[0]))
    least = int(instance.s.min()) * int(lost[1])
    volume = least + (int(lost[2]) - least) % 2**64
    return Outcome(starts, int(lost[0]), int(lost[1]), volume, int(clock[2]), bounds, log[: lost[0]] if history else None)


def _table(rows: Listed, instance: Instance, starts: Any, running: Any, now: int) -> tuple[tuple[Any, ...], Any]:
    """Return the attempts in their order as columns, and the rows of those that run, in the order of their starts.

    The columns: request, bound, kill, price, kept, the row of the next attempt (−1: none), the request's first row.
    """
    same = np.append(rows.request[1:] == rows.request[:-1], False)
    before = np.append(0, np.where(same, rows.kill, 0)[:-1])
    order = np.lexsort((rows.request, rows.priority))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    after = np.where(same, np.append(place[1:], -1), -1)
    bound = np.where(before > 0, before + 1, instance.bound[rows.request])
    first = np.flatnonzero(np.append(True, ~same[:-1]))
    columns = (rows.request, bound, rows.kill, rows.price, rows.kept, after)
    at = [place[first[i] + np.searchsorted(rows.kill[first[i] : _end(first, i, rows)], now - starts[i], "right")] for i in running]
    own = tuple(np.array(column[order], np.int64) for column in columns)
    return (*own, place[first]), np.array(at, np.int64)


def _end(first: Any, i: int, rows: Listed) -> int:
    return int(first[i + 1]) if i + 1 < len(first) else len(rows.kill)
