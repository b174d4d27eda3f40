"""The limit at lengths x·u, u → ∞, against laws with large u."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from crtools import Form, Setting, derive, distribution, form, ratio
from crtools.errors import InputError
from crtools.ratios import ratio as module

DENSITIES: dict[str, Any] = {
    "density(1)": lambda x: 1 + 0 * x,
    "density(2*x)": lambda x: 2 * x,
    "density(1-x)": lambda x: 1 - x,
    "density(4*x**2-4*x+1)": lambda x: (2 * x - 1) ** 2,
    "density(3*sqrt(x)+x**3)": lambda x: 3 * np.sqrt(x) + x**3,
}


def extrapolated(policy: str, spec: str, s: int) -> float:
    """Three ratios at u, 2u and 4u, whose differences from the limit are like 1/u."""
    found: list[float] = []
    for u in (500, 1000, 2000):
        x: Any = DENSITIES[spec](np.arange(1, u + 1) / u)
        top, bottom = (form(name).on(Setting(s, 1, u)).value(x) for name in (policy, "h-sf"))
        found.append(top / bottom)
    first, second = 2 * found[1] - found[0], 2 * found[2] - found[1]
    return (4 * second - first) / 3


def near(policy: str, spec: str, s: int) -> bool:
    return abs(float(ratio(policy, spec, s).exact) - extrapolated(policy, spec, s)) < 3e-5


@pytest.mark.parametrize(("policy", "s"), [("a-min", 0), ("a-min", 3), ("a-random", 1), ("volume", 2), ("a-max", 3)])
@pytest.mark.parametrize("spec", DENSITIES)
def test_the_limit_is_approached(policy: str, s: int, spec: str) -> None:
    assert near(policy, spec, s)


def test_known_limits() -> None:
    found = ratio("a-min", "density(1)", 7)
    assert found.exact == derive("uniform(1, u)").limits[0][2] == Fraction(11, 8)
    assert found.status == "certified"
    assert ratio("random-order", "density(1)", against="spt").exact == Fraction(3, 2)


def test_a_corrupted_homogeneous_part_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = module.homogeneous
    for corrupt in (lambda a, b, c: ((b, a), c), lambda a, b, c: ((a, b), -c if a == 2 else c)):

        def wrong(f: Form, s: int, corrupt: Any = corrupt) -> Any:
            degree, part = right(f, s)
            return degree, dict(corrupt(a, b, c) for (a, b), c in part.items()) if f.name == "a-min" else part

        monkeypatch.setattr(module, "homogeneous", wrong)
        assert not near("a-min", "density(2*x)", 0)


@pytest.mark.parametrize(
    ("policy", "against", "says"),
    [
        ("a-min", "spt", "has no limit: a-min like u^2 and spt like u^1"),
        ("a-restart", "h-sf", "is not shown to be homogeneous"),
        ("a-ell", "h-sf", "two lengths only"),
        (Form.from_entry(lambda i, j, s: (1 + i + j) / i), "h-sf", "is not shown to be homogeneous"),
    ],
)
def test_what_has_no_limit_is_said(policy: str, against: str, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("^", r"\^")):
        ratio(policy, "density(2*x)", against=against)


def test_a_density_has_no_lengths() -> None:
    with pytest.raises(InputError, match="which only ratio takes"):
        derive("density(2*x)")
    assert distribution(distribution("density( 2*x )").spec()) == distribution("density(2*x)")
