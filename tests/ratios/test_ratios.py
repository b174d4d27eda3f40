"""Ratios of forms at laws: exact ones against a double sum, closed forms against direct sums, enclosures."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from crtools import ratio
from crtools.distributions import Distribution, Empirical, Pmf, distribution
from crtools.errors import InputError, NotCertified
from crtools.forms import Form

Weights = dict[int, Fraction]


# ---- the paper's sums, written out again ------------------------------------------------------------------------


def a_min(x: Weights, s: int) -> Fraction:
    low, up = min(x), max(x)
    total = Fraction(0)
    for k in range(low, up + 1):
        delta = s + low if k == low else 1
        outer = sum((i * w for i, w in x.items() if i >= k), Fraction(0))
        inner = sum((Fraction(delta, s + i) * w for i, w in x.items() if i >= k), Fraction(0))
        inner += 2 * sum((Fraction(i - k, s + i) * w for i, w in x.items() if i > k), Fraction(0))
        total += delta * outer * inner
    return total


def pairs(x: Weights, entry: Any) -> Fraction:
    return sum((Fraction(entry(min(i, j), max(i, j))) * v * w for i, v in x.items() for j, w in x.items()), Fraction(0))


def brute(name: str, x: Weights, s: int) -> Fraction:
    up, mass = max(x), sum(x.values(), Fraction(0))
    if name == "a-min":
        return a_min(x, s)
    if name == "a-random":
        return mass * sum((i * (s + i) * w for i, w in x.items()), Fraction(0))
    if name == "a-max":
        return (s + up) * mass * sum((i * w for i, w in x.items()), Fraction(0))
    if name == "volume":
        return pairs(x, lambda i, j: sum(s + m for m in range(1, i + 1)))
    if name == "h-sf":
        return pairs(x, lambda i, j: i * (s + i))
    low = min(x)
    p, q = x[low], x[up]
    return low * (s + low) * (p + q) * (p + 2 * q) + up * (s + up) * q * q


LAWS = st.dictionaries(
    st.integers(1, 14), st.fractions(min_value=Fraction(1, 9), max_value=9, max_denominator=12), min_size=1, max_size=7
)
SIZES = st.sampled_from([0, 1, 2, 7, 100])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["a-min", "a-random", "a-max", "h-sf", "volume"])
@hypothesis_settings(max_examples=25, deadline=None)
@given(x=LAWS, s=SIZES)
def test_exact_ratios_of_finite_laws(name: str, x: Weights, s: int) -> None:
    got = ratio(name, Empirical(x), s)
    assert got.exact == brute(name, x, s) / brute("h-sf", x, s)
    assert got.status == "certified"
    assert got.value == float(got.exact)
    enclosed = got.enclosure(9)
    assert enclosed.lower == enclosed.upper == got.exact


@hypothesis_settings(max_examples=40, deadline=None)
@given(
    l=st.integers(1, 30),
    gap=st.integers(1, 60),
    w=st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50), max_denominator=50),
    s=SIZES,
    name=st.sampled_from(["a-ell", "a-min", "a-max", "a-random", "volume"]),
)
def test_exact_ratios_on_two_points(l: int, gap: int, w: Fraction, s: int, name: str) -> None:
    u = l + gap
    x = {l: w, u: 1 - w}
    spec = f"two-point(l={l}, u={u}, weight={w})"
    truth = brute(name, x, s) / brute("h-sf", x, s)
    assert ratio(name, spec, s).exact == truth
    assert ratio(name, Empirical(x), s).exact == truth


@hypothesis_settings(max_examples=15, deadline=None)
@given(x=LAWS, s=SIZES)
def test_against_any_form(x: Weights, s: int) -> None:
    law = Empirical(x)
    assert ratio("a-random", law, s, against="a-min").exact == brute("a-random", x, s) / brute("a-min", x, s)
    assert ratio("a-min", law, s, against="volume").exact == brute("a-min", x, s) / brute("volume", x, s)
    assert ratio("volume", law, s, against="volume").exact == 1


def test_a_form_of_ones_own() -> None:
    own = Form.from_entry(lambda i, j, s: i * j + s)
    x = {1: Fraction(1, 3), 4: Fraction(2, 3)}
    truth = pairs(x, lambda i, j: i * j + 2) / brute("h-sf", x, 2)
    assert ratio(own, Empirical(x), 2).exact == truth


def test_a_wider_support() -> None:
    law = distribution("zipf(a=2, u=40)")
    x = dict(law.items())
    for s in (0, 5):
        assert ratio("a-min", law, s).exact == a_min(x, s) / brute("h-sf", x, s)


def test_two_lengths_far_apart_are_cheap_and_exact() -> None:
    # the limit of a-min on {1, u} at x_1 = x_u: (num, den) from the two-point formula at s = 0
    l, u = 1, 10**7
    alpha, t = Fraction(l, u), Fraction(1)
    truth = 1 + alpha * (1 - alpha**2) * t / (alpha**2 * t**2 + 2 * alpha**2 * t + 1)
    assert ratio("a-min", f"two-point(l=1, u={u}, weight=1/2)").exact == truth


# ---- scale, truncation ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", ["7", "1/3", "10**9"])
@pytest.mark.parametrize("s", [0, 3])
def test_a_constant_factor_changes_nothing(factor: str, s: int) -> None:
    plain, scaled = ratio("a-min", "pmf(k*(2/3)**k)", s), ratio("a-min", f"pmf({factor}*k*(2/3)**k)", s)
    assert sp.simplify(plain.exact - scaled.exact) == 0
    finite = ratio("a-min", "pmf(k*(2/3)**k, u=12)", s), ratio("a-min", f"pmf({factor}*k*(2/3)**k, u=12)", s)
    assert finite[0].exact == finite[1].exact


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "spec", ["geometric(q=1/2)", "linear-geometric(q=1/2)", "log-series(q=2/3)", "poisson(mean=3)"]
)
@pytest.mark.parametrize("s", [0, 3])
def test_truncated_laws_tend_to_the_unbounded_one(spec: str, s: int) -> None:
    law = distribution(spec)
    limit = ratio("a-min", law, s).enclosure(60)
    gaps = [abs(ratio("a-min", law.truncate(u), s).exact - limit.lower) for u in (10, 20, 40, 80)]
    assert all(later < earlier / 2 for earlier, later in pairwise(gaps))
    assert gaps[-1] < Fraction(1, 10**9)


# ---- closed forms against direct sums ---------------------------------------------------------------------------

Q = st.fractions(min_value=Fraction(1, 20), max_value=Fraction(9, 10), max_denominator=40)
FAMILIES = [
    "geometric(q={q})", "linear-geometric(q={q})", "negative-binomial(r=3, q={q})", "negative-binomial(r=4, q={q})",
    "log-series(q={q})", "pmf(k**2*q**k, q={q})", "pmf((k+1)*q**k/k, q={q})", "mix(1/3*geometric(q={q})+2/3*linear-geometric(q=1/2))",
    "mix(1/2*geometric(q={q})+1/2*geometric(q=2/5))",
]  # fmt: skip


@pytest.mark.one_in(5)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("s", [0, 1, 3, 7])
@hypothesis_settings(max_examples=2, deadline=None)
@given(q=Q)
def test_closed_forms_and_direct_sums_overlap(family: str, s: int, q: Fraction) -> None:
    own = ratio("a-min", family.format(q=q), s)
    assert own.exact is not None
    closed, direct = own.enclosure(14), own.direct(14)
    assert closed.lower <= direct.upper
    assert direct.lower <= closed.upper
    for enclosed in (closed, direct):
        assert enclosed.lower > 0
        assert enclosed.width <= Fraction(10) ** (1 - 14) * enclosed.lower
    assert abs(own.value - float(direct.lower)) < 1e-12 * own.value


@pytest.mark.one_in(3)
@pytest.mark.parametrize("policy", ["a-random", "volume", "a-min"])
@pytest.mark.parametrize("spec", ["geometric(q=3/4)", "linear-geometric(q=2/3)", "poisson(mean=5/2)"])
def test_other_forms(policy: str, spec: str) -> None:
    for s in (0, 2):
        own = ratio(policy, spec, s)
        a, b = own.enclosure(12), own.direct(12)
        assert max(a.lower, b.lower) <= min(a.upper, b.upper)
        # weights by hand, cut where nothing is left at this accuracy
        law = distribution(spec)
        x = {k: law.weight(k) for k in range(1, 90)}
        plain = float(brute(policy, x, s) / brute("h-sf", x, s)) if policy != "volume" else None
        assert plain is None or float(a.lower) == pytest.approx(plain, rel=1e-6)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("digits", [1, 2, 5, 17, 60, 200])
@pytest.mark.parametrize("spec", ["geometric(q=1/2)", "log-series(q=2/5)", "linear-geometric(q=9/10)"])
def test_the_width_of_an_enclosure(spec: str, digits: int) -> None:
    for s in (0, 40):
        if spec.startswith("log") and s:
            continue
        own = ratio("a-min", spec, s).enclosure(digits)
        assert own.width <= Fraction(10) ** (1 - digits) * own.lower
        finer = ratio("a-min", spec, s).enclosure(digits + 20)
        assert own.lower <= finer.upper
        assert finer.lower <= own.upper


def test_a_law_without_a_closed_form_is_enclosed() -> None:
    own = ratio("a-min", "poisson(mean=7/2)", 2)
    assert own.exact is None
    assert own.status == "certified"
    assert "direct" in own.method
    assert own.enclosure(30).width < Fraction(1, 10**29)


def test_a_long_finite_law_is_summed() -> None:
    own = ratio("a-min", "zipf(a=1, u=700)")
    assert own.exact is None
    assert own.status == "certified"
    enclosed = own.enclosure(12)
    assert enclosed.width < Fraction(1, 10**11) * enclosed.lower
    assert float(enclosed.lower) == pytest.approx(own.value, rel=1e-10)


def test_no_prompt_is_the_limit_of_nothing_else() -> None:
    """s changes the ratio, and a huge s is fine."""
    values = [ratio("a-min", "geometric(q=1/2)", s).enclosure(12) for s in (0, 1, 10, 200)]
    assert len({v.lower for v in values}) == 4
    assert all(1 < v.lower < 2 for v in values)


# ---- a second evaluation, in mpmath -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "weight", "s"),
    [
        ("geometric(q=4/5)", lambda k: mpmath.mpf("0.8") ** k, 0),
        ("linear-geometric(q=4/5)", lambda k: k * mpmath.mpf("0.8") ** k, 3),
        ("log-series(q=4/5)", lambda k: mpmath.mpf("0.8") ** k / k, 1),
    ],
)
def test_a_second_evaluation(spec: str, weight: Any, s: int) -> None:
    with mpmath.workdps(40):
        last = 420
        x = [weight(k) for k in range(1, last + 1)]
        numerator = denominator = mpmath.mpf(0)
        outer, over, long_over, mass = (mpmath.mpf(0) for _ in range(4))
        for k in range(last, 0, -1):
            w = x[k - 1]
            denominator += k * (s + k) * w * (w + 2 * mass)
            strict = long_over - k * over  # Σ_{i>k} (i − k) x_i/(s+i)
            mass, outer, over, long_over = mass + w, outer + k * w, over + w / (s + k), long_over + k * w / (s + k)
            delta = s + 1 if k == 1 else 1
            numerator += delta * outer * (delta * over + 2 * strict)
        plain = numerator / denominator
        enclosed = ratio("a-min", spec, s).enclosure(28)
        low = mpmath.mpf(enclosed.lower.numerator) / enclosed.lower.denominator
        assert abs(plain - low) < mpmath.mpf(10) ** -26


# ---- errors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("nope", "geometric(q=1/2)"), {}),
        (("a-min", "nope"), {}),
        (("a-min", "geometric(q=1/2)"), {"against": "nope"}),
        (("a-min", "geometric(q=1/2)", -1), {}),
        (("a-min", "geometric(q=1/2)", 0.5), {}),
        (("a-min", "geometric(q=1/2)", True), {}),
        (("a-min", "geometric(q)"), {}),
        (("a-min", "uniform(l=1, u)"), {}),
        (("a-min", "two-point(l=1, u=2, weight)"), {}),
        (("a-max", "geometric(q=1/2)"), {}),
        (("a-ell", "geometric(q=1/2)"), {}),
        (("a-ell", "uniform(l=2, u=4)"), {}),
        (("a-min", "geometric(q=1/2)"), {"against": "a-max"}),
        ((5, "geometric(q=1/2)"), {}),
        (("a-min", 5), {}),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        ratio(*arguments, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("digits", [0, -1, 1.5, 1001, True])
def test_bad_digits(digits: Any) -> None:
    with pytest.raises(InputError):
        ratio("a-min", "geometric(q=1/2)").enclosure(digits)


def test_what_cannot_be_certified_says_so() -> None:
    with pytest.raises(NotCertified, match="the tail is not small enough"):
        ratio("a-min", "geometric(q=999999/1000000)").direct(10)


def test_a_form_of_ones_own_has_a_closed_form() -> None:
    own = Form.from_entry(lambda i, j, s: i * j)
    got = ratio(own, "linear-geometric(q=1/2)")
    # (Σ k² 2^−k)² = 36 over Σ k² 2^−k-weighted H-SF, by plain sums
    x = {k: Fraction(k, 2**k) for k in range(1, 120)}
    assert float(got.enclosure(12).lower) == pytest.approx(36 / float(brute("h-sf", x, 0)), rel=1e-11)


def test_repr_and_types() -> None:
    own = ratio("a-min", Pmf(sp.Rational(1, 2) ** sp.Symbol("k", integer=True, positive=True)), 1)
    assert isinstance(own.distribution, Distribution)
    assert "a-min" in repr(own)
    assert "s=1" in repr(own)
    assert isinstance(own.value, float)
    assert sp.simplify(own.exact - ratio("a-min", "geometric(q=1/2)", 1).exact) == 0
