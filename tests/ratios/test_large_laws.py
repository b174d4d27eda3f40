"""Long laws and large values: sums in pieces against plain ones, and what is refused in one line."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import derive, ratio
from crtools.distributions import Distribution, Empirical, distribution
from crtools.distributions.families import Poisson
from crtools.enclosure import ends, precision
from crtools.errors import InputError
from crtools.forms import form
from crtools.ratios import direct_sums as sums
from crtools.ratios.direct_sums import direct_sums

LONG = ["uniform(l=3, u=40)", "zipf(a=2, u=37)", "pmf(max(5-k, 1)/k, u=30)", "geometric(q=3/4)", "poisson(mean=7)",
        "mix(1/3*uniform(l=5, u=20)+2/3*geometric(q=1/2))", "empirical(2:1, 3:5, 17:2, 31:4)", "pmf(1/(k**2+1), u=33)"]  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("spec", LONG)
@pytest.mark.parametrize("piece", [7, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (1, 4, 100))])
def test_sums_in_pieces_are_the_sums_over_all_pairs(spec: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "PIECE", piece)
    law, s = distribution(spec), 3
    last = law.support[1] or 25
    names = ("a-min", "h-sf", "volume", "a-random", "a-random-area", "a-max" if law.finite else "a-min")
    weights = {k: law.weight(k) for k in range(law.support[0], last + 1)}
    with precision(200):
        found, moment = direct_sums(law, [form(name) for name in names], s, last, bounded=False)
        assert _holds(moment, sum(w * (s + k) ** 2 for k, w in weights.items()))
        for name, value in zip(names, found, strict=True):
            own = form(name) if form(name).bind is None else form(name).bind(law.support[0], last)  # type: ignore[misc]
            expected = sum(own.entry(i, j, s) * v * w for i, v in weights.items() for j, w in weights.items())
            assert _holds(value, expected)


def _holds(value: Any, expected: Any) -> bool:
    low, high = ends(value)
    return low <= expected <= high and high - low <= Fraction(1, 10**40) * high


@pytest.mark.parametrize("u", [8191, 8192, 8193, 20_000])
def test_a_long_uniform_law_is_the_closed_sum(u: int) -> None:
    """Σ_{i,j} min(i,j)² = u(u+1)(u²+u+1)/6 at s = 0, and Σ_{i,j} of a-random's entries u · Σ i²."""
    below = Fraction(u * (u + 1) * (u * u + u + 1), 6)
    above = u * Fraction(u * (u + 1) * (2 * u + 1), 6)
    found = ratio("a-random", f"uniform(u={u})")
    assert above / below in found.enclosure(30)
    assert found.status == "certified"
    assert found.value == pytest.approx(float(above / below), rel=1e-15)


@pytest.mark.parametrize("spec", LONG)
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_balls_of_any_stretch_contain_the_weights(spec: str, data: st.DataObject) -> None:
    law = distribution(spec)
    low, high = law.support
    first = data.draw(st.integers(low, (high or 60)))
    last = data.draw(st.integers(first, high or 80))
    with precision(90):
        for k, w in enumerate(law.ball_weights(first, last), start=first):
            a, b = ends(w)
            assert a <= law.weight(k) <= b and b - a <= Fraction(1, 10**20) * max(b, 1)


def test_a_negative_weight_far_out_is_found() -> None:
    with pytest.raises(InputError, match="weights ≥ 0, not -1 at k = 901"):
        ratio("a-min", "pmf(900-k, u=1000)").enclosure(8)


@given(st.fractions(Fraction(1, 9), 40, max_denominator=9), st.integers(1, 60), st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_the_poisson_tail_is_bounded_everywhere(mean: Fraction, k: int, s: int) -> None:
    law = Poisson(mean)
    rest = sum((s + j) ** 2 * float(mean) ** j / math.factorial(j) for j in range(k + 1, 165))
    assert float(law.tail_moment_bound(k, s)) >= rest * (1 - 1e-12)
    assert law.least_total <= Fraction(math.exp(mean))


def test_a_large_poisson_mean() -> None:
    """For large means the ratio tends to 1 like 1 + E|X−Y|/(2λ) = 1 + 1/√(πλ)/… : compared with the law's own moments."""
    found = ratio("a-min", "poisson(10000)").enclosure(12)
    mean = 10_000
    gap = 2 * math.sqrt(mean / math.pi)  # E|X − Y| of the normal limit
    assert found.middle - 1 == pytest.approx(gap / mean, rel=0.01)


SPARSE = {5: Fraction(1), 10**6: Fraction(1, 3), **{7 * k: Fraction(1, k) for k in range(1, 90)}}


def test_lengths_far_apart_cost_no_more_than_their_number() -> None:
    law: Distribution = Empirical(SPARSE)
    pairs = [(min(i, j), max(i, j), v * w) for i, v in SPARSE.items() for j, w in SPARSE.items()]
    top = sum(form("a-min").entry(i, j, 2) * x for i, j, x in pairs)
    bottom = sum(form("h-sf").entry(i, j, 2) * x for i, j, x in pairs)
    assert top / bottom in ratio("a-min", law, 2).enclosure(25)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("spec", "s", "words"),
    [
        ("geometric(q)", 10**6, "at most 100"),
        ("geometric(q=99/100)", 10**6, "at most 100"),
        ("log-series(q)", 10**9, "at most 100"),
        ("uniform(l=1, u)", 10**6, "above 100"),
        ("uniform(l=10**6, u)", 1, "above 100"),
        ("pmf(k**64*q**k)", 0, "at most 24"),
        ("pmf((k+a)**60*(1/2)**k)", 0, "at most 24"),
        ("pmf((a*k**2+b*k+c)**9*q**k)", 0, "at most 24"),
        ("negative-binomial(r=60, q)", 3, "at most 24"),
        ("pmf(sum(q**i, i, 1, 30)**k)", 0, "not rational in the parameters"),
    ],
)
def test_what_is_too_large_for_a_closed_form_names_the_limit(spec: str, s: int, words: str) -> None:
    own = derive(spec, s=s)
    assert own.ratio is None
    assert words in (own.reason or "")
    assert "\n" not in (own.reason or "")
    if not own.parameters:
        number = own.number(12)
        assert number is not None
        assert number.relative_width() < 1e-11


@pytest.mark.exhaustive  # takes seconds
@given(
    st.sampled_from(
        ["q", "(q/(1+q))", "(q**3/(1+q))", "(1-q)**2", "(q/10**30)", "(q**8/(1+q**7))", "sqrt(q)", "(1/q**9)"]
    ),
    st.sampled_from(["1", "k**5", "1/k**7", "(k-10**9)**2", "log(k)", "k**q", "(k+q)**3", "max(k, 3)", "1/(k+1)"]),
    st.sampled_from([0, 1, 40, 10**12]),
)
@settings(max_examples=12, deadline=None)
def test_hostile_weights_end_in_an_answer_or_one_line(base: str, shape: str, s: int) -> None:
    try:
        own = derive(f"pmf({shape}*{base}**k)", s=s)
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert (own.ratio is None) == bool(own.reason)
