"""Second computations: runs, searches, series, and suprema of kernels' symbols (``crtools.scale_free``), without theorems' formulas."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any

from crtools.enclosure import Enclosure, precision
from crtools.papers.nonclairvoyant.machine import round_robin, shortest_first
from crtools.scale_free import Symbol, common_offset, fixed_thresholds, own_offsets, supremum

MARGIN = Fraction(1, 10**6)


def _about(value: float) -> Enclosure:
    """Return an interval of a relative margin of one in a million around a float; it is not rigorous."""
    return Enclosure(Fraction(value) * (1 - MARGIN), Fraction(value) * (1 + MARGIN), "floats")


def equal_jobs(n: Fraction) -> Enclosure:
    """Run n jobs of size 1 with round robin and with shortest first, and return the quotient of the totals."""
    sizes = [1] * int(n)
    ratio = Fraction(sum(round_robin(sizes))) / sum(shortest_first(sizes))
    return Enclosure(ratio, ratio)


def few_jobs(n: Fraction) -> Enclosure:
    """Return the smaller of n and of the ratio that b-scaling reaches with b = 3."""
    return min(Enclosure(n, n), scaling(Fraction(3)), key=lambda ratio: ratio.lower)


def random_order(alpha: Fraction) -> Enclosure:
    """Search for the share of the largest size at which a random order is worst, among two sizes."""
    from scipy.optimize import minimize_scalar  # pyright: ignore[reportMissingTypeStubs]

    gap = 1 / float(alpha) - 1
    result: Any = minimize_scalar(
        lambda share: -(1 + gap * share) / (1 + gap * share**2), bounds=(0, 1), method="bounded"
    )
    return _about(-float(result.fun))


def eigenvalue(b: Fraction) -> Enclosure:
    """Return Σ b^(−|t|/2) over all integers t, in floats."""
    total, term = 1.0, 1.0
    while term > 1e-18:
        term /= sqrt(b)
        total += 2 * term
    return _about(total)


def _supremum(kernel: Callable[[Fraction], Symbol], b: Fraction) -> Enclosure:
    """Enclose the supremum of a kernel's symbol at the base b."""
    with precision(128):
        return supremum(kernel(b))


scaling = partial(_supremum, fixed_thresholds)
with_one_offset = partial(_supremum, common_offset)
with_own_offsets = partial(_supremum, own_offsets)
