"""Own random offsets in the process, at a pace found by sampling: a policy that is proved to come to ρ*, run literally.

Request i is tried with the volumes b^{k+U_i} that are at least v(l), in the order of these thresholds; with the threshold θ it may
run to c = min(u, max{c : v(c) ≤ θ}) tokens. Between two neighbours of the points v(c) and b·v(c) all attempts have the same c,
and all came to the same age before: they are a class. Classes follow each other, and each of N attempts runs so:

- the first ⌈N^{2/3}⌉, ⌊M/(s+c)⌋ together and the next when these have ended; F is the mean of the token-instants that they took;
- the others, g = ⌊(M − D)/F⌋ at each instant, D = ⌈M^{2/3}⌉; where the next instant would need more than M, the latest started
  are cancelled until it does not, and put aside;
- those put aside, together like the first.

A class begins when the one before has ended.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from crtools.schedule import volume


@dataclass(frozen=True)
class Attempt:
    """One attempt of a request: when it started, after how many tokens it ended, and whether the request was then complete."""

    request: int
    start: int
    tokens: int
    complete: bool
    threshold: float


@dataclass(frozen=True)
class Class:
    """What became of a class of N attempts, in the order of starts: the sample, those paced, those that had been put aside.

    ``mean`` is F and ``pace`` g. A request that was put aside is among ``paced`` too, with the tokens that it had by then.
    """

    begin: int
    end: int
    mean: Fraction
    pace: int
    sample: list[Attempt]
    paced: list[Attempt]
    aside: list[Attempt]

    @property
    def attempts(self) -> list[Attempt]:
        """All of them."""
        return self.sample + self.paced + self.aside


@dataclass(frozen=True)
class Pace:
    """The policy with ``factor`` times its pace, 1 in the theorem; base b, prompts of s tokens, lengths in [l, u], memory M."""

    s: int
    l: int
    u: int
    memory: int
    base: float = 13.8
    factor: Fraction = Fraction(1)

    def thresholds(self, offset: float) -> Iterator[float]:
        """Iterate over b^{k+U} ≥ v(l), up to the first that is at least v(u)."""
        threshold = self.base**offset
        while threshold < volume(self.s, self.u):
            if threshold >= volume(self.s, self.l):
                yield threshold
            threshold *= self.base
        yield threshold

    def limit(self, threshold: float) -> int:
        """Return c, after which an attempt with this threshold is killed."""
        return max(c for c in range(self.u + 1) if volume(self.s, c) <= threshold)

    def classes(self, lengths: Sequence[int], offsets: Sequence[float]) -> Iterator[list[tuple[float, int]]]:
        """Iterate over the classes in order: lists of (threshold, request), with those left out that were complete before."""
        points = sorted(
            v for c in range(self.l, self.u + 1) for v in (volume(self.s, c), self.base * volume(self.s, c))
        )
        tried = sorted((t, i) for i, offset in enumerate(offsets) for t in self.thresholds(offset))
        for _, members in groupby(tried, lambda attempt: bisect_right(points, attempt[0])):
            unfinished = [
                (t, i)
                for t, i in members
                if t / self.base < volume(self.s, self.l) or self.limit(t / self.base) < lengths[i]
            ]
            if unfinished:
                yield unfinished

    def run(self, lengths: Sequence[int], offsets: Sequence[float]) -> list[Class]:
        """Return what becomes of every class."""
        done: list[Class] = []
        for members in self.classes(lengths, offsets):
            done.append(self._one(members, lengths, done[-1].end if done else 0))
        return done

    def _one(self, members: list[tuple[float, int]], lengths: Sequence[int], begin: int) -> Class:
        limit, count = self.limit(members[0][0]), _power(len(members))
        now, sample = self._together(members[:count], lengths, limit, begin)
        mean = Fraction(sum(volume(self.s, a.tokens) for a in sample), count)
        pace = max(1, int((self.memory - _power(self.memory)) * self.factor / mean))
        left, running, paced, aside = members[count:], list[Attempt](), dict[int, Attempt](), list[tuple[float, int]]()
        while left or running:
            running += [_begun(member, lengths, limit, now) for member in left[:pace]]
            left = left[pace:]
            need = sum(self.s + now + 1 - a.start for a in running)
            while need > self.memory:
                latest = running.pop()
                need -= self.s + now + 1 - latest.start
                aside.append((latest.threshold, latest.request))
                paced[latest.request] = replace(latest, tokens=now - latest.start, complete=False)
            now += 1
            paced |= {a.request: a for a in running if a.start + a.tokens == now}
            running = [a for a in running if a.start + a.tokens > now]
        end, again = self._together(aside, lengths, limit, now)
        order = [paced[i] for _, i in members[count:]]
        return Class(begin, end, mean, pace, sample, order, again)

    def _together(
        self, members: list[tuple[float, int]], lengths: Sequence[int], limit: int, now: int
    ) -> tuple[int, list[Attempt]]:
        """Run ⌊M/(s+c)⌋ at a time; return when the last has ended, and the attempts."""
        made, most = list[Attempt](), self.memory // (self.s + limit)
        for first in range(0, len(members), most):
            batch = [_begun(member, lengths, limit, now) for member in members[first : first + most]]
            made += batch
            now += max(a.tokens for a in batch)
        return now, made


def _begun(member: tuple[float, int], lengths: Sequence[int], limit: int, start: int) -> Attempt:
    threshold, i = member
    return Attempt(i, start, min(lengths[i], limit), lengths[i] <= limit, threshold)


def _power(number: int) -> int:
    """Return ⌈number^{2/3}⌉."""
    root = round(number ** (2 / 3))
    return next(k for k in range(max(0, root - 2), root + 3) if k**3 >= number**2)
