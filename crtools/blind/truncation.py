"""Two distributions of requests around a given one, with few digits and few sizes: fewer and shorter requests below, more and longer above.

The optimal cost of a blind scheduler does not rise where requests are left out or shortened, because it can simulate the missing ones.
So the best cost under a distribution lies between those of the two. Tests: tests/blind/test_best.py.
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from math import ceil, floor

import numpy as np

from crtools.blind.attempt_costs import VOLUME_COST, Cost, Requests, sum_of_minima
from crtools.distributions import Distribution
from crtools.enclosure import ends, precision
from crtools.errors import InputError
from crtools.numeric_types import FloatArray

MOST_LENGTHS = 2000
"""Upper limit on the lengths that are not rounded. A certificate has the same limit, ``MOST_LENGTHS`` of ``check/best.py``.

An unbounded distribution is cut off at as few lengths as its digits need. Where there are more, lengths are rounded, down below
and up above, to the ends of ``MOST_CELLS`` cells.
"""

MOST_CELLS, FINE_CELLS = 1000, 20_000
"""Cells that lengths are rounded to, and those in which the optimum is enclosed.

With twice as many of the former the search takes five times as long.
"""

TAIL, UNITS = Fraction(1, 10**7), 10**18
"""The share of the longest lengths that have no cell, and the units of all weights: both far less than what rounding lengths costs."""

LARGEST_EXACT = 120
"""Weights of distributions with more lengths are rounded: exact results would have too many digits."""

Bounds = tuple[Fraction, Fraction]
NO_TAIL: Bounds = Fraction(0), Fraction(0)


@dataclass(frozen=True)
class Bracket:
    """``low``: requests that are certainly present; ``high``: at least all that can be present; both in the same units.

    ``lengths`` belong to the sizes of ``high``. Where the support is unbounded, ``high`` has one size more: all longer requests, at
    their mean size. ``in_cells``: each of ``lengths`` is the last of several, to which those are rounded up in ``high``, and in
    ``low`` down to the first of them; ``twice_optimum`` then has bounds on that of the distribution itself.
    """

    lengths: tuple[int, ...]
    low: Requests
    high: Requests
    in_cells: bool = False
    twice_optimum: tuple[int, int] | None = None

    @property
    def exact(self) -> bool:
        """Whether both sides are the distribution itself: nothing was rounded or truncated."""
        return self.low == self.high

    @property
    def bounds_of_optimum(self) -> tuple[int, int]:
        """Bounds on twice the optimal total latency of the distribution."""
        return self.twice_optimum or (self.low.twice_optimum, self.high.twice_optimum)


def bracket(distribution: Distribution, s: int, digits: int, cost: Cost = VOLUME_COST) -> Bracket:
    """Return the two distributions of sizes, by the ``cost``, between which a value is known to ``digits`` digits.

    With more than ``MOST_LENGTHS`` lengths they are in cells, and the digits may not be reached. Raises ``InputError`` for symbols, a
    density and too heavy a tail.
    """
    if distribution.parameters:
        names = ", ".join(str(p) for p in distribution.parameters)
        raise InputError("distribution", distribution.spec(), f"needs a value for {names}")
    if distribution.finite and distribution.rational:
        weights = dict(distribution.items())
        if len(weights) > MOST_LENGTHS:
            return _in_cells(distribution, s, cost)
        if len(weights) <= LARGEST_EXACT:
            requests = Requests.of({cost.size(s, o): w for o, w in weights.items()})
            return Bracket(tuple(weights), requests, requests)
        return _rounded(s, {o: (w, w) for o, w in weights.items()}, digits, cost, NO_TAIL)
    first = distribution.support[0]
    last = distribution.support[1] or _last_length(distribution, s, digits, cost)
    if last is None or last - first >= MOST_LENGTHS:
        return _in_cells(distribution, s, cost)
    with precision(64 + 8 * digits):
        bounds = {o: ends(ball) for o, ball in enumerate(distribution.ball_weights(first, last), start=first)}
    return _rounded(s, bounds, digits, cost, _tail(distribution, s, last, cost))


def _tail(distribution: Distribution, s: int, last: int, cost: Cost) -> Bounds:
    """Return bounds on the weight and on the cost of all longer requests."""
    if distribution.finite:
        return NO_TAIL
    return distribution.tail_bound(last), cost.bound(s, partial(distribution.tail_moment_bound, last))


def _last_length(distribution: Distribution, s: int, digits: int, cost: Cost) -> int | None:
    """Return a length beyond which the tail does not change the digits, None where that is beyond ``MOST_LENGTHS`` lengths."""
    first = distribution.support[0]
    with precision(64):
        weights = [(k, ends(w)[0]) for k, w in enumerate(distribution.ball_weights(first, first + 20), start=first)]
    total = cost.bound(s, lambda s: sum(((s + k) ** 2 * w for k, w in weights), Fraction(0)))

    def is_negligible(k: int) -> bool:
        return cost.bound(s, partial(distribution.tail_moment_bound, k)) * 10 ** (digits + 5) <= total

    last = first + MOST_LENGTHS - 1
    return bisect_left(range(last), True, lo=first, key=is_negligible) if is_negligible(last) else None


def _in_cells(distribution: Distribution, s: int, cost: Cost) -> Bracket:
    """Return the bracket with lengths rounded to the ends of cells: down below, and up above."""
    first = distribution.support[0]
    last = distribution.support[1] or distribution.cut(TAIL)
    starts, ends_of_cells, masses = _fine_cells(distribution, first, last)
    unit = UNITS / sum(high for _, high in masses)
    low, high = ([f(mass[side] * unit) for mass in masses] for side, f in ((0, floor), (1, ceil)))
    tail, tail_cost = (x * unit for x in _tail(distribution, s, last, cost))
    sizes = [cost.size(s, o) for o in ends_of_cells]
    first_sizes = [cost.size(s, o) for o in starts]

    def twice_optimum(weights: list[int], sizes: list[int], longer: int) -> int:
        return sum_of_minima(list(accumulate(reversed(weights), initial=longer))[:0:-1], sizes)

    optimum = twice_optimum(low, first_sizes, 0), twice_optimum(high, sizes, ceil(tail)) + ceil(tail * tail_cost)
    groups = _groups(np.array(sizes, dtype=float), np.array(high, dtype=float))
    below, above = dict[int, int](), dict[int, int]()
    for a, b in groups:
        below[first_sizes[a]], above[sizes[b - 1]] = sum(low[a:b]), sum(high[a:b])
    if tail:
        above[max(ceil(tail_cost / tail), sizes[-1] + 1)] = ceil(tail)
    lengths = tuple(ends_of_cells[b - 1] for _, b in groups)
    return Bracket(lengths, Requests.counted(below), Requests.counted(above), True, optimum)


def _fine_cells(law: Distribution, first: int, last: int) -> tuple[list[int], list[int], list[Bounds]]:
    """Return the smallest and the largest length of each of many cells, and bounds on its weight."""
    if law.finite and law.rational:
        lengths, weights = zip(*law.items(), strict=True)
        steps = np.unique(np.linspace(1, len(lengths), min(len(lengths), FINE_CELLS)).astype(int)).tolist()
        pairs = list(pairwise([0, *steps]))
        masses = [sum(weights[a:b], Fraction(0)) for a, b in pairs]
        return [lengths[a] for a, _ in pairs], [lengths[b - 1] for _, b in pairs], [(w, w) for w in masses]
    near = np.arange(first, min(last, first + FINE_CELLS // 2))
    points = np.unique(np.append(near, np.geomspace(near[-1], last, FINE_CELLS // 2).round().astype(np.int64))).tolist()
    points[-1] = last
    starts = [first, *(k + 1 for k in points[:-1])]
    with precision(128):
        return starts, points, [ends(law.mass(a, b)) for a, b in zip(starts, points, strict=True)]


def _groups(sizes: FloatArray, weights: FloatArray) -> list[tuple[int, int]]:
    """Return at most ``MOST_CELLS`` groups (a, b) of neighbouring fine cells, finer where rounding costs more.

    Rounding the sizes of a cell costs about its width times its weight times the number of longer requests; merging m cells, m² times.
    """
    survivors = np.cumsum(weights[::-1])[::-1]
    share = np.sqrt(np.diff(sizes, prepend=0) * weights * survivors) + 1e-300
    low, high = 0.0, float(MOST_CELLS / share.min())
    for _ in range(200):
        scale = (low + high) / 2
        low, high = (scale, high) if np.minimum(scale * share, 1).sum() <= MOST_CELLS - 1 else (low, scale)
    number = np.minimum(low * share, 1).cumsum().astype(int)
    starts = np.flatnonzero(np.diff(number, prepend=-1)).tolist()
    return list(pairwise([*starts, len(sizes)]))


def _rounded(s: int, weights: dict[int, Bounds], digits: int, cost: Cost, longer: Bounds) -> Bracket:
    """Return the bracket for weights between two bounds each, and a tail of at most this weight and this cost."""
    unit = 10 ** (digits + 8) * len(weights) / sum(high for _, high in weights.values())
    low = {cost.size(s, o): floor(x * unit) for o, (x, _) in weights.items()}
    high = {cost.size(s, o): ceil(x * unit) for o, (_, x) in weights.items()}
    tail, tail_cost = longer
    if tail:
        high[max(ceil(tail_cost / tail), max(high) + 1)] = ceil(tail * unit)
    return Bracket(tuple(weights), Requests.counted(low), Requests.counted(high))
