"""The optimal schedule of a small instance, by a mixed-integer programme with start-time-indexed variables.

Equal requests (length and prompt) are one type; z_{c,p} counts the requests of type c that start at p. An optimal
schedule is never empty before its end (else it could be moved up), so its makespan is at most Σ o_i; and its total
latency is at most H-SF's, which bounds the last completion by that total less what the other requests need at least.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from crtools.errors import InputError
from crtools.names import named_arguments
from crtools.plotting.occupancy import Picture
from crtools.process.run import simulate, volume_bound
from crtools.schedule import Schedule
from crtools.tables import InNotebook

LARGEST_PROGRAMME = 200_000
"""The largest number of variables that is attempted."""


@dataclass(frozen=True, repr=False)
class Optimum(InNotebook):
    """The result of :func:`optimum`: an optimal schedule, or the best one found in time.

    Attributes
    ----------
    schedule : Schedule
        Its feasibility is checked exactly.
    lower_bound : int
        A lower bound on the total latency of every schedule: the largest of the volume bound, Σ o, and the solver's bound less
        10⁻⁶, rounded up. The solver works in floats with its default integrality tolerance.
    proved : bool
        Whether the schedule reaches the bound and so is optimal.

    Examples
    --------
    >>> best = optimum([1, 2, 3, 4], memory=7, s=1)
    >>> best.total_latency, best.lower_bound, best.proved, best.gap
    (12, 12, True, 0.0)
    """

    schedule: Schedule
    lower_bound: int
    proved: bool

    @property
    def total_latency(self) -> int:
        """The schedule's total latency, in unit time steps."""
        return self.schedule.total_latency

    def __repr__(self) -> str:
        status = "proved" if self.proved else f"feasible; no schedule is below {self.lower_bound}"
        return f"total latency {self.total_latency} ({status}): optimum of {len(self.schedule.lengths)} requests"

    def plot(self) -> Picture:
        """Return the schedule as a drawing of memory over time; ``InputError`` where it is too large."""
        return self.schedule.plot(name="optimum")

    def _repr_html_(self) -> str | None:
        try:
            return self.plot().svg()
        except InputError:
            return super()._repr_html_()

    @property
    def gap(self) -> float:
        """(total latency − lower bound) / lower bound."""
        return (self.total_latency - self.lower_bound) / self.lower_bound


@named_arguments()
def optimum(
    lengths: Sequence[int], memory: int, s: int | Sequence[int] = 0, *, time_limit: float | None = None
) -> Optimum:
    """Return a schedule of smallest total latency for known lengths, without cancellation, found by HiGHS.

    Parameters
    ----------
    lengths : sequence of int
        Output lengths in tokens.
    memory : int
        The capacity M in tokens.
    s : int or sequence of int
        The prompt size in tokens, one for all requests or one for each.
    time_limit : float, optional
        Seconds after which the best schedule found is returned with the bound reached.

    Returns
    -------
    Optimum

    Raises
    ------
    InputError
        For an instance that cannot be run or is too large.

    Examples
    --------
    >>> optimum([1, 1, 3, 3], memory=5, s=1).total_latency
    12
    """
    import scipy.optimize as so
    import scipy.sparse as sparse

    if time_limit is not None and not (type(time_limit) in (int, float) and 0 < time_limit < float("inf")):
        raise InputError("time_limit", time_limit, "must be a number of seconds > 0")
    greedy = simulate("h-sf", lengths, memory, s)
    sizes, prompts = greedy.lengths.tolist(), greedy.prompts.tolist()
    horizon = min(sum(sizes), greedy.total_latency - sum(sizes) + max(sizes))
    types = Counter(zip(sizes, prompts, strict=True))
    columns = [(kind, o, x, p) for kind, (o, x) in enumerate(types) for p in range(horizon - o + 1)]
    number = len(columns)
    if number > LARGEST_PROGRAMME:
        allowed = f"need {number} variables; at most {LARGEST_PROGRAMME} are allowed"
        raise InputError("lengths", f"{len(sizes)} requests", allowed)
    memory_use = [(x + age, p + age - 1, c) for c, (_, o, x, p) in enumerate(columns) for age in range(1, o + 1)]
    tokens, instants, variables = zip(*memory_use, strict=True)
    use = sparse.csr_array((tokens, (instants, variables)), shape=(horizon, number))
    kinds: Any = np.array([kind for kind, _, _, _ in columns])
    starts = sparse.csr_array((np.ones(number), (kinds, np.arange(number))), shape=(len(types), number))
    counts: Any = np.array(list(types.values()))
    solved: Any = so.milp(
        np.array([p + o for _, o, _, p in columns], dtype=float),
        integrality=np.ones(number),
        bounds=so.Bounds(0, counts[kinds]),
        constraints=[so.LinearConstraint(use, -np.inf, greedy.memory), so.LinearConstraint(starts, counts, counts)],
        options={"mip_rel_gap": 0.0} | ({} if time_limit is None else {"time_limit": float(min(time_limit, 10**9))}),
    )
    dual = solved.mip_dual_bound
    solver_bound = 0 if dual is None or not np.isfinite(dual) else int(np.ceil(dual - 1e-6))
    bound = max(solver_bound, ceil(volume_bound(sizes, memory, prompts)), sum(sizes))
    best = greedy.starts.tolist()
    if solved.x is not None:
        starts_of_type: dict[tuple[int, int], list[int]] = {kind: [] for kind in types}
        for (_, o, x, p), k in zip(columns, np.rint(solved.x).astype(int).tolist(), strict=True):
            starts_of_type[o, x] += [p] * k
        best = [starts_of_type[o, x].pop(0) for o, x in zip(sizes, prompts, strict=True)]
    schedule = Schedule(best, sizes, prompts)
    if not schedule.feasible(memory):
        raise AssertionError("the solver's schedule exceeds the memory")
    return Optimum(schedule, bound, schedule.total_latency <= bound)
