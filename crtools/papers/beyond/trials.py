"""What tries the arguments of this theory on small runs: each function returns where one fails, None where none does.

The text names them (``tested by``). Most multiply what is argued by ``factor``, 1 in the text: with ½ or 2 in its place they
must find a run that disagrees.

Sections: one machine · the process, interval after interval · mixtures of plans · against H-SF's form · the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, permutations, product
from math import floor, log
from typing import Any

import numpy as np

from crtools.blind import offsets_against_h_sf as balls
from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.mixture import Mixture
from crtools.blind.worst_law import universal_cost
from crtools.enclosure import ball, precision
from crtools.papers.beyond.evidence.limits import at_finite, without_prompts
from crtools.schedule import peak, volume

# ---- one machine with kill and restart, run exactly ----------------------------------------------------------------

Number = Fraction | float


def completions(sizes: Sequence[Number], plan: Iterable[tuple[int, Number]]) -> dict[int, Number]:
    """Return when each job is finished by a plan of (job, time after which it is killed), one attempt after the other."""
    now: Number = Fraction(0)
    ends: dict[int, Number] = {}
    for job, limit in plan:
        if job not in ends:
            now += min(sizes[job], limit)
            if sizes[job] <= limit:
                ends[job] = now
    return ends


def by_thresholds(thresholds: Sequence[Sequence[Number]]) -> list[tuple[int, Number]]:
    """Return all jobs' attempts in the order of their thresholds."""
    return sorted(((job, c) for job, own in enumerate(thresholds) for c in own), key=lambda attempt: attempt[1])


@cache
def waits(factor: Fraction = Fraction(1)) -> str | None:
    """Test: a job completes at the sum of min(v_j, c) over all thresholds c up to its own last one that find j unfinished."""
    tables = [tuple(first * 4**k for k in range(3)) for first in (Fraction(1, 2), Fraction(2, 3), Fraction(1))]
    for sizes in product((Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(7)), repeat=3):
        found = completions(sizes, by_thresholds(tables))
        for i, size in enumerate(sizes):
            last = min(c for c in tables[i] if c >= size)
            used = sum(
                min(sizes[j], c)
                for j in range(3)
                for c in tables[j]
                if c <= last and not any(sizes[j] <= d < c for d in tables[j])
            )
            if found[i] != factor * used:
                return f"sizes {sizes}, job {i}: {found[i]}, not {used}"
    return None


GRID = 16
"""Offsets of each job over which means are taken."""


def mean_wait(y: float, base: float) -> tuple[float, float]:
    """Return a job of size 1's own attempts and its wait for one of size y, averaged over a grid of both offsets, from runs."""
    own = wait = 0.0
    for u, v in product(range(GRID), repeat=2):
        tables = [_thresholds(offset, base, max(1.0, y)) for offset in ((u + 0.5) / GRID, (v + 0.25) / GRID)]
        alone = completions([1.0], by_thresholds(tables[:1]))[0]
        own += float(alone) / GRID**2
        wait += (float(completions([1.0, y], by_thresholds(tables))[0]) - float(alone)) / GRID**2
    return own, wait


def _thresholds(offset: float, base: float, largest: float) -> list[float]:
    last = floor(log(largest) / log(base)) + 2
    return [base ** (k + offset) for k in range(last - 16, last + 1)]


def expected_wait(y: float, base: float) -> float:
    """Return E W(b^V): the mean over V of what the other used at thresholds up to b^V."""
    ends = [base ** ((k + 0.5) / 2000) for k in range(2000)]
    used = (min(c, y) + y * max(0.0, log(min(c, base * y) / y)) for c in ends)
    return sum(used) / len(ends) / log(base)


@cache
def means(factor: float = 1.0) -> str | None:
    """Test: the means over a grid of offsets are v(1 + 1/ln b) for a job's own attempts, and E W for the wait."""
    for base, y in product((3.0, 13.8), (0.2, 1.0, 2.0, 9.0)):
        (own, wait), expected = mean_wait(y, base), factor * expected_wait(y, base)
        if abs(own - (1 + 1 / log(base))) > 0.05 or abs(wait - expected) > 0.05 * max(1.0, expected):
            return f"b = {base}, sizes 1 and {y}: {own} and {wait}, not {1 + 1 / log(base)} and {expected}"
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
    """Test: a pause of v(a)/(s+a) instants or more at a, and the rest up to c, use at least ``factor`` F(a, c)."""
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
"""A falling price: until when, and how much for a unit of time."""


def rate(t: int) -> Fraction:
    """Return the price of the unit of time that ends at t."""
    return next((price for end, price in PRICE if t <= end), Fraction(0))


def rounds(lengths: Sequence[int], limits: Iterable[int], beside: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Iterate over (start, end) of the attempts of kill and restart with these limits, so many beside each other at each."""
    left, now = list(lengths), 0
    for limit in limits:
        for first in range(0, len(left), beside(limit)):
            ends = [now + min(o, limit) for o in left[first : first + beside(limit)]]
            yield from ((now, end) for end in ends)
            now = max(ends)
        left = [o for o in left if o > limit]


def _price_is_wrong(run: Sequence[tuple[int, int]], held: Callable[[int], int], most: Number) -> str | None:
    """Return what is wrong of a run whose attempts pay for what they hold at each age, together at most ``most`` times the price."""
    paid = [sum(rate(t) * held(t - p) for t in range(p + 1, end + 1)) for p, end in run]
    if sum(paid) > most * sum(rate(t) for t in range(1, max(end for _, end in run) + 1)):
        return "the prices do not add up"
    least = (rate(end) * sum(held(age) for age in range(1, end - p + 1)) for p, end in run)
    return "an attempt pays less than its last price" if any(a < b for a, b in zip(paid, least, strict=True)) else None


@cache
def prices(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the jobs pay for disjoint times, so together at most what the time until the end costs; each at least the last price."""
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
    """Return the starts of the paced shortest-first: ⌊M/v(o)⌋ of length o at each instant, and o instants after the last of them.

    In the order of the sorted lengths.
    """
    starts: list[int] = []
    now = 0
    for o in sorted(set(lengths)):
        rate, count = memory // volume(s, o), lengths.count(o)
        starts += [now + k // rate for k in range(count)]
        now += -(-count // rate) + o
    return starts


def paced_most(lengths: Sequence[int], s: int, memory: int) -> Fraction:
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
                if total > factor * paced_most(lengths, s, memory):
                    return f"lengths {lengths}, s = {s}, M = {memory}: total {total}"
    return None


# ---- the process: own offsets, interval after interval of thresholds -----------------------------------------------

STEP_GRID = 24
BASE, LARGEST = 13.8, 8
"""The base b and the largest length u of all runs."""

MEMORY, REQUESTS, PILOT, SLACK = 1500, 400_000, 300, 0.2
LAWS = ((0, (1, 2, 3, 5, 8)), (0, (1, 1, 1, 1, 8)), (3, (4, 5, 6, 7, 8)))
"""s, and the lengths that are equally frequent."""


def intervals(lengths: Any, s: int, l: int, offsets: Any) -> Iterator[tuple[Any, int]]:
    """Iterate over the intervals in which there are attempts, from the least thresholds on.

    Of each: whose the attempts are, in their order, and the age at which they are killed.
    """
    v = volume(s, np.arange(l, LARGEST + 1)).astype(float)
    cuts = np.unique(np.concatenate([v, BASE * v]))
    rows: list[Any] = []
    left = np.arange(len(lengths))
    threshold = BASE ** (np.ceil(np.log(v[0]) / np.log(BASE) - offsets) + offsets)
    while len(left):
        kill = l - 1 + np.searchsorted(v, threshold[left], side="right")
        rows.append((left, threshold[left], kill))
        left = left[lengths[left] > kill]
        threshold = threshold * BASE
    request, threshold, kill = (np.concatenate(column) for column in zip(*rows, strict=True))
    place = np.searchsorted(cuts, threshold, side="right")
    for at in np.unique(place):
        own = np.flatnonzero(place == at)
        own = own[np.argsort(threshold[own])]
        yield request[own], int(kill[own[0]])


@dataclass(frozen=True)
class Run:
    """A run without evictions: TEL, its peak of memory, and Σ C_j of the same attempts on one machine, over M."""

    total: int
    peak: int
    one_machine: float


def run(lengths: Any, s: int, share: float) -> Run:
    """Run the policy with ``share`` for 1 − 2δ; l is the least length."""
    offsets = np.random.default_rng(0).random(len(lengths))
    return run_steps(lengths, s, share, intervals(lengths, s, int(lengths.min()), offsets))


def run_steps(lengths: Any, s: int, share: float, steps: Iterable[tuple[Any, int]]) -> Run:
    """Run step after step, each of attempts in their order and the age at which they are killed."""
    starts: list[Any] = []
    ran: list[Any] = []
    now = total = done = 0
    summed = 0.0
    for request, kill in steps:
        length = np.minimum(lengths[request], kill)
        used = volume(s, length)
        begin = now + np.arange(len(length)) // (MEMORY // volume(s, LARGEST))
        if len(length) >= 2 * PILOT:
            after, rate = begin[PILOT - 1] + LARGEST, int(share * MEMORY / used[:PILOT].mean())
            begin[PILOT:] = after + np.arange(len(length) - PILOT) // rate
        finished = lengths[request] <= kill
        total += int((begin + length)[finished].sum())
        summed += float((done + np.cumsum(used))[finished].sum())
        done += int(used.sum())
        starts.append(begin)
        ran.append(length)
        now = int(begin[-1]) + LARGEST
    return Run(total, peak(np.concatenate(starts), np.concatenate(ran), s), summed / MEMORY)


def cuts(s: int, l: int, u: int, square: Fraction) -> list[Fraction]:
    """Return the squares of the cuts v(k) and b·v(k), in order; ``square``: b²."""
    squares = [Fraction(volume(s, k)) ** 2 for k in range(l, u + 1)]
    return sorted({*squares, *(square * v for v in squares)})


@cache
def one_each(square: Fraction = Fraction(3)) -> str | None:
    """Test: from a cut to the next it is a factor of at most b, so that no interval has two thresholds of one request."""
    for s, l, more in product(range(6), range(1, 7), range(12)):
        own = cuts(s, l, l + more, square)
        if any(high > square * low for low, high in pairwise(own)):
            return f"s = {s}, lengths from {l} to {l + more}: an interval is longer than a factor of √{square}"
    return None


@cache
def orders(factor: Fraction = Fraction(1)) -> str | None:
    """Test: of two requests that take part in an interval each is the first as often, over a grid of offsets."""
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
    """Return runs with (1 − 2δ) times ``rate`` for 1 − 2δ."""
    share = float(rate) * (1 - SLACK)
    return tuple((s, run(np.repeat(law, REQUESTS // 5), s, share)) for s, law in LAWS)


@cache
def room(factor: Fraction = Fraction(1)) -> str | None:
    """Test: at (1 − 2δ)M/v̂ starts an instant M is never needed, and more than half of it is."""
    for s, own in _runs(factor):
        if not MEMORY / 2 < own.peak <= MEMORY:
            return f"s = {s}: {own.peak} of {MEMORY} tokens are needed"
    return None


@cache
def times(factor: Fraction = Fraction(1)) -> str | None:
    """Test: TEL is at most 1/(1 − 2δ) times the total on one machine, but for 20 %, and at least that total."""
    for s, own in _runs(Fraction(1)):
        quotient = own.total / own.one_machine
        if not 1 <= factor * quotient <= 1.2 / (1 - SLACK):
            return f"s = {s}: TEL is {quotient:.3f} times the total on one machine"
    return None


# ---- mixtures of plans ---------------------------------------------------------------------------------------------

CASES = (
    (Requests((1, 3, 7), (5, 3, 2)), {(0, 3): 2, (0, 1, 3): 3}),
    (Requests((1, 2, 9), (4, 1, 1)), {(0, 2, 3): 1, (0, 1, 3): 1}),
    (Requests((2, 5), (3, 1)), {(0, 1, 2): 1}),
    (Requests((1, 4, 6, 20), (9, 3, 2, 1)), {(0, 1, 4): 3, (0, 1, 3, 4): 2, (0, 4): 1}),
)
"""Laws, and mixtures of plans with their weights, on which arguments are tried."""


def _attempts(requests: Requests, plan: Path) -> list[tuple[Fraction, Fraction]]:
    n = requests.survivors[0]
    return [(Fraction(requests.completes(*own), n), Fraction(requests.uses(*own), n)) for own in pairwise(plan)]


def _flows(requests: Requests, shares: dict[Path, int]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return (m, F, f) of all attempts of a mixture."""
    total = sum(shares.values())
    return [(*own, Fraction(f, total)) for plan, f in shares.items() for own in _attempts(requests, plan)]


def _height(flows: list[tuple[Fraction, Fraction, Fraction]], index: Fraction) -> Fraction:
    return sum((f * use for m, use, f in flows if m / use > index), Fraction(0))


def _steps(*flows: list[tuple[Fraction, Fraction, Fraction]]) -> Iterator[tuple[Fraction, Fraction]]:
    """Iterate over the pieces between neighbouring indices."""
    yield from pairwise(sorted({Fraction(0), *(m / use for own in flows for m, use, _ in own)}))


@cache
def areas(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the area under what is unfinished, by falling index, is ½ ∫ H²."""
    for requests, shares in CASES:
        flows = _flows(requests, shares)
        half = sum((_height(flows, low) ** 2 * (high - low) for low, high in _steps(flows)), Fraction(0)) / 2
        n = requests.survivors[0]
        area = Mixture(requests, tuple(shares), tuple(shares.values())).upper() * Fraction(
            requests.twice_optimum, 2 * n**2
        )
        if area != factor * half:
            return f"{requests}, {shares}: {area}, not {half}"
    return None


@cache
def legendre(factor: Fraction = Fraction(1)) -> str | None:
    """Test: F ∫_0^{m/F} H is the least of m t + F w(t), w the unfinished share."""
    for requests, shares in CASES:
        mixture = Mixture(requests, tuple(shares), tuple(shares.values()))
        corners = [(Fraction(t, mixture.unit), Fraction(rest, mixture.unit)) for t, rest in mixture.course]
        flows, last = _flows(requests, shares), len(requests.sizes)
        for own in ((a, c) for c in range(1, last + 1) for a in range(c)):
            [(m, use)] = _attempts(requests, own)
            ends = [
                (min(low, m / use), min(high, m / use)) for low, high in (*_steps(flows), (Fraction(0), Fraction(0)))
            ]
            found = use * sum((_height(flows, low) * (high - low) for low, high in ends), Fraction(0))
            if min(m * t + use * rest for t, rest in corners) != factor * found:
                return f"{requests}, {shares}, attempt {own}: {found}"
    return None


@cache
def pairs(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the second of two jobs adds twice the area to ΣC: exact means over sizes, plans and orders within stages."""
    for requests, shares in CASES:
        mixture, n, total = (
            Mixture(requests, tuple(shares), tuple(shares.values())),
            requests.survivors[0],
            sum(shares.values()),
        )
        alone = both = Fraction(0)
        draws = [
            (v, k, plan, f) for v, k in zip(requests.sizes, requests.weights, strict=True) for plan, f in shares.items()
        ]
        ages = (0, *requests.sizes)
        for one, other in product(draws, repeat=2):
            chance = Fraction(one[1] * other[1] * one[3] * other[3], (n * total) ** 2)
            for first in (0, 1):
                order = [
                    (job, ages[stage.until])
                    for stage in mixture.stages
                    for job in (first, 1 - first)
                    if (stage.after, stage.until) in pairwise((one, other)[job][2])
                ]
                both += chance / 2 * sum(completions([one[0], other[0]], order).values(), Fraction(0))
            own = [(0, ages[c]) for c in one[2][1:]]
            alone += chance * completions([one[0]], own)[0]
        area = mixture.upper() * Fraction(requests.twice_optimum, 2 * n**2)
        if both - 2 * alone != factor * 2 * area:
            return f"{requests}, {shares}: {both - 2 * alone}, not {2 * area}"
    return None


@cache
def waits_under_any_law(factor: Fraction = Fraction(1)) -> str | None:
    """Test: what two jobs of given sizes wait for each other is an entry of N: exact means over plans and orders within stages."""
    for requests, shares in CASES:
        mixture, total = Mixture(requests, tuple(shares), tuple(shares.values())), sum(shares.values())
        cost, ages = universal_cost(mixture), (0, *requests.sizes)
        for (i, v), (j, w) in product(enumerate(requests.sizes), repeat=2):
            found = Fraction(0)
            for (one, f), (other, g), first in product(shares.items(), shares.items(), (0, 1)):
                order = [
                    (job, ages[stage.until])
                    for stage in mixture.stages
                    for job in (first, 1 - first)
                    if (stage.after, stage.until) in pairwise((one, other)[job])
                ]
                own = ([x for x in order if x[0] == job] for job in (0, 1))
                alone = sum(sum(completions([v, w], steps).values()) for steps in own)
                found += Fraction(f * g, 2 * total**2) * (sum(completions([v, w], order).values()) - alone)
            if found != factor * Fraction(cost[i][j], 2 * total**2):
                return f"{requests}, {shares}, sizes {v} and {w}: {found}"
    return None


def stages(
    lengths: Any, mixture: Mixture, ages: Sequence[int], ranks: Any, order: Callable[[], Any]
) -> Iterator[tuple[Any, int]]:
    """Iterate over a mixture's stages: whose attempts they have, in an ``order`` of all requests, and the age of the kill.

    ``ranks`` in [0, 1) draw the plans; ``ages``: 0, and the lengths at which they kill.
    """
    ends = np.cumsum(mixture.weights) / sum(mixture.weights)
    drawn = np.minimum(np.searchsorted(ends, ranks, side="right"), len(ends) - 1)
    for stage in mixture.stages:
        has = np.array([(stage.after, stage.until) in [*pairwise(plan)] for plan in mixture.plans])
        own = np.flatnonzero(has[drawn] & (lengths > ages[stage.after]))
        if len(own):
            yield own[np.argsort(order()[own])], ages[stage.until]


@cache
def orders_of_stages(factor: Fraction = Fraction(1)) -> str | None:
    """Test: of two requests in a stage each is the first as often, and both have been tried up to one age before."""
    for requests, shares in CASES:
        mixture, ages = Mixture(requests, tuple(shares), tuple(shares.values())), (0, *requests.sizes)
        for one, other, *ranks in product(requests.sizes, requests.sizes, *[(0.1, 0.3, 0.5, 0.7, 0.9)] * 2):
            ahead: dict[int, list[int]] = {}
            for places in permutations((0.0, 1.0)):
                reached = [0, 0]
                steps = stages(np.array([one, other]), mixture, ages, np.array(ranks), lambda p=places: np.array(p))
                for at, (request, kill) in enumerate(steps):
                    if len({reached[i] for i in request}) > 1:
                        return f"{requests}, {shares}: tried up to {reached} before"
                    for i in request:
                        reached[i] = kill
                    if len(request) == 2:
                        ahead.setdefault(at, [0, 0])[request[0]] += 1
            if any(first != factor * second for first, second in ahead.values()):
                return f"{requests}, {shares}, sizes {one} and {other}: {ahead}"
    return None


@cache
def stages_in_process(factor: Fraction = Fraction(1)) -> str | None:
    """Test: at ``factor`` (1 − 2δ)M/v̂ starts an instant a mixture never needs M, needs half of it, and has TEL as on one machine."""
    for s, law in LAWS:
        lengths = np.repeat(law, REQUESTS // 5)
        values, counts = np.unique(law, return_counts=True)
        last, ages = len(values), (0, *values.tolist())
        requests = Requests(tuple(volume(s, v) for v in ages[1:]), tuple(counts.tolist()))
        mixture, draw = Mixture.of(requests, {(0, 1, last): 1, (0, last): 1}), np.random.default_rng(1)
        order = partial(draw.random, len(lengths))
        steps = stages(lengths, mixture, ages, order(), order)
        own = run_steps(lengths, s, float(factor) * (1 - SLACK), steps)
        if not MEMORY / 2 < own.peak <= MEMORY or not 1 <= own.total / own.one_machine <= 1.2 / (1 - SLACK):
            return f"s = {s}: {own.peak} of {MEMORY} tokens, TEL {own.total / own.one_machine:.3f} of one machine's"
    return None


# ---- own offsets against H-SF's form -------------------------------------------------------------------------------

PAIR_GRID = 128
"""Offsets of each request over which means are taken."""


def wait(s: int, l: int, own: int, other: int) -> float:
    """Return what a request waits for another, averaged over a grid of both offsets, from their attempts one by one."""
    first = np.add.outer((np.arange(PAIR_GRID) + 0.5) / PAIR_GRID, np.zeros(PAIR_GRID))
    second = np.add.outer(np.zeros(PAIR_GRID), (np.arange(PAIR_GRID) + 0.25) / PAIR_GRID)
    base, sizes = float(balls.BASE), np.array([volume(s, k) for k in range(l, max(own, other) + 1)], dtype=float)
    v, w = volume(s, own), volume(s, other)
    end = base ** (np.ceil(np.log(v) / np.log(base) - first) + first)
    threshold = base ** (np.ceil(np.log(volume(s, l)) / np.log(base) - second) + second)
    paid, left = np.zeros((PAIR_GRID, PAIR_GRID)), np.ones((PAIR_GRID, PAIR_GRID), dtype=bool)
    while np.any(left & (threshold <= end)):
        killed = sizes[np.searchsorted(sizes, threshold, side="right") - 1]
        paid += np.where(left & (threshold <= end), np.minimum(w, killed), 0)
        left &= threshold < w
        threshold = threshold * base
    return float(paid.mean())


@cache
def waits_in_steps(factor: float = 1.0) -> str | None:
    """Test: what two requests wait for each other is what the kernel says, within 2 %."""
    for prompt, low in ((0, 1), (2, 1), (0, 3)):
        for i, j in ((a, b) for a, b in product((low, low + 1, low + 3, low + 9), repeat=2) if a <= b):
            with precision(balls.BITS):
                known = factor * float(balls.Kernel(prompt, (low,)).mutual_wait(i, j))
            found = wait(prompt, low, i, j) + wait(prompt, low, j, i)
            if abs(found - known) > 0.02 * known:
                return f"s = {prompt}, l = {low}, lengths {i} and {j}: {found}, not {known}"
    return None


@cache
def savings(factor: Fraction = Fraction(1)) -> str | None:
    """Test: own offsets' form is at most what the tails say, at weights 0, 1 and 2 on four lengths; the factor is of p_k."""
    for prompt, weights in product((0, 2), product((0, 1, 2), repeat=4)):
        with precision(balls.BITS):
            kernel = balls.Kernel(prompt, range(1, 5))
            tails = [sum(weights[k:]) for k in range(4)]
            among = kernel.savings_matrix(4)
            pairs = [*product(range(4), repeat=2)]
            most = sum(
                (ball(balls.COST * kernel.volume_coefficient(k + 1) * tails[k] ** 2) for k in range(4)), start=ball(0)
            )
            most -= sum(kernel.remainder(a + 1, c + 1) * weights[a] * weights[c] for a, c in pairs)
            most -= ball(factor) * sum(2 * kernel.saving(k + 1) * tails[k] ** 2 for k in range(4))
            most -= ball(factor) * sum(among[a][c] * tails[a] * tails[c] for a, c in pairs)
            paid = sum(kernel.mutual_wait(min(a, c) + 1, max(a, c) + 1) * weights[a] * weights[c] for a, c in pairs)
            if not paid <= most + ball(Fraction(1, 10**20)):
                return f"s = {prompt}, weights {weights}: {float(paid)}, more than {float(most)}"
    return None


# ---- the limit of the worst case at s = 0 --------------------------------------------------------------------------


def near_the_limit() -> str | None:
    """Look at l·|worst case − limit| at α = 1/10 and ½: it is small, and falls as l grows."""
    for alpha in (Fraction(1, 10), Fraction(1, 2)):
        far = without_prompts(alpha).middle
        scaled = [low * abs(at_finite(alpha, Fraction(0), low) - far) for low in (10, 100, 1000)]
        if not 1 > scaled[0] > scaled[1] > scaled[2]:
            return f"α = {alpha}: {scaled}"
    return None
