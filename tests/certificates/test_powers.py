"""Powers with variables in the exponent, exp, factorials, closed ranges, and inductions below bounds: true and false facts.

The two lists of each test differ in one sign, index, bound or exponent. What is accepted is also computed at points.
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
from amount import part_and_all
from paths import ROOT

from check import conditions, kernel
from check.facts import alike
from check.kernel import MOST_WORK, Definition, Meaning, Rejected, Work, define, formula, judge

P = "P(r, n)"
OWN: dict[str, Meaning] = {}
for _head, _value in (
    ("half x", "x/2"),
    ("tail r n", "Sum(1/k, (k, r, n - 1))"),
    ("P r n", "r/n*tail(r, n)"),
    ("grow x n", "x^n"),
    ("twice x n", "2*grow(x, n)"),
    ("least x n", "min(x^n, 1)"),
):
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
        "x > 0: x^(n + 1) = x*x^n",
        "x > 0: x^(2*n - 3) = (x^n)^2/x^3",
        "x >= 1: x^(n*m + n) = x^(m*n)*x^n",
        "x > 0: x^(n - n) = 1",
        "x > 0: x^(2^(n + 1)) = (x^(2^n))^2",
        "b >= 2: (1 - 1/b)^(b - 1) = b/(b - 1)*((b - 1)/b)^b",
        "x > 1, n >= 0: x^n - 1 >= 0",
        "x >= 1, n > 0: x^n - 1 >= 0",
        "x > 1, n > 0: x^n - 1 > 0",
        "1 > x > 0, n > 0: 1 - x^n > 0",
        "1 >= x > 0, n >= 0: 1 - x^n >= 0",
        "x > 0: x^n > 0",
        "b >= 2: 1/(1 - (1 - 1/b)^b) - 1 > 0",
        "n >= 1, m >= 2^n: m - 1 > 0",
        "n >= 1, 2^n >= m >= 1: 1/m - 1/2^n >= 0",
        "x > 0, y > 0: x^(2*n) - x^n*y^m + y^(2*m) >= 0",
        "sum over k >= 0: 2^k = 2^(k + 1)",
        "x > 1, sum over k >= 0: x^k = x^(k + 1)/(x - 1)",
        "sum over k >= 2: k^k - (k - 1)^(k - 1) = k^k",
        "b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 - (1 - 1/b)^n)",
        "for n >= 0: Sum(1/2^k, (k, 0, n)) = 2 - 1/2^n",
        "1 > q > 0, for n >= 1: Sum(k*q^(k - 1), (k, 1, n)) = (1 - (n + 1)*q^n + n*q^(n + 1))/(1 - q)^2",
        "m >= 2, for n >= 1: Sum((m - 1)*m^(k - 1), (k, 1, n)) = m^n - 1",
        "for n >= 1: (1 + 1/n)^(n + 1) = (1 + 1/n)^n*(n + 1)/n",
        "x > 0: twice(x, n + 1) = 2*x*grow(x, n)",
        "x >= 1, n >= 0: least(x, n) = 1",
        "1 > x > 0, n > 0: least(x, n) = x^n",
        "x > 0, integral over v from 0 to 1: 2*v*x^n = x^n",
    ],
)
def test_a_power_of_a_positive_base_is_a_positive_variable(line: str) -> None:
    assert verdict(line, *["x^n - y^m"] * line.startswith("x > 0, y > 0: x^(2*n) -")) == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x > 0: x^(n + 1) = x*x^n + 1", "differ"),
        ("x > 0: x^(n + 1) = x^n", "differ"),
        ("x > 0: x^(n + 1) = x^2*x^n", "differ"),
        ("x > 0: x^(n - 1) = x*x^n", "differ"),
        ("x > 0: x^(n*m) = x^n*x^m", "differ"),
        ("x > 0, y > 0: x^y = y^x", "differ"),
        ("x >= 0: x^(n + 1) = x*x^n", ABOVE),
        ("x^(n + 1) = x*x^n", ABOVE),
        ("x >= -1: (x^n)^2 = x^(2*n)", ABOVE),
        ("0^n = 0", ABOVE),
        ("-1 > x > -2: (x^n)^2 = x^(2*n)", ABOVE),
        ("(-1)^(2*n) = ((-1)^n)^2", ABOVE),
        ("1 > x > 0: (1 - 2*x)^n = (1 - 2*x)^n", ABOVE),
        ("x > 0: (x - x)^n = 0", ABOVE),
        ("b >= 1: (1 - 1/b)^b = ((b - 1)/b)^b", ABOVE),
        ("x > 0: (y^2)^n = (y^2)^n", ABOVE),
        ("x > 0: x^(n/2)*x^(n/2) = x^n", SMALL),
        ("x > 0: x^(1/n) = x^(1/n)", SMALL),
        ("x > 0: x^(65*n) = x^(65*n)", SMALL),
        ("x > 0: x^(n + 65*m) = x^(n + 65*m)", SMALL),
        ("x > 0, n >= 1: x^n - x >= 0", NEGATIVE),
        ("x > 1: x^n - 1 >= 0", NEGATIVE),
        ("x > 1, n >= -1: x^n - 1 >= 0", NEGATIVE),
        ("1 > x > 0, n >= -1: 1 - x^n >= 0", NEGATIVE),
        ("1 > x > 0: 1 - x^n >= 0", NEGATIVE),
        ("2 > x > 0, n >= 0: 1 - x^n >= 0", NEGATIVE),
        ("x >= 1, n > 0: x^n - 1 > 0", VANISHES),
        ("x > 1, n >= 0: x^n - 1 > 0", VANISHES),
        ("1 >= x > 0, n > 0: 1 - x^n > 0", VANISHES),
        ("1 > x > 0, n >= 0: 1 - x^n > 0", VANISHES),
        ("1 > x > 0, n >= 0: 1/(1 - x^n) > 0", "may be 0"),
        ("x > 0: 1/(1 - x^n) = 1/(1 - x^n)", "may be 0"),
        ("n >= 1, m >= 2^n: m - 2 > 0", NEGATIVE),
        ("m >= 2^n, n >= 1: m - 1 > 0", "does not come before"),
        ("m >= 2^n, for n >= 1: m = m", "does not come before"),
        ("sum over k >= 0: 2^k = 2^k", "not the summand"),
        ("sum over k >= 1: 2^k = 2^(k + 1) - k", "not the summand"),
        ("sum over k >= 1: k^k - (k - 1)^(k - 1) = k^k", ABOVE),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n)) = b*(1 - (1 - 1/b)^n)", "differ at n = 1"),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 1, n - 1)) = b*(1 - (1 - 1/b)^n)", "differ at n = 1"),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 - (1 - 1/b)^(n + 1))", "differ at n = 1"),
        ("b >= 2, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 + (1 - 1/b)^n)", "differ at n = 1"),
        ("b >= 1, for n >= 1: Sum((1 - 1/b)^k, (k, 0, n - 1)) = b*(1 - (1 - 1/b)^n)", ABOVE),
        ("for n >= 1: 2^n = 2*n", "increments"),
        ("for n >= 2: 2^n = n^2", "increments"),
        ("for n >= 0: Sum(1/2^k, (k, 0, n)) = 2 - 1/2^(n + 1)", "differ"),
        ("for n >= 1: Sum(2^n, (k, 1, n)) = n*2^n", "contains the variable"),
        ("for n >= 1: Sum((n + k)^k, (k, 1, n)) = 1", "contains the variable|differ|seen"),
        ("for n >= 0: Sum((-1)^k, (k, 0, n)) = (1 + (-1)^n)/2", ABOVE),
        ("for n >= 0: Sum(k^k, (k, 0, n)) = Sum(k^k, (k, 0, n))", ABOVE),
        ("x > 0, integral over v from 0 to 1: x^v = x^v", "outside the integral"),
        ("x > 0, integral over v from 0 to 1: x^v = x", "no polynomial"),
        ("x > 0, integral over v from 0 to 1: x^(2^v) = x^2", "no polynomial"),
        ("integral over v from 0 to 1: v^n = 1/(n + 1)", ABOVE),
        ("1 > x > 0, n > 0: least(x, n) = 1", "differ"),
        ("x > 0, n >= 0: least(x, n) = 1", "which is the min"),
        ("x >= 0: grow(x, n) = grow(x, n)", ABOVE),
    ],
)
def test_a_false_power_or_one_that_may_be_undefined_is_refused(line: str, reason: str) -> None:
    assert any(part in verdict(line) for part in reason.split("|")), verdict(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 >= x >= 0: x*(1 - x) >= 0", ""),
        ("1 >= x >= 0: 2 - x > 0", ""),
        ("1 >= x >= 0: 1/(1 + x) - 1/2 >= 0", ""),
        ("1 >= x > 0: 1/x - 1 >= 0", ""),
        ("x >= 0, x >= y >= 0: x - y >= 0", ""),
        ("a >= 0, a + 1 >= x >= a, 1 >= y >= 0: (a + 1 - x*y)*(1 - y) + x >= 0", ""),
        ("x > 0, x >= y >= 0: 2*x - y > 0", ""),
        ("5 >= n >= 1, sum over k >= n: 1 = k", ""),
        ("1 >= x >= 0: min(x, 1) = x", ""),
        ("1 >= x >= 0: 1/(2 - x) = 1/(2 - x)", ""),
        ("1 >= x >= 0: x*(1 - x) > 0", VANISHES),
        ("1 >= x >= 0: 1 - x > 0", VANISHES),
        ("1 >= x > 0: x*(1 - x) > 0", VANISHES),
        ("1 > x >= 0: x > 0", VANISHES),
        ("2 >= x >= 0: x*(1 - x) >= 0", NEGATIVE),
        ("1 >= x >= -1: x >= 0", NEGATIVE),
        ("0 >= x >= 1: 1 - x > 0", VANISHES),
        ("x >= 0, x >= y >= 0: x - y > 0", VANISHES),
        ("1 >= x >= 0: 1/(1 - x) > 0", "may be 0"),
        ("1 >= x >= 0: 1/(1 - x) = 1/(1 - x)", "may be 0"),
        ("1 >= x >= 0: 1/x >= 0", "may be 0"),
        ("x >= y >= 0, x >= 0: x - y >= 0", "does not come before"),
        ("1 >= x >= 0: min(x, 1/2) = x", "which is the min"),
        (", ".join(f"1 >= {x} >= 0" for x in "abcdef") + ": a + b + c + d + e + f >= 0", "more than 5 upper ends"),
    ],
)
def test_an_upper_end_may_be_reached(line: str, reason: str) -> None:
    assert reason in verdict(line) and bool(reason) == bool(verdict(line))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("r >= 1, for n >= r + 1: r*tail(r, n) = 1 + r*tail(r + 1, n)", ""),
        (f"r >= 1, for n >= r + 1: n*{P} = 1 + r/(r + 1)*n*P(r + 1, n)", ""),
        ("r >= 1, for n >= r - 1: Sum(1, (k, r, n)) = n - r + 1", ""),
        ("r >= 2, for n >= r + 1: Sum(1/(k - 1), (k, r, n)) = 1/(r - 1) + Sum(1/(k - 1), (k, r + 1, n))", ""),
        ("r >= 1, for n >= r: Sum(1/(k*(k + 1)), (k, r, n)) = 1/r - 1/(n + 1)", ""),
        ("b > 0, for n >= 1: Sum(k/b, (k, 1, n)) = n*(n + 1)/(2*b)", ""),
        ("r >= 1, m >= r, for n >= m + r: Sum(k, (k, m + r, n)) = n*(n + 1)/2 - (m + r)*(m + r - 1)/2", ""),
        ("for n >= 1: n*(n + 1)/(n + 1) = n", ""),
        ("1 >= p >= 0, for n >= 0: Sum(1/(1 + p), (k, 1, n)) = n/(1 + p)", ""),
        ("r >= 1, for n >= r - 4: Sum(1, (k, r, n + 3)) = n + 4 - r", ""),
        ("r >= 1, for n >= r + 1: r*tail(r, n) = 1 + r*tail(r + 2, n)", "differ"),
        ("r >= 1, for n >= r: r*tail(r, n) = 1 + r*tail(r + 1, n)", "differ at n = r"),
        (f"r >= 1, for n >= r + 1: n*{P} = 1 + r/(r - 1)*n*P(r + 1, n)", "may be 0"),
        (f"r >= 1, for n >= r + 1: n*{P} = 1 + n*P(r + 1, n)", "differ|increments"),
        ("r >= 0, for n >= r + 1: r*tail(r, n) = 1 + r*tail(r + 1, n)", "may be 0"),
        ("for n >= r + 1: tail(r, n) = tail(r, n)", LATE),
        ("r >= 1, for r >= 1: r = r", LATE),
        ("r >= 1, for n >= r - 2: Sum(1, (k, r, n)) = n - r + 1", "differ at n = r - 2"),
        ("r >= 1, for n >= r - 2: Sum(1, (k, r, n + 3)) = n + 4 - r + 0/(n - r)", "may be 0"),
        ("r >= 1, for n >= r: Sum(1/(k - 1), (k, r, n)) = Sum(1/(k - 1), (k, r, n))", "k - 1 may be 0"),
        ("r >= 1, for n >= 1: Sum(1, (k, r, n)) = n - r + 1", "a variable is left"),
        ("r >= 1, for n >= r/2: n = n", LATE),
        ("r >= 1, for n >= 1/2: n = n", LATE),
        ("r >= 1, for n >= r + 51: n = n", LATE),
        ("r >= 1, for n >= 1/r: n = n", LATE),
        ("for n >= 0: Sum(k, (k, n, 2*n)) = 3*n*(n + 1)/2", "a sum's ends"),
        ("for n >= 0: Sum(1, (k, n, 2*n)) = n + 1", "a sum's ends"),
        ("r >= 1, for n >= r: Sum(1, (k, r/2, n - r/2)) = n - r + 1", "a sum's ends"),
        ("r >= 1, for n >= r + 40: Sum(1, (k, r + 40, n - 20)) = n - r", "differ"),
        ("r >= 1, for n >= r: Sum(1, (k, r + 40, n - 20)) = Sum(1, (k, r + 40, n - 20))", "too late"),
        ("n >= 1, for n >= 1: n = n", LATE),
        ("b >= 0, for n >= 1: Sum(k/b, (k, 1, n)) = n*(n + 1)/(2*b)", "may be 0"),
        ("1 >= p >= -1, for n >= 0: n/(1 + p) = n/(1 + p)", "may be 0"),
    ],
)
def test_an_induction_may_begin_at_a_variable_below_its_bounds(line: str, reason: str) -> None:
    assert any(part in verdict(line) for part in reason.split("|")) and bool(reason) == bool(verdict(line)), verdict(
        line
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("for n >= 1: Sum(k*factorial(k), (k, 1, n)) = factorial(n + 1) - 1", ""),
        ("n >= 1: factorial(n) = n*factorial(n - 1)", ""),
        ("n >= 0: factorial(n) > 0", ""),
        ("r >= 0, for n >= r: Sum(binomial(k, r), (k, r, n)) = binomial(n + 1, r + 1)", ""),
        ("n >= 2: binomial(n, 2) = n*(n - 1)/2", ""),
        ("factorial(4) = 24", ""),
        ("k >= 1, n >= k: binomial(n + 1, k) = binomial(n, k) + binomial(n, k - 1)", ""),
        ("sum over k >= 1: k*factorial(k) = factorial(k + 1)", ""),
        ("x >= 0: 28/10 - exp(1) > 0", ""),
        ("x >= 0: exp(1) - 27/10 > 0", ""),
        ("x >= 0: exp(1) - 2718281828/1000000000 > 0", ""),
        ("exp(x + 1) = exp(1)*exp(x)", ""),
        ("x >= 0: exp(x) - 1 >= 0", ""),
        ("x > 0: 1 - exp(-x) > 0", ""),
        ("for n >= 0: Sum(exp(k), (k, 0, n)) = (exp(n + 1) - 1)/(exp(1) - 1)", ""),
        ("for n >= 1: Sum(k*factorial(k), (k, 1, n)) = factorial(n + 1)", "differ"),
        ("for n >= 1: Sum(k*factorial(k), (k, 1, n)) = factorial(n) - 1", "differ"),
        ("n >= 0: factorial(n) = n*factorial(n - 1)", NEGATIVE),
        ("factorial(n) = factorial(n)", "has no bound"),
        ("n >= -1: factorial(n) = factorial(n)", NEGATIVE),
        ("n >= -1: factorial(n + 1) = factorial(n + 1)", NEGATIVE),
        ("factorial(0 - 1) = 1", NEGATIVE),
        ("factorial(1/2) = 1", "whole numbers"),
        ("n >= 1: factorial(n/2) = 1", "whole numbers"),
        ("n >= 1: binomial(n, 2) = n*(n - 1)/2", NEGATIVE),
        ("k >= 1, n >= k: binomial(n + 1, k) = binomial(n, k) + binomial(n, k + 1)", NEGATIVE),
        ("k >= 1, n >= k + 1: binomial(n + 1, k) = binomial(n, k) + binomial(n, k + 1)", "differ"),
        ("n >= 1: factorial(n) - 1 >= 0", NEGATIVE),
        ("factorial(65) = 1", "whole numbers"),
        ("x >= 0: 27/10 - exp(1) > 0", NEGATIVE),
        ("exp(1) = 2718281828/1000000000", "differ"),
        ("x >= -1: exp(x) - 1 >= 0", NEGATIVE),
        ("exp(x) - 1 = 0", "differ"),
        ("x > 0: 1 - exp(x) > 0", NEGATIVE),
        ("exp(1/2)*exp(1/2) = exp(1)", "small integer"),
        ("exp(x, 1) = 1", "exp of one"),
        ("factorial(1, 2) = 1", "factorial of one"),
        ("binomial(3) = 1", "binomial of two"),
        ("min(3) = 1", "min of two"),
        ("x > 0, integral over v from 0 to 1: exp(v) = exp(1) - 1", "no polynomial"),
    ],
)
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
        ("1/(1-(1-1/b)**b)", "ratio(b, (1 - 1/b)^b)", True),
        ("1/(1-((b-1)/b)**b)", "ratio(b, grow(1 - 1/b, b))", True),
        ("1/(1-(1-1/b)**n)", "ratio(b, (1 - 1/b)^b)", False),
        ("1/(1-(1+1/b)**b)", "ratio(b, (1 - 1/b)^b)", False),
        ("exp(1)/(exp(1)-1)", "ratio(1, 1/exp(1))", True),
        ("exp(2)/(exp(2)-1)", "ratio(1, 1/exp(1))", False),
    ):
        assert alike(given, text, own) == same


# ---- at random ------------------------------------------------------------------------------------------------------

PLACES = [Fraction(n) for n in ("-3", "-1", "-1/2", "0", "1/7", "1/2", "9/10", "1", "3/2", "2", "5")]
X = (
    "x > 0",
    "x >= 1",
    "x > 1",
    "1 > x > 0",
    "1 >= x > 0",
    "1 >= x >= 0",
    "2 >= x >= 1",
    "x >= 0",
    "x >= -1",
    "2 > x > 1/2",
)
N = ("n >= 0", "n >= 1", "n > 0", "n >= -1", "3 >= n >= 0", "")
BASES = ("x", "(x + 1)", "2", "(1/2)", "(1/x)", "(1 - x)", "(x/2)", "(x/(1 + x))", "(2 - x)")
EXPONENTS = ("n", "n + 1", "2*n", "n - 1", "-n", "2 - n", "n*n")


def value(text: str, **point: Fraction) -> Fraction:
    """An expression at a point, by Python's own arithmetic; ``ZeroDivisionError`` where it is not defined."""
    text = re.sub(r"\b(\d+)\b", r"F(\1)", text.replace("^", "**"))
    return eval(text, {"F": Fraction, "Sum": added, "factorial": lambda n: Fraction(math.factorial(int(n))), **point})  # type: ignore[no-any-return]


def added(term: Callable[[Fraction], Fraction], low: Fraction, high: Fraction) -> Fraction:
    """A sum over whole steps from its lower end on."""
    return sum((term(low + k) for k in range(int(high - low) + 1)), Fraction(0))


def met(bound: str, **point: Fraction) -> bool:
    """Whether a bound holds at a point."""
    return not bound or bool(eval(re.sub(r"\b(\d+)/(\d+)\b", r"F(\1, \2)", bound), {"F": Fraction, **point}))


def true_on(bounds: list[str], holds: Callable[..., bool]) -> bool:
    """Whether a fact holds at all whole n and places x within its bounds, and is defined there."""
    points = [{"x": x, "n": Fraction(n)} for x in PLACES for n in range(-3, 5)]
    try:
        return all(holds(**own) for own in points if all(met(bound, **own) for bound in bounds))
    except ZeroDivisionError:
        return False


def compared(left: str, relation: str, right: str) -> Callable[..., bool]:
    """Whether the two sides of a fact are in its relation, at a point."""
    holds = {"=": operator.eq, ">": operator.gt, ">=": operator.ge}[relation]
    return lambda **point: holds(value(left, **point), value(right, **point))


@part_and_all("many", 80, 5000)
def test_no_random_fact_on_powers_that_is_false_is_accepted(many: int) -> None:
    chance, counted = Random(f"powers {many}"), Counter[tuple[bool, bool]]()
    for _ in range(many):
        bounds = [own for own in (chance.choice(X), chance.choice(N)) if own]
        base, one, two, more = chance.choice(BASES), *chance.choices(EXPONENTS, k=2), chance.choice((0, 0, 1))
        a, b = f"{base}^({one})", f"{chance.choice(BASES)}^({two})"
        if chance.random() < 0.4:
            left, relation = f"{a}*{base}^({two})", "="
            right = f"{base}^({one} + {two} + {more})" + f"/{base}" * chance.choice((more, 0))
        else:
            kinds = (f"{a} - 1", f"1 - {a}", f"{a}*{b} - 1", f"1 - {a}*{b}", f"1/(2 - {a})", f"1 + {a} - {b}")
            left, relation, right = chance.choice((*kinds, f"(1 - {a})*(1 - {b})")), chance.choice((">", ">=")), "0"
        line, is_true = f"{left} {relation} {right}", true_on(bounds, compared(left, relation, right))
        says = verdict(f"{', '.join(bounds)}: {line}")
        assert is_true or says, f"{', '.join(bounds)}: {line}"
        counted[is_true, not says] += 1
    assert counted[True, True] >= many / 10 and counted[False, False] >= many / 4, counted


@part_and_all("many", 40, 2000)
def test_no_random_induction_below_bounds_that_is_false_is_accepted(many: int) -> None:
    chance, counted = Random(f"inductions {many}"), Counter[tuple[bool, bool]]()
    factors = ("x^k", "x^(2*k)", "2^(k + 1)", "(x + 1)^k", "factorial(k)", "k", "1/(k + 1)", "(x/2)^(-k)")
    for _ in range(many):
        bounds = [chance.choice(X), chance.choice(("r >= 1", "r >= 0", "3 >= r >= 1"))]
        parts = chance.choice(("k", "1", "k*k", "x")), chance.choice(factors)
        big = chance.choice(("{0}*{1}", "{0} - {1}", "{1}/(1 + x) + {0}")).format(*parts)

        def at(k: str) -> str:
            return re.sub(r"\bk\b", f"({k})", big)  # noqa: B023

        low, more, start = (
            chance.choice(("0", "1", "2", "r", "r + 1", "r")),
            chance.choice((0, 0, 1, -1)),
            chance.choice((0, 0, 0, 1, -1, -2)),
        )
        term, first = f"({at('k')}) - ({at('k - 1')})", f"{low} - 1 - {more} + {start}"
        value_of = [f"{at(f'n + {more}')} - ({at(f'{low} - 1')})", f"n + {more}", low]
        spoiled = chance.randrange(6)
        if spoiled < 3:
            value_of[spoiled] += chance.choice((" + 1", " - 1"))
        right, end, begin = value_of
        line = f"{', '.join(bounds)}, for n >= {first}: Sum({term}, (k, {begin}, {end})) = {right}"
        summed = f"Sum(lambda k: {term}, {begin}, {end})"

        def holds(x: Fraction, n: Fraction) -> bool:
            for r in (r for r in map(Fraction, range(5)) if met(bounds[1], r=r)):  # noqa: B023
                p = {"x": x, "r": r}
                p["n"] = value(first, **p) + n + 3  # noqa: B023
                if value(summed, **p) != value(right, **p):  # noqa: B023
                    return False
            return True

        try:
            is_true = true_on(bounds[:1], holds)
        except ValueError:  # a factorial of less than 0
            is_true = False
        says = verdict(line)
        assert is_true or says, line
        counted[is_true, not says] += 1
    assert counted[True, True] >= many / 10 and counted[False, False] >= many / 4, counted


def test_the_lines_that_the_page_shows_hold() -> None:
    page = (ROOT / "docs" / "theory-text.md").read_text(encoding="utf-8")
    blocks = re.findall(
        r"```text\n(.*?)```", page.partition("**Ranges.**")[2].partition("## What counts")[0], re.DOTALL
    )
    lines = [line for own in blocks for line in own.splitlines()]
    assert len(blocks) == 4
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        roots = after.removeprefix("- squares ").split("; ") if after.startswith("- squares ") else []
        assert line.startswith("- squares") or verdict(line, *roots) == ""
        assert not roots or verdict(line) == NEGATIVE


def test_what_may_divide_by_0_is_not_seen_to_be_positive() -> None:
    with pytest.raises(Rejected, match="a denominator may vanish"):
        kernel.nonnegative(1 / kernel.variable("x"), [kernel.Bound("x", kernel.ratio(0))])


# ---- what forged texts tried ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", ["x", "1 + Sum(-1, (j, 1, n))", "r - x"])
def test_a_sum_begins_at_variables_with_bounds(low: str) -> None:
    """Else k/k is summed from 0 on for some x."""
    Work.start()
    with pytest.raises(Rejected, match="a sum's ends"):
        judge(formula(f"r >= 1, for n >= 0: Sum(k/k, (k, {low}, {low} + n)) = n + 1"))


def test_towers_of_powers_are_read_in_a_time_that_their_length_bounds() -> None:
    Work.start()
    judge(formula(f"n >= 0, m >= {'up(' * 40}n{')' * 40}: m >= 0"), {"up": define(("x",), "(1 + x)^x", {})})


@part_and_all("share", 8, 1)
def test_uncounted_sums_are_refused(share: int) -> None:
    Work.start(MOST_WORK // share)
    sums = " + ".join(["Sum(1, (k, 50, n))"] * 400)
    with pytest.raises(Rejected, match="too much"):
        judge(formula(f"for n >= 0: {sums} = {sums}"))


@pytest.mark.parametrize("line", ['holds n*exp(symbol("q")) == n*exp(symbol("r"))', "holds n*binomial(3, 1) == 3*n"])
def test_a_witness_calls_no_function_that_facts_alone_know(line: str) -> None:
    """Each call would make a variable of its own, with one name for all of them."""
    Work.start()
    own = conditions.Part()
    for each in ("reads n: integer(1, 5)", line):
        own.add(each, {})
    with pytest.raises(Rejected, match="is not defined"):
        conditions.check(own, {"n": 1}, {}, {})


@pytest.mark.parametrize("x", ["min(k, 3)", "2^k"])
def test_a_sum_within_a_sum_is_seen_behind_a_function(x: str) -> None:
    own = {
        "g": define(("x", "n"), "Sum(x, (j, 1, n))", {}),
        "h": define(("x", "n"), f"Sum({x.replace('k', 'j')} + 0*x, (j, 1, n))", {}),
    }
    with pytest.raises(Rejected, match="no sum in a sum"):
        alike("n", f"n + Sum(k*g({x}, n), (k, 1, n)) - Sum(k*h({x}, n), (k, 1, n))", own)
