"""Algorithm 2 with every operation counted: the pseudo-code as it stands, and with the waiting requests in buckets.

What is counted at an instant: **comparisons** of two bounds õ, by the sorts or in the heap of buckets; **moves** of a
request between waiting and running; **looks** at a running request when memory is projected to the next instant, once
for the overflow test and once in each removal and admission (a running sum is kept, so that one look is enough).
Only l = 1 and one prompt size; a waiting request with õ > 1 is tested against every running one at each of its instants,
which is counted apart (``projections``). Time is not measured.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from random import Random
from typing import Literal

Waiting = Literal["sorted", "buckets"]


@dataclass
class Counts:
    """Operations of one instant; ``work`` leaves out the projections over a bound's horizon."""

    comparisons: int = 0
    moves: int = 0
    looks: int = 0
    projections: int = 0

    @property
    def work(self) -> int:
        """Comparisons, moves and looks."""
        return self.comparisons + self.moves + self.looks


@dataclass
class CountedRun:
    """The counts of every instant, the most requests that ran at once, and TEL."""

    instants: list[Counts] = field(default_factory=list[Counts])
    concurrent: int = 0
    total_latency: int = 0

    @property
    def most(self) -> int:
        """The largest work of an instant."""
        return max(c.work for c in self.instants)

    @property
    def in_all(self) -> int:
        """The work of the whole run."""
        return sum(c.work for c in self.instants)


@dataclass
class _Job:
    length: int
    bound: int = 1
    age: int = 0


class _Bound:
    """A bound whose comparisons are counted, for the heap."""

    def __init__(self, value: int, counts: list[Counts]) -> None:
        self.value, self.counts = value, counts

    def __lt__(self, other: _Bound) -> bool:
        self.counts[-1].comparisons += 1
        return self.value < other.value


def counted_run(lengths: Sequence[int], s: int, memory: int, waiting: Waiting = "sorted", seed: int = 0) -> CountedRun:
    """Run Algorithm 2 and count. Shuffling and sorting stably breaks ties uniformly."""
    draw, run = Random(seed), CountedRun()
    queue = [_Job(o) for o in lengths]
    draw.shuffle(queue)
    buckets: dict[int, list[_Job]] = {1: queue} if waiting == "buckets" else {}
    heap = [_Bound(1, run.instants)] if waiting == "buckets" else []
    running: list[_Job] = []
    t = 0
    while queue or running or heap:
        counts = Counts()
        run.instants.append(counts)
        run.total_latency += t * sum(job.age == job.length for job in running)
        running = [job for job in running if job.age < job.length]
        counts.looks += len(running)
        use = sum(s + job.age + 1 for job in running)
        back: list[_Job] = []
        if use > memory:
            draw.shuffle(running)
            running = _sorted(running, counts)
            while use > memory:
                job = running[len(back)]
                use -= s + job.age + 1
                job.bound, job.age = max(job.bound, job.age), 0
                back.append(job)
                counts.moves += 1
                counts.looks += 1
            running = running[len(back) :]
        if waiting == "sorted":
            queue += back
            draw.shuffle(queue)
            queue = _sorted(queue, counts)
            taken = 0
            while taken < len(queue) and _fits(queue[taken], running, use, s, memory, counts):
                use += s + 1
                running.append(queue[taken])
                taken += 1
            queue = queue[taken:]
        else:
            queue = []
            for job in back:
                if job.bound not in buckets:
                    buckets[job.bound] = []
                    heapq.heappush(heap, _Bound(job.bound, run.instants))
                bucket = buckets[job.bound]
                bucket.append(job)  # to a random place
                other = draw.randrange(len(bucket))
                bucket[other], bucket[-1] = bucket[-1], bucket[other]
            while heap and _fits(buckets[heap[0].value][-1], running, use, s, memory, counts):
                bucket = buckets[heap[0].value]
                running.append(bucket.pop())
                use += s + 1
                if not bucket:
                    del buckets[heap[0].value]
                    heapq.heappop(heap)
        run.concurrent = max(run.concurrent, len(running))
        for job in running:
            job.age += 1
        t += 1
    return run


def _sorted(jobs: list[_Job], counts: Counts) -> list[_Job]:
    def compare(a: _Job, b: _Job) -> int:
        counts.comparisons += 1
        return a.bound - b.bound

    return sorted(jobs, key=cmp_to_key(compare))


def _fits(new: _Job, running: list[_Job], use: int, s: int, memory: int, counts: Counts) -> bool:
    """Eq. 5; the next instant costs one look, the later ones of a bound > 1 are projections."""
    counts.moves += 1
    counts.looks += 1
    if use + s + 1 > memory:
        return False
    for ahead in range(2, new.bound + 1):
        counts.projections += len(running)
        if s + ahead + sum(s + job.age + ahead for job in running if job.age + ahead <= job.bound) > memory:
            return False
    return True
