"""The best blind schedule on one machine: its theorems' arguments have power, its claims agree with what laws of few sizes have."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from crtools.papers.beyond import trials
from crtools.papers.beyond.claims import best_blind
from crtools.papers.beyond.claims.best_blind import Law, once, tried, value
from crtools.papers.beyond.theory import theorem
from crtools.proof.theorem import Theorem

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
    assert make("1").holds and make("1").name.endswith(")")  # the one that the text names
    for factor in ("1/2", "2", "1000001/1000000"):
        assert not make(factor).holds


@given(laws)
def test_running_to_the_end_is_best_where_the_theorem_says(law: Law) -> None:
    mean = sum(v * share for v, share in law.items())
    nbue = all(
        sum(min(v, c) * share for v, share in law.items()) >= mean * sum(s for v, s in law.items() if v <= c)
        for c in law
    )
    assert (value(law) == once(law)) == nbue
    assert not nbue or value(law) <= 2


def test_the_value_of_two_sizes() -> None:
    law = {Fraction(1): Fraction(1, 2), Fraction(11): Fraction(1, 2)}  # pμ = 3, the rest (1−p)² v = 1/4
    shared = Fraction(1) * Fraction(3, 4) + 11 * Fraction(1, 4)
    assert value(law) == (6 - Fraction(4) / (2 + Fraction(1, 4))) / shared
    assert tried(Fraction(1)).status == "proved"
    assert tried(Fraction(3, 4)).status == "refuted"


@pytest.mark.parametrize("claim", [best_blind.VALUE, best_blind.RUN_THROUGH, best_blind.COMMON, best_blind.TWO])
def test_every_corrupted_variant_is_refuted(claim: best_blind.Claim) -> None:
    assert claim.check().verdicts[0].status == "proved"
    for variant in claim.corrupted:
        found = {f.id: f.status for f in claim.check(variant.given).verdicts[0].findings}
        assert found[variant.finding] == "refuted", variant.note
