"""Trials of the theorems, on small runs and small values: each returns None, or a text that says where it fails.

``check/adaptive.txt`` names them (``tested by``); ``tests/papers/test_trials.py`` runs them. Some take a factor or an offset, by
which a test makes them fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, pairwise, permutations, product
from math import ceil
from random import Random
from typing import NamedTuple

from check import process as judge
from crtools.enclosure import Ball, ball, precision
from crtools.papers.adaptive.claims import a_random, thm_optimality
from crtools.papers.adaptive.evidence import algorithm_two, staggered, two_lengths
from crtools.papers.adaptive.forms import thresholds
from crtools.papers.adaptive.policies.transitions import unfinished
from crtools.process import Run, simulate
from crtools.schedule import Schedule, volume
from tests.papers.adaptive.bounds import a_max, at_finite_n, buckets, h_sf

SmallInstance = tuple[tuple[int, ...], int, int]
"""Lengths, s and M."""


def small_instances(
    allowed: Mapping[int, Sequence[int]], prompts: Sequence[int], above_prompt: int = 0, step: int = 1
) -> Iterator[SmallInstance]:
    """Iterate over all instances whose lengths are multisets of ``allowed[n]``, for each number n of requests.

    M runs from s + ``above_prompt`` (by default the largest length) in steps to the memory that holds all requests at once.
    """
    for count, lengths_allowed in allowed.items():
        for lengths in combinations_with_replacement(lengths_allowed, count):
            for s in prompts:
                for memory in range(s + (above_prompt or lengths[-1]), sum(s + o for o in lengths) + step, step):
                    yield lengths, s, memory


def _in_every_order(instances: Iterable[SmallInstance]) -> Iterator[tuple[SmallInstance, tuple[int, ...], str]]:
    """Iterate over instances with each order of their requests, and a text that names both."""
    for lengths, s, memory in instances:
        for order in permutations(range(len(lengths))):
            yield (lengths, s, memory), order, f"o = {lengths}, s = {s}, M = {memory}, order {order}"


# ---- every schedule ------------------------------------------------------------------------------------------------


def completions_need_volumes(factor: int = 1) -> str | None:
    """Try that the first k completions take the k smallest volumes, whatever the policy."""
    for lengths, prompt, memory in small_instances({3: (1, 2, 4), 4: (1, 4)}, (0, 2), step=2):
        for policy in ("h-sf", "a-max", "a-random", "a-min-literal"):
            completions = sorted(simulate(policy, lengths, memory, prompt).schedule.completions)
            needed = accumulate(sorted(volume(prompt, o) for o in lengths))
            if any(memory * int(end) < factor * work for end, work in zip(completions, needed, strict=True)):
                return f"{policy}, o = {lengths}, s = {prompt}, M = {memory}: completions {completions}"
    return None


def packed_schedules_end(times: int | Fraction = 2) -> str | None:
    """Try that an optimally packed schedule ends by twice the sum of the lengths."""
    for (lengths, prompt, memory), order, case in _in_every_order(small_instances({3: (1, 2, 4)}, (0, 2))):
        plan = simulate("a-random", lengths, memory, prompt, order=order).schedule
        if plan.optimally_packed(memory) and plan.makespan > times * sum(lengths):
            return f"{case}: ends at {plan.makespan}"
    return None


# ---- H-SF ----------------------------------------------------------------------------------------------------------


def _up_to_five() -> Iterator[SmallInstance]:
    return small_instances(dict.fromkeys(range(1, 6), (1, 2, 4)), (0, 1, 3))


def prompts_that_fill_the_memory(more: int = 0) -> str | None:
    """With prompts that fill the memory H-SF needs 2K³ + 4K² + K, and smallest volume first 4K² + 5K."""
    for k in range(2, 7):
        lengths, prompts = [1] * 2 * k + [2] * k**2, [2 * k**2 - 1] * 2 * k + [0] * k**2
        total = simulate("h-sf", lengths, 2 * k**2, prompts).total_latency + more
        other = Schedule([*range(2, 2 * k + 2), *[0] * k**2], lengths, prompts)
        if not other.feasible(2 * k**2) or (total, other.total_latency) != (2 * k**3 + 4 * k**2 + k, 4 * k**2 + 5 * k):
            return f"K = {k}: {total}, {other.total_latency}"
    return None


def busy_while_one_waits() -> str | None:
    """While a request of length k waits at the head of the queue, at least ⌊M/(s+k)⌋ run."""
    for lengths, prompt, capacity in _up_to_five():
        starts = simulate("h-sf", lengths, capacity, prompt).schedule.starts
        for t in range(max(starts)):
            head = min(o for o, p in zip(lengths, starts, strict=True) if p > t)
            running = sum(p <= t < p + o for o, p in zip(lengths, starts, strict=True))
            if running < capacity // (prompt + head):
                return f"o = {lengths}, s = {prompt}, M = {capacity}: {running} run at t = {t}"
    return None


def total_by_peaks() -> str | None:
    """H-SF's total is at most the sum of the bounds on its starts and the lengths."""
    for lengths, prompt, capacity in _up_to_five():
        total = simulate("h-sf", lengths, capacity, prompt).total_latency
        bound = h_sf.upper_bound(lengths, prompt, capacity)
        if total > bound:
            return f"o = {lengths}, s = {prompt}, M = {capacity}: TEL {total} exceeds {bound}"
    return None


def equal_lengths_in_batches(offset: int = 0) -> str | None:
    """H-SF starts equal lengths in full batches, and as many at every instant as the average fit as well."""
    for prompt, length, count in ((0, 2, 3), (0, 4, 1), (1, 3, 2), (2, 2, 2), (3, 1, 2)):
        size = volume(prompt, length)
        memory = (prompt + length) * size
        batches = [length * (i // size) for i in range(count * memory)]
        even = [i // (prompt + length) for i in range(count * memory)]
        starts = simulate("h-sf", [length] * len(batches), memory, prompt).schedule.starts
        if [int(start) + offset * (start > 0) for start in starts] != batches:
            return f"s = {prompt}, u = {length}, M = {memory}: H-SF starts at {starts}"
        if not Schedule(even, [length] * len(even), prompt).feasible(memory):
            return f"s = {prompt}, u = {length}, M = {memory}: so many starts at every instant do not fit"
    return None


def no_larger_set_fits(more: int = 0) -> str | None:
    """No set of waiting requests that fits is larger than the longest prefix, shortest first, that fits."""
    for lengths, prompt, capacity in small_instances({3: (1, 2, 4), 4: (1, 3)}, (0, 2)):
        for running in ((), (lengths[-1],)):  # started one instant before
            fitting = [
                (count, chosen)
                for count in range(1, len(lengths) + 1)
                for chosen in combinations(lengths, count)
                if Schedule([0 for _ in running] + [1] * count, running + chosen, prompt).peak_memory <= capacity
            ]
            prefix = max((count for count, chosen in fitting if chosen == lengths[:count]), default=0)
            if any(count + more > prefix for count, _ in fitting):
                return f"o = {lengths}, s = {prompt}, M = {capacity}, running {running}: the prefix has {prefix}"
    return None


def three_tokens_in_batches() -> str | None:
    """At s = 1 and M = 36k H-SF starts 9k requests of three tokens every three instants."""
    for scale, count in ((1, 1), (1, 3), (2, 1), (3, 2)):
        starts = simulate("h-sf", [3] * (36 * scale * count), 36 * scale, 1).schedule.starts
        if [int(start) for start in starts] != [3 * (i // (9 * scale)) for i in range(36 * scale * count)]:
            return f"k = {scale}, c = {count}: starts {starts}"
    return None


# ---- queues in an order: A_random and A_max ------------------------------------------------------------------------


def _each_start(policy: str, fails: Callable[[int, int, int, int, list[int]], bool]) -> str | None:
    """Return the first start in a small run at which ``fails(s, M, start, length, lengths before it)`` is true."""
    instances = small_instances({2: (1, 2, 3, 5), 3: (1, 2, 5), 4: (1, 5)}, (0, 2), above_prompt=6, step=2)
    for (lengths, prompt, capacity), order, case in _in_every_order(instances):
        starts = simulate(policy, lengths, capacity, prompt, l=1, u=5, order=order).schedule.starts
        for position, request in enumerate(order):
            before = [lengths[i] for i in order[:position]]
            if fails(prompt, capacity, starts[request], lengths[request], before):
                return f"{case}: start {starts[request]} of {request}"
    return None


def _starts(policy: str, peak: Callable[[int], int]) -> str | None:
    def late(s: int, memory: int, start: int, _: int, before: list[int]) -> bool:
        return start * (memory - s - 5) > sum(o * (s + peak(o)) for o in before)

    return _each_start(policy, late)


def starts_of_a_random() -> str | None:
    """A_random's starts are at most the work before them, each request charged s + o, over M − s − u."""
    return _starts("a-random", lambda o: o)


def starts_of_a_max() -> str | None:
    """A_max's starts are at most the work before them, each request charged s + u, over M − s − u."""
    return _starts("a-max", lambda o: 5)


def volumes_before_a_start() -> str | None:
    """A_random has completed the first k requests u instants after the k-th starts."""

    def early(s: int, memory: int, start: int, length: int, before: list[int]) -> bool:
        return sum(volume(s, o) for o in (*before, length)) > memory * (start + 5)

    return _each_start("a-random", early)


def _two_or_three() -> Iterator[SmallInstance]:
    return small_instances(dict.fromkeys((2, 3), (1, 2, 4)), (0, 1, 3))


def no_room_for_an_earlier_start(*, skip: bool = True) -> str | None:
    """Try that a queue that passes over what does not fit (``skip``) leaves no room in which a request could start earlier."""
    for (lengths, prompt, capacity), order, case in _in_every_order(_two_or_three()):
        starts = judge.run_queue(order, lengths, lengths, prompt, capacity, passing=skip)
        for request, start in enumerate(starts):
            for to in range(start):
                if judge.feasible([*starts[:request], to, *starts[request + 1 :]], lengths, prompt, capacity):
                    return f"{case}: {request} can start at {to}"
    return None


def starts_in_the_order() -> str | None:
    """A_random starts its requests in their order."""
    for (lengths, prompt, capacity), order, case in _in_every_order(_two_or_three()):
        starts = simulate("a-random", lengths, capacity, prompt, order=order).schedule.starts
        queue = [starts[request] for request in order]
        if queue != sorted(queue):
            return f"{case}: starts {queue}"
    return None


def equal_lengths_alike() -> str | None:
    """At l = u the starts of A_max, A_random and H-SF are the same."""
    for length, prompt, count in ((1, 0, 7), (2, 1, 6), (3, 2, 5), (5, 0, 9)):
        for capacity in range(prompt + length, count * (prompt + length) + 1):
            best, *others = (
                simulate(policy, [length] * count, capacity, prompt, l=length, u=length, order=range(count))
                for policy in ("h-sf", "a-max", "a-random")
            )
            if any(sorted(run.schedule.starts) != sorted(best.schedule.starts) for run in others):
                return f"{count} lengths {length}, s = {prompt}, M = {capacity}"
    return None


def ones_under_a_max() -> str | None:
    """A_max starts ⌊M/(s+u)⌋ requests of length 1 at each instant."""
    for up, prompt in product((1, 2, 3, 5), (0, 1, 3)):
        for capacity in range(prompt + up, 4 * (prompt + up) + 2):
            starts = simulate("a-max", [1] * 9, capacity, prompt, l=1, u=up, order=range(9)).schedule.starts
            if list(starts) != [rank // (capacity // (prompt + up)) for rank in range(9)]:
                return f"u = {up}, s = {prompt}, M = {capacity}: starts {starts}"
    return None


def young_under_a_max() -> str | None:
    """A_max's total is at least what the requests younger than l, counted with u, allow."""
    for (low, up), count, prompt in product(((1, 2), (1, 4), (2, 3), (2, 5)), (1, 2, 4, 6), (0, 1, 3)):
        for lengths in combinations_with_replacement((low, up), count):
            for capacity in range(prompt + up, 3 * (prompt + up) + 1):
                for order in (range(count), range(count)[::-1]):
                    total = simulate("a-max", lengths, capacity, prompt, low, up, order=order).total_latency
                    if total < a_max.lower_bound(count, prompt, low, up, capacity):
                        return f"o = {lengths}, s = {prompt}, [{low}, {up}], M = {capacity}: TEL {total}"
    return None


def running_under_a_max() -> str | None:
    """At most M/(s+u−m+1) requests run at an instant under A_max, m the largest length."""
    for low, up, count, prompt in product((1, 2), (4, 6), (2, 3, 5), (0, 1, 3)):
        for lengths in combinations_with_replacement((low, low + 1), count):
            for capacity in range(prompt + up, 3 * (prompt + up) + 1, 2):
                for order in (range(count), range(count)[::-1]):
                    run = simulate("a-max", lengths, capacity, prompt, low, up, order=order).schedule
                    intervals = list(zip(run.starts, run.completions, strict=True))
                    concurrent = max(sum(p <= t < end for p, end in intervals) for t in run.starts)
                    if concurrent * (prompt + up - low) > capacity:
                        return f"o = {lengths}, s = {prompt}, [{low}, {up}], M = {capacity}: {concurrent} run"
    return None


def steps_of_a_random(more: int = 0) -> str | None:
    """A_random starts batches every l instants where few of each have length 7l/5; ``more`` long ones in each batch."""
    for batch, prompt, low, seed in product((20, 40), (0, 1), (20, 40), range(3)):
        rows = [[7 * low // 5] * (batch * 2 // 5 + more) + [low] * (batch * 3 // 5 - more) for _ in range(5)]
        for row in rows:
            Random(seed).shuffle(row)
        lengths = [o for row in rows for o in row]
        order, memory = range(len(lengths)), batch * (prompt + low)
        starts = simulate("a-random", lengths, memory, prompt, order=order).schedule.starts
        if list(starts) != [low * (k // batch) for k in order]:
            return f"B = {batch}, s = {prompt}, l = {low}: starts {list(starts)}"
    return None


def list_starts(lengths: Sequence[int], machines: int) -> list[int]:
    """Return the start times of list scheduling on ``machines`` machines."""
    free, starts = [0] * machines, list[int]()
    for length in lengths:
        first = free.index(min(free))
        starts.append(free[first])
        free[first] += length
    return starts


def a_max_before_slots(factor: int = 1) -> str | None:
    """A_max starts no request later than list scheduling on ⌊M/(s+u)⌋ machines does."""
    instances = small_instances({3: (1, 2, 4), 4: (1, 4)}, (0, 2), above_prompt=4, step=2)
    for (lengths, prompt, memory), order, case in _in_every_order(instances):
        top = max(lengths)
        starts = simulate("a-max", lengths, memory, prompt, l=1, u=top, order=order).schedule.starts
        slots = list_starts([lengths[i] for i in order], factor * (memory // (prompt + top)))
        if any(starts[i] > slot for i, slot in zip(order, slots, strict=True)):
            return f"{case}: starts {list(starts)}, slots {slots}"
    return None


def mean_of_slots(factor: int = 1) -> str | None:
    """Try that the mean total of list scheduling over all orders is at most m̄ Σ ⌈k/N⌉."""
    for lengths, machines in product(((1, 1, 4, 4, 2), (1, 3, 3, 5), (1, 2, 3, 4, 5, 6)), (1, 2, 3, 4)):
        orders = list(permutations(lengths))
        total = sum(sum(list_starts(order, machines)) + sum(order) for order in orders)
        rounds = sum(ceil(Fraction(i + 1, factor * machines)) for i in range(len(lengths)))
        bound = Fraction(sum(lengths), len(lengths)) * rounds
        if total > bound * len(orders):
            return f"{lengths} on {machines} machines: {total} over {len(orders)} orders, bound {bound}"
    return None


# ---- A_ell, and requests out of step -------------------------------------------------------------------------------


def a_ell_in_batches() -> str | None:
    """A_ℓ's mean total on whole batches of two lengths is that of the formula."""
    intervals, weights = ((1, 2), (1, 3), (2, 3), (2, 5)), ((0, 1), (1, 1), (3, 1), (1, 2))
    for s, (l, u), weights_of_both in product((0, 1, 3), intervals, weights):
        row = two_lengths.instance(s, l, u, weights_of_both, 1, 1)
        mean = two_lengths.both_orders(row.lengths, row.memory, s, l, u, "reference")
        if mean != two_lengths.a_ell_total_of(row):
            return f"{row}: {mean} is not {two_lengths.a_ell_total_of(row)}"
    return None


def _staggered() -> Iterator[staggered.Staggered]:
    for prompt, low, up in ((0, 1, 2), (0, 1, 3), (0, 2, 4), (1, 1, 3), (1, 2, 4), (3, 1, 2), (0, 2, 5)):
        yield staggered.family(prompt, low, up, 1, 3)


def staggered_groups() -> str | None:
    """H-SF's total on the staggered family is that of its groups."""
    for row in _staggered():
        total = simulate("h-sf", row.lengths, row.memory, row.s, engine="fast").total_latency
        if total != staggered.h_sf_total(row):
            return f"{row}: total {total}"
    return None


def a_random_in_lock_step() -> str | None:
    """Shorter requests that are far apart in the order do not break A_random's batches of length u."""
    for row in _staggered():
        batch = 2 * (row.s + row.u)
        memory = batch * (row.s + row.u)
        for length in range(row.l, row.u):
            for first in (0, 1, batch - 1, batch, batch + 1):
                short = set(accumulate([first, batch + 2, batch + 5]))
                lengths = [length if position in short else row.u for position in range(5 * batch)]
                starts = simulate("a-random", lengths, memory, row.s, order=range(len(lengths))).schedule.starts
                starts_of_u = [int(start) for start, o in zip(starts, lengths, strict=True) if o == row.u]
                if starts_of_u != [row.u * (position // batch) for position in range(len(starts_of_u))]:
                    return f"s = {row.s}, u = {row.u}, M = {memory}, {length} at {sorted(short)}: starts {starts_of_u}"
    return None


# ---- generations of H-SF -------------------------------------------------------------------------------------------


class LongRun(NamedTuple):
    """A run of H-SF: lengths in order, s, M, and the starts."""

    lengths: list[int]
    s: int
    memory: int
    starts: list[int]

    @property
    def interval(self) -> tuple[int, int]:
        """The smallest and the largest length."""
        return self.lengths[0], self.lengths[-1]


@cache
def _long_runs() -> list[LongRun]:
    """Return runs at M from (s+u+1)³ on."""
    runs: list[LongRun] = []
    for prompt, low, up in ((0, 2, 2), (0, 2, 3), (0, 3, 3), (1, 2, 3), (0, 1, 3), (1, 3, 4)):
        memory_floor = (prompt + up + 1) ** 3
        out_of_step = staggered.family(prompt, low, up, -(-memory_floor // staggered.unit(prompt, low, up)), 12)
        mixed = [low + (7 * i) % (up - low + 1) for i in range(8 * memory_floor)]
        for lengths, memory in (
            (out_of_step.lengths, out_of_step.memory),
            ([low] * 10 + [up] * (8 * memory_floor), memory_floor),
            ([low] * (4 * memory_floor) + [up] * (4 * memory_floor), memory_floor + 5),
            (sorted(mixed), memory_floor + 1),
        ):
            starts = simulate("h-sf", lengths, memory, prompt, engine="fast").schedule.starts
            runs.append(LongRun(lengths, prompt, memory, [int(start) for start in starts]))
    return runs


def one_or_many(factor: int = 1) -> str | None:
    """Where two or more start at one instant t > 0, at least (R+2)/(s+u+1) of the R that run complete."""
    for lengths, prompt, memory, starts in _long_runs():
        for t in (t for t, count in Counter(starts).items() if t > 0 and count > 1):
            running = sum(start < t <= start + o for start, o in zip(starts, lengths, strict=True))
            done = sum(start + o == t for start, o in zip(starts, lengths, strict=True))
            if done * (prompt + lengths[-1] + 1) < factor * (running + 2):
                return f"s = {prompt}, M = {memory}, n = {len(lengths)}: {done} of {running} complete at {t}"
    return None


def starts_after_charges(factor: int = 1) -> str | None:
    """H-SF's starts are no earlier than the charges before them allow, up to the errors."""
    for run in _long_runs():
        (low, up), prompt, memory = run.interval, run.s, run.memory
        lost = volume(0, low - 1)
        error = Fraction(memory * (volume(prompt, up) + lost), prompt + 1) + low * up * (prompt + up)
        charges = accumulate((h_sf.charge(o, prompt, low) + (factor - 1) * lost for o in run.lengths), initial=0)
        for start, before in zip(run.starts, charges, strict=False):
            if (memory + lost + up * (prompt + up)) * start < before - error:
                return f"s = {prompt}, [{low}, {up}], M = {memory}, n = {len(run.starts)}: a start at {start}"
    return None


def starts_after_generations(factor: int = 1) -> str | None:
    """H-SF's starts are no earlier than one length of each earlier generation."""
    for run in _long_runs():
        (low, up), prompt = run.interval, run.s
        size = (Fraction(run.memory, prompt + low) + up) / factor
        for rank, start in enumerate(run.starts, start=1):
            if start < h_sf.earliest(rank, size, run.lengths):
                return f"s = {prompt}, [{low}, {up}], M = {run.memory}: request {rank} starts at {start}"
    return None


# ---- kill and restart ----------------------------------------------------------------------------------------------


def killed_once_at_the_ends() -> str | None:
    """Try that the mean total of the policy that kills once is at most its bound on lengths 1 and u."""
    for up in (2, 3, 5):
        instances = small_instances(dict.fromkeys((1, 2, 3, 4), (1, up)), (0, 1, 3), above_prompt=up + 1)
        for lengths, prompt, memory in instances:
            orders = list(permutations(range(len(lengths))))
            if counterexample := _mean_above_bound(lengths, orders, prompt, up, memory):
                return counterexample
    for up, prompt, longs in product((2, 4), (0, 1), (0, 10, 40)):
        lengths = ([1] * (400 // max(longs, 1)) + [up]) * longs or [1] * 400
        indices = range(len(lengths))  # a request's mean place in an order and its reverse is that in all orders
        if counterexample := _mean_above_bound(lengths, [indices, indices[::-1]], prompt, up, 10 * (prompt + up)):
            return counterexample
    return None


def _mean_above_bound(
    lengths: Sequence[int], orders: Sequence[Sequence[int]], prompt: int, up: int, memory: int
) -> str | None:
    mean = Fraction(sum(a_random.kill_once_total(lengths, order, prompt, up, memory) for order in orders), len(orders))
    if mean <= at_finite_n.kill_once_upper(lengths.count(1), lengths.count(up), prompt, up, memory):
        return None
    return f"{len(lengths)} lengths, {lengths.count(up)} of them u = {up}, s = {prompt}, M = {memory}: E TEL {mean}"


def killed_once_between() -> str | None:
    """Its total is at least its bound where all lengths are 2 or more."""
    for up in (3, 4, 6):
        instances = small_instances(dict.fromkeys((1, 2, 3, 4), (2, 3)), (0, 1, 3), above_prompt=up)
        for (lengths, prompt, memory), order, _ in _in_every_order(instances):
            if counterexample := _total_below_bound(lengths, order, prompt, up, memory):
                return counterexample
    for up, prompt, longer in product((4, 6), (0, 1), (0, 10)):
        lengths = [2] * 200 + [3] * longer
        if counterexample := _total_below_bound(lengths, range(len(lengths)), prompt, up, 10 * (prompt + up)):
            return counterexample
    return None


def _total_below_bound(lengths: Sequence[int], order: Sequence[int], prompt: int, up: int, memory: int) -> str | None:
    total = a_random.kill_once_total(lengths, order, prompt, up, memory)
    if total >= at_finite_n.kill_once_lower(len(lengths), prompt, up, memory):
        return None
    return f"{len(lengths)} lengths, u = {up}, s = {prompt}, M = {memory}, order {list(order)[:4]}: TEL {total}"


def _for_restarts() -> Iterator[SmallInstance]:
    return small_instances({2: (1, 2, 3, 5), 3: (1, 3, 5), 4: (1, 5)}, (0, 1, 3), above_prompt=5, step=2)


def phases_in_order() -> str | None:
    """A-restart's phases follow each other in order, and no start is later than the bound on its rank."""
    for (lengths, prompt, capacity), order, case in _in_every_order(_for_restarts()):
        run = simulate("a-restart", lengths, capacity, prompt, l=1, u=5, order=order, history=True)
        killed = run.cancelled
        assert killed is not None
        starts = {(i, int(run.bounds[i])): int(run.starts[i]) for i in range(len(lengths))}
        rows = zip(killed.request.tolist(), killed.bound.tolist(), killed.start.tolist(), strict=True)
        starts |= {(i, bound): start for i, bound, start in rows}
        last_start = last_threshold = 0  # of the phase before
        for threshold in thresholds(1, 5):
            phase = [starts[i, threshold] for i in order if (i, threshold) in starts]
            batch = capacity // (prompt + threshold)
            if phase != sorted(phase) or (phase and phase[0] < last_start):
                return f"{case}, threshold {threshold}: the phases do not follow each other in order"
            for rank, start in enumerate(phase):
                if start > last_start + last_threshold + Fraction(rank * threshold, batch):
                    return f"{case}, threshold {threshold}: start {start} of rank {rank}"
            if phase:
                last_start, last_threshold = phase[-1], threshold
    return None


def restart_total() -> str | None:
    """A-restart's mean total over all orders is at most its bound."""
    for lengths, prompt, capacity in _for_restarts():
        if len(lengths) < 4:
            orders = list(permutations(range(len(lengths))))
            runs = [simulate("a-restart", lengths, capacity, prompt, l=1, u=5, order=order) for order in orders]
            mean = Fraction(sum(run.total_latency for run in runs), len(runs))
            bound = at_finite_n.restart_upper(lengths, prompt, 1, 5, capacity)
            if mean > bound:
                return f"o = {lengths}, s = {prompt}, M = {capacity}: mean TEL {mean} exceeds {bound}"
    return None


def added_by_restarts() -> str | None:
    """Try that starting again adds at most four times a request's length."""
    for low in range(1, 8):
        for up in range(low, 70):
            for o in range(low, up + 1):
                if at_finite_n.restart_added(o, low, up) > thm_optimality.ADDED * o:
                    return f"o = {o} in [{low}, {up}]: {at_finite_n.restart_added(o, low, up)}"
    return None


# ---- Algorithm 2 ---------------------------------------------------------------------------------------------------

LAWS: tuple[tuple[tuple[dict[int, int], int], ...], ...] = (
    (({1: 3, 2: 1}, 0), ({1: 2, 2: 1, 3: 1}, 1)),
    (({1: 9, 3: 1}, 1), ({1: 9, 4: 1}, 2)),
)
"""Laws with s for the trials by areas: with shrinking needs, and with starts that hold most of the memory."""


def _run(x: Mapping[int, int], prompt: int, seed: int) -> Run:
    lengths = Random(seed).choices(list(x), list(x.values()), k=300)
    return simulate("a-min-literal", lengths, 2 * (prompt + max(x)), prompt, 1, max(x), seed=seed, history=True)


@cache
def _runs(of_starts: bool) -> tuple[tuple[Mapping[int, int], int, tuple[Run, ...]], ...]:
    return tuple((x, prompt, tuple(_run(x, prompt, seed) for seed in range(6))) for x, prompt in LAWS[of_starts])


def _few_cancelled(of_starts: bool, factor: int | Fraction) -> str | None:
    """Compare the cancellations of all runs of a law with the bound (without γ) times the number of instants."""
    for x, prompt, runs in _runs(of_starts):
        needs = [Fraction(w, sum(x.values())) for w in algorithm_two.needs(x, prompt)]
        u, theta = max(x), sum(needs[1:]) / (prompt + 1)
        rho = 1 - max(later / earlier for earlier, later in pairwise(needs))
        bound = (prompt + u) * theta / (2 * (1 - theta)) if of_starts else Fraction(prompt + u) / (4 * rho)
        cancelled, instants = sum(run.cancellations for run in runs), sum(run.makespan for run in runs)
        if cancelled > factor * bound * instants:
            return f"weights {x}, s = {prompt}: {cancelled} cancelled at {instants} instants"
    return None


def few_cancelled_where_needs_shrink(factor: int | Fraction = 1) -> str | None:
    """Try that the mean number of cancellations per instant is within the bound, where needs shrink with age."""
    return _few_cancelled(False, factor)


def few_cancelled_where_starts_hold_most(factor: int | Fraction = 1) -> str | None:
    """Try that the mean number of cancellations per instant is within the bound, where starts hold most of the memory."""
    return _few_cancelled(True, factor)


def _delays(of_starts: bool, factor: int) -> str | None:
    for x, prompt, runs in _runs(of_starts):
        for run in runs:
            first = [run.makespan] * run.n
            for request, start in zip(run.episodes.request, run.episodes.start, strict=True):
                first[request] = min(first[request], int(start))
            error = (Fraction(run.memory, prompt + 1) + run.cancellations) * volume(prompt, max(x))
            before = 0
            for request in sorted(range(run.n), key=first.__getitem__):
                if run.memory * first[request] < factor * before - error:
                    return f"weights {x}, s = {prompt}, seed {run.seed}: a first start at {first[request]}"
                before += volume(prompt, int(run.lengths[request]))
    return None


def delays_where_needs_shrink(factor: int = 1) -> str | None:
    """First starts wait for the areas of those before them, where needs shrink with age."""
    return _delays(False, factor)


def delays_where_starts_hold_most(factor: int = 1) -> str | None:
    """First starts wait for the areas of those before them, where starts hold most of the memory."""
    return _delays(True, factor)


def kept_from_the_first_start(factor: int = 1) -> str | None:
    """Compare the completions from õ = 1, by length, with ``factor`` times all requests less those waiting, running or cancelled."""
    for x, prompt, runs in _runs(False):
        for run in runs:
            lost = run.cancelled
            assert lost is not None
            over, first = lost.start + lost.age, run.bounds == 1
            for t in range(0, run.makespan, 5):
                idle = run.starts > t  # it will start again, for the last time
                idle[lost.request[(lost.start <= t) & (t < over)]] = False
                idle[lost.request[(over <= t) & (lost.age > 1)]] = False
                away = Fraction(run.memory, prompt + 1) + int((over <= t).sum())
                for length in x:
                    of_length = run.lengths == length
                    if (first & of_length).sum() < factor * of_length.sum() - (idle & of_length).sum() - away:
                        return f"weights {x}, s = {prompt}, seed {run.seed}: length {length} at t = {t}"
    return None


def _two_lengths() -> Iterator[tuple[tuple[int, ...], int, int, tuple[int, ...]]]:
    for lengths in ((1, 1), (1, 3), (1, 3, 3), (1, 1, 3, 3), (1, 4, 4, 4), (2, 5, 5, 5), (1, 1, 4, 4, 4)):
        for prompt in (0, 1, 2):
            low = prompt + lengths[-1]
            for capacity in range(low, sum(prompt + o for o in lengths) + 1, 2):
                for ties in list(permutations(range(len(lengths))))[:: 1 if len(lengths) < 5 else 7]:
                    yield lengths, prompt, capacity, ties


def longs_that_leave() -> str | None:
    """Few are cancelled at an instant, first starts follow the ties, and few longs were started before each instant."""
    for lengths, prompt, capacity, ties in _two_lengths():
        run = simulate("a-min-literal", lengths, capacity, prompt, ties=ties, history=True)
        assert run.cancelled is not None
        cancelled = (run.cancelled.start + run.cancelled.age).tolist()
        first = dict(zip(run.cancelled.request[::-1].tolist(), run.cancelled.start[::-1].tolist(), strict=True))
        begun = [first.get(i, int(run.starts[i])) for i in range(len(lengths))]
        case = f"o = {lengths}, s = {prompt}, M = {capacity}, ties {ties}"
        for t in set(cancelled):
            if cancelled.count(t) > at_finite_n.cancellations_bound(capacity, prompt):
                return f"{case}: {cancelled.count(t)} are cancelled at t = {t}"
        order = sorted(begun[i] for i in ties)
        if order != [begun[i] for i in ties]:
            return f"{case}: the first starts do not follow the ties"
        big = lengths[-1]
        area = volume(prompt, big)
        for t in range(1, run.makespan + 1):
            longs = sum(begun[i] < t for i, o in enumerate(lengths) if o == big)
            done = sum(run.starts[i] + o <= t for i, o in enumerate(lengths) if o == big)
            leave = Fraction(capacity * t, area) + sum(c <= t for c in cancelled)
            if done * area > capacity * t or longs > leave + Fraction(capacity, prompt + 1):
                return f"{case}: {longs} longs were started before t = {t}"
    return None


def longs_before_a_short() -> str | None:
    """In a random order the longs split evenly, in the mean, among the gaps that the shorts leave."""
    for shorts, longs in ((1, 1), (2, 1), (1, 3), (2, 3), (3, 2)):
        rows = set(permutations([0] * shorts + [1] * longs))
        for number in range(1, shorts + 1):
            places = [[index for index, kind in enumerate(row) if not kind][number - 1] for row in rows]
            before = [position - number + 1 for position in places]
            if Fraction(sum(before), len(rows)) != Fraction(number * longs, shorts + 1):
                return f"{shorts} shorts, {longs} longs: before short {number}"
    return None


def _states() -> Iterator[tuple[tuple[int, ...], tuple[buckets.Running, ...], int, int]]:
    some: tuple[buckets.Running, ...] = ((0, 1), (1, 2), (1, 4), (2, 3))
    for waiting in range(1, 5):
        for bounds in combinations_with_replacement((1, 2, 3, 5), waiting):
            for count in range(3):
                for running in combinations_with_replacement(some, count):
                    for prompt in (1, 2):
                        memory_in_use = sum(prompt + age + 1 for age, _ in running)
                        for memory in range(max(memory_in_use, prompt + 1), memory_in_use + 16, 3):
                            yield bounds, running, prompt, memory


def admissions_by_buckets() -> str | None:
    """Buckets admit the same number as a request-by-request test."""
    for bounds, running, prompt, memory in _states():
        one = buckets.by_buckets(bounds, running, prompt, memory)
        two = buckets.one_by_one(bounds, running, prompt, memory)
        if one != two:
            return f"õ = {bounds} beside {running}, s = {prompt}, M = {memory}: {one} by buckets, {two} one by one"
    return None


def batches_before_periods(more: int = 0) -> str | None:
    """At the first start with bound i fewer than M/(s+1) requests with o < i have not completed, and none of them waits."""
    instances = small_instances(dict.fromkeys((2, 3), (1, 2, 3, 4)), (0, 1))
    for (lengths, prompt, memory), ties, case in _in_every_order(instances):
        run = simulate("a-min-literal", lengths, memory, prompt, 1, ties=ties, history=True)
        for bound, waiting_before in unfinished(run).items():
            if (waiting_before + 1 + more) * (prompt + 1) > memory:
                return f"{case} of the ties: {waiting_before} at bound {bound}"
        assert run.cancelled is not None
        rows = [*zip(run.cancelled.request, run.cancelled.bound, strict=True), *enumerate(run.bounds)]
        if any(bound > lengths[i] for i, bound in rows):
            return f"{case} of the ties: a bound above the length"
    return None


# ---- theorems on forms ----


def limit_of_deficit() -> str | None:
    """Add the terms of u in order: π²/48 lies between d − E/(16u²) and d, to within 10⁻⁶."""
    with precision(128):
        limit, total, odd = Ball.pi() ** 2 / 48, ball(Fraction(1, 4)), ball(1)
        for last in range(2, 1001):
            total -= (odd * (2 * last - 1) - last + 1) / (4 * last * (last - 1) * (2 * last - 1) ** 2)
            odd += ball(1) / (2 * last - 1)
            if not (total > limit and total - odd / (16 * last**2) < limit):
                return f"u = {last}"
    return None


def refined_and_single(worse: int = 0) -> str | None:
    """Run the family with [1, 2], [3, 3] and with [1, 3]: ``worse`` is added to what the latter is to take."""
    for size in (1, 2, 3):
        lengths = [2] * 3 * size + [3] * 3 * size
        for seed in range(10):
            single = simulate("a-min-literal", lengths, 12 * size, 1, 1, 3, seed=seed, history=True)
            assert single.cancelled is not None
            first = single.cancelled.request[single.cancelled.start == 0]
            short = sum(lengths[request] == 2 for request in first)
            refined = simulate(
                "a-min-literal", lengths, 12 * size, 1, [1 if o == 2 else 3 for o in lengths], lengths, seed=seed
            )
            expected = (19 * size + 2 * max(short - size, 0) + worse, 21 * size)
            if (single.total_latency, refined.total_latency) != expected:
                return f"m = {size}, seed {seed}: {single.total_latency} and {refined.total_latency}, not {expected}"
    return None
