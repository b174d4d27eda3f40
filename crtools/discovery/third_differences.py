"""Third differences of a latency in the shares of two lengths, which are 0 if it is quadratic; and its ratio to the area form.

A latency that is not quadratic may follow the area form, that of a queue in random order in which each request delays the others by
its token-instants v: with memory full on average its entries are ½ (v_i + v_j). With few lengths, requests can stay in step, end
together and leave memory unused; with many lengths their ends spread.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from crtools.discovery.entries import Point
from crtools.errors import InputError
from crtools.numeric_types import FloatArray, JsonObject
from crtools.process import Policy, simulate
from crtools.process.policies import known_policies
from crtools.process.sweep import Progress
from crtools.schedule import volume

SETTINGS: tuple[Point, ...] = ((2, 5, 1), (1, 3, 0), (1, 6, 0), (3, 5, 1), (2, 7, 2))
"""The lengths i < j and the s of the runs; all s + i and s + j divide 36, so that batches are whole."""

Size = tuple[int, int, int]
"""M, n/M and the number of seeds."""

Sizes = tuple[Size, Size]
"""The second M is four times the first, and n/M grows."""

SIZES: Sizes = ((360, 12, 32), (1440, 24, 16))
"""The runs behind third differences."""

SLOW_SIZES: Sizes = ((36, 6, 24), (144, 12, 12))
"""Those of a policy that the fast engine does not run."""

LOOKS = 4
"""The factor by which the number of seeds is reduced for the runs that choose a setting."""

STEPS = 6
"""Shares are k/6."""

SLOWEST = 0.5**0.5
"""A vanishing difference is multiplied by at most this if M grows by four and n/M by two: it falls at least like M^(−1/4)."""

NEGLIGIBLE = 0.005
"""A third difference beyond its interval by more than this, relative to the largest value, speaks against a form."""

AGREES, AGREES_PACED = 0.1, 0.25
"""Formulas and runs in random orders, extrapolated to n/M → ∞, differ by at most this, relative to the formulas.

A pace leaves some of a small memory empty.
"""

Intervals = Mapping[int, tuple[int, int]]
"""The prediction interval that the policy gets for each length."""


@dataclass(frozen=True)
class ThirdDifferences:
    """Third differences in the share of length i, the rest of length j, of 2M·TEL/n², over seeds.

    at: i, j and s. means, halves: each difference, and half the width of its interval, all of which hold at once with
    99 %. values: what is differenced, at the shares k/6 of i.
    """

    at: Point
    memory: int
    n: int
    means: tuple[float, ...]
    halves: tuple[float, ...]
    values: tuple[float, ...]

    @property
    def scale(self) -> float:
        """The largest value that is differenced."""
        return max(self.values)

    @property
    def excess(self) -> float:
        """By how much the clearest difference is away from 0 beyond its interval, over ``scale``; < 0: none is."""
        return max(abs(m) - h for m, h in zip(self.means, self.halves, strict=True)) / self.scale

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return {
            "lengths": list(self.at[:2]), "s": self.at[2], "memory": self.memory, "n": self.n, "mean": list(self.means),
            "half_width": list(self.halves), "scale": self.scale, "excess": self.excess,
        }  # fmt: skip


def sizes_for(policy: Policy, sizes: Sizes | None) -> Sizes:
    """Return the sizes of the runs, by default those that the policy's engine can do in seconds; checked."""
    chosen = sizes or (SIZES if has_large_runs(policy) else SLOW_SIZES)
    (memory, batches, first), (large, more, second) = chosen
    if large != 4 * memory or more <= batches or batches < 1 or min(memory, first - 1, second - 1) < 1:
        raise InputError("sizes", chosen, "must be (M, n/M, seeds) and (4M, more, seeds), with two seeds or more")
    return chosen


def has_large_runs(policy: Policy) -> bool:
    """Return whether large runs of a policy take seconds: of crtools' own, and of those that cancel nothing."""
    installed = known_policies().get(policy.name) == policy and policy.plan is None
    return installed or (policy.fixed and policy.equals != "ties")


def larger(sizes: Sizes) -> Size:
    """Return a third size, for runs where the two decide nothing."""
    memory, batches, seeds = sizes[1]
    return 4 * memory, 2 * batches, max(2, seeds // 2)


def looked_at(policy: Policy, sizes: Sizes, progress: Progress = iter) -> tuple[ThirdDifferences, ...]:
    """Return third differences at every setting, from few runs; the seeds are not those of :func:`clearest`."""
    memory, batches, seeds = sizes[0]
    few = range(10**6, 10**6 + max(2, seeds // LOOKS))
    return tuple(third_differences(policy, at, memory, memory * batches, few) for at in progress(SETTINGS))


def clearest(
    policy: Policy, looks: Sequence[ThirdDifferences], sizes: Sequence[Size], progress: Progress = iter
) -> tuple[ThirdDifferences, ...]:
    """Return third differences at each size, in the setting where those of ``looks`` are farthest from 0."""
    at = max(looks, key=lambda look: look.excess).at
    runs = ((memory, memory * batches, progress(range(seeds))) for memory, batches, seeds in sizes)
    return tuple(third_differences(policy, at, *each) for each in runs)


def third_differences(policy: Policy, at: Point, memory: int, n: int, seeds: Iterable[int]) -> ThirdDifferences:
    """Run a policy on shuffled lengths i < j at shares 0, 1/6, …, 1 and difference what 2M·TEL/n² is."""
    i, j, s = at
    intervals = dict.fromkeys((i, j), (i, j))
    patterns = [[i] * part + [j] * (STEPS - part) for part in range(STEPS + 1)]
    table = np.array([[latency(policy, p, intervals, s, memory, n, seed) for p in patterns] for seed in seeds])
    differences = np.diff(table, 3, axis=1)
    means, halves, values = differences.mean(axis=0), half_widths(differences), table.mean(axis=0)
    return ThirdDifferences(at, memory, n, *(tuple(map(float, row)) for row in (means, halves, values)))


def latency(
    policy: Policy, pattern: Sequence[int], intervals: Intervals, s: int, memory: int, n: int, seed: int
) -> float:
    """Return 2M·TEL/n² of one run on a pattern of lengths, repeated n/len(pattern) times, shuffled."""
    lengths = np.random.default_rng(seed).permutation(list(pattern) * (n // len(pattern)))
    low, high = np.array([intervals[length] for length in lengths.tolist()]).T
    run = simulate(policy, lengths, memory, s, low, high, seed=seed)
    return 2 * memory * run.total_latency / len(lengths) ** 2


def half_widths(rows: FloatArray) -> FloatArray:
    """Return half the widths of the intervals of the means of columns, which hold all at once with 99 %."""
    from scipy.special import stdtrit

    seeds, count = rows.shape
    return float(stdtrit(seeds - 1, 1 - 0.01 / (2 * count))) * rows.std(axis=0, ddof=1) / seeds**0.5


def not_quadratic(before: ThirdDifferences, last: ThirdDifferences) -> bool:
    """Return whether a third difference stays clearly away from 0 as M → ∞.

    The vanishing part is multiplied by some r between 0 and ``SLOWEST`` from the first size to the second, so that the limit is
    (last − r · before)/(1 − r). It must be beyond its interval, on the same side of 0, at both ends of r, and so between.
    """
    return any(
        all(side * (b - r * a) - (h + r * g) > NEGLIGIBLE * last.scale * (1 - r) for r in (0, SLOWEST))
        for a, b, g, h in zip(before.means, last.means, before.halves, last.halves, strict=True)
        for side in (1, -1)
    )


LENGTHS: tuple[tuple[int, ...], ...] = ((2, 5), (2, 3, 4, 5), tuple(range(2, 9)), tuple(range(2, 14)))
"""In equal shares, at s = 1: from few to many."""

PROMPT = 1
"""s."""

FOLLOWS = 0.02
"""A latency within its interval and this of the area form's follows it."""


@dataclass(frozen=True)
class OverArea:
    """2M·TEL/n² over the area form's, for equal shares of some lengths, with what vanishes like 1/√M taken out.

    half: half the width of an interval that holds with 99 % or more.
    """

    lengths: tuple[int, ...]
    ratio: float
    half: float

    @property
    def follows(self) -> bool:
        """Whether the latency agrees with the area form."""
        return abs(self.ratio - 1) <= FOLLOWS and self.half <= FOLLOWS

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return {
            "lengths": list(self.lengths), "s": PROMPT, "ratio": self.ratio, "half_width": self.half,
            "follows": self.follows,
        }  # fmt: skip


def over_areas(policy: Policy, sizes: Sizes, progress: Progress = iter) -> tuple[OverArea, ...]:
    """Compare a policy's latency with its area form's under a few lengths and under many; none where it takes only two."""
    if policy.takes == "l-or-u":
        return ()
    return tuple(_over_area(policy, lengths, sizes) for lengths in progress(LENGTHS))


def _over_area(policy: Policy, lengths: Sequence[int], sizes: Sizes) -> OverArea:
    area = sum(volume(PROMPT, k) for k in lengths) / len(lengths)
    intervals = dict.fromkeys(lengths, (min(lengths), max(lengths)))
    means, halves = [], []
    for memory, batches, seeds in sizes:
        rows = [[latency(policy, lengths, intervals, PROMPT, memory, memory * batches, k) / area] for k in range(seeds)]
        means.append(float(np.mean(rows)))
        halves.append(float(half_widths(np.array(rows))[0]))
    return OverArea(tuple(lengths), 2 * means[1] - means[0], 2 * halves[1] + halves[0])
