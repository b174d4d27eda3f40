"""A_min, Algorithm 2 to the letter, with every draw of its ties followed: the exact mean of the total latency.

Written from the algorithm's words and sharing no code with ``crtools.process``, for a handful of requests. Requests
of one length and one state are alike, so a state is a sorted list; draws that lead to a state seen before are
solved for as linear equations, in fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

Waiting = tuple[tuple[int, int], ...]
"""(length, bound õ) of each waiting request, sorted."""

Running = tuple[tuple[int, int, int], ...]
"""(length, õ at its start, age) of each running request, sorted."""

State = tuple[Waiting, Running]

LARGEST = 20_000
"""The most states that are followed."""


def mean_total(lengths: tuple[int, ...], bounds: tuple[int, ...], s: int, memory: int) -> Fraction:
    """Return E TEL of A_min with first bounds ``bounds``, over the uniform draws of ties.

    Raises ``OverflowError`` where there are more states than are followed.
    """
    start: State = (tuple(sorted(zip(lengths, bounds, strict=True))), ())
    moves: dict[State, dict[State, Fraction]] = {}
    open_: list[State] = [start]
    while open_:
        state = open_.pop()
        if state in moves:
            continue
        moves[state] = {}
        if len(moves) > LARGEST:
            raise OverflowError("too many states")
        if state == ((), ()):
            continue
        for share, then in _instant(state, s, memory):
            moves[state][then] = moves[state].get(then, Fraction(0)) + share
            open_.append(then)
    return _solved(moves, start)


def _instant(state: State, s: int, memory: int) -> Iterator[tuple[Fraction, State]]:
    """Cancel, admit, and pass to the next instant, where those that reach their length leave."""
    for share, waiting, running in _cancelled(*state, s, memory):
        for second, still, begun in _admitted(waiting, running, s, memory):
            grown = tuple(sorted((o, bound, age + 1) for o, bound, age in begun if age + 1 < o))
            yield share * second, (still, grown)


def _cancelled(waiting: Waiting, running: Running, s: int, memory: int) -> Iterator[tuple[Fraction, Waiting, Running]]:
    if sum(s + age + 1 for _, _, age in running) <= memory:
        yield Fraction(1), waiting, running
        return
    least = min(bound for _, bound, _ in running)
    equal = [job for job in running if job[1] == least]
    for job in sorted(set(equal)):
        o, bound, age = job
        rest = list(running)
        rest.remove(job)
        joined = tuple(sorted((*waiting, (o, max(bound, age)))))
        for share, w, r in _cancelled(joined, tuple(rest), s, memory):
            yield Fraction(equal.count(job), len(equal)) * share, w, r


def _admitted(waiting: Waiting, running: Running, s: int, memory: int) -> Iterator[tuple[Fraction, Waiting, Running]]:
    least = min((bound for _, bound in waiting), default=0)
    if not waiting or not _fits(running, least, s, memory):
        yield Fraction(1), waiting, running
        return
    equal = [job for job in waiting if job[1] == least]
    for job in sorted(set(equal)):
        rest = list(waiting)
        rest.remove(job)
        begun = tuple(sorted((*running, (*job, 0))))
        for share, w, r in _admitted(tuple(rest), begun, s, memory):
            yield Fraction(equal.count(job), len(equal)) * share, w, r


def _fits(running: Running, new: int, s: int, memory: int) -> bool:
    """The paper's Eq. (5); a running request counts up to max(õ, age + 1)."""
    rows = [(age, max(bound, age + 1)) for _, bound, age in running] + [(0, new)]
    ahead = range(1, max(up_to - age for age, up_to in rows) + 1)
    return all(sum(s + age + d for age, up_to in rows if age + d <= up_to) <= memory for d in ahead)


def _solved(moves: dict[State, dict[State, Fraction]], start: State) -> Fraction:
    """Solve E(state) = requests left + Σ share · E(next) by eliminating one state after the other."""
    cost = {state: Fraction(len(state[0]) + len(state[1])) for state in moves}
    before: dict[State, set[State]] = {state: set() for state in moves}
    for state, shares in moves.items():
        for then in shares:
            before[then].add(state)
    for state in list(moves):
        if state == start:
            continue
        shares = moves.pop(state)
        stay = 1 - shares.pop(state, Fraction(0))
        if stay == 0:
            raise OverflowError("a state that is never left")
        for previous in before.pop(state) - {state}:
            if previous not in moves or state not in moves[previous]:
                continue
            share = moves[previous].pop(state) / stay
            cost[previous] += share * cost[state]
            for then, p in shares.items():
                moves[previous][then] = moves[previous].get(then, Fraction(0)) + share * p
                before[then].add(previous)
    return cost[start] / (1 - moves[start].get(start, Fraction(0)))
