"""The optimal schedule of a small instance, by a mixed-integer programme with start-time-indexed variables.

Equal requests (length and prompt) are one type; z_{c,p} counts the requests of type c that start at p. An optimal
schedule is never empty before its end (else it could be moved up), so its makespan is at most Σ o_i; and its total
latency is at most H-SF's, which bounds the last completion by that total less what the other requests need at least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from crtools.errors import InputError
from crtools.process.run import simulate
from crtools.schedule import Schedule
from crtools.setting import integer

LARGEST_PROGRAMME = 200_000
"""The largest number of variables that is attempted."""


@dataclass(frozen=True)
class Optimum:
    """An optimal schedule, or the best one found.

    ``lower_bound``: every schedule's total latency is at least this; ``proved``: whether it is reached, so that
    ``schedule`` is optimal. The solver works in floats with its default integrality tolerance; the schedule is
    checked exactly, the bound is the solver's, rounded up less 10⁻⁶.
    """

    schedule: Schedule
    lower_bound: int
    proved: bool

    @property
    def total_latency(self) -> int:
        """The schedule's total latency, in unit time steps."""
        return self.schedule.total_latency

    @property
    def gap(self) -> float:
        """(total latency − lower bound) / lower bound."""
        return (self.total_latency - self.lower_bound) / self.lower_bound


def optimum(
    lengths: Sequence[int], memory: int, s: int | Sequence[int] = 0, *, time_limit: float | None = None
) -> Optimum:
    """Return a schedule of least total latency for known lengths, without cancellation, found by HiGHS.

    ``memory`` in tokens, ``s`` one prompt size or one for each request, ``time_limit`` in seconds: where it runs out
    the best schedule found comes back with the proved bound. Raises ``InputError`` for an instance that cannot be
    run or is too large.
    """
    import scipy.optimize as so
    import scipy.sparse as sparse

    if time_limit is not None and not (type(time_limit) in (int, float) and 0 < time_limit < float("inf")):
        raise InputError("time_limit", time_limit, "must be a number of seconds > 0")
    greedy = simulate("h-sf", lengths, memory, s)
    sizes = [int(o) for o in greedy.lengths]
    prompts = [int(x) for x in greedy.prompts]
    rest = greedy.total_latency - sum(sizes) + max(sizes)
    horizon = min(sum(sizes), rest)
    types = Counter(zip(sizes, prompts, strict=True))
    columns = [(o, x, p) for (o, x) in types for p in range(horizon - o + 1)]
    if len(columns) > LARGEST_PROGRAMME:
        raise InputError(
            "lengths", f"{len(sizes)} requests", f"need {len(columns)} variables; at most {LARGEST_PROGRAMME} are tried"
        )
    rows: list[int] = []
    places: list[int] = []
    values: list[int] = []
    for column, (o, x, p) in enumerate(columns):
        for t in range(p + 1, p + o + 1):
            rows.append(t - 1)
            places.append(column)
            values.append(x + t - p)
    use = sparse.csr_array((values, (rows, places)), shape=(horizon, len(columns)))
    index = {kind: row for row, kind in enumerate(types)}
    kinds: Any = np.array([index[o, x] for o, x, _ in columns])
    starts = sparse.csr_array(
        (np.ones(len(columns)), (kinds, np.arange(len(columns)))), shape=(len(types), len(columns))
    )
    counts: Any = np.array(list(types.values()))
    solved: Any = so.milp(
        np.array([p + o for o, _, p in columns], dtype=float),
        integrality=np.ones(len(columns)),
        bounds=so.Bounds(0, counts[kinds]),
        constraints=[
            so.LinearConstraint(use, -np.inf, integer("memory", memory, 1)),
            so.LinearConstraint(starts, counts, counts),
        ],
        options={"mip_rel_gap": 0.0} | ({} if time_limit is None else {"time_limit": float(min(time_limit, 10**9))}),
    )
    free = sum(sizes)
    bound = free if solved.mip_dual_bound is None else int(np.ceil(solved.mip_dual_bound - 1e-6))
    if solved.x is None:
        return _checked(Schedule(greedy.starts.tolist(), sizes, prompts), memory, bound)
    waiting: dict[tuple[int, int], list[int]] = {}
    for (o, x, p), number in zip(columns, np.rint(solved.x).astype(int), strict=True):
        waiting.setdefault((o, x), []).extend([p] * int(number))
    found = Schedule([waiting[o, x].pop(0) for o, x in zip(sizes, prompts, strict=True)], sizes, prompts)
    return _checked(found, memory, bound)


def _checked(schedule: Schedule, memory: int, bound: int) -> Optimum:
    if not schedule.feasible(memory):
        raise AssertionError("the solver's schedule exceeds the memory")
    return Optimum(schedule, bound, schedule.total_latency <= bound)
