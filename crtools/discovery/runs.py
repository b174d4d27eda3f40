"""Two measurements of a policy's form, for ``discover``: exact runs with matched counts, and the attempts of a paced policy.

Matched: batches of M/(s+L) requests are whole for every length L at which requests leave, and divide the counts.
TEL is then an exact polynomial of the counts if the policy has a form. Its second differences over the totals
are (n²/M) · form(x); if they disagree, there is no form.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import Literal

from crtools.discovery.entries import Measurement
from crtools.discovery.rules import leaving
from crtools.errors import Livelock
from crtools.process import Policy, simulate
from crtools.process.policies import Priority
from crtools.process.reference import Job
from crtools.schedule import volume

Bound = int | Sequence[int]
"""A bound on the lengths, of all requests or of each."""

RESIDUES = 4
"""So many remainders of a count are looked at: at lengths 2 and 5, s = 1, all that a batch can leave."""


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


class ExactRuns(Measurement):
    """Measures a form by exact runs."""

    name = "exact runs with matched counts"

    def on(self, pattern: Sequence[int], s: int, l: int, u: int, more: int = 0) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths in [l, u], or None where it has none.

        The pattern is repeated; M and n are such that batches and counts are whole. Second differences of the totals at
        n, 2n, 3n and 4n are 2n²/(2M) times the value, and must agree. ``more`` requests of length l stand before the
        others, to see the effect of counts that are not matched.
        """
        sizes = {s + length for length in {*pattern, l, u, *leaving(self.policy, l, u, s)}}
        memory = enough_memory(self.policy, len(pattern) * lcm(*sizes), pattern, s, l, u)
        repeats = lcm(*(memory // size for size in sizes))
        n = len(pattern) * repeats
        many = ([l] * more + list(pattern) * (repeats * k) for k in (1, 2, 3, 4))
        try:
            return second_difference([exact_run(self.policy, lengths, memory, s, l, u) for lengths in many], memory, n)
        except Livelock:
            return None

    def residues(self, i: int, j: int, s: int) -> dict[int, Fraction | None]:
        """Return the value at equal shares of i < j where r more of length i stand first, for the first r."""
        return {r: self.on((i, j), s, i, j, r) for r in range(RESIDUES)}


class PacedAttempts(Measurement):
    """Reads a form off the attempts of a paced policy, exactly; that the pace loses nothing is left to runs.

    In the limit of the pace memory is full on average, so attempts go one after the other, each taking its volume over M. A request of
    length j delays one of length i by the volumes of its attempts before the last of i, and by half of those equal to it in the order.
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
