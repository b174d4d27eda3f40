"""Elimination in fractions: a symmetric matrix is definite where all leading minors are positive, expanded along a row."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.papers.adaptive.literal.forms import determinant, positive_definite

Matrix = list[list[Fraction]]
ENTRY = st.fractions(min_value=-4, max_value=6, max_denominator=3)


@st.composite
def symmetric(draw: st.DrawFn) -> Matrix:
    size = draw(st.integers(1, 4))
    upper = {(a, b): draw(ENTRY) for a in range(size) for b in range(a, size)}
    return [[upper[min(a, b), max(a, b)] for b in range(size)] for a in range(size)]


def expanded(matrix: Matrix) -> Fraction:
    if not matrix:
        return Fraction(1)
    minors = ([row[:b] + row[b + 1 :] for row in matrix[1:]] for b in range(len(matrix)))
    return sum(((-1) ** b * matrix[0][b] * expanded(minor) for b, minor in enumerate(minors)), Fraction(0))


@pytest.mark.exhaustive  # takes seconds
@settings(max_examples=150, deadline=None)
@given(symmetric(), st.integers(0, 9))
def test_pivots_and_determinants_against_expanded_minors(matrix: Matrix, added: int) -> None:
    shifted = [[entry + added * (a == b) for b, entry in enumerate(row)] for a, row in enumerate(matrix)]
    before = [list(row) for row in shifted]
    minors = [expanded([row[:size] for row in shifted[:size]]) for size in range(1, len(shifted) + 1)]
    assert positive_definite(shifted) == all(minor > 0 for minor in minors)
    assert determinant(shifted) == minors[-1]
    assert shifted == before
