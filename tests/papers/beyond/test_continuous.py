"""The continuous limit: its equation, against the operator's own discretisation by other code, and what is wrong with others."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from paths import ROOT

from crtools import worst_case
from crtools.papers.beyond.claims import worst_cases
from crtools.papers.beyond.claims.worst_cases import SYMBOLS, without_prompts
from crtools.papers.beyond.theory import theorem


def by_quadrature(alpha: float, points: int = 240) -> float:
    """The largest eigenvalue of the limiting operator, by Gauss–Legendre quadrature in ln z, and the weight at z = 1."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    length = np.log(1 / alpha)
    z = np.exp((nodes + 1) * length / 2)
    own = weights * length / 2 * z
    low, high = np.minimum.outer(z, z), np.maximum.outer(z, z)
    kernel = (1 + 3 * low**2 / high**2) / 2 * own
    first = (1 + 1 / z**2) / 2
    whole = np.block([[np.ones((1, 1)), first * own], [first[:, None] / (2 * z)[:, None], kernel / (2 * z)[:, None]]])
    return float(max(np.linalg.eigvals(whole).real))


@pytest.mark.parametrize("alpha", [Fraction(9, 10), Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)])
def test_the_limit_is_the_operators_largest_eigenvalue(alpha: Fraction) -> None:
    found = without_prompts(alpha)
    assert found.width < Fraction(1, 10**18)
    assert found.middle == pytest.approx(by_quadrature(float(alpha)), abs=1e-3)  # the kernel has a kink


def test_the_finite_worst_case_approaches_it() -> None:
    found = without_prompts(Fraction(1, 10))
    gaps = [abs(float(worst_case(l=l, u=10 * l).enclosure(12).lower - found.lower)) for l in (1, 10, 100)]
    assert gaps[0] > 50 * gaps[1] > 2500 * gaps[2]


def test_the_page_has_these_numbers() -> None:
    page = (ROOT / "docs" / "beyond" / "every-s.md").read_text(encoding="utf-8")
    heads, rule, shown = (row.strip("| ").split(" | ") for row in page[page.index(r"| $\alpha$ |") :].splitlines()[:3])
    assert (shown[0], len(shown), len(rule)) == ("limit", 6, 1)
    for alpha, number in zip(map(Fraction, heads[1:]), shown[1:], strict=True):
        assert f"{without_prompts(alpha).middle:.6f}" == number
        low = 1000 // alpha.numerator * alpha.numerator
        assert abs(worst_case(l=low, u=int(low / alpha)).value - without_prompts(alpha).middle) < 1e-7


def test_another_equation_is_no_theorem() -> None:
    x, m, t = SYMBOLS.values()
    right = worst_cases.logarithm()
    assert theorem("the equation", formula=sp.Lambda((x, m, t), right)).name == "the equation(logarithm)"
    for wrong in (
        right + (x - 1) / 10**6,
        4 * (x - 1) - (x - 1) * (2 - 4 * t / m) / (2 * x - 1 + x * m * t),
    ):
        assert not theorem("the equation", formula=sp.Lambda((x, m, t), wrong)).holds
    otherwise = theorem("the equation", formula=sp.Lambda((x, m, t), sp.together(right)))
    assert otherwise.holds and otherwise.name == "the equation"


def test_without_prompts_the_hypergeometric_equation_is_the_elementary_one() -> None:
    for alpha in (Fraction(1, 10), Fraction(1, 2)):
        root = without_prompts(alpha).middle
        here, above = (worst_cases.excess(root + more, 1e-7, float(1 / alpha)) for more in (0, 0.01))
        assert abs(here) < 1e-5 < 1e-3 < abs(above)
