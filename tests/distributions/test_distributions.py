"""Length distributions: specs parse and print, moments are those of direct sums, bad input is one line."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import zeta

from crtools import Setting, best, compare, form, ratio
from crtools.distributions import (
    FAMILIES,
    Distribution,
    Empirical,
    Geometric,
    LinearGeometric,
    LogSeries,
    Mixture,
    NegativeBinomial,
    Pmf,
    Poisson,
    TwoPoint,
    Uniform,
    Zipf,
    distribution,
    from_scipy,
)
from crtools.distributions.base import K
from crtools.enclosure import ends, precision
from crtools.errors import InputError

UNBOUNDED = [
    "geometric(q=1/2)", "geometric(q=0.7)", "linear-geometric(q=3/5)", "negative-binomial(r=4, q=1/2)",
    "negative-binomial(r=1, q=2/3)", "pmf(k**2*q**k, q=2/3)", "pmf((k+1)*(1/2)**k + 3*(1/3)**k)",
    "pmf(k*q**k, q=2/3, l=5)",
    "linear-geometric(q=2/3, l=3)",
    "mix(3/10*geometric(q=1/2)+7/10*linear-geometric(q=2/3))", "mix(3/10*uniform(l=2, u=8)+7/10*geometric(q=3/5))",
]  # fmt: skip
IRRATIONAL = [
    "log-series(q=1/2)",
    "pmf(q**k/k, q=1/2, l=3)",
    "poisson(mean=7/2)",
    "poisson(mean=1/2)",
    "pmf(q**k/k**2, q=1/2)",
    "poisson(mean=5, l=3)",
]
FINITE = [
    "zipf(a=2, u=9)", "harmonic(u=12)", "uniform(l=3, u=8)", "uniform(l=4, u=4)", "two-point(l=2, u=9, weight=2/7)",
    "pmf(1/(k+1), u=6)", "pmf(k, l=3, u=7)", "pmf(max(3-k, 0), u=9)", "pmf(q**k, q=3/2, u=6)",
    "geometric(q=1/2, u=20)", "negative-binomial(r=3, q=1/2, l=2, u=9)", "log-series(q=1/2, u=9)", "poisson(mean=5, l=2, u=9)",
    "zipf(a=2, l=3, u=9)", "harmonic(l=2, u=12)", "pmf(binomial(9, k)*2**k, u=9)", "pmf(1/factorial(k-3), u=9)",
    "point(8)", "empirical(1:3, 4:1/2, 9:2)", "mix(1/3*uniform(l=2, u=8)+2/3*zipf(a=1, u=5))",
]  # fmt: skip
REAL = [
    "lognormal(mu=3, sigma=1/2)", "lognormal(mu=-1, sigma=2, u=40)", "pareto(a=5/2)", "pareto(a=3, l=4, u=90)",
    "lognormal(mu=3, sigma=1/2, l=5)", "zipf(a=5/2, l=2, u=40)", "pmf(exp(-(k/5)**(3/2)), u=40)", "pmf(k**2*exp(-k/10))",
    "pmf(20**(k-1)/factorial(k-1))", "pmf(binomial(k+5/2, k)/2**k, l=3)",
    "pmf(k**(-5/2))", "pmf(1/k**3)", "pmf(3*k**(-7/2)+k**(-a), a=5, l=2)", "pmf(sqrt(k), u=9)", "pmf(log(k), l=2, u=9)",
]  # fmt: skip
SYMBOLIC = [
    "geometric(q)", "linear-geometric(q)", "negative-binomial(r=3, q)", "log-series(q)", "uniform(l=2, u)",
    "two-point(l, u, weight)", "two-point(l=1, u, weight=1/3)", "pmf(k**2*q**k)", "geometric(q=rho)",
    "mix(1/3*geometric(q)+2/3*geometric(q=1/2))", "mix(w*geometric(q=1/3)+(1 - w)*geometric(q=1/2))",
]  # fmt: skip


# ---- specs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [*UNBOUNDED, *IRRATIONAL, *FINITE, *SYMBOLIC])
def test_a_spec_prints_and_parses_back(spec: str) -> None:
    law = distribution(spec)
    again = distribution(law.spec())
    assert again == law
    assert hash(again) == hash(law)
    assert again.spec() == law.spec() == repr(law)
    assert again.parameters == law.parameters
    assert sp.simplify(again.expr - law.expr) == 0
    if not law.parameters:
        low = law.support[0]
        assert again.support == law.support
        assert [again.weight(k) for k in range(low, low + 8)] == [law.weight(k) for k in range(low, low + 8)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", REAL)
def test_a_law_with_real_weights_prints_parses_and_agrees_with_its_expression(spec: str) -> None:
    law = distribution(spec)
    assert distribution(law.spec()) == law
    low, high = law.support
    with precision(128):
        for k, weight in zip(range(low, low + 6), law.ball_weights(low, low + 5), strict=True):
            value = sp.N(law.expr.subs(K, k).doit(), 30)
            assert abs(Fraction(str(value)) - sum(ends(weight)) / 2) < Fraction(1, 10**25) * (
                1 + abs(Fraction(str(value)))
            )
    assert law.truncate(low + 3).support == (low, low + 3)
    with pytest.raises(InputError, match="must have rational weights here"):
        law.weight(low)
    if high is None:
        for power in (Fraction(0), Fraction(1), Fraction(-1, 2)):
            with precision(128):
                weights = law.ball_weights(21, 200)
                plain = sum((float(w) * k ** float(power) for k, w in enumerate(weights, start=21)), 0.0)
                assert plain <= float(law.power_beyond(20, power)) < 30 * plain + 1


@pytest.mark.parametrize(
    "spec", ["pareto(a=3)", "pareto(a=3/2, l=2, u=9)", "lognormal(mu=1, sigma=1)", "lognormal(mu=1, sigma=1, u=4)"]
)
def test_continuous_laws_are_drawn_with_their_probabilities(spec: str) -> None:
    law, n = distribution(spec), 20_000
    lengths = law.sample(n, np.random.default_rng(5))
    assert (lengths == law.sample(n, np.random.default_rng(5))).all()
    low, high = law.support
    with precision(64):
        weights = [float(w) for w in law.ball_weights(low, high or low + 3000)]
    assert lengths.min() == low
    assert high is None or lengths.max() <= high
    for k in range(low, low + 3):
        share = weights[k - low] / sum(weights)
        assert abs((lengths == k).mean() - share) < 5 * (share * (1 - share) / n) ** 0.5 + 1e-3


def test_every_family_is_covered_by_the_specs_above() -> None:
    heads = {spec.partition("(")[0] for spec in (*UNBOUNDED, *IRRATIONAL, *FINITE, *REAL)}
    assert set(FAMILIES) <= heads


@pytest.mark.parametrize(
    ("spec", "same"),
    [
        ("geometric(q=0.9)", "geometric(q=9/10)"),
        ("geometric(9/10)", "geometric(q=9/10)"),
        ("  geometric( q = 9/10 ) ", "geometric(q=9/10)"),
        ("geometric()", "geometric(q)"),
        ("geometric(p=1/10)", "geometric(q=9/10)"),
        ("GEOMETRIC(q=1/2)", "geometric(q=1/2)"),
        ("G(p=0.1)", "geometric(q=9/10)"),
        ("LG(p=1/5)", "linear-geometric(q=4/5)"),
        ("lg(q=4/5)", "linear-geometric(q=4/5)"),
        ("lg(q)", "linear-geometric(q)"),
        ("linear_geometric(4/5)", "linear-geometric(q=4/5)"),
        ("two_point(1, 10, 3/4)", "two-point(l=1, u=10, weight=3/4)"),
        ("geometric(q=q)", "geometric(q)"),
        ("negative-binomial(q=1/2, r=3)", "negative-binomial(r=3, q=1/2)"),
        ("negative-binomial(q=1/2)", "negative-binomial(r=2, q=1/2)"),
        ("two-point(1, 1e3, 0.25)", "two-point(l=1, u=1000, weight=1/4)"),
        ("uniform(l=2)", "uniform(l=2, u)"),
        ("empirical( 2 : 0.5 , 1 : 1 )", "empirical(1:1, 2:1/2)"),
    ],
)
def test_ways_to_write_the_same_law(spec: str, same: str) -> None:
    assert distribution(spec) == distribution(same)


def test_the_papers_p_is_not_taken_for_q() -> None:
    """LG(1/10) is p = 1/10 in the paper, where a family's own name reads q: one of the two must be written."""
    tenth = Fraction(1, 10)
    assert Geometric(p=tenth) == Geometric(1 - tenth)
    assert LinearGeometric(p=tenth) == LinearGeometric(1 - tenth)
    assert [LinearGeometric(p=tenth).pmf(k) for k in (1, 2, 3)] == [
        k * tenth**2 * (1 - tenth) ** (k - 1) for k in (1, 2, 3)
    ]
    for spec in ("LG(1/10)", "G(1/10)", "lg(0.1)", "g(x)"):
        with pytest.raises(InputError, match="needs the names"):
            distribution(spec)
    for make in (Geometric, LinearGeometric):
        with pytest.raises(InputError, match="must be left out if q is given"):
            make(tenth, p=tenth)
        with pytest.raises(InputError, match="q = 1 − p may be a symbol"):
            make(p=sp.Symbol("p"))


def test_decimals_are_exact() -> None:
    nine = Fraction(9, 10)
    for law in (distribution("geometric(q=0.9)"), Geometric("0.9"), Geometric(0.9), Geometric(nine)):
        assert law.spec() == "geometric(q=9/10)"
        assert [law.pmf(k) for k in (1, 2, 3)] == [nine**k / 9 for k in (1, 2, 3)]
    assert distribution("empirical(1:0.1, 2:0.2)").weight(2) == Fraction(1, 5)
    assert distribution("pmf(0.1*q**k, q=0.3)").weight(1) == Fraction(3, 100)
    assert distribution("geometric(q=1e-30)").weight(1) == Fraction(1, 10**30)


def test_a_distribution_is_returned_as_it_is() -> None:
    law = Geometric("1/2")
    assert distribution(law) is law


def test_weights_are_those_of_the_definitions() -> None:
    third = Fraction(1, 3)
    cases: list[tuple[Distribution, Any]] = [
        (LinearGeometric(third), lambda k: k * third**k),
        (LogSeries(third), lambda k: third**k / k),
        (Zipf(2, 9), lambda k: Fraction(1, k * k)),
        (Poisson(2), lambda k: Fraction(2**k, sp.factorial(k))),
        (NegativeBinomial(3, third), lambda k: Fraction(k * (k + 1), 2) * third**k),
        (distribution("harmonic(u=9)"), lambda k: Fraction(1, 4 * k * k - 1)),
    ]
    for law, weight in cases:
        first = law.weight(1) / weight(1)
        assert all(law.weight(k) == first * weight(k) for k in range(1, 9)), law


# ---- bad specs --------------------------------------------------------------------------------------------------

BAD = [
    "", " ", "geometric", "geometric(", "geometric)", "(", "()", "nope(q=1/2)", "GEOMETRICS(q=1/2)", "geometric(q=1/2)#c",
    "geometric(q=2)", "geometric(q=0)", "geometric(q=1)", "geometric(q=-1/2)", "geometric(q=1/0)", "geometric(q=)",
    "geometric(=1/2)", "geometric(q=1/2,q=1/3)", "geometric(1/2, 1/3)", "geometric(q=1/2, p=1/2)", "geometric(p=1)",
    "geometric(p)", "LG(1/2)", "geometric(q=1/2))",
    "geometric((q=1/2)", "geometric(q=((((1/2))))", "geometric(q=½)", "geometric(q=0.5e999999)", "geometric(q=log(2))",
    "geometric(q=9**9**9)", "geometric(q=0x1)", "geometric(q=1/2,)", "log-series(q=1)", "linear-geometric(q=3/2)",
    "negative-binomial(r=0, q=1/2)", "negative-binomial(r=1/2, q=1/2)", "negative-binomial(r=x, q=1/2)",
    "negative-binomial(r=1000000000, q=1/2)", "negative-binomial(r=2, q=1)",
    "pmf()", "pmf(2**k)", "pmf(1)", "pmf(k**2)", "pmf(1/k)", "pmf(0)", "pmf(0, u=5)", "pmf(-q**k, q=1/2)",
    "pmf((-1/2)**k)", "pmf((k-3)*q**k, q=1/2)", "pmf((100-k)*q**k, q=1/2)", "pmf(k*q**k, q)", "pmf(k*q**k, z=1/2)",
    "pmf(q**k, q=1/2, u=0)", "pmf(q**k, q=1/2, l=0)", "pmf(q**k, q=1/2, l=5, u=3)", "pmf(q**k, q=1/2, u=3/2)",
    "pmf(1, u=10**9)", "pmf(1, u=99999999999)", "pmf(lambda: 1)", "pmf([1])", "pmf('a')", "pmf(k if k else 1)",
    "pmf(sqrt(k)-2, u=5)", "pmf(log(k)-1, u=5)", "pmf(1/k)", "density(x-1/2)", "density(1/x)",
    "density(sum(1, i, 1, 3000))", "density(harmonic(1/2))", "density(max(x, sqrt(-1)))",
    "pmf(k-1, u=u)", "pmf(sqrt(k-1), u=u)", "pmf(sqrt(k), l=4, u=u)", "pmf(5-k, u=u)",
    "density(0)", "density(k)", "density(x**2-x+1/5)",
    "pmf(k**(-1/2))", "pmf(sqrt(k))", "pareto(a)", "pareto(a=0)",
    "lognormal(1, 0)", "lognormal(mu, sigma)", "pareto(a=2, l=3, u=2)", "pmf(k**(-3)-k**(-5/2))",
    "pmf(1/(k-3), u=5)", "pmf(1/(k-3)**2, u=5)", "pmf(9**9**9)", "pmf(k.real)",
    "pmf(k**q, q=2**64)", "pmf(q**k*2**p, q=1/2, p=10**30)", "pmf(q**k*min(harmonic(q), 9), q=1/10)",
    "pmf(sum(1, q, 1, 3)*q**k, q=1/2)", "pmf(q**(k**2), q=1/2)",
    "pmf(" + "k+" * 300 + "k, u=3)", "pmf(2-k, u=5)",
    "mix()", "mix(geometric(q=1/2))", "mix(1/2*geometric(q=1/2)+)", "mix(-1*geometric(q=1/2)+2*geometric(q=1/3))",
    "mix(0*geometric(q=1/2))", "mix(1/2*nope(q=1/2))", "mix(1/2*mix(1/2*geometric(q=2)))", "mix(x.y*geometric(q=1/2))",
    "mix(1/2*uniform(l=1)+1/2*geometric(q=1/2))", "mix(" + "(" * 1900 + ")" * 1900 + ")",
    "empirical()", "empirical(1)", "empirical(1:)", "empirical(:1)", "empirical(0:1)", "empirical(-1:1)",
    "empirical(1:-1)", "empirical(1:0)", "empirical(a:1)", "empirical(1:nan)", "empirical(1.5:1)",
    "empirical(99999999999:1)",
    "zipf()", "zipf(u=5)", "zipf(a=1/2)", "zipf(a=-1, u=5)", "zipf(a=65, u=5)", "geometric(q=1/2, l=0)", "geometric(q=1/2, l=5, u=4)",
    "poisson(mean=1, l=5, u=4)", "point(8, u=9)", "pmf(factorial(k)/3**k)", "pmf(exp(k/10))", "pmf(exp(-k/10)-1)", "pmf(exp(-k**2))",
    "pmf(factorial(9999)*k, u=5)", "pmf(factorial(k))", "pmf(factorial(1, 2), u=5)", "pmf(gamma(k), u=5)",
    "zipf(a=1, u=0)", "zipf(a=x, u=9)",
    "harmonic(0)", "harmonic(u=0)", "harmonic(u=1/2)", "uniform(l=0, u=5)", "uniform(l=5, u=2)", "uniform(l=1/2, u=2)",
    "uniform(l=1/3, u=5)", "uniform(l=1, u=5, 3)", "uniform(l=1, u=99999999999)",
    "two-point(l=3, u=2, weight=1/2)", "two-point(l=2, u=2, weight=1/2)", "two-point(l=0, u=2, weight=1/2)",
    "two-point(l=1, u=2, weight=2)", "two-point(l=1, u=2, weight=-1)", "two-point(l=1/2, u=2, weight=1/2)",
    "poisson(mean=0)", "poisson(mean=-1)", "poisson(mean=1000000)", "poisson(mean=1/2, 3)",
    "csv:", "csv:#", "csv:/no/such/file#x", "csv:/no/such/file", "parquet:x", "parquet:#",
    "x" * 5000, "(" * 2000 + ")" * 2000,
]  # fmt: skip
CODE = [
    "__import__('os')", "__import__('os').system('touch made')", "geometric(q=__import__('os').system('touch made'))",
    "pmf(__import__('os').system('touch made'))", "pmf(k.__class__)", "pmf(open('made', 'w'))",
    "mix(__import__('os').system('touch made')*geometric(q=1/2))", "empirical(1:__import__('os').system('touch made'))",
    "pmf(exec('1'))", "pmf([k for k in (1,)])", "pmf(f'{k}')", "pmf((k := 3))", "pmf(eval)(k)",
]  # fmt: skip


@pytest.mark.parametrize("spec", BAD, ids=lambda text: text[:40])
def test_a_bad_spec_is_one_line(spec: str) -> None:
    with pytest.raises(InputError) as caught:
        distribution(spec)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("spec", CODE)
def test_nothing_in_a_spec_is_run(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        distribution(spec)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", [None, 5, b"geometric(q=1/2)", ["geometric(q=1/2)"], 0.5])
def test_what_is_no_text_is_refused(value: Any) -> None:
    with pytest.raises(InputError):
        distribution(value)


@pytest.mark.parametrize("q", [float("nan"), float("inf"), True, "x y", 2, 0, 1, -1, 1.5])
def test_bad_parameters_from_python(q: Any) -> None:
    with pytest.raises(InputError):
        Geometric(q)


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_any_text_is_a_law_or_one_line(text: str) -> None:
    try:
        law = distribution(text)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(law, Distribution)


@given(st.text(alphabet="geomtricpfxqk=/*+-(),.:0123456789 ", max_size=40))
def test_any_text_near_the_grammar_is_a_law_or_one_line(text: str) -> None:
    for spec in (f"geometric({text})", f"two-point({text})", f"empirical({text})"):
        try:
            distribution(spec)
        except InputError as error:
            assert "\n" not in str(error)


# ---- moments ----------------------------------------------------------------------------------------------------

TERMS = 170


def table(law: Distribution) -> list[tuple[int, Fraction]]:
    low, high = law.support
    return [(k, law.weight(k)) for k in range(low, (high or TERMS) + 1)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", [*UNBOUNDED, *FINITE])
def test_rational_laws_against_direct_sums(spec: str) -> None:
    law = distribution(spec)
    rows = table(law)
    weights = dict(rows)
    total = sum(weights.values())
    low, high = law.support
    exact = high is not None
    mean = sum(k * w for k, w in rows) / total
    variance = sum(k * k * w for k, w in rows) / total - mean**2
    for ours, direct in [
        (law.mean, mean),
        (law.variance, variance),
        *((law.pmf(k), weights.get(k, 0) / total) for k in range(12)),
        *((law.tail(k), sum(w for i, w in rows if i >= k) / total) for k in range(1, min(high or 11, 11) + 1)),
    ]:
        assert isinstance(ours, Fraction)
        assert ours == direct if exact else abs(ours - direct) < Fraction(1, 10**9)
    last = high or 40
    below = sum((law.pmf(k) for k in range(low, last + 1)), Fraction(0))
    assert below + law.tail(last + 1) == 1
    assert law.tail(low) == law.tail(1) == 1
    assert law.pmf(0) == law.pmf(-3) == 0
    assert law.pmf(low - 1) == 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", IRRATIONAL)
def test_laws_with_an_irrational_total_against_direct_sums(spec: str) -> None:
    law = distribution(spec)
    rows = table(law)
    total = float(sum(w for _, w in rows))
    mean = float(sum(k * w for k, w in rows)) / total
    square = float(sum(k * k * w for k, w in rows)) / total
    assert float(sp.N(law.mean)) == pytest.approx(mean, rel=1e-12)
    assert float(sp.N(law.variance)) == pytest.approx(square - mean**2, rel=1e-10)
    assert float(sp.N(law.pmf(3))) == pytest.approx(float(law.weight(3)) / total, rel=1e-12)
    assert float(sp.N(law.tail(4))) == pytest.approx(float(sum(w for k, w in rows if k >= 4)) / total, rel=1e-10)
    assert sp.N(sum(law.pmf(k) for k in range(1, 9)) + law.tail(9), 30) == pytest.approx(1, abs=1e-20)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", [*UNBOUNDED, *IRRATIONAL, *FINITE])
def test_the_expression_is_the_weight(spec: str) -> None:
    law = distribution(spec)
    weights = dict(table(law)[:12])
    shown = {k: sp.nsimplify(law.expr.subs(K, k)) for k in weights}
    first = min(k for k, w in weights.items() if w)
    assert all(shown[k] * sp.Rational(weights[first]) == sp.Rational(w) * shown[first] for k, w in weights.items())


def test_moments_with_a_symbol() -> None:
    q = sp.Symbol("q", positive=True)
    assert sp.simplify(Geometric().mean - 1 / (1 - q)) == 0
    assert sp.simplify(Geometric().variance - q / (1 - q) ** 2) == 0
    assert sp.simplify(LinearGeometric().mean - (1 + q) / (1 - q)) == 0
    assert sp.simplify(LogSeries().mean + q / ((1 - q) * sp.log(1 - q))) == 0


def test_known_means() -> None:
    assert Geometric("1/4").mean == Fraction(4, 3)
    assert LinearGeometric("1/4").mean == Fraction(5, 3)
    assert LinearGeometric("1/4").variance == 2 * Fraction(1, 4) / Fraction(9, 16)
    assert Uniform(3, 7).mean == 5
    assert Uniform(3, 7).variance == 2
    assert TwoPoint(1, 5, "1/4").mean == 4
    assert TwoPoint(1, 5, 0).mean == 5
    assert TwoPoint(1, 5, 1).mean == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", [*UNBOUNDED, *IRRATIONAL])
@pytest.mark.parametrize("s", [0, 3])
def test_the_tail_bound_is_a_bound(spec: str, s: int) -> None:
    law = distribution(spec)
    for k in (2, 5, 17, 33):
        rest = sum(((s + j) ** 2 * law.weight(j) for j in range(k + 1, TERMS)), Fraction(0))
        bound = law.tail_moment_bound(k, s)
        assert bound >= rest
    cut = law.cut(Fraction(1, 10**6))
    beyond = sum((law.weight(j) for j in range(cut + 1, cut + TERMS)), Fraction(0))
    assert beyond <= Fraction(1, 10**6) * sum((law.weight(j) for j in range(1, cut + 1)), Fraction(0))


# ---- samples, truncation, SciPy ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["geometric(q=3/4)", "uniform(l=3, u=8)", "two-point(l=2, u=9, weight=2/7)", "poisson(mean=3)"]
)
def test_samples_have_the_law(spec: str) -> None:
    law, n = distribution(spec), 20_000
    draws = law.sample(n, np.random.default_rng(7))
    assert draws.shape == (n,)
    assert draws.dtype.kind == "i"
    low, high = law.support
    assert draws.min() >= low
    assert high is None or draws.max() <= high
    mean, variance = float(sp.N(law.mean)), float(sp.N(law.variance))
    assert abs(draws.mean() - mean) < 5 * (variance / n) ** 0.5
    for k in range(low, low + 5):
        p = float(sp.N(law.pmf(k)))
        assert abs((draws == k).mean() - p) <= 5 * (p * (1 - p) / n) ** 0.5
    assert (draws == law.sample(n, np.random.default_rng(7))).all()


@pytest.mark.parametrize("spec", SYMBOLIC)
def test_a_law_without_numbers_is_not_sampled(spec: str) -> None:
    with pytest.raises(InputError) as caught:
        distribution(spec).sample(3, np.random.default_rng(0))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "mean", "deviation"),
    [
        ("geometric(q=999/1000)", 1000, 1000),
        ("linear-geometric(q=99/100)", 199, 142),
        ("poisson(mean=5000)", 5000, 71),
        ("mix(1/2*geometric(q=1/2)+1/2*geometric(q=199/200))", 101, 172),
        ("mix(1/2*uniform(l=3, u=5)+1/2*geometric(q=99/100))", 52, 85),
    ],
)
def test_long_tails_are_sampled(spec: str, mean: float, deviation: float) -> None:
    """Exact weights of so many lengths would take minutes; sums of Poisson weights are beyond the range of floats."""
    draws = distribution(spec).sample(40_000, np.random.default_rng(3))
    assert abs(draws.mean() - mean) < 5 * deviation / 200
    assert abs(draws.std() / deviation - 1) < 0.05


def test_the_table_of_a_sampler_is_the_law_in_floats() -> None:
    for spec in (
        "geometric(q=4/5)",
        "poisson(mean=20)",
        "mix(0.3*geometric(q=1/2)+0.7*geometric(q=4/5))",
        "harmonic(u=50)",
    ):
        law = distribution(spec)
        lengths, cumulative = law._table
        exact = [law.weight(int(k)) for k in lengths]
        total = sum(exact)
        shares = np.cumsum([float(w / total) for w in exact])
        assert np.abs(cumulative / cumulative[-1] - shares).max() < 1e-13


def test_a_tail_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="too heavy a tail"):
        Geometric("0.999999999").sample(3, np.random.default_rng(0))


def test_the_balls_of_a_mixture_contain_its_weights() -> None:
    law = distribution("mix(1/3*uniform(l=3, u=5)+2/3*geometric(q=9/10))")
    with precision(80):
        for k, w in enumerate(law.ball_weights(1, 40), start=1):
            low, high = ends(w)
            assert low <= law.weight(k) <= high and high - low < Fraction(1, 10**15)


@pytest.mark.parametrize("spec", [s for s in FINITE if s.startswith(("pmf", "harmonic", "zipf", "uniform"))])
def test_weights_are_those_of_substitution(spec: str) -> None:
    law = distribution(spec)
    for k, w in law.items():
        assert sp.Rational(w.numerator, w.denominator) == sp.simplify(law.expr.subs(K, k))


@pytest.mark.parametrize("weight", ["1/(k-3)**2", "(k-3)/(k-3)**2+1"])
def test_a_weight_with_a_pole_on_its_support_is_refused(weight: str) -> None:
    with pytest.raises(InputError):
        list(distribution(f"pmf({weight}, u=5)").items())


def test_samples_of_a_point_mass_and_none_at_all() -> None:
    rng = np.random.default_rng(1)
    assert set(distribution("uniform(l=4, u=4)").sample(50, rng)) == {4}
    assert set(TwoPoint(2, 5, 0).sample(50, rng)) == {5}
    assert set(TwoPoint(2, 5, 1).sample(50, rng)) == {2}
    assert len(Geometric("1/2").sample(0, rng)) == 0
    for bad in (-1, 1.5, True):
        with pytest.raises(InputError):
            Geometric("1/2").sample(bad, rng)


@pytest.mark.parametrize("spec", ["geometric(q=3/4)", "linear-geometric(q=1/2)", "zipf(a=1, u=30)", "poisson(mean=3)"])
def test_truncation_is_conditioning_and_monotone(spec: str) -> None:
    law = distribution(spec)
    cuts = [law.truncate(u) for u in (1, 2, 5, 9, 20)]
    for u, cut in zip((1, 2, 5, 9, 20), cuts, strict=True):
        assert cut.finite
        assert cut.support == (1, u)
        assert cut.pmf(u + 1) == 0
        total = sum(law.weight(k) for k in range(1, u + 1))
        assert all(cut.pmf(k) == law.weight(k) / total for k in range(1, u + 1))
    assert all(a.mean < b.mean for a, b in pairwise(cuts))
    assert all(a.pmf(1) > b.pmf(1) for a, b in pairwise(cuts))
    assert all(a.tail(2) < b.tail(2) for a, b in pairwise(cuts))


def test_truncation_of_a_finite_law() -> None:
    law = Uniform(3, 7)
    assert [law.truncate(100).pmf(k) for k in range(3, 8)] == [Fraction(1, 5)] * 5
    assert law.truncate(3).pmf(3) == 1
    for bad in (2, 0, -1, 3.5, True):
        with pytest.raises(InputError):
            law.truncate(bad)
    with pytest.raises(InputError):  # nothing is left
        TwoPoint(1, 5, 0).truncate(2)


def test_scipy_laws() -> None:
    law = from_scipy(scipy.stats.geom(0.5), 5, leave_out=0.05)
    assert [law.weight(k) for k in range(1, 6)] == [Fraction(1, 2**k) for k in range(1, 6)]
    assert from_scipy(scipy.stats.binom(4, 0.5), 9, leave_out=0.1).support == (1, 4)
    zipf = from_scipy(scipy.stats.zipf(2.5), 30)
    assert float(zipf.pmf(2) / zipf.pmf(1)) == pytest.approx(2**-2.5)
    for frozen, u in (
        (scipy.stats.norm(), 5),
        (scipy.stats.gamma, 5),
        (5, 5),
        (scipy.stats.geom(0.5), 0),
        (scipy.stats.randint(50, 60), 10),
    ):
        with pytest.raises(InputError):
            from_scipy(frozen, u)


def test_a_scipy_law_without_its_largest_length_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"u: give the largest length that is kept, such as from_scipy"):
        from_scipy(scipy.stats.geom(0.5))


CUT: list[tuple[str, tuple[Any, ...], dict[str, Any], int, float]] = [
    ("geom", (0.001,), {}, 100, 0.999**100),
    ("skellam", (3, 4), {}, 50, 0.7169504827),
    ("nbinom", (3, 0.5), {}, 100, 1 / 8),
    ("binom", (2, 0.5), {}, 2, 1 / 4),
    ("randint", (-3, 8), {}, 5, 6 / 11),
    ("poisson", (3,), {"loc": -2}, 40, 0.4231900811),
    ("randint", (50, 60), {}, 10, 1.0),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("family", "args", "kwds", "u", "share"), CUT)
def test_a_scipy_law_says_what_it_leaves_out(
    family: str, args: tuple[Any, ...], kwds: dict[str, Any], u: int, share: float
) -> None:
    frozen = getattr(scipy.stats, family)(*args, **kwds)
    with pytest.raises(InputError, match="leaves out") as caught:
        from_scipy(frozen, u)
    assert f"{share:.3g}" in str(caught.value) and family in str(caught.value) and "\n" not in str(caught.value)
    if share == 1:
        return
    law = from_scipy(frozen, u, leave_out=share + 1e-6)
    assert law.left_out == pytest.approx(share)
    found = ratio(law)
    for text in (str(law), repr(law), repr(found), repr(best(law)), repr(compare("h-sf", law, n=5, memory=200))):
        assert f"without {share:.3g} of its mass" in text and family in text
    with pytest.raises(InputError, match="leaves out"):
        from_scipy(frozen, u, leave_out=share - 1e-6)


def test_a_scipy_law_that_is_whole_says_nothing() -> None:
    law = from_scipy(scipy.stats.randint(1, 7), 9)
    assert law.left_out == 0 and law.truncation == "" and repr(law) == law.spec()
    nearly = from_scipy(scipy.stats.poisson(20, loc=1), 100)
    assert 0 < nearly.left_out < 1e-30 and "poisson(20, loc=1) without 3.49e-37 of its mass" in repr(nearly)


@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan"), "0.1", None])
def test_what_is_no_share_is_refused(bad: Any) -> None:
    with pytest.raises(InputError, match="leave_out"):
        from_scipy(scipy.stats.geom(0.5), 50, leave_out=bad)


def test_a_law_that_is_not_on_the_integers_is_refused() -> None:
    for frozen in (
        scipy.stats.rv_discrete(values=([1.5, 2], [0.5, 0.5])),
        scipy.stats.geom(-1),
        scipy.stats.nbinom(-1, 0.5),
    ):
        with pytest.raises(InputError, match="frozen"):
            from_scipy(frozen, 5, leave_out=1)


@pytest.mark.parametrize(
    "bad", ["1:2", None, 3, [], ["1"], [[1, 2]], {}, {1: "1"}, {1: float("nan")}, [1.0, float("nan")], [1.5]]
)
def test_what_is_no_lengths_is_refused(bad: Any) -> None:
    with pytest.raises(InputError):
        Empirical(bad)
    if not isinstance(bad, str):
        with pytest.raises(InputError):
            ratio("a-min", bad if bad is not None else 2.5)


def test_lengths_and_weights_are_a_law_wherever_one_is_taken() -> None:
    law = Empirical({3: 1, 5: 2, 9: 1})
    for data in (
        [3, 5, 5, 9],
        np.array([9, 5, 3, 5]),
        (3, 5, 5, 9),
        np.array([3.0, 5.0, 5.0, 9.0]),
        {3: 1, 5: 2, 9: 1},
    ):
        assert Empirical(data) == distribution(data) == law
        assert ratio("a-min", data).exact == ratio(data, "a-min").exact == ratio("a-min", law).exact
        assert best(data).value == best(law).value
    assert Empirical({3: 0.25, 5: 0.5, 9: np.float64(0.25)}).weight(5) == Fraction(1, 2)
    for weight in (0.1, np.float32(0.1), Decimal("0.1")):
        assert Empirical({1: weight}).weight(1) == Fraction(1, 10)
    assert distribution(np.array([3, 5, 5, 9], dtype=object)) == Empirical([3, 5, 5, 9])
    for missing in (np.ma.array([3, 5], mask=[0, 1]), [3, None], [3, float("nan")]):
        with pytest.raises(InputError, match="lengths = 1 of 2 are missing"):
            distribution(missing)
    for whole in ("mix(1/2*point(3)+1/2*uniform(1, 9), u=20)", "mix(point(3), point(4))"):
        with pytest.raises(InputError, match=r"must have WEIGHT\*LAW for each part, with l and u in each part"):
            distribution(whole)
    for bad, shown in (([], "none: there"), (["3", "5"], "'3': must"), ([3.5], "3.5: must"), ([3, "x"], "'3': must")):
        with pytest.raises(InputError, match=f"lengths = {shown}"):
            distribution(bad)
    assert compare("h-sf", [3, 5, 5, 9], memory=20).workload.count == 4


ENDS = [
    ("geometric", "q=1/2"), ("geometric", "p=1/2"), ("linear-geometric", "q=2/3"), ("negative-binomial", "r=3, q=1/2"),
    ("log-series", "q=1/2"), ("poisson", "mean=5"),
]  # fmt: skip


@pytest.mark.parametrize(("family", "parameters"), ENDS)
def test_the_ends_of_a_family_are_a_condition(family: str, parameters: str) -> None:
    whole, law = distribution(f"{family}({parameters})"), distribution(f"{family}({parameters}, l=3, u=7)")
    total = sum(whole.weight(k) for k in range(3, 8))
    assert law.support == (3, 7)
    assert [law.pmf(k) for k in range(1, 10)] == [whole.weight(k) / total if 3 <= k <= 7 else 0 for k in range(1, 10)]
    above = distribution(f"{family}({parameters}, l=3)")
    assert above.weight(2) == 0 and above.weight(9) / above.weight(3) == whole.weight(9) / whole.weight(3)


def floats_of(u: int, probability: Any) -> Any:
    weights = np.array([float(probability(k)) for k in range(1, u + 1)])
    return weights / weights.sum()


def lognormal(mu: float, sigma: float) -> Any:
    return lambda k: (
        scipy.stats.lognorm.cdf(k, sigma, scale=np.exp(mu)) - scipy.stats.lognorm.cdf(k - 1, sigma, scale=np.exp(mu))
    )


NUMBERS: list[tuple[str, int, Any]] = [
    ("geometric(q=9/10, l=4, u=60)", 60, lambda k: 0.9**k * (k >= 4)),
    ("poisson(mean=20, l=5)", 90, lambda k: scipy.stats.poisson.pmf(k, 20) * (k >= 5)),
    ("lognormal(mu=3, sigma=1/2, l=9, u=300)", 300, lambda k: lognormal(3, 0.5)(k) * (k >= 9)),
    ("zipf(a=5/2, l=2, u=300)", 300, lambda k: k**-2.5 * (k >= 2)),
    ("pmf(exp(-(k/50)**(3/2)), u=400)", 400, lambda k: np.exp(-((k / 50) ** 1.5))),
    ("pmf(k**2*exp(-k/10))", 700, lambda k: k**2 * np.exp(-k / 10)),
    ("pmf(20**(k-1)/factorial(k-1))", 100, lambda k: scipy.stats.poisson.pmf(k - 1, 20)),
    ("pmf(20**k/factorial(k), u=400)", 100, lambda k: scipy.stats.poisson.pmf(k, 20)),
    ("pmf(binomial(20, k)*(1/3)**k*(2/3)**(20-k), u=20)", 20, lambda k: scipy.stats.binom.pmf(k, 20, 1 / 3)),
    (
        "mix(1/2*poisson(mean=20)+1/2*poisson(mean=50))", 150,
        lambda k: scipy.stats.poisson.pmf(k, 20) / (1 - np.exp(-20)) + scipy.stats.poisson.pmf(k, 50) / (1 - np.exp(-50)),
    ),
    (
        "mix(1/4*poisson(mean=20)+3/4*lognormal(mu=3, sigma=1/2, u=400))", 400,
        lambda k: scipy.stats.poisson.pmf(k, 20) / (1 - np.exp(-20)) + 3 * lognormal(3, 0.5)(k),
    ),
    (
        "mix(1/2*lognormal(mu=2, sigma=1/2, u=90)+1/2*lognormal(mu=4, sigma=1/4))", 900,
        lambda k: lognormal(2, 0.5)(k) * (k <= 90) / scipy.stats.lognorm.cdf(90, 0.5, scale=np.exp(2)) + lognormal(4, 0.25)(k),
    ),
    (
        "mix(1/2*zipf(a=5/2, u=100)+1/2*point(9))", 100,
        lambda k: k**-2.5 / sum(i**-2.5 for i in range(1, 101)) + (k == 9),
    ),
    ("mix(1/2*pmf(k**(-9))+1/2*log-series(q=1/2))", 99, lambda k: k**-9.0 / zeta(9) + 0.5**k / k / np.log(2)),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("spec", "u", "probability"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_a_ratio_is_that_of_sums_in_floats(spec: str, u: int, probability: Any) -> None:
    weights, on = floats_of(u, probability), Setting(2, 1, u)
    found = ratio("a-min", spec, s=2).enclosure(8)
    plain = form("a-min").on(on).value(weights) / form("h-sf").on(on).value(weights)
    assert found.middle == pytest.approx(plain, rel=2e-8)


@pytest.mark.parametrize(("family", "shape", "scale", "u"), [("gamma", 2, 30, 400), ("weibull_min", 1.5, 50, 300)])
def test_a_continuous_scipy_law_is_rounded_up(family: str, shape: float, scale: float, u: int) -> None:
    frozen: Any = getattr(scipy.stats, family)(shape, scale=scale)
    law, rng = from_scipy(frozen, u), np.random.default_rng(3)
    drawn = np.ceil(frozen.rvs(40_000, random_state=rng))
    for k in (1, 20, 60):
        assert float(law.pmf(k)) == pytest.approx(frozen.cdf(k) - frozen.cdf(k - 1), rel=1e-3)
        assert float(1 - law.tail(k + 1)) == pytest.approx((drawn <= k).mean(), abs=0.01)
    assert "rounded up, without" in law.truncation and law.left_out == pytest.approx(frozen.sf(u))


def test_a_mixture_of_lognormal_lengths_is_drawn_from_its_parts() -> None:
    law = distribution("mix(1/4*lognormal(mu=1, sigma=1/2)+3/4*lognormal(mu=6, sigma=1/2))")
    lengths = law.sample(20_000, np.random.default_rng(1))
    assert (lengths < 40).mean() == pytest.approx(1 / 4, abs=0.02)
    assert np.median(lengths[lengths > 40]) == pytest.approx(np.exp(6), rel=0.03)
    with precision(128):
        assert float(law.mass(1, 40)) == pytest.approx(0.25, abs=1e-3)


def test_a_long_empirical_law_is_short_in_print() -> None:
    law = from_scipy(scipy.stats.geom(0.1), 400)
    assert repr(law).startswith("empirical(400 lengths, 1 to 400)") and len(repr(ratio(law))) < 300
    assert len(law.spec()) > 5000
    assert repr(Empirical({1: 3, 10: 1})) == "empirical(1:3, 10:1)"
    assert len(repr(compare("h-sf", Empirical.from_lengths(range(1, 200)), n=5, memory=300))) < 300


# ---- empirical laws ---------------------------------------------------------------------------------------------


def test_empirical_laws_from_lengths() -> None:
    law = Empirical.from_lengths([3, 1, 3, 3, 10])
    assert law == Empirical({1: 1, 3: 3, 10: 1}) == Empirical.from_lengths(np.array([10, 3, 3, 3, 1]))
    assert law.pmf(3) == Fraction(3, 5)
    assert law.mean == 4
    assert list(law.items()) == [(1, 1), (3, 3), (10, 1)]
    assert distribution(law.spec()) == law
    for bad in ([], [1.5], [0, 1], [-1], [True], "abc", {1: 2}):
        with pytest.raises(InputError):
            Empirical.from_lengths(bad)
    for counts in ({}, {1: 0}, {0: 1}, {1: -1}, {1.5: 1}, {10**9: 1}):
        with pytest.raises(InputError):
            Empirical(counts)


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "lengths.csv"
    path.write_text('\ufeffname,output tokens\na,3\nb,1\n"c, d",3\n', encoding="utf-8")
    spec = f"csv:{path}#output tokens"
    law = distribution(spec)
    assert law.spec() == spec
    assert distribution(law.spec()) == law
    assert list(law.items()) == [(1, 1), (3, 2)]
    assert law.mean == Fraction(7, 3)
    assert law == Empirical.from_csv(path, "output tokens")


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (b"a,b\n1,2\n", "c"),
        (b"a\n1\nx\n", "a"),
        (b"a\n0\n", "a"),
        (b"a\n-1\n", "a"),
        (b"a\n1.5\n", "a"),
        (b"a\n\n", "a"),
        (b"a,b\n1,2\n3\n", "b"),
        (b"a\n", "a"),
        (b"", "a"),
        (b"a\n\xff\xfe\n", "a"),
        (b"a\n99999999999\n", "a"),
    ],
)
def test_a_bad_csv_is_one_line(tmp_path: Path, content: bytes, column: str) -> None:
    path = tmp_path / "lengths.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        distribution(f"csv:{path}#{column}")
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_csv(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        distribution(f"csv:{tmp_path}#a")


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "lengths.parquet"
    parquet.write_table(arrow.table({"tokens": [3, 1, 3], "name": ["a", "b", "c"]}), path)
    law = distribution(f"parquet:{path}#tokens")
    assert list(law.items()) == [(1, 1), (3, 2)]
    assert distribution(law.spec()) == law
    for column in ("nope", "name"):
        with pytest.raises(InputError):
            distribution(f"parquet:{path}#{column}")


# ---- values and equality ----------------------------------------------------------------------------------------


def test_equality_and_hash() -> None:
    a, b = Geometric("1/2"), distribution("geometric(q=0.5)")
    assert a == b
    assert hash(a) == hash(b)
    assert len({a, b, Geometric("1/3")}) == 2
    assert a != Geometric("1/3")
    assert a != "geometric(q=1/2)"
    assert Geometric("1/2") != LinearGeometric("1/2")


def test_putting_values_makes_a_new_law() -> None:
    law = distribution("pmf(k*q**k)")
    put = law.at({"q": Fraction(1, 2)})  # type: ignore[attr-defined]
    assert isinstance(put, Pmf)
    assert put.weight(3) == Fraction(3, 8)
    assert [p.name for p in law.parameters] == ["q"]
    mixed = distribution("mix(w*geometric(q)+(1-w)*geometric(q=1/2))")
    assert isinstance(mixed, Mixture)
    assert [p.name for p in mixed.parameters] == ["q", "w"]
    at = mixed.at({"w": Fraction(1, 4), "q": Fraction(1, 3)})
    assert at.weight(1) == Fraction(1, 4) * Fraction(2, 3) + Fraction(3, 4) * Fraction(1, 2)
    assert [p.name for p in mixed.parameters] == ["q", "w"]


def test_changing_the_counts_afterwards_changes_nothing() -> None:
    counts = {1: 2, 3: 4}
    law = Empirical(counts)
    counts[1] = 100
    assert law.weight(1) == 2
    parts = [(Fraction(1, 2), Geometric("1/2")), (Fraction(1, 2), Geometric("1/3"))]
    mixture = Mixture(parts)
    parts.pop()
    assert mixture.pmf(1) == Fraction(7, 12)


@pytest.mark.parametrize(
    "spec", ["geometric(q)", "uniform(l=1, u)", "two-point(l=1, u, weight)", "two-point(l=1, u=2, weight)"]
)
def test_open_symbols_have_no_weights(spec: str) -> None:
    with pytest.raises(InputError):
        distribution(spec).weight(1)


def test_mixtures_normalise_their_parts() -> None:
    law = distribution("mix(1/4*pmf(5*k, u=3)+3/4*pmf(7, u=2))")
    assert [law.pmf(k) for k in (1, 2, 3)] == [
        Fraction(1, 24) + Fraction(3, 8),
        Fraction(1, 12) + Fraction(3, 8),
        Fraction(1, 8),
    ]
    assert law.support == (1, 3)
    with pytest.raises(InputError):
        Mixture([])
    nested = distribution("mix(1/2*mix(1/2*geometric(q=1/2)+1/2*geometric(q=1/3))+1/2*geometric(q=1/5))")
    assert nested.pmf(1) == Fraction(1, 8) + Fraction(1, 6) + Fraction(2, 5)
