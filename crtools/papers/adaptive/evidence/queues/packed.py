"""Queues in a fixed order: schedules that are not optimally packed, and pairs that change their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

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
            starts, moved = self._moved(row, order)
            if moved is not None:
                return self._packed_hit(row, order, starts, *moved)
        return None

    def _moved(self, row: Small, order: Sequence[int]) -> tuple[list[int], tuple[int, int] | None]:
        starts = self.starts(order, row, row.memory)
        return starts, literal.packed(starts, row.lengths, row.s, row.memory)

    def _packed_hit(self, row: Small, order: Sequence[int], starts: list[int], request: int, to: int) -> Hit:
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
            self._stays(lambda grown, order: self._moved(grown, order)[1] is not None),
            {"order": list(order), "starts": starts, "request": request, "to": to, "schedules": shown},
        )

    def out_of_order(self, row: Small) -> Hit | None:
        """Return two schedules with one order of the queue, at M and at αM, of which one exchanges two requests.

        α = l/u, where u is the largest length and l at most the least, and αM an integer at which each request can run.
        """
        high = max(row.lengths)
        for low in range(min(row.lengths), 0, -1):
            smaller, rest = divmod(low * row.memory, high)
            if rest or not row.s + high <= smaller < row.memory:
                continue
            for order in ORDERS[self.policy](len(row.lengths)):
                a, b, pairs = self._exchanged(row, smaller, order)
                if pairs:
                    return self._order_hit(row, (low, high, smaller), order, a, b, pairs[0])
        return None

    def _exchanged(
        self, row: Small, smaller: int, order: Sequence[int]
    ) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        a, b = (self.starts(order, row, memory) for memory in (row.memory, smaller))
        return a, b, [(j, i) for i in range(len(a)) for j in range(i) if (a[i] - a[j]) * (b[i] - b[j]) < 0]

    def _order_hit(
        self,
        row: Small,
        at: tuple[int, int, int],
        order: Sequence[int],
        a: list[int],
        b: list[int],
        pair: tuple[int, int],
    ) -> Hit:
        low, high, smaller = at
        one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
        agree(one.corresponds(two), False, "the order of two schedules")
        agree(one.feasible(row.memory) and two.feasible(smaller), True, "whether two schedules are feasible")
        shown = [
            schedule(f"{self.policy} at {name} = {m}", x, row.lengths, row.s, m)
            for name, m, x in (("M", row.memory, a), ("αM", smaller, b))
        ]
        sizes = [row.lengths[i] for i in order]
        return Hit(
            "no two requests change their order",
            f"with $[l, u] = [{low}, {high}]$ and the queue {sizes}, starts {[a[i] for i in order]} at $M = {row.memory}$ and "
            f"{[b[i] for i in order]} at $αM = {smaller}$",
            f"requests {pair[0]} and {pair[1]} are exchanged; both feasible, by the schedules' own predicates",
            self._stays(lambda grown, order: bool(self._exchanged(grown, grown.memory // 2, order)[2])),
            {"order": list(order), "l": low, "u": high, "alpha_M": smaller, "starts": [a, b], "schedules": shown},
        )

    def _stays(self, fails: Callable[[Small, Sequence[int]], bool]) -> str:
        """Say at which larger instances one of ten random orders fails as well; nothing where none does at one of them."""
        random = np.random.default_rng(0)

        def some(memory: int, n: int) -> bool:
            drawn = (
                (Small(tuple(sorted(random.choice((4, 8), n).tolist())), 1, memory), random.permutation(n).tolist())
                for _ in range(10)
            )
            return any(fails(row, order) for row, order in drawn)

        if self.policy != "a-random" or not all(some(*size) for size in GROWN):
            return ""
        memories, sizes = (", ".join(map(str, values)) for values in zip(*GROWN, strict=True))
        return f"in orders drawn at random, also at $M = {memories}$ and $n = {sizes}$, lengths 4 and 8, $s = 1$"
