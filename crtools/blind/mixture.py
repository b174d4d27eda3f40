"""A mixture of plans: the order of its attempts, its cost, and the price that proves a lower bound for every blind policy.

Attempts run by falling index (Smith's rule). With time per request and w(t) the share of the requests that is unfinished at t, the total
latency is ∫ w. The same w is a price on machine time: an attempt that completes m and uses F at the time t costs at least m t + F w(t).
So every blind policy costs at least the cheapest plan, whose attempts cost min over t of m t + F w(t), minus ∫ w.
All in integers, or for large groups of requests in floats, from which ``ROUNDING`` is subtracted. The index of an attempt is m/F, the
requests it completes per time. Tests: tests/blind/test_best.py; several groups, floats and blocks: tests/blind/test_joint_law.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple, Self

import numpy as np

from crtools.blind.attempt_costs import (
    IntegerArray,
    NumberArray,
    Path,
    Requests,
    attempts,
    columns,
    shortest_by_columns,
)
from crtools.errors import NotCertified
from crtools.numeric_types import FloatArray, IntArray

BLOCK = 2**21
"""Upper limit on the attempts that are in memory at once."""

ROUNDING = Fraction(1, 10**9)
"""An upper bound on the relative rounding error of a lower bound in floats.

The time that an attempt uses and the number that it completes are integers below 2^53, so they are exact in floats. All terms are
positive, and a plan has at most a few thousand attempts.
"""


class Plan(NamedTuple):
    """A request that is unfinished at a threshold is killed and restarted later; after the last one it runs to its end.

    ``thresholds``: lengths in tokens, rising. ``share``: of the requests that draw the plan.
    :meth:`Mixture.shares` and ``Best.common`` make them; the plans of the process are ``crtools.process.plans.Plan``.
    """

    thresholds: tuple[int, ...]
    share: Fraction


@dataclass(frozen=True)
class Stage:
    """All attempts (after, until) of a mixture, which run together. ``flow``: the weight of the plans that have them."""

    after: int
    until: int
    flow: int


@dataclass(frozen=True)
class Price:
    """A price on machine time: falling, convex, and linear between its ``corners`` (time, price), which are integers.

    It is the number of unfinished requests over time under mixtures of total ``weight`` each; both in units of 1/``weight``.
    """

    corners: tuple[tuple[int, int], ...]
    weight: int

    @classmethod
    def of(cls, mixtures: Sequence[Mixture]) -> Self:
        """Return the price that mixtures of different classes of requests make, all of the same weight.

        The attempts of all classes run together by falling index. Along a plan of :meth:`Mixture.of` the index never rises, and ties
        run in the order of their start, so a plan's attempts keep their order.
        """
        steps = sorted((step for mixture in mixtures for step in mixture.steps), key=lambda step: Fraction(*step))
        unfinished = sum(completed for _, completed in steps)
        corners = accumulate(steps, lambda at, step: (at[0] + step[0], at[1] - step[1]), initial=(0, unfinished))
        return cls(tuple(corners), sum(mixtures[0].weights))

    @property
    def shares(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """(time, price) at the corners: time per request, and the share of the requests that is unfinished."""
        unit = self.corners[0][1]
        return tuple((Fraction(time, unit), Fraction(unfinished, unit)) for time, unfinished in self.corners)

    def upper(self, twice_optimum: int) -> Fraction:
        """Return the mixtures' ratio to the optimum."""
        return Fraction(self.twice_area, self.weight**2 * twice_optimum)

    def lower(self, twice_optimum: int, classes: Sequence[Requests], exact: bool = True) -> Fraction:
        """Return the lower bound on every blind policy's ratio to the optimum that the price proves.

        ``classes``: those of the mixtures, or fewer or smaller requests in the same units. ``exact``: in integers, else in floats.
        """
        costs = (Fraction(min(self.cheapest(requests, exact)[0])) for requests in classes)
        cheapest = sum(costs, Fraction(0)) * (1 if exact else 1 - ROUNDING)
        return (2 * cheapest * self.weight - self.twice_area) / (self.weight**2 * twice_optimum)

    def cheapest(self, requests: Requests, exact: bool = True) -> tuple[NumberArray, Path]:
        """Return the costs under the price of the cheapest plans by the start of their last attempt, and the cheapest plan.

        Of the start 0 there is one plan: running to the end. ``exact``: in integers, else in floats.
        """
        kind, count = object if exact else float, len(requests.sizes)
        sizes, weights = (np.array(part, dtype=kind) for part in (requests.sizes, requests.weights))
        block = max(BLOCK // count, 1)

        def by_columns() -> Iterator[NumberArray]:
            for first in range(1, count + 1, block):
                uses, completes = attempts(sizes, weights, range(first, min(first + block, count + 1)))
                yield from columns(self.attempt_costs(completes, uses), first)

        return shortest_by_columns(by_columns(), count, kind)

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

    def shares(self, length: Callable[[int], int]) -> tuple[Plan, ...]:
        """Return the plans, each as its kill lengths, the most frequent first; ``length``: that of each size, from 0 on."""
        total = sum(self.weights)
        plans = (
            Plan(tuple(dict.fromkeys(length(c - 1) for c in plan[1:-1])), Fraction(weight, total))
            for plan, weight in zip(self.plans, self.weights, strict=True)
        )
        return tuple(sorted(plans, key=lambda plan: (-plan.share, plan.thresholds)))

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The attempts by falling index; those of equal index by their start.

        Raises ``NotCertified`` where some plan's attempts are not in this order.
        """
        flows: Counter[tuple[int, int]] = Counter()
        for plan, weight in zip(self.plans, self.weights, strict=True):
            flows.update(dict.fromkeys(pairwise(plan), weight))

        def falling_index(attempt: tuple[int, int]) -> tuple[Fraction, int]:
            return -Fraction(self.requests.completes(*attempt), self.requests.uses(*attempt)), attempt[0]

        position = {attempt: n for n, attempt in enumerate(sorted(flows, key=falling_index))}
        steps = (step for plan in self.plans for step in zip(plan, plan[1:], plan[2:], strict=False))
        if any(position[a, b] > position[b, c] for a, b, c in steps):
            raise NotCertified("an attempt would run before the one that it follows")
        return tuple(Stage(*attempt, flows[attempt]) for attempt in position)

    @property
    def steps(self) -> list[tuple[int, int]]:
        """What the attempts of each stage use and complete, times the total weight."""
        sizes = ((stage.flow, (stage.after, stage.until)) for stage in self.stages)
        return [(flow * self.requests.uses(*ends), flow * self.requests.completes(*ends)) for flow, ends in sizes]

    @cached_property
    def price(self) -> Price:
        """The number of unfinished requests as a price on machine time."""
        return Price.of([self])

    def upper(self) -> Fraction:
        """Return the ratio to the optimum."""
        return self.price.upper(self.requests.twice_optimum)

    def lower(self) -> Fraction:
        """Return the lower bound on every blind policy's ratio to the optimum that the mixture's price proves."""
        return self.price.lower(self.requests.twice_optimum, [self.requests])


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
