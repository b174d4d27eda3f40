"""A_ℓ on lengths {l, u}: l(s+l)(x_l+x_u)(x_l+2x_u) + u(s+u) x_u², every request runs l tokens first, then the long ones."""

from dataclasses import replace
from functools import partial

from crtools.forms.base import Form, unbound
from crtools.numeric_types import RingElement


def bind(l: RingElement, u: RingElement) -> Form:
    """Return the form on {l, u}: with e = (i−l)/(u−l), which is 0 at l and 1 at u, l(s+l)(1 + ½(e_i+e_j)) + u(s+u) e_i e_j."""
    gap = u - l if u != l else 1

    def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        first, second = (i - l) / gap, (j - l) / gap
        return l * (s + l) * (1 + (first + second) / 2) + u * (s + u) * first * second

    return replace(A_ELL, formula=entry, bind=None, lengths=None)


def ends(l: int, u: int) -> tuple[int, ...]:
    """Return the lengths that the policy allows: l and u."""
    return (l,) if l == u else (l, u)


A_ELL = Form(
    name="a-ell",
    formula=partial(unbound, "a-ell"),
    describes=("a-ell",),
    given_for=("a-ell",),
    source="Theorem Al_CR and its proof",
    bind=bind,
    lengths=ends,
    summary="A_ℓ on two lengths: all run l tokens, then the long",
)
