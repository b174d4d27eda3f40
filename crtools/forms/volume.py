"""The volume bound on every schedule: V_ij = s m + m(m+1)/2 with m = min(i, j)."""

from fractions import Fraction

from crtools.forms.base import Form, TailRow, TailRule
from crtools.numeric_types import RingElement


def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """V_ij = s i + i(i + 1)/2 for i ≤ j: the token-instants of the shorter request."""
    return s * i + i * (i + 1) / 2


def first(l: RingElement, s: RingElement) -> TailRow:
    """Row l in tail coordinates: s l + l(l + 1)/2."""
    return TailRow(entry(l, l, s))


def inner(k: RingElement, s: RingElement) -> TailRow:
    """Row k > l in tail coordinates: s + k."""
    return TailRow(s + k)


VOLUME = Form(
    name="volume",
    formula=entry,
    describes=("every schedule",),
    kind="lower",
    source="TEL ≥ (1/M) Σ_k (sum of the k smallest volumes), at every n, for every policy",
    tails=TailRule(first, inner),
    growth=Fraction(1),
    summary="a bound below every schedule, by token-instants",
)
