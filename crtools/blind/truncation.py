"""Two distributions of requests with few digits around a given one: fewer and shorter requests below, more and longer ones above.

The optimal cost of a blind scheduler does not rise where requests are left out or shortened, because it can simulate the missing ones.
So the best cost under a distribution lies between those of the two. Tests: tests/blind/test_best.py.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor

from crtools.blind.attempt_costs import VOLUME_COST, Cost, Requests
from crtools.distributions import Distribution
from crtools.enclosure import ends, precision
from crtools.errors import InputError

MOST_LENGTHS = 2000
"""Upper limit on the number of lengths. A certificate has the same limit, ``MOST_LENGTHS`` of ``check/best.py``.

An unbounded distribution is cut off at as few lengths as its digits need.
"""

LARGEST_EXACT = 120
"""Weights of distributions with more lengths are rounded: exact results would have too many digits."""


@dataclass(frozen=True)
class Bracket:
    """``low``: requests that are certainly present; ``high``: at least all that can be present; both in the same units.

    ``lengths`` belong to the sizes of ``high``. Where the support is unbounded, ``high`` has one size more: all longer requests, at
    their mean size.
    """

    lengths: tuple[int, ...]
    low: Requests
    high: Requests

    @property
    def exact(self) -> bool:
        """Whether both sides are the distribution itself: nothing was rounded or truncated."""
        return self.low == self.high


def bracket(distribution: Distribution, s: int, digits: int, cost: Cost = VOLUME_COST) -> Bracket:
    """Return the two distributions of sizes, by the ``cost``, between which a value is known to ``digits`` digits.

    Raises ``InputError`` for symbols, a density, a heavy tail, or more than ``MOST_LENGTHS`` lengths.
    """
    if distribution.parameters:
        names = ", ".join(str(p) for p in distribution.parameters)
        raise InputError("distribution", distribution.spec(), f"needs a value for {names}")
    if distribution.finite and distribution.rational:
        weights = dict(distribution.items())
        _check_count(distribution, len(weights))
        if len(weights) <= LARGEST_EXACT:
            requests = Requests.of({cost.size(s, o): w for o, w in weights.items()})
            return Bracket(tuple(weights), requests, requests)
        return _rounded(s, {o: (w, w) for o, w in weights.items()}, digits, cost)
    first = distribution.support[0]
    last = distribution.support[1] or _last_length(distribution, s, digits, cost)
    _check_count(distribution, last - first + 1)
    with precision(64 + 8 * digits):
        bounds = {o: ends(ball) for o, ball in enumerate(distribution.ball_weights(first, last), start=first)}
    if distribution.finite:
        return _rounded(s, bounds, digits, cost)
    tail = distribution.tail_moment_bound(last, 0)
    return _rounded(s, bounds, digits, cost, tail, cost.bound(s, partial(distribution.tail_moment_bound, last)))


def _check_count(distribution: Distribution, count: int) -> None:
    if count > MOST_LENGTHS:
        message = f"must have at most {MOST_LENGTHS} lengths; it has {count}"
        raise InputError("distribution", distribution.spec(), message)


def _last_length(distribution: Distribution, s: int, digits: int, cost: Cost) -> int:
    """Return a length beyond which the tail does not change the digits."""
    first = distribution.support[0]
    with precision(64):
        weights = [(k, ends(w)[0]) for k, w in enumerate(distribution.ball_weights(first, first + 20), start=first)]
    total = cost.bound(s, lambda s: sum(((s + k) ** 2 * w for k, w in weights), Fraction(0)))

    def is_negligible(k: int) -> bool:
        return cost.bound(s, partial(distribution.tail_moment_bound, k)) * 10 ** (digits + 5) <= total

    last = first + MOST_LENGTHS - 1
    if not is_negligible(last):
        message = f"has too much weight beyond {MOST_LENGTHS} lengths; give it an end, u=…"
        raise InputError("distribution", distribution.spec(), message)
    return bisect_left(range(last), True, lo=first, key=is_negligible)


def _rounded(
    s: int,
    weights: dict[int, tuple[Fraction, Fraction]],
    digits: int,
    cost: Cost,
    tail: Fraction = Fraction(0),
    tail_cost: Fraction = Fraction(0),
) -> Bracket:
    """Return the bracket for weights between two bounds each, and a tail of at most this weight and this cost."""
    unit = 10 ** (digits + 8) * len(weights) / sum(high for _, high in weights.values())
    low = {cost.size(s, o): floor(x * unit) for o, (x, _) in weights.items()}
    high = {cost.size(s, o): ceil(x * unit) for o, (_, x) in weights.items()}
    if tail:
        mean = max(ceil(tail_cost / tail), max(high) + 1)
        high[mean] = ceil(tail * unit)
    return Bracket(tuple(weights), *(_requests(side) for side in (low, high)))


def _requests(weights: dict[int, int]) -> Requests:
    positive = {size: weight for size, weight in weights.items() if weight > 0}
    return Requests(tuple(positive), tuple(positive.values()))
