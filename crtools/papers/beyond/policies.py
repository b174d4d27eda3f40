"""a-offset, a-learn, best:LAW.

a-offset: every request is tried with volumes b^(k + U) of its own, all attempts in the order of these volumes.

U is uniform on [0, 1), drawn once for each request. An attempt with the threshold b^(k + U) is killed, unfinished, at
the largest age c with v(c) = s·c + c(c+1)/2 ≤ b^(k + U), and no attempt is longer than u. The first threshold is the
smallest one at or above v(l); after an attempt of c tokens it is the least at or above v(c + 1), which is b times the one
before. Thresholds are doubles: b^U, and that times b again and again.

What does not fit is said by ``Policy.paced``: an attempt is paid for with v(c), out of M and more per instant, and gets back
what it does not use; where memory would overflow all the same, the latest started is evicted and keeps its threshold. No
share of the memory is set aside. docs/beyond/a-offset.md has the reasons and the runs.
"""

import math
from fractions import Fraction

import numpy as np

from crtools.blind.expected_work import expected_work
from crtools.blind.scheduler import for_law, learning
from crtools.process.policies import Family, Policy, Request

BASE = Fraction(69, 5)
"""b. The bound on one machine is least at √b = 3.7158…, b = 13.807…; this is near, and its bound is 2.7284."""


GROWTH = float(BASE)


def _volume(s: float, length: float) -> float:
    return s * length + length * (length + 1) / 2  # a double: exact below 2^53


def _threshold(r: Request) -> float:
    """Return the least b^(k + U) at or above the volume of õ tokens."""
    smallest, threshold = _volume(r.s, r.bound), r.drawn
    while threshold < smallest:
        threshold *= GROWTH
    return threshold


def _assumed(r: Request, age: int) -> int:
    """Return the largest length whose volume is at most the threshold, and at most u."""
    volume_limit, twice = min(_threshold(r), _volume(r.s, r.u)), 2.0 * r.s + 1
    length = math.floor(4 * volume_limit / (math.sqrt(twice * twice + 8 * volume_limit) + twice))
    if _volume(r.s, length + 1) <= volume_limit:  # a root may be rounded
        length += 1
    return length - 1 if _volume(r.s, length) > volume_limit else length


A_OFFSET = Policy(
    "a-offset",
    priority=_threshold,
    assumed=_assumed,
    longest=lambda r: r.u,
    draws=lambda numbers: np.array([GROWTH**number for number in numbers.tolist()]),
    paced=True,
    knows="l, u",
    summary="tries volumes b^(k+U), U each request's own",
)
"""The best blind policy known on one machine; it uses l and u only to leave out attempts that cannot end and to shorten
the last one."""

A_LEARN = learning("a-learn")
"""The best mixture of kill ages for a law that it learns while it runs."""

POLICIES: dict[str, Policy] = {policy.name: policy for policy in (A_OFFSET, A_LEARN, expected_work())}
"""By name."""

FAMILIES: dict[str, Family] = {
    "best": Family("best", for_law, "best:LAW", "u, the law", "best kill ages for a law, as best:uniform(1,10)")
}
"""With an argument."""
