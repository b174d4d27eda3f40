"""Real numbers beside fractions: they add up and compare as their values do, or refuse to."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from crtools.signs.numbers import Real, exact

NUMBERS = st.one_of(
    st.fractions(-3, 3, max_denominator=6),
    st.sampled_from([sp.log(2), sp.sqrt(2), -sp.log(3), 2 * sp.log(2) - 1]).map(exact),
)


@given(NUMBERS, NUMBERS, st.sampled_from([operator.add, operator.sub, operator.mul, operator.truediv]))
def test_operations_are_those_of_the_values(a: Any, b: Any, operation: Any) -> None:
    if operation is not operator.truediv or b:
        assert float(operation(a, b)) == pytest.approx(operation(float(a), float(b)), abs=1e-12)
    assert (a < b, a > b) == (float(a) < float(b), float(a) > float(b))
    assert (a <= b, a >= b) == (not a > b, not a < b)
    assert (a == b, a != b) == (a <= b <= a, a < b or a > b)
    assert abs(a) == max(a, -1 * a)


def test_equal_values_in_disguise_are_equal_or_refused() -> None:
    assert exact(sp.log(4)) == 2 * exact(sp.log(2))
    assert exact(sp.log(2)) * Fraction(1, 2) + exact(sp.log(2)) / 2 != exact(sp.log(2) + sp.Rational(1, 10**60))
    assert isinstance(exact(sp.sqrt(2)) * exact(sp.sqrt(2)), Fraction)
    hidden = Real(sp.log(1 + sp.sqrt(2)) + sp.log(sp.sqrt(2) - 1))
    with pytest.raises(ArithmeticError, match="not decided"):
        bool(hidden == 0)
    for value in (sp.sqrt(-1), sp.zoo, sp.oo, sp.Symbol("x")):
        with pytest.raises(ArithmeticError, match="not a real number"):
            exact(value)
