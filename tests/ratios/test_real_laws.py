"""Laws with real weights and heavy tails: sums in blocks against zeta values, plain sums in mpmath and direct sums."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from crtools import Setting, form, ratio
from crtools.distributions import distribution
from crtools.distributions.continuous import Pareto
from crtools.distributions.real_weights import RealWeights
from crtools.enclosure import Enclosure, ball, ends, precision
from crtools.errors import InputError, NotCertified
from crtools.forms import Form
from crtools.ratios import direct_sums
from crtools.ratios.direct_sums import least_exponent

Z = mpmath.zeta


def contains(enclosure: Enclosure, value: Any, digits: int) -> bool:
    """Whether a number known to 40 digits lies in an enclosure, and that is narrow."""
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (enclosure.lower, enclosure.upper))
    near = abs(value) * mpmath.mpf(10) ** -35
    return low - near <= value <= high + near and high - low <= 10 ** mpmath.mpf(1 - digits) * abs(value)


# P(o ≥ k) = k^(−a), and Σ_k (v_k − v_{k−1}) P(o ≥ k)² is the form with entries v_min(i,j)
PARETO: list[tuple[str, str, Any]] = [
    ("volume", "h-sf", lambda a: Z(2 * a - 1) / (2 * Z(2 * a - 1) - Z(2 * a))),
    ("random-order", "spt", lambda a: Z(a) / Z(2 * a)),
    ("a-random", "h-sf", lambda a: (2 * Z(a - 1) - Z(a)) / (2 * Z(2 * a - 1) - Z(2 * a))),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("policy", "against", "value"), PARETO)
@pytest.mark.parametrize("a", [Fraction(7, 2), Fraction(7)])
def test_pareto_against_zeta_values(policy: str, against: str, value: Any, a: Fraction) -> None:
    with mpmath.workdps(40):
        found = ratio(policy, f"pareto(a={a})", against=against).enclosure(13)
        assert contains(found, value(mpmath.mpf(a.numerator) / a.denominator), 13)


def test_the_cube_law_against_euler_sums() -> None:
    """Σ_j H_{j−1}/j³ = ζ(4)/4 gives both forms at weights 1/k³."""
    with mpmath.workdps(40):
        value = (Z(2) ** 2 / 2 + 2 * Z(4) - Z(3)) / (Z(4) * 3 / 2)
        assert contains(ratio("a-min", "pmf(1/k**3)").enclosure(14), value, 14)


@pytest.mark.parametrize("s", [0, 4])
def test_the_lognormal_law_against_plain_sums(s: int) -> None:
    with mpmath.workdps(30):
        shares = [mpmath.ncdf((mpmath.log(k) - 1) * 2) if k else mpmath.mpf(0) for k in range(1200)]
        x = [shares[k] - shares[k - 1] for k in range(1, 1200)]
        top, bottom, below = mpmath.mpf(0), mpmath.mpf(0), [mpmath.mpf(0)] * 4
        for j, own in enumerate(x, start=1):
            for m, twice in ((below, 2), ([own * j**n for n in range(4)], 1)):
                a, b = j * j + s * j, 2 * j + s
                row = (s * a * m[0] + (a + s * b) * m[1] + (b - s) * m[2] - m[3]) / (2 * (s + j))
                top, bottom = top + twice * own * row, bottom + twice * own * (s * m[1] + m[2])
            below = [b + own * j**n for n, b in enumerate(below)]
        found = ratio("a-min", "lognormal(mu=1, sigma=1/2)", s).enclosure(14)
        assert abs(mpmath.mpf(found.middle) - top / bottom) < mpmath.mpf(10) ** -13
        assert found.relative_width() < 1e-12


@pytest.mark.one_in(3)
@pytest.mark.parametrize("policy", ["a-min", "a-max", "volume"])
@pytest.mark.parametrize(
    "spec", ["lognormal(mu=4, sigma=1/3, u=900)", "pareto(a=1/2, u=700)", "pmf(k**(3/2), l=5, u=500)"]
)
def test_blocks_against_direct_sums(spec: str, policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = ratio(policy, spec, s=2).enclosure(15)
    law = distribution(spec)
    vars(law)["analytic"] = False
    if spec.startswith("pmf"):
        monkeypatch.setattr(type(law), "ball_weights", RealWeights.ball_weights)
    direct = ratio(policy, law, s=2)
    assert direct.method == "direct sums in ball arithmetic"
    other = direct.enclosure(15)
    assert max(blocks.lower, other.lower) <= min(blocks.upper, other.upper)


def test_irrational_weights_on_few_lengths() -> None:
    with mpmath.workdps(40):
        x = {k: mpmath.mpf(k) ** -2.5 for k in range(1, 31)}
        top = sum(x[min(i, j)] * x[max(i, j)] * (i + j) / 2 for i in x for j in x)
        bottom = sum(x[i] * x[j] * min(i, j) for i in x for j in x)
        found = ratio("random-order", "pmf(k**(-5/2), u=30)", against="spt")
        assert contains(found.enclosure(14), top / bottom, 14)
        assert found.exact is None
        assert found.status == "certified"


# ---- what is caught ----------------------------------------------------------------------------------------------


def _caught() -> bool:
    with mpmath.workdps(40):
        found = ratio("volume", "pareto(a=5/2)").enclosure(8)
        return not contains(found, PARETO[0][2](mpmath.mpf(5) / 2), 8)


def test_a_corrupted_tail_bound_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Pareto.power_beyond
    assert not _caught()
    monkeypatch.setattr(Pareto, "power_beyond", lambda law, k, power: right(law, k, power) / 10**9)
    assert _caught()


def test_a_corrupted_remainder_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few coefficients and no remainder the enclosure misses; with the remainder it holds."""
    monkeypatch.setattr(direct_sums, "TERMS", 6)
    direct_sums._sums_of_powers.cache_clear()  # pyright: ignore[reportPrivateUsage]
    law = distribution("pareto(a=5/2)")
    assert isinstance(law, Pareto)

    def misses() -> bool:
        [found] = direct_sums.block_sums(law, [form("volume")], 0, 3)
        with mpmath.workdps(40):
            return not contains(Enclosure.from_ball(found), Z(4), 3)

    try:
        assert not misses()
        right = direct_sums._model  # pyright: ignore[reportPrivateUsage]

        def without(near: list[Any], wide: list[Any], reach: Any) -> Any:
            found = right(near, wide, reach)
            found.error = ball(0)
            return found

        monkeypatch.setattr(direct_sums, "_model", without)
        assert misses()
    finally:
        direct_sums._sums_of_powers.cache_clear()  # pyright: ignore[reportPrivateUsage]


# ---- heavy tails -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "least"),
    [("h-sf", 2), ("volume", 2), ("a-min", 2), ("a-random", 3), ("spt", Fraction(3, 2)), ("random-order", 2)],
)
def test_a_form_is_finite_just_above_its_exponent(name: str, least: Fraction) -> None:
    """What the lengths from u to 4u add falls with u above the exponent, and does not at it."""
    own = form(name)
    for s in (0, 3):
        assert least_exponent(own, s) == least
    for exponent, falls in ((float(least), False), (float(least) + 0.5, True)):
        sums = [own.on(Setting(0, 1, u)).value(np.arange(1, u + 1) ** -exponent) for u in (2**9, 2**11, 2**13, 2**15)]
        added = np.diff(sums)
        assert bool(added[2] < 0.8 * added[1]) is falls


@pytest.mark.parametrize(
    ("spec", "policy", "against", "says"),
    [
        ("pmf(1/k**3)", "a-random", "h-sf", "the second moment is infinite (weights like k^(−3)), and so is a-random, "
         "while h-sf is finite: the ratio is infinite; give it an end, u=…"),
        ("pareto(a=1)", "a-min", "h-sf", "the mean is infinite (weights like k^(−2)), and so are a-min and h-sf: "
         "the ratio has no value; give it an end, u=…"),
        ("pmf(k**(-7/4))", "spt", "random-order", "while spt is finite: the ratio is 0"),
        ("pmf(k**(-5/2))", "b-scaling-3", "spt", "b-scaling-3 is not shown to be finite"),
        ("pmf(1/k)", "a-min", "h-sf", "is not summable: its weights are like k^(-1); give it an end, u=…"),
    ],
)  # fmt: skip
def test_what_is_infinite_is_said_in_one_line(spec: str, policy: str, against: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        ratio(policy, spec, against=against).enclosure(5)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_form_of_ones_own_under_a_heavy_tail() -> None:
    shorter = Form.from_entry(lambda i, j, s: 3 * i * i, "thrice")
    found = ratio(shorter, "pareto(a=5/2)").enclosure(9)
    assert found.lower <= 3 <= found.upper
    signed = Form.from_entry(lambda i, j, s: j * j - i * j, "signed")
    with pytest.raises(InputError, match="heavy tail"):
        ratio(signed, "pareto(a=3/2)")


def test_a_tail_that_is_too_heavy_for_the_digits_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct_sums, "MOST_BLOCKS", 20)
    with pytest.raises(NotCertified, match="fewer digits, or give an end u"):
        ratio("a-min", "pmf(k**(-5/2))").enclosure(12)


def test_the_weights_of_a_heavy_law_sum_to_a_zeta_value() -> None:
    law = distribution("pmf(k**(-5/2))")
    assert isinstance(law, RealWeights)
    with precision(64), mpmath.workdps(30):
        total = law.ball_weights(1, 400).sum()
        rest = Fraction(str(Z(mpmath.mpf("2.5")))) - ends(total)[0]
        assert 0 < rest < ends(law.power_beyond(400, Fraction(0)))[1]


def test_sums_that_cancel_are_done_again_with_more_digits() -> None:
    law, one = "pmf(k**(-5/2), u=40)", Form.from_entry(lambda i, j, s: 1)
    near = (
        ratio(Form.from_entry(lambda i, j, s: i * j), law, against=one).enclosure(120).lower.limit_denominator(10**45)
    )
    left = ratio(Form.from_entry(lambda i, j, s: i * j - near), law, against=one).enclosure(10)
    size = min(abs(left.lower), abs(left.upper))
    assert 0 < size < Fraction(1, 10**60) and left.width <= Fraction(1, 10**9) * size
