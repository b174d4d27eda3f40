"""Algorithm 2 itself under q^k and k q^k: by areas, where memory needs shrink with age, against H-SF by peaks."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, fsum, log

from crtools.enclosure import Enclosure
from crtools.ledger.deciders.bounds import Bound, Family, apart, decide_bound, rounded, written
from crtools.ledger.evidence import Evidence, Refuted
from crtools.papers.adaptive.evidence.process_bounds import both_policies
from crtools.papers.adaptive.theorems.process.algorithm_two import h_sf_upper, lower_bound
from crtools.proof.theorem import kept

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


def law_in_process(spec: str, bound: Bound) -> Evidence:
    """Decide CR(A_min) ≤ bound(q) under the family ``spec`` for Algorithm 2 itself: refuted at a place, else open."""
    power = FAMILIES[spec]

    def ratio(place: tuple[int, Fraction], claimed: Fraction) -> Fraction | None:
        known = kept(lower_bound).holds and kept(h_sf_upper).holds
        return least_ratio(power, *place, cut(power, place[1])) if known else None

    def refuted(place: tuple[int, Fraction], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        return _refuted(power, *place, claimed, ratio)

    tried = f"lower bounds on Algorithm 2 where its memory settles, at {len(PLACES[power])} settings"
    return decide_bound(bound, Family(lambda place: place[1], ratio, refuted, PLACES[power]), tried=tried)


def _refuted(power: int, s: int, q: Fraction, claimed: Enclosure, ratio: Fraction) -> Refuted:
    u = cut(power, q)
    again = in_floats(power, s, q, u)
    if abs(float(ratio) - again) > 1e-9:
        raise AssertionError("two computations of a ratio differ")
    law = f"$P(o = k)$ proportional to ${'k ' * power}q^k$ on $1, …, {u}$"
    samples = ((shares(power, q, u, 100_000), 40 * (s + 12)), (shares(power, q, u, 2000), max(8 * (s + 12), s + u)))
    return Refuted(
        witness={"s": s, "l": 1, "u": u, "q": str(q), "law": law},
        claimed=written(claimed, ratio),
        actual=f"at least {apart(claimed.upper, ratio)[1]}",
        second={"token_by_token_in_floats": again, **both_policies(s, u, *samples)},
        stays="$n → ∞$ and then $M → ∞$ at fixed $s$ and $α = 1/u < 1$; memory needs shrink at every larger $u$ too",
        theorems=(kept(lower_bound).as_json(), kept(h_sf_upper).as_json()),
        values={"ratio_at_least": float(rounded(ratio))},
    )


def in_floats(power: int, s: int, q: Fraction, u: int) -> float:
    """Return the same ratio by direct sums over lengths, ages and pairs of lengths, in floats."""
    x = [k**power * float(q) ** k for k in range(1, u + 1)]
    tokens = fsum(w * fsum(s + age for age in range(1, k + 1)) for k, w in enumerate(x, start=1))
    peaks = fsum(
        v * w * min(i, k) * (s + min(i, k)) for i, v in enumerate(x, start=1) for k, w in enumerate(x, start=1)
    )
    return tokens * fsum(x) / peaks


def shares(power: int, q: Fraction, u: int, n: int) -> tuple[int, ...]:
    """Return about n lengths in the law's shares; those with less than half a request are left out."""
    x = [k**power * float(q) ** k for k in range(1, u + 1)]
    return tuple(k for k, w in enumerate(x, start=1) for _ in range(round(n * w / sum(x))))
