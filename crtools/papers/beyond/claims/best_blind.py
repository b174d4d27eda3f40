"""The best blind schedule for a law: its value, when killing is useless, one plan for all, two lengths, uniform lengths, two laws.

docs/beyond/best-for-a-law.md defines V and H. Tests: tests/papers/beyond/test_best_blind.py, test_quasi_concave.py.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from check import best as checker
from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.min_norm_point import Group, Search, common_plan, exact
from crtools.blind.mixture import Mixture
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Open, Refuted, Verdict, agree, by_theorem
from crtools.ledger.claims import decision, proved_or_refuted, verdict
from crtools.ledger.deciders.ranges import formula_in
from crtools.papers.beyond.theory import ALGORITHM, MACHINE, TEXT, reading_of, stated_claim, theorem
from crtools.proof import symbols
from crtools.schedule import volume

WHOLE = "the best blind ratio under a law"
LIMIT = "as n → ∞, for every policy that may know the law"

Law = dict[Fraction, Fraction]
"""A distribution: shares by size."""


def positive_number(given: Given, name: str = "factor") -> Fraction:
    """Return a given number above 0 and at most 1000; ``InputError`` for another."""
    value = number(name, given[name])
    if not 0 < value <= 1000:
        raise InputError(name, given[name], "must be above 0 and at most 1000")
    return value


def value(law: Law) -> Fraction:
    """Return V of a law of few sizes in exact arithmetic: its lower and its upper bound are equal."""
    mixture = best_mixture(law)
    assert mixture.lower() == mixture.upper()
    return mixture.upper()


def by_the_checker(mixture: Mixture) -> tuple[Fraction, Fraction]:
    """Return the lower and the upper bound of a mixture by the code of the checker."""
    requests = checker.Requests(mixture.requests.sizes, mixture.requests.weights)
    checked = checker.Mixture(requests, [([*plan], w) for plan, w in zip(mixture.plans, mixture.weights, strict=True)])
    return checked.lower(), checked.upper()


def in_floats(law: Law) -> float:
    """Return V by Wolfe's algorithm in floats, as ∫H² over E min(v, v')."""
    search = _searched(law, 1e-12)
    minimum = float(sum(p * q * min(a, b) for a, p in law.items() for b, q in law.items()))
    scale = float(max(law)) / Requests.of(law).sizes[-1]
    return float(search.shares @ search.products @ search.shares) * scale / minimum


def best_mixture(law: Law) -> Mixture:
    """Return the best mixture of plans for a law of few sizes, in exact arithmetic."""
    mixture = exact(Requests.of(law), _searched(law, 1e-10).plans)
    assert mixture is not None
    return mixture


def _searched(law: Law, gap: float) -> Search:
    return Search([Group.of(Requests.of(law))], gap)


def common_plan_ratio(law: Law, plan: Path | None = None) -> Fraction:
    """Return the ratio of one plan for all requests; by default of running to the end."""
    return Mixture.of(Requests.of(law), {plan or (0, len(law)): 1}).upper()


def refuted_by(law: Law, claimed: Any, actual: Any, second: Any) -> Refuted:
    """Return the refutation of a number by a distribution."""
    shares = {str(size): str(share) for size, share in law.items()}
    return Refuted({"law": shares}, str(claimed), str(actual), str(second), LIMIT)


def decision_under_a_law(id: str, holds: str, *findings: Finding) -> Decision:
    """Return the decision of a claim that is read as the theorem on the value V of a law."""
    return reading_of(id, whole=theorem(WHOLE).reading).decision((holds, "false for some law"), *findings)


# ---- the value --------------------------------------------------------------------------------------------------


def squares(factor: Fraction, level: str) -> Evidence:
    """Decide whether V E min(v, v') is this multiple of the least ∫H²."""
    if factor == 1:
        return by_theorem(theorem(VALUE_OF[level]))
    law = {Fraction(1): Fraction(1)}
    return refuted_by(law, factor, value(law), in_floats(law))


VALUE_OF = {MACHINE: WHOLE, ALGORITHM: "the best blind ratio in the process"}


@stated_claim("best-value")
def best_value(given: Given) -> Decision:
    """Decide what the best ratio is, on one machine and in the process."""
    says = f"$V E \\min(v, v')$ is {given['factor']} times the least $∫H_f²$"
    method, why = "a mixture above, its price below", ("V is the best ratio to the optimum", "false for some law")
    levels: list[Verdict] = []
    for level, name in VALUE_OF.items():
        finding = Finding("value", says, given.evidence(squares, positive_number(given), level))
        levels.append(verdict(level, theorem(name).reading, method, why, finding))
    return decision(*levels)


# ---- running to the end -----------------------------------------------------------------------------------------


def exactly(factor: Fraction) -> Evidence:
    """Decide whether running to the end is best exactly where F(0, c) ≥ factor · E v · P(v ≤ c) for every c."""
    if factor == 1:
        return by_theorem(theorem("when killing is useless"))
    half = Fraction(1, 2)
    law = {Fraction(1): Fraction(1)} if factor > 1 else {Fraction(1): half, 4 / factor - 1: half}
    claimed = "running to the end is " + ("not best" if factor > 1 else "best")
    actual = f"V = {value(law)}, running to the end has {common_plan_ratio(law)}"
    return refuted_by(law, claimed, actual, in_floats(law))


def at_most(bound: Fraction) -> Evidence:
    """Decide whether V ≤ bound wherever killing is useless: proved from 2 on; below, truncated geometric sizes exceed it."""
    if bound >= 2:
        return by_theorem(theorem("when killing is useless"))
    q, u = max(bound, Fraction(1)) / 2, 1
    while (1 + q) <= bound * (1 + q**u):
        u += 1
    law = {Fraction(k): q ** (k - 1) * (1 if k == u else 1 - q) for k in range(1, u + 1)}
    if u > 60:
        return Open("the bound is too near 2 for the law that is tried")
    actual = value(law)
    if actual <= bound:
        return Open(f"geometric sizes up to {u} have {actual}")
    return refuted_by(law, f"at most {bound}", float(actual), in_floats(law))


@stated_claim("run-through")
def run_through(given: Given) -> Decision:
    """Decide for which sizes killing is useless, and what V is at most there."""
    factor, bound = positive_number(given), positive_number(given, "bound")
    condition = f"running to the end is best exactly where $F(0, c) ≥ {given['factor']} · E v · P(v ≤ c)$ for every c"
    where = Finding("exactly", condition, given.evidence(exactly, factor))
    then = Finding("bound", f"then $V ≤ {given['bound']}$", given.evidence(at_most, bound))
    return decision_under_a_law("run-through", "to run to the end is best for NBUE sizes", where, then)


# ---- one plan for all, two sizes --------------------------------------------------------------------------------

LAWS: tuple[Law, ...] = tuple({Fraction(1): Fraction(1, 2), Fraction(large): Fraction(1, 2)} for large in (2, 5, 20))


def saved(factor: Fraction) -> Evidence:
    """Decide whether merging the last two stages saves factor · b P(v > b)² under the plan's price."""

    def refuted(law: Law) -> Refuted | None:
        (small, p), (large, tail) = law.items()
        both = p * small + small * tail + tail * small + tail * large * tail
        merged = small + (p * small + tail * large) * tail
        claimed, actual = factor * small * tail**2, both - merged
        return None if claimed == actual else refuted_by(law, claimed, actual, float(both) - float(merged))

    proof = theorem("one plan that kills is never best", saved=lambda b, B: sp.Rational(factor) * b * B**2)
    return proved_or_refuted(proof, LAWS, refuted)


def share_killed_first(coefficient: Fraction) -> Evidence:
    """Decide whether the share (pμ−v)/(pμ−v + coefficient (1−p)² v) is killed at the smaller size first."""

    def share(p: Any, v: Any, large: Any) -> Any:
        excess = TEXT.value("two_excess", p, v, large)
        return excess / (excess + sp.Rational(coefficient) * (1 - p) ** 2 * v)

    def refuted(law: Law) -> Refuted | None:
        (small, p), (large, tail) = law.items()
        excess = p * (p * small + tail * large) - small
        if excess <= 0:
            return None
        claimed = excess / (excess + coefficient * tail**2 * small)
        mixture = best_mixture(law)
        weights = dict(zip(mixture.plans, mixture.weights, strict=True))
        actual = Fraction(weights.get((0, 1, 2), 0), sum(weights.values()))
        if claimed == actual:
            return None
        search = _searched(law, 1e-12)
        return refuted_by(law, claimed, actual, dict(zip(map(str, search.plans), search.shares.tolist(), strict=True)))

    return proved_or_refuted(theorem("two sizes", share_tried=share), LAWS, refuted)


def uniform(given: Given) -> Evidence:
    """Decide whether V of lengths uniform on 1, …, u is this function of u and s where running to the end is best."""
    claimed = formula_in(given, "value", s=0, u=1)
    at = sp.Lambda((symbols.u, symbols.s), claimed)

    def refuted(lengths: tuple[int, int]) -> Refuted | None:
        u, s = lengths
        law = {Fraction(volume(s, o)): Fraction(1, u) for o in range(1, u + 1)}
        expected = at(u, s)
        return None if expected == sp.Rational(value(law)) else refuted_by(law, expected, value(law), in_floats(law))

    proof = theorem("uniform lengths", value=at)
    return proved_or_refuted(proof, ((1, 0), (2, 0), (2, 1), (5, 1), (6, 4)), refuted)


@stated_claim("uniform-lengths")
def uniform_lengths(given: Given) -> Decision:
    """Decide V of uniform lengths where running to the end is best."""
    says = f"running to the end is best exactly where $3s ≥ u − 2$ or $u = 1$, and there $V = {given['value']}$"
    finding = Finding("value", says, given.evidence(uniform, given))
    return reading_of("uniform-lengths").decision(("there V is E v over E min(v, v')", "false for some law"), finding)


@stated_claim("common-thresholds")
def common_thresholds(given: Given) -> Decision:
    """Decide how much merging the last two stages of a common plan saves."""
    says = f"merging the last two stages saves {given['factor']} times $b P(v > b)²$ under the plan's price"
    finding = Finding("saved", says, given.evidence(saved, positive_number(given)))
    return decision_under_a_law("common-thresholds", "without its last kill a plan is cheaper", finding)


@stated_claim("best-two-lengths")
def best_two_lengths(given: Given) -> Decision:
    """Decide the share of the requests that is killed at the smaller of two lengths."""
    says = f"the share $(pμ−v)/(pμ−v + {given['coefficient']} · (1−p)² v)$ is tried with v first"
    share = Finding("share", says, given.evidence(share_killed_first, positive_number(given, "coefficient")))
    return decision_under_a_law("best-two-lengths", "the best share to try first, and V", share)


# ---- half way between two laws ---------------------------------------------------------------------------------

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
    times, prices = zip(*mixture.price.shares, strict=True)
    return {"times": [str(t * max(law) / mixture.requests.sizes[-1]) for t in times], "prices": [*map(str, prices)]}


def between(factor: Fraction) -> Evidence:
    """Decide whether V half way between two laws is at least ``factor`` times the smaller, by the stored pairs."""
    lowest = float("inf")
    for lengths, *pair in DIPS:
        laws = [law_on(lengths, weights) for weights in (*pair, half_way(*pair))]
        mixtures = [best_mixture(law) for law in laws]
        values = [(mixture.lower(), mixture.upper()) for mixture in mixtures]
        again = agree([by_the_checker(mixture) for mixture in mixtures], values, "V of three laws")
        first, second, middle = (lower for lower, _ in values)
        lowest = min(lowest, float(middle / min(first, second)))
        if middle < factor * min(first, second):
            plan = common_plan(*Group.of(mixtures[2].requests).attempts)
            of_one_plan = float(common_plan_ratio(laws[2], plan))
            prices = [price_of(mixture, law) for mixture, law in zip(mixtures[:2], laws[:2], strict=True)]
            kills = [int(k in plan) for k in range(1, len(lengths))]
            smaller = f"{min(float(first), float(second)):.9f}, the smaller of {first} and {second}"
            return Refuted(
                {"lengths": [*lengths], "one": [*pair[0]], "other": [*pair[1]], "s": 0},
                f"half way at least {factor} times {smaller}",
                f"{middle} = {float(middle):.9f}; one plan for all has {of_one_plan:.9f}",
                [[*map(str, both)] for both in again],
                LIMIT,
                theorem(WHOLE).records,
                {"kills": kills, "ratios": [str(first), str(second)], "price": prices},
            )
    sample = f"{len(DIPS)} pairs that a search for small quotients found; s = 0"
    return Measured(lowest >= factor, sample, f"the least quotient is {lowest:.6f}", {"quotient": lowest})


@stated_claim("quasi-concave")
def quasi_concave(given: Given) -> Decision:
    """Decide whether V half way between two laws is at least a multiple of the smaller value."""
    says = f"half way between any two laws V is at least {given['least']} times the smaller of both"
    finding = Finding("half-way", says, given.evidence(between, positive_number(given, "least")))
    return decision_under_a_law("quasi-concave", "no pair of laws that was tried disagrees", finding)
