"""Evidence on Algorithm 2 itself under q^k and k q^k: by areas, where memory needs shrink with age, against H-SF by peaks.

Used by thm-lg and, through ``one_parameter``, by geometric and uniform-bounds.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, log

from crtools.enclosure import Enclosure
from crtools.ledger import Evidence, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.deciders.bounds import Bound, Family, above, apart, decide_bound, rounded, written
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.bounds import algorithm_two
from crtools.papers.adaptive.evidence.shrinking_needs import in_shares, run_against_h_sf
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import theorem

FAMILIES = {"geometric(q)": 0, "linear-geometric(q)": 1}
"""The power e of the weights k^e q^k of each family."""

SETTINGS = {
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


def truncation(power: int, q: Fraction) -> int:
    """Return a length u beyond which k^e q^k has hardly any weight."""
    return ceil((16 + 6 * power) / -log(q))


def weights(power: int, q: Fraction, u: int) -> dict[int, int]:
    """Return k^e q^k, as integers in proportion, for k = 1, …, u."""
    return {k: k**power * q.numerator**k * q.denominator ** (u - k) for k in range(1, u + 1)}


def law_in_process(spec: str, bound: Bound) -> Evidence:
    """Decide CR(A_min) ≤ bound(q) under the family ``spec`` for Algorithm 2 itself: refuted at a place, else open."""
    power = FAMILIES[spec]

    def ratio(setting: tuple[int, Fraction], claimed: Fraction) -> Fraction | None:
        s, q = setting
        x = weights(power, q, truncation(power, q))
        return (
            algorithm_two.area_ratio(x, s)
            if algorithm_two.shrinks(x, s) and theorem("Algorithm 2 by areas, against H-SF").holds
            else None
        )

    def refuted(setting: tuple[int, Fraction], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        return _refuted(power, *setting, claimed, ratio)

    tried = f"lower bounds on Algorithm 2 where its memory settles, at {len(SETTINGS[power])} settings"
    return decide_bound(bound, Family(lambda setting: setting[1], ratio, refuted, SETTINGS[power]), tried=tried)


def _refuted(power: int, s: int, q: Fraction, claimed: Enclosure, ratio: Fraction) -> Refuted:
    u = truncation(power, q)
    second = agree(ratio, literal.areas_over_peaks(weights(power, q, u), s), "a ratio")
    claimed_text = written(claimed, ratio)
    law = f"$P(o = k)$ proportional to ${'k ' * power}q^k$ on $1, …, {u}$"
    return Refuted(
        witness={"s": s, "l": 1, "u": u, "q": str(q), "law": law},
        claimed=claimed_text,
        actual=f"at least {apart(claimed.upper, ratio)[1]}",
        second={"token_by_token": rounded(second, 12), **runs(power, s, q, u)},
        stays="$n → ∞$ and then $M → ∞$ at fixed $s$ and $α = 1/u < 1$; memory needs shrink at every larger $u$ too",
        theorems=theorem("Algorithm 2 by areas, against H-SF").records,
        values={"ratio_at_least": above(claimed_text, ratio)},
    )


@lru_cache(maxsize=8)
def runs(power: int, s: int, q: Fraction, u: int) -> JsonObject:
    """Run Algorithm 2 and H-SF under the law, and Algorithm 2 once more by the counting implementation."""
    memory, less = (max(batch * (s + 12), s + u) for batch in (40, 8))
    x = weights(power, q, u)
    return run_against_h_sf(in_shares(x, 100_000), memory, in_shares(x, 2000), less, s, u)
