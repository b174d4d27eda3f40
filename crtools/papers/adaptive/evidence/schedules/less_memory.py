"""Packed schedules in corresponding order at M and at less: the smallest instances, and families that live by rounding.

The families have prompts of nearly half the memory, M/(s+u) < 2: a token less, and one request runs instead of two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from crtools.ledger.agree import agree
from crtools.ledger.deciders.search import Hit, Small
from crtools.ledger.evidence import Refuted
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.schedule import Schedule

LONGEST = 300
"""Families with lengths up to this one are run; a longer one would take too long to be confirmed."""

BY_ROUNDING = "M/(s+u) < 2 in this family"

FactorAt = Callable[[int], Fraction]


def small_instance(factor_at: FactorAt, *, each: bool) -> Callable[[Small], Hit | None]:
    """Return a check that looks at all pairs of schedules of an instance, at M and at every smaller memory."""

    def look(row: Small) -> Hit | None:
        large = _schedules(row)
        for smaller in range(row.s + max(row.lengths), row.memory):
            bound = factor_at(len(row.lengths)) * Fraction(row.memory, smaller)
            for a, b in product(large, _schedules(Small(row.lengths, row.s, smaller))):
                if literal.ordered(a, b):
                    hit = _compared(row, smaller, a, b, bound, each=each)
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
    totals = literal.total(a, row.lengths), literal.total(b, row.lengths)
    ends = [(p + o, r + o) for p, r, o in zip(a, b, row.lengths, strict=True)]
    late = [i for i, (before, after) in enumerate(ends) if after > bound * before]
    if not (late if each else totals[1] > bound * totals[0]):
        return None
    second = _by_schedules(row, smaller, a, b)
    agree(totals, second["totals"], "two total latencies")
    claimed = f"request {late[0]} ends by {bound * ends[late[0]][0]}" if each else f"at most {bound * totals[0]}"
    values = {
        "beta_M": smaller, "I": a, "I_prime": b, "totals": totals, "bound": str(bound), "late": late,
        "schedules": _drawn(row, smaller, a, b),
    }  # fmt: skip
    return Hit(claimed, ends[late[0]][1] if each else totals[1], second, values=values)


def _drawn(row: Small, smaller: int, a: Sequence[int], b: Sequence[int]) -> list[dict[str, Any]]:
    return [
        schedule(f"I at M = {row.memory}", a, row.lengths, row.s, row.memory),
        schedule(f"I' at βM = {smaller}", b, row.lengths, row.s, smaller),
    ]


def _by_schedules(row: Small, smaller: int, a: Sequence[int], b: Sequence[int]) -> dict[str, Any]:
    """Confirm a pair by the schedules' own predicates, and return its totals."""
    one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
    packed = one.optimally_packed(row.memory) and two.optimally_packed(smaller)
    facts = (one.feasible(row.memory) and two.feasible(smaller), packed, one.corresponds(two))
    agree(facts, (True, True, True), "a schedule's properties")
    return {"totals": (one.total_latency, two.total_latency), "packed_and_in_order": "by the schedules' own predicates"}


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
    for starts, memory in ((a, row.memory), (b, smaller)):
        feasible = literal.feasible(starts, row.lengths, row.s, memory)
        if not feasible or literal.packed(starts, row.lengths, row.s, memory) is not None:
            raise AssertionError("a schedule of the family is not feasible or not packed")
    hit = (
        _compared(row, smaller, a, b, factor * Fraction(row.memory, smaller), each=each)
        if literal.ordered(a, b)
        else None
    )
    if hit is None:
        raise AssertionError("the family's schedules are not what they are made for")
    witness = {"lengths": row.lengths, "s": row.s, "M": row.memory, "beta_M": smaller, "I": a, "I_prime": b}
    values = {**hit.values, "by_rounding": BY_ROUNDING}
    return Refuted(witness, hit.claimed, hit.actual, hit.second, values=values)
