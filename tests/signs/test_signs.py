"""Is this positive here? One room answers, and its ways agree."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from crtools.closed_form.quotient import Quotient
from crtools.errors import InputError
from crtools.ledger.deciders.ranges import half_and_weights, integers_from, small, unit
from crtools.signs import Answer, Interval, Need, Range
from crtools.signs.charts import positive_on, quotient_chart
from crtools.signs.one_variable import at_least
from crtools.signs.parameters import MET, in_parameters, near_zero, positive, sign_on
from crtools.signs.ranges import parameter

q = sp.Symbol("q", positive=True)
UNIT = Interval("q", sp.S.Zero, sp.S.One)
GAPS = [
    sp.Rational(17, 8) - 3 * q + q**2, q * (1 - q), 1 - 5 * q + 6 * q**2, q**2 - q - 1, (q - 2) / (q - 3),
    sp.Rational(1, 1000) + (q - sp.Rational(1, 3)) ** 2, 1 / (1 + q) - 2, (2 * q - 1) ** 3,
]  # fmt: skip


def decide(expr: Any, need: Need, on: Interval | Range) -> Answer:
    """Whether an expression in the names of a range is > 0, ≥ 0, ≠ 0 or an integer on all of it, case by case."""
    where = Range.of(on) if isinstance(on, Interval) else on
    for case, parameters in zip(where.cases, where.parameters, strict=True):
        put = sp.sympify(expr).xreplace({x: sp.sympify(case[x.name]) for x in sp.sympify(expr).free_symbols})
        found = near_zero(put, need, *parameters) if where.near_zero else in_parameters(put, need, parameters)
        if not found.holds:
            return found
    return MET


@pytest.mark.parametrize("gap", GAPS, ids=str)
def test_all_ways_agree(gap: Any) -> None:
    found = decide(gap, "> 0", UNIT)
    assert found.holds is not None
    assert found.holds is positive_on(Quotient.of(gap, (q,)), UNIT)
    assert found.holds is (quotient_chart(Quotient.of(gap, (q,)), UNIT).signs == (1,))
    assert found.holds is (sign_on(gap, {q: UNIT}) == 1)
    assert at_least(gap, 0, q, Fraction(0), Fraction(1)).holds is found.holds
    if not found.holds:
        [parameter] = found.point
        assert gap.subs(q, 1 / (1 + parameter)).subs(found.point) <= 0


@pytest.mark.parametrize("ends", [(True, False), (False, True), (False, False)])
@pytest.mark.parametrize("low", [0, Fraction(1, 3)])
def test_an_end_counts_where_it_belongs_to_the_interval(ends: tuple[bool, bool], low: Any) -> None:
    own = Interval("q", sp.Rational(low), sp.S.Half, *ends)
    for end, inside in zip(own.ends, own.closed, strict=True):
        assert decide((q - end) ** 2, "≠ 0", own).holds is not inside
        assert decide((q - end) ** 2, "≥ 0", own).holds


def test_an_interval_with_both_ends_has_no_one_parameter() -> None:
    with pytest.raises(InputError, match="open at an end"):
        decide(q, "≥ 0", Interval("q", sp.S.Zero, sp.S.One, True, True))


@pytest.mark.parametrize(
    ("text", "need", "on", "holds"),
    [
        ("j - i", "≥ 0", integers_from(i=1, j="i"), True),
        ("j - i", "> 0", integers_from(i=1, j="i"), False),
        ("i/2", "an integer", integers_from(i=1), False),
        ("-log(alpha)", "> 0", small("alpha"), True),
        ("1 - 2*alpha + t", "≥ 0", half_and_weights(), True),
        ("log(q) + 1", "> 0", unit("q"), False),
        ("q - log(q)", "> 0", unit("q"), True),
    ],
)
def test_several_names_at_once(text: str, need: Any, on: Range, holds: bool) -> None:
    assert decide(sp.sympify(text), need, on).holds is holds


def test_a_sum_whose_first_term_vanishes_is_nonnegative_and_not_called_positive() -> None:
    i, n = sp.Symbol("i", integer=True), parameter(0, whole=True)
    total = sp.Sum(i - 1, (i, 1, n))
    assert positive(total, (n,), False)
    assert not positive(total, (n,), True)


@pytest.mark.parametrize(
    ("number", "met"),
    [("1/2", {"> 0", "≥ 0", "≠ 0"}), ("-1/2", {"≠ 0"}), ("0", {"≥ 0"}), ("1000000", {"> 0", "≥ 0", "≠ 0"})],
)
def test_what_a_number_is(number: str, met: set[Need]) -> None:
    needs: tuple[Need, ...] = ("> 0", "≥ 0", "≠ 0")
    assert {need for need in needs if in_parameters(sp.Rational(number), need, ()).holds} == met


def test_a_power_below_1_is_taken_from_1() -> None:
    p, q = parameter(0), parameter(1)  # at least 0
    for base, exponent, strict, plain in (
        (1 - 1 / (2 + p), 2 + p, True, True), (1 - 1 / (2 + p), p, False, True), (p + 2, 2 + q, False, False),
        (1 - 1 / (2 + p), p - 1, False, False), (1 / (1 + p) - 1, 2 + q, False, False), (sp.Rational(1, 2), q, False, True),
    ):  # fmt: skip
        expr = 1 - sp.Pow(base, exponent)
        assert (positive(expr, (p, q), True), positive(expr, (p, q), False)) == (strict, plain), expr
