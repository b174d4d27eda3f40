"""A_min: the numerator of Lemma "Amin",

    Σ_{k=l}^{u} δ(k) (Σ_{i≥k} i x_i) (Σ_{i≥k} δ(k)/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i),  δ(l) = s+l, else 1.

Its matrix, A_u at s = 0 and l = 1, does not depend on l; Theorem "entries" derives it from this double sum.
With several prediction intervals, requests of lower intervals go first: H-SF between the intervals.
"""

from fractions import Fraction

from crtools.forms.base import Form, TailRow, TailRule
from crtools.forms.h_sf import H_SF
from crtools.numeric_types import RingElement


def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """a_ij = (s+i)(j² + 2ij − i² + s(i+j)) / (2(s+j)) for i ≤ j."""
    return (s + i) * (j * j + 2 * i * j - i * i + s * (i + j)) / (2 * (s + j))


def first(l: RingElement, s: RingElement) -> TailRow:
    """Row l: C_ll = l(s+l) and C_lj = ½ (s+l) (1 + l(s+l) g_j)."""
    half = (s + l) / 2
    return TailRow(l * (s + l), left=(half, half * l * (s + l)), right=(0 * half, 0 * half))


def inner(k: RingElement, s: RingElement) -> TailRow:
    """Row k > l: C_kk = (s+2k−1)/(s+k), C_kj = ½ (1 + p_k g_j), with p_k = (s+k−1)² + k(2s+2k−1), g_j = 1/((s+j)(s+j−1))."""
    m = s + k
    p = (m - 1) * (m - 1) + k * (m + m - 1)
    one = k / k
    return TailRow((m + k - 1) / m, left=(one / 2, p / 2), right=(one, 1 / (m * (m - 1))))


A_MIN = Form(
    name="a-min",
    formula=entry,
    describes=("a-min-cohort",),
    given_for=("a-min-literal", "a-min-cohort"),
    source='Lemma "Amin", numerator; A_u of Corollary "A/B" at s = 0, l = 1',
    tails=TailRule(first, inner),
    between=H_SF,
    growth=Fraction(3, 2),
    summary="A_min in its proof, which is not Algorithm 2",
)
