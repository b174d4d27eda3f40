"""Algorithm 2 itself under q^k and k q^k: by areas, where memory needs shrink with age, against H-SF by peaks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import ceil, fsum, log
from typing import Any

from crtools.ledger.evidence import Open, Refuted, records
from crtools.papers.adaptive.evidence.counted_run import counted_run
from crtools.papers.adaptive.evidence.process_bounds import at_least
from crtools.papers.adaptive.theorems.process.algorithm_two import h_sf_upper, lower_bound
from crtools.process import simulate

FAMILIES = {"geometric(q)": 0, "linear-geometric(q)": 1}
"""The power e of the weights k^e q^k of each family."""

PLACES = {
    0: (
        (0, Fraction(49, 100)),
        (1, Fraction(13, 20)),
        (3, Fraction(3, 4)),
        (10, Fraction(9, 10)),
        (20, Fraction(19, 20)),
    ),
    1: (
        (0, Fraction(29, 100)),
        (1, Fraction(2, 5)),
        (20, Fraction(2, 3)),
        (50, Fraction(37, 50)),
        (100, Fraction(39, 50)),
    ),
}
"""Settings (s, q) at which a bound is compared with the ratio that the process has at least, by e."""


def cut(power: int, q: Fraction) -> int:
    """Return a length u beyond which k^e q^k has hardly any weight."""
    return ceil((16 + 6 * power) / -log(q))


def least_ratio(power: int, s: int, q: Fraction, u: int) -> Fraction | None:
    """Return Σ x_k (s k + k(k+1)/2) over H-SF's form under k^e q^k cut at u, l = 1; None where the needs do not shrink."""
    x = [k**power * q.numerator**k * q.denominator ** (u - k) for k in range(1, u + 1)]
    tails = list(accumulate(reversed(x)))[::-1]
    needs = [(s + a + 1) * tail for a, tail in enumerate(tails)]
    if not all(later < earlier for earlier, later in pairwise(needs)):
        return None
    area = sum(w * (s * k + k * (k + 1) // 2) for k, w in enumerate(x, start=1))
    peaks = sum((s + 2 * k - 1) * tail * tail for k, tail in enumerate(tails, start=1))
    return Fraction(area * tails[0], peaks)


def law_in_process(spec: str, bound: Fraction) -> Refuted | Open:
    """Decide CR(A_min) ≤ bound under the family ``spec`` for Algorithm 2 itself: refuted at a place, else open."""
    return compared_in_process(spec, lambda q: bound)


def compared_in_process(spec: str, bound: Callable[[Fraction], Fraction | None]) -> Refuted | Open:
    """Decide CR(A_min) ≤ bound(q) under the family ``spec`` for Algorithm 2 itself; None where the bound has no value."""
    proofs, power = (lower_bound(), h_sf_upper()), FAMILIES[spec]
    for s, q in PLACES[power]:
        u, claimed = cut(power, q), bound(q)
        found = least_ratio(power, s, q, u)
        if claimed is None or found is None or found <= claimed or not all(p.holds for p in proofs):
            continue
        again = in_floats(power, s, q, u)
        if abs(float(found) - again) > 1e-9 or not again > claimed:
            raise AssertionError("two computations of a ratio differ")
        law = f"$P(o = k)$ proportional to ${'k ' * power}q^k$ on $1, …, {u}$"
        return Refuted(
            witness={"s": s, "l": 1, "u": u, "q": str(q), "law": law},
            claimed=str(claimed),
            actual=f"at least {at_least(found)}",
            second={"token_by_token_in_floats": again, **runs(power, s, q, u)},
            stays="$n → ∞$ and then $M → ∞$ at fixed $s$ and $α = 1/u < 1$; memory needs shrink at every larger $u$ too",
            theorems=records(*proofs),
            values={"ratio_at_least": float(at_least(found))},
        )
    return Open(f"lower bounds on Algorithm 2 where its memory settles, at {len(PLACES[power])} settings")


def in_floats(power: int, s: int, q: Fraction, u: int) -> float:
    """Return the same ratio by direct sums over lengths, ages and pairs of lengths, in floats."""
    x = [k**power * float(q) ** k for k in range(1, u + 1)]
    tokens = fsum(w * fsum(s + age for age in range(1, k + 1)) for k, w in enumerate(x, start=1))
    peaks = fsum(
        v * w * min(i, k) * (s + min(i, k)) for i, v in enumerate(x, start=1) for k, w in enumerate(x, start=1)
    )
    return tokens * fsum(x) / peaks


def shares(power: int, q: Fraction, u: int, n: int) -> list[int]:
    """Return about n lengths in the law's shares; those with less than half a request are left out."""
    x = [k**power * float(q) ** k for k in range(1, u + 1)]
    return [k for k, w in enumerate(x, start=1) for _ in range(round(n * w / sum(x)))]


@lru_cache(maxsize=8)
def runs(power: int, s: int, q: Fraction, u: int) -> dict[str, Any]:
    """Run Algorithm 2 and H-SF under the law, and Algorithm 2 once more by the counting implementation."""
    found: dict[str, Any] = {}
    for memory, n in ((40 * (s + 12), 100_000), (8 * (s + 12), 2000)):
        lengths = shares(power, q, u, n)
        memory = max(memory, s + u)
        own, best = (
            simulate(policy, lengths, memory, s, 1, u, seed=0, engine="fast").total_latency
            for policy in ("a-min-literal", "h-sf")
        )
        found = found or {"M": memory, "n": len(lengths), "TEL_A_min": own, "TEL_H_SF": best, "ratio": own / best}
    again = counted_run(lengths, s, memory, "buckets").total_latency
    if abs(again / own - 1) > 0.1:
        raise AssertionError("two runs of Algorithm 2 differ")
    return {**found, "once_more": {"M": memory, "n": len(lengths), "by_the_simulator": own, "by_counting": again}}
