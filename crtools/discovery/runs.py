"""Runs of the process on two lengths: exact ones with matched counts, and ones in random orders.

Matched: batches of M/(s+i) and of M/(s+j) requests are whole, hold every length in its share, and divide the counts.
TEL is then an exact polynomial of the counts where the policy has a form; its second differences over the totals
are (n²/M) · form(x), and must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from crtools.errors import Livelock
from crtools.process import Policy, simulate

TotalLatency = Callable[[Sequence[int], int, int, int, int], int]
"""TEL of a run, from the lengths, M, s, l and u."""


@dataclass(frozen=True)
class Entries:
    """The entries of a form on two lengths l < u: at (l, l), (l, u) and (u, u)."""

    low: Fraction
    mixed: Fraction
    high: Fraction


def exact_runs(policy: Policy) -> TotalLatency:
    """Return the TEL of runs in which equals go in the order of the lengths given."""

    def total(lengths: Sequence[int], memory: int, s: int, l: int, u: int) -> int:
        first: dict[str, Any] = {policy.equals: range(len(lengths))} if policy.equals != "index" else {}
        return simulate(policy, lengths, memory, s, l, u, **first, engine="reference").total_latency

    return total


def matched(total: TotalLatency, pattern: Sequence[int], s: int, l: int, u: int, more: int = 0) -> Fraction | None:
    """Return the form's value at the shares of a pattern of lengths in [l, u].

    The pattern is repeated; M and n are such that batches and counts are whole. Second differences of the totals at n, 2n,
    3n and 4n are 2n²/(2M) times the value; None is returned where they contradict each other. ``more`` requests of length
    l stand before the others, to see what counts that are not matched do.
    """
    sizes = {s + length for length in (*pattern, l, u)}
    memory = len(pattern) * lcm(*sizes)
    repeats = lcm(*(memory // size for size in sizes))
    n = len(pattern) * repeats
    try:
        one, two, three, four = (
            total([l] * more + list(pattern) * (repeats * k), memory, s, l, u) for k in (1, 2, 3, 4)
        )
    except Livelock:
        return None
    second = three - 2 * two + one
    return Fraction(second * memory, n * n) if four - 2 * three + two == second else None


def matched_entries(total: TotalLatency, i: int, j: int, s: int) -> Entries | None:
    """Return the entries on lengths i < j from runs with matched counts, or None where these contradict a form.

    At each of three shares four totals have to fit one value, a linear term and a constant, exactly.
    """
    return entries_of(matched(total, pattern, s, i, j) for pattern in ((i,), (i, j), (j,)))


def entries_of(values: Iterable[Fraction | None]) -> Entries | None:
    """Return the entries from a form's values at length i alone, at equal shares, and at length j alone."""
    low, half, high = values
    if low is None or half is None or high is None:
        return None
    return Entries(low, (4 * half - low - high) / 2, high)


def residues(total: TotalLatency, i: int, j: int, s: int) -> dict[int, Fraction | None]:
    """Return the form's value at equal shares of i < j where r more requests of length i stand first, r below a batch."""
    batch = 2 * lcm(s + i, s + j) // (s + i)
    return {r: matched(total, (i, j), s, i, j, r) for r in range(batch)}


@dataclass(frozen=True)
class ThirdDifferences:
    """Third differences in the share of the shorter length of 2M·TEL/n², over seeds.

    means, halves: each difference, and half the width of its interval, all of which hold at once with 99 %.
    values: what is differenced, at the shares k/6 of the shorter length.
    """

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


STEPS = 6
"""Shares are k/6."""


def third_differences(
    policy: Policy, i: int, j: int, s: int, *, memory: int, n: int, seeds: int, progress: Any = iter
) -> ThirdDifferences:
    """Run a policy on shuffled lengths i < j at shares 0, 1/6, …, 1 and difference what 2M·TEL/n² is."""
    from scipy.stats import t

    rows: list[Any] = []
    for seed in progress(range(seeds)):
        random = np.random.default_rng(seed)
        values: list[float] = []
        for part in range(STEPS + 1):
            lengths = random.permutation([i] * (n * part // STEPS) + [j] * (n - n * part // STEPS))
            run = simulate(policy, lengths, memory, s, i, j, seed=seed)
            values.append(2 * memory * run.total_latency / n**2)
        rows.append(values)
    table = np.array(rows)
    differences = np.diff(table, 3, axis=1)
    count = differences.shape[1]
    quantile = float(t.ppf(1 - 0.01 / (2 * count), seeds - 1))
    halves = quantile * differences.std(axis=0, ddof=1) / seeds**0.5
    means = differences.mean(axis=0)
    return ThirdDifferences(
        memory, n, tuple(map(float, means)), tuple(map(float, halves)), tuple(map(float, table.mean(axis=0)))
    )
