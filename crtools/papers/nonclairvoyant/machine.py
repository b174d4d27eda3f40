"""One machine with jobs that are all present at time 0, and whose sizes are unknown until they complete. Runs are exact.

A run returns the completion time of each job, in the order of ``sizes``. Sizes are positive integers or fractions. A size that is
"just above" p is the limit of sizes p + ε: an attempt of length p fails, and everything else is as for p.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, count

Sizes = Sequence[int | Fraction]
Attempt = tuple[int, Fraction]
"""A job, and how long it is run before it is killed."""


def in_order(sizes: Sizes, order: Sequence[int]) -> list[Fraction]:
    """Run the jobs one after the other to their ends."""
    completions = accumulate(Fraction(sizes[job]) for job in order)
    return [time for _, time in sorted(zip(order, completions, strict=True))]


def shortest_first(sizes: Sizes) -> list[Fraction]:
    """Run the jobs in the order of their sizes, which a policy without the sizes cannot."""
    return in_order(sizes, sorted(range(len(sizes)), key=lambda job: sizes[job]))


def round_robin(sizes: Sizes) -> list[Fraction]:
    """Share the machine: every unfinished job runs at the same rate."""
    completions = [Fraction(0)] * len(sizes)
    now = done = Fraction(0)
    order = sorted(range(len(sizes)), key=lambda job: sizes[job])
    for rank, job in enumerate(order):
        now += (len(sizes) - rank) * (sizes[job] - done)
        done = Fraction(sizes[job])
        completions[job] = now
    return completions


def kill_and_restart(
    sizes: Sizes, attempts: Iterable[Attempt], start: Fraction = Fraction(0), *, just_above: bool = False
) -> list[Fraction]:
    """Run the attempts one after the other from ``start`` on, those at finished jobs left out, until all jobs are done."""
    completions: dict[int, Fraction] = {}
    now = start
    for job, length in attempts:
        if job in completions:
            continue
        now += min(length, sizes[job])
        if sizes[job] < length or (sizes[job] == length and not just_above):
            completions[job] = now
        if len(completions) == len(sizes):
            break
    return [completions[job] for job in range(len(sizes))]


def scaling(
    sizes: Sizes, b: int | Fraction, offsets: Sequence[int | Fraction], *, just_above: bool = False
) -> list[Fraction]:
    """Try job j with the lengths b^k · offsets[j], all integers k, all attempts in the order of their lengths.

    ``offsets`` lie in [1, b); equal lengths go in the order of the jobs. What is shorter than every size fails, and takes
    b^k · offset / (b − 1) up to the length b^(k−1) · offset.
    """
    first = 0
    while Fraction(b) ** (first + 1) > min(sizes):
        first -= 1
    start = sum(map(Fraction, offsets)) * Fraction(b) ** first / (b - 1)
    return kill_and_restart(sizes, _scaled(b, offsets, first), start, just_above=just_above)


def _scaled(b: int | Fraction, offsets: Sequence[int | Fraction], first: int) -> Iterator[Attempt]:
    order = sorted(range(len(offsets)), key=lambda job: offsets[job])
    for k in count(first):
        for job in order:
            yield job, Fraction(b) ** k * offsets[job]


def threshold(
    size: int | Fraction, b: int | Fraction, offset: int | Fraction = 1, *, just_above: bool = False
) -> Fraction:
    """Return the smallest length b^k · offset at which a job completes."""
    length = Fraction(offset)
    while length > size or (length == size and just_above):
        length /= b
    while length < size or (length == size and just_above):
        length *= b
    return length
