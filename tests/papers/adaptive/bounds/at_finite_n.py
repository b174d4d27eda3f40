"""Bounds on total latencies in the process at every n and M: the policy that kills once at age 1, ``a-restart``, Algorithm 2.

``a-restart`` knows l and u only. With d_k = L_k(s+L_k), N_k requests longer than L_{k−1} and X_k = N_k − N_{k+1},

    E TEL ≤ (1/(2(M−s−u))) Σ_k d_k N_k (N_k + N_{k+1}) + 4 Σ_i o_i,

and every schedule has TEL ≥ Σ_i o_i and TEL ≥ (1/M) Σ_k (sum of the k smallest volumes).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from crtools.papers.adaptive.forms import thresholds
from crtools.schedule import volume


def kill_once_upper(shorts: int, longs: int, s: int, up: int, memory: int) -> Fraction:
    """Return an upper bound on E TEL for ``shorts`` requests of length 1 and ``longs`` of length up."""
    n = shorts + longs
    charged = (s + 1) * (n * (n + longs) + shorts) + up * (s + up) * longs * (longs + 1)
    return Fraction(charged, 2 * (memory - s - up)) + n + up * longs


def kill_once_lower(n: int, s: int, up: int, memory: int) -> Fraction:
    """Return a lower bound on TEL for n requests of any lengths in [2, up]."""
    return Fraction((s + 1) * n * n + (s + up - 1) * n * (n + 1), memory)


def restart_upper(lengths: Sequence[int], s: int, l: int, u: int, memory: int) -> Fraction:
    """Return an upper bound on E TEL of a-restart, over random orders; M ≥ s + u."""
    total, start, last, previous = Fraction(0), Fraction(0), 0, 0
    for threshold in thresholds(l, u):
        batch = memory // (s + threshold)
        longer = sum(o > previous for o in lengths)
        completed = longer - sum(o > threshold for o in lengths)
        if not longer:
            break
        start += last
        total += completed * (start + threshold + Fraction((longer - 1) * threshold, 2 * batch))
        start += Fraction((longer - 1) * threshold, batch)
        last = previous = threshold
    return total


def restart_added(o: int, l: int, u: int) -> int:
    """Return what one request waits beyond the phases' work: Σ_{j ≤ k} L_{j−1} + L_k, k the phase that completes it."""
    steps = thresholds(l, u)
    k = next(k for k, threshold in enumerate(steps) if o <= threshold)
    return sum(steps[:k]) + steps[k]


def cancellations_bound(memory: int, s: int) -> Fraction:
    """Return M/((s+1)(s+2)) + 1, at least the number of Algorithm 2's cancellations for overflow at one instant."""
    return Fraction(memory, (s + 1) * (s + 2)) + 1


def algorithm_two_lower(shorts: int, longs: int, s: int, u: int, memory: int) -> Fraction:
    """Return a lower bound on E TEL for ``shorts`` requests of one length and ``longs`` of a larger length u, prompts s."""
    leaving = Fraction(memory, volume(s, u)) + cancellations_bound(memory, s)
    shorts_wait = (Fraction(shorts * longs, 2) - Fraction(shorts * memory, s + 1)) / leaving
    return shorts_wait + Fraction(volume(s, u) * longs * (longs + 1), 2 * memory)
