"""The fast engine: the same integers as the reference, with compiled loops that jump from event to event.

An event is a start, a completion, a cancellation, or an instant at which a refused request may fit. With D the number
of distinct assumed ends among running requests (at most the number that run, and at most the largest assumed
length), and one event for each group of equal requests that start together:

- policies with ``fixed=True``: O((n + events) · D) where lengths are known, else O((n + events) · (D + log n)); with peaks
  reserved O(n log n);
- kernel ``rejoin-with-u``: first in, first out; at age õ an unfinished request goes to the end of the queue with õ = u;
  ``rejoin-doubled``: with õ doubled, at most u. O((starts + events) · (D + log n));
- kernel ``lower-bounds``: least õ first; assumes max(õ, age + 1), and cancels what overflows in increasing order of õ.
  O((n + starts + cancellations + events) · (D + log n));
- kernel ``lower-bounds-by-coin``: the same with reserved peaks; past õ a request is cancelled with probability
  1/(s + age + 1). O((n + starts + cancellations) · log n);
- kernel ``paced``: attempts, all of them listed beforehand, in their order; so run paced policies of one's own whose attempts
  can be listed. O((starts + events) · log n);
- kernel ``first-come``: in the order of the numbers, the latest started preempted. O((starts + events) · log n);
- any other policy that is not paced, O((starts + cancellations + events) · (D + log n)): rules that arithmetic, comparisons
  and one coin alone make up are asked once for each kind of request (:mod:`crtools.process.tabled`); else the loop is
  Python (:mod:`crtools.process.events`) and calls the rules a few times for each start, or about twice for each token that
  is generated.

With unequal prompts and ties drawn afresh, an instant counts as an event where the smallest prompt would fit.
``lower-bounds`` cancels at nearly every instant once memory is full, so that its events can be as many as the
instants and more: with n = 1000, lengths uniform on [1, 10^6] and M = 5·10^6, some 50 cancellations each.
Memory is O(n + u), and with ``history`` O(n + u + cancellations).
Importing this module does not import Numba; the first run does, and compiles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.errors import InputError, Livelock
from crtools.process.attempts import attempts, listed
from crtools.process.events import run_events
from crtools.process.instance import Instance, Outcome, asked, last_in_turn
from crtools.process.policies import Policy, known_policies


def is_compiled(policy: Policy) -> bool:
    """Return whether a compiled loop runs this policy."""
    if policy.kernel is not None:
        return known_policies().get(policy.name) == policy  # a copy with another rule would not be what the kernel runs
    return policy.fixed and policy.equals != "ties"


def has_fast_engine(policy: Policy, instance: Instance | None = None) -> bool:
    """Return whether the fast engine can run this policy: all that are compiled, and all that are not paced.

    With an instance, paced ones of one's own too whose attempts can be listed beforehand.
    """
    return is_compiled(policy) or not policy.paced or (instance is not None and listed(policy, instance) is not None)


def run_fast(policy: Policy, instance: Instance, ranks: Any, seed: int, limit: int, history: bool = False) -> Outcome:
    """Run one policy on one instance; the arguments and errors are those of ``run_reference``."""
    compiled = is_compiled(policy)
    if not compiled and not policy.paced:
        return run_events(policy, instance, ranks, seed, limit, history)
    rows = None
    if policy.paced and (rows := attempts(policy, instance) if compiled else listed(policy, instance)) is None:
        raise InputError("engine", "fast", f"{policy.name} has no fast engine; take the reference engine")
    if policy.kernel in ("lower-bounds", "lower-bounds-by-coin"):
        from crtools.process.kernels.jit import run_loop
        from crtools.process.kernels.lower_bounds import run_lower_bounds

        given = np.empty(0, dtype=np.int64) if ranks is None else ranks
        rng = np.random.default_rng(seed)
        s, length, bounds, given = map(_fresh, (instance.s, instance.length, instance.bound, given))
        coins = policy.kernel == "lower-bounds-by-coin"
        found = run_loop(run_lower_bounds, s, length, bounds, given, instance.memory, coins, rng, limit, history)
    elif policy.kernel == "first-come":
        from crtools.process.kernels.first_come import run_first_come
        from crtools.process.kernels.jit import run_loop

        s, length, bounds = map(_fresh, (instance.s, instance.length, instance.bound))
        found = run_loop(run_first_come, s, length, bounds, instance.memory, limit, history)
    elif rows is not None:
        from crtools.process.kernels.jit import run_loop
        from crtools.process.kernels.paced import run_paced

        s, length = map(_fresh, (instance.s, instance.length))
        request, bound, assumed, after = map(_fresh, rows)
        limit = last_in_turn(limit, len(request), int(assumed.max()))
        found = run_loop(run_paced, request, bound, assumed, after, s, length, instance.memory, limit, history)
    else:
        found = _run_fixed(policy, instance, ranks, limit, history)
        if found is None:  # memory may overflow or not, which the run from event to event sees
            return run_events(policy, instance, ranks, seed, limit, history)
    starts, bounds, lost, log, peak, waiting, running = found
    cancellations = int(lost[0])
    if waiting or running:
        raise Livelock(policy.name, limit, int(waiting), int(running), cancellations)
    last = instance.bound if policy.kernel is None and rows is None else bounds
    cancelled = log[:cancellations] if history else None
    wasted = int(lost[1])
    least = int(instance.s.min()) * wasted
    volume = least + (int(lost[2]) - least) % 2**64  # the loops count it modulo 2^64
    return Outcome(starts, cancellations, wasted, volume, int(peak), last, cancelled)


def _run_fixed(policy: Policy, instance: Instance, ranks: Any, limit: int, history: bool) -> Any:
    from crtools.process.kernels.fixed import DOUBLES, ENDS_EARLY, ENDS_KNOWN, PROMOTES, ROUNDS, run_fixed
    from crtools.process.kernels.jit import run_loop

    n = instance.n
    places = instance.index if ranks is None else ranks
    assumed = _column(policy, "assumed", asked(lambda r: policy.assumed(r, 0), instance), n, "iu")
    order = np.lexsort((places, _column(policy, "priority", asked(policy.priority, instance), n, "iuf")))
    last = int(assumed.max())
    if policy.fixed and (asked(lambda r: policy.assumed(r, last), instance) != assumed).any():
        raise InputError("policy", policy.name, "says fixed=True, but assumes another length at a later age")
    if policy.kernel is not None:
        mode = PROMOTES if policy.kernel == "rejoin-with-u" else DOUBLES
        limit = last_in_turn(limit, ROUNDS * (n + 1), int(instance.u.max()))
    elif (assumed == instance.length).all():
        mode = ENDS_KNOWN
    elif (assumed > 0).all() and (assumed >= instance.length).all():
        mode = ENDS_EARLY
    else:
        return None  # less than a length is assumed
    if policy.peaks:
        from crtools.process.kernels.reserved import run_reserved

        s, length = map(_fresh, (instance.s, instance.length))
        return run_loop(run_reserved, order, s, assumed, length, instance.memory, limit)
    queue = np.concatenate([order, np.empty(0 if policy.kernel is None else n, dtype=np.int64)])
    s, length, up = map(_fresh, (instance.s, instance.length, instance.u))
    return run_loop(run_fixed, queue, s, assumed, length, up, instance.memory, mode, limit, history)


def _column(policy: Policy, rule: str, value: Any, n: int, kinds: str) -> Any:
    """Return one number for each request, as a rule gave them; truncation would make the engines differ in silence."""
    column = np.asarray(value)
    if column.shape not in ((), (n,)) or column.dtype.kind not in kinds or not np.isfinite(column).all():
        what = "integers" if kinds == "iu" else "finite numbers"
        raise InputError("policy", policy.name, f"with fixed=True, {rule} must return {what}, one for each request")
    return np.array(np.broadcast_to(column, (n,)))


def _fresh(column: Any) -> Any:
    """Return a writable copy: Numba compiles anew for each kind of array, and caches each kind."""
    return np.array(column, dtype=np.int64)
