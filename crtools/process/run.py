"""``simulate`` and ``replay``: one run of one policy on one instance, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from crtools.errors import InputError
from crtools.files import input_file
from crtools.memory import refuse_too_many
from crtools.names import canonical, one_of
from crtools.plotting.boxes import Attempt
from crtools.plotting.occupancy import Picture
from crtools.process.engine import NotCompiled, run_compiled
from crtools.process.hindsight import Watch
from crtools.process.instance import (
    Cancelled,
    Episodes,
    Instance,
    Outcome,
    PerRequest,
    for_policy,
    longest_of,
    make_instance,
    ranks_of,
)
from crtools.process.policies import Policy, known_names, known_policy, policy_called, told, usual_policies
from crtools.process.reference import run_reference
from crtools.schedule import Schedule, volume
from crtools.setting import integer

Engine = Literal["auto", "fast", "reference"]

SMALL = 1000
"""``engine="auto"`` takes the reference engine up to this many tokens of output (at most, in all): nothing is compiled then."""

TOO_SLOW = 10**11
"""Rules that cannot be compiled are refused where n times the tokens of output is more: some ten minutes."""

PATIENCE = 64
"""By default a run may take this many times Σ (longest possible length), the time of one request after the other."""

LARGEST_SEED = 2**63 - 1
"""Seeds are integers from 0 to this."""

BYTES = 512, 80
"""Bytes of memory that a run takes at most for each request, and for each length up to u."""

KEYS = ("memory", "lengths", "s", "l", "u", "order", "ties")
"""What an explicit instance may have; the first two it must."""

NOTES = ("name", "total_latency")
"""What it may say beside, and results of a policy, such as ``h_sf_starts``, to compare with. No run reads them."""


TOO_LARGE = "is too much for a drawing"


@dataclass(frozen=True, repr=False)
class Run:
    """What came of one run; times are in unit steps, memory in tokens.

    policy: the name of what was asked for, in full.
    ran: the policy that ran; it differs from ``policy`` for a name that stands for one policy or another.
    total_latency: TEL, the sum of all completion times.
    makespan: the last completion time.
    cancellations: how often a request lost its tokens.
    wasted_tokens: output tokens that were generated and lost by cancellation.
    peak_memory, mean_memory: over the instants 1, …, makespan, requests that were cancelled later included.
    seed: what random orders, ties and coins came from.
    engine: the engine that ran, ``"fast"`` or ``"reference"``; with ties or coins that are drawn, the two share
        their distribution and not their draws.
    volume_bound: a lower bound on the TEL of every schedule, (1/M) Σ_k (sum of the k smallest volumes).
    lower, upper: the smallest l and the largest u of the prediction intervals.
    hindsight: whether a rule of the policy reads the true length: seen in its code, and while it was asked.
    bounds: the running bound õ that each request was last started with.
    cancelled: the starts that were cancelled, where the history was kept, else None.
    note: why the compiled engine could not run the policy's rules, where it could not; else empty.
    """

    policy: str
    ran: str
    total_latency: int
    makespan: int
    cancellations: int
    wasted_tokens: int
    peak_memory: int
    mean_memory: float
    memory: int
    seed: int
    engine: str
    volume_bound: Fraction
    lower: int
    upper: int
    hindsight: bool
    starts: Any = field(repr=False, compare=False)
    lengths: Any = field(repr=False, compare=False)
    prompts: Any = field(repr=False, compare=False)
    bounds: Any = field(repr=False, compare=False)
    cancelled: Cancelled | None = field(default=None, repr=False, compare=False)
    note: str = field(default="", compare=False)

    @property
    def n(self) -> int:
        """The number of requests."""
        return len(self.starts)

    @property
    def mean_latency(self) -> float:
        """The average completion time, TEL / n."""
        return self.total_latency / self.n

    @property
    def to_volume(self) -> float:
        """TEL over the volume bound: no schedule of these requests in this memory is better by more than this factor."""
        return float(self.total_latency / self.volume_bound)

    @property
    def episodes(self) -> Episodes:
        """Every stretch for which a request ran, to its cancellation or completion.

        Raises ``InputError`` for a run that is not small and was made without ``history=True``.
        """
        lost = self.cancelled
        if lost is None:
            raise InputError("history", "False", "the run must have been made with history=True")
        request = np.concatenate([lost.request, np.arange(self.n)])
        start = np.concatenate([lost.start, self.starts])
        return Episodes(request, start, start + np.concatenate([lost.age, self.lengths]))

    def plot(self) -> Picture:
        """Return memory over time, a box for each attempt, as a ``Picture``.

        It shows itself in a notebook; ``print`` writes it with Unicode's lines, ``.save("run.pdf")`` to a file. Raises
        ``InputError`` for a run that is too large to be drawn, or whose cancelled attempts are not known.

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
        note = f"total latency {self.total_latency}"
        lost = f"{self.cancellations} cancelled, {self.wasted_tokens} tokens lost" if self.cancellations else ""
        picture = Picture(self.policy, self._attempts, self.memory, ", ".join(filter(None, (note, lost))))
        if not picture.drawable:
            raise InputError("plot", f"{self.n} requests to time {self.makespan}", TOO_LARGE)
        return picture

    def __repr__(self) -> str:
        lost = f", {self.cancellations} cancellations" if self.cancellations else ""
        return f"Run({self.policy}: n = {self.n}, M = {self.memory}, total latency {self.total_latency}{lost})" + (
            f"; {self.note}" if self.note else ""
        )

    def _repr_html_(self) -> str | None:
        try:
            return self.plot().svg()
        except InputError:
            return None

    @property
    def _attempts(self) -> tuple[Attempt, ...]:
        """The attempts as they are drawn; where none was cancelled no history is needed."""
        if not self.cancellations:
            rows = zip(range(self.n), self.starts, self.starts + self.lengths, strict=True)
        else:
            rows = zip(self.episodes.request, self.episodes.start, self.episodes.end, strict=True)
        return tuple(
            Attempt(int(i), int(p), int(e), int(self.prompts[i]), bool(e < self.starts[i] + self.lengths[i]))
            for i, p, e in rows
            if e > p
        )

    @cached_property
    def schedule(self) -> Schedule:
        """The last starts, with lengths and prompts: completions and the paper's predicates."""
        same = bool((self.prompts == self.prompts[0]).all())
        return Schedule(self.starts, self.lengths, int(self.prompts[0]) if same else self.prompts)


def simulate(
    policy: str | Policy,
    lengths: Any,
    memory: int,
    s: PerRequest = 0,
    l: PerRequest | None = None,
    u: PerRequest | None = None,
    order: Any = None,
    ties: Any = None,
    seed: int = 0,
    engine: Engine = "auto",
    limit: int | None = None,
    history: bool | None = None,
) -> Run:
    """Run the discrete process of docs/model.md with one policy and return the :class:`Run`.

    policy: a name of ``crtools list policies``, or a :class:`Policy` of one's own.
    lengths: the true output lengths in tokens, integers ≥ 1.
    memory: the capacity M in tokens.
    s: the prompt size in tokens; l, u: the ends of the prediction interval, by default the least and largest
        length. Each may be one integer or one for each request.
    order: a permutation, ``order[k]`` being the request that stands k-th, for policies whose ``equals`` is "order";
        without it one is drawn from the seed, once.
    ties: a permutation for policies whose ``equals`` is "ties": of equals the one that stands earlier is admitted
        first and cancelled first; without it ties are drawn from the seed, afresh at every instant.
    engine: ``"auto"`` takes the compiled engine where the instance is not small. Rules that cannot be compiled run in the
        reference engine; ``Run.note`` says why.
    limit: the last instant that the run may reach, by default 64 times that of one request after the other.
    history: whether to keep every cancellation, as ``Run.cancelled`` and ``Run.episodes``, for drawings too; memory then
        grows with their number. By default a run of at most a thousand tokens keeps it.

    Raises ``InputError`` before anything runs where an argument is not allowed, some request could never run, or memory
    is too small,
    and ``Livelock`` where the limit is passed.

    >>> run = simulate("h-sf", [1, 1, 3, 3], memory=5, s=1)
    >>> run.total_latency, run.makespan
    (13, 7)
    """
    if isinstance(lengths, str | Policy):
        allowed = "must be a list of integers ≥ 1, after the policy; compare draws them from a law or takes a file"
        raise InputError("lengths", lengths if isinstance(lengths, str) else lengths.name, allowed)
    return _simulate(make_instance(lengths, memory, s, l, u), policy, order, ties, seed, engine, limit, history)


class Runs(dict[str, Run]):
    """Runs by the policies' names, in full; ``left_out``: the usual policies that did not fit, and why."""

    left_out: dict[str, str]


def replay(
    instance: Mapping[str, Any] | str | Path,
    policies: Iterable[str | Policy] | str | Policy | None = None,
    seed: int = 0,
    engine: Engine = "auto",
    limit: int | None = None,
) -> Runs:
    """Run policies on an explicit instance and return the runs by the policies' names, in full.

    instance: a mapping with ``memory`` and ``lengths`` and, if wanted, ``s``, ``l``, ``u`` (integers or lists),
        ``order`` and ``ties``; or the path of a JSON file that holds one. ``NOTES`` and results of a policy may stand beside them.
    policies: by default all that fit; ``left_out`` of what is returned has the others, with the reason.

    Raises ``InputError`` as :func:`simulate` does, for other keys, and where the file cannot be read or is not such JSON.

    >>> runs = replay({"memory": 5, "s": 1, "lengths": [1, 1, 3, 3]}, ["h-sf", "a-max"])
    >>> {name: run.total_latency for name, run in runs.items()}
    {'h-sf': 13, 'a-max': 20}
    """
    if not isinstance(instance, Mapping | str | Path):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("instance", instance, "must be a mapping with memory and lengths, or the path of such a file")
    given = instance if isinstance(instance, Mapping) else _read(instance)
    of_a_policy = tuple(f"{name.replace('-', '_')}_" for name in known_names())
    for key in given:
        if key not in NOTES and not str(key).startswith(of_a_policy):
            one_of("instance", key, KEYS)
    for key in KEYS[:2]:
        if key not in given:
            where = f"keys {', '.join(map(str, given)) or 'none'}" if isinstance(instance, Mapping) else instance
            raise InputError("instance", where, f"must have {key!r}")
    checked = make_instance(given["lengths"], given["memory"], given.get("s", 0), given.get("l"), given.get("u"))
    if policies is None:
        chosen: list[str | Policy] = [*usual_policies()]
    elif isinstance(policies, str | Policy):
        chosen = [policies]
    elif isinstance(policies, Iterable) and getattr(policies, "ndim", 1):  # pyright: ignore[reportUnnecessaryIsInstance]
        chosen = [known_policy(policy) for policy in policies]
    else:
        raise InputError("policies", policies, "must be policies, or their names")
    order, ties = given.get("order"), given.get("ties")
    runs = Runs()
    runs.left_out = {}
    for policy in chosen:
        try:
            run = _simulate(checked, policy, order, ties, seed, engine, limit)
        except InputError as error:
            if policies is not None or not runs:  # what stops the first, H-SF, stops all
                raise
            runs.left_out[str(policy)] = str(error)
            continue
        if run.policy in runs:
            raise InputError("policies", run.policy, "stands twice")
        runs[run.policy] = run
    return runs


def volume_bound(lengths: Any, memory: int, s: PerRequest = 0) -> Fraction:
    """Return (1/M) Σ_k (sum of the k smallest volumes s·o + o(o+1)/2): no schedule has a smaller TEL.

    A request occupies s·o + o(o+1)/2 token-instants, so k completions by time t need k different volumes in M·t.

    >>> volume_bound([1, 1, 3], memory=5, s=1)
    Fraction(19, 5)
    """
    return _volume_bound(make_instance(lengths, memory, s))


def _simulate(
    instance: Instance,
    policy: str | Policy,
    order: Any,
    ties: Any,
    seed: int,
    engine: str,
    limit: int | None,
    history: bool | None = None,
) -> Run:
    seed = integer("seed", seed, 0, LARGEST_SEED)
    given = {"order": order, "ties": ties}
    ranks = {key: None if value is None else ranks_of(key, value, instance.n) for key, value in given.items()}
    name, rules = _policy(policy, instance)
    watch = Watch(rules)
    with told(rules):
        instance = for_policy(instance, watch.rules, seed)
    top = int(instance.u.max())
    refuse_too_many("n", instance.n, lambda n: n * BYTES[0] + top * BYTES[1])
    longest = int(longest_of(rules, instance).sum())
    most = 2**62 // (2 * instance.n + 2)
    last = min(PATIENCE * longest, most) if limit is None else integer("limit", limit, 1, most)
    if rules.equals == "order" and order is None:
        ranks["order"] = ranks_of("order", np.random.default_rng(seed).permutation(instance.n), instance.n)
    ran_on = canonical("engine", engine, get_args(Engine))
    if ran_on == "auto":
        ran_on = "fast" if longest > SMALL and find_spec("numba") is not None else "reference"
    watch.warn_of_renamed_fields(ran_on)
    history = longest <= SMALL if history is None else history
    arguments = (instance, ranks.get(rules.equals), seed, last, history)
    note = ""
    with told(rules):
        if ran_on == "fast":
            try:
                outcome = run_compiled(rules, *arguments)
                watch.tried(instance)
                return _run(name, rules, instance, outcome, seed, ran_on, watch.hindsight)
            except NotCompiled as error:
                ran_on, note = "reference", f"the reference engine ran it, slowly: {error}"
                if instance.n * longest > TOO_SLOW:
                    says = f"cannot be compiled ({error}), and the reference engine is too slow for so much; "
                    raise InputError("policy", rules.name, says + 'engine="reference" runs it all the same') from None
        outcome = run_reference(watch.rules, *arguments)
        return _run(name, rules, instance, outcome, seed, ran_on, watch.hindsight, note)


def _run(
    name: str,
    rules: Policy,
    instance: Instance,
    outcome: Outcome,
    seed: int,
    engine: str,
    hindsight: bool,
    note: str = "",
) -> Run:
    completions = outcome.starts + instance.length
    makespan = int(completions.max())
    held = int(_volumes(instance).sum()) + outcome.wasted_volume
    for column in (outcome.starts, instance.length, instance.s, outcome.bounds):
        column.setflags(write=False)
    return Run(
        policy=name,
        ran=rules.name,
        total_latency=int(completions.sum()),
        makespan=makespan,
        cancellations=outcome.cancellations,
        wasted_tokens=outcome.wasted_tokens,
        peak_memory=outcome.peak_memory,
        mean_memory=held / makespan,
        memory=instance.memory,
        seed=seed,
        engine=engine,
        volume_bound=_volume_bound(instance),
        lower=int(instance.l.min()),
        upper=int(instance.u.max()),
        hindsight=hindsight,
        starts=outcome.starts,
        lengths=instance.length,
        prompts=instance.s,
        bounds=outcome.bounds,
        cancelled=None if outcome.cancelled is None else Cancelled.of(outcome.cancelled),
        note=note,
    )


def _policy(policy: str | Policy, instance: Instance) -> tuple[str, Policy]:
    """Return the name of what was asked for, in full, and the policy that runs."""
    policy = known_policy(policy)
    found = policy if isinstance(policy, Policy) else policy_called(policy)
    if isinstance(found, Policy):
        return found.name, found
    ends = np.unique(np.stack([instance.l, instance.u]), axis=1).T.tolist()
    if len(ends) > 1:
        raise InputError("policy", found.name, "needs one interval [l, u] for all requests")
    return found.name, found.choose(*ends[0])


def _volume_bound(instance: Instance) -> Fraction:
    volumes = np.sort(_volumes(instance))
    kind = int if float(volumes[-1]) * instance.n**2 < 2**62 else object
    return Fraction(int(np.cumsum(volumes, dtype=kind).sum()), instance.memory)


def _volumes(instance: Instance) -> Any:
    """Return the requests' volumes, as Python's integers where their sum may pass 64 bits."""
    s, o = instance.s, instance.length
    small = (float(s.max()) + float(o.max())) * float(o.max()) * instance.n < 2**62
    return volume(s, o) if small else volume(s.astype(object), o.astype(object))


def _read(path: str | Path) -> Mapping[str, Any]:
    try:
        found = json.loads(input_file("instance", path, "file").read_text(encoding="utf-8"))
    except InputError:
        raise
    except (ValueError, RecursionError) as error:  # bad JSON, bad UTF-8, or too deep
        raise InputError("instance", path, f"must be a JSON file: {error}") from None
    if not isinstance(found, dict):
        raise InputError("instance", path, "must hold one JSON object with memory and lengths")
    return found
