"""Latency forms, given by their entries for i ≤ j, against H-SF and Algorithm 2 in the limit n → ∞, then M → ∞."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from crtools.distributions import distribution
from crtools.forms import form
from crtools.ledger import Evidence, Given, Measured, Open, Refuted
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import rounded
from crtools.ledger.deciders.measured import measured
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.papers.adaptive.evidence.algorithm_two.measured import exact_value
from crtools.papers.adaptive.evidence.algorithm_two.pairs import Phase, at_half, in_step, out_of_step
from crtools.papers.adaptive.evidence.algorithm_two.shrinking_needs import Law, another_run, areas, shrinking, simulated
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.process.algorithm_two import area_ratio, by_areas, ratio
from crtools.process import simulate
from crtools.proof import symbols
from crtools.ratios.real import Exact

Entry = Callable[[int, int, int], Exact | None]
"""A form's entry at i ≤ j and s; None where it is undefined."""

SAMPLES = (
    ("uniform(l=1, u=8)", 0),
    ("two-point(l=2, u=6, weight=3/4)", 5),
    ("uniform(l=3, u=6)", 1),
)
MEMORY, REQUESTS = 1500, 60_000
LAWS = tuple((s, u, 1 - Fraction(1, u)) for s in (1, 2) for u in (10, 2, 30))
"""Laws (s, u, r) with shrinking needs at which a form is compared with that of areas."""

FAR_OFF = (("uniform(l=1, u=20)", 0), ("harmonic(u=50)", 0), ("two-point(l=1, u=20, weight=19/20)", 0))
"""Laws under which Algorithm 2 is far from the paper's form, on either side."""

NEAR, FAR = 0.03, 0.04
"""Simulation supports a form within ``NEAR`` of the simulated latency, and contradicts one beyond ``FAR``."""

STAYS = "$s$, $u$, $α = 1/u < 1$ and the law are fixed; $n → ∞$ at every $M$, then $M → ∞$"


def entry(given: Given, name: str) -> Entry:
    """Return a form by its entries for i ≤ j; ``InputError`` where one is not defined."""
    names = {"s": symbols.s, "i": symbols.i, "j": symbols.j}
    tree, _ = formula_on(name, given[name], names, integers_from(s=0, i=1, j="i"))
    return lambda i, j, s: exact_value(tree, {"s": s, "i": i, "j": j})


def both_ratios(ratio: Evidence) -> str:
    """Return the claimed and the true ratio of :func:`of_the_ratio` in a clause, "" where it is not refuted."""
    if not isinstance(ratio, Refuted):
        return ""
    at = f"$s = {ratio.witness['s']}$, $u = {ratio.witness['u']}$"
    return f"{ratio.claimed} at {at}, truly {str(ratio.actual).partition(':')[0]}"


# ---- H-SF ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _phase(which: str, s: int, r: int, batches: int) -> dict[str, Any]:
    """Return a phase with its total, which the simulator must find as well."""
    found: Phase = (in_step if which == "in step" else out_of_step)(s, r, batches)
    run = simulate("h-sf", [1] * found.ones + [2] * found.twos, found.memory, s, engine="fast")
    agree(run.total_latency, found.total, "H-SF's total in a phase")
    n = found.ones + found.twos
    scaled = 2 * found.memory * found.total / n**2
    return {
        "s": s,
        "M": found.memory,
        "n": n,
        "of_length_1": found.ones,
        "TEL": found.total,
        "TEL_times_2M_over_n2": scaled,
    }


def h_sf_in_phases(entry: Entry) -> Refuted | Open:
    """Decide that the form is the limit of 2M TEL/n² of H-SF: lengths 1 and 2 have two phases with different limits."""
    for s in (1, 2, 5):
        shown = value(entry, {1: Fraction(1, 2), 2: Fraction(1, 2)}, s)
        for which, other in (("out of step", "in step"), ("in step", "out of step")):
            limits = {"in step": at_half(in_step(s, 1, 4).limit), "out of step": at_half(out_of_step(s, 1, 4).limit)}
            if shown != limits[which]:
                size = "(s+1)(2s+3)r" if which == "out of step" else "(s+1)(s+2)r"
                ones = "(2s+3)rq + (s+2)r" if which == "out of step" else "(s+1)(s+2)rq"
                return Refuted(
                    witness={
                        "family": f"$l = 1$, $u = 2$, $M = {size}$, ${ones}$ requests of length 1 and, up to less than $(s+1)r$, as "
                        f"many of length 2, $q → ∞$, then $r → ∞$: batches of length 2 are {which} for ever",
                        "s": s,
                    },
                    claimed="undefined" if shown is None else f"$2M TEL/n² → {shown}$",
                    actual=f"$2M TEL/n² → {limits[which]}$",
                    second=[_phase(which, s, 1, 40), _phase(which, s, 10, 40), _phase(which, s, 10, 400)],
                    stays="$s$, $α = 1/2$ and the shares are fixed, $n → ∞$ at every such $M$ and $M → ∞$; only the remainder of $n$ "
                    "modulo the batch is special: along others the form is approached in simulations, so that there is no limit",
                    values={f"limit_{other.replace(' ', '_')}": str(limits[other])},
                )
    return Open("two phases of lengths 1 and 2")


# ---- Algorithm 2 -----------------------------------------------------------------------------------------------------


def of_algorithm_two(entry: Entry) -> Evidence:
    """Decide that the form is the limit of 2M E[TEL]/n² of Algorithm 2: refuted where it is below that of areas."""
    theorem = by_areas()
    for s, u, r in LAWS:
        x = shrinking(s, u, r)
        shown, least = value(entry, x, s), areas(x, s)
        if theorem.holds and (shown is None or shown < least):
            return Refuted(
                witness=_law(s, u, r),
                claimed="undefined" if shown is None else f"$2M E[TEL]/n² → {float(shown):.6f}$",
                actual=f"$liminf 2M E[TEL]/n² ≥ {rounded(least, 8)}$",
                second=[simulated(1, 10, Fraction(9, 10), 1000, 60_000), another_run()],
                stays=STAYS,
                theorems=theorem.records,
                values={"simulated_over_the_paper_s_form": far_off()},
            )
    return by_simulation("a-min-literal", entry)


def of_the_ratio(a_min: Entry, h_sf: Entry) -> Evidence:
    """Decide that the ratio of two forms is that of Algorithm 2 and H-SF: refuted where it is below areas over peaks."""
    theorem = ratio()
    for s, u, r in LAWS:
        x = shrinking(s, u, r)
        top, bottom = value(a_min, x, s), value(h_sf, x, s)
        least = agree(area_ratio(x, s), literal.areas_over_peaks(x, s), "a ratio by areas")
        if theorem.holds and (top is None or not bottom or top / bottom < least):
            return Refuted(
                witness=_law(s, u, r),
                claimed="undefined" if top is None or not bottom else f"{float(top / bottom):.4f}",
                actual=f"≥ {rounded(least, 5)}: Algorithm 2 at least by areas, H-SF at most by peaks",
                second=[simulated(1, 10, Fraction(9, 10), 1000, 60_000), another_run()],
                stays=STAYS,
                theorems=theorem.records,
            )
    return by_simulation("a-min-literal", a_min, h_sf)


def _law(s: int, u: int, r: Fraction) -> dict[str, Any]:
    family = "$l = 1$, $n$ independent lengths with $P(o > a) = (s+1)r^a/(s+a+1)$ for $a < u$; $n → ∞$ at every $M$, then $M → ∞$"
    return {"family": family, "s": s, "u": u, "r": str(r)}


def far_off() -> list[dict[str, Any]]:
    """Algorithm 2's simulated latency over the paper's form, under laws where it is far off on either side."""
    rows: list[dict[str, Any]] = []
    for law, s in FAR_OFF:
        total, counts = _simulated("a-min-literal", law, s)
        paper = _value(lambda a, b, c: form("a-min").entry(a, b, c), counts, s)
        rows.append({"law": law, "s": s, "M": MEMORY, "n": REQUESTS, "ratio": total / paper})
    return rows


# ---- measured --------------------------------------------------------------------------------------------------------


def by_simulation(policy: str, above: Entry, below: Entry | None = None) -> Measured | Open:
    """Compare a form, or a ratio of two, with a policy's simulated latency, or with that over H-SF's."""
    rows: list[tuple[float, dict[str, Any]]] = []
    for law, s in SAMPLES:
        total, counts = _simulated(policy, law, s)
        claimed = _value(above, counts, s)
        if below is not None:
            total /= _simulated("h-sf", law, s)[0]
            under = _value(below, counts, s)
            claimed = claimed / under if under else float("nan")
        ratio = total / claimed if claimed else float("inf")
        gap = abs(ratio - 1) if ratio == ratio else float("inf")
        shown = ratio if gap < float("inf") else "undefined"
        rows.append((gap, {"law": law, "s": s, "M": MEMORY, "n": REQUESTS, "simulated_over_claimed": shown}))
    return measured(
        ((gap - (FAR - NEAR), gap) for gap, _ in rows),
        most=NEAR,
        sample=f"one run each under {len(rows)} laws, n = {REQUESTS}, M = {MEMORY}",
        margin=f"supported within {NEAR}, contradicted beyond {FAR}; the error at these sizes is of the order of $(s+u)/M$ and "
        "of a batch over the requests of a length",
        values={"policy": policy, "compared": [row for _, row in rows]},
    )


@lru_cache(maxsize=16)
def _simulated(policy: str, law: str, s: int) -> tuple[float, dict[int, int]]:
    """Return 2M·TEL of one run, and the numbers of requests by length."""
    lengths = distribution(law).sample(REQUESTS, np.random.default_rng(0))
    run = simulate(policy, lengths, MEMORY, s, seed=0)
    values, counts = np.unique(lengths, return_counts=True)
    return 2.0 * MEMORY * run.total_latency, {int(v): int(c) for v, c in zip(values, counts, strict=True)}


def value(entry: Entry, x: Law, s: int) -> Exact | None:
    """Return Σ_ij entry · x_i x_j, or None where an entry is undefined."""
    lengths = sorted(x)
    total: Exact = Fraction(0)
    for place, i in enumerate(lengths):
        for j in lengths[place:]:
            own = entry(i, j, s)
            if own is None:
                return None
            total += (1 if i == j else 2) * own * x[i] * x[j]
    return total


def _value(entry: Entry, counts: dict[int, int], s: int) -> float:
    """Return Σ_ij entry · (requests of length i)(requests of length j); NaN where an entry is undefined."""
    total = value(entry, {k: Fraction(v) for k, v in counts.items()}, s)
    return float("nan") if total is None else float(total)
