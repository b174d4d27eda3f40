"""``Schedule``: the last start and the length of each request, with the paper's predicates on schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from crtools.errors import InputError
from crtools.numeric_types import IntArray, RingElement
from crtools.plotting.occupancy import Picture, Stay
from crtools.setting import integer, listed


@dataclass(frozen=True)
class Schedule:
    """The last starts of requests, their output lengths and prompt sizes, in tokens and unit time steps.

    Parameters
    ----------
    starts
        The last start of each request, integers ≥ 0: the paper's t with i ∈ I_t ("the set of prompts whose last (and
        final) starting time is at time t").
    lengths
        The output length of each request, integers ≥ 1, as many as ``starts``.
    s
        One prompt size ≥ 0 for all requests, or one for each.

    Raises
    ------
    InputError
        For other values, and where there is no request.

    Notes
    -----
    A request started at p with length o holds s + (t − p) tokens at the instants t = p + 1, …, p + o. Memory that
    requests held before they were cancelled is not part of a schedule.

    Examples
    --------
    >>> plan = Schedule([0, 1], [1, 2])
    >>> plan.total_latency, plan.makespan, plan.peak_memory
    (4, 3, 2)
    >>> plan.feasible(memory=2)
    True
    """

    starts: Sequence[int]
    lengths: Sequence[int]
    s: int | Sequence[int] = 0

    def __post_init__(self) -> None:
        starts, lengths = _integers("starts", self.starts, 0), _integers("lengths", self.lengths, 1)
        s = _integers("s", self.s, 0) if hasattr(self.s, "__len__") else integer("s", self.s, 0)
        if not lengths:
            raise InputError("lengths", "()", "must hold at least one request")
        if len(starts) != len(lengths):
            raise InputError("starts", len(starts), f"must be as many as the lengths, {len(lengths)}")
        if not isinstance(s, int) and len(s) != len(lengths):
            raise InputError("s", len(s), f"must be one integer or as many as the lengths, {len(lengths)}")
        vars(self).update(starts=starts, lengths=lengths, s=s)

    @property
    def n(self) -> int:
        """The number of requests."""
        return len(self.lengths)

    @property
    def prompts(self) -> tuple[int, ...]:
        """The prompt size of each request."""
        return (self.s,) * self.n if isinstance(self.s, int) else tuple(self.s)

    @property
    def completions(self) -> tuple[int, ...]:
        """The completion time p + o of each request."""
        return tuple(p + o for p, o in zip(self.starts, self.lengths, strict=True))

    @property
    def total_latency(self) -> int:
        """TEL, the sum of all completion times: Σ_t t·|I_t| + Σ_i o_i."""
        return sum(self.starts) + sum(self.lengths)

    @property
    def makespan(self) -> int:
        """The last completion time."""
        return max(self.completions)

    def memory_use(self, t: int) -> int:
        """Return the tokens held at the integer instant t: Σ s_i + (t − p_i) over the requests with p_i < t ≤ p_i + o_i."""
        rows, t = zip(self.starts, self.lengths, self.prompts, strict=True), integer("t", t, 0)
        return sum(s + t - p for p, o, s in rows if p < t <= p + o)

    @cached_property
    def peak_memory(self) -> int:
        """The largest memory use over all instants; it is reached where some request completes."""
        return peak(*self._arrays)

    @property
    def mean_memory(self) -> Fraction:
        """The memory use averaged over the instants 1, …, makespan."""
        return Fraction(sum(volume(s, o) for s, o in zip(self.prompts, self.lengths, strict=True)), self.makespan)

    def feasible(self, memory: int) -> bool:
        """Return whether the memory use is at most ``memory`` at every instant (the paper's constraint (1))."""
        return self.peak_memory <= integer("memory", memory, 0)

    def corresponds(self, other: Schedule) -> bool:
        """Return whether the two schedules preserve the corresponding order.

        Definition "Corresponding Order": "for any two jobs n_1 ∈ I_i ∩ I'_{i'} and n_2 ∈ I_j ∩ I'_{j'}, it holds
        that (i − j)(i' − j') ≥ 0".
        """
        self._same_requests(other)
        in_order = [start for _, start in sorted(zip(self.starts, other.starts, strict=True))]
        return in_order == sorted(in_order)

    def delayed(self, other: Schedule) -> bool:
        """Return whether this schedule is delayed relative to ``other``, in the paper's notation other ≤ this one.

        Definition "Corresponding Order": "I' is delayed relative to I, denoted I ≤ I', if for every job
        n_0 ∈ I_i ∩ I'_{i'}, we have i ≤ i'".
        """
        self._same_requests(other)
        return all(i <= j for i, j in zip(other.starts, self.starts, strict=True))

    def plot(self, memory: int | None = None, name: str = "schedule") -> Picture:
        """Return memory over time as a ``Picture``; ``memory``: the capacity, as a line.

        It shows itself in a notebook; ``print`` writes it with Unicode's lines, ``.save("plan.pdf")`` to a file.

        >>> Schedule([0, 1], [2, 1]).plot(memory=3)
        schedule, total latency 4, M = 3
        M   3 ╞      ┌─────┐
              │      │  1  │
            2 │      ├─────┤
              │      │  0  │
            1 │┌─────┘     │
              ││           │
            0 │└───────────┘
              └─────────────
               0     1     2
        """
        rows = zip(self.starts, self.lengths, self.prompts, strict=True)
        attempts = tuple(Stay(i, p, p + o, s) for i, (p, o, s) in enumerate(rows))
        capacity = None if memory is None else integer("memory", memory, 0)
        return Picture(name, attempts, capacity, f"total latency {self.total_latency}")

    def optimally_packed(self, memory: int) -> bool:
        """Return whether no request can move to the batches between its own and the one before.

        Definition "Optimally Packed Schedule": "for every job n_0 ∈ I_i with i ∈ [T]: let j := max{k ∈ [0, i−1] :
        I_k ≠ ∅} be the most recent time before i such that I_j is non-empty. Then, for any k ∈ [j, i), moving n_0
        to batch I_k would result in exceeding the memory limit M at some point during processing." The definition
        leaves open an i before which every batch is empty; there j is taken as 0. Takes a time of the order of n
        for each request and each k.
        """
        memory = integer("memory", memory, 0)
        times = sorted(set(self.starts))
        before = dict(zip(times, [0, *times], strict=False))
        starts, lengths, prompts = self._arrays
        # one of equal requests is enough
        jobs = {row: i for i, row in enumerate(zip(self.starts, self.lengths, self.prompts, strict=True))}
        for (start, _, _), i in jobs.items():
            for k in range(before[start], start):
                moved = starts.copy()
                moved[i] = k
                if peak(moved, lengths, prompts) <= memory:
                    return False
        return True

    @cached_property
    def _arrays(self) -> tuple[IntArray, IntArray, IntArray]:
        columns = self.starts, self.lengths, self.prompts
        small = sum(map(max, columns)) * self.n < 2**62  # else sums need Python's integers
        starts, lengths, prompts = (np.array(x, dtype=np.int64 if small else object) for x in columns)
        return starts, lengths, prompts

    def _same_requests(self, other: Schedule) -> None:
        if not isinstance(other, Schedule):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("other", other, "must be a Schedule")
        if tuple(self.lengths) != tuple(other.lengths) or self.prompts != other.prompts:
            raise InputError("other", f"a schedule of {other.n} requests", "must schedule the same requests")


def volume(s: RingElement, length: RingElement) -> RingElement:
    """Return s·o + o(o+1)/2, the token-instants that one request of o tokens occupies: of integers, arrays of them or symbols."""
    pairs = length * (length + 1)
    return s * length + (pairs // 2 if isinstance(length, int | np.integer | np.ndarray) else pairs / 2)


def batch_total(count: int, batch: int) -> int:
    """Return the sum of completion times where ``batch`` of ``count`` things complete at each of the instants 1, 2, …."""
    full, rest = divmod(count, batch)
    return batch * full * (full + 1) // 2 + rest * (full + 1)


def peak(starts: IntArray, lengths: IntArray, s: IntArray | int) -> int:
    """Return the largest memory use of a schedule given as integer arrays, in O(n log n)."""
    ends = starts + lengths
    at = np.unique(ends)
    base = s - starts
    by_start, by_end = np.argsort(starts, kind="stable"), np.argsort(ends, kind="stable")
    # at an instant t: all requests with start < t, less those with end < t
    began = np.searchsorted(starts[by_start], at, side="left")
    gone = np.searchsorted(ends[by_end], at, side="left")
    began_sum = np.concatenate(([0], np.cumsum(base[by_start])))
    gone_sum = np.concatenate(([0], np.cumsum(base[by_end])))
    return int((began_sum[began] - gone_sum[gone] + (began - gone) * at).max())


def _integers(name: str, values: object, least: int) -> tuple[int, ...]:
    if type(values) is np.ndarray and values.ndim == 1 and values.dtype.kind in "iu" and values.size:
        integer(name, values.min(), least)
        return tuple(values.tolist())
    return tuple(integer(name, item, least) for item in listed(name, values, f"must be a list of integers ≥ {least}"))
