"""What the bounds of the literal A_min in the discrete process say about a bound that depends on α."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from crtools.enclosure import Enclosure
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import Bound, Family, decide_bound, rounded, written
from crtools.ledger.evidence import Evidence, Refuted
from crtools.papers.adaptive.evidence.counted_run import counted_run
from crtools.papers.adaptive.literal.forms import h_sf_sum
from crtools.papers.adaptive.literal.restart import least_ratio as literal_least_ratio
from crtools.papers.adaptive.theorems.process import literal_a_min, mostly_short
from crtools.papers.adaptive.theorems.process.algorithm_two import h_sf_upper
from crtools.process import simulate
from crtools.proof.theorem import kept

LENGTHS = (3, 4, 5, 10, 20, 50, 100)
"""Lengths u at which a bound is compared, at l = 1 and s = 1, with the ratio that Algorithm 2 has at least by areas."""

POWERS = range(1, 16)
"""Instances l = 1, u = 4^m, s = 10u are tried for these m."""

TRIED = "the lower bounds on Algorithm 2 that are proved: at $s = 1$ by areas, and at $ℓ = 1$, $u = 4^m$, $s = 10u$"


def exceeded(bound: Bound) -> Evidence:
    """Decide CR(A_min) ≤ bound(α) for the literal algorithm on two lengths: refuted by an instance, else open."""
    areas = Family(lambda u: Fraction(1, u), _by_areas, _refuted_by_areas, LENGTHS)
    cancellations = Family(lambda m: Fraction(1, 4**m), _by_cancellations, _refuted_by_cancellations, POWERS)
    return decide_bound(bound, areas, cancellations, tried=TRIED)


def share_of(s: int, u: int) -> Fraction:
    """Return the largest share 1/k of length u on {1, u} at which the mean area is below 2(s+1)."""
    return Fraction(1, (s * u + u * (u + 1) // 2 - (s + 1)) // (s + 1) + 1)


def _by_areas(u: int, claimed: Fraction) -> Fraction | None:
    """Where a share of length u is so small that starts hold most of the memory, at s = 1."""
    x = {1: 1 - share_of(1, u), u: share_of(1, u)}
    known = mostly_short.applies(x, 1) and kept(mostly_short.lower_bound).holds and kept(h_sf_upper).holds
    return mostly_short.mean_area(x, 1) / h_sf_sum(x, 1) if known else None


def _refuted_by_areas(u: int, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
    share = share_of(1, u)
    return Refuted(
        witness={"s": 1, "l": 1, "u": u, "share_of_u": str(share)},
        claimed=written(claimed, ratio),
        actual=f"at least {ratio}",
        second={"tokens_one_by_one": str(agree(ratio, by_tokens(1, u, share), "a ratio")), **runs(1, u, share)},
        stays="$n → ∞$ and then $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur",
        theorems=(kept(mostly_short.lower_bound).as_json(), kept(h_sf_upper).as_json()),
        values={"ratio_at_least": float(rounded(ratio))},
    )


def by_tokens(s: int, u: int, share: Fraction) -> Fraction:
    """Return the ratio again, from 1/share requests of which one has length u: tokens at each instant over peaks."""
    lengths = [1] * (share.denominator - 1) + [u]
    tokens = sum(s + age for o in lengths for age in range(1, o + 1)) * len(lengths)
    return Fraction(tokens, sum(min(a, b) * (s + min(a, b)) for a in lengths for b in lengths))


def runs(s: int, u: int, share: Fraction) -> dict[str, Any]:
    """Run both policies on {1, u} in these shares."""
    group = (*[1] * (share.denominator - 1), u)
    return both_policies(
        s, u, *((group * (n // len(group)), m) for n, m in ((200_000, 400), (3000, max(100, 4 * (s + u)))))
    )


@lru_cache(maxsize=8)
def both_policies(s: int, u: int, *samples: tuple[tuple[int, ...], int]) -> dict[str, Any]:
    """Run Algorithm 2 and H-SF on (lengths, M); on the last sample Algorithm 2 once more by the counting implementation."""
    (lengths, memory), *_, (few, less) = samples
    memory = max(memory, s + u)
    own, best = (_total(policy, s, u, lengths, memory) for policy in ("a-min-literal", "h-sf"))
    small, again = _total("a-min-literal", s, u, few, less), counted_run(few, s, less, "buckets").total_latency
    if abs(again / small - 1) > 0.1:
        raise AssertionError("two runs of Algorithm 2 differ")
    return {
        "M": memory, "n": len(lengths), "TEL_A_min": own, "TEL_H_SF": best, "ratio": own / best,
        "once_more": {"M": less, "n": len(few), "by_the_simulator": small, "by_counting": again},
    }  # fmt: skip


def _total(policy: str, s: int, u: int, lengths: tuple[int, ...], memory: int) -> int:
    return simulate(policy, lengths, memory, s, 1, u, seed=0, engine="fast").total_latency


def _by_cancellations(power: int, claimed: Fraction) -> Fraction | None:
    """Where cancellations are few because prompts are long: s = 10u, u = 4^m."""
    u = 4**power
    share = Fraction(1, isqrt(u) + 1)
    return literal_a_min.least_ratio(10 * u, 1, u, share) if literal_a_min.theorem().holds else None


def _refuted_by_cancellations(power: int, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
    u = 4**power
    share = Fraction(1, isqrt(u) + 1)
    second = agree(ratio, literal_least_ratio(10 * u, 1, u, share), "a lower bound")
    return Refuted(
        witness={"s": 10 * u, "l": 1, "u": u, "share_of_u": str(share)},
        claimed=written(claimed, ratio),
        actual=f"at least {ratio} ≈ {rounded(ratio)}",
        second={"the_bound_from_sums_over_requests": str(second)},
        stays="$n/M → ∞$ and $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur",
        theorems=(literal_a_min.theorem().as_json(),),
        values={"ratio_at_least": float(rounded(ratio))},
    )
