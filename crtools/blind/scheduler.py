"""The best blind schedule as a policy of the process: for a law that is known, and for one that a pilot of the requests shows.

Each request draws a plan of the best mixture for its group, and all attempts run by falling index, each request's own. A start costs
what its attempt uses on average. docs/beyond/best-for-a-law.md has the reasons and the runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import Any

import numpy as np

from crtools.blind.attempt_costs import Path
from crtools.blind.prompt_classes import Group, Mixed, Sized, best_mixtures
from crtools.distributions import Distribution, distribution
from crtools.errors import InputError
from crtools.process.plans import GRAIN, Listed, Plan, Seen
from crtools.process.policies import Policy
from crtools.schedule import volume

BURST = 1 / 16
"""How much of the steady stock of attempts may start at once, where they grow while they run."""

MOST_KEPT = 32
"""Instants of M for which credit is kept at most."""

MOST_PLACES = 32
"""Cells of equal weight of a group's law, at most; as many of the longest have a cell each."""

COUNTS, PER_GROUP = (2, 4, 8, 16, 32), 12
"""How many groups are tried, at most one for so many requests that are done."""

GAIN = 0.01
"""More groups are taken where they save this share of what fewer cost."""

BEYOND = 16
"""Into so many parts goes the share of lengths beyond all that has shown."""

FIRST_BASE, FIRST_PRICE = 13.8, 0.1
"""b of the thresholds before anything has shown, near the best for every law at once; and an attempt's price over its threshold."""

ROUNDS, LATER = (1.0,), (0.5, 0.8, 0.95)
"""Attempts are listed anew when these shares of the pilot are done, and these of all."""


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
        """Return the group as the program sees it, at the means of the sizes; equal ones are told apart by next to nothing."""
        means = self.sizes.mean(axis=0)
        return Group(share, means + 1e-9 * means[-1] * np.arange(len(means)), self.cells.weights)

    def rows(self, mixed: Mixed, ranks: Any, tokens: Any, memory: int) -> tuple[Any, ...]:
        """Return request (a place here), kill, priority, price and kept credit of all attempts.

        ``ranks`` in [0, 1) draw the plans of those that have not run yet; who is known to exceed ``tokens`` goes the cheapest way on.
        """
        found = [np.empty((5, 0))]
        known = (self.ages <= tokens[:, None]).sum(axis=1)
        known = np.minimum(known, self.ages.shape[1] - 1)
        ends = np.cumsum([0.0, *mixed.plans.values()])
        ends[-1] = max(ends[-1], 1.0)
        for path, low, high in zip(mixed.plans, ends, ends[1:], strict=False):
            chosen = np.flatnonzero((known == 0) & (ranks >= low) & (ranks < high))
            found.append(self._rows(path, chosen, (ranks[chosen] - low) / (high - low), memory))
        for a in np.unique(known[known > 0]):
            chosen = np.flatnonzero(known == a)
            found.append(self._rows(mixed.onward[a], chosen, ranks[chosen], memory))
        return tuple(np.concatenate(found, axis=1))

    def _rows(self, path: Path, chosen: Any, ties: Any, memory: int) -> Any:
        """Return the same of requests that go one way; ``ties``, in [0, 1), orders attempts of one index."""
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
            own = np.stack([chosen, kill, -done / used * (1 - ties * 1e-12), *whole])
            here = (kill > reached) & (last | (kill < u))
            found.append(own[:, here])
            reached = np.where(here, kill, reached)
        return np.concatenate(found, axis=1)


def listed(known: Seen, groups: Any, laws: Sequence[Cells], ranks: Any, some: Any = None, tokens: Any = None) -> Listed:
    """Return the attempts of all requests, or of ``some``; ``groups`` says whose law of ``laws`` each has, ``ranks`` draw the plans."""
    at = known.tokens if tokens is None else tokens
    wanted = np.ones(len(groups), np.bool_)
    if some is not None:
        wanted[:] = False
        wanted[some] = True
    members = [_members(known, np.flatnonzero(groups == g), law) for g, law in enumerate(laws)]
    counts = [len(own.s) for own in members]
    mixtures = best_mixtures([own.group(count / sum(counts)) for own, count in zip(members, counts, strict=True)])
    columns: list[Any] = []
    for g, plans in enumerate(mixtures):
        place = np.flatnonzero((groups == g) & wanted)
        rows = np.stack(_members(known, place, laws[g]).rows(plans, ranks[place], at[place], known.memory))
        rows[0] = place[rows[0].astype(np.int64)]
        columns.append(rows)
    every = np.concatenate(columns, axis=1)
    every = every[:, np.lexsort((every[1], every[0]))]
    request, kill, price, kept = (every[k].astype(np.int64) for k in (0, 1, 3, 4))
    return Listed(request, kill, every[2], price, kept)


def _members(known: Seen, some: Any, law: Cells) -> Members:
    return Members(known.s[some], known.l[some], known.u[some], law)


def grouped(key: Any, count: int) -> Any:
    """Return to which of ``count`` groups of nearly equal numbers each request belongs by its key; equal keys are together."""
    edges = np.quantile(key, np.arange(1, count) / count, method="higher")
    found = np.searchsorted(np.unique(edges), key, "right")
    return np.unique(found, return_inverse=True)[1]


def estimated(places: Any, done: Any) -> tuple[Any, Any]:
    """Return lengths and their probabilities, of lengths (``done``) and of ages that are exceeded: Kaplan and Meier's estimate.

    What is left beyond the last length is at ages times 1/x, x even in (0, 1): P(o > x · age) ≈ 1/x.
    """
    order = np.lexsort((~done, places))
    places, done = places[order], done[order]
    risk = len(places) - np.arange(len(places))
    before = np.append(1.0, np.cumprod(1 - done / risk))
    lengths, weights = places[done], (before[:-1] / risk)[done]
    if before[-1] < 1e-12:
        return lengths, weights
    beyond = places[-1] * BEYOND / (BEYOND - np.arange(BEYOND) - 0.5)
    return np.append(lengths, beyond), np.append(weights, np.full(BEYOND, before[-1] / BEYOND))


def seen(known: Seen, some: Any) -> Cells:
    """Return the law of the lengths of these requests, each by its place in the interval [l, u], in cells."""
    span, l = np.maximum(known.u[some] - known.l[some], 1), known.l[some]
    places, weights = estimated((known.tokens[some] - l + 1) / span, known.done[some])
    places = np.clip(places - 1 / span.max(), 0.0, 1.0)
    n = len(places)
    level = np.cumsum(weights)
    even = np.searchsorted(level, level[-1] * np.arange(1, MOST_PLACES + 1) / MOST_PLACES - 1e-12)
    last = np.unique(np.append(np.minimum(even, n - 1), np.arange(max(n - MOST_PLACES, 0), n)))
    ends, first = np.unique(
        places[last][::-1], return_index=True
    )  # of cells; the longest have one each, as they weigh most
    shares = np.diff(np.append(0.0, level[last][::-1][first]))

    def ages(l: Any, u: Any) -> Any:
        return np.rint(l[:, None] + ends * (u - l)[:, None]).astype(np.int64)

    return Cells(shares / shares.sum(), ages)


def learned(known: Seen) -> Listed:
    """Return the attempts for the laws that have shown so far, in as many groups by the largest volume as these tell apart.

    Before anything has been shown: where all fit at once, if their lengths are √(lu), all start, free; else of the pilot one each, first
    of all, and of the others as thresholds b^(k + U) of volume come.
    """
    if not known.done.any():
        guess = np.maximum(np.sqrt(known.l.astype(float) * known.u), 1.0)
        return _at_once(known, guess) if _fits(known, guess) else _before(known)
    key = volume(known.s.astype(float), known.u.astype(float))
    most = int(known.done.sum()) // PER_GROUP
    counts = [count for count in COUNTS if count <= most] if len(np.unique(key)) > 1 else []
    groups = grouped(key, _count(known, key, counts))
    return _pilot_first(
        known, listed(known, groups, _laws(known, groups, np.arange(len(key))), _ranks(groups, known.drawn))
    )


def _count(known: Seen, key: Any, counts: list[int]) -> int:
    """Return the number of groups that tell the requests apart: the most where their intervals differ, else by trials."""
    if len(np.unique(known.l)) > 1:
        return max(counts, default=1)
    chosen, least = 1, _tried(known, grouped(key, 1)) if counts else 0.0
    for count in counts:
        cost = _tried(known, grouped(key, count))
        if cost < least * (1 - GAIN):
            chosen, least = count, cost
    return chosen


def _pilot_first(known: Seen, rows: Listed) -> Listed:
    """Return the attempts where the pilot has one each, to the end, first of all and free."""
    piloted = np.zeros(len(known.s), np.bool_)
    piloted[known.pilot] = True
    mine, last = piloted[rows.request], rows.kill == known.u[rows.request]
    free = (
        np.where(mine, least, column) for column, least in ((rows.priority, -np.inf), (rows.price, 0), (rows.kept, 0))
    )
    return Listed(*(column[~mine | last] for column in (rows.request, rows.kill, *free)))


def _fits(known: Seen, lengths: Any) -> bool:
    """Return whether all requests fit in memory if all start at once and have these lengths."""
    order = np.argsort(-lengths)
    return bool((np.cumsum(known.s[order]) + np.arange(1, len(order) + 1) * lengths[order]).max() <= known.memory)


def _at_once(known: Seen, lengths: Any) -> Listed:
    """Return one attempt for each request, to its end and free, the least volume first."""
    own, zero = np.arange(len(lengths)), np.zeros(len(lengths), np.int64)
    return Listed(own, known.u, volume(known.s.astype(float), lengths), zero, zero)


def _before(known: Seen) -> Listed:
    """Return one attempt for each of the pilot, and of the others those that end at their thresholds."""
    s, u = known.s.astype(float), known.u.astype(float)
    most, threshold = volume(s, u), float(FIRST_BASE) ** known.drawn
    piloted = np.zeros(len(s), np.bool_)
    piloted[known.pilot] = True
    columns: list[Any] = []
    reached, index = np.where(piloted, 0, known.l - 1), np.arange(len(s))
    while len(index):
        own, tries = np.where(piloted[index], most[index], np.minimum(threshold[index], most[index])), 2 * s[index] + 1
        kill = np.minimum(np.floor((np.sqrt(tries**2 + 8 * own) - tries) / 2 + 1e-9), u[index]).astype(np.int64)
        here = (kill > reached[index]) & (kill > 0)
        first = np.where(piloted[index], -1.0, own)
        price = np.where(piloted[index], 0, np.maximum(own * FIRST_PRICE, s[index] + 1))
        columns.append(np.stack([index, kill, first, np.ceil(price * GRAIN)])[:, here])
        reached[index] = np.maximum(reached[index], kill)
        threshold = threshold * FIRST_BASE
        index = index[kill < known.u[index]]
    every = np.concatenate(columns, axis=1)
    every = every[:, np.lexsort((every[1], every[0]))]
    request, kill, price = (every[k].astype(np.int64) for k in (0, 1, 3))
    return Listed(request, kill, every[2], price, np.zeros_like(price))


def _laws(known: Seen, groups: Any, some: Any) -> list[Cells]:
    """Return the law of each group by these requests; of a group of which nothing has shown, by all of them."""
    tried = some[known.done[some] | (known.tokens[some] >= known.l[some])]
    own = groups[tried]
    parts = [tried[own == g] for g in range(int(groups.max()) + 1)]
    return [seen(known, part if known.done[part].any() else tried) for part in parts]


def _ranks(groups: Any, own: Any) -> Any:
    """Return where each request stands among its group by what it drew, in [0, 1)."""
    order = np.lexsort((own, groups))
    _, first, counts = np.unique(groups[order], return_index=True, return_counts=True)
    ranks = np.empty(len(own))
    ranks[order] = (np.arange(len(own)) - np.repeat(first, counts) + 0.5) / np.repeat(counts, counts)
    return ranks


def _tried(known: Seen, groups: Any) -> float:
    """Return what halves of the pilot that are done pay on one machine under the plans that all others show."""
    done, everyone = known.pilot[known.done[known.pilot]], np.arange(len(groups))
    cost = 0.0
    for test in (done[::2], done[1::2]):
        laws = _laws(known, groups, np.setdiff1d(everyone, test))
        cost += on_one_machine(listed(known, groups, laws, _ranks(groups, known.drawn), test, 0 * known.tokens), known)
    return cost


def on_one_machine(rows: Listed, known: Seen) -> float:
    """Return the sum of the completion times of requests that are done, if attempts run one after the other; in token-instants."""
    same, length = np.append(False, rows.request[1:] == rows.request[:-1]), known.tokens[rows.request]
    runs = np.where(same, np.append(0, rows.kill[:-1]), 0) < length
    request, kill, length = rows.request[runs], rows.kill[runs], length[runs]
    used = volume(known.s[request].astype(float), np.minimum(kill, length).astype(float))
    order = np.argsort(rows.priority[runs], kind="stable")
    return float((np.cumsum(used[order]) * (kill >= length)[order]).sum())


def for_law(law: str | Distribution) -> Policy:
    """Return the policy of the best mixture for a law of lengths that is known, with whatever prompts; ``InputError`` as of ``best``.

    Requests with different prompts are in groups by these, eight at most.
    """
    own = distribution(law)
    lengths, weights = law_cells(own)

    def plan(known: Seen) -> Listed:
        kept = lengths <= known.u.max()
        ends, shares = lengths[kept], weights[kept]
        if not len(ends):
            raise InputError("policy", f"best:{own.spec()}", f"must be of a law with lengths up to u = {known.u.max()}")
        cells = Cells(shares / shares.sum(), lambda l, u: np.minimum(ends, u[:, None]))
        groups = grouped(volume(known.s.astype(float), known.u.astype(float)), 8)
        return listed(known, groups, [cells] * (int(groups.max()) + 1), _ranks(groups, known.drawn))

    return Policy(
        f"best:{own.spec()}",
        **_rules(Plan(plan)),
        knows="u, the law",
        summary="the best mixture of kill ages for a law",
    )


def law_cells(law: Distribution) -> tuple[Any, Any]:
    """Return the lengths of a law and their probabilities as floats, at most ``MOST_CELLS``: neighbours are put together."""
    from crtools.blind.truncation import cut

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


def _rules(plan: Plan) -> dict[str, Any]:
    return {
        "priority": lambda r: r.index,
        "assumed": lambda r, age: r.u,
        "longest": lambda r: r.u,
        "draws": lambda numbers: numbers,
        "paced": True,
        "plan": plan,
    }


def learning(name: str) -> Policy:
    """Return, under a name, the policy that knows s, l, u and M and nothing else.

    ⌊√n⌋ requests run to their end first. Of what all have shown by then, and again later, it estimates the law of the lengths, in as
    many groups of prompts as that tells apart, and lists the attempts of the best mixtures.
    """
    return Policy(
        name,
        **_rules(Plan(learned, isqrt, ROUNDS, LATER)),
        knows="l, u",
        summary="a pilot, then the best mixture for what it shows",
    )
