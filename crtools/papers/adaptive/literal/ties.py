"""A_min, Algorithm 2 to the letter, with every draw of its ties followed: exact expectations, as fractions.

Written from the algorithm's words and sharing no code with ``crtools.process``, for a handful of requests. Requests
of one length and one state are alike, so a state is a sorted list. ``check/process.py`` has the other, independent route.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from sympy import QQ
from sympy.polys.matrices.sdm import SDM

T = TypeVar("T")

Wait = tuple[int, int, bool]
"""A waiting request: (length, bound õ, whether it has been started with this bound before)."""

Job = tuple[int, int, int]
"""A running request: (length, õ at its start, age)."""

State = tuple[tuple[Wait, ...], tuple[Job, ...]]
"""Waiting and running requests, each sorted."""

Cells = dict[tuple[int, int], Fraction]
"""Expected counts by (bound i, length j)."""

LARGEST = 20_000
"""Upper limit on the number of states."""


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


Instant = tuple[Fraction, tuple[Job, ...], tuple[Wait, ...], tuple[Wait, ...], tuple[Job, ...]]
"""One outcome of the ties at an instant: its probability, the cancelled and the started, then the waiting and the running."""


def expectations(lengths: Sequence[int], s: int, memory: int, bounds: int | Sequence[int] = 1) -> Expected:
    """Return the expectations of A_min with these first bounds; loops between states are solved as linear equations.

    Raises ``OverflowError`` where there are more than ``LARGEST`` states.
    """
    first = [bounds] * len(lengths) if isinstance(bounds, int) else bounds
    start: State = (tuple(sorted((o, bound, False) for o, bound in zip(lengths, first, strict=True))), ())
    expected, ways = Expected(), _followed(start, s, memory)
    for state, visits in _visits(ways, start).items():
        expected.total += visits * (len(state[0]) + len(state[1]))
        for share, cancelled, started, _, running in ways[state]:
            q = visits * share
            for o, bound, age in cancelled:
                expected.moves[bound, max(bound, age), o] += q
            for o, bound, restarted in started:
                expected.started[bound, o] += q
                expected.entered[bound, o] += 0 if restarted else q
            for o, bound, age in running:
                expected.completed[bound, o] += q * (age + 1 == o)
    return expected


def _followed(start: State, s: int, memory: int) -> dict[State, list[Instant]]:
    """Return the possible next instants of every reachable state, the empty one excepted."""
    ways: dict[State, list[Instant]] = {}
    open_: list[State] = [start]
    while open_:
        state = open_.pop()
        if state in ways or state == ((), ()):
            continue
        if len(ways) == LARGEST:
            raise OverflowError("too many states")
        ways[state] = [
            (share * second, cancelled, started, still_waiting, running)
            for share, queue, kept, cancelled in _cancel(*state, s, memory)
            for second, still_waiting, running, started in _admit(queue, kept, s, memory)
        ]
        open_.extend(map(_after, ways[state]))
    return ways


def _after(way: Instant) -> State:
    """Return the state at the next instant, where those that reach their length leave."""
    *_, waiting, running = way
    return waiting, tuple(sorted((o, bound, age + 1) for o, bound, age in running if age + 1 < o))


def _cancel(
    waiting: tuple[Wait, ...], running: tuple[Job, ...], s: int, memory: int, before: tuple[Job, ...] = ()
) -> Iterator[tuple[Fraction, tuple[Wait, ...], tuple[Job, ...], tuple[Job, ...]]]:
    if sum(s + age + 1 for _, _, age in running) <= memory:
        yield Fraction(1), waiting, running, before
        return
    lowest_bound = min(bound for _, bound, _ in running)
    candidates = [job for job in running if job[1] == lowest_bound]
    for job in sorted(set(candidates)):
        o, bound, age = job
        waiting_again = tuple(sorted((*waiting, (o, max(bound, age), age <= bound))))
        for share, queue, still_running, cancelled in _cancel(
            waiting_again, _without(running, job), s, memory, (*before, job)
        ):
            yield Fraction(candidates.count(job), len(candidates)) * share, queue, still_running, cancelled


def _admit(
    waiting: tuple[Wait, ...], running: tuple[Job, ...], s: int, memory: int, before: tuple[Wait, ...] = ()
) -> Iterator[tuple[Fraction, tuple[Wait, ...], tuple[Job, ...], tuple[Wait, ...]]]:
    lowest_bound = min((bound for _, bound, _ in waiting), default=0)
    if not waiting or not _fits(running, lowest_bound, s, memory):  # one prompt size: all ties fit or none
        yield Fraction(1), waiting, running, before
        return
    candidates = [job for job in waiting if job[1] == lowest_bound]
    for job in sorted(set(candidates)):
        begun = tuple(sorted((*running, (job[0], lowest_bound, 0))))
        for share, still_waiting, now_running, started in _admit(
            _without(waiting, job), begun, s, memory, (*before, job)
        ):
            yield Fraction(candidates.count(job), len(candidates)) * share, still_waiting, now_running, started


def _without(rows: tuple[T, ...], row: T) -> tuple[T, ...]:
    index = rows.index(row)
    return (*rows[:index], *rows[index + 1 :])


def _fits(running: tuple[Job, ...], new: int, s: int, memory: int) -> bool:
    """Return the outcome of the paper's Eq. (3); a running request counts up to max(õ, age + 1)."""
    rows = [(age, max(bound, age + 1)) for _, bound, age in running] + [(0, new)]
    ahead = range(1, max(up_to - age for age, up_to in rows) + 1)
    return all(sum(s + age + d for age, up_to in rows if age + d <= up_to) <= memory for d in ahead)


def _visits(ways: dict[State, list[Instant]], start: State) -> dict[State, Fraction]:
    """Return the expected number of visits to each state: [it is the start] + Σ visits(before) · share, as linear equations."""
    index, n = {state: k for k, state in enumerate(ways)}, len(ways)
    rows = {k: {k: QQ(1)} for k in range(n)}
    rows[index[start]][n] = QQ(1)
    for state, k in index.items():
        for share, then in ((QQ(way[0].numerator, way[0].denominator), _after(way)) for way in ways[state]):
            if then in index:
                row = rows[index[then]]
                row[k] = row.get(k, QQ(0)) - share
    equations = {k: {column: value for column, value in row.items() if value} for k, row in rows.items()}
    solved, pivots = SDM(equations, (n, n + 1), QQ).rref()
    if pivots != list(range(n)):
        raise OverflowError("a state that is never left")
    visits = (solved[k].get(n, QQ(0)) for k in range(n))
    return {state: Fraction(int(x.numerator), int(x.denominator)) for state, x in zip(ways, visits, strict=True)}
