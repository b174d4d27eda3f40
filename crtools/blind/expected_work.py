"""The policy ``expected-work``: least expected work first, given the prompt; learned from past requests, or online.

In the clock ``seconds`` it also limits how many requests run at once, and keeps a share of the memory free. The process is in
``crtools/process``, the estimates from a history in ``work_classes.py``. Tests: tests/blind/test_expected_work.py.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from crtools.blind.work_classes import KillPlan, history_estimates
from crtools.errors import InputError
from crtools.names import named_arguments
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.clocks import Clock
from crtools.process.plans import Listed, Plan, Seen
from crtools.process.policies import Now, Policy, Request, load_factor, parallel_limit

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

    def listed(seen: Seen) -> Listed:
        if past is None:
            work = _learned_work(seen, learn, width, pseudo)
            return _without_kills(seen, seen.release + kappa * work if kappa < math.inf else work)
        may_kill = not seen.resume and not seen.release.any() and kappa == math.inf
        made = history_estimates(*past, seen.s, seen.memory, seen.clock, classes, gain if may_kill else None)
        if made.kills is not None:
            return _with_kills(seen, made.kills)
        rows = _without_kills(seen, seen.release + kappa * made.work if kappa < math.inf else made.work)
        if not seen.resume:
            return rows
        return replace(rows, group=made.group, remaining=np.stack([made.remaining_tokens, made.remaining_sums]))

    def reserve(clock: Clock) -> float:
        return 0 if clock.in_steps else watermark

    return Policy(
        "expected-work",
        priority=lambda r: r.index,
        assumed=lambda r, age: age + 1,
        draws=lambda numbers: np.full(len(numbers), mean_output),
        paced=True,
        plan=Plan(
            listed,
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
    try:
        prompts, outputs = (np.asarray(column) for column in history)
        right = (
            prompts.shape == outputs.shape
            and prompts.ndim == 1
            and prompts.dtype.kind + outputs.dtype.kind in ("ii", "iu", "ui", "uu")
        )
        right = right and len(prompts) > 0 and bool(prompts.min() >= 0 and outputs.min() >= 1)
    except (TypeError, ValueError):
        right, prompts, outputs = False, np.zeros(0), np.zeros(0)
    if not right:
        raise InputError("history", history, "must be two arrays of one length: prompts ≥ 0 and outputs ≥ 1, integers")
    return prompts.astype(np.int64), outputs.astype(np.int64)


def _learned_work(seen: Seen, learn: bool, width: float, pseudo: float) -> FloatArray:
    """Return the expected work of each request, from the tokens that requests have shown.

    With one expected length for all, requests go by their prompts.
    """
    completed = int(seen.done.sum())
    mean = seen.tokens.sum() / completed if completed else FIRST_GUESS
    length: FloatArray | float = mean
    if learn and completed >= FEWEST_COMPLETIONS:
        length = _lengths_by_prompt(seen, width, pseudo, mean)
    s, per_token_held = seen.s.astype(float), seen.clock.base / seen.memory + seen.clock.per_held
    return seen.clock.per_token * (s - 1 + length) + per_token_held * (s * length + length**2)


def _lengths_by_prompt(seen: Seen, width: float, pseudo: float, mean: float) -> FloatArray:
    """Return expected lengths, smoothed over the ranks of the prompts of the requests that are present.

    A request that is not present yet gets the value at the rank that its prompt would have.
    """
    from scipy.signal import fftconvolve  # takes longer to import than most runs

    present = np.flatnonzero(seen.released)
    order = present[np.argsort(seen.s[present], kind="stable")]
    n = len(order)
    distance = np.arange(1 - n, n) / (width * n)
    kernel = np.exp(-(distance**2) / 2)
    tokens, done = (
        fftconvolve(column[order].astype(float), kernel)[n - 1 : 2 * n - 1] for column in (seen.tokens, seen.done)
    )
    smoothed = (tokens + pseudo * mean) / (done + pseudo)
    ranks = np.searchsorted(seen.s[order], seen.s)
    ranks[order] = np.arange(n)
    return smoothed[np.minimum(ranks, n - 1)]


def _without_kills(seen: Seen, priority: FloatArray) -> Listed:
    n, zero = len(seen.s), np.zeros(len(seen.s), np.int64)
    return Listed(np.arange(n), seen.u, priority, zero, zero)


def _with_kills(seen: Seen, plan: KillPlan) -> Listed:
    """Return the attempts of kill ages below each request's u; its last attempt runs to its end."""
    request, ages, keys = np.repeat(np.arange(len(seen.s)), np.diff(plan.pointer)), plan.age, plan.key
    last = np.append(request[1:] != request[:-1], True)
    kept = last | (ages < seen.u[request])
    request, ages, keys = request[kept], ages[kept], keys[kept]
    ages = np.where(np.append(request[1:] != request[:-1], True), seen.u[request], ages)
    zero = np.zeros(len(ages), np.int64)
    return Listed(request, ages.astype(np.int64), keys, zero, zero)
