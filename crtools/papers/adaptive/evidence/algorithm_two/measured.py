"""What simulation says of transitions: the paper's ratios against the measured ones, with a stated margin."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import sympy as sp

from crtools.closed_form.plain import plain
from crtools.expressions import evaluate, symbolic
from crtools.ledger.deciders.formulas import Point
from crtools.ledger.deciders.measured import measured
from crtools.ledger.evidence import Evidence, Measured, Open, Proved
from crtools.papers.adaptive.policies.transitions import Transitions, transitions
from crtools.ratios.real import Exact, exact

MARGIN = 0.02
"""Simulation supports a ratio in [0, 1] that it meets within this, and contradicts one beyond it and four standard errors."""

LEAST = 2000
"""Ratios of at least this many starts are looked at."""

Kind = Literal["survival", "share"]


def exact_value(tree: ast.expr, point: Point) -> Exact | None:
    """Return a formula's exact value at a point, or None where it divides by zero; ``ArithmeticError`` where it is not real."""
    try:
        return evaluate(tree, point)
    except ZeroDivisionError:
        return None
    except ArithmeticError:
        return exact(
            plain(symbolic(tree, {name: sp.Integer(k) for name, k in point.items()}), lambda part: bool(part >= 0))
        )


def decidable(decide: Callable[..., Evidence], *arguments: Any) -> Evidence:
    """Return what ``decide`` decides of the arguments; open where a value that it looks at is not real or not compared."""
    try:
        return decide(*arguments)
    except (ArithmeticError, ValueError, OverflowError) as error:
        return Open(f"the formula's values could not be compared: {error}")


class Sample(NamedTuple):
    """One experiment: a law, a prompt size, M, n, and the seeds 0, …, seeds − 1."""

    law: str
    s: int
    memory: int
    n: int
    seeds: int

    def as_json(self) -> dict[str, Any]:
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


class Row(NamedTuple):
    """One compared ratio."""

    where: dict[str, Any]
    measured: float
    error: float
    claimed: Exact | None

    @property
    def gap(self) -> float:
        """The distance of the measured and the claimed ratio; infinite where nothing is claimed or it is too large."""
        if self.claimed is None or abs(self.claimed) > 10**6:
            return float("inf")
        return abs(self.measured - float(self.claimed))

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON data."""
        claimed = "undefined" if self.claimed is None else str(self.claimed)
        rounded = {"measured": round(self.measured, 5), "standard_error": float(f"{self.error:.2g}")}
        return {**self.where, **rounded, "claimed": claimed if len(claimed) < 40 else "a long number"}


def agreement(rows: Sequence[Row]) -> Measured | Open:
    """Return whether every row agrees; one whose standard errors reach into the margin leaves it open."""
    if not rows:
        return Open("simulation: nothing started often enough")
    worst = max(rows, key=lambda row: row.gap)
    laws = len({str(row.where["law"]) for row in rows})
    return measured(
        ((row.gap - 4 * row.error, row.gap) for row in rows),
        most=MARGIN,
        sample=f"{len(rows)} ratios of at least {LEAST} requests or starts each, from {laws} laws",
        margin=f"{MARGIN}, and four standard errors of the seeds beyond it to contradict",
        values={"largest_distance": worst.as_json()},
    )


def compared(
    policy: str, kind: Kind, claimed: Callable[[Point], Exact | None], samples: Sequence[Sample] = SAMPLES
) -> Measured | Open:
    """Compare c_ij / b_ij (``survival``) or c_ij / (x_j n) (``share``) with ``claimed`` at s, l, i ≤ j."""
    rows: list[Row] = []
    for sample in samples:
        found = counted(policy, sample)
        b, of_length = found.pooled("started"), found.pooled("of_length")
        for i in range(found.l, found.u + 1):
            for j in range(i, found.u + 1):
                weight = b[i - found.l, j - found.l] if kind == "survival" else of_length[j - found.l]
                mean = found.survival(i, j) if kind == "survival" else found.share(i, j)
                if weight >= LEAST and mean is not None:
                    where = {**sample.as_json(), "i": i, "j": j}
                    right = claimed({"s": sample.s, "l": found.l, "i": i, "j": j})
                    rows.append(Row(where, mean.mean, mean.standard_error or 0.0, right))
    return agreement(rows)


def survival_of(policy: str, tree: ast.expr) -> Measured | Open:
    """Compare a policy's c_ij / b_ij with a formula in s, i, j."""
    return compared(policy, "survival", lambda point: exact_value(tree, point))


def beside(evidence: Proved | Open, **others: Evidence) -> Proved | Open:
    """Return evidence with measurements of the same thing among its values; they decide nothing there."""
    shown = {name: {"status": own.status, **own.as_json()} for name, own in others.items()}
    return replace(evidence, values={**evidence.values, **shown})
