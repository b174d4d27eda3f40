"""Kill and restart (``a-restart``): its form against the volume bound and against H-SF, for every s ≥ 0 and l ≤ u.

It knows l and u only. In the process its total latency is, as M → ∞, at most its form's plus 4 Σ_i o_i.
"""

from fractions import Fraction
from itertools import pairwise
from math import ceil

from crtools.forms import form
from crtools.papers.adaptive.forms import thresholds
from crtools.papers.adaptive.literal.forms import positive_definite

FACTOR = Fraction(64, 3)
"""The form is at most this times the volume bound's, for every s ≥ 0 and l ≤ u."""

ADDED = 4
"""What starting again costs each request, at most, in multiples of its length."""

CONSTANT = FACTOR + ADDED
"""The competitive ratio is at most this in the limit M → ∞, for every α."""


def supremum_above(s: int, l: int, u: int, against: str = "volume") -> Fraction:
    """Return a rational at least the supremum over x ≥ 0 of a-restart's form over ``volume`` or ``h-sf``, on [l, u].

    Between two thresholds the denominator only grows with the tails, which are at least the next phase's: so it is at
    least a diagonal form in the phases' tails. The result κ is a multiple of 1/100 for which κ times that form less the
    numerator is positive definite: all pivots are positive, in fractions.
    """
    import numpy as np

    numerator, weights = reduced(s, l, u, against)
    scale = np.array([1 / float(w) ** 0.5 for w in weights])
    top = float(np.linalg.eigvalsh(np.array(numerator, dtype=float) * np.outer(scale, scale))[-1])
    guess = Fraction(ceil(100 * top) + 1, 100)
    if not dominates(guess, numerator, weights):
        raise ArithmeticError(f"that {guess} is above the supremum is not confirmed")
    return guess


def reduced(s: int, l: int, u: int, against: str) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Return the form in the phases' tails as a matrix, and the diagonal form that the denominator is at least."""
    entry, steps = form(against).entry, thresholds(l, u)
    up_to = [
        entry(low, low, s) for low in (l, *(threshold + 1 for threshold in steps[:-1]))
    ]  # the weights of T_l, …, T_low
    weights = [more - less for less, more in pairwise([Fraction(0), *up_to])]
    matrix = [[Fraction(0)] * len(steps) for _ in steps]
    for k, threshold in enumerate(steps):
        matrix[k][k] = Fraction(threshold * (s + threshold))
        if k:
            matrix[k - 1][k] = matrix[k][k - 1] = matrix[k - 1][k - 1] / 2
    return matrix, weights


def dominates(factor: Fraction, matrix: list[list[Fraction]], weights: list[Fraction]) -> bool:
    """Return whether factor·diag(weights) − matrix is positive definite."""
    rows = [[factor * weights[i] * (i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(matrix)]
    return positive_definite(rows)
