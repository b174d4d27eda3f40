"""intervals-help: do refined prediction intervals give A_min a ratio no worse than the single interval does?

Of the forms, yes, at every x. Of the algorithm's ratio this is open; at single instances it does not, as õ also decides who is
cancelled and how tightly batches are packed.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, cycle
from math import comb, floor
from typing import Any

import numpy as np

from crtools.forms import form
from crtools.ledger import Decision, Finding, Given, Repair
from crtools.ledger.deciders.measured import measured, spread
from crtools.ledger.deciders.search import SmallInstance, first_hit
from crtools.ledger.evidence import Evidence, Measured, Open, Proved, Refuted, agree, by_theorem
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.experiments import FEW, SEEDS, SETUP, Setup
from crtools.papers.adaptive.evidence.reading import phrase, positive, with_measurements
from crtools.papers.adaptive.literal.ties import expectations
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, reading_of, stated_claim, theorem
from crtools.papers.adaptive.workloads.experiments import SIZES
from crtools.process import Mean, simulate
from crtools.setting import Setting


@stated_claim("intervals-help")
def intervals_help(given: Given) -> Decision:
    """Decide CR(refined) ≤ factor · CR(single), of the form at every x and of Algorithm 2, and (deciding nothing) at every instance."""
    factor = positive(given, "factor")
    ratio, instances = in_the_ratio(factor), at_every_instance(factor)
    experiments = in_the_experiments(factor, given)
    read = reading_of("intervals-help", factor=factor, as_given=given["factor"])
    says = "of the form: refined intervals are no slower at any $x$, so their ratio is no larger"
    of_form = [Finding("of-the-form", says, of_the_form(factor, s)) for s in (0, 1)]
    false = "a request that is alone in its interval costs the same"
    sure = "the form with several intervals is entry by entry at most that of the single one"
    algorithm = (
        Finding("ratio", "the ratio with refined intervals is at most the single one's", ratio),
        Finding("every-instance", "refined intervals are no slower at every instance", instances, decides=False),
        Finding("many-batches", "nor with many batches", with_many_batches(factor), decides=False),
        Finding("experiments", "nor is A_min in experiment 2 than in experiment 1", experiments, decides=False),
    )
    why = "open: no upper bound on Algorithm 2 is known at all, with one interval or several"
    if isinstance(ratio, Refuted):
        why = "one interval is a list of intervals, and its ratio is its own"
    if isinstance(instances, Refuted):
        at_one = "at a single instance a request's own bound also decides who is cancelled and who waits"
        why += f"; {at_one}, which can cost {LIMIT} of the single interval"
    verdicts = (
        *(read.verdict(at, phrase(f.status, false, sure), f) for at, f in zip((AT_ZERO, FORM), of_form, strict=True)),
        read.verdict(ALGORITHM, why, *algorithm),
    )
    line = "not even of the form" if any(finding.status == "refuted" for finding in of_form) else "not decided"
    if all(finding.status == "proved" for finding in of_form):
        line = "true of the form" + "; open for Algorithm 2" * (ratio.status == "inconclusive")
    return Decision(line, verdicts, read.proof(), (_repair(),) if isinstance(instances, Refuted) else ())


def _repair() -> Repair:
    argument = "an interval for each length makes $õ = o$: nobody is cancelled, and the revised A_min is H-SF"
    evidence: Evidence = with_measurements(
        by_theorem(theorem("H-SF against every schedule"), argument=argument),
        cohort_rule_measured=of_the_cohort_rule(Fraction(1)),
    )
    sentence = (
        "For all $s ≥ 0$ and lengths up to $u$, as $n → ∞$ and then $M → ∞$: with an interval for each length the total latency is at most "
        "$2(s+u)/(2s+u+1) < 2$ times that with the single interval. Of the forms refined intervals never cost more."
    )
    backing = (
        Finding("an-interval-for-each-length", "H-SF is within that of every schedule", evidence),
        Finding("of-the-form", "of the form: refined intervals are no slower", of_the_form(Fraction(1), 1)),
    )
    return Repair(ALGORITHM, sentence, backing)


# ---- Refined prediction intervals against the single one: A_min's form, Algorithm 2 itself, and the experiments ------

LIMIT = Fraction(21, 19)
"""Limit of the family's ratio (theorem "refined intervals can hurt")."""

MEMBERS = (1, 10, 100)
"""The m of the family at which its mean is computed exactly."""

MANY_BATCHES = ((1201, 72_060, 5), (4003, 240_180, 3))
"""(M, n, seeds) with 60 M requests, at which many batches are compared."""


def of_the_form(factor: Fraction, s: int) -> Proved | Refuted | Open:
    """Decide form(refined) ≤ factor · form(single) for all x ≥ 0, at every s ≥ 0; a witness is at ``s``."""
    if factor < 1:
        refined = Fraction(form("a-min").on(Setting(s, intervals=((1, 2), (3, 3)))).value([0, 0, 1]))
        single = Fraction(form("a-min").on(Setting(s, 1, 3)).value([0, 0, 1]))
        if refined > factor * single:
            return Refuted(
                witness={"intervals": "$[1, 2], [3, 3]$ against $[1, 3]$", "s": s, "x": [0, 0, 1]},
                claimed=f"at most {factor} times {single}",
                actual=str(refined),
                second=f"one length $k$ alone: both are $k(s+k)x²$, here {3 * (s + 3)}",
                stays="every $s$, and any length alone",
            )
    values = {"strictly_smaller": "where two different intervals both have weight, as $A − B > 0$ off the diagonal"}
    return by_theorem(theorem("intervals below single"), values=values)


def in_the_ratio(factor: Fraction) -> Refuted | Open:
    """Decide CR(refined) ≤ factor · CR(single) of Algorithm 2, for all lists of intervals, the one interval among them."""
    if factor >= 1:
        why = (
            "decided at both ends only: one interval is the same policy, and with an interval for each length nobody is cancelled, which "
            "is H-SF, at ratio 1. In between no upper bound is known"
        )
        return Open(why)
    lengths, seeds = [1, 2, 3] * 20, range(5)
    one, list_ = (
        [simulate("a-min-literal", lengths, 24, 1, bound, 3, seed=k).total_latency for k in seeds]
        for bound in (1, [1] * len(lengths))
    )
    return Refuted(
        {"intervals": "$[1, 3]$, as a list of one", "s": 1},
        f"a ratio of at most {factor} times that with $[1, 3]$",
        "the same policy, so the same ratio, which is at least 1",
        {"totals_with_5_seeds": agree(list_, one, "totals with one interval")},
        "every $s$, every interval",
    )


def at_every_instance(factor: Fraction) -> Refuted | Measured | Open:
    """Decide E TEL(refined) ≤ factor · E TEL(single) of Algorithm 2: a family refutes it below 21/19."""
    search = first_hit(3, 4, (1, 2), lambda row: _worse(row, factor))
    family = theorem("refined intervals can hurt")
    smallest = {**search.as_json(), **(search.hit or {})}
    if factor < LIMIT and family.holds:
        return Refuted(
            witness={
                "intervals": "$[1, 2], [3, 3]$ against $[1, 3]$",
                "family": "$s = 1$, $M = 12m$, $3m$ requests of length 2 and $3m$ of length 3",
                "m_from": floor((2 / (21 / factor - 19) ** 2 + 1) / 6) + 1,
            },
            claimed=f"the mean total latency is at most {factor} times that with $[1, 3]$",
            actual=f"at least $21/(19 + √(2/(6m−1)))$ times it, which tends to {LIMIT}",
            second={"exact_means_and_simulated": [_member(m) for m in MEMBERS]},
            stays="$s = 1$, $α = 1/3$ and the shares are fixed while $n = 6m$ and $M = 12m → ∞$: few batches, which is where a "
            "request's own bound decides who waits; with many batches ($n = 60M$) refined intervals stay slower in simulations",
            theorems=family.records,
            values={"smallest_instance": smallest},
        )
    if search.instance is not None:
        tried = "a hit in the range searched, which is not shown to survive larger $n$ and $M$"
        return Open(tried, {"instance": smallest})
    sample = "every instance of n ≤ 3, o ≤ 4, s in {1, 2}, every M, and every list of intervals that refines $[1, u]$"
    return Measured(True, sample, "none: exact means", {"range": smallest})


def _worse(row: SmallInstance, factor: Fraction) -> Any:
    inner = range(2, max(row.lengths) + 1)
    single = expectations(row.lengths, row.s, row.memory).total
    tried = {(1,) * len(row.lengths)}  # lower bounds of the requests
    for chosen in chain.from_iterable(combinations(inner, size) for size in range(1, len(inner) + 1)):
        bounds = tuple(max(e for e in (1, *chosen) if e <= o) for o in row.lengths)
        if bounds in tried:
            continue
        tried.add(bounds)
        refined = expectations(row.lengths, row.s, row.memory, bounds).total
        if refined > factor * single:
            means = {"single": str(single), "refined": str(refined)}
            return {"intervals_begin_at": [1, *chosen], "mean_totals": means}
    return None


def family_mean(m: int) -> Fraction:
    """Return the mean total latency of the family with the single interval: 19m + 2 E max(X − m, 0), exactly."""
    draws = comb(6 * m, 2 * m)
    extra = sum((x - m) * comb(3 * m, x) * comb(3 * m, 2 * m - x) for x in range(m + 1, 2 * m + 1))
    return 19 * m + 2 * Fraction(extra, draws)


def _member(m: int) -> JsonObject:
    lengths, single, bounds = (2,) * 3 * m + (3,) * 3 * m, family_mean(m), (1,) * 3 * m + (3,) * 3 * m
    runs = {
        name: [simulate("a-min-literal", lengths, 12 * m, 1, l, 3, seed=k).total_latency for k in range(5)]
        for name, l in (("single", 1), ("refined", bounds))
    }
    if set(runs["refined"]) != {21 * m} or any(t < 19 * m or t > 21 * m for t in runs["single"]):
        raise AssertionError(f"the simulator contradicts the family at m = {m}")
    row: JsonObject = {
        "m": m, "n": 6 * m, "M": 12 * m, "single": f"{float(single):.6f}", "refined": 21 * m,
        "refined_over_single": f"{float(21 * m / single):.6f}", "simulated_with_5_seeds": runs,
    }  # fmt: skip
    if m == 1:
        followed = [expectations(lengths, 1, 12, l).total for l in (1, bounds)]
        row["all_draws_followed"] = [*map(str, agree(followed, [single, 21], "the family's means"))]
    return row


# ---- Algorithm 2 with many batches, the cohort rule --------------------------------------------------------------


def with_many_batches(factor: Fraction) -> Measured | Open:
    """Measure the same with 60 M requests: lengths 2 and 3 in equal shares, s = 1, [1, 3] against [1, 2], [3, 3]."""
    ratios = {
        f"M_{memory}_n_{n}": _ratios("a-min-literal", memory, seeds, (n // 2, n // 2))
        for memory, n, seeds in MANY_BATCHES
    }
    sample = "lengths 2 and 3 in equal shares, s = 1, $[1, 2], [3, 3]$ against $[1, 3]$, $n = 60M$, 3 to 5 seeds a size"
    return _judged(ratios, factor, sample)


def of_the_cohort_rule(factor: Fraction) -> Measured | Open:
    """Measure the same for a-min-cohort, about two batches: lengths 6 and 12, [1, 12] against [1, 11], [12, 12]."""
    ratios = {f"M_{400 * size}": _ratios("a-min-cohort", 400 * size, 10, (80 * size, 20 * size)) for size in (10, 100)}
    sample = "10 seeds, s = 1, lengths 6 (80 %) and 12 (20 %), $[1, 12]$ against $[1, 11], [12, 12]$, about two batches"
    return _judged(ratios, factor, sample)


@cache
def _ratios(policy: str, memory: int, seeds: int, counts: tuple[int, int]) -> Mean:
    """Return the mean ratio over seeds at s = 1, with an interval for the largest length alone against the single one.

    There are ``counts`` requests of lengths 2 and 3, in turn, for Algorithm 2, and of lengths 6 and 12 for the cohort rule.
    """
    cohort = policy == "a-min-cohort"
    lengths = np.repeat((6, 12), counts) if cohort else np.tile((2, 3), counts[0])
    u = int(lengths.max())

    def totals(l: Any, seeds: int) -> list[int]:
        return [simulate(policy, lengths, memory, 1, l, u, seed=k).total_latency for k in range(seeds)]

    # to the letter no tie matters with the refined intervals, so that one run is enough
    refined = totals(np.where(lengths == u, u, 1), seeds if cohort else 1)
    return Mean.of([a / b for a, b in zip(cycle(refined), totals(1, seeds), strict=False)])


def in_the_experiments(factor: Fraction, given: Given) -> Measured | Open:
    """Measure the paper's own example: experiment 2 against experiment 1, all n together, in the runs that ``given`` keeps."""
    ratios, by_n = dict[str, Mean](), dict[str, dict[str, str]]()
    for step in ("affine", "unit"):
        setup = Setup(SETUP["lengths"], step, int(SETUP["seeds"]), SIZES, given=given)
        ratios[f"a_min_literal_{step}_step_time"] = _overall(setup, "a-min-literal")
        by_n[f"{step}_step_time"] = {str(n): str(m) for n, m in setup.across("a-min-literal", (2, 0), (1, 0)).items()}
        ratios[f"a_min_cohort_{step}_step_time"] = _overall(replace(setup, seeds=SEEDS, sizes=FEW), "a-min-cohort")
    sample = (
        f"ratios of summed average latencies, {SETUP['seeds']} seeds, lengths {SETUP['lengths']}; of a-min-cohort {SEEDS} seeds, "
        f"$n = {FEW[0]}, …, {FEW[-1]}$"
    )
    return _judged(ratios, factor, sample, algorithm_two_at_each_n=by_n)


def _overall(setup: Setup, policy: str) -> Mean:
    one, two = (np.sum([setup.latencies(k, 0, n, policy) for n in setup.sizes], axis=0) for k in (1, 2))
    return Mean.of((two / one).tolist())


def _judged(ratios: Mapping[str, Mean], factor: Fraction, sample: str, **more: Any) -> Measured | Open:
    """Return whether refined over single is at most the factor, by the seeds' 95 % intervals at all sizes together."""
    return measured(
        spread(mean.interval for mean in ratios.values()),
        most=factor,
        sample=sample,
        margin=f"95 % intervals against {factor}, at every size",
        values={"refined_over_single": {size: str(m) for size, m in ratios.items()}, **more},
    )
