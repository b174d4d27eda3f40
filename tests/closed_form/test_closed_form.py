"""Closed forms of sums with poles against the sums themselves, term by term, and what is outside the algebra."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.sums import ClosedForm, Field, NotClosed, Summand, quadratic_value

PLAIN = Field.of()
k = PLAIN.k
LAST = 140
"""The bases are at most 1/2: what is beyond this length is below 10⁻³⁸."""

Entry = Callable[[Any, Any, Any], Any]


def summand(terms: dict[Any, Any], poles: dict[int, int] | None = None) -> Summand:
    return Summand(PLAIN, {QQ(*rho): PLAIN.ring(p) for rho, p in terms.items()}, poles)


def weight(law: Summand, at: int) -> Any:
    top = sum(mpmath.mpf(int(p.evaluate(0, at))) * mpmath.mpf(int(r.numerator)) ** at / mpmath.mpf(int(r.denominator)) ** at
              for r, p in law.terms.items())  # fmt: skip
    for c, m in law.poles.items():
        top /= mpmath.mpf(at + c) ** m
    return top


def close(own: ClosedForm, direct: Any) -> bool:
    return bool(abs(mpmath.mpmathify(sp.N(own.expr(), 40)) - direct) < mpmath.mpf(10) ** -30)


POLES: list[dict[int, int]] = [
    {}, {0: 1}, {0: 2}, {3: 1}, {3: 3}, {0: 1, 1: 1}, {0: 2, 2: 1}, {0: 1, 2: 2}, {1: 3, 4: 2}, {0: 1, 1: 1, 2: 1}, {0: 2, 1: 2, 5: 1},
]  # fmt: skip


@pytest.mark.parametrize("poles", POLES, ids=str)
@pytest.mark.parametrize("terms", [{(1, 2): 1}, {(1, 3): k**3 - 7, (1, 2): 2 * k + 5}], ids=["one base", "two bases"])
def test_complete_sums_with_any_poles(terms: dict[Any, Any], poles: dict[int, int]) -> None:
    own = summand(terms, poles)
    with mpmath.workdps(50):
        assert close(own.complete_sum(), sum(weight(own, at) for at in range(1, LAST)))


LAWS = {
    "geometric": summand({(1, 2): 1}),
    "polynomial": summand({(1, 2): k**2 + 3, (1, 4): k}),
    "log-series": summand({(1, 2): 1}, {0: 1}),
    "two log-series": summand({(1, 2): 1, (1, 3): 2}, {0: 1}),
    "squared pole": summand({(1, 2): 1}, {0: 2}),
    "poles 0 and 1": summand({(2, 5): 1}, {0: 1, 1: 1}),
}
ENTRIES: dict[str, Entry] = {
    "products": lambda i, j, s: i * j,
    "a-min": lambda i, j, s: i * (2 * j - i + 2 * s) / (j + s) + i * i / (2 * j + 2 * s),
    "volume": lambda i, j, s: i * i + s * i * j,
    "a constant": lambda i, j, s: sp.Integer(3),
    "the larger": lambda i, j, s: j + s,
    "the larger, squared": lambda i, j, s: j * (j + 1),
    "over the larger": lambda i, j, s: 1 / (j + s + 1),
}
OPEN = {
    "log-series": {"over the larger"},
    "two log-series": {"over the larger"},
    "squared pole": {"a-min", "the larger", "the larger, squared", "over the larger"},
    "poles 0 and 1": {"a-min", "volume", "the larger", "the larger, squared", "over the larger"},
}
"""Where both sides of a nested sum have a pole and are not multiples of each other."""


@pytest.mark.one_in(9)
@pytest.mark.parametrize("s", [3, *(pytest.param(s, marks=pytest.mark.exhaustive) for s in (0, 1))])
@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("law", LAWS)
def test_a_form_at_a_law_is_its_double_sum_or_not_closed(law: str, entry: str, s: int) -> None:
    formula = ENTRIES[entry]
    if entry in OPEN.get(law, ()):
        with pytest.raises(NotClosed):
            quadratic_value(PLAIN, LAWS[law], formula, s)
        return
    own = quadratic_value(PLAIN, LAWS[law], formula, s)
    i, j = sp.symbols("i j")
    number: Any = sp.lambdify((i, j), formula(i, j, sp.Integer(s)), "mpmath")
    with mpmath.workdps(50):
        x = [weight(LAWS[law], at) for at in range(1, LAST)]
        direct = sum(
            (1 if a == b else 2) * number(mpmath.mpf(a), mpmath.mpf(b)) * x[a - 1] * x[b - 1]
            for b in range(1, LAST)
            for a in range(1, b + 1)
        )
        assert close(own, direct)


@pytest.mark.parametrize(
    ("base", "arguments"),
    [
        ("q", {"1 - q"}),
        ("q**2", {"1 - q", "1 + q"}),
        ("q**3", {"1 - q", "1 + q + q**2"}),
        ("2*q - q**2", {"1 - q"}),
        ("1 - q**2", {"q"}),
        ("1 - q*(1 + q)/2", {"q", "1 + q", "2"}),
    ],
)
def test_logarithms_are_split_into_those_of_positive_factors(base: str, arguments: set[str]) -> None:
    q = sp.Symbol("q", positive=True)
    field = Field.of(q)
    rho = field.domain.from_sympy(sp.sympify(base, {"q": q}))
    shown = ClosedForm(field, field.domain.zero, {(1, rho): field.domain.one}).expr()
    assert {log.args[0] for log in sp.expand(shown).atoms(sp.log)} == {sp.sympify(text, {"q": q}) for text in arguments}
    for place in (sp.Rational(1, 100), sp.Rational(1, 2), sp.Rational(99, 100)):
        gap = shown.subs(q, place) + sp.log(1 - sp.sympify(base, {"q": place}))
        assert abs(sp.N(gap, 30)) < sp.Float("1e-25")
