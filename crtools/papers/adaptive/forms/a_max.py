"""A_max: (s+u)(Σ x_i)(Σ i x_i), every request is charged the peak s + u of the longest, for its own length of time."""

from __future__ import annotations

from dataclasses import replace

from crtools.errors import InputError
from crtools.forms.base import Form
from crtools.numeric_types import RingElement


def bind(l: int, u: int) -> Form:
    """Return the form for the interval [l, u]: the matrix (s+u)(i+j)/2."""
    del l

    def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        return (s + u) * (i + j) / 2

    return replace(A_MAX, formula=entry, bind=None)


def _unbound(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    raise InputError("form", "a-max", "needs the interval's end u: use form('a-max').on(setting), or a finite support")


A_MAX = Form(
    name="a-max",
    formula=_unbound,
    describes=(),
    given_for=("a-max",),
    source="Theorem Amax and its proof",
    bind=bind,
    summary="A_max: every request is charged the peak s + u",
)
