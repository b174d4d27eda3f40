"""The theory's texts: theorems and functions by name (``check/adaptive.txt``, which the judge reads), and how the claims are read.

``LATENCIES`` are theorems about the total latency of the paper's policies; ``crtools discover`` shows them beside its runs.
"""

from collections.abc import Callable

from crtools.ledger.readings import Readings
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM
from crtools.proof.text import Text
from crtools.proof.theorem import Theorem

__all__ = ["ALGORITHM", "AT_ZERO", "FORM", "LATENCIES", "TEXT", "reading_of", "stated_claim", "theorem"]

TEXT = Text("adaptive")
theorem = TEXT.theorem

READINGS = Readings("crtools.papers.adaptive")
reading_of, stated_claim = READINGS.of, READINGS.claim

SENTENCES = (
    ("h-sf", "H-SF by peaks", "$2M TEL/n²$ is at most its form in the limit, along every $n$"),
    (
        "a-ell",
        "A_ell in the process",
        "$2M E TEL/n²$ tends to its form on lengths $l$ and $u$ where batches of $M/(s+l)$ and of $M/(s+u)$ are whole",
    ),
    (
        "a-restart",
        "kill and restart",
        "$E TEL$ is at most $n²/(2(M−s−u))$ times its form and $4 ∑ o_i$ more, at every $n$ and $M$",
    ),
    (
        "a-min-cohort",
        "A_min in the mean field",
        "in the mean field, with coins by their means, $2M TEL/n²$ tends to the form a-min",
    ),
    (
        "a-min-literal",
        "Algorithm 2 by areas",
        "where $l = 1$ and needs shrink with age, $2M E TEL/n²$ is at least the form by areas in the limit",
    ),
)
"""Triples: a policy, a theorem about its total latency, and what the theorem says."""

LATENCIES: dict[str, tuple[tuple[str, Callable[[], Theorem]], ...]] = {
    policy: ((sentence, TEXT.named(name)),) for policy, name, sentence in SENTENCES
}
"""Policy name → pairs of a sentence about its total latency and the function that returns its theorem."""
