"""The literal A_min once more, sharing no code with ``crtools.process``: expectations over the ties, as exact fractions.

Every way in which ties can fall is followed, with its probability, from instant to instant. Small instances only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Job = tuple[int, int, int]
"""A running request: (number, age, bound it was started with)."""

Wait = tuple[int, int, bool]
"""A waiting request: (number, bound, whether it has been started with this bound before)."""

Cells = dict[tuple[int, int], Fraction]
"""Expected counts by (bound i, length j)."""


class Endless(RuntimeError):
    """Some tie can fall so that requests are cancelled again and again: no finite sum of fractions."""


@dataclass
class Expected:
    """Expectations over ties: TEL, and by (i, j) starts b, starts that complete c, requests that start at least once.

    moves: by (i, k, j) the cancelled starts with bound i, new bound k and length j.
    """

    total: Fraction = Fraction(0)
    started: Cells = field(default_factory=lambda: defaultdict(Fraction))
    completed: Cells = field(default_factory=lambda: defaultdict(Fraction))
    entered: Cells = field(default_factory=lambda: defaultdict(Fraction))
    moves: dict[tuple[int, int, int], Fraction] = field(default_factory=lambda: defaultdict(Fraction))


State = tuple[frozenset[Job], frozenset[Wait]]


def expectations(lengths: Sequence[int], s: int, memory: int, l: int = 1, instants: int = 60) -> Expected:
    """Return the expectations of Algorithm 2 on an instance; raises :class:`Endless` if it may last over ``instants``."""
    law: Mapping[State, Fraction] = {
        (frozenset[Job](), frozenset((i, l, False) for i in range(len(lengths)))): Fraction(1)
    }
    found = Expected()
    for t in range(instants):
        following: dict[State, Fraction] = defaultdict(Fraction)
        for (running, waiting), p in law.items():
            for number, age, bound in running:
                if age == lengths[number]:
                    found.completed[bound, lengths[number]] += p
                    found.total += p * t
            rest = frozenset(job for job in running if job[1] < lengths[job[0]])
            for q, kept, queue in _cancel(rest, waiting, s, memory):
                for number, _, bound in rest - kept:
                    new = next(w[1] for w in queue if w[0] == number)
                    found.moves[bound, new, lengths[number]] += p * q
                for r, now, left in _admit(kept, queue, s, memory):
                    for number, bound, again in queue - left:
                        found.started[bound, lengths[number]] += p * q * r
                        found.entered[bound, lengths[number]] += 0 if again else p * q * r
                    if now or left:
                        following[frozenset((i, a + 1, b) for i, a, b in now), left] += p * q * r
        if not following:
            return found
        law = following
    raise Endless(f"not over after {instants} instants for some ties")


def _cancel(
    running: frozenset[Job], waiting: frozenset[Wait], s: int, memory: int
) -> Iterator[tuple[Fraction, frozenset[Job], frozenset[Wait]]]:
    if sum(s + age + 1 for _, age, _ in running) <= memory:
        yield Fraction(1), running, waiting
        return
    least = min(bound for _, _, bound in running)
    ties = [job for job in running if job[2] == least]
    for job in ties:
        number, age, bound = job
        back = (number, max(bound, age), age <= bound)
        for p, rest, queue in _cancel(running - {job}, waiting | {back}, s, memory):
            yield p / len(ties), rest, queue


def _admit(
    running: frozenset[Job], waiting: frozenset[Wait], s: int, memory: int
) -> Iterator[tuple[Fraction, frozenset[Job], frozenset[Wait]]]:
    least = min((bound for _, bound, _ in waiting), default=0)
    ties = [wait for wait in waiting if wait[1] == least]
    fits = bool(ties) and _fits(running | {(ties[0][0], 0, least)}, s, memory)  # one prompt size: all ties fit or none
    if not fits:
        yield Fraction(1), running, waiting
        return
    for wait in ties:
        for p, now, left in _admit(running | {(wait[0], 0, least)}, waiting - {wait}, s, memory):
            yield p / len(ties), now, left


def _fits(running: frozenset[Job], s: int, memory: int) -> bool:
    """Eq. 5: at every later instant the requests that are assumed to last until then hold at most M."""
    ends = [max(bound, age + 1) - age for _, age, bound in running]
    return all(
        sum(s + age + ahead for (_, age, _), end in zip(running, ends, strict=True) if ahead <= end) <= memory
        for ahead in range(1, max(ends) + 1)
    )
