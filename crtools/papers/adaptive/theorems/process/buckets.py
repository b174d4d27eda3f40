"""What an instant of Algorithm 2 costs: the requests that run, and the waiting ones kept in buckets by õ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement

import sympy as sp

from crtools.proof.builder import Proof
from crtools.proof.symbols import s
from crtools.proof.theorem import Theorem

K, MEMORY, SPARE = sp.Symbol("k", integer=True), sp.Symbol("M", integer=True), sp.Symbol("m", integer=True)

Running = tuple[int, int]
"""Age, and the age up to which a running request counts."""


def concurrent(claimed: object) -> Theorem:
    """At most ``claimed`` (in s and M) requests run at once, for every s ≥ 1; of use where claimed ≥ M/(s+1)."""
    expr = sp.sympify(claimed).subs(sp.Symbol("M", positive=True), MEMORY)
    shown = rf"|S_t \cup I_t| \le {sp.latex(claimed)}"
    proof = Proof("concurrent prompts", "every s ≥ 1, M ≥ 1 and feasible state", shown)
    text = "at the next instant each running request holds at least s + 1 tokens: at most M/(s+1) run"
    return proof.nonnegative(text, expr - MEMORY / (s + 1), s >= 1, MEMORY >= 1).qed()


def sorted_concurrent() -> Theorem:
    """A merge sort of the requests that run compares at most M (log₂ M + 1) times."""
    proof = Proof("sort of the concurrent prompts", "every s ≥ 1 and M ≥ 1; merge sort's bound is taken as known")
    text = "k (s+1) ≤ M: with M = k(s+1) + m, M − k ≥ 0"
    proof.nonnegative(text, K * (s + 1) + SPARE - K, s >= 1, K >= 0, SPARE >= 0)
    return proof.therefore(r"k\lceil\log_2 k\rceil \le M(\log_2 M + 1)").qed()


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


def _states() -> Iterator[tuple[tuple[int, ...], tuple[Running, ...], int, int]]:
    some: tuple[Running, ...] = ((0, 1), (1, 2), (1, 4), (2, 3))
    for waiting in range(1, 5):
        for bounds in combinations_with_replacement((1, 2, 3, 5), waiting):
            for count in range(3):
                for running in combinations_with_replacement(some, count):
                    for prompt in (1, 2):
                        least = sum(prompt + age + 1 for age, _ in running)
                        for memory in range(max(least, prompt + 1), least + 16, 3):
                            yield bounds, running, prompt, memory


def _same_admissions() -> str | None:
    for bounds, running, prompt, memory in _states():
        one, two = by_buckets(bounds, running, prompt, memory), one_by_one(bounds, running, prompt, memory)
        if one != two:
            return f"õ = {bounds} beside {running}, s = {prompt}, M = {memory}: {one} by buckets, {two} one by one"
    return None


@cache
def instant() -> Theorem:
    """With the waiting requests in buckets by õ, an instant of Algorithm 2 takes O(M log M) operations."""
    proof = Proof(
        "waiting requests in buckets",
        "Algorithm 2, every s ≥ 1, l, n and M, one constant; after one pass over the input; merge sort's bound is taken as known",
    )
    proof.cite(sorted_concurrent())
    proof.argued(
        r"\text{admissions of an instant: } O(M)",
        "a waiting request has õ ≤ o ≤ M − s, so at most M buckets and M later instants are looked at. The use that is "
        "projected changes by one number at each age at which a running request stops counting: all of it takes O(M). Those "
        "admitted start at the same instant and in increasing õ, so one number, the places left up to the bucket's õ, says "
        "how many of a bucket fit; which of them, with ties broken uniformly, is a random draw from the bucket",
        test=_same_admissions,
        tested="up to 4 waiting requests with õ in {1, 2, 3, 5} beside up to 2 running ones, s in {1, 2}, every third M",
    )
    return proof.therefore(
        r"\text{operations of an instant} = O(M \log M)",
        "removals: one sort of those that run and a pass, each into the bucket of its new õ; then the admissions",
    ).qed()
