"""One machine with jobs that are all present at time 0, and whose sizes are unknown until they complete. Runs are exact.

A run returns the completion time of each job, in the order of ``sizes``. Sizes are positive integers or fractions. A size that is
"just above" p is the limit of sizes p + ε: an attempt of length p fails, and everything else is as for p.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

Sizes = Sequence[int | Fraction]


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
