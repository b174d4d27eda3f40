"""Closed forms with symbols, their limits and suprema, and the expansions that certify them."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest
import sympy as sp
from amount import every_third
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import derive, ratio
from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, ends, precision
from crtools.errors import InputError, NotCertified
from crtools.ratios import Derivation, Supremum
from crtools.ratios.limits import Expansion, expansions

q, l, u, w = sp.symbols("q l u weight", positive=True)


@cache
def derived(spec: str, policy: str = "a-min", s: int = 0) -> Derivation:
    return derive(spec, policy, s)


@cache
def supremum(spec: str, s: int) -> Supremum:
    return derived(spec, s=s).supremum()


def at(spec: str, s: int, place: Fraction, digits: int = 12) -> Enclosure:
    return enclose(derived(spec, s=s).ratio, {q: place}, digits)


# ---- known closed forms -----------------------------------------------------------------------------------------


def test_the_geometric_formula() -> None:
    known = (1 + q) ** 2 * (q * (2 + 3 * q) - (1 + 4 * q + q**2) * sp.log(1 + q)) / (q * (1 + q**2))
    gap = derived("geometric(q)").ratio - known
    for place in ("1/100", "1/7", "1/2", "3/4", "99/100", "9999/10000"):
        with mpmath.workdps(80):
            assert abs(mpmath.mpmathify(sp.N(gap.subs(q, sp.Rational(place)), 60))) < mpmath.mpf(10) ** -50


def test_the_linear_geometric_formula() -> None:
    known = (1 + q) ** 2 * (1 + 3 * q + 6 * q**2 + 3 * q**3 + q**4)
    known /= 1 + 2 * q + 11 * q**2 + 8 * q**3 + 11 * q**4 + 2 * q**5 + q**6
    assert sp.cancel(derived("linear-geometric(q)").ratio - known) == 0


def test_the_volume_bound_and_random_order() -> None:
    assert sp.cancel(derived("geometric(q)", "volume").ratio - 1 / (1 + q**2)) == 0
    assert sp.cancel(derived("geometric(q)", "a-random").ratio - (1 + q) ** 3 / (1 + q**2)) == 0


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("s", [0, 2])
def test_negative_binomial_of_order_one_is_geometric(s: int) -> None:
    own = derived("negative-binomial(r=1, q)", s=s).ratio
    assert sp.simplify(own - derived("geometric(q)", s=s).ratio) == 0
    assert sp.simplify(derived("negative-binomial(r=2, q)", s=s).ratio - derived("linear-geometric(q)", s=s).ratio) == 0


CLOSED = [
    ("geometric(q)", 0), ("geometric(q)", 1), ("geometric(q)", 4), ("linear-geometric(q)", 0), ("linear-geometric(q)", 3),
    ("negative-binomial(r=3, q)", 1), ("log-series(q)", 0), ("log-series(q)", 2), ("pmf(k**2*q**k)", 0),
    ("pmf((k+1)*q**k/k)", 1), ("mix(1/2*geometric(q)+1/2*linear-geometric(q))", 0),
    ("mix(1/3*geometric(q)+2/3*geometric(q=1/2))", 1),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "s"), every_third(CLOSED))
def test_numerator_over_denominator_is_the_ratio(spec: str, s: int) -> None:
    own = derived(spec, s=s)
    for place in (Fraction(1, 5), Fraction(3, 4)):
        value = sp.N((own.numerator / own.denominator - own.ratio).subs(q, sp.Rational(str(place))), 40)
        assert abs(value) < sp.Float("1e-30")


@pytest.mark.parametrize(("spec", "s"), every_third(CLOSED))
def test_values_are_those_of_the_law_with_numbers(spec: str, s: int) -> None:
    for place in (Fraction(2, 5), Fraction(11, 13)):
        plain = (
            ratio("a-min", spec.replace("(q)", f"(q={place})").replace(", q)", f", q={place})"), s)
            if "pmf" not in spec
            else None
        )
        if plain is None:
            plain = ratio("a-min", f"{spec[:-1]}, q={place})", s)
        direct = plain.direct(13)
        own = at(spec, s, place, 14)
        assert max(own.lower, direct.lower) <= min(own.upper, direct.upper)
        assert derived(spec, s=s).value(place) == pytest.approx(direct.middle, rel=1e-12)


def test_the_normalised_denominator_is_the_form_at_probabilities() -> None:
    own = derived("geometric(q)")
    # Σ_k k² P(k)(P(k) + 2 Σ_{i>k} P(i)) at q = 1/2, plainly
    p = [0.0] + [0.5**k for k in range(1, 200)]
    plain = sum(k * k * p[k] * (p[k] + 2 * 0.5**k) for k in range(1, 200))
    assert float(own.denominator.subs(q, sp.Rational(1, 2))) == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize(("spec", "s"), every_third(CLOSED))
def test_evidence_and_latex(spec: str, s: int) -> None:
    own = derived(spec, s=s)
    assert own.reason is None
    assert len(own.latex) > 10
    assert "\\" in own.latex
    assert len(own.evidence) == 3
    assert len({row["at"] for row in own.evidence}) == 3
    for row in own.evidence:
        assert row["direct sum"].startswith("[")
        low, high = row["direct sum"].strip("[]").split(", ")
        first, last = row["closed form"].split(" … ")
        assert float(low) - 1e-12 <= float(first) <= float(last) <= float(high) + 1e-12
    assert [p.name for p in own.parameters] == ["q"]
    assert ": derive(" in repr(own)


# ---- limits -----------------------------------------------------------------------------------------------------


def test_known_limits() -> None:
    for s in (0, 1, 5):
        assert sp.simplify(derived("geometric(q)", s=s).limit(q=1) - (10 - 12 * sp.log(2))) == 0
        assert derived("linear-geometric(q)", s=s).limit(q=1) == sp.Rational(14, 9)
        assert derived("geometric(q)", s=s).limit(q=0) == 1
        assert derived("log-series(q)", s=s).limit(q=1) == 2
    assert derived("uniform(l=1, u)").limit(u=sp.oo) == sp.Rational(11, 8)
    assert derived("uniform(l=4, u)", s=2).limit(u=sp.oo) == sp.Rational(11, 8)
    assert derived("uniform(l=1, u)", "a-max").limit(u=sp.oo) == 3
    assert derived("uniform(l=1, u)").limit(u="oo") == sp.Rational(11, 8)
    assert derived("geometric(q)", "a-random").limits == [("q", 0, 1), ("q", 1, 4)]


@cache
def gamma_limit(r: int) -> Any:
    """The ratio of the s = 0 forms under the Gamma(r) density, by a double integral over x < y, x = v y."""
    half = mpmath.mpf(1) / 2

    def integral(entry: Any) -> Any:
        def inner(v: Any) -> Any:
            return mpmath.quad(
                lambda y: (v * y) ** (r - 1) * mpmath.exp(-v * y) * y ** (r - 1) * mpmath.exp(-y) * entry(v * y, y) * y,
                [0, 4, 12, 40, 90],
            )

        return mpmath.quad(inner, [0, 1])

    return integral(lambda x, y: half * x * (y * y + 2 * x * y - x * x) / y) / integral(lambda x, y: x * x)


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(
    ("r", "spec"),
    every_third(
        [(1, "geometric(q)"), (2, "linear-geometric(q)"), (3, "pmf(k**2*q**k)"), (3, "negative-binomial(r=3, q)")]
    ),
)
def test_limits_against_a_double_integral(r: int, spec: str) -> None:
    with mpmath.workdps(15):
        assert abs(gamma_limit(r) - mpmath.mpmathify(sp.N(derived(spec).limit(q=1), 20))) < mpmath.mpf(10) ** -10


def test_the_log_series_limit_against_an_integral() -> None:
    """For the density e^{-x}/x the integrals over x = v y reduce to one over v, 0 < v < 1."""
    top: Any = mpmath.quad(lambda v: (1 + 2 * v - v * v) / 2 / (1 + v) ** 2, [0, 1])
    bottom: Any = mpmath.quad(lambda v: v / (1 + v) ** 2, [0, 1])
    assert float(top / bottom) == pytest.approx(float(derived("log-series(q)").limit(q=1)), rel=1e-12)


@pytest.mark.parametrize(("spec", "s"), every_third(CLOSED))
def test_limits_are_approached(spec: str, s: int) -> None:
    for place, end in ((Fraction(1, 10**9), 0), (1 - Fraction(1, 10**9), 1)):
        limit = float(sp.N(derived(spec, s=s).limit(q=end), 20))
        assert at(spec, s, place).middle == pytest.approx(limit, rel=3e-6 if not spec.startswith("log") else 0.2)


@pytest.mark.parametrize("end", [{"q": 2}, {"q": 0.5}, {"x": 1}, {}, {"q": 1, "r": 1}, {"q": sp.oo}])
def test_bad_limits(end: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        derived("geometric(q)").limit(**end)
    assert "\n" not in str(caught.value)


# ---- suprema ----------------------------------------------------------------------------------------------------

GRID = [
    *(Fraction(k, 170) for k in range(1, 170)),
    *(1 - Fraction(1, 2**k) for k in range(8, 24)),
    *(Fraction(1, 2**k) for k in range(8, 24)),
]
SUPREMA = [(spec, s) for spec in ("geometric(q)", "linear-geometric(q)") for s in (0, 1, 2, 5, 10)] + [
    ("negative-binomial(r=3, q)", 0), ("log-series(q)", 0), ("log-series(q)", 1), ("pmf(k**2*q**k)", 0), ("pmf(k**2*q**k)", 1),
    ("pmf((k-1)*q**k)", 0),
]  # fmt: skip


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("spec", "s"), every_third(SUPREMA))
def test_no_value_exceeds_the_supremum(spec: str, s: int) -> None:
    found = supremum(spec, s)
    assert found.status in ("proved", "certified")
    assert found.enclosure.width <= Fraction(1, 10**11)
    grid = GRID if s < 5 else GRID[::2]
    values = [at(spec, s, place, 8) for place in grid]
    assert all(value.lower <= found.enclosure.upper for value in values)
    best = max(value.upper for value in values)
    if found.attained:
        assert isinstance(found.at, Enclosure)
        assert 0 < found.at.lower <= found.at.upper < 1
        middle = (found.at.lower + found.at.upper) / 2
        inside = at(spec, s, middle, 14)
        assert inside.upper >= found.enclosure.lower - Fraction(1, 10**10)
        assert inside.lower <= found.enclosure.upper
        assert found.enclosure.lower - best < Fraction(1, 10**3)
        limit = derived(spec, s=s).limit(q=1)
        assert found.enclosure.lower > enclose(limit, {}, 20).upper
    else:
        assert found.at == 1
        assert sp.simplify(found.value - derived(spec, s=s).limit(q=1)) == 0
        assert best < found.enclosure.upper
        assert found.enclosure.upper - best < Fraction(1, 10) * found.enclosure.upper


def test_known_suprema() -> None:
    assert sp.simplify(supremum("geometric(q)", 0).value - (10 - 12 * sp.log(2))) == 0
    assert supremum("linear-geometric(q)", 0).value == sp.Rational(14, 9)
    assert supremum("linear-geometric(q)", 0).status == "proved"
    assert "not attained" in supremum("geometric(q)", 0).place
    assert float(supremum("geometric(q)", 1).enclosure.lower) == pytest.approx(1.71555328134, abs=1e-10)


def test_two_point_suprema() -> None:
    for low, up in ((1, 3), (2, 7), (3, 4), (1, 50)):
        spec = f"two-point(l={low}, u={up}, weight)"
        alpha = sp.Rational(low, up)
        found = derived(spec).supremum()
        assert found.value == (3 - alpha) / 2
        assert found.attained
        assert found.at == 1 / (1 + alpha)  # x_l : x_u = 1/α
        own = derived(spec, "a-ell").supremum()
        expected = 1 + alpha / (2 * (1 - alpha)) if alpha <= sp.Rational(1, 2) else 1 + 2 * alpha**2
        assert own.value == expected
        general = derived(spec, s=3).supremum()
        a, d = low * (3 + low), up * (3 + up)
        truth = 1 + sp.Rational((3 + low) * (up - low) * (3 + low + up), 2 * (3 + up)) / (a + sp.sqrt(a * d))
        assert general.enclosure.lower <= Fraction(str(sp.N(truth, 40))) + Fraction(1, 10**35)
        assert Fraction(str(sp.N(truth, 40))) - Fraction(1, 10**35) <= general.enclosure.upper


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("policy", "low", "s"),
    [("a-min", 1, 0), ("a-min", 1, 1), ("a-min", 1, 6), ("a-random", 2, 1), ("a-max", 3, 0), ("volume", 1, 0)],
)
def test_uniform_suprema(policy: str, low: int, s: int) -> None:
    found = derived(f"uniform(l={low}, u)", policy, s).supremum()
    values = {n: ratio(policy, f"uniform(l={low}, u={n})", s).exact for n in range(low, low + 60)}
    assert all(value <= found.enclosure.upper for value in values.values())
    if found.status == "proved" and found.attained:
        assert values[int(found.at)] == max(values.values()) == found.enclosure.upper
    if found.status == "proved" and not found.attained:
        assert found.at is sp.oo
        assert found.value == derived(f"uniform(l={low}, u)", policy, s).limit(u=sp.oo)


@pytest.mark.parametrize("s", [0, 1, 4])
def test_two_point_suprema_over_an_end(s: int) -> None:
    """Lengths are integers with l < u."""
    for spec, lengths in (
        ("two-point(l=1, u={}, weight=1/2)", range(2, 60)),
        ("two-point(l={}, u=7, weight=1/2)", range(1, 7)),
    ):
        name = "u" if "u={}" in spec else "l"
        found = derive(spec.replace(f"{name}={{}}", name), s=s).supremum()
        values = {n: ratio("a-min", spec.format(n), s).exact for n in lengths}
        assert found.enclosure.lower == found.enclosure.upper == max(values.values())
        assert values[int(found.at)] == max(values.values())


@pytest.mark.exhaustive  # takes seconds
def test_a_supremum_without_a_certificate_says_so() -> None:
    own = derive("pmf((k+q)*q**k)", s=2)
    found = own.supremum()
    assert found.status == "supported"
    assert own.reason
    assert found.attained is None
    assert found.value_text.startswith("at least ")
    best = own.enclosure(Fraction(str(found.at)), 30)
    assert Fraction(found.value_text.split()[-1]) <= best.upper  # what is printed is a value of the ratio, rounded down
    assert found.as_json()["lower"] is None


def test_a_sample_and_a_limit_are_told_apart_by_enclosures() -> None:
    """A ratio that exceeds both its limits, by 10⁻¹⁹, and one that stays 10⁻³⁰ below: floats cannot tell."""
    from crtools.ratios.supremum import sampled_supremum
    from crtools.signs.ranges import Interval as Range

    unit = Range("q", sp.S.Zero, sp.S.One)
    for gap, at_end in ((Fraction(1, 10**19), False), (-Fraction(1, 10**30), True)):
        found = sampled_supremum(lambda at, _, gap=gap: Enclosure(1 + gap, 1 + gap), unit, {0: sp.S.One, 1: sp.S.One})
        assert (found.at in (0, 1), found.status) == (at_end, "supported")
        assert found.enclosure.lower == (1 if at_end else 1 + gap)


def test_a_supremum_as_json() -> None:
    data = supremum("geometric(q)", 1).as_json()
    assert float(data["lower"]) <= float(data["value"]) <= float(data["upper"])
    assert data["attained"] is True
    assert float(data["at_interval"][0]) <= float(data["at"]) <= float(data["at_interval"][1])


# ---- ranges and both ends ---------------------------------------------------------------------------------------

BASES = ["q", "(1-q)", "(q/2)", "(1/q)", "(q-3/2)", "(3*q-1)", "(q/(1+q))"]
LENGTHS = ["1", "k", "(k-1)*(k-2)", "(k**2-5*k+7)", "1/k", "(k+a)", "(1+a*k)", "(2-a*k)"]
POLICIES = ["a-min", "volume", "a-random", "a-random-area", "h-sf"]


@st.composite
def laws(draw: st.DrawFn) -> str:
    """A spec with one free parameter: in the base, in the polynomial, or in a mixture's weights."""
    kind = draw(st.sampled_from(["base", "polynomial", "sum", "mixture"]))
    base, length = draw(st.sampled_from(BASES)), draw(st.sampled_from(LENGTHS[:5]))
    if kind == "base":
        return draw(st.sampled_from(["pmf({})", "mix(2*pmf({}))"])).format(f"{length}*{base}**k")
    if kind == "polynomial":
        return f"pmf({draw(st.sampled_from(LENGTHS[5:]))}*(1/{draw(st.integers(2, 4))})**k)"
    if kind == "sum":
        base = draw(st.sampled_from([base, "(2*q/(1+q))"]))
        return f"pmf({draw(st.sampled_from(LENGTHS[:4]))}*{base}**k + (1/{draw(st.integers(2, 4))})**k)"
    number = draw(st.sampled_from(["1", "6/5", "2"]))
    return f"mix(w*geometric(1/2)+({number}-w)*pmf({draw(st.sampled_from(LENGTHS[:4]))}*(1/3)**k))"


@pytest.mark.exhaustive  # takes seconds
@settings(max_examples=18, deadline=None, derandomize=True)
@given(laws(), st.sampled_from(POLICIES), st.integers(0, 3), st.lists(st.fractions(0, 1), min_size=2, max_size=2))
def test_a_supremum_is_at_least_every_value_and_both_limits(
    spec: str, policy: str, s: int, shares: list[Fraction]
) -> None:
    own = derived(spec, policy, s)
    [within] = own.ranges.values()
    found = own.supremum()
    top = math.inf if found.bounds is None else found.enclosure.middle
    assert len(own.limits) == 2
    assert [end for _, end, _ in own.limits] == list(within.ends)
    for _, _, limit in own.limits:
        assert float(limit) <= top * (1 + 1e-12)
    for share in shares:
        place = within.at(Fraction(1, 20) + share * Fraction(9, 10))
        law = own.distribution.at({within.name: place})  # type: ignore[attr-defined]
        direct = ratio(policy, law, s).direct(11)
        assert own.value(place) == pytest.approx(direct.middle, rel=1e-9)
        assert direct.lower <= own.enclosure(place).upper
        assert direct.middle <= top * (1 + 1e-9)
    assert found.attained is not True or found.at is None or isinstance(found.at, Enclosure) or found.at in within
    assert found.attained is not False or found.at not in within


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("spec", "policy", "value", "end", "status"),
    [
        ("mix(1*geometric(q))", "a-min", 10 - 12 * sp.log(2), 1, "certified"),
        ("mix(3*log-series(q))", "a-min", sp.Integer(2), 1, "certified"),
        ("pmf((1-q)**k)", "a-min", 10 - 12 * sp.log(2), 0, "certified"),
        ("pmf((q/2)**k)", "a-min", 10 - 12 * sp.log(2), 2, "certified"),
        ("pmf(2/q**k)", "a-min", 10 - 12 * sp.log(2), 1, "certified"),
        ("pmf(q**(2*k))", "a-min", 10 - 12 * sp.log(2), 1, "certified"),
        ("pmf((k-1)*(k-2)*q**k)", "a-min", sp.Rational(43, 29), 1, "certified"),
        ("log-series(q)", "volume", sp.Integer(1), 0, "certified"),
        ("log-series(q)", "a-random", sp.oo, 1, "certified"),
        ("pmf(q**k-(q/2)**k)", "a-min", 10 - 12 * sp.log(2), 1, "certified"),
    ],
)
def test_a_supremum_at_an_open_end_is_the_limit_and_not_attained(
    spec: str, policy: str, value: Any, end: int, status: str
) -> None:
    found = derived(spec, policy).supremum()
    assert found.value == value or sp.simplify(found.value - value) == 0
    assert (found.at, found.attained, found.status) == (end, False, status)
    assert "not attained" in found.place


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("spec", "base"),
    [
        ("pmf((1-q)**k)", lambda q: 1 - q),
        ("pmf((q/2)**k)", lambda q: q / 2),
        ("pmf((5*q)**k)", lambda q: 5 * q),
        ("pmf(q**(2*k))", lambda q: q**2),
    ],
)
@pytest.mark.parametrize("policy", ["a-min", "a-random"])
def test_a_supremum_inside_is_that_of_the_base(spec: str, base: Callable[[float], float], policy: str) -> None:
    known, found = derived("geometric(q)", policy, 1).supremum(), derived(spec, policy, 1).supremum()
    assert found.status == known.status
    assert found.enclosure == known.enclosure
    assert isinstance(found.at, Enclosure) == isinstance(known.at, Enclosure)
    if isinstance(found.at, Enclosure):
        assert base(found.at.middle) == pytest.approx(known.at.middle, abs=1e-9)


def test_a_supremum_at_a_closed_end_is_attained() -> None:
    for policy, status in (("a-random", "proved"), ("a-min", "certified")):
        found = derived("mix(w*geometric(1/2)+(1-w)*geometric(1/3))", policy).supremum()
        assert (found.at, found.attained, found.status) == (1, True, status)
        assert found.enclosure.middle == pytest.approx(ratio(policy, "geometric(1/2)").value, rel=1e-12)


RANGES = [
    ("geometric(q)", {"q": "0 < q < 1"}),
    ("pmf((q/2)**k)", {"q": "0 < q < 2"}),
    ("pmf(1/q**k)", {"q": "1 < q"}),
    ("pmf((k+a)*q**k)", {"a": "-1 <= a", "q": "0 < q < 1"}),
    ("pmf((1+a*k)*q**k, q=1/2)", {"a": "0 <= a"}),
    ("pmf((k-6/5*q)*q**k)", {"q": "0 < q <= 5/6"}),
    ("pmf(a*q**k)", {"a": "0 < a", "q": "0 < q < 1"}),
    ("pmf(q**k+a*(1/3)**k, q=1/2)", {"a": "-3/2 <= a"}),
    ("pmf(q**(2*k))", {"q": "0 < q < 1 (assumed: q > 0)"}),
    ("pmf(a-k, u=5)", {"a": "5 <= a"}),
    ("mix(w*geometric(a)+(1-w)*geometric(b))", {"a": "0 < a < 1", "b": "0 < b < 1", "w": "0 <= w <= 1"}),
    ("mix(w*geometric(1/2)+(2-3*w)*geometric(1/3))", {"w": "0 <= w <= 2/3"}),
    ("two-point(l, u, weight)", {"l": "1 <= l < u, integer", "u": "l < u, integer", "weight": "0 <= weight <= 1"}),
    ("uniform(l=3, u)", {"u": "3 <= u, integer"}),
    ("poisson(mean)", {"mean": "0 < mean"}),
    ("geometric(1/2)", {}),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("spec", "expected"), RANGES)
def test_the_range_of_every_parameter(spec: str, expected: dict[str, str]) -> None:
    assert {name: str(own) for name, own in derived(spec).ranges.items()} == expected


@pytest.mark.one_in(2)
@pytest.mark.parametrize("spec", ["pmf((a*b)**k)", "pmf(q**k-r**k)", "pmf(k**a*q**k)", "pmf((k-a)**2*q**k, q=1/3)"])
def test_what_is_not_shown_of_a_range_is_said(spec: str) -> None:
    assert all("assumed: " in str(own) for own in derived(spec).ranges.values())


@pytest.mark.parametrize(
    "spec", ["pmf(2**k*a)", "pmf((k-3)*q**k)", "pmf((1+q)**k*(1-k))", "mix((w-2)*geometric(1/2)+(1-w)*geometric(1/3))"]
)
def test_a_law_without_a_value_of_its_parameter_is_refused(spec: str) -> None:
    with pytest.raises(InputError):
        derive(spec)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.sampled_from([spec for spec, _ in RANGES[1:7] if "(k+a)*q" not in spec and "a*q" not in spec]),
    st.fractions(-3, 3),
)
def test_a_value_is_in_the_range_just_where_it_gives_a_law(spec: str, place: Fraction) -> None:
    own = derived(spec)
    [within] = own.ranges.values()
    try:
        law = own.distribution.at({within.name: place})  # type: ignore[attr-defined]
    except (InputError, ZeroDivisionError):
        law = None
    assert (place in within) == (law is not None)


@pytest.mark.parametrize(
    ("spec", "name", "places"),
    [
        ("geometric(q)", "q", ("3/2", 0, 1, -1, 1.5, Fraction(2))), ("pmf((q/2)**k)", "q", (2, 0, 3)),
        ("pmf((k+a)*q**k, q=1/2)", "a", ("-1.01", -2)), ("two-point(l=1, u=5)", "weight", (2, "-1/7")),
        ("mix(w*geometric(1/2)+(1-w)*geometric(1/3))", "w", ("1.1", -1)), ("uniform(l=2, u)", "u", (1, "5/2")),
        ("two-point(l=2, weight=1/2)", "u", (2, "7/2")),
    ],
)  # fmt: skip
def test_a_value_outside_the_range_is_refused(spec: str, name: str, places: tuple[Any, ...]) -> None:
    own = derived(spec)
    for place in places:
        for ask in (own.value, own.enclosure):
            with pytest.raises(InputError) as caught:
                ask(place)
            assert caught.value.argument == name
            assert str(own.ranges[name]) in str(caught.value)
            assert "\n" not in str(caught.value)
    outside = 17 if name != "u" else 4
    with pytest.raises(InputError, match="end of the range"):
        own.limit(**{name: outside})


def test_values_at_the_ends_that_belong_to_the_range() -> None:
    mixture = derived("mix(w*geometric(1/2)+(1-w)*geometric(1/3))")
    assert mixture.value(1) == pytest.approx(ratio("a-min", "geometric(1/2)").value, rel=1e-12)
    assert mixture.value("0") == pytest.approx(ratio("a-min", "geometric(1/3)").value, rel=1e-12)
    shifted = derived("pmf((k+a)*q**k, q=1/2)")
    assert shifted.value(-1) == pytest.approx(ratio("a-min", "pmf((k-1)*(1/2)**k)").value, rel=1e-12)
    assert derived("uniform(l=1, u)").value(7) == pytest.approx(ratio("a-min", "uniform(1, 7)").value, rel=1e-12)


def test_a_weight_that_depends_on_a_parameters_sign_needs_its_value() -> None:
    with pytest.raises(InputError, match="numbers"):
        derive("pmf((k+max(a, 0))*q**k, q=1/2)")
    expected = ratio("a-min", "linear-geometric(1/2)").value
    assert ratio("a-min", "pmf((k+max(a, 0))*q**k, q=1/2, a=-1/2)").value == pytest.approx(expected, rel=1e-12)


# ---- finite laws with symbols -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["a-min", "a-ell", "a-max", "a-random", "volume"])
@pytest.mark.parametrize("s", [0, 3])
def test_two_points_with_symbols(policy: str, s: int) -> None:
    own = derived("two-point(l, u, weight)", policy, s)
    assert {p.name for p in own.parameters} == {"l", "u", "weight"}
    assert len({row["at"] for row in own.evidence}) == 3
    for low, up, share in ((1, 2, "1/2"), (3, 17, "2/9"), (5, 6, "7/8")):
        put = own.ratio.subs({l: low, u: up, w: sp.Rational(share)})
        assert Fraction(str(put)) == ratio(policy, f"two-point(l={low}, u={up}, weight={share})", s).exact


def test_two_points_in_alpha_and_t() -> None:
    alpha, t = sp.symbols("alpha t", positive=True)
    known = 1 + alpha * (1 - alpha**2) * t / (alpha**2 * t**2 + 2 * alpha**2 * t + 1)
    assert sp.cancel(derived("two-point(l, u, weight)").alternative - known) == 0
    assert derived("two-point(l, u, weight)", s=1).alternative is None


@pytest.mark.one_in(3)
@pytest.mark.parametrize("policy", ["a-min", "a-max", "a-random", "volume"])
@pytest.mark.parametrize(("low", "s"), [(1, 0), (1, 2), (3, 0), (4, 5)])
def test_uniform_with_a_symbol(policy: str, low: int, s: int) -> None:
    own = derived(f"uniform(l={low}, u)", policy, s)
    assert own.ratio is not None
    for n in (low, low + 1, low + 13):
        put = own.ratio.subs(u, n).doit()
        assert Fraction(str(sp.nsimplify(put))) == ratio(policy, f"uniform(l={low}, u={n})", s).exact
    numerator = own.numerator.subs(u, low + 4).doit() / own.denominator.subs(u, low + 4).doit()
    assert Fraction(str(sp.nsimplify(numerator))) == ratio(policy, f"uniform(l={low}, u={low + 4})", s).exact


# ---- what is not derived ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "s"), [("poisson(mean=3)", 0), ("zipf(a=1, u=5)", 0), ("empirical(1:1, 2:1)", 0), ("pmf(q**k/k**2)", 1)]
)
def test_a_law_without_a_closed_form_says_so(spec: str, s: int) -> None:
    own = derive(spec, s=s)
    assert own.ratio is None
    assert own.reason
    assert own.latex == ""
    assert own.evidence == []
    assert own.limits == []
    assert own.numerator is None
    with pytest.raises((InputError, NotCertified)):
        own.supremum()
    if not own.parameters:
        number = own.number(12)
        assert number is not None
        assert number.lower <= ratio("a-min", spec, s).enclosure(15).upper


def test_a_law_with_numbers_only() -> None:
    own = derive("geometric(q=1/2)")
    assert own.parameters == ()
    number = own.number(20)
    assert number is not None
    value = Fraction(str(sp.N(own.ratio, 40)))
    assert number.lower - Fraction(1, 10**30) <= value <= number.upper + Fraction(1, 10**30)
    assert len(own.evidence) == 1
    for ask in (own.supremum, lambda: own.limit(q=1)):
        with pytest.raises(InputError):
            ask()


@pytest.mark.parametrize(
    "spec", ["two-point(l, u, weight)", "two-point(l=1, u, weight)", "mix(w*geometric(q)+(1-w)*linear-geometric(q))"]
)
def test_several_parameters_have_no_single_limit(spec: str) -> None:
    own = derived(spec)
    assert own.ratio is not None
    assert own.number() is None
    with pytest.raises(InputError) as caught:
        own.limit(q=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        ("nope(q)",), ("geometric(q)", "nope"), ("geometric(q)", "a-min", -1), ("geometric(q)", "a-min", 0.5),
        ("geometric(q)", "a-min", 0, "nope"), ("geometric(q)", "a-max"), ("geometric(q)", "a-ell"), ("uniform(l=1, u)", "a-ell"),
        ("geometric(q=2)",), ("",), (5,), ("pmf(2**k)",), ("pmf((k-3)*q**k)",),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(InputError) as caught:
        derive(*arguments)
    assert "\n" not in str(caught.value)


# ---- expansions with remainder ----------------------------------------------------------------------------------

EXPANDED = [
    ("geometric(q)", "a-min", 0), ("geometric(q)", "a-min", 2), ("linear-geometric(q)", "a-min", 1), ("log-series(q)", "a-min", 0),
    ("log-series(q)", "a-min", 1), ("pmf((k+1)*q**k/k)", "a-min", 0), ("mix(1/3*geometric(q)+2/3*geometric(q=1/2))", "a-min", 0),
    ("geometric(q)", "volume", 1),
]  # fmt: skip
PRECISE = 90


def exactly(poly: Any, parts: dict[Any, Any], parameter: Any, place: Fraction) -> Any:
    """A polynomial in the parts and the parameter at a point, in mpmath."""
    x = mpmath.mpf(place.numerator) / place.denominator
    values = []
    for part in parts.values():
        inside = mpmath.mpmathify(
            sp.N(part.args[-1].subs(parameter, sp.Rational(place.numerator, place.denominator)), PRECISE + 20)
        )
        values.append(mpmath.log(inside) if isinstance(part, sp.log) else mpmath.polylog(int(part.args[0]), inside))
    total = mpmath.mpf(0)
    for monomial, c in sp.Poly(poly, *parts, parameter).terms():
        term = mpmath.mpf(int(c.p)) / int(c.q)
        for value, power in zip((*values, x), monomial, strict=True):
            term *= value**power
        total += term
    return total


def known(found: Any, size: Any, big: Any) -> Any:
    """What is known of an expansion, a polynomial in t, Λ and constants, at t = ``size`` and Λ = ``big``."""
    constants = [size, big, mpmath.pi**2, *(mpmath.log(int(v.args[0])) for v in found.at.constants[1:])]
    total = mpmath.mpf(0)
    for monomial, c in found.poly.terms():
        term = mpmath.mpf(int(c.numerator)) / int(c.denominator)
        for value, power in zip(constants, monomial, strict=True):
            term *= value**power
        total += term
    return total


def at_power(found: Any, i: int) -> Any:
    """The part of an expansion with t^i."""
    part = found.at.ring.from_dict({m: c for m, c in found.poly.terms() if m[0] == i})
    return Expansion(found.at, part, {})


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("spec", "policy", "s"), EXPANDED)
@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize(("order", "delta"), [(6, Fraction(1, 16)), (12, Fraction(1, 64))])
def test_the_remainder_encloses(spec: str, policy: str, s: int, end: int, order: int, delta: Fraction) -> None:
    own = derived(spec, policy, s).quotient
    assert own is not None
    [parameter] = own.parameters
    both = expansions(own, end, order, delta)
    with mpmath.workdps(PRECISE):
        for poly, found in zip((own.numerator, own.denominator), both, strict=True):
            for share in (Fraction(1), Fraction(2, 3), Fraction(1, 5), Fraction(1, 1000)):
                t = delta * share
                size = mpmath.mpf(t.numerator) / t.denominator
                big = mpmath.log(size)
                value = exactly(poly, dict(own.parts), parameter, 1 - t if end == 1 else t)
                series = known(found, size, big)
                room = mpmath.mpf(0)
                with precision(256):
                    for j, r in found.remainder.items():
                        high = ends(r)[1]
                        room += mpmath.mpf(high.numerator) / high.denominator * abs(big) ** j
                room *= size**order
                assert abs(value - series) <= room + mpmath.mpf(10) ** (-PRECISE + 25)
                if order == 12:
                    powers = {m[0] for m in found.poly.monoms()}
                    scale = max(abs(known(at_power(found, i), mpmath.mpf(1), big)) for i in powers)
                    assert room <= mpmath.mpf(10) ** 6 * (1 + scale) * (1 + abs(big)) ** 3 * size**order * 10**6
            sign = found.sign()
            if sign:
                for share in (Fraction(1), Fraction(1, 3), Fraction(1, 10**4)):
                    t = delta * share
                    value = exactly(poly, dict(own.parts), parameter, 1 - t if end == 1 else t)
                    assert value * sign > 0


def test_a_leading_term_is_seen_through_cancellation() -> None:
    """(ln(1+q) − q + q²/2 − q³/3) starts with −q⁴/4."""
    from crtools.ratios.limits import Frame

    part = sp.Dummy("L")
    frame = Frame(q, 0, sp.Tuple(sp.log(1 + q)), 8, Fraction(1, 32))
    found = frame.expand(part - q + q**2 / 2 - q**3 / 3, {part: sp.log(1 + q)})
    i, j, head = found.leading() or (0, 0, 0)
    assert (i, j) == (4, 0)
    assert frame.value(head) == sp.Rational(-1, 4)
    assert found.sign() == -1


def test_logarithms_that_vanish_are_kept_apart() -> None:
    """ln(1 − q²) at q → 1 is Λ + ln 2 + …."""
    from crtools.ratios.limits import Frame

    part = sp.Dummy("L")
    frame = Frame(q, 1, sp.Tuple(sp.log(1 - q**2)), 6, Fraction(1, 32))
    found = frame.expand(part, {part: sp.log(1 - q**2)})
    assert found.leading()[:2] == (0, 1)  # type: ignore[index]
    assert found.sign() == -1
    with mpmath.workdps(30):
        big = mpmath.log(mpmath.mpf(1) / 100)
        head = known(at_power(found, 0), mpmath.mpf(1), big)
        assert abs(head - big - mpmath.log(2)) < mpmath.mpf(10) ** -25


@pytest.mark.exhaustive  # takes seconds
def test_the_supremum_over_a_poisson_mean_is_certified() -> None:
    found = derive("poisson(mean)").supremum()
    assert found.status == "certified"
    assert found.attained
    assert found.enclosure.relative_width() < 1e-11
    for mean in ("0.01", "0.5", "1.5", "1.8235", "2", "5", "20", "99", "101", "300", "1000"):
        value = ratio("a-min", f"poisson(mean={mean})").enclosure(10)
        assert value.lower <= found.enclosure.upper
        if float(mean) >= 100:  # the bound for large means
            assert value.upper <= 1 + 1.7 / float(mean) ** 0.5
    assert ratio("a-min", "poisson(mean=1.8234686)").enclosure(14).upper >= found.enclosure.lower * (
        1 - Fraction(1, 10**11)
    )
    assert derive("poisson(mean)").ratio is None
    with pytest.raises(InputError):
        ratio("a-min", "poisson(mean)")


@pytest.mark.parametrize("spec", ["two-point(l,u,weight)", "two-point(l=1,u,weight=1/2)", "uniform(l=1,u)"])
def test_a_form_that_compares_the_ends_has_no_closed_form_in_them(spec: str) -> None:
    law = derive(spec, policy="a-restart")
    assert law.ratio is None
    assert "needs numbers for the ends" in (law.reason or "")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "spec",
    [
        "mix(1/2*geometric(q)+1/2*geometric(q=1/2))",
        "mix(1/3*geometric(q)+2/3*linear-geometric(q))",
        "pmf(q**k+(1/3)**k)",
    ],
)
def test_the_weights_of_one_base_are_power_series_with_coefficients_at_least_0(spec: str) -> None:
    """What branch and bound rests on: the denominator times the factor squared, expanded at 0."""
    own = derived(spec)
    base, bottom = own._closed.base, own._closed.in_base[1]  # pyright: ignore[reportPrivateUsage]
    assert base is not None
    above, below = sp.fraction(sp.cancel(sp.together(bottom * base.factor**2)))
    series = sp.Poly(sp.series(above / below, q, 0, 14).removeO(), q)
    assert series.total_degree() > 6
    assert all(c >= 0 for c in series.all_coeffs())


def test_a_supremum_without_an_exact_value_is_displayed_in_digits() -> None:
    exact, digits = derived("geometric(q)"), derived("linear-geometric(q)", s=10)
    assert r"\text{supremum } 10 - 12 \ln" in (exact._repr_latex_() or "")
    assert digits.supremum().value is None
    assert rf"\text{{supremum }} \text{{{digits.supremum().value_text}}}" in (digits._repr_latex_() or "")
