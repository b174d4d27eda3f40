"""A distribution of request sizes and a blind scheduler's attempts: the volume that each uses, and the requests that it completes.

Sizes v_1 < … < v_K are volumes in token-instants; v_0 = 0. An attempt (a, c), a < c, is killed at v_c, after one that was killed at
v_a (a = 0: the first attempt). It completes the share m = P(v > v_a) − P(v > v_c) of the requests and uses
F = E[min(v, v_c); v > v_a] of the machine. Its index is m/F. A plan is a path 0 → … → K of attempts; the last one is not killed.

Arrays over all attempts are flat, column after column: (0, 1), (0, 2), (1, 2), (0, 3), …: the attempt (a, c) is at c(c−1)/2 + a.
Everything in this package builds on :class:`Requests`. Tests: tests/blind/test_best.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd, lcm
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from crtools.errors import InputError
from crtools.expressions import number
from crtools.process.clocks import SECONDS, Clock
from crtools.schedule import volume
from crtools.setting import integer

Path = tuple[int, ...]
"""A plan: 0 = a_0 < a_1 < … < a_r = K, the numbers of the sizes at which its attempts end."""

IntegerArray: TypeAlias = "npt.NDArray[np.object_]"
"""An array of Python integers of any length, for exact arithmetic."""

NumberArray: TypeAlias = "npt.NDArray[Any]"
"""An array of floats, or an ``IntegerArray``: the formulas are the same."""


def shortest(lengths: NumberArray) -> tuple[Any, Path]:
    """Return the length of the shortest path 0 → K and the path; ``lengths``: one for each attempt, in the flat order."""
    lasts, path = shortest_by_columns(columns(lengths), round((2 * len(lengths)) ** 0.5), lengths.dtype)
    return lasts[path[-2]], path


def columns(values: NumberArray, first: int = 1) -> Iterator[NumberArray]:
    """Yield the parts of an array over attempts in the flat order: those that end at ``first``, and at each later size."""
    start, c = 0, first
    while start < len(values):
        yield values[start : start + c]
        start, c = start + c, c + 1


def shortest_by_columns(lengths: Iterable[NumberArray], count: int, dtype: npt.DTypeLike) -> tuple[NumberArray, Path]:
    """Return the lengths of the shortest paths 0 → K whose last attempt starts at 0, …, K − 1, and the shortest of them.

    ``lengths``: those of the attempts that end at 1, …, K, where K is ``count``.
    """
    best, before, steps = np.zeros(count + 1, dtype), [0] * (count + 1), np.zeros(0, dtype)
    for c, column in enumerate(lengths, start=1):
        steps = best[:c] + column
        before[c] = last = int(steps.argmin())
        best[c] = steps[last]
    path = [count]
    while path[-1]:
        path.append(before[path[-1]])
    return steps, tuple(path[::-1])


def sum_of_minima(survivors: Sequence[Any], sizes: Sequence[Any]) -> Any:
    """Return Σ min(v, v') over all pairs of requests; ``survivors``: how many are larger than 0 and than each of the sizes."""
    return sum(n**2 * (b - a) for n, (a, b) in zip(survivors, pairwise((0, *sizes)), strict=False))


@dataclass(frozen=True)
class Cost:
    """The cost of an attempt up to age a: w(a) = set_up + per_prompt·s + per_token·a + per_held·(s·a + a(a + 1)/2).

    The coefficients are rational, and per_token + per_held > 0. By default w is the volume.

    Examples
    --------
    >>> Cost(set_up=Fraction(5), per_token=Fraction(1, 2)).size(s=3, length=2)  # 5 + 1 + 9, over the unit 1/2
    30
    """

    set_up: Fraction = Fraction(0)
    per_prompt: Fraction = Fraction(0)
    per_token: Fraction = Fraction(0)
    per_held: Fraction = Fraction(1)

    @cached_property
    def unit(self) -> Fraction:
        """All costs are integer multiples of it."""
        parts = (self.set_up, self.per_prompt, self.per_token, self.per_held)
        return Fraction(1, lcm(*(part.denominator for part in parts)))

    def set_up_of(self, s: int) -> Fraction:
        """Return the cost of starting an attempt: set_up + per_prompt·s."""
        return self.set_up + self.per_prompt * s

    def size(self, s: int, length: int) -> int:
        """Return w(length) in units of :attr:`unit`."""
        return int(self.set_up_of(s) / self.unit) + self._whole[0] * length + self._whole[1] * volume(s, length)

    @cached_property
    def _whole(self) -> tuple[int, int]:
        return int(self.per_token / self.unit), int(self.per_held / self.unit)

    def bound(self, s: int, second_moment: Callable[[int], Fraction]) -> Fraction:
        """Return an upper bound on Σ w(o) over lengths o, in units, from ``second_moment(s)`` ≥ Σ (s + o)².

        A volume s·o + o(o + 1)/2 is at most (s + o)².
        """
        per_token, per_held = self._whole
        overhead = max(int(self.set_up_of(s) / self.unit), 0) + per_token
        return per_held * second_moment(s) + (overhead * second_moment(0) if overhead else 0)

    def __str__(self) -> str:
        if self == VOLUME_COST:
            return "volume"
        parts = (self.set_up, self.per_prompt, self.per_token, self.per_held)
        factors = ("", "·s", "·a", "·(s·a + a(a + 1)/2)")
        texts = (str(part) if len(str(part)) < 9 else f"{float(part):.6g}" for part in parts)
        return " + ".join(text + factor for part, text, factor in zip(parts, texts, factors, strict=True) if part)


VOLUME_COST = Cost()
"""The cost in token-instants: the volume."""


def as_cost(cost: str | Sequence[Any] | Clock | Cost, memory: int | None = None) -> Cost:
    """Return the cost for a name, three coefficients or a clock.

    Parameters
    ----------
    cost
        ``volume``; three numbers ≥ 0 (set-up, per token, per token-instant), also as a text with commas; a :class:`Clock` or
        ``seconds``: c₁(s − 1 + a) + (c₀/M + c₂)(s·a + a(a + 1)/2), the least work of an attempt.
    memory
        The capacity M, which only a clock needs.

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> str(as_cost("100, 1/2, 1"))
    '100 + 1/2·a + 1·(s·a + a(a + 1)/2)'
    """
    if isinstance(cost, Cost):
        return cost
    if cost == SECONDS.name or isinstance(cost, Clock):
        if memory is None:
            raise InputError("memory", "none", "is needed for the cost in seconds: give the capacity M")
        clock = cost if isinstance(cost, Clock) else SECONDS
        base, per_token, per_held = (Fraction(str(x)) for x in (clock.base, clock.per_token, clock.per_held))
        return Cost(-per_token, per_token, per_token, base / integer("memory", memory, 1) + per_held)
    if memory is not None:
        raise InputError("memory", memory, f"only applies to the cost in seconds, and the cost is {cost}")
    if cost == "volume":
        return VOLUME_COST
    texts = cost.split(",") if isinstance(cost, str) else [str(x) for x in cost]
    three = "three numbers ≥ 0: set-up, per token, per token-instant; the last two not both 0"
    allowed = f"must be volume, seconds, or {three}"
    if len(texts) != 3:
        raise InputError("cost", cost, allowed)
    set_up, per_token, per_held = (number("cost", text) for text in texts)
    if min(set_up, per_token, per_held) < 0 or not per_token + per_held:
        raise InputError("cost", cost, allowed)
    return Cost(set_up, Fraction(0), per_token, per_held)


@dataclass(frozen=True)
class Requests:
    """Requests by size. ``sizes``: v_1 < … < v_K; ``weights``: how many requests have each.

    Both are positive integers, each up to a common factor. ``uses`` and ``completes`` count in these units.
    """

    sizes: tuple[int, ...]
    weights: tuple[int, ...]

    @classmethod
    def of(cls, weights: Mapping[Any, Fraction]) -> Self:
        """Return the requests of a distribution given as {size: weight}, all rational and > 0."""
        sizes, shares = zip(*sorted(weights.items()), strict=True)
        return cls(_integers(sizes), _integers(shares))

    @classmethod
    def counted(cls, weights: Mapping[int, int]) -> Self:
        """Return the requests of {size: weight}, integers; only weights > 0 count."""
        positive = sorted((size, weight) for size, weight in weights.items() if weight > 0)
        return cls(tuple(size for size, _ in positive), tuple(weight for _, weight in positive))

    @cached_property
    def survivors(self) -> tuple[int, ...]:
        """How many requests are larger than v_a, for a = 0, …, K."""
        return tuple(accumulate(self.weights[::-1], initial=0))[::-1]

    @cached_property
    def _truncated_work(self) -> tuple[int, ...]:
        """Σ min(v, v_c) over all requests, for c = 0, …, K."""
        steps = (b - a for a, b in pairwise((0, *self.sizes)))
        return tuple(accumulate((n * step for n, step in zip(self.survivors, steps, strict=False)), initial=0))

    def completes(self, a: int, c: int) -> int:
        """Return how many requests the attempt (a, c) completes."""
        return self.survivors[a] - self.survivors[c]

    def uses(self, a: int, c: int) -> int:
        """Return the volume that the attempt (a, c) uses: each request larger than v_a repeats v_a."""
        return self._truncated_work[c] - self._truncated_work[a] + (0, *self.sizes)[a] * self.survivors[a]

    @cached_property
    def set_up_to_add(self) -> Fraction:
        """The least σ, of either sign, for which the sizes σ + v are NBUE: the maximum over c of (E v · P(v ≤ c) − E min(v, c))/P(v > c).

        The condition E min(σ + v, σ + c) ≥ (σ + E v) P(v ≤ c) is linear in σ.
        """
        total, last = self.survivors[0], len(self.sizes)
        mean, rows = self.uses(0, last), range(1, last)
        missing = (mean * self.completes(0, c) - self.uses(0, c) * total for c in rows)
        needed = (Fraction(x, total * self.survivors[c]) for c, x in zip(rows, missing, strict=True))
        return max(needed, default=Fraction(-self.sizes[0]))

    @property
    def nbue(self) -> bool:
        """Whether E min(v, c) ≥ E v · P(v ≤ c) for every c: new better than used in expectation."""
        return self.set_up_to_add <= 0

    @cached_property
    def twice_optimum(self) -> int:
        """Twice the optimal total latency."""
        return sum_of_minima(self.survivors, self.sizes)


Attempts: TypeAlias = tuple[NumberArray, NumberArray]
"""The volume that each attempt uses, and the requests that it completes, in the flat order."""


def attempts(sizes: NumberArray, weights: NumberArray, ends: Iterable[int] | None = None) -> Attempts:
    """Return all attempts for arrays of K sizes and weights; ``ends``: for these c only."""
    zero = np.zeros(1, dtype=sizes.dtype)
    ends = range(1, len(sizes) + 1) if ends is None else list(ends)
    survivors = np.append(np.cumsum(weights[::-1])[::-1], zero)
    sizes = np.append(zero, sizes)
    worked = np.append(zero, np.cumsum(survivors[:-1] * np.diff(sizes)))
    repeated = sizes * survivors - worked
    used = np.concatenate([worked[c] + repeated[:c] for c in ends])
    return used, np.concatenate([survivors[:c] - survivors[c] for c in ends])


def _integers(numbers: Iterable[Fraction | int]) -> tuple[int, ...]:
    """Return rational numbers times a common factor, as integers without a common divisor."""
    fractions = [Fraction(x) for x in numbers]
    common = lcm(*(x.denominator for x in fractions))
    whole = [int(x * common) for x in fractions]
    divisor = gcd(*whole)
    return tuple(x // divisor for x in whole)
