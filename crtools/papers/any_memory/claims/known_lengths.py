"""volume-order, full-memory: what volume order guarantees when lengths are known, and where it has no constant."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy as sp

from crtools.enclosure import fraction
from crtools.expressions import Expr, number
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision, formula, proved_or_refuted, together, verdict
from crtools.ledger.deciders.ranges import Range, formula_on, integers_from
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

M, P, u = sp.symbols("M P u", positive=True)
_ordered = integers_from(P=1, M="P").cases[0]
ABOVE = Range("M > P ≥ 1, integers", ({"P": _ordered["P"], "M": _ordered["M"] + 1},))


def paced(factor: Expr) -> Evidence:
    """Decide whether OPT ≤ factor(M, P)·Vol + nD(u + 1) + L: a theorem, or equal requests of which few fit."""

    def refuted(at: tuple[int, int, int]) -> Refuted | None:
        size, fit, n = at
        memory = (fit + 1) * size - 1
        volumes = Fraction(n * (n + 1) // 2 * size, memory)
        claimed = fraction(factor.subs({M: memory, P: size})) * volumes + 2 * n + n
        if (least := reserved_total(n, 1, fit)) <= claimed:
            return None
        again = sum(-(-k // fit) for k in range(1, n + 1))
        witness = {"s": size - 1, "o": 1, "n": n, "M": memory}
        stays = f"{fit} of them fit, so the k-th completes at ⌈k/{fit}⌉ or later"
        return Refuted(witness, f"at most {claimed}", str(least), str(agree(least, again, "the optimum")), stays)

    own = theorem("volume order paced", factor=sp.Lambda((M, P), factor))
    return proved_or_refuted(own, product((5, 50), (1, 2, 5), (100, 1000, 10000)), refuted)


@claim(
    "paced-volume-order",
    ALGORITHM,
    f"{PLACE}, the limit",
    "volume order at an even pace has $TEL ≤ M/(M−P)·Vol + nD(u+1) + L$: its ratio tends to 1 as $n → ∞$, then $M/P → ∞$",
)
def paced_volume_order(given: Given) -> Decision:
    """Decide the factor of the volume bound."""
    own = formula_on("factor", given["factor"], {"P": P, "M": M}, ABOVE)[1]
    return decision(
        verdict(
            ALGORITHM,
            "every $n$ and $M > P$, all prompts, all $o_i ≤ u$, D kinds of requests; the limit: $n → ∞$, then $M/P → ∞$",
            "one kind after the other, starts v/(M − P) apart",
            ("a kind holds v/c and one peak", "equal requests take more"),
            Finding("paced", f"$TEL ≤ {given['factor']}·Vol + nD(u+1) + L$", given.evidence(paced, own)),
        )
    )


def greedy(factor: Expr) -> Evidence:
    """Decide whether TEL ≤ factor(u)·κ·Vol + L: a theorem, or waves of equal requests that take more."""

    def refuted(at: tuple[int, int]) -> Refuted | None:
        length, N = at
        waves, memory = N * length, N * length
        requests = [(0, length)] * (waves * N)
        kappa = Fraction(memory, memory - length + 1)
        lengths = length * len(requests)
        claimed = fraction(factor.subs(u, length)) * kappa * volume_bound(requests, memory) + lengths
        found = length * N * waves * (waves + 1) // 2
        if found <= claimed:
            return None
        again = reserved_total(len(requests), length, N)
        witness = {"s": 0, "o": length, "n": len(requests), "M": memory}
        second = str(agree(found, again, "the total of the waves"))
        return Refuted(witness, f"at most {claimed}", str(found), second, "more and larger waves show it too")

    own = theorem("greedy starts", factor=sp.Lambda(u, factor))
    return proved_or_refuted(own, product((1, 2, 5, 20), (4, 20, 60)), refuted)


@claim(
    "greedy-starts",
    ALGORITHM,
    f"{PLACE}, the limit",
    "with greedy starts volume order loses at most $2u/(u+1)$ in the limit, and just that at $s = 0$ and equal lengths",
    rests_on=["paced-volume-order"],
)
def greedy_starts(given: Given) -> Decision:
    """Decide the factor, at every n and as it is reached."""
    own = formula_on("factor", given["factor"], {"u": u}, integers_from(u=1))[1]
    bound = given.evidence(greedy, own)
    reached = by_theorem(
        theorem("greedy starts", factor=sp.Lambda(u, own)), theorem("volume order paced(paced_factor)")
    )
    return decision(
        verdict(
            ALGORITHM,
            "every $n$ and $M ≥ P$, all prompts, all $o_i ≤ u$; reached: $s = 0$, lengths u, $M = Nu$, $n → ∞$, then $N → ∞$",
            "peak times length over volume; waves of starts",
            ("peak times length is below that of u", "waves of starts take more"),
            Finding("bound", f"$TEL ≤ {given['factor']}·κ·Vol + L$", bound),
            Finding("reached", "which equal lengths reach against the optimum", reached),
        )
    )


CLAIMS = (volume_order, full_memory_claim, h_sf_unequal, paced_volume_order, greedy_starts)
