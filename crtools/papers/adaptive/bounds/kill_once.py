"""The policy that kills once at age 1: near every schedule on lengths 1 and u, and far from H-SF on lengths 2 and 3.

The policy does not know the lengths. Every request runs for one instant, in random order; requests that have not completed
are killed. After that the killed requests run as under A_max: in the order, each to its end, with u reserved. It shows that a
worst case need not be attained at the ends of an interval, even in the limit (claim thm-endpoints).
"""

from collections.abc import Sequence
from math import ceil

from check import process as judge


def total(lengths: Sequence[int], order: Sequence[int], s: int, up: int, memory: int) -> int:
    """Return the policy's total latency in an order of the requests; lengths in [1, up], ``memory`` ≥ s + up."""
    batch = memory // (s + 1)
    killed = [request for request in order if lengths[request] > 1]
    first = sum(position // batch + 1 for position, request in enumerate(order) if lengths[request] == 1)
    remaining = [lengths[request] for request in killed]
    later = judge.run_queue(range(len(remaining)), [up] * len(remaining), remaining, s, memory) if remaining else []
    second = sum(start + o for start, o in zip(later, remaining, strict=True))
    return first + second + len(remaining) * ceil(len(order) / batch)
