"""The mean field of the process: masses instead of requests, and expectations instead of coins.

It is the limit of many requests, for policies that cancel at random. The memory is 1, and a mass m of requests of one age holds
m · (s + age) of it. Where masses of equal priority do not all fit, the same share of each is admitted. A coin that cancels with
probability p cancels the share p of a mass. Times are integers, and the rules are those of the policy itself.
Tests: tests/discovery/test_discover.py.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from crtools.discovery.entries import Measurement
from crtools.process import Policy
from crtools.process.policies import Priority, RuleInteger
from crtools.process.reference import Job

CLOSE = 1e-7
"""The tolerance, relative to the entry, for equal differences of totals and for reading a number as a fraction."""

LARGEST_DENOMINATOR = 1000
"""The largest denominator of a measured entry."""

NEGLIGIBLE = 1e-13
"""A mass up to this counts as none."""

BATCHES = 4
"""The least mass of each length, in units of u."""

DRAWS = range(2**53)
"""The numbers in [0, 1) that a coin can draw, times 2^53; a policy cancels at those below its probability."""

LIMIT = 10**5
"""Upper limit on the instants of a run."""


class NoMeanField(Exception):
    """The policy has a rule that cannot be applied to masses; the message names it."""


@dataclass
class Mass:
    """Requests in the same state, such as ``job``: ``size`` is their mass."""

    job: Job
    size: float


class _MassRun:
    """A run with masses of the policy's requests; raises ``NoMeanField`` for rules that cannot be applied to masses."""

    def __init__(self, policy: Policy) -> None:
        if policy.paced or policy.draws is not None:
            raise NoMeanField("attempts are paced, or requests draw numbers of their own")
        self.policy = policy
        self.running: list[Mass] = []
        self.waiting: dict[tuple[Priority, RuleInteger, RuleInteger], Mass] = {}
        self.coins: dict[tuple[int, int, int], tuple[float, int | None]] = {}
        self.queue_number = 0

    def total_latency(self, masses: list[Mass]) -> float:
        """Return the sum of all completion times, in units of memory 1."""
        for mass in masses:
            mass.job.bound = self.policy.bound(mass.job)
            self._wait(mass)
        total = 0.0
        for t in range(LIMIT):
            total += t * sum(m.size for m in self.running if m.job.start + m.job.length == t)
            self.running = [m for m in self.running if m.job.start + m.job.length > t]
            self._cancel(t)
            self._admit(t)
            if not self.running and not self.waiting:
                return total
        raise NoMeanField(f"requests are left at t = {LIMIT}")

    def _wait(self, mass: Mass) -> None:
        job = mass.job
        if mass.size <= NEGLIGIBLE:
            return
        key = (self.policy.priority(job), job.bound, job.length)
        if key in self.waiting:
            self.waiting[key].size += mass.size
        else:
            self.waiting[key] = mass

    def _cancel(self, t: int) -> None:
        for mass in list(self.running) if self.policy.cancel is not None else ():
            share, bound = self._coin(mass.job, t - mass.job.start)
            if bound is None:
                continue
            self.queue_number += 1
            job = Job(0, mass.job.s, mass.job.l, mass.job.u, mass.job.length, 0, bound, self.queue_number)
            self._wait(Mass(job, mass.size * share))
            mass.size *= 1 - share
            if mass.size <= NEGLIGIBLE:
                self.running.remove(mass)
        if self.policy.overflow and sum(m.size * (m.job.s + t - m.job.start + 1) for m in self.running) > 1 + CLOSE:
            raise NoMeanField("running requests overflow the memory")

    def _coin(self, job: Job, age: int) -> tuple[float, int | None]:
        """Return the share of a mass that is cancelled at this age, and its new bound."""
        key = (job.length, job.bound, age)
        if key not in self.coins:
            job.tokens = age
            cancel = self.policy.cancel
            assert cancel is not None
            bound = cancel(job, age, lambda: 0.0)
            share = 0.0
            if bound is not None:
                share = bisect_left(DRAWS, True, key=lambda k: cancel(job, age, lambda: k / 2**53) is None) / 2**53
            self.coins[key] = (share, bound)
        return self.coins[key]

    def _admit(self, t: int) -> None:
        while self.waiting:
            first = min(priority for priority, _, _ in self.waiting)
            keys = [key for key in self.waiting if key[0] == first]
            group = [self.waiting[key] for key in keys]
            share = self._room(group, t)
            for key, mass in zip(keys, group, strict=True):
                if share > 0:
                    old = mass.job
                    new = Job(0, old.s, old.l, old.u, old.length, 0, old.bound, old.queue_number, start=t)
                    self.running.append(Mass(new, mass.size * share))
                mass.size *= 1 - share
                if mass.size <= NEGLIGIBLE:
                    del self.waiting[key]
            if share < 1:
                return

    def _room(self, group: list[Mass], t: int) -> float:
        """Return the share of a group that the admission test lets in."""
        rows = [(m.size, t - m.job.start, self.policy.assumed(m.job, t - m.job.start), m.job.s) for m in self.running]
        new = [(m.size, 0, self.policy.assumed(m.job, 0), m.job.s) for m in group]
        if self.policy.peaks:
            room = 1 - sum(size * (s + length) for size, _, length, s in rows)
            return _share(room, sum(size * (s + length) for size, _, length, s in new))
        share = 1.0
        for ahead in range(1, max(length - age for _, age, length, _ in rows + new) + 1):
            used, wanted = (
                sum(size * (s + age + ahead) for size, age, length, s in part if age + ahead <= length)
                for part in (rows, new)
            )
            share = min(share, _share(1 - used, wanted))
        return share


def _share(room: float, wanted: float) -> float:
    """Return the share of the memory ``wanted`` that fits into ``room``; room up to ``NEGLIGIBLE`` is a rounding error."""
    if wanted <= max(room, 0) * (1 + 1e-12):
        return 1.0
    return room / wanted if room > NEGLIGIBLE else 0.0


class MeanFieldRuns(Measurement):
    """Measures a form by runs with masses, of at least u · ``BATCHES`` for each length."""

    name = "mean-field runs"

    def on(self, pattern: Sequence[int], s: int, l: int, u: int) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths in [l, u], or None where it has none.

        Each length of the pattern gets 2, 3, 4 and 5 times u · ``BATCHES`` of mass; two second differences of the totals
        have to agree up to ``CLOSE``, and are read as one fraction.
        """
        return masses_value(self.policy, [Job(0, s, l, u, o) for o in pattern], max(2, len(pattern)) * u * BATCHES)


def masses_value(policy: Policy, jobs: Sequence[Job], mass: int) -> Fraction | None:
    """Return the form's value at the shares of jobs, which get 2, 3, 4 and 5 times the mass together; None where it has none."""
    masses = ([Mass(replace(job), mass * k / len(jobs)) for job in jobs] for k in (2, 3, 4, 5))
    totals = [_MassRun(policy).total_latency(each) for each in masses]
    first, second = ((totals[k] - 2 * totals[k + 1] + totals[k + 2]) / mass**2 for k in (0, 1))
    value = Fraction(second).limit_denominator(LARGEST_DENOMINATOR)
    agree = max(abs(first - second), abs(second - float(value))) <= CLOSE * max(1.0, abs(second))
    return value if agree else None
