"""Theorems that bound the total latency of a policy of crtools, by their claims. ``h-volume`` is volume order with look-ahead."""

from __future__ import annotations

from fractions import Fraction

from crtools.papers.any_memory.process import area, volume_bound
from crtools.process.guarantees import ProvedFactor

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
}
