"""volume-order, full-memory: what volume order guarantees when lengths are known, and where it has no constant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from crtools.expressions import number
from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import bound, claim, decision, formula, together, verdict
from crtools.ledger.deciders.ranges import Range, integers_from, reals, unit
from crtools.papers.any_memory.claims.lower_bound import PAGE
from crtools.papers.any_memory.process import (
    Requests,
    area,
    feasible,
    full_memory,
    prompts_that_fill,
    queue_starts,
    total,
    two_parts,
    volume_bound,
)
from crtools.papers.any_memory.theory import TEXT, theorem
from crtools.papers.beyond.levels import ALGORITHM
from crtools.process import simulate

ORDER = "volume order"
STATED = {"double": Fraction(2), "at_two": Fraction(4), "at_three": Fraction(3), "limit": Fraction(7, 3)}

SIZES = (10, 20, 50, 100, 200, 400, 1000, 4000)


def reserved_total(count: int, length: int, room: int) -> int:
    """Return what ``count`` requests (0, length) take where ``room`` of their peaks fit: generations of ``room``."""
    full, remainder = divmod(count, room)
    return length * (room * full * (full + 1) // 2 + remainder * (full + 1))


def smallest_step(length: int, memory: int) -> int:
    """Return the smallest d such that a start of (0, length) at every d-th instant stays within the memory."""
    return next(d for d in range(1, length + 1) if sum(range(length, 0, -d)) <= memory)


def in_areas(double: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return double · κA + L of equal requests without prompts, with a name for it."""
    areas = area([(0, length)] * count, memory) * memory / (memory - length + 1)
    return double * areas + count * length, f"{double}κA + L"


def in_another_schedule(factor: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return the factor times the total latency of regular starts, as dense as the memory allows, with a name for it."""
    step = smallest_step(length, memory)
    few = 4 * length // step + 4
    agree(feasible([(0, length)] * few, range(0, few * step, step), memory), True, "regular starts fit in the memory")
    taken = step * count * (count - 1) // 2 + count * length
    return factor * taken, f"{factor} times starts at every {step}th instant"


def in_peaks(factor: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return the same times κ = M/(M − P + 1)."""
    return in_another_schedule(factor * Fraction(memory, memory - length + 1), count, length, memory)


def above(claimed: Callable[..., tuple[Fraction, str]], peaks: int, constant: Fraction) -> Refuted | None:
    """Return a refutation by requests of which one fewer than ``peaks`` fit by reserved peaks, or None."""
    for length in SIZES:
        count, memory = 8 * length, peaks * length - peaks + 1
        bound, words = claimed(constant, count, length, memory)
        if (taken := reserved_total(count, length, peaks - 1)) > bound:
            again = agree(taken, sum(length * (k // (peaks - 1) + 1) for k in range(count)), "the total")
            witness = {"s": 0, "o": length, "n": count, "M": memory, "rule": "reserved peaks"}
            return Refuted(witness, f"at most {bound}, {words}", str(taken), str(again), "n and o may grow together")
    return None


FAMILIES = {
    "double": partial(above, in_areas, 2),
    "at_two": partial(above, in_another_schedule, 2),
    "at_three": partial(above, in_another_schedule, 3),
    "limit": partial(above, in_another_schedule, 20),
}


Families = Mapping[str, Callable[[Fraction], Refuted | None]]
"""For each constant, by name, a function that refutes it by a family of requests."""


def with_constants(
    name: str, stated: Mapping[str, Fraction], families: Families, values: Mapping[str, Fraction]
) -> dict[str, Evidence]:
    """Decide the constants of a theorem: by the judge together, or each by a family of requests that exceeds it."""
    proved = by_theorem(theorem(name, **values))
    if proved.status == "proved":
        return dict.fromkeys(values, proved)
    refuted = {key: families[key](value) for key, value in values.items()}
    others = {key: stated[key] if refuted[key] else value for key, value in values.items()}
    evidence = by_theorem(theorem(name, **others))
    return {key: refuted[key] or evidence for key in values}


@claim(
    "volume-order",
    ALGORITHM,
    f"{PAGE}, volume order",
    "volume order has $TEL ≤ 2κA + L ≤ max(2κ, 1 + 4κ/3)·OPT$, $κ = M/(M−P+1)$: 4 for $M ≥ 2P−1$, 3 for $M ≥ 3P−2$, "
    "7/3 as $M/P → ∞$",
    rests_on=["lower-bound"],
)
def volume_order(given: Given) -> Decision:
    """Decide each of the constants, with the others as they are proved."""
    says = {
        "double": ("total", f"$TEL ≤ {given['double']}κA + L ≤ max(2κ, 1 + 4κ/3)·OPT$"),
        "at_two": ("two", f"at most {given['at_two']} times the optimum for $M ≥ 2P − 1$"),
        "at_three": ("three", f"at most {given['at_three']} times for $M ≥ 3P − 2$"),
        "limit": ("limit", f"at most {given['limit']} times in the limit $M/P → ∞$"),
    }
    values = {name: number(name, given[name]) for name in says}
    evidence = with_constants(ORDER, STATED, FAMILIES, values)
    return decision(
        verdict(
            ALGORITHM,
            "every $n$ and $M ≥ P ≥ $ all peaks, all prompts and lengths; first in first out by volume, ties in any way; "
            "by reserved peaks or by look-ahead",
            "what is reserved while a head is refused; the lower bound",
            ("at most $max(2κ, 1+4κ/3)$ times the optimum", "regular starts take less"),
            *(Finding(id, words, evidence[name]) for name, (id, words) in says.items()),
        )
    )


def queue_total(queue: Requests, memory: int) -> int:
    """Return the total latency of a queue by look-ahead."""
    return total(queue, queue_starts(queue, memory, look_ahead=True))


def in_two_parts(N: int, m: int) -> int:
    """Return the total with one start at each of 2N instants, the requests of length 1 first, where that fits."""
    requests, starts, memory = two_parts(N, m)
    agree(feasible(requests, starts, memory), True, "the schedule fits in the memory")
    return total(requests, starts)


def described(why: str, *parts: Claim) -> Claim:
    """Join claims to one, whose reason is ``why`` if it is proved."""
    joint = together(*parts)

    def decide(given: Given) -> Decision:
        decision_of_all = joint.decide(given)
        [verdict] = decision_of_all.verdicts
        if verdict.status != "proved":
            return decision_of_all
        return replace(decision_of_all, why=why, verdicts=(replace(verdict, why=why),))

    return replace(joint, decide=decide)


def exact_formulas(
    id: str,
    on: Range,
    points: Sequence[Mapping[str, int | Fraction]] | None,
    section: str,
    why: str,
    **values: Callable[..., int | Fraction],
) -> Claim:
    """Return the claim that each given formula has these values; each has a finding of the same name."""
    options: Any = {"on": on, "points": points, "place": f"{PAGE}, {section}"}
    return described(
        why, *(formula(TEXT, id, value, finding=name, of=name, **options) for name, value in values.items())
    )


full_memory_claim = exact_formulas(
    "full-memory",
    integers_from(N=1, m=1),
    [{"N": N, "m": m} for N in (1, 2, 5) for m in (1, 2, 4)],
    "volume order",
    "at M = P the ratio grows like m/3",
    rule=lambda N, m: queue_total(*full_memory(N, m)),
    other=in_two_parts,
)


# ---- H-SF ----------------------------------------------------------------------------------------------------------


def by_length(K: int) -> int:
    """Run H-SF on the requests whose prompts fill the memory, and return its total."""
    requests, memory = prompts_that_fill(K)
    return simulate("h-sf", [o for _, o in requests], memory, [s for s, _ in requests]).total_latency


h_sf_unequal = exact_formulas(
    "h-sf-unequal",
    integers_from(K=1),
    [{"K": K} for K in range(1, 6)],
    "H-SF",
    "H-SF over the optimum is unbounded",
    hsf=by_length,
    other=lambda K: queue_total(prompts_that_fill(K)[0][::-1], 2 * K * K),
)


def order_limit(a: Fraction, b: Fraction) -> Fraction:
    """Return the limit, n → ∞, of the quotient of both orders of bn requests of volume a² and an of volume b².

    The sums of V_k over all k are quadratic in n; their second differences give the limit.
    """

    def growth(*kinds: tuple[Fraction, Fraction]) -> Fraction:
        sums = [Fraction(0)] * 3
        for n in range(3):
            held = Fraction(0)
            for size, share in kinds:
                sums[n] += share * n * held + size * share * n * (share * n + 1) / 2
                held += size * share * n
        return sums[2] - 2 * sums[1] + sums[0]

    first, second = (Fraction(a * a), Fraction(b)), (Fraction(b * b), Fraction(a))
    return growth(first, second) / growth(second, first)


wrong_order = exact_formulas(
    "wrong-order",
    reals(a=(0, None), b=(0, None)),
    [{"a": a, "b": b} for a, b in ((2, 1), (3, 2), (10, 3))],
    "H-SF",
    "H-SF over the optimum: at least a/b",
    ratio=order_limit,
)


# ---- the limit: an even pace, and greedy starts ---------------------------------------------------------------------


def one_token_each(size: int, fit: int, n: int) -> Fraction:
    """Return the optimum less 3n over Vol, of n requests of one token and one peak, of which ``fit`` fit."""
    memory = (fit + 1) * size - 1
    return (reserved_total(n, 1, fit) - 3 * n) / volume_bound([(size - 1, 1)] * n, memory)


def counted(size: int, fit: int, n: int) -> Fraction:
    """Return the same, one completion after the other."""
    return Fraction(sum(-(-k // fit) - 3 for k in range(1, n + 1)) * ((fit + 1) * size - 1), n * (n + 1) // 2 * size)


paced_volume_order = described(
    "the ratio to the optimum tends to 1",
    bound(
        TEXT,
        "paced-volume-order",
        one_token_each,
        [{"size": size, "fit": fit, "n": n} for size in (5, 50) for fit in (1, 2, 5) for n in (100, 1000, 10000)],
        on=unit("x"),
        at=lambda size, fit, n: Fraction(size, (fit + 1) * size - 1),
        second=counted,
        reading="every $n$ and $M > P$, $x = P/M$, all prompts, all $o_i ≤ u$, D kinds; the limit: $n → ∞$, then $M/P → ∞$",
        place=f"{PAGE}, the limit",
    ),
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
    return queue_total([(0, u)], u) / volume_bound([(0, u)], u)


greedy_starts = described(
    "$TEL ≤ 2u/(u+1)·κ·Vol + L$",
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
        place=f"{PAGE}, the limit",
    ),
    formula(TEXT, "greedy-starts", one_wave, finding="reached", on=integers_from(u=1)),
)

CLAIMS = (volume_order, full_memory_claim, h_sf_unequal, paced_volume_order, greedy_starts, wrong_order)
