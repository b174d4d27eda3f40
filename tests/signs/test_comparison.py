"""Numbers and functions from outside are compared exactly, in balls or not at all; never wrongly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.enclosure import Enclosure
from crtools.signs.numbers import compare, number_at_least, sign
from crtools.signs.one_variable import at_least, between_roots, nonnegative, simplest

x = sp.Symbol("x", positive=True)
ZERO, ONE = Fraction(0), Fraction(1)
SMALL = st.integers(-9, 9)
PRIMES = (2, 3, 5, 7, 11)


def root(a: int, b: int, c: int) -> Any:
    return a + b * sp.sqrt(c)


@st.composite
def equal_pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """A number twice, the second time in disguise."""
    a, b, c = draw(SMALL), draw(SMALL.filter(bool)), draw(st.sampled_from(PRIMES))
    k, base = draw(st.integers(2, 6)), draw(st.integers(2, 12))
    number = root(a, b, c)
    disguises: list[Any] = [
        number * sp.log(base**k, evaluate=False) / (k * sp.log(base)),
        number + sp.log(base * c) - sp.log(base) - sp.log(c),
        (a**2 - b**2 * c) / (a - b * sp.sqrt(c)) if a**2 != b**2 * c else number,
        abs(number) / number * sp.sqrt(sp.expand(number**2)) if number != 0 else number,
        number + sp.sqrt(5 + 2 * sp.sqrt(6)) - sp.sqrt(2) - sp.sqrt(3),
    ]
    return number, draw(st.sampled_from(disguises))


@pytest.mark.exhaustive  # takes seconds
@settings(max_examples=120, deadline=None)
@given(equal_pairs(), st.integers(1, 80))
def test_equal_numbers_in_disguise_are_recognised_and_told_from_their_neighbours(pair: tuple[Any, Any], k: int) -> None:
    assert compare(*pair) == 0
    hair = sp.Rational(1, 10**k)
    assert compare(pair[0] + hair, pair[1]) == 1
    assert compare(pair[0] - hair, pair[1]) == -1


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (2 ** (sp.log(3) / sp.log(2) + sp.sqrt(2) - sp.sqrt(2)), sp.Integer(3)),
        (sp.cbrt(2 + sp.sqrt(5)) - 1 / sp.cbrt(2 + sp.sqrt(5)), sp.Integer(1)),
        (sp.sqrt(2 + sp.sqrt(2 + sp.sqrt(2 + sp.sqrt(2)))), 2 * sp.cos(sp.pi / 32)),
        (sp.log(1 + sp.sqrt(2)) + sp.log(sp.sqrt(2) - 1), sp.Integer(0)),
    ],
)
def test_harder_disguises_are_recognised_or_not_decided(one: Any, two: Any) -> None:
    assert compare(one, two) in (0, None)


@settings(max_examples=150, deadline=None)
@given(SMALL, SMALL, st.sampled_from(PRIMES), st.fractions(-30, 30, max_denominator=50))
def test_algebraic_numbers_against_fractions(a: int, b: int, c: int, f: Fraction) -> None:
    """a + b √c < f exactly where b √c < f − a, by squares."""
    rest, square = f - a, (1 if b >= 0 else -1) * b * b * c
    own = square - (1 if rest >= 0 else -1) * rest * rest
    assert compare(root(a, b, c), sp.Rational(f.numerator, f.denominator)) == (own > 0) - (own < 0)


@settings(max_examples=100, deadline=None)
@given(st.lists(SMALL, min_size=5, max_size=5), st.fractions(-3, 3, max_denominator=9))
def test_sums_of_logarithms(powers: list[int], f: Fraction) -> None:
    value = sp.Add(*(k * sp.log(p) for k, p in zip(powers, PRIMES, strict=True)))
    with mpmath.workdps(60):
        near = (
            mpmath.fsum(k * mpmath.log(p) for k, p in zip(powers, PRIMES, strict=True))
            - mpmath.mpf(f.numerator) / f.denominator
        )
    wanted = 0 if not any(powers) and f == 0 else 1 if near > 0 else -1
    assert compare(value, sp.Rational(f.numerator, f.denominator)) == wanted


def test_what_has_no_real_value_has_no_sign() -> None:
    for number in (sp.sqrt(-2), sp.log(-1), sp.zoo, sp.nan, sp.Symbol("y")):
        assert sign(number) is None


@pytest.mark.parametrize("at", [Fraction(1, 10**40), Fraction(1, 2), 1 - Fraction(1, 10**9)])
def test_powers_of_any_size_have_a_sign_or_none(at: Fraction) -> None:
    for expr in ((1 / x) ** (1 / x), (1 / x) ** (1 / x**2) - 1, x ** (1 / x), (1 / x) ** ((1 / x) ** (1 / x))):
        assert sign(expr, {x: at}) in (1, None)


# ---- functions ------------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=5), st.integers(0, 3), st.lists(st.integers(0, 4), max_size=3))
def test_a_rational_gap_is_decided(above: list[int], power: int, below: list[int]) -> None:
    gap = sp.Poly(above, x).as_expr() * (x - sp.Rational(1, 3)) ** power / (1 + sp.Poly([0, *below], x).as_expr() ** 2)
    outcome = at_least(gap, sp.S.Zero, x, ZERO, ONE)
    values = [gap.subs(x, sp.Rational(k, 60)) for k in range(1, 60)]
    assert outcome.holds is not None
    if outcome.holds:
        assert min(values) >= 0
    else:
        assert outcome.point is not None
        assert 0 < outcome.point < 1
        assert gap.subs(x, sp.Rational(outcome.point.numerator, outcome.point.denominator)) < 0


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_min_max_and_absolute_values_are_decided(data: st.DataObject) -> None:
    def linear() -> Any:
        return sp.Rational(data.draw(SMALL), 4) + sp.Rational(data.draw(SMALL), 3) * x

    extreme = data.draw(st.sampled_from([sp.Max, sp.Min]))
    gap = extreme(linear(), linear()) + sp.Abs(linear()) - sp.Rational(data.draw(SMALL), 2)
    outcome = at_least(gap, sp.S.Zero, x, ZERO, ONE)
    values = [gap.subs(x, sp.Rational(k, 48)) for k in range(1, 48)]
    assert outcome.holds is not None
    assert outcome.holds is False or min(values) >= 0
    if outcome.point is not None:
        assert gap.subs(x, sp.Rational(outcome.point.numerator, outcome.point.denominator)) < 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "gap",
    [
        x - 1 - sp.log(x), (1 / x - 1) + sp.log(x), x - x ** sp.Rational(101, 100), x ** sp.Rational(99, 100) - x,
        1 - x**sp.pi, -sp.log(x) * x, sp.exp(x) - 1 - x, sp.Max(sp.log(x), x - x**2), sp.log(1 + x) - x / 2,
        sp.Min(1 - x, -sp.log(x)), sp.sqrt(1 + x) - 1,
    ],
)  # fmt: skip
def test_gaps_that_vanish_at_an_end(gap: Any) -> None:
    assert nonnegative(gap, x, ZERO, ONE)
    assert at_least(gap, sp.S.Zero, x, ZERO, ONE).holds is True
    outcome = at_least(gap - sp.Rational(1, 1000), sp.S.Zero, x, ZERO, ONE)
    assert outcome.holds is False
    assert sign(gap - sp.Rational(1, 1000), {x: outcome.point or ONE}) == -1


def test_a_gap_of_a_dozen_operations_is_shown_by_its_slopes() -> None:
    gap = (1 + x) * sp.log(1 + x) - x - x**2 / 2 + x**3 / 6  # it and two derivatives vanish at 0
    assert sp.count_ops(gap) > 10
    assert nonnegative(gap, x, ZERO, ONE)
    assert not nonnegative(-gap, x, ZERO, ONE)


@pytest.mark.parametrize("less", [4, 9, 15])
def test_a_gap_is_refuted_near_its_least_value(less: int) -> None:
    gap = (x - sp.log(2)) ** 2 - sp.Rational(1, 10**less)
    outcome = at_least(gap, sp.S.Zero, x, ZERO, ONE)
    assert outcome.holds is False
    assert sign(gap, {x: outcome.point or ONE}) == -1


def test_a_gap_that_is_not_real_somewhere_is_not_decided() -> None:
    for gap in (sp.sqrt(x - sp.Rational(1, 2)), 1 / (x - sp.Rational(1, 3)) ** 2, sp.log(x - sp.Rational(1, 5)) ** 2):
        assert at_least(gap, sp.S.Zero, x, ZERO, ONE).holds is None


@given(st.fractions(0, 5, max_denominator=300), st.fractions(0, 5, max_denominator=300))
def test_the_simplest_fraction_between_two(a: Fraction, b: Fraction) -> None:
    low, high = min(a, b), max(a, b)
    if low == high:
        return
    found = simplest(low, high)
    assert low < found < high
    assert all(not low < Fraction(p, q) < high for q in range(1, min(found.denominator, 40)) for p in range(5 * q + 1))


def test_points_lie_between_all_neighbours() -> None:
    poly = sp.Poly((3 * x - 1) * (3 * x - 1 - sp.Rational(1, 10**30)) * (x**2 - sp.Rational(1, 2)) * (x - 1), x)
    points = list(between_roots([poly], x, ZERO, ONE))
    assert [sign(poly.as_expr(), {x: p}) for p in points] == [1, -1, 1, -1]
    assert points == sorted(points)


def test_roots_on_a_part_of_the_unit_interval() -> None:
    growing, quarter = 1 + sp.sqrt(x) / (2 * (1 - sp.sqrt(x))), Fraction(1, 4)
    assert at_least(sp.Rational(3, 2), growing, x, ZERO, quarter, closed=(quarter,)).holds
    assert at_least(2 - sp.Rational(1, 10**20), growing, x, quarter, Fraction(4, 9)).holds is False
    found = at_least(sp.Rational(3, 2) - sp.Rational(1, 10**20), growing, x, ZERO, quarter, closed=(quarter,))
    assert found.holds is False
    assert found.point is not None
    assert growing.subs(x, sp.Rational(found.point)) > sp.Rational(3, 2) - sp.Rational(1, 10**20)


def test_two_numbers_are_compared_on_any_range() -> None:
    assert at_least(sp.sqrt(2), sp.Rational(7, 5), x, ZERO, ONE).holds
    found = at_least(sp.sqrt(2), sp.Rational(3, 2), x, Fraction(1, 3), Fraction(2, 3))
    assert (found.holds, found.point) == (False, Fraction(1, 2))
    hidden = at_least(sp.log(1 + sp.sqrt(2)), -sp.log(sp.sqrt(2) - 1), x, ZERO, ONE)
    assert (hidden.holds, hidden.reason) == (None, "two equal numbers?")


def test_a_number_against_an_enclosure() -> None:
    enclosed = Enclosure(Fraction(3, 2), Fraction(8, 5))
    assert number_at_least(Fraction(8, 5), enclosed) is True
    assert number_at_least(Fraction(2), enclosed) is True
    assert number_at_least(Fraction(31, 20), enclosed) is None
    assert number_at_least(Fraction(3, 2), enclosed) is None
    assert number_at_least(Fraction(1), enclosed) is False
