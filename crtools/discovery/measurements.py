"""Measurements of a policy's form, for ``discover``: exact runs with matched counts, the attempts of a paced policy, and masses.

Counts are matched if batches of M/(s+L) requests are whole for every length L at which requests leave, and divide the counts. TEL is
then an exact polynomial of the counts if the policy has a form. Its second differences over the totals at n, 2n, 3n and 4n are
(n²/M) · form(x); if they disagree, there is no form.

The mean field has masses instead of requests, and expectations instead of coins. It is the limit of many requests, for policies that
cancel at random. The memory is 1, and a mass m of requests of one age holds m · (s + age) of it. Where masses of equal priority do not
all fit, the same share of each is admitted. A coin that cancels with probability p cancels the share p of a mass. Times are integers,
and the rules are those of the policy itself. Tests: tests/discovery/test_discover.py.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import ceil, inf, lcm
from typing import ClassVar

import numpy as np

from crtools.discovery.entries import Entries
from crtools.discovery.rules import leaving
from crtools.discovery.third_differences import Intervals
from crtools.errors import InputError, Livelock
from crtools.process import Policy, simulate
from crtools.process.policies import Priority, RuleInteger
from crtools.process.reference import Job
from crtools.process.run import Engine
from crtools.schedule import volume


@dataclass(frozen=True)
class Measurement(ABC):
    """Measures the form of a policy."""

    policy: Policy

    name: ClassVar[str]

    @abstractmethod
    def value(self, pattern: Sequence[int], s: int, intervals: Intervals) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths, or None where it has none."""

    def entries(self, i: int, j: int, s: int) -> Entries | None:
        """Return the entries on lengths i < j in [i, j], from the values at i alone, at equal shares and at j alone; or None."""
        intervals = dict.fromkeys((i, j), (i, j))
        low, half, high = (self.value(pattern, s, intervals) for pattern in ((i,), (i, j), (j,)))
        if low is None or half is None or high is None:
            return None
        return Entries(low, (4 * half - low - high) / 2, high)


# ---- runs of requests --------------------------------------------------------------------------------------------


RESIDUES = 4
"""The number of remainders of a count that are run: at lengths 2 and 5, s = 1, all that a batch can leave."""


def exact_run(
    policy: Policy, lengths: Sequence[int], memory: int, s: int, intervals: Intervals, engine: Engine = "auto"
) -> int:
    """Return the TEL of a run in which requests of equal priority go in the order of ``lengths``."""
    as_given = range(len(lengths))
    order, ties = (as_given if policy.equals == name else None for name in ("order", "ties"))
    low, high = np.array([intervals[length] for length in lengths]).T
    return simulate(policy, lengths, memory, s, low, high, order=order, ties=ties, engine=engine).total_latency


def enough_memory(policy: Policy, unit: int, s: int, intervals: Intervals) -> int:
    """Return the least multiple of ``unit`` with which a policy runs requests of these lengths."""
    longest = max(int(policy.longest(Job(0, s, l, u, length))) for length, (l, u) in intervals.items())
    return unit * ceil((s + longest) / unit)


@dataclass(frozen=True)
class ExactRuns(Measurement):
    """Measures a form by exact runs with matched counts, of at most ``largest_run`` requests."""

    largest_run: float = inf

    name = "exact runs with matched counts"

    def value(self, pattern: Sequence[int], s: int, intervals: Intervals, more: int = 0) -> Fraction | None:
        """Return the form's value, or None where the totals of n, 2n, 3n and 4n requests are on no parabola.

        ``more`` requests of the least length stand at the front, for counts that are not matched. Raises ``InputError`` for runs that
        are too large.
        """
        given = {k: intervals[k] for k in pattern}
        ages = {age for k, interval in given.items() for age in leaving(self.policy, k, *interval, s)}
        sizes = {s + k for k in {*pattern, *ages, *chain(*given.values())}}
        memory = enough_memory(self.policy, len(pattern) * lcm(*sizes), s, given)
        repeats = lcm(*(memory // size for size in sizes))
        n = len(pattern) * repeats
        if 4 * n > self.largest_run:
            need = f"need runs of {4 * n} requests with whole batches, at most {self.largest_run}"
            allowed = f"{need}: take some whose s + length have common factors"
            raise InputError("lengths", ", ".join(map(str, sorted(given))), allowed)
        runs = [[min(pattern)] * more + list(pattern) * (repeats * k) for k in (1, 2, 3, 4)]
        try:
            one, two, three, four = (exact_run(self.policy, lengths, memory, s, given) for lengths in runs)
        except Livelock:
            return None
        second = three - 2 * two + one
        return Fraction(second * memory, n * n) if four - 2 * three + two == second else None

    def residues(self, i: int, j: int, s: int) -> dict[int, Fraction | None]:
        """Return the value at equal shares of i < j with r further requests of length i at the front, for r = 0, 1, …"""
        return {r: self.value((i, j), s, dict.fromkeys((i, j), (i, j)), r) for r in range(RESIDUES)}


class PacedAttempts(Measurement):
    """Derives a form from the attempts of a paced policy, exactly; runs confirm that pacing costs nothing in the limit.

    In the limit memory is full on average, so that attempts run one after the other, each for its volume over M. A request of length j
    delays one of length i by the volumes of its attempts before the last one of i, and by half of those of equal priority.
    """

    name = "attempts one after the other, by their volumes"

    def value(self, pattern: Sequence[int], s: int, intervals: Intervals) -> Fraction | None:
        """Return the form's value, or None where attempts do not grow."""
        rows = [self._attempts(length, s, *intervals[length]) for length in pattern]
        if not all(rows):
            return None
        delays = [_delay(one[-1][0], other) for one in rows for other in rows]
        return 2 * sum(delays, Fraction(0)) / len(pattern) ** 2

    def _attempts(self, length: int, s: int, l: int, u: int) -> list[tuple[Priority, int]]:
        """Return the priority and the volume of each attempt of a request; none where one is no longer than the one before."""
        job = Job(0, s, l, u, length)
        job.bound = self.policy.bound(job)
        made: list[tuple[Priority, int]] = []
        while True:
            assumed = int(self.policy.assumed(job, 0))
            if assumed < job.bound and assumed < length:
                return []
            made.append((self.policy.priority(job), volume(s, min(assumed, length))))
            if length <= assumed:
                return made
            job.bound = assumed + 1


def _delay(last: Priority, attempts: Sequence[tuple[Priority, int]]) -> Fraction:
    before = sum(size for priority, size in attempts if priority < last)
    return before + Fraction(sum(size for priority, size in attempts if priority == last), 2)


# ---- masses ------------------------------------------------------------------------------------------------------


CLOSE = 1e-7
"""The tolerance, relative to the entry, for equal differences of totals and for reading a number as a fraction."""

LARGEST_DENOMINATOR = 1000
"""The largest denominator of a measured entry."""

NEGLIGIBLE = 1e-13
"""A mass up to this counts as none."""

MASS_OVER_U = 4
"""The mass of each length over u, times 2, 3, 4 and 5; twice that of a length that is alone. In mean-field runs only."""

DRAWS = range(2**53)
"""The numbers in [0, 1) that a coin can draw, times 2^53; a policy cancels at those below its probability."""

LIMIT = 10**5
"""Upper limit on the instants of a run."""


class NoMeanField(Exception):
    """Runs with masses cannot measure the policy: for a rule, for numbers too large, or for too many steps; the message says which."""


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
            self._wait(mass.job, mass.size)
        total = 0.0
        for t in range(LIMIT):
            total += t * sum(m.size for m in self.running if m.job.start + m.job.length == t)
            self.running = [m for m in self.running if m.job.start + m.job.length > t]
            self._cancel(t)
            self._admit(t)
            if not self.running and not self.waiting:
                return total
        raise NoMeanField(f"requests are left at t = {LIMIT}")

    def _wait(self, job: Job, size: float) -> None:
        if size > NEGLIGIBLE:
            key = (self.policy.priority(job), job.bound, job.length)
            self.waiting.setdefault(key, Mass(job, 0.0)).size += size

    def _cancel(self, t: int) -> None:
        for mass in list(self.running) if self.policy.cancel is not None else ():
            share, bound = self._coin(mass.job, t - mass.job.start)
            if bound is None:
                continue
            self.queue_number += 1
            job = replace(mass.job, bound=bound, queue_number=self.queue_number, start=-1, tokens=0)
            self._wait(job, mass.size * share)
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
                    self.running.append(Mass(replace(mass.job, start=t), mass.size * share))
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
    """Measures a form by runs with masses."""

    name = "mean-field runs"

    def value(self, pattern: Sequence[int], s: int, intervals: Intervals) -> Fraction | None:
        """Return the form's value, or None where it has none.

        Each length of the pattern gets 2, 3, 4 and 5 times u · ``MASS_OVER_U`` of mass (one that is alone twice that), where u is the
        largest upper end; two second differences of the totals have to agree up to ``CLOSE``, and are read as one fraction.
        """
        mass = max(2, len(pattern)) * max(u for _, u in intervals.values()) * MASS_OVER_U
        return masses_value(self.policy, [Job(0, s, *intervals[o], o) for o in pattern], mass)


def masses_value(policy: Policy, jobs: Sequence[Job], mass: int) -> Fraction | None:
    """Return the form's value at the shares of jobs, which get 2, 3, 4 and 5 times the mass together; None where it has none."""
    masses = ([Mass(replace(job), mass * k / len(jobs)) for job in jobs] for k in (2, 3, 4, 5))
    totals = [_MassRun(policy).total_latency(each) for each in masses]
    first, second = ((totals[k] - 2 * totals[k + 1] + totals[k + 2]) / mass**2 for k in (0, 1))
    value = Fraction(second).limit_denominator(LARGEST_DENOMINATOR)
    agree = max(abs(first - second), abs(second - float(value))) <= CLOSE * max(1.0, abs(second))
    return value if agree else None
