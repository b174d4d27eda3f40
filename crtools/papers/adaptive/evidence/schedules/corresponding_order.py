"""Three schedules against the definitions of the corresponding order, of delay and of optimality, by two routes."""

from __future__ import annotations

from itertools import combinations, product

from crtools.papers.adaptive.literal import process as literal
from crtools.process import optimum
from crtools.schedule import Schedule

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
    feasible = [literal.feasible(row, lengths, s, memory) for row in starts.values()]
    return {
        "feasible": all(feasible),
        "corresponding-order": all(literal.ordered(a, b) for a, b in combinations(starts.values(), 2)),
        "neither-delayed": not _later(one, two) and not _later(two, one),
        "both-delayed": _later(one, three) and _later(two, three),
        "optimal": feasible[2] and literal.total(three, lengths) == _least_total(lengths, s, memory),
    }


def _later(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))


def _least_total(lengths: tuple[int, ...], s: int, memory: int) -> int:
    """No optimal schedule is ever empty before its end, or worse than shortest first."""
    greedy = sum(literal.shortest_first(lengths, s, memory))
    return min(
        literal.total(starts, lengths)
        for starts in product(range(sum(lengths)), repeat=len(lengths))
        if sum(starts) <= greedy and literal.feasible(starts, lengths, s, memory)
    )
