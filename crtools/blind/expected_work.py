"""The policy ``expected-work``: least expected work first, given the prompt; learned from past requests, or online.

In the clock ``seconds`` it also limits how many requests run at once, and keeps a share of the memory free. The process is in
``crtools/process``. Tests: tests/blind/test_expected_work.py, tests/blind/test_work_classes.py.
"""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from crtools.blind.min_norm_point import best_mixtures, machine_cost
from crtools.blind.scheduler import Cells, Members, attempt_table, group_edges, ranks_in_groups, to_the_end
from crtools.errors import InputError
from crtools.names import named_arguments
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.clocks import Clock
from crtools.process.flow_bounds import step_work
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
    past = None if history is None else checked_history(history)
    factor = load_factor(load)
    mean_output = 0.0 if past is None else float(past[1].mean())

    def limit(r: Request, now: Now) -> float:
        """Return the limit on requests that run; ``r.drawn`` is the history's mean output, so that rules compile once."""
        if now.per_token == 0:
            return math.inf
        output = r.drawn if r.drawn > 0 else now.output / now.completed if now.completed else FIRST_GUESS
        return math.sqrt(parallel_limit(output, r.s, now) * factor)

    def attempts(requests: Seen) -> AttemptTable:
        if past is None:
            work = _learned_work(requests, learn, width, pseudo)
            return to_the_end(requests, requests.release + kappa * work if kappa < math.inf else work)
        may_kill = not requests.resume and not requests.release.any() and kappa == math.inf
        least_gain = gain if may_kill else None
        made = history_estimates(*past, requests.s, requests.memory, requests.clock, classes, least_gain)
        if made.kills is not None:
            return _with_kills(requests, made.kills)
        rows = to_the_end(requests, requests.release + kappa * made.work if kappa < math.inf else made.work)
        if not requests.resume:
            return rows
        return replace(rows, group=made.group, remaining=made.remaining)

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
    """Return the expected work of each request, learned from the tokens that requests have generated.

    With one expected length for all, requests go by their prompts.
    """
    completed = int(requests.done.sum())
    mean = requests.tokens.sum() / completed if completed else FIRST_GUESS
    length: FloatArray | float = mean
    if learn and completed >= FEWEST_COMPLETIONS:
        length = _lengths_by_prompt(requests, width, pseudo, mean)
    s, per_token_held = requests.s.astype(float), requests.clock.base / requests.memory + requests.clock.per_held
    return requests.clock.per_token * (s - 1 + length) + per_token_held * (s * length + length**2)


def _lengths_by_prompt(requests: Seen, width: float, pseudo: float, mean: float) -> FloatArray:
    """Return expected lengths, smoothed over the ranks of the prompts of the requests that are present.

    A request that is not present yet gets the value at the rank that its prompt would have.
    """
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


def _with_kills(requests: Seen, plan: AttemptTable) -> AttemptTable:
    """Return the attempts of kill ages below each request's u; its last attempt runs to its end."""
    request, ages, keys = plan.request, plan.kill, plan.priority
    last = np.append(request[1:] != request[:-1], True)
    kept = last | (ages < requests.u[request])
    request, ages, keys = request[kept], ages[kept], keys[kept]
    ages = np.where(np.append(request[1:] != request[:-1], True), requests.u[request], ages)
    zero = np.zeros(len(ages), np.int64)
    return AttemptTable(request, ages, keys, zero, zero)


NO_KILL = 2**40
"""The kill age of a request's last attempt."""

MOST_CELLS = 256
"""Upper limit on the lengths of a class's law at which kills are considered."""


@dataclass(frozen=True)
class HistoryEstimates:
    """What :func:`history_estimates` returns. n requests; G classes; ages a = 0, …, A − 1, A the history's largest output.

    Parameters
    ----------
    work
        The expected work of each request, in the clock's unit; shape (n,).
    group
        The class of each request; shape (n,).
    remaining
        E[o − a | o > a] and E[o(o + 1)/2 − a(a + 1)/2 | o > a]; shape (2, G, A). Where no request of the class was longer than a, of all
        classes.
    kills
        The attempts of all requests, or None if kills do not save enough. ``kill`` is ``NO_KILL`` in a request's last attempt.
        ``priority`` is minus the attempt's index, −(probability that it completes) / (expected work that it uses), with the request's
        own prompt. A request without kills would have −1/E[work].
    """

    work: FloatArray
    group: IntArray
    remaining: FloatArray
    kills: AttemptTable | None


def history_estimates(
    history_s: IntArray,
    history_o: IntArray,
    s: IntArray,
    memory: int,
    clock: Clock,
    classes: int = 16,
    gain: float | None = 0.1,
    seed: int = 0,
) -> HistoryEstimates:
    """Return expected work, and kill ages if they save enough, of requests with prompts ``s``, from a history of prompts and outputs.

    In ``STEPS`` work is the volume over M. ``classes``: the number of quantile classes of the history's prompts, at most. Kills are
    planned only where the best mixtures cost on one machine at most 1 − ``gain`` times what running to the end, smallest expected work
    first, costs, and only if all work takes at least as long as the longest request; ``gain`` None: never. ``seed`` draws which
    requests of a class take which of its plans.

    Notes
    -----
    The work of a request up to age a is w(a) = c₁(s − 1 + a) + τ(s a + a(a + 1)/2), τ = c₀/M + c₂
    (:mod:`crtools.process.flow_bounds`); in steps it is the volume over M. A request's output has the law of its class. Work is linear
    in (o, o(o + 1)/2), so that the means of these two give every expected work without rounding. The mixtures are best on one machine,
    for the laws of the classes (Theorem "best-value" for one class); in the process they are a heuristic.
    """
    edges = group_edges(history_s, integer("classes", classes, 1))
    history_group, group = np.searchsorted(edges, history_s, "right"), np.searchsorted(edges, s, "right")
    remaining = _remaining(history_group, history_o, len(edges) + 1)
    tokens, sums = remaining[:, group, 0]
    per_token, per_held = clock.per_token, clock.base / memory + clock.per_held
    work = per_token * (s - 1) + (per_token + per_held * s) * tokens + per_held * sums
    kills = None
    if gain is not None and work.sum() >= int(history_o.max()) * clock.base:
        laws = {int(g): history_o[history_group == g] for g in np.unique(group)}
        kills = _kill_plan(laws, group, s, memory, clock, gain, seed)
    return HistoryEstimates(work, group, remaining, kills)


def _remaining(group: IntArray, outputs: IntArray, count: int) -> FloatArray:
    """Return E[o − a | o > a] and E[o(o + 1)/2 − a(a + 1)/2 | o > a] by class and age a, from all classes where one has no o > a."""
    longest = int(outputs.max())
    longer = np.zeros((count + 1, longest))  # how many outputs exceed each age; the last row is of all classes
    np.add.at(longer, (np.stack([group, np.full_like(group, count)]), outputs - 1), 1.0)
    longer = np.cumsum(longer[:, ::-1], axis=1)[:, ::-1]
    empty = longer[:count] == 0
    tables: list[FloatArray] = []
    for weights in (np.ones(longest), np.arange(1.0, longest + 1)):
        mean = np.cumsum((longer * weights)[:, ::-1], axis=1)[:, ::-1] / np.maximum(longer, 1)
        tables.append(np.where(empty, mean[-1], mean[:-1]))
    return np.stack(tables)


def _kill_plan(
    laws: Mapping[int, IntArray], group: IntArray, s: IntArray, memory: int, clock: Clock, gain: float, seed: int
) -> AttemptTable | None:
    """Return the attempts of the best mixtures for the classes' laws of outputs, or None if they do not promise the ``gain``."""
    members = [_members(np.flatnonzero(group == g), s, law, memory, clock) for g, law in laws.items()]
    groups = [member.group(len(member.s) / len(s)) for member in members]
    mixtures = best_mixtures(groups)
    run_through = machine_cost(groups, [{(0, len(each.sizes)): 1.0} for each in groups])
    if machine_cost(groups, [mixture.plans for mixture in mixtures]) > (1 - gain) * run_through:
        return None
    ranks = ranks_in_groups(group, np.random.default_rng(seed).random(len(s)))
    pairs = zip(members, mixtures, strict=True)
    return attempt_table([member.rows(mixture, ranks, np.zeros_like(s), memory) for member, mixture in pairs])


def _members(index: IntArray, s: IntArray, outputs: IntArray, memory: int, clock: Clock) -> Members:
    """Return the requests with these numbers, of one class, whose outputs have the empirical law, in at most ``MOST_CELLS`` cells."""
    lengths, counts = np.unique(outputs, return_counts=True)
    cell = np.arange(len(lengths))
    if len(lengths) > MOST_CELLS:
        cell = (np.cumsum(counts) * MOST_CELLS - 1) // len(outputs)
    last = np.flatnonzero(np.diff(cell, append=-1))
    weights = np.diff(np.cumsum(counts)[last], prepend=0) / len(outputs)
    ends = lengths[last]

    def size(s: FloatArray, lengths: FloatArray) -> FloatArray:
        return step_work(lengths, s, memory, clock)

    cells = Cells(weights, lambda l, u: np.broadcast_to(ends, (len(l), len(ends))))
    return Members(index, s[index], np.ones_like(index), np.full_like(index, NO_KILL), cells, size)
