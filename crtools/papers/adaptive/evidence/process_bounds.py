"""Evidence on bounds for Algorithm 2 itself, from its proved lower bounds: in α on two lengths, and under q^k and k q^k.

Used by thm-two-point, thm-lg, uniform-bounds and, through ``one_parameter``, by geometric.
"""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, isqrt, log

from crtools.enclosure import Enclosure
from crtools.ledger import Evidence, Refuted
from crtools.ledger.deciders.bounds import Bound, Family, above, bound_text, decide_bound, rounded, separating_decimals
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.bounds import algorithm_two
from crtools.papers.adaptive.evidence.shrinking_needs import in_shares, run_against_h_sf
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import theorem
from crtools.proof.theorem import Theorem, kept

LENGTHS = (3, 4, 5, 10, 20, 50, 100)
"""Lengths u at which a bound is compared, at l = 1, with the ratio that Algorithm 2 has at least by areas."""

PROMPTS = (0, 1)
"""Prompts s at which it is: s = 0, where the paper's proofs live, and the least prompt of its model."""

POWERS = range(1, 16)
"""Instances l = 1, u = 4^m, s = 10u are tried for these m."""

TRIED = "the lower bounds on Algorithm 2 that are proved: at $s = 0$ and $s = 1$ by areas, and at $ℓ = 1$, $u = 4^m$, $s = 10u$"

PromptAndLength = tuple[int, int]
"""s and u, at l = 1."""


def exceeded(bound: Bound) -> Evidence:
    """Decide CR(A_min) ≤ bound(α) for the literal algorithm on two lengths: refuted by an instance, else open.

    Where an instance at s = 0 refutes it, the first one at s = 1 stands among the values as ``with_prompts``.
    """
    cancellations = Family(lambda m: Fraction(1, 4**m), _by_cancellations, _refuted_by_cancellations, POWERS)
    evidence = decide_bound(bound, *map(_areas, PROMPTS), cancellations, tried=TRIED)
    if not isinstance(evidence, Refuted) or evidence.witness["s"] > 0:
        return evidence
    prompts = decide_bound(bound, _areas(1), tried=TRIED)
    if not isinstance(prompts, Refuted):
        return evidence
    more = {**prompts.witness, "claimed": prompts.claimed, "ratio_at_least": prompts.values["ratio_at_least"]}
    return replace(evidence, values={**evidence.values, "with_prompts": more})


def _areas(s: int) -> Family[PromptAndLength]:
    """Return what is known by areas at a prompt s."""
    settings = [(s, u) for u in LENGTHS]
    return Family(lambda setting: Fraction(1, setting[1]), _by_areas, _refuted_by_areas, settings)


def share_of(s: int, u: int) -> Fraction:
    """Return the largest share 1/k of length u on {1, u} at which the mean area is below 2(s+1)."""
    return Fraction(1, (s * u + u * (u + 1) // 2 - (s + 1)) // (s + 1) + 1)


def _by_areas(setting: PromptAndLength, claimed: Fraction) -> Fraction | None:
    """Where a share of length u is so small that starts hold most of the memory."""
    s, x = setting[0], _two(*setting)
    applies = algorithm_two.starts_hold_most(x, s) and kept(_of_starts).holds
    return algorithm_two.area_ratio(x, s) if applies else None


def _two(s: int, u: int) -> dict[int, Fraction]:
    return {1: 1 - share_of(s, u), u: share_of(s, u)}


def _of_starts() -> Theorem:
    return theorem("Algorithm 2 by areas, most of the memory held by starts, against H-SF")


def _refuted(
    claimed: Enclosure, ratio: Fraction, by: Theorem, witness: JsonObject, actual: str, second: JsonObject, stays: str
) -> Refuted:
    """Refute a bound by a theorem's lower bound on Algorithm 2's ratio."""
    claimed_text = bound_text(claimed, ratio)
    values = {"ratio_at_least": above(claimed_text, ratio)}
    return Refuted(witness, claimed_text, actual, second, stays, by.records, values)


def _refuted_by_areas(setting: PromptAndLength, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
    s, u = setting
    share = share_of(s, u)
    second = agree(ratio, literal.areas_over_peaks(_two(s, u), s), "a ratio")
    witness = {"s": s, "l": 1, "u": u, "share_of_u": str(share)}
    again = {"token_by_token": str(second), **runs(s, u, share)}
    stays = "$n → ∞$ and then $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur"
    return _refuted(claimed, ratio, kept(_of_starts), witness, f"at least {ratio}", again, stays)


@lru_cache(maxsize=8)
def runs(s: int, u: int, share: Fraction) -> JsonObject:
    """Run Algorithm 2 and H-SF on {1, u} in these shares, and Algorithm 2 once more by the counting implementation."""
    one = [1] * (share.denominator - 1) + [u]
    memory, less = (max(at_least, 4 * (s + u)) for at_least in (400, 100))
    return run_against_h_sf(one * (200_000 // share.denominator), memory, one * (3000 // share.denominator), less, s, u)


def _by_cancellations(power: int, claimed: Fraction) -> Fraction | None:
    """Where cancellations are few because prompts are long: s = 10u, u = 4^m."""
    u = 4**power
    share = Fraction(1, isqrt(u) + 1)
    if not theorem("the literal A_min in the process").holds:
        return None
    return algorithm_two.ratio_lower_bound(10 * u, 1, u, share)


def _refuted_by_cancellations(power: int, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
    u = 4**power
    share = Fraction(1, isqrt(u) + 1)
    second = agree(ratio, literal.ratio_lower_bound(10 * u, 1, u, share), "a lower bound")
    witness = {"s": 10 * u, "l": 1, "u": u, "share_of_u": str(share)}
    again = {"the_bound_from_sums_over_requests": str(second)}
    stays = "$n/M → ∞$ and $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur"
    by = theorem("the literal A_min in the process")
    return _refuted(claimed, ratio, by, witness, f"at least {ratio} ≈ {rounded(ratio)}", again, stays)


# ---- under q^k and k q^k: by areas, where memory needs shrink with age, against H-SF by peaks -------------------------

LAWS = {"geometric(q)": 0, "linear-geometric(q)": 1}
"""The power e of the weights k^e q^k of each family of laws."""

LAW_SETTINGS = {
    0: {0: "49/100", 1: "13/20", 3: "3/4", 10: "9/10", 20: "19/20"},
    1: {0: "29/100", 1: "2/5", 20: "2/3", 50: "37/50", 100: "39/50"},
}
"""By e, for each s the q at which a bound is compared with a lower bound on the process's ratio."""


def truncation(power: int, q: Fraction) -> int:
    """Return a length u beyond which k^e q^k has hardly any weight."""
    return ceil((16 + 6 * power) / -log(q))


def weights(power: int, q: Fraction, u: int) -> dict[int, int]:
    """Return k^e q^k, as integers in proportion, for k = 1, …, u."""
    return {k: k**power * q.numerator**k * q.denominator ** (u - k) for k in range(1, u + 1)}


def law_in_process(spec: str, bound: Bound) -> Evidence:
    """Decide CR(A_min) ≤ bound(q) under the family ``spec`` for Algorithm 2 itself: refuted at a place, else open."""
    power = LAWS[spec]

    def ratio(setting: tuple[int, Fraction], claimed: Fraction) -> Fraction | None:
        s, q = setting
        x = weights(power, q, truncation(power, q))
        applies = algorithm_two.shrinks(x, s) and theorem("Algorithm 2 by areas, against H-SF").holds
        return algorithm_two.area_ratio(x, s) if applies else None

    def refuted(setting: tuple[int, Fraction], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        s, q = setting
        u = truncation(power, q)
        second = agree(ratio, literal.areas_over_peaks(weights(power, q, u), s), "a ratio")
        law = f"$P(o = k)$ proportional to ${'k ' * power}q^k$ on $1, …, {u}$"
        witness = {"s": s, "l": 1, "u": u, "q": str(q), "law": law}
        actual = f"at least {separating_decimals(claimed.upper, ratio)[1]}"
        again = {"token_by_token": rounded(second, 12), **runs_under_law(power, s, q, u)}
        stays = "$n → ∞$ and then $M → ∞$ at fixed $s$ and $α = 1/u < 1$; memory needs shrink at every larger $u$ too"
        return _refuted(claimed, ratio, theorem("Algorithm 2 by areas, against H-SF"), witness, actual, again, stays)

    settings = [(s, Fraction(q)) for s, q in LAW_SETTINGS[power].items()]
    tried = f"lower bounds on Algorithm 2 where its memory settles, at {len(settings)} settings"
    return decide_bound(bound, Family(lambda setting: setting[1], ratio, refuted, settings), tried=tried)


@lru_cache(maxsize=8)
def runs_under_law(power: int, s: int, q: Fraction, u: int) -> JsonObject:
    """Run Algorithm 2 and H-SF under the law, and Algorithm 2 once more by the counting implementation."""
    memory, less = (max(batch * (s + 12), s + u) for batch in (40, 8))
    x = weights(power, q, u)
    return run_against_h_sf(in_shares(x, 100_000), memory, in_shares(x, 2000), less, s, u)
