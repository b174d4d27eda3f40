"""The paper's latency forms, and a few beside them: all but the two by areas and a-restart are the paper's."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

from crtools.forms.base import Form, TailRow, TailRule, unbound
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import entry as volume
from crtools.numeric_types import RingElement

# ---- A_min ---------------------------------------------------------------------------------------------------------


def _a_min(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """a_ij = (s+i)(j² + 2ij − i² + s(i+j)) / (2(s+j)) for i ≤ j."""
    return (s + i) * (j * j + 2 * i * j - i * i + s * (i + j)) / (2 * (s + j))


def _a_min_first(l: RingElement, s: RingElement) -> TailRow:
    """Row l: C_ll = l(s+l) and C_lj = ½ (s+l) (1 + l(s+l) g_j)."""
    half = (s + l) / 2
    return TailRow(l * (s + l), left=(half, half * l * (s + l)), right=(0 * half, 0 * half))


def _a_min_inner(k: RingElement, s: RingElement) -> TailRow:
    """Row k > l: C_kk = (s+2k−1)/(s+k), C_kj = ½ (1 + p_k g_j), with p_k = (s+k−1)² + k(2s+2k−1), g_j = 1/((s+j)(s+j−1))."""
    m = s + k
    p = (m - 1) * (m - 1) + k * (m + m - 1)
    one = k / k
    return TailRow((m + k - 1) / m, left=(one / 2, p / 2), right=(one, 1 / (m * (m - 1))))


A_MIN = Form(
    name="a-min",
    formula=_a_min,
    describes=("a-min-cohort",),
    given_for=("a-min-literal", "a-min-cohort"),
    source='Lemma "Amin", numerator; A_u of Corollary "A/B" at s = 0, l = 1',
    tails=TailRule(_a_min_first, _a_min_inner),
    between=H_SF,
    growth=Fraction(3, 2),
    summary="A_min in its proof, which is not Algorithm 2",
)
"""The numerator of Lemma "Amin",

    Σ_{k=l}^{u} δ(k) (Σ_{i≥k} i x_i) (Σ_{i≥k} δ(k)/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i),  δ(l) = s+l, else 1.

Its matrix, A_u at s = 0 and l = 1, does not depend on l; Theorem "entries" derives it from this double sum.
With several prediction intervals, requests of lower intervals go first: H-SF between the intervals.
"""


# ---- in a random order ---------------------------------------------------------------------------------------------


def _a_random(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """½ (i(s+i) + j(s+j)): the symmetric matrix of the product of the two sums."""
    return (i * (s + i) + j * (s + j)) / 2


def _a_random_first(l: RingElement, s: RingElement) -> TailRow:
    """Row l: C_ll = l(s+l), C_lj = ½ (s+2j−1)."""
    one = l / l
    return TailRow(l * (s + l), left=(one / 2,), right=(0 * one,))


def _a_random_inner(k: RingElement, s: RingElement) -> TailRow:
    """Row k > l: Σ i(s+i) x_i = l(s+l) T_l + Σ_{k>l} (s+2k−1) T_k, and Σ x_i = T_l: zero but in row l."""
    return TailRow(0 * k, left=(0 * k,), right=(s + 2 * k - 1,))


A_RANDOM = Form(
    name="a-random",
    formula=_a_random,
    describes=(),  # the simulated a-random needs less: see A_RANDOM_AREA
    given_for=("a-random",),
    source="Theorem fully_random and its proof",
    tails=TailRule(_a_random_first, _a_random_inner),
    growth=Fraction(1),
    summary="A_random: random order, charged length × peak",
)
"""(Σ x_i)(Σ i(s+i) x_i): requests in a random order, each at its true length."""


def _a_random_area(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """½ (v_i + v_j) with v_i = s i + i(i+1)/2."""
    return (volume(i, i, s) + volume(j, j, s)) / 2


A_RANDOM_AREA = Form(
    name="a-random-area",
    formula=_a_random_area,
    describes=("a-random",),
    source="token-instants per request; measured, not proved",
    growth=Fraction(1),
    summary="random order, charged token-instants (measured)",
)
"""A random order that charges each request its area: (Σ x_i)(Σ (s i + i(i+1)/2) x_i).

Eq. (3) lets requests of different ages share the memory. Where starts are spread over time the memory is full on average,
so a request delays the others by its token-instants and not by i(s+i), its length times its peak. No result of the
paper: what the simulated ``a-random`` approaches under laws on many lengths (figure convergence), not under two-point
laws, where equal requests keep in step; and what the literal A_min approaches where its memory settles.

Algorithm 2 admits whatever fits at the next instant and cancels only what overflows. Where the memory that completed
requests leave is enough for those that run, nothing is cancelled, nobody learns anything, and requests complete in
random order, each delaying the others by its token-instants. ``crtools.papers.adaptive.policies.settling`` says under which laws;
docs/algorithm-2.md proves it from below for laws whose needs shrink with age. Elsewhere the literal A_min follows no
quadratic form.
"""

A_MIN_LITERAL_AREA = replace(
    A_RANDOM_AREA,
    name="a-min-literal-area",
    describes=("a-min-literal",),
    summary="Algorithm 2 where its memory settles (measured)",
    source="no result of the paper: measured where crtools.papers.adaptive.policies.settling says that a law settles; "
    "a lower bound is proved where needs shrink (docs/algorithm-2.md)",
)


# ---- of policies that know the interval ----------------------------------------------------------------------------


def bind_a_max(l: int, u: int) -> Form:
    """Return A_max's form for the interval [l, u]: the matrix (s+u)(i+j)/2."""
    return replace(A_MAX, formula=lambda i, j, s: (s + u) * (i + j) / 2, bind=None)


A_MAX = Form(
    name="a-max",
    formula=partial(unbound, "a-max"),
    given_for=("a-max",),
    source="Theorem Amax and its proof",
    bind=bind_a_max,
    summary="A_max: every request is charged the peak s + u",
)
"""(s+u)(Σ x_i)(Σ i x_i): every request is charged the peak s + u of the longest, for its own length of time."""


def _bind_a_ell(l: RingElement, u: RingElement) -> Form:
    """Return the form on {l, u}: with e = (i−l)/(u−l), which is 0 at l and 1 at u, l(s+l)(1 + ½(e_i+e_j)) + u(s+u) e_i e_j."""
    gap = u - l if u != l else 1

    def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        first, second = (i - l) / gap, (j - l) / gap
        return l * (s + l) * (1 + (first + second) / 2) + u * (s + u) * first * second

    return replace(A_ELL, formula=entry, bind=None, lengths=None)


def _ends(l: int, u: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys((l, u)))


A_ELL = Form(
    name="a-ell",
    formula=partial(unbound, "a-ell"),
    describes=("a-ell",),
    given_for=("a-ell",),
    source="Theorem Al_CR and its proof",
    bind=_bind_a_ell,
    lengths=_ends,
    summary="A_ℓ on two lengths: all run l tokens, then the long",
)
"""On {l, u}, l(s+l)(x_l+x_u)(x_l+2x_u) + u(s+u) x_u²: every request runs l tokens first, then the long ones."""


def thresholds(l: int, u: int) -> list[int]:
    """Return L_0 = l, 2l, 4l, …, and at last u: the bounds of a-restart."""
    values = [l]
    while values[-1] < u:
        values.append(min(2 * values[-1], u))
    return values


def _bind_a_restart(l: int, u: int) -> Form:
    """Return the form on [l, u]: Σ_k L_k(s+L_k) [i > L_{k−1}] (1 + ½[i > L_k] + ½[j > L_k]) for i ≤ j."""
    steps = thresholds(l, u)

    def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        total = 0 * (i + j)
        for before, threshold in zip([0, *steps], steps, strict=False):
            delayed = 2 + (i > threshold) * 1 + (j > threshold) * 1
            total = total + threshold * (s + threshold) * (i > before) * delayed / 2
        return total

    return replace(A_RESTART, formula=entry, bind=None)


A_RESTART = Form(
    name="a-restart",
    formula=partial(unbound, "a-restart"),
    describes=("a-restart",),
    given_for=("a-restart",),
    kind="upper",
    source="not in the paper: kill and restart with doubled thresholds; an upper bound on the process (theorem “kill and restart”)",
    bind=_bind_a_restart,
    summary="kill and restart with doubled thresholds",
)
"""Phases with thresholds L_k = l, 2l, 4l, …, u: Σ_k L_k(s+L_k) T_k (T_k + T_{k+1}), T_k = P(o > L_{k−1}).

Phase k starts every request that is left with assumed length L_k; half of those that it completes wait for half of it,
on average, and the others for all of it. The factor 2 stands also in the policy (``policies/__init__.py``), in ``literal/forms.py`` and
in the proved constants of ``claims/thm_optimality.py``.
"""

FORMS: dict[str, Form] = {
    f.name: f for f in (A_MIN, A_MIN_LITERAL_AREA, A_RANDOM, A_RANDOM_AREA, A_MAX, A_ELL, A_RESTART)
}
"""By name."""
