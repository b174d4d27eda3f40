"""Enclosures: exact ends, outward rounding, and the one global precision, always restored."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from fractions import Fraction

import flint
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Enclosure, NotCertified, worst_case
from crtools.closed_form.evaluate import ball_value
from crtools.enclosure import (
    ball,
    ball_matrix,
    ball_polynomial,
    ball_range,
    balls,
    decimal,
    ends,
    harmonic_ball,
    hull,
    midpoint,
    precision,
    rational,
    running_products,
    significant,
)

X = sp.Symbol("x", positive=True)
fixed = settings(deadline=None, derandomize=True, max_examples=200)
wide = st.builds(
    lambda a, b, e: Fraction(a, b) * Fraction(10) ** e,
    st.integers(-(10**30), 10**30),
    st.integers(1, 10**30),
    st.integers(-60, 60),
)


def step(text: str, digits: int) -> Fraction:
    """Return one unit of the last of ``digits`` significant digits of a decimal string."""
    return Fraction(10) ** (Decimal(text).adjusted() - digits + 1)


# ---- decimals ------------------------------------------------------------------------------------------------------


@fixed
@given(wide, st.integers(1, 60))
def test_a_decimal_is_rounded_outward_by_less_than_one_unit(number: Fraction, digits: int) -> None:
    low, high = decimal(number, digits, up=False), decimal(number, digits, up=True)
    assert Fraction(low) <= number <= Fraction(high)
    assert number - Fraction(low) < step(low, digits)
    assert Fraction(high) - number < step(high, digits)
    for text in (low, high):
        assert "E" not in text.upper()
        assert len(Decimal(text).normalize().as_tuple().digits) <= digits


@fixed
@given(wide, wide, st.integers(1, 40))
def test_decimals_contain_the_enclosure(a: Fraction, b: Fraction, digits: int) -> None:
    enclosure = Enclosure(min(a, b), max(a, b))
    low, high = map(Fraction, enclosure.decimals(digits))
    assert low <= enclosure.lower <= enclosure.upper <= high


def test_decimals_by_hand() -> None:
    third = Enclosure(Fraction(1, 3), Fraction(2, 3))
    assert third.decimals(3) == ("0.333", "0.667")
    assert Enclosure(Fraction(-2, 3), Fraction(-1, 3)).decimals(3) == ("-0.667", "-0.333")
    assert Enclosure(Fraction(9999), Fraction(10**4 + 1)).decimals(3) == ("9990", "10100")
    assert Enclosure(Fraction(1, 2), Fraction(1, 2)).decimals(10) == ("0.5", "0.5")
    assert decimal(Fraction(0), 5, up=True) == "0"


@fixed
@given(wide, wide)
def test_printing_is_outward_too(a: Fraction, b: Fraction) -> None:
    enclosure = Enclosure(min(a, b), max(a, b))
    low, high = map(Fraction, str(enclosure).strip("[]").split(", "))
    assert low <= enclosure.lower
    assert enclosure.upper <= high
    assert high - low <= enclosure.width * Fraction(13, 10) or not enclosure.width  # and hardly wider


@fixed
@given(st.integers(2, 300))
def test_significant_digits(digits: int) -> None:
    one = Fraction(1)
    assert significant(Enclosure(one - Fraction(10) ** -digits, one)) == digits + 1
    assert significant(Enclosure(one, one)) == 17


# ---- the interval itself -------------------------------------------------------------------------------------------


def test_ends_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="lower ≤ upper"):
        Enclosure(Fraction(2), Fraction(1))


def test_an_enclosure_is_immutable() -> None:
    enclosure = Enclosure(Fraction(1), Fraction(2))
    with pytest.raises(dataclasses.FrozenInstanceError):
        enclosure.lower = Fraction(0)  # pyright: ignore[reportAttributeAccessIssue]
    assert enclosure == Enclosure(Fraction(1), Fraction(2))
    assert hash(enclosure) == hash(Enclosure(Fraction(1), Fraction(2)))


def test_membership_width_and_middle() -> None:
    enclosure = Enclosure(Fraction(1, 10), Fraction(3, 10))
    assert Fraction(1, 10) in enclosure
    assert Fraction(3, 10) in enclosure
    assert 0.1 in enclosure  # the float is a little above 1/10
    assert 0.3 in enclosure  # and this one a little below 3/10
    assert 0.09999999999999999 not in enclosure
    assert Fraction(3, 10) + Fraction(1, 10**40) not in enclosure
    assert enclosure.width == Fraction(1, 5)
    assert enclosure.middle == 0.2
    assert enclosure.relative_width() == 2.0
    assert Enclosure(Fraction(-1), Fraction(1)).relative_width() == float("inf")
    assert Enclosure(Fraction(0), Fraction(0)).relative_width() == 0.0


# ---- balls ---------------------------------------------------------------------------------------------------------


@fixed
@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(53, 400))
def test_a_float_is_taken_exactly(number: float, bits: int) -> None:
    with precision(bits):
        assert ends(ball(number)) == (Fraction(number), Fraction(number))


def exact(x: flint.arb) -> Fraction:
    """Return an exact ball as a fraction, from its own mantissa and exponent."""
    assert x.is_exact()
    mantissa, exponent = map(int, x.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


@fixed
@given(st.integers(-(2**40), 2**40), st.integers(0, 2**20), st.integers(-40, 40))
def test_ends_are_exact(middle: int, radius: int, exponent: int) -> None:
    """Where the ends fit the precision they are midpoint − radius and midpoint + radius, to the last bit."""
    with precision(200):
        x = flint.arb(middle, radius) * flint.arb(2) ** exponent
        low, high = ends(x)
        assert (low, high) == (exact(x.mid()) - exact(x.rad()), exact(x.mid()) + exact(x.rad()))
    assert low <= (middle - radius) * Fraction(2) ** exponent
    assert (middle + radius) * Fraction(2) ** exponent <= high


@fixed
@given(wide, st.integers(10, 300))
def test_a_ball_contains_its_fraction_and_is_narrow(number: Fraction, bits: int) -> None:
    with precision(bits):
        low, high = ends(ball(number))
    assert low <= number <= high
    assert high - low <= abs(number) * Fraction(2) ** (3 - bits)
    assert number in Enclosure(low, high)


@fixed
@given(wide, st.integers(10, 60))
def test_ends_stay_outside_when_read_at_a_lower_precision(number: Fraction, bits: int) -> None:
    with precision(500):
        x = ball(number)
    with precision(bits):
        low, high = ends(x)
        enclosure = Enclosure.from_ball(x)
    assert low <= number <= high
    assert (enclosure.lower, enclosure.upper) == (low, high)


@fixed
@given(wide, wide)
def test_a_hull_contains_both_ends(a: Fraction, b: Fraction) -> None:
    low, high = ends(hull(min(a, b), max(a, b)))
    assert low <= min(a, b)
    assert max(a, b) <= high


@fixed
@given(wide, wide)
def test_ball_arithmetic_encloses_the_exact_result(a: Fraction, b: Fraction) -> None:
    with precision(40):
        assert a + b in Enclosure.from_ball(ball(a) + ball(b))
        assert a * b in Enclosure.from_ball(ball(a) * ball(b))
        if b:
            assert a / b in Enclosure.from_ball(ball(a) / ball(b))


@pytest.mark.exhaustive  # takes seconds
@fixed
@given(st.integers(-9, 10**6), st.integers(0, 30), st.fractions(Fraction(1, 9), 9, max_denominator=99))
def test_arrays_of_balls_hold_their_numbers(first: int, size: int, factor: Fraction) -> None:
    last = first + size
    found = {
        "range": (ball_range(first, last), [Fraction(k) for k in range(first, last + 1)]),
        "balls": (balls([factor, Fraction(first)]), [factor, Fraction(first)]),
        "powers": (running_products(ball(3), ball(factor), size + 1), [3 * factor**k for k in range(size + 1)]),
    }
    for name, (array, exact_values) in found.items():
        assert len(array) == len(exact_values), name
        assert all(number in Enclosure.from_ball(x) for x, number in zip(array, exact_values, strict=True)), name


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_functions_of_balls_hold_their_values(n: int) -> None:
    harmonic = sum((Fraction(1, k) for k in range(1, n + 1)), Fraction(0))
    values = {
        "H_n": (ball_value(sp.harmonic(X), {X: ball(n)}), harmonic),
        "H_n − H_2": (harmonic_ball(3, n + 2), sum((Fraction(1, k) for k in range(3, n + 3)), Fraction(0))),
        "1 + 2n + 3n²": (ball_polynomial([1, 2, 3])(ball(n)), Fraction(1 + 2 * n + 3 * n * n)),
        "rational": (ball(rational(Fraction(n, 3))), Fraction(n, 3)),
    }
    for name, (x, value) in values.items():
        low, high = ends(x)
        assert low <= value <= high, name
        assert high - low <= value / 10**9, name
    with precision(80):
        part = ball(Fraction(1, n + 1))
        assert ball_value(sp.polylog(1, X), {X: part}).overlaps(-(1 - part).log())
        assert ball_value(sp.pi, {}).overlaps(4 * ball(1).atan())
        product = ball_matrix([[n, Fraction(1, 3)]]) * ball_matrix([[1], [ball(3)]])
        assert product.tolist()[0][0].overlaps(ball(n + 1))


def test_a_midpoint_is_exact() -> None:
    middle = midpoint(flint.arb(3, 1))
    low, high = ends(middle)
    assert low == high
    assert low == 3


@pytest.mark.parametrize("x", [flint.arb("inf"), flint.arb("nan"), flint.arb(0, "inf")], ids=str)
def test_an_infinite_ball_is_no_enclosure(x: flint.arb) -> None:
    with pytest.raises(NotCertified):
        ends(x)
    with pytest.raises(NotCertified):
        Enclosure.from_ball(x)


# ---- the global precision ------------------------------------------------------------------------------------------


def test_precision_is_restored() -> None:
    before = flint.ctx.prec
    with precision(before + 71):
        assert flint.ctx.prec == before + 71
        with precision(before + 500):
            assert flint.ctx.prec == before + 500
        assert flint.ctx.prec == before + 71
    assert flint.ctx.prec == before


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, ZeroDivisionError])
def test_precision_is_restored_after_an_exception(error: type[BaseException]) -> None:
    before = flint.ctx.prec
    with pytest.raises(error), precision(before + 71):
        raise error
    assert flint.ctx.prec == before


def test_a_refused_precision_changes_nothing() -> None:
    before = flint.ctx.prec
    with pytest.raises((ValueError, OverflowError, TypeError)), precision(0):
        pass
    assert flint.ctx.prec == before


def test_certificates_leave_the_precision_as_they_found_it() -> None:
    with precision(97):
        worst_case(u=20).enclosure(40)
        assert flint.ctx.prec == 97
        with pytest.raises(NotCertified):
            worst_case(u=300).enclosure(15, method="float")
        assert flint.ctx.prec == 97
