"""Queues in a fixed order: schedules that are not optimally packed, and pairs that change their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from crtools.ledger.agree import agree
from crtools.ledger.deciders.search import Hit, Small
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.process import simulate
from crtools.schedule import Schedule


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

    def starts(self, order: Sequence[int], row: Small, memory: int) -> list[int]:
        """Return the starts on an instance at a memory, by the literal process."""
        assumed = [max(row.lengths)] * len(row.lengths) if self.policy == "a-max" else list(row.lengths)
        return literal.queue(order, assumed, row.lengths, row.s, memory, skip=self.skip)

    def not_packed(self, row: Small) -> Hit | None:
        """Return a schedule with a request that could move to an earlier instant."""
        for order in ORDERS[self.policy](len(row.lengths)):
            starts = self.starts(order, row, row.memory)
            moved = literal.packed(starts, row.lengths, row.s, row.memory)
            if moved is not None:
                return self._packed_hit(row, order, starts, moved)
        return None

    def _packed_hit(self, row: Small, order: Sequence[int], starts: list[int], moved: tuple[int, int]) -> Hit:
        request, to = moved
        earlier = [*starts[:request], to, *starts[request + 1 :]]
        agree(Schedule(starts, row.lengths, row.s).optimally_packed(row.memory), False, "whether a schedule is packed")
        peak = Schedule(earlier, row.lengths, row.s).peak_memory
        if not self.skip:
            engine = "a-max" if self.policy == "a-max" else "a-random"  # the other orders are permutations of a-random
            again = simulate(engine, row.lengths, row.memory, row.s, order=order)
            agree([int(p) for p in again.starts], starts, "a queue's starts")
        shown = [
            schedule(f"{self.policy}, order {list(order)}", starts, row.lengths, row.s, row.memory),
            schedule(f"request {request} moved to {to}", earlier, row.lengths, row.s, row.memory),
        ]
        return Hit(
            "no request can start earlier, back to the batch before its own",
            f"request {request} can start at {to} instead of {starts[request]}",
            f"not packed by the schedule's own predicate; with the request moved the peak is {peak} ≤ {row.memory}",
            self._stays(lambda grown, order: literal.packed(self.starts(order, grown, grown.memory), *_of(grown))),
            {"order": list(order), "starts": starts, "request": request, "to": to, "schedules": shown},
        )

    def out_of_order(self, row: Small) -> Hit | None:
        """Return two schedules with one order of the queue, at M and at less, of which one exchanges two requests."""
        for smaller in range(row.s + max(row.lengths), row.memory):
            for order in ORDERS[self.policy](len(row.lengths)):
                a, b = (tuple(self.starts(order, row, m)) for m in (row.memory, smaller))
                if not literal.ordered(a, b):
                    return self._order_hit(row, smaller, order, a, b)
        return None

    def _order_hit(self, row: Small, smaller: int, order: Sequence[int], a: tuple[int, ...], b: tuple[int, ...]) -> Hit:
        one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
        agree(one.corresponds(two), False, "the order of two schedules")
        agree(one.feasible(row.memory) and two.feasible(smaller), True, "whether two schedules are feasible")
        shown = [
            schedule(f"{self.policy} at M = {m}", x, row.lengths, row.s, m) for m, x in ((row.memory, a), (smaller, b))
        ]
        pairs = [(i, j) for i in range(len(a)) for j in range(i) if (a[i] - a[j]) * (b[i] - b[j]) < 0]
        return Hit(
            "no two requests change their order",
            f"requests {pairs[0][1]} and {pairs[0][0]} do",
            "not in corresponding order, and both feasible, by the schedules' own predicates",
            self._stays(lambda grown, order: self._exchanged(grown, order)),
            {"order": list(order), "smaller_memory": smaller, "starts": [a, b], "schedules": shown},
        )

    def _exchanged(self, row: Small, order: Sequence[int]) -> bool | None:
        a, b = (tuple(self.starts(order, row, m)) for m in (row.memory, row.memory // 2))
        return None if literal.ordered(a, b) else True

    def _stays(self, fails: Callable[[Small, Sequence[int]], Any]) -> str:
        """Say at which larger instances one of ten random orders fails as well; nothing where none does at one of them."""
        if self.policy != "a-random":
            return ""
        random = np.random.default_rng(0)
        for memory, n in GROWN:
            drawn = (
                (Small(tuple(sorted(random.choice((4, 8), n).tolist())), 1, memory), random.permutation(n).tolist())
                for _ in range(10)
            )
            if all(fails(row, order) is None for row, order in drawn):
                return ""
        memories, sizes = (", ".join(str(row[i]) for row in GROWN) for i in (0, 1))
        return f"in orders drawn at random, also at $M = {memories}$ and $n = {sizes}$, lengths 4 and 8, $s = 1$"


def _of(row: Small) -> tuple[tuple[int, ...], int, int]:
    return row.lengths, row.s, row.memory
