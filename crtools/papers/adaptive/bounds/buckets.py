"""What an instant of Algorithm 2 costs: the requests that run, and the waiting ones kept in buckets by õ."""

from __future__ import annotations

from collections.abc import Sequence

Running = tuple[int, int]
"""Age, and the age up to which a running request counts."""


def room(running: Sequence[Running], s: int, memory: int, horizon: int) -> list[int]:
    """Return how many new requests may still run at each of the next 1, …, horizon instants (index 0 is unused).

    One that starts now holds s + d tokens d instants later.
    """
    found = [0]
    for ahead in range(1, horizon + 1):
        used = sum(s + age + ahead for age, last in running if age + ahead <= last)
        found.append((memory - used) // (s + ahead))
    return found


def by_buckets(bounds: Sequence[int], running: Sequence[Running], s: int, memory: int) -> int:
    """Return how many of the waiting requests, in increasing õ, are admitted: one pass over the buckets and instants.

    All that are admitted start now and have õ in increasing order: one that joins takes a place at each of the next õ
    instants, and those beyond are still free of new ones. So one number is kept, the places left up to the bucket's õ.
    """
    places = room(running, s, memory, max(bounds, default=0))
    taken, left, seen = 0, memory + 1, 0
    for own in sorted(set(bounds)):
        left = min(left, *places[seen + 1 : own + 1])
        seen = own
        some = min(bounds.count(own), max(left, 0))
        taken, left = taken + some, left - some
        if some < bounds.count(own):
            break
    return taken


def one_by_one(bounds: Sequence[int], running: Sequence[Running], s: int, memory: int) -> int:
    """Return the same by the admission test as it stands, request by request."""
    chosen = list(running)
    for taken, own in enumerate(sorted(bounds)):
        chosen.append((0, own))
        for ahead in range(1, own + 1):
            if sum(s + age + ahead for age, last in chosen if age + ahead <= last) > memory:
                return taken
    return len(bounds)
