"""The best blind schedule on one machine: its theorems' arguments have power, its claims agree with what laws of few sizes have."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from check.best import within_on_interval
from check.kernel import Rejected
from crtools.ledger import Claim
from crtools.ledger.evidence import Refuted
from crtools.ledger.registry import load
from crtools.papers.beyond import MACHINE
from crtools.papers.beyond.claims import best_blind, minimax
from crtools.papers.beyond.claims.best_blind import Law, common_plan_ratio, saved, share_killed_first, squares, value
from crtools.papers.beyond.theory import theorem
from crtools.proof.theorem import Theorem
from tests.papers.beyond import trials

laws = st.dictionaries(st.integers(1, 30), st.integers(1, 30), min_size=1, max_size=4).map(
    lambda weights: {Fraction(v): Fraction(w, sum(weights.values())) for v, w in sorted(weights.items())}
)


@pytest.mark.parametrize("test", [trials.areas, trials.legendre, trials.pairs])
@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(2), Fraction(99, 100)])
def test_an_argument_with_another_constant_meets_a_law_that_disagrees(
    test: Callable[..., str | None], factor: Fraction
) -> None:
    assert test() is None
    assert test(factor) is not None


def one_kill(factor: str) -> Theorem:
    return theorem("one plan that kills is never best", saved=lambda b, B: sp.Rational(factor) * b * B**2)


def two_sizes(coefficient: str) -> Theorem:
    def share(p: Any, v: Any, large: Any) -> Any:
        excess = p * (p * v + (1 - p) * large) - v
        return excess / (excess + sp.Rational(coefficient) * (1 - p) ** 2 * v)

    return theorem("two sizes", share_tried=share)


@pytest.mark.parametrize("make", [one_kill, two_sizes])
def test_another_constant_is_not_proved(make: Callable[[str], Theorem]) -> None:
    assert make("1").holds and make("1").name in ("one plan that kills is never best(last_kill)", "two sizes")
    for factor in ("1/2", "2", "1000001/1000000"):
        assert not make(factor).holds


@given(laws)
def test_running_to_the_end_is_best_where_the_theorem_says(law: Law) -> None:
    mean = sum(v * share for v, share in law.items())
    nbue = all(
        sum(min(v, c) * share for v, share in law.items()) >= mean * sum(s for v, s in law.items() if v <= c)
        for c in law
    )
    assert (value(law) == common_plan_ratio(law)) == nbue
    assert not nbue or value(law) <= 2


def test_the_value_of_two_sizes() -> None:
    law = {Fraction(1): Fraction(1, 2), Fraction(11): Fraction(1, 2)}  # pμ = 3, the rest (1−p)² v = 1/4
    shared = Fraction(1) * Fraction(3, 4) + 11 * Fraction(1, 4)
    assert value(law) == (6 - Fraction(4) / (2 + Fraction(1, 4))) / shared
    assert share_killed_first(Fraction(1)).status == "proved"
    refuted = (share_killed_first(Fraction(3, 4)), saved(Fraction(2)), squares(Fraction(2), MACHINE))
    for found in refuted:
        assert isinstance(found, Refuted) and found.claimed != found.actual
        assert sum(map(Fraction, found.witness["law"].values())) == 1


OWN = [
    best_blind.best_value,
    best_blind.run_through,
    best_blind.common_thresholds,
    best_blind.best_two_lengths,
    best_blind.uniform_lengths,
    minimax.best_uniform,
    minimax.minimax_closes,
]


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("claim", OWN, ids=lambda claim: claim.id)
def test_every_corrupted_variant_is_refuted(claim: Claim) -> None:
    [claim] = load("beyond").select([claim.id])  # with what the text gives it
    assert claim.wrong
    assert {verdict.status for verdict in claim.check().verdicts} <= {"proved", "certified"}
    for variant in claim.wrong:
        found = [
            f for v in claim.check(variant.given).verdicts for f in v.findings if v.level == (variant.level or v.level)
        ]
        assert {f.id: f.status for f in found}[variant.finding] == "refuted", variant.note


@pytest.mark.parametrize(
    "test", [trials.waits_under_any_law, trials.orders_of_stages, trials.stages_in_process], ids=lambda f: f.__name__
)
def test_what_a_mixture_pays_under_any_law_and_in_the_process(test: Callable[..., str | None]) -> None:
    assert test() is None
    assert test(Fraction(2)) is not None
    assert test(Fraction(99, 100)) is not None


def test_both_sides_of_an_interval_have_a_second_route() -> None:
    found = minimax.on_interval({"s": "3", "l": "2", "u": "6"})
    assert minimax.by_the_checker(found.mixture)[0] == found.value.lower
    assert minimax.under_every_law(found.mixture) == pytest.approx(float(found.value.upper), abs=1e-8)


def test_the_judge_refuses_an_interval_that_is_not_closed() -> None:
    found = minimax.on_interval({"s": "0", "l": "1", "u": "4"})
    values = minimax.bounded({"s": "0", "l": "1", "u": "4"}, Fraction(1), "at least").values
    sizes, fields = [1, 3, 6, 10], [values[name] for name in ("weights", "kills", "shares")]
    assert within_on_interval(sizes, *fields, found.value.upper) == found.value.lower
    fractions = [[Fraction(size, 2) for size in sizes], [Fraction(w, 3) for w in fields[0]], fields[1]]
    fractions.append([Fraction(share, 5) for share in fields[2]])  # as a text that computes them gives them
    assert within_on_interval(*fractions, found.value.upper) == found.value.lower
    with pytest.raises(Rejected, match="positive definite"):
        within_on_interval(sizes, *fields, found.value.lower - Fraction(1, 10**6))
    other = [sorted(fields[0]), *fields[1:]]  # another law: its price proves less, or an attempt runs before its turn
    with pytest.raises(Rejected):
        if within_on_interval(sizes, *other, Fraction(2)) < found.value.lower:
            raise Rejected
