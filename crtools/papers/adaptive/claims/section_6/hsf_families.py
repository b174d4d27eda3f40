"""Families of instances on which a simple schedule beats H-SF: equal lengths, started a few at every instant.

H-SF starts a batch of equal requests, whose peaks fill the memory together, and waits for its end; started at every
instant, requests of different ages share the memory, and each needs its volume s·o + o(o+1)/2 only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from crtools.ledger.deciders.search import Small, least_memory, most_memory
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.process import simulate
from crtools.schedule import Schedule

LONGEST, PROMPTS, VOLUMES, FEW = 8, (1, 2), (1, 2, 3), 24
"""Small members: lengths, prompt sizes, starts at each instant, and requests, up to these."""

LARGEST_LENGTH, MANY = 2000, 200_000
"""Members that are run by the fast engine: even lengths and requests up to these."""

PAIRS, COUNTS = ((1, 3), (1, 5), (2, 5), (3, 6), (2, 8)), ((2, 3), (3, 3), (5, 3), (3, 5))
"""Two lengths, and how many requests have each."""


def searched_families(most: int) -> str:
    """Return the words for what :func:`better` and :func:`two_lengths` look at."""
    few, many = min(FEW, most), min(MANY, most)
    pairs = [f"{a} and {b}" for a, b in PAIRS]
    found = f"equal lengths ≤ {LONGEST}, s in {set(PROMPTS)}, {VOLUMES[0]} to {VOLUMES[-1]} started at every instant, n ≤ {few}"
    if many > few:
        found += f"; equal even lengths ≤ {LARGEST_LENGTH}, s = 1, one started at every instant, n ≤ {many}"
    largest = max((a + b for a, b in COUNTS if a + b <= most), default=0)
    return f"{found}; lengths {', '.join(pairs)}, n ≤ {largest}, three M each" if largest else found


def two_lengths(most: int) -> Iterator[Small]:
    """Iterate over instances with two lengths and s = 1, of at most ``most`` requests, at three sizes of the memory."""
    for (short, long), (many, few) in product(PAIRS, COUNTS):
        if many + few <= most:
            lengths = (short,) * many + (long,) * few
            least, top = least_memory(lengths, 1), most_memory(lengths, 1)
            yield from (Small(lengths, 1, least + (top - least) * k // 6) for k in (1, 2, 3))


def better(factor: Fraction, most: int) -> dict[str, Any] | None:
    """Return a member of at most ``most`` requests with a total below factor · H-SF's, confirmed twice, or None."""
    return _small(factor, min(FEW, most)) or _large(factor, min(MANY, most))


def _small(factor: Fraction, most: int) -> dict[str, Any] | None:
    """Return the member with fewest requests among the small ones. H-SF's first n starts do not depend on the others."""
    runs: list[tuple[int, int, int, int, list[int]]] = []
    for o, s, each in product(range(2, LONGEST + 1), PROMPTS, VOLUMES):
        memory = each * (s * o + o * (o + 1) // 2)
        runs.append((o, s, each, memory, literal.shortest_first([o] * most, s, memory)))
    for n in range(2, most + 1):
        for o, s, each, memory, own in runs:
            starts = [k // each for k in range(n)]
            if sum(starts) + n * o < factor * (sum(own[:n]) + n * o):
                return _confirmed([o] * n, s, memory, own[:n], starts)
    return None


def _confirmed(lengths: list[int], s: int, memory: int, own: list[int], starts: list[int]) -> dict[str, Any]:
    """Return a counterexample as data; its totals by the literal process, and by the simulator and the schedule itself."""
    plan, again = Schedule(starts, lengths, s), simulate("h-sf", lengths, memory, s)
    if not (literal.feasible(starts, lengths, s, memory) and plan.feasible(memory)):
        raise AssertionError("the better schedule is not feasible")
    if again.total_latency != literal.total(own, lengths) or plan.total_latency != literal.total(starts, lengths):
        raise AssertionError("two computations of a total differ")
    return {
        "counterexample": {"lengths": lengths, "s": s, "M": memory, "smaller instances": "not excluded"},
        "H-SF's total": literal.total(own, lengths),
        "starts of a better schedule": starts,
        "its total": plan.total_latency,
        "second computation": f"{again.total_latency} by the simulator, {plan.total_latency} by the schedule itself; its peak is "
        f"{plan.peak_memory}",
        "schedules": [
            schedule("H-SF", own, lengths, s, memory),
            schedule("a better schedule", starts, lengths, s, memory),
        ],
    }


@dataclass(frozen=True)
class _Batches:
    """s = 1, one even length o, M = (o+1)(o+2)/2: H-SF runs (o+2)/2 at a time, each instant one more could start.

    n = batches · (o+2)/2. H-SF's total over the other's tends to 2o/(o+2), and to 2 as o → ∞.
    """

    o: int
    batches: int

    @property
    def at_once(self) -> int:
        return (self.o + 2) // 2

    @property
    def n(self) -> int:
        return self.batches * self.at_once

    @property
    def memory(self) -> int:
        return (self.o + 1) * self.at_once

    @property
    def h_sf(self) -> int:
        return self.at_once * self.o * self.batches * (self.batches + 1) // 2

    @property
    def staggered(self) -> int:
        return self.n * (self.n - 1) // 2 + self.n * self.o


def _large(factor: Fraction, most: int) -> dict[str, Any] | None:
    """Return the member with fewest requests among those with one start at every instant, run by the fast engine."""
    members: list[_Batches] = []
    for o in range(4, LARGEST_LENGTH + 1, 2):
        gain = factor * o - (o + 2) // 2  # staggered < factor · h_sf iff batches · gain > 2o − 1 − factor · o
        if gain > 0:
            row = _Batches(o, max(1, int((2 * o - 1 - factor * o) / gain) + 1))
            members += [row] if row.n <= most else []
    if not members:
        return None
    row = min(members, key=lambda member: member.n)
    plan, run = Schedule(tuple(range(row.n)), (row.o,) * row.n, 1), simulate("h-sf", [row.o] * row.n, row.memory, 1)
    if not plan.feasible(row.memory):
        raise AssertionError("the better schedule is not feasible")
    if run.total_latency != row.h_sf or plan.total_latency != row.staggered or not row.staggered < factor * row.h_sf:
        raise AssertionError("two computations of a total differ")
    return {
        "counterexample": {"n": row.n, "every length": row.o, "s": 1, "M": row.memory},
        "H-SF's total": row.h_sf,
        "a better schedule": f"one request starts at each of the instants 0, …, {row.n - 1}",
        "its total": row.staggered,
        "second computation": f"{run.total_latency} by the simulator ({run.engine} engine), {plan.total_latency} by the schedule "
        f"itself; its peak is {plan.peak_memory}",
        "the family": "s = 1, even o, M = (o+1)(o+2)/2: H-SF starts (o+2)/2 requests every o instants; the ratio tends to 2 − 4/(o+2)",
    }
