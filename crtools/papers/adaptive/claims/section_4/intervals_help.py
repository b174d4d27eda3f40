"""intervals-help: do refined prediction intervals make A_min better than the single interval does?

Of the forms, yes. Of the algorithm, no: õ also decides who is cancelled and how tightly batches are packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np

from crtools.errors import InputError
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.search import Found, Small, first
from crtools.ledger.result import Decision, Part, Proof, Repair, Status, Verdict, from_theorem
from crtools.papers.adaptive.evidence.reading import PROCESS, found_so
from crtools.papers.adaptive.evidence.simulated import SETUP, Setup, judged
from crtools.papers.adaptive.literal.ties import mean_total
from crtools.papers.adaptive.theorems.form.intervals import intervals_below_single
from crtools.papers.adaptive.theorems.form.refinement import refinement_hurts
from crtools.papers.adaptive.workloads.experiments import SIZES
from crtools.process import Mean, simulate
from crtools.setting import Setting

LIMIT = Fraction(21, 19)
"""What the family of :func:`refinement_hurts` tends to."""

MEMBERS = (1, 10, 100)
"""The m of the family at which its mean is computed exactly."""

COHORT = {6: 80, 12: 20}
"""Requests of each length, per 400 tokens of memory, at which the cohort variant is compared (s = 1, [1, 12])."""


def decide_help(given: Given) -> Decision:
    """Decide E TEL(refined) ≤ factor · E TEL(single), of the algorithm, of its variant and of the form."""
    factor = number("factor", given["factor"])
    if not 0 < factor < 10**6:
        raise InputError("factor", given["factor"], "must be > 0 and below 1000000")
    parts = (_algorithm(factor), _cohort(factor), _experiment(factor))
    as_stated = Verdict(
        "as-stated",
        "for every instance, s ≥ 1, and all intervals [l_1, u_1], …, [l_m, u_m] with u_j ≤ l_(j+1) that refine "
        f"[l_1, u_m]: the mean of the total latency is at most {given['factor']} times that with the one interval, {PROCESS}",
        "exact means over all draws; a family for every m; simulation",
        parts,
        found_so(parts),
    )
    of_form = _form(factor)
    argued = Verdict(
        "where-argued",
        f"of the forms (M → ∞ and many batches per length), every s ≥ 0 and x ≥ 0, factor {given['factor']}",
        "entrywise comparison",
        (of_form,),
        f"{of_form.part}: {of_form.status}",
    )
    repair = Repair(
        "of the forms, for every s ≥ 0 and x ≥ 0: the revised A_min's total latency with disjoint intervals is at most that with the "
        "single interval, and smaller where two of the intervals have weight",
        (_form(Fraction(1)),),
    )
    false = as_stated.status == "refuted"
    return Decision((as_stated, argued), Proof("not-examined", "stated without proof"), (repair,) if false else ())


# ---- the algorithm to the letter ---------------------------------------------------------------------------------


def _algorithm(factor: Fraction) -> Part:
    name = "the revised A_min to the letter: the mean total latency is no larger with refined intervals"
    found = first(3, 4, (1, 2), lambda row: _worse(row, factor))
    theorem = refinement_hurts()
    family = {
        **theorem.as_json(),
        "exact means": [_member(m) for m in MEMBERS],
        "more batches, refined over single": _more_batches(),
    }
    if factor < LIMIT and theorem.holds:
        evidence = {"counterexample": {"for every m ≥": _first_member(factor), "family": family}}
        if found.instance is not None:
            evidence["counterexample"] |= {"a smallest one": found.as_json(), **found.hit}
        second = "all draws of m = 1 followed one by one; the simulator with several seeds; both are in the evidence"
        return Part(name, "refuted", {**evidence, "second computation": second})
    if found.instance is not None:
        tried = "a hit in the range searched, which is not shown to survive larger n and M"
        return Part(name, "inconclusive", {"tried": tried, "instance": found.as_json(), **found.hit})
    evidence = {"sample": "no counterexample in the whole range searched", "searched": found.searched}
    return Part(name, "supported", {**evidence, **_range(found), "family": family})


def _range(found: Found) -> dict[str, Any]:
    return {**found.as_json(), "intervals": "[1, u] against every list of intervals that refines it, u = max o"}


def _worse(row: Small, factor: Fraction) -> Any:
    u, n = max(row.lengths), len(row.lengths)
    single = mean_total(row.lengths, (1,) * n, row.s, row.memory)
    seen = {(1,) * n}
    for size in range(1, u):
        for inner in combinations(range(2, u + 1), size):
            ends = (1, *inner)
            bounds = tuple(max(e for e in ends if e <= o) for o in row.lengths)
            if bounds in seen:
                continue
            seen.add(bounds)
            refined = mean_total(row.lengths, bounds, row.s, row.memory)
            if refined > factor * single:
                return {
                    "intervals": f"[1, {u}] against those that begin at {', '.join(map(str, ends))}",
                    "mean totals": {"single": str(single), "refined": str(refined)},
                    "the simulator's totals, by order of ties": {
                        "single": _totals(row, (1,) * n),
                        "refined": _totals(row, bounds),
                    },
                }
    return None


def _totals(row: Small, bounds: Sequence[int]) -> list[int]:
    orders = permutations(range(len(row.lengths)))
    return [
        simulate("a-min-literal", row.lengths, row.memory, row.s, bounds, max(row.lengths), ties=ties).total_latency
        for ties in orders
    ]


def family_mean(m: int) -> Fraction:
    """Return the mean total latency of the family with the single interval: 19m + 2 E max(X − m, 0), exactly."""
    draws = comb(6 * m, 2 * m)
    extra = sum((x - m) * comb(3 * m, x) * comb(3 * m, 2 * m - x) for x in range(m + 1, 2 * m + 1))
    return 19 * m + 2 * Fraction(extra, draws)


def _member(m: int) -> dict[str, Any]:
    lengths, single = (2,) * 3 * m + (3,) * 3 * m, family_mean(m)
    refined = (1,) * 3 * m + (3,) * 3 * m
    runs = {
        name: [simulate("a-min-literal", lengths, 12 * m, 1, l, 3, seed=k).total_latency for k in range(5)]
        for name, l in (("single", (1,) * 6 * m), ("refined", refined))
    }
    if set(runs["refined"]) != {21 * m} or any(t < 19 * m or t > 21 * m for t in runs["single"]):
        raise AssertionError(f"the simulator contradicts the family at m = {m}")
    row: dict[str, Any] = {
        "m": m,
        "n": 6 * m,
        "M": 12 * m,
        "single": f"{float(single):.6f}",
        "refined": 21 * m,
        "refined over single": f"{float(21 * m / single):.6f}",
        "the simulator, 5 seeds": runs,
    }
    if m == 1:
        followed = [mean_total(lengths, bounds, 1, 12) for bounds in ((1,) * 6, refined)]
        if followed != [single, 21]:
            raise AssertionError("two computations of the family's means differ")
        row["all draws followed"] = [str(x) for x in followed]
    return row


def _first_member(factor: Fraction) -> int:
    """Return an m from which on 21/(19 + √(2/(6m − 1))) > factor, by the proved bound."""
    gap = 21 / factor - 19
    m = 1
    while gap**2 * (6 * m - 1) <= 2:
        m *= 2
    return m


def _more_batches() -> dict[str, str]:
    """Refined over single on the same lengths with more batches, by simulation: it is not an effect of few."""
    rows: dict[str, str] = {}
    for copies in (20, 100):
        lengths = np.tile((2, 3), 3 * 20 * copies)
        ratio = _compared("a-min-literal", lengths, 240, np.where(lengths == 3, 3, 1))
        rows[f"M = 240, n = {len(lengths)}"] = f"{ratio}, 10 seeds, 95 % interval"
    return rows


def _compared(policy: str, lengths: Any, memory: int, bounds: Any, seeds: int = 10) -> Mean:
    """Return the mean over seeds of TEL(refined) / TEL(single), s = 1."""
    u = int(lengths.max())
    totals = [
        [simulate(policy, lengths, memory, 1, l, u, seed=k).total_latency for k in range(seeds)] for l in (bounds, 1)
    ]
    return Mean.of([a / b for a, b in zip(*totals, strict=True)])


# ---- the cohort variant, the experiments, the form ---------------------------------------------------------------


def _cohort(factor: Fraction) -> Part:
    name = "A_min as its analysis describes it (cohort): the mean total latency is no larger with refined intervals"
    found: dict[str, Mean] = {}
    for size in (10, 100):
        lengths = np.repeat(list(COHORT), [count * size for count in COHORT.values()])
        bounds = np.where(lengths == 12, 12, 1)
        found[f"n = {len(lengths)}, M = {400 * size}"] = _compared("a-min-cohort", lengths, 400 * size, bounds)
    intervals = [m.interval or (m.mean, m.mean) for m in found.values()]
    status: Status = "inconclusive"
    if all(low > factor for low, _ in intervals):  # at both sizes, so that it is no effect of small ones
        status = "contradicted"
    elif all(high <= factor for _, high in intervals):
        status = "supported"
    evidence = {
        "refined over single [95 % interval]": {size: str(m) for size, m in found.items()},
        "sample": "10 seeds, s = 1, lengths 6 (80 %) and 12 (20 %), [1, 12] against [1, 11], [12, 12], about two batches",
        "not against the form": "the form speaks of many batches per length, and there refinement helps",
    }
    return Part(name, status, evidence)


def _experiment(factor: Fraction) -> Part:
    """The paper's own example: experiment 2 against experiment 1, all n together."""
    name = "in the experiments: A_min's average latency with ten buckets against [1, 1000], all n together"
    ratios: dict[str, Mean] = {}
    by_n: dict[str, str] = {}
    for policy in ("a-min-literal", "a-min-cohort"):
        for step in ("affine", "unit"):
            setup = Setup(SETUP["lengths"], step, int(SETUP["seeds"]), SIZES)
            ratios[f"{policy}, {step} step time"] = _overall(setup, policy)
            if policy == "a-min-literal":
                each = setup.across(policy, (2, 0), (1, 0))
                by_n[f"{step} step time"] = ", ".join(f"n = {n}: {m}" for n, m in each.items())
    status = judged(dict(enumerate(ratios.values())), 0, factor)
    evidence = {
        "ratio of summed average latencies [95 % interval]": {label: str(m) for label, m in ratios.items()},
        "a-min-literal at each n": by_n,
        "sample": f"{SETUP['seeds']} seeds, lengths {SETUP['lengths']}",
    }
    return Part(name, status, evidence)


def _overall(setup: Setup, policy: str) -> Mean:
    def summed(experiment: int) -> Any:
        found = setup.run(experiment)
        return np.sum([found.latencies(found.predictions[0], n, policy, setup.step) for n in setup.sizes], axis=0)

    return Mean.of((summed(2) / summed(1)).tolist())


def _form(factor: Fraction) -> Part:
    name = "the form with refined intervals is no larger, at every s ≥ 0 and x ≥ 0"
    if factor < 1:
        at = Setting(1, intervals=((1, 2), (3, 3)))
        x = [0, 0, 1]
        refined, single = form("a-min").on(at).value(x), form("a-min").on(Setting(1, 1, 3)).value(x)
        if refined > factor * single:
            evidence = {
                "counterexample": {"intervals": "[1, 2], [3, 3] against [1, 3]", "s": 1, "x": x},
                "both forms": [str(refined), str(single)],
                "second computation": f"one length k alone: both are k(s + k) x², here {3 * (1 + 3)}",
            }
            return Part(name, "refuted", evidence)
    theorem = intervals_below_single()
    more = {"strictly smaller": "where two different intervals both have weight, as A − B > 0 off the diagonal"}
    return from_theorem(name, theorem, **more)


INTERVALS_HELP = Claim(
    id="intervals-help",
    place="before Corollary (heterogeneous intervals)",
    statement="refined intervals give better overall performance than the single interval",
    given={"factor": "1"},
    decide=decide_help,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("1 % better at every instance, of the form", {"factor": "0.99"}),
        Variant("at most 5 % worse, of the algorithm", {"factor": "1.05"}, "the revised A_min"),
        Variant("at most 10 % worse, of the algorithm", {"factor": "1.10"}, "the revised A_min"),
        Variant("at most 5 % worse, of the cohort variant", {"factor": "1.05"}, "A_min as its analysis"),
    ),
    variants=(Variant("at most twice as slow, in the range searched", {"factor": "2"}),),
)
