"""The best mixtures of plans for groups of requests, each with its own distribution of sizes: one search for all, in floats.

A blind scheduler may tell the groups apart, for example by their prompts. Attempts of all groups run by falling index (Smith's rule), and
mixtures of each group's plans pay ½ ∫ H², where H(λ) is the sum over groups of share · Σ f F over attempts of an index above λ. Nothing
is certified here; for one group it is the mixture of :func:`crtools.blind.best`. :mod:`crtools.blind.scheduler` uses it.
Tests: tests/blind/test_scheduler.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from crtools.blind.attempt_costs import Path, attempts, shortest
from crtools.blind.min_norm_point import Progress, WolfeSearch, common_plan_of, rows_of
from crtools.numeric_types import FloatArray

GAP = 1e-3
"""The relative gap at which the search stops."""

FLOOR = 1e-6
"""The least value of machine time for an onward path, relative to its initial value: the price is 0 at the end, where all paths tie."""

JointPlan: TypeAlias = tuple[Path, ...]
"""A plan for each group."""


@dataclass(frozen=True)
class Group:
    """Requests of one kind. ``share``: of all requests; ``sizes``, ``weights``: rising sizes and their probabilities.

    If the requests have sizes of their own at the same quantiles, ``sizes`` are their means.
    """

    share: float
    sizes: FloatArray
    weights: FloatArray

    @cached_property
    def attempts(self) -> tuple[FloatArray, FloatArray]:
        """What attempts use and complete, per request of all groups."""
        uses, completes = attempts(self.sizes, self.weights)
        return uses * self.share, completes * self.share


class _JointSearch(WolfeSearch[JointPlan]):
    """The search where a plan is one path for each group."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._graphs = [group.attempts for group in groups]
        shares = [group.share for group in groups]
        graphs = zip(self._graphs, shares, strict=True)
        first = tuple(common_plan_of(uses / share, completes / share) for (uses, completes), share in graphs)
        super().__init__([first])

    def _column(self, plan: JointPlan) -> FloatArray:
        return np.concatenate([rows_of(*graph, path) for graph, path in zip(self._graphs, plan, strict=True)], axis=1)

    def mixtures(self) -> list[dict[Path, float]]:
        """Return the plans of each group with their shares."""
        mixtures: list[dict[Path, float]] = [{} for _ in self._graphs]
        for plan, share in zip(self.plans, self.shares, strict=True):
            for mixture, path in zip(mixtures, plan, strict=True):
                mixture[path] = mixture.get(path, 0.0) + float(share)
        return mixtures

    def onward(self) -> list[tuple[Path, ...]]:
        """Return for each group the cheapest path from each size, under the price that the mixture makes."""
        corners, area = self._areas()
        values = [np.interp(completes / uses, corners, area) for uses, completes in self._graphs]
        graphs = zip(self._graphs, values, strict=True)
        return [_onward(uses * (value + FLOOR * area[-1])) for (uses, _), value in graphs]

    def _cheapest(self, corners: FloatArray, area: FloatArray) -> tuple[float, JointPlan]:
        paths = [shortest(uses * np.interp(completes / uses, corners, area)) for uses, completes in self._graphs]
        return float(sum(cost for cost, _ in paths)), tuple(path for _, path in paths)


@dataclass(frozen=True)
class GroupMixture:
    """A group's ``plans`` with their shares; ``onward``: by each size, the cheapest path for a request that is known to exceed it."""

    plans: dict[Path, float]
    onward: tuple[Path, ...]


def best_mixtures(groups: Sequence[Group], gap: float = GAP) -> list[GroupMixture]:
    """Return mixtures, one for each group, whose joint cost is within the relative ``gap`` of the best."""
    search = _JointSearch(groups)
    search.run(gap)
    return [GroupMixture(*row) for row in zip(search.mixtures(), search.onward(), strict=True)]


def joint_plans(groups: Sequence[Group], gap: float, progress: Progress) -> list[dict[Path, float]]:
    """Return the plans of :func:`best_mixtures` with their shares; ``progress`` as in :mod:`crtools.blind.min_norm_point`."""
    search = _JointSearch(groups)
    search.run(gap, progress)
    return search.mixtures()


def machine_cost(groups: Sequence[Group], mixtures: Sequence[Mapping[Path, float]]) -> float:
    """Return ∫ H² of mixtures, one for each group: twice the area under the unfinished share, attempts by falling index."""
    columns = [
        rows_of(*group.attempts, path) * share
        for group, mixture in zip(groups, mixtures, strict=True)
        for path, share in mixture.items()
    ]
    completes, uses = np.concatenate(columns, axis=1)
    order = np.argsort(-completes / uses, kind="stable")
    unfinished = completes.sum() - np.cumsum(completes[order])
    return float((uses[order] * (2 * unfinished + completes[order])).sum())


def run_through(groups: Sequence[Group]) -> list[dict[Path, float]]:
    """Return the plans without kills: in order of falling index, the smallest expected size first."""
    return [{(0, len(group.sizes)): 1.0} for group in groups]


def _onward(costs: FloatArray) -> tuple[Path, ...]:
    """Return the cheapest path from each size to the last, for the costs of attempts in the flat order."""
    last = round((2 * len(costs)) ** 0.5)
    cost_to_go, paths = np.zeros(last + 1), [(last,)] * (last + 1)
    ends = np.arange(last + 1)
    for a in range(last - 1, -1, -1):
        c = ends[a + 1 :]
        options = costs[c * (c - 1) // 2 + a] + cost_to_go[c]
        best = int(np.argmin(options))
        cost_to_go[a], paths[a] = options[best], (a, *paths[int(c[best])])
    return tuple(paths)


@dataclass(frozen=True)
class RequestSizes:
    """Requests with sizes of their own at the same quantiles: a row each of ``sizes`` (requests × K); ``weights`` are common."""

    sizes: FloatArray
    weights: FloatArray

    @cached_property
    def survival(self) -> FloatArray:
        """The probability of more than each size; 1 before the first."""
        return np.append(np.cumsum(self.weights[::-1])[::-1], 0.0)

    @cached_property
    def _with_zero(self) -> FloatArray:
        return np.pad(self.sizes, ((0, 0), (1, 0)))

    @cached_property
    def _truncated_work(self) -> FloatArray:
        return np.cumsum(np.diff(self._with_zero, axis=1, prepend=0.0) * np.append(0.0, self.survival[:-1]), axis=1)

    def uses(self, a: int, c: int) -> FloatArray:
        """Return what the attempt (a, c) uses, for each request, times the probability that it is needed."""
        return self._truncated_work[:, c] - self._truncated_work[:, a] + self._with_zero[:, a] * self.survival[a]

    def completes(self, a: int, c: int) -> float:
        """Return the probability that the attempt completes a request."""
        return float(self.survival[a] - self.survival[c])
