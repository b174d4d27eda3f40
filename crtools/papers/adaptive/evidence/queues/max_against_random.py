"""A_max with memory M against A_random with αM, and A_random with αM against M: searches, a family, and long runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np

from crtools.forms import form
from crtools.ledger.agree import agree
from crtools.ledger.deciders.measured import measured, spread
from crtools.ledger.evidence import Evidence, Measured, Open, Proved, Refuted, by_theorem
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.forms import a_max
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.form.a_max import below_a_random
from crtools.papers.adaptive.theorems.process.a_max import below_random
from crtools.process import simulate
from crtools.process.comparing import Mean

MOST, FAMILY = 2, 60
"""All instances of up to so many requests are looked at, and one of a family with up to so many."""

RANGE = f"n ≤ {MOST}, l < u ≤ 8, s = 1, M ≤ 2(1+u) with αM an integer"


@dataclass(frozen=True)
class Row:
    """An instance with s = 1 and lengths in [l, u]; ``smaller`` is αM."""

    lengths: tuple[int, ...]
    l: int
    u: int
    memory: int
    smaller: int

    def witness(self) -> dict[str, Any]:
        """Return the instance as data."""
        return {
            "lengths": list(self.lengths),
            "s": 1,
            "l": self.l,
            "u": self.u,
            "M": self.memory,
            "alpha_M": self.smaller,
        }


def rows(most: int) -> Iterator[Row]:
    """Iterate over the instances of up to ``most`` requests at which both can run, in increasing (n, u, l, lengths, M)."""
    for n, up in ((n, up) for n in range(1, most + 1) for up in range(2, 9)):
        for low in range(1, up):
            for lengths in combinations_with_replacement(range(low, up + 1), n):
                for memory in range(1 + up, max(n, 2) * (1 + up) + 1):
                    smaller = Fraction(low * memory, up)
                    if smaller.denominator == 1 and smaller >= 1 + max(lengths):
                        yield Row(lengths, low, up, memory, int(smaller))


def max_totals(row: Row) -> list[int]:
    """Return A_max's totals with M by permutation."""
    return _literal_totals(row, [row.u] * len(row.lengths), row.memory)


def random_totals(row: Row, memory: int) -> list[int]:
    """Return A_random's totals with so much memory by permutation."""
    return _literal_totals(row, row.lengths, memory)


def _literal_totals(row: Row, assumed: Sequence[int], memory: int) -> list[int]:
    orders = permutations(range(len(row.lengths)))
    return [literal.total(literal.queue(o, assumed, row.lengths, 1, memory), row.lengths) for o in orders]


def _simulated(policy: str, row: Row, memory: int) -> list[int]:
    orders = permutations(range(len(row.lengths)))
    return [simulate(policy, row.lengths, memory, 1, row.l, row.u, order=o).total_latency for o in orders]


# ---- the lemma -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def in_expectation(factor: Fraction = Fraction(1), asked: int | None = None) -> Evidence:
    """Decide E TEL(A_max, M) ≤ factor · E TEL(A_random, αM), of up to ``asked`` requests (None: any number)."""
    return _decided(factor, asked, pathwise=False)


@lru_cache(maxsize=64)
def for_every_permutation(factor: Fraction = Fraction(1), asked: int | None = None) -> Evidence:
    """Decide the same of the totals of each permutation."""
    return _decided(factor, asked, pathwise=True)


def _decided(factor: Fraction, asked: int | None, *, pathwise: bool) -> Evidence:
    most, looked_at = min(asked or MOST, MOST), 0
    for row in rows(most):
        slow, fast = max_totals(row), random_totals(row, row.smaller)
        above = (
            any(a > factor * b for a, b in zip(slow, fast, strict=True)) if pathwise else sum(slow) > factor * sum(fast)
        )
        if above:
            return _hit(row, factor, slow, fast, looked_at)
        looked_at += 1
    words = (
        f"{RANGE}: {looked_at} instances"
        if most == MOST
        else f"$n = 1$, {RANGE.partition(', ')[2]}: {looked_at} instances"
    )
    family = _in_turn(min(asked or FAMILY, FAMILY)) if most == MOST else None
    if family is not None and family["A_max"] > factor * family["A_random"]:
        actual = {name: family[name] for name in ("A_max", "A_random")}
        return Refuted(
            {name: value for name, value in family.items() if name not in actual},
            f"A_max at most {factor} times A_random",
            actual,
            _in_turn_again(family["n"]),
            "by rounding: M/(s+u) is below 2 and αM just below two peaks",
        )
    if asked is not None and asked > most:
        return Open(f"$n ≤ {most}$ of the {asked} requests asked, and a family of {min(asked, FAMILY)}; {words}")
    if asked is None and factor < 2:
        return Open(f"below 2, which a family tends to as $n$ and $u/l$ grow; too large to be run; {words}")
    return Measured(True, words, "no counterexample among them", {} if family is None else {"family": family})


def _hit(row: Row, factor: Fraction, slow: list[int], fast: list[int], before: int) -> Refuted:
    agree(_simulated("a-max", row, row.memory), slow, "A_max's totals")
    second = agree(_simulated("a-random", row, row.smaller), fast, "A_random's totals")
    order, assumed = range(len(row.lengths)), [row.u] * len(row.lengths)
    starts = (
        literal.queue(order, assumed, row.lengths, 1, row.memory),
        literal.queue(order, row.lengths, row.lengths, 1, row.smaller),
    )
    return Refuted(
        row.witness(),
        f"A_max at most {factor} times A_random",
        {"A_max_by_permutation": slow, "A_random_by_permutation": fast},
        {"A_max": slow, "A_random": second, "by": "two implementations of the process"},
        f"by rounding: $M/(s+u) = {Fraction(row.memory, 1 + row.u)}$ is small, for whatever $n$",
        values={
            "instances_looked_at_before": before,
            "with_more_requests": [more_requests(row, copies) for copies in (5, 50)],
            "schedules": [
                schedule(f"A_max at M = {row.memory}", starts[0], row.lengths, 1, row.memory, assumed),
                schedule(f"A_random at αM = {row.smaller}", starts[1], row.lengths, 1, row.smaller),
            ],
        },
    )


def more_requests(row: Row, copies: int) -> dict[str, Any]:
    """Return the ratio of the totals on so many copies of the instance's requests, one after the other."""
    lengths = row.lengths * copies
    order, assumed = range(len(lengths)), [row.u] * len(lengths)
    slow = literal.total(literal.queue(order, assumed, lengths, 1, row.memory), lengths)
    fast = literal.total(literal.queue(order, lengths, lengths, 1, row.smaller), lengths)
    return {"n": len(lengths), "A_max_over_A_random": slow / fast}


def _in_turn(n: int) -> dict[str, int]:
    """All o = l, αM just below two peaks: A_random runs two at a time, A_max one. The ratio tends to 2 (n, u/l → ∞)."""
    l, u, memory = 20, 400, 780
    slow = literal.total(literal.queue(range(n), [u] * n, [l] * n, 1, memory), [l] * n)
    fast = literal.total(literal.queue(range(n), [l] * n, [l] * n, 1, memory * l // u), [l] * n)
    return {"n": n, "s": 1, "l": l, "u": u, "M": memory, "A_max": slow, "A_random": fast}


def _in_turn_again(n: int) -> dict[str, int]:
    slow = simulate("a-max", [20] * n, 780, 1, 20, 400, order=range(n))
    fast = simulate("a-random", [20] * n, 39, 1, 20, 400, order=range(n))
    return {"A_max": slow.total_latency, "A_random": fast.total_latency}


# ---- up to error terms ---------------------------------------------------------------------------------------------

L, U = 50, 5000
LONG_RUNS = ((20_000, 2_550_000), (100_000, 2_550_000), (200_000, 25_500_000))
"""(n, M) of runs with s = 1 and lengths uniform on [l, 3l/2] in random order; A_max has M/(s+u) ≥ 510 places."""

SEEDS = 3


def up_to_error_terms(factor: Fraction, asked: int | None) -> Evidence:
    """Decide the lemma up to errors that vanish as n/M → ∞ and M/(s+u) → ∞: long runs against it, or a proof from 2 on.

    Runs contradict it where the ratio is above the factor in all of them, as n and as M grow.
    """
    if asked is not None:
        return Proved(argument=f"of $n ≤ {asked}$ a sentence whose error vanishes only as $n → ∞$ says nothing")
    if factor >= 2:
        return by_theorem(below_random())
    found = {(n, memory): _long_runs(n, memory) for n, memory in LONG_RUNS}
    evidence = measured(
        spread(mean.interval for mean in found.values()),
        most=factor,
        sample=f"s = 1, lengths uniform on $[l, 3l/2]$, l = {L}, u = {U}, (n, M) in {', '.join(map(str, LONG_RUNS))}, {SEEDS} seeds, "
        "the same permutation for both",
        margin=f"the mean ratio against {float(factor):g}, in each with its 95 % interval; $M/(s+u)$ is 510 or more, so that this is "
        "no rounding",
        values={"ratios": [{"n": n, "M": memory, "mean_ratio": str(mean)} for (n, memory), mean in found.items()]},
    )
    if isinstance(evidence, Measured) and not evidence.agrees:
        return evidence
    return Open("proved for the factor 2; long runs do not contradict it", evidence.values)


@cache
def _long_runs(n: int, memory: int) -> Mean:
    ratios: list[float] = []
    for seed in range(SEEDS):
        lengths = np.random.default_rng(seed).integers(L, 3 * L // 2 + 1, n).tolist()
        slow = simulate("a-max", lengths, memory, 1, L, U, order=range(n), engine="fast").total_latency
        fast = simulate("a-random", lengths, memory * L // U, 1, L, U, order=range(n), engine="fast").total_latency
        ratios.append(slow / fast)
    return Mean.of(ratios)


# ---- of the forms --------------------------------------------------------------------------------------------------


def of_the_forms(factor: Fraction, size: int) -> Evidence:
    """Decide A_max/M ≤ factor · A_random/(αM) entry by entry: a counterexample is looked for at s = ``size``, all lengths l."""
    theorem = below_a_random(factor=factor)
    if theorem.holds:
        return by_theorem(theorem)
    for low in (2**k for k in range(200)):
        up = 2 * low
        above, below = a_max.bind(low, up).entry(low, low, size), form("a-random").entry(low, low, size) * up / low
        if above > factor * below:
            second = Fraction(
                (size + up) * low, up * (size + low)
            )  # latency per n²/2: A_max l(s+u)/M, A_random l(s+l)/(αM)
            return Refuted(
                {"s": size, "l": low, "u": up, "weights": "all on l"},
                f"at most {factor}",
                str(agree(above / below, second, "the quotient of the forms")),
                str(second),
            )
    return Open("all lengths l, for $u = 2l$ and $l$ up to $2^{199}$")


# ---- A_random with less memory -------------------------------------------------------------------------------------


@cache
def random_at_less_memory() -> Evidence:
    """Decide E TEL(A_random, αM) ≤ α⁻¹ E TEL(A_random, M), a step in the proof of Theorem Amax."""
    for looked_at, row in enumerate(rows(MOST)):
        less, more = random_totals(row, row.smaller), random_totals(row, row.memory)
        if sum(less) * row.l > sum(more) * row.u:
            orders = len(less)
            second = [Fraction(sum(_simulated("a-random", row, m)), orders) for m in (row.smaller, row.memory)]
            means = agree([Fraction(sum(less), orders), Fraction(sum(more), orders)], second, "A_random's means")
            return Refuted(
                row.witness(),
                f"at most ${means[1] * row.u / row.l}$",
                f"{means[0]}, against {means[1]} with M",
                [str(mean) for mean in means],
                "by rounding: the display has no error term",
                values={"instances_looked_at_before": looked_at},
            )
    return Measured(True, RANGE, "no counterexample among them")
