"""Two measurements of a policy's form, for ``discover``: exact runs with matched counts, and the attempts of a paced policy.

Counts are matched if batches of M/(s+L) requests are whole for every length L at which requests leave, and divide the counts. TEL is
then an exact polynomial of the counts if the policy has a form. Its second differences over the totals at n, 2n, 3n and 4n are
(n²/M) · form(x); if they disagree, there is no form.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import ceil, inf, lcm
from typing import Literal, TypeAlias

import numpy as np

from crtools.discovery.entries import Measurement
from crtools.discovery.rules import leaving
from crtools.errors import InputError, Livelock
from crtools.numeric_types import IntArray
from crtools.process import Policy, simulate
from crtools.process.policies import Priority
from crtools.process.reference import Job
from crtools.schedule import volume

Bound: TypeAlias = "int | IntArray"
"""A bound on the lengths, of all requests or of each."""

RESIDUES = 4
"""The number of remainders of a count that are run: at lengths 2 and 5, s = 1, all that a batch can leave."""


def exact_run(
    policy: Policy,
    lengths: Sequence[int],
    memory: int,
    s: int,
    l: Bound,
    u: Bound,
    engine: Literal["auto", "reference"] = "reference",
) -> int:
    """Return the TEL of a run in which requests of equal priority go in the order of ``lengths``."""
    as_given = range(len(lengths))
    order, ties = (as_given if policy.equals == name else None for name in ("order", "ties"))
    return simulate(policy, lengths, memory, s, l, u, order=order, ties=ties, engine=engine).total_latency


def second_difference(totals: Sequence[int], memory: int, n: int) -> Fraction | None:
    """Return the form's value from the totals of n, 2n, 3n and 4n requests; None where they are on no parabola."""
    one, two, three, four = totals
    second = three - 2 * two + one
    return Fraction(second * memory, n * n) if four - 2 * three + two == second else None


def enough_memory(policy: Policy, unit: int, lengths: Sequence[int], s: int, l: int, u: int) -> int:
    """Return the least multiple of ``unit`` with which a policy runs requests of these lengths in [l, u]."""
    longest = max(int(policy.longest(Job(0, s, l, u, length))) for length in lengths)
    return unit * ceil((s + longest) / unit)


def matched_value(
    policy: Policy,
    pattern: Sequence[int],
    s: int,
    interval_of: Mapping[int, tuple[int, int]],
    ages: set[int],
    more: int = 0,
    engine: Literal["auto", "reference"] = "reference",
    largest_run: float = inf,
) -> Fraction | None:
    """Return the form's value at the shares of a pattern of lengths, by runs with matched counts; None where it has none.

    ``ages``: those at which requests leave. ``more`` requests of the least length stand at the front, for counts that are not
    matched. Raises ``InputError`` for runs of more than ``largest_run`` requests.
    """
    intervals = {k: interval_of[k] for k in pattern}
    sizes = {s + k for k in {*pattern, *ages, *chain(*intervals.values())}}
    memory = max(enough_memory(policy, len(pattern) * lcm(*sizes), [k], s, l, u) for k, (l, u) in intervals.items())
    repeats = lcm(*(memory // size for size in sizes))
    if (number := 4 * len(pattern) * repeats) > largest_run:
        need = f"need runs of {number} requests with whole batches, at most {largest_run}"
        allowed = f"{need}: take some whose s + length have common factors"
        raise InputError("lengths", ", ".join(map(str, sorted(intervals))), allowed)
    totals: list[int] = []
    for k in (1, 2, 3, 4):
        lengths = [min(pattern)] * more + list(pattern) * (repeats * k)
        low, high = np.array([interval_of[length] for length in lengths]).T
        try:
            totals.append(exact_run(policy, lengths, memory, s, low, high, engine))
        except Livelock:
            return None
    return second_difference(totals, memory, len(pattern) * repeats)


class ExactRuns(Measurement):
    """Measures a form by exact runs; see :func:`matched_value`."""

    name = "exact runs with matched counts"

    def on(self, pattern: Sequence[int], s: int, l: int, u: int, more: int = 0) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths in [l, u], or None where it has none."""
        ages = leaving(self.policy, l, u, s)
        return matched_value(self.policy, pattern, s, dict.fromkeys(pattern, (l, u)), ages, more)

    def residues(self, i: int, j: int, s: int) -> dict[int, Fraction | None]:
        """Return the value at equal shares of i < j with r further requests of length i at the front, for r = 0, 1, …"""
        return {r: self.on((i, j), s, i, j, r) for r in range(RESIDUES)}


class PacedAttempts(Measurement):
    """Derives a form from the attempts of a paced policy, exactly; runs confirm that pacing costs nothing in the limit.

    In the limit memory is full on average, so that attempts run one after the other, each for its volume over M. A request of length j
    delays one of length i by the volumes of its attempts before the last one of i, and by half of those of equal priority.
    """

    name = "attempts one after the other, by their volumes"

    def on(self, pattern: Sequence[int], s: int, l: int, u: int) -> Fraction | None:
        """Return the value at the shares of a pattern of lengths in [l, u], or None where attempts do not grow."""
        rows = [self._attempts(length, s, l, u) for length in pattern]
        if not all(rows):
            return None
        delays = [_delay(one[-1][0], other) for one in rows for other in rows]
        return 2 * sum(delays, Fraction(0)) / len(pattern) ** 2

    def _attempts(self, length: int, s: int, l: int, u: int) -> list[tuple[Priority, int]]:
        """Return the priority and the volume of each attempt of a request; none where one is no longer than the one before."""
        job = Job(0, s, l, u, length)
        job.bound = self.policy.bound(job)
        made: list[tuple[Priority, int]] = []
        while True:
            assumed = int(self.policy.assumed(job, 0))
            if assumed < job.bound and assumed < length:
                return []
            made.append((self.policy.priority(job), volume(s, min(assumed, length))))
            if length <= assumed:
                return made
            job.bound = assumed + 1


def _delay(last: Priority, attempts: Sequence[tuple[Priority, int]]) -> Fraction:
    before = sum(size for priority, size in attempts if priority < last)
    return before + Fraction(sum(size for priority, size in attempts if priority == last), 2)
