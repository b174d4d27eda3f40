"""The distribution on an interval of lengths under which the best blind schedule is worst: both sides of the interval's minimax ratio.

In every case tried, the best mixture at the worst distribution, its order of attempts kept, is as good under every other one. Each time
this is checked: at shares y its cost is ½ yᵀNy, so its ratio is at most ρ if ρD − N is positive definite, D_ij = min(v_i, v_j).
``minimax`` and its certificates, the figure minimax and the claims minimax-closes, minimax-always and thm-optimality use it.

Tests: tests/blind/test_worst_law.py, and tests/blind/test_minimax.py for :func:`on_a_part`.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import pairwise

import flint
import numpy as np

from crtools.blind.attempt_costs import Requests
from crtools.blind.min_norm_point import Group, Search
from crtools.blind.mixture import Mixture, Plan
from crtools.enclosure import Enclosure, objects
from crtools.errors import InputError, NotCertified
from crtools.numeric_types import FloatArray
from crtools.schedule import volume
from crtools.setting import Setting

MOST_LENGTHS = 100
"""Upper limit on the lengths of an interval: more take minutes. A certificate has the same, ``MOST_ON_INTERVAL`` of ``check/best.py``."""

DIGITS = 15
"""Digits of the shares of the worst distribution and of the plans."""

GAP = 1e-12
"""The relative gap of the best mixture at each distribution of the search."""


@dataclass(frozen=True)
class Closed:
    """The least ratio to the optimum of a blind policy under all distributions on [l, u], for n → ∞ and then M → ∞.

    Lower end: no blind policy is better under the distribution of ``mixture.requests``. Upper end: the mixture, in its order, attains
    it under every distribution.
    """

    s: int
    l: int
    u: int
    value: Enclosure
    mixture: Mixture

    @property
    def weights(self) -> dict[int, Fraction]:
        """The shares of the lengths under the worst distribution."""
        requests = self.mixture.requests
        return {self.l + n: Fraction(w, requests.survivors[0]) for n, w in enumerate(requests.weights)}

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The mixture's plans, the most frequent first."""
        return self.mixture.shares(range(self.l, self.u + 1).__getitem__)


def closed(s: int, l: int, u: int) -> Closed:
    """Return the minimax ratio on [l, u]. The search is in floats; both sides are checked in exact arithmetic.

    Raises ``InputError`` as ``Setting`` does and for more than ``MOST_LENGTHS`` lengths, ``NotCertified`` if the mixture that was
    found is not good under all distributions.
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
    """Return the best mixture at the worst distribution on [l, u] that a search in floats finds, both with rounded shares."""
    sizes = tuple(volume(s, o) for o in range(l, u + 1))
    shares, search = worst_law(np.array(sizes, dtype=float) / sizes[0])
    weights = tuple(max(round(float(x) * 10**DIGITS), 1) for x in shares)
    return search.rounded(Requests(sizes, weights), DIGITS)


def on_a_part(s: int, l: int, u: int) -> Mixture | None:
    """Return the best mixture at a stored distribution on a part of [l, u], or at the worst on its first ``MOST_LENGTHS``.

    None if no stored one fits and the interval has no more lengths. A distribution on a part is one on [l, u], so its price proves a
    bound for [l, u] at the same s, whatever file it was read from.
    """
    for row in json.loads(files("crtools.blind").joinpath("worst_laws.json").read_text("utf-8")):
        if row["s"] == s and l <= row["l"] and row["l"] + len(row["weights"]) - 1 <= u:
            sizes = tuple(volume(s, o) for o, _ in enumerate(row["weights"], row["l"]))
            requests = Requests(sizes, tuple(row["weights"]))
            return Search([Group.of(requests)], GAP).rounded(requests, DIGITS)
    return at_worst_law(s, l, l + MOST_LENGTHS - 1) if u - l >= MOST_LENGTHS else None


def universal_cost(mixture: Mixture) -> list[list[int]]:
    """Return 2N times the squared weight of all plans: Σ over stages of flow · used_i · (unfinished_j before + after), symmetrised."""
    sizes, total = (0, *mixture.requests.sizes), sum(mixture.weights)
    index = range(1, len(sizes))
    unfinished = objects(total for _ in index)
    cost = np.zeros((len(index), len(index)), dtype=object)
    for stage in mixture.stages:
        used = [stage.flow * min(sizes[i], sizes[stage.until]) * (i > stage.after) for i in index]
        done = objects(stage.flow * (stage.after < j <= stage.until) for j in index)
        cost += np.outer(objects(used), 2 * unfinished - done)
        unfinished = unfinished - done
    return (cost + cost.T).tolist()


def is_good_for_all(
    mixture: Mixture, cost: list[list[int]], ratio: Fraction, benchmark: Sequence[int] | None = None
) -> bool:
    """Return whether ρD − N is positive definite for the ratio ρ, so that the mixture attains it under every distribution.

    ``cost``: as :func:`universal_cost` returns it. D_ij is the entry of ``benchmark`` at min(i, j), by default the size: the
    optimum. Exact: the leading minors, the pivots of a fraction-free elimination without exchanges, are positive.
    """
    sizes, scale = objects(benchmark or mixture.requests.sizes), 2 * ratio.numerator * sum(mixture.weights) ** 2
    numerator = np.array(cost, dtype=object)
    assert numerator.shape == (len(sizes), len(sizes))
    rows = scale * np.minimum.outer(sizes, sizes) - ratio.denominator * numerator
    exchanges, _, _, upper = flint.fmpz_mat(rows.tolist()).fflu()  # P, L, D, U: P is 1 where no rows are exchanged
    return exchanges.is_one() and all(upper[k, k] > 0 for k in range(len(rows)))


def worst_law(sizes: FloatArray) -> tuple[FloatArray, Search]:
    """Return the shares of the worst distribution that is found for sizes, and the best mixture there, in floats.

    The ascent starts at tails like 1/√size and follows the gradient of the best ratio (by the envelope theorem).
    """
    from scipy.optimize import minimize

    tails = np.append(np.sqrt(sizes[0] / sizes[1:]), 0.0)
    start = np.append(1.0, tails[:-1]) - tails
    start = 0.9 * start + 0.1 / len(start)

    def loss(logs: FloatArray) -> tuple[float, FloatArray]:
        shares = _softmax(logs)
        value, slope, _ = best_with_slope(sizes, shares)
        return -value, -shares * (slope - shares @ slope)

    options = {"maxiter": 3000, "ftol": 1e-15, "gtol": 1e-9, "maxcor": 40}
    shares = _softmax(minimize(loss, np.log(start), jac=True, method="L-BFGS-B", options=options).x)
    return shares, best_with_slope(sizes, shares)[2]


def _softmax(logs: FloatArray) -> FloatArray:
    powers = np.exp(logs - logs.max())
    return powers / powers.sum()


FEW_LENGTHS, FEW_DIGITS, FEW_GAP = 400, 6, 1e-4
"""Of :func:`on_few_lengths`: the most lengths, the digits of the smallest share, and the relative gap of the mixture."""


def on_few_lengths(s: int, l: int, u: int) -> Mixture:
    """Return a near-best mixture for tails like 1/√volume on at most ``FEW_LENGTHS`` lengths in [l, u]: its price proves a bound.

    Raises ``InputError`` as ``Setting`` does.
    """
    Setting(s=s, l=l, u=u)
    sizes = [volume(s, o) for o in sorted({round(o) for o in np.geomspace(l, u, FEW_LENGTHS)})]
    scaled = np.array([float(v / sizes[0]) for v in sizes])
    tails = np.concatenate([[1.0], (scaled[:-1] * scaled[1:]) ** -0.25, [0.0]])
    shares = tails[:-1] - tails[1:]
    requests = Requests(tuple(sizes), tuple(round(float(x)) for x in shares * (10**FEW_DIGITS / shares.min())))
    return Search([Group.of(requests)], FEW_GAP).rounded(requests, 2 * FEW_DIGITS)


def best_with_slope(sizes: FloatArray, shares: FloatArray) -> tuple[float, FloatArray, Search]:
    """Return the best ratio under a distribution, its gradient in the shares, and the search that found it; in floats."""
    search = Search([Group(1.0, sizes, shares)], GAP)
    flows = Counter[tuple[int, int]]()
    for plan, share in zip(search.plans, search.shares, strict=True):
        flows.update(dict.fromkeys(pairwise(plan), share))
    after, until = np.array([*flows]).T
    flow = np.array([*flows.values()])
    uses, completes = (part[until * (until - 1) // 2 + after] for part in search.graphs[0])
    order = np.lexsort((after, -completes / uses))
    after, until = after[order], until[order]
    flow, uses, completes = flow[order], uses[order], completes[order]
    time = np.cumsum(flow * uses) - flow * uses / 2  # at the middle of each stage
    unfinished = 1 - np.cumsum(flow * completes) + flow * completes / 2
    index = np.arange(1, len(sizes) + 1)
    tried = index > after[:, None]
    done = tried & (index <= until[:, None])
    used = np.minimum(sizes, sizes[until - 1][:, None]) * tried
    slope = 2 * (flow[:, None] * (time[:, None] * done + unfinished[:, None] * used)).sum(axis=0)
    mins = np.minimum.outer(sizes, sizes) @ shares
    value = 2 * (flow * uses * unfinished).sum() / (shares @ mins)
    return value, (slope - 2 * value * mins) / (shares @ mins), search
