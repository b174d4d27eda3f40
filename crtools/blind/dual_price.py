"""A price on memory that proves a lower bound for every blind policy under one distribution: found in floats, checked exactly.

Volumes are counted per request, so that n requests have n token-instants for each unit of time. A plan is at a length that the request
is known to exceed. Going from a to c by the time t costs at least (P(o > a) − P(o > c)) t + w(t) F(a, c), where
F(a, c) = v(a) P(o > a) + Σ P(o > k) (v(k+1) − v(k)) is what the attempt uses, and w is a price that falls and is linear between some
times τ_0 = 0 < τ_1 < …. So a plan's cost is linear in its times between these, and some cheapest plan has its times among them. Twice
its cost, less the cost of all memory, over E v(min(o, o')) is a lower bound on every blind policy's ratio, for n → ∞ and then M → ∞.

The claim blind-finite uses it. Tests: tests/blind/test_minimax.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from crtools.blind.attempt_costs import NumberArray, attempts, sum_of_minima
from crtools.enclosure import fraction, objects, rational
from crtools.errors import NotCertified
from crtools.numeric_types import RingElement
from crtools.schedule import volume
from crtools.setting import Setting


@dataclass(frozen=True)
class DualPrice:
    """A distribution on ``lengths`` and a price that falls with time.

    ``tails``: P(o > each length), the last 0. ``times``: τ_0 = 0 < τ_1 < …; ``prices``: one at each of them, the last 0.
    """

    s: int
    lengths: tuple[int, ...]
    tails: tuple[Fraction, ...]
    times: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]

    def check(self) -> Fraction:
        """Return the lower bound on every blind policy's ratio, in exact arithmetic.

        Raises ``NotCertified`` unless this is a distribution on lengths and a price that falls with time.
        """
        falls = all(a >= b for a, b in pairwise(self.prices)) and self.prices[-1] == 0
        law = all(a >= b for a, b in pairwise((Fraction(1), *self.tails))) and self.tails[-1] == 0
        rises = self.times[0] == 0 and all(a < b for a, b in (*pairwise(self.times), *pairwise((0, *self.lengths))))
        shapes = len(self.tails) == len(self.lengths) and len(self.prices) == len(self.times)
        if not (falls and law and rises and shapes):
            raise NotCertified("this is no law on lengths, or no price that falls with time")
        steps = zip(pairwise(self.prices), pairwise(self.times), strict=True)
        memory_cost = sum(((v + w) / 2 * (b - a) for (v, w), (a, b) in steps), start=Fraction(0))
        return 2 * (self._cheapest() - memory_cost) / expected_minimum(self.s, self.lengths, self.tails)

    def _cheapest(self) -> Fraction:
        """Return the cost of the cheapest plan: from the last time to the first, and from the last length down."""
        tails = (rational(1), *map(rational, self.tails))
        uses = _attempt_uses(self.s, self.lengths, tails[1:])
        costs: list[RingElement] = []
        for time, price in reversed([*zip(map(rational, self.times), map(rational, self.prices), strict=True)]):
            now = [rational(0)]
            for a in range(len(self.lengths) - 1, -1, -1):
                ends = range(a + 1, len(tails))
                steps = ((tails[a] - tails[c]) * time + price * uses[c * (c - 1) // 2 + a] for c in ends)
                cheapest = min(step + onward for step, onward in zip(steps, now, strict=True))
                now.insert(0, min([cheapest, *costs[a : a + 1]]))
            costs = now
        return fraction(costs[0])


def _attempt_uses(s: int, lengths: Sequence[int], tails: Sequence[RingElement]) -> NumberArray:
    """Return F(a, c) of all attempts (a, c) in the flat order."""
    weights = [p - q for p, q in pairwise((1, *tails))]
    return attempts(objects(volume(s, o) for o in lengths), objects(weights))[0]


def expected_minimum(s: int, lengths: Sequence[int], tails: Sequence[RingElement]) -> RingElement:
    """Return E v(min(o, o')) of two independent lengths."""
    return sum_of_minima((1, *tails), [volume(s, o) for o in lengths])


def find_price(s: int, l: int, u: int, most_lengths: int = 64, times: int = 64) -> DualPrice:
    """Return a price for a distribution with tails near 1/√volume on at most ``most_lengths`` lengths in [l, u].

    It is the solution of a linear program in floats and has no guarantee: :meth:`DualPrice.check` decides what it proves. Raises
    ``InputError`` as ``Setting`` does.
    """
    Setting(s=s, l=l, u=u)
    lengths = tuple(sorted({round(o) for o in np.geomspace(l, u, most_lengths)}))
    volumes = [volume(s, o) for o in lengths]
    exact = [(volumes[0] / (v * w) ** 0.5) ** 0.5 for v, w in pairwise(volumes)]
    tails = (*map(_rounded, exact), Fraction(0))
    mean = float(sum(p * (w - v) for p, (v, w) in zip((1, *tails), pairwise((0, *volumes)), strict=False)))
    grid = (Fraction(0), *(_rounded(float(t)) for t in np.geomspace(volumes[0] / 8, 2 * mean, times - 1)))
    solved = _solve(tails, _attempt_uses(s, lengths, tails), [float(t) for t in grid])
    prices = tuple(accumulate(map(_rounded, reversed(solved)), max))[::-1]  # the maximum makes them fall with time
    end = prices.index(0) + 1
    return DualPrice(s, lengths, tails, grid[:end], prices[:end])


def _rounded(number: float) -> Fraction:
    """Return a number of few digits near a float; 0 for a negative one."""
    return Fraction(f"{max(number, 0.0):.4e}")


def _solve(tails: Sequence[Fraction], uses: NumberArray, times: Sequence[float]) -> list[float]:
    """Return the best prices such that each step (a, c) costs at least φ_c − φ_a at every time."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix, csr_matrix, eye, hstack, kron, vstack

    size, count = len(tails), len(times)
    a, c = np.triu_indices(size + 1, 1)
    used = uses[c * (c - 1) // 2 + a].astype(float)
    survival = np.array([1.0, *map(float, tails)])
    one = np.eye(size + 1)
    steps = [kron((one[c] - one[a])[:, 1:], np.ones((count, 1))), kron(-used[:, None], eye(count))]
    falls = [coo_matrix((count - 1, size)), eye(count - 1, count, k=1) - eye(count - 1, count)]
    matrix = csr_matrix(vstack([hstack(steps), hstack(falls)]))
    right = np.append(np.outer(survival[a] - survival[c], times), np.zeros(count - 1))
    widths = np.diff(times)
    cost = np.concatenate([np.zeros(size - 1), [-1.0], (np.append(widths, 0) + np.append(0, widths)) / 2])
    bounds = [(None, None)] * size + [(0, None)] * (count - 1) + [(0, 0)]
    solved: Any = linprog(cost, A_ub=matrix, b_ub=right, bounds=bounds, method="highs")
    if solved.x is None:
        raise NotCertified("no price was found")
    return [float(x) for x in solved.x[size:]]
