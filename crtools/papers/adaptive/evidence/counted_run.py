"""Algorithm 2 with every operation counted: the pseudo-code as it stands, and with the waiting requests in buckets.

Used by thm-complexity, and as a second implementation of Algorithm 2. Counted at an instant: **comparisons** of two bounds õ by
the sorts; **moves** of a request between waiting and running; **looks** at a running request when memory is projected to the
next instant, once for the overflow test and once in each removal and admission (a running sum makes one look enough). Only
l = 1 and one prompt size. Not counted: the tests of a waiting request with õ > 1 against every running one, and time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from random import Random
from typing import Literal

Waiting = Literal["sorted", "buckets"]
"""The keys that are sorted at an instant: all waiting requests, or one key for each bound õ among them."""


@dataclass
class CountedRun:
    """The operations of every instant, the largest number of running requests, and TEL."""

    instants: list[int] = field(default_factory=list[int])
    concurrent: int = 0
    total_latency: int = 0

    @property
    def largest(self) -> int:
        """The largest work of an instant."""
        return max(self.instants)

    @property
    def in_all(self) -> int:
        """The work of the whole run."""
        return sum(self.instants)


@dataclass
class _Job:
    length: int
    bound: int = 1
    age: int = 0


def counted_run(lengths: Sequence[int], s: int, memory: int, waiting: Waiting = "sorted", seed: int = 0) -> CountedRun:
    """Run Algorithm 2 and count. Shuffling and sorting stably, and adding at a random place, breaks ties uniformly."""
    draw, mixed, run = Random(seed), Random(seed), CountedRun()
    buckets = {1: [_Job(o) for o in lengths]}
    draw.shuffle(buckets[1])
    running: list[_Job] = []
    t = 0
    while buckets or running:
        run.total_latency += t * sum(job.age == job.length for job in running)
        running = [job for job in running if job.age < job.length]
        work = len(running)
        use = sum(s + job.age + 1 for job in running)
        back = 0
        if use > memory:
            draw.shuffle(running)
            work += _comparisons([job.bound for job in running])
            running.sort(key=lambda job: job.bound)
            while use > memory:
                use -= s + running[back].age + 1
                back += 1
                work += 2
        for job in running[:back]:
            job.bound, job.age = max(job.bound, job.age), 0
            bucket = buckets.setdefault(job.bound, [])
            bucket.append(job)  # to a random place
            other = draw.randrange(len(bucket))
            bucket[other], bucket[-1] = bucket[-1], bucket[other]
        running = running[back:]
        keys = list(buckets) if waiting == "buckets" else [b for b, bucket in buckets.items() for _ in bucket]
        mixed.shuffle(keys)
        work += _comparisons(keys)
        for bound in sorted(buckets):
            bucket = buckets[bound]
            while bucket:
                work += 2
                if not _fits(bound, running, use, s, memory):
                    break
                running.append(bucket.pop())
                use += s + 1
            if bucket:
                break
            del buckets[bound]
        run.instants.append(work)
        run.concurrent = max(run.concurrent, len(running))
        for job in running:
            job.age += 1
        t += 1
    return run


def _comparisons(keys: Sequence[int]) -> int:
    """Return how many comparisons a sort of keys makes."""
    made = 0

    def compare(a: int, b: int) -> int:
        nonlocal made
        made += 1
        return a - b

    sorted(keys, key=cmp_to_key(compare))
    return made


def _fits(bound: int, running: list[_Job], use: int, s: int, memory: int) -> bool:
    """Eq. (3), for a request with this bound."""
    return use + s + 1 <= memory and all(
        s + ahead + sum(s + job.age + ahead for job in running if job.age + ahead <= job.bound) <= memory
        for ahead in range(2, bound + 1)
    )
