"""The paper's forms whose worst cases theorems give: by positive inverses, formulas, bounds or intervals (``Ledger.worst_cases``).

:func:`two_sided` bounds A_min's in closed form, for u far beyond what can be iterated.
"""

from collections.abc import Callable
from fractions import Fraction

from crtools.enclosure import Ball, Enclosure, ball, ends, hull, precision
from crtools.forms import Form
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.papers.adaptive.forms import A_MAX, A_MIN, A_RANDOM, A_RANDOM_AREA
from crtools.worst_cases.base import Formula, TwoSided, WorstCaseTheorems


def _difference(form: Form) -> Callable[[int, int, int], Ball]:
    """S where g = w for k > l: it telescopes to D_uu − D_ll."""
    return lambda l, u, s: ball(Fraction(form.entry(u, u, s) - form.entry(l, l, s)))


def _harmonic(step: int) -> Callable[[int, int, int], Ball]:
    """S of A_max, (s+u)² Σ_{l<k≤u} 1/(s + step k + 1 − step): w_k = s+2k−1 of H-SF for step 2, s+k of the volume for step 1."""

    def supremum_term(l: int, u: int, s: int) -> Ball:
        after, before = (ball(Fraction(s + step * k + 1, step)).digamma() for k in (u, l))
        return ball((s + u) ** 2) * (after - before) / step

    return supremum_term


def kappa(l: int, u: int, s: int) -> Ball:
    """Return a ball that contains κ ≥ 1, where Σ_{l<k≤u} 1/(κ(s+2k−1)+s) = (κ−1)/(κ−1+(s+l)/l).

    The sum is (ψ(u+1+b) − ψ(l+1+b))/(2κ) with b = ½(s−1+s/κ). Left minus right falls as κ grows: bisection.
    """
    if l == u:
        return ball(1)

    def excess(value: Fraction) -> Ball:
        shift = (s - 1 + s / value) / 2
        total = (ball(u + 1 + shift).digamma() - ball(l + 1 + shift).digamma()) / ball(2 * value)
        return total - ball((value - 1) / (value - 1 + Fraction(s + l, l)))

    low, high = Fraction(1), Fraction(2)
    while not excess(high) < 0:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        difference = excess(middle)
        if difference > 0:
            low = middle
        elif difference < 0:
            high = middle
        else:
            break
    return hull(low, high)


def two_sided(l: int, u: int, s: int) -> Enclosure:
    """Return bounds on the worst case on [l, u]: less than ¼ apart, and of the order of 1/ln² u at s = 0."""
    with precision(128 + 4 * (s + u).bit_length()):
        root = kappa(l, u, s)
        low = (1 + root) / 2
        high = Ball.min(root, low + ball(Fraction(u, s + 4 * u)))
        theorem, error = "A_min's worst case for every s", ball(0)
        if s == 0:  # κ is E there
            theorem, lower_gap, upper_gap = "A_min's worst case at s = 0", ball(Fraction(3, 16)), ball(Fraction(1, 4))
            if l == 1:
                theorem, error = "A_min's worst case at s = 0 and l = 1", ball(Fraction(1, 16 * u * u))
                lower_gap = upper_gap = Ball.pi() ** 2 / 48
            middle = ball(Fraction(3, 4)) + root / 2
            low = Ball.max(low, middle - upper_gap / root - error)
            high = Ball.min(high, middle - lower_gap / (root + ball(Fraction(3, 2))))
        return Enclosure(ends(low)[0], ends(high)[1], f"Theorem “{theorem}”, in ball arithmetic")


WORST_CASES = WorstCaseTheorems(
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
