"""The compiled engine: the same integers as the reference engine, with compiled loops that jump from event to event.

One loop runs any policy (:mod:`crtools.process.kernels.event_loop`): Numba compiles the policy's rules, and the loop calls
them. Two loops for particular policies (:mod:`crtools.process.kernels.special_loops`) are kept because they are faster
(``benchmarks/process.py``), in unit steps, where all requests are present at time 0 and cancelled ones lose their tokens:

- ``run_no_preemption``: policies with ``fixed=True`` that assume at least each length, 2 to 4 times as fast. Their rules may be any
  Python, because they are called before the run.
- ``run_rising_bounds``: the two readings of A_min, 1.5 to 3 times as fast as their rules in the one loop, and more where lengths are
  long and coins are tossed.

The one loop takes O((n + starts + cancellations + events) · (D + log n)), where D is the number of distinct assumed ends among
the running requests, and asks ``cancel`` and ``assumed`` once for each age of each attempt, if they depend on it. Memory is O(n),
and with ``history`` O(n + cancellations).
Importing this module imports Numba, so ``run.py`` does that at the first run.
"""

from __future__ import annotations

import dis

import numpy as np
import numpy.typing as npt

from crtools.budget import TimeIsUp
from crtools.errors import InputError, Livelock
from crtools.numeric_types import IntArray
from crtools.process.instance import Instance, Outcome, RunSettings, ask_all
from crtools.process.kernels import event_loop as loop
from crtools.process.kernels.jit import run_loop
from crtools.process.kernels.projected_memory import new_projection
from crtools.process.kernels.queues import new_pool, new_queue, size
from crtools.process.kernels.rules import PLACES, CompiledRules, compiled_rules, new_records
from crtools.process.kernels.special_loops import run_no_preemption, run_rising_bounds
from crtools.process.plans import Planner
from crtools.process.policies import NotCompiled, Now, Policy
from crtools.process.reference import overfull


def is_fixed(policy: Policy) -> bool:
    """Return whether ``run_no_preemption`` can run a policy: nothing is cancelled, ``assumed`` is fixed, and it has no further rule."""
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


def run_compiled(policy: Policy, instance: Instance, settings: RunSettings) -> Outcome:
    """Run one policy on one instance; the errors are those of ``run_reference``.

    Raises ``NotCompiled`` where only the reference engine can run it.
    """
    if instance.is_basic and policy.kernel is not None and policy.is_known:
        return _run_rising_bounds(policy, instance, settings)
    if instance.is_basic and is_fixed(policy) and (columns := _fixed_columns(policy, instance, settings.ranks)):
        return _run_no_preemption(policy, instance, settings, *columns)
    varies = not policy.paced and reads_age(policy)
    rules = compiled_rules(policy, varies, instance.clock.in_steps)
    state, compiled = _start(policy, instance, settings, varies)
    try:
        planner = None if policy.plan is None else Planner(policy.name, policy.plan, instance)
        if planner is not None:
            state.requests["pilot"][planner.pilot] = 1
            state.now[[loop.UNFINISHED, loop.PLAN_AT]] = instance.n
            state.now[[loop.PILOT_UNFINISHED, loop.PILOT_PLAN_AT]] = len(planner.pilot), -1
        while (why := run_loop(loop.run_events, state, compiled, rules)) in (loop.LOG_FULL, loop.PLAN):
            if why == loop.LOG_FULL:
                more = np.zeros((len(state.log) + int(state.now[loop.ACTIVE]), 5), np.int64)
                state = state._replace(log=np.concatenate([state.log, more]))
            elif planner is not None:
                state = _list_attempts(state, compiled, rules, planner)
    except (TimeIsUp, InputError):
        raise
    except Exception as error:  # what a rule raises; perhaps of an age that no request reaches
        raise NotCompiled(f"a rule raised {type(error).__name__}: {error}") from error
    now = state.now.tolist()
    if why == loop.TOO_LARGE:
        raise NotCompiled("a price is too large for machine integers")
    if why == loop.LIVELOCK:
        waiting = size(state.waiting) + instance.n - now[loop.ARRIVED]
        raise Livelock(policy.name, settings.last, int(waiting), now[loop.ACTIVE], now[loop.LOST])
    if why == loop.OVERFULL:
        t = now[loop.TIME]
        raise overfull(policy, now[loop.BASE] + now[loop.ACTIVE] * t, instance.memory, t)
    requests = state.requests  # a start with kept tokens stands in them as that much earlier
    starts, ends = requests["start"] + requests["kept"], requests["start"] + requests["length"]
    times = ends if instance.clock.in_steps else requests["completion"].copy()
    first_tokens = requests["first_token"].astype(times.dtype)
    volume = _unwrapped(now[loop.VOLUME], now[loop.TOKENS], instance)
    lost = now[loop.LOST], now[loop.TOKENS], volume, now[loop.PREFILLED_AGAIN]
    bounds, log = requests["bound"].copy(), state.log[: now[loop.LOST]] if settings.history else None
    return Outcome.of(instance, starts, ends, bounds, times, first_tokens, now[loop.PEAK], lost, log)


def _unwrapped(volume: int, tokens: int, instance: Instance) -> int:
    """Return the token-instants lost with these tokens, which the loops count modulo 2^64."""
    smallest = int(instance.s.min()) * tokens
    return smallest + (volume - smallest) % 2**64


def _column(values: npt.ArrayLike) -> IntArray:
    """Return a writable copy: Numba compiles anew for each kind of array, and caches each kind."""
    return np.array(values, dtype=np.int64)


def _run_rising_bounds(policy: Policy, instance: Instance, settings: RunSettings) -> Outcome:
    ranks = () if settings.ranks is None else settings.ranks
    columns = map(_column, (instance.s, instance.length, instance.bound, ranks))
    coins, rng = policy.kernel == "lower-bounds-by-coin", np.random.default_rng(settings.seed)
    result = run_loop(run_rising_bounds, *columns, instance.memory, coins, rng, settings.last, settings.history)
    first, starts, bounds, lost, log, peak, waiting, running = result
    cancellations, tokens, volume, prefilled_again = map(int, lost)
    if waiting or running:
        raise Livelock(policy.name, settings.last, int(waiting), int(running), cancellations)
    ends = starts + instance.length
    lost = cancellations, tokens, _unwrapped(volume, tokens, instance), prefilled_again
    log = log[:cancellations] if settings.history else None
    return Outcome.of(instance, starts, ends, bounds, ends, first + 1, int(peak), lost, log)


def _fixed_columns(policy: Policy, instance: Instance, ranks: IntArray | None) -> tuple[IntArray, IntArray] | None:
    """Return the order of the requests and their assumed lengths, or None where the loop for any policy must run them."""
    assumed, priority = ask_all(lambda r: policy.assumed(r, 0), instance), ask_all(policy.priority, instance)
    for values, kinds in ((assumed, "iu"), (priority, "iuf")):
        if values.shape != (instance.n,) or values.dtype.kind not in kinds or not np.isfinite(values).all():
            return None
    if (assumed < np.maximum(instance.length, 1)).any():
        return None
    if (ask_all(lambda r: policy.assumed(r, int(assumed.max())), instance) != assumed).any():
        return None
    return np.lexsort((instance.index if ranks is None else ranks, priority)), _column(assumed)


def _run_no_preemption(
    policy: Policy, instance: Instance, settings: RunSettings, order: IntArray, assumed: IntArray
) -> Outcome:
    columns = map(_column, (order, instance.s, assumed, instance.length))
    starts, peak, waiting, running = run_loop(run_no_preemption, *columns, instance.memory, settings.last)
    if waiting or running:
        raise Livelock(policy.name, settings.last, int(waiting), int(running), 0)
    ends, log = starts + instance.length, np.zeros((0, 5), np.int64) if settings.history else None
    return Outcome.of(instance, starts, ends, instance.bound, ends, starts + 1, int(peak), (0, 0, 0, 0), log)


def _list_attempts(state: loop.State, settings: loop.Settings, rules: CompiledRules, planner: Planner) -> loop.State:
    """Return the state after the plan has listed attempts, by what is known of the requests at this instant."""
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


def _start(policy: Policy, instance: Instance, settings: RunSettings, varies: bool) -> tuple[loop.State, loop.Settings]:
    """Return the state of a run before time 0, and what its loop reads and does not change."""
    n, clock, ranks = instance.n, instance.clock, settings.ranks
    drawn = policy.equals == "ties" and ranks is None
    requests = new_records(n)
    for name, column in instance.columns.items():
        requests[name] = column
    requests["start"] = requests["number"] = requests["first_token"] = -1
    requests["rank"] = instance.index if ranks is None else ranks
    requests["release_rank"] = np.unique(instance.release, return_inverse=True)[1]
    requests["arrival"] = np.lexsort((instance.index, instance.release))
    admission = loop.PEAKS if policy.peaks else loop.PROJECTED
    if policy.paced:
        admission = loop.PACED if policy.plan is None else loop.PLANNED
    overflow = loop.NEVER
    if policy.paced or policy.overflow == "latest":
        overflow = loop.LATEST
    elif policy.victim is not None:
        overflow = loop.LEAST_VALUE
    elif policy.overflow:
        overflow = loop.LEAST_BOUND
    now = Now(0, 0, 0, 0, instance.memory, 0, 0, clock.base, clock.per_token, clock.per_held)
    state = loop.State(
        requests,
        waiting=new_pool(n, PLACES + 1, drawn),
        events=new_queue(n, 2),
        running=new_pool(n if overflow != loop.NEVER else 0, 1, drawn and overflow == loop.LEAST_BOUND),
        projection=new_projection(n if admission == loop.PROJECTED else 0),
        row=np.zeros((1, PLACES + 2), np.int64),
        now=np.zeros(loop.UNPAYABLE + 1, np.int64),
        log=np.zeros((1024 if settings.history else 0, 5), np.int64),
        attempts=np.zeros((0, 5), np.int64),
        instant=np.array([*now, 0], dtype=float),  # and the answer of a rule
        remaining=np.zeros((2, 0, 0)),
    )
    state.now[[loop.MOVED, loop.CREDITED]] = 1, -1
    state.now[loop.OVERBOOKED] = settings.room < instance.memory  # if it runs alone
    compiled = loop.Settings(
        instance.memory, settings.last, admission, overflow, drawn, varies, settings.history,
        int(np.random.SeedSequence(settings.seed).generate_state(1)[0]), settings.room, clock.in_steps, instance.resume,
        policy.limit is not None, policy.opens is not None, policy.plan is not None and policy.plan.is_lazy(instance),
        policy.plan is not None and policy.plan.boxes,
    )  # fmt: skip
    return state, compiled
