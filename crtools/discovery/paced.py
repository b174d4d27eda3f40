"""A paced policy in the limit of its pace: the memory is full on average, so its attempts go one after the other by volumes.

Each takes what it holds, v(c) = s·c + c(c+1)/2 token-instants, over M. A request of length j delays one of length i by the
volumes of its attempts before the last of i, and by half of those that are equal to it in the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from crtools.discovery.entries import Way
from crtools.process.reference import Job
from crtools.schedule import volume

Priority: TypeAlias = Any
"""What a policy sorts by: numbers, or tuples of them."""

Attempt = tuple[Priority, int]
"""The priority and the token-instants of one attempt."""


class PacedAttempts(Way):
    """Reads a form off the attempts of a paced policy, exactly; that the pace loses nothing is left to runs."""

    name = "attempts one after the other, by their volumes"

    def on(self, pattern: Sequence[int], s: int, l: int, u: int) -> Fraction | None:
        """Return the value at the shares of a pattern of lengths in [l, u], or None where attempts do not grow."""
        rows = [self._attempts(length, s, l, u) for length in pattern]
        if not all(rows):
            return None
        delays = [_delay(one[-1][0], other) for one in rows for other in rows]
        return 2 * sum(delays, Fraction(0)) / len(pattern) ** 2

    def _attempts(self, length: int, s: int, l: int, u: int) -> list[Attempt]:
        """Return the priority and the volume of each attempt of a request; none where one is no longer than the one before."""
        job = Job(0, s, l, u, length)
        job.bound = self.policy.bound(job)
        made: list[Attempt] = []
        while True:
            assumed = int(self.policy.assumed(job, 0))
            if assumed < job.bound and assumed < length:
                return []
            made.append((self.policy.priority(job), volume(s, min(assumed, length))))
            if length <= assumed:
                return made
            job.bound = assumed + 1


def _delay(last: Priority, attempts: Sequence[Attempt]) -> Fraction:
    before = sum(size for priority, size in attempts if priority < last)
    return before + Fraction(sum(size for priority, size in attempts if priority == last), 2)
