"""Ranges of parameters and the points in them; suprema on ranges."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from crtools.closed_form.quotient import Quotient
from crtools.distributions import Pmf, distribution
from crtools.distributions.pmf import LONGEST_WRITTEN_OUT
from crtools.enclosure import fraction
from crtools.ratios.supremum import quotient_supremum
from crtools.signs.ranges import Interval as Range

x = sp.Symbol("x", positive=True)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rho", ["9/20", "2/5"])
@pytest.mark.parametrize("shift", [1, 3])
def test_a_range_that_is_shown_holds_laws_only(shift: int, rho: str) -> None:
    """The smaller base takes the most from the larger one some way beyond the first lengths that it leaves alone."""
    law = distribution(f"pmf(k**2*(1/2)**k - a*(k-{shift})**2*({rho})**k)")
    assert isinstance(law, Pmf)
    own = law.ranges["a"]
    assert own.shown
    assert all(law.at({"a": fraction(own.high)}).weight(k) >= 0 for k in range(1, 60))


@pytest.mark.parametrize("low", [1, 40, 1000])
def test_short_laws_are_written_out_wherever_they_lie(low: int) -> None:
    own = distribution(f"pmf(k-a, l={low}, u={low + 5})").ranges["a"]
    assert own.shown
    assert own.high == low
    assert not distribution(f"pmf(k-a, l={low}, u={low + LONGEST_WRITTEN_OUT})").ranges["a"].shown


POINTS = [
    "mix(1/2*geometric(q)+1/2*geometric(r))", "mix(a*geometric(q)+(b-a)*geometric(q=1/2))", "pmf((a-b+k-1)*q**k)",
    "geometric(q)",
]  # fmt: skip


@pytest.mark.parametrize("spec", POINTS)
def test_points_are_laws(spec: str) -> None:
    """Where a range is assumed, points that give no law are left out."""
    law = distribution(spec)
    found = law.samples(3)
    assert len(found) == 3
    for point, own in found:
        assert list(point) == [p.name for p in law.parameters]
        assert own.weight(1) >= 0
        assert len(set(point.values())) == len(point)


def test_suprema_at_infinity_of_a_constant_and_at_two_places() -> None:
    whole = Range("x", sp.S.Zero)
    grows = quotient_supremum(Quotient.of(x / (x + 1), (x,)), whole)
    assert (grows.value, grows.at, grows.attained) == (1, sp.oo, False)
    constant = quotient_supremum(Quotient.of((x + 1) / (2 * x + 2), (x,)), whole)
    assert (constant.value, constant.at) == (sp.Rational(1, 2), None)
    twice = quotient_supremum(
        Quotient.of(2 - (4 * x - 1) ** 2 * (4 * x - 3) ** 2, (x,)), Range("x", sp.S.Zero, sp.S.One)
    )
    assert (twice.at, twice.others) == (Fraction(1, 4), (Fraction(3, 4),))
