"""ex-amax and ex-order: the two examples of the paper, number by number."""

from dataclasses import replace
from itertools import combinations, product
from typing import Any

from crtools.claims import literal_process as literal
from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.reading import PROCESS, integers, one_verdict, schedule, whole
from crtools.claims.result import Decision, Part, Proof
from crtools.errors import InputError
from crtools.process import optimum, simulate
from crtools.schedule import Schedule


def decide_ex_amax(given: Given) -> Decision:
    """Run Example 1 with both computations and compare every printed number."""
    lengths, s, memory, high = [1] * 5, 1, 10, 4
    best, slow = simulate("h-sf", lengths, memory, s, 1, high), simulate("a-max", lengths, memory, s, 1, high)
    own = literal.queue(range(5), [high] * 5, lengths, s, memory)
    actual: dict[str, Any] = {
        "h_sf": best.total_latency,
        "a_max": slow.total_latency,
        "latencies": sorted(int(p) + 1 for p in slow.starts),
        "batch": memory // (s + high),
    }
    second: dict[str, Any] = {
        "h_sf": literal.total(literal.shortest_first(lengths, s, memory), lengths),
        "a_max": literal.total(own, lengths),
        "latencies": sorted(p + 1 for p in own),
        "batch": sum(1 for p in own if p == 0),
    }
    parts: list[Part] = []
    titles = {
        "h_sf": "H-SF's total",
        "a_max": "A_max's total",
        "latencies": "A_max's latencies",
        "batch": "A_max's batch",
    }
    drawn = {
        "h_sf": schedule("H-SF", list(best.schedule.starts), lengths, s, memory),
        "a_max": schedule("A_max", own, lengths, s, memory, [high] * 5),
    }
    for key, title in titles.items():
        wanted: Any = integers(key, given[key]) if key == "latencies" else whole(key, given[key])
        if actual[key] != second[key]:
            raise AssertionError(f"two computations of Example 1 differ: {actual} and {second}")
        evidence = {"computed": actual[key], "printed": given[key], "second computation": second[key]}
        if key in drawn:
            evidence["schedules"] = [drawn[key]]
        if wanted == actual[key]:
            parts.append(Part(title, "certified", evidence))
        else:
            parts.append(Part(title, "refuted", {"counterexample": "the example itself", **evidence}))
    why = ", ".join(f"{p.part}: {p.evidence['computed']}" for p in parts)
    state = (
        Proof("sound")
        if all(p.status == "certified" for p in parts)
        else Proof("false-step", "a number of the example")
    )
    return one_verdict(f"n = 5, s = 1, M = 10, o = 1, [1, 4], {PROCESS}", "two engines", tuple(parts), why, state)


def decide_ex_order(given: Given) -> Decision:
    """Check the appendix example's schedules against the definitions."""
    lengths, s, memory = (1, 2, 3, 4), 1, 7
    starts = {name: tuple(integers(name, given[name])) for name in ("i1", "i2", "i3")}
    for name, row in starts.items():
        if len(row) != 4:
            raise InputError(name, given[name], "must hold four start times")
    plans = {name: Schedule(row, lengths, s) for name, row in starts.items()}
    best = optimum(lengths, memory, s)
    pairs = list(combinations(plans, 2))
    facts = {
        "I_1, I_2, I_3 are feasible": all(literal.feasible(r, lengths, s, memory) for r in starts.values()),
        "I_1, I_2, I_3 preserve the corresponding order pairwise": all(
            plans[a].corresponds(plans[b]) for a, b in pairs
        ),
        "neither of I_1, I_2 is delayed relative to the other": not plans["i1"].delayed(plans["i2"])
        and not plans["i2"].delayed(plans["i1"]),
        "I_1 and I_2 are delayed relative to I_3": plans["i1"].delayed(plans["i3"])
        and plans["i2"].delayed(plans["i3"]),
        "I_3 is optimal": best.proved and plans["i3"].total_latency == best.total_latency,
    }
    second = {
        "I_1, I_2, I_3 are feasible": all(p.feasible(memory) for p in plans.values()),
        "I_1, I_2, I_3 preserve the corresponding order pairwise": all(
            literal.ordered(starts[a], starts[b]) for a, b in pairs
        ),
        "neither of I_1, I_2 is delayed relative to the other": not _later(starts["i1"], starts["i2"])
        and not _later(starts["i2"], starts["i1"]),
        "I_1 and I_2 are delayed relative to I_3": _later(starts["i1"], starts["i3"])
        and _later(starts["i2"], starts["i3"]),
        "I_3 is optimal": literal.total(starts["i3"], lengths) == _least_total(lengths, s, memory),
    }
    if facts != second:
        raise AssertionError("two computations of the appendix example differ")
    shown = {name: list(row) for name, row in starts.items()}
    drawn = {
        "schedules": [schedule(f"I_{name[1:]}", row, lengths, s, memory) for name, row in starts.items()]
    }  # fmt: skip
    parts = tuple(
        Part(name, "certified", {"starts": shown, "second computation": "agrees"})
        if holds
        else Part(name, "refuted", {"counterexample": shown, "second computation": "agrees"})
        for name, holds in facts.items()
    )
    parts = (replace(parts[0], evidence={**parts[0].evidence, **drawn}), *parts[1:])
    bad = [p.part for p in parts if p.status == "refuted"]
    why = "all as printed" if not bad else f"false: {'; '.join(bad)}"
    state = Proof("sound") if not bad else Proof("false-step", "; ".join(bad))
    return one_verdict(
        f"M = 7, s = 1, o = (1, 2, 3, 4), {PROCESS}", "definitions; optimum by enumeration", parts, why, state
    )


def _later(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))


def _least_total(lengths: tuple[int, ...], s: int, memory: int) -> int:
    horizon = sum(lengths)
    return min(
        literal.total(starts, lengths)
        for starts in product(range(horizon), repeat=len(lengths))
        if sum(starts) <= 12 and literal.feasible(starts, lengths, s, memory)
    )


EX_AMAX = Claim(
    id="ex-amax",
    place="Example 1",
    statement="n = 5, s = 1, M = 10, o = 1, [1,4]: H-SF 5, A_max latencies 1,1,2,2,3, total 9",
    given={"h_sf": "5", "a_max": "9", "latencies": "1,1,2,2,3", "batch": "2"},
    decide=decide_ex_amax,
    corrupted=(
        Variant("a total", {"a_max": "10"}),
        Variant("a latency", {"latencies": "1,1,2,3,3"}),
        Variant("another total", {"h_sf": "6"}),
    ),
    variants=(Variant("the same latencies", {"latencies": "1, 1, 2, 2, 3"}),),
)
EX_ORDER = Claim(
    id="ex-order",
    place="Example of Definition 1",
    statement="M = 7, s = 1, o = (1,2,3,4): I_1, I_2, I_3 in corresponding order; I_1, I_2 not delayed; I_3 ≤ I_1, I_2; I_3 optimal",
    given={"i1": "0,2,0,3", "i2": "1,1,0,3", "i3": "0,0,0,2"},
    decide=decide_ex_order,
    corrupted=(
        Variant("a start that breaks the order", {"i1": "0,2,0,1"}),
        Variant("a later start", {"i3": "0,0,0,3"}),
        Variant("a swap", {"i2": "0,2,0,3"}),
    ),
    variants=(Variant("the same starts", {"i1": "0, 2, 0, 3"}),),
)
