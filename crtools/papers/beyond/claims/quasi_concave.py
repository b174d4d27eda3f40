"""quasi-concave: half way between two laws V can be less than at both; three laws on four lengths show it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np

from crtools.blind.least_norm import common_plan
from crtools.blind.mixture import Mixture
from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Measured, Refuted
from crtools.ledger.agree import agree
from crtools.ledger.deciders.decision import decision, verdict
from crtools.papers.beyond.claims.best_blind import LIMIT, WHOLE, Law, best_mixture, factor_of, once
from crtools.papers.beyond.levels import MACHINE
from crtools.papers.beyond.theory import theorem
from crtools.schedule import volume

Weights = tuple[int, ...]

DIPS: tuple[tuple[Weights, Weights, Weights], ...] = (
    ((3, 6, 16, 52), (1, 9, 1, 9), (7, 10, 0, 3)),
    ((12, 22, 898, 1693), (983110, 2525, 7500, 6864), (778353, 221608, 32, 6)),
)
"""Lengths, and the weights of two laws on them between which V is less than at both; s = 0."""

PAIRS, LENGTHS = 120, 5
"""Pairs of random laws on lengths 1 to ``LENGTHS``."""


def half_way(one: Sequence[int], other: Sequence[int]) -> Weights:
    """Return the weights of the mean of two laws."""
    return tuple(a * sum(other) + b * sum(one) for a, b in zip(one, other, strict=True))


def law_on(lengths: Sequence[int], weights: Sequence[int]) -> Law:
    """Return the law of the sizes at s = 0, without those of weight 0."""
    return {Fraction(volume(0, o)): Fraction(w, sum(weights)) for o, w in zip(lengths, weights, strict=True) if w}


def by_all_plans(lengths: Sequence[int], weights: Sequence[float]) -> float:
    """Return V at s = 0 by least squares over all plans, in floats: the code of ``best`` is not used.

    The least Σ q_p q_r ∫ H_p H_r over shares q is R/(1 − R), R the least of Σ q_p q_r ∫ H_p H_r + (1 − Σ q_p)² over q ≥ 0.
    """
    from scipy.optimize import nnls

    sizes, share, count = [o * (o + 1) / 2 for o in lengths], np.array(weights) / sum(weights), len(lengths)
    scale = float(share @ np.minimum.outer(sizes, sizes) @ share)
    plans = [(0, *cuts, count) for k in range(count) for cuts in combinations(range(1, count), k)]
    attempts = [
        [
            (sum(share[a:c]), sum(p * min(v, sizes[c - 1]) for p, v in zip(share[a:], sizes[a:], strict=True)))
            for a, c in pairwise(plan)
        ]
        for plan in plans
    ]
    corners = sorted({0.0, *(m / f for plan in attempts for m, f in plan)})
    rows = [
        [sum(f for m, f in plan if m / f > low) * ((high - low) / scale) ** 0.5 for plan in attempts]
        for low, high in pairwise(corners)
    ]
    rest = nnls(np.array([*rows, [1.0] * len(plans)]), np.array([0.0] * len(rows) + [1.0]))[1] ** 2
    return float(rest / (1 - rest))


def price_of(mixture: Mixture, law: Law) -> dict[str, list[str]]:
    """Return the price that a mixture makes at its corners, with times in units of the law's sizes."""
    unit = mixture.unit * mixture.requests.sizes[-1] / max(law)
    times = [str(time / unit) for time, _ in mixture.course]
    return {"times": times, "prices": [str(Fraction(rest, mixture.unit)) for _, rest in mixture.course]}


def between(least: Fraction) -> Evidence:
    """Decide whether V half way is at least ``least`` times the smaller: by laws where it is not, else try random ones."""
    lowest = float("inf")
    for lengths, one, other in DIPS:
        several = one, other, half_way(one, other)
        laws = [law_on(lengths, weights) for weights in several]
        mixtures = [best_mixture(law) for law in laws]
        first, second, middle = (mixture.lower() for mixture in mixtures)
        floats = [by_all_plans(lengths, weights) for weights in several]
        gaps = [abs(float(exact) - near) for exact, near in zip((first, second, middle), floats, strict=True)]
        agree(max(gaps) < 1e-7, True, "V by all plans")
        lowest = min(lowest, float(middle / min(first, second)))
        if middle < least * min(first, second):
            plan = common_plan(mixtures[2].requests)
            kills = [int(k in plan) for k in range(1, len(lengths))]
            witness = {"lengths": [*lengths], "one": [*one], "other": [*other], "s": 0}
            claimed = f"half way at least {least} times {min(float(first), float(second)):.9f}, the smaller of {first} and {second}"
            actual = f"{middle} = {float(middle):.9f}; one plan for all has {float(once(laws[2], plan)):.9f}"
            prices = [price_of(mixture, law) for mixture, law in zip(mixtures[:2], laws[:2], strict=True)]
            values = {"kills": kills, "price": prices}
            return Refuted(witness, claimed, actual, floats, LIMIT, theorem(WHOLE).records, values)
    draw = np.random.default_rng(0)
    for _ in range(PAIRS):
        one, other = (x / x.sum() for x in draw.dirichlet(np.full(LENGTHS, 0.5), 2) + 1e-3)
        first, second, middle = (by_all_plans(range(1, LENGTHS + 1), x) for x in (one, other, (one + other) / 2))
        lowest = min(lowest, middle / min(first, second))
    sample = f"{len(DIPS)} pairs with less half way, {PAIRS} pairs of random laws on lengths 1 to {LENGTHS}; s = 0"
    return Measured(bool(lowest >= least), sample, f"the least quotient is {lowest:.6f}", {"quotient": lowest})


def decide(given: Given) -> Decision:
    """Decide it by two laws that are kept, each time anew in exact arithmetic and in floats."""
    least = factor_of(given, "least")
    says = f"half way between any two laws V is at least {given['least']} times the smaller of both"
    return decision(
        verdict(
            MACHINE,
            theorem(WHOLE).reading,
            "three laws: prices that prove what nobody is below at two of them, one plan that pays less half way",
            ("no pair of laws tried disagrees", "half way between two laws on four lengths it is less than at both"),
            Finding("half-way", says, given.evidence(between, least)),
        )
    )


CLAIM = Claim(
    id="quasi-concave",
    place="docs/beyond/minimax.md, the minimax on an interval",
    statement="$V$ is quasi-concave in the law: half way between two laws it is at least the smaller of both",
    stated_at=MACHINE,
    given={"least": "1"},
    decide=decide,
    rests_on=("best-value",),
)
