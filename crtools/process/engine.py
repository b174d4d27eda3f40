"""The compiled engine: the same integers as the reference engine, with compiled loops that jump from event to event.

One loop runs any policy (:mod:`crtools.process.kernels.event_loop`): Numba compiles the policy's rules, and the loop calls
them. Two loops for particular policies are kept because they are faster (``benchmarks/process.py``), in unit steps, where all
requests are present at time 0 and cancelled ones lose their tokens:

- ``no_preemption``: policies with ``fixed=True`` that assume at least each length, in O((n + events) · D), where D is the
  number of distinct assumed ends among the running requests;
- ``rising_bounds``: the two readings of A_min, 2 to 3 times as fast as their rules in the one loop, and up to 100 times where
  lengths are long and coins are tossed.

The one loop takes O((n + starts + cancellations + events) · (D + log n)), and asks ``cancel`` and ``assumed`` once for each age
of each attempt, if they depend on it. Memory is O(n), and with ``history`` O(n + cancellations).
Importing this module does not import Numba; the first run does.
"""

from __future__ import annotations

import dis
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from crtools.budget import TimeIsUp
from crtools.errors import InputError, Livelock
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.instance import Instance, Outcome, ask_all, room_for_admission
from crtools.process.plans import Planner
from crtools.process.policies import Now, Policy, known_policies
from crtools.process.reference import overfull

if TYPE_CHECKING:
    from crtools.process.kernels.event_loop import Settings, State
    from crtools.process.kernels.rules import CompiledRules

LoopResult: TypeAlias = tuple[IntArray, IntArray, IntArray, tuple[int, int, int, int], IntArray, int, int, int]
"""First and last starts; last bounds; cancellations, tokens and token-instants lost, tokens prefilled again; log; peak memory;
requests that wait and that run."""


class NotCompiled(Exception):
    """Says why the compiled engine cannot run a policy; the reference engine can."""


def is_compiled(policy: Policy) -> bool:
    """Return whether a loop of its own runs this policy, without compiling its rules."""
    if policy.kernel is not None:
        return known_policies().get(policy.name) == policy  # a copy with another rule would not be what the kernel runs
    cancels = policy.cancel is not None or policy.overflow or policy.paced
    only_starts = not cancels and policy.equals != "ties" and not policy.peaks and policy.is_basic
    return only_starts and (policy.fixed or not reads_age(policy))


def reads_age(policy: Policy) -> bool:
    """Return whether ``assumed`` may depend on the age, as far as its text says."""
    code = getattr(policy.assumed, "__code__", None)
    if code is None or code.co_argcount < 2:
        return True
    age = code.co_varnames[1]
    uses = (i.argval for i in dis.get_instructions(code))
    return age in code.co_cellvars or any(age == use or (isinstance(use, tuple) and age in use) for use in uses)


class _Call(NamedTuple):
    """The arguments of ``run_reference``, which the compiled engine takes too."""

    policy: Policy
    instance: Instance
    ranks: IntArray | None
    seed: int
    limit: int
    history: bool

    def outcome(
        self,
        starts: IntArray,
        bounds: IntArray,
        lost: tuple[int, int, int, int],
        log: IntArray,
        peak: int,
        ends: IntArray,
        times: IntArray | FloatArray,
        first_tokens: IntArray | FloatArray,
    ) -> Outcome:
        cancellations, tokens, volume, prefilled_again = map(int, lost)
        smallest = int(self.instance.s.min()) * tokens
        volume = smallest + (volume - smallest) % 2**64  # the loops count it modulo 2^64
        log = log[:cancellations]
        return Outcome(
            starts, cancellations, tokens, volume, int(peak), bounds, ends, times, first_tokens, prefilled_again,
            log if self.history else None,
        )  # fmt: skip


def run_compiled(
    policy: Policy, instance: Instance, ranks: IntArray | None, seed: int, limit: int, history: bool
) -> Outcome:
    """Run one policy on one instance; the arguments and errors are those of ``run_reference``.

    Raises ``NotCompiled`` where only the reference engine can run it.
    """
    call = _Call(policy, instance, ranks, seed, limit, history)
    if not instance.is_basic:
        return _run_events(call)
    if policy.kernel is not None and is_compiled(policy):
        result = _run_rising_bounds(call)
    elif is_compiled(policy) and (columns := _fixed_columns(call)) is not None:
        result = _run_no_preemption(call, *columns)
    else:
        return _run_events(call)
    first, starts, bounds, lost, log, peak, waiting, running = result
    if waiting or running:
        raise Livelock(policy.name, limit, int(waiting), int(running), int(lost[0]))
    ends = starts + instance.length
    return call.outcome(starts, bounds, lost, log, peak, ends, ends, first + 1)


def _column(values: npt.ArrayLike) -> IntArray:
    """Return a writable copy: Numba compiles anew for each kind of array, and caches each kind."""
    return np.array(values, dtype=np.int64)


# ---- loops for particular policies -------------------------------------------------------------------------------


def _run_rising_bounds(call: _Call) -> LoopResult:
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.rising_bounds import run_rising_bounds

    it = call.instance
    columns = map(_column, (it.s, it.length, it.bound, () if call.ranks is None else call.ranks))
    coins = call.policy.kernel == "lower-bounds-by-coin"
    rng = np.random.default_rng(call.seed)
    return run_loop(run_rising_bounds, *columns, it.memory, coins, rng, call.limit, call.history)


def _fixed_columns(call: _Call) -> tuple[IntArray, IntArray] | None:
    """Return the order of the requests and their assumed lengths, or None where the loop for any policy must run them."""
    policy, instance = call.policy, call.instance
    assumed = _numbers(ask_all(lambda r: policy.assumed(r, 0), instance), instance.n, "iu")
    priority = _numbers(ask_all(policy.priority, instance), instance.n, "iuf")
    if assumed is None or priority is None or (assumed < np.maximum(instance.length, 1)).any():
        return None
    if (ask_all(lambda r: policy.assumed(r, int(assumed.max())), instance) != assumed).any():
        return None
    order = np.lexsort((instance.index if call.ranks is None else call.ranks, priority))
    return _column(order), _column(assumed)


def _numbers(value: npt.ArrayLike, n: int, kinds: str) -> IntArray | FloatArray | None:
    column = np.asarray(value)
    if column.shape not in ((), (n,)) or column.dtype.kind not in kinds or not np.isfinite(column).all():
        return None
    return np.array(np.broadcast_to(column, (n,)))


def _run_no_preemption(call: _Call, order: IntArray, assumed: IntArray) -> LoopResult:
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.no_preemption import run_no_preemption

    it = call.instance
    columns = (order, _column(it.s), assumed, _column(it.length))
    exact = bool((assumed == it.length).all())
    starts, *others = run_loop(run_no_preemption, *columns, it.memory, call.limit, exact)
    return starts, starts, it.bound, (0, 0, 0, 0), np.zeros((0, 5), np.int64), *others


# ---- the loop for any policy -------------------------------------------------------------------------------------


def _run_events(call: _Call) -> Outcome:
    from crtools.process.kernels import event_loop as loop
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.pools import size
    from crtools.process.kernels.rules import CannotCompile, compiled_rules

    policy, instance = call.policy, call.instance
    try:
        varies = not policy.paced and reads_age(policy)
        rules = compiled_rules(policy, varies, instance.clock.in_steps)
    except CannotCompile as error:
        raise NotCompiled(str(error)) from None
    try:
        state, settings, rank = _start(call, rules, varies)
        planner = None if policy.plan is None else Planner(policy.name, policy.plan, instance)
        if planner is not None:
            state.requests["pilot"][planner.pilot] = 1
            state.now[[loop.UNFINISHED, loop.PLAN_AT]] = instance.n
            state.now[[loop.PILOT_UNFINISHED, loop.PILOT_PLAN_AT]] = len(planner.pilot), -1
        while (why := run_loop(loop.run_events, state, settings, rules, rank)) in (loop.LOG_FULL, loop.PLAN):
            if why == loop.LOG_FULL:
                log = np.zeros((2 * len(state.log) + int(state.now[loop.ACTIVE]), 5), np.int64)
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
        waiting = now[loop.TAIL] - now[loop.HEAD] + size(state.waiting) + len(state.arrival_keys) - now[loop.ARRIVED]
        raise Livelock(policy.name, call.limit, int(waiting), now[loop.ACTIVE], now[loop.LOST])
    if why == loop.OVERFULL:
        t = now[loop.TIME]
        raise overfull(policy, now[loop.BASE] + now[loop.ACTIVE] * t, instance.memory, t)
    requests = state.requests  # a start with kept tokens stands in them as that much earlier
    starts, ends = requests["start"] + requests["kept"], requests["start"] + requests["length"]
    lost = (now[loop.LOST], now[loop.TOKENS], now[loop.VOLUME], now[loop.PREFILLED_AGAIN])
    times, first_tokens = ends, requests["first_token"].copy()
    if instance.clock.in_steps:
        first_tokens = first_tokens.astype(np.int64)
    else:
        times = requests["completion"].copy()
    bounds = requests["bound"].copy()
    return call.outcome(starts, bounds, lost, state.log, now[loop.PEAK], ends, times, first_tokens)


def _list_attempts(state: State, settings: Settings, rules: CompiledRules, planner: Planner) -> State:
    """Return the state after the plan has listed attempts, by what is known of the requests at this instant."""
    from crtools.process.kernels import event_loop as loop
    from crtools.process.kernels.jit import run_loop

    requests, now = state.requests, state.now
    running = requests["number"] >= 0
    done = ~running & (requests["start"] >= 0)
    age = np.where(running, now[loop.TIME] - requests["start"], 0)
    tokens = np.where(done, requests["length"], np.maximum(requests["reached"], age))
    rows, own = planner.attempts(tokens, done, float(state.instant[loop.CLOCK]))
    state = state._replace(attempts=rows, remaining=planner.remaining)
    if len(planner.group):
        requests["group"] = planner.group
    requests["attempt"], requests["last_attempt"] = own.T
    now[[loop.PILOT_PLAN_AT, loop.PLAN_AT]] = planner.at
    now[[loop.CREDIT, loop.CREDITED]] = 0, now[loop.TIME]
    run_loop(loop.take_attempts, state, settings, rules)
    return state


def _start(call: _Call, rules: CompiledRules, varies: bool) -> tuple[State, Settings, IntArray]:
    """Return the state and the settings of a run at time 0, and the rank of each request among equals."""
    from crtools.process.kernels import event_loop as loop
    from crtools.process.kernels.jit import run_loop
    from crtools.process.kernels.pools import new_pool
    from crtools.process.kernels.priority_queue import new_queue
    from crtools.process.kernels.projected_memory import new_projection
    from crtools.process.kernels.rules import PLACES, new_records

    policy, instance, ranks = call.policy, call.instance, call.ranks
    n = instance.n
    requests = new_records(n)
    for name, column in instance.columns.items():
        requests[name] = column
    requests["start"] = requests["number"] = requests["first_token"] = -1
    drawn = policy.equals == "ties" and ranks is None
    rank = np.arange(n) if ranks is None or policy.equals == "index" else _column(ranks)
    keys, row = np.zeros((n, PLACES + 1), np.int64), np.zeros((1, PLACES + 2), np.int64)
    clock = instance.clock
    now = Now(0, 0, 0, 0, instance.memory, 0, 0, clock.base, clock.per_token, clock.per_held)
    instant = np.array([*now, 0], dtype=float)  # and the answer of a rule
    run_loop(loop.join_all, requests, rules, rank, keys, row, instant)
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
    elif policy.victim is not None:
        overflow = loop.LEAST_VALUE
    elif policy.overflow:
        overflow = loop.LEAST_BOUND
    later = bool(instance.release.any())
    if later:
        requests["release_rank"] = np.unique(instance.release, return_inverse=True)[1]
        requests["arrival"] = np.lexsort((instance.index, instance.release))
    again = n if not drawn and (policy.cancel is not None or overflow != loop.NEVER or later) else 0
    room = again // 2 + 16 if again else 0  # behind the end of the queue
    columns = [*keys.T[:places], *([requests["release_rank"]] if later else []), keys[:, PLACES]]
    keys, width = np.ascontiguousarray(np.transpose(columns)), len(columns)
    order = np.empty(0, np.int64) if drawn or later else np.lexsort(keys.T[::-1])
    room += again if later else 0
    state = loop.State(
        requests,
        queue=np.concatenate([order, np.zeros(room, np.int64)]),
        queue_keys=np.concatenate([keys[order], np.zeros((room, width), np.int64)]),
        waiting=new_pool(n if drawn else again, width - 1, drawn),
        events=new_queue(n, 2),
        by_bound=new_pool(n if overflow == loop.LEAST_BOUND else 0, 1, drawn),
        latest=np.zeros((2 * n + 16 if overflow >= loop.LATEST else 0, 2), np.int64),
        projection=new_projection(n if admission == loop.PROJECTED else 0),
        row=row,
        now=np.zeros(loop.PREFILLED_AGAIN + 1, np.int64),
        log=np.zeros((1024 if call.history else 0, 5), np.int64),
        attempts=np.zeros((0, 5), np.int64),
        arrival_keys=keys if later else keys[:0],
        instant=instant,
        remaining=np.zeros((2, 0, 0)),
    )
    state.now[[loop.MOVED, loop.TAIL, loop.CREDITED]] = 1, len(order), -1
    state.now[loop.OVERBOOKED] = room_for_admission(policy, instance) < instance.memory  # if it runs alone
    if drawn and not later:
        run_loop(loop.enter_all, state.waiting, np.ascontiguousarray(keys[:, :-1]), row)
    settings = loop.Settings(
        instance.memory, call.limit, admission, overflow, drawn, varies, call.history, width,
        int(np.random.SeedSequence(call.seed).generate_state(1)[0]),
        room_for_admission(policy, instance), clock.in_steps, instance.resume, policy.limit is not None,
        policy.opens is not None, policy.plan is not None and policy.plan.is_lazy(instance),
        policy.plan is not None and policy.plan.boxes,
    )  # fmt: skip
    return state, settings, rank
