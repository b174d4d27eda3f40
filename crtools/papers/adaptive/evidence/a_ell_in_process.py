"""Bounds on A_ℓ itself: the ratio of the forms is reached in the process, where both lengths occur."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from crtools.ledger.agree import agree
from crtools.ledger.evidence import Open, Refuted
from crtools.papers.adaptive.evidence.process_bounds import Bound
from crtools.papers.adaptive.evidence.two_lengths import literal_ratio, plain_weights, quick_ratio, settings
from crtools.papers.adaptive.theorems.process import a_ell
from crtools.process import simulate


def exceeded(bound: Bound) -> Refuted | Open:
    """Decide CR(A_ℓ) ≤ bound(α) for the algorithm itself: refuted at a setting with both lengths, else open."""
    theorem, looked_at = a_ell.theorem(), 0
    for size, low, up in settings():
        claimed = bound(Fraction(low, up))
        if claimed is None:
            continue
        weights = plain_weights("a-ell", size, low, up, claimed)
        looked_at += 1
        ratio = quick_ratio("a-ell", size, low, up, weights)
        if theorem.holds and weights[0] and ratio > claimed:
            agree(ratio, literal_ratio("a-ell", size, low, up, weights), "A_ℓ's ratio")
            return Refuted(
                witness={"s": size, "l": low, "u": up, "x_l": weights[0], "x_u": weights[1]},
                claimed=str(claimed),
                actual=f"at least {ratio}",
                second=run(size, low, up, weights, claimed),
                stays="$n → ∞$ and then $M → ∞$ through multiples of $s+ℓ$ and $s+u$, at fixed $s$ and $α < 1$; both lengths occur",
                theorems=theorem.records,
                values={"ratio_at_least": float(ratio), "settings_looked_at": looked_at - 1},
            )
    tried = "the ratio that A_ℓ has at least in the process, at settings with $s ≥ 1$"
    return Open(tried, {"settings": looked_at})


def run(size: int, low: int, up: int, weights: tuple[int, int], claimed: Fraction) -> dict[str, Any]:
    """Simulate A_ℓ (in an order and its reverse) and H-SF on the instance, with more rounds until the bound is exceeded."""
    for rounds in (1, 2, 4, 8, 16, 32):
        row = a_ell.instance(size, low, up, weights, 10, rounds)
        if row.shorts + row.longs > 300_000:
            break
        own = agree(a_ell.a_ell_total(row), a_ell.both_orders(row, "fast"), "A_ℓ's total")
        best = simulate("h-sf", row.lengths, row.memory, size, low, up, engine="fast").total_latency
        if own > claimed * best:
            n = row.shorts + row.longs
            return {"M": row.memory, "n": n, "TEL_A_ell": str(own), "TEL_H_SF": best, "ratio": float(own / best)}
    return {"the_forms_term_by_term": str(literal_ratio("a-ell", size, low, up, weights))}
