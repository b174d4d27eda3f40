"""A mixture of plans, the order of its attempts, and the price that they make: both sides of the best ratio, in integers.

Attempts run by falling index (Smith's rule). With time per request, w(t) the share of requests that is then unfinished, the total
latency is ∫ w. The same w is a price on machine time: to complete m with a use of F at the time t is worth at least m t + F w(t),
so that no blind policy pays less than [cheapest plan under min over t of m t + F w(t)] − ∫ w.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from crtools.blind.attempt_costs import Path, Requests, shortest
from crtools.errors import NotCertified


@dataclass(frozen=True)
class Stage:
    """All attempts (after, until) of a mixture, which run together: ``flow`` is the weight of the plans that have them."""

    after: int
    until: int
    flow: int


@dataclass(frozen=True)
class Mixture:
    """Each request draws one of the ``plans`` by their ``weights``, integers > 0.

    Raises ``NotCertified`` unless every plan is a path from 0 to the last size.
    """

    requests: Requests
    plans: tuple[Path, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        last = len(self.requests.sizes)
        paths = all(p[0] == 0 and p[-1] == last and all(a < c for a, c in pairwise(p)) for p in self.plans)
        if not (paths and self.plans and len(self.plans) == len(self.weights) and min(self.weights) > 0):
            raise NotCertified("this is no mixture of plans")

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The attempts by falling index, those of one index together in the order of their lengths."""
        flows: dict[tuple[int, int], int] = {}
        for plan, weight in zip(self.plans, self.weights, strict=True):
            for attempt in pairwise(plan):
                flows[attempt] = flows.get(attempt, 0) + weight
        own = self.requests

        def place(attempt: tuple[int, int]) -> tuple[Fraction, int]:
            return -Fraction(own.completes(*attempt), own.uses(*attempt)), attempt[0]

        return tuple(Stage(*attempt, flows[attempt]) for attempt in sorted(flows, key=place))

    @property
    def unit(self) -> int:
        """In what times and unfinished requests are counted: requests times weights of plans."""
        return self.requests.left[0] * sum(self.weights)

    @cached_property
    def course(self) -> tuple[tuple[int, int], ...]:
        """(time, unfinished) at the start and after each stage, in units of 1/:attr:`unit`; both are linear between these."""
        time, rest = 0, self.unit
        course = [(time, rest)]
        for stage in self.stages:
            time += stage.flow * self.requests.uses(stage.after, stage.until)
            rest -= stage.flow * self.requests.completes(stage.after, stage.until)
            course.append((time, rest))
        return tuple(course)

    @cached_property
    def _paid(self) -> int:
        """Twice the area under the number unfinished."""
        return sum((v + w) * (t - s) for (s, v), (t, w) in pairwise(self.course))

    @classmethod
    def of(cls, requests: Requests, shares: dict[Path, int]) -> Mixture:
        """Return the mixture in which no plan has an attempt before one of a larger index: two such are better as one."""
        merged: dict[Path, int] = {}
        for plan, weight in shares.items():
            if weight > 0:
                own = _in_order(requests, plan)
                merged[own] = merged.get(own, 0) + weight
        return cls(requests, tuple(merged), tuple(merged.values()))

    def upper(self, shared: int | None = None) -> Fraction:
        """Return what the mixture pays, over the optimum of requests that have this ``shared``: its own unless given.

        Raises ``NotCertified`` where a plan's attempts are not in the order of the stages.
        """
        place = {(stage.after, stage.until): n for n, stage in enumerate(self.stages)}
        if any(
            place[a, b] > place[b, c] for plan in self.plans for a, b, c in zip(plan, plan[1:], plan[2:], strict=False)
        ):
            raise NotCertified("an attempt would run before the one that it follows")
        return Fraction(self._paid, sum(self.weights) ** 2 * (shared or self.requests.shared))

    def lower(self, least: Requests | None = None) -> Fraction:
        """Return what every blind policy pays at least, over the optimum, by the price that the mixture makes.

        ``least``: requests that are surely there, where the mixture's own are an upper bound; counted in the same units.
        """
        cheapest, _ = self.cheapest(least)
        total = sum(self.weights)
        return Fraction(2 * cheapest * total - self._paid, total**2 * self.requests.shared)

    def cheapest(self, least: Requests | None = None) -> tuple[int, Path]:
        """Return the cost of the cheapest plan under the price, and the plan."""
        uses, completes = (least or self.requests).exact_attempts
        return shortest(self._least(completes, uses))

    @cached_property
    def _corners(self) -> tuple[Any, Any, Any]:
        """Times and unfinished requests as integers, and as floats the indices of the stages between, rising."""
        times, rests = (np.array(column, dtype=object) for column in zip(*self.course, strict=True))
        indices = [(v - w) / (t - s) for (s, v), (t, w) in pairwise(self.course)]
        return times, rests, np.array(indices[::-1])

    def _least(self, completes: Any, uses: Any) -> Any:
        """Return min over t of m t + F w(t) for arrays of m and F: w is convex, so a corner no dearer than both beside it."""
        times, rests, indices = self._corners
        last = len(times) - 1
        at = last - np.searchsorted(indices, (completes / uses).astype(float))

        def cost(some: Any, corner: Any) -> Any:
            return completes[some] * times[corner] + uses[some] * rests[corner]

        own = cost(slice(None), at)
        for step in (-1, 1):
            moving = np.arange(len(at))
            while len(moving):
                beside = np.clip(at[moving] + step, 0, last)
                other = cost(moving, beside)
                less = (other < own[moving]).astype(bool)
                moving = moving[less]
                at[moving], own[moving] = beside[less], other[less]
        return own


def _in_order(requests: Requests, plan: Path) -> Path:
    """Return the plan with attempts merged until their index does not rise."""
    kept = [0]
    for place in plan[1:]:
        while len(kept) > 1:
            (m, f), (n, g) = ((requests.completes(*own), requests.uses(*own)) for own in (kept[-2:], (kept[-1], place)))
            if m * g >= n * f:
                break
            kept.pop()
        kept.append(place)
    return tuple(kept)
