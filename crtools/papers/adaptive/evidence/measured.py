"""Measured transitions of a policy against claimed ratios, with a stated margin.

Used by lem-deletion, update-distribution and prop-transition; :func:`exact_value` and :func:`decidable` by most claims on formulas.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import inf
from typing import Literal, NamedTuple, TypeVar

from crtools.ledger import Evidence, Measured, Open, Proved, Refuted
from crtools.ledger.deciders.formulas import Point
from crtools.ledger.deciders.measured import measured
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.reading import exact_value
from crtools.papers.adaptive.policies.transitions import Transitions, transitions
from crtools.signs.numbers import Exact

MARGIN = 0.02
"""A ratio in [0, 1] is supported within this distance, and contradicted beyond it plus four standard errors."""

FEWEST_STARTS = 2000
"""Ratios of fewer starts are left out."""

Kind = Literal["survival", "share"]
AnyEvidence = TypeVar("AnyEvidence", Proved, Refuted, Proved | Open)


class Sample(NamedTuple):
    """One experiment: a law, a prompt size, M, n, and the seeds 0, …, seeds − 1."""

    law: str
    s: int
    memory: int
    n: int
    seeds: int

    def as_json(self) -> JsonObject:
        """Return the sample as JSON data."""
        return {"law": self.law, "s": self.s, "M": self.memory, "n": self.n, "seeds": f"0, …, {self.seeds - 1}"}


SAMPLES = (
    Sample("uniform(l=1, u=5)", 1, 600, 30_000, 3),
    Sample("uniform(l=3, u=6)", 5, 900, 30_000, 3),
    Sample("two-point(l=2, u=6, weight=1/4)", 0, 600, 30_000, 3),
)


@lru_cache(maxsize=16)
def counted(policy: str, sample: Sample) -> Transitions:
    """Return the transitions of one experiment."""
    return transitions(policy, sample.law, n=sample.n, memory=sample.memory, s=sample.s, seeds=sample.seeds)


def compared(policy: str, kind: Kind, claimed: Callable[[Point], Exact | None]) -> Measured | Open:
    """Compare c_ij / b_ij (``survival``) or c_ij / (x_j n) (``share``) with ``claimed`` at s, l, i ≤ j.

    One whose standard errors reach into the margin leaves it open.
    """
    rows: list[tuple[float, float, JsonObject]] = []
    for sample in SAMPLES:
        counts = counted(policy, sample)
        b, of_length = counts.pooled("started"), counts.pooled("of_length")
        for i, j in combinations_with_replacement(range(counts.l, counts.u + 1), 2):
            weight = b[i - counts.l, j - counts.l] if kind == "survival" else of_length[j - counts.l]
            mean = counts.survival(i, j) if kind == "survival" else counts.share(i, j)
            if weight < FEWEST_STARTS or mean is None:
                continue
            right, error = claimed({"s": sample.s, "l": counts.l, "i": i, "j": j}), mean.standard_error or 0.0
            gap = inf if right is None or abs(right) > 10**6 else abs(mean.mean - float(right))
            claimed_text = "undefined" if right is None else str(right)
            row = {
                "measured": round(mean.mean, 5), "standard_error": float(f"{error:.2g}"),
                "claimed": claimed_text if len(claimed_text) < 40 else "a long number",
            }  # fmt: skip
            rows.append((gap, error, {**sample.as_json(), "i": i, "j": j, **row}))
    return measured(
        ((gap - 4 * error, gap) for gap, error, _ in rows),
        most=MARGIN,
        sample=f"{len(rows)} ratios of at least {FEWEST_STARTS} requests or starts each, from {len(SAMPLES)} laws",
        margin=f"{MARGIN}, and four standard errors of the seeds beyond it to contradict",
        values={"largest_distance": max(rows, key=lambda row: row[0])[2]},
    )


def survival_of(policy: str, tree: ast.expr) -> Measured | Open:
    """Compare a policy's c_ij / b_ij with a formula in s, i, j."""
    return compared(policy, "survival", lambda point: exact_value(tree, point))


def with_measurements(evidence: AnyEvidence, **others: Evidence) -> AnyEvidence:
    """Return the evidence with measurements of the same quantity among its values; they do not decide."""
    added = {name: {"status": measurement.status, **measurement.as_json()} for name, measurement in others.items()}
    return replace(evidence, values={**evidence.values, **added})
