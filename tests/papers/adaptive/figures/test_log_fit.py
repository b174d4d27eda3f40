"""The log-fit figure's data and fits: certified maxima, recovered coefficients, rigorous squared errors."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
import scipy.linalg

from crtools import Enclosure, InputError, NotCertified, Setting, form, worst_case
from crtools.papers.adaptive.figures.log_fit import (
    INDICES,
    Fit,
    Maxima,
    least_squares,
    maxima,
    point,
    squared_error,
    total_squares,
)


def exact_data(u: Any, value: Any) -> Maxima:
    ends = tuple(Fraction(float(v)) for v in value)
    return Maxima(u, value, ends, ends)


def curve(u: Any, offset: int, slope: float, shift: float, intercept: float) -> Any:
    return slope * np.log(u - offset + shift) + intercept


def float_error(data: Maxima, offset: int, slope: float, shift: float, intercept: float) -> float:
    return float(((curve(data.u, offset, slope, shift, intercept) - data.value) ** 2).sum())


@pytest.fixture(scope="module")
def few() -> Maxima:
    return maxima(3, 40)


def test_maxima_are_the_largest_eigenvalues(few: Maxima) -> None:
    assert few.u.tolist() == list(range(3, 41))
    assert len(few.value) == len(few.lower) == len(few.upper) == 38
    for u, value, low, high in zip(few.u.tolist(), few.value, few.lower, few.upper, strict=True):
        n, d = (form(name).on(Setting(0, 1, u)).matrix(float) for name in ("a-min", "h-sf"))
        assert value == pytest.approx(scipy.linalg.eigh(n, d, eigvals_only=True)[-1], rel=1e-12)
        ball = worst_case(u=u).enclosure(25)
        assert low <= ball.lower
        assert ball.upper <= high
        assert high - low <= Fraction(1, 10**9)


def test_maxima_report_their_progress() -> None:
    seen: list[int] = []

    def watch(sizes: Any) -> Any:
        for u in sizes:
            seen.append(u)
            yield u

    assert maxima(5, 9, progress=watch).u.tolist() == seen == [5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("argument", "first", "last"), [("first", 0, 10), ("first", 2.0, 10), ("last", 3, 5), ("last", 3, 10**5 + 1)]
)
def test_sizes_are_checked(argument: str, first: Any, last: Any) -> None:
    with pytest.raises(InputError, match=f"^{argument} = "):
        maxima(first, last)


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize(
    ("slope", "shift", "intercept"), [(0.2555, 0.2793, 1.1587), (0.25, -0.72, 1.2), (1.5, 6.0, -3.0), (-0.4, 0.0, 0.5)]
)
def test_a_fit_recovers_exact_data(name: str, slope: float, shift: float, intercept: float) -> None:
    u = np.arange(3, 300)
    fit = least_squares(exact_data(u, curve(u, INDICES[name], slope, shift, intercept)), name)
    assert (fit.name, fit.offset) == (name, INDICES[name])
    assert fit.slope == pytest.approx(slope, rel=1e-6)
    assert fit.shift == pytest.approx(shift, abs=1e-5)
    assert fit.intercept == pytest.approx(intercept, abs=1e-5)
    assert fit.r_squared == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(fit(u), curve(u, INDICES[name], slope, shift, intercept), atol=1e-8)


def test_a_fit_that_starts_at_a_large_size_recovers_exact_data() -> None:
    u = np.arange(100, 400)
    fit = least_squares(exact_data(u, curve(u, 0, 0.25, 0.28, 1.2)), "caption-index")
    assert fit.shift == pytest.approx(0.28, abs=1e-4)


def test_a_fit_has_the_least_squares(few: Maxima) -> None:
    for name, offset in INDICES.items():
        fit = least_squares(few, name)
        own = float_error(few, offset, fit.slope, fit.shift, fit.intercept)
        for step in (1e-4, -1e-4):
            assert own <= float_error(few, offset, fit.slope + step, fit.shift, fit.intercept)
            assert own <= float_error(few, offset, fit.slope, fit.shift + step, fit.intercept)
            assert own <= float_error(few, offset, fit.slope, fit.shift, fit.intercept + step)
        spread = float(((few.value - few.value.mean()) ** 2).sum())
        assert fit.r_squared == pytest.approx(1 - own / spread, abs=1e-12)


def test_the_two_indices_differ_by_one_in_the_shift(few: Maxima) -> None:
    published, caption = (least_squares(few, name) for name in ("published-index", "caption-index"))
    assert published.shift - caption.shift == pytest.approx(1, abs=1e-6)
    assert published.slope == pytest.approx(caption.slope, rel=1e-7)
    assert published.intercept == pytest.approx(caption.intercept, rel=1e-7)
    assert published.as_json()["abscissa"] == "u - 1"
    assert caption.as_json()["abscissa"] == "u"
    assert set(caption.as_json()) == {"name", "abscissa", "slope", "shift", "intercept", "r_squared", "text"}


@pytest.mark.parametrize("offset", [0, 1])
def test_squared_error_encloses_the_float_value(few: Maxima, offset: int) -> None:
    for slope, shift, intercept in ((0.2555, 0.2793, 1.1587), (0.3, -0.5, 1.0), (0.0, 0.0, 1.5)):
        found = squared_error(few, offset, point(slope), point(shift), point(intercept))
        value = float_error(few, offset, slope, shift, intercept)
        assert float(found.lower) * (1 - 1e-9) <= value <= float(found.upper) * (1 + 1e-9)
        assert found.width <= Fraction(1, 10**7)
        assert "ieee754" in found.uses


def test_squared_error_over_a_box_holds_every_point_of_it(few: Maxima) -> None:
    def box(middle: float) -> Enclosure:
        return Enclosure(Fraction(middle) - Fraction(1, 2000), Fraction(middle) + Fraction(1, 2000))

    found = squared_error(few, 1, box(0.2555), box(0.2793), box(1.1587))
    generator = np.random.default_rng(2)
    for a, b, c in generator.uniform(-0.0005, 0.0005, (200, 3)):
        assert float_error(few, 1, 0.2555 + a, 0.2793 + b, 1.1587 + c) in found
    narrow = squared_error(few, 1, point(0.2555), point(0.2793), point(1.1587))
    assert found.lower <= narrow.lower
    assert narrow.upper <= found.upper


def test_squared_error_by_hand() -> None:
    data = exact_data(np.array([1, 2, 3]), np.array([1.0, 2.0, 4.0]))
    found = squared_error(data, 0, point(0), point(Fraction(1, 3)), point(3))  # slope 0: residuals 2, 1, −1
    assert found.lower <= 6 <= found.upper
    assert found.width < Fraction(1, 10**15)


def test_squared_error_outside_the_logarithm_is_not_certified(few: Maxima) -> None:
    before = flint.ctx.prec
    with pytest.raises(NotCertified):
        squared_error(few, 1, point(0.25), point(-2), point(1.2))
    assert flint.ctx.prec == before


def test_total_squares_enclose_the_float_value(few: Maxima) -> None:
    found = total_squares(few)
    value = float(((few.value - few.value.mean()) ** 2).sum())
    assert float(found.lower) * (1 - 1e-9) <= value <= float(found.upper) * (1 + 1e-9)
    assert found.width <= Fraction(1, 10**7)


def test_a_point_is_exact() -> None:
    assert point(0.1) == Enclosure(Fraction(0.1), Fraction(0.1))
    assert point(Fraction(1, 3)).width == 0


def test_a_fit_is_its_formula() -> None:
    fit = Fit("published-index", 1, 0.5, 2.0, 3.0, 1.0)
    assert fit(np.array([2.0])) == pytest.approx(0.5 * np.log(3.0) + 3.0)


@pytest.mark.exhaustive  # takes seconds
def test_the_published_coefficients() -> None:
    """0.2555 log(u + 0.2793) + 1.1587, to every printed digit, from sizes 3, …, 2000 against size − 1."""
    fit = least_squares(maxima(), "published-index")
    assert (round(fit.slope, 4), round(fit.shift, 4), round(fit.intercept, 4)) == (0.2555, 0.2793, 1.1587)
