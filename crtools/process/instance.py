"""An instance as checked arrays, what an engine hands back, and the error of a run that does not end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from crtools.errors import InputError
from crtools.process.policies import Policy
from crtools.setting import LARGEST_LENGTH, integer, listed

LARGEST_MEMORY = 10**15
"""The largest capacity M in tokens; sums of memory stay exact in 64-bit integers."""

PerRequest = int | Sequence[int]
"""One integer for all requests, or one for each."""


@dataclass(frozen=True)
class Instance:
    """All requests at once: the ``Request`` whose fields are int64 arrays, and the capacity M in tokens."""

    memory: int
    index: Any
    s: Any
    l: Any
    u: Any
    length: Any
    bound: Any
    joined: Any
    own: Any

    @property
    def n(self) -> int:
        """The number of requests."""
        return len(self.length)

    def only(self, kept: Any) -> Instance:
        """Return the instance of the requests that ``kept``, an array of bool, names; they keep their numbers."""
        columns = {f.name: getattr(self, f.name)[kept] for f in fields(self) if f.name != "memory"}
        return replace(self, **columns)


@dataclass(frozen=True)
class Cancelled:
    """The starts that were cancelled, in order of cancellation: columns of int64.

    request: who; start: the instant it had started at; age: the tokens it had generated and lost; bound: the õ that
    it was started with.
    """

    request: Any
    start: Any
    age: Any
    bound: Any

    @classmethod
    def of(cls, rows: Any) -> Cancelled:
        """Make the columns of an array of rows (request, start, age, bound); they cannot be written to."""
        columns = rows.T.copy()
        columns.setflags(write=False)
        return cls(*columns)


@dataclass(frozen=True)
class Episodes:
    """Columns, one row for each start: the request, the instant it started at, the instant it left at.

    A request that started at p and left at e was processed in the steps p, …, e − 1 and held s + (t − p) tokens at
    the instants t = p + 1, …, e. It completed if it left at p + o, else it was cancelled then.
    """

    request: Any
    start: Any
    end: Any

    @classmethod
    def of(cls, starts: Any, lengths: Any, cancelled: Cancelled) -> Episodes:
        """Join the last episode of each request with the cancelled ones."""
        request = np.concatenate([cancelled.request, np.arange(len(starts))])
        start = np.concatenate([cancelled.start, starts])
        return cls(request, start, np.concatenate([cancelled.start + cancelled.age, starts + lengths]))


@dataclass(frozen=True)
class Outcome:
    """What an engine computes: last starts, and what cancellation cost in tokens and in token-instants.

    bounds: the õ that each request was last started with.
    cancelled: where the history is kept, one row (request, start, age when cancelled, bound õ at that start) for
        each cancellation, in the order of time; else None.
    """

    starts: Any
    cancellations: int
    wasted_tokens: int
    wasted_volume: int
    peak_memory: int
    bounds: Any
    cancelled: Any = None


def make_instance(lengths: Any, memory: int, s: Any = 0, l: Any = None, u: Any = None) -> Instance:
    """Check an instance for the rules that hold whatever the policy; l and u default to the least and largest length.

    Raises ``InputError`` unless there are requests, lengths are integers ≥ 1, s ≥ 0 and 1 ≤ l ≤ u are integers (one,
    or one for each request) and no length exceeds its u.
    """
    length = _integers("lengths", lengths, 1, LARGEST_LENGTH)
    n = len(length)
    if not n:
        raise InputError("lengths", "[]", "must hold at least one request")
    memory = integer("memory", memory, 1, LARGEST_MEMORY)
    prompts = _per_request("s", s, 0, LARGEST_MEMORY, n)
    low = _per_request("l", int(length.min()) if l is None else l, 1, LARGEST_LENGTH, n)
    up = _per_request("u", int(length.max()) if u is None else u, 1, LARGEST_LENGTH, n)
    for name, values, least, other in (("u", up, low, "l"), ("lengths", length, None, "u")):
        wrong = (values < least if least is not None else values > up).nonzero()[0]
        if wrong.size:
            i = int(wrong[0])
            allowed = f"at least l = {low[i]}" if other == "l" else f"at most u = {up[i]}"
            raise InputError(name, int(values[i]), f"must be {allowed} (request {i})")
    index = np.arange(n)
    return Instance(memory, index, prompts, low, up, length, low, np.zeros(n, dtype=np.int64), np.zeros(n))


def for_policy(instance: Instance, policy: Policy, seed: int) -> Instance:
    """Check an instance for one policy, set its first bounds, and draw what each request draws for itself.

    Raises ``InputError`` where some request could never run, or where the policy cannot use the intervals.
    """
    if policy.takes != "any":
        wrong = misfits(instance, policy.takes)
        if wrong.size:
            raise _misfit(instance, policy, int(wrong[0]))
    longest = np.broadcast_to(np.asarray(policy.longest(instance)), (instance.n,))
    wrong = (instance.s + longest > instance.memory).nonzero()[0]
    if wrong.size:
        i = int(wrong[0])
        need = (
            f"must hold {int(instance.s[i])} + {int(longest[i])} tokens, what request {i} may need under {policy.name}"
        )
        raise InputError("memory", instance.memory, need)
    if policy.own is not None:
        instance = replace(instance, own=np.asarray(policy.own(own_draws(instance.n, seed))))
    bound = np.broadcast_to(np.asarray(policy.bound(instance), dtype=np.int64), (instance.n,))
    return replace(instance, bound=bound)


def own_draws(n: int, seed: int) -> Any:
    """Return n uniform numbers in [0, 1), a stream apart from ``default_rng(seed)``, which the lengths may come from."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,))).random(n)


def misfits(instance: Instance, takes: Literal["at-least-l", "l-or-u"]) -> Any:
    """Return the numbers of the requests whose lengths a policy that takes such lengths cannot run."""
    o, l, u = instance.length, instance.l, instance.u
    return ((o < l) if takes == "at-least-l" else (o != l) & (o != u)).nonzero()[0]


def _misfit(instance: Instance, policy: Policy, i: int) -> InputError:
    o, l, u = int(instance.length[i]), int(instance.l[i]), int(instance.u[i])
    if policy.takes == "at-least-l":
        return InputError("l", l, f"must be at most the request's length, {o} for request {i}")
    return InputError("lengths", o, f"{policy.name} needs lengths l = {l} or u = {u} (request {i})")


def ranks_of(name: str, permutation: Any, n: int) -> Any:
    """Return where each request stands in a permutation, or raise ``InputError`` if it is none of 0, …, n − 1."""
    items = _integers(name, permutation, None, None)
    if len(items) != n or not np.array_equal(np.sort(items), np.arange(n)):
        raise InputError(name, items.tolist(), f"must be a permutation of 0, …, {n - 1}")
    ranks = np.empty(n, dtype=np.int64)
    ranks[items] = np.arange(n)
    return ranks


def _per_request(name: str, value: Any, least: int, most: int, n: int) -> Any:
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return np.full(n, integer(name, value, least, most), dtype=np.int64)
    values = _integers(name, value, least, most)
    if len(values) != n:
        raise InputError(name, f"{len(values)} integers", f"must be one integer or one for each of {n} requests")
    return values


def _integers(name: str, values: Any, least: int | None, most: int | None) -> Any:
    allowed = "must be a list of integers" + ("" if least is None else f" ≥ {least}")
    if type(values) is not np.ndarray:  # a masked array is none
        values = listed(name, values, allowed)
        for item in values:  # a list may mix types that NumPy would unite
            if type(item) is not int:
                integer(name, item, -LARGEST_MEMORY if least is None else least, most)
        try:
            values = np.array(values, dtype=np.int64)
        except (OverflowError, ValueError, TypeError):
            raise InputError(name, values, allowed + ("" if most is None else f" and at most {most}")) from None
    if values.ndim != 1 or (values.size and values.dtype.kind not in "iu"):
        raise InputError(name, values, allowed)
    result = np.array(values, dtype=np.int64)
    if result.size and least is not None and int(result.min()) < least:
        raise InputError(name, int(result.min()), f"must be integers ≥ {least}")
    if result.size and most is not None and int(result.max()) > most:
        raise InputError(name, int(result.max()), f"must be at most {most}")
    return result
