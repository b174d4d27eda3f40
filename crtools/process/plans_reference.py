"""The rules of policies that plan, instant by instant: one line of code for each sentence of docs/model.md, and slow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from crtools.errors import Livelock
from crtools.process.instance import Instance, Outcome
from crtools.process.plans import GRAIN, Listed, Plan, planned
from crtools.schedule import volume


@dataclass
class Attempt:
    """One row of ``Listed``; ``bound`` is the õ that the request has by then."""

    kill: int
    priority: float
    price: int
    kept: int
    bound: int


@dataclass
class Job:
    """One request and where it stands; ``attempts`` are those to come, the one that runs or waits first."""

    index: int
    s: int
    length: int
    bound: int
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    start: int = -1
    last_bound: int = 0
    reached: int = 0
    done: bool = False

    def age(self, t: int) -> int:
        """The tokens that it has generated at t."""
        return t - self.start


@dataclass
class _Process:
    memory: int
    waiting: list[Job]
    running: list[Job] = field(default_factory=list[Job])  # in the order of their starts
    credit: int = 0
    peak: int = 0
    log: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])

    def arrive(self, t: int) -> None:
        """Let memory be looked at, requests complete, be killed and be evicted."""
        used = sum(job.s + job.age(t) for job in self.running)
        if used > self.memory:
            raise RuntimeError(f"the run broke an invariant: memory {used} > M = {self.memory} at t = {t}")
        self.peak = max(self.peak, used)
        self.credit += GRAIN * self.memory if t else 0
        for job in [job for job in self.running if job.age(t) == job.length]:
            job.done = True
            self.running.remove(job)
        for job in [job for job in self.running if job.age(t) == job.attempts[0].kill]:
            self._cancel(job, t)
            job.reached = job.attempts.pop(0).kill
        while self._next_use(t) > self.memory:
            job = self.running[-1]
            self.credit += max(job.attempts[0].price - GRAIN * volume(job.s, job.age(t)), 0)
            self._cancel(job, t)

    def _cancel(self, job: Job, t: int) -> None:
        self.log.append((job.index, job.start, job.age(t), job.last_bound))
        self.running.remove(job)
        self.waiting.append(job)

    def plan(self, rows: Listed, t: int) -> None:
        """Give each request its attempts, those beyond what it has generated; one that runs goes on in the first of them."""
        for job in (*self.waiting, *self.running):
            own = np.flatnonzero(rows.request == job.index)
            bounds = [job.bound, *(rows.kill[own] + 1)]
            job.attempts = [
                Attempt(int(rows.kill[k]), float(rows.priority[k]), int(rows.price[k]), int(rows.kept[k]), int(bound))
                for k, bound in zip(own, bounds, strict=False)
                if rows.kill[k] > self.tokens(job, t)
            ]
        for job in self.running:
            job.last_bound = job.attempts[0].bound
        self.credit = 0

    def tokens(self, job: Job, t: int) -> int:
        """Return how many tokens a request is known to have."""
        return job.length if job.done else max(job.reached, job.age(t) if job in self.running else 0)

    def admit(self, t: int) -> None:
        """Start the waiting requests in their order, up to the first that does not fit or costs too much."""
        refused = None
        for job in sorted(self.waiting, key=lambda job: (job.attempts[0].priority, job.index)):
            if self._next_use(t) + job.s + 1 > self.memory:
                refused = job
                break
            if self.running and job.attempts[0].price > self.credit:
                return
            self.waiting.remove(job)
            job.start, job.last_bound = t, job.attempts[0].bound
            self.running.append(job)
            self.credit -= job.attempts[0].price
        self.credit = min(self.credit, refused.attempts[0].kept if refused else 0)

    def _next_use(self, t: int) -> int:
        return sum(job.s + job.age(t) + 1 for job in self.running)


def run_planned_reference(name: str, plan: Plan, instance: Instance, limit: int, history: bool) -> Outcome:
    """Run one policy on one instance, instant by instant; the arguments and errors are those of ``run_reference``."""
    columns: list[list[Any]] = [a.tolist() for a in (instance.s, instance.length, instance.bound)]
    jobs = [Job(i, *row) for i, row in enumerate(zip(*columns, strict=True))]
    process, t = _Process(instance.memory, list(jobs)), 0
    pilot, rounds, later = plan.chosen(instance)
    before = (len(pilot), len(jobs))
    while process.waiting or process.running:
        if t > limit:
            raise Livelock(name, limit, len(process.waiting), len(process.running), len(process.log))
        process.arrive(t)
        left = (sum(not jobs[i].done for i in pilot), sum(not job.done for job in jobs))
        passed = [_between(*own) for own in zip(left, before, (rounds, later), strict=True)]
        if t == 0 or any(passed):
            tokens, done = [process.tokens(job, t) for job in jobs], [job.done for job in jobs]
            rows = planned(name, plan, instance, pilot, np.array(tokens, np.int64), np.array(done, np.bool_))
            process.plan(rows, t)
            before = left
        process.admit(t)
        t += 1
    starts, bounds = (np.array([value(job) for job in jobs], np.int64) for value in (_start, _bound))
    log = np.array(process.log, np.int64).reshape(-1, 4)
    ages, prompts = log[:, 2], instance.s[log[:, 0]]
    wasted = int(volume(prompts.astype(object), ages.astype(object)).sum()) if len(log) else 0
    return Outcome(starts, len(log), int(ages.sum()), wasted, process.peak, bounds, log if history else None)


def _start(job: Job) -> int:
    return job.start


def _between(now: int, then: int, counts: list[int]) -> bool:
    return any(now <= count < then for count in counts)


def _bound(job: Job) -> int:
    return job.last_bound
