"""The compiled engine: the same integers as the reference engine, with compiled loops that jump from event to event.

One loop runs any policy (:mod:`crtools.process.kernels.event_loop`): Numba compiles the policy's rules, and the loop calls
them. Two loops for particular policies are kept because they are faster (``benchmarks/process.py``):

- ``no_preemption``: policies with ``fixed=True`` that assume at least each length, in O((n + events) · D), where D is the
  number of distinct assumed ends among the running requests;
- ``lower_bounds``: the two readings of A_min, 2 to 3 times as fast as their rules in the one loop, and up to 100 times where
  lengths are long and coins are tossed.

The one loop takes O((n + starts + cancellations + events) · (D + log n)), and asks ``cancel`` and ``assumed`` once for each age
of each attempt, if they depend on it. Memory is O(n), and with ``history`` O(n + cancellations).
Importing this module does not import Numba; the first run does.
"""

from __future__ import annotations

import dis
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from crtools.budget import TimeIsUp
from crtools.errors import InputError, Livelock
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.instance import Instance, Outcome, ask_all
from crtools.process.plans import Planner
from crtools.process.policies import Policy, known_policies
from crtools.process.reference import overfull

if TYPE_CHECKING:
    from crtools.process.kernels.event_loop import Settings, State
    from crtools.process.kernels.rules import CompiledRules

LoopResult: TypeAlias = tuple[IntArray, IntArray, tuple[int, int, int], IntArray, int, int, int]
"""Starts; last bounds; cancellations, tokens and token-instants lost; log; peak memory; requests that wait and that run."""


class NotCompiled(Exception):
    """Says why the compiled engine cannot run a policy; the reference engine can."""


def is_compiled(policy: Policy) -> bool:
    """Return whether a loop of its own runs this policy, without compiling its rules."""
    if policy.kernel is not None:
        return known_policies().get(policy.name) == policy  # a copy with another rule would not be what the kernel runs
    cancels = policy.cancel is not None or policy.overflow or policy.paced
    plain = not cancels and policy.equals != "ties" and not policy.peaks
    return plain and (policy.fixed or not reads_age(policy))


def reads_age(policy: Policy) -> bool:
    """Return whether ``assumed`` may depend on the age, as far as its text says."""
    code = getattr(policy.assumed, "__code__", None)
    if code is None or code.co_argcount < 2:
        return True
    age = code.co_varnames[1]
    uses = (i.argval for i in dis.get_instructions(code))
    return age in code.co_cellvars or any(age == use or (isinstance(use, tuple) and age in use) for use in uses)


def run_compiled(
    policy: Policy, instance: Instance, ranks: IntArray | None, seed: int, limit: int, history: bool
) -> Outcome:
    """Run one policy on one instance; the arguments and errors are those of ``run_reference``.

    Raises ``NotCompiled`` where only the reference engine can run it.
    """
    if policy.kernel is not None and is_compiled(policy):
        found = _run_lower_bounds(policy, instance, ranks, seed, limit, history)
    elif is_compiled(policy) and (columns := _fixed_columns(policy, instance, ranks)) is not None:
        found = _run_no_preemption(instance, *columns, limit)
    else:
        return _run_events(policy, instance, ranks, seed, limit, history)
    starts, bounds, lost, log, peak, waiting, running = found
    if waiting or running:
        raise Livelock(policy.name, limit, int(waiting), int(running), int(lost[0]))
    return _outcome(instance, starts, bounds, (int(lost[0]), int(lost[1]), int(lost[2])), int(peak), log, history)


def _outcome(
    instance: Instance,
    starts: IntArray,
    bounds: IntArray,
    lost: tuple[int, int, int],
    peak: int,
    log: IntArray,
    history: bool,
) -> Outcome:
    cancellations, tokens, volume = lost
    least = int(instance.s.min()) * tokens
    volume = least + (volume - least) % 2**64  # the loops count it modulo 2^64
    return Outcome(starts, cancellations, tokens, volume, peak, bounds, log[:cancellations] if history else None)


def _column(values: npt.ArrayLike) -> IntArray:
    """Return a writable copy: Numba compiles anew for each kind of array, and caches each kind."""
    return np.array(values, dtype=np.int64)


# ---- loops for particular policies -------------------------------------------------------------------------------


def _run_lower_bounds(
    policy: Policy, instance: Instance, ranks: IntArray | None, seed: int, limit: int, history: bool
) -> LoopResult:
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.lower_bounds import run_lower_bounds

    columns = map(_column, (instance.s, instance.length, instance.bound, () if ranks is None else ranks))
    coins = policy.kernel == "lower-bounds-by-coin"
    return run_loop(run_lower_bounds, *columns, instance.memory, coins, np.random.default_rng(seed), limit, history)


def _fixed_columns(policy: Policy, instance: Instance, ranks: IntArray | None) -> tuple[IntArray, IntArray] | None:
    """Return the order of the requests and their assumed lengths, or None where the loop for any policy must run them."""
    assumed = _numbers(ask_all(lambda r: policy.assumed(r, 0), instance), instance.n, "iu")
    priority = _numbers(ask_all(policy.priority, instance), instance.n, "iuf")
    if assumed is None or priority is None or (assumed < np.maximum(instance.length, 1)).any():
        return None
    if (ask_all(lambda r: policy.assumed(r, int(assumed.max())), instance) != assumed).any():
        return None
    return np.lexsort((instance.index if ranks is None else ranks, priority)), assumed


def _numbers(value: npt.ArrayLike, n: int, kinds: str) -> IntArray | FloatArray | None:
    column = np.asarray(value)
    if column.shape not in ((), (n,)) or column.dtype.kind not in kinds or not np.isfinite(column).all():
        return None
    return np.array(np.broadcast_to(column, (n,)))


def _run_no_preemption(instance: Instance, order: IntArray, assumed: IntArray, limit: int) -> LoopResult:
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.no_preemption import run_no_preemption

    known = bool((assumed == instance.length).all())
    columns = map(_column, (order, instance.s, assumed, instance.length))
    starts, *others = run_loop(run_no_preemption, *columns, instance.memory, limit, known)
    return starts, instance.bound, (0, 0, 0), np.zeros((0, 4), np.int64), *others


# ---- the loop for any policy -------------------------------------------------------------------------------------


def _run_events(
    policy: Policy, instance: Instance, ranks: IntArray | None, seed: int, limit: int, history: bool
) -> Outcome:
    from crtools.process.kernels import event_loop as loop
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.pools import size
    from crtools.process.kernels.rules import CannotCompile, compiled_rules

    try:
        varies = not policy.paced and reads_age(policy)
        rules = compiled_rules(policy, varies)
    except CannotCompile as error:
        raise NotCompiled(str(error)) from None
    try:
        state, settings, rank = _start(policy, instance, ranks, seed, limit, history, rules, varies)
        planner = None if policy.plan is None else Planner(policy.name, policy.plan, instance)
        if planner is not None:
            state.pilot[planner.pilot] = 1
            state.now[[loop.UNFINISHED, loop.PLAN_AT]] = instance.n
            state.now[[loop.PILOT_UNFINISHED, loop.PILOT_PLAN_AT]] = len(planner.pilot), -1
        while (why := run_loop(loop.run_events, state, settings, rules, rank)) in (loop.LOG_FULL, loop.PLAN):
            if why == loop.LOG_FULL:
                log = np.zeros((2 * len(state.log) + int(state.now[loop.ACTIVE]), 4), np.int64)
                log[: len(state.log)] = state.log
                state = state._replace(log=log)
            elif planner is not None:
                state = _list_attempts(state, settings, rules, planner)
    except (TimeIsUp, InputError):
        raise
    except Exception as error:  # what a rule raises; perhaps of an age that no request reaches
        raise NotCompiled(f"a rule raised {type(error).__name__}: {error}") from error
    now = state.now.tolist()
    if why == loop.TOO_LARGE:
        raise NotCompiled("prices are too large for machine integers")
    if why == loop.LIVELOCK:
        waiting = now[loop.TAIL] - now[loop.HEAD] + size(state.waiting)
        raise Livelock(policy.name, limit, int(waiting), now[loop.ACTIVE], now[loop.LOST])
    if why == loop.OVERFULL:
        t = now[loop.TIME]
        raise overfull(policy, now[loop.BASE] + now[loop.ACTIVE] * t, instance.memory, t)
    starts, bounds = state.requests["start"].copy(), state.requests["bound"].copy()
    lost = (now[loop.LOST], now[loop.TOKENS], now[loop.VOLUME])
    return _outcome(instance, starts, bounds, lost, now[loop.PEAK], state.log, history)


def _list_attempts(state: State, settings: Settings, rules: CompiledRules, planner: Planner) -> State:
    """Return the state after the plan has listed attempts, by what is known of the requests at this instant."""
    from crtools.process.kernels import event_loop as loop
    from crtools.process.kernels.jit import run_loop

    requests, now = state.requests, state.now
    running = requests["number"] >= 0
    done = ~running & (requests["start"] >= 0)
    age = np.where(running, now[loop.TIME] - requests["start"], 0)
    tokens = np.where(done, requests["length"], np.maximum(state.reached, age))
    rows, own = planner.attempts(tokens, done)
    state = state._replace(attempts=rows)
    requests["attempt"] = own[:, 0]
    now[[loop.PILOT_PLAN_AT, loop.PLAN_AT]] = planner.at
    now[[loop.CREDIT, loop.CREDITED]] = 0, now[loop.TIME]
    run_loop(loop.take_attempts, state, settings, rules)
    return state


def _start(
    policy: Policy,
    instance: Instance,
    ranks: IntArray | None,
    seed: int,
    limit: int,
    history: bool,
    rules: CompiledRules,
    varies: bool,
) -> tuple[State, Settings, IntArray]:
    """Return the state and the settings of a run at time 0, and the rank of each request among equals."""
    from crtools.process.kernels import event_loop as loop
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.pools import new_pool
    from crtools.process.kernels.priority_queue import new_queue
    from crtools.process.kernels.projected_memory import new_projection
    from crtools.process.kernels.rules import PLACES, RECORD

    n = instance.n
    requests = np.zeros(n, RECORD)
    for name, column in instance.columns.items():
        requests[name] = column
    requests["start"] = requests["number"] = -1
    drawn = policy.equals == "ties" and ranks is None
    rank = np.arange(n) if ranks is None or policy.equals == "index" else _column(ranks)
    keys, row = np.zeros((n, PLACES + 1), np.int64), np.zeros((1, PLACES + 2), np.int64)
    run_loop(loop.join_all, requests, rules, rank, keys, row)
    places = int(row[0, PLACES + 1])
    admission = loop.PEAKS if policy.peaks else loop.PROJECTED
    if policy.paced:
        admission = loop.PACED if policy.plan is None else loop.PLANNED
    if admission == loop.PACED:
        s, assumed = instance.s.astype(object), requests["assumed"].astype(object)
        prices = s * assumed + assumed * (assumed + 1) // 2
        if max(abs(prices.max()), abs(prices.min())) >= loop.LARGEST_PRICE:
            raise OverflowError("a price is too large for machine integers")
        requests["price"] = prices
    overflow = loop.NEVER
    if policy.paced or policy.overflow == "latest":
        overflow = loop.LATEST
    elif policy.overflow:
        overflow = loop.LEAST_BOUND
    again = n if not drawn and (policy.cancel is not None or overflow != loop.NEVER) else 0
    room = again // 2 + 16 if again else 0  # behind the end of the queue
    keys = np.ascontiguousarray(keys[:, [*range(places), PLACES]])
    order = np.empty(0, np.int64) if drawn else np.lexsort(keys.T[::-1])
    state = loop.State(
        requests,
        queue=np.concatenate([order, np.zeros(room, np.int64)]),
        queue_keys=np.concatenate([keys[order], np.zeros((room, places + 1), np.int64)]),
        waiting=new_pool(n if drawn else again, places, drawn),
        events=new_queue(n, 2),
        by_bound=new_pool(n if overflow == loop.LEAST_BOUND else 0, 1, drawn),
        latest=np.zeros((2 * n + 16 if overflow == loop.LATEST else 0, 2), np.int64),
        projection=new_projection(n if admission == loop.PROJECTED else 0),
        row=row,
        now=np.zeros(loop.PILOT_PLAN_AT + 1, np.int64),
        log=np.zeros((1024 if history else 0, 4), np.int64),
        attempts=np.zeros((0, 5), np.int64),
        pilot=np.zeros(0 if policy.plan is None else n, np.int64),
        reached=np.zeros(0 if policy.plan is None else n, np.int64),
    )
    state.now[[loop.MOVED, loop.TAIL, loop.CREDITED]] = 1, len(order), -1
    if drawn:
        run_loop(loop.enter_all, state.waiting, np.ascontiguousarray(keys[:, :-1]), row)
    settings = loop.Settings(
        instance.memory, limit, admission, overflow, drawn, varies, history, places + 1,
        int(np.random.SeedSequence(seed).generate_state(1)[0]),
    )  # fmt: skip
    return state, settings, rank
