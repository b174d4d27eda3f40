"""What tries the arguments of this theory on small runs: each function returns where one fails, None where none does.

The text names them (``tested by``); ``tests/papers/test_trials.py`` runs them. The runs
are those of :mod:`crtools.papers.any_memory.process`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, pairwise, permutations, product
from math import ceil, floor, log
from random import Random
from typing import Any, NamedTuple

import numpy as np

from crtools.numeric_types import IntArray
from crtools.papers.any_memory.process import (
    Request,
    Requests,
    feasible,
    flow_without_kills,
    full_memory,
    held,
    possible_flow,
    prompts_that_fill,
    shared,
    steady,
    term,
    total,
    two_parts,
    volume,
)
from crtools.schedule import batch_total
from tests.papers.any_memory.plain_runs import BoxRun, box_run, kill_age, peak, queue_starts
from tests.papers.beyond.trials import MEMORY, SLACK, expected_wait, run_steps
from tests.papers.beyond.trials import Run as PacedRun

KINDS = [(s, o) for s in range(3) for o in range(1, 4)]


def first_failing(fails: Callable[..., bool], cases: Iterable[Iterable[Any]]) -> str | None:
    """Return the first case, a list of arguments, at which ``fails`` is true, in words; None where there is none."""
    return next((f"it fails at {case}" for case in cases if fails(*case)), None)


# ---- instances, and a second account of windows and of one machine ----


class Half(NamedTuple):
    """A half of a window: its upper end, whether its requests have large peaks, and these by volume, with their starts."""

    end: Fraction
    large: bool
    members: list[int]
    starts: list[int]


GROWTH, WEIGHT = Fraction(29, 10), Fraction(3, 2)


def places_by_volume(requests: Requests, memory: int) -> list[tuple[int, Fraction]]:
    """Return the requests by volume, each with 4/M times the sum of the volumes before it."""
    order = sorted(range(len(requests)), key=lambda i: (volume(requests[i]), i))
    before = accumulate((volume(requests[i]) for i in order), initial=0)
    return [(i, Fraction(4 * sum_before, memory)) for i, sum_before in zip(order, before, strict=False)]


def halves(requests: Requests, memory: int, first: Fraction, large_first: bool) -> list[Half]:
    """Return the halves of the windows of volumes with the ends ``first`` · g^r, in their order, each by reserved peaks."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for i, before in places_by_volume(requests, memory):
        large = 2 * peak(requests[i]) > memory
        due, r = before + (1 if large else WEIGHT) * requests[i][1], 0
        while due > first * GROWTH**r:
            r += 1
        while due <= first * GROWTH ** (r - 1):
            r -= 1
        groups.setdefault((r, large != large_first), []).append(i)
    now, done = 0, list[Half]()
    for (r, second), members in sorted(groups.items()):
        queue = [requests[i] for i in members]
        starts = [now + start for start in queue_starts(queue, memory, look_ahead=False)]
        now = max(start + o for start, (_, o) in zip(starts, queue, strict=True))
        done.append(Half(first * GROWTH**r, second != large_first, members, starts))
    return done


def small_instances(largest_n: int = 3, memories: Sequence[int] = range(2, 8)) -> Iterator[tuple[list[Request], int]]:
    """Iterate over requests with prompts up to 2 and lengths up to 3, and memories that every one of them fits in."""
    kinds = list(product(range(3), range(1, 4)))
    for size in range(1, largest_n + 1):
        for requests, memory in product(combinations_with_replacement(kinds, size), memories):
            if memory >= max(map(peak, requests)):
                yield list(requests), memory


def preemptive(
    jobs: Sequence[tuple[int, int]], speed: int, *, remaining: bool
) -> tuple[list[Fraction], list[Fraction]]:
    """Return completions and mean busy times of jobs (release, volume) on one machine that may preempt.

    It works on the job with the smallest volume among those present: the remaining volume, or the total one.
    """
    unprocessed, busy, completions = (
        [Fraction(v) for _, v in jobs],
        [Fraction(0)] * len(jobs),
        [Fraction(0)] * len(jobs),
    )
    now = Fraction(min(r for r, _ in jobs))
    while any(unprocessed):
        present = [j for j, (r, _) in enumerate(jobs) if unprocessed[j] and r <= now]
        later = [Fraction(r) for r, _ in jobs if r > now]
        if not present:
            now = min(later)
            continue
        job = min(present, key=lambda j: (unprocessed[j] if remaining else jobs[j][1], j))
        until = min([now + unprocessed[job] / speed, *later])
        work = (until - now) * speed
        busy[job] += work * (now + until) / 2
        unprocessed[job] -= work
        now = completions[job] = until
    return completions, [weighted / v for weighted, (_, v) in zip(busy, jobs, strict=True)]


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


def busy() -> str | None:
    """Try that a request completes after the mean instant of its tokens by what the sum over its ages says."""

    def fails(request: Request, start: int) -> bool:
        return start + request[1] - mean_instant(request, start) < term(request) - Fraction(1, 2)

    return first_failing(fails, (case for pair, starts, _ in _pairs() for case in zip(pair, starts, strict=True)))


def tokens() -> str | None:
    """Try that the volume times the mean instant, summed over requests, is at least the sum with all the memory in use."""

    def fails(requests: list[Request], starts: list[int], memory: int) -> bool:
        weighted = sum(volume(r) * mean_instant(r, p) for r, p in zip(requests, starts, strict=True))
        return weighted < batch_total(sum(map(volume, requests)), memory)

    return first_failing(fails, _pairs())


def full() -> str | None:
    """All the memory is in use at each of the first instants, and never more than that."""

    def fails(s: int, o: int, count: int) -> bool:
        requests, starts, memory = steady(s, o, count)
        used = [held(requests, starts, t) for t in range(1, count + 1)]
        return set(used) != {memory} or not feasible(requests, starts, memory)

    return first_failing(fails, product(range(3), range(1, 5), range(1, 7)))


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

    def fails(queue: list[Request], memory: int, reserved: list[int], ahead: list[int]) -> bool:
        return any(a > r for a, r in zip(ahead, reserved, strict=True))

    return first_failing(fails, _queues())


def refused() -> str | None:
    """Try that what is reserved before a start is bounded by the peaks and lengths of those before it in the queue."""

    def fails(queue: list[Request], memory: int, reserved: list[int], ahead: list[int]) -> bool:
        free, starts = memory - max(map(peak, queue)) + 1, zip(reserved, ahead, strict=True)
        return any(free * max(both) > sum(peak(r) * r[1] for r in queue[:k]) for k, both in enumerate(starts))

    return first_failing(fails, _queues())


# ---- families -------------------------------------------------------------------------------------------------------


def completions(queue: list[Request], starts: Sequence[int]) -> list[int]:
    """Return when the requests complete."""
    return [p + o for (_, o), p in zip(queue, starts, strict=True)]


Run = tuple[list[Request], int, list[int]]
"""A queue, the memory, and when its requests complete."""


def _complete_so(runs: Iterable[Run]) -> str | None:
    """Return the first of these queues whose requests complete otherwise, by reserved peaks or by look-ahead."""

    def fails(queue: list[Request], memory: int, expected: list[int]) -> bool:
        both = (queue_starts(queue, memory, look_ahead=rule) for rule in (False, True))
        return any(completions(queue, starts) != expected for starts in both)

    return first_failing(fails, runs)


SIZES = list(product(range(1, 5), range(1, 5)))


def in_pairs() -> str | None:
    """Try that the requests of a pair complete one after the other, before the next pair starts."""
    return _complete_so(
        (*full_memory(pairs, m), [end for j in range(pairs) for end in (j * (m + 1) + m, (j + 1) * (m + 1))])
        for pairs, m in SIZES
    )


def in_parts() -> str | None:
    """With all requests of length 1 first, one of the others starts at each instant."""

    def fails(pairs: int, m: int) -> bool:
        requests, starts, memory = two_parts(pairs, m)
        expected = [*range(1, pairs + 1), *range(pairs + m, 2 * pairs + m)]
        return not feasible(requests, starts, memory) or completions(requests, starts) != expected

    return first_failing(fails, SIZES)


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
        completed, _ = preemptive(jobs, memory, remaining=True)
        _, means = preemptive(jobs, memory, remaining=False)
        return total(pair, starts) < max(sum(completed), sum(means) + sum(map(term, pair)))

    pairs, shifts = product(product((0, 1), (1, 2, 3)), repeat=2), list(product(range(3), repeat=2))
    return first_failing(fails, product(pairs, shifts, shifts))


STARTS = [(n, start) for n in range(2, 6) for start in range(n * n)]


def waits() -> str | None:
    """Where the first has started each of the others waits for it."""
    return first_failing(lambda n, start: flow_without_kills(n, start) - (start + n) < n * n, STARTS)


def schedules() -> str | None:
    """Try that there is a schedule with the claimed flow time."""
    return first_failing(lambda n, start: possible_flow(n, start) != 2 * n + (start + 2) * (start < n - 1), STARTS)


CLASSES = ({1: "1/2", 4: "1/2"}, {2: "1/5", 3: "4/5"}, {1: "1/4", 2: "1/4", 7: "1/2"}, {3: "1"})
"""Shares of classes by their means."""


def unfinished_share(shares: Mapping[int, Fraction], time: Fraction) -> Fraction:
    """Return the share of the jobs that is unfinished at a time, by increasing class mean."""
    unfinished = Fraction(1)
    for mean, share in sorted(shares.items()):
        run = min(share, time / mean)
        unfinished, time = unfinished - run, time - run * mean
    return unfinished


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

    return first_failing(fails, ([{mean: Fraction(share) for mean, share in shares.items()}] for shares in CLASSES))


Law = Mapping[int, int]
"""Weights of the sizes of a class."""


def attempt(law: Law, after: int, until: int) -> tuple[Fraction, Fraction]:
    """Return the share of the jobs that the attempt (after, until) completes, and the time that it uses for each job."""
    whole = sum(law.values())
    tail = [(size, Fraction(weight, whole)) for size, weight in law.items() if size > after]
    gain = sum((share for size, share in tail if size <= until), Fraction(0))
    return gain, sum((share * min(size, until) for size, share in tail), Fraction(0))


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
        heights = [*accumulate((-f * gain for f, gain, _ in flows), initial=Fraction(1))]
        area = sum((f * used) * (x + y) / 2 for (f, _, used), (x, y) in zip(flows, pairwise(heights), strict=True))
        indices = [gain / used for _, gain, used in flows] + [Fraction(0)]
        squares = sum(t * t * (x - y) for t, x, y in zip(times[1:], indices, indices[1:], strict=False))
        if 2 * area != squares:
            return True
        for _, gain, used in flows:
            index = gain / used
            parts = zip(times[1:], indices, indices[1:], strict=False)
            height = sum(t * (min(x, index) - min(y, index)) for t, x, y in parts)
            if min(gain * t + used * w for t, w in zip(times, heights, strict=True)) != used * height:
                return True
        return False

    return first_failing(fails, ([classes] for classes in MIXED))


def one_for_two() -> str | None:
    """Try that one attempt is cheaper than two of which the second has the larger index, under every price at two times."""

    def fails(law: Law, a: int, b: int, c: int) -> bool:
        first, second, both = attempt(law, a, b), attempt(law, b, c), attempt(law, a, c)
        if first[0] * second[1] >= second[0] * first[1]:
            return False
        for gap, low, fall in product(range(1, 9), range(4), range(9)):
            times = ((0, low + fall), (gap, low))
            cost = [[gain * t + used * w for t, w in times] for gain, used in (first, second, both)]
            if cost[0][1] <= cost[0][0] and cost[1][0] <= cost[1][1] and min(cost[2]) >= cost[0][1] + cost[1][0]:
                return True
        return False

    laws = (dict[int, int](zip((1, 2, 4, 9), weights, strict=True)) for weights in product((1, 5), repeat=4))
    return first_failing(fails, ((law, *ages) for law in laws for ages in combinations((0, 1, 2, 4, 9), 3)))


# ---- the limit ------------------------------------------------------------------------------------------------------


def completions_by_volumes() -> str | None:
    """Try that the k-th completion is no earlier than the k smallest volumes at a full memory."""

    def fails(queue: list[Request], memory: int, reserved: list[int], ahead: list[int]) -> bool:
        needed = accumulate(sorted(map(volume, queue)))
        completed = sorted(completions(queue, ahead))
        return any(memory * end < work for end, work in zip(completed, needed, strict=True))

    return first_failing(fails, _queues())


def even_pace() -> str | None:
    """Equal requests that start at an even rate hold their volume times the rate, and one peak more, at most."""

    def fails(s: int, o: int, rate: Fraction) -> bool:
        requests, starts = [(s, o)] * 40, [ceil(j / rate) for j in range(40)]
        largest_use = max(held(requests, starts, t) for t in range(1, starts[-1] + o + 1))
        return largest_use > volume((s, o)) * rate + s + o

    return first_failing(fails, product(range(3), range(1, 5), map(Fraction, ("1/3", "2/3", "1", "3/2", "5"))))


def first_kind_first() -> str | None:
    """Try when H-SF completes requests of one token with prompts, and of two without."""

    def fails(s: int, memory: int, first: int, second: int) -> bool:
        queue = [(s, 1)] * first + [(0, 2)] * second
        completed = completions(queue, queue_starts(queue, memory, look_ahead=True))
        bounds = [(s + 1) * k for k in range(1, first + 1)] + [(s + 1) * first + 3 * k for k in range(1, second + 1)]
        return any(memory * end < work for end, work in zip(completed, bounds, strict=True))

    sizes = product((1, 2, 5, 11), (2, 3, 6, 12), range(1, 7), range(1, 7))
    return first_failing(fails, (size for size in sizes if size[0] < size[1]))


def unfinished() -> str | None:
    """Try that what is unfinished at an instant has at least the volumes that arrived less what the memory held."""
    random = Random(2)

    def fails(requests: list[Request], memory: int, completed: list[int], t: int) -> bool:
        runs = zip(requests, completed, strict=True)
        arrived = [(r, end) for r, end in runs if random.randrange(end - r[1] + 1) < t]
        remaining = sum(volume(r) for r, end in arrived if end > t)
        return remaining < sum(volume(r) for r, _ in arrived) - memory * t

    def cases() -> Iterator[tuple[list[Request], int, list[int], int]]:
        for requests, _, memory in random_instances()[:100]:
            completed = completions(requests, queue_starts(requests, memory, look_ahead=True))
            yield from ((requests, memory, completed, t) for t in range(1, max(completed)))

    return first_failing(fails, cases())


# ---- windows of volumes, and boxes in one list ----------------------------------------------------------------------


@cache
def random_instances() -> tuple[tuple[list[Request], int, int], ...]:
    """Return requests, the largest peak and a memory, 500 times."""
    random, instances = Random(0), list[tuple[list[Request], int, int]]()
    for _ in range(500):
        largest = random.choice((3, 6, 12))
        requests = [(random.randrange(largest), random.randint(1, largest)) for _ in range(random.randint(2, 8))]
        top = max(map(peak, requests))
        instances.append((requests, top, random.choice([top, top + random.randrange(largest), 2 * top, 3 * top])))
    return tuple(instances)


def window_runs() -> Iterator[tuple[list[Request], int, list[Half]]]:
    """Iterate over the instances, each with the halves of its windows for one offset and one coin."""
    for k, (requests, _, memory) in enumerate(random_instances()):
        yield requests, memory, halves(requests, memory, 1 + Fraction(19 * (k % 7), 70), k % 2 == 0)


def small_halves() -> Iterator[tuple[list[Request], int, Half]]:
    """Iterate over the halves of small requests in these runs, with the requests and the memory."""
    return ((requests, memory, half) for requests, memory, done in window_runs() for half in done if not half.large)


def waited(half: Half) -> list[int]:
    """Return how long after the beginning of the half its requests start."""
    return [start - half.starts[0] for start in half.starts]


def small_starts() -> str | None:
    """Try that a small request starts at most Σ w after the beginning of its half, over the requests before it."""

    def fails(requests: list[Request], memory: int, half: Half) -> bool:
        before = accumulate((4 * volume(requests[i]) for i in half.members), initial=0)
        return any(memory * wait > work for wait, work in zip(waited(half), before, strict=False))

    return first_failing(fails, small_halves())


def last_end(requests: list[Request], half: Half) -> int:
    """Return when the last request of a half completes."""
    return max(start + requests[i][1] for i, start in zip(half.members, half.starts, strict=True))


def drains() -> str | None:
    """Try that after its last start a half of small requests lasts at most 2/3 of the window's end."""
    return first_failing(
        lambda requests, _, half: (last_end(requests, half) - half.starts[-1]) * WEIGHT > half.end, small_halves()
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

    return first_failing(fails, window_runs())


def window_end(due: float, offset: float) -> float:
    """Return the largest g^(r + offset) below ``due``."""
    growth = float(GROWTH)
    return growth ** (ceil(log(due, growth) - offset) - 1 + offset)


def mean_ends() -> str | None:
    """Try that over the offsets the end before D has the mean D (1 − 1/g)/ln g."""
    expected = (1 - 1 / float(GROWTH)) / log(float(GROWTH))
    means = ((due, sum(window_end(due, (k + 0.5) / 10_000) for k in range(10_000)) / 10_000) for due in (1, 2.5, 7, 40))
    return first_failing(lambda due, mean: abs(mean - due * expected) > due / 1000, means)


@cache
def box_runs() -> tuple[tuple[list[Request], int, int, Fraction, BoxRun], ...]:
    """Return the instances, each with a run of boxes at the base 9/4 or 25/4, with common or with different thresholds."""
    random, runs = Random(1), list[tuple[list[Request], int, int, Fraction, BoxRun]]()
    for k, (requests, largest_peak, memory) in enumerate(random_instances()):
        base = Fraction((9, 25)[k % 2], 4)
        firsts = [1 + (base - 1) * Fraction(random.randrange(64), 64) if k % 3 else Fraction(1) for _ in requests]
        run = box_run(requests, memory, largest_peak, base, firsts)
        runs.append((requests, largest_peak, memory, base, run))
    return tuple(runs)


def admitted(run: BoxRun) -> list[int]:
    """Return the instants at which the attempts that complete are admitted."""
    return run.admitted


def over_reserved() -> Iterator[tuple[int, Fraction, BoxRun, int, list[int], list[int]]]:
    """Iterate over the instants t of all runs at which a request waits and a last run reserves more than its kill age.

    Each comes with M, the base, the run, and the requests that are in their last runs: all, and those that reserve more.
    """
    for _, _, memory, base, run in box_runs():
        for t, at in enumerate(run.instants[: max(run.admitted)]):
            last = [i for i in at.running if run.admitted[i] <= t]
            more = [i for i in last if at.running[i][1] > run.kill_ages[i]]
            if more:
                yield memory, base, run, t, last, more


def box_waits() -> str | None:
    """Try that requests complete in their last runs, and that until then all but P − 1 is reserved, by what came before."""

    def fails(requests: list[Request], largest_peak: int, memory: int, base: Fraction, run: BoxRun) -> bool:
        reserved = [sum(requests[i][0] + age for i, (_, age) in at.running.items()) for at in run.instants]
        for i, (start, (_, o)) in enumerate(zip(admitted(run), requests, strict=True)):
            if run.completions[i] > start + o or (memory - largest_peak + 1) * start > sum(reserved[:start]):
                return True
            if any((at.running[j][0], j) > (run.gammas[i], i) for at in run.instants[:start] for j in at.running):
                return True
        return False

    return first_failing(fails, box_runs())


def box_adds() -> str | None:
    """Try what last runs reserve beyond the kill ages of their γ."""

    def fails(memory: int, base: Fraction, run: BoxRun, t: int, last: list[int], more: list[int]) -> bool:
        at = run.instants[t]
        over = sum(at.running[i][1] - run.kill_ages[i] for i in more)
        smallest_age = min(run.kill_ages[i] for i in more)
        return over > memory or (Fraction(over, len(last)) + smallest_age) ** 2 > 2 * at.refused

    return first_failing(fails, over_reserved())


def box_times() -> str | None:
    """Try how long after the list passes F/b a run that reserves more may still run."""

    def fails(memory: int, base: Fraction, run: BoxRun, t: int, last: list[int], more: list[int]) -> bool:
        threshold = run.instants[t].refused / base
        passed = next(u for u, other in enumerate(run.instants) if other.refused > threshold)
        since = t - passed + 1
        return any(run.kill_ages[i] < since for i in more) or since**2 > 2 * threshold

    return first_failing(fails, over_reserved())


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

    def fails(s: int, o: int, factor: float) -> bool:
        size = volume((s, o))
        return mean(s, o, factor * size) > 1.01 * mean_part(factor * size, size)

    return first_failing(fails, product(range(3), (1, 2, 4, 6), (0.5, 1, 2, 8)))


def box_minima() -> str | None:
    """Try both means of minima, each over 12 offsets."""
    h = 1 / log(OFFSETS_BASE)
    stretches = [OFFSETS_BASE ** ((k + 0.5) / 12) for k in range(12)]
    mu, areas = 3 * h, 6 * h * (1 + 2 * h)

    def fails(sizes: tuple[int, ...]) -> bool:
        twice = float(shared(sizes))
        parts = sum(mean_part(f * v, w) for f in stretches for v in sizes for w in sizes) / 12
        stretched_minima = product(product(stretches, repeat=2), permutations(sizes, 2))
        pairs = sum(min(f * v, g * w) for (f, g), (v, w) in stretched_minima) / 144
        return parts > areas * twice / 2 or pairs > mu**2 * twice

    return first_failing(
        fails, ([sizes] for n in range(1, 4) for sizes in combinations_with_replacement((1, 2, 3, 4), n))
    )


THRESHOLDS_BASE = Fraction(9, 4)


def common_parts(one: Request, other: Request, largest_peak: int) -> tuple[int, Fraction, Fraction]:
    """Return what R' has of either request before the other's γ, the first before the second in the list, and their γ."""
    gammas = [next(t for k in range(99) if (t := THRESHOLDS_BASE**k) >= volume(r)) for r in (one, other)]
    used = 0
    for i, (s, o) in enumerate((one, other)):
        before = (gammas[1 - i], 1 - i)
        for k in range(99):
            threshold = THRESHOLDS_BASE**k
            if threshold > gammas[i] or (threshold, i) >= before:
                break
            age = kill_age(s, threshold, largest_peak)
            used += (s + age) * min(age, o)
    return used, gammas[0], gammas[1]


def box_pairs() -> str | None:
    """Try what two requests wait for each other's reserved boxes."""

    def fails(one: Request, other: Request) -> bool:
        used, first, second = common_parts(one, other, 20)
        smaller = min(first, second)
        excess = used - 2 * smaller * (THRESHOLDS_BASE + 1) / (THRESHOLDS_BASE - 1)
        size = volume(one if first <= second else other)
        return excess > 0 and (first == second or excess**2 > 4 * smaller * size)

    return first_failing(fails, permutations(product(range(3), range(1, 7)), 2))


def box_classes() -> str | None:
    """Try that minima of different classes sum to at most four times those within a class."""

    def fails(counts: tuple[int, ...]) -> bool:
        smaller, same, different = 0, Fraction(0), Fraction(0)
        for k, count in reversed([*enumerate(counts)]):
            same += count**2 * THRESHOLDS_BASE**k
            different += 2 * count * smaller * THRESHOLDS_BASE**k
            smaller += count
        return different > 4 * same

    return first_failing(fails, ([counts] for counts in product(range(4), repeat=6)))


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

    def fails(one: Request, other: Request, base: float) -> bool:
        bound = 1.2 * volume(one) * expected_wait(volume(other) / volume(one), base) + 0.01 * volume(other)
        return used_before(one, other, base, 1.2) > bound

    kinds = list(product((0, 1, 4), (1, 2, 4)))
    return first_failing(fails, product(kinds, kinds, (3.0, 13.8)))


@cache
def stage_run(share: float) -> PacedRun:
    """Run own offsets in stages on requests of four kinds, ε = 1, with ``share`` as 1 − 2δ and 30 offsets."""
    stages: dict[tuple[int, int, int, int], list[IntArray]] = {}
    for block, (request, k) in enumerate(product(MIXED_KINDS, range(30))):
        members = np.arange(block * ALIKE, (block + 1) * ALIKE)
        for interval, age, before in stage_attempts(request, (k + 0.5) / 30, 13.8, 2.0):
            stages.setdefault((interval, request[0], age, before), []).append(members)
    random, (prompts, lengths) = np.random.default_rng(0), np.repeat(np.array(MIXED_KINDS), 30 * ALIKE, axis=0).T
    steps = ((random.permutation(np.concatenate(stages[key])), key[2]) for key in sorted(stages))
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
