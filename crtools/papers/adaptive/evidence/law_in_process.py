"""Algorithm 2 itself under q^k and k q^k: by areas, where memory needs shrink with age, against H-SF by peaks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, log
from typing import Any

from crtools.ledger.agree import agree
from crtools.ledger.evidence import Open, Refuted
from crtools.papers.adaptive.evidence.algorithm_two import beside, in_shares
from crtools.papers.adaptive.evidence.process_bounds import at_least
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.process.algorithm_two import area_ratio, ratio, shrinks

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


def weights(power: int, q: Fraction, u: int) -> dict[int, int]:
    """Return k^e q^k, as integers in proportion, for k = 1, …, u."""
    return {k: k**power * q.numerator**k * q.denominator ** (u - k) for k in range(1, u + 1)}


def law_in_process(spec: str, bound: Fraction) -> Refuted | Open:
    """Decide CR(A_min) ≤ bound under the family ``spec`` for Algorithm 2 itself: refuted at a place, else open."""
    return compared_in_process(spec, lambda q: bound)


def compared_in_process(spec: str, bound: Callable[[Fraction], Fraction | None]) -> Refuted | Open:
    """Decide CR(A_min) ≤ bound(q) under the family ``spec`` for Algorithm 2 itself; None where the bound has no value."""
    theorem, power = ratio(), FAMILIES[spec]
    for s, q in PLACES[power]:
        u, claimed = cut(power, q), bound(q)
        x = weights(power, q, u)
        found = area_ratio(x, s)
        if claimed is None or found <= claimed or not shrinks(x, s) or not theorem.holds:
            continue
        again = agree(found, literal.areas_over_peaks(x, s), "a ratio")
        law = f"$P(o = k)$ proportional to ${'k ' * power}q^k$ on $1, …, {u}$"
        return Refuted(
            witness={"s": s, "l": 1, "u": u, "q": str(q), "law": law},
            claimed=str(claimed),
            actual=f"at least {at_least(found)}",
            second={"token_by_token": at_least(again, 12), **runs(power, s, q, u)},
            stays="$n → ∞$ and then $M → ∞$ at fixed $s$ and $α = 1/u < 1$; memory needs shrink at every larger $u$ too",
            theorems=theorem.records,
            values={"ratio_at_least": float(at_least(found))},
        )
    return Open(f"lower bounds on Algorithm 2 where its memory settles, at {len(PLACES[power])} settings")


@lru_cache(maxsize=8)
def runs(power: int, s: int, q: Fraction, u: int) -> dict[str, Any]:
    """Run Algorithm 2 and H-SF under the law, and Algorithm 2 once more by the counting implementation."""
    memory, less = (max(batch * (s + 12), s + u) for batch in (40, 8))
    x = weights(power, q, u)
    return beside(in_shares(x, 100_000), memory, in_shares(x, 2000), less, s, u)
