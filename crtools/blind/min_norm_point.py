"""The best mixture of plans for a law: the point of least norm in the hull of all plans, by Wolfe's algorithm in floats.

A mixture f with H(λ) = Σ f F over attempts of an index above λ pays ½ ∫ H² (claim best-value). The plan that lowers this most is a
shortest path under the lengths F ∫_0^{m/F} H of attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from crtools.blind.attempt_costs import Path, Requests, shortest
from crtools.blind.mixture import Mixture
from crtools.enclosure import rational, solution

Progress = Callable[[Iterable[float]], Iterable[float]]
"""What wraps the relative gaps of a search and yields them all, such as a progress bar."""

MOST_STEPS = 5000
SMALLEST = 1e-13
"""A plan with a smaller share is dropped."""


def common_plan(requests: Requests) -> Path:
    """Return the best plan that is the same for all requests."""
    return _common(requests.attempts[0], np.array([x / requests.left[0] for x in requests.left]))


def common_of(uses: Any, completes: Any) -> Path:
    """Return the best plan for all, of what attempts use and complete, in floats."""
    return _common(uses, _left(completes))


def _common(uses: Any, left: Any) -> Path:
    """An attempt (a, c) costs F times the mean of those left before and after it."""
    return shortest(uses * np.concatenate([(left[:c] + left[c]) / 2 for c in range(1, len(left))]))[1]


class Search:
    """Wolfe's algorithm: the plans in use with their shares, and the products of what they use, ∫ H H'.

    It takes what attempts use and complete, as :func:`attempts` gives it, and plans to begin with: the best one for all unless given.
    """

    def __init__(self, uses: Any, completes: Any, plans: Sequence[Path] = ()) -> None:
        self.uses, self.completes, self._indices = uses, completes, _index(completes, uses)
        self.plans: list[Path] = []
        self._columns: list[Any] = []
        self.products, self.shares = np.zeros((0, 0)), np.zeros(0)
        for plan in plans or [common_of(uses, completes)]:
            self.enter(plan)
        self.shares[0] = 1.0
        self._settle()

    def enter(self, plan: Path) -> None:
        """Add a plan with the share 0."""
        own = self._column(plan)
        self.plans.append(plan)
        self._columns.append(own)
        row = _products(own, self._columns)
        self.products = np.block([[self.products, row[:-1, None]], [row[None, :-1], row[-1:, None]]])
        self.shares = np.append(self.shares, 0.0)

    def _column(self, plan: Any) -> Any:
        return self._rows((self.uses, self.completes), plan)

    @staticmethod
    def _rows(graph: tuple[Any, Any], plan: Path) -> Any:
        """Return what the attempts of a plan complete and use."""
        a, c = np.array(plan[:-1]), np.array(plan[1:])
        return np.stack([part[c * (c - 1) // 2 + a] for part in graph[::-1]])

    def run(self, gap: float, progress: Progress = iter) -> None:
        """Exchange plans until the bound is within ``gap`` of the cost, relatively, or no plan is found any more.

        ``progress`` wraps the relative gaps before each exchange.
        """
        for _ in progress(self._exchanges(gap)):
            pass

    def _exchanges(self, gap: float) -> Iterator[float]:
        for _ in range(MOST_STEPS):
            cost = self.shares @ self.products @ self.shares
            bound, plan = self._cheapest()
            if 2 * (cost - bound) <= gap * cost or plan in self.plans:
                return
            yield float(2 * (cost - bound) / cost)
            self.enter(plan)
            self._settle()

    def _cheapest(self) -> tuple[float, Path]:
        """Return ∫ H H' for the plan H' for which it is least, and the plan."""
        return self._shortest(*self._areas())

    def _areas(self) -> tuple[Any, Any]:
        """Return the indices at which H falls, rising from 0, and ∫ H up to each."""
        completes, uses = np.concatenate(self._columns, axis=1)
        used = uses * np.repeat(self.shares, [own.shape[1] for own in self._columns])
        order = np.argsort(index := _index(completes, uses))
        index, rest = index[order], np.cumsum(used[order][::-1])[::-1]
        corners = np.concatenate([[0.0], index])
        area = np.concatenate([[0.0], np.cumsum(rest * np.diff(corners))])
        return corners, area

    def _shortest(self, corners: Any, area: Any) -> tuple[float, Path]:
        return shortest(self.uses * np.interp(self._indices, corners, area))

    def _settle(self) -> None:
        """Take the shares of least norm on the plans in use; drop plans until all have a positive one."""
        while True:
            wanted = self._affine()
            if (wanted > SMALLEST).all():
                self.shares = wanted
                return
            falls = (wanted <= SMALLEST) & (self.shares > wanted)
            step = min(self.shares[falls] / (self.shares - wanted)[falls], default=0.0)
            moved = self.shares + step * (wanted - self.shares)
            keep = moved > SMALLEST
            if keep.all():
                keep[np.argmin(moved)] = False
            kept = np.flatnonzero(keep)
            self.plans, self._columns = ([own[n] for n in kept] for own in (self.plans, self._columns))
            self.products = self.products[np.ix_(kept, kept)]
            self.shares = moved[kept] / moved[kept].sum()

    def _affine(self) -> Any:
        """Return the weights that sum to 1 and have the least norm, of any sign."""
        from scipy.linalg import get_lapack_funcs

        # not scipy.linalg.solve, which estimates the condition too and costs several times as much
        solve: Any = get_lapack_funcs("posv")
        one = np.ones(len(self.shares))
        scaled = self.products / self.products.max() + 1.0
        _, found, failed = solve(scaled, one)
        if failed:
            found = np.linalg.lstsq(scaled, one)[0]
        return found / found.sum()


def _index(completes: Any, uses: Any) -> Any:
    """Return completes / uses, and 0 for an attempt that is so rare that in floats it uses nothing."""
    return np.divide(completes, uses, out=np.zeros_like(uses), where=uses > 0)


def _left(completes: Any) -> Any:
    """Return the shares that are larger than each size, 1 first: what (0, c) does not complete."""
    count = round((2 * len(completes)) ** 0.5)
    return np.append(1.0, 1.0 - completes[[c * (c - 1) // 2 for c in range(1, count + 1)]])


def _products(one: Any, others: list[Any]) -> Any:
    """Return Σ min(m F', m' F) over the attempts of a plan and of each other one: of each, rows of completes and uses."""
    completes, uses = np.concatenate(others, axis=1)
    least = np.minimum(np.outer(one[0], uses), np.outer(one[1], completes)).sum(axis=0)
    return np.add.reduceat(least, np.cumsum([0, *(own.shape[1] for own in others[:-1])]))


def rounded(requests: Requests, plans: list[Path], shares: Any, digits: int) -> Mixture:
    """Return the mixture with shares in multiples of 10^−digits, without plans that get none."""
    return Mixture.of(requests, {p: round(float(x) * 10**digits) for p, x in zip(plans, shares, strict=True)})


MOST_EXACT, MOST_TRIES = 80, 12
"""With more plans the exact shares have too many digits, and after more exchanges ties keep them from settling."""


def exact(requests: Requests, plans: list[Path]) -> Mixture | None:
    """Return the best mixture in exact arithmetic, from plans that were found in floats; None where none is reached.

    The shares of least norm solve (products) y = 1, up to a factor; a plan without a positive share goes, and the cheapest under the
    price of what is left comes in, until its cost is what the mixture pays.
    """
    kept = list(plans)
    for _ in range(MOST_TRIES if len(kept) <= MOST_EXACT else 0):
        products = _exact_products(requests, kept)
        found = solution([[rational(x) for x in row] for row in products], [rational(1)] * len(kept))
        if found is None:
            return None
        if min(found) <= 0:
            kept.pop(found.index(min(found)))
            continue
        common = lcm(*(y.denominator for y in found))
        mixture = Mixture.of(requests, {plan: int(y * common) for plan, y in zip(kept, found, strict=True)})
        if mixture.lower() == mixture.upper():
            return mixture
        _, plan = mixture.cheapest()
        if plan in kept:
            return None
        kept.append(plan)
    return None


def _exact_products(requests: Requests, plans: list[Path]) -> list[list[int]]:
    """Return Σ min(m F', m' F) over the attempts of each two plans, as integers."""
    steps = [[(requests.completes(a, c), requests.uses(a, c)) for a, c in pairwise(plan)] for plan in plans]
    return [[sum(min(m * g, n * f) for m, f in one for n, g in other) for other in steps] for one in steps]
