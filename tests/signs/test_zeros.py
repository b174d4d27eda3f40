"""Zeros of polynomials inside a range: against zeros that are known, for rational coefficients and logarithms of numbers."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.errors import NotCertified
from crtools.signs.charts import WIDTH, integers_near_zeros, isolated, zeros
from crtools.signs.ranges import UNIT
from crtools.signs.ranges import Interval as Range

x, part = sp.Symbol("x"), sp.Symbol("L")
REAL = Range("x")


def poly(expr: Any) -> Any:
    return sp.Poly(expr, x)


@settings(max_examples=15, deadline=None)
@given(
    roots=st.sets(st.fractions(-3, 3, max_denominator=7), min_size=1, max_size=4),
    pairs=st.sets(st.integers(2, 7).filter(lambda n: n != 4), max_size=2),
    low=st.sampled_from([Fraction(-2), Fraction(0), None]),
    high=st.sampled_from([Fraction(1), Fraction(2), None]),
)
def test_every_zero_inside_is_found_once(roots: Any, pairs: Any, low: Fraction | None, high: Fraction | None) -> None:
    """Of Π (x − r)² Π (x² − n) (x² + 1): rational zeros exactly, however often, those at the ends not."""
    whole = sp.prod((x - sp.Rational(r)) ** 2 for r in roots) * sp.prod(x**2 - n for n in pairs) * (x**2 + 1)
    ends = (-sp.oo if low is None else sp.Rational(low), sp.oo if high is None else sp.Rational(high))
    known = sorted([float(r) for r in roots] + [side * sqrt(n) for n in pairs for side in (-1, 1)])
    inside = [r for r in known if ends[0] < r < ends[1]]
    found = zeros(poly(whole), x, Range("x", *ends))
    assert [zero.place.middle for zero in found] == pytest.approx(inside, abs=1e-12)
    for zero in found:
        assert zero.place.width <= 100 * WIDTH
        assert (zero.place.width == 0) == (zero.polynomial.degree() == 1)


def test_logarithms_as_coefficients() -> None:
    """L² x² − (L + 1) x + 1/2 at L = ln 3, whose factors over ℚ(L) are not linear, and L x − 1."""
    own = sp.Poly((part**2 * x**2 - (part + 1) * x + sp.Rational(1, 2)) * (part * x - 1), x, part)
    number = log(3)
    middle, half = (number + 1) / (2 * number**2), sqrt((number + 1) ** 2 - 2 * number**2) / (2 * number**2)
    found = zeros(own, x, Range("x", sp.S.Zero), {part: sp.log(3)})
    assert [zero.place.middle for zero in found] == pytest.approx(sorted([middle - half, middle + half, 1 / number]))
    assert all(zero.polynomial is None for zero in found)


def test_zeros_that_fall_together_are_not_told_apart() -> None:
    """(L x − M)² + L − 2 M at L = ln 4, M = ln 2 touches 0 at x = 1/2, which only the numbers know."""
    other = sp.Symbol("M")
    touching = sp.Poly((part * x - other) ** 2 + part - 2 * other, x, part, other)
    with pytest.raises(NotCertified, match="not separated"):
        zeros(touching, x, Range("x", sp.S.Zero), {part: sp.log(4), other: sp.log(2)})


def test_a_sign_that_is_not_seen_gives_no_zero() -> None:
    with pytest.raises(NotCertified, match="closely"):
        isolated(lambda a, b: 1, lambda q: 0 if q == 0 else 1, [Fraction(0), Fraction(1)])


def test_an_irrational_end_is_refused() -> None:
    with pytest.raises(NotCertified, match="irrational"):
        zeros(poly(x - 1), x, Range("x", sp.sqrt(2)))


def test_integers_beside_zeros() -> None:
    own = Range("u", sp.S.One, sp.Integer(9), low_in=True, high_in=True, integer=True)
    assert integers_near_zeros([poly(x**2 - 8), poly((x - 5) * (x + 4))], x, own) == [1, 2, 3, 5, 9]
    assert integers_near_zeros([poly(2 * x - 1)], x, Range("u", sp.S.One, integer=True)) == [2]
    assert zeros(poly(x * (x - 1) * (2 * x - 1)), x, UNIT)[0].place.lower == Fraction(1, 2)
    assert [zero.place.middle for zero in zeros(poly(x**3 - 2), x, REAL)] == pytest.approx([2 ** (1 / 3)])
