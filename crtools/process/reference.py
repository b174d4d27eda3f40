"""The reference engine: docs/model.md in plain Python, one line of code for each of its sentences, and slow.

It runs any policy instant by instant, and is the oracle of the compiled engine's tests (``tests/process/test_engines.py``,
``test_engine.py``). At every instant it checks that memory is at most M, that a request loses tokens by cancellation alone, and
that each request completes once, with its true length. docs/architecture.md lists what to change with a rule.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from dataclasses import dataclass, field
from numbers import Real
from operator import index
from typing import Any

import numpy as np

from crtools.errors import InputError, Livelock
from crtools.process.instance import Instance, Outcome, RunSettings
from crtools.process.plans import GRAIN, Attempt, Planner, remaining_work
from crtools.process.policies import Now, Policy, Priority, Request
from crtools.schedule import volume


@dataclass
class Job(Request):
    """A request and its state; start −1: it does not run. ``tokens`` are all that it has, with those kept from earlier runs.

    Of a policy with a plan, ``attempts`` are the attempts to come, the current one first, and ``reached`` is the largest kill
    age at which the request was cancelled.
    """

    start: int = -1
    tokens: int = 0
    end: int = -1
    completion: float = -1
    first_token: float = -1
    done: bool = False
    reached: int = 0
    attempts: list[Attempt] = field(default_factory=list[Attempt])


class _Process:
    """The state between two instants, with the tokens and token-instants lost so far."""

    def __init__(self, policy: Policy, instance: Instance, settings: RunSettings) -> None:
        self.policy, self.instance, self.memory, self.settings = policy, instance, instance.memory, settings
        self.draw = np.random.default_rng(settings.seed).random
        self.ranks: list[int] | None = None if settings.ranks is None else settings.ranks.tolist()
        self.jobs = [Job(*row) for row in instance.rows()]
        self.unreleased = deque(sorted(self.jobs, key=lambda job: (job.release, job.index)))
        self.waiting, self.running = list[Job](), list[Job]()  # running: in the order of admission
        self.planner = None if policy.plan is None else Planner(policy.name, policy.plan, instance)
        self.lazy = policy.plan is not None and policy.plan.is_lazy(instance)
        self.boxes = policy.plan is not None and policy.plan.boxes
        self.has_places = self.planner is None and (policy.equals == "index" or self.ranks is not None)
        self.cancellations = self.wasted = self.wasted_volume = self.prefilled_again = self.peak = self.credit = 0
        self.log: list[tuple[int, ...]] = []
        self.time: float = 0  # in the clock's unit; an integer in steps

    def instant(self, t: int) -> None:
        """Do everything that happens at t, counted in steps."""
        self._check(t)
        self._complete(t)
        self._cancel(t)
        self._arrive()
        if self.planner is not None:
            self._plan(self.planner)
        self._admit_boxes(t) if self.boxes else self._admit(t)

    def step(self, t: int) -> None:
        """Let the step from t to t + 1 pass."""
        clock = self.instance.clock
        processed = sum(job.s + job.tokens if job.start == t else 1 for job in self.running)
        held = sum(job.s + job.tokens + 1 for job in self.running)
        self.time += 1 if clock.in_steps else clock.step(processed, held)
        for job in self.running:
            job.tokens += 1
            if job.first_token < 0:
                job.first_token = self.time

    def _check(self, t: int) -> None:
        for job in self.running:
            _invariant(job.tokens == job.kept + t - job.start, f"request {job.index} lost a token at t = {t}")
        used = sum(job.s + job.tokens for job in self.running)
        if used > self.memory:
            raise overfull(self.policy, used, self.memory, t)
        self.peak = max(self.peak, used)
        self.credit += 2 * self.memory - used if self.planner is None else GRAIN * self.memory

    def _complete(self, t: int) -> None:
        for job in [job for job in self.running if job.start - job.kept + job.length == t]:
            _invariant(not job.done, f"request {job.index} completed twice")
            _invariant(job.tokens == job.length, f"request {job.index} completed with {job.tokens} tokens")
            job.done, job.end, job.completion = True, t, self.time
            self._leave(job)

    def _cancel(self, t: int) -> None:
        if self.policy.cancel is not None:
            for job in list(self.running):
                bound = self.policy.cancel(job, job.tokens, self.draw) if job.tokens > job.kept else None
                if bound is not None:
                    self._remove(job, _integer(self.policy, "cancel", bound))
        if self.policy.overflow is True:
            for job in sorted(self.running, key=lambda job: (job.bound, self._tie(job))):
                if self._next_use() <= self.memory:
                    break
                self._remove(job, max(job.bound, job.tokens))
        if self.policy.victim is not None or (self.planner is not None and len(self.planner.group)):
            while self._next_use() > self.memory:
                job = min(reversed(self.running), key=self._victim_value)
                self._remove(job, job.bound)
        if self.policy.paced and not self.lazy:
            for job in [job for job in self.running if job.tokens == self._kill_age(job)]:
                job.reached = job.tokens
                self._remove(job, job.tokens + 1)
                job.attempts = job.attempts[1:]
        if self.policy.paced or self.policy.overflow == "latest":
            while self._next_use() > self.memory:
                job = self.running[-1]
                if self.planner is not None:
                    self.credit += max(self._price(job) - GRAIN * volume(job.s, job.tokens), 0)
                self._remove(job, job.bound)

    def _arrive(self) -> None:
        while self.unreleased and self.unreleased[0].release <= self.time:
            self._wait(self.unreleased.popleft())

    def _victim_value(self, job: Job) -> float:
        if self.policy.victim is not None:
            return _number(self.policy, "victim", self.policy.victim(job, job.tokens))
        assert self.planner is not None
        tables, group = self.planner.remaining, int(self.planner.group[job.index])
        return -float(remaining_work(tables, group, job.s, job.tokens, self.memory, self.instance.clock))

    def _remove(self, job: Job, bound: int) -> None:
        if self.settings.history:
            self.log.append((job.index, job.start, job.tokens, job.bound, job.kept))
        self.cancellations += 1
        self._leave(job)
        if self.instance.resume:
            job.kept = job.tokens
        else:
            self.wasted += job.tokens
            self.wasted_volume += sum(job.s + k for k in range(1, job.tokens + 1))
        self.prefilled_again += job.s + job.kept
        if self.lazy:
            job.reached = max(job.reached, job.tokens)
            job.attempts = [it for it in job.attempts if it.kill > job.reached]
            bound = job.attempts[0].bound
        job.bound, job.start, job.tokens, job.queue_number = bound, -1, job.kept, self.cancellations
        self._wait(job)

    def _wait(self, job: Job) -> None:
        """Let a job wait; unless priorities are replanned or ties are drawn, its place depends only on fields fixed meanwhile."""
        if self.has_places:
            insort(self.waiting, job, key=self._place)
        else:
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
        rows, own = planner.attempts(np.array(tokens), np.array([job.done for job in self.jobs]), self.time)
        for job, (first, last) in zip(self.jobs, own.tolist(), strict=True):
            job.attempts = [Attempt(*row) for row in rows[first : last + 1].tolist()]
            if not job.done:
                job.bound = job.attempts[0].bound
        self.credit = 0

    def _admit(self, t: int) -> None:
        kept = 0
        if self.policy.opens is not None and not self.policy.opens(self._now(t)):
            return
        queue = self._queue()
        while queue:
            job = queue.pop(0)
            fits = self._fits(job, t)
            while not fits and self.lazy and self._kill_for(job):
                fits, queue = self._fits(job, t), self._queue()[1:]
            if fits and not self._is_within_limit(job, t):
                return
            if not fits:
                kept = job.attempts[0].kept if self.planner is not None else 0
                break
            if self._price(job) > self.credit and self.running:
                return
            self.waiting.remove(job)
            job.start = t
            self.running.append(job)
            self.credit -= self._price(job)
        self.credit = min(self.credit, kept)

    def _admit_boxes(self, t: int) -> None:
        """Admit attempts in the order of all that are left, up to the first that does not fit; some raise a running job's kill age."""
        while True:
            left = ((own, job) for job in [*self.waiting, *self.running] if (own := job.attempts[job.start >= 0 :]))
            attempts, job = min(left, key=lambda pair: pair[0][0].rank, default=([], None))
            reserved = sum(it.s + it.attempts[0].kill for it in self.running if it is not job)
            if job is None or reserved + job.s + attempts[0].kill > self.memory:
                return
            job.attempts, job.bound = attempts, attempts[0].bound
            if job.start < 0:
                self.waiting.remove(job)
                job.start = t
                self.running.append(job)

    def _queue(self) -> list[Job]:
        return list(self.waiting) if self.has_places else sorted(self.waiting, key=self._place)

    def _place(self, job: Job) -> tuple[Priority, float, float]:
        return self._priority(job), job.release, self._tie(job)

    def _now(self, t: int) -> Now:
        """Return the argument of the rules ``limit`` and ``opens``; a request that starts now does not hold anything yet."""
        held = sum(job.s + job.tokens for job in self.running if job.start < t)
        done = [job.length for job in self.jobs if job.done]
        clock = self.instance.clock
        return Now(
            self.time, len(self.running), len(self.waiting), held, self.memory, len(done), sum(done),
            clock.base, clock.per_token, clock.per_held,
        )  # fmt: skip

    def _is_within_limit(self, job: Job, t: int) -> bool:
        if self.policy.limit is None or not self.running:
            return True
        return len(self.running) + 1 <= _number(self.policy, "limit", self.policy.limit(job, self._now(t)))

    def _kill_for(self, head: Job) -> bool:
        """Cancel the earliest started job past its kill age whose next attempt comes after the head's; return whether one was."""
        for job in self.running:
            if job.tokens >= job.attempts[0].kill:
                following = next(it for it in job.attempts if it.kill > max(job.reached, job.tokens))
                if following.rank > head.attempts[0].rank:
                    self._remove(job, job.bound)
                    return True
        return False

    def _kill_age(self, job: Job) -> int:
        return self._assumed(job, 0) if self.planner is None else job.attempts[0].kill

    def _price(self, job: Job) -> int:
        if self.planner is not None:
            return job.attempts[0].price
        return volume(job.s, self._assumed(job, 0)) if self.policy.paced else 0

    def _next_use(self) -> int:
        return sum(job.s + job.tokens + 1 for job in self.running)

    def _fits(self, new: Job, t: int) -> bool:
        """Apply the admission test: memory at the next instant, at every instant to come, or reserved peaks."""
        room = self.settings.room if self.running else self.memory
        if self.policy.paced:
            return self._next_use() + new.s + new.tokens + 1 <= room
        rows = [(job.s + job.tokens, self._assumed_left(job, t)) for job in [*self.running, new]]
        if self.policy.peaks:
            return sum(held + left for held, left in rows) <= room
        last = max(left for _, left in rows)
        return all(sum(held + k for held, left in rows if k <= left) <= room for k in range(1, last + 1))

    def _assumed_left(self, job: Job, t: int) -> int:
        """Return how many more tokens are assumed: of a request that starts again with kept tokens one at least."""
        left = self._assumed(job, job.tokens) - job.tokens
        return max(left, 1) if job.kept and job.start in (-1, t) else left

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


def run_reference(policy: Policy, instance: Instance, settings: RunSettings) -> Outcome:
    """Run one policy on one instance, instant by instant.

    Raises ``Livelock`` where requests are left at ``settings.last``, ``InputError`` where the policy lets memory overflow, and
    ``RuntimeError`` where an invariant breaks.
    """
    process = _Process(policy, instance, settings)
    t = 0
    while process.waiting or process.running or process.unreleased:
        if not process.waiting and not process.running:
            process.time = max(process.time, process.unreleased[0].release)
            t = int(process.time) if instance.clock.in_steps else t
        if t > settings.last:
            unstarted = len(process.waiting) + len(process.unreleased)
            raise Livelock(policy.name, settings.last, unstarted, len(process.running), process.cancellations)
        process.instant(t)
        if process.waiting or process.running:
            process.step(t)
            t += 1
    _invariant(all(job.done for job in process.jobs), "a request never completed")
    kind = np.int64 if instance.clock.in_steps else float

    def column(name: str, kind: type = np.int64) -> Any:
        return np.array([getattr(job, name) for job in process.jobs], dtype=kind)

    columns = column("start"), column("end"), column("bound"), column("completion", kind), column("first_token", kind)
    lost = process.cancellations, process.wasted, process.wasted_volume, process.prefilled_again
    log = np.array(process.log, dtype=np.int64).reshape(-1, 5) if settings.history else None
    return Outcome.of(instance, *columns, process.peak, lost, log)


def _integer(policy: Policy, rule: str, value: Any) -> int:
    try:
        return int(value) if isinstance(value, np.bool_) else index(value)
    except TypeError:
        says = f"{rule} must return integers, and returned {value!r}"
        raise InputError("policy", policy.name, says) from None


def _number(policy: Policy, rule: str, value: Any) -> float:
    if not isinstance(value, Real | np.bool_) or value != value:
        raise InputError("policy", policy.name, f"{rule} must return numbers, and returned {value!r}")
    return float(value)


def overfull(policy: Policy, used: int, memory: int, t: int) -> InputError:
    """Return the error for a policy under which the running requests need more than M at t."""
    why = "assumes less than requests need, and cancels none in time"
    return InputError("policy", policy.name, f"{why}: memory {used} > M = {memory} at t = {t}")


def _invariant(holds: bool, message: str) -> None:
    if not holds:
        raise RuntimeError(f"the run broke an invariant: {message}")
