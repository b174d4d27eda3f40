"""prop-memory: packed schedules in corresponding order, with less memory."""

from fractions import Fraction
from itertools import product
from typing import Any

from crtools.claims import literal_process as literal
from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.reading import PROCESS, one_verdict, schedule
from crtools.claims.result import Decision, Part, Proof
from crtools.claims.search import Small, first, searched
from crtools.errors import InputError
from crtools.expressions import number
from crtools.schedule import Schedule


def decide_memory(given: Given) -> Decision:
    """Search pairs of optimally packed schedules in corresponding order for TEL(I') > factor · β⁻¹ TEL(I)."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")

    def schedules(row: Small) -> list[tuple[int, ...]]:
        horizon = sum(row.lengths)
        return [
            starts
            for starts in product(range(horizon), repeat=len(row.lengths))
            if literal.feasible(starts, row.lengths, row.s, row.memory)
            and literal.packed(list(starts), row.lengths, row.s, row.memory) is None
        ]

    def check(each: bool) -> Any:
        def look(row: Small) -> Any:
            large = schedules(row)
            for smaller in range(row.s + max(row.lengths), row.memory):
                bound = factor * Fraction(row.memory, smaller)
                fewer = schedules(Small(row.lengths, row.s, smaller))
                for a in large:
                    for b in fewer:
                        if not literal.ordered(a, b):
                            continue
                        totals = literal.total(a, row.lengths), literal.total(b, row.lengths)
                        late = [
                            i
                            for i, (p, r, o) in enumerate(zip(a, b, row.lengths, strict=True))
                            if r + o > bound * (p + o)
                        ]
                        if late if each else totals[1] > bound * totals[0]:
                            return {
                                "smaller memory βM": smaller, "I": list(a), "I'": list(b),
                                "TEL(I), TEL(I')": list(totals), "bound on TEL(I')/TEL(I)": str(bound), "late requests": late,
                                "second computation": _again(row, smaller, a, b),
                                "schedules": [
                                    schedule(f"I at M = {row.memory}", a, row.lengths, row.s, row.memory),
                                    schedule(f"I' at βM = {smaller}", b, row.lengths, row.s, smaller),
                                ],
                            }  # fmt: skip
            return None

        return look

    parts = (
        searched("TEL(I') ≤ β⁻¹ TEL(I)", first(3, 3, (1,), check(False), fewest=2)),
        searched("L_i' ≤ β⁻¹ L_i for every i", first(3, 3, (1,), check(True), fewest=2)),
    )
    grown = _families()
    if parts[0].status == "refuted":
        more = {"not an effect of small n or M": grown}
        parts = (Part(parts[0].part, "refuted", {**parts[0].evidence, **more}), parts[1])
    else:
        hit = next((r for r in grown if r["TEL(I')/TEL(I)"] > factor * Fraction(r["M"], r["βM"])), None)
        if hit is not None:  # then some request is late by more than the factor, too
            evidence = {"counterexample": hit, "second computation": hit["by the schedules' predicates"]}
            parts = tuple(Part(p.part, "refuted", evidence) for p in parts)
    why = "; ".join(f"{p.part}: {p.status}" for p in parts)
    bad = [p.part for p in parts if p.status == "refuted"]
    reading = f"all pairs of feasible, optimally packed schedules in corresponding order at M and βM, s ≥ 1, {PROCESS}"
    state = (
        Proof("false-step", "“at each moment the number processed in I' is β times that in I”")
        if bad
        else Proof("not-examined")
    )
    return one_verdict(reading, "exhaustive search over all schedules", parts, why, state)


def _families() -> list[dict[str, Any]]:
    """Prompts of nearly half the memory, o = 1: two run at once at M, one at M − 1. TEL'/TEL → 2 as n grows, β → 1."""
    rows: list[dict[str, Any]] = []
    for s, n in ((10, 10), (40, 20)):
        length, memory = 1, 2 * (s + 1)
        lengths = [length] * n
        starts = [tuple(literal.shortest_first(lengths, s, m)) for m in (memory, memory - 1)]
        totals = [literal.total(x, lengths) for x in starts]
        row = {"n": n, "o": length, "s": s, "M": memory, "βM": memory - 1, "TEL(I')/TEL(I)": totals[1] / totals[0]}
        shown = _again(Small(tuple(lengths), s, memory), memory - 1, starts[0], starts[1])
        rows.append({**row, "by the schedules' predicates": shown})
    return rows


def _again(row: Small, smaller: int, a: tuple[int, ...], b: tuple[int, ...]) -> str:
    one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
    if not (one.feasible(row.memory) and two.feasible(smaller) and one.corresponds(two)):
        raise AssertionError("two computations of a schedule's properties differ")
    if not (one.optimally_packed(row.memory) and two.optimally_packed(smaller)):
        raise AssertionError("two computations of optimal packing differ")
    return f"by the schedule's own predicates; totals {one.total_latency} and {two.total_latency}"


MEMORY = Claim(
    id="prop-memory",
    place="Proposition memo_latency",
    statement="for optimally packed schedules in corresponding order: TEL(I') ≤ β⁻¹ TEL(I), and L_i' ≤ β⁻¹ L_i",
    given={"factor": "1"},
    decide=decide_memory,
    rests_on=("tel-identity",),
    corrupted=(
        Variant("1 % weaker, still false", {"factor": "1.01"}),
        Variant("1 % stronger", {"factor": "0.99"}),
        Variant("half", {"factor": "1/2"}),
    ),
    variants=(Variant("three times the bound, in the range searched", {"factor": "3"}),),
)
