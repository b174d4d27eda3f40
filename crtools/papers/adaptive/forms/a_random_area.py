"""A random order that charges each request its area: (Σ x_i)(Σ (s i + i(i+1)/2) x_i).

Eq. 5 lets requests of different ages share the memory. Where starts are spread over time the memory is full on average,
so a request delays the others by its token-instants and not by i(s+i), its length times its peak. No result of the
paper: what the simulated ``a-random`` approaches under laws on many lengths (figure convergence), not under two-point
laws, where equal requests keep in step.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from crtools.forms.base import Form


def area(i: Any, s: Any) -> Any:
    """Return the token-instants of one request of length i."""
    return s * i + i * (i + 1) / 2


def entry(i: Any, j: Any, s: Any) -> Any:
    """½ (v_i + v_j) with v_i = s i + i(i+1)/2."""
    return (area(i, s) + area(j, s)) / 2


A_RANDOM_AREA = Form(
    name="a-random-area",
    formula=entry,
    describes=("a-random",),
    source="token-instants per request; measured, not proved",
    growth=Fraction(1),
    summary="random order, charged token-instants (measured)",
)
