"""packed-random: what A_random's schedules are, and are not."""

from collections.abc import Callable
from functools import partial
from itertools import permutations
from typing import Any

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.search import Check, Found, Small, search, searched
from crtools.ledger.result import Decision, Part, Proof, Repair, from_theorem
from crtools.papers.adaptive.evidence.reading import (
    PROCESS,
    found_so,
    one_verdict,
    requests_asked,
    schedule,
    which_instances,
)
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.process.queue import order_kept
from crtools.process import simulate
from crtools.schedule import Schedule


def _every(n: int) -> Any:
    return permutations(range(n))


ORDERS: dict[str, Callable[[int], Any]] = {
    "a-random": _every,
    "a-max": _every,
    "h-sf": lambda n: [tuple(range(n))],
    "longest-first": lambda n: [tuple(reversed(range(n)))],
    "shortest-last": lambda n: [(*range(1, n), 0)],
}
"""Queues over sorted lengths that the claim may be made about; the shortest request has index 0."""


MOST = 4
"""Instances of up to so many requests are looked at, with all permutations."""


def decide_packed(given: Given) -> Decision:
    """Search A_random's schedules for one that is not optimally packed, and coupled pairs that change their order."""
    policy = given["policy"].strip()
    if policy not in ORDERS:
        raise InputError("policy", policy, f"must be one of {', '.join(ORDERS)}")
    orders = ORDERS[policy]
    asked = requests_asked(given["requests"])
    most = min(asked or MOST, MOST)

    def find(look: Check, n: int, tries: int) -> Found:
        sizes = {"n": min(most, n), "longest": 4, "random_n": most, "random_longest": 8}
        return search(look, **sizes, prompts=(1, 2), tries=tries)

    def assumed(row: Small) -> list[int]:
        return [max(row.lengths)] * len(row.lengths) if policy == "a-max" else list(row.lengths)

    def check(row: Small, *, skip: bool = False) -> Any:
        for order in orders(len(row.lengths)):
            starts = literal.queue(order, assumed(row), row.lengths, row.s, row.memory, skip=skip)
            moved = literal.packed(starts, row.lengths, row.s, row.memory)
            if moved is not None:
                earlier = [*starts[: moved[0]], moved[1], *starts[moved[0] + 1 :]]
                shown = [
                    schedule(f"{policy}, order {list(order)}", starts, row.lengths, row.s, row.memory),
                    schedule(f"request {moved[0]} moved to {moved[1]}", earlier, row.lengths, row.s, row.memory),
                ]
                return {
                    "order": list(order), "starts": starts, "request that could move": moved[0], "to": moved[1],
                    "schedules": shown,
                }  # fmt: skip
        return None

    def coupled(row: Small, *, skip: bool = False) -> Any:
        for smaller in range(row.s + max(row.lengths), row.memory):
            for order in orders(len(row.lengths)):
                a, b = (
                    tuple(literal.queue(order, assumed(row), row.lengths, row.s, m, skip=skip))
                    for m in (row.memory, smaller)
                )
                if not literal.ordered(a, b):
                    shown = [
                        schedule(f"{policy} at M = {m}", x, row.lengths, row.s, m)
                        for m, x in ((row.memory, a), (smaller, b))
                    ]
                    return {
                        "order": list(order), "smaller memory": smaller, "starts": [list(a), list(b)], "schedules": shown,
                    }  # fmt: skip
        return None

    found = find(check, 4, 100)
    part = searched(f"{policy}'s schedules are optimally packed (Definition 2)", found, asked)
    if part.status == "refuted" and found.instance is not None:
        row = found.instance
        engine = "a-max" if policy == "a-max" else "a-random"  # the other orders are permutations of a-random
        again = simulate(engine, row.lengths, row.memory, row.s, order=found.hit["order"])
        plan = Schedule(again.starts, row.lengths, row.s)
        if list(plan.starts) != found.hit["starts"] or plan.optimally_packed(row.memory):
            raise AssertionError("two computations of a schedule differ")
        part = Part(
            part.part, "refuted", {**part.evidence, "second computation": "the simulator's run has the same starts"}
        )
    pair = searched(
        "the coupled schedules at two memories preserve the corresponding order", find(coupled, 3, 20), asked
    )
    skipping = partial(check, skip=True), partial(coupled, skip=True)
    skipped = (
        searched("optimally packed, where a queue passes over what does not fit", find(skipping[0], 3, 100), asked),
        searched("corresponding order, where a queue passes over what does not fit", find(skipping[1], 3, 20), asked),
    )
    skipped = tuple(_both_orders(p) if p.status == "refuted" else p for p in skipped)
    why = found_so((part, pair, *skipped))
    state = Proof("false-step", part.part) if part.status == "refuted" else Proof("not-examined")
    reading = (
        f"{which_instances(asked)}, every permutation; a queue stops at the first request that does not fit, or, as the pseudo-code may "
        f"be read, passes over it; {PROCESS}"
    )
    repairs = (_repair(),) if part.status == "refuted" else ()
    return one_verdict(reading, "exhaustive search, then random instances", (part, pair, *skipped), why, state, repairs)


def _repair() -> Repair:
    sentence = (
        "A_random's queue stops at the first request that does not fit; so its schedules with one permutation at M and at βM preserve "
        "the corresponding order"
    )
    return Repair(sentence, (from_theorem("the order of a queue", order_kept()),))


def _both_orders(part: Part) -> Part:
    """Confirm a pair of schedules that changes its order by the schedules' own predicate."""
    row, hit = part.evidence["counterexample"], part.evidence
    if "smaller memory" in hit:
        one, two = (Schedule(tuple(x), tuple(row["lengths"]), row["s"]) for x in hit["starts"])
        if one.corresponds(two) or not (one.feasible(row["M"]) and two.feasible(hit["smaller memory"])):
            raise AssertionError("two computations of an order differ")
    return Part(part.part, part.status, {**part.evidence, "second computation": "by the schedules' own predicates"})


PACKED = Claim(
    id="packed-random",
    place="before Theorem fully_random",
    statement="A_random's schedules are optimally packed, and the coupled schedules preserve the corresponding order",
    given={"policy": "a-random", "requests": "any"},
    decide=decide_packed,
    corrupted=(
        Variant("the longest first", {"policy": "longest-first"}),
        Variant("A_max", {"policy": "a-max"}),
        Variant("the shortest last", {"policy": "shortest-last"}),
        Variant("three requests", {"requests": "3"}),
    ),
    variants=(
        Variant("H-SF, in the range searched", {"policy": "h-sf"}),
        Variant("two requests", {"requests": "2"}),
    ),
)
