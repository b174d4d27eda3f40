"""The best blind schedule for a law of lengths: a mixture of plans, what it pays, and what its price proves of every other.

Each request draws a plan, kills at its thresholds and then runs to its end. Attempts of all requests run by falling index, what they
complete over what they use. With time per request, w(t) is the share that is unfinished at the time t; the area under w over the
optimum's ½ E v(min(o, o')) is the mixture's ratio. To complete m with a use of F at a time t is worth at least m t + F w(t): the
cheapest plan at these costs, less the area, is what no blind policy is below. Under other shares y of the same lengths, in the same
order, the area is ½ yᵀNy and the optimum ½ yᵀDy, D of v(min(o, o')): where ρD − N is positive definite, the ratio is below ρ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import gcd, lcm
from typing import Any

from check.kernel import Work, decimal, fraction, integer, integers, need, rows

Numbers = Sequence[Any]

MOST_LENGTHS, MOST_ON_INTERVAL, LONGEST, MOST_BITS, MOST_WORK, WORD, SPARE = 2000, 100, 10**6, 3000, 9_000_000, 384, 64
"""``MOST_WORK``: what a document may cost, some seconds; 2,000 lengths with twice as many attempts cost less. ``WORD``: bits of
numbers whose product costs 1. ``SPARE``: binary places in which a matrix is eliminated."""

WORDS = (
    "below: no blind policy pays less than the cheapest plan under a price that falls, less the price of all time, in the limit",
    "above: a paced blind policy pays no more than the area under the mixture's unfinished share, in the limit",
)
"""What is not judged: that the two numbers bound policies, as n → ∞ and then M → ∞."""


def check_schedule(kind: Any, law: Any, s: Any, plans: Any, places: Any, lower: Any, upper: Any) -> str:
    """Check that V lies between two decimals; return what is proved. Raises ``Rejected`` where it is not.

    ``best``: V is the best ratio of a blind policy to the optimum under the law; ``minimax``: under the worst law on its interval.
    """
    Work.start(MOST_WORK)
    need(kind in ("best", "minimax"), "the kind must be best or minimax")
    lengths, weights = _law(law)
    consecutive = len(lengths) == lengths[-1] - lengths[0] + 1 <= MOST_ON_INTERVAL
    need(kind == "best" or consecutive, "the lengths must follow each other, at most 100")
    prompt = integer(s, 0, LONGEST)
    requests = Requests([prompt * o + o * (o + 1) // 2 for o in lengths], weights)
    at = {length: place for place, length in enumerate(lengths[:-1], start=1)}
    own = Mixture(requests, [(_plan(ages, at), integer(weight, 1, 10**18)) for ages, weight in _pairs(plans)])
    digits = integer(places, 1, 15)
    least, most = decimal(lower, digits), decimal(upper, digits)
    need(least <= (proved := own.lower()), f"the price proves {float(proved):.12f} only")
    if kind == "best":
        need(own.upper() <= most, f"the mixture pays {float(own.upper()):.12f}")
        return f"{lower} ≤ V ≤ {upper} for a law of {len(lengths)} lengths up to {lengths[-1]}, s = {prompt}"
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
    whole, _ = _whole(shares)
    common = gcd(*whole)
    return lengths, [weight // common for weight in whole]


def _whole(numbers: Numbers) -> tuple[list[int], int]:
    """Return numbers as integers over a common denominator."""
    common = 1
    for number in numbers:
        common = lcm(common, number.denominator)
        need(common.bit_length() <= MOST_BITS, "the numbers have too large a common denominator")
    return [int(number * common) for number in numbers], common


def _plan(thresholds: Any, at: dict[int, int]) -> list[int]:
    """Return a plan as places: 0, those of its thresholds, which are lengths but the last, and the last."""
    need(isinstance(thresholds, list), "a plan must be a list of thresholds")
    need(all(type(t) is int and t in at for t in thresholds), "a threshold must be one of the lengths, not the last")
    places = [0, *(at[t] for t in thresholds), len(at) + 1]
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

    def cheapest(self, price: Numbers) -> Any:
        """Return what the cheapest plan costs where each attempt pays at the corner (time, value) at which it costs least.

        To complete m with a use of F costs m time + F value. ``paid``: for each corner what a plan has paid at least whose
        attempt so far pays there. At each size an attempt goes on, or a new one begins after the cheapest.
        """
        cost, paid = 0, [0] * len(price)
        for (rest, after), (size, larger) in zip(pairwise(self.left), pairwise(self.sizes), strict=True):
            again, completes, uses = size * rest, rest - after, (larger - size) * rest
            paid = [
                (old if old < (new := cost + again * value) else new) + completes * time + uses * value
                for old, (time, value) in zip(paid, price, strict=True)
            ]
            cost = min(paid)
        return cost


def _area(corners: Numbers) -> Any:
    """Return twice the area under what is linear between corners (time, value)."""
    return sum((v + w) * (t - s) for (s, v), (t, w) in pairwise(corners))


def proved_by_price(sizes: Numbers, tails: Numbers, times: Numbers, prices: Numbers) -> Fraction:
    """Return the ratio that every blind policy has at least under a law of sizes, by a price linear between times.

    ``tails``: P(size > each). Each attempt of a plan costs least at one of the times.
    """
    (volumes, size), (beyond, one), (corners, unit) = map(_whole, (sizes, tails, [*times, *prices]))
    requests = Requests(volumes, [a - b for a, b in pairwise([one, *beyond])])
    price = [(size * time, value) for time, value in zip(corners, corners[len(times) :], strict=False)]
    Work.spend(len(price) * len(sizes))
    twice = 2 * unit * requests.cheapest(price) - one * _area(price)
    return Fraction(one * twice, unit**2 * requests.shared)


class Mixture:
    """Plans, as places, with their weights; ``order``: their attempts by falling index, with the weight of the plans that have them.

    Raises ``Rejected`` where an attempt would run before one that it follows.
    """

    def __init__(self, requests: Requests, plans: list[tuple[list[int], int]]) -> None:
        self.requests, flows = requests, Counter[tuple[int, int]]()
        for places, weight in plans:
            flows.update(dict.fromkeys(pairwise(places), weight))
        self.total = sum(weight for _, weight in plans)
        words = 1 + int(self.total * requests.worked[-1]).bit_length() // WORD
        Work.spend(len(flows) * len(requests.sizes) * words**2)
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
        twice = 2 * self.total * self.requests.cheapest(self.corners)
        return Fraction(twice - _area(self.corners), self.total**2 * self.requests.shared)

    def is_within(self, ratio: Fraction, shared: Sequence[int] = ()) -> bool:
        """Return whether the mixture, in its order, is within the ratio of the optimum, or of D_ij = shared[min(i, j)]: ρD − N."""
        sizes, places = self.requests.sizes, range(1, len(self.requests.sizes))
        shared = shared or sizes
        Work.spend((len(self.order) + len(sizes)) * len(sizes) ** 2)
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
    units, count = _whole([*sizes, *(shared or sizes)])[0], len(sizes)
    (weights, _), (shares, _) = _whole(weights), _whole(shares)
    own = Mixture(Requests(units[:count], weights), list(zip(plans, shares, strict=True)))
    need(own.is_within(most, [0, *units[count:]]), "ρD − N is not positive definite")
    return own.lower()


def _positive_definite(entries: list[list[int]]) -> bool:
    """Return whether elimination shows that a symmetric matrix is positive definite.

    Entries are rounded to multiples of 2^-SPARE, each by at most one of these. In n rows, that is at most n times the identity,
    which is taken off; so what is left is below what is exact, in the order of matrices.
    """
    lines, count = [[entry << SPARE for entry in line] for line in entries], len(entries)
    for k, line in enumerate(lines):
        if line[k] <= 0:
            return False
        for i in range(k + 1, count):
            for j in range(i, count):
                lines[i][j] -= line[i] * line[j] // line[k]
            lines[i][i] -= count
    return True
