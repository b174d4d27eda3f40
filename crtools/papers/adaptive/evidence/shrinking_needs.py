"""Algorithm 2 under laws whose needs shrink with age: exact values of the bound by areas, with runs beside them.

The laws: P(o > a) = (s+1) r^a/(s+a+1) for a < u, so that the need at age a is (s+1) r^a. The bound: ``bounds/algorithm_two.py``.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.ledger import Evidence
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.bounds import algorithm_two
from crtools.papers.adaptive.evidence.counted_run import counted_run
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import theorem
from crtools.process import simulate
from crtools.schedule import volume
from crtools.setting import Setting

Law = dict[int, Fraction]


def shrinking(s: int, u: int, r: Fraction) -> Law:
    """Return the law with needs (s+1) r^a on 1, …, u."""
    beyond = [(s + 1) * r**a / (s + a + 1) for a in range(u)] + [Fraction(0)]
    return {k: beyond[k - 1] - beyond[k] for k in range(1, u + 1)}


def in_shares(x: Mapping[int, int | Fraction], n: int) -> list[int]:
    """Return about n lengths in a law's shares; those with less than half a request are left out."""
    total = sum(x.values())
    return [k for k, w in x.items() for _ in range(round(n * Fraction(w) / total))]


def areas(x: Law, s: int) -> Fraction:
    """Return v̄ = Σ_o x_o (s·o + o(o+1)/2), which a law with shrinking needs does not fall below; checks that it is one."""
    if not algorithm_two.shrinks(x, s) or sum(x.values()) != 1:
        raise AssertionError("the needs do not shrink")
    mean_area = sum((p * volume(s, k) for k, p in x.items()), Fraction(0))
    return agree(mean_area, sum(algorithm_two.needs(x, s)), "a law's mean area")


@lru_cache(maxsize=8)
def simulated(s: int, u: int, r: Fraction, memory: int, n: int) -> JsonObject:
    """Run Algorithm 2 and H-SF on lengths in the law's shares, and compare with the bound and both forms of the paper."""
    x, on = shrinking(s, u, r), Setting(s, 1, u)
    row = run_against_h_sf(in_shares(x, n), memory, in_shares(x, 4000), 100, s, u)
    unit = 2 * memory / row["n"] ** 2
    weights = [float(x[k]) for k in range(1, u + 1)]
    paper = {name: float(form(name).on(on).value(weights)) for name in ("a-min", "h-sf")}
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
    if abs(by_counting / by_simulator - 1) > 0.1:
        raise AssertionError("two runs of Algorithm 2 differ")
    once_more = {"M": fewer_memory, "n": len(fewer), "by_the_simulator": by_simulator, "by_counting": by_counting}
    row = {"M": memory, "n": len(lengths), "TEL_A_min": algorithm_2, "TEL_H_SF": h_sf, "ratio": algorithm_2 / h_sf}
    return {**row, "once_more": once_more}


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
        ratio = agree(algorithm_two.area_ratio(x, 1), literal.areas_over_peaks(x, 1), "a ratio")
        members.append({"s": "1", "l": "1", "u": str(u), "ratio_at_least": f"{float(ratio):.4f}"})
    family = (
        "$l = 1$, $u = 1/α$, $s = 1$ (or any $s ≥ 0$): $n$ independent lengths with "
        "$P(o > a) = (s+1)(1−1/u)^a/(s+a+1)$, $a < u$"
    )
    runs = [simulated(1, 10, Fraction(9, 10), 1000, 60_000), simulated(1, 30, Fraction(29, 30), 2000, 120_000)]
    return {"family": family, "members": members}, "at least $(u/2)/(1 + 2(s+1) ln((s+u)/(s+1)))$", runs
