"""A_max with memory M against A_random with αM, and A_random with αM against M: searches, a family, and long runs.

Used by lem-max-random and thm-amax-upper.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, combinations_with_replacement, permutations

import numpy as np
import sympy as sp

from check import process as judge
from crtools.forms import form
from crtools.ledger import Evidence, Measured, Open, Proved, Refuted, by_theorem
from crtools.ledger.deciders.measured import measured, spread
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.confirmed_runs import Queue, confirmed_total, fast_total, judged_starts
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.forms import bind_a_max
from crtools.papers.adaptive.theory import TEXT
from crtools.process.measures import Mean

EXHAUSTIVE, LARGEST_FAMILY = 2, 60
"""Largest n of the exhaustive search, and of the family ``in_turn``."""


@dataclass(frozen=True)
class Row:
    """An instance with s = 1 and lengths in [l, u]; ``smaller`` is αM."""

    lengths: tuple[int, ...]
    l: int
    u: int
    memory: int
    smaller: int

    @property
    def witness(self) -> JsonObject:
        """The instance as data."""
        parameters = {"l": self.l, "u": self.u, "M": self.memory, "alpha_M": self.smaller}
        return {"lengths": list(self.lengths), "s": 1, **parameters}

    @property
    def orders(self) -> Iterable[Sequence[int]]:
        """All permutations; one in the family, where all lengths are equal."""
        indices = range(len(self.lengths))
        return permutations(indices) if len(indices) <= EXHAUSTIVE else [indices]


def rows(max_requests: int) -> Iterator[Row]:
    """Iterate over the instances of up to ``max_requests`` requests at which both can run, in increasing (n, u, l, lengths, M)."""
    intervals = ((n, u, l) for n in range(1, max_requests + 1) for u in range(2, 9) for l in range(1, u))
    for n, up, low in intervals:
        for lengths in combinations_with_replacement(range(low, up + 1), n):
            for memory in range(1 + up, max(n, 2) * (1 + up) + 1):
                smaller = Fraction(low * memory, up)
                if smaller.denominator == 1 and smaller >= 1 + max(lengths):
                    yield Row(lengths, low, up, memory, int(smaller))


def in_turn(n: int) -> Row:
    """All o = l, αM just below two peaks: A_random runs two at a time, A_max one. The ratio tends to 2 (n, u/l → ∞)."""
    return Row((20,) * n, 20, 400, 780, 39)


def totals(policy: Queue, row: Row, memory: int) -> list[int]:
    """Return the totals of A_max or A_random with this memory, by order."""
    runs = (judged_starts(policy, row.lengths, memory, 1, row.u, order) for order in row.orders)
    return [judge.total(starts, row.lengths) for starts in runs]


def confirmed(policy: Queue, row: Row, memory: int) -> list[int]:
    """Return the same, by the simulator too."""
    return [confirmed_total(policy, row.lengths, memory, 1, row.l, row.u, order) for order in row.orders]


# ---- the lemma -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def without_error_term(factor: Fraction, largest_n: int | None, *, pathwise: bool = False) -> Evidence:
    """Decide E TEL(A_max, M) ≤ factor · E TEL(A_random, αM), of up to ``largest_n`` requests (None: any number).

    ``pathwise``: of the totals of each permutation.
    """
    limit = min(largest_n or EXHAUSTIVE, EXHAUSTIVE)
    family = [in_turn(min(largest_n or LARGEST_FAMILY, LARGEST_FAMILY))] if limit == EXHAUSTIVE else []
    looked_at = 0
    for row in chain(rows(limit), family):
        slow, fast = totals("a-max", row, row.memory), totals("a-random", row, row.smaller)
        pairs = zip(slow, fast, strict=True) if pathwise else [(sum(slow), sum(fast))]
        if any(a > factor * b for a, b in pairs):
            return _hit(row, factor, looked_at)
        looked_at += 1
    words = f"$n ≤ {limit}$, l < u ≤ 8, s = 1, M ≤ 2(1+u) with αM an integer: {looked_at} instances"
    if largest_n is not None and largest_n > limit:
        return Open(
            f"{words}, and one of a family with {min(largest_n, LARGEST_FAMILY)} of the {largest_n} requests asked"
        )
    if largest_n is None and factor < 2:
        return Open(f"below 2, which a family tends to as $n$ and $u/l$ grow; too large to be run; {words}")
    return Measured(True, words, "no counterexample among them")


def _hit(row: Row, factor: Fraction, looked_at: int) -> Refuted:
    slow, fast = confirmed("a-max", row, row.memory), confirmed("a-random", row, row.smaller)
    one = judged_starts("a-max", row.lengths, row.memory, 1, row.u)
    two = judged_starts("a-random", row.lengths, row.smaller, 1)
    n, assumed = len(row.lengths), [row.u] * len(row.lengths)
    more_copies = [more_requests(row, copies) for copies in (5, 50) if copies * n <= 100]
    return Refuted(
        row.witness,
        f"A_max at most {factor} times A_random",
        {"A_max_by_permutation": slow, "A_random_by_permutation": fast},
        {"A_max": slow, "A_random": fast, "by": "two implementations of the process"},
        f"by rounding: $M/(s+u) = {Fraction(row.memory, 1 + row.u)}$ is small, for whatever $n$",
        values={
            "instances_looked_at_before": looked_at,
            "with_more_requests": more_copies,
            "schedules": [
                schedule(f"A_max at M = {row.memory}", one, row.lengths, 1, row.memory, assumed),
                schedule(f"A_random at αM = {row.smaller}", two, row.lengths, 1, row.smaller),
            ],
        },
    )


def more_requests(row: Row, copies: int) -> JsonObject:
    """Return the ratio of the totals on ``copies`` copies of the instance's requests, one after the other."""
    repeated = Row(row.lengths * copies, row.l, row.u, row.memory, row.smaller)
    [slow], [fast] = totals("a-max", repeated, row.memory), totals("a-random", repeated, row.smaller)
    return {"n": len(repeated.lengths), "A_max_over_A_random": slow / fast}


# ---- up to error terms ---------------------------------------------------------------------------------------------

L, U = 50, 5000
LONG_RUNS = ((20_000, 2_550_000), (100_000, 2_550_000), (200_000, 25_500_000))
"""(n, M) of runs with s = 1 and lengths uniform on [l, 3l/2] in random order; A_max has M/(s+u) ≥ 510 places."""

SEEDS = 3


def up_to_error_terms(factor: Fraction, largest_n: int | None) -> Evidence:
    """Decide the lemma up to errors that vanish as n/M → ∞ and M/(s+u) → ∞: refuted below 27/25, proved from 2 on.

    Between, long runs contradict it where the ratio is above the factor in all of them, as n and as M grow.
    """
    if largest_n is not None:
        return Proved(argument=f"of $n ≤ {largest_n}$ a sentence whose error vanishes only as $n → ∞$ says nothing")
    if factor < IN_STEP:
        return _in_step(factor)
    if factor >= 2:
        return by_theorem(TEXT.theorem("A_max at M below twice A_random at αM"))
    mean_ratios = {(n, memory): _long_runs(n, memory) for n, memory in LONG_RUNS}
    ratios = [{"n": n, "M": memory, "mean_ratio": str(mean)} for (n, memory), mean in mean_ratios.items()]
    evidence = measured(
        spread(mean.interval for mean in mean_ratios.values()),
        most=factor,
        sample=f"s = 1, lengths uniform on $[l, 3l/2]$, l = {L}, u = {U}, (n, M) in {', '.join(map(str, LONG_RUNS))}, {SEEDS} seeds, "
        "the same permutation for both",
        margin=f"the mean ratio against {float(factor):g}, in each with its 95 % interval; $M/(s+u)$ is 510 or more, so that this is "
        "no rounding",
        values={"ratios": ratios},
    )
    if isinstance(evidence, Measured) and not evidence.agrees:
        return evidence
    return Open("proved for the factor 2; long runs do not contradict it", evidence.values)


IN_STEP = Fraction(27, 25)
"""What A_max at M over A_random at αM is at least in the limit where A_random runs in step."""


@lru_cache(maxsize=8)
def _in_step(factor: Fraction) -> Refuted:
    """Refute the lemma in the limit by requests that A_random starts in step, as if all had the length ℓ."""
    lengths = f"two fifths {7 * L // 5}, the others {L}"
    limit = "$n/M → ∞$, $n/M² → 0$, $M → ∞$"
    runs = [_run_in_step(batch, batches) for batch, batches in ((20, 10), (2000, 20))]
    return Refuted(
        {"s": 1, "l": L, "u": U, "lengths": lengths, "limit": limit},
        f"at most {factor} in the limit",
        f"at least {IN_STEP}",
        {"runs": runs, "by": "the smaller run by two implementations"},
        "$s$, $l$, $u$, and so $α < 1$, and the shares of the lengths are fixed; $M/(s+u) → ∞$",
        TEXT.theorem("A_max at M above A_random at αM").records,
    )


def _run_in_step(batch: int, batches: int) -> JsonObject:
    """Run both policies on batches of ``batch`` requests, two of five consecutive ones longer; the first also by the judge."""
    lengths = [L, 7 * L // 5, L, 7 * L // 5, L] * (batch * batches // 5)
    smaller = batch * (1 + L)
    memory = smaller * U // L
    total = confirmed_total if len(lengths) <= 200 else fast_total
    slow, fast = total("a-max", lengths, memory, 1, L, U), total("a-random", lengths, smaller, 1, L, U)
    return {"n": len(lengths), "M": memory, "A_max_over_A_random": slow / fast}


def long_runs() -> tuple[float, float]:
    """Return the least and the largest mean ratio of A_max at M to A_random at αM in the long runs."""
    means = [_long_runs(n, memory).mean for n, memory in LONG_RUNS]
    return min(means), max(means)


@cache
def _long_runs(n: int, memory: int) -> Mean:
    ratios: list[float] = []
    for seed in range(SEEDS):
        lengths = np.random.default_rng(seed).integers(L, 3 * L // 2 + 1, n).tolist()
        fast = fast_total("a-random", lengths, memory * L // U, 1, L, U)
        ratios.append(fast_total("a-max", lengths, memory, 1, L, U) / fast)
    return Mean.of(ratios)


# ---- of the forms --------------------------------------------------------------------------------------------------


def of_the_forms(factor: Fraction, size: int) -> Evidence:
    """Decide A_max/M ≤ factor · A_random/(αM) entry by entry: a counterexample is looked for at s = ``size``, all lengths l."""
    theorem = TEXT.theorem("A_max's form and A_random's", c=lambda low, up: sp.Rational(factor) * up / low)
    if theorem.holds:
        return by_theorem(theorem)
    for low, up in ((2**k, 2 ** (k + 1)) for k in range(200)):
        a_random = form("a-random").entry(low, low, size) * up / Fraction(low)
        ratio = bind_a_max(low, up).entry(low, low, size) / a_random
        if ratio > factor:
            # latency per n²/2: A_max l(s+u)/M, A_random l(s+l)/(αM)
            second = Fraction((size + up) * low, up * (size + low))
            agree(ratio, second, "the quotient of the forms")
            witness = {"s": size, "l": low, "u": up, "weights": "all on l"}
            return Refuted(witness, f"at most {factor}", str(ratio), str(second))
    return Open("all lengths l, for $u = 2l$ and $l$ up to $2^{199}$")


# ---- A_random with less memory -------------------------------------------------------------------------------------


@cache
def random_at_less_memory() -> Refuted:
    """Refute E TEL(A_random, αM) ≤ α⁻¹ E TEL(A_random, M), a step in the proof of Theorem Amax, at the first instance."""
    looked_at, row = next(
        (looked_at, row)
        for looked_at, row in enumerate(rows(EXHAUSTIVE))
        if sum(totals("a-random", row, row.smaller)) * row.l > sum(totals("a-random", row, row.memory)) * row.u
    )
    runs = [confirmed("a-random", row, memory) for memory in (row.smaller, row.memory)]
    less, more = (Fraction(sum(run), len(run)) for run in runs)
    return Refuted(
        row.witness,
        f"at most ${more * row.u / row.l}$",
        f"{less}, against {more} with M",
        [str(less), str(more)],
        "by rounding: the display has no error term",
        values={"instances_looked_at_before": looked_at},
    )
