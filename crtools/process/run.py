"""``simulate`` and ``replay``: run policies on one instance of the discrete process.

:func:`simulate` checks an instance, chooses an engine and returns a :class:`Run`; :func:`replay` does so for several policies
and an instance from a mapping or a JSON file. The engines are ``crtools.process.reference`` and ``crtools.process.engine``.
``tests/process/test_real_process.py`` tests the reserve.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from math import floor
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from crtools.budget import refuse_too_many
from crtools.errors import MISSING, InputError
from crtools.files import input_file
from crtools.names import canonical, named_arguments, one_of
from crtools.numeric_types import FloatArray, IntArray, JsonObject, PerRequest
from crtools.plotting.occupancy import Picture, Stay
from crtools.process.clocks import Clock, as_clock
from crtools.process.flow_bounds import FlowBound, flow_bound_in_seconds, flow_bound_in_steps, volume_bound_in_steps
from crtools.process.hindsight import Watch
from crtools.process.instance import (
    Episodes,
    Instance,
    Outcome,
    Preemption,
    RunSettings,
    current,
    for_policy,
    longest_of,
    make_instance,
    ranks_of,
)
from crtools.process.policies import NotCompiled, Policy, known_names, known_policy, policy_called, told, usual_policies
from crtools.process.reference import run_reference
from crtools.process.workload import Requests, Workload, at_load
from crtools.schedule import Schedule
from crtools.setting import integer
from crtools.tables import WithRows

Engine = Literal["auto", "fast", "reference"]

SMALL = 1000
"""``engine="auto"`` takes the reference engine, which compiles nothing, up to this many tokens of output in the worst case."""

TOO_SLOW = 10**11
"""Largest n times tokens of output for rules that cannot be compiled: some ten minutes in the reference engine."""

PATIENCE = 64
"""Default limit on the last instant, as a multiple of Σ (longest possible length), the time of one request after the other."""

LARGEST_SEED = 2**63 - 1

BYTES = 512, 80
"""Upper bound on the bytes of memory that a run takes for each request, and for each length up to u."""

PERMUTATIONS = ("order", "ties")
INSTANCE_KEYS = ("memory", "lengths", "s", "l", "u", *PERMUTATIONS, "release", "clock", "preemption", "predicted")
"""Keys of an explicit instance; the first two are required."""

Time: TypeAlias = Any
"""An int in steps, a float in seconds."""

COMMENT_KEYS = ("name", "total_latency")
"""Keys of an instance that no run reads, beside results of a policy such as ``h_sf_starts``."""


@dataclass(frozen=True, repr=False)
class Run(Outcome, WithRows):
    """The result of :func:`simulate`; times are in the clock's unit, memory in tokens.

    Attributes
    ----------
    policy, ran : str
        The full name of the requested policy, and of the policy that ran; they differ where a name chooses between policies.
    clock, preemption : str
        ``"steps"`` or ``"seconds"``; ``"restart"`` or ``"resume"``.
    total_latency : int or float
        TEL, the sum of all flow times; without release times, of all completion times. An integer in steps, as all times are.
    makespan : int or float
        The last completion time.
    cancellations, tokens_lost : int
        How often a request was cancelled, and the output tokens lost by that; none where preemption keeps them.
        ``wasted_tokens`` is the same number.
    tokens_prefilled_again : int
        The tokens processed by second and later starts before they generated new ones: the prompt and what was kept.
    peak_memory, mean_memory : int, float
        Over the instants from the first step to the last completion, with requests that were cancelled later.
    seed : int
        The seed of random orders, ties and coins. Where these are drawn, the two engines give the same distribution of runs,
        not the same run.
    engine, note : str
        The engine that ran, ``"fast"`` or ``"reference"``, and why the compiled engine could not run the policy's rules, if so.
    lower, upper : int
        The smallest l and the largest u of the prediction intervals.
    hindsight : bool
        Whether a rule of the policy reads the true length, in its code or while it was called.
    starts, ends, lengths, prompts, bounds : array of int64, shape (n,)
        For each request its last start and its completion, counted in steps, output length, prompt size, and the running bound
        õ of its last start.
    release, completion_times, time_to_first_token : array, shape (n,)
        For each request its release time, when it completed, and the end of the first step of its first run minus its release;
        int64 in steps, float64 in seconds.
    cancelled : Cancelled or None
        The starts that were cancelled, where the history was kept.

    Examples
    --------
    >>> run = simulate("h-sf", [1, 3, 3, 1], memory=5, s=1)
    >>> run.total_latency, run.mean_latency, run.makespan, run.starts.tolist()
    (13, 3.25, 7, [0, 1, 4, 0])
    """

    policy: str
    ran: str
    total_latency: Time
    makespan: Time
    memory: int
    seed: int
    engine: str
    lower: int
    upper: int
    hindsight: bool
    clock: str
    preemption: Preemption
    lengths: IntArray = field(compare=False)
    prompts: IntArray = field(compare=False)
    release: IntArray | FloatArray = field(compare=False)
    coefficients: Clock = field(compare=False)
    note: str = field(default="", compare=False)

    @property
    def n(self) -> int:
        """The number of requests."""
        return len(self.starts)

    @property
    def mean_latency(self) -> float:
        """The average flow time, TEL / n."""
        return self.total_latency / self.n

    @property
    def flow_times(self) -> IntArray | FloatArray:
        """The completion time of each request minus its release time, in the clock's unit."""
        return self.completion_times - self.release

    @property
    def wasted_tokens(self) -> int:
        """The same as ``tokens_lost``."""
        return self.tokens_lost

    @cached_property
    def volume_bound(self) -> Fraction | None:
        """A lower bound on the TEL of every schedule in steps; None in seconds, see ``bound``.

        It is that of the shortest remaining volume first at M token-instants per step; without release times
        (1/M) Σ_k (sum of the k smallest volumes).
        """
        if not self.coefficients.in_steps:
            return None
        return volume_bound_in_steps(self.lengths, self.prompts, self.release.astype(np.int64), self.memory)

    @property
    def to_volume(self) -> float:
        """TEL in steps over the volume bound: no schedule is better by more than this factor."""
        if self.volume_bound is None:
            raise InputError("clock", self.clock, "must be steps: the volume bound counts them; take to_bound instead")
        return float(self.total_latency / self.volume_bound)

    @cached_property
    def bound(self) -> FlowBound:
        """The largest of our lower bounds on the TEL of every schedule with this kind of preemption, in the clock's unit."""
        if self.coefficients.in_steps:
            return flow_bound_in_steps(self.lengths, self.prompts, self.release.astype(np.int64), self.memory)
        resume = self.preemption == "resume"
        times = self.release.astype(float)
        return flow_bound_in_seconds(self.lengths, self.prompts, times, self.memory, self.coefficients, resume=resume)

    @property
    def to_bound(self) -> float:
        """TEL over the largest lower bound: no schedule is better by more than this factor."""
        return float(self.total_latency / self.bound.value)

    def completion_times_in(self, clock: str | Sequence[float] | Clock) -> IntArray | FloatArray:
        """Return when each request would complete if the same steps took the time of another clock.

        All requests must be present at time 0. A policy that looks at the clock may take other steps in it; ``simulate`` with
        that clock runs them.

        Parameters
        ----------
        clock : {"steps", "seconds"}, three numbers or Clock
            As for :func:`simulate`.

        Returns
        -------
        array of int64 or float64, shape (n,)
            The completion times, in the unit of ``clock``.

        Raises
        ------
        InputError
            Where a request is released later and, unless the clock is steps, where the history was not kept: a large run needs
            ``history=True``.

        Examples
        --------
        >>> simulate("fcfs", [2, 1], memory=9, s=[4, 2]).completion_times_in("seconds").round(4).tolist()
        [0.0724, 0.0369]
        """
        clock = as_clock(clock)
        if self.release.any():
            raise InputError("release", self.release.max(), "must be 0: else the schedule depends on the clock")
        if clock.in_steps:
            return self.ends
        episodes = self.episodes
        prefilled, last = self.prompts[episodes.request] + episodes.kept, int(self.ends.max())

        def in_each_step(weights: IntArray) -> IntArray:
            """Sum the weights of the episodes that run in each step."""
            change = np.zeros(last + 1, np.int64)
            np.add.at(change, episodes.start, weights)
            np.add.at(change, episodes.end, -weights)
            return np.cumsum(change)[:-1]

        running = in_each_step(np.ones_like(prefilled))
        held = in_each_step(prefilled - episodes.start) + running * np.arange(1, last + 1)
        processed = running.copy()
        np.add.at(processed, episodes.start, prefilled - 1)  # all that is prefilled in the place of one token
        return np.cumsum(clock.step(processed, held))[self.ends - 1]

    @property
    def episodes(self) -> Episodes:
        """Every stretch for which a request ran, up to its cancellation or completion.

        Raises ``InputError`` where the history was not kept: a large run needs ``history=True``.
        """
        cancelled = self.cancelled
        if cancelled is None:
            raise InputError("history", "False", "the run must have been made with history=True")
        kept = self.lengths - (self.ends - self.starts)
        request = np.concatenate([cancelled.request, np.arange(self.n)])
        start = np.concatenate([cancelled.start, self.starts])
        age, kept = np.concatenate([cancelled.age, self.lengths]), np.concatenate([cancelled.kept, kept])
        return Episodes(request, start, start + age - kept, kept)

    def plot(self) -> Picture:
        """Return memory over time as a ``Picture`` with a box for each attempt.

        It shows itself in a notebook; ``print`` writes it as text, ``.save("run.pdf")`` to a file. Raises ``InputError`` for a
        run that is too large to be drawn, or whose cancelled attempts were not kept.

        Examples
        --------
        >>> simulate("a-min-literal", [2, 1], memory=3, u=2, ties=[0, 1]).plot()
        a-min-literal, total latency 3, M = 3
        M   3 ╞
              │
            2 │┌─────┬─────┐
              ││  1  │  0  │
            1 │├─────┘     │
              ││           │
            0 │└───────────┘
              └─────────────
               0     1     2
        """
        lost = f", {self.cancellations} cancelled, {self.tokens_lost} tokens lost" if self.cancellations else ""
        picture = Picture(self.policy, self._attempts, self.memory, f"total latency {self._total}{lost}")
        if not picture.drawable:
            size = f"{self.n} requests to time {self.makespan}"
            raise InputError("plot", size, "must be a smaller run for a drawing")
        return picture

    def __repr__(self) -> str:
        lost = f", {self.cancellations} cancellations" if self.cancellations else ""
        note = f"; {self.note}" if self.note else ""
        return f"total latency {self._total}{lost}: {self.policy}, n = {self.n}, M = {self.memory}{note}"

    def _rows(self) -> Iterator[JsonObject]:
        """Iterate over each request's prompt, length, release time, last start, completion and flow time."""
        columns = (self.prompts, self.lengths, self.release, self.starts, self.completion_times, self.flow_times)
        names = ("prompt", "length", "release", "start", "completion", "flow")
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return (dict(zip(names, row, strict=True)) for row in rows)

    @property
    def _total(self) -> str:
        return f"{self.total_latency}" if self.clock == "steps" else f"{self.total_latency:.6g} s"

    def _repr_html_(self) -> str | None:
        try:
            return self.plot().svg()
        except InputError:
            return super()._repr_html_()

    @property
    def _attempts(self) -> tuple[Stay, ...]:
        """The attempts as they are drawn; where none was cancelled no history is needed."""
        kept = np.zeros(self.n, np.int64)
        rows = self.episodes if self.cancellations else Episodes(np.arange(self.n), self.starts, self.ends, kept)
        return tuple(
            Stay(int(i), int(start), int(end), int(self.prompts[i] + kept), bool(end < self.ends[i]))
            for i, start, end, kept in zip(rows.request, rows.start, rows.end, rows.kept, strict=True)
            if end > start
        )

    @cached_property
    def schedule(self) -> Schedule:
        """The last starts with lengths and prompts, for completions and the paper's predicates; not where tokens are kept."""
        if self.preemption == "resume":
            raise InputError("preemption", self.preemption, "must be restart: a schedule has last starts only")
        prompts = self.prompts.tolist()
        s = prompts[0] if min(prompts) == max(prompts) else prompts
        return Schedule(self.starts.tolist(), self.lengths.tolist(), s)


@named_arguments(n="give simulate a list of lengths; compare draws n requests from a law")
def simulate(
    policy: str | Policy,
    lengths: npt.ArrayLike | Workload | Requests | None = None,
    memory: int | None = None,
    s: PerRequest = 0,
    l: PerRequest | None = None,
    u: PerRequest | None = None,
    order: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
    seed: int = 0,
    engine: Engine = "auto",
    limit: int | None = None,
    history: bool | None = None,
    release: PerRequest | FloatArray | float = 0,
    clock: str | Sequence[float] | Clock = "steps",
    preemption: Preemption = "restart",
    predicted: PerRequest | None = None,
) -> Run:
    """Run the discrete process of docs/model.md with one policy.

    Parameters
    ----------
    policy : str or Policy
        A name of ``crtools list policies``, ``FILE.py[:NAME]``, or a :class:`Policy` of your own.
    lengths : array_like of int, shape (n,); Workload or Requests
        The true output lengths in tokens, at least 1; or the requests that ``workload(…).draw(n, seed)`` returns, or a workload of
        rows, all of which run. Then s, l, u, release and predicted must be left out. Release times of such are in seconds: in
        steps they need ``workload(…, load=…)``.
    memory : int
        The capacity M in tokens.
    s : int or array_like of int
        The prompt size in tokens, one for all requests or one for each.
    l, u : int or array_like of int
        The ends of the prediction intervals, by default the smallest and the largest length.
    order : permutation of 0, …, n − 1
        ``order[k]`` is the request that stands k-th, for policies whose ``equals`` is "order"; by default it is drawn once.
    ties : permutation of 0, …, n − 1
        For policies whose ``equals`` is "ties": of equals the earlier one is admitted and cancelled first; by default ties
        are drawn afresh at every instant.
    seed : int
        The seed of what is drawn.
    engine : {"auto", "fast", "reference"}
        "auto" takes the compiled engine unless the instance is small. Rules that cannot be compiled run in the reference
        engine, and ``Run.note`` says why.
    limit : int
        The last instant that the run may reach, by default the last release plus 64 times the time of one request after the
        other.
    history : bool
        Keep every cancellation, for ``Run.cancelled``, ``Run.episodes`` and drawings; by default for runs of at most a
        thousand tokens.
    release : int or array_like
        The time from which on a request is present, one for all requests or one for each: integers in steps, numbers in seconds.
        Policies that run by prices need 0.
    clock : {"steps", "seconds"} or three numbers
        How long a step takes: 1, or base + per_token · (tokens processed) + per_held · (tokens held) seconds, with the three
        coefficients (0.0352, 0.000281, 1e-7) in "seconds", or those given.
    preemption : {"restart", "resume"}
        Whether a cancelled request loses its tokens, or keeps them and is prefilled with them when it starts again.
    predicted : int or array_like of int
        Predicted output lengths, for policies that read them; they may be wrong.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        Before anything runs, where an argument is not allowed or some request could never run.
    Livelock
        Where the run passes its limit.

    Examples
    --------
    >>> run = simulate("h-sf", [1, 1, 3, 3], memory=5, s=1)
    >>> run.total_latency, run.makespan
    (13, 7)
    >>> run = simulate("fcfs", [2, 1, 1], memory=3, release=[0, 1, 9])
    >>> run.starts.tolist(), run.flow_times.tolist(), run.total_latency
    ([0, 1, 9], [2, 1, 1], 4)
    >>> run = simulate("fcfs", [2, 1], memory=9, s=[4, 2], clock="seconds")
    >>> run.flow_times.round(4).tolist()
    [0.0724, 0.0369]
    """
    if isinstance(lengths, str | Policy):
        allowed = "must be a list of integers ≥ 1, after the policy; compare draws them from a law or takes a file"
        raise InputError("lengths", getattr(lengths, "name", lengths), allowed)
    if memory is None:
        raise InputError("memory", MISSING, "give the capacity in tokens, for example memory=100")
    if lengths is None:
        raise InputError("lengths", MISSING, "give the output lengths, for example [3, 1]")
    if isinstance(lengths, Workload | Requests):
        given = {"s": s, "l": l, "u": u, "release": release, "predicted": predicted}
        for name, value in given.items():
            if value is not None and not (np.ndim(value) == 0 and value == 0):
                raise InputError(name, value, "must be left out: the workload says it")
        requests = _all_rows(lengths, memory, as_clock(clock)) if isinstance(lengths, Workload) else lengths
        lengths, s, l, u, release, predicted = requests
    checked = make_instance(lengths, memory, s, l, u, release, predicted, clock, preemption)
    return _simulate(checked, policy, order, ties, seed, engine, limit, history)


def _all_rows(workload: Workload, memory: int, clock: Clock) -> Requests:
    """Return all rows of a workload, with release times in the clock's unit."""
    if workload.count is None:
        raise InputError("lengths", workload.name, "must have rows; of a law give workload(…).draw(n, seed)")
    requests = workload.draw(workload.count, 0)
    if workload.load is not None:
        return at_load(requests, workload.load, memory, clock)
    if workload.has_times and clock.in_steps:
        allowed = "must be in seconds for release times in seconds, unless load says how to rescale them"
        raise InputError("clock", clock.name, allowed)
    return requests


class Runs(dict[str, Run]):
    """Runs by the full names of the policies; ``left_out``: why the other usual policies did not fit."""

    left_out: dict[str, str]


@named_arguments()
def replay(
    instance: Mapping[str, Any] | str | Path,
    policies: Iterable[str | Policy] | str | Policy | None = None,
    seed: int = 0,
    engine: Engine = "auto",
    limit: int | None = None,
) -> Runs:
    """Run policies on an explicit instance.

    Parameters
    ----------
    instance : mapping, str or Path
        A mapping with ``memory`` and ``lengths`` and optionally ``s``, ``l``, ``u``, ``release``, ``predicted`` (numbers or lists),
        ``order``, ``ties``, ``clock`` and ``preemption``, or the path of a JSON file that holds one. ``name`` and results, such as
        ``total_latency``, may stand beside them.
    policies : str, Policy or iterable of these
        By default all that fit.
    seed, engine, limit
        As for :func:`simulate`.

    Returns
    -------
    Runs
        A dict from full names to runs, whose ``left_out`` says why the other usual policies did not fit.

    Raises
    ------
    InputError
        As :func:`simulate` does, for other keys, and where the file cannot be read or holds no such JSON.

    Examples
    --------
    >>> runs = replay({"memory": 5, "s": 1, "lengths": [1, 1, 3, 3]}, ["h-sf", "a-max"])
    >>> {name: run.total_latency for name, run in runs.items()}
    {'h-sf': 13, 'a-max': 20}
    """
    if not isinstance(instance, Mapping | str | Path):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("instance", instance, "must be a mapping with memory and lengths, or the path of such a file")
    given = instance if isinstance(instance, Mapping) else _read(instance)
    result_prefixes = tuple(f"{name.replace('-', '_')}_" for name in known_names())
    for key in given:
        if key not in COMMENT_KEYS and not str(key).startswith(result_prefixes):
            one_of("instance", key, INSTANCE_KEYS)
    for key in INSTANCE_KEYS[:2]:
        if key not in given:
            where = f"keys {', '.join(map(str, given)) or 'none'}" if isinstance(instance, Mapping) else instance
            raise InputError("instance", where, f"must have {key!r}")
    checked = make_instance(**{key: given[key] for key in INSTANCE_KEYS if key in given and key not in PERMUTATIONS})
    chosen: Any = usual_policies() if policies is None else policies
    if isinstance(chosen, str | Policy):
        chosen = [chosen]
    elif not isinstance(chosen, Iterable) or not getattr(chosen, "ndim", 1):
        raise InputError("policies", policies, "must be policies, or their names")
    else:
        chosen = [known_policy(policy) for policy in chosen]
    runs = Runs()
    runs.left_out = {}
    for policy in chosen:
        try:
            run = _simulate(checked, policy, given.get("order"), given.get("ties"), seed, engine, limit, history=None)
        except InputError as error:
            if policies is not None or not runs:  # an instance that H-SF, the first, cannot run fits no policy
                raise
            runs.left_out[str(policy)] = str(error)
            continue
        if run.policy in runs:
            raise InputError("policies", run.policy, "is given twice")
        runs[run.policy] = run
    return runs


@named_arguments()
def volume_bound(lengths: npt.ArrayLike, memory: int, s: PerRequest = 0, release: PerRequest = 0) -> Fraction:
    """Return (1/M) Σ_k (sum of the k smallest volumes s·o + o(o+1)/2), a lower bound on the TEL of every schedule.

    With release times it is the total flow time of the shortest remaining volume first on one machine of speed M.

    Notes
    -----
    A request occupies s·o + o(o+1)/2 token-instants, so k completions by time t need k different volumes in M·t.

    Examples
    --------
    >>> volume_bound([1, 1, 3], memory=5, s=1)
    Fraction(19, 5)
    """
    checked = make_instance(lengths, memory, s, release=release)
    return volume_bound_in_steps(checked.length, checked.s, checked.release, checked.memory)


def _simulate(
    instance: Instance, policy: str | Policy, order: npt.ArrayLike | None, ties: npt.ArrayLike | None,
    seed: int, engine: str, limit: int | None, history: bool | None,
) -> Run:  # fmt: skip
    seed = integer("seed", seed, 0, LARGEST_SEED)
    given = (("order", order), ("ties", ties))
    ranks = {name: ranks_of(name, value, instance.n) for name, value in given if value is not None}
    name, rules = _policy(policy, instance)
    if rules.paced and not instance.is_basic:
        _refuse_setting(rules, instance)
    watch = Watch(rules)
    if "predicted" in watch.read and not instance.predicted.any():
        raise InputError("predicted", MISSING, f"give predicted lengths: {rules.name} reads them")
    with told(rules):
        instance = for_policy(instance, watch.rules, seed)
    largest = int(instance.u.max())
    refuse_too_many("n", instance.n, lambda n: n * BYTES[0] + largest * BYTES[1])
    longest = int(longest_of(rules, instance).sum())
    last_safe = 2**62 // (2 * instance.n + 2)
    released = int(instance.release.max()) if instance.clock.in_steps else 0
    last = min(released + PATIENCE * longest, last_safe) if limit is None else integer("limit", limit, 1, last_safe)
    if rules.equals == "order" and order is None:
        ranks["order"] = ranks_of("order", np.random.default_rng(seed).permutation(instance.n), instance.n)
    engine = canonical("engine", engine, get_args(Engine))
    if engine == "auto":
        engine = "fast" if longest > SMALL and find_spec("numba") is not None else "reference"
    watch.warn_of_renamed_fields(engine)
    history = longest <= SMALL if history is None else history
    outcome, note = None, ""
    current.policy, current.n, current.stop = name, instance.n, np.zeros(2, np.int64)
    with told(rules):
        share = Fraction(rules.reserved(instance.clock)).limit_denominator(10**9)  # the decimal number that was meant
        settings = RunSettings(ranks.get(rules.equals), seed, last, history, floor(instance.memory * (1 - share)))
        if engine == "fast":
            from crtools.process.engine import run_compiled

            try:
                outcome = run_compiled(rules, instance, settings)
                watch.tried(instance)
            except NotCompiled as error:
                engine, note = "reference", f"the reference engine ran it, slowly: {error}"
                if instance.n * longest > TOO_SLOW:
                    says = f"cannot be compiled ({error}), and the reference engine is too slow for so much; "
                    raise InputError("policy", rules.name, says + 'engine="reference" runs it all the same') from None
        if outcome is None:
            outcome = run_reference(watch.rules, instance, settings)
    current.policy = ""
    for column in (instance.length, instance.s, instance.release):
        column.setflags(write=False)
    return Run(
        **vars(outcome),
        policy=name,
        ran=rules.name,
        total_latency=(outcome.completion_times - instance.release).sum().item(),
        makespan=outcome.completion_times.max().item(),
        memory=instance.memory,
        seed=seed,
        engine=engine,
        lower=int(instance.l.min()),
        upper=int(instance.u.max()),
        hindsight=watch.hindsight,
        clock=instance.clock.name,
        preemption=instance.preemption,
        lengths=instance.length,
        prompts=instance.s,
        release=instance.release,
        coefficients=instance.clock,
        note=note,
    )


def _refuse_setting(policy: Policy, instance: Instance) -> None:
    """Raise ``InputError`` where a policy that runs by prices is not defined for the setting of the run."""
    lazy = False if policy.plan is None else policy.plan.lazy
    clock, released = instance.clock, instance.release.any()
    settings = (
        ("release", instance.release.max(), released),
        ("preemption", instance.preemption, instance.resume),
        ("clock", clock.name, not (lazy or clock.in_steps)),
    )
    for name, value, wrong in settings if lazy is not True else ():
        if wrong:
            steps = "" if lazy else ", the clock steps"
            by = "boxes" if policy.plan is not None and policy.plan.boxes else "prices"
            allowed = f"{policy.name} runs by {by}: it needs release 0{steps} and preemption restart"
            raise InputError(name, value, allowed)


def _policy(policy: str | Policy, instance: Instance) -> tuple[str, Policy]:
    """Return the full name of the requested policy, and the policy that runs."""
    policy = known_policy(policy)
    named = policy if isinstance(policy, Policy) else policy_called(policy)
    if isinstance(named, Policy):
        return named.name, named
    intervals = np.unique(np.stack([instance.l, instance.u]), axis=1).T.tolist()
    if len(intervals) > 1:
        raise InputError("policy", named.name, "needs one interval [l, u] for all requests")
    return named.name, named.choose(*intervals[0])


def _read(path: str | Path) -> Mapping[str, Any]:
    file = input_file("instance", path, "file")
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # bad JSON, bad UTF-8, or too deep
        raise InputError("instance", path, f"must be a JSON file: {error}") from None
    if not isinstance(content, dict):
        raise InputError("instance", path, "must hold one JSON object with memory and lengths")
    return content
