"""Trials: each tries an argument in words of ``check/beyond.txt`` on small runs and returns the first counterexample as text, or None.

The text names them (``tested by``); ``tests/papers/test_trials.py`` runs them. Most multiply the asserted number by ``factor``, 1 in the
text; with ½ or 2 they must find a counterexample (tests/papers/beyond/test_theorems.py and test_best_blind.py). "Own offsets": each
request draws its own random offset of the thresholds b^(k + offset).

Sections: one machine · the process, interval after interval · mixtures of plans · against H-SF's form · the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, pairwise, permutations, product
from math import floor, log
from typing import TypeAlias

import numpy as np

from crtools.blind import offsets_against_h_sf
from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.mixture import Mixture
from crtools.blind.worst_law import universal_cost
from crtools.enclosure import ball, precision
from crtools.numeric_types import FloatArray, IntArray
from crtools.papers.beyond.claims.worst_cases import at_finite, without_prompts
from crtools.schedule import peak, volume

# ---- one machine with kill and restart, run exactly ----------------------------------------------------------------

Number = Fraction | float


def completions(sizes: Sequence[Number], plan: Iterable[tuple[int, Number]]) -> dict[int, Number]:
    """Return the completion time of each job that a list of attempts (job, running time at which it is killed) completes."""
    now: Number = Fraction(0)
    completed: dict[int, Number] = {}
    for job, limit in plan:
        if job not in completed:
            now += min(sizes[job], limit)
            if sizes[job] <= limit:
                completed[job] = now
    return completed


def by_thresholds(thresholds: Sequence[Sequence[Number]]) -> list[tuple[int, Number]]:
    """Return the attempts of all jobs, by rising threshold."""
    return sorted(((job, c) for job, row in enumerate(thresholds) for c in row), key=lambda attempt: attempt[1])


@cache
def waits(factor: Fraction = Fraction(1)) -> str | None:
    """Test: a job completes at the sum of min(v_j, c) over all thresholds c up to its own last one that find j unfinished."""
    tables = [tuple(first * 4**k for k in range(3)) for first in (Fraction(1, 2), Fraction(2, 3), Fraction(1))]
    for sizes in product((Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(7)), repeat=3):
        completed = completions(sizes, by_thresholds(tables))
        for i, size in enumerate(sizes):
            last = min(c for c in tables[i] if c >= size)
            used = sum(
                min(sizes[j], c)
                for j in range(3)
                for c in tables[j]
                if c <= last and not any(sizes[j] <= d < c for d in tables[j])
            )
            if completed[i] != factor * used:
                return f"sizes {sizes}, job {i}: {completed[i]}, not {used}"
    return None


GRID = 16
"""Number of offsets of each job in a mean."""


def mean_wait(y: float, base: float) -> tuple[float, float]:
    """Return the mean time of a job of size 1's own attempts, and its mean wait for a job of size y, over a grid of offsets."""
    alone = wait = 0.0
    last = floor(log(max(1.0, y)) / log(base)) + 2
    exponents = range(last - 16, last + 1)
    for u, v in product(range(GRID), repeat=2):
        tables = [[base ** (k + offset) for k in exponents] for offset in ((u + 0.5) / GRID, (v + 0.25) / GRID)]
        first = float(completions([1.0], by_thresholds(tables[:1]))[0])
        alone += first / GRID**2
        wait += (float(completions([1.0, y], by_thresholds(tables))[0]) - first) / GRID**2
    return alone, wait


def expected_wait(y: float, base: float) -> float:
    """Return E W(b^V): the mean over V of the time that the other job has used at thresholds up to b^V."""
    thresholds = [base ** ((k + 0.5) / 2000) for k in range(2000)]
    used = (min(c, y) + y * max(0.0, log(min(c, base * y) / y)) for c in thresholds)
    return sum(used) / len(thresholds) / log(base)


@cache
def means(factor: float = 1.0) -> str | None:
    """Test: the means over a grid of offsets are v(1 + 1/ln b) for a job's own attempts, and E W for the wait."""
    for base, y in product((3.0, 13.8), (0.2, 1.0, 2.0, 9.0)):
        (alone, wait), expected = mean_wait(y, base), factor * expected_wait(y, base)
        if abs(alone - (1 + 1 / log(base))) > 0.05 or abs(wait - expected) > 0.05 * max(1.0, expected):
            return f"b = {base}, sizes 1 and {y}: {alone} and {wait}, not {1 + 1 / log(base)} and {expected}"
    return None


@cache
def step_uses(factor: Fraction = Fraction(1)) -> str | None:
    """Test: an attempt that kills at c after one at a uses a·P(v > a) + ∫_a^c P(v > t) dt, for laws on a few sizes."""
    sizes = [Fraction(k) for k in (1, 2, 4, 9)]
    for weights in product((1, 2, 5), repeat=4):
        law = [Fraction(w, sum(weights)) for w in weights]
        for a, c in ((a, c) for a in (0, 1, 2, 4) for c in (1, 2, 4, 9) if a < c):
            used = sum((p * min(v, c) for v, p in zip(sizes, law, strict=True) if v > a), start=Fraction(0))
            beyond = lambda t, law=law: sum((p for v, p in zip(sizes, law, strict=True) if v > t), start=Fraction(0))  # noqa: E731
            if used != factor * (a * beyond(a) + sum((beyond(t) for t in range(a, c)), start=Fraction(0))):
                return f"law {law}, from {a} to {c}: {used}"
    return None


@cache
def pauses(factor: Fraction = Fraction(1)) -> str | None:
    """Test: a pause at a of at least v(a)/(s+a) instants, then running up to c, uses at least ``factor`` F(a, c)."""
    lengths = (1, 2, 4)
    for s, weights in product((0, 2), product((1, 2, 5), repeat=3)):
        law = [Fraction(weight, sum(weights)) for weight in weights]
        for a, c, pause in ((a, c, p) for a, c in ((1, 2), (1, 4), (2, 4)) for p in range(9)):
            if pause * (s + a) < volume(s, a):
                continue
            used = again = Fraction(0)
            for chance, o in zip(law, lengths, strict=True):
                if o > a:
                    used += chance * ((s + a) * pause + sum(s + k for k in range(a + 1, min(o, c) + 1)))
                    again += chance * sum(s + k for k in range(1, min(o, c) + 1))
            if used < factor * again:
                return f"s = {s}, law {law}, {pause} instants at {a}, then up to {c}: {used}, less than {again}"
    return None


PRICE = ((4, Fraction(3)), (10, Fraction(2)), (30, Fraction(1, 2)))
"""A falling price of a unit of time: (end, price)."""


def rate(t: int) -> Fraction:
    """Return the price of the unit of time that ends at t."""
    return next((price for end, price in PRICE if t <= end), Fraction(0))


def rounds(lengths: Sequence[int], limits: Iterable[int], parallel: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the attempts of kill and restart with these limits, ``parallel(limit)`` at a time."""
    pending, now = list(lengths), 0
    for limit in limits:
        for first in range(0, len(pending), parallel(limit)):
            completed = [now + min(o, limit) for o in pending[first : first + parallel(limit)]]
            yield from ((now, end) for end in completed)
            now = max(completed)
        pending = [o for o in pending if o > limit]


def _price_is_wrong(run: Sequence[tuple[int, int]], held: Callable[[int], int], limit: Number) -> str | None:
    """Return an error if the attempts of a run together pay more than ``limit`` times the price, for the memory that they hold."""
    paid = [sum(rate(t) * held(t - p) for t in range(p + 1, end + 1)) for p, end in run]
    if sum(paid) > limit * sum(rate(t) for t in range(1, max(end for _, end in run) + 1)):
        return "the prices do not add up"
    lowest = (rate(end) * sum(held(age) for age in range(1, end - p + 1)) for p, end in run)
    return "an attempt pays less than its last price" if any(a < b for a, b in zip(paid, lowest, strict=True)) else None


@cache
def prices(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the jobs pay for disjoint times, so together at most the price of all time; each pays at least its last price."""
    for sizes, limits in product(product((1, 4, 9), repeat=3), ((1, 4, 9), (4, 9), (9,))):
        wrong = _price_is_wrong([*rounds(sizes, limits, lambda limit: 1)], lambda age: 1, factor)
        if wrong is not None:
            return f"sizes {sizes}, limits {limits}: {wrong}"
    return None


@cache
def prices_in_process(factor: Fraction = Fraction(1)) -> str | None:
    """Test: in runs of the process, all attempts together pay at most M times the price, and each at least its last price."""
    for lengths, s, extra in product(product((1, 3, 5), repeat=4), (0, 2), (0, 4)):
        memory = s + 5 + extra
        run = [*rounds(lengths, (1, 2, 4, 8), lambda limit, s=s, memory=memory: memory // (s + min(limit, 5)))]
        wrong = _price_is_wrong(run, lambda age, s=s: s + age, factor * memory)
        if wrong is not None:
            return f"lengths {lengths}, s = {s}, M = {memory}: {wrong}"
    return None


def paced(lengths: Sequence[int], s: int, memory: int) -> list[int]:
    """Return the starts of the paced shortest-first, by rising length.

    ⌊M/v(o)⌋ requests of length o start at each instant; the next length follows o instants after the last of them.
    """
    starts: list[int] = []
    now = 0
    for o in sorted(set(lengths)):
        rate, count = memory // volume(s, o), lengths.count(o)
        starts += [now + k // rate for k in range(count)]
        now += -(-count // rate) + o
    return starts


def paced_bound(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """Return the upper bound on the total latency of :func:`paced`."""
    ordered, v = sorted(lengths), volume(s, max(lengths))
    work = sum(volume(s, o) * (2 * (len(ordered) - k) - 1) for k, o in enumerate(ordered))  # Σ_ij v(min(o_i, o_j))
    added = sum(1 + p for p in set(ordered)) + max(ordered)
    return Fraction(work, 2 * (memory - v)) + len(ordered) * added


@cache
def pacing(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the paced shortest-first never exceeds the memory, and its total latency is within its bound."""
    for s in (0, 1, 3):
        for lengths in ((1,) * 9, (1, 1, 2, 2, 2), (1, 2, 3, 3, 3, 3), (2,) * 12 + (3,) * 7, (1,) * 300):
            for memory in (volume(s, max(lengths)) + extra for extra in (1, 4, 30)):
                starts, ordered = np.array(paced(lengths, s, memory)), np.array(sorted(lengths))
                if peak(starts, ordered, s) > memory:
                    return f"lengths {lengths}, s = {s}, M = {memory}: too much memory"
                total = int((starts + ordered).sum())
                if total > factor * paced_bound(lengths, s, memory):
                    return f"lengths {lengths}, s = {s}, M = {memory}: total {total}"
    return None


# ---- the process: own offsets, interval after interval of thresholds -----------------------------------------------

STEP_GRID = 24
BASE, LARGEST = 13.8, 8
"""The base b and the largest length u of all runs."""

MEMORY, REQUESTS, PILOT, SLACK = 1500, 400_000, 300, 0.2
LAWS = ((0, (1, 2, 3, 5, 8)), (0, (1, 1, 1, 1, 8)), (3, (4, 5, 6, 7, 8)))
"""s, and the equally frequent lengths."""

Step: TypeAlias = tuple[IntArray, int]
"""Requests in the order of their attempts, and the age at which these are killed."""


def intervals(lengths: IntArray, s: int, l: int, offsets: FloatArray) -> Iterator[Step]:
    """Yield the attempts of own offsets, interval of thresholds by interval, by rising threshold."""
    v = volume(s, np.arange(l, LARGEST + 1)).astype(float)
    cuts = np.unique(np.concatenate([v, BASE * v]))
    rows: list[tuple[IntArray, FloatArray, IntArray]] = []
    pending = np.arange(len(lengths))
    threshold = BASE ** (np.ceil(np.log(v[0]) / np.log(BASE) - offsets) + offsets)
    while len(pending):
        kill = l - 1 + np.searchsorted(v, threshold[pending], side="right")
        rows.append((pending, threshold[pending], kill))
        pending = pending[lengths[pending] > kill]
        threshold = threshold * BASE
    request, threshold, kill = (np.concatenate(column) for column in zip(*rows, strict=True))
    interval = np.searchsorted(cuts, threshold, side="right")
    for at in np.unique(interval):
        attempts = np.flatnonzero(interval == at)
        attempts = attempts[np.argsort(threshold[attempts])]
        yield request[attempts], int(kill[attempts[0]])


@dataclass(frozen=True)
class Run:
    """A run without evictions: TEL, peak memory, and Σ C_j of the same attempts on one machine, over M."""

    total: int
    peak: int
    one_machine: float


def run(lengths: IntArray, s: int, share: float) -> Run:
    """Run own offsets with ``share`` as 1 − 2δ; l is the smallest length."""
    offsets = np.random.default_rng(0).random(len(lengths))
    return run_steps(lengths, s, share, intervals(lengths, s, int(lengths.min()), offsets))


def run_steps(lengths: IntArray, s: IntArray | int, share: float, steps: Iterable[Step]) -> Run:
    """Run step after step; the first ``PILOT`` attempts of a step set the rate at which its others start."""
    prompts = np.broadcast_to(s, lengths.shape)
    safe = MEMORY // volume(int(prompts.max()), LARGEST)
    requests: list[IntArray] = []
    starts: list[IntArray] = []
    durations: list[IntArray] = []
    now = total = done = 0
    summed = 0.0
    for request, kill in steps:
        length = np.minimum(lengths[request], kill)
        used = volume(prompts[request], length)
        begin = now + np.arange(len(length)) // safe
        if len(length) >= 2 * PILOT:
            after, rate = begin[PILOT - 1] + LARGEST, int(share * MEMORY / used[:PILOT].mean())
            begin[PILOT:] = after + np.arange(len(length) - PILOT) // rate
        finished = lengths[request] <= kill
        total += int((begin + length)[finished].sum())
        summed += float((done + np.cumsum(used))[finished].sum())
        done += int(used.sum())
        requests.append(request)
        starts.append(begin)
        durations.append(length)
        now = int(begin[-1]) + LARGEST
    highest = peak(np.concatenate(starts), np.concatenate(durations), prompts[np.concatenate(requests)])
    return Run(total, highest, summed / MEMORY)


def cuts(s: int, l: int, u: int, square: Fraction) -> list[Fraction]:
    """Return the squares of the cuts v(k) and b·v(k), in order; ``square``: b²."""
    squares = [Fraction(volume(s, k)) ** 2 for k in range(l, u + 1)]
    return sorted({*squares, *(square * v for v in squares)})


@cache
def one_each(square: Fraction = Fraction(3)) -> str | None:
    """Test: neighbouring cuts differ by a factor of at most b, so no interval has two thresholds of one request."""
    for s, l, more in product(range(6), range(1, 7), range(12)):
        if any(high > square * low for low, high in pairwise(cuts(s, l, l + more, square))):
            return f"s = {s}, lengths from {l} to {l + more}: an interval is longer than a factor of √{square}"
    return None


@cache
def orders(factor: Fraction = Fraction(1)) -> str | None:
    """Test: of two requests with attempts in an interval, each is first equally often, over a grid of offsets."""
    for one, other in product((1, 3, 8), repeat=2):
        ahead: dict[int, list[int]] = {}
        for places in permutations(range(STEP_GRID), 2):
            for request, kill in intervals(np.array([one, other]), 0, 1, (np.array(places) + 0.5) / STEP_GRID):
                if len(request) == 2:
                    ahead.setdefault(kill, [0, 0])[request[0]] += 1
        for kill, (first, second) in ahead.items():
            if first != factor * second:
                return f"lengths {one} and {other}, killed at {kill}: {first} times the first, {second} the second"
    return None


@cache
def _runs(rate: Fraction) -> tuple[tuple[int, Run], ...]:
    """Return runs with ``rate`` times (1 − 2δ) in place of 1 − 2δ."""
    share = float(rate) * (1 - SLACK)
    return tuple((s, run(np.repeat(law, REQUESTS // 5), s, share)) for s, law in LAWS)


@cache
def room(factor: Fraction = Fraction(1)) -> str | None:
    """Test: at (1 − 2δ)M/v̂ starts an instant the peak of memory is at most M, and more than M/2."""
    for s, result in _runs(factor):
        if not MEMORY / 2 < result.peak <= MEMORY:
            return f"s = {s}: {result.peak} of {MEMORY} tokens are needed"
    return None


@cache
def times(factor: Fraction = Fraction(1)) -> str | None:
    """Test: TEL is at least the total on one machine, and at most 1.2/(1 − 2δ) times it."""
    for s, result in _runs(Fraction(1)):
        quotient = result.total / result.one_machine
        if not 1 <= factor * quotient <= 1.2 / (1 - SLACK):
            return f"s = {s}: TEL is {quotient:.3f} times the total on one machine"
    return None


# ---- mixtures of plans ---------------------------------------------------------------------------------------------

MIXTURES = (
    Mixture(Requests((1, 3, 7), (5, 3, 2)), ((0, 3), (0, 1, 3)), (2, 3)),
    Mixture(Requests((1, 2, 9), (4, 1, 1)), ((0, 2, 3), (0, 1, 3)), (1, 1)),
    Mixture(Requests((2, 5), (3, 1)), ((0, 1, 2),), (1,)),
    Mixture(Requests((1, 4, 6, 20), (9, 3, 2, 1)), ((0, 1, 4), (0, 1, 3, 4), (0, 4)), (3, 2, 1)),
)
"""Mixtures of plans for distributions of few sizes, on which arguments are tried."""

Flow = tuple[Fraction, Fraction, Fraction]
"""m, F and f: the requests that an attempt completes, the time that it uses, per request, and the share of the plans with it."""


def _shares(mixture: Mixture) -> list[tuple[Path, Fraction]]:
    total = sum(mixture.weights)
    return [(plan, Fraction(weight, total)) for plan, weight in zip(mixture.plans, mixture.weights, strict=True)]


def _attempt(requests: Requests, a: int, c: int) -> tuple[Fraction, Fraction]:
    n = requests.survivors[0]
    return Fraction(requests.completes(a, c), n), Fraction(requests.uses(a, c), n)


def _flows(mixture: Mixture) -> list[Flow]:
    """Return the flows of all attempts of a mixture."""
    return [(*_attempt(mixture.requests, *step), f) for plan, f in _shares(mixture) for step in pairwise(plan)]


def _height(flows: list[Flow], index: Fraction) -> Fraction:
    """Return H(index), the time per request of attempts with a larger index."""
    return sum((f * use for m, use, f in flows if m / use > index), Fraction(0))


def _steps(flows: list[Flow]) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the intervals between neighbouring indices."""
    yield from pairwise(sorted({Fraction(0), *(m / use for m, use, _ in flows)}))


def _area(mixture: Mixture) -> Fraction:
    """Return the area under the unfinished share."""
    return mixture.upper() * Fraction(mixture.requests.twice_optimum, 2 * mixture.requests.survivors[0] ** 2)


@cache
def areas(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the area under the unfinished share, with attempts by falling index, is ½ ∫ H²."""
    for mixture in MIXTURES:
        flows = _flows(mixture)
        half = sum((_height(flows, low) ** 2 * (high - low) for low, high in _steps(flows)), Fraction(0)) / 2
        if _area(mixture) != factor * half:
            return f"{mixture}: {_area(mixture)}, not {half}"
    return None


@cache
def legendre(factor: Fraction = Fraction(1)) -> str | None:
    """Test: F ∫_0^{m/F} H is min over t of m t + F w(t), w the unfinished share."""
    for mixture in MIXTURES:
        corners = mixture.price.shares
        flows = _flows(mixture)
        for a, c in combinations(range(len(mixture.requests.sizes) + 1), 2):
            m, use = _attempt(mixture.requests, a, c)
            index = m / use
            widths = [(_height(flows, low), min(high, index) - min(low, index)) for low, high in _steps(flows)]
            integral = use * sum((height * width for height, width in widths), Fraction(0))
            if min(m * t + use * w for t, w in corners) != factor * integral:
                return f"{mixture}, attempt {(a, c)}: {integral}"
    return None


def _in_stages(mixture: Mixture, plans: tuple[Path, Path], first: int) -> list[tuple[int, Number]]:
    """Return the attempts of two jobs with these plans, stage after stage; job ``first`` is first within each."""
    ages = (0, *mixture.requests.sizes)
    return [
        (job, ages[stage.until])
        for stage in mixture.stages
        for job in (first, 1 - first)
        if (stage.after, stage.until) in pairwise(plans[job])
    ]


def _added_wait(mixture: Mixture, sizes: tuple[int, int]) -> Fraction:
    """Return the time that two jobs wait for each other: the mean over their plans and the order within stages."""
    wait = Fraction(0)
    for (one, f), (other, g), first in product(_shares(mixture), _shares(mixture), (0, 1)):
        order = _in_stages(mixture, (one, other), first)
        alone = sum(sum(completions(sizes, [x for x in order if x[0] == job]).values()) for job in (0, 1))
        wait += f * g / 2 * Fraction(sum(completions(sizes, order).values()) - alone)
    return wait


@cache
def pairs(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the second of two jobs adds twice the area to ΣC: exact means over sizes, plans and orders within stages."""
    for mixture in MIXTURES:
        requests = mixture.requests
        chances = [Fraction(k, requests.survivors[0]) for k in requests.weights]
        sizes = list(zip(requests.sizes, chances, strict=True))
        added = sum((p * q * _added_wait(mixture, (v, w)) for (v, p), (w, q) in product(sizes, repeat=2)), Fraction(0))
        if added != factor * 2 * _area(mixture):
            return f"{mixture}: {added}, not {2 * _area(mixture)}"
    return None


@cache
def waits_under_any_law(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the time that two jobs of given sizes wait for each other is an entry of N: exact means over plans and orders."""
    for mixture in MIXTURES:
        cost, scale = universal_cost(mixture), 2 * sum(mixture.weights) ** 2
        for (i, v), (j, w) in product(enumerate(mixture.requests.sizes), repeat=2):
            wait = _added_wait(mixture, (v, w))
            if wait != factor * Fraction(cost[i][j], scale):
                return f"{mixture}, sizes {v} and {w}: {wait}"
    return None


def stages(
    lengths: IntArray, mixture: Mixture, ages: Sequence[int], ranks: FloatArray, order: Callable[[], FloatArray]
) -> Iterator[Step]:
    """Yield a mixture's stages; the requests of a stage are in an ``order`` of all requests, drawn anew for each stage.

    ``ranks`` in [0, 1) draw the plans; ``ages``: 0, and the lengths at which they kill.
    """
    cumulative = np.cumsum(mixture.weights) / sum(mixture.weights)
    drawn = np.minimum(np.searchsorted(cumulative, ranks, side="right"), len(cumulative) - 1)
    for stage in mixture.stages:
        has = np.array([(stage.after, stage.until) in [*pairwise(plan)] for plan in mixture.plans])
        requests = np.flatnonzero(has[drawn] & (lengths > ages[stage.after]))
        if len(requests):
            yield requests[np.argsort(order()[requests])], ages[stage.until]


@cache
def orders_of_stages(factor: Fraction = Fraction(1)) -> str | None:
    """Test: of two requests in a stage each is first equally often, and earlier attempts have run both to the same age."""
    for mixture in MIXTURES:
        sizes, ages = mixture.requests.sizes, (0, *mixture.requests.sizes)
        for one, other, *ranks in product(sizes, sizes, *[(0.1, 0.3, 0.5, 0.7, 0.9)] * 2):
            ahead: dict[int, list[int]] = {}
            for places in permutations((0.0, 1.0)):
                reached = [0, 0]
                steps = stages(np.array([one, other]), mixture, ages, np.array(ranks), lambda p=places: np.array(p))
                for n, (request, kill) in enumerate(steps):
                    if len({reached[i] for i in request}) > 1:
                        return f"{mixture}: tried up to {reached} before"
                    for i in request:
                        reached[i] = kill
                    if len(request) == 2:
                        ahead.setdefault(n, [0, 0])[request[0]] += 1
            if any(first != factor * second for first, second in ahead.values()):
                return f"{mixture}, sizes {one} and {other}: {ahead}"
    return None


@cache
def stages_in_process(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the peak and the TEL of a mixture at ``factor`` (1 − 2δ)M/v̂ starts an instant are in the ranges of ``room`` and ``times``."""
    for s, law in LAWS:
        lengths = np.repeat(law, REQUESTS // 5)
        values, counts = np.unique(law, return_counts=True)
        last, ages = len(values), (0, *values.tolist())
        requests = Requests(tuple(volume(s, v) for v in ages[1:]), tuple(counts.tolist()))
        mixture, draw = Mixture.of(requests, {(0, 1, last): 1, (0, last): 1}), np.random.default_rng(1)
        order = partial(draw.random, len(lengths))
        result = run_steps(lengths, s, float(factor) * (1 - SLACK), stages(lengths, mixture, ages, order(), order))
        quotient = result.total / result.one_machine
        if not MEMORY / 2 < result.peak <= MEMORY or not 1 <= quotient <= 1.2 / (1 - SLACK):
            return f"s = {s}: {result.peak} of {MEMORY} tokens, TEL {quotient:.3f} of one machine's"
    return None


# ---- own offsets against H-SF's form -------------------------------------------------------------------------------

PAIR_GRID = 128
"""Number of offsets of each request in a mean."""


def wait(s: int, l: int, length: int, other: int) -> float:
    """Return the mean wait of a request for another over a grid of both offsets, from their single attempts."""
    first = np.add.outer((np.arange(PAIR_GRID) + 0.5) / PAIR_GRID, np.zeros(PAIR_GRID))
    second = np.add.outer(np.zeros(PAIR_GRID), (np.arange(PAIR_GRID) + 0.25) / PAIR_GRID)
    base = float(offsets_against_h_sf.BASE)
    sizes = np.array([volume(s, k) for k in range(l, max(length, other) + 1)], dtype=float)
    v, w = volume(s, length), volume(s, other)
    end = base ** (np.ceil(np.log(v) / np.log(base) - first) + first)
    threshold = base ** (np.ceil(np.log(volume(s, l)) / np.log(base) - second) + second)
    waited, pending = np.zeros((PAIR_GRID, PAIR_GRID)), np.ones((PAIR_GRID, PAIR_GRID), dtype=bool)
    while np.any(pending & (threshold <= end)):
        killed = sizes[np.searchsorted(sizes, threshold, side="right") - 1]
        waited += np.where(pending & (threshold <= end), np.minimum(w, killed), 0)
        pending &= threshold < w
        threshold = threshold * base
    return float(waited.mean())


@cache
def waits_in_steps(factor: float = 1.0) -> str | None:
    """Test: the time that two requests wait for each other is the kernel's, within 2 %."""
    for prompt, low in ((0, 1), (2, 1), (0, 3)):
        for i, j in ((a, b) for a, b in product((low, low + 1, low + 3, low + 9), repeat=2) if a <= b):
            with precision(offsets_against_h_sf.BITS):
                expected = factor * float(offsets_against_h_sf.Kernel(prompt, (low,)).mutual_wait(i, j))
            measured = wait(prompt, low, i, j) + wait(prompt, low, j, i)
            if abs(measured - expected) > 0.02 * expected:
                return f"s = {prompt}, l = {low}, lengths {i} and {j}: {measured}, not {expected}"
    return None


@cache
def savings(factor: Fraction = Fraction(1)) -> str | None:
    """Test: own offsets' form is at most its bound in tails, at weights 0, 1, 2 on four lengths; ``factor`` multiplies p_k."""
    for prompt, weights in product((0, 2), product((0, 1, 2), repeat=4)):
        with precision(offsets_against_h_sf.BITS):
            kernel = offsets_against_h_sf.Kernel(prompt, range(1, 5))
            tails = [sum(weights[k:]) for k in range(4)]
            among = kernel.savings_matrix(4)
            pairs = [*product(range(4), repeat=2)]
            bound = sum(
                (ball(offsets_against_h_sf.COST * kernel.volume_coefficient(k + 1) * tails[k] ** 2) for k in range(4)),
                start=ball(0),
            )
            bound -= sum(kernel.remainder(a + 1, c + 1) * weights[a] * weights[c] for a, c in pairs)
            bound -= ball(factor) * sum(2 * kernel.saving(k + 1) * tails[k] ** 2 for k in range(4))
            bound -= ball(factor) * sum(among[a][c] * tails[a] * tails[c] for a, c in pairs)
            paid = sum(kernel.mutual_wait(min(a, c) + 1, max(a, c) + 1) * weights[a] * weights[c] for a, c in pairs)
            if not paid <= bound + ball(Fraction(1, 10**20)):
                return f"s = {prompt}, weights {weights}: {float(paid)}, more than {float(bound)}"
    return None


# ---- the limit of the worst case at s = 0 --------------------------------------------------------------------------


def near_the_limit() -> str | None:
    """Test: l·|worst case − limit| at α = 1/10 and ½ is small, and falls as l grows."""
    for alpha in (Fraction(1, 10), Fraction(1, 2)):
        far = without_prompts(alpha).middle
        scaled = [low * abs(at_finite(alpha, Fraction(0), low) - far) for low in (10, 100, 1000)]
        if not 1 > scaled[0] > scaled[1] > scaled[2]:
            return f"α = {alpha}: {scaled}"
    return None
