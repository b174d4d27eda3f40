"""The admissions of one instant of Algorithm 2, with the waiting requests in buckets by õ, and one by one.

The theorem "waiting requests in buckets" (claim thm-complexity) says that both admit the same number.
"""

from __future__ import annotations

from collections.abc import Sequence

Running = tuple[int, int]
"""A running request: its age, and the age up to which it is assumed to run."""


def room(running: Sequence[Running], s: int, memory: int, horizon: int) -> list[int]:
    """Return how many new requests may still run at each of the next 1, …, horizon instants (index 0 is unused).

    One that starts now holds s + d tokens d instants later.
    """
    free = [0]
    for ahead in range(1, horizon + 1):
        used = sum(s + age + ahead for age, last in running if age + ahead <= last)
        free.append((memory - used) // (s + ahead))
    return free


def by_buckets(bounds: Sequence[int], running: Sequence[Running], s: int, memory: int) -> int:
    """Return the number of admitted requests, in increasing õ, in one pass over the buckets and the instants.

    An admitted request takes one slot at each of the next õ instants; later instants hold no new request yet. So it is enough
    to keep one number: the smallest number of free slots up to the current õ.
    """
    free = room(running, s, memory, max(bounds, default=0))
    total, free_so_far, previous = 0, memory + 1, 0
    for bound in sorted(set(bounds)):
        free_so_far = min(free_so_far, *free[previous + 1 : bound + 1])
        previous = bound
        admitted = min(bounds.count(bound), max(free_so_far, 0))
        total, free_so_far = total + admitted, free_so_far - admitted
        if admitted < bounds.count(bound):
            break
    return total


def one_by_one(bounds: Sequence[int], running: Sequence[Running], s: int, memory: int) -> int:
    """Return the same by the admission test as it stands, request by request."""
    chosen = list(running)
    for taken, bound in enumerate(sorted(bounds)):
        chosen.append((0, bound))
        for ahead in range(1, bound + 1):
            if sum(s + age + ahead for age, last in chosen if age + ahead <= last) > memory:
                return taken
    return len(bounds)
