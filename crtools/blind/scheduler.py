"""The best blind schedule as a policy of the process: for a known distribution of lengths, or one estimated from a pilot.

Each request draws a plan of the best mixture for its group, and all attempts run by falling index, computed for each request. A start
costs what its attempt uses on average. :func:`for_law` is the policy ``best:LAW``, :func:`learning` is ``a-learn``; both are a ``Plan``
whose function lists the attempts of all requests (:mod:`crtools.process.plans` runs them). The constants below were tuned by the runs
that docs/beyond/best-for-a-law.md reports. Tests: tests/blind/test_scheduler.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import Any, TypeAlias

import numpy as np

from crtools.blind.attempt_costs import Path
from crtools.blind.min_norm_point import Group, GroupMixture, Search, uses_on_path
from crtools.blind.truncation import bracket
from crtools.distributions import Distribution, distribution
from crtools.errors import InputError
from crtools.numeric_types import BoolArray, FloatArray, IntArray
from crtools.process.plans import GRAIN, AttemptTable, Plan, Seen
from crtools.process.policies import Policy
from crtools.schedule import volume

BURST = 1 / 16
"""Share of the steady-state number of attempts that may start at the same instant.

Memory that a refused attempt could have used is kept as credit, and the credit is spent in a burst. Attempts that start together also
grow together, so a large burst fills memory at once and causes evictions; a small one leaves memory idle.
"""

MOST_CREDIT = 32
"""Upper limit on the credit: memory of this many instants."""

MOST_CELLS = 32
"""Upper limit on the cells of equal weight of an estimated distribution; as many of the longest lengths have a cell each."""

COUNTS, PER_GROUP = (2, 4, 8, 16, 32), 12
"""The numbers of groups that are tried, and the completed requests that each group needs."""

GAIN = 0.01
"""More groups are taken if they lower the estimated cost by at least this share, so that noise in the pilot does not split it."""

TAIL_PARTS = 16
"""The probability of lengths beyond all observations is divided into this many parts."""

FIRST_BASE, FIRST_PRICE = 13.8, 0.1
"""Before any request has completed: the base b of the thresholds, near the best for all distributions at once; and the price of an
attempt over its threshold, since most requests are much shorter than it."""

ROUNDS, LATER = (1.0,), (0.5, 0.8, 0.95)
"""The shares of the pilot, and of all requests, after whose completion the attempts are listed again."""

AttemptRows: TypeAlias = FloatArray
"""Attempts as columns of five rows: request, kill age, priority, price, credit."""


@dataclass(frozen=True)
class Cells:
    """A group's distribution of lengths. ``weights``: of K cells; ``ends(l, u)``: the length at which each ends, requests × K."""

    weights: FloatArray
    ends: Callable[[IntArray, IntArray], IntArray]


@dataclass(frozen=True)
class Members:
    """The requests of one group, by their numbers ``index``, and the distribution of their lengths."""

    requests: Seen
    index: IntArray
    cells: Cells

    @cached_property
    def ages(self) -> IntArray:
        """The length at which each cell ends, requests × K."""
        return self.cells.ends(self.requests.l[self.index], self.requests.u[self.index])

    @cached_property
    def sizes(self) -> FloatArray:
        """The sizes of requests of these lengths, requests × K."""
        return self.requests.size(self.requests.s[self.index].astype(float)[:, None], self.ages.astype(float))

    @property
    def group(self) -> Group:
        """The group with the mean sizes; a tiny slope makes equal ones distinct."""
        means, share = self.sizes.mean(axis=0), len(self.index) / len(self.requests.s)
        return Group(share, means + 1e-9 * means[-1] * np.arange(len(means)), self.cells.weights)

    def rows(self, mixture: GroupMixture, selected: BoolArray | None = None) -> AttemptRows:
        """Return the attempts of the members, or of those ``selected`` from all requests.

        The relative ranks by the random numbers draw the plans of requests that have not run yet; a request that is known to exceed
        some tokens takes the cheapest path from there.
        """
        rows, chosen_from = [np.empty((5, 0))], True if selected is None else selected[self.index]
        order = np.argsort(self.requests.drawn[self.index], kind="stable")
        ranks = (np.argsort(order) + 0.5) / len(order)
        exceeded = (self.ages <= self.requests.tokens[self.index][:, None]).sum(axis=1)
        exceeded = np.minimum(exceeded, self.ages.shape[1] - 1)
        ends = np.cumsum([0.0, *mixture.plans.values()])
        ends[-1] = max(ends[-1], 1.0)
        for path, low, high in zip(mixture.plans, ends, ends[1:], strict=False):
            chosen = np.flatnonzero(chosen_from & (exceeded == 0) & (ranks >= low) & (ranks < high))
            rows.append(self._rows_of_path(path, chosen, (ranks[chosen] - low) / (high - low)))
        for a in np.unique(exceeded[chosen_from & (exceeded > 0)]):
            chosen = np.flatnonzero(chosen_from & (exceeded == a))
            rows.append(self._rows_of_path(mixture.onward[a], chosen, ranks[chosen]))
        return np.concatenate(rows, axis=1)

    def _rows_of_path(self, path: Path, chosen: IntArray, ties: FloatArray) -> AttemptRows:
        """Return the attempts of requests that take one path; ``ties``, in [0, 1), orders attempts of equal index."""
        ages, index = self.ages[chosen], self.index[chosen]
        s, l, u = (column[index] for column in (self.requests.s, self.requests.l, self.requests.u))
        survival = np.append(np.cumsum(self.cells.weights[::-1])[::-1], 0.0)
        volumes, times = (uses_on_path(sizes, survival, path) for sizes in (self.sizes[chosen], ages.astype(float)))
        rows: list[AttemptRows] = []
        reached = np.maximum(l - 1, 0)
        for k, (a, c) in enumerate(pairwise(path)):
            last = c == path[-1]
            kill = u if last else ages[:, c - 1]
            completed, used = survival[a] - survival[c], np.maximum(volumes[:, k], 1e-9)
            price, time = used / survival[a], times[:, k] / survival[a]
            growing = np.maximum(1 - (s + 1) * time / price, BURST / MOST_CREDIT)
            credit = self.requests.memory * np.minimum(BURST * time / growing, MOST_CREDIT)
            integers = (np.ceil(np.maximum(price, s + 1) * GRAIN), np.floor(credit * GRAIN))
            attempt = np.array([index, kill, -completed / used * (1 - ties * 1e-12), *integers], float)
            longer = (kill > reached) & (last | (kill < u))
            rows.append(attempt[:, longer])
            reached = np.where(longer, kill, reached)
        return np.concatenate(rows, axis=1)


def list_attempts(
    requests: Seen, groups: IntArray, cells: Sequence[Cells], selected: BoolArray | None = None
) -> AttemptTable:
    """Return the attempts of all requests, or of the ``selected`` ones, under the best mixtures for the groups' distributions.

    ``groups``: the group of each request; ``cells``: the distribution of each group.
    """
    members = members_of(requests, groups, cells)
    mixtures = Search([part.group for part in members]).mixtures()
    return attempt_table([part.rows(mixture, selected) for part, mixture in zip(members, mixtures, strict=True)])


def members_of(requests: Seen, groups: IntArray, cells: Sequence[Cells]) -> list[Members]:
    """Return the requests by their groups."""
    return [Members(requests, np.flatnonzero(groups == g), law) for g, law in enumerate(cells)]


def attempt_table(columns: list[AttemptRows]) -> AttemptTable:
    """Return attempts ordered by request and kill age."""
    rows = np.concatenate(columns, axis=1)
    rows = rows[:, np.lexsort((rows[1], rows[0]))]
    request, kill, price, credit = (rows[k].astype(np.int64) for k in (0, 1, 3, 4))
    return AttemptTable(request, kill, rows[2], price, credit)


def grouped(key: FloatArray | IntArray, count: int) -> IntArray:
    """Return the group of each request: at most ``count`` groups of nearly equal numbers by the key; equal keys are together."""
    return np.searchsorted(group_edges(key, count), key, "right")


def group_edges(key: FloatArray | IntArray, count: int) -> FloatArray | IntArray:
    """Return the least key of each group but the first, for at most ``count`` groups of nearly equal numbers."""
    edges = np.unique(np.quantile(key, np.arange(1, count) / count, method="higher"))
    return edges[edges > key.min()]


def survival_estimate(ages: FloatArray, done: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return lengths and their probabilities by the Kaplan-Meier estimate, from lengths (``done``) and ages that are exceeded.

    Beyond the last age a it has ``TAIL_PARTS`` atoms of equal weight with P(o > x · a) ≈ P(o > a)/x.
    """
    order = np.lexsort((~done, ages))
    ages, done = ages[order], done[order]
    at_risk = len(ages) - np.arange(len(ages))
    survival = np.append(1.0, np.cumprod(1 - done / at_risk))
    lengths, weights = ages[done], (survival[:-1] / at_risk)[done]
    if survival[-1] < 1e-12:
        return lengths, weights
    tail = ages[-1] * TAIL_PARTS / (TAIL_PARTS - np.arange(TAIL_PARTS) - 0.5)
    return np.append(lengths, tail), np.append(weights, np.full(TAIL_PARTS, survival[-1] / TAIL_PARTS))


def observed_cells(requests: Seen, index: IntArray) -> Cells:
    """Return the distribution of the lengths of these requests, in cells, each length by its position in its interval [l, u]."""
    span, l = np.maximum(requests.u[index] - requests.l[index], 1), requests.l[index]
    positions, weights = survival_estimate((requests.tokens[index] - l + 1) / span, requests.done[index])
    positions = np.clip(positions - 1 / span.max(), 0.0, 1.0)
    n = len(positions)
    level = np.cumsum(weights)
    even = np.searchsorted(level, level[-1] * np.arange(1, MOST_CELLS + 1) / MOST_CELLS - 1e-12)
    # the longest have a cell each, as they contribute most
    last = np.unique(np.append(np.minimum(even, n - 1), np.arange(max(n - MOST_CELLS, 0), n)))
    ends, first = np.unique(positions[last][::-1], return_index=True)
    shares = np.diff(np.append(0.0, level[last][::-1][first]))

    def ages(l: IntArray, u: IntArray) -> IntArray:
        return np.rint(l[:, None] + ends * (u - l)[:, None]).astype(np.int64)

    return Cells(shares / shares.sum(), ages)


def learned(requests: Seen) -> AttemptTable:
    """Return the attempts for the distributions estimated so far, in as many groups by the largest volume as lower the cost.

    Before any request has completed: if all requests fit at once at lengths √(lu), all start, free. Otherwise each of the pilot has one
    attempt, first of all, and the others have attempts at thresholds b^(k + U) of volume; in seconds one attempt, to its end.
    """
    if not requests.done.any():
        guess = np.maximum(np.sqrt(requests.l.astype(float) * requests.u), 1.0)
        size = requests.size(requests.s.astype(float), guess)
        order = np.argsort(-guess)
        memory = np.cumsum(requests.s[order]) + np.arange(1, len(order) + 1) * guess[order]
        if memory.max() <= requests.memory:
            return to_the_end(requests, size)
        rows = _first_attempts(requests) if requests.clock.in_steps else to_the_end(requests, size)
        return _pilot_first(requests, rows)
    key = requests.size(requests.s.astype(float), requests.u.astype(float))
    most_groups = int(requests.done.sum()) // PER_GROUP
    counts = [count for count in COUNTS if count <= most_groups] if len(np.unique(key)) > 1 else []
    groups = grouped(key, _group_count(requests, key, counts))
    return _pilot_first(requests, list_attempts(requests, groups, _group_cells(requests, groups, np.arange(len(key)))))


def _group_count(requests: Seen, key: FloatArray, counts: list[int]) -> int:
    """Return the number of groups: the largest if the requests' intervals differ, else by cross-validation."""
    if len(np.unique(requests.l)) > 1:
        return max(counts, default=1)
    best, lowest = 1, _validation_cost(requests, grouped(key, 1)) if counts else 0.0
    for count in counts:
        cost = _validation_cost(requests, grouped(key, count))
        if cost < lowest * (1 - GAIN):
            best, lowest = count, cost
    return best


def _pilot_first(requests: Seen, rows: AttemptTable) -> AttemptTable:
    """Return the attempts, where each of the pilot has only its last one, first of all and free."""
    pilot = np.isin(rows.request, requests.pilot)
    keep = ~pilot | (rows.kill == requests.u[rows.request])
    priority, price = np.where(pilot, -np.inf, rows.priority), np.where(pilot, 0, rows.price)
    credit = np.where(pilot, 0, rows.kept)
    return AttemptTable(rows.request[keep], rows.kill[keep], priority[keep], price[keep], credit[keep])


def to_the_end(requests: Seen, priority: FloatArray) -> AttemptTable:
    """Return one attempt for each request, to its end and free."""
    index, zero = np.arange(len(priority)), np.zeros(len(priority), np.int64)
    return AttemptTable(index, requests.u, priority, zero, zero)


def _first_attempts(requests: Seen) -> AttemptTable:
    """Return the attempts that end at the thresholds of each request."""
    s, u = requests.s.astype(float), requests.u.astype(float)
    largest, threshold = volume(s, u), float(FIRST_BASE) ** requests.drawn
    columns: list[AttemptRows] = []
    reached, index = np.maximum(requests.l - 1, 0), np.arange(len(s))
    while len(index):
        b, size = 2 * s[index] + 1, np.minimum(threshold[index], largest[index])
        kill = np.minimum(np.floor((np.sqrt(b**2 + 8 * size) - b) / 2 + 1e-9), u[index]).astype(np.int64)
        price = np.maximum(size * FIRST_PRICE, s[index] + 1)
        rows = np.array([index, kill, size, np.ceil(price * GRAIN), np.zeros(len(index))], float)
        columns.append(rows[:, kill > reached[index]])
        reached[index] = np.maximum(reached[index], kill)
        threshold = threshold * FIRST_BASE
        index = index[kill < requests.u[index]]
    return attempt_table(columns)


def _group_cells(requests: Seen, groups: IntArray, index: IntArray) -> list[Cells]:
    """Return the distribution of each group, estimated from these requests; from all groups where none of the group is done."""
    observed = index[requests.done[index] | (requests.tokens[index] >= requests.l[index])]
    parts = [observed[groups[observed] == g] for g in range(int(groups.max()) + 1)]
    return [observed_cells(requests, part if requests.done[part].any() else observed) for part in parts]


def _validation_cost(requests: Seen, groups: IntArray) -> float:
    """Return the cost on one machine of each half of the completed pilot under the plans that all other requests suggest."""
    done, everyone = requests.pilot[requests.done[requests.pilot]], np.arange(len(groups))
    cost, unseen = 0.0, replace(requests, tokens=0 * requests.tokens)
    for test in (done[::2], done[1::2]):
        cells = _group_cells(requests, groups, np.setdiff1d(everyone, test))
        cost += on_one_machine(list_attempts(unseen, groups, cells, np.isin(everyone, test)), requests)
    return cost


def on_one_machine(rows: AttemptTable, requests: Seen) -> float:
    """Return the sum of completion times of requests that are done if attempts run one after the other, in token-instants."""
    same, length = np.append(False, rows.request[1:] == rows.request[:-1]), requests.tokens[rows.request]
    runs = np.where(same, np.append(0, rows.kill[:-1]), 0) < length
    request, kill, length = rows.request[runs], rows.kill[runs], length[runs]
    used = requests.size(requests.s[request].astype(float), np.minimum(kill, length).astype(float))
    order = np.argsort(rows.priority[runs], kind="stable")
    return float((np.cumsum(used[order]) * (kill >= length)[order]).sum())


def for_law(law: str | Distribution) -> Policy:
    """Return the policy of the best mixture for a known distribution of lengths, for any prompts; ``InputError`` as of ``best``.

    Requests with different prompts form at most ``PROMPT_GROUPS`` groups.
    """
    of_lengths = distribution(law)
    name, (lengths, weights) = f"best:{of_lengths.spec()}", law_cells(of_lengths)

    def plan(requests: Seen) -> AttemptTable:
        possible = lengths <= requests.u.max()
        ends, shares = lengths[possible], weights[possible]
        if not len(ends):
            raise InputError("policy", name, f"must be of a law with lengths up to u = {requests.u.max()}")
        cells = Cells(shares / shares.sum(), lambda l, u: np.minimum(ends, u[:, None]))
        groups = grouped(requests.size(requests.s.astype(float), requests.u.astype(float)), PROMPT_GROUPS)
        return list_attempts(requests, groups, [cells] * (int(groups.max()) + 1))

    return Policy(
        name,
        **RULES,
        plan=Plan(plan, lazy="mostly"),
        knows="u, the law",
        summary="the best mixture of kill ages for a law",
    )


def law_cells(law: Distribution) -> tuple[IntArray, FloatArray]:
    """Return the lengths of a distribution and their probabilities in at most ``MOST_LAW_CELLS`` cells of neighbours."""
    both = bracket(law, 0, 4)
    lengths = np.array(both.lengths)
    weights = np.array(both.high.weights[: len(lengths)], dtype=float)
    weights = weights / weights.sum()
    if len(lengths) <= MOST_LAW_CELLS:
        return lengths, weights
    cell = np.minimum((np.cumsum(weights) * MOST_LAW_CELLS).astype(np.int64), MOST_LAW_CELLS - 1)
    last = np.append(cell[1:] != cell[:-1], True)
    return lengths[last], np.add.reduceat(weights, np.append(0, np.flatnonzero(last)[:-1] + 1))


PROMPT_GROUPS, MOST_LAW_CELLS = 8, 160
"""For a known distribution: the largest numbers of groups and of kill ages."""

RULES: dict[str, Any] = {
    "priority": lambda r: r.index, "assumed": lambda r, age: r.u, "longest": lambda r: r.u, "draws": lambda numbers: numbers,
    "paced": True,
}  # fmt: skip
"""The rules that all policies of this module share."""


def learning(name: str) -> Policy:
    """Return the policy, under a name, that is given s, l, u and M only.

    ⌊√n⌋ requests run to their end first. Then, and again later, it estimates the distribution of the lengths from all observations, in
    as many groups of prompts as lower the cost, and lists the attempts of the best mixtures.
    """
    return Policy(
        name,
        **RULES,
        plan=Plan(learned, isqrt, ROUNDS, LATER, lazy="mostly"),
        knows="l, u",
        summary="a pilot, then the best mixture for what it shows",
    )
