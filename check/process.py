"""The discrete process: schedules on instances, queues, and Algorithm 2 to the letter through all its ties.

Integer instants. A request started at p holds s + t − p tokens at t = p+1, …, p+o, completes at p+o and is then gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import lcm
from typing import Any

from check.kernel import need


def tokens(starts: Sequence[int], lengths: Sequence[int], s: int, t: int) -> int:
    """Return the memory held at the instant t."""
    return sum(s + t - p for p, o in zip(starts, lengths, strict=True) if p < t <= p + o)


def feasible(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> bool:
    """Return whether the memory suffices at every instant; the use is largest when a request completes."""
    return all(tokens(starts, lengths, s, p + o) <= memory for p, o in zip(starts, lengths, strict=True))


def total(starts: Sequence[int], lengths: Sequence[int]) -> int:
    """Return the total latency."""
    return sum(starts) + sum(lengths)


def run_queue(
    order: Sequence[int], assumed: Sequence[int], lengths: Sequence[int], s: int, memory: int, passing: bool = False
) -> list[int]:
    """Return the starts of a queue without cancellation.

    A request starts where the projected use, every request counted up to its assumed length, stays within the memory; none
    is assumed to be shorter than it is.
    The queue stops at the first that does not fit, or with ``passing`` looks at the ones behind it too.
    """
    need(all(s + a <= memory for a in assumed), "a request can never run")
    starts: dict[int, int] = {}
    waiting, t = list(order), 0
    while waiting:
        running = [i for i in starts if starts[i] + lengths[i] > t]
        for i in list(waiting):
            group = [*running, i]
            begun = [starts.get(g, t) for g in group]
            ends = {p + assumed[g] for p, g in zip(begun, group, strict=True)}
            if all(tokens(begun, [assumed[g] for g in group], s, x) <= memory for x in ends):
                starts[i] = t
                running.append(i)
                waiting.remove(i)
            elif not passing:
                break
        t += 1
    return [starts[i] for i in range(len(lengths))]


def shortest_first(lengths: Sequence[int], s: int, memory: int) -> list[int]:
    """Return H-SF's starts: increasing length, equal ones in their order."""
    return run_queue(sorted(range(len(lengths)), key=lambda i: lengths[i]), lengths, lengths, s, memory)


def may_move(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int, request: int, to: int) -> bool:
    """Return whether Definition 2 is violated: ``to`` lies from the last earlier start (or 0) on, and moving there fits."""
    own = starts[request]
    before = max((p for p in starts if p < own), default=0)
    return before <= to < own and feasible(moved(starts, request, to), lengths, s, memory)


def packed(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> bool:
    """Return whether a schedule is optimally packed (Definition 2)."""
    return not any(may_move(starts, lengths, s, memory, i, k) for i, p in enumerate(starts) for k in range(p))


def same_order(a: Sequence[int], b: Sequence[int]) -> bool:
    """Return whether two schedules preserve the corresponding order (Definition 1)."""
    return all((a[i] - a[j]) * (b[i] - b[j]) >= 0 for i, j in combinations(range(len(a)), 2))


def every_order(assumed: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> list[list[int]]:
    """Return the starts of a queue in every order."""
    return [run_queue(order, assumed, lengths, s, memory) for order in permutations(range(len(lengths)))]


def mean_random(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """Return A_random's expected total: over all orders."""
    totals = [total(starts, lengths) for starts in every_order(lengths, lengths, s, memory)]
    return Fraction(sum(totals), len(totals))


def delayed(starts: Sequence[int], others: Sequence[int]) -> bool:
    """Return whether no request starts before its start in the other schedule."""
    return all(p >= q for p, q in zip(starts, others, strict=True))


def moved(values: Sequence[int], at: int, to: int) -> list[int]:
    """Return a list with another value at one place."""
    return [to if i == at else value for i, value in enumerate(values)]


# ---- Algorithm 2 to the letter ----------------------------------------------------------------------------------
# At an instant requests leave, then overflow is cancelled, then requests are admitted. A waiting request is (length,
# bound), a running one (length, bound it was started with, age); equal ones are counted, and every tie is followed.

State = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int], ...]]
"""The waiting and the running requests, each sorted."""
Law = dict[State, Fraction]


@dataclass
class Means:
    """Expectations over the ties, up to an instant: the latency of those that completed, starts and completions by

    (bound, length), cancelled starts by (bound, new bound, length). ``over``: all have completed, whatever the ties.
    """

    total: Fraction
    over: bool
    started: dict[tuple[int, int], Fraction]
    completed: dict[tuple[int, int], Fraction]
    moved: dict[tuple[int, int, int], Fraction]


def _count(counts: dict[Any, Fraction], key: Any, p: Fraction) -> None:
    counts[key] = counts.get(key, Fraction(0)) + p


def _draws(jobs: tuple[Any, ...]) -> list[tuple[Any, tuple[Any, ...], Fraction]]:
    """Return, for a uniform draw among those of least bound, the job, the others and the probability."""
    least = min(job[1] for job in jobs)
    equal = [job for job in jobs if job[1] == least]
    result: list[tuple[Any, tuple[Any, ...], Fraction]] = []
    for job in sorted(set(equal)):
        place = jobs.index(job)
        result.append((job, jobs[:place] + jobs[place + 1 :], Fraction(equal.count(job), len(equal))))
    return result


def _admits(running: tuple[tuple[int, int, int], ...], bound: int, s: int, memory: int) -> bool:
    """Eq. 5 for a new request with a bound: one that runs counts up to its bound, and past it for one instant more."""
    rows = [(age, max(b, age + 1)) for _, b, age in running] + [(0, bound)]
    ends = {end - age for age, end in rows}  # in between the use only grows
    return all(sum(s + age + d for age, end in rows if age + d <= end) <= memory for d in ends)


@cache
def literal_means(requests: tuple[tuple[int, int], ...], s: int, memory: int, instants: int = 100) -> Means:
    """Follow A_min from (length, first bound) of every request, through all ties, up to an instant."""
    need(all(s + o <= memory for o, _ in requests), "a request can never run")
    own = Means(Fraction(0), False, {}, {}, {})
    law: Law = {(tuple(sorted(requests)), ()): Fraction(1)}
    for t in range(instants + 1):
        after: Law = {}
        for (waiting, running), p in law.items():
            for o, bound, age in running:
                if age == o:
                    own.total += p * t
                    _count(own.completed, (bound, o), p)
            _count(after, (waiting, tuple(job for job in running if job[2] < job[0])), p)
        kept: Law = {}
        while after:  # one draw after the other, so that equal states meet
            layer, after = after, {}
            for (waiting, running), p in layer.items():
                if sum(s + age + 1 for _, _, age in running) <= memory:
                    _count(kept, (waiting, running), p)
                    continue
                for (o, bound, age), rest, share in _draws(running):
                    new = max(bound, age)
                    _count(own.moved, (bound, new, o), p * share)
                    _count(after, (tuple(sorted((*waiting, (o, new)))), rest), p * share)
        law = {}
        while kept:
            layer, kept = kept, {}
            for (waiting, running), p in layer.items():
                if not waiting or not _admits(running, min(b for _, b in waiting), s, memory):
                    if waiting or running:
                        _count(law, (waiting, tuple((o, b, age + 1) for o, b, age in running)), p)
                    continue
                for (o, bound), rest, share in _draws(waiting):
                    _count(own.started, (bound, o), p * share)
                    _count(kept, (rest, tuple(sorted((*running, (o, bound, 0))))), p * share)
        if not law:
            own.over = True
            break
    return own


def literal(requests: Sequence[Sequence[int]], s: int, memory: int, instants: int = 100) -> dict[str, Any]:
    """Return the fields of the means by their names."""
    return vars(literal_means(tuple((o, bound) for o, bound in requests), s, memory, instants))


def expected(table: dict[Any, Fraction], *key: int) -> Fraction:
    """Return an expectation, which is 0 where it does not occur."""
    return table.get(key, Fraction(0))


# ---- blind schedulers: a price on the machine's time --------------------------------------------------------------------


def _in_units(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return fractions as integers, and the unit: how many of it are 1."""
    unit = lcm(*(value.denominator for value in values))
    return [value.numerator * (unit // value.denominator) for value in values], unit


def proved_by_price(
    sizes: Sequence[Fraction], tails: Sequence[Fraction], times: Sequence[Fraction], prices: Sequence[Fraction]
) -> Fraction:
    """Return the ratio that every blind policy has at least under a law of sizes, by a price linear between times.

    ``tails``: P(size > each). A plan is a sequence of sizes at which a job is killed; its steps are at the times.
    """
    (p, unit), (t, of_time), (w, of_price) = map(_in_units, (tails, times, prices))
    (v, of_size), last = _in_units([Fraction(0), *sizes]), len(sizes)
    p = [unit, *p]
    step = [p[k] * (v[k + 1] - v[k]) for k in range(last)]
    uses = [[v[a] * p[a] + sum(step[a:c]) for c in range(a + 1, last + 1)] for a in range(last)]
    costs: list[int] = []  # of the cheapest plan from each size on, from the last time to the first
    for time, price in zip(reversed(t), reversed(w), strict=True):
        now = [0]
        for a in range(last - 1, -1, -1):
            gains = [(p[a] - q) * time * of_price * of_size for q in p[a + 1 :]]
            steps = (gain + price * of_time * used for gain, used in zip(gains, uses[a], strict=True))
            now.insert(0, min([min(map(int.__add__, steps, now)), *costs[a : a + 1]]))
        costs = now
    paid = sum((w[i] + w[i + 1]) * (t[i + 1] - t[i]) for i in range(len(t) - 1))
    shared = sum(p[k] * step[k] for k in range(last))
    return Fraction((2 * costs[0] - paid * unit * of_size) * unit, shared * of_time * of_price)
