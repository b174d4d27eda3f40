"""Theorems that bound the total latency of a policy of crtools, by their claims. ``h-volume`` is volume order with look-ahead.

The constants are those of the text, rounded up; ``tests/papers/any_memory/test_guarantees.py`` compares them.
"""

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

from crtools.papers.any_memory.process import Requests, area, volume, volume_bound
from crtools.process.guarantees import ProvedFactor

VOLUMES, LENGTHS = Fraction("2.18842"), Fraction("4.11918")
"""Windows: the mean of a completion time is at most VOLUMES · y + LENGTHS · o."""


def _windows(kappa: Fraction, u: int, requests: Requests, memory: int) -> Fraction:
    """Return VOLUMES · Σ y + (LENGTHS − 1) · L, where y is 4/M times the sum of the smaller volumes."""
    smaller = area(requests, memory) - Fraction(sum(map(volume, requests)), 2 * memory)
    return 4 * VOLUMES * smaller + (LENGTHS - 1) * sum(o for _, o in requests)


def _boxes(areas: str, overhang: str, smallest: int) -> Callable[[Fraction, int, Requests, int], Fraction]:
    """Return κ((areas + overhang/λ) A + λL), as a function, with λ near its optimum and at least ``smallest``."""

    def waiting(kappa: Fraction, u: int, requests: Requests, memory: int) -> Fraction:
        used, lengths = area(requests, memory), sum(o for _, o in requests)
        optimal = Fraction(sqrt(Fraction(overhang) * used / lengths)).limit_denominator(1000)
        lam = max(optimal, Fraction(smallest), Fraction(1, 1000))
        return kappa * ((Fraction(areas) + Fraction(overhang) / lam) * used + lam * lengths)

    return waiting


def _by_room(per_kappa: str, three_peaks: str, two_peaks: str) -> Callable[[Fraction, int], Fraction]:
    """Return the factor as a function of κ, which is below 3/2 from M ≥ 3P − 2 on, and below 2 from M ≥ 2P − 1 on."""

    def factor(kappa: Fraction, u: int) -> Fraction:
        limits = [Fraction(value) for bound, value in ((Fraction(3, 2), three_peaks), (2, two_peaks)) if kappa < bound]
        return min([Fraction(per_kappa) * kappa, *limits])

    return factor


GUARANTEES = {
    "volume-order": ProvedFactor(
        policy="h-volume",
        says="TEL ≤ 2κA + L ≤ max(2κ, 1 + 4κ/3)·OPT",
        factor=lambda kappa, u: max(2 * kappa, 1 + Fraction(4, 3) * kappa),
        waiting=lambda kappa, u, requests, memory: 2 * kappa * area(requests, memory),
    ),
    "greedy-starts": ProvedFactor(
        policy="h-volume",
        says="TEL ≤ 2u/(u+1)·κ·Vol + L, and so ≤ (1 + 2uκ/(u+1))·OPT, as Vol ≤ OPT and L ≤ OPT",
        factor=lambda kappa, u: 1 + Fraction(2 * u, u + 1) * kappa,
        waiting=lambda kappa, u, requests, memory: Fraction(2 * u, u + 1) * kappa * volume_bound(requests, memory),
    ),
    "windows": ProvedFactor(
        policy="h-windows",
        says="E TEL ≤ 9.955·OPT, the mean over the coins of h-windows",
        factor=lambda kappa, u: Fraction("9.955"),
        waiting=_windows,
    ),
    "box-offsets": ProvedFactor(
        policy="box-offsets",
        says="E TEL ≤ 7.525 κ·OPT, 11.12·OPT for M ≥ 3P − 2, 14.74·OPT for M ≥ 2P − 1, the mean over the offsets",
        factor=_by_room("7.525", "11.12", "14.74"),
        waiting=_boxes("6.84725", "1.02091", 1),
    ),
    "box-thresholds": ProvedFactor(
        policy="box-thresholds",
        says="TEL ≤ 14.57 κ·OPT, 21.8·OPT for M ≥ 3P − 2, 29.03·OPT for M ≥ 2P − 1",
        factor=_by_room("14.57", "21.8", "29.03"),
        waiting=_boxes("14.1", "1.8", 0),
    ),
}
