"""Threes and then fours at M = 340k and at M − 3: a pair of packed schedules that stays slow as k and n grow.

s = 1. At M = 340k, 25k requests of three tokens and 60k of four fill the memory; from then on 60k and 20k fours take
turns, 80k every four instants. Three tokens less upset this balance a little more with every turn, until 68k fours
start together every four instants: the latencies' ratio tends to 80/68 = 20/17 as n grows, at every k, while 1/β → 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import repeat

from crtools.ledger.agreement import agree
from crtools.ledger.evidence import Data, Refuted
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.literal import batches
from crtools.process import simulate
from crtools.schedule import Schedule

PROMPT, LESS = 1, 3
STAYS = "$α = 3/4$, $s = 1$, $M = 340k$, $n → ∞$: $80k$ to $68k$ starts every four instants at each $k$ run, as $β → 1$"

WITNESSES = ((1, 1_000), (1, 3_000))
"""Members (k, fours for each k) that are a witness, by the schedules' own predicates as well."""

GROWN = ((1, 10_000), (10, 10_000), (100, 10_000), (1_000, 10_000), (1_000, 100_000))
"""Members of the trend, run in batches."""


@dataclass(frozen=True)
class Member:
    """25k threes and k·``fours`` fours, in this order, at M = 340k and at M − 3."""

    k: int
    fours: int

    @property
    def counts(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """(length, how many), the shorter first."""
        return (3, 25 * self.k), (4, self.fours * self.k)

    @property
    def n(self) -> int:
        """The number of requests."""
        return sum(count for _, count in self.counts)

    @property
    def memories(self) -> tuple[int, int]:
        """M and βM."""
        return 340 * self.k, 340 * self.k - LESS

    @property
    def inverse(self) -> Fraction:
        """1/β."""
        return Fraction(*self.memories)

    @cached_property
    def runs(self) -> tuple[list[batches.Batch], list[batches.Batch]]:
        """Both schedules in batches, packed and in one order by the literal definitions."""
        one, two = (batches.shortest_first(self.counts, PROMPT, memory) for memory in self.memories)
        for run, memory in zip((one, two), self.memories, strict=True):
            if not (batches.packed(run, PROMPT, memory) and batches.in_order(run)):
                raise AssertionError("a schedule of threes and fours is not packed, or not in order")
        return one, two

    @property
    def totals(self) -> tuple[int, int]:
        """TEL(I) and TEL(I')."""
        one, two = self.runs
        return batches.total(one), batches.total(two)

    @property
    def pace(self) -> tuple[int, int]:
        """How many requests start in four instants, near the end of both schedules."""
        one, two = (sum(count for start, _, count in run if 4 < run[-1][0] - start <= 8) for run in self.runs)
        return one, two

    @property
    def witness(self) -> dict[str, int]:
        """The instance: how many requests have each length."""
        (_, threes), (_, fours) = self.counts
        large, small = self.memories
        return {"threes": threes, "fours": fours, "s": PROMPT, "M": large, "beta_M": small, "less": LESS}

    def completions(self) -> Iterator[tuple[int, int]]:
        """Iterate over the pairs L_i, L_i'."""
        one, two = ([t for t, count in batches.completions(run) for t in repeat(t, count)] for run in self.runs)
        return zip(one, two, strict=True)

    @cached_property
    def by_schedules(self) -> tuple[Schedule, Schedule]:
        """Both schedules by the simulator, feasible, packed and in corresponding order by their own predicates."""
        lengths = [length for length, count in self.counts for length in repeat(length, count)]
        one, two = (simulate("h-sf", lengths, memory, PROMPT).schedule for memory in self.memories)
        packed = [
            plan.feasible(m) and plan.optimally_packed(m) for plan, m in zip((one, two), self.memories, strict=True)
        ]
        agree((*packed, one.corresponds(two)), (True, True, True), "whether the schedules are packed and in order")
        return one, two


@cache
def member(k: int, fours: int) -> Member:
    """Return a member, whose runs are kept."""
    return Member(k, fours)


def slower(factor_at: Callable[[int], Fraction], *, each: bool) -> Refuted | None:
    """Return a member with TEL(I') > factor · β⁻¹ TEL(I), or L_i' > factor · β⁻¹ L_i for some i, or None.

    ``factor_at`` gives the factor at n.
    """
    for row in (member(*sizes) for sizes in WITNESSES):
        factor = factor_at(row.n) * row.inverse
        pairs = list(row.completions()) if each else [row.totals]
        late = max(range(len(pairs)), key=lambda i: pairs[i][1] - factor * pairs[i][0])
        before, after = pairs[late]
        if after <= factor * before:
            continue
        second = [int(plan.completions[late]) if each else plan.total_latency for plan in row.by_schedules]
        agree(second, [before, after], "latencies of threes and fours")
        if each:
            values: Data = {"request": late, "completions": pairs[late]}
            claimed = f"request {late} ends by {_fraction_text(factor * before)}"
            return Refuted(row.witness, claimed, after, {"completions": second}, STAYS, values=values)
        values = {"totals": second, "ratio": after / before, "inverse_beta": float(row.inverse), "trend": trend()}
        return Refuted(
            row.witness, f"at most {_fraction_text(factor * before)}", after, {"totals": second}, STAYS, values=values
        )
    return None


def not_in_proportion() -> Refuted:
    """At some instant the numbers in process are not as M to βM: the one, up to I's last start, at which I' has fewest."""
    row = member(*WITNESSES[0])
    one, two = row.runs
    numbers = {t: (batches.running(one, t), batches.running(two, t)) for t in range(1, one[-1][0] + 1)}
    at = max(numbers, key=lambda t: numbers[t][0] - numbers[t][1] * row.inverse)
    plans = row.by_schedules
    spans = ([(p, e) for p, e in zip(plan.starts, plan.completions, strict=True)] for plan in plans)
    second = tuple(sum(p < at <= e for p, e in rows) for rows in spans)
    first, actual = agree(numbers[at], second, "the numbers in process")
    claimed = f"{_fraction_text(first / row.inverse)} requests at the instant {at}"
    values = {"in_process": [first, actual], "instant": at}
    return Refuted(row.witness, claimed, actual, {"in_process": second}, STAYS, values=values)


@cache
def trend() -> list[JsonObject]:
    """Return the ratio of the latencies and 1/β as M and n grow; in exact integers, shown as floats."""
    rows = (member(*sizes) for sizes in GROWN)
    return [
        {"n": row.n, "M": row.memories[0], "totals": row.totals, "ratio": row.totals[1] / row.totals[0],
         "inverse_beta": float(row.inverse), "starts_in_four_instants": row.pace}
        for row in rows
    ]  # fmt: skip


def _fraction_text(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ≈ {float(value):.6g}"
