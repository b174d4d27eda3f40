"""The discrete process: schedules on instances, queues, and Algorithm 2 to the letter through all its ties.

Integer instants. A request started at p holds s + t − p tokens at t = p+1, …, p+o, completes at p+o and is then gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from check.kernel import need


def tokens(starts: Sequence[int], lengths: Sequence[int], s: int, t: int) -> int:
    """Return the memory held at the instant t."""
    return sum(s + t - p for p, o in zip(starts, lengths, strict=True) if p < t <= p + o)


def feasible(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> bool:
    """Return whether the memory suffices at every instant; the use is largest when a request completes."""
    ends = {p + o for p, o in zip(starts, lengths, strict=True)}
    return all(tokens(starts, lengths, s, t) <= memory for t in ends)


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
            if feasible([starts.get(g, t) for g in group], [assumed[g] for g in group], s, memory):
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
    before = max((p for p in starts if p < starts[request]), default=0)
    return before <= to < starts[request] and feasible(moved(starts, request, to), lengths, s, memory)


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


def moved(values: Sequence[int], at: int, to: int) -> list[int]:
    """Return a list with another value at one place."""
    return [to if i == at else value for i, value in enumerate(values)]


# ---- Algorithm 2 to the letter ----------------------------------------------------------------------------------
# At an instant requests leave, then overflow is cancelled, then requests are admitted. A waiting request is (length,
# bound), a running one (length, bound it was started with, age); equal ones are counted, and every tie is followed.

State = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int], ...]]
"""The waiting and the running requests, each sorted."""
Law = defaultdict[State, Fraction]
Means = defaultdict[Any, Fraction]


def _draws(jobs: tuple[Any, ...]) -> list[tuple[Any, tuple[Any, ...], Fraction]]:
    """Return, for a uniform draw among those of least bound, the job, the others and the probability."""
    least = min(job[1] for job in jobs)
    equal = [job for job in jobs if job[1] == least]
    places = [jobs.index(job) for job in sorted(set(equal))]
    return [(jobs[n], jobs[:n] + jobs[n + 1 :], Fraction(equal.count(jobs[n]), len(equal))) for n in places]


def _admits(running: tuple[tuple[int, int, int], ...], bound: int, s: int, memory: int) -> bool:
    """Eq. (3) for a new request with a bound: one that runs counts up to its bound, and past it for one instant more."""
    jobs = [*((b, age) for _, b, age in running), (bound, 0)]
    return feasible([-age for _, age in jobs], [max(b, age + 1) for b, age in jobs], s, memory)


def literal(requests: Sequence[Sequence[int]], s: int, memory: int, instants: int = 100) -> dict[str, Any]:
    """Follow A_min from (length, first bound) of every request, through all ties, up to an instant; return expectations.

    ``total``: the latency of those that completed. ``started``, ``completed``: by (bound, length), ``moved``: cancelled starts
    by (bound, new bound, length), ``before``: starts by (bound, a length, how many of that length are not completed).
    ``over``: all have completed, whatever the ties.
    """
    need(all(s + o <= memory for o, _ in requests), "a request can never run")
    total, started, completed, moved, before = Fraction(0), *(Means(Fraction) for _ in range(4))
    law: Law = Law(Fraction, {(tuple(sorted((o, bound) for o, bound in requests)), ()): Fraction(1)})
    for t in range(instants + 1):
        after: Law = Law(Fraction)
        for (waiting, running), p in law.items():
            for o, bound, age in running:
                if age == o:
                    total += p * t
                    completed[bound, o] += p
            after[waiting, tuple(job for job in running if job[2] < job[0])] += p
        kept: Law = Law(Fraction)
        while after:  # one draw after the other, so that equal states meet
            layer, after = after, Law(Fraction)
            for (waiting, running), p in layer.items():
                if sum(s + age + 1 for _, _, age in running) <= memory:
                    kept[waiting, running] += p
                    continue
                for (o, bound, age), rest, share in _draws(running):
                    new = max(bound, age)
                    moved[bound, new, o] += p * share
                    after[tuple(sorted((*waiting, (o, new)))), rest] += p * share
        law = Law(Fraction)
        while kept:
            layer, kept = kept, Law(Fraction)
            for (waiting, running), p in layer.items():
                if not waiting or not _admits(running, min(b for _, b in waiting), s, memory):
                    if waiting or running:
                        law[waiting, tuple((o, b, age + 1) for o, b, age in running)] += p
                    continue
                for (o, bound), rest, share in _draws(waiting):
                    started[bound, o] += p * share
                    lengths = [job[0] for job in (*waiting, *running)]
                    for length in {*lengths}:
                        before[bound, length, lengths.count(length)] += p * share
                    kept[rest, tuple(sorted((*running, (o, bound, 0))))] += p * share
        if not law:
            break
    tables = {"started": started, "completed": completed, "moved": moved, "before": before}
    return {"total": total, "over": not law, **tables}


def expected(table: Means, *key: int) -> Fraction:
    """Return an expectation, which is 0 where it does not occur."""
    return table.get(key, Fraction(0))
