"""Forms that are multiples of each other have a ratio of one value, at all weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Form, worst_case
from crtools.worst_cases.general import eigenvector_start


@given(
    factor=st.fractions(min_value=Fraction(1, 10**6), max_value=10**30), l=st.integers(1, 3), more=st.integers(0, 6),
    s=st.integers(0, 4), name=st.sampled_from(["spt", "round-robin", "h-sf", "volume"]),
)  # fmt: skip
@settings(max_examples=25)
def test_a_multiple_is_at_its_factor(factor: Fraction, l: int, more: int, s: int, name: str) -> None:
    own = worst_case(name, l, l + more, s, name)
    assert own.value == pytest.approx(1)
    entry = worst_case("h-sf", l, l + more, s).policy.formula
    multiple = worst_case(Form.from_entry(lambda i, j, s: factor * entry(i, j, s)), l, l + more, s)
    assert multiple.value == pytest.approx(float(factor))
    bounds = multiple.bounds()
    assert bounds.lower <= factor <= bounds.upper


@pytest.mark.parametrize("shift", range(-3, 7))
def test_nearly_a_multiple_is_enclosed(shift: int) -> None:
    found = worst_case(Form.from_entry(lambda i, j, s: i * (s + i) * 10**30 + shift), 1, 6, 3)
    assert found.value == pytest.approx(1e30)


def test_a_solver_that_finds_none_of_equal_eigenvalues_is_asked_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """LAPACK's search of one eigenvalue by bisection may find none where all are the same."""
    solve = scipy.linalg.eigh

    def none_of_one(a: Any, b: Any, subset_by_index: Any = None) -> Any:
        values, vectors = solve(a, b)
        return (values, vectors) if subset_by_index is None else (values[:0], vectors[:, :0])

    monkeypatch.setattr(scipy.linalg, "eigh", none_of_one)
    d = np.diag([1.0, 2.0, 3.0])
    found = eigenvector_start(3 * d, d, np.arange(3))
    assert found is not None
    assert (found >= 0).all()
    assert found.max() > 0
