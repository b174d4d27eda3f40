"""The supremum over one parameter with the others symbolic: against the literature's formula, a grid and wrong roots."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from crtools import Form, derive
from crtools.errors import InputError, NotCertified
from crtools.ratios import one_parameter_supremum
from crtools.ratios.one_parameter_supremum import SupremumOver

l, u, s = sp.symbols("l u s", positive=True)
SLOTS = Form.from_entry(lambda i, j, s, l, u: (s + u) * (i + j) / 2, "slots")


def over(law: str, form: Any, name: str = "w", **more: Any) -> SupremumOver:
    return derive(law, form, **more).supremum(over=name)


def test_two_points_of_fixed_slots() -> None:
    found = over("two-point(l, u, w)", SLOTS)
    alpha = sp.Symbol("alpha", positive=True)
    assert sp.simplify(found.alternative - (1 + sp.sqrt(2 / (1 + alpha))) / (2 * alpha)) == 0
    assert found.attained
    assert found.status == "proved"
    ratio = derive("two-point(l, u, w)", SLOTS).ratio
    put = {l: 2, u: 7}
    there = ratio.xreplace({**put, sp.Symbol("w", positive=True): found.at.xreplace(put)})
    assert sp.simplify(there - found.value.xreplace(put)) == 0


@pytest.mark.one_in(9)
@pytest.mark.parametrize("form", ["a-min", "a-random", "largest-first", "volume"])
@pytest.mark.parametrize("size", [0, 3])
def test_no_weight_on_a_grid_is_above(form: str, size: int) -> None:
    found, ratio = over("two-point(l, u, w)", form, s=size), derive("two-point(l, u, w)", form, s=size).ratio
    w = sp.Symbol("w", positive=True)
    for ends in ({l: 1, u: 2}, {l: 3, u: 4}, {l: 2, u: 31}):
        top = sp.N(found.value.xreplace(ends), 30)
        grid = [ratio.xreplace({**ends, w: sp.Rational(n, 60)}) for n in range(61)]
        assert max(grid) <= top + sp.Float("1e-25")
        assert top <= max(grid) * sp.Rational(101, 100)


@pytest.mark.exhaustive  # takes seconds
def test_every_prompt_size_at_once() -> None:
    every = over("two-point(l, u, w)", "a-random", s="s")
    for size in (1, 4):
        one = over("two-point(l, u, w)", "a-random", s=size)
        put = {l: 2, u: 9}
        assert abs(sp.N(every.value.xreplace({**put, s: size}) - one.value.xreplace(put), 20)) < 1e-15


def test_at_an_end() -> None:
    falling = over("two-point(l, u, w)", "h-sf", against="volume")
    assert (sp.simplify(falling.value - 2 * u / (u + 1)), falling.at, falling.attained) == (0, 0, True)
    assert over("two-point(l, u, w)", "volume").at == 1


def test_numbers_alone_agree_with_the_supremum() -> None:
    found, plain = over("two-point(1, 10, w)", SLOTS), derive("two-point(1, 10, w)", SLOTS).supremum()
    assert plain.enclosure.lower <= Fraction(str(sp.N(found.value, 15))) + Fraction(1, 10**12)
    assert abs(float(found.value) - plain.enclosure.middle) < 1e-12


def test_the_check_refuses_a_wrong_root(monkeypatch: pytest.MonkeyPatch) -> None:
    expression = one_parameter_supremum.surd_expression
    monkeypatch.setattr(one_parameter_supremum, "surd_expression", lambda a, b, root: expression(a, -b, root))
    with pytest.raises(AssertionError, match="two suprema differ"):
        over("two-point(l, u, w)", SLOTS)


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match=r"over = x: must be one of l, u, w"):
        over("two-point(l, u, w)", "a-min", "x")
    with pytest.raises(InputError, match="over = q: the ratio has no parameter"):
        over("mix(1/2*geometric(q=1/2)+1/2*uniform(l=1, u=4))", "a-min", "q")
    with pytest.raises(InputError, match="integer length"):
        over("two-point(l, u, w)", "a-min", "l")
    with pytest.raises(NotCertified, match=r"depends on the sign of -2\*l \+ u"):
        over("two-point(l, u, w)", "a-ell")
    with pytest.raises(NotCertified, match="logarithms"):
        over("mix(w*geometric(q)+(1-w)*point(1))", "a-min")


@pytest.mark.parametrize("size", [0, 2, "s"])
def test_an_end_tied_to_the_law(size: Any) -> None:
    q, c = sp.symbols("q c", positive=True)
    found = derive("geometric(q)", SLOTS, s=size, u="c/(1-q)")
    number = sp.Integer(3) if size == "s" else sp.Integer(size)
    at = found.ratio.xreplace({s: number})
    # Σ (s+u)(i+j)/2 = (s+u)/(1−q), over Σ min(s+min): both by hand for the geometric law
    least = (1 + q**2 + number * (1 - q**2)) / ((1 - q) ** 2 * (1 + q) ** 2)
    assert sp.simplify(at - (number + c / (1 - q)) / (1 - q) / least) == 0


def test_the_supremum_with_a_letter_left() -> None:
    c = sp.Symbol("c", positive=True)
    found = derive("geometric(q)", SLOTS, u="c/(1-q)").supremum(over="q")
    assert (found.value, found.at, found.attained) == (2 * c, 1, False)
    assert derive("geometric(q)", SLOTS, u="2/(1-q)").supremum().value == 4


def test_ends_that_cannot_be_told() -> None:
    with pytest.raises(InputError, match="depends on the interval's ends, which a-min does not"):
        derive("geometric(q)", "a-min", u="c/(1-q)")
    with pytest.raises(InputError, match="give it there"):
        derive("two-point(1, u, w)", SLOTS, u="2")
    with pytest.raises(InputError, match="rational function"):
        derive("geometric(q)", SLOTS, u="log(2)/(1-q)")
    divided = Form.from_entry(lambda i, j, s, l, u: (i + j) / (u + i), "divided")
    assert "not shown to be a polynomial in u" in str(derive("geometric(q)", divided, u="c").reason)
