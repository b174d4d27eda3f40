"""Lower bounds on Algorithm 2, the literal A_min: by areas in the limit, and with long prompts at every n and M.

By areas: l = 1, independent lengths with a law x on 1, …, u. The need at age a is w_a = (s+a+1) P(o > a): what a start
still holds, on average, one instant later. Where needs shrink with age, or starts hold more than all later ages, a memory
that is full now is on average not overfull at the next instant. So few starts are cancelled, requests complete in random order,
and each delays the others by its area. docs/algorithm-2.md has the proofs in full.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise

import sympy as sp

from crtools.numeric_types import RingElement
from crtools.papers.adaptive.bounds.two_lengths import value_of
from crtools.schedule import volume

Weights = Mapping[int, int | Fraction]
"""A law of lengths by its weights; for ratios they need not sum to 1."""


# ---- at least by areas ---------------------------------------------------------------------------------------------


def tails(x: Weights) -> list[RingElement]:
    """Return T_k = Σ_{o ≥ k} x_o for k = 1, …, u."""
    return list(accumulate(x.get(k, 0) for k in range(max(x), 0, -1)))[::-1]


def needs(x: Weights, s: int) -> list[RingElement]:
    """Return w_a = (s+a+1) P(o > a) for a = 0, …, u − 1: they sum to the mean area."""
    return [(s + k) * tail for k, tail in enumerate(tails(x), start=1)]


def shrinks(x: Weights, s: int) -> bool:
    """Return whether a law's needs shrink with age: the condition of the theorem "Algorithm 2 by areas"."""
    return all(later < earlier for earlier, later in pairwise(needs(x, s)))


def area_ratio(x: Weights, s: int) -> Fraction:
    """Return the mean area over H-SF's form, Σ_k (s+2k−1) T_k²: what Algorithm 2's ratio is at least, by areas."""
    tail_weights = tails(x)
    peaks = sum((s + 2 * k - 1) * tail * tail for k, tail in enumerate(tail_weights, start=1))
    return Fraction(sum(needs(x, s)) * tail_weights[0], peaks)


def starts_hold_most(x: Weights, s: int) -> bool:
    """Return whether the mean area of a law is below 2(s+1): the condition of "…, most of the memory held by starts"."""
    return sum(needs(x, s)) < 2 * (s + 1)


# ---- two lengths and long prompts, at every n and M ----------------------------------------------------------------
# Requests that were never started look alike, so shorts are found no faster than a random order shows them; a long that
# was started has completed, has been cancelled, or still runs, and overflow cancels few at an instant.


def rate(u: RingElement, s: RingElement) -> RingElement:
    """Return ρ = 1/V_u + 1/((s+1)(s+2)): longs that leave, per instant and unit of memory."""
    one = Fraction(1) if isinstance(s, int) else sp.S.One
    return one / volume(s, u) + one / ((s + 1) * (s + 2))


def cancellations_bound(memory: int, s: int) -> Fraction:
    """Return M/((s+1)(s+2)) + 1, at least the number of cancellations for overflow at one instant."""
    return Fraction(memory, (s + 1) * (s + 2)) + 1


def lower_bound_form(s: RingElement, u: RingElement, x: RingElement, y: RingElement) -> RingElement:
    """Return x y/ρ + y² V_u, the limit of that bound times 2M/n²."""
    return x * y / rate(u, s) + y**2 * volume(s, u)


def ratio_lower_bound(s: int, l: int, u: int, y: Fraction) -> Fraction:
    """Return a lower bound on the competitive ratio: lower_bound_form over H-SF's form at shares 1 − y, y."""
    return lower_bound_form(s, u, 1 - y, y) / value_of("h-sf", l, u, s, 1 - y, y)
