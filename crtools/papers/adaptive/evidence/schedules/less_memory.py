"""Packed schedules in corresponding order at M and at less: the smallest instances, and families that live by rounding.

The families have prompts of nearly half the memory, M/(s+u) < 2: a token less, and one request runs instead of two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil

from crtools.errors import InputError
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.search import Hit, Small
from crtools.ledger.evidence import Refuted
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.schedule import Schedule

LONGEST = 300
"""Families with lengths up to this one are run; a longer one would take too long to be confirmed."""


def at(factor: Bound, size: int) -> Fraction:
    """Return a factor for so many requests; an upper end where it is not rational, so that what exceeds it is above it."""
    value = factor.at(Fraction(size), 12)
    if value is None:
        raise InputError("factor", factor.text, f"must be a real number for n = {size} requests")
    return value.upper


def small_instance(factor: Bound, *, each: bool) -> Callable[[Small], Hit | None]:
    """Return a check that looks at all pairs of schedules of an instance, at M and at every smaller memory."""

    def look(row: Small) -> Hit | None:
        large, own = _schedules(row), at(factor, len(row.lengths))
        for smaller in range(row.s + max(row.lengths), row.memory):
            for a, b in product(large, _schedules(Small(row.lengths, row.s, smaller))):
                if literal.ordered(a, b):
                    hit = _compared(row, smaller, a, b, own * Fraction(row.memory, smaller), each=each)
                    if hit is not None:
                        return hit
        return None

    return look


def _schedules(row: Small) -> list[tuple[int, ...]]:
    return [
        starts
        for starts in product(range(sum(row.lengths)), repeat=len(row.lengths))
        if literal.feasible(starts, row.lengths, row.s, row.memory)
        and literal.packed(starts, row.lengths, row.s, row.memory) is None
    ]


def _compared(
    row: Small, smaller: int, a: Sequence[int], b: Sequence[int], bound: Fraction, *, each: bool
) -> Hit | None:
    """Return a pair that contradicts the bound, confirmed by the schedules' own predicates."""
    totals = literal.total(a, row.lengths), literal.total(b, row.lengths)
    ends = [(p + o, r + o) for p, r, o in zip(a, b, row.lengths, strict=True)]
    late = [i for i, (before, after) in enumerate(ends) if after > bound * before]
    if not (late if each else totals[1] > bound * totals[0]):
        return None
    one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
    packed = one.optimally_packed(row.memory) and two.optimally_packed(smaller)
    facts = (one.feasible(row.memory) and two.feasible(smaller), packed, one.corresponds(two))
    agree(facts, (True, True, True), "a schedule's properties")
    agree(totals, (one.total_latency, two.total_latency), "two total latencies")
    claimed = f"request {late[0]} ends by {bound * ends[late[0]][0]}" if each else f"at most {bound * totals[0]}"
    values = {
        "beta_M": smaller, "I": a, "I_prime": b, "totals": totals, "bound": str(bound), "late": late,
        "by_rounding": f"$M/(s+u) = {Fraction(row.memory, row.s + max(row.lengths))}$",
        "schedules": [
            schedule(f"I at M = {row.memory}", a, row.lengths, row.s, row.memory),
            schedule(f"I' at βM = {smaller}", b, row.lengths, row.s, smaller),
        ],
    }  # fmt: skip
    second = {"totals": totals, "packed_and_in_order": "by the schedules' own predicates"}
    return Hit(claimed, ends[late[0]][1] if each else totals[1], second, values=values)


def slow_total(size: int, factor: Fraction) -> Refuted | None:
    """One request of o tokens and n − 1 of one: at M = 2s+o+1 they run beside it, at 2s+1 they wait for it.

    TEL = o + k(k+1)/2 and TEL' = (k+1) o + k(k+1)/2 with k = n − 1, so TEL'/TEL → n as o → ∞; β → 1 as s/o → ∞.
    """
    k = size - 1
    for o in range(max(k, 2), LONGEST + 1):
        less, more = o + k * (k + 1) // 2, size * o + k * (k + 1) // 2
        if more > factor * less:
            s = max(o, ceil(factor * less * o / (2 * (more - factor * less))) + 1)  # then factor · M/βM · TEL < TEL'
            row = Small((o, *[1] * k), s, 2 * s + o + 1)
            return _member(row, 2 * s + 1, (0, *range(k)), (0, *range(o, o + k)), factor, each=False)
    return None


def late_request(factor: Fraction) -> Refuted | None:
    """Two requests of o and 1 tokens: at M = 2s+2 both start at 0, at 2s+1 the short one waits for o instants."""
    o = max(2, 2 * ceil(factor))
    if o > LONGEST:
        return None
    return _member(Small((o, 1), o, 2 * o + 2), 2 * o + 1, (0, 0), (0, o), factor, each=True)


def _member(
    row: Small, smaller: int, a: tuple[int, ...], b: tuple[int, ...], factor: Fraction, *, each: bool
) -> Refuted:
    """Check a pair of schedules by both sets of predicates, and return it."""
    good = literal.ordered(a, b) and all(
        literal.feasible(starts, row.lengths, row.s, memory)
        and literal.packed(starts, row.lengths, row.s, memory) is None
        for starts, memory in ((a, row.memory), (b, smaller))
    )
    hit = _compared(row, smaller, a, b, factor * Fraction(row.memory, smaller), each=each) if good else None
    if hit is None:
        raise AssertionError("the family's schedules are not what they are made for")
    witness = {"lengths": row.lengths, "s": row.s, "M": row.memory, "beta_M": smaller, "I": a, "I_prime": b}
    return Refuted(witness, hit.claimed, hit.actual, hit.second, values=hit.values)
