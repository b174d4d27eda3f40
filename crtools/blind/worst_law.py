"""The law on an interval of lengths under which the best blind schedule is worst: both sides of the minimax ratio on the interval.

At the worst law the best mixture, with the order of its attempts kept, is good for every other law too: on shares y its cost is
½ yᵀNy, so that it has at most the ratio ρ on all of them where ρD − N is positive definite, D_ij = min(v_i, v_j).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from crtools.blind.attempt_costs import Requests, attempts
from crtools.blind.min_norm_point import Search, rounded
from crtools.blind.mixture import Mixture
from crtools.enclosure import Enclosure
from crtools.errors import InputError, NotCertified
from crtools.schedule import volume
from crtools.setting import Setting

MOST_LENGTHS = 100
"""Longer intervals take minutes."""

DIGITS = 15
"""Digits of the worst law's shares, and of the plans'."""

GAP = 1e-12
"""The relative gap to which the best mixture is found at each law of the search."""


@dataclass(frozen=True)
class Closed:
    """The least ratio to the optimum of a blind policy on all laws on [l, u], for n → ∞ and then M → ∞, from both sides.

    Below: ``mixture.requests`` is a law under which no blind policy is better. Above: the mixture, in its order, under every law.
    """

    s: int
    l: int
    u: int
    value: Enclosure
    mixture: Mixture

    @property
    def weights(self) -> dict[int, Fraction]:
        """The shares of the lengths under the worst law."""
        own = self.mixture.requests
        return {self.l + n: Fraction(w, own.left[0]) for n, w in enumerate(own.weights)}

    @property
    def plans(self) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
        """The mixture's thresholds, as lengths, and shares, the most frequent first."""
        total = sum(self.mixture.weights)
        pairs = zip(self.mixture.plans, self.mixture.weights, strict=True)
        own = [(tuple(self.l + place - 1 for place in plan[1:-1]), Fraction(w, total)) for plan, w in pairs]
        return tuple(sorted(own, key=lambda pair: (-pair[1], pair[0])))


def closed(s: int, l: int, u: int) -> Closed:
    """Return the minimax ratio on [l, u]. Nothing of the search is trusted: both sides are checked in exact arithmetic.

    Raises ``InputError`` as ``Setting`` does and for more than 100 lengths, ``NotCertified`` where no side was found.
    """
    Setting(s=s, l=l, u=u)
    if u - l >= MOST_LENGTHS:
        raise InputError("u", u, f"must be less than l + {MOST_LENGTHS} for the exact minimax")
    mixture = at_worst_law(s, l, u)
    lower, cost = mixture.lower(), universal_cost(mixture)
    for slack in (10**12, 10**10, 10**8, 10**6, 10**4):
        upper = lower + Fraction(1, slack)
        if is_good_for_all(mixture, cost, upper):
            method = "a law with its price, and a mixture of plans that is good for all laws, in exact arithmetic"
            return Closed(s, l, u, Enclosure(lower, upper, method), mixture)
    raise NotCertified(f"the best mixture at the worst law found for [{l}, {u}] is not good for all laws")


@cache
def at_worst_law(s: int, l: int, u: int) -> Mixture:
    """Return the best mixture at the worst law on [l, u] that a search in floats finds, both with rounded shares."""
    sizes = tuple(volume(s, o) for o in range(l, u + 1))
    shares, search = worst_law(np.array(sizes, dtype=float) / sizes[0])
    whole = [max(round(float(x) * 10**DIGITS), 1) for x in shares]
    return rounded(Requests(sizes, tuple(whole)), search.plans, search.shares, DIGITS)


def on_a_part(s: int, l: int, u: int) -> Mixture | None:
    """Return the best mixture at a law on a part of [l, u] that is kept, or on [l, l + 99]; None where no part is kept or shorter.

    A law on a part is a law on [l, u], so what its price proves at s holds on [l, u] at the same s. Nothing that is kept is trusted.
    """
    for kept in json.loads(files("crtools.blind").joinpath("worst_laws.json").read_text("utf-8")):
        if kept["s"] == s and l <= kept["l"] and kept["l"] + len(kept["weights"]) - 1 <= u:
            sizes = (volume(s, o) for o, _ in enumerate(kept["weights"], kept["l"]))
            search = Search(*(requests := Requests(tuple(sizes), tuple(kept["weights"]))).attempts)
            search.run(GAP)
            return rounded(requests, search.plans, search.shares, DIGITS)
    return at_worst_law(s, l, l + MOST_LENGTHS - 1) if u - l >= MOST_LENGTHS else None


def universal_cost(mixture: Mixture) -> list[list[int]]:
    """Return 2N times the square of all plans' weights: Σ over stages of flow · used_i · (unfinished_j before + after), plus its transpose.

    Raises ``NotCertified`` where an attempt would run before the one that it follows.
    """
    mixture.upper()
    sizes, total = (0, *mixture.requests.sizes), sum(mixture.weights)
    places = range(1, len(sizes))
    rest = np.array([total for _ in places], dtype=object)
    cost = np.zeros((len(places), len(places)), dtype=object)
    for stage in mixture.stages:
        used = np.array(
            [stage.flow * min(sizes[i], sizes[stage.until]) * (i > stage.after) for i in places], dtype=object
        )
        after = rest - np.array([stage.flow * (stage.after < j <= stage.until) for j in places], dtype=object)
        cost += np.outer(used, rest + after)
        rest = after
    return (cost + cost.T).tolist()


def is_good_for_all(
    mixture: Mixture, cost: list[list[int]], ratio: Fraction, benchmark: Sequence[int] | None = None
) -> bool:
    """Return whether ρD − N is positive definite for the ratio ρ: then the mixture, in its order, has it under every law.

    ``cost`` is what :func:`universal_cost` returns. D_ij is the entry of ``benchmark`` at min(i, j), by default the size: the
    optimum. Exact: all pivots of an elimination without fractions are positive.
    """
    sizes, total = benchmark or mixture.requests.sizes, sum(mixture.weights)
    scale = 2 * ratio.numerator * total**2
    rows = [
        [scale * min(v, w) - ratio.denominator * n for w, n in zip(sizes, line, strict=True)]
        for v, line in zip(sizes, cost, strict=True)
    ]
    return _positive_definite(np.array(rows, dtype=object))


def _positive_definite(rows: Any) -> bool:
    """Return whether all leading minors of a symmetric matrix of integers are positive (Bareiss)."""
    before = 1
    for k in range(len(rows)):
        pivot = rows[k, k]
        if pivot <= 0:
            return False
        rest = rows[k + 1 :, k + 1 :] * pivot - np.outer(rows[k + 1 :, k], rows[k, k + 1 :])
        rows[k + 1 :, k + 1 :] = rest // before
        before = pivot
    return True


def worst_law(sizes: Any) -> tuple[Any, Search]:
    """Return the shares of the worst law found for sizes, as floats, and the best mixture there.

    From a law with tails like 1/√size, inside the simplex, by the gradient of the best ratio (the envelope theorem).
    """
    from scipy.optimize import minimize

    tails = np.append(np.sqrt(sizes[0] / sizes), 0.0)[1:]
    tails[-1] = 0.0
    first = np.append(1.0, tails[:-1]) - tails
    first = 0.9 * first + 0.1 / len(first)

    def loss(logs: Any) -> tuple[float, Any]:
        shares = _softmax(logs)
        value, slope, _ = best_with_slope(sizes, shares)
        return -value, -shares * (slope - shares @ slope)

    found = minimize(
        loss,
        np.log(first),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 3000, "ftol": 1e-15, "gtol": 1e-9, "maxcor": 40},
    )
    shares = _softmax(found.x)
    return shares, best_with_slope(sizes, shares)[2]


def _softmax(logs: Any) -> Any:
    powers = np.exp(logs - logs.max())
    return powers / powers.sum()


FEW_LENGTHS, FEW_DIGITS = 400, 6
FEW_GAP = 1e-4


def on_few_lengths(s: int, l: int, u: int) -> Mixture:
    """Return a mixture near the best one for a law with tails like 1/√volume on so many lengths in [l, u]: its price is a bound.

    Raises ``InputError`` as ``Setting`` does.
    """
    Setting(s=s, l=l, u=u)
    sizes = [volume(s, o) for o in sorted({round(o) for o in np.geomspace(l, u, FEW_LENGTHS)})]
    scaled = np.array([float(v / sizes[0]) for v in sizes])
    tails = np.concatenate([[1.0], (scaled[:-1] * scaled[1:]) ** -0.25, [0.0]])
    shares = tails[:-1] - tails[1:]
    requests = Requests(tuple(sizes), tuple(round(float(x)) for x in shares * (10**FEW_DIGITS / shares.min())))
    search = Search(*requests.attempts)
    search.run(FEW_GAP)
    return rounded(requests, search.plans, search.shares, 2 * FEW_DIGITS)


def best_with_slope(sizes: Any, shares: Any) -> tuple[float, Any, Search]:
    """Return the best ratio at a law, its gradient in the shares, and the search that found it; floats."""
    search = Search(*attempts(sizes, shares))
    search.run(GAP)
    flows: dict[tuple[int, int], float] = {}
    for plan, share in zip(search.plans, search.shares, strict=True):
        for step in pairwise(plan):
            flows[step] = flows.get(step, 0.0) + share
    after, until = np.array([*flows]).T
    flow = np.array([*flows.values()])
    uses, completes = (part[until * (until - 1) // 2 + after] for part in (search.uses, search.completes))
    order = np.lexsort((after, -completes / uses))
    after, until, flow, uses, completes = (x[order] for x in (after, until, flow, uses, completes))
    time = np.cumsum(flow * uses) - flow * uses / 2  # at the middle of each stage
    left = 1 - np.cumsum(flow * completes) + flow * completes / 2
    place = np.arange(1, len(sizes) + 1)
    tried = place > after[:, None]
    done = tried & (place <= until[:, None])
    held = np.minimum(sizes, sizes[until - 1][:, None]) * tried
    slope = 2 * (flow[:, None] * (time[:, None] * done + left[:, None] * held)).sum(axis=0)
    mins = np.minimum.outer(sizes, sizes) @ shares
    value = 2 * (flow * uses * left).sum() / (shares @ mins)
    return value, (slope - 2 * value * mins) / (shares @ mins), search
