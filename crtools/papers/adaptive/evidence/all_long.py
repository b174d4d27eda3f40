"""A_ℓ itself where every length is u: all requests run for l tokens first, and then for u."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from crtools.ledger.result import Part
from crtools.papers.adaptive.evidence.process_bounds import approximately
from crtools.process import simulate

PLACES = tuple(
    (s, low, up) for s in (1, 10, 100) for low, up in ((1, 2), (1, 3), (1, 5), (1, 10), (2, 3), (3, 4), (9, 10))
)
"""Settings (s, l, u) at which a bound is compared with the ratio."""


def totals(s: int, l: int, u: int, rounds: int, size: int = 1) -> tuple[int, int, int, int]:
    """Return (M, n, A_ℓ's total, H-SF's): M a multiple of s + l and of s + u, n of both numbers that run at once.

    All n requests run for l instants in batches of M/(s+l) and are removed; then in batches of M/(s+u) to the end. H-SF
    does only the second.
    """
    memory = size * lcm(s + l, s + u)
    first, second = memory // (s + l), memory // (s + u)
    n = lcm(first, second) * rounds
    best = u * second * (n // second) * (n // second + 1) // 2
    return memory, n, n * (l * n // first) + best, best


def all_long(name: str, bound: Callable[[Fraction], Fraction | None]) -> Part:
    """Decide CR(A_ℓ) ≤ bound(α) for the algorithm itself: refuted where every length is u, else inconclusive."""
    for s, l, u in PLACES:
        claimed, limit = bound(Fraction(l, u)), 1 + Fraction(2 * l * (s + l), u * (s + u))
        if claimed is None or not limit > claimed:
            continue
        rounds = 1
        while not Fraction(*totals(s, l, u, rounds)[2:]) > claimed:
            rounds *= 2
        memory, n, slow, best = totals(s, l, u, rounds)
        evidence: dict[str, Any] = {
            "counterexample": {
                "s": s,
                "l": l,
                "u": u,
                "lengths": f"all {u}",
                "M": memory,
                "n": n,
                "TEL(A_ℓ)": slow,
                "TEL(H-SF)": best,
                "ratio": approximately(Fraction(slow, best)),
                "claimed bound": str(claimed),
                "limit": f"1 + 2l(s+l)/(u(s+u)) = {limit}, for every multiple of M, n → ∞",
            },
            "second computation": [_simulated(s, l, u, *more) for more in ((1, 1), (2, 1), (1, 3))],
        }
        return Part(name, "refuted", evidence)
    return Part(name, "inconclusive", {"tried": f"requests of length u only, at {len(PLACES)} settings"})


def _simulated(s: int, l: int, u: int, rounds: int, size: int) -> dict[str, int]:
    memory, n, slow, best = totals(s, l, u, rounds, size)
    for engine in ("reference", "fast") if n <= 2000 else ("fast",):
        runs = [
            simulate(p, [u] * n, memory, s, l, u, order=range(n), engine=engine).total_latency
            for p in ("a-ell", "h-sf")
        ]
        if runs != [slow, best]:
            raise AssertionError("two computations of A_ℓ's total differ")
    return {"M": memory, "n": n, "TEL(A_ℓ)": slow, "TEL(H-SF)": best}
