"""The kernel alone: each rule, each limit and each demand, by steps that are written here and need no ledger."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from check import kernel
from check.kernel import Definition, Ratio, Reader, Rejected, Work, ratio, variable


@pytest.fixture(autouse=True)
def document() -> None:
    """Each test is a document of its own."""
    Work.start()


def read(text: str, **definitions: tuple[str, str]) -> Ratio:
    """The function of an expression; definitions as (parameters, value)."""
    own: dict[str, Definition] = {}
    for name, (parameters, value) in definitions.items():
        own[name] = Definition(tuple(parameters.split()), Reader(own).read(value))
    return Reader(own).read(text)


def refused(reason: str, function: Callable[..., Any], *arguments: Any) -> None:
    """Assert that the kernel refuses, and why."""
    with pytest.raises(Rejected, match=reason):
        function(*arguments)


# ---- values ---------------------------------------------------------------------------------------------------------


def _nested(depth: int) -> Any:
    return [_nested(depth - 1)] if depth > 1 else "x"


def test_a_document_holds_objects_lists_strings_and_integers_of_a_size() -> None:
    for good in (_nested(12), [1] * 2000, {"x" * 2000: ["y"] * 2000}, 10**18, -(10**18), {}, "x" * 2000, 0, 1):
        kernel.plain(good)
    for reason, bad in (
        ("more than 12 levels", _nested(13)),
        ("more than 12 levels", {"x": {"x": {"x": _nested(10)}}}),
        ("more than 2000 entries", {"x": [1] * 2001}),
        ("more than 2000 characters", {"x": "x" * 2001}),
        ("more than 2000 characters", {"x" * 2001: "x"}),
        ("more than 18 digits", [10**18 + 1]),
        ("more than 18 digits", -(10**18) - 1),
        ("null is no value", None),
        ("true is no value", ["x", True]),
        ("1.5 is no value", {"x": 1.5}),
    ):
        refused(reason, kernel.plain, bad)


def test_an_object_has_exactly_its_fields() -> None:
    assert kernel.fields({"b": 2, "a": 1}, "a", "b") == [1, 2]
    refused("expected an object with the fields a", kernel.fields, ["a"], "a")
    refused("unknown field 'b'", kernel.fields, {"a": 1, "b": 2}, "a")
    refused("the field 'b' is missing", kernel.fields, {"a": 1}, "a", "b")


def test_integers_lie_in_their_range() -> None:
    assert [kernel.integer(n, 2, 4) for n in (2, 3, 4)] == [2, 3, 4]
    for bad in (1, 5, "3", True, 3.0, None):
        refused("from 2 to 4", kernel.integer, bad, 2, 4)
    refused("from 0 to 1", kernel.integer, True, 0, 1)
    assert kernel.integers([1, 2], 0, 2) == kernel.integers([1, 2], 0, 2, 2) == [1, 2]
    for reason, bad, size in (
        ("a list of integers", [], None), ("a list of integers", "12", None), ("a list of integers", {1: 1}, None),
        ("a list of integers", 3, 3), ("a list of 3 integers", [1, 2], 3), ("from 0 to 2", [1, 3], None),
    ):  # fmt: skip
        refused(reason, kernel.integers, bad, 0, 2, size)


def test_a_fraction_has_one_spelling() -> None:
    for text in ("0", "-1", "3/4", "-10/3", "1" * 250, f"1/1{'0' * 247}"):
        assert kernel.fraction(text) == Fraction(text)
    for text in ("2/4", "-0", "01", "+1", "1/1", "1.5", "1/-2", " 1", "1\n", "", "1/0", "1/00", "a", 1, None, ["1"]):
        refused("expected a fraction|lowest terms", kernel.fraction, text)
    refused("more than 250 characters", kernel.fraction, "1" * 251)


def test_a_decimal_has_a_number_of_places() -> None:
    assert kernel.decimal("0.25", 2) == Fraction(1, 4)
    assert kernel.decimal("999999.5", 1) == Fraction(1999999, 2)
    for text in ("0.5", "00.25", ".25", "-0.25", "1.255", "1000000.25", "1.25\n", 1, None, ["0.25"]):
        refused("expected a decimal", kernel.decimal, text, 2)


def test_a_list_has_a_number_of_entries() -> None:
    assert kernel.rows([1], 1) == [1]
    assert kernel.rows([1, 2], 1, 2) == [1, 2]
    assert kernel.rows([1] * 100, 0)
    for bad in ([], [1, 2, 3], "12", {1: 1}, 2):
        refused("a list of 1 or more entries", kernel.rows, bad, 1, 2)
    refused("a list of 0 or more", kernel.rows, [1] * 101, 0)


# ---- rational functions ---------------------------------------------------------------------------------------------


def test_what_a_document_costs_is_counted() -> None:
    def cost(function: Callable[[], Any]) -> int:
        before = Work.left
        function()
        return before - Work.left

    start = Work.left
    assert start == kernel.MOST_WORK
    few, more = read("a + b + 1"), read("a + b + c + d + e")
    assert cost(lambda: few * more) == 15
    assert cost(lambda: few * 1) == cost(lambda: ratio(1) * more) == 0
    assert cost(lambda: few + more) == 1
    seven = read("a + b + c + d + 1")
    assert cost(lambda: seven + seven) == 1
    assert cost(lambda: seven + read("g")) == 0
    assert cost(lambda: more * 2 + 2 * seven + few * 5) == 5 + 5 + 3 + 1 + 1
    Work.spend(Work.left)
    refused("too much to compute", Work.spend, 1)
    Work.start()
    assert Work.left == start


def test_a_document_has_a_number_of_names_and_the_next_one_forgets_them() -> None:
    for n in range(kernel.MOST_NAMES):
        variable(f"fresh{n}")
    refused("too many variables", variable, "onemore")
    variable("fresh0")
    high = kernel.place("fresh0")
    Work.start()
    assert kernel.place("onemore") == high
    for n in range(kernel.MOST_NAMES - 1):
        variable(f"other{n}")
    refused("too many variables", variable, "fresh0")


def test_names_that_every_document_may_use_keep_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [*kernel.places(), "kept0", "kept1"]
    monkeypatch.setattr(Work, "own_names", Work.own_names)
    Work.keep(["kept0", "kept1"])
    places = {name: kernel.place(name) for name in own}
    for n in range(kernel.MOST_NAMES):
        variable(f"fresh{n}")
    Work.start()
    assert {name: kernel.place(name) for name in own} == places
    assert len(kernel.places()) == len(own)


def test_names_of_variables() -> None:
    for name in ("a", "Ab_9", "x" * 12):
        assert kernel.named(name) == name
    for name in ("x" * 13, "_a", "9", "", "a b", "a\n", "é", "Σ", 1, None):
        refused("no name of a variable", kernel.named, name)


def test_rational_functions() -> None:
    x, y = variable("x"), variable("y")
    assert (x + y) * (x - y) == x**2 - y**2
    assert x / y != x
    assert x / y != y / x
    assert x / y != x / (y + 1)
    assert x / y != (x + 1) / y
    assert x / y == (2 * x**2) / (2 * x * y)
    assert x / (x + 1) + 1 / (x + 1) == 1
    assert x / 2 + y / 3 == (3 * x + 2 * y) / 6
    assert x - x == 0
    assert (x - x).num == {}
    assert (x + y - x - y) == 0
    assert 1 - x == -(x - 1)
    assert 1 / x == x**-1
    assert x**0 == 1
    assert x**3 == x * x * x
    assert x**-2 == 1 / (x * x)
    assert (x / y).at(x=y, y=x) == y / x
    assert (x**2 + y).at(x=y + 1) == y**2 + 3 * y + 1
    assert (x**2 / (x + y)).at(x=2, y=Fraction(1, 2)).number() == Fraction(8, 5)
    assert (1 + x).at(y=3) == 1 + x
    assert ratio(Fraction(-3, 4)).number() == Fraction(-3, 4)
    assert ratio(0).number() == 0
    assert ratio(1).variables() == set()
    assert (x / (y + 1)).variables() == {"x", "y"}
    assert (x**3 / x**2 - x) == 0
    for bad in (x, 1 / x, x / (x + 1), 1 / (1 + x), (x + 1) / (x + 2), x / x):
        refused("a variable is left", bad.number)
    with pytest.raises(ZeroDivisionError):
        _ = x / (y - y)
    assert (Ratio({0: 6}, {0: 4}).num, Ratio({0: 6}, {0: 4}).den) == ({0: 3}, {0: 2})


def test_exponents_do_not_run_over() -> None:
    high = variable("x") ** 16 * variable("y")
    for _ in range(10):
        high = high * high
        Work.left = kernel.MOST_WORK
    assert kernel.exponent(next(iter(high.num)), "x") == 2**14
    refused("the degree is too large", lambda: high * high)
    assert (high * variable("x") ** (2**14 - 1)).variables() == {"x", "y"}
    refused("the degree is too large", lambda: high * variable("x") ** (2**14))


def test_numbers_have_a_size() -> None:
    x, large = variable("x"), ratio(2**500)
    assert ((x + large) * (x + Fraction(2**499))).num[0] == 2**999
    for factor in (x + large, 1 + x * large):
        refused("a number is too large", lambda factor=factor: (x + large) * factor * (x + large))
    assert (x + 2**999) * (x + 1) != 0
    refused("a number is too large", lambda: (x + 2**999) * (x + 2))


def test_coefficients_in_one_variable() -> None:
    x = variable("x")
    assert kernel.coefficients((3 * x**2 - 5).num, "x") == [-5, 0, 3]
    assert kernel.coefficients(ratio(7).num, "x") == [7]
    assert kernel.coefficients({}, "x") == [0]
    refused("more than x", kernel.coefficients, (x + variable("y")).num, "x")
    refused("more than x", kernel.coefficients, variable("y").num, "x")


# ---- expressions ----------------------------------------------------------------------------------------------------


def test_expressions_are_read_as_functions() -> None:
    x, y = variable("x"), variable("y")
    assert read("-(2*x - 1)**2/(4*x) + 1/3") == -((2 * x - 1) ** 2) / (4 * x) + Fraction(1, 3)
    assert read("x**(-2)") == 1 / x**2
    assert read("x**16") == x**16
    assert read("x - y + 1 - 2*x/y") == x - y + 1 - 2 * x / y
    assert read("100000000000000000000").number() == 10**20
    assert read("f(y, 2)", f=("a b", "a**2 - b")) == y**2 - 2
    assert read("g(1)", f=("a b", "a/b"), g=("b", "f(3, b + 1)")).number() == Fraction(3, 2)
    assert read("f(x + y)", f=("x", "x*y")) == (x + y) * y


def test_what_is_divided_by_is_taken_down_once() -> None:
    reader = Reader()
    reader.read("1/2 + 1/a + 3/(2*a) + b/a - 1/b")
    assert [text for text, _ in reader.divisors] == ["a", "2 * a", "b"]


def test_exponents_and_numbers_may_be_as_large_as_their_limits() -> None:
    assert Reader().read("a**64") == variable("a") ** 64
    assert Reader().read(str(2**1000 - 1)) == 2**1000 - 1
    refused("a small integer", Reader().read, "a**65")
    refused("too large", Reader().read, str(2**1000))


def test_nothing_but_an_expression_is_read() -> None:
    for text in (
        "__import__('os')", "i if i else j", "[i]", "i @ j", "i // j", "i % j", "i ** j", "i ** 65", "i ** (-65)", "i ** (1/2)",
        "1.5", "1e3", "True", "'i'", "i; j", "i\nj", "", "lambda: i", "i < j", "i and j", "(i := 1)", "ⅰ", "i" * 13, "_i", "Σ0",
        "+i", "~i", "not i", "f(i=1)", "i[0]", "0x10_00 if 1 else 2", f"{2**1000}", 1, None, ["i"], "i.real",
        "i.real(1)", "(" * 900 + "i" + ")" * 900, "Sum(k, (k, 1, i))", "f(i)", "-'i'", " i", "i ", "i\f + 1", "i # 1", "i\\\n + 1",
        "0x10", "0b1", "1_0", "00", "01", "i\t+ 1", "i\r", "1j", "1 .real", "i if", "0**0", "(i - i)**0", "0**(-1)", "1/(i - i)",
    ):  # fmt: skip
        with pytest.raises(Rejected):
            Reader().read(text)
    refused("only integers", read, "True")
    refused("a small integer", read, "i**65")
    refused("no expression", read, "i // j")
    refused("h is not defined", lambda: read("h(1)", f=("a", "a")))
    refused("f has other parameters", lambda: read("f(1, 2)", f=("a", "a")))
    refused("f has other parameters", lambda: read("f()", f=("a", "a")))
    refused("expected an expression", lambda: read("f(a=1)", f=("a", "a")))
    with pytest.raises(RecursionError):
        read("-" * 1900 + "i")


def test_sums_are_atoms_of_an_induction() -> None:
    reader = Reader(induction="n")
    assert reader.read("Sum(k, (k, 1, n)) - Sum(m, (m, 1, n))") == 0
    assert len(reader.sums) == 1
    for other in ("Sum(k, (k, 1, n + 1))", "Sum(k, (k, 0, n))", "Sum(k**2, (k, 1, n))"):
        assert reader.read(f"Sum(k, (k, 1, n)) - {other}") != 0
    assert [(own.low.number(), own.more) for own in reader.sums] == [(1, 0), (1, 1), (0, 1), (1, 0)]
    refused("more than 4 sums", reader.read, "Sum(5, (k, 1, n))")
    assert [own.term == variable("Σ") ** 2 for own in reader.sums] == [False, False, False, True]
    for n, value in ((-1, 0), (0, 0), (1, 1), (3, 14)):
        reader.here = kernel.ratio(n)
        assert reader.read("Sum(k**2, (k, 1, n))", {"n": reader.here}).number() == value
    wide = Reader(induction="n")
    ends = "Sum(k, (k, -50, n + 50)) + Sum(k, (k, 50, n - 50))"
    wide.read(ends)
    wide.here = kernel.ratio(-100)
    assert wide.read(ends, {"n": wide.here}).number() == -50
    for reason, text in (
        ("expected a sum as", "Sum(k)"), ("expected a sum as", "Sum(k, (k, 1, n), 1)"), ("expected a sum as", "Sum(k, k)"),
        ("expected a sum as", "Sum(k, (k, 1))"), ("expected a sum as", "Sum(k, (k, 1, n, 1))"),
        ("expected a sum as", "Sum(k, f(k, 1, n))"),
        ("an index of its own", "Sum(n, (n, 1, n))"), ("an index of its own", "Sum(1, (1, 1, n))"),
        ("contains the variable of the induction", "Sum(k*n, (k, 1, n))"), ("stands outside",
        "Sum(k*Sum(m, (m, 1, n)), (k, 1, n))"), ("stands outside",
        "Sum(1, (k, 1, n)) + Sum(k*Sum(m, (m, 1, n)), (k, 1, n))"), ("stands outside", "Sum(0*Sum(m, (m, 1, n)), (k, 1, n))"),
        ("k - 3 may be 0", "Sum(1/(k - 3), (k, 1, n))"), ("k may be 0", "Sum(1/(1/k), (k, 0, n))"),
        ("m: divided by, without a bound", "Sum(1/m, (k, 0, n))"), ("a sum's ends", "Sum(k, (k, 1/2, n))"),
        ("a sum's ends", "Sum(k, (k, 1, n + 1/2))"), ("a sum's ends", "Sum(k, (k, 51, n))"), ("a sum's ends", "Sum(k, (k, -51, n))"),
        ("a sum's ends", "Sum(k, (k, 1, n + 51))"), ("a sum's ends", "Sum(k, (k, 1, n - 51))"),
        ("a variable is left", "Sum(k, (k, 1, 2*n))"), ("a variable is left", "Sum(k, (k, 1, 7))"),
        ("a variable is left", "Sum(k, (k, n, n))"), ("expected an expression of names, integers and", "Sum(1, (_k, 1, n))"),
        ("no name of a variable", f"Sum(1, ({'k' * 13}, 1, n))"),
    ):  # fmt: skip
        refused(reason, Reader(induction="n").read, text)
    refused("stands outside", Reader().read, "Sum(k, (k, 1, n))")


def divided(text: str, *where: str, **definitions: tuple[str, str]) -> None:
    """Read a text and look at what it divides by in a range."""
    own: dict[str, Definition] = {}
    for name, (parameters, value) in definitions.items():
        reader = Reader(own)
        function = reader.read(value)
        own[name] = Definition(tuple(parameters.split()), function, tuple(reader.divisors))
    reader = Reader(own)
    bounds = kernel.read_range(list(where), reader)
    reader.read(text)
    kernel.defined(reader.divisors, bounds)


def test_what_is_divided_by_is_not_0_in_the_range() -> None:
    for text, where in (
        ("1/n", ["n >= 1"]), ("1/n", ["n > 0"]), ("1/(n**2 + 1)", ["n >= 0"]), ("1/(-n**2 - 1)", ["n >= 0"]), ("n/7", []),
        ("-1/(n**2 + 1)", ["n >= 0"]), ("1/(-n - 2)", ["n >= -1"]), ("1/(n - 3)", ["n >= 4"]), ("1/(n - 3)", ["n > 3"]),
        ("1/(1 - n)", ["1 > n >= 0"]), ("1/n/(1 - n)", ["1 > n > 0"]), ("1/(m - n)", ["n >= 0", "m > n"]), ("n**(-2)", ["n >= 1"]),
        ("1/(m - n)", ["m > 2", "m > n >= 0"]), ("1/(n*m)", ["n > 0", "m > 0"]), ("0*(1/(1/n))", ["n >= 1"]), ("n", ["n >= 0"]),
        ("1/(m - 1)", ["n >= 1", "m >= 1 + 1/n"]), ("n**0", ["n >= 1"]), ("1/((n - 1)/(n - 2))", ["n >= 3"]),
    ):  # fmt: skip
        divided(text, *where)
    for reason, text, where in (
        ("n may be 0", "1/n", ["n >= 0"]), ("n may be 0", "1/n", ["1 > n >= 0"]), ("n - 3 may be 0", "1/(n - 3)", ["n >= 3"]),
        ("3 - n may be", "1/(3 - n)", ["n >= 1"]), (r"n \*\* 2 - 4 \* n \+ 3 may", "1/(n**2 - 4*n + 3)", ["n >= 1"]),
        ("m: divided by, without a bound", "1/(n + m)", ["n >= 1"]), ("may be 0", "1/((n - 1)*n)", ["n >= 1"]),
        ("may be 0", "1/(n**2 - 5*n + 1)", ["n >= 0"]), ("may be 0", "1/(-(n**2) + 5*n - 1)", ["n >= 0"]),
        ("1 - n may be 0", "1/(1 - n)", ["2 > n >= 0"]), ("may be 0", "1/(m - n)", ["n >= 0", "m >= n"]),
        ("may be 0", "1/(n*m)", ["n > 0", "m >= 0"]), ("n may be 0", "n**(-2)", ["n >= 0"]), ("n may be 0", "n**0", ["n >= 0"]),
        ("n - 5 may be 0", "1/(1/(n - 5))", ["n >= 1"]), ("n - 5 may be 0", "(n - 5)/(n - 5)", ["n >= 1"]),
        ("n - 5 may be 0", "0*(1/(n - 5))", ["n >= 1"]), ("n - 5 may be 0", "1/(n - 5) - 1/(n - 5)", ["n >= 1"]),
        ("n may be 0", "1", ["n >= 0", "m >= 1/n"]), ("n is 0, and|n - n is 0", "1/(n - n)", ["n >= 0"]), ("0 is 0", "1/0", []),
    ):  # fmt: skip
        refused(reason, divided, text, *where)


def test_definitions_divide_by_what_their_values_do() -> None:
    own = {"f": ("a b", "a*b/b"), "g": ("a", "f(1, a - 5) + 1")}
    divided("f(n, n)", "n >= 1", **own)
    divided("g(n)", "n >= 6", **own)
    for reason, text, where in (
        (r"f\(1, n\) may be 0", "f(1, n)", "n >= 0"),
        (r"g\(n\) may be 0", "0*g(n)", "n >= 1"),
        (r"f\(n, 0\) is 0", "f(n, 0)", "n >= 1"),
    ):
        refused(reason, lambda text=text, where=where: divided(text, where, **own))


def test_a_range_bounds_each_variable_by_those_before_it() -> None:
    own = kernel.read_range(["i >= 1", "i + 1 > j > i", "k > 0", "1 >= m > 0"], Reader())
    assert [(bound.name, bound.strict, bound.high is None, bound.closed) for bound in own] == [
        ("i", False, True, False), ("j", True, False, False), ("k", True, True, False), ("m", True, False, True)]  # fmt: skip
    assert kernel.read_range([], Reader()) == []
    for reason, where in (
        ("a bound", ["i"]), ("a bound", [["i", "1"]]), ("a bound", ["i <= 1"]), ("a bound", ["2*i >= 1"]),
        ("a bound", [1]), ("a bound", ["i = 1"]), ("a bound", ["_i >= 1"]), ("two bounds", ["i >= 1", "i >= 2"]),
        ("does not come before it", ["i >= j", "j >= 1"]), ("does not come before it", ["i >= i"]), ("a bound", ["1 >= i <= 0"]),
        ("does not come before it", ["i > j > 0", "i >= 1"]), ("expected an expression", ["i >= 1 > 0"]), ("0 or more", "i >= 1"),
        ("0 or more", ["i >= 1"] * 13),
    ):  # fmt: skip
        refused(reason, kernel.read_range, where, Reader())


# ---- facts ----------------------------------------------------------------------------------------------------------

IDENTITY = {"where": [], "left": "a + a*b", "right": "a*(1 + b)"}
SIGN = {
    "where": ["i >= 1", "j >= i + 1"], "expression": "j - i", "relation": ">", "squares": [],
}  # fmt: skip
SUM = {"index": "k", "where": ["k >= 1"], "summand": "2*k", "total": "k*(k + 1)"}
INDUCTION = {"index": "n", "start": 1, "where": [], "left": "Sum(k, (k, 1, n))", "right": "n*(n + 1)/2"}
INTEGRAL = {"where": [], "integrand": "3*v**2 + a", "variable": "v", "low": "0", "high": "i", "value": "i**3 + a*i"}
STEPS = {"identity": IDENTITY, "sign": SIGN, "sum": SUM, "induction": INDUCTION, "integral": INTEGRAL}

LINES = {
    "identity": "a + a*b = a*(1 + b)",
    "sign": "i >= 1, j >= i + 1: j - i > 0",
    "sum": "sum over k >= 1: 2*k = k*(k + 1)",
    "induction": "for n >= 1: Sum(k, (k, 1, n)) = n*(n + 1)/2",
    "integral": "integral over v from 0 to i: 3*v**2 + a = i**3 + a*i",
}


@pytest.mark.parametrize("rule", STEPS)
def test_a_line_is_a_step(rule: str) -> None:
    assert kernel.formula(LINES[rule]) == {"rule": rule, **STEPS[rule]}
    kernel.judge(kernel.formula(LINES[rule]))


def test_a_line_may_begin_with_a_range() -> None:
    assert kernel.formula("a >= 0, 2 > b > f(a, 1): a = b") == {
        "rule": "identity", "where": ["a >= 0", "2 > b > f(a, 1)"], "left": "a", "right": "b"}  # fmt: skip
    assert kernel.formula("a >= 1, sum over k >= a: 1 = k")["where"] == ["a >= 1", "k >= a"]
    assert kernel.formula("a > 1, integral over v from 0 to a: 1/a = 1")["where"] == ["a > 1"]
    assert kernel.formula("for n >= -12: n = n")["start"] == -12
    assert kernel.formula("a >= 0: a >= 0")["relation"] == ">="


def test_a_line_of_no_form_is_refused() -> None:
    for line in (
        "", "a", "a =", "= a", "a > 0", "a >= 1: a", "a >= 1: a > 1", "a >= 1: a < 0", "sum over k: k = k", "a: b: a = b", "a = b = c",
        "for n: n = n", "for n >= m: n = n", "for n >= +1: n = n", "a >= n, for n >= 1: n = n", "integral over v from 0: v = 1",
        "integral over v: v = 1", "sum over k >= 1: k > 0", "a >= 1, a + 1: a = a", "a <= 1: a = a", "k >= 1\n: k = k", "a > 0 = 0",
    ):  # fmt: skip
        refused(".", lambda line=line: kernel.judge(kernel.formula(line)))


def test_a_line_uses_definitions() -> None:
    own = {"f": Definition(("x",), variable("x") + 1)}
    for line in (
        "f(a) = a + 1", "a >= f(1): f(a) - 2 > 0", "sum over k >= 1: f(k) = k*(k + 3)/2", "for n >= 0: f(n) = 1 + n",
        "integral over v from f(0) to f(i): f(v) - 1 = i + i**2/2",
    ):  # fmt: skip
        kernel.judge(kernel.formula(line), own)
        refused(".", kernel.judge, kernel.formula(line.replace("f(", "g(")), own)
        refused(".", kernel.judge, kernel.formula(line), {"f": Definition(("x",), variable("x") - 1)})


# ---- steps ----------------------------------------------------------------------------------------------------------


def changed(rule: str, **fields: Any) -> tuple[Callable[..., None], dict[str, Any]]:
    """The judge, and a step with other fields."""
    return kernel.judge, {"rule": rule, **STEPS[rule], **fields}


SQUARE = {"where": ["i >= 0"], "expression": "(i - 2)**2", "relation": ">=", "squares": ["i - 2"]}


def test_false_steps_are_refused() -> None:
    """Each rule, where its conclusion is false or its reason is missing."""
    for rule, fields, reason in (
        ("identity", {"right": "a*(1 - b)"}, "the two sides differ"),
        ("identity", {"left": "f(a)", "right": "f(a)"}, "not defined"),
        ("identity", {"left": "Sum(k, (k, 1, a))"}, "outside an induction"),
        ("identity", {"more": "1"}, "unknown field"),
        ("sign", {"relation": "<"}, "must be > or >="),
        ("sign", {"relation": "="}, "must be > or >="),
        ("identity", {"left": "a/(b - 3)", "right": "a/(b - 3)"}, "b - 3 may be 0"),
        ("identity", {"left": "1/a + 1/(b - 3)", "right": "1/(b - 3) + 1/a"}, "b - 3 may be 0"),
        ("identity", {"left": "a/(b - 1)", "right": "a/(b - 1)"}, "b - 1 may be 0"),
        ("identity", {"left": "a/b", "right": "a/b", "where": ["b >= 0"]}, "b may be 0"),
        ("identity", {"left": "(b - 5)/(b - 5)", "right": "1"}, "b - 5 may be 0"),
        ("identity", {"where": ["b"]}, "expected a bound"),
        ("sign", {"where": []}, "1 or more"),
        ("sign", {"where": ["i >= 1", "j >= i"]}, "it may vanish"),
        ("sign", {"where": ["i >= 1"]}, "a variable has no bound"),
        ("sign", {"where": ["j >= 1"]}, "a variable has no bound"),
        ("sign", {"expression": "i - j"}, "a coefficient is negative"),
        ("sign", {"expression": "0"}, "it may vanish"),
        ("sign", {"expression": "j - i - 1"}, "it may vanish"),
        ("sign", {"expression": "j - i - 2"}, "a coefficient is negative"),
        ("sign", {"expression": "1/(j - i)", "where": ["i >= 1", "j >= i"]}, "j - i may be 0"),
        ("sign", {"expression": "1/(j - i)", "relation": ">=", "where": ["i >= 1", "j >= i"]}, "j - i may be 0"),
        ("sign", {"expression": "1/(j - i - 2)"}, "may be 0"),
        ("sign", {"expression": "-1/(-i + j)"}, "a coefficient is negative"),
        ("sign", {"expression": "(i - 5)/(i - 5)"}, "i - 5 may be 0"),
        ("sign", {"expression": "(i**2 - 1)/(i - 1)"}, "i - 1 may be 0"),
        ("sign", {"expression": "1/(1/(i - 5))**2", "relation": ">="}, "i - 5 may be 0"),
        ("sign", {"expression": "i + 0*(k/k)"}, "a variable has no bound|k: divided by, without a bound"),
        ("sign", {"expression": "i - 1", "where": ["i >= 1"]}, "it may vanish"),
        ("sign", {"expression": "(i - 1)*j", "where": ["i > 1", "j >= 0"]}, "it may vanish"),
        ("sign", {"expression": "1 - i", "where": ["2 > i >= 0"], "relation": ">="}, "a coefficient is negative"),
        ("sign", {"expression": "i", "where": ["1 > i >= 0"]}, "it may vanish"),
        ("sign", {**SQUARE, "squares": []}, "a coefficient is negative"),
        ("sign", {**SQUARE, "squares": ["i - 3"]}, "a coefficient is negative"),
        ("sign", {**SQUARE, "relation": ">"}, "it may vanish"),
        ("sign", {**SQUARE, "expression": "-(i - 2)**2"}, "a coefficient is negative"),
        ("sign", {**SQUARE, "squares": ["i - 2", "k", "0"]}, "a square has a variable"),
        ("sign", {**SQUARE, "expression": "i + k**2", "squares": ["k"]}, "a variable has no bound"),
        ("sign", {**SQUARE, "squares": ["i - 2 + 0/i"]}, "i may be 0"),
        ("sign", {**SQUARE, "squares": ["i - 2", *["0"] * 9]}, "0 or more"),
        ("sign", {**SQUARE, "numerator": []}, "unknown field"),
        ("sum", {"where": []}, "1 or more"),
        ("sum", {"where": ["j >= 1"]}, "the range of its index"),
        ("sum", {"where": ["k >= 1", "j >= 1"]}, "the range of its index"),
        ("sum", {"summand": "1/(k*(k - 1))", "total": "-1/k"}, "may be 0"),
        ("sum", {"summand": "1/(k*(k + 1))", "total": "-1/(k + 1)", "where": ["k >= 0"]}, "may be 0"),
        ("sum", {"summand": "1/((k - 5)*(k - 4))", "total": "-1/(k - 4)"}, "may be 0"),
        ("sum", {"summand": "0", "total": "k/k", "where": ["k >= 1"]}, "k may be 0"),
        ("sum", {"summand": "1/b", "total": "k/b", "where": ["b >= 0", "k >= 1"]}, "b may be 0"),
        ("sum", {"total": "k**2"}, "not the summand"),
        ("sum", {"total": "k*(k - 1)"}, "not the summand"),
        ("sum", {"index": "j", "where": ["j >= 1"]}, "not the summand"),
        ("sum", {"index": "_k"}, "the range of its index"),
        ("induction", {"right": "n**2"}, "the two sides differ at n = 2|the increments"),
        ("induction", {"right": "n*(n + 1)/2 + 1"}, "the two sides differ at n = 1"),
        ("induction", {"left": "n", "right": "n**2"}, "the increments differ"),
        ("induction", {"left": "n", "right": "n**2", "start": 0}, "the increments differ"),
        ("induction", {"start": -51}, "from -50 to 50"),
        ("induction", {"start": 51}, "from -50 to 50"),
        ("induction", {"index": "_n"}, "no name"),
        ("induction", {"left": "Sum(1, (k, 3, n))", "right": "n", "start": 0}, "the two sides differ at n = 1"),
        ("induction", {"left": "Sum(1, (k, 3, n))", "right": "n - 1", "start": 1}, "the two sides differ at n = 2"),
        ("induction", {"left": "Sum(1, (k, 3, n - 2))", "right": "n - 3", "start": 3}, "the two sides differ at n = 4"),
        ("induction", {"left": "Sum(1, (k, 1, n + 2))", "right": "n", "start": 1}, "the two sides differ at n = 1"),
        ("induction", {"left": "Sum(k*n, (k, 1, n))", "right": "n*n*(n + 1)/2"}, "variable of the induction"),
        ("induction", {"left": "Sum(1/(k - 3), (k, 1, n))", "right": "Sum(1/(k - 3), (k, 1, n)) + 0"}, "k - 3 may be 0"),
        ("induction", {"left": "Sum(m/k, (k, 1, n))", "right": "m*Sum(1/(k - 2), (k, 1, n))"}, "k - 2 may be 0"),
        ("induction", {"left": "(n - 3)/(n - 3)", "right": "1"}, "n - 3 may be 0"),
        ("induction", {"left": "Sum(1/((k - 5)*(k - 6)), (k, 1, n))", "right": "-1/5 - 1/(n - 5)"}, "may be 0"),
        ("induction", {"left": "1/(1/(n - 3))", "right": "n - 3"}, "n - 3 may be 0"),
        ("induction", {"left": "a/b*n", "right": "n*a/b"}, "b: divided by, without a bound"),
        ("induction", {"left": "Sum(k, (k, 50, n - 2))", "right": "Sum(k, (k, 50, n - 2))", "start": 0}, "begins too late"),
        ("integral", {"integrand": "1/v", "low": "1", "high": "2", "value": "1"}, "no polynomial"),
        ("integral", {"integrand": "1/(1 + v)", "low": "1", "high": "2", "value": "1"}, "no polynomial"),
        ("integral", {"integrand": "2*v", "high": "v", "value": "v**2"}, "outside the integral"),
        ("integral", {"integrand": "2*v", "low": "v", "high": "0", "value": "-i**2"}, "outside the integral"),
        ("integral", {"integrand": "2*v", "value": "v*i"}, "outside the integral"),
        ("integral", {"value": "i**3 + a*i + 1"}, "another"),
        ("integral", {"low": "1", "high": "0"}, "another"),
        ("integral", {"integrand": "3*v**2", "low": "1", "value": "i**3 + 1"}, "another"),
        ("integral", {"variable": "_v"}, "no name"),
        ("integral", {"integrand": "1/(1/v)", "value": "i**2/2"}, "no polynomial"),
        ("integral", {"integrand": "2*v/i", "value": "i", "where": ["i >= 0"]}, "i may be 0"),
        ("integral", {"integrand": "2*v", "value": "i**2", "where": ["v >= 0"]}, "no polynomial"),
        ("identity", {"left": "i/0", "right": "i/0"}, "0 is 0, and divided by"),
    ):  # fmt: skip
        refused(reason, *changed(rule, **fields))
    refused("there is no such rule", kernel.judge, {"rule": "proved"})
    refused("there is no such rule", kernel.judge, {})


def test_true_steps_are_accepted() -> None:
    """At the edge of each rule: nothing more is asked for than it says."""
    for rule, fields in (
        ("sign", SQUARE),
        ("sign", {**SQUARE, "squares": ["i - 2", *["0"] * 8]}),
        ("sign", {**SQUARE, "expression": "(i - 2)**2 + i**2 + 3", "squares": ["i - 2", "i"], "relation": ">"}),
        ("sign", {**SQUARE, "expression": "0", "squares": []}),
        ("sign", {"where": ["i >= 0", "j >= i"], "relation": ">="}),
        ("sign", {"expression": "(j - i)/(i + 1)"}),
        ("sign", {"expression": "(i - j)/(-i - 1)"}),
        ("sign", {"expression": "1/(j - i)", "where": ["i >= 1", "j > i"]}),
        ("sign", {"expression": "(i**2 - 1)/(i - 1)", "where": ["i > 1"]}),
        ("sign", {"expression": "i*(1 - i)", "where": ["1 > i > 0"]}),
        ("sign", {"expression": "j - i", "where": ["j > 0", "j > i >= 0"]}),
        ("sign", {"expression": "1 - i", "where": ["1 > i >= 0"]}),
        ("sign", {"expression": "i - 1", "where": ["2 > i > 1"]}),
        ("identity", {"left": "(b - 5)**1", "right": "b - 5"}),
        ("identity", {"left": "a/b", "right": "a/b"}),
        ("identity", {"left": "1/(b - 1)", "right": "1/(b - 1)", "where": ["b > 1"]}),
        ("sum", {"summand": "1/(k*(k + 1))", "total": "-1/(k + 1)"}),
        ("sum", {"summand": "a", "total": "a*k + b"}),
        ("sum", {"summand": "1/(k*(k - 1))", "total": "-1/k", "where": ["k >= 2"]}),
        ("sum", {"summand": "1/b", "total": "k/b", "where": ["b >= 1", "k >= b"]}),
        ("induction", {"start": 0}),
        ("induction", {"left": "Sum(1, (k, -3, n))", "right": "n + 4", "start": -4}),
        ("induction", {"start": 50}),
        ("induction", {"left": "Sum(1, (k, 3, n))", "right": "n - 2", "start": 2}),
        ("induction", {"left": "Sum(1, (k, 3, n + 1))", "right": "n - 1", "start": 1}),
        ("induction", {"left": "Sum(1, (k, 3, n - 1))", "right": "n - 3", "start": 3}),
        ("induction", {"left": "Sum(k, (k, 50, n - 1))", "right": "Sum(k, (k, 50, n - 1))", "start": 0}),
        ("induction", {"left": "Sum(k, (k, 1, n + 2))", "right": "(n + 2)*(n + 3)/2"}),
        ("induction", {"left": "Sum(k, (k, 1, n - 2))", "right": "(n - 2)*(n - 1)/2", "start": 2}),
        ("induction", {"left": "Sum(m*k, (k, 1, n))", "right": "m*n*(n + 1)/2"}),
        ("induction", {"left": "Sum(1/(k*(k + 1)), (k, 1, n))", "right": "n/(n + 1)"}),
        ("integral", {}),
        ("integral", {"integrand": "2*v/(a + 1)", "low": "1", "value": "(i**2 - 1)/(a + 1)"}),
        ("integral", {"integrand": "5", "low": "b", "high": "c", "value": "5*(c - b)"}),
    ):  # fmt: skip
        function, data = changed(rule, **fields)
        function(data)
