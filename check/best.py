"""The best blind schedule for a law of lengths: a mixture of plans, what it pays, and what its price proves of every other.

Each request draws a plan, kills at its thresholds and then runs to its end. Attempts of all requests run by falling index, what they
complete over what they use. With time per request, w(t) is the share that is unfinished at the time t; the area under w over the
optimum's ½ E v(min(o, o')) is the mixture's ratio. To complete m with a use of F at a time t is worth at least m t + F w(t): the
cheapest plan at these costs, less the area, is what no blind policy is below. Under other shares y of the same lengths, in the same
order, the area is ½ yᵀNy and the optimum ½ yᵀDy, D of v(min(o, o')): where ρD − N is positive definite, the ratio is below ρ.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from math import gcd, lcm
from typing import Any

from check.kernel import decimal, fraction, integer, integers, need, rows

Numbers = Sequence[Any]

MOST_LENGTHS, MOST_ON_INTERVAL, LONGEST, MOST_BITS = 2000, 100, 10**6, 3000

WORDS = (
    "below: no blind policy pays less than the cheapest plan under a price that falls, less the price of all time, in the limit",
    "above: a paced blind policy pays no more than the area under the mixture's unfinished share, in the limit",
)
"""What is not judged: that the two numbers bound policies, as n → ∞ and then M → ∞."""


def check_schedule(kind: Any, law: Any, s: Any, plans: Any, places: Any, lower: Any, upper: Any) -> str:
    """Check that V lies between two decimals; return what is proved. Raises ``Rejected`` where it is not.

    ``best``: V is the best ratio of a blind policy to the optimum under the law; ``minimax``: under the worst law on its interval.
    """
    need(kind in ("best", "minimax"), "the kind must be best or minimax")
    lengths, weights = _law(law)
    prompt = integer(s, 0, LONGEST)
    requests = Requests([prompt * o + o * (o + 1) // 2 for o in lengths], weights)
    own = Mixture(requests, [(_plan(ages, lengths), integer(weight, 1, 10**18)) for ages, weight in _pairs(plans)])
    digits = integer(places, 1, 15)
    least, most = decimal(lower, digits), decimal(upper, digits)
    need(least <= own.lower(), f"the price proves {float(own.lower()):.12f} only")
    if kind == "best":
        need(own.upper() <= most, f"the mixture pays {float(own.upper()):.12f}")
        return f"{lower} ≤ V ≤ {upper} for a law of {len(lengths)} lengths up to {lengths[-1]}, s = {prompt}"
    count = lengths[-1] - lengths[0] + 1
    need(len(lengths) == count <= MOST_ON_INTERVAL, "the lengths must follow each other, at most 100")
    need(own.is_within(most), "ρD − N is not positive definite")
    return f"{lower} ≤ V ≤ {upper} for the worst law on [{lengths[0]}, {lengths[-1]}], s = {prompt}"


def _pairs(value: Any) -> list[Any]:
    for entry in rows(value, 1, MOST_LENGTHS):
        need(isinstance(entry, list) and len(entry) == 2, "expected a list of pairs")
    return value


def _law(value: Any) -> tuple[list[int], list[int]]:
    """Return lengths, which increase, and their weights as integers without a common divisor."""
    lengths = integers([length for length, _ in _pairs(value)], 1, LONGEST)
    need(all(a < b for a, b in pairwise(lengths)), "the lengths must increase")
    shares = [fraction(weight) for _, weight in value]
    need(min(shares) > 0, "the weights must be positive")
    common = lcm(*(share.denominator for share in shares))
    need(common.bit_length() <= MOST_BITS, "the weights have too large a common denominator")
    whole = [int(share * common) for share in shares]
    return lengths, [weight // gcd(*whole) for weight in whole]


def _plan(thresholds: Any, lengths: list[int]) -> list[int]:
    """Return a plan as places: 0, those of its thresholds among the lengths, and the last."""
    need(isinstance(thresholds, list), "a plan must be a list of thresholds")
    need(all(t in lengths[:-1] for t in thresholds), "a threshold must be one of the lengths, not the last")
    places = [0, *(lengths.index(t) + 1 for t in thresholds), len(lengths)]
    need(all(a < b for a, b in pairwise(places)), "the thresholds must increase")
    return places


class Requests:
    """Sizes, which increase, and how many requests have each; ``left[a]`` are larger than the a-th."""

    def __init__(self, sizes: Numbers, weights: Numbers) -> None:
        self.sizes = [0, *sizes]
        self.left = [*accumulate(reversed(weights), initial=0)][::-1]
        steps = [rest * (b - a) for rest, (a, b) in zip(self.left, pairwise(self.sizes), strict=False)]
        self.worked = [*accumulate(steps, initial=0)]
        self.shared = sum(rest * step for rest, step in zip(self.left, steps, strict=False))

    def attempt(self, a: int, c: int) -> tuple[Any, Any]:
        """Return what an attempt completes, and what it uses."""
        return self.left[a] - self.left[c], self.worked[c] - self.worked[a] + self.sizes[a] * self.left[a]

    def cheapest(self, cost: Callable[[Any, Any], Any]) -> Any:
        """Return what the cheapest plan costs, where an attempt costs so much by what it completes and uses."""
        costs = [0]
        for c in range(1, len(self.sizes)):
            costs.append(min(costs[a] + cost(*self.attempt(a, c)) for a in range(c)))
        return costs[-1]


def _area(corners: Sequence[tuple[Any, Any]]) -> Any:
    """Return twice the area under what is linear between corners (time, value)."""
    return sum((v + w) * (t - s) for (s, v), (t, w) in pairwise(corners))


def proved_by_price(sizes: Numbers, tails: Numbers, times: Numbers, prices: Numbers) -> Fraction:
    """Return the ratio that every blind policy has at least under a law of sizes, by a price linear between times.

    ``tails``: P(size > each). Each attempt of a plan costs least at one of the times.
    """
    requests = Requests(sizes, [a - b for a, b in pairwise([Fraction(1), *tails])])
    price = list(zip(times, prices, strict=True))
    cheapest = requests.cheapest(lambda completes, uses: min(completes * t + uses * w for t, w in price))
    return Fraction(2 * cheapest - _area(price)) / requests.shared


class Mixture:
    """Plans, as places, with their weights; ``order``: their attempts by falling index, with the weight of the plans that have them.

    Raises ``Rejected`` where an attempt would run before one that it follows.
    """

    def __init__(self, requests: Requests, plans: list[tuple[list[int], int]]) -> None:
        self.requests, flows = requests, Counter[tuple[int, int]]()
        for places, weight in plans:
            flows.update(dict.fromkeys(pairwise(places), weight))
        self.total = sum(weight for _, weight in plans)
        order = sorted(flows, key=lambda own: (-Fraction(*requests.attempt(*own)), own))
        self.order = [(*own, flows[own]) for own in order]
        at = {own: n for n, own in enumerate(order)}
        steps = ([at[own] for own in pairwise(places)] for places, _ in plans)
        need(all(own == sorted(own) for own in steps), "an attempt would run before the one that it follows")
        self.corners = [(0, self.total * requests.left[0])]
        for a, c, flow in self.order:
            (completes, uses), (time, rest) = requests.attempt(a, c), self.corners[-1]
            self.corners.append((time + flow * uses, rest - flow * completes))

    def upper(self) -> Fraction:
        """Return what the mixture pays, over the optimum."""
        return Fraction(_area(self.corners), self.total**2 * self.requests.shared)

    def lower(self) -> Fraction:
        """Return what its price proves: a plan's attempts each at their best corner."""
        twice = 2 * self.total * self.requests.cheapest(partial(_least, self.corners))
        return Fraction(twice - _area(self.corners), self.total**2 * self.requests.shared)

    def is_within(self, ratio: Fraction, shared: Sequence[int] = ()) -> bool:
        """Return whether the mixture, in its order, is within the ratio of the optimum, or of D_ij = shared[min(i, j)]: ρD − N."""
        sizes, places = self.requests.sizes, range(1, len(self.requests.sizes))
        shared = shared or sizes
        rest, cost = [self.total] * len(sizes), [[0] * len(sizes) for _ in sizes]
        for a, c, flow in self.order:
            after = [rest[j] - flow * (a < j <= c) for j in range(len(sizes))]
            for i in range(a + 1, len(sizes)):
                used = flow * min(sizes[i], sizes[c])
                for j in places:
                    cost[i][j] += used * (rest[j] + after[j])
            rest = after
        most, least = 2 * ratio.numerator * self.total**2, ratio.denominator
        entries = [[most * shared[min(i, j)] - least * (cost[i][j] + cost[j][i]) for j in places] for i in places]
        return _positive_definite(entries)


def within_on_interval(sizes: Any, weights: Any, kills: Any, shares: Any, most: Fraction, shared: Any = ()) -> Fraction:
    """Return what no blind policy is below under the law, by the mixture's price; it must be within ``most`` under every law.

    ``kills``: for each plan, 1 at each size but the last at which it kills. ``shared``: the entries D_ij at min(i, j) of the form
    that it is compared with; the sizes, and so the optimum, unless given.
    """
    plans = [[0, *(k + 1 for k, kill in enumerate(row) if kill), len(sizes)] for row in kills]
    own = Mixture(Requests([int(size) for size in sizes], weights), list(zip(plans, shares, strict=True)))
    need(own.is_within(most, [0, *(shared or sizes)]), "ρD − N is not positive definite")
    return own.lower()


def _positive_definite(entries: list[list[int]]) -> bool:
    """Return whether all leading minors of a symmetric matrix are positive: elimination without fractions (Bareiss)."""
    before = 1
    for k, line in enumerate(entries):
        if line[k] <= 0:
            return False
        for i in range(k + 1, len(entries)):
            row = entries[i]
            for j in range(i, len(entries)):
                row[j] = (row[j] * line[k] - line[i] * line[j]) // before
        before = line[k]
    return True


def _least(corners: list[tuple[int, int]], completes: int, uses: int) -> int:
    """Return min over the corners of m t + F w(t): w is convex, so it falls and then rises."""

    def rises(k: int) -> bool:
        (time, rest), (later, less) = corners[k : k + 2]
        return completes * (later - time) >= uses * (rest - less)

    time, rest = corners[bisect_left(range(len(corners) - 1), True, key=rises)]
    return completes * time + uses * rest
