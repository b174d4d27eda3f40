"""A law of lengths as a blind scheduler meets it: what attempts use and complete, in integers.

An attempt (a, c), a < c, is one that kills at the c-th size, after one that killed at the a-th (0: none). Of all requests a share
m = P(size > a-th) − P(size > c-th) completes in it, and it uses F = E[min(size, c-th); size > a-th] of the machine; its index is m/F.
A plan is a path 0 → … → K of attempts, its last one is not killed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd, lcm
from typing import Any

import numpy as np

Path = tuple[int, ...]
"""A plan: the places 0 = a_0 < a_1 < … < a_r = K of the sizes at which its attempts end."""


def shortest(lengths: Any) -> tuple[Any, Path]:
    """Return the length of the shortest path 0 → K, and the path, for the lengths of all attempts, column after column."""
    count, start = round((2 * len(lengths)) ** 0.5), 0
    best, before = np.zeros(count + 1, dtype=lengths.dtype), [0] * (count + 1)
    for c in range(1, count + 1):
        steps = best[:c] + lengths[start : start + c]
        start += c
        before[c] = at = int(steps.argmin())
        best[c] = steps[at]
    path = [len(best) - 1]
    while path[-1]:
        path.append(before[path[-1]])
    return best[-1], tuple(path[::-1])


@dataclass(frozen=True)
class Requests:
    """``sizes``: volumes v_1 < … < v_K in token-instants, up to a factor; ``weights``: how many requests have each, up to a factor.

    Both are integers > 0; attempts are counted in their units.
    """

    sizes: tuple[int, ...]
    weights: tuple[int, ...]

    @classmethod
    def of(cls, weights: dict[Fraction | int, Fraction]) -> Requests:
        """Return the requests of a law given as {size: weight}, all of them rational and > 0."""
        sizes, shares = zip(*sorted(weights.items()), strict=True)
        return cls(_integers(sizes), _integers(shares))

    @cached_property
    def left(self) -> tuple[int, ...]:
        """How many requests are larger than the a-th size, a = 0, …, K."""
        return tuple(accumulate(self.weights[::-1], initial=0))[::-1]

    @cached_property
    def _worked(self) -> tuple[int, ...]:
        """Σ min(size, c-th size) over all requests, c = 0, …, K."""
        steps = (b - a for a, b in pairwise((0, *self.sizes)))
        return tuple(accumulate((rest * step for rest, step in zip(self.left, steps, strict=False)), initial=0))

    def completes(self, a: int, c: int) -> int:
        """How many requests an attempt completes."""
        return self.left[a] - self.left[c]

    def uses(self, a: int, c: int) -> int:
        """What an attempt uses: it repeats the a-th size for each request that is larger."""
        return self._worked[c] - self._worked[a] + (0, *self.sizes)[a] * self.left[a]

    @property
    def nbue(self) -> bool:
        """Whether E min(size, c) ≥ E size · P(size ≤ c) for every c: new better than used in expectation."""
        last = len(self.sizes)
        return all(self.uses(0, c) * self.left[0] >= self.uses(0, last) * self.completes(0, c) for c in range(1, last))

    @cached_property
    def shared(self) -> int:
        """Σ min(size, size') over all pairs: twice what the optimum pays."""
        return sum(rest**2 * (b - a) for rest, (a, b) in zip(self.left, pairwise((0, *self.sizes)), strict=False))

    @cached_property
    def attempts(self) -> tuple[Any, Any]:
        """What attempts use and complete as floats, per request; see :func:`attempts`."""
        total = self.left[0]
        return attempts(np.array(self.sizes, dtype=float), np.array([x / total for x in self.weights]))

    @cached_property
    def exact_attempts(self) -> tuple[Any, Any]:
        """The same as integers, of all requests."""
        return attempts(np.array(self.sizes, dtype=object), np.array(self.weights, dtype=object))


def attempts(sizes: Any, weights: Any) -> tuple[Any, Any]:
    """Return what attempts use and complete, for arrays of K sizes and weights: column after column, (0, c), …, (c−1, c)."""
    ends, zero = range(1, len(sizes) + 1), np.zeros(1, dtype=sizes.dtype)
    left = np.append(np.cumsum(weights[::-1])[::-1], zero)
    sizes = np.append(zero, sizes)
    worked = np.append(zero, np.cumsum(left[:-1] * np.diff(sizes)))
    repeated = sizes * left - worked
    used = np.concatenate([worked[c] + repeated[:c] for c in ends])
    return used, np.concatenate([left[:c] - left[c] for c in ends])


def _integers(numbers: Any) -> tuple[int, ...]:
    """Return rational numbers times a common factor, as integers without a common divisor."""
    fractions = [Fraction(x) for x in numbers]
    common = lcm(*(x.denominator for x in fractions))
    whole = [int(x * common) for x in fractions]
    divisor = gcd(*whole)
    return tuple(x // divisor for x in whole)
