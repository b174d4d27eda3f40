"""The rules of the reference engine from event to event, for policies whose rules are Python of one's own.

What ``cancel`` and ``assumed`` say of a running request depends on the request and its age alone. So they are asked ahead,
as soon as an attempt starts, and what they say becomes events: an end, a cancellation, or an age at which more or less is
assumed than before. Where a rule compares the age with something and does arithmetic, it is asked for many ages at once
(:mod:`crtools.process.asking`), else for each. Between two events the projected memory changes by its growth alone, and
:mod:`crtools.process.kernels.ends` says when a request that was refused may fit. Rules that fit into a table are run by a
compiled loop that does the same, to the last draw (:mod:`crtools.process.tabled`). The integers are those of the reference
engine wherever nothing is drawn after the start; where ties are drawn or ``cancel`` draws, the runs have the same
distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from heapq import heappop, heappush
from operator import index
from typing import Any

import numpy as np

from crtools.errors import InputError, Livelock
from crtools.process.asking import Piece, Rule
from crtools.process.coins import STRETCH
from crtools.process.instance import Instance, One, Outcome, one_by_one
from crtools.process.lanes import from_to, least
from crtools.process.policies import Policy
from crtools.process.reference import overfull
from crtools.process.tabled import Ask, run_from_table
from crtools.process.waiting import Drawn, Pool, Ranked

ENDS, CHANGES, LOOKS = 0, 1, 2
"""Kinds of events, in the order in which those of one instant are looked at."""


def run_events(policy: Policy, instance: Instance, ranks: Any, seed: int, limit: int, history: bool = False) -> Outcome:
    """Run one policy, which is not paced, on one instance; arguments and errors are those of ``run_reference``."""
    kind = _Reserved if policy.peaks else _Projected
    with np.errstate(all="ignore"):  # doubles of an age may overflow, as Python's own do
        if (found := run_from_table(policy, instance, ranks, seed, limit, history, kind.changes)) is not None:
            return found
        process = kind(policy, instance, ranks, seed, limit, history)
        process.run()
    log = np.array(process.log, dtype=np.int64).reshape(-1, 4) if history else None
    bounds = np.array([job.bound for job in process.jobs], dtype=np.int64)
    lost = process.cancellations, process.wasted, process.wasted_volume
    return Outcome(np.array(process.start, dtype=np.int64), *lost, process.peak, bounds, log)


class _Process:
    """The state at an instant; what admission looks at is kept by the two classes below."""

    def __init__(self, policy: Policy, instance: Instance, ranks: Any, seed: int, limit: int, history: bool) -> None:
        self.policy, self.memory, self.limit, self.history = policy, instance.memory, limit, history
        self.jobs = [One(*row) for row in one_by_one(instance)]
        n = len(self.jobs)
        self.start, self.number = [-1] * n, [-1] * n  # of the attempt that runs; −1 where none does
        self.at_first: list[Any] = [None] * n  # what is assumed of a waiting request at first, a Piece
        self.base = self.active = 0  # Σ (s − start) over the running, and their number
        self.events: list[tuple[int, int, int, int, Any]] = []  # (time, kind, number of the attempt, request, what)
        self.started = self.cancellations = self.wasted = self.wasted_volume = self.peak = 0
        self.log: list[tuple[int, int, int, int]] = []
        self.draw = np.random.default_rng(seed).random
        self.assumed_rule = Rule(policy.assumed)
        self.cancel_rule = None if policy.cancel is None else Rule(policy.cancel, self.draw)
        drawn = policy.equals == "ties" and ranks is None
        places = list(range(n)) if ranks is None else [int(rank) for rank in ranks]
        self.waiting: Pool = Drawn(self.draw) if drawn else Ranked(places)
        self.least_first: Pool = Drawn(self.draw) if drawn else Ranked(places)  # the running, where õ says who goes
        self.latest: list[tuple[int, int]] = []  # attempts and their requests, where the latest goes
        for job, bound in zip(self.jobs, instance.bound.tolist(), strict=True):
            job.bound = bound
            self._wait(job)

    def run(self) -> None:
        t, end = 0, False
        while not end:
            self.peak = max(self.peak, self.base + self.active * t)
            self._forget(t)
            self._happen(t)
            self._overflow(t)
            again = self._admit(t)
            end = not self.waiting and not self.active
            if not end:
                t = self._following(t, again)

    def _following(self, t: int, again: int | None) -> int:
        """Return the next instant at which something may happen, no later than memory overflows or the limit passes."""
        times = [again] if again is not None else []
        while self.events and self.number[self.events[0][3]] != self.events[0][2]:
            heappop(self.events)  # the attempt has been cancelled since
        if self.events:
            times.append(self.events[0][0])
        if self.active:
            full = max((self.memory - self.base) // self.active, t)  # the last instant at which all of them fit
            times.append(max(full, t + 1) if self.policy.overflow else full + 1)
            if min(times) > full and full < self.limit:
                raise overfull(self.policy, self.base + self.active * (full + 1), self.memory, full + 1)
        following = min(times, default=self.limit + 1)
        if following > self.limit:
            raise Livelock(self.policy.name, self.limit, len(self.waiting), self.active, self.cancellations)
        return following

    def _happen(self, t: int) -> None:
        while self.events and self.events[0][0] == t:
            _, kind, number, i, what = heappop(self.events)
            if self.number[i] != number:
                continue  # the attempt has been cancelled since
            if kind == CHANGES:
                self._assume(i, t, *what)
            elif kind == LOOKS:
                self._look_ahead(i, t - self.start[i], *what)
            elif what is None:
                self._leave(i, t)
            else:
                self._cancel(i, t, what)

    def _overflow(self, t: int) -> None:
        if not self.policy.overflow:
            return
        while self.base + self.active * (t + 1) > self.memory:
            if self.policy.overflow == "latest":
                number, i = self.latest.pop()
                if self.number[i] == number:
                    self._cancel(i, t, self.jobs[i].bound)
            else:
                i = self.least_first.first()
                self._cancel(i, t, max(self.jobs[i].bound, t - self.start[i]))

    def _leave(self, i: int, t: int) -> None:
        self._release(i, t)
        self.base -= self.jobs[i].s - self.start[i]
        self.active -= 1
        self.number[i] = -1
        if self.policy.overflow is True:
            self.least_first.take(i)

    def _cancel(self, i: int, t: int, bound: int) -> None:
        job, age = self.jobs[i], t - self.start[i]
        if self.history:
            self.log.append((i, self.start[i], age, job.bound))
        self.cancellations += 1
        self.wasted += age
        self.wasted_volume += job.s * age + age * (age + 1) // 2
        self._leave(i, t)
        job.bound, job.joined, self.start[i] = bound, self.cancellations, -1
        self._wait(job)

    def _wait(self, job: One) -> None:
        piece = self.at_first[job.index] = self.assumed_rule.ask(job, 0, max(job.length - 1, 0))
        assumed = self._integer("assumed", piece.at(0))
        priority = self.policy.priority(job)
        try:
            self.waiting.put(job.index, priority, (job.s, assumed))
        except TypeError:
            said = "priority must return numbers, or tuples of them, that can be compared"
            raise InputError("policy", self.policy.name, said) from None

    def _admit(self, t: int) -> int | None:
        """Start who fits; return a later instant before which who does not fit cannot, None where it takes an event."""
        while self.waiting:
            i = self.waiting.first()
            s, assumed = self.jobs[i].s, self.at_first[i].at(0)
            if not self._fits(s, assumed, t):
                kinds = self.waiting.kinds()
                return self._again(s, assumed, t) if kinds is None else self._redrawn(*kinds, t)
            self.waiting.take(i)
            self._start(i, assumed, t)
        return None

    def _redrawn(self, s: int, assumed: int, t: int) -> int | None:
        """The same where the next instant may draw another request; s and assumed are the least among them."""
        return t + 1 if self._fits(s, assumed, t) else self._again(s, assumed, t)

    def _start(self, i: int, assumed: int, t: int) -> None:
        job = self.jobs[i]
        self.start[i], self.number[i] = t, self.started
        self.started += 1
        self.base += job.s - t
        self.active += 1
        if self.policy.overflow is True:
            self.least_first.put(i, job.bound)
        elif self.policy.overflow:
            self.latest.append((self.number[i], i))
        self._reserve(i, t, assumed)
        self._look_ahead(i, 0, assumed, 0, self.at_first[i])

    def _look_ahead(self, i: int, age: int, assumed: int, slope: int, known: Piece | None = None) -> None:
        """Ask the rules for the ages that follow this one, and note what will happen.

        assumed: the length at this age; slope: whether it is taken to grow by one per instant from here; known: what is
        assumed at this age and some more.
        """
        job, start, number = self.jobs[i], self.start[i], self.number[i]
        end, bound = self._end(job, age)
        integer = partial(self._integer, "assumed")
        found, assumed, slope = self.changes(self.assumed_rule.ask, integer, job, (age, end), assumed, slope, known)
        for at, *what in found:
            heappush(self.events, (start + at, CHANGES, number, i, what))
        if end == job.length or bound is not None:
            heappush(self.events, (start + end, ENDS, number, i, bound))
        else:
            heappush(self.events, (start + end - 1, LOOKS, number, i, (assumed, slope)))

    @classmethod
    def changes(
        cls, ask: Ask, integer: Callable[[Any], int], job: One, between: tuple[int, int], assumed: int, slope: int,
        known: Piece | None,
    ) -> tuple[list[tuple[int, int, int]], int, int]:  # fmt: skip
        """Return the ages between two at which what is assumed changes, each with the length and the slope, and the last of both."""
        found: list[tuple[int, int, int]] = []
        a, end = between[0] + 1, between[1]
        while a < end:
            piece = known if known is not None and known.last >= a else ask(job, a, end - 1)
            last = least(piece.last, end - 1)
            for at in cls._instants(piece, a, last):
                before = piece.at(at - 1) if at > a else assumed
                length = integer(piece.at(at))
                new = cls._changed(at, before, slope, length)
                if new is not None:
                    slope = new
                    found.append((at, length, slope))
            assumed = integer(piece.at(last))
            a = piece.last + 1
        return found, assumed, slope

    def _end(self, job: One, age: int) -> tuple[int, int | None]:
        """Return the age at which the request completes; or is cancelled, and its new bound; or to which nothing is known."""
        rule = self.cancel_rule
        a, most, trace = age + 1, max(age, STRETCH), rule is not None and rule.traces
        if rule is None:
            return (job.length if self.assumed_rule.traces else min(job.length, a + most)), None
        while a < job.length and trace:
            piece = rule.ask(job, a, job.length - 1)
            if (bound := piece.at(a)) is not None:
                return a, self._integer("cancel", bound)
            trace = piece.traced
            a = piece.last + 1
        cancel = rule.function
        last = min(job.length, a + most)
        for later in range(a, last):
            if (bound := cancel(job, later, self.draw)) is not None:
                return later, self._integer("cancel", bound)
        return last, None

    def _integer(self, rule: str, value: Any) -> int:
        try:
            return index(value)
        except TypeError:
            said = f"{rule} must return integers, and returned {value!r}"
            raise InputError("policy", self.policy.name, said) from None

    @staticmethod
    def _instants(piece: Piece, first: int, last: int) -> Iterable[int]:
        """Return the ages of a piece, in order from first to last, at which :meth:`_changed` may return a slope."""
        raise NotImplementedError

    @staticmethod
    def _changed(age: int, before: int, slope: int, assumed: int) -> int | None:
        """Return the new slope where ``assumed``, at this age, does not follow from the age before; else None."""
        raise NotImplementedError

    def _forget(self, t: int) -> None:
        """Drop what admission at t and later does not look at."""

    def _fits(self, s: int, assumed: int, t: int) -> bool:
        raise NotImplementedError

    def _again(self, s: int, assumed: int, t: int) -> int | None:
        """Return a time > t before which a request that was refused at t cannot fit, if no event comes; None: never."""
        raise NotImplementedError

    def _reserve(self, i: int, t: int, assumed: int) -> None:
        raise NotImplementedError

    def _assume(self, i: int, t: int, assumed: int, slope: int) -> None:
        raise NotImplementedError

    def _release(self, i: int, t: int) -> None:
        raise NotImplementedError


class _Reserved(_Process):
    """Admission by peaks: Σ (s + L) ≤ M. What is reserved at t is ``fixed + growing·t``, a part of it for each request."""

    def __init__(self, *arguments: Any) -> None:
        self.fixed = self.growing = 0
        super().__init__(*arguments)
        self.part = [(0, 0)] * len(self.jobs)

    @staticmethod
    def _instants(piece: Piece, first: int, last: int) -> Iterable[int]:
        return from_to(first, least(last, first + 2) if piece.slope in (0, 1) else last)

    @staticmethod
    def _changed(age: int, before: int, slope: int, assumed: int) -> int | None:
        return None if assumed == before + slope else int(assumed == before + 1)

    def _fits(self, s: int, assumed: int, t: int) -> bool:
        return self.fixed + self.growing * t + s + assumed <= self.memory

    def _again(self, s: int, assumed: int, t: int) -> int | None:
        return t + 1 if self._fits(s, assumed, t + 1) else None  # what is reserved grows

    def _reserve(self, i: int, t: int, assumed: int) -> None:
        self._put(i, self.jobs[i].s + assumed, 0)

    def _put(self, i: int, fixed: int, growing: int) -> None:
        self.part[i] = fixed, growing
        self.fixed += fixed
        self.growing += growing

    def _assume(self, i: int, t: int, assumed: int, slope: int) -> None:
        self._release(i, t)
        self._put(i, self.jobs[i].s + assumed - slope * t, slope)

    def _release(self, i: int, t: int) -> None:
        fixed, growing = self.part[i]
        self.fixed -= fixed
        self.growing -= growing


class _Projected(_Process):
    """Admission by projected memory at every instant to come.

    The next instant is looked at by totals over those who are assumed to be there; the table of ends has the later ones. A
    request that is assumed to last for the next instant only stays so, and so does one that is assumed to be gone.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        from crtools.process.kernels import ends

        n = len(self.jobs)
        self.kernel, self.ends = ends.for_python(), ends.new_ends(n)
        self.assumed, self.counted = [0] * n, [False] * n
        self.sum = self.many = 0  # Σ (s − start) over those who count at the next instant, and their number
        self.strained = False  # whether what is projected may be above M without a new request

    @staticmethod
    def _instants(piece: Piece, first: int, last: int) -> Iterable[int]:
        if piece.slope == 0 and first < piece.value <= last:
            return first, piece.value  # from where it is assumed to be gone
        if piece.slope == 0 or (piece.slope == 1 and piece.value <= 1):
            return (first,)
        return from_to(first, last)

    @staticmethod
    def _changed(age: int, before: int, slope: int, assumed: int) -> int | None:
        stays = before > age and assumed == before  # its end stands
        grows = before == age and assumed == age + 1  # it counts for the next instant, again
        gone = before < age and assumed <= age
        return None if stays or grows or gone else 0

    def _forget(self, t: int) -> None:
        self.kernel.drop(self.ends, t + 2)

    def _fits(self, s: int, assumed: int, t: int) -> bool:
        here = assumed >= 1
        if self.sum + self.many * (t + 1) + (s + 1 if here else 0) > self.memory:
            return False
        if self.strained and self._worst() > self.memory:
            return False
        if not here:
            return True
        return s + assumed <= self.memory and self.kernel.room(self.ends, t, s, assumed, self.memory, 1) > 0

    def _worst(self) -> int:
        low, high = self.ends.span
        return int(self.ends.used[low:high].max(initial=0))

    def _again(self, s: int, assumed: int, t: int) -> int | None:
        if self.strained and self._worst() > self.memory:
            return t + 1
        if assumed < 1 or s + assumed > self.memory or not self.many:
            return None
        after = int(self.kernel.release(self.ends, t, s, assumed, self.memory, 1))
        return None if self.sum + self.many * (after + 1) + s + 1 > self.memory else after

    def _reserve(self, i: int, t: int, assumed: int) -> None:
        start, s = self.start[i], self.jobs[i].s
        age = t - start
        self.assumed[i] = assumed = min(assumed, self.memory + 1)  # no longer fits than that, and it stays in 64 bits
        self.counted[i] = assumed > age
        if assumed > age:
            self.sum += s - start
            self.many += 1
        if assumed > age + 1:
            self.kernel.insert(self.ends, start, s, assumed, 1)

    def _assume(self, i: int, t: int, assumed: int, slope: int) -> None:
        self.strained |= assumed > self.assumed[i]
        if self.strained and self.memory * len(self.jobs) > 2**61:
            said = f"{self.policy.name} comes to assume more than at first, and n·M is above 2^61; take the reference engine"
            raise InputError("engine", "fast", said)
        self._release(i, t)
        self._reserve(i, t, assumed)

    def _release(self, i: int, t: int) -> None:
        start, s, assumed = self.start[i], self.jobs[i].s, self.assumed[i]
        if self.counted[i]:
            self.sum -= s - start
            self.many -= 1
        if start + assumed >= t + 2:
            self.kernel.delete(self.ends, start, s, assumed)
