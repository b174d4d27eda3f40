"""ex-order: the example of the corresponding order, three schedules against the definitions."""

from __future__ import annotations

from itertools import combinations, product

from check import process as judge
from crtools.errors import InputError
from crtools.ledger import Certified, Decision, Finding, Given, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.reading import integers, reading_of, schedule, whole
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.process import optimum
from crtools.schedule import Schedule

LARGEST = 100
"""The largest start."""

SAYS = {
    "feasible": "$I_1$, $I_2$, $I_3$ are feasible",
    "corresponding-order": "$I_1$, $I_2$, $I_3$ preserve the corresponding order pairwise",
    "neither-delayed": "neither of $I_1$, $I_2$ is delayed relative to the other",
    "both-delayed": "$I_3 ≤ I_1, I_2$",
    "optimal": "$I_3$ is optimal",
}


@claim(
    "ex-order",
    ALGORITHM,
    "Section EC.1, the example after Definition EC.1 (def:1)",
    "$M = 7$, $s = 1$, $o = (1, 2, 3, 4)$: $I_1$, $I_2$, $I_3$ preserve the corresponding order pairwise; "
    "neither of $I_1$, $I_2$ is delayed relative to the other; $I_3 ≤ I_1, I_2$; $I_3$ is optimal",
)
def ex_order(given: Given) -> Decision:
    """Check the appendix example's schedules against the definitions."""
    lengths = tuple(integers("o", given["o"]))
    s, memory = (whole(name, given[name], 0, 100) for name in ("s", "M"))
    if len(lengths) > 4 or sum(lengths) > 12 or min(lengths) < 1:
        raise InputError("o", given["o"], "must be at most four lengths ≥ 1 that sum to at most 12")
    starts = {name: tuple(integers(name, given[name])) for name in ("i1", "i2", "i3")}
    for name, row in starts.items():
        if len(row) != len(lengths) or max(row) > LARGEST:
            raise InputError(name, given[name], f"must hold {len(lengths)} start times, each at most {LARGEST}")
    first, second = by_schedules(starts, lengths, s, memory), by_definitions(starts, lengths, s, memory)
    agree(first, second, "the example's facts")
    drawn = [schedule(f"I_{name[1:]}", row, lengths, s, memory) for name, row in starts.items()]
    instance: JsonObject = {"lengths": lengths, "s": s, "M": memory, **starts}

    def judged(id: str) -> Certified | Refuted:
        values = {"schedules": drawn} if id == "feasible" else {}
        if not first[id]:
            return Refuted(instance, "true", "false", second[id], "the example itself", values=values)
        return Certified(first[id], "the example's three schedules", second[id], {"starts": starts, **values})

    findings = tuple(Finding(id, says, judged(id)) for id, says in SAYS.items())
    false = [f.says for f in findings if f.status == "refuted"]
    why = "each property by its definition, the optimum by enumeration"
    line = "every property holds as printed"
    if false:
        why, line = f"not so: {'; '.join(false)}", f"not so: {len(false)} of {len(findings)} properties"
    read = reading_of("ex-order", M=memory, s=s, o=", ".join(map(str, lengths)))
    proof = read.proof(begin_earlier=judged("both-delayed"))
    return Decision(line, (read.verdict(ALGORITHM, why, *findings),), proof)


# ---- Three schedules against the definitions of the corresponding order, of delay and of optimality, by two routes ---

Rows = dict[str, tuple[int, ...]]
"""The starts of I_1, I_2 and I_3, under the names i1, i2 and i3."""


def by_schedules(starts: Rows, lengths: tuple[int, ...], s: int, memory: int) -> dict[str, bool]:
    """Return which properties hold by the schedules' own predicates and the mixed-integer optimum."""
    plans = {name: Schedule(row, lengths, s) for name, row in starts.items()}
    best = optimum(lengths, memory, s)
    total = best.proved and plans["i3"].total_latency == best.total_latency
    return {
        "feasible": all(p.feasible(memory) for p in plans.values()),
        "corresponding-order": all(a.corresponds(b) for a, b in combinations(plans.values(), 2)),
        "neither-delayed": not (plans["i1"].delayed(plans["i2"]) or plans["i2"].delayed(plans["i1"])),
        "both-delayed": plans["i1"].delayed(plans["i3"]) and plans["i2"].delayed(plans["i3"]),
        "optimal": total and plans["i3"].feasible(memory),
    }


def by_definitions(starts: Rows, lengths: tuple[int, ...], s: int, memory: int) -> dict[str, bool]:
    """Return the same by the literal definitions, the optimum by enumeration."""
    one, two, three = starts.values()
    feasible = [judge.feasible(row, lengths, s, memory) for row in starts.values()]
    return {
        "feasible": all(feasible),
        "corresponding-order": all(judge.same_order(a, b) for a, b in combinations(starts.values(), 2)),
        "neither-delayed": not _later(one, two) and not _later(two, one),
        "both-delayed": _later(one, three) and _later(two, three),
        "optimal": feasible[2] and judge.total(three, lengths) == _optimal_total(lengths, s, memory),
    }


def _later(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))


def _optimal_total(lengths: tuple[int, ...], s: int, memory: int) -> int:
    """No optimal schedule is ever empty before its end, or worse than shortest first."""
    greedy = sum(judge.shortest_first(lengths, s, memory))
    return min(
        judge.total(starts, lengths)
        for starts in product(range(sum(lengths)), repeat=len(lengths))
        if sum(starts) <= greedy and judge.feasible(starts, lengths, s, memory)
    )
