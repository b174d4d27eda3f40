"""The policy ``expected-work``: least expected work first, given the prompt; learned from past requests, or online.

In the clock ``seconds`` it also limits how many requests run at once, and keeps a share of the memory free. The process is in
``crtools/process``. Tests: tests/blind/test_expected_work.py, tests/blind/test_work_classes.py.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from crtools.blind.min_norm_point import Search, machine_cost
from crtools.blind.scheduler import Cells, attempt_table, group_edges, members_of, to_the_end
from crtools.errors import InputError
from crtools.names import named_arguments
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.clocks import Clock
from crtools.process.plans import AttemptTable, Plan, Seen
from crtools.process.policies import Now, Policy, Request, load_factor, parallel_limit
from crtools.setting import integer

FIRST_GUESS = 100.0
"""The mean output that is assumed before the first completion."""

FEWEST_COMPLETIONS = 3
"""Before so many completions, requests go by their prompts."""

GROWTH = 1.05
"""The estimates are made anew after this factor, or three, more completions."""


@named_arguments()
def expected_work(
    history: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    learn: bool = True,
    kappa: float = math.inf,
    load: float = 0,
    watermark: float = 0.02,
    cap: bool = True,
    classes: int = 16,
    width: float = 0.04,
    pseudo: float = 1,
    gain: float = 0.1,
) -> Policy:
    """Return the policy ``expected-work``.

    Parameters
    ----------
    history
        Prompts and outputs of past requests, two arrays of one length. Expected work is then taken given the quantile class of
        the prompt. Without it, it is learned from the requests that have run.
    learn
        Whether, without a history, expected lengths are learned by prompt; else requests go by their prompts.
    kappa
        Requests go by release + kappa · (expected work); infinite: by expected work alone.
    load
        The offered load, from 0 to below 1; it widens the limit on requests that run at once by min(1/(1 − load), 5).
    watermark
        The share of the memory that admission keeps free, in seconds.
    cap
        Whether, in seconds, the number of requests that run at once is limited.
    classes
        The number of quantile classes of the history's prompts.
    width
        Without a history: the width of the smoothing by rank of the prompt, as a share of the requests that are present.
    pseudo
        Without a history: how many completions the mean over all prompts counts.
    gain
        With a history: kill ages are used only where they promise to save this share of the cost.

    Returns
    -------
    Policy

    Raises
    ------
    InputError
        Where an argument is out of its range.

    Notes
    -----
    The next instant's memory is looked at alone; where it would overflow, the latest started is preempted, and with a history
    and kept tokens the request with the largest expected remaining work. Kill ages are used at release 0 and where cancelled
    requests lose their tokens, and only where the first request that waits does not fit.

    Without a history request i has the expected length e = (Σ_j K a_j + c·m)/(Σ_j K d_j + c): a_j are the tokens seen of
    request j, d_j whether it has completed, m = Σa/Σd, K = exp(−½ (rank difference of the prompts/(width·n))²), c = pseudo.
    Its key is c₁(s − 1 + e) + τ(s·e + e²) in seconds and (s·e + e²)/M in steps.

    Examples
    --------
    >>> from crtools.process import simulate
    >>> policy = expected_work(history=([10, 10, 500, 500], [90, 110, 4, 6]), classes=2)
    >>> simulate(policy, [100, 5], memory=800, s=[10, 500], clock="seconds").starts.tolist()
    [0, 0]
    """
    limits = {
        "kappa": (kappa, 0, math.inf), "load": (load, 0, math.inf), "watermark": (watermark, 0, 0.99), "width": (width, 1e-6, 10),
        "pseudo": (pseudo, 1e-9, 1e9), "gain": (gain, 0, 0.999), "classes": (classes, 1, 10_000),
    }  # fmt: skip
    for name, (value, smallest, largest) in limits.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not smallest <= value <= largest:  # pyright: ignore
            raise InputError(name, value, f"must be a number from {smallest} to {largest}")
    past = None if history is None else History(*checked_history(history), classes)
    factor = load_factor(load)
    mean_output = 0.0 if past is None else float(past.outputs.mean())

    def limit(r: Request, now: Now) -> float:
        """Return the limit on requests that run; ``r.drawn`` is the history's mean output, so that rules compile once."""
        if now.per_token == 0:
            return math.inf
        output = r.drawn if r.drawn > 0 else now.output / now.completed if now.completed else FIRST_GUESS
        return math.sqrt(parallel_limit(output, r.s, now) * factor)

    def attempts(requests: Seen) -> AttemptTable:
        may_kill = not requests.resume and not requests.release.any() and kappa == math.inf
        if past is not None and may_kill and (kills := past.kills(requests, gain)) is not None:
            return kills
        work = _learned_work(requests, learn, width, pseudo) if past is None else past.work(requests)
        rows = to_the_end(requests, requests.release + kappa * work if kappa < math.inf else work)
        if past is None or not requests.resume:
            return rows
        return replace(rows, group=past.group(requests.s), remaining=past.remaining)

    def reserve(clock: Clock) -> float:
        return 0 if clock.in_steps else watermark

    return Policy(
        "expected-work",
        priority=lambda r: r.index,
        assumed=lambda r, age: age + 1,
        draws=lambda numbers: np.full(len(numbers), mean_output),
        paced=True,
        plan=Plan(
            attempts,
            again=(lambda done: max(math.ceil(GROWTH * done), done + 3)) if past is None and learn else None,
            lazy=True,
        ),
        informed=lambda history, load: expected_work(history, load=load),
        reserve=reserve,
        limit=limit if cap else None,
        usual=False,
        knows="s" if past is None else "s, past requests",
        summary="least expected work first, given the prompt",
    )


def checked_history(history: tuple[npt.ArrayLike, npt.ArrayLike]) -> tuple[IntArray, IntArray]:
    """Return prompts and outputs of past requests as arrays, or raise ``InputError``."""
    with suppress(TypeError, ValueError):
        prompts, outputs = (np.asarray(column) for column in history)
        integers = prompts.dtype.kind in "iu" and outputs.dtype.kind in "iu"
        columns = integers and prompts.shape == outputs.shape == (prompts.size,) and prompts.size > 0
        if columns and prompts.min() >= 0 and outputs.min() >= 1:
            return prompts.astype(np.int64), outputs.astype(np.int64)
    raise InputError("history", history, "must be two arrays of one length: prompts ≥ 0 and outputs ≥ 1, integers")


def _learned_work(requests: Seen, learn: bool, width: float, pseudo: float) -> FloatArray:
    """Return each request's expected work, learned from generated tokens; with one expected length for all it goes by prompts."""
    completed = int(requests.done.sum())
    mean = requests.tokens.sum() / completed if completed else FIRST_GUESS
    by_prompt = learn and completed >= FEWEST_COMPLETIONS
    length = _lengths_by_prompt(requests, width, pseudo, mean) if by_prompt else mean
    s, per_token_held = requests.s.astype(float), requests.clock.base / requests.memory + requests.clock.per_held
    return requests.clock.per_token * (s - 1 + length) + per_token_held * (s * length + length**2)


def _lengths_by_prompt(requests: Seen, width: float, pseudo: float, mean: float) -> FloatArray:
    """Return expected lengths, smoothed over the ranks of the present requests' prompts; others get the value at their rank."""
    from scipy.signal import fftconvolve  # takes longer to import than most runs

    present = np.flatnonzero(requests.released)
    order = present[np.argsort(requests.s[present], kind="stable")]
    n = len(order)
    distance = np.arange(1 - n, n) / (width * n)
    kernel = np.exp(-(distance**2) / 2)
    columns = (column[order].astype(float) for column in (requests.tokens, requests.done))
    tokens, done = (fftconvolve(column, kernel)[n - 1 : 2 * n - 1] for column in columns)
    smoothed = (tokens + pseudo * mean) / (done + pseudo)
    ranks = np.searchsorted(requests.s[order], requests.s)
    ranks[order] = np.arange(n)
    return smoothed[np.minimum(ranks, n - 1)]


MOST_CELLS = 256
"""Upper limit on the lengths of a class's law at which kills are considered."""


@dataclass(frozen=True)
class History:
    """Past requests in quantile classes of their prompts, at most ``classes``: what they tell of new requests.

    Notes
    -----
    The work of a request up to age a is w(a) = c₁(s − 1 + a) + τ(s a + a(a + 1)/2), τ = c₀/M + c₂
    (:mod:`crtools.process.flow_bounds`); in steps it is the volume over M. A request's output has the law of its class. Work is linear
    in (o, o(o + 1)/2), so that the means of these two give every expected work without rounding. The mixtures are best on one machine,
    for the laws of the classes (Theorem "best-value" for one class); in the process they are a heuristic.
    """

    prompts: IntArray
    outputs: IntArray
    classes: int = 16

    @cached_property
    def edges(self) -> IntArray | FloatArray:
        """The least prompt of each class but the first."""
        return group_edges(self.prompts, integer("classes", self.classes, 1))

    def group(self, s: IntArray) -> IntArray:
        """Return the class of each prompt."""
        return np.searchsorted(self.edges, s, "right")

    @cached_property
    def remaining(self) -> FloatArray:
        """E[o − a | o > a] and E[o(o + 1)/2 − a(a + 1)/2 | o > a], for G classes and ages a = 0, …, A − 1; shape (2, G, A).

        A is the largest output. Where no request of the class was longer than a, the mean is that of all classes.
        """
        longest, count = int(self.outputs.max()), len(self.edges) + 1
        longer = np.zeros((count + 1, longest))  # how many outputs exceed each age; the last row is of all classes
        group = self.group(self.prompts)
        np.add.at(longer, (np.stack([group, np.full_like(group, count)]), self.outputs - 1), 1.0)
        longer = np.cumsum(longer[:, ::-1], axis=1)[:, ::-1]
        empty = longer[:count] == 0
        tables: list[FloatArray] = []
        for weights in (np.ones(longest), np.arange(1.0, longest + 1)):
            mean = np.cumsum((longer * weights)[:, ::-1], axis=1)[:, ::-1] / np.maximum(longer, 1)
            tables.append(np.where(empty, mean[-1], mean[:-1]))
        return np.stack(tables)

    def work(self, requests: Seen) -> FloatArray:
        """Return the expected work of each request, in the clock's unit."""
        s, clock = requests.s, requests.clock
        tokens, sums = self.remaining[:, self.group(s), 0]
        per_token, per_held = clock.per_token, clock.base / requests.memory + clock.per_held
        return per_token * (s - 1) + (per_token + per_held * s) * tokens + per_held * sums

    def kills(self, requests: Seen, gain: float) -> AttemptTable | None:
        """Return the attempts of the best mixtures for the classes' laws, free, or None where they do not save enough.

        They have to cost on one machine at most 1 − ``gain`` times what running to the end, smallest expected work first, costs; and
        all work has to take at least as long as the longest request. A priority is minus the attempt's index, −(probability that it
        completes) / (expected work that it uses), with the request's own prompt.
        """
        if self.work(requests).sum() < int(self.outputs.max()) * requests.clock.base:
            return None
        s, past = requests.s, self.group(self.prompts)
        drawn = np.random.default_rng(0).random(len(s))  # which requests of a class take which of its plans
        fresh = replace(requests, l=np.ones_like(s), tokens=np.zeros_like(s), drawn=drawn)
        present, group = np.unique(self.group(s), return_inverse=True)
        members = members_of(fresh, group, [_cells(self.outputs[past == g]) for g in present])
        groups = [part.group for part in members]
        mixtures = Search(groups).mixtures()
        run_through = machine_cost(groups, [{(0, len(each.sizes)): 1.0} for each in groups])
        if machine_cost(groups, [mixture.plans for mixture in mixtures]) > (1 - gain) * run_through:
            return None
        table = attempt_table([part.rows(mixture) for part, mixture in zip(members, mixtures, strict=True)])
        return replace(table, price=0 * table.price, kept=0 * table.kept)


def _cells(outputs: IntArray) -> Cells:
    """Return the empirical law of these outputs, in at most ``MOST_CELLS`` cells."""
    lengths, counts = np.unique(outputs, return_counts=True)
    cell = np.arange(len(lengths))
    if len(lengths) > MOST_CELLS:
        cell = (np.cumsum(counts) * MOST_CELLS - 1) // len(outputs)
    last = np.flatnonzero(np.diff(cell, append=-1))
    weights, ends = np.diff(np.cumsum(counts)[last], prepend=0) / len(outputs), lengths[last]
    return Cells(weights, lambda l, u: np.broadcast_to(ends, (len(l), len(ends))))
