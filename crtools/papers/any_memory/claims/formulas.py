"""Exact formulas of families and limits: where lengths are known, for requests that arrive over time, and for classes of requests.

Where lengths are known: volume order, H-SF, an even pace, greedy starts. With set-up costs and classes kills never help.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.ledger import Claim, agree
from crtools.ledger.claims import bound, formula, together
from crtools.ledger.deciders.ranges import Range, integers_from, reals, unit
from crtools.papers.any_memory.process import (
    Requests,
    feasible,
    flow_without_kills,
    full_memory,
    in_reverse,
    possible_flow,
    prompts_that_fill,
    total,
    total_of_run,
    two_parts,
    volume_bound,
)
from crtools.papers.any_memory.theory import TEXT, reading_of
from crtools.process import simulate
from crtools.schedule import batch_total
from crtools.signs.ranges import parameter


def of_schedule(requests: Requests, starts: Sequence[int], memory: int) -> int:
    """Return the total latency of a schedule that fits in the memory."""
    agree(feasible(requests, starts, memory), True, "the schedule fits in the memory")
    return total(requests, starts)


def exact_formulas(
    id: str,
    on: Range,
    points: Sequence[Mapping[str, int | Fraction]] | None,
    why: str,
    **values: Callable[..., int | Fraction],
) -> Claim:
    """Return the claim that each given formula has these values; each has a finding of the same name."""
    options: Any = {"on": on, "points": points, "place": reading_of(id).text("place")}
    parts = (formula(TEXT, id, value, finding=name, of=name, **options) for name, value in values.items())
    return together(*parts, why=why)


full_memory_claim = exact_formulas(
    "full-memory",
    integers_from(N=1, m=1),
    [{"N": N, "m": m} for N in (1, 2, 5) for m in (1, 2, 4)],
    "at M = P the ratio grows like m/3",
    rule=lambda N, m: total_of_run("h-volume", *full_memory(N, m)),
    other=lambda N, m: of_schedule(*two_parts(N, m)),
)


# ---- H-SF ----------------------------------------------------------------------------------------------------------


h_sf_unequal = exact_formulas(
    "h-sf-unequal",
    integers_from(K=1),
    [{"K": K} for K in range(1, 6)],
    "H-SF over the optimum is unbounded",
    hsf=lambda K: total_of_run("h-sf", *prompts_that_fill(K)),
    other=lambda K: of_schedule(*in_reverse(K)),
)


# ---- the limit: an even pace, and greedy starts ---------------------------------------------------------------------


def one_token_each(size: int, fit: int, n: int) -> Fraction:
    """Return the optimum less 3n over Vol, of n requests of one token and one peak, of which ``fit`` fit."""
    memory = (fit + 1) * size - 1
    return (batch_total(n, fit) - 3 * n) / volume_bound([(size - 1, 1)] * n, memory)


def counted(size: int, fit: int, n: int) -> Fraction:
    """Return the same, one completion after the other."""
    return Fraction(sum(-(-k // fit) - 3 for k in range(1, n + 1)) * ((fit + 1) * size - 1), n * (n + 1) // 2 * size)


paced_volume_order = together(
    bound(
        TEXT,
        "paced-volume-order",
        one_token_each,
        [{"size": size, "fit": fit, "n": n} for size in (5, 50) for fit in (1, 2, 5) for n in (100, 1000, 10000)],
        on=unit("x"),
        at=lambda size, fit, n: Fraction(size, (fit + 1) * size - 1),
        second=counted,
        reading="every $n$ and $M > P$, $x = P/M$, all prompts, all $o_i ≤ u$, D kinds; the limit: $n → ∞$, then $M/P → ∞$",
        place=reading_of("paced-volume-order").text("place"),
    ),
    why="the ratio to the optimum tends to 1",
)


def in_waves(u: int, N: int) -> Fraction:
    """Return (TEL − L)/(κ Vol) of N²u requests (0, u) that start in waves of N."""
    memory, count = N * u, N * N * u
    taken = u * batch_total(count, N) - count * u
    return taken / (Fraction(memory, memory - u + 1) * volume_bound([(0, u)] * count, memory))


def wave_by_wave(u: int, N: int) -> Fraction:
    """Return the same, one wave after the other."""
    waves, n = N * u, N * N * u
    return Fraction(sum(u * N * b for b in range(waves)) * (N * u - u + 1) * 4, n * (n + 1) * u * (u + 1))


def one_wave(u: int) -> Fraction:
    """Return TEL over Vol of a wave of one request, which the formula (B + 1)N/(BN + 1) leaves as it is."""
    return total_of_run("h-volume", [(0, u)], u) / volume_bound([(0, u)], u)


greedy_starts = together(
    bound(
        TEXT,
        "greedy-starts",
        in_waves,
        [{"u": length, "N": N} for length in (1, 2, 5, 20) for N in (4, 20, 60)],
        finding="bound",
        on=integers_from(u=1),
        at=lambda u, N: u,
        second=wave_by_wave,
        reading="every $n$ and $M ≥ P$, all $o_i ≤ u$; reached: $s = 0$, lengths u, $M = Nu$, $n → ∞$, then $N → ∞$",
        place=reading_of("greedy-starts").text("place"),
    ),
    formula(TEXT, "greedy-starts", one_wave, finding="reached", on=integers_from(u=1)),
    why="$TEL ≤ 2u/(u+1)·κ·Vol + L$",
)


# ---- the wrong order ----------------------------------------------------------------------------------------------


def order_limit(a: Fraction, b: Fraction) -> Fraction:
    """Return the limit, n → ∞, of the quotient of both orders of bn requests of volume a² and an of volume b²."""

    def growth(*kinds: tuple[Fraction, Fraction]) -> Fraction:
        """Return the coefficient of n² in the sum of V_k over all k."""
        total = before = Fraction(0)
        for size, share in kinds:
            total += share * (before + size * share / 2)
            before += size * share
        return total

    first, second = (Fraction(a * a), Fraction(b)), (Fraction(b * b), Fraction(a))
    return growth(first, second) / growth(second, first)


wrong_order = exact_formulas(
    "wrong-order",
    reals(a=(0, None), b=(0, None)),
    [{"a": a, "b": b} for a, b in ((2, 1), (3, 2), (10, 3))],
    "H-SF over the optimum: at least a/b",
    ratio=order_limit,
)


# ---- arrivals over time, set-up costs and classes with which kills never help ----------------------------------------


online_without_kills = exact_formulas(
    "online-without-kills",
    integers_from(n=2),
    [{"n": n} for n in range(2, 8)],
    "the ratio to the optimum grows like n/3",
    flow=lambda n: min(flow_without_kills(n, start) for start in range(n * n)),
    best=lambda n: max(possible_flow(n, start) for start in range(n * n)),
)


def backlog(load: Fraction, most: Fraction) -> Fraction:
    """Return the requests that are unfinished per instant where each fills ``most`` of the memory, for one instant."""
    fit, instants = int(1 / most), 8
    arrive, s = int(load * fit), 5
    release = [t for t in range(instants) for _ in range(arrive)]
    run = simulate("fcfs", [1] * len(release), fit * (s + 1), s, release=release)
    return Fraction(int((run.completion_times > instants).sum()), instants)


unstable = exact_formulas(
    "unstable",
    reals(load=(1, None), most=(0, None)),
    [{"load": load, "most": Fraction(1, fit)} for load in (2, 3, 7) for fit in (1, 2, 5)],
    "at load > 1 the queue grows for ever",
    growth=backlog,
)


def where_both_are_equal(mu: Fraction, F: Fraction, p: Fraction) -> Fraction:
    """Return the set-up at which E min(w, σ + c) = E w · P(v ≤ c), by two points of a line."""
    at_zero, at_one = (sigma + F - (sigma + mu) * p for sigma in (0, 1))
    return -at_zero / (at_one - at_zero)


set_up_threshold = exact_formulas(
    "set-up-threshold",
    reals(mu=(0, None), F=(0, None), p=(0, 1)),
    None,
    "from the largest threshold on, no kill",
    threshold=where_both_are_equal,
)


def smaller_means(p: Fraction, m: Fraction, d: Fraction) -> Fraction:
    """Return the mean of the smaller class mean over all pairs of classes."""
    classes = [(Fraction(p), Fraction(m)), (1 - Fraction(p), Fraction(m + d))]
    return sum((share * other * min(x, y) for share, x in classes for other, y in classes), Fraction(0))


class_means = exact_formulas(
    "class-means",
    reals(p=(0, 1), m=(0, None), d=(0, None)),
    None,
    "run to the end, smallest class mean first",
    minima=smaller_means,
)


def smallest_wait(p: Fraction, m: Fraction, y: Fraction) -> Fraction:
    """Return the smallest t + x w(t) at the corners of the unfinished share w, with x = m + y and the other mean above it."""
    first, second = p * m, (1 - p) * (m + y + 1)
    return min((m + y) * unfinished + t for t, unfinished in ((0, 1), (first, 1 - p), (first + second, 0)))


kills_and_classes = exact_formulas(
    "kills-and-classes",
    reals(p=(0, 1), m=(0, None), y=(0, None)),
    None,
    "no kill helps, exactly by this condition",
    waits=smallest_wait,
)


def best_share(p: Fraction, v: Fraction, x: Fraction, r: Fraction = Fraction(1), z: Fraction | None = None) -> Fraction:
    """Return the share that tries v first at which the sum over pairs of attempts, of what the first one uses, is least.

    The other class has one size z, by default v.
    """
    mean = Fraction(x + v) / p
    longer, other = (mean - p * v) / (1 - p), v if z is None else z

    def pairs(e: Fraction) -> Fraction:
        attempts = [(e, p, v), (1 - e, Fraction(1), mean), (e, 1 - p, (1 - p) * longer), (r, Fraction(1), other)]
        return sum((f * g * min(m * b, n * a) for f, m, a in attempts for g, n, b in attempts), Fraction(0))

    low, middle, high = (pairs(Fraction(k, 2)) for k in range(3))
    return Fraction(1, 2) + (low - high) / (4 * (low - 2 * middle + high))


def best_share_beyond(p: Fraction, v: Fraction, x: Fraction, r: Fraction) -> Fraction:
    """Return the same beside a class of size 2W."""
    return best_share(p, v, x, r, 2 * ((x + v) / Fraction(p) - p * v) / (1 - p))


def _sizes_between() -> Iterator[tuple[str, Range]]:
    """Iterate over the ranges of the other class's size z that depend on p, v and x, each with its name."""
    odds, v, x, r, part = (parameter(number, above_zero=True) for number in range(5))
    p, inside = 1 / (1 + odds), part / (1 + part)
    mean = (x + v) / p
    intervals = {"up_to_mean": (v / p, mean), "up_to_W": (mean, (mean - p * v) / (1 - p))}
    for name, (low, high) in intervals.items():
        z = sp.factor(low + (high - low) * inside)
        yield name, Range("0 < p < 1, v, x, r > 0, z between the two ends", ({"p": p, "v": v, "x": x, "r": r, "z": z},))


_SHARES: dict[str, tuple[Callable[..., Fraction], Range]] = {
    "up_to_v": (best_share, reals(p=(0, 1), v=(0, None), x=(0, None))),
    **{name: (best_share, on) for name, on in _sizes_between()},
    "beyond_W": (best_share_beyond, reals(p=(0, 1), v=(0, None), x=(0, None), r=(0, None))),
}
two_classes = together(
    *(
        formula(TEXT, "two-classes", share, finding=name, of=name, on=on, place=reading_of("two-classes").text("place"))
        for name, (share, on) in _SHARES.items()
    ),
    why="the best share to try first, in each case",
)


def largest_share(L: Fraction, c: Fraction, m: Fraction, e: Fraction) -> Fraction:
    """Return at which share of a class an attempt at c first and whole runs cost the same, beside a class of far larger mean."""
    used = c * (1 - Fraction(m) / 2)
    mean = (used + e) / Fraction(m)
    attempts, large = ((m, used), (1 - m, mean + c * (1 - m) - used)), (mean + c) / (1 - m)

    def costs(share: int) -> Fraction:
        classes = ((share, mean), (L, large))
        return sum((w * (sum(min(F, gain * g) for gain, F in attempts) - mean) for w, g in classes), Fraction(0))

    return costs(0) / (costs(0) - costs(1))


class_shares = exact_formulas(
    "class-shares",
    reals(L=(0, 1), c=(0, None), m=(0, 1), e=(0, None)),
    None,
    "the largest share that such a class has",
    most=largest_share,
)
