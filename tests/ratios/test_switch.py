"""Where two ratios cross: the pieces against both ratios by another route, and corrupted ones caught by it."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy as sp
from commands import crt
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Form, InputError, Switch, derive, form, ratio, switch
from crtools.ratios.switch import Crossing, Piece, nowhere_larger

CASES = {  # the law with its parameter open, and at a number
    "two-point(l=1, u=10, weight)": "two-point(1, 10, {})",
    "linear-geometric(q)": "linear-geometric(q={})",
    "geometric(q)": "geometric(q={})",
    "pmf(k*(1-x)**k)": "pmf(k*(1-x)**k, x={})",
    "pmf((k+a)*q**k, q=1/2)": "pmf((k+a)*q**k, q=1/2, a={})",
    "mix(w*linear-geometric(q=1/5)+(1-w)*linear-geometric(q=4/5))": "mix({0}*LG(q=1/5)+(1-{0})*LG(q=4/5))",
}
PAIRS = [
    ("a-ell", "a-min", "two-point(l=1, u=10, weight)", 0, 1), ("a-ell", "a-min", "two-point(l=1, u=10, weight)", 7, 1),
    ("a-min", "a-random-area", "linear-geometric(q)", 0, 1), ("a-min", "a-random-area", "linear-geometric(q)", 1, 1),
    ("a-restart", "a-min", "two-point(l=1, u=10, weight)", 2, 1),
    ("a-min", "h-sf", "geometric(q)", 0, 0), ("a-random-area", "a-min", "pmf(k*(1-x)**k)", 1, 1),
    ("a-min", "a-random-area", "pmf((k+a)*q**k, q=1/2)", 0, 1),
    ("a-min", "a-random-area", "mix(w*linear-geometric(q=1/5)+(1-w)*linear-geometric(q=4/5))", 1, 1),
]  # fmt: skip
NEAR = Fraction(1, 10**5)


@pytest.fixture(scope="module")
def found() -> list[Switch]:
    return [switch(*pair[:4]) for pair in PAIRS]


def place(end: Any, side: int) -> Fraction:
    """A rational point near an end of a piece, inside it: ``side`` 1 above the end, −1 below."""
    if isinstance(end, Crossing):
        return (end.place.upper if side == 1 else end.place.lower) + side * NEAR
    return Fraction(-side * 50) if end.is_infinite else Fraction(int(end.p), int(end.q)) + Fraction(side, 50)


@cache
def better(own: Switch, at: Fraction) -> str | None:
    """The form with the smaller ratio to H-SF at a number: exact fractions, or sums of so many terms."""
    law = CASES[own.distribution.spec().replace(" - ", "-")].format(at)
    one, other = (ratio(f, law, own.s) for f in (own.first, own.second))
    if isinstance(one.exact, Fraction) and isinstance(other.exact, Fraction):
        gap = one.exact - other.exact
        return None if gap == 0 else (own.second if gap > 0 else own.first).name
    low, high = one.direct(15), other.direct(15)
    assert low.upper < high.lower or high.upper < low.lower
    return (own.first if low.upper < high.lower else own.second).name


def disagrees(own: Switch) -> list[Piece]:
    """The pieces with another form better near one of their ends, or that are equal beside where they say so."""
    wrong: list[Piece] = []
    for piece in own.pieces:
        if piece.low is piece.high or piece.low == piece.high:
            continue
        low, high = place(piece.low, 1), place(piece.high, -1)
        points = (low, (low + high) / 2, high)
        wrong += [piece] if any(better(own, point) != piece.better for point in points) else []
    return wrong


@pytest.mark.exhaustive  # takes seconds
def test_both_ratios_on_both_sides_of_every_crossing(found: list[Switch]) -> None:
    for own, (*_, crossings) in zip(found, PAIRS, strict=True):
        assert len(own.crossings) == crossings, own
        assert own.status in ("proved", "certified")
        assert disagrees(own) == []
        ends = [(piece.low, piece.high) for piece in own.pieces]
        assert (ends[0][0], ends[-1][1]) == own.range.ends
        assert all(before[1] == after[0] for before, after in itertools.pairwise(ends))


@pytest.mark.exhaustive  # takes seconds
def test_a_corrupted_crossing_and_a_swapped_side_are_caught(found: list[Switch]) -> None:
    for own, shift in ((found[0], Fraction(1, 1000)), (found[1], Fraction(-1, 1000)), (found[3], Fraction(1, 1000))):
        [crossing] = own.crossings
        moved = replace(
            crossing, place=type(crossing.place)(crossing.place.lower + shift, crossing.place.upper + shift)
        )
        pieces = own.pieces
        try:
            own.pieces = [
                replace(p, low=moved if p.low is crossing else p.low, high=moved if p.high is crossing else p.high)
                for p in pieces
            ]
            assert len(disagrees(own)) == 1
            own.pieces = [replace(p, better=own.first.name) for p in pieces]
            assert disagrees(own)
        finally:
            own.pieces = pieces


@pytest.mark.exhaustive  # takes seconds
def test_known_crossings(found: list[Switch]) -> None:
    q = sp.Symbol("q", positive=True)
    [first] = found[0].crossings
    assert (first.exact, str(first)) == (sp.Rational(20, 109), "20/109")
    assert [(str(p), p.better) for p in found[0].pieces] == [
        ("0 <= weight < 20/109", "a-min"), ("weight = 20/109", None), ("20/109 < weight < 1", "a-ell"), ("weight = 1", None)
    ]  # fmt: skip
    [second] = found[2].crossings
    assert second.polynomial.as_expr() == q**3 + q**2 + q - 1
    assert [str(p) for p in found[2].pieces] == ["0 < q < q1", "q = q1", "q1 < q < 1"]
    [up], [down] = found[3].crossings, found[6].crossings  # one law in q and in x = 1 − q
    assert max(up.place.lower, 1 - down.place.upper) <= min(up.place.upper, 1 - down.place.lower)
    assert found[5].throughout == "h-sf"
    assert found[0].throughout is None


def entries(a: int, b: int, c: int) -> Form:
    return Form.from_entry(lambda i, j, s: a * i * i + b * i * j + c * j * j + s + 50, "own")


@settings(max_examples=12, deadline=None)
@given(st.tuples(*[st.integers(0, 9)] * 3), st.tuples(*[st.integers(0, 9)] * 3), st.integers(2, 9), st.integers(0, 3))
def test_any_two_forms_on_two_lengths(one: Any, other: Any, u: int, s: int) -> None:
    first, second = replace(entries(*one), name="first"), replace(entries(*other), name="second")
    own = switch(first, second, f"two-point(1, {u}, weight)", s)
    assert own.status == "proved"

    def at(f: Form, w: Fraction) -> Fraction:
        return f.entry(1, 1, s) * w * w + 2 * f.entry(1, u, s) * w * (1 - w) + f.entry(u, u, s) * (1 - w) ** 2

    points = [Fraction(k, 30) for k in range(31)]
    for crossing in own.crossings:
        assert at(first, crossing.place.lower) - at(second, crossing.place.lower) == pytest.approx(0, abs=1e-9)
        points += [crossing.place.lower - NEAR, crossing.place.upper + NEAR]
    for w in points:
        if not 0 <= w <= 1 or any(abs(w - c.place.lower) < NEAR for c in own.crossings):
            continue
        [piece] = [p for p in own.pieces if _has(p, w)]
        gap = at(first, w) - at(second, w)
        assert piece.better == (None if gap == 0 else "second" if gap > 0 else "first")


def _has(piece: Piece, w: Fraction) -> bool:
    low, high = (
        end.place.lower if isinstance(end, Crossing) else Fraction(int(end.p), int(end.q))
        for end in (piece.low, piece.high)
    )
    return (low < w or (piece.low_in and low == w)) and (w < high or (piece.high_in and w == high))


def test_curves_that_touch_do_not_cross() -> None:
    base = Form.from_entry(lambda i, j, s: 9 + i + j, "base")
    more = Form.from_entry(lambda i, j, s: 10 + i + j - 2 * (i - j) ** 2, "more")  # + (x_1 − x_2)²
    own = switch(more, base, "two-point(1, 2, weight)")
    assert [piece.better for piece in own.pieces] == ["base", None, "base"]
    assert (own.throughout, own.crossings[0].exact) == ("base", sp.Rational(1, 2))


def test_square_roots_are_told_exactly() -> None:
    one = Form.from_entry(lambda i, j, s: i + j + 1, "one")
    two = Form.from_entry(lambda i, j, s: 2 * i * j, "two")
    [crossing] = switch(one, two, "two-point(1, 2, weight)").crossings
    low, high = crossing.place.lower, crossing.place.upper
    assert not crossing.exact.is_Rational
    assert sp.Rational(low) < crossing.exact < sp.Rational(high)
    assert crossing.polynomial.eval(crossing.exact).expand() == 0


@pytest.mark.one_in(9)
@pytest.mark.parametrize(
    ("law", "pair", "s"),
    [
        ("two-point(1, u, 1/3)", ("a-ell", "a-min"), 1), ("two-point(l, 12, 1/5)", ("a-ell", "a-min"), 1),
        ("uniform(l=2, u)", ("a-min", "a-random-area"), 0), ("uniform(l=1, u)", ("a-min", "a-random-area"), 2),
    ],
)  # fmt: skip
def test_integers_one_by_one(law: str, pair: tuple[str, str], s: int) -> None:
    own = switch(*pair, law, s)
    assert own.status in ("proved", "certified")
    for n in range(1, 14):
        if n not in own.range:
            continue
        pieces = [p for p in own.pieces if p.low <= n <= p.high]
        one, other = (ratio(f, _at(law, own.range.name, n), s).exact for f in pair)
        assert len(pieces) == 1
        assert pieces[0].better == (None if one == other else pair[one > other])


def _at(law: str, name: str, n: int) -> str:
    head, body = law.split("(")
    return f"{head}({', '.join(str(n) if part == name else part for part in body[:-1].split(', '))})"


def test_where_there_is_no_closed_form_entries_may_decide() -> None:
    own = switch("a-min", "a-random", "poisson(mean)")
    assert (own.throughout, own.status, own.pieces[0].strict) == ("a-min", "proved", False)
    assert nowhere_larger(form("a-min"), form("a-random"), 3)
    assert not nowhere_larger(form("a-random"), form("a-min"), 3)
    assert not nowhere_larger(form("a-min"), form("a-random-area"), 3)


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("law", "last"), [("poisson(mean)", "100"), ("pmf(q**k/k**3)", "15/16")])
def test_without_a_closed_form_a_part_of_the_range_is_certified_by_sums(law: str, last: str) -> None:
    own = switch("a-min", "a-random-area", law, 1)
    assert (own.status, own.throughout, str(own.pieces[-1].high)) == ("inconclusive", None, last)
    assert own.reason.startswith(f"certified up to {last}, nothing is known beyond: no closed form")
    for piece in own.pieces:
        if piece.better is not None:
            low, high = (
                end.place.middle if isinstance(end, Crossing) else float(end) for end in (piece.low, piece.high)
            )
            for part in (0.02, 0.5, 0.98):
                value = f"{low + part * (high - low):.6f}"
                at = f"poisson(mean={value})" if "mean" in law else f"pmf(q**k/k**3, q={value})"
                one, other = (ratio(f, at, 1).direct(12) for f in ("a-min", "a-random-area"))
                smaller = "a-min" if one.upper < other.lower else "a-random-area" if other.upper < one.lower else None
                assert smaller == piece.better


@pytest.mark.exhaustive  # takes seconds
def test_forms_that_nearly_agree_are_told_apart_by_entries_or_not_at_all() -> None:
    a_min = form("a-min").formula
    hair = Form.from_entry(lambda i, j, s: a_min(i, j, s) * (1 + Fraction(1, 10**30)), "hair")
    above = switch(hair, "a-min", "geometric(q)")
    assert (above.throughout, above.status) == ("a-min", "proved")
    mixed = Form.from_entry(lambda i, j, s: a_min(i, j, s) + (j - 2 * i) / (s + j) / 10**30, "mixed")
    unknown = switch(mixed, "a-min", "geometric(q)")
    assert (unknown.throughout, unknown.pieces, unknown.status) == (None, [], "inconclusive")


def test_forms_that_are_equal() -> None:
    own = switch("a-random-area", "a-min-literal-area", "geometric(q)")
    assert [(str(p), p.better) for p in own.pieces] == [("0 < q < 1", None)]
    assert (own.status, own.throughout) == ("proved", None)


def test_integers_of_a_range_with_an_end_are_looked_at_one_by_one() -> None:
    own = switch("a-min", "a-max", "uniform(l, u=50)")
    assert [(str(p), p.better) for p in own.pieces] == [("1 <= l <= 49", "a-min"), ("l = 50", None)]
    assert (own.status, own.method) == ("certified", "signs in balls at every integer")


def test_laws_without_one_parameter_are_refused() -> None:
    for law in ("geometric(q=1/2)", "two-point(q)", "negative-binomial(r=2, q=1/2)"):
        with pytest.raises(InputError, match="must have one free parameter"):
            switch("a-min", "h-sf", law)
    with pytest.raises(InputError, match="two lengths only"):
        switch("a-ell", "a-min", "geometric(q)")


def test_the_command() -> None:
    done = crt("switch", "a-min", "a-random-area", "LG(q)", "--json")
    told = json.loads(done.stdout)
    assert [piece["better"] for piece in told["pieces"]] == ["a-min", None, "a-random-area"]
    assert [(c["name"], c["polynomial"]) for c in told["crossings"]] == [("q1", "q**3 + q**2 + q - 1")]
    lines = crt("switch", "a-ell", "a-min", "two-point(1, 10, weight)").stdout.splitlines()
    assert "  20/109 < weight < 1   a-ell is better" in lines
    plain = crt("switch", "a-min", "h-sf", "geometric(q)").stdout
    assert "h-sf is better throughout: 0 < q < 1" in plain
    assert all(len(line) <= 80 for line in (*lines, *plain.splitlines()))


def test_a_letter_for_s_is_the_parameter_where_the_distribution_has_none() -> None:
    found = switch("a-max", "a-min", "uniform(1,20)", s="s")
    assert (found.status, found.throughout, str(found.range)) == ("proved", "a-min", "0 <= s, integer")
    ratios = [
        (ratio("a-max", "uniform(1,20)", s).value, ratio("a-min", "uniform(1,20)", s).value) for s in (0, 7, 10**5)
    ]
    assert all(one > other for one, other in ratios)
    with pytest.raises(InputError, match=r"must have one free parameter .* \(has q, s\)"):
        switch("a-min", "h-sf", "geometric(q)", s="s")


def test_one_form_may_be_given_u_and_its_place_does_not_matter() -> None:
    one = switch("a-max", "volume", "geometric(q)", u="3/(1-q)")
    other = switch("volume", "a-max", "geometric(q)", u="3/(1-q)")
    assert one.throughout == other.throughout == "volume" and one.status == "proved"
    found = switch("a-max", "a-min", "geometric(q)", u="2/(1-q)")  # with a logarithm, by balls on a part of the range
    assert [piece.better for piece in found.pieces] == ["a-min"] and "1/16 <= q <= 15/16" in found.reason
    crossing = switch("a-max", "a-min", "geometric(q)", u="(9/10)/(1-q)")
    [place] = crossing.crossings
    at = derive("a-max", "geometric(q)", u="(9/10)/(1-q)", against="a-min").enclosure(place.place.lower, 12)
    assert abs(at.middle - 1) < 1e-9
    for forms, law, words in (
        (("a-max", "a-restart"), "geometric(q)", "applies to one form, but both"),
        (("a-min", "h-sf"), "geometric(q)", "is for a form that depends on the interval's ends"),
        (("a-max", "a-min"), "geometric(q)", "must have one free parameter"),
    ):
        with pytest.raises(InputError, match=words):
            switch(*forms, law, u="c/(1-q)")
