"""Algorithm 2, the literal A_min: proved lower bounds on its ratio, runs beside them, and evidence on claimed bounds and rates.

By areas, in the limit: l = 1, independent lengths with a law x on 1, …, u. The need at age a is w_a = (s+a+1) P(o > a): what a
start still holds, on average, one instant later. Where needs shrink with age, or starts hold more than all later ages, a memory
that is full now is on average not overfull at the next instant. So few starts are cancelled, requests complete in random order,
and each delays the others by its area. With long prompts: on two lengths, at every n and M. docs/algorithm-2.md has the proofs
in full. The second computations of the bounds are in ``literal/forms.py``. The claims of ``two_lengths``, ``one_parameter``,
``order_of_growth``, ``lem_amin`` and ``thm_optimality`` use it, and ``evidence/completions.py``; tests: test_section_5.py,
test_transitions.py and theorems/test_process.py in tests/papers/adaptive.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from math import ceil, log
from typing import Any

import sympy as sp

from crtools.enclosure import Enclosure
from crtools.forms import form
from crtools.ledger import Evidence, Refuted
from crtools.ledger.deciders.bounds import Bound, Family, above, bound_text, decide_bound, rounded, separating_decimals
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject, RingElement
from crtools.papers.adaptive.evidence.counted_run import counted_run
from crtools.papers.adaptive.evidence.two_lengths import value_of
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import theorem
from crtools.process import simulate
from crtools.schedule import volume
from crtools.setting import Setting

Weights = Mapping[int, int | Fraction]
"""A law of lengths by its weights; for ratios they need not sum to 1."""

Law = dict[int, Fraction]


# ---- at least by areas ---------------------------------------------------------------------------------------------


def tails(x: Weights) -> list[RingElement]:
    """Return T_k = Σ_{o ≥ k} x_o for k = 1, …, u."""
    return list(accumulate(x.get(k, 0) for k in range(max(x), 0, -1)))[::-1]


def needs(x: Weights, s: int) -> list[RingElement]:
    """Return w_a = (s+a+1) P(o > a) for a = 0, …, u − 1: they sum to the mean area."""
    return [(s + k) * tail for k, tail in enumerate(tails(x), start=1)]


def shrinks(x: Weights, s: int) -> bool:
    """Return whether a law's needs shrink with age: the condition of the theorem "Algorithm 2 by areas"."""
    return all(later < earlier for earlier, later in pairwise(needs(x, s)))


def starts_hold_most(x: Weights, s: int) -> bool:
    """Return whether the mean area of a law is below 2(s+1): the condition of "…, most of the memory held by starts"."""
    return sum(needs(x, s)) < 2 * (s + 1)


def area_ratio(x: Weights, s: int) -> Fraction:
    """Return the mean area over H-SF's form, Σ_k (s+2k−1) T_k²: what Algorithm 2's ratio is at least, by areas."""
    tail_weights = tails(x)
    peaks = sum((s + 2 * k - 1) * tail * tail for k, tail in enumerate(tail_weights, start=1))
    return Fraction(sum(needs(x, s)) * tail_weights[0], peaks)


def ratio_lower_bound(s: int, l: int, u: int, y: Fraction) -> Fraction:
    """Return what the ratio is at least on two lengths where prompts are long, at shares 1 − y of l and y of u.

    Requests that were never started look alike, so shorts are found no faster than a random order shows them. A long that was
    started has completed, has been cancelled, or still runs, and overflow cancels few at an instant: at most
    1/V_u + 1/((s+1)(s+2)) longs leave, per instant and unit of memory.
    """
    rate = Fraction(1, volume(s, u)) + Fraction(1, (s + 1) * (s + 2))
    return ((1 - y) * y / rate + y**2 * volume(s, u)) / value_of("h-sf", l, u, s, 1 - y, y)


# ---- laws and runs -------------------------------------------------------------------------------------------------


def shrinking(s: int, u: int, r: Fraction) -> Law:
    """Return the law on 1, …, u with P(o > a) = (s+1) r^a/(s+a+1) for a < u, so that the need at age a is (s+1) r^a."""
    beyond = [(s + 1) * r**a / (s + a + 1) for a in range(u)] + [Fraction(0)]
    return {k: beyond[k - 1] - beyond[k] for k in range(1, u + 1)}


def in_shares(x: Weights, n: int) -> list[int]:
    """Return about n lengths in a law's shares; those with less than half a request are left out."""
    total = sum(x.values())
    return [k for k, w in x.items() for _ in range(round(n * Fraction(w) / total))]


def areas(x: Law, s: int) -> Fraction:
    """Return the mean area v̄ = Σ_o x_o (s·o + o(o+1)/2), a lower bound on Algorithm 2's scaled latency; checks that needs shrink."""
    agree((shrinks(x, s), sum(x.values())), (True, 1), "whether a law's needs shrink")
    mean_area = sum((p * volume(s, k) for k, p in x.items()), Fraction(0))
    return agree(mean_area, sum(needs(x, s)), "a law's mean area")


@lru_cache(maxsize=8)
def simulated(s: int, u: int, r: Fraction, memory: int, n: int) -> JsonObject:
    """Run Algorithm 2 and H-SF on lengths in shares with shrinking needs; compare with the bound and both forms of the paper."""
    x, on = shrinking(s, u, r), Setting(s, 1, u)
    row = run_against_h_sf(in_shares(x, n), memory, in_shares(x, 4000), 100, s, u)
    unit = 2 * memory / row["n"] ** 2
    paper = {name: float(form(name).on(on).value(list(map(float, x.values())))) for name in ("a-min", "h-sf")}
    return {
        "s": s, "u": u, "r": str(r), "M": memory, "n": row["n"],
        "algorithm_two": unit * row["TEL_A_min"], "area_form": float(areas(x, s)), "paper_form_of_a_min": paper["a-min"],
        "h_sf": unit * row["TEL_H_SF"], "form_of_h_sf": paper["h-sf"], "ratio": row["ratio"],
        "unit": "total latencies times $2M/n²$", "once_more": row["once_more"],
    }  # fmt: skip


def run_against_h_sf(
    lengths: list[int], memory: int, fewer: list[int], fewer_memory: int, s: int, u: int
) -> JsonObject:
    """Run Algorithm 2 and H-SF with ``memory``, and Algorithm 2 on ``fewer`` with ``fewer_memory`` by two implementations.

    The second implementation is the counting one, which shares no code with the simulator; the two must nearly agree.
    """
    algorithm_2, h_sf = (
        simulate(policy, lengths, memory, s, 1, u, seed=0, engine="fast").total_latency
        for policy in ("a-min-literal", "h-sf")
    )
    by_counting = counted_run(fewer, s, fewer_memory, "buckets").total_latency
    by_simulator = simulate("a-min-literal", fewer, fewer_memory, s, 1, u, seed=0).total_latency
    agree(abs(by_counting / by_simulator - 1) <= 0.1, True, "whether two runs of Algorithm 2 are near each other")
    once_more = {"M": fewer_memory, "n": len(fewer), "by_the_simulator": by_simulator, "by_counting": by_counting}
    row = {"M": memory, "n": len(lengths), "TEL_A_min": algorithm_2, "TEL_H_SF": h_sf, "ratio": algorithm_2 / h_sf}
    return {**row, "once_more": once_more}


# ---- a bound in α, on two lengths -----------------------------------------------------------------------------------

LENGTHS = (3, 4, 5, 10, 20, 50, 100)
"""Lengths u at which a bound is compared, at l = 1, with the ratio that Algorithm 2 has at least by areas."""

PROMPTS = (0, 1)
"""Prompts s at which it is: s = 0, where the paper's proofs live, and the least prompt of its model."""

TRIED = "the lower bounds on Algorithm 2 that are proved: at $s = 0$ and $s = 1$ by areas, and at $ℓ = 1$, $u = 4^m$, $s = 10u$"


def exceeded(bound: Bound) -> Evidence:
    """Decide CR(A_min) ≤ bound(α) for the literal algorithm on two lengths: refuted by an instance, else open.

    Instances are at s = 0, where the paper's proofs live, at the least prompt of its model, s = 1, and, last, at
    long prompts, s = 10u (``LONG_PROMPTS``). Where one at s = 0 refutes it, the first one at
    s = 1 stands among the values as ``with_prompts``.
    """
    evidence = decide_bound(bound, *map(_by_areas, PROMPTS), LONG_PROMPTS, tried=TRIED)
    if not isinstance(evidence, Refuted) or evidence.witness["s"] > 0:
        return evidence
    prompts = decide_bound(bound, _by_areas(1), tried=TRIED)
    if not isinstance(prompts, Refuted):
        return evidence
    more = {**prompts.witness, "claimed": prompts.claimed, "ratio_at_least": prompts.values["ratio_at_least"]}
    return replace(evidence, values={**evidence.values, "with_prompts": more})


def _refuted(
    claimed: Enclosure, ratio: Fraction, by: str, witness: JsonObject, actual: str, second: JsonObject, stays: str
) -> Refuted:
    """Refute a bound by a theorem's lower bound on Algorithm 2's ratio."""
    claimed_text = bound_text(claimed, ratio)
    values = {"ratio_at_least": above(claimed_text, ratio)}
    return Refuted(witness, claimed_text, actual, second, stays, theorem(by).records, values)


def share_of(s: int, u: int) -> Fraction:
    """Return the largest share 1/k of length u on {1, u} at which the mean area is below 2(s+1)."""
    return Fraction(1, (s * u + u * (u + 1) // 2 - (s + 1)) // (s + 1) + 1)


def _by_areas(s: int) -> Family[int]:
    """Return lower bounds by areas at a prompt s, where a share of length u is so small that starts hold most of the memory."""

    def law(u: int) -> dict[int, Fraction]:
        return {1: 1 - share_of(s, u), u: share_of(s, u)}

    def ratio(u: int, claimed: Fraction) -> Fraction | None:
        return area_ratio(law(u), s) if starts_hold_most(law(u), s) else None

    def refuted(u: int, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        second = agree(ratio, literal.areas_over_peaks(law(u), s), "a ratio")
        witness = {"s": s, "l": 1, "u": u, "share_of_u": str(share_of(s, u))}
        again = {"token_by_token": str(second), **runs(s, u, share_of(s, u))}
        stays = "$n → ∞$ and then $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur"
        by = "Algorithm 2 by areas, most of the memory held by starts, against H-SF"
        return _refuted(claimed, ratio, by, witness, f"at least {ratio}", again, stays)

    return Family(lambda u: Fraction(1, u), ratio, refuted, LENGTHS)


@lru_cache(maxsize=8)
def runs(s: int, u: int, share: Fraction) -> JsonObject:
    """Run Algorithm 2 and H-SF on {1, u} in these shares, and Algorithm 2 once more by the counting implementation."""
    one = [1] * (share.denominator - 1) + [u]
    memory, less = (max(at_least, 4 * (s + u)) for at_least in (400, 100))
    return run_against_h_sf(one * (200_000 // share.denominator), memory, one * (3000 // share.denominator), less, s, u)


def _refuted_by_long_prompts(
    setting: tuple[int, int, int, Fraction], claimed: Enclosure, ratio: Fraction, looked_at: int
) -> Refuted:
    s, l, u, share = setting
    second = agree(ratio, literal.ratio_lower_bound(s, l, u, share), "a lower bound")
    witness = {"s": s, "l": l, "u": u, "share_of_u": str(share)}
    again = {"the_bound_from_sums_over_requests": str(second)}
    stays = "$n/M → ∞$ and $M → ∞$ at fixed $s$ and $α < 1$; both lengths occur"
    actual = f"at least {ratio} ≈ {rounded(ratio)}"
    return _refuted(claimed, ratio, "the literal A_min in the process", witness, actual, again, stays)


LONG_PROMPTS = Family(
    point=lambda setting: Fraction(1, setting[2]),
    ratio=lambda setting, claimed: ratio_lower_bound(*setting),
    refuted=_refuted_by_long_prompts,
    settings=[(10 * 4**m, 1, 4**m, Fraction(1, 2**m + 1)) for m in range(1, 16)],
)
"""Instances s = 10u, l = 1, u = 4^m and a share of length u, where cancellations are few."""


# ---- a bound in q, under q^k and k q^k: by areas, where memory needs shrink with age, against H-SF by peaks -----------

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
        return area_ratio(x, s) if shrinks(x, s) else None

    def refuted(setting: tuple[int, Fraction], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        s, q = setting
        u = truncation(power, q)
        second = agree(ratio, literal.areas_over_peaks(weights(power, q, u), s), "a ratio")
        law = f"$P(o = k)$ proportional to ${'k ' * power}q^k$ on $1, …, {u}$"
        witness = {"s": s, "l": 1, "u": u, "q": str(q), "law": law}
        actual = f"at least {separating_decimals(claimed.upper, ratio)[1]}"
        again = {"token_by_token": rounded(second, 12), **runs_under_law(power, s, q, u)}
        stays = "$n → ∞$ and then $M → ∞$ at fixed $s$ and $α = 1/u < 1$; memory needs shrink at every larger $u$ too"
        return _refuted(claimed, ratio, "Algorithm 2 by areas, against H-SF", witness, actual, again, stays)

    settings = [(s, Fraction(q)) for s, q in LAW_SETTINGS[power].items()]
    tried = f"lower bounds on Algorithm 2 where its memory settles, at {len(settings)} settings"
    return decide_bound(bound, Family(lambda setting: setting[1], ratio, refuted, settings), tried=tried)


@lru_cache(maxsize=8)
def runs_under_law(power: int, s: int, q: Fraction, u: int) -> JsonObject:
    """Run Algorithm 2 and H-SF under the law, and Algorithm 2 once more by the counting implementation."""
    memory, less = (max(batch * (s + 12), s + u) for batch in (40, 8))
    x = weights(power, q, u)
    return run_against_h_sf(in_shares(x, 100_000), memory, in_shares(x, 2000), less, s, u)


# ---- its order of growth -------------------------------------------------------------------------------------------


def order_of_growth(growth: Growth) -> Evidence:
    """Decide "CR of Algorithm 2 is O(growth)": refuted where it is of a smaller order than u/log u."""
    proofs = (partial(theorem, "growth"),)
    stays = "$n → ∞$ and then $M → ∞$ at fixed $s$ and $α = 1/u < 1$"
    tried = "the only bound known here is from below, of the order $α⁻¹/log(1/α)$"
    return decide_order(growth, Order(_laws_whose_needs_shrink, sp.exp(BIG) / BIG, proofs, stays=stays, tried=tried))


def _laws_whose_needs_shrink(growth: Growth) -> tuple[JsonObject, str, list[Any]]:
    members: list[dict[str, str]] = []
    for u in (10, 30, 100):
        x = shrinking(1, u, 1 - Fraction(1, u))
        ratio = agree(area_ratio(x, 1), literal.areas_over_peaks(x, 1), "a ratio")
        members.append({"s": "1", "l": "1", "u": str(u), "ratio_at_least": f"{float(ratio):.4f}"})
    family = (
        "$l = 1$, $u = 1/α$, $s = 1$ (or any $s ≥ 0$): $n$ independent lengths with "
        "$P(o > a) = (s+1)(1−1/u)^a/(s+a+1)$, $a < u$"
    )
    runs = [simulated(1, 10, Fraction(9, 10), 1000, 60_000), simulated(1, 30, Fraction(29, 30), 2000, 120_000)]
    return {"family": family, "members": members}, "at least $(u/2)/(1 + 2(s+1) ln((s+u)/(s+1)))$", runs
