"""Forms of one's own that know the ends of the interval; and why a form has no closed form, said only where it is so."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from crtools import Form, InputError, Setting, derive, form, ratio, worst_case

SLOTS = Form.from_entry(lambda i, j, s, l, u: (s + u) * (i + j) / 2, name="slots")


def entry(i: Any, j: Any, s: Any, l: Any, u: Any) -> Any:
    return (s + u) * (i + j) / 2 + l


def test_it_is_a_max_where_it_says_so() -> None:
    a_max = form("a-max")
    for l, u, s in ((1, 6, 0), (2, 9, 3)):
        setting = Setting(s, l, u)
        assert (SLOTS.on(setting).matrix() == a_max.on(setting).matrix()).all()
        assert worst_case(SLOTS, l=l, u=u, s=s).value == pytest.approx(worst_case("a-max", l=l, u=u, s=s).value)
    assert ratio(SLOTS, "uniform(1, 20)").exact == ratio("a-max", "uniform(1, 20)").exact == sp.Rational(1200, 421)
    for law in ("uniform(1, u)", "two-point(l, u, w)", "two-point(2, 8, w)"):
        assert sp.simplify(derive(law, SLOTS).ratio - derive(law, "a-max").ratio) == 0
    other = Form.from_entry(entry)
    assert other.on(Setting(0, 2, 4)).entry(2, 3) == Fraction(4 * 5, 2) + 2
    assert pickle.loads(pickle.dumps(other)).on(Setting(0, 2, 4)).entry(2, 3) == 12
    assert sp.simplify(derive("two-point(2, 8, w)", other).ratio - derive("two-point(2, 8, w)", "a-max").ratio) != 0


@pytest.mark.parametrize(
    ("own", "law", "says"),
    [
        (SLOTS, "geometric(q)", "needs a law of finite support"),
        (Form.from_entry(lambda i, j, s: (s + sp.Symbol("c")) * (i + j)), "geometric(q)", r"symbols of its own \(c\)"),
        (Form.from_entry(lambda i, j, s: i if i > 2 else j), "geometric(q)", "it branches on i, j or s"),
        (Form.from_entry(lambda i, j, s: i / (j - j)), "geometric(q)", r"its entry raised ZeroDivisionError: .* \(test_ends.py, line"),
        (Form.from_entry(lambda i, j, s, l, u: i if u > 2 * l else j), "two-point(l, u, w)", "numbers for the ends"),
    ],
)  # fmt: skip
def test_what_has_no_closed_form_is_told_why(own: Form, law: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        derive(law, own)
    assert ("branches" in str(caught.value)) == ("branches" in says or "numbers" in says)


def test_without_ends_it_is_nothing() -> None:
    with pytest.raises(InputError, match="needs the interval's ends l and u"):
        SLOTS.entry(1, 2, 0)
