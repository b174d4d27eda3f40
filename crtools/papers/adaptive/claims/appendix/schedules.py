"""ex-order and packed-random: schedules that are feasible, optimally packed, and in corresponding order."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from operator import ge

import numpy as np

from check import process as judge
from crtools.errors import InputError
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Refuted, agree, by_theorem
from crtools.ledger.deciders.search import Check, Hit, SmallInstance, search, search_evidence
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.reading import (
    integers,
    largest_n_given,
    one_of,
    repairs,
    schedule,
    which_instances,
    whole,
)
from crtools.papers.adaptive.theory import ALGORITHM, reading_of, stated_claim, theorem
from crtools.process import optimum, simulate
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


@stated_claim("ex-order")
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
    return all(map(ge, a, b))


def _optimal_total(lengths: tuple[int, ...], s: int, memory: int) -> int:
    """No optimal schedule is ever empty before its end, or worse than shortest first."""
    greedy = sum(judge.shortest_first(lengths, s, memory))
    return min(
        judge.total(starts, lengths)
        for starts in product(range(sum(lengths)), repeat=len(lengths))
        if sum(starts) <= greedy and judge.feasible(starts, lengths, s, memory)
    )


LARGEST_N = 4
"""Largest number of requests in the search over all permutations."""


FALSE = {
    "packed-passing": "a queue that passes over a request leaves room in which another could start",
    "order-passing": "a shorter request that was passed over at $M$ is not at $αM$, or the other way round, so that two change their order",
}
"""What a refutation of a deciding finding means, by the finding's id."""

STOPPING = "where the queue stops at the first that does not fit"


@stated_claim("packed-random")
def packed_random(given: Given) -> Decision:
    """Search A_random's schedules for coupled pairs that change their order, and one that is not optimally packed."""
    policy = one_of(given, "policy", ORDERS)
    largest_n = largest_n_given(given["requests"])
    limit = min(largest_n or LARGEST_N, LARGEST_N)

    def find(look: Check, n: int, tries: int) -> Evidence:
        sizes = {"n": min(limit, n), "longest": 4, "random_n": limit, "random_longest": 8}
        return search_evidence(search(look, **sizes, prompts=(1, 2), tries=tries), largest_n)

    stopping, passing = Queue(policy), Queue(policy, skip=True)
    knows_lengths = policy != "a-max"  # A_max does not know the lengths
    packed = (
        by_theorem(theorem("a queue that passes over is packed")) if knows_lengths else find(passing.not_packed, 3, 100)
    )
    kept = by_theorem(theorem("the order of a queue")) if knows_lengths else find(stopping.out_of_order, 3, 20)
    exchanged = find(passing.out_of_order, 3, 20)
    findings = (
        Finding("order-passing", "the coupled schedules at $M$ and $αM$ preserve the corresponding order", exchanged),
        Finding("packed-passing", f"{policy}'s schedules are optimally packed", packed),
        Finding("order", f"the first {STOPPING}: in order", kept, decides=False),
        Finding("packed", f"the second {STOPPING}: packed", find(stopping.not_packed, 4, 100), decides=False),
    )
    refuted = [f.id for f in findings if f.decides and f.status == "refuted"]
    why = "; ".join(FALSE[id] for id in refuted) or "no instance that was looked at contradicts it"
    if refuted and findings[3].status == "refuted":
        why += f"; {STOPPING}, they keep their order and are not packed"
    read = reading_of("packed-random", instances=which_instances(largest_n))
    verdict = read.verdict(ALGORITHM, why, *findings)
    summary = "no counterexample was found"
    if refuted:
        summary = "at $M$ and $αM$ two requests change order" if "order-passing" in refuted else FALSE["packed-passing"]
    true = repairs("packed-by-passing", "order-kept") if refuted and knows_lengths else ()
    uncorrected = ["coupled"] * (exchanged.status != "refuted")
    proof = read.proof(*uncorrected, by_construction=packed, coupled=exchanged)
    return Decision(summary, (verdict,), proof, true)


# ---- Queues in a fixed order: schedules that are not optimally packed, and pairs that change their order -------------


def _every(n: int) -> Iterable[tuple[int, ...]]:
    return permutations(range(n))


ORDERS: dict[str, Callable[[int], Iterable[tuple[int, ...]]]] = {
    "a-random": _every,
    "a-max": _every,
    "h-sf": lambda n: [tuple(range(n))],
    "longest-first": lambda n: [tuple(reversed(range(n)))],
    "shortest-last": lambda n: [(*range(1, n), 0)],
}
"""Queues over sorted lengths; the shortest request has index 0."""

GROWN = ((60, 60), (100, 120), (160, 200))
"""Sizes (M, n) of larger instances, with lengths 4 and 8 and s = 1: M/(s+u) grows at α = 1/2."""


@dataclass(frozen=True)
class Queue:
    """A policy's queue, which stops at the first request that does not fit, or passes over it (``skip``)."""

    policy: str
    skip: bool = False

    def starts(self, order: Sequence[int], row: SmallInstance, memory: int) -> list[int]:
        """Return the starts on an instance at a memory, by the literal process."""
        assumed = [max(row.lengths)] * len(row.lengths) if self.policy == "a-max" else list(row.lengths)
        return judge.run_queue(order, assumed, row.lengths, row.s, memory, passing=self.skip)

    def not_packed(self, row: SmallInstance) -> Hit | None:
        """Return a schedule with a request that could move to an earlier instant."""
        instance = row.lengths, row.s, row.memory
        for order in ORDERS[self.policy](len(row.lengths)):
            starts = self.starts(order, row, row.memory)
            moves = (
                (i, k)
                for i, start in enumerate(starts)
                for k in range(start)
                if judge.may_move(starts, *instance, i, k)
            )
            if move := next(moves, None):
                return self._packed_hit(row, order, starts, *move)
        return None

    def _packed_hit(self, row: SmallInstance, order: Sequence[int], starts: list[int], request: int, to: int) -> Hit:
        earlier = [*starts[:request], to, *starts[request + 1 :]]
        agree(Schedule(starts, row.lengths, row.s).optimally_packed(row.memory), False, "whether a schedule is packed")
        peak = Schedule(earlier, row.lengths, row.s).peak_memory
        if not self.skip:
            engine = "a-max" if self.policy == "a-max" else "a-random"  # the other orders are permutations of a-random
            simulated = simulate(engine, row.lengths, row.memory, row.s, order=order)
            agree([int(p) for p in simulated.starts], starts, "a queue's starts")
        rows = {f"{self.policy}, order {list(order)}": starts, f"request {request} moved to {to}": earlier}
        schedules = [schedule(name, each, row.lengths, row.s, row.memory) for name, each in rows.items()]
        return Hit(
            "no request can start earlier, back to the batch before its own",
            f"request {request} can start at {to} instead of {starts[request]}",
            f"not packed by the schedule's own predicate; with the request moved the peak is {peak} ≤ {row.memory}",
            self._stays(self._is_not_packed),
            {"order": list(order), "starts": starts, "request": request, "to": to, "schedules": schedules},
        )

    def out_of_order(self, row: SmallInstance) -> Hit | None:
        """Return two schedules with one order of the queue, at M and at αM, of which one exchanges two requests.

        α = l/u, where u is the largest length and l at most the least, and αM an integer at which each request can run.
        """
        high = max(row.lengths)
        for low in range(min(row.lengths), 0, -1):
            smaller, remainder = divmod(low * row.memory, high)
            if remainder or not row.s + high <= smaller < row.memory:
                continue
            for order in ORDERS[self.policy](len(row.lengths)):
                a, b = (self.starts(order, row, memory) for memory in (row.memory, smaller))
                if not judge.same_order(a, b):
                    return self._order_hit(row, low, smaller, order, a, b)
        return None

    def _order_hit(
        self, row: SmallInstance, low: int, smaller: int, order: Sequence[int], a: list[int], b: list[int]
    ) -> Hit:
        high = max(row.lengths)
        one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
        agree(one.corresponds(two), False, "the order of two schedules")
        agree(one.feasible(row.memory) and two.feasible(smaller), True, "whether two schedules are feasible")
        schedules = [
            schedule(f"{self.policy} at {name} = {m}", x, row.lengths, row.s, m)
            for name, m, x in (("M", row.memory, a), ("αM", smaller, b))
        ]
        sizes = [row.lengths[i] for i in order]
        i, j = next((j, i) for i in range(len(a)) for j in range(i) if (a[i] - a[j]) * (b[i] - b[j]) < 0)
        return Hit(
            "no two requests change their order",
            f"with $[l, u] = [{low}, {high}]$ and the queue {sizes}, starts {[a[i] for i in order]} at $M = {row.memory}$ and "
            f"{[b[i] for i in order]} at $αM = {smaller}$",
            f"requests {i} and {j} are exchanged; both feasible, by the schedules' own predicates",
            self._stays(self._is_exchanged_at_half),
            {"order": list(order), "l": low, "u": high, "alpha_M": smaller, "starts": [a, b], "schedules": schedules},
        )

    def _is_not_packed(self, row: SmallInstance, order: Sequence[int]) -> bool:
        return not judge.packed(self.starts(order, row, row.memory), row.lengths, row.s, row.memory)

    def _is_exchanged_at_half(self, row: SmallInstance, order: Sequence[int]) -> bool:
        return not judge.same_order(*(self.starts(order, row, memory) for memory in (row.memory, row.memory // 2)))

    def _stays(self, fails: Callable[[SmallInstance, Sequence[int]], bool]) -> str:
        """Say at which larger instances one of ten random orders fails too; "" unless one does at each size."""
        random = np.random.default_rng(0)

        def one(memory: int, n: int) -> bool:
            lengths = tuple(sorted(random.choice((4, 8), n).tolist()))
            return fails(SmallInstance(lengths, 1, memory), random.permutation(n).tolist())

        def some(memory: int, n: int) -> bool:
            return any(one(memory, n) for _ in range(10))

        if self.policy != "a-random" or not all(some(*size) for size in GROWN):
            return ""
        memories, sizes = (", ".join(map(str, values)) for values in zip(*GROWN, strict=True))
        return f"in orders drawn at random, also at $M = {memories}$ and $n = {sizes}$, lengths 4 and 8, $s = 1$"
