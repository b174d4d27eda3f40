"""Theorems about the total latency of the paper's policies; ``crtools discover`` shows them beside its runs.

It finds them in the field ``latencies`` of the ledger. Tests: tests/discovery/test_discover.py.
"""

from __future__ import annotations

from collections.abc import Callable

from crtools.papers.adaptive.theory import TEXT
from crtools.proof.theorem import Theorem

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
        (
            "in the mean field, with coins by their means, $2M TEL/n²$ tends to the form a-min",
            TEXT.named("A_min in the mean field"),
        ),
    ),
    "a-min-literal": (
        (
            "where $l = 1$ and needs shrink with age, $2M E TEL/n²$ is at least the form by areas in the limit",
            TEXT.named("Algorithm 2 by areas"),
        ),
    ),
}
"""Policy name → pairs of a sentence about its total latency and the function that returns its theorem."""
