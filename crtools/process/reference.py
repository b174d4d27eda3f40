"""The reference engine: docs/model.md in plain Python, one line of code for each of its sentences, and slow.

It runs any policy instant by instant, and is the oracle of the compiled engine's tests (``tests/process/test_engines.py``,
``test_engine.py``). At every instant it checks that memory is at most M, that a request loses tokens by cancellation alone, and
that each request completes once, with its true length.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from numbers import Real
from operator import index
from typing import Any

import numpy as np

from crtools.errors import InputError, Livelock
from crtools.numeric_types import IntArray
from crtools.process.instance import Instance, Outcome
from crtools.process.plans import GRAIN, Attempt, Planner
from crtools.process.policies import Draw, Policy, Priority, Request
from crtools.schedule import volume


@dataclass
class Job(Request):
    """A request and its state; start −1: it does not run.

    Of a policy with a plan, ``attempts`` are the attempts to come, the current one first, and ``reached`` is the largest kill
    age at which the request was cancelled.
    """

    start: int = -1
    tokens: int = 0
    done: bool = False
    reached: int = 0
    attempts: list[Attempt] = field(default_factory=list[Attempt])


@dataclass
class _Process:
    """The state between two instants, with the tokens and token-instants lost so far."""

    policy: Policy
    memory: int
    draw: Draw
    ranks: list[int] | None
    jobs: list[Job]
    unreleased: deque[Job]  # by release, then number
    waiting: list[Job] = field(default_factory=list[Job])
    planner: Planner | None = None
    running: list[Job] = field(default_factory=list[Job])  # in the order of admission
    cancellations: int = 0
    wasted: int = 0
    wasted_volume: int = 0
    peak: int = 0
    credit: int = 0
    history: bool = False
    log: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])

    def instant(self, t: int) -> None:
        """Do everything that happens at t."""
        self._check(t)
        self._complete(t)
        self._cancel(t)
        self._arrive(t)
        if self.planner is not None:
            self._plan(self.planner)
        self._admit(t)

    def _check(self, t: int) -> None:
        for job in self.running:
            job.tokens += 1
            _invariant(job.tokens == t - job.start, f"request {job.index} lost a token at t = {t}")
        used = sum(job.s + job.tokens for job in self.running)
        if used > self.memory:
            raise overfull(self.policy, used, self.memory, t)
        self.peak = max(self.peak, used)
        self.credit += 2 * self.memory - used if self.planner is None else GRAIN * self.memory

    def _complete(self, t: int) -> None:
        for job in [job for job in self.running if job.start + job.length == t]:
            _invariant(not job.done, f"request {job.index} completed twice")
            _invariant(job.tokens == job.length, f"request {job.index} completed with {job.tokens} tokens")
            job.done = True
            self._leave(job)

    def _cancel(self, t: int) -> None:
        if self.policy.cancel is not None:
            for job in list(self.running):
                bound = self.policy.cancel(job, t - job.start, self.draw)
                if bound is not None:
                    self._remove(job, _integer(self.policy, "cancel", bound))
        if self.policy.overflow is True:
            for job in sorted(self.running, key=lambda job: (job.bound, self._tie(job))):
                if self._next_use(t) <= self.memory:
                    break
                self._remove(job, max(job.bound, job.tokens))
        if self.policy.paced:
            for job in [job for job in self.running if job.tokens == self._kill_age(job)]:
                job.reached = job.tokens
                self._remove(job, job.tokens + 1)
                job.attempts = job.attempts[1:]
        if self.policy.paced or self.policy.overflow == "latest":
            while self._next_use(t) > self.memory:
                job = self.running[-1]
                if self.planner is not None:
                    self.credit += max(self._price(job) - GRAIN * volume(job.s, job.tokens), 0)
                self._remove(job, job.bound)

    def _arrive(self, t: int) -> None:
        while self.unreleased and self.unreleased[0].release <= t:
            self.waiting.append(self.unreleased.popleft())

    def _remove(self, job: Job, bound: int) -> None:
        if self.history:
            self.log.append((job.index, job.start, job.tokens, job.bound))
        self.cancellations += 1
        self.wasted += job.tokens
        self.wasted_volume += sum(job.s + k for k in range(1, job.tokens + 1))
        self._leave(job)
        job.bound, job.start, job.tokens, job.queue_number = bound, -1, 0, self.cancellations
        self.waiting.append(job)

    def _leave(self, job: Job) -> None:
        self.running.remove(job)
        if self.policy.paced and self.planner is None:
            self.credit += self._price(job) - volume(job.s, job.tokens)

    def _plan(self, planner: Planner) -> None:
        """List attempts anew where enough requests are done; those that run go on in their first attempt that is longer."""
        unfinished = (sum(not self.jobs[i].done for i in planner.pilot), sum(not job.done for job in self.jobs))
        if not any(count <= at for count, at in zip(unfinished, planner.at, strict=True)):
            return
        tokens = [max(job.reached, job.tokens) for job in self.jobs]
        rows, own = planner.attempts(np.array(tokens), np.array([job.done for job in self.jobs]))
        for job, (first, last) in zip(self.jobs, own.tolist(), strict=True):
            job.attempts = [Attempt(*row) for row in rows[first : last + 1].tolist()]
            if not job.done:
                job.bound = job.attempts[0].bound
        self.credit = 0

    def _admit(self, t: int) -> None:
        kept = 0
        for job in sorted(self.waiting, key=lambda job: (self._priority(job), job.release, self._tie(job))):
            if not self._fits(job, t):
                kept = job.attempts[0].kept if self.planner is not None else 0
                break
            if self._price(job) > self.credit and self.running:
                return
            self.waiting.remove(job)
            job.start = t
            self.running.append(job)
            self.credit -= self._price(job)
        self.credit = min(self.credit, kept)

    def _kill_age(self, job: Job) -> int:
        return self._assumed(job, 0) if self.planner is None else job.attempts[0].kill

    def _price(self, job: Job) -> int:
        if self.planner is not None:
            return job.attempts[0].price
        return volume(job.s, self._assumed(job, 0)) if self.policy.paced else 0

    def _next_use(self, t: int) -> int:
        return sum(job.s + t - job.start + 1 for job in self.running)

    def _fits(self, new: Job, t: int) -> bool:
        """Apply the admission test: memory at the next instant, at every instant to come, or reserved peaks."""
        if self.policy.paced:
            return self._next_use(t) + new.s + 1 <= self.memory
        rows = [(job.s, job.start, self._assumed(job, t - job.start)) for job in self.running]
        rows.append((new.s, t, self._assumed(new, 0)))
        if self.policy.peaks:
            return sum(s + assumed for s, _, assumed in rows) <= self.memory
        last = max(p + assumed for _, p, assumed in rows)
        return all(
            sum(s + t2 - p for s, p, assumed in rows if t2 <= p + assumed) <= self.memory
            for t2 in range(t + 1, last + 1)
        )

    def _assumed(self, job: Job, age: int) -> int:
        return _integer(self.policy, "assumed", self.policy.assumed(job, age))

    def _priority(self, job: Job) -> Priority:
        if self.planner is not None:
            return job.attempts[0].rank
        value = self.policy.priority(job)
        for number in value if isinstance(value, tuple) else (value,):
            if not isinstance(number, Real | np.bool_) or number != number:
                says = f"priority must return numbers, or tuples of them, and returned {number!r}"
                raise InputError("policy", self.policy.name, says)
        return value

    def _tie(self, job: Job) -> float:
        if self.policy.equals == "index":
            return job.index
        return self.draw() if self.ranks is None else self.ranks[job.index]


def run_reference(
    policy: Policy, instance: Instance, ranks: IntArray | None, seed: int, limit: int, history: bool = False
) -> Outcome:
    """Run one policy on one instance, instant by instant.

    ``ranks[i]`` is where request i stands in ``order`` or ``ties``; None draws ties afresh at every instant.
    ``history`` keeps a row for each cancellation.
    Raises ``Livelock`` where requests are left at t = ``limit``, ``InputError`` where the policy lets memory overflow, and
    ``RuntimeError`` where an invariant breaks.
    """
    jobs = [Job(*row) for row in instance.rows()]
    draw = np.random.default_rng(seed).random
    planner = None if policy.plan is None else Planner(policy.name, policy.plan, instance)
    rank_list = None if ranks is None else ranks.tolist()
    by_release = deque(sorted(jobs, key=lambda job: (job.release, job.index)))
    process = _Process(policy, instance.memory, draw, rank_list, jobs, by_release, planner=planner, history=history)
    t = 0
    while process.waiting or process.running or process.unreleased:
        if not process.waiting and not process.running:
            t = max(t, process.unreleased[0].release)
        if t > limit:
            unstarted = len(process.waiting) + len(process.unreleased)
            raise Livelock(policy.name, limit, unstarted, len(process.running), process.cancellations)
        process.instant(t)
        t += 1
    _invariant(all(job.done for job in jobs), "a request never completed")
    starts = np.array([job.start for job in jobs], dtype=np.int64)
    lost = (process.cancellations, process.wasted, process.wasted_volume)
    log = np.array(process.log, dtype=np.int64).reshape(-1, 4) if history else None
    bounds = np.array([job.bound for job in jobs], dtype=np.int64)
    return Outcome(starts, *lost, process.peak, bounds, log)


def _integer(policy: Policy, rule: str, value: Any) -> int:
    try:
        return int(value) if isinstance(value, np.bool_) else index(value)
    except TypeError:
        says = f"{rule} must return integers, and returned {value!r}"
        raise InputError("policy", policy.name, says) from None


def overfull(policy: Policy, used: int, memory: int, t: int) -> InputError:
    """Return the error for a policy under which the running requests need more than M at t."""
    why = "assumes less than requests need, and cancels none in time"
    return InputError("policy", policy.name, f"{why}: memory {used} > M = {memory} at t = {t}")


def _invariant(holds: bool, message: str) -> None:
    if not holds:
        raise RuntimeError(f"the run broke an invariant: {message}")
