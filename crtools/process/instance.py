"""Instances as checked arrays, the results that an engine returns, and how much of a run is done.

``run.py`` makes an instance of the arguments of ``simulate`` and gives it to an engine; ``workload.py`` and
``papers/beyond/one_machine.py`` make some too. ``kernels/jit.py`` and the command line's progress bar read ``current``.
``tests/process/test_input.py`` tests the checks, ``test_episodes.py`` the history, ``test_interrupting.py`` ``current``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from crtools.errors import InputError
from crtools.names import canonical
from crtools.numeric_types import BoolArray, FloatArray, IntArray, PerRequest
from crtools.process.clocks import STEPS, Clock, as_clock
from crtools.process.flow_bounds import step_work, volumes
from crtools.process.policies import ARGUMENTS, REQUEST_FIELDS, Policy, Request, takes
from crtools.schedule import volume
from crtools.setting import LARGEST_LENGTH, integer, listed

LARGEST_RELEASE = 10**9
"""The latest release time; with it the sum of completion times stays a 64-bit integer."""

LARGEST_MEMORY = 10**15
"""The largest capacity M in tokens; sums of memory stay exact in 64-bit integers."""

Preemption = Literal["restart", "resume"]
"""Whether a cancelled request loses its tokens, or keeps them as text and is prefilled with them again."""


@dataclass
class Instance(Request):
    """All requests at once: a :class:`Request` whose fields are arrays, and the setting of the run.

    ``memory`` is the capacity M in tokens; ``resume`` says whether a cancelled request keeps its tokens.
    """

    memory: int = 0
    clock: Clock = STEPS
    resume: bool = False

    @property
    def n(self) -> int:
        """The number of requests."""
        return len(self.length)

    @property
    def preemption(self) -> Preemption:
        """The name of the kind of preemption."""
        return "resume" if self.resume else "restart"

    @property
    def is_basic(self) -> bool:
        """Whether this is the model of sections 1 to 5 of docs/model.md: unit steps, restarts, all requests at time 0."""
        return self.clock.in_steps and not self.resume and not self.release.any()

    @property
    def columns(self) -> dict[str, IntArray]:
        """The fields of all requests by name."""
        return {name: getattr(self, name) for name in REQUEST_FIELDS}

    def only(self, kept: BoolArray | IntArray) -> Instance:
        """Return the instance of the requests that an index of arrays selects, with their numbers, memory, clock and ``resume``."""
        return replace(self, **{name: column[kept] for name, column in self.columns.items()})

    def rows(self) -> list[tuple[Any, ...]]:
        """Return the fields of each request, in the order of ``REQUEST_FIELDS``."""
        return list(zip(*(column.tolist() for column in self.columns.values()), strict=True))


class RunSettings(NamedTuple):
    """What an engine needs to know of a run beside the policy and the instance, and rules cannot read.

    ranks: each request's place in the permutation that decides among equals; None: by number, or drawn at every instant. last: the
    last instant that the run may reach. history: keep every cancellation. room: the tokens that admission may fill while something runs.
    """

    ranks: IntArray | None
    seed: int
    last: int
    history: bool
    room: int


class View:
    """A request, or all of them, whose fields pass through ``read(name, value)`` when a rule reads them."""

    __slots__ = ("_read", "_request")

    def __init__(self, request: Any, read: Callable[[str, Any], Any]) -> None:
        self._request, self._read = request, read

    def __getattr__(self, name: str) -> Any:
        return self._read(name, getattr(self._request, name))


def ask_all(rule: Callable[[Any], Any], instance: Instance) -> Any:
    """Return a rule's value for every request: called once with arrays, or for each request where that fails or would wrap."""
    with suppress(Exception), np.errstate(all="raise"):  # min, max, if and math.log take only numbers
        as_given = View(instance, lambda name, column: column.copy())  # which a rule may change in place
        as_doubles = View(instance, lambda name, column: column.astype(float))
        values, exact = np.asarray(rule(as_given)), np.asarray(rule(as_doubles))
        if values.shape == exact.shape and (values == exact).all() and (abs(exact) < 2**53).all():
            return values if values.shape else np.broadcast_to(values, (instance.n,))
    return np.array([rule(Request(*row)) for row in instance.rows()])


@dataclass(frozen=True)
class Cancelled:
    """The cancelled starts of a run, in order of cancellation, as columns of int64.

    request: the request's number. start: the instant of the start. age: the tokens that it had generated, with the kept
    ones; all are lost where preemption is restart. bound: the õ that it was started with. kept: the tokens among these that it
    had kept from earlier runs.
    """

    request: IntArray
    start: IntArray
    age: IntArray
    bound: IntArray
    kept: IntArray


@dataclass(frozen=True)
class Episodes:
    """Columns, one row for each start: the request, the instants it started and left at, the tokens it had kept before.

    A request that started at p with a kept tokens and left at e was processed in the steps p, …, e − 1 and held
    s + a + (t − p) tokens at the instants t = p + 1, …, e. It completed if it left at p + o − a, else it was cancelled then.
    """

    request: IntArray
    start: IntArray
    end: IntArray
    kept: IntArray


@dataclass(frozen=True)
class Outcome:
    """The results of an engine: attributes of a :class:`crtools.process.run.Run`, which describes them."""

    cancellations: int
    tokens_lost: int
    tokens_prefilled_again: int
    peak_memory: int
    mean_memory: float
    starts: IntArray = field(compare=False)
    ends: IntArray = field(compare=False)
    bounds: IntArray = field(compare=False)
    completion_times: IntArray | FloatArray = field(compare=False)
    time_to_first_token: IntArray | FloatArray = field(compare=False)
    cancelled: Cancelled | None = field(compare=False)

    @classmethod
    def of(
        cls, instance: Instance, starts: IntArray, ends: IntArray, bounds: IntArray, times: IntArray | FloatArray,
        first_tokens: IntArray | FloatArray, peak: int, lost: tuple[int, int, int, int], log: IntArray | None,
    ) -> Outcome:  # fmt: skip
        """Return the outcome of a run, whose arrays cannot be written to.

        first_tokens: when the first step of each request's first run ended. lost: the cancellations, the tokens and the token-instants
        lost by them, and the tokens prefilled again. log: a row for each cancellation, with the columns of :class:`Cancelled`, where
        the history is kept.
        """
        cancellations, tokens, volume, prefilled_again = lost
        mean_memory = (int(volumes(instance.length, instance.s).sum()) + volume) / int(ends.max())
        columns = (starts, ends, bounds, times, first_tokens - instance.release)
        rows = np.zeros((5, 0), np.int64) if log is None else log.T.copy()
        for array in (*columns, rows):
            array.setflags(write=False)
        cancelled = None if log is None else Cancelled(*rows)
        return cls(cancellations, tokens, prefilled_again, peak, mean_memory, *columns, cancelled)


class RunningNow:
    """The policy that runs in this process or "", the number of its requests, and the ``stop`` of the latest compiled loop.

    The loop counts the requests that are done in ``stop[1]``, for a progress bar that another thread draws.
    """

    policy, n, stop = "", 1, np.zeros(2, np.int64)

    def __str__(self) -> str:
        """Return "fcfs 43 %, " while a compiled loop has completed some, "fcfs, " before, and "" between runs."""
        share = f" {100 * int(self.stop[1]) // self.n} %" if self.stop[1] else ""
        return f"{self.policy}{share}, " if self.policy else ""


current = RunningNow()


def make_instance(
    lengths: npt.ArrayLike,
    memory: int,
    s: PerRequest = 0,
    l: PerRequest | None = None,
    u: PerRequest | None = None,
    release: PerRequest | FloatArray | float = 0,
    predicted: PerRequest | None = None,
    clock: str | Sequence[float] | Clock = STEPS,
    preemption: object = "restart",
) -> Instance:
    """Check an instance against the conditions that no policy changes; l and u default to the least and largest length.

    Raises ``InputError`` unless there are requests, lengths are integers ≥ 1, s ≥ 0, 1 ≤ l ≤ u, predicted ≥ 1 and, in steps,
    release ≥ 0 are integers (one, or one for each request) and no length exceeds its u.
    """
    clock, resume = as_clock(clock), preemption_called(preemption) == "resume"
    length = _integers("lengths", lengths, 1, LARGEST_LENGTH)
    n = len(length)
    if not n:
        raise InputError("lengths", "[]", "must hold at least one request")
    memory = integer("memory", memory, 1, LARGEST_MEMORY)
    prompts = _per_request("s", s, 0, LARGEST_MEMORY, n)
    low = _per_request("l", int(length.min()) if l is None else l, 1, LARGEST_LENGTH, n)
    up = _per_request("u", int(length.max()) if u is None else u, 1, LARGEST_LENGTH, n)
    _refuse("u", up, up < low, lambda i: f"must be at least l = {low[i]} (request {i})")
    _refuse("lengths", length, length > up, lambda i: f"must be at most u = {up[i]} (request {i})")
    if not (clock.base or clock.per_held) and not prompts.all():
        allowed = f"must be > 0: the first step of request {prompts.argmin()} (s = 0) would take no time"
        raise InputError("clock", f"0, {clock.per_token:g}, 0", f"base or per_held {allowed}")
    times = _per_request("release", release, 0, LARGEST_RELEASE, n) if clock.in_steps else _times(release, n)
    none = np.zeros(n, dtype=np.int64)
    work = volume(prompts.astype(float), length) if clock.in_steps else step_work(length, prompts, memory, clock)
    return Instance(
        index=np.arange(n), s=prompts, l=low, u=up, length=length, drawn=np.zeros(n), bound=low, queue_number=none,
        release=times, predicted=none if predicted is None else _per_request("predicted", predicted, 1, LARGEST_LENGTH, n),
        kept=none, work=work, memory=memory, clock=clock, resume=resume,
    )  # fmt: skip


def preemption_called(name: object) -> Preemption:
    """Return the kind of preemption of a name, or raise ``InputError``."""
    return "resume" if canonical("preemption", name, get_args(Preemption)) == "resume" else "restart"


def for_policy(instance: Instance, policy: Policy, seed: int) -> Instance:
    """Check an instance for one policy; return it with its first bounds and each request's drawn number.

    Raises ``InputError`` where some request could never run, or where the policy cannot use the intervals.
    """
    s, l, u, o = instance.s, instance.l, instance.u, instance.length
    if policy.takes == "at-least-l":
        _refuse("l", l, o < l, lambda i: f"must be at most the request's length, {o[i]} for request {i}")
    elif policy.takes == "l-or-u":
        allowed = "{} needs lengths l = {} or u = {} (request {})"
        _refuse("lengths", o, (o != l) & (o != u), lambda i: allowed.format(policy.name, l[i], u[i], i))
    longest = longest_of(policy, instance)
    allowed = "must hold {} + {} tokens, what request {} may need under {}"
    memory = np.broadcast_to(instance.memory, (instance.n,))
    _refuse("memory", memory, s + longest > memory, lambda i: allowed.format(s[i], longest[i], i, policy.name))
    if policy.draws is not None:
        numbers, more = uniform_draws(instance.n, seed), () if takes(policy.draws, ARGUMENTS["draws"]) else (instance,)
        drawn = np.asarray(policy.draws(numbers, *more))
        if drawn.dtype.kind not in "biuf" or drawn.shape != numbers.shape:
            raise InputError("policy", policy.name, "draws must return an array of numbers, one for each request")
        instance = replace(instance, drawn=drawn)
    bound = ask_all(policy.bound, instance)
    if bound.dtype.kind not in "iu" or bound.shape != (instance.n,):
        raise InputError("policy", policy.name, "bound must return integers, one for each request")
    return replace(instance, bound=bound.astype(np.int64))


def longest_of(policy: Policy, instance: Instance) -> IntArray:
    """Return the largest length that the policy can come to assume of each request."""
    longest = ask_all(policy.longest, instance)
    if longest.dtype.kind not in "iuf" or longest.shape != (instance.n,) or not (longest >= 1).all():
        raise InputError("policy", policy.name, "longest must return lengths ≥ 1, one for each request")
    return longest


def uniform_draws(n: int, seed: int) -> FloatArray:
    """Return n uniform numbers in [0, 1), from another stream than ``default_rng(seed)``, which the lengths may come from."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,))).random(n)


def _refuse(name: str, values: IntArray, wrong: BoolArray, allowed: Callable[[int], str]) -> None:
    """Raise ``InputError`` for the first request of which ``wrong`` is true."""
    if wrong.any():
        i = int(wrong.argmax())
        raise InputError(name, int(values[i]), allowed(i))


def ranks_of(name: str, permutation: npt.ArrayLike, n: int) -> IntArray:
    """Return where each request stands in a permutation, or raise ``InputError`` if it is none of 0, …, n − 1."""
    items = _integers(name, permutation, 0, LARGEST_LENGTH)
    if not np.array_equal(np.sort(items), np.arange(n)):
        raise InputError(name, items.tolist(), f"must be a permutation of 0, …, {n - 1}")
    return np.argsort(items)


def _per_request(name: str, value: Any, smallest: int, largest: int, n: int) -> IntArray:
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return np.full(n, integer(name, value, smallest, largest), dtype=np.int64)
    values = _integers(name, value, smallest, largest)
    if len(values) != n:
        raise InputError(name, f"{len(values)} integers", f"must be one integer or one for each of {n} requests")
    return values


def as_seconds(times: Any) -> FloatArray:
    """Return numbers as floats, durations in seconds, dates in seconds after the first, and masked ones as NaN."""
    values = np.ma.asarray(times)
    if values.dtype.kind in "mM" and values.size:
        values = (values - (values.min() if values.dtype.kind == "M" else 0)) / np.timedelta64(1, "s")
    return np.ma.filled(values.astype(float), np.nan)


def _times(release: Any, n: int) -> FloatArray:
    """Return release times in seconds, one for each request."""
    allowed = f"must be one number from 0 to {LARGEST_RELEASE} s or one for each of {n} requests"
    try:
        values = as_seconds(release)
    except (TypeError, ValueError):
        raise InputError("release", release, allowed) from None
    if values.shape not in ((), (n,)):
        raise InputError("release", f"{values.size} numbers", allowed)
    wrong = ~((values >= 0) & (values <= LARGEST_RELEASE))
    if wrong.any():
        raise InputError("release", float(values[wrong][0] if values.ndim else values), allowed)
    return np.array(np.broadcast_to(values, (n,)))


def _integers(name: str, values: Any, smallest: int, largest: int) -> IntArray:
    allowed = f"must be a list of integers ≥ {smallest} and at most {largest}"
    if type(values) is not np.ndarray or values.dtype.kind == "O":  # masked arrays are checked item by item
        items = listed(name, values, allowed)  # it may mix types that NumPy would unite
        items = [item if type(item) is int else integer(name, item, smallest, largest) for item in items]
        try:
            values = np.array(items, dtype=np.int64)
        except OverflowError:
            raise InputError(name, items, allowed) from None
    if values.ndim != 1 or (values.size and values.dtype.kind not in "iu"):
        raise InputError(name, values, allowed)
    wrong = values[(values < smallest) | (values > largest)]
    if wrong.size:
        raise InputError(name, int(wrong[0]), allowed)
    return np.array(values, dtype=np.int64)
