"""ex-amax and ex-order: the two examples of the paper, number by number."""

from dataclasses import replace
from itertools import combinations, product
from typing import Any

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.result import Decision, Part, Proof
from crtools.papers.adaptive.evidence.reading import PROCESS, integers, one_verdict, schedule, whole
from crtools.papers.adaptive.literal import process as literal
from crtools.process import optimum, simulate
from crtools.schedule import Schedule


def decide_ex_amax(given: Given) -> Decision:
    """Run Example 1 with both computations and compare every printed number."""
    n, s, memory, length, low, high = (_small(name, given[name]) for name in ("n", "s", "M", "o", "l", "u"))
    lengths = [length] * n
    best, slow = simulate("h-sf", lengths, memory, s, low, high), simulate("a-max", lengths, memory, s, low, high)
    own = literal.queue(range(n), [high] * n, lengths, s, memory)
    actual: dict[str, Any] = {
        "h_sf": best.total_latency,
        "a_max": slow.total_latency,
        "latencies": sorted(int(p) + length for p in slow.starts),
        "batch": memory // (s + high) if n > memory // (s + high) else n,
    }
    second: dict[str, Any] = {
        "h_sf": literal.total(literal.shortest_first(lengths, s, memory), lengths),
        "a_max": literal.total(own, lengths),
        "latencies": sorted(p + length for p in own),
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
        "a_max": schedule("A_max", own, lengths, s, memory, [high] * n),
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
    where = f"n = {n}, s = {s}, M = {memory}, o = {length}, [{low}, {high}], {PROCESS}"
    return one_verdict(where, "two engines", tuple(parts), why, state)


LARGEST = 100
"""The largest number of requests, tokens or instants that the examples may be given."""


def _small(name: str, text: str) -> int:
    value = whole(name, text)
    if value > LARGEST:
        raise InputError(name, text, f"must be an integer from 0 to {LARGEST}")
    return value


def decide_ex_order(given: Given) -> Decision:
    """Check the appendix example's schedules against the definitions."""
    lengths, s, memory = tuple(integers("o", given["o"])), _small("s", given["s"]), _small("M", given["M"])
    if len(lengths) > 4 or sum(lengths) > 12 or min(lengths) < 1:
        raise InputError("o", given["o"], "must be at most four lengths ≥ 1 that sum to at most 12")
    starts = {name: tuple(integers(name, given[name])) for name in ("i1", "i2", "i3")}
    for name, row in starts.items():
        if len(row) != len(lengths) or max(row) > LARGEST:
            raise InputError(name, given[name], f"must hold {len(lengths)} start times, each at most {LARGEST}")
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
        "I_3 is optimal": best.proved
        and plans["i3"].total_latency == best.total_latency
        and literal.feasible(starts["i3"], lengths, s, memory),
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
        "I_3 is optimal": plans["i3"].feasible(memory)
        and literal.total(starts["i3"], lengths) == _least_total(lengths, s, memory),
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
        f"M = {memory}, s = {s}, o = {lengths}, {PROCESS}", "definitions; optimum by enumeration", parts, why, state
    )


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


EX_AMAX = Claim(
    id="ex-amax",
    place="Example 1",
    statement="n = 5, s = 1, M = 10, o = 1, [1,4]: H-SF 5, A_max latencies 1,1,2,2,3, total 9",
    given={
        "n": "5",
        "s": "1",
        "M": "10",
        "o": "1",
        "l": "1",
        "u": "4",
        "h_sf": "5",
        "a_max": "9",
        "latencies": "1,1,2,2,3",
        "batch": "2",
    },
    decide=decide_ex_amax,
    corrupted=(
        Variant("a total", {"a_max": "10"}, "A_max's total"),
        Variant("a latency", {"latencies": "1,1,2,3,3"}, "A_max's latencies"),
        Variant("another total", {"h_sf": "6"}, "H-SF's total"),
        Variant("the batch", {"batch": "3"}, "A_max's batch"),
        Variant("one request more", {"n": "6"}, "A_max's total"),
        Variant("less memory", {"M": "9"}, "H-SF's total"),
        Variant("an interval end", {"u": "3", "M": "12"}, "A_max's batch"),
        Variant("the lengths", {"o": "2"}, "H-SF's total"),
    ),
    variants=(
        Variant("memory that makes no difference", {"M": "11"}),
        Variant("one request less", {"n": "4", "h_sf": "4", "a_max": "6", "latencies": "1,1,2,2"}),
    ),
)
EX_ORDER = Claim(
    id="ex-order",
    place="Example of Definition 1",
    statement="M = 7, s = 1, o = (1,2,3,4): I_1, I_2, I_3 in corresponding order; I_1, I_2 not delayed; I_3 ≤ I_1, I_2; I_3 optimal",
    given={"M": "7", "s": "1", "o": "1,2,3,4", "i1": "0,2,0,3", "i2": "1,1,0,3", "i3": "0,0,0,2"},
    decide=decide_ex_order,
    corrupted=(
        Variant("a start that breaks the order", {"i1": "0,2,0,1"}, "I_1, I_2, I_3 preserve"),
        Variant("a later start", {"i3": "0,0,0,3"}, "I_3 is optimal"),
        Variant("a swap", {"i2": "0,2,0,3"}, "neither of I_1, I_2"),
        Variant("more memory", {"M": "8"}, "I_3 is optimal"),
        Variant("longer prompts", {"s": "2"}, "I_1, I_2, I_3 are feasible"),
        Variant("two lengths exchanged", {"o": "4,2,3,1"}, "I_3 is optimal"),
        Variant("less memory", {"M": "6"}, "I_1, I_2, I_3 are feasible"),
    ),
    variants=(
        Variant("the first two lengths exchanged, and their starts", {"o": "2,1,3,4", "i1": "2,0,0,3"}),
        Variant("another delayed schedule", {"i1": "0,2,0,4"}),
    ),
)
