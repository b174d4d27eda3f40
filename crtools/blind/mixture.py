"""A mixture of plans: the order of its attempts, its cost, and the price that proves a lower bound for every blind policy.

Attempts run by falling index (Smith's rule). With time per request and w(t) the share of the requests that is unfinished at t, the total
latency is ∫ w. The same w is a price on machine time: an attempt that completes m and uses F at the time t costs at least m t + F w(t).
So every blind policy costs at least the cheapest plan, whose attempts cost min over t of m t + F w(t), minus ∫ w. All in integers.
Tests: tests/blind/test_best.py.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Self

import numpy as np

from crtools.blind.attempt_costs import IntegerArray, NumberArray, Path, Requests, shortest
from crtools.errors import NotCertified
from crtools.numeric_types import FloatArray, IntArray

Thresholds = tuple[int, ...]
"""The lengths, rising, at which a plan kills; after the last one the request runs to its end."""


@dataclass(frozen=True)
class Stage:
    """All attempts (after, until) of a mixture, which run together. ``flow``: the weight of the plans that have them."""

    after: int
    until: int
    flow: int


@dataclass(frozen=True)
class Price:
    """A price on machine time: falling, convex, and linear between its ``corners`` (time, price), which are integers."""

    corners: tuple[tuple[int, int], ...]

    @cached_property
    def twice_area(self) -> int:
        """Twice the area under the price."""
        return sum((v + w) * (t - s) for (s, v), (t, w) in pairwise(self.corners))

    @cached_property
    def _columns(self) -> tuple[IntegerArray, IntegerArray, FloatArray]:
        """Times and prices in integers, and in floats the slopes between, rising."""
        times, prices = (np.array(column, dtype=object) for column in zip(*self.corners, strict=True))
        slopes = [(v - w) / (t - s) for (s, v), (t, w) in pairwise(self.corners)]
        return times, prices, np.array(slopes[::-1])

    def attempt_costs(self, completes: NumberArray, uses: NumberArray) -> NumberArray:
        """Return min over t of m t + F w(t) for each attempt's m and F, exactly where these are integers, else in floats.

        w is convex and piecewise linear, so the minimum is at a corner that is no dearer than both its neighbours. A search in floats
        finds the corner up to rounding; then steps to cheaper neighbours make it exact.
        """
        times, prices, slopes = self._columns
        times, prices = times.astype(uses.dtype), prices.astype(uses.dtype)
        last = len(times) - 1
        corner: IntArray = last - np.searchsorted(slopes, (completes / uses).astype(float))

        def cost(some: IntArray, at: IntArray) -> NumberArray:
            return completes[some] * times[at] + uses[some] * prices[at]

        costs = cost(np.arange(len(corner)), corner)
        for step in (-1, 1):
            moving = np.arange(len(corner))
            while len(moving):
                neighbour = np.clip(corner[moving] + step, 0, last)
                other = cost(moving, neighbour)
                cheaper = (other < costs[moving]).astype(bool)
                moving = moving[cheaper]
                corner[moving], costs[moving] = neighbour[cheaper], other[cheaper]
        return costs


def course(steps: Iterable[tuple[int, int]], unfinished: int) -> tuple[tuple[int, int], ...]:
    """Return (time, unfinished) at the start and after each of the steps (what it uses, what it completes)."""
    corners = accumulate(steps, lambda at, step: (at[0] + step[0], at[1] - step[1]), initial=(0, unfinished))
    return tuple(corners)


@dataclass(frozen=True)
class Mixture:
    """Each request draws one of the ``plans`` with probability proportional to its weight, an integer > 0.

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

    @classmethod
    def of(cls, requests: Requests, weights: Mapping[Path, int]) -> Self:
        """Return the mixture with attempts merged so that the index never rises along a plan, which costs no more."""
        merged: Counter[Path] = Counter()
        for plan, weight in weights.items():
            if weight > 0:
                merged[_in_order(requests, plan)] += weight
        return cls(requests, tuple(merged), tuple(merged.values()))

    def thresholds(self, lengths: Sequence[int]) -> list[tuple[Thresholds, int]]:
        """Return each plan's kill lengths and weight; ``lengths`` belong to the sizes."""
        kills = (tuple(lengths[c - 1] for c in plan[1:-1]) for plan in self.plans)
        return list(zip(kills, self.weights, strict=True))

    def shares(self, lengths: Sequence[int]) -> list[tuple[Thresholds, Fraction]]:
        """Return each plan's kill lengths and share of the requests, the most frequent first."""
        total = sum(self.weights)
        shares = [(kills, Fraction(weight, total)) for kills, weight in self.thresholds(lengths)]
        return sorted(shares, key=lambda plan: (-plan[1], plan[0]))

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The attempts by falling index; those of equal index by their start."""
        flows: Counter[tuple[int, int]] = Counter()
        for plan, weight in zip(self.plans, self.weights, strict=True):
            for attempt in pairwise(plan):
                flows[attempt] += weight

        def falling_index(attempt: tuple[int, int]) -> tuple[Fraction, int]:
            return -Fraction(self.requests.completes(*attempt), self.requests.uses(*attempt)), attempt[0]

        return tuple(Stage(*attempt, flows[attempt]) for attempt in sorted(flows, key=falling_index))

    @property
    def unit(self) -> int:
        """The unit of :attr:`course`: the number of requests times the weight of all plans."""
        return self.requests.survivors[0] * sum(self.weights)

    @cached_property
    def course(self) -> tuple[tuple[int, int], ...]:
        """(time, unfinished) at the start and after each stage, in 1/:attr:`unit`; linear in between."""
        return course(self.steps, self.unit)

    @property
    def steps(self) -> list[tuple[int, int]]:
        """What the attempts of each stage use and complete, in 1/:attr:`unit`."""
        sizes = ((stage.flow, (stage.after, stage.until)) for stage in self.stages)
        return [(flow * self.requests.uses(*ends), flow * self.requests.completes(*ends)) for flow, ends in sizes]

    @cached_property
    def price(self) -> Price:
        """The number of unfinished requests as a price on machine time."""
        return Price(self.course)

    def upper(self, twice_optimum: int | None = None) -> Fraction:
        """Return the mixture's ratio to the optimum.

        ``twice_optimum``: that of the requests to compare with, by default the mixture's own. Raises ``NotCertified`` where some
        plan's attempts are not in the order of the stages.
        """
        position = {(stage.after, stage.until): n for n, stage in enumerate(self.stages)}
        steps = (step for plan in self.plans for step in zip(plan, plan[1:], plan[2:], strict=False))
        if any(position[a, b] > position[b, c] for a, b, c in steps):
            raise NotCertified("an attempt would run before the one that it follows")
        return Fraction(self.price.twice_area, sum(self.weights) ** 2 * (twice_optimum or self.requests.twice_optimum))

    def lower(self, rounded_down: Requests | None = None) -> Fraction:
        """Return the lower bound on every blind policy's ratio to the optimum that the mixture's price proves.

        ``rounded_down``: fewer or smaller requests, in the same units, if the mixture's own are rounded up.
        """
        cheapest, _ = self.cheapest(rounded_down)
        total = sum(self.weights)
        return Fraction(2 * cheapest * total - self.price.twice_area, total**2 * self.requests.twice_optimum)

    def cheapest(self, rounded_down: Requests | None = None) -> tuple[int, Path]:
        """Return the cost of the cheapest plan under the price, and the plan."""
        uses, completes = (rounded_down or self.requests).exact_attempts
        return shortest(self.price.attempt_costs(completes, uses))


def _in_order(requests: Requests, plan: Path) -> Path:
    """Return the plan with attempts merged until their index does not rise."""
    ends = [0]
    for c in plan[1:]:
        while len(ends) > 1:
            before, after = ends[-2:], (ends[-1], c)
            m, f = requests.completes(*before), requests.uses(*before)
            n, g = requests.completes(*after), requests.uses(*after)
            if m * g >= n * f:
                break
            ends.pop()
        ends.append(c)
    return tuple(ends)
