"""H-SF, hindsight shortest first: Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i), Lemma "Amin", denominator."""

from fractions import Fraction

from crtools.forms.base import Form, TailRow, TailRule
from crtools.numeric_types import RingElement


def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """b_ij = i(s + i) for i ≤ j: a request waits for the shorter one's share of memory and time."""
    return i * (s + i)


def first(l: RingElement, s: RingElement) -> TailRow:
    """Row l in tail coordinates: W_ll = l(s + l)."""
    return TailRow(l * (s + l))


def inner(k: RingElement, s: RingElement) -> TailRow:
    """Row k > l in tail coordinates: W_kk = k(s + k) − (k − 1)(s + k − 1) = s + 2k − 1."""
    return TailRow(s + 2 * k - 1)


H_SF = Form(
    name="h-sf",
    formula=entry,
    describes=("h-sf",),
    given_for=("h-sf",),
    source='arXiv 2508.14544, Lemma "Amin", denominator; B_u of Corollary "A/B" at s = 0, l = 1',
    tails=TailRule(first, inner),
    growth=Fraction(1),
    summary="H-SF: hindsight, shortest first",
)
