"""Bounds against what is known and against instances; identities; numbers as they are written."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.enclosure import Enclosure
from crtools.ledger.deciders.bounds import (
    Bound,
    Family,
    ProvedBound,
    bound_text,
    decide_bound,
    rounded,
    separating_decimals,
    why_beyond,
)
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import lengths_and_weights, unit
from crtools.ledger.evidence import Open, Proved, Refuted
from crtools.proof.steps import Identity
from crtools.proof.theorem import Theorem

alpha = sp.Symbol("alpha", positive=True)
l, u, x, y = sp.symbols("l u x y", positive=True)


def bound(text: str) -> Bound:
    return Bound.given("bound", text, alpha, unit("alpha"))


def theorem() -> Theorem:
    return Theorem("made up", "1 = 1", "always", (Identity(name="one", lhs=sp.S.One, rhs=sp.S.One),))


def decide(text: str) -> Proved | Refuted | Open:
    """A made-up ratio 1 + α², reached at every α = 1/k, against a bound."""

    def refuted(k: int, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        return Refuted(
            {"s": 0, "u": k}, bound_text(claimed, ratio), str(ratio), "again", values={"ratio": float(ratio)}
        )

    family = Family(
        lambda k: Fraction(1, k), lambda k, _: 1 + Fraction(1, k) ** 2, refuted, (2, 3), lambda at: [at.denominator]
    )
    found = decide_bound(bound(text), family, tried="two places", proved=[ProvedBound(1 + alpha**2, theorem)])
    assert isinstance(found, Proved | Refuted | Open)
    return found


def test_a_bound_is_proved_refuted_or_open() -> None:
    for text in ("1+alpha**2", "2", "max(1+alpha**2,alpha)", "1+alpha**1.5", "1+alpha"):
        assert isinstance(decide(text), Proved)
    for text in ("1", "1+alpha**3", "1+alpha**2-1e-30", "1+alpha**2+(alpha-1/7)**2-1e-30", "1+alpha**2.5"):
        found = decide(text)
        assert isinstance(found, Refuted)
        assert Fraction(found.actual) > Fraction(found.claimed)
        assert Fraction(found.claimed) >= 1
        assert "above" in why_beyond(found)
    assert isinstance(decide("1+alpha/2"), Open)
    assert isinstance(decide("1+alpha**2-(alpha-2/7)*(alpha-1/3)*alpha/10-1/10**30"), Open | Refuted)
    assert not why_beyond(decide("2"))


@given(st.fractions(Fraction(1, 10**9), 10**9), st.integers(2, 30))
def test_decimals_are_rounded_outward(value: Fraction, digits: int) -> None:
    low, high = Fraction(rounded(value, digits)), Fraction(rounded(value, digits, up=True))
    assert low <= value <= high
    assert high - low <= value * Fraction(10, 10 ** (digits - 1))
    above = value + Fraction(1, 10**20)
    between = [Fraction(text) for text in separating_decimals(value, above)]
    assert value <= between[0] < between[1] <= above
    assert value <= Fraction(bound_text(Enclosure(value, value), above)) < above


def test_numbers_of_any_size_are_written_shortly() -> None:
    for power in (50, 3000, 100_000):
        assert len(rounded(Fraction(7) ** power)) < 30
        assert len(rounded(Fraction(1, 7) ** power)) < 30


def again(at: Mapping[str, Fraction]) -> Any:
    return {name: str(value) for name, value in at.items()}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*(st.integers(0, 2),) * 4, st.integers(-3, 3)), max_size=4), st.integers(0, 40))
def test_a_rational_difference_is_refuted_whatever_its_size(terms: list[tuple[int, ...]], scale: int) -> None:
    difference = sp.Add(*(c * l**a * u**b * x**d * y**e for a, b, d, e, c in terms)) / 10**scale
    true = l**2 * x + u / (x + y)
    found = decide_identity("made up", true + difference, true, lengths_and_weights(), again, "always")
    if sp.expand(difference) == 0:
        assert isinstance(found, Proved)
        return
    assert isinstance(found, Refuted)
    at = {symbol: sp.Rational(found.witness[symbol.name]) for symbol in (l, u, x, y)}
    assert at[l] < at[u]
    assert difference.subs(at) != 0
    assert found.claimed != found.actual


def test_a_difference_that_vanishes_at_small_integers_is_refuted() -> None:
    q = sp.Symbol("q", positive=True)
    vanishing = sp.Mul(*(q - sp.Rational(1, k) for k in range(2, 12)))
    assert isinstance(decide_identity("made up", q + vanishing, q, unit("q"), again, ""), Refuted)
    found = decide_identity("made up", sp.sqrt(2) * q + sp.Rational(1, 10**25), sp.sqrt(2) * q, unit("q"), again, "")
    assert isinstance(found, Refuted)
    assert found.claimed != found.actual
    hidden = (sp.log(4) - 2 * sp.log(2)) * q
    assert not isinstance(decide_identity("made up", q + hidden, q, unit("q"), again, ""), Refuted)
