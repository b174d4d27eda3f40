"""A_random: (Σ x_i)(Σ i(s+i) x_i), requests in a random order, each at its true length."""

from fractions import Fraction

from crtools.forms.base import Form, TailRow, TailRule
from crtools.numeric_types import RingElement


def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """½ (i(s+i) + j(s+j)): the symmetric matrix of the product of the two sums."""
    return (i * (s + i) + j * (s + j)) / 2


def first(l: RingElement, s: RingElement) -> TailRow:
    """Row l in tail coordinates: C_ll = l(s+l), C_lj = ½ (s+2j−1)."""
    one = l / l
    return TailRow(l * (s + l), left=(one / 2,), right=(0 * one,))


def inner(k: RingElement, s: RingElement) -> TailRow:
    """Row k > l: Σ i(s+i) x_i = l(s+l) T_l + Σ_{k>l} (s+2k−1) T_k, and Σ x_i = T_l: zero but in row l."""
    return TailRow(0 * k, left=(0 * k,), right=(s + 2 * k - 1,))


A_RANDOM = Form(
    name="a-random",
    formula=entry,
    describes=(),  # the simulated a-random needs less: see a_random_area
    given_for=("a-random",),
    source="Theorem fully_random and its proof",
    tails=TailRule(first, inner),
    growth=Fraction(1),
    summary="A_random: random order, charged length × peak",
)
