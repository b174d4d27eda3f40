"""Runs of H-SF, A_max and A_random by two implementations of the process: the simulator, and the judge (``check/process.py``)."""

from collections.abc import Sequence
from typing import Literal

from check import process as judge
from crtools.ledger.evidence import agree
from crtools.process import simulate

Queue = Literal["h-sf", "a-max", "a-random"]


def judged_starts(
    policy: Queue, lengths: Sequence[int], memory: int, s: int, u: int = 0, order: Sequence[int] | None = None
) -> list[int]:
    """Return the starts by the judge; A_max assumes ``u``. The queue's order is that of ``lengths`` unless it is given."""
    if policy == "h-sf":
        return judge.shortest_first(lengths, s, memory)
    assumed = [u] * len(lengths) if policy == "a-max" else lengths
    return judge.run_queue(range(len(lengths)) if order is None else order, assumed, lengths, s, memory)


def fast_total(policy: Queue, lengths: Sequence[int], memory: int, s: int, l: int, u: int) -> int:
    """Return the total latency by the fast engine alone, for long runs; the queue's order is that of ``lengths``."""
    return simulate(policy, lengths, memory, s, l, u, order=range(len(lengths)), engine="fast").total_latency


def confirmed_total(
    policy: Queue, lengths: Sequence[int], memory: int, s: int, l: int, u: int, order: Sequence[int] | None = None
) -> int:
    """Return the total latency, which both compute."""
    in_order = range(len(lengths)) if order is None else order
    total = simulate(policy, lengths, memory, s, l, u, order=in_order).total_latency
    starts = judged_starts(policy, lengths, memory, s, u, order)
    return agree(int(total), judge.total(starts, lengths), f"{policy}'s total")
