"""Symbols are those of the delays that the policies cause, integrated numerically; suprema are those in the literature."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import cos, exp, log, sqrt

import pytest
from scipy.integrate import quad

from crtools.blind.rho_star import stationary_ball
from crtools.enclosure import ball, ends, precision
from crtools.errors import NotCertified
from crtools.scale_free import (
    Kernel,
    Piece,
    at,
    at_most,
    common_offset,
    fixed_thresholds,
    jet,
    own_offsets,
    peak_at_zero,
    supremum,
)

XI = (0.0, 0.4, 1.0, 3.5)
SMALL = 1e-9  # times below this are counted together, as a geometric series


def times(first: float, base: float, last: float) -> list[float]:
    """The times of a job that was given ``first`` > 0, between SMALL and last."""
    found = [first]
    while found[-1] > SMALL:
        found.append(found[-1] / base)
    while found[0] * base <= last * (1 + 1e-12):
        found.insert(0, found[0] * base)
    return sorted(found)


def own_delay(x: float, y: float, base: float, u: float, v: float) -> float:
    """How long a job of size x waits for one of size y, with thresholds x·b^u for the last of its own and y·b^v of the other's."""
    last = x * base**u
    return sum(min(y, c) for c in times(y * base**v, base, y * base**v) if c <= last)


def common_delays(x: float, y: float, base: float, u: float) -> float:
    """How long two jobs x ≤ y wait for each other at common times, averaged over their order."""
    last = x * base**u
    failed = [c for c in times(last, base, last) if c < last * (1 - 1e-12)]
    if y <= last:
        return 2 * sum(failed) + (x + y) / 2
    return 2 * sum(failed) + x + last / 2


def mean(function: Callable[[float], float], breaks: tuple[float, ...] = ()) -> float:
    inside = sorted(b for b in breaks if 0 < b < 1)
    return quad(function, 0, 1, points=inside or None, limit=200)[0]


def own_kappa(t: float, base: float) -> float:
    y, l = exp(t), log(base)

    def both(a: float, b: float) -> float:
        def given(u: float) -> float:
            jump = (log(a / b) / l + u) % 1  # where one more of the other's times is in
            return mean(lambda v: own_delay(a, b, base, u, v), (jump, log(a / b) / l + u))

        return mean(given, (log(b / a) / l, log(b / a) / l + 1))

    return both(1.0, y) + both(y, 1.0)


def common_kappa(t: float, base: float) -> float:
    return mean(lambda u: common_delays(1.0, exp(t), base, u), (t / log(base),))


def written(kernel: Kernel, t: float) -> float:
    """κ(t) from κ(0), κ'(0), κ'' and the bends."""
    value = float(kernel.value) + float(kernel.slope) * t
    for piece in kernel.pieces:
        terms = [(float(c), p, float(q)) for c, p, q in piece.terms]
        bend = lambda r, terms=terms: (t - r) * sum(c * r**p * exp(q * r) for c, p, q in terms)  # noqa: E731
        value += quad(bend, float(piece.start), min(t, float(piece.end)))[0]
    return value + sum(float(b.jump) * max(0.0, t - float(b.t)) for b in kernel.bends)


@pytest.mark.parametrize("base", [3, 8])
@pytest.mark.parametrize("share", [0.3, 1.4])
def test_a_kernel_is_the_delay_that_its_policy_causes(base: int, share: float) -> None:
    t = share * log(base)
    assert written(own_offsets(base), t) == pytest.approx(own_kappa(t, base), rel=2e-4)
    assert written(common_offset(base), t) == pytest.approx(common_kappa(t, base), rel=1e-6)


@pytest.mark.parametrize("xi", XI)
@pytest.mark.parametrize("make", [own_offsets, common_offset])
def test_a_symbol_is_the_integral_of_its_kernel(make: Callable[[int], Kernel], xi: float) -> None:
    kernel, l = make(5), log(5)
    whole = quad(lambda t: written(kernel, t) * exp(-t / 2) * cos(xi * t), 0, l, limit=100)[0]
    whole += quad(lambda t: written(kernel, t) * exp(-t / 2) * cos(xi * t), l, 60, limit=400)[0]
    assert float(at(kernel, ball(Fraction(xi)))) == pytest.approx(2 * (0.25 + xi**2) * whole, abs=1e-6)


def closed_own(base: float, xi: float) -> float:
    z = complex(0.5, xi)
    inner = (base**z - 1) * ((1 - base**-z) / z + 1 / z.conjugate()) / (z**2 * log(base) ** 2)
    return 2 * abs(z) ** 2 * inner.real


@pytest.mark.parametrize("xi", XI)
def test_closed_forms(xi: float) -> None:
    assert float(at(own_offsets(Fraction(69, 5)), ball(Fraction(xi)))) == pytest.approx(closed_own(13.8, xi), rel=1e-11)


@pytest.mark.parametrize("base", [2, 3, 8, 14, 40])
def test_at_zero_the_published_constants_come_out(base: int) -> None:
    y = sqrt(base)
    assert float(at(own_offsets(base), ball(0))) == pytest.approx((y - 1) * (2 * y - 1) / (y * log(y) ** 2))
    assert float(at(common_offset(base), ball(0))) == pytest.approx((2 * base + y - 1) / (y * log(base)))
    assert float(at(fixed_thresholds(base), ball(0))) == pytest.approx(1 + 2 * base**1.5 / (base - 1))


@pytest.mark.parametrize(
    ("symbol", "value"),
    [
        (own_offsets(Fraction(69, 5)), 2.728372472623),
        (common_offset(8), 3.0312469634),
        (fixed_thresholds(3), 1 + 27**0.5),
    ],
)
def test_suprema(symbol: Kernel, value: float) -> None:
    found = supremum(symbol)
    assert found.middle == pytest.approx(value, abs=1e-9)
    assert found.relative_width() < 1e-9
    assert "ξ = 0" in found.method


def test_the_best_base_reaches_the_least_cost() -> None:
    with precision(128):
        y = stationary_ball(128)
        kernel = own_offsets(y**2)
        assert peak_at_zero(kernel) > 1
        assert float(at(kernel, ball(0))) == pytest.approx(2.7283724269)


def test_bounds_are_told_apart() -> None:
    kernel = own_offsets(Fraction(69, 5))
    assert at_most(kernel, ball("2.7284")) > 1
    with pytest.raises(NotCertified, match="above the bound at ξ"):
        at_most(kernel, ball("2.7283"))


def test_a_peak_elsewhere_is_found_too() -> None:
    """A kernel whose symbol rises from 0 on: min's with a bump of κ near t = 1."""
    one = ball(1)
    bump = Piece(one / 2, one, ((ball(40), 0, ball(0)),)), Piece(one, 2 * one, ((ball(-40), 0, ball(0)),))
    kernel = Kernel(one, ball(0), (*bump, Piece(2 * one, 5 * one / 2, ((ball(40), 0, ball(0)),))))
    with pytest.raises(NotCertified):
        peak_at_zero(kernel)
    found = supremum(kernel, Fraction(1, 1000))
    highest = max(ends(at(kernel, ball(Fraction(n, 50))))[0] for n in range(600))
    assert highest <= found.upper <= highest + Fraction(1, 20)


def test_the_bound_beyond_is_above_the_symbol() -> None:
    for kernel in (own_offsets(4), common_offset(4)):
        for reach in (1, 2, 7):
            assert all(at(kernel, ball(reach + Fraction(n, 9))) < kernel.beyond(ball(reach)) for n in range(60))


def test_jets_are_derivatives() -> None:
    kernel, h = common_offset(6), 1e-4
    low, here, high = (float(at(kernel, ball(x))) for x in (0.7 - h, 0.7, 0.7 + h))
    value, slope, bend = (float(x) for x in jet(kernel, ball(0.7)))
    assert (value, slope) == pytest.approx((here, (high - low) / (2 * h)), rel=1e-6)
    assert 2 * bend == pytest.approx((high - 2 * here + low) / h**2, rel=1e-4)
