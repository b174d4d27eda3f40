"""The best blind schedule as a policy of the process: for a law that is known, and for one that a pilot of the requests shows.

Each request draws a plan of the best mixture for its group, and all attempts run by falling index, each request's own. A start costs
what its attempt uses on average. docs/beyond/best-for-a-law.md has the reasons and the runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, isqrt
from typing import Any

import numpy as np

from crtools.blind.groups import Group, Sized, best_mixtures
from crtools.blind.requests import Path
from crtools.distributions import Distribution, distribution
from crtools.errors import InputError
from crtools.process.planned import GRAIN, Known, Listed, Plan
from crtools.process.policies import Policy
from crtools.schedule import volume

BURST = 1 / 16
"""How much of the steady stock of attempts may start at once, where they grow while they run."""

MOST_KEPT = 32
"""Instants of M for which credit is kept at most."""

MOST_PLACES = 32
"""Cells of equal weight of a group's law, at most; as many of the longest have a cell each."""

PER_GROUP = 12
"""A group for so many of the pilot at least."""

GAIN = 0.01
"""More groups are taken where they save this much, and this much again of what is left."""


@dataclass(frozen=True)
class Cells:
    """A group's law of lengths: weights of K cells, and the length at which each ends for intervals [l, u], requests × K."""

    weights: Any
    ends: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Members:
    """Requests of one group: prompts, intervals, and the law that their lengths have. Arrays of int64."""

    s: Any
    l: Any
    u: Any
    cells: Cells

    @cached_property
    def ages(self) -> Any:
        """The tokens at which each cell ends, requests × K."""
        return self.cells.ends(self.l, self.u)

    @cached_property
    def sizes(self) -> Any:
        """The volumes of these, in token-instants."""
        return volume(self.s.astype(float)[:, None], self.ages.astype(float))

    def group(self, share: float) -> Group:
        """Return the group as the program sees it, at the means of the sizes; equal ones are one."""
        means = self.sizes.mean(axis=0)
        kept = np.append(np.diff(means) > 0, True)
        return Group(share, means[kept], np.add.reduceat(self.cells.weights, np.append(0, np.flatnonzero(kept)[:-1] + 1)))

    def rows(self, plans: dict[Path, float], ranks: Any, memory: int) -> tuple[Any, ...]:
        """Return request (a place here), kill, priority, price and kept credit of all attempts; ``ranks`` in [0, 1) draw the plans."""
        found = [np.empty((5, 0))]
        ends = np.cumsum([0.0, *plans.values()])
        ends[-1] = max(ends[-1], 1.0)
        for path, low, high in zip(plans, ends, ends[1:], strict=False):
            chosen = np.flatnonzero((ranks >= low) & (ranks < high))
            if len(chosen):
                found.append(self._rows(path, chosen, (ranks[chosen] - low) / (high - low), memory))
        return tuple(np.concatenate(found, axis=1))

    def _rows(self, path: Path, chosen: Any, ties: Any, memory: int) -> Any:
        ages, s, u = self.ages[chosen], self.s[chosen], self.u[chosen]
        sized, timed = Sized(self.sizes[chosen], self.cells.weights), Sized(ages.astype(float), self.cells.weights)
        found: list[Any] = []
        reached = np.maximum(self.l[chosen] - 1, 0)
        for a, c in pairwise(path):
            last = c == path[-1]
            kill = u if last else ages[:, c - 1]
            done, used = sized.completes(a, c), np.maximum(sized.uses(a, c), 1e-9)
            price, time = used / sized.rests[a], timed.uses(a, c) / sized.rests[a]
            growing = np.maximum(1 - (s + 1) * time / price, BURST / MOST_KEPT)
            kept = memory * np.minimum(BURST * time / growing, MOST_KEPT)
            whole = (np.ceil(np.maximum(price, s + 1) * GRAIN), np.floor(kept * GRAIN))
            own = np.stack([chosen, kill, -done / used + ties * 1e-12 * done / used, *whole])
            here = (kill > reached) & (last | (kill < u))
            found.append(own[:, here])
            reached = np.maximum(reached, kill)
        return np.concatenate(found, axis=1)


def listed(known: Known, groups: Any, laws: Sequence[Cells], ranks: Any) -> Listed:
    """Return the attempts of all requests: ``groups`` says whose law of ``laws`` each has, ``ranks`` draw the plans."""
    members = [_members(known, np.flatnonzero(groups == g), law) for g, law in enumerate(laws)]
    counts = [len(own.s) for own in members]
    mixtures = best_mixtures([own.group(count / sum(counts)) for own, count in zip(members, counts, strict=True)])
    columns: list[Any] = []
    for g, (own, plans) in enumerate(zip(members, mixtures, strict=True)):
        place = np.flatnonzero(groups == g)
        rows = np.stack(own.rows(plans, ranks[place], known.memory))
        rows[0] = place[rows[0].astype(np.int64)]
        columns.append(rows)
    every = np.concatenate(columns, axis=1)
    every = every[:, np.lexsort((every[1], every[0]))]
    request, kill, price, kept = (every[k].astype(np.int64) for k in (0, 1, 3, 4))
    return Listed(request, kill, every[2], price, kept)


def _members(known: Known, some: Any, law: Cells) -> Members:
    return Members(known.s[some], known.l[some], known.u[some], law)


def grouped(key: Any, count: int) -> Any:
    """Return to which of ``count`` groups of nearly equal numbers each request belongs by its key; equal keys are together."""
    edges = np.quantile(key, np.arange(1, count) / count, method="higher")
    found = np.searchsorted(np.unique(edges), key, "right")
    return np.unique(found, return_inverse=True)[1]


def lengths_of(known: Known, some: Any) -> Any:
    """Return the lengths of these of the pilot, the j-th of m that are not done at its age times m/(m − j + ½), at most u.

    So P(o > x · age) ≈ 1/x beyond what has been seen.
    """
    ages, open_ = known.tokens[some].astype(float), np.flatnonzero(~known.done[some])
    open_ = open_[np.argsort(ages[open_], kind="stable")]
    ages[open_] = np.maximum(ages[open_], 1) * len(open_) / (len(open_) - np.arange(len(open_)) - 0.5)
    return np.minimum(ages, known.u[known.pilot[some]])


def seen(known: Known, some: Any) -> Cells:
    """Return the law of the lengths of these of the pilot, each by its place in the interval [l, u], in cells."""
    l, u, lengths = known.l[known.pilot[some]], known.u[known.pilot[some]], lengths_of(known, some)
    places = np.sort((lengths - l) / np.maximum(u - l, 1))
    n = len(places)
    last = np.unique(np.append(np.ceil(np.arange(1, MOST_PLACES + 1) * n / MOST_PLACES), np.arange(n - MOST_PLACES, n) + 1))
    last = last[last > 0].astype(np.int64) - 1  # of each cell; the longest have one each, as they weigh most
    ends, first = np.unique(places[last][::-1], return_index=True)
    numbers = np.diff(np.append(0, last[::-1][first] + 1))

    def ages(l: Any, u: Any) -> Any:
        return np.rint(l[:, None] + ends * (u - l)[:, None]).astype(np.int64)

    return Cells(numbers / n, ages)


def learned(known: Known) -> Listed:
    """Return the attempts for the laws that the pilot shows, in as many groups by the largest volume as it can tell apart.

    Before anything has been shown: of the pilot one each, first of all; of the others as thresholds b^(k + U) of volume come.
    """
    if not known.done.any():
        return _before(known)
    key = volume(known.s.astype(float), known.u.astype(float))
    most = max(len(known.pilot) // PER_GROUP, 1)
    counts = [count for count in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32) if count <= most]
    costs = {count: _tried(known, grouped(key, count)) for count in counts} if len(np.unique(key)) > 1 else {1: 0.0}
    chosen = 1
    for count, cost in costs.items():
        if cost < costs[chosen] * (1 - GAIN):
            chosen = count
    groups = grouped(key, chosen)
    return _pilot_first(known, listed(known, groups, _laws(known, groups, np.arange(len(known.pilot))), _ranks(groups, known.own)))


def _pilot_first(known: Known, rows: Listed) -> Listed:
    """Return the attempts where the pilot has one each, to the end, first of all and free."""
    piloted = np.zeros(len(known.s), np.bool_)
    piloted[known.pilot] = True
    mine, last = piloted[rows.request], rows.kill == known.u[rows.request]
    free = (np.where(mine, least, column) for column, least in ((rows.priority, -np.inf), (rows.price, 0), (rows.kept, 0)))
    return Listed(*(column[~mine | last] for column in (rows.request, rows.kill, *free)))


def _before(known: Known) -> Listed:
    s, u = known.s.astype(float), known.u.astype(float)
    most, threshold = volume(s, u), float(FIRST_BASE) ** known.own
    piloted = np.zeros(len(s), np.bool_)
    piloted[known.pilot] = True
    columns: list[Any] = []
    reached, index = np.where(piloted, 0, known.l - 1), np.arange(len(s))
    while len(index):
        own, tries = np.where(piloted[index], most[index], np.minimum(threshold[index], most[index])), 2 * s[index] + 1
        kill = np.minimum(np.floor((np.sqrt(tries**2 + 8 * own) - tries) / 2 + 1e-9), u[index]).astype(np.int64)
        here = (kill > reached[index]) & (kill > 0)
        first = np.where(piloted[index], -1.0, own)
        price = np.where(piloted[index], 0, np.maximum(own / 2, s[index] + 1))
        columns.append(np.stack([index, kill, first, np.ceil(price * GRAIN)])[:, here])
        reached[index] = np.maximum(reached[index], kill)
        threshold = threshold * FIRST_BASE
        index = index[kill < known.u[index]]
    every = np.concatenate(columns, axis=1)
    every = every[:, np.lexsort((every[1], every[0]))]
    request, kill, price = (every[k].astype(np.int64) for k in (0, 1, 3))
    return Listed(request, kill, every[2], price, np.zeros_like(price))


FIRST_BASE = 13.8
"""b of the thresholds before anything is known: near the best for every law at once."""


def _laws(known: Known, groups: Any, some: Any) -> list[Cells]:
    """Return the law of each group by these of the pilot; of a group without any, by all of them."""
    own = groups[known.pilot[some]]
    chosen = [some[own == g] if (own == g).any() else some for g in range(int(groups.max()) + 1)]
    return [seen(known, part) for part in chosen]


def _ranks(groups: Any, own: Any) -> Any:
    """Return where each request stands among its group by what it drew, in [0, 1)."""
    order = np.lexsort((own, groups))
    _, first, counts = np.unique(groups[order], return_index=True, return_counts=True)
    ranks = np.empty(len(own))
    ranks[order] = (np.arange(len(own)) - np.repeat(first, counts) + 0.5) / np.repeat(counts, counts)
    return ranks


def _tried(known: Known, groups: Any) -> float:
    """Return what half of the pilot pays on one machine under the plans that the other half shows, both ways."""
    numbers = np.arange(len(known.pilot))
    halves = numbers[numbers % 2 == 0], numbers[numbers % 2 == 1]
    return sum(
        on_one_machine(listed(known, groups, _laws(known, groups, train), _ranks(groups, known.own)), known, test)
        for train, test in (halves, halves[::-1])
    )


def on_one_machine(rows: Listed, known: Known, some: Any) -> float:
    """Return the sum of the completion times of these of the pilot where attempts run one after the other, in token-instants."""
    length, mine = np.zeros(len(known.s), np.int64), np.zeros(len(known.s), np.bool_)
    length[known.pilot[some]], mine[known.pilot[some]] = lengths_of(known, some), True
    same = np.append(False, rows.request[1:] == rows.request[:-1])
    before = np.where(same, np.append(0, rows.kill[:-1]), 0)
    runs = mine[rows.request] & (before < length[rows.request])
    request, kill = rows.request[runs], rows.kill[runs]
    used = volume(known.s[request].astype(float), np.minimum(kill, length[request]).astype(float))
    order = np.argsort(rows.priority[runs], kind="stable")
    return float((np.cumsum(used[order]) * (kill >= length[request])[order]).sum())


def for_law(law: str | Distribution) -> Policy:
    """Return the policy of the best mixture for a law of lengths that is known, with whatever prompts; ``InputError`` as of ``best``.

    Requests with different prompts are in groups by these, eight at most.
    """
    own = distribution(law)
    lengths, weights = law_cells(own)

    def plan(known: Known) -> Listed:
        kept = lengths <= known.u.max()
        ends, shares = lengths[kept], weights[kept]
        if not len(ends):
            raise InputError("policy", f"best:{own.spec()}", f"must be of a law with lengths up to u = {known.u.max()}")
        cells = Cells(shares / shares.sum(), lambda l, u: np.minimum(ends, u[:, None]))
        groups = grouped(volume(known.s.astype(float), known.u.astype(float)), 8)
        return listed(known, groups, [cells] * (int(groups.max()) + 1), _ranks(groups, known.own))

    return Policy(
        f"best:{own.spec()}",
        **_rules(Plan(plan)),
        knows="u, the law",
        summary="the best mixture of kill ages for a law",
    )


def law_cells(law: Distribution) -> tuple[Any, Any]:
    """Return the lengths of a law and their probabilities as floats, at most ``MOST_CELLS``: neighbours are put together."""
    from crtools.blind.cut import cut

    bracket = cut(law, 0, 4)
    lengths = np.array(bracket.lengths)
    weights = np.array(bracket.high.weights[: len(lengths)], dtype=float)
    weights = weights / weights.sum()
    if len(lengths) <= MOST_CELLS:
        return lengths, weights
    cell = np.minimum((np.cumsum(weights) * MOST_CELLS).astype(np.int64), MOST_CELLS - 1)
    last = np.append(cell[1:] != cell[:-1], True)
    return lengths[last], np.add.reduceat(weights, np.append(0, np.flatnonzero(last)[:-1] + 1))


MOST_CELLS = 160
"""Kill ages of a law that is known, at most."""


def pilot(n: int) -> int:
    """Return how many of n requests are run to their end first."""
    return min(n, ceil(PILOT * isqrt(n)))


PILOT = 2

ROUNDS = (0.5, 0.75, 0.9, 1.0)
"""Attempts are listed anew when these shares of the pilot are done."""


def _rules(plan: Plan) -> dict[str, Any]:
    return {
        "priority": lambda r: r.index,
        "assumed": lambda r, age: r.u,
        "longest": lambda r: r.u,
        "own": lambda draws: draws,
        "paced": True,
        "plan": plan,
        "usual": False,
    }


A_LEARN = Policy(
    "a-learn",
    **_rules(Plan(learned, pilot, ROUNDS)),
    knows="l, u",
    summary="a pilot, then the best mixture for what it shows",
)
"""It knows s, l, u and M, learns the law of the lengths by 2√n requests, and chooses groups by prompt of what these show."""


