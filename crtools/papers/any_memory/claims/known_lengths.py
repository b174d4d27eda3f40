"""Exact formulas of families and limits where lengths are known: volume order, H-SF, an even pace, greedy starts."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from crtools.ledger import Claim, agree
from crtools.ledger.claims import bound, formula, together
from crtools.ledger.deciders.ranges import Range, integers_from, reals, unit
from crtools.papers.any_memory.process import (
    Requests,
    feasible,
    full_memory,
    in_reverse,
    prompts_that_fill,
    reserved_total,
    total,
    total_of_run,
    two_parts,
    volume_bound,
)
from crtools.papers.any_memory.theory import TEXT, reading_of


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
    return (reserved_total(n, 1, fit) - 3 * n) / volume_bound([(size - 1, 1)] * n, memory)


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
    taken = reserved_total(count, u, N) - count * u
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
