"""a-max-conjecture: is (s+u)/(s+l) the least bound on A_max? Searched for a counterexample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import lcm
from random import Random

from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Refuted
from crtools.ledger.claims import claim, decision_at
from crtools.ledger.deciders.ranges import formula_in
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.theory import theorem
from crtools.papers.beyond.levels import ALGORITHM
from crtools.process import simulate
from crtools.proof.symbols import l, s, u

Setting = tuple[int, int, int]
"""s, l and u."""

SMALL = ((0, 1, 2), (0, 1, 3), (1, 1, 3), (0, 2, 3), (1, 2, 4))
LARGE = ((0, 1, 2), (1, 1, 4), (0, 2, 5), (2, 3, 7), (0, 4, 5))
LARGEST_COUNT = 4
SHARES = (0, 1, 5, 20, 50, 100)
"""Percentages of requests that are not of length l."""


def ratio(orders: Sequence[Sequence[int]], memory: int, setting: Setting) -> Fraction:
    """Return the mean of A_max's total over orders of the same lengths, over H-SF's."""
    prompt, low, up = setting
    best = simulate("h-sf", orders[0], memory, prompt, engine="fast").total_latency
    runs = (
        simulate("a-max", lengths, memory, prompt, low, up, order=range(len(lengths)), engine="fast")
        for lengths in orders
    )
    return Fraction(sum(run.total_latency for run in runs), best * len(orders))


def exhaustive() -> Iterator[tuple[Setting, Fraction, str]]:
    """Yield the ratio over every order at every small list, M a common multiple of s + l and s + u: no rounding."""
    for setting in SMALL:
        prompt, low, up = setting
        memory = lcm(prompt + low, prompt + up)
        for count in range(2, LARGEST_COUNT + 1):
            for lengths in combinations_with_replacement(range(low, up + 1), count):
                yield setting, ratio([*permutations(lengths)], memory, setting), f"o = {lengths}, M = {memory}"


def at_random() -> Iterator[tuple[Setting, Fraction, str]]:
    """Yield the ratio in long runs: a share of lengths u, or of lengths drawn from [l, u], two orders each."""
    draw = Random(0)
    for setting in LARGE:
        prompt, low, up = setting
        common = lcm(prompt + low, prompt + up)
        memory = -(-20 * (prompt + up) // common) * common
        for share, others in product(SHARES, ((up,), range(low, up + 1))):
            count = 30 * memory // (prompt + low)
            lengths = [draw.choice(others) if draw.random() * 100 < share else low for _ in range(count)]
            orders: list[list[int]] = []
            for _ in range(2):
                draw.shuffle(lengths)
                orders.append(list(lengths))
            yield setting, ratio(orders, memory, setting), f"{share} % of {list(others)}, M = {memory}"


def search(factor: SymExpr) -> Evidence:
    """Search for a ratio above the factor; where it is below the ratio on lengths 1, a theorem says so."""
    for prompt, up in ((0, 2), (1, 3), (0, 10)):
        claimed, actual = Fraction(str(factor.subs({s: prompt, l: 1, u: up}))), Fraction(prompt + up, prompt + 1)
        if claimed < actual and theorem("A_max on lengths 1").holds:
            memory = 40 * (prompt + 1) * (prompt + up)
            witness = {"s": prompt, "l": 1, "u": up, "lengths": "all 1"}
            second = {"M": memory, "n": 4000, "ratio": float(ratio([[1] * 4000], memory, (prompt, 1, up)))}
            stays = "the ratio on lengths 1 tends to $(s+u)/(s+1)$"
            records = theorem("A_max on lengths 1").records
            return Refuted(witness, f"at most {claimed}", f"at least {actual} in the limit", second, stays, records)
    ratios = [*exhaustive(), *at_random()]
    limits = {at: Fraction(str(factor.subs(dict(zip((s, l, u), at, strict=True))))) for at in (*SMALL, *LARGE)}
    largest, at, words = max((float(ratio / limits[at]), at, words) for at, ratio, words in ratios)
    small = f"every one of 2 to {LARGEST_COUNT} lengths at {len(SMALL)} settings, every order"
    sample = f"{len(ratios)} lists: {small}; long ones at {len(LARGE)}"
    return Measured(
        largest <= 1,
        sample,
        f"the largest quotient is {largest:.4f}",
        {**dict(zip("slu", at, strict=True)), "where": words},
    )


@claim(
    "a-max-conjecture",
    ALGORITHM,
    "docs/beyond/a-max.md, a conjecture",
    "$sup CR(A_max) = (s+u)/(s+l)$, attained where every length is $l$",
    given={"factor": "(s+u)/(s+l)"},
)
def a_max_conjecture(given: Given) -> Decision:
    """Search for a counterexample."""
    evidence = given.evidence(search, formula_in(given, "factor", s=0, l=1, u="l"))
    finding = Finding("factor", f"$CR(A_max) ≤ {given['factor']}$", evidence)
    reading = "every $s$ and $l < u$, $n → ∞$ and then $M → ∞$, against H-SF; nothing is proved beyond claim a-max"
    holds, fails = "no list found exceeds it", "lists exceed it"
    return decision_at(ALGORITHM, reading, "exhaustive and random search", (holds, fails), finding)
