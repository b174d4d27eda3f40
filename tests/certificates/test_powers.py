"""Powers with variables in the exponent, exp, factorials, closed ranges, and inductions below bounds: true and false facts.

The two lists of each test differ in one sign, index, bound or exponent. What is accepted is also computed at points.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from check import kernel
from check.facts import alike
from check.kernel import Definition, Meaning, Rejected, Work, define, formula, judge

P = "P(r, n)"
OWN: dict[str, Meaning] = {}
for _head, _value in (
    ("half x", "x/2"), ("tail r n", "Sum(1/k, (k, r, n - 1))"), ("P r n", "r/n*tail(r, n)"),
    ("grow x n", "x^n"), ("twice x n", "2*grow(x, n)"), ("least x n", "min(x^n, 1)"),
):  # fmt: skip
    _name, *_parameters = _head.split()
    OWN[_name] = define(tuple(_parameters), _value, OWN)


def verdict(line: str, *squares: str) -> str:
    """What the judge says of a line: "" where it holds."""
    Work.start()
    try:
        data = dict(formula(line))
        judge({**data, "squares": list(squares)} if squares else data, OWN)
    except Rejected as error:
        return str(error)
    return ""


ABOVE, LATE = "not seen to be > 0", "an induction needs"
SMALL, NEGATIVE, VANISHES = "small whole coefficients", "a coefficient is negative", "it may vanish"


@pytest.mark.parametrize(
    "line",
    [
        "x > 0: x^(n + 1) = x*x^n", "x > 0: x^(2*n - 3) = (x^n)^2/x^3", "x >= 1: x^(n*m + n) = x^(m*n)*x^n", "x > 0: x^(n - n) = 1",
        "x > 0: x^(2^(n + 1)) = (x^(2^n))^2", "b >= 2: (1 - 1/b)^(b - 1) = b/(b - 1)*((b - 1)/b)^b",
        "x > 1, n >= 0: x^n - 1 >= 0", "x >= 1, n > 0: x^n - 1 >= 0", "x > 1, n > 0: x^n - 1 > 0", "1 > x > 0, n > 0: 1 - x^n > 0",
        "1 >= x > 0, n >= 0: 1 - x^n >= 0", "x > 0: x^n > 0", "b >= 2: 1/(1 - (1 - 1/b)^b) - 1 > 0", "n >= 1, m >= 2^n: m - 1 > 0",
        "n >= 1, 2^n >= m >= 1: 1/m - 1/2^n >= 0", "x > 0, y > 0: x^(2*n) - x^n*y^m + y^(2*m) >= 0",
        "sum over k >= 0: 2^k = 2^(k + 1)", "x > 1, sum over k >= 0: x^k = x^(k + 1)/(x - 1)", "sum over k >= 2: k^k - (k - 1)^(k - 1) = k^k",
        "b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 - (1 - 1/b)^n)", "for n >= 0: Sum(1/2^k, (k, 0, n)) = 2 - 1/2^n",
        "1 > q > 0, for n >= 1: Sum(k*q^(k - 1), (k, 1, n)) = (1 - (n + 1)*q^n + n*q^(n + 1))/(1 - q)^2",
        "m >= 2, for n >= 1: Sum((m - 1)*m^(k - 1), (k, 1, n)) = m^n - 1", "for n >= 1: (1 + 1/n)^(n + 1) = (1 + 1/n)^n*(n + 1)/n",
        "x > 0: twice(x, n + 1) = 2*x*grow(x, n)", "x >= 1, n >= 0: least(x, n) = 1", "1 > x > 0, n > 0: least(x, n) = x^n",
        "x > 0, integral over v from 0 to 1: 2*v*x^n = x^n",
    ],
)  # fmt: skip
def test_a_power_of_a_positive_base_is_a_positive_variable(line: str) -> None:
    assert verdict(line, *["x^n - y^m"] * line.startswith("x > 0, y > 0: x^(2*n) -")) == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x > 0: x^(n + 1) = x*x^n + 1", "differ"), ("x > 0: x^(n + 1) = x^n", "differ"), ("x > 0: x^(n + 1) = x^2*x^n", "differ"),
        ("x > 0: x^(n - 1) = x*x^n", "differ"), ("x > 0: x^(n*m) = x^n*x^m", "differ"), ("x > 0, y > 0: x^y = y^x", "differ"),
        ("x >= 0: x^(n + 1) = x*x^n", ABOVE), ("x^(n + 1) = x*x^n", ABOVE), ("x >= -1: (x^n)^2 = x^(2*n)", ABOVE), ("0^n = 0", ABOVE),
        ("-1 > x > -2: (x^n)^2 = x^(2*n)", ABOVE), ("(-1)^(2*n) = ((-1)^n)^2", ABOVE), ("1 > x > 0: (1 - 2*x)^n = (1 - 2*x)^n", ABOVE),
        ("x > 0: (x - x)^n = 0", ABOVE), ("b >= 1: (1 - 1/b)^b = ((b - 1)/b)^b", ABOVE), ("x > 0: (y^2)^n = (y^2)^n", ABOVE),
        ("x > 0: x^(n/2)*x^(n/2) = x^n", SMALL), ("x > 0: x^(1/n) = x^(1/n)", SMALL), ("x > 0: x^(65*n) = x^(65*n)", SMALL),
        ("x > 0, n >= 1: x^n - x >= 0", NEGATIVE), ("x > 1: x^n - 1 >= 0", NEGATIVE), ("x > 1, n >= -1: x^n - 1 >= 0", NEGATIVE),
        ("1 > x > 0, n >= -1: 1 - x^n >= 0", NEGATIVE), ("1 > x > 0: 1 - x^n >= 0", NEGATIVE), ("2 > x > 0, n >= 0: 1 - x^n >= 0", NEGATIVE),
        ("x >= 1, n > 0: x^n - 1 > 0", VANISHES), ("x > 1, n >= 0: x^n - 1 > 0", VANISHES), ("1 >= x > 0, n > 0: 1 - x^n > 0", VANISHES),
        ("1 > x > 0, n >= 0: 1 - x^n > 0", VANISHES), ("1 > x > 0, n >= 0: 1/(1 - x^n) > 0", "may be 0"), ("x > 0: 1/(1 - x^n) = 1/(1 - x^n)", "may be 0"),
        ("n >= 1, m >= 2^n: m - 2 > 0", NEGATIVE), ("m >= 2^n, n >= 1: m - 1 > 0", "does not come before"),
        ("m >= 2^n, for n >= 1: m = m", "does not come before"), ("sum over k >= 0: 2^k = 2^k", "not the summand"),
        ("sum over k >= 1: 2^k = 2^(k + 1) - k", "not the summand"), ("sum over k >= 1: k^k - (k - 1)^(k - 1) = k^k", ABOVE),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n)) = b*(1 - (1 - 1/b)^n)", "differ at n = 1"),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 1, n - 1)) = b*(1 - (1 - 1/b)^n)", "differ at n = 1"),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 - (1 - 1/b)^(n + 1))", "differ at n = 1"),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 + (1 - 1/b)^n)", "differ at n = 1"),
        ("b >= 1, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 - (1 - 1/b)^n)", ABOVE),
        ("for n >= 1: 2^n = 2*n", "increments"), ("for n >= 2: 2^n = n^2", "increments"), ("for n >= 0: Sum(1/2^k, (k, 0, n)) = 2 - 1/2^(n + 1)", "differ"),
        ("for n >= 1: Sum(2^n, (k, 1, n)) = n*2^n", "contains the variable"), ("for n >= 1: Sum((n + k)^k, (k, 1, n)) = 1", "contains the variable|differ|seen"),
        ("for n >= 0: Sum((-1)^k, (k, 0, n)) = (1 + (-1)^n)/2", ABOVE), ("for n >= 0: Sum(k^k, (k, 0, n)) = Sum(k^k, (k, 0, n))", ABOVE),
        ("x > 0, integral over v from 0 to 1: x^v = x^v", "outside the integral"), ("x > 0, integral over v from 0 to 1: x^v = x", "no polynomial"),
        ("x > 0, integral over v from 0 to 1: x^(2^v) = x^2", "no polynomial"), ("integral over v from 0 to 1: v^n = 1/(n + 1)", ABOVE),
        ("1 > x > 0, n > 0: least(x, n) = 1", "differ"), ("x > 0, n >= 0: least(x, n) = 1", "which is the min"), ("x >= 0: grow(x, n) = grow(x, n)", ABOVE),
    ],
)  # fmt: skip
def test_a_false_power_or_one_that_may_be_undefined_is_refused(line: str, reason: str) -> None:
    assert any(part in verdict(line) for part in reason.split("|")), verdict(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 >= x >= 0: x*(1 - x) >= 0", ""), ("1 >= x >= 0: 2 - x > 0", ""), ("1 >= x >= 0: 1/(1 + x) - 1/2 >= 0", ""), ("1 >= x > 0: 1/x - 1 >= 0", ""),
        ("x >= 0, x >= y >= 0: x - y >= 0", ""), ("a >= 0, a + 1 >= x >= a, 1 >= y >= 0: (a + 1 - x*y)*(1 - y) + x >= 0", ""), ("x > 0, x >= y >= 0: 2*x - y > 0", ""),
        ("5 >= n >= 1, sum over k >= n: 1 = k", ""), ("1 >= x >= 0: min(x, 1) = x", ""), ("1 >= x >= 0: 1/(2 - x) = 1/(2 - x)", ""),
        ("1 >= x >= 0: x*(1 - x) > 0", VANISHES), ("1 >= x >= 0: 1 - x > 0", VANISHES), ("1 >= x > 0: x*(1 - x) > 0", VANISHES), ("1 > x >= 0: x > 0", VANISHES),
        ("2 >= x >= 0: x*(1 - x) >= 0", NEGATIVE), ("1 >= x >= -1: x >= 0", NEGATIVE), ("0 >= x >= 1: 1 - x > 0", VANISHES), ("x >= 0, x >= y >= 0: x - y > 0", VANISHES),
        ("1 >= x >= 0: 1/(1 - x) > 0", "may be 0"), ("1 >= x >= 0: 1/(1 - x) = 1/(1 - x)", "may be 0"), ("1 >= x >= 0: 1/x >= 0", "may be 0"),
        ("x >= y >= 0, x >= 0: x - y >= 0", "does not come before"), ("1 >= x >= 0: min(x, 1/2) = x", "which is the min"),
        (", ".join(f"1 >= {x} >= 0" for x in "abcdef") + ": a + b + c + d + e + f >= 0", "more than 5 upper ends"),
    ],
)  # fmt: skip
def test_an_upper_end_may_be_reached(line: str, reason: str) -> None:
    assert reason in verdict(line) and bool(reason) == bool(verdict(line))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("r >= 1, for n >= r + 1: r*tail(r, n) = 1 + r*tail(r + 1, n)", ""), (f"r >= 1, for n >= r + 1: n*{P} = 1 + r/(r + 1)*n*P(r + 1, n)", ""),
        ("r >= 1, for n >= r - 1: Sum(1, (k, r, n)) = n - r + 1", ""), ("r >= 2, for n >= r + 1: Sum(1/(k - 1), (k, r, n)) = 1/(r - 1) + Sum(1/(k - 1), (k, r + 1, n))", ""),
        ("r >= 1, for n >= r: Sum(1/(k*(k + 1)), (k, r, n)) = 1/r - 1/(n + 1)", ""), ("b > 0, for n >= 1: Sum(k/b, (k, 1, n)) = n*(n + 1)/(2*b)", ""),
        ("r >= 1, m >= r, for n >= m + r: Sum(k, (k, m + r, n)) = n*(n + 1)/2 - (m + r)*(m + r - 1)/2", ""), ("for n >= 1: n*(n + 1)/(n + 1) = n", ""),
        ("1 >= p >= 0, for n >= 0: Sum(1/(1 + p), (k, 1, n)) = n/(1 + p)", ""), ("r >= 1, for n >= r - 4: Sum(1, (k, r, n + 3)) = n + 4 - r", ""),
        ("r >= 1, for n >= r + 1: r*tail(r, n) = 1 + r*tail(r + 2, n)", "differ"), ("r >= 1, for n >= r: r*tail(r, n) = 1 + r*tail(r + 1, n)", "differ at n = r"),
        (f"r >= 1, for n >= r + 1: n*{P} = 1 + r/(r - 1)*n*P(r + 1, n)", "may be 0"), (f"r >= 1, for n >= r + 1: n*{P} = 1 + n*P(r + 1, n)", "differ|increments"),
        ("r >= 0, for n >= r + 1: r*tail(r, n) = 1 + r*tail(r + 1, n)", "may be 0"), ("for n >= r + 1: tail(r, n) = tail(r, n)", LATE), ("r >= 1, for r >= 1: r = r", LATE),
        ("r >= 1, for n >= r - 2: Sum(1, (k, r, n)) = n - r + 1", "differ at n = r - 2"), ("r >= 1, for n >= r - 2: Sum(1, (k, r, n + 3)) = n + 4 - r + 0/(n - r)", "may be 0"),
        ("r >= 1, for n >= r: Sum(1/(k - 1), (k, r, n)) = Sum(1/(k - 1), (k, r, n))", "k - 1 may be 0"), ("r >= 1, for n >= 1: Sum(1, (k, r, n)) = n - r + 1", "a variable is left"),
        ("r >= 1, for n >= r/2: n = n", LATE), ("r >= 1, for n >= 1/2: n = n", LATE), ("r >= 1, for n >= r + 51: n = n", LATE), ("r >= 1, for n >= 1/r: n = n", LATE),
        ("for n >= 0: Sum(k, (k, n, 2*n)) = 3*n*(n + 1)/2", "a sum's ends"), ("for n >= 0: Sum(1, (k, n, 2*n)) = n + 1", "a sum's ends"),
        ("r >= 1, for n >= r: Sum(1, (k, r/2, n - r/2)) = n - r + 1", "a sum's ends"), ("r >= 1, for n >= r + 40: Sum(1, (k, r + 40, n - 20)) = n - r", "differ"),
        ("r >= 1, for n >= r: Sum(1, (k, r + 40, n - 20)) = Sum(1, (k, r + 40, n - 20))", "too late"), ("n >= 1, for n >= 1: n = n", LATE),
        ("b >= 0, for n >= 1: Sum(k/b, (k, 1, n)) = n*(n + 1)/(2*b)", "may be 0"), ("1 >= p >= -1, for n >= 0: n/(1 + p) = n/(1 + p)", "may be 0"),
    ],
)  # fmt: skip
def test_an_induction_may_begin_at_a_variable_below_its_bounds(line: str, reason: str) -> None:
    assert any(part in verdict(line) for part in reason.split("|")) and bool(reason) == bool(verdict(line)), verdict(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("for n >= 1: Sum(k*factorial(k), (k, 1, n)) = factorial(n + 1) - 1", ""), ("n >= 1: factorial(n) = n*factorial(n - 1)", ""), ("n >= 0: factorial(n) > 0", ""),
        ("r >= 0, for n >= r: Sum(binomial(k, r), (k, r, n)) = binomial(n + 1, r + 1)", ""), ("n >= 2: binomial(n, 2) = n*(n - 1)/2", ""), ("factorial(4) = 24", ""),
        ("k >= 1, n >= k: binomial(n + 1, k) = binomial(n, k) + binomial(n, k - 1)", ""), ("sum over k >= 1: k*factorial(k) = factorial(k + 1)", ""),
        ("x >= 0: 28/10 - exp(1) > 0", ""), ("x >= 0: exp(1) - 27/10 > 0", ""), ("exp(x + 1) = exp(1)*exp(x)", ""), ("x >= 0: exp(x) - 1 >= 0", ""), ("x > 0: 1 - exp(-x) > 0", ""),
        ("for n >= 0: Sum(exp(k), (k, 0, n)) = (exp(n + 1) - 1)/(exp(1) - 1)", ""),
        ("for n >= 1: Sum(k*factorial(k), (k, 1, n)) = factorial(n + 1)", "differ"), ("for n >= 1: Sum(k*factorial(k), (k, 1, n)) = factorial(n) - 1", "differ"),
        ("n >= 0: factorial(n) = n*factorial(n - 1)", NEGATIVE), ("factorial(n) = factorial(n)", "has no bound"), ("n >= -1: factorial(n) = factorial(n)", NEGATIVE),
        ("n >= -1: factorial(n + 1) = factorial(n + 1)", NEGATIVE), ("factorial(0 - 1) = 1", NEGATIVE), ("factorial(1/2) = 1", "whole numbers"), ("n >= 1: factorial(n/2) = 1", "whole numbers"),
        ("n >= 1: binomial(n, 2) = n*(n - 1)/2", NEGATIVE), ("k >= 1, n >= k: binomial(n + 1, k) = binomial(n, k) + binomial(n, k + 1)", NEGATIVE),
        ("k >= 1, n >= k + 1: binomial(n + 1, k) = binomial(n, k) + binomial(n, k + 1)", "differ"), ("n >= 1: factorial(n) - 1 >= 0", NEGATIVE), ("factorial(65) = 1", "whole numbers"),
        ("x >= 0: 27/10 - exp(1) > 0", NEGATIVE), ("exp(1) = 2718281828/1000000000", "differ"), ("x >= -1: exp(x) - 1 >= 0", NEGATIVE), ("exp(x) - 1 = 0", "differ"),
        ("x > 0: 1 - exp(x) > 0", NEGATIVE), ("exp(1/2)*exp(1/2) = exp(1)", "small integer"), ("exp(x, 1) = 1", "exp of one"), ("factorial(1, 2) = 1", "factorial of one"),
        ("binomial(3) = 1", "binomial of two"), ("min(3) = 1", "min of two"), ("x > 0, integral over v from 0 to 1: exp(v) = exp(1) - 1", "no polynomial"),
    ],
)  # fmt: skip
def test_factorials_and_powers_of_e(line: str, reason: str) -> None:
    assert reason in verdict(line) and bool(reason) == bool(verdict(line)), verdict(line)


def test_e_lies_between_the_two_numbers() -> None:
    series = sum((Fraction(1, math.factorial(k)) for k in range(20)), Fraction(0))
    low, high = kernel.NEAR_E
    assert low < series < series + Fraction(1, 10**17) < high


def test_a_power_is_one_variable_where_base_and_exponent_are_the_same() -> None:
    reader = kernel.Reader(where=[kernel.Bound("b", kernel.ratio(2))])
    assert reader.read("(1 - 1/b)^b - ((b - 1)/b)^b") == 0
    assert reader.read("(1 - 1/b)^n*(1/b)^n - ((b - 1)/b)^b") != 0
    assert len(reader.atoms) == 3 and reader.variables(reader.read("(1 - 1/b)^n")) == {"b", "n"}


def test_a_given_power_is_the_function_that_the_text_says() -> None:
    own = {"ratio": define(("b", "z"), "1/(1 - z)", {}), "grow": define(("x", "n"), "x^n", {})}
    assert isinstance(own["ratio"], Definition) and not isinstance(own["grow"], Definition)
    for given, text, same in (
        ("1/(1-(1-1/b)**b)", "ratio(b, (1 - 1/b)^b)", True), ("1/(1-((b-1)/b)**b)", "ratio(b, grow(1 - 1/b, b))", True),
        ("1/(1-(1-1/b)**n)", "ratio(b, (1 - 1/b)^b)", False), ("1/(1-(1+1/b)**b)", "ratio(b, (1 - 1/b)^b)", False),
        ("exp(1)/(exp(1)-1)", "ratio(1, 1/exp(1))", True), ("exp(2)/(exp(2)-1)", "ratio(1, 1/exp(1))", False),
    ):  # fmt: skip
        assert alike(given, text, own) == same
