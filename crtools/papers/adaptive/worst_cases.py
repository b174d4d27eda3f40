"""The paper's forms whose worst cases theorems give: by positive inverses, formulas, bounds or intervals (``Ledger.worst_cases``)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from crtools.enclosure import ball
from crtools.forms import Form
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.numeric_types import Ball
from crtools.papers.adaptive.forms.a_max import A_MAX
from crtools.papers.adaptive.forms.a_min import A_MIN
from crtools.papers.adaptive.forms.a_random import A_RANDOM
from crtools.papers.adaptive.forms.a_random_area import A_RANDOM_AREA
from crtools.papers.adaptive.two_sided import two_sided
from crtools.worst_cases.base import Formula, TwoSided, WorstCases


def _difference(form: Form) -> Callable[[int, int, int], Ball]:
    """S where g = w for k > l: it telescopes to D_uu − D_ll."""
    return lambda l, u, s: ball(Fraction(form.entry(u, u, s) - form.entry(l, l, s)))


def _harmonic(step: int) -> Callable[[int, int, int], Ball]:
    """S of A_max, (s+u)² Σ_{l<k≤u} 1/(s + step k + 1 − step): w_k = s+2k−1 of H-SF for step 2, s+k of the volume for step 1."""

    def supremum_term(l: int, u: int, s: int) -> Ball:
        after, before = (ball(Fraction(s + step * k + 1, step)).digamma() for k in (u, l))
        return ball((s + u) ** 2) * (after - before) / step

    return supremum_term


WORST_CASES = WorstCases(
    positive=((A_MIN, H_SF), (A_MIN, VOLUME)),
    proved=(
        Formula(A_RANDOM, H_SF, _difference(H_SF), "A_random's supremum"),
        Formula(A_MAX, H_SF, _harmonic(2), "A_max's supremum"),
        Formula(A_RANDOM_AREA, VOLUME, _difference(VOLUME), "A_random in the process"),
        Formula(A_MAX, VOLUME, _harmonic(1), "A_max in the process, against every schedule"),
    ),
    bounded=(TwoSided(A_MIN, H_SF, two_sided),),
    blockwise=((A_MIN, H_SF), (A_MIN, VOLUME)),
)
