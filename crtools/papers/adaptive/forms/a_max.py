"""A_max: (s+u)(Σ x_i)(Σ i x_i), every request is charged the peak s + u of the longest, for its own length of time."""

from dataclasses import replace
from functools import partial

from crtools.forms.base import Form, unbound
from crtools.numeric_types import RingElement


def bind(l: int, u: int) -> Form:
    """Return the form for the interval [l, u]: the matrix (s+u)(i+j)/2."""
    del l

    def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        return (s + u) * (i + j) / 2

    return replace(A_MAX, formula=entry, bind=None)


A_MAX = Form(
    name="a-max",
    formula=partial(unbound, "a-max"),
    describes=(),
    given_for=("a-max",),
    source="Theorem Amax and its proof",
    bind=bind,
    summary="A_max: every request is charged the peak s + u",
)
