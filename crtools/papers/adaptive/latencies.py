"""What is proved of a policy's total latency and a form, by the policy's name: what ``crtools discover`` shows beside runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from crtools.papers.adaptive.theorems.form import derivation
from crtools.papers.adaptive.theorems.form.entries import entries
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.builder import Proof
from crtools.proof.symbols import i
from crtools.proof.theorem import Theorem


@cache
def in_the_mean_field(entry: Any = None) -> Theorem:
    """From the coins of a-min-cohort to A_min's form: its transitions, periods, what remains, and the sum over periods.

    ``entry`` replaces A_min's in i ≤ j and s.
    """
    delta, completed, left = derivation.delta, derivation.COMPLETED, derivation.REMAINING
    proof = Proof(
        "A_min in the mean field",
        "every s ≥ 0 and l ≤ u, all lengths in [l, u]; coins by their means, no overflow, full memory; leading order in n",
    )
    proof.cite(
        TEXT.theorem("recursion(spared, in_later_periods)"),
        derivation.period_time(completed, delta * i, "k,i"),
        derivation.remaining(completed, left),
        derivation.a_min_latency(delta * i, completed, left),
        entries(entry),
    )
    return proof.therefore(r"\mathrm{TEL} = \tfrac{n^2}{2M} \textstyle\sum_{i,j} a_{ij} x_i x_j").qed()


LATENCIES: dict[str, tuple[tuple[str, Callable[[], Theorem]], ...]] = {
    "h-sf": (("$2M TEL/n²$ is at most its form in the limit, along every $n$", TEXT.named("H-SF by peaks")),),
    "a-ell": (
        (
            "$2M E TEL/n²$ tends to its form on lengths $l$ and $u$ where batches of $M/(s+l)$ and of $M/(s+u)$ are whole",
            TEXT.named("A_ell in the process"),
        ),
    ),
    "a-restart": (
        (
            "$E TEL$ is at most $n²/(2(M−s−u))$ times its form and $4 ∑ o_i$ more, at every $n$ and $M$",
            TEXT.named("kill and restart"),
        ),
    ),
    "a-min-cohort": (
        ("in the mean field, with coins by their means, $2M TEL/n²$ tends to the form a-min", in_the_mean_field),
    ),
    "a-min-literal": (
        (
            "where $l = 1$ and needs shrink with age, $2M E TEL/n²$ is at least the form by areas in the limit",
            TEXT.named("Algorithm 2 by areas"),
        ),
    ),
}
"""By a policy's name, sentences about its total latency, each with its theorem."""
