"""The best mixtures of plans for requests in groups, whose sizes have laws of their own: one program for all, in floats.

A blind scheduler may tell the groups apart, as by their prompts. Attempts of all groups run by falling index (Smith's rule), and a
mixture of each group's plans pays ½ ∫ H², H(λ) the sum over groups of share · Σ f F over attempts of an index above λ. Nothing
is certified here; with one group it is what :func:`crtools.blind.best` finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from crtools.blind.attempt_costs import Path, attempts, shortest
from crtools.blind.min_norm_point import Search, common_of

GAP = 1e-3
"""How near to the best cost the search comes, relatively."""


FLOOR = 1e-6
"""What machine time is worth at least on a way on, over what it is worth at first: at the end of the price every way costs as much."""


@dataclass(frozen=True)
class Group:
    """Requests of one kind: their ``share``, and of their sizes the rising values and their probabilities, arrays of floats.

    The values of ``sizes`` are means over the group where its requests have sizes of their own at the same places.
    """

    share: float
    sizes: Any
    weights: Any

    @cached_property
    def attempts(self) -> tuple[Any, Any]:
        """What attempts use and complete, per request of all groups."""
        uses, completes = attempts(self.sizes, self.weights)
        return uses * self.share, completes * self.share


class _Joint(Search):
    """Wolfe's algorithm where a plan is one path for each group."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._graphs = [group.attempts for group in groups]
        self.plans: list[Any] = []
        self._columns: list[Any] = []
        self.products, self.shares = np.zeros((0, 0)), np.zeros(0)
        shares = [group.share for group in groups]
        first: Any = tuple(common_of(uses / x, done / x) for (uses, done), x in zip(self._graphs, shares, strict=True))
        self.enter(first)
        self.shares[0] = 1.0

    def _column(self, plan: Any) -> Any:
        return np.concatenate([self._rows(*own) for own in zip(self._graphs, plan, strict=True)], axis=1)

    def onward(self) -> list[tuple[Path, ...]]:
        """Return for each group the cheapest path from each place, under the price that the mixture makes."""
        corners, area = self._areas()
        return [
            _onward(uses * (np.interp(done / uses, corners, area) + FLOOR * area[-1])) for uses, done in self._graphs
        ]

    def _shortest(self, corners: Any, area: Any) -> tuple[float, Any]:
        found = [shortest(uses * np.interp(done / uses, corners, area)) for uses, done in self._graphs]
        return float(sum(cost for cost, _ in found)), tuple(path for _, path in found)


@dataclass(frozen=True)
class Mixed:
    """A group's plans with their shares, and by each place the cheapest way on for a request that is known to exceed it."""

    plans: dict[Path, float]
    onward: tuple[Path, ...]


def best_mixtures(groups: Sequence[Group], gap: float = GAP) -> list[Mixed]:
    """Return each group's plans, which pay at most 1 + ``gap`` of the best that all together can."""
    search = _Joint(groups)
    search.run(gap)
    found: list[dict[Path, float]] = [{} for _ in groups]
    for plan, share in zip(search.plans, search.shares, strict=True):
        for own, path in zip(found, plan, strict=True):
            own[path] = own.get(path, 0.0) + float(share)
    return [Mixed(*own) for own in zip(found, search.onward(), strict=True)]


def _onward(costs: Any) -> tuple[Path, ...]:
    """Return the cheapest path from each place to the last, for the costs of attempts, column after column."""
    last = round((2 * len(costs)) ** 0.5)
    rest, paths = np.zeros(last + 1), [(last,)] * (last + 1)
    ends = np.arange(last + 1)
    for a in range(last - 1, -1, -1):
        c = ends[a + 1 :]
        ways = costs[c * (c - 1) // 2 + a] + rest[c]
        best = int(np.argmin(ways))
        rest[a], paths[a] = ways[best], (a, *paths[int(c[best])])
    return tuple(paths)


@dataclass(frozen=True)
class Sized:
    """Requests with sizes of their own at the same places: a row each of ``sizes`` (float, requests × places); ``weights`` are alike.

    ``rests``: the probability of more than each place, 1 first.
    """

    sizes: Any
    weights: Any

    @cached_property
    def rests(self) -> Any:
        """The probability of more than each place, 1 before all."""
        return np.append(np.cumsum(self.weights[::-1])[::-1], 0.0)

    @cached_property
    def _with_zero(self) -> Any:
        return np.pad(self.sizes, ((0, 0), (1, 0)))

    @cached_property
    def _worked(self) -> Any:
        return np.cumsum(np.diff(self._with_zero, axis=1, prepend=0.0) * np.append(0.0, self.rests[:-1]), axis=1)

    def uses(self, a: int, c: int) -> Any:
        """Return what an attempt (a, c) uses, for each request, times the probability that it is needed."""
        return self._worked[:, c] - self._worked[:, a] + self._with_zero[:, a] * self.rests[a]

    def completes(self, a: int, c: int) -> float:
        """Return the probability that the attempt completes a request."""
        return float(self.rests[a] - self.rests[c])
