"""Exact runs of the process with matched counts.

Matched: batches of M/(s+L) requests are whole for every length L at which requests leave, and divide the counts.
TEL is then an exact polynomial of the counts where the policy has a form; its second differences over the totals
are (n²/M) · form(x), and must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Any

from crtools.discovery.entries import Entries, entries_of
from crtools.discovery.pairs import leaving
from crtools.errors import Livelock
from crtools.process import Policy, simulate
from crtools.process.reference import Job

TotalLatency = Callable[[Sequence[int], int, int, int, int], int]
"""TEL of a run, from the lengths, M, s, l and u."""

RESIDUES = 4
"""So many remainders of a count are looked at: at lengths 2 and 5, s = 1, all that a batch can leave."""


def exact_run(policy: Policy) -> TotalLatency:
    """Return the TEL of runs in which equals go in the order of the lengths given."""

    def total(lengths: Sequence[int], memory: int, s: int, l: int, u: int) -> int:
        first: dict[str, Any] = {policy.equals: range(len(lengths))} if policy.equals != "index" else {}
        return simulate(policy, lengths, memory, s, l, u, **first, engine="reference").total_latency

    return total


def enough_memory(policy: Policy, unit: int, lengths: Sequence[int], s: int, l: int, u: int) -> int:
    """Return the least multiple of ``unit`` with which a policy runs requests of these lengths in [l, u]."""
    longest = max(int(policy.longest(Job(0, s, l, u, length))) for length in lengths)
    return unit * ceil((s + longest) / unit)


@dataclass(frozen=True)
class ExactRuns:
    """Measures a form by exact runs; ``total`` runs the policy."""

    policy: Policy
    total: TotalLatency

    name = "exact runs with matched counts"

    def value(self, pattern: Sequence[int], s: int, more: int = 0) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths, whose ends are l and u; see :meth:`on`."""
        return self.on(pattern, s, min(pattern), max(pattern), more)

    def on(self, pattern: Sequence[int], s: int, l: int, u: int, more: int = 0) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths in [l, u], or None where it has none.

        The pattern is repeated; M and n are such that batches and counts are whole. Second differences of the totals at
        n, 2n, 3n and 4n are 2n²/(2M) times the value, and must agree. ``more`` requests of length l stand before the
        others, to see what counts that are not matched do.
        """
        sizes = {s + length for length in {*pattern, l, u, *leaving(self.policy, l, u, s)}}
        memory = enough_memory(self.policy, len(pattern) * lcm(*sizes), pattern, s, l, u)
        repeats = lcm(*(memory // size for size in sizes))
        n = len(pattern) * repeats
        try:
            one, two, three, four = (
                self.total([l] * more + list(pattern) * (repeats * k), memory, s, l, u) for k in (1, 2, 3, 4)
            )
        except Livelock:
            return None
        second = three - 2 * two + one
        return Fraction(second * memory, n * n) if four - 2 * three + two == second else None

    def entries(self, i: int, j: int, s: int) -> Entries | None:
        """Return the entries on lengths i < j, or None where totals contradict a form."""
        return entries_of(self.on(pattern, s, i, j) for pattern in ((i,), (i, j), (j,)))

    def residues(self, i: int, j: int, s: int) -> dict[int, Fraction | None]:
        """Return the value at equal shares of i < j where r more of length i stand first, for the first r."""
        return {r: self.value((i, j), s, r) for r in range(RESIDUES)}
