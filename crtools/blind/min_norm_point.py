"""The best mixture of plans, for a distribution or for groups: the point of least norm in the hull of all plans, by Wolfe's algorithm.

A mixture f with H(λ) = Σ f F over its attempts of an index above λ costs ½ ∫ H² (claim best-value). The plan that lowers this most is
a shortest path, where the attempt (m, F) has the length F ∫_0^{m/F} H. :func:`exact` and :meth:`Search.rounded` turn the result into a
mixture of integers, whose two bounds are then exact. If the scheduler distinguishes groups of requests, for example by their
prompts, each with a distribution of sizes, then H(λ) is the sum over the groups.
Tests: test_best.py, test_scheduler.py, test_work_classes.py and test_joint_law.py in tests/blind.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any, Self, TypeAlias

import numpy as np

from crtools.blind.attempt_costs import Attempts, Path, Requests, attempts, shortest
from crtools.blind.mixture import Mixture
from crtools.enclosure import rational, solution
from crtools.numeric_types import FloatArray

Progress = Callable[[Iterable[float]], Iterable[float]]
"""Wraps the relative gaps of a search and yields them all, such as a progress bar."""

GAP = 1e-3
"""The relative gap at which the search stops, by default; the blind policies search to it, so that it changes their runs."""

FLOOR = 1e-6
"""The least value of machine time for an onward path, relative to its initial value: the price is 0 at the end, where all paths tie."""

MOST_STEPS = 5000
SMALLEST = 1e-13
"""A plan with a smaller share is dropped."""


def common_plan(uses: FloatArray, completes: FloatArray) -> Path:
    """Return the best plan that is the same for all requests, from all attempts.

    An attempt costs F times the mean of the unfinished shares before and after it.
    """
    count = round((2 * len(completes)) ** 0.5)
    survivors = np.append(1.0, 1.0 - completes[[c * (c - 1) // 2 for c in range(1, count + 1)]])
    return shortest(uses * np.concatenate([(survivors[:c] + survivors[c]) / 2 for c in range(1, count + 1)]))[1]


@dataclass(frozen=True)
class Group:
    """Requests of one kind. ``share``: of all requests; ``sizes``, ``weights``: rising sizes and their probabilities.

    If the requests differ in their sizes at the same quantiles, ``sizes`` are their means.
    """

    share: float
    sizes: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, requests: Requests) -> Self:
        """Return all requests as one group."""
        total = requests.survivors[0]
        return cls(1.0, np.array(requests.sizes, dtype=float), np.array([x / total for x in requests.weights]))

    @cached_property
    def attempts(self) -> Attempts:
        """All attempts, per request of all groups."""
        uses, completes = attempts(self.sizes, self.weights)
        return uses * self.share, completes * self.share


JointPlan: TypeAlias = tuple[Path, ...]
"""A plan for each group."""


@dataclass(frozen=True)
class GroupMixture:
    """A group's ``plans`` with their shares; ``onward``: by each size, the cheapest path for a request that is known to exceed it."""

    plans: dict[Path, float]
    onward: tuple[Path, ...]


class Search:
    """Wolfe's algorithm for groups of requests, where a plan has one path for each group; or for all requests as one group.

    It exchanges plans until the bound is within the relative ``gap`` of the cost, no new plan improves it, or ``MOST_STEPS`` are done.
    ``progress`` wraps the gaps.
    ``joint_plans``: those in use, with their ``shares``; ``products``: the matrix of ∫ H H' for each two of them.
    """

    def __init__(self, groups: Sequence[Group], gap: float = GAP, progress: Progress = iter) -> None:
        self.graphs = [group.attempts for group in groups]
        self._indices = [_index(completes, uses) for uses, completes in self.graphs]
        self.joint_plans: list[JointPlan] = []
        self._columns: list[FloatArray] = []
        self.products, self.shares = np.zeros((0, 0)), np.zeros(0)
        pairs = zip(self.graphs, groups, strict=True)
        self._enter(tuple(common_plan(uses / g.share, completes / g.share) for (uses, completes), g in pairs))
        self.shares[0] = 1.0
        for _ in progress(self._exchanges(gap)):
            pass

    @property
    def plans(self) -> list[Path]:
        """The plans in use, of one group."""
        return [path for (path,) in self.joint_plans]

    def rounded(self, requests: Requests, digits: int) -> Mixture:
        """Return the mixture of one group with the shares rounded to multiples of 10^−digits; plans that get none are dropped."""
        weights = (round(float(share) * 10**digits) for share in self.shares)
        return Mixture.of(requests, dict(zip(self.plans, weights, strict=True)))

    def _enter(self, plan: JointPlan) -> None:
        """Add a plan with the share 0."""
        column = np.concatenate([rows_of(*graph, path) for graph, path in zip(self.graphs, plan, strict=True)], axis=1)
        self.joint_plans.append(plan)
        self._columns.append(column)
        row = _products(column, self._columns)
        self.products = np.block([[self.products, row[:-1, None]], [row[None, :-1], row[-1:, None]]])
        self.shares = np.append(self.shares, 0.0)

    def _exchanges(self, gap: float) -> Iterator[float]:
        """Yield the relative gap before each exchange."""
        for _ in range(MOST_STEPS):
            cost = self.shares @ self.products @ self.shares
            corners, area = self._areas()
            graphs = zip(self.graphs, self._indices, strict=True)
            shortest_paths = [shortest(uses * np.interp(index, corners, area)) for (uses, _), index in graphs]
            bound, plan = sum(length for length, _ in shortest_paths), tuple(path for _, path in shortest_paths)
            if 2 * (cost - bound) <= gap * cost or plan in self.joint_plans:
                return
            yield float(2 * (cost - bound) / cost)
            self._enter(plan)
            self._settle()

    def _areas(self) -> tuple[FloatArray, FloatArray]:
        """Return the indices at which H falls, rising from 0, and ∫ H up to each."""
        completes, uses = np.concatenate(self._columns, axis=1)
        used = uses * np.repeat(self.shares, [column.shape[1] for column in self._columns])
        order = np.argsort(index := _index(completes, uses))
        index, height = index[order], np.cumsum(used[order][::-1])[::-1]
        corners = np.concatenate([[0.0], index])
        area = np.concatenate([[0.0], np.cumsum(height * np.diff(corners))])
        return corners, area

    def mixtures(self) -> list[GroupMixture]:
        """Return the mixture of each group, and the cheapest paths under the price that all mixtures make."""
        corners, area = self._areas()
        mixtures: list[GroupMixture] = []
        for k, ((uses, _), index) in enumerate(zip(self.graphs, self._indices, strict=True)):
            plans: dict[Path, float] = {}
            for plan, share in zip(self.joint_plans, self.shares, strict=True):
                plans[plan[k]] = plans.get(plan[k], 0.0) + float(share)
            values = np.interp(index, corners, area) + FLOOR * area[-1]
            mixtures.append(GroupMixture(plans, _onward(uses * values)))
        return mixtures

    def _settle(self) -> None:
        """Take the shares of least norm on the plans in use; drop plans until all shares are positive."""
        while True:
            target = self._affine_minimum()
            if (target > SMALLEST).all():
                self.shares = target
                return
            falls = (target <= SMALLEST) & (self.shares > target)
            step = min(self.shares[falls] / (self.shares - target)[falls], default=0.0)
            moved = self.shares + step * (target - self.shares)
            keep = moved > SMALLEST
            if keep.all():
                keep[np.argmin(moved)] = False
            kept = np.flatnonzero(keep)
            self.joint_plans, self._columns = [self.joint_plans[n] for n in kept], [self._columns[n] for n in kept]
            self.products = self.products[np.ix_(kept, kept)]
            self.shares = moved[kept] / moved[kept].sum()

    def _affine_minimum(self) -> FloatArray:
        """Return the weights, of any sign, that sum to 1 and have the least norm."""
        from scipy.linalg import get_lapack_funcs

        # not scipy.linalg.solve, which also estimates the condition number and costs several times as much
        solve: Any = get_lapack_funcs("posv")
        one = np.ones(len(self.shares))
        scaled = self.products / self.products.max() + 1.0
        _, weights, failed = solve(scaled, one)
        if failed:
            weights = np.linalg.lstsq(scaled, one)[0]
        return weights / weights.sum()


def rows_of(uses: FloatArray, completes: FloatArray, plan: Path) -> FloatArray:
    """Return for the attempts of a plan the requests completed (row 0) and the volumes used (row 1)."""
    a, c = np.array(plan[:-1]), np.array(plan[1:])
    return np.stack([part[c * (c - 1) // 2 + a] for part in (completes, uses)])


def _index(completes: FloatArray, uses: FloatArray) -> FloatArray:
    """Return completes / uses, and 0 for an attempt that is so rare that in floats it uses nothing."""
    return np.divide(completes, uses, out=np.zeros_like(uses), where=uses > 0)


def _products(column: FloatArray, others: list[FloatArray]) -> FloatArray:
    """Return Σ min(m F', m' F) over the attempts of a plan and of each other one, given by their :func:`rows_of`."""
    completes, uses = np.concatenate(others, axis=1)
    minima = np.minimum(np.outer(column[0], uses), np.outer(column[1], completes)).sum(axis=0)
    return np.add.reduceat(minima, np.cumsum([0, *(other.shape[1] for other in others[:-1])]))


MOST_EXACT, MOST_TRIES = 80, 12
"""Limits of :func:`exact`: with more plans the shares have too many digits; more exchanges occur only if ties prevent convergence."""


def exact(requests: Requests, plans: list[Path]) -> Mixture | None:
    """Return the best mixture in exact arithmetic, from plans that were found in floats; None if that fails.

    The shares of least norm solve (products) y = 1, up to a factor. A plan without a positive share is dropped, and the cheapest plan
    under the price of the mixture is added, until it costs as much as the mixture.
    """
    plans = list(plans)
    for _ in range(MOST_TRIES if len(plans) <= MOST_EXACT else 0):
        steps = [[(requests.completes(a, c), requests.uses(a, c)) for a, c in pairwise(plan)] for plan in plans]
        products = [[sum(min(m * g, n * f) for m, f in one for n, g in other) for other in steps] for one in steps]
        shares = solution([[rational(x) for x in row] for row in products], [rational(1)] * len(plans))
        if shares is None:
            return None
        if min(shares) <= 0:
            plans.pop(shares.index(min(shares)))
            continue
        common = lcm(*(y.denominator for y in shares))
        mixture = Mixture.of(requests, {plan: int(y * common) for plan, y in zip(plans, shares, strict=True)})
        costs, plan = mixture.price.cheapest(requests)
        if min(costs) * mixture.price.weight == mixture.price.twice_area:
            return mixture
        if plan in plans:
            return None
        plans.append(plan)
    return None


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


def uses_on_path(sizes: FloatArray, survival: FloatArray, path: Path) -> FloatArray:
    """Return the cost of each attempt of a path times the probability that it is needed, requests × attempts.

    ``sizes``: requests × K, of requests that differ in their sizes at the same quantiles; ``survival``: the probability of more than
    each, 1 before the first.
    """
    sizes = np.pad(sizes, ((0, 0), (1, 0)))
    worked = np.cumsum(np.diff(sizes, axis=1, prepend=0.0) * np.append(0.0, survival[:-1]), axis=1)
    a, c = np.array(path[:-1]), np.array(path[1:])
    return worked[:, c] - worked[:, a] + sizes[:, a] * survival[a]
