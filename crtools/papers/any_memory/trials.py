"""What tries the arguments of this theory on small runs: each function returns where one fails, None where none does.

The text names them (``tested by``). The runs are those of :mod:`crtools.papers.any_memory.process`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, pairwise, permutations, product
from math import ceil, floor, log
from random import Random

import numpy as np

from crtools.numeric_types import IntArray
from crtools.papers.any_memory.process import (
    GROWTH,
    WEIGHT,
    BoxInstant,
    BoxRun,
    Half,
    Request,
    box_run,
    feasible,
    halves,
    held,
    kill_age,
    peak,
    places_by_volume,
    preemptive,
    queue_starts,
    shared,
    small_instances,
    total,
    volume,
)
from crtools.papers.beyond.evidence.computed import symbol_at_most as symbol_at_most
from crtools.papers.beyond.evidence.computed import symbol_at_the_best_base as symbol_at_the_best_base
from crtools.papers.beyond.trials import MEMORY, SLACK, expected_wait, run_steps
from crtools.papers.beyond.trials import Run as PacedRun
from crtools.schedule import batch_total

KINDS = [(s, o) for s in range(3) for o in range(1, 4)]


def _first(failing: Iterator[object]) -> str | None:
    return next((f"it fails at {at}" for at in failing), None)


# ---- the lower bound ------------------------------------------------------------------------------------------------


def mean_instant(request: Request, start: int) -> Fraction:
    """Return T, the mean of the instants at which the tokens of a run are held."""
    s, o = request
    return Fraction(sum((s + a) * (start + a) for a in range(1, o + 1)), volume(request))


def _pairs() -> Iterator[tuple[list[Request], list[int], int]]:
    for first, second in product(KINDS, repeat=2):
        for starts in product(range(4), repeat=2):
            pair = [first, second]
            memory = next(m for m in range(1, 20) if feasible(pair, starts, m))
            yield pair, [*starts], memory


def term(request: Request) -> Fraction:
    """Return how much later than the mean instant of its tokens, less one half, a request completes."""
    s, o = request
    return Fraction(sum((o - a) * (s + a) for a in range(1, o + 1)), volume(request)) + Fraction(1, 2)


def busy() -> str | None:
    """Try that a request completes after the mean instant of its tokens by what the sum over its ages says."""

    def fails(request: Request, start: int) -> bool:
        return start + request[1] - mean_instant(request, start) < term(request) - Fraction(1, 2)

    return _first((r, p) for pair, starts, _ in _pairs() for r, p in zip(pair, starts, strict=True) if fails(r, p))


def tokens() -> str | None:
    """Try that the volume times the mean instant, summed over requests, is at least the sum with all the memory in use."""

    def fails(requests: list[Request], starts: list[int], memory: int) -> bool:
        own = sum(volume(r) * mean_instant(r, p) for r, p in zip(requests, starts, strict=True))
        return own < batch_total(sum(map(volume, requests)), memory)

    return _first(schedule for schedule in _pairs() if fails(*schedule))


def steady(s: int, o: int, count: int) -> tuple[list[Request], list[int], int]:
    """Return requests (s, o) that start one after the other at 0, 1, …, beside others that fill the memory from 0 on."""
    others = [(s + o - r, r) for r in range(1, o)]
    return [*others, *[(s, o)] * count], [*[0] * len(others), *range(count)], volume((s, o))


def full() -> str | None:
    """All the memory is in use at each of the first instants, and never more than that."""

    def fails(s: int, o: int, count: int) -> bool:
        requests, starts, memory = steady(s, o, count)
        used = [held(requests, starts, t) for t in range(1, count + 1)]
        return set(used) != {memory} or not feasible(requests, starts, memory)

    return _first(at for at in product(range(3), range(1, 5), range(1, 7)) if fails(*at))


# ---- queues ---------------------------------------------------------------------------------------------------------


def _queues() -> Iterator[tuple[list[Request], int, list[int], list[int]]]:
    """Iterate over all orders of small instances, with the starts by reserved peaks and by look-ahead."""
    for requests, memory in small_instances():
        for order in dict.fromkeys(permutations(requests)):
            queue = list(order)
            reserved, ahead = (queue_starts(queue, memory, look_ahead=rule) for rule in (False, True))
            yield queue, memory, reserved, ahead


def never_later() -> str | None:
    """Look-ahead starts no request later than reserved peaks do."""
    return _first(
        (queue, memory)
        for queue, memory, reserved, ahead in _queues()
        if any(a > r for a, r in zip(ahead, reserved, strict=True))
    )


def refused() -> str | None:
    """Try that what is reserved before a start is bounded by the peaks and lengths of those before it in the queue."""

    def fails(queue: list[Request], memory: int, starts: list[int]) -> bool:
        free = memory - max(map(peak, queue)) + 1
        return any(free * start > sum(peak(r) * r[1] for r in queue[:k]) for k, start in enumerate(starts))

    return _first(
        (queue, memory)
        for queue, memory, reserved, ahead in _queues()
        if fails(queue, memory, reserved) or fails(queue, memory, ahead)
    )


# ---- families -------------------------------------------------------------------------------------------------------


def full_memory(pairs: int, m: int) -> tuple[list[Request], int]:
    """Return pairs of (0, m) and (M − 1, 1), M = m(m+1)/2, and M."""
    memory = m * (m + 1) // 2
    return [(0, m), (memory - 1, 1)] * pairs, memory


def completions(queue: list[Request], starts: Sequence[int]) -> list[int]:
    """Return when the requests complete."""
    return [p + o for (_, o), p in zip(queue, starts, strict=True)]


Run = tuple[list[Request], int, list[int]]
"""A queue, the memory, and when its requests complete."""


def _complete_so(runs: Iterable[Run]) -> str | None:
    """Return the first of these queues whose requests complete otherwise, by reserved peaks or by look-ahead."""

    def fails(queue: list[Request], memory: int, ends: list[int]) -> bool:
        both = (queue_starts(queue, memory, look_ahead=rule) for rule in (False, True))
        return any(completions(queue, starts) != ends for starts in both)

    return _first(run for run in runs if fails(*run))


SIZES = list(product(range(1, 5), range(1, 5)))


def in_pairs() -> str | None:
    """Try that the requests of a pair complete one after the other, before the next pair starts."""
    return _complete_so(
        (*full_memory(pairs, m), [end for j in range(pairs) for end in (j * (m + 1) + m, (j + 1) * (m + 1))])
        for pairs, m in SIZES
    )


def two_parts(pairs: int, m: int) -> tuple[list[Request], range, int]:
    """Return the same requests, those of length 1 first, one start at each instant, and M."""
    queue, memory = full_memory(pairs, m)
    return [*queue[1::2], *queue[::2]], range(2 * pairs), memory


def in_parts() -> str | None:
    """With all requests of length 1 first, one of the others starts at each instant."""

    def fails(pairs: int, m: int) -> bool:
        requests, starts, memory = two_parts(pairs, m)
        ends = [*range(1, pairs + 1), *range(pairs + m, 2 * pairs + m)]
        return not feasible(requests, starts, memory) or completions(requests, starts) != ends

    return _first(size for size in SIZES if fails(*size))


def prompts_that_fill(K: int) -> tuple[list[Request], int]:
    """Return 2K requests of one token with prompts M − 1, and K² of two tokens without prompts, M = 2K²."""
    memory = 2 * K * K
    return [*[(memory - 1, 1)] * (2 * K), *[(0, 2)] * (K * K)], memory


def lengths_first() -> str | None:
    """By length the long prompts run one after the other, and then all others together."""
    return _complete_so((*prompts_that_fill(K), [*range(1, 2 * K + 1), *[2 * K + 2] * (K * K)]) for K in range(1, 7))


def volumes_first() -> str | None:
    """With the others first, these run together, and then the long prompts one after the other."""
    return _complete_so(
        (prompts_that_fill(K)[0][::-1], 2 * K * K, [*[2] * (K * K), *range(3, 2 * K + 3)]) for K in range(1, 7)
    )


def in_waves() -> str | None:
    """Equal requests without prompts start in waves that fill the memory at their ends."""
    return _complete_so(
        ([(0, u)] * (B * N), N * u, [u * b for b in range(1, B + 1) for _ in range(N)])
        for u, N, B in product(range(1, 5), repeat=3)
    )


# ---- requests that arrive over time ---------------------------------------------------------------------------------


def spread() -> str | None:
    """Try that the flow times of a schedule are at least those of a machine, and the mean busy times and terms."""

    def fails(pair: Sequence[Request], releases: Sequence[int], delays: Sequence[int]) -> bool:
        starts = [r + d for r, d in zip(releases, delays, strict=True)]
        memory = next(m for m in range(1, 20) if feasible(pair, starts, m))
        jobs = list(zip(releases, map(volume, pair), strict=True))
        ends, _ = preemptive(jobs, memory, remaining=True)
        _, means = preemptive(jobs, memory, remaining=False)
        return total(pair, starts) < max(sum(ends), sum(means) + sum(map(term, pair)))

    pairs, shifts = product(product((0, 1), (1, 2, 3)), repeat=2), list(product(range(3), repeat=2))
    return _first(at for at in product(pairs, shifts, shifts) if fails(*at))


def arriving(n: int) -> tuple[list[Request], int]:
    """Return a request that fills the memory M = n(n+1) at its last instant, n others, and M."""
    memory = n * (n + 1)
    return [(memory - n, n), *[(n, 1)] * n], memory


def least_flow(n: int, start: int) -> int:
    """Return the least flow time without kills where the first starts at ``start``, and the others arrive one later."""
    requests, memory = arriving(n)
    other = next(p for p in range(start + 1, start + n + 1) if feasible(requests[:2], [start, p], memory))
    return start + n + n * (other + 1 - (start + 1))


def possible_flow(n: int, start: int) -> int:
    """Return the flow time of a schedule that knows when the others arrive."""
    requests, memory = arriving(n)
    first = 0 if start >= n - 1 else start + 2
    flow = first + n + n
    return flow if feasible(requests, [first, *[start + 1] * n], memory) else 0


STARTS = [(n, start) for n in range(2, 6) for start in range(n * n)]


def waits() -> str | None:
    """Where the first has started each of the others waits for it."""
    return _first((n, start) for n, start in STARTS if least_flow(n, start) - (start + n) < n * n)


def schedules() -> str | None:
    """There is a schedule with the flow time that is claimed."""
    claimed = ((n, start, 2 * n if start >= n - 1 else n + start + 2 + n) for n, start in STARTS)
    return _first((n, start) for n, start, flow in claimed if possible_flow(n, start) != flow)


CLASSES = ({1: "1/2", 4: "1/2"}, {2: "1/5", 3: "4/5"}, {1: "1/4", 2: "1/4", 7: "1/2"}, {3: "1"})
"""Shares of classes by their means."""


def unfinished_share(shares: Mapping[int, Fraction], time: Fraction) -> Fraction:
    """Return the share of the jobs that is unfinished at a time, by increasing class mean."""
    left = Fraction(1)
    for mean, share in sorted(shares.items()):
        run = min(share, time / mean)
        left, time = left - run, time - run * mean
    return left


def class_prices() -> str | None:
    """Try the least of t + μ w(t), and twice the area under w, by its corners."""

    def fails(shares: dict[int, Fraction]) -> bool:
        corners = [Fraction(0), *accumulate(mean * share for mean, share in sorted(shares.items()))]
        times = [corners[-1] * k / 200 for k in range(221)]
        for size in (*shares, Fraction(5, 2), 5, 20):
            waits = sum(share * min(size, other) for other, share in shares.items())
            costs = [t + size * unfinished_share(shares, t) for t in (*corners, *times)]
            if min(costs) != waits:
                return True
        heights = [unfinished_share(shares, t) for t in corners]
        twice = sum((b - a) * (x + y) for a, b, x, y in zip(corners, corners[1:], heights, heights[1:], strict=False))
        return twice != sum(p * q * min(x, y) for x, p in shares.items() for y, q in shares.items())

    written = ({mean: Fraction(share) for mean, share in shares.items()} for shares in CLASSES)
    return _first(shares for shares in written if fails(shares))


Law = Mapping[int, int]
"""Weights of the sizes of a class."""


def attempt(law: Law, after: int, until: int) -> tuple[Fraction, Fraction]:
    """Return the share of the jobs that the attempt (after, until) completes, and the time that it uses for each job."""
    whole = sum(law.values())
    rest = [(size, Fraction(weight, whole)) for size, weight in law.items() if size > after]
    gain = sum((share for size, share in rest if size <= until), Fraction(0))
    return gain, sum((share * min(size, until) for size, share in rest), Fraction(0))


MIXED: tuple[tuple[tuple[Fraction, Law, tuple[tuple[int, ...], ...]], ...], ...] = (
    ((Fraction(1, 2), {1: 1, 9: 1}, ((9,), (1, 9))), (Fraction(1, 2), {9: 1}, ((9,),))),
    ((Fraction(1, 3), {1: 2, 4: 1, 9: 1}, ((1, 4, 9), (4, 9))), (Fraction(2, 3), {2: 1, 3: 1}, ((3,),))),
    ((Fraction(3, 4), {2: 5, 9: 1}, ((2, 9),)), (Fraction(1, 4), {1: 1, 4: 1}, ((1, 4), (4,)))),
    ((Fraction(1, 5), {1: 1, 2: 1}, ((2,),)), (Fraction(4, 5), {4: 1, 9: 3}, ((4, 9), (9,)))),
)
"""For each class its share, its law, and plans with equal shares."""


def class_areas() -> str | None:
    """Try the area under the unfinished share, and the least cost of every attempt, by the corners and by H."""

    def fails(classes: tuple[tuple[Fraction, Law, tuple[tuple[int, ...], ...]], ...]) -> bool:
        flows = [
            (share / len(plans), *attempt(law, a, c))
            for share, law, plans in classes
            for plan in plans
            for a, c in pairwise((0, *plan))
        ]
        flows.sort(key=lambda flow: -flow[1] / flow[2])
        times = [*accumulate((f * used for f, _, used in flows), initial=Fraction(0))]
        left = [*accumulate((-f * gain for f, gain, _ in flows), initial=Fraction(1))]
        area = sum((f * used) * (x + y) / 2 for (f, _, used), x, y in zip(flows, left, left[1:], strict=False))
        indices = [gain / used for _, gain, used in flows] + [Fraction(0)]
        squares = sum(t * t * (x - y) for t, x, y in zip(times[1:], indices, indices[1:], strict=False))
        if 2 * area != squares:
            return True
        for _, gain, used in flows:
            index = gain / used
            parts = zip(times[1:], indices, indices[1:], strict=False)
            height = sum(t * (min(x, index) - min(y, index)) for t, x, y in parts)
            if min(gain * t + used * w for t, w in zip(times, left, strict=True)) != used * height:
                return True
        return False

    return _first(classes for classes in MIXED if fails(classes))


def one_for_two() -> str | None:
    """Try that one attempt is cheaper than two of which the second has the larger index, under every price at two times."""

    def fails(
        first: tuple[Fraction, Fraction], second: tuple[Fraction, Fraction], both: tuple[Fraction, Fraction]
    ) -> bool:
        if first[0] * second[1] >= second[0] * first[1]:
            return False
        for gap, low, fall in product(range(1, 9), range(4), range(9)):
            times = ((0, low + fall), (gap, low))
            cost = [[gain * t + used * w for t, w in times] for gain, used in (first, second, both)]
            if cost[0][1] <= cost[0][0] and cost[1][0] <= cost[1][1] and min(cost[2]) >= cost[0][1] + cost[1][0]:
                return True
        return False

    laws = (dict[int, int](zip((1, 2, 4, 9), weights, strict=True)) for weights in product((1, 5), repeat=4))
    return _first(
        (law, a, b, c)
        for law in laws
        for a, b, c in combinations((0, 1, 2, 4, 9), 3)
        if fails(attempt(law, a, b), attempt(law, b, c), attempt(law, a, c))
    )


# ---- the limit ------------------------------------------------------------------------------------------------------


def completions_by_volumes() -> str | None:
    """Try that the k-th completion is no earlier than the k smallest volumes at a full memory."""

    def fails(queue: list[Request], memory: int, starts: list[int]) -> bool:
        needed = accumulate(sorted(map(volume, queue)))
        ends = sorted(completions(queue, starts))
        return any(memory * end < work for end, work in zip(ends, needed, strict=True))

    return _first((queue, memory) for queue, memory, _, ahead in _queues() if fails(queue, memory, ahead))


def even_pace() -> str | None:
    """Equal requests that start at an even rate hold their volume times the rate, and one peak more, at most."""

    def fails(s: int, o: int, rate: Fraction) -> bool:
        requests, starts = [(s, o)] * 40, [ceil(j / rate) for j in range(40)]
        most = max(held(requests, starts, t) for t in range(1, starts[-1] + o + 1))
        return most > volume((s, o)) * rate + s + o

    return _first(
        at for at in product(range(3), range(1, 5), map(Fraction, ("1/3", "2/3", "1", "3/2", "5"))) if fails(*at)
    )


def first_kind_first() -> str | None:
    """Try when H-SF completes requests of one token with prompts, and of two without."""

    def fails(s: int, memory: int, first: int, second: int) -> bool:
        queue = [(s, 1)] * first + [(0, 2)] * second
        ends = completions(queue, queue_starts(queue, memory, look_ahead=True))
        bounds = [(s + 1) * k for k in range(1, first + 1)] + [(s + 1) * first + 3 * k for k in range(1, second + 1)]
        return any(memory * end < work for end, work in zip(ends, bounds, strict=True))

    sizes = product((1, 2, 5, 11), (2, 3, 6, 12), range(1, 7), range(1, 7))
    return _first(at for at in sizes if at[0] < at[1] and fails(*at))


def unfinished() -> str | None:
    """Try that what is unfinished at an instant has at least the volumes that arrived less what the memory held."""

    def fails(requests: list[Request], memory: int, ends: list[int], t: int, own: Random) -> bool:
        arrived = [own.randrange(start + 1) < t for start in (e - o for e, (_, o) in zip(ends, requests, strict=True))]
        came = sum(volume(r) for r, here in zip(requests, arrived, strict=True) if here)
        left = sum(
            volume(r) for r, end, here in zip(requests, ends, arrived, strict=True) if here and end > t
        )  # fmt: skip
        return left < came - memory * t

    own = Random(2)
    return _first(
        (requests, memory, t)
        for requests, _, memory in random_instances()[:100]
        for ends in (completions(requests, queue_starts(requests, memory, look_ahead=True)),)
        for t in range(1, max(ends))
        if fails(requests, memory, ends, t, own)
    )


# ---- windows of volumes, and boxes in one list ----------------------------------------------------------------------


@cache
def random_instances() -> tuple[tuple[list[Request], int, int], ...]:
    """Return requests, the largest peak and a memory, 500 times."""
    own, found = Random(0), list[tuple[list[Request], int, int]]()
    for _ in range(500):
        largest = own.choice((3, 6, 12))
        requests = [(own.randrange(largest), own.randint(1, largest)) for _ in range(own.randint(2, 8))]
        most = max(map(peak, requests))
        found.append((requests, most, own.choice([most, most + own.randrange(largest), 2 * most, 3 * most])))
    return tuple(found)


def window_runs() -> Iterator[tuple[list[Request], int, list[Half]]]:
    """Iterate over the instances, each with the halves of its windows for one offset and one coin."""
    for k, (requests, _, memory) in enumerate(random_instances()):
        yield requests, memory, halves(requests, memory, 1 + Fraction(19 * (k % 7), 70), k % 2 == 0)


def waited(half: Half) -> list[int]:
    """Return how long after the beginning of the half its requests start."""
    return [start - half.starts[0] for start in half.starts]


def small_starts() -> str | None:
    """Try that a small request starts at most Σ w after the beginning of its half, over the requests before it."""

    def fails(requests: list[Request], memory: int, half: Half) -> bool:
        before = accumulate((4 * volume(requests[i]) for i in half.members), initial=0)
        return any(memory * wait > work for wait, work in zip(waited(half), before, strict=False))

    return _first(
        (requests, memory, half)
        for requests, memory, done in window_runs()
        for half in done
        if not half.large and fails(requests, memory, half)
    )


def last_end(requests: list[Request], half: Half) -> int:
    """Return when the last request of a half completes."""
    return max(start + requests[i][1] for i, start in zip(half.members, half.starts, strict=True))


def drains() -> str | None:
    """Try that after its last start a half of small requests lasts at most 2/3 of the window's end."""
    return _first(
        (requests, half)
        for requests, _, done in window_runs()
        for half in done
        if not half.large and (last_end(requests, half) - half.starts[-1]) * WEIGHT > half.end
    )


def charged() -> str | None:
    """Try that what comes before a request is paid by the volumes before the last of all, and by drains."""

    def fails(requests: list[Request], memory: int, done: list[Half]) -> bool:
        places = {i: (k, before) for k, (i, before) in enumerate(places_by_volume(requests, memory))}
        drained, came = Fraction(0), list[int]()
        for half in done:
            for i, start in zip(half.members, half.starts, strict=True):
                came.append(i)
                m = max(came, key=lambda j: places[j][0])
                extra = requests[m][1] if 2 * peak(requests[m]) > memory else 0
                if start + (requests[i][1] if half.large else 0) > places[m][1] + extra + drained:
                    return True
            drained += 0 if half.large else half.end / WEIGHT
        return False

    return _first(run for run in window_runs() if fails(*run))


def window_end(due: float, offset: float) -> float:
    """Return the largest g^(r + offset) below ``due``."""
    growth = float(GROWTH)
    return growth ** (ceil(log(due, growth) - offset) - 1 + offset)


def mean_ends() -> str | None:
    """Try that over the offsets the end before D has the mean D (1 − 1/g)/ln g."""
    expected = (1 - 1 / float(GROWTH)) / log(float(GROWTH))
    means = ((due, sum(window_end(due, (k + 0.5) / 10_000) for k in range(10_000)) / 10_000) for due in (1, 2.5, 7, 40))
    return _first((due, mean) for due, mean in means if abs(mean - due * expected) > due / 1000)


@cache
def box_runs() -> tuple[tuple[list[Request], int, int, Fraction, BoxRun], ...]:
    """Return the instances, each with a run of boxes at the base 9/4 or 25/4, with common or with own thresholds."""
    own, found = Random(1), list[tuple[list[Request], int, int, Fraction, BoxRun]]()
    for k, (requests, most, memory) in enumerate(random_instances()):
        base = Fraction((9, 25)[k % 2], 4)
        firsts = [1 + (base - 1) * Fraction(own.randrange(64), 64) if k % 3 else Fraction(1) for _ in requests]
        found.append((requests, most, memory, base, box_run(requests, memory, most, base, firsts)))
    return tuple(found)


def admitted(run: BoxRun) -> list[int]:
    """Return the instants at which the attempts that complete are admitted."""
    return run.admitted


def over_reserved(requests: list[Request], run: BoxRun) -> Iterator[tuple[int, BoxInstant, list[int], list[int]]]:
    """Iterate over the instants at which something waits: with the last runs, and of these those that reserve more."""
    for t, at in enumerate(run.instants):
        if t < max(run.admitted):
            last = [i for i in at.running if run.admitted[i] <= t]
            yield t, at, last, [i for i in last if at.running[i][1] > run.kill_ages[i]]


def box_waits() -> str | None:
    """Try that requests complete in their last runs, and that until then all but P − 1 is reserved, by what came before."""

    def fails(requests: list[Request], most: int, memory: int, run: BoxRun) -> bool:
        reserved = [sum(requests[i][0] + age for i, (_, age) in at.running.items()) for at in run.instants]
        for i, (start, (_, o)) in enumerate(zip(admitted(run), requests, strict=True)):
            if run.completions[i] > start + o or (memory - most + 1) * start > sum(reserved[:start]):
                return True
            if any((at.running[j][0], j) > (run.gammas[i], i) for at in run.instants[:start] for j in at.running):
                return True
        return False

    return _first(
        (requests, memory) for requests, most, memory, _, run in box_runs() if fails(requests, most, memory, run)
    )


def box_adds() -> str | None:
    """Try what last runs reserve beyond the kill ages of their γ."""

    def fails(memory: int, run: BoxRun, at: BoxInstant, last: list[int], more: list[int]) -> bool:
        over = sum(at.running[i][1] - run.kill_ages[i] for i in more)
        least = min((run.kill_ages[i] for i in more), default=0)
        return bool(more) and (over > memory or (Fraction(over, len(last)) + least) ** 2 > 2 * at.refused)

    return _first(
        (requests, t)
        for requests, _, memory, _, run in box_runs()
        for t, at, last, more in over_reserved(requests, run)
        if fails(memory, run, at, last, more)
    )


def box_times() -> str | None:
    """Try how long after the list passes F/b a run that reserves more may still run."""

    def fails(base: Fraction, run: BoxRun, t: int, at: BoxInstant, more: list[int]) -> bool:
        passed = next(u for u, other in enumerate(run.instants) if other.refused > at.refused / base)
        since = t - passed + 1
        return any(run.kill_ages[i] < since for i in more) or since**2 > 2 * at.refused / base

    return _first(
        (requests, t)
        for requests, _, _, base, run in box_runs()
        for t, at, _, more in over_reserved(requests, run)
        if more and fails(base, run, t, at, more)
    )


OFFSETS_BASE = 25 / 4


def mean_part(limit: float, size: float) -> float:
    """Return φ(z, v)."""
    h = 1 / log(OFFSETS_BASE)
    return 2 * h * min(limit, size) + 4 * h * max((size * min(limit, OFFSETS_BASE * size)) ** 0.5 - size, 0)


def box_parts() -> str | None:
    """Try the mean of what a request reserves before a threshold z, of its last run as much as that of γ would."""

    def reserved(s: int, o: int, limit: float, offset: float) -> int:
        sizes, whole, threshold, used = [volume((s, c)) for c in range(20)], volume((s, o)), OFFSETS_BASE**offset, 0
        while threshold <= limit:
            age = bisect_right(sizes, threshold) - 1
            used += (s + age) * min(age, o)
            if threshold >= whole:
                break
            threshold *= OFFSETS_BASE
        return used

    def mean(s: int, o: int, limit: float) -> float:
        return sum(reserved(s, o, limit, (k + 0.5) / 400) for k in range(400)) / 400

    return _first(
        at
        for s, o, factor in product(range(3), (1, 2, 4, 6), (0.5, 1, 2, 8))
        if mean(*(at := (s, o, factor * volume((s, o))))) > 1.01 * mean_part(at[2], volume((s, o)))
    )


def box_minima() -> str | None:
    """Try both means of minima, each over 12 offsets."""
    h = 1 / log(OFFSETS_BASE)
    stretches = [OFFSETS_BASE ** ((k + 0.5) / 12) for k in range(12)]
    mu, areas = 3 * h, 6 * h * (1 + 2 * h)

    def fails(sizes: tuple[int, ...]) -> bool:
        twice = float(shared(sizes))
        parts = sum(mean_part(f * v, w) for f in stretches for v in sizes for w in sizes) / 12
        pairs = sum(
            min(f * v, g * w) for f, g in product(stretches, repeat=2) for v, w in permutations(sizes, 2)
        ) / 144  # fmt: skip
        return parts > areas * twice / 2 or pairs > mu**2 * twice

    return _first(
        sizes for n in range(1, 4) for sizes in combinations_with_replacement((1, 2, 3, 4), n) if fails(sizes)
    )


THRESHOLDS_BASE = Fraction(9, 4)


def common_parts(one: Request, other: Request, most: int) -> tuple[int, Fraction, Fraction]:
    """Return what R' has of either request before the other's γ, the first before the second in the list, and their γ."""
    gammas = [next(t for k in range(99) if (t := THRESHOLDS_BASE**k) >= volume(r)) for r in (one, other)]
    used = 0
    for i, (s, o) in enumerate((one, other)):
        before = (gammas[1 - i], 1 - i)
        for k in range(99):
            threshold = THRESHOLDS_BASE**k
            if threshold > gammas[i] or (threshold, i) >= before:
                break
            age = kill_age(s, threshold, most)
            used += (s + age) * min(age, o)
    return used, gammas[0], gammas[1]


def box_pairs() -> str | None:
    """Try what two requests wait for each other's reserved boxes."""

    def fails(one: Request, other: Request) -> bool:
        used, first, second = common_parts(one, other, 20)
        least = min(first, second)
        spare = used - 2 * least * (THRESHOLDS_BASE + 1) / (THRESHOLDS_BASE - 1)
        owner = volume(one if first <= second else other)
        return spare > 0 and (first == second or spare**2 > 4 * least * owner)

    return _first(pair for pair in permutations(product(range(3), range(1, 7)), 2) if fails(*pair))


def box_classes() -> str | None:
    """Try that minima of different classes sum to at most four times those within a class."""

    def fails(counts: tuple[int, ...]) -> bool:
        smaller, same, apart = 0, Fraction(0), Fraction(0)
        for k, count in reversed([*enumerate(counts)]):
            same += count**2 * THRESHOLDS_BASE**k
            apart += 2 * count * smaller * THRESHOLDS_BASE**k
            smaller += count
        return apart > 4 * same

    return _first(counts for counts in product(range(4), repeat=6) if fails(counts))


# ---- own offsets with any prompts -----------------------------------------------------------------------------------

MIXED_KINDS, ALIKE = ((0, 8), (0, 3), (3, 5), (3, 2)), 4000
OFFSETS_GRID = 24


@cache
def stage_attempts(request: Request, offset: float, base: float, width: float) -> list[tuple[int, int, int]]:
    """Return the interval [width^k, width^(k+1)), the kill age and the age before it of the attempts of a request; P = 12."""
    s, o = request
    threshold, age, attempts = base**offset, 0, list[tuple[int, int, int]]()
    while age < o:
        before, age = age, kill_age(s, Fraction(threshold), 12)
        if age > before:
            attempts.append((floor(log(threshold) / log(width)), age, before))
        threshold *= base
    return attempts


def used_before(one: Request, other: Request, base: float, width: float) -> float:
    """Return the mean of what the other request uses in stages up to the last one of a request, over a grid of offsets."""
    used = 0
    for i, j in product(range(OFFSETS_GRID), repeat=2):
        last = stage_attempts(one, (i + 0.5) / OFFSETS_GRID, base, width)[-1][0]
        attempts = stage_attempts(other, (j + 0.25) / OFFSETS_GRID, base, width)
        used += sum(volume((other[0], min(age, other[1]))) for interval, age, _ in attempts if interval <= last)
    return used / OFFSETS_GRID**2


def stage_waits() -> str | None:
    """Try that one request waits for another at most 1 + ε times the kernel on average; ε = 1/5."""
    kinds = list(product((0, 1, 4), (1, 2, 4)))
    return _first(
        (one, other, base)
        for one, other, base in product(kinds, kinds, (3.0, 13.8))
        if used_before(one, other, base, 1.2)
        > 1.2 * volume(one) * expected_wait(volume(other) / volume(one), base) + 0.01 * volume(other)
    )


@cache
def stage_run(share: float) -> PacedRun:
    """Run own offsets in stages on requests of four kinds, ε = 1, with ``share`` as 1 − 2δ and 30 offsets."""
    stages: dict[tuple[int, int, int, int], list[IntArray]] = {}
    for block, (request, k) in enumerate(product(MIXED_KINDS, range(30))):
        members = np.arange(block * ALIKE, (block + 1) * ALIKE)
        for interval, age, before in stage_attempts(request, (k + 0.5) / 30, 13.8, 2.0):
            stages.setdefault((interval, request[0], age, before), []).append(members)
    own, (prompts, lengths) = np.random.default_rng(0), np.repeat(np.array(MIXED_KINDS), 30 * ALIKE, axis=0).T
    steps = ((own.permutation(np.concatenate(stages[key])), key[2]) for key in sorted(stages))
    return run_steps(lengths, prompts, share, steps)


def started(share: float) -> float:
    """Return the share 1 − 2δ of the memory that starts are to fill on average."""
    return share


def stage_room() -> str | None:
    """Try that M is never exceeded at (1 − 2δ)M/v̂ starts an instant, and that M/2 is."""
    highest = stage_run(started(1 - SLACK)).peak
    return None if MEMORY / 2 < highest <= MEMORY else f"{highest} of {MEMORY} tokens are needed"


def stage_times() -> str | None:
    """Try that TEL is at least the total on one machine, and at most 1.3/(1 − 2δ) times it."""
    run = stage_run(started(1 - SLACK))
    quotient = run.total / run.one_machine
    return None if 1 <= quotient <= 1.3 / (1 - SLACK) else f"TEL is {quotient:.3f} times the total on one machine"
