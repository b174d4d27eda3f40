"""One way to write a formula: the same value everywhere, and disguises recognised."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion import at_integer

from crtools.errors import InputError
from crtools.expressions import evaluate, parse
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.papers.adaptive.evidence.reading import exact_value
from crtools.proof.symbols import i, j, s, u

FROM_ONE = integers_from(u=1)


def plainly(text: str) -> Any:
    return formula_on("x", text, {"u": u}, FROM_ONE)[1]


HARMONIC = [
    "harmonic(u)", "sum(1/(u+1-i), i, 1, u)", "harmonic(2*u) - sum(1/(u+k), k, 1, u)", "sum(1/(2*u-i), i, u, 2*u-1)",
    "sum(1/i, i, 1, 3*u) - sum(1/i, i, u+1, 3*u)", "2*harmonic(u) - sum(1/(u-i), i, 0, u-1)", "sqrt(harmonic(u)**2)",
    "max(harmonic(u), 0)", "harmonic(u)*log(4)/(2*log(2))", "harmonic(u)*sqrt(3+2*sqrt(2))/(1+sqrt(2))",
    "harmonic(u) + harmonic(2*u) - sum(1/k, k, 1, 2*u)",
]  # fmt: skip


@pytest.mark.parametrize("text", HARMONIC)
def test_disguises_of_one_sum_differ_by_no_increment(text: str) -> None:
    difference = plainly(text) - plainly("harmonic(u)")
    assert all(at_integer(difference, u, size) == 0 for size in range(1, 8))
    assert all(sum_.limits[0][1].is_Integer and (sum_.limits[0][2] - u).is_Integer for sum_ in difference.atoms(sp.Sum))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("sqrt(((s+i)/(s+j))**2)", (s + i) / (s + j)), ("max(i, 1/j)", i), ("min(j, i)", i), ("max(i - j, 0)", sp.S.Zero),
        ("i + log(j) - log(j)", i), ("harmonic(i) - sum(1/k, k, 1, i)", sp.S.Zero), ("sqrt((i-j)**2)", j - i),
        ("max(s, 1)", sp.Max(1, s)), ("sqrt(2)*sqrt(8)*i", 4 * i),
    ],
)  # fmt: skip
def test_signs_that_the_range_decides(text: str, written: Any) -> None:
    _, found = formula_on("x", text, {"s": s, "i": i, "j": j}, integers_from(s=0, i=1, j="i"))
    assert sp.simplify(found - written) == 0
    assert not found.has(sp.Abs)


TERMS = st.sampled_from(["1/i", "i", "1/(i+u)", "1/(2*u-i+30)", "1/(2*i+1)", "i*u", "1/(i+3)", "1/(u+30-i)", "i**2"])
ENDS = st.builds(lambda a, b: f"{a}*u+{b}", st.integers(0, 4), st.integers(1, 6))


@settings(max_examples=60, deadline=None)
@given(TERMS, ENDS, ENDS)
def test_every_sum_keeps_its_value(term: str, low: str, high: str) -> None:
    """Also where its range is empty, or inverted from some u on."""
    text = f"sum({term}, i, {low}, {high})"
    try:
        found, tree = plainly(text), parse("x", text, ["u"])
    except InputError:  # undefined, or not shown to be defined, for some u
        return
    for size in range(1, 7):
        assert Fraction(str(at_integer(found, u, size))) == evaluate(tree, {"u": size})


@pytest.mark.parametrize("text", ["sum(1/(i-3), i, 2*u+2, 2*u+2)", "sum(1/(2*i-9), i, u+5, 2*u+5)", "sum(i, i, u, 1)"])
def test_no_pole_and_no_inverted_range_is_brought_in(text: str) -> None:
    found, tree = plainly(text), parse("x", text, ["u"])
    assert [Fraction(str(at_integer(found, u, k))) for k in range(1, 6)] == [
        evaluate(tree, {"u": k}) for k in range(1, 6)
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [("sqrt((k/(k+1))**2)", Fraction(2, 3)), ("k*log(4)/(2*log(2))", 2), ("k + log(k) - log(k)", 2), ("1/(k-2)", None)],
)
def test_an_exact_value_in_disguise(text: str, value: Fraction | None) -> None:
    assert exact_value(parse("x", text, ["k"]), {"k": 2}) == value


def test_what_is_not_rational_is_compared_with_its_exact_value() -> None:
    value = exact_value(parse("x", "log(k)", ["k"]), {"k": 2})
    assert value is not None and Fraction(693147, 10**6) < value < Fraction(693148, 10**6)
