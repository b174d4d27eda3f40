"""volume-order, full-memory: what volume order guarantees when lengths are known, and where it has no constant."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import bound, claim, decision, formula, together, verdict
from crtools.ledger.deciders.ranges import integers_from, unit
from crtools.papers.any_memory.claims.lower_bound import PLACE
from crtools.papers.any_memory.levels import ALGORITHM
from crtools.papers.any_memory.process import area, feasible, queue_starts, total, volume_bound
from crtools.papers.any_memory.theory import TEXT, theorem
from crtools.papers.any_memory.trials import full_memory, prompts_that_fill
from crtools.process import simulate

ORDER = "volume order"
STATED = {"double": Fraction(2), "at_two": Fraction(4), "at_three": Fraction(3), "limit": Fraction(7, 3)}
"""The constants of the theorem."""

SIZES = (10, 20, 50, 100, 200, 400, 1000, 4000)
"""Lengths of the requests in the families that are tried; there are eight times as many requests."""


def reserved_total(count: int, length: int, room: int) -> int:
    """Return what ``count`` requests (0, length) take where ``room`` of their peaks fit: generations of ``room``."""
    full, rest = divmod(count, room)
    return length * (room * full * (full + 1) // 2 + rest * (full + 1))


def apart(length: int, memory: int) -> int:
    """Return the least d such that a start of (0, length) at every d-th instant stays within the memory."""
    return next(d for d in range(1, length + 1) if sum(range(length, 0, -d)) <= memory)


def _family(peaks: int) -> Iterator[tuple[int, int, int]]:
    """Iterate over requests (0, length): their number, their length, and the M in which peaks − 1 of them just fit."""
    return ((8 * length, length, peaks * length - peaks + 1) for length in SIZES)


def above_the_total(double: Fraction) -> Refuted | None:
    """Return requests at which reserved peaks take more than double · κA + L."""
    for count, length, memory in _family(2):
        requests = [(0, length)] * count
        claimed = double * Fraction(memory, memory - length + 1) * area(requests, memory) + count * length
        if (found := reserved_total(count, length, 1)) > claimed:
            again = sum(length * k for k in range(1, count + 1))
            second = agree(found, again, "the total of requests that run alone")
            witness = {"s": 0, "o": length, "n": count, "M": memory, "rule": "reserved peaks"}
            return Refuted(witness, f"at most {claimed}", str(found), str(second), "n and o may grow together")
    return None


def above_the_factor(factor: Fraction, peaks: int) -> Refuted | None:
    """Return requests at which reserved peaks take more than factor times another schedule, which starts them regularly."""
    for count, length, memory in _family(peaks):
        step = apart(length, memory)
        other = step * count * (count - 1) // 2 + count * length
        found = reserved_total(count, length, peaks - 1)
        if found > factor * other:
            starts = [step * k for k in range(count)]
            few = [(0, length)] * min(count, 4 * length // step + 4)
            agree(feasible(few, starts[: len(few)], memory), True, "the other schedule fits in the memory")
            second = agree(found, sum(length * (k // (peaks - 1) + 1) for k in range(count)), "the total")
            witness = {"s": 0, "o": length, "n": count, "M": memory, "every": step, "rule": "reserved peaks"}
            claimed = f"at most {factor} times {other}, what regular starts take"
            return Refuted(witness, claimed, str(found), str(second), "the quotient tends to 1 + κ as n and o grow")
    return None


FAMILIES = {
    "double": above_the_total,
    "at_two": lambda factor: above_the_factor(factor, 2),
    "at_three": lambda factor: above_the_factor(factor, 3),
    "limit": lambda factor: above_the_factor(factor, 20),
}
"""What is tried against each constant of the theorem."""


def with_constants(values: dict[str, Fraction]) -> dict[str, Evidence]:
    """Decide the constants of the theorem: by the judge together, or each by a family of requests that exceeds it."""
    proved = by_theorem(theorem(ORDER, **values))
    if proved.status == "proved":
        return dict.fromkeys(values, proved)
    refuted = {name: FAMILIES[name](value) for name, value in values.items()}
    rest = by_theorem(theorem(ORDER, **{name: STATED[name] if refuted[name] else own for name, own in values.items()}))
    return {name: refuted[name] or rest for name in values}


@claim(
    "volume-order",
    ALGORITHM,
    f"{PLACE}, volume order",
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
    evidence = with_constants({name: number(name, given[name]) for name in says})
    return decision(
        verdict(
            ALGORITHM,
            "every $n$ and $M ≥ P ≥ $ all peaks, all prompts and lengths; first in first out by volume, ties in any way; "
            "by reserved peaks or by look-ahead",
            "what is reserved while a head is refused; the lower bound",
            ("what is reserved before a start", "regular starts take less"),
            *(Finding(id, words, evidence[name]) for name, (id, words) in says.items()),
        )
    )


def in_volume_order(N: int, m: int) -> int:
    """Run volume order on N pairs and return its total."""
    queue, memory = full_memory(N, m)
    return total(queue, queue_starts(queue, memory, look_ahead=True))


def in_two_parts(N: int, m: int) -> int:
    """Return the total with one start at each of 2N instants, the requests of length 1 first, where that fits."""
    queue, memory = full_memory(N, m)
    requests, starts = [*queue[1::2], *queue[::2]], [*range(2 * N)]
    agree(feasible(requests, starts, memory), True, "the schedule fits in the memory")
    return total(requests, starts)


PAIRS = [{"N": N, "m": m} for N in (1, 2, 5) for m in (1, 2, 4)]
FROM_ONE = integers_from(N=1, m=1)

full_memory_claim = together(
    formula(
        TEXT,
        "full-memory",
        in_volume_order,
        finding="rule",
        of="rule",
        on=FROM_ONE,
        points=PAIRS,
        place=f"{PLACE}, M = P",
    ),
    formula(
        TEXT,
        "full-memory",
        in_two_parts,
        finding="other",
        of="other",
        on=FROM_ONE,
        points=PAIRS,
    ),
)

# ---- H-SF ----------------------------------------------------------------------------------------------------------


def by_length(K: int) -> int:
    """Run H-SF on the requests whose prompts fill the memory, and return its total."""
    requests, memory = prompts_that_fill(K)
    return simulate("h-sf", [o for _, o in requests], memory, [s for s, _ in requests]).total_latency


def the_other_way(K: int) -> int:
    """Run the others first and return the total."""
    requests, memory = prompts_that_fill(K)
    return total(requests[::-1], queue_starts(requests[::-1], memory, look_ahead=True))


H_SF_PLACE = f"{PLACE}, H-SF"

h_sf_unequal = together(
    *(
        formula(
            TEXT,
            "h-sf-unequal",
            direct,
            finding=finding,
            of=of,
            on=integers_from(K=1),
            points=[{"K": K} for K in range(1, 6)],
            place=H_SF_PLACE,
        )
        for finding, of, direct in (("h-sf", "hsf", by_length), ("other", "other", the_other_way))
    )
)


# ---- the limit: an even pace, and greedy starts ---------------------------------------------------------------------


def one_token_each(size: int, fit: int, n: int) -> Fraction:
    """Return the optimum less 3n over Vol, of n requests of one token and one peak, of which ``fit`` fit."""
    memory = (fit + 1) * size - 1
    return (reserved_total(n, 1, fit) - 3 * n) / volume_bound([(size - 1, 1)] * n, memory)


def counted(size: int, fit: int, n: int) -> Fraction:
    """Return the same, one completion after the other."""
    return Fraction(sum(-(-k // fit) - 3 for k in range(1, n + 1)) * ((fit + 1) * size - 1), n * (n + 1) // 2 * size)


paced_volume_order = bound(
    TEXT,
    "paced-volume-order",
    one_token_each,
    [{"size": size, "fit": fit, "n": n} for size in (5, 50) for fit in (1, 2, 5) for n in (100, 1000, 10000)],
    on=unit("x"),
    at=lambda size, fit, n: Fraction(size, (fit + 1) * size - 1),
    second=counted,
    reading="every $n$ and $M > P$, $x = P/M$, all prompts, all $o_i ≤ u$, D kinds; the limit: $n → ∞$, then $M/P → ∞$",
    place=f"{PLACE}, the limit",
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
    return total([(0, u)], queue_starts([(0, u)], u, look_ahead=True)) / volume_bound([(0, u)], u)


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
        place=f"{PLACE}, the limit",
    ),
    formula(TEXT, "greedy-starts", one_wave, finding="reached", on=integers_from(u=1)),
)

CLAIMS = (volume_order, full_memory_claim, h_sf_unequal, paced_volume_order, greedy_starts)
