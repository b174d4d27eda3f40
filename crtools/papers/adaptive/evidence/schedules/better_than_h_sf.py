"""Families of instances on which a simple schedule beats H-SF: equal lengths, started a few at every instant.

H-SF starts a batch of equal requests, whose peaks fill the memory together, and waits for its end; started at every
instant, requests of different ages share the memory, and each needs its volume s·o + o(o+1)/2 only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import floor

from crtools.ledger.agree import agree
from crtools.ledger.deciders.search import (
    SHRUNK,
    Found,
    Hit,
    Small,
    both,
    first,
    least_memory,
    most_memory,
    random_then_shrink,
    searched,
    shrink,
)
from crtools.ledger.evidence import Measured, Open, Refuted
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.process import h_sf as theorems
from crtools.process import Optimum, optimum, simulate, volume_bound
from crtools.schedule import Schedule

LONGEST, PROMPTS, VOLUMES, FEW = 8, (1, 2), (1, 2, 3), 24
"""Small members: lengths, prompt sizes, starts at each instant, and requests, up to these."""

LARGEST_LENGTH, MANY = 2000, 200_000
"""Members that are run by the fast engine: even lengths and requests up to these."""

SMALL, LARGE = 4, 8
"""All instances of up to so many requests are looked at, and random ones of up to so many."""

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


def check(factor: Fraction) -> Callable[[Small], Hit | None]:
    """Return a check for a schedule below ``factor`` times H-SF's total, by the optimum."""

    def look(row: Small) -> Hit | None:
        own = literal.shortest_first(row.lengths, row.s, row.memory)
        greedy = literal.total(own, row.lengths)
        if factor * greedy <= _least(row):
            return None
        best = _optimum(row)
        if best.total_latency >= factor * greedy:
            return None
        return _hit(factor, list(row.lengths), row.s, row.memory, own, list(best.schedule.starts))

    return look


@lru_cache(maxsize=4096)
def _optimum(row: Small) -> Optimum:
    """The same instances are looked at for every factor."""
    return optimum(row.lengths, row.memory, row.s)


def _least(row: Small) -> Fraction:
    """A bound below every schedule's total: no request ends before its own length, and each needs its volume."""
    return max(Fraction(sum(row.lengths)), volume_bound(row.lengths, row.memory, row.s))


def _hit(factor: Fraction, lengths: list[int], s: int, memory: int, own: list[int], starts: list[int]) -> Hit:
    """Return a better schedule, with both totals by the literal process, the simulator and the schedule itself."""
    plan, again = Schedule(starts, lengths, s), simulate("h-sf", lengths, memory, s)
    if not (literal.feasible(starts, lengths, s, memory) and plan.feasible(memory)):
        raise AssertionError("the better schedule is not feasible")
    greedy = agree(literal.total(own, lengths), again.total_latency, "H-SF's total")
    total = agree(literal.total(starts, lengths), plan.total_latency, "the better schedule's total")
    shown = [schedule("H-SF", own, lengths, s, memory), schedule("a better schedule", starts, lengths, s, memory)]
    values = {"h_sf_total": greedy, "starts": starts, "total": total, "schedules": shown}
    second = {"h_sf_by_the_simulator": greedy, "total_by_the_schedule": total, "its_peak": plan.peak_memory}
    return Hit(_claimed(factor, greedy), total, second, values=values)


def _claimed(factor: Fraction, greedy: int) -> str:
    return f"at least {factor * greedy}"


def three_token_requests(factor: Fraction, most: int) -> Refuted | None:
    """Return the smallest member of the family of three-token requests that is below factor · H-SF's, if it has one."""
    if factor <= Fraction(3, 4):
        return None
    count = max(1, floor((5 - 3 * factor) / (12 * factor - 9)) + 1)
    if 36 * count > most:
        return None
    proof = theorems.better_schedule(factor, count)
    if not proof.holds:
        raise AssertionError("the family of three-token requests is not below H-SF")
    greedy, total = _three_tokens(1, count)
    lengths, starts = [3] * (36 * count), [i // 4 for i in range(36 * count)]
    own = [3 * (i // 9) for i in range(36 * count)]
    shown = [schedule("H-SF", own, lengths, 1, 36), schedule("4 starts at each instant", starts, lengths, 1, 36)]
    trend = [
        {"n": 36 * k * c, "M": 36 * k, "h_sf_total": h_sf, "total": even, "ratio": h_sf / even}
        for k, c in ((1, count), (10, 10 * count), (100, 20 * count))
        if 36 * k * c <= MANY
        for h_sf, even in (_three_tokens(k, c),)
    ]
    return Refuted(
        {"n": 36 * count, "every_length": 3, "s": 1, "M": 36},
        _claimed(factor, greedy),
        total,
        {"totals_in_closed_form": _closed(1, count)},
        "at every $M = 36k$, $n = 36kc$: the ratio of the totals tends to $4/3$ as $n → ∞$",
        theorems=proof.records,
        values={"h_sf_total": greedy, "total": total, "trend": trend, "schedules": shown if count <= 4 else []},
    )


def _closed(k: int, c: int) -> tuple[int, ...]:
    return tuple(int(x.subs({theorems.k: k, theorems.c: c})) for x in (theorems.BATCHES, theorems.EVEN))


def _three_tokens(k: int, c: int) -> tuple[int, int]:
    """Return both totals at n = 36kc and M = 36k, by the simulator and the schedule, and by the closed forms."""
    lengths, memory = [3] * (36 * k * c), 36 * k
    plan, run = (
        Schedule(tuple(i // (4 * k) for i in range(len(lengths))), lengths, 1),
        simulate("h-sf", lengths, memory, 1),
    )
    if not plan.feasible(memory):
        raise AssertionError("the even schedule is not feasible")
    return agree((run.total_latency, plan.total_latency), _closed(k, c), "the totals of three-token requests")


def better(factor: Fraction, most: int) -> Refuted | None:
    """Return a member of at most ``most`` requests with a total below factor · H-SF's, confirmed twice, or None."""
    return three_token_requests(factor, most) or _small(factor, min(FEW, most)) or _large(factor, min(MANY, most))


def _small(factor: Fraction, most: int) -> Refuted | None:
    """Return the member with fewest requests among the small ones. H-SF's first n starts do not depend on the others."""
    runs: list[tuple[int, int, int, int, list[int]]] = []
    for o, s, each in product(range(2, LONGEST + 1), PROMPTS, VOLUMES):
        memory = each * (s * o + o * (o + 1) // 2)
        runs.append((o, s, each, memory, literal.shortest_first([o] * most, s, memory)))
    for n in range(2, most + 1):
        for o, s, each, memory, own in runs:
            starts = [k // each for k in range(n)]
            if sum(starts) + n * o < factor * (sum(own[:n]) + n * o):
                hit = _hit(factor, [o] * n, s, memory, own[:n], starts)
                witness = {"lengths": [o] * n, "s": s, "M": memory, "smaller_instances": "not excluded"}
                return Refuted(witness, hit.claimed, hit.actual, hit.second, values=hit.values)
    return None


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


def _large(factor: Fraction, most: int) -> Refuted | None:
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
    if not plan.feasible(row.memory) or not row.staggered < factor * row.h_sf:
        raise AssertionError("the staggered schedule is not feasible, or not better")
    second = agree((row.h_sf, row.staggered), (run.total_latency, plan.total_latency), "the totals of equal lengths")
    return Refuted(
        {"n": row.n, "every_length": row.o, "s": 1, "M": row.memory},
        _claimed(factor, row.h_sf),
        row.staggered,
        {"totals": second, "engine": run.engine, "its_peak": plan.peak_memory},
        "$k$ times the requests at $kM$ run $k$ at a time in both schedules",
        values={
            "h_sf_total": row.h_sf,
            "total": row.staggered,
            "better_schedule": f"one request starts at each of the instants 0, …, {row.n - 1}",
            "family": "s = 1, even o, M = (o+1)(o+2)/2: H-SF starts (o+2)/2 requests every o instants; the ratio tends to 2 − 4/(o+2)",
        },
    )


# ---- all together --------------------------------------------------------------------------------------------------


def decided(factor: Fraction, asked: int | None) -> Refuted | Measured | Open:
    """Look at families, small instances and random instances, of at most ``asked`` requests (None: any)."""
    look = check(factor)
    most = asked or MANY
    three = three_token_requests(factor, most)
    small = first(min(asked or SMALL, SMALL), 5, PROMPTS, look)
    if three is not None:
        return _with_smallest(three, small)
    if small.instance is not None:
        return searched(small)
    hit = better(factor, most)
    if hit is not None:
        return hit
    pair = next(((row, found) for row in two_lengths(most) if (found := look(row)) is not None), None)
    if pair is not None:
        row, found = shrink(look, *pair, PROMPTS)
        witness = {"lengths": row.lengths, "s": row.s, "M": row.memory, "smaller_instances": SHRUNK}
        return Refuted(witness, found.claimed, found.actual, found.second, values=found.values)
    size = min(asked or LARGE, LARGE)
    drawn = random_then_shrink(look, n=size, longest=12, prompts=PROMPTS, tries=100, seed=0)
    evidence = searched(both(small, drawn), asked, searched_families(most))
    if isinstance(evidence, Measured) and asked is None and factor > Fraction(1, 2):
        tried = "above 1/2, which a family with one start at every instant tends to as its length grows; too large to be run"
        return Open(f"{tried}; {evidence.sample}", evidence.values)
    return evidence


def _with_smallest(three: Refuted, small: Found) -> Refuted:
    """Keep the smallest instance of all, which is drawn, beside the member of the family."""
    if small.instance is None:
        return three
    hit: Hit = small.hit
    smallest = {**small.as_json(), **{name: hit.values[name] for name in ("h_sf_total", "starts", "total")}}
    drawn = [*hit.values["schedules"], *three.values["schedules"]]
    return replace(three, values={**three.values, "smallest": smallest, "schedules": drawn})
