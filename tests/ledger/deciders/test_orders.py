"""Orders of growth: a growth against what is proved, on both sides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from crtools.errors import InputError
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order, growth_of, power_of
from crtools.ledger.evidence import by_theorem
from crtools.proof.steps import Identity
from crtools.proof.theorem import Theorem


def holds() -> Theorem:
    return Theorem("made up", "1 = 1", "always", (Identity(name="one", lhs=sp.S.One, rhs=sp.S.One),))


def fails() -> Theorem:
    return Theorem("made up and false", "1 = 2", "always", (Identity(name="one", lhs=sp.S.One, rhs=sp.Integer(2)),))


def witness(growth: Growth) -> tuple[dict[str, Any], str, str]:
    return {"u": 10}, "more", "more again"


KNOWN = Order(witness, BIG, (holds,), BIG**2, (holds,))  # between ln(1/α) and its square


@pytest.mark.parametrize(
    ("text", "at_most", "at_least"),
    [
        ("log(1/alpha)**2", "proved", "inconclusive"),
        ("log(1/alpha)", "inconclusive", "proved"),
        ("log(1/alpha)**1.5", "inconclusive", "inconclusive"),
        ("sqrt(log(1/alpha))", "refuted", "proved"),
        ("1/alpha", "proved", "refuted"),
        ("sqrt(2.5)", "refuted", "proved"),
        ("max(1, log(1/alpha)**2)", "proved", "inconclusive"),
        ("min(1/alpha, log(1/alpha))", "inconclusive", "proved"),
        ("max(min(alpha, 1), log(log(1/alpha)))", "refuted", "proved"),
        ("max(log(1/alpha), 5*log(1/alpha))", "inconclusive", "proved"),
    ],
)
def test_both_sides(text: str, at_most: str, at_least: str) -> None:
    growth = growth_of("growth", text)
    assert decide_order(growth, KNOWN).status == at_most
    assert decide_order(growth, KNOWN, "at least").status == at_least


def test_what_is_not_proved_decides_nothing() -> None:
    growth = growth_of("growth", "1")
    assert decide_order(growth, Order(witness, BIG, (fails,))).status == "inconclusive"
    assert decide_order(growth, Order(witness)).status == "inconclusive"
    assert by_theorem(fails()).status == "inconclusive"


@pytest.mark.parametrize("power", [Fraction(1, 2), Fraction(3, 2), -1 - Fraction(1, 10**30)])
def test_powers(power: Fraction) -> None:
    exact = Order(witness, sp.exp(BIG / 2), (holds,), sp.exp(BIG / 2), (holds,))
    assert decide_order(power_of(power), exact).status == ("proved" if power >= Fraction(1, 2) else "refuted")
    assert decide_order(power_of(power), exact, "at least").status == (
        "proved" if power <= Fraction(1, 2) else "refuted"
    )


@pytest.mark.parametrize("text", ["-1", "log(alpha)", "max(-1, log(alpha))", "min(0, 1)", "alpha - alpha"])
def test_a_growth_is_positive(text: str) -> None:
    with pytest.raises(InputError):
        growth_of("growth", text)
