"""Expressions in balls: they contain the value that mpmath finds, at the width that was asked for."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from crtools.closed_form.evaluate import MAX_TERMS, enclose, enclosed
from crtools.closed_form.quotient import Quotient
from crtools.errors import NotCertified

x, y = sp.symbols("x y", positive=True)
k, n = sp.symbols("k n", integer=True)
AT = {x: Fraction(2, 7), y: Fraction(5, 3)}

EXPRESSIONS = [
    "x + 2*y - 3", "x*y/(1 - x)", "x**3", "x**-3", "x**0 + y", "y**(1/2)", "x**y", "x**-y", "log(x)", "exp(-y)",
    "pi*x", "Max(x, y, 1)", "Min(x, y, 1)", "Max(-x, -y)", "Sum(x**k/k, (k, 1, 9))", "Sum(k, (k, 3, 3))", "Sum(k, (k, 3, 2)) + 1",
    "harmonic(y)", "harmonic(7)", "polylog(2, x)", "polylog(3, x)", "polylog(1, x)", "log(1 + x) - x + x**2/2",
]  # fmt: skip


def parsed(text: str) -> sp.Expr:
    return sp.sympify(text, {"x": x, "y": y, "k": k})


@pytest.mark.parametrize("at", [Fraction(1, 3), Fraction(1, 10**4), 1 - Fraction(1, 2**20)])
@pytest.mark.parametrize(
    "text", ["log(1 - x)**2*(x**5 - x/7) + x**9", "x/(1 + x)", "(log(1 + x)*x - log(1 - x**2))/log(2)"]
)
def test_a_quotient_is_enclosed_like_its_expression(text: str, at: Fraction) -> None:
    expr = parsed(text)
    one, other = Quotient.of(expr, (x,)).enclose(at, 20), enclose(expr, {x: at}, 20)
    assert max(one.lower, other.lower) <= min(one.upper, other.upper)
    assert one.width <= Fraction(1, 10**19) * abs(one.lower + one.upper)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("digits", [3, 15, 40])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_the_enclosure_holds_the_value_and_has_the_digits(text: str, digits: int) -> None:
    expr = parsed(text)
    got = enclose(expr, AT, digits)
    exact = expr.subs({x: sp.Rational(2, 7), y: sp.Rational(5, 3)})
    with mpmath.workdps(80):
        value = mpmath.mpmathify(sp.N(exact.doit(), 70))
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (got.lower, got.upper))
        slack = mpmath.mpf(10) ** -60
        assert low - slack <= value <= high + slack
    assert got.width <= Fraction(10) ** (1 - digits) * max(abs(got.lower), abs(got.upper))


@pytest.mark.parametrize(
    "text", ["gamma(x)", "(x - 1)**y", "log(-x)", "n", f"Sum(1/k, (k, 1, {MAX_TERMS + 2}))", "Sum(1/k, (k, 1, n))"]
)
def test_what_has_no_value_in_balls_is_refused(text: str) -> None:
    with pytest.raises(NotCertified):
        enclose(parsed(text), AT, 10)
    assert enclosed(parsed(text), AT, 10) is None


def test_the_longest_sum_that_is_written_out() -> None:
    got = enclose(parsed(f"Sum(1/k, (k, 1, {MAX_TERMS + 1}))"), {}, 20)
    assert got.lower <= sum(Fraction(1, k) for k in range(1, MAX_TERMS + 2)) <= got.upper


def test_what_cancels_wholly_says_so() -> None:
    with pytest.raises(NotCertified, match="cancels"):
        enclose(sp.log(x) - sp.log(2) + sp.log(7), AT, 10)
