"""quasi-concave: half way between two laws V can be less than at both; three laws on four lengths show it."""

from collections.abc import Sequence
from fractions import Fraction

from crtools.blind.min_norm_point import common_plan
from crtools.blind.mixture import Mixture
from crtools.ledger import Decision, Evidence, Given, Measured, Refuted, agree
from crtools.papers.beyond.claims.best_blind import (
    LIMIT,
    WHOLE,
    Law,
    best_mixture,
    by_one_number,
    by_the_checker,
    common_plan_ratio,
)
from crtools.papers.beyond.theory import stated_claim, theorem
from crtools.schedule import volume

Weights = tuple[int, ...]

DIPS: tuple[tuple[Weights, Weights, Weights], ...] = (
    ((3, 6, 16, 52), (1, 9, 1, 9), (7, 10, 0, 3)),
    ((12, 22, 898, 1693), (983110, 2525, 7500, 6864), (778353, 221608, 32, 6)),
)
"""Lengths, and the weights of two laws on them between which V is less than at both; s = 0."""


def half_way(one: Sequence[int], other: Sequence[int]) -> Weights:
    """Return the weights of the mean of two laws."""
    return tuple(a * sum(other) + b * sum(one) for a, b in zip(one, other, strict=True))


def law_on(lengths: Sequence[int], weights: Sequence[int]) -> Law:
    """Return the law of the sizes at s = 0, without those of weight 0."""
    return {Fraction(volume(0, o)): Fraction(w, sum(weights)) for o, w in zip(lengths, weights, strict=True) if w}


def price_of(mixture: Mixture, law: Law) -> dict[str, list[str]]:
    """Return the price that a mixture makes at its corners, with times in the law's sizes."""
    unit = mixture.unit * mixture.requests.sizes[-1] / max(law)
    times, rests = zip(*mixture.course, strict=True)
    return {"times": [str(t / unit) for t in times], "prices": [str(Fraction(w, mixture.unit)) for w in rests]}


def between(factor: Fraction) -> Evidence:
    """Decide whether V half way between two laws is at least ``least`` times the smaller, by the stored pairs."""
    lowest = float("inf")
    for lengths, *pair in DIPS:
        laws = [law_on(lengths, weights) for weights in (*pair, half_way(*pair))]
        mixtures = [best_mixture(law) for law in laws]
        values = [(mixture.lower(), mixture.upper()) for mixture in mixtures]
        again = agree([by_the_checker(mixture) for mixture in mixtures], values, "V of three laws")
        first, second, middle = (lower for lower, _ in values)
        lowest = min(lowest, float(middle / min(first, second)))
        if middle < factor * min(first, second):
            plan = common_plan(mixtures[2].requests)
            witness = {"lengths": [*lengths], "one": [*pair[0]], "other": [*pair[1]], "s": 0}
            claimed = f"half way at least {factor} times {min(float(first), float(second)):.9f}, the smaller of {first} and {second}"
            actual = (
                f"{middle} = {float(middle):.9f}; one plan for all has {float(common_plan_ratio(laws[2], plan)):.9f}"
            )
            prices = [price_of(mixture, law) for mixture, law in zip(mixtures[:2], laws[:2], strict=True)]
            kills = [int(k in plan) for k in range(1, len(lengths))]
            values_of_plan = {"kills": kills, "ratios": [str(first), str(second)], "price": prices}
            return Refuted(
                witness,
                claimed,
                actual,
                [[*map(str, both)] for both in again],
                LIMIT,
                theorem(WHOLE).records,
                values_of_plan,
            )
    sample = f"{len(DIPS)} pairs that a search for small quotients found; s = 0"
    return Measured(lowest >= factor, sample, f"the least quotient is {lowest:.6f}", {"quotient": lowest})


@stated_claim("quasi-concave")
def quasi_concave(given: Given) -> Decision:
    """Decide whether V half way between two laws is at least a multiple of the smaller value."""
    return by_one_number(
        given,
        "half-way",
        "half way between any two laws V is at least FACTOR times the smaller of both",
        "prices that prove what no policy is below at two laws, one plan that pays less half way",
        "no pair of laws that was tried disagrees",
        between,
        "least",
    )
