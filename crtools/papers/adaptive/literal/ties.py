"""A_min, Algorithm 2 to the letter, with every draw of its ties followed: exact expectations, as fractions.

Written from the algorithm's words and sharing no code with ``crtools.process``, for a handful of requests. Requests
of one length and one state are alike, so a state is a sorted list. ``check/process.py`` has the other, independent route.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from sympy import QQ
from sympy.polys.matrices.sdm import SDM

T = TypeVar("T", bound=tuple[int, ...])

Wait = tuple[int, int]
"""A waiting request: (length, bound õ)."""

Job = tuple[int, int, int]
"""A running request: (length, õ at its start, age)."""

State = tuple[tuple[Wait, ...], tuple[Job, ...]]
"""Waiting and running requests, each sorted."""

LARGEST = 20_000
"""Upper limit on the number of states."""


def _means() -> dict[Any, Fraction]:
    return defaultdict(Fraction)


@dataclass
class Expected:
    """Expectations over ties: TEL, and by (bound i, length j) starts b and starts that complete c.

    moves: by (i, k, j) the cancelled starts with bound i, new bound k and length j.
    """

    total: Fraction = Fraction(0)
    started: dict[tuple[int, int], Fraction] = field(default_factory=_means)
    completed: dict[tuple[int, int], Fraction] = field(default_factory=_means)
    moves: dict[tuple[int, int, int], Fraction] = field(default_factory=_means)


Instant = tuple[Fraction, tuple[Job, ...], tuple[Wait, ...], tuple[Wait, ...], tuple[Job, ...]]
"""One outcome of the ties at an instant: its probability, the cancelled and the started, then the waiting and the running."""


def expectations(lengths: Sequence[int], s: int, memory: int, bounds: int | Sequence[int] = 1) -> Expected:
    """Return the expectations of A_min with these first bounds; loops between states are solved as linear equations.

    Raises ``OverflowError`` where there are more than ``LARGEST`` states.
    """
    first = [bounds] * len(lengths) if isinstance(bounds, int) else bounds
    start: State = (tuple(sorted(zip(lengths, first, strict=True))), ())
    expected, ways = Expected(), _followed(start, s, memory)
    for state, visits in _visits(ways, start).items():
        expected.total += visits * (len(state[0]) + len(state[1]))
        for share, cancelled, started, _, running in ways[state]:
            q = visits * share
            for o, bound, age in cancelled:
                expected.moves[bound, max(bound, age), o] += q
            for o, bound in started:
                expected.started[bound, o] += q
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
        ways[state] = list(_outcomes(*state, s, memory))
        open_.extend(map(_after, ways[state]))
    return ways


def _after(way: Instant) -> State:
    """Return the state at the next instant, where those that reach their length leave."""
    *_, waiting, running = way
    return waiting, tuple(sorted((o, bound, age + 1) for o, bound, age in running if age + 1 < o))


def _outcomes(
    waiting: tuple[Wait, ...],
    running: tuple[Job, ...],
    s: int,
    memory: int,
    share: Fraction = Fraction(1),
    cancelled: tuple[Job, ...] = (),
    started: tuple[Wait, ...] = (),
) -> Iterator[Instant]:
    """Follow all ties of an instant: starts are cancelled while the next instant overflows, then requests are admitted."""
    if sum(s + age + 1 for _, _, age in running) > memory:
        for p, job, others in _draws(running):
            again = tuple(sorted((*waiting, (job[0], max(job[1:])))))
            yield from _outcomes(again, others, s, memory, share * p, (*cancelled, job), started)
    elif waiting and _fits(running, min(bound for _, bound in waiting), s, memory):  # all ties fit or none
        for p, job, others in _draws(waiting):
            begun = tuple(sorted((*running, (*job, 0))))
            yield from _outcomes(others, begun, s, memory, share * p, cancelled, (*started, job))
    else:
        yield share, cancelled, started, waiting, running


def _draws(jobs: tuple[T, ...]) -> Iterator[tuple[Fraction, T, tuple[T, ...]]]:
    """Iterate over a draw among the jobs of the lowest bound: its probability, the job, and the others."""
    lowest_bound = min(job[1] for job in jobs)
    candidates = [job for job in jobs if job[1] == lowest_bound]
    for job in sorted(set(candidates)):
        index = jobs.index(job)
        yield Fraction(candidates.count(job), len(candidates)), job, (*jobs[:index], *jobs[index + 1 :])


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
