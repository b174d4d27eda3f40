"""Closed forms of truncated laws and of mixtures with finite parts, against sums over all pairs of lengths."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest
import sympy as sp

from crtools import derive
from crtools.closed_form.evaluate import enclose
from crtools.distributions import Pmf
from crtools.ratios import Derivation

ENTRIES: dict[str, Any] = {
    "a-min": lambda i, j, s: (s + i) * (j * j + 2 * i * j - i * i + s * (i + j)) / (2 * (s + j)),
    "h-sf": lambda i, j, s: i * (s + i),
    "volume": lambda i, j, s: s * i + i * (i + 1) / 2,
    "a-random": lambda i, j, s: (i * (s + i) + j * (s + j)) / 2,
    "a-max up to 7": lambda i, j, s: (s + 7) * (i + j) / 2,
}
"""The entries written out once more, for i ≤ j."""

LAWS: dict[str, tuple[range, Any]] = {
    "pmf(q**k, u=7)": (range(1, 8), lambda k, q: q**k),
    "pmf(k*q**k+q, l=3, u=7)": (range(3, 8), lambda k, q: k * q**k + q),
    "pmf(k**(-2)*q**k, l=2, u=7)": (range(2, 8), lambda k, q: q**k / k**2),
    "mix(q*point(1)+(1-q)*uniform(1, 7))": (range(1, 8), lambda k, q: q * (k == 1) + (1 - q) / 7),
    "mix(q*two-point(2, 7, 1/4)+(1-q)*pmf(k, u=3))": (
        range(1, 8),
        lambda k, q: q * {2: Fraction(1, 4), 7: Fraction(3, 4)}.get(k, 0) + (1 - q) * k * (k < 4) / 6,
    ),
    "pmf(q**k, l=5)": (range(5, 90), lambda k, q: q**k),
    "pmf((k-2)*q**k/k, l=3)": (range(3, 90), lambda k, q: (k - 2) * q**k / k),
    "mix(1/3*point(4)+2/3*geometric(q))": (
        range(1, 90),
        lambda k, q: mpmath.mpf(k == 4) / 3 + 2 * (1 - q) * q ** (k - 1) / 3,
    ),
    "mix(q*uniform(2, 3)+(1-q)*pmf((1/8)**k, l=3))": (
        range(2, 90),
        lambda k, q: q * mpmath.mpf(k < 4) / 2 + 7 * (1 - q) * mpmath.mpf(8) ** (2 - k) * (k > 2),
    ),
}
"""Each law's lengths (the unbounded ones as far as 40 digits need) and its weights, up to a factor."""

FINITE = [spec for spec, (lengths, _) in LAWS.items() if lengths[-1] == 7]


@cache
def derived(spec: str, policy: str, s: int) -> Derivation:
    return derive(spec, policy, s)


def plain(spec: str, name: str, s: int, q: Any) -> Any:
    """Σ N_ij x_i x_j, a row over i for every j."""
    lengths, weight = LAWS[spec]
    ring = type(q)
    x = {k: weight(k, q) for k in lengths}
    entry = ENTRIES[name]
    total = q * 0
    for j in lengths:
        row = sum((entry(ring(i), ring(j), s) * x[i] for i in range(lengths[0], j)), q * 0)
        total += x[j] * (2 * row + entry(ring(j), ring(j), s) * x[j])
    return total


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("policy", "s"), [("a-min", 0), ("volume", 3), ("a-random", 1), ("a-max", 2)])
@pytest.mark.parametrize("spec", FINITE)
def test_a_law_on_finitely_many_lengths_is_rational_in_its_parameter(spec: str, policy: str, s: int) -> None:
    own, q = derived(spec, policy, s), Fraction(2, 7)
    name = "a-max up to 7" if policy == "a-max" else policy
    exact = plain(spec, name, s, q) / plain(spec, "h-sf", s, q)
    [symbol] = own.parameters
    assert own.ratio.is_rational_function(symbol)
    assert Fraction(str(own.ratio.subs(symbol, sp.Rational(2, 7)))) == exact
    total = sum(LAWS[spec][1](k, q) for k in LAWS[spec][0])
    assert Fraction(str(own.denominator.subs(symbol, sp.Rational(2, 7)))) == plain(spec, "h-sf", s, q) / total**2


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("policy", "s"), [("a-min", 0), ("volume", 2)])
@pytest.mark.parametrize("spec", [spec for spec in LAWS if spec not in FINITE])
def test_a_law_from_a_length_on_and_a_mixture_with_points_have_closed_forms(spec: str, policy: str, s: int) -> None:
    own = derived(spec, policy, s)
    with mpmath.workdps(40):
        q = mpmath.mpf(2) / 7
        exact = plain(spec, policy, s, q) / plain(spec, "h-sf", s, q)
        closed = enclose(own.ratio, {own.parameters[0]: Fraction(2, 7)}, 30)
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (closed.lower, closed.upper))
        assert low * (1 - mpmath.mpf(10) ** -28) <= exact <= high * (1 + mpmath.mpf(10) ** -28)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", LAWS)
def test_the_supremum_is_certified_and_no_value_exceeds_it(spec: str) -> None:
    own = derived(spec, "a-min", 0)
    found = own.supremum()
    assert found.status in ("proved", "certified")
    assert found.bounds is not None
    [within] = own.ranges.values()
    values = [own.enclosure(within.at(Fraction(k, 16))) for k in range(1, 16)]
    assert max(value.lower for value in values) <= found.bounds.upper
    assert found.bounds.lower - max(value.lower for value in values) < Fraction(1, 5)
    for _, _, limit in own.limits:
        assert limit <= found.bounds.upper


@pytest.mark.exhaustive  # takes seconds
def test_a_long_truncated_law_has_a_proved_supremum() -> None:
    """Degree 238 in q: the roots are isolated without factoring."""
    found = derive("pmf(q**k, u=60)").supremum()
    assert found.status == "proved"
    assert found.bounds is not None
    assert found.bounds.width < Fraction(1, 10**20)


def test_more_lengths_than_are_written_out_are_said() -> None:
    assert derive("pmf(q**k, u=900)").reason == "more than 300 lengths are not written out"


@pytest.mark.parametrize("spec", ["pmf(q**k, u=7)", "pmf(q**k, l=5)"])
def test_a_wrong_weight_at_one_length_is_caught(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Pmf.point_weights

    def wrong(law: Pmf) -> dict[int, Any]:
        found = right.func(law)
        return {k: w for k, w in found.items() if k != max(found)}

    monkeypatch.setattr(Pmf, "point_weights", property(wrong))
    with pytest.raises(AssertionError, match="differ"):
        derive(spec)
