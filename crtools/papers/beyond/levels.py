"""The levels at which these results are read."""

from __future__ import annotations

from crtools.ledger.level import Level

NUMBER = "number"
FORM = "form"
MACHINE = "machine"
ALGORITHM = "algorithm"

LEVELS = (
    Level(NUMBER, "#", "numbers and functions of real variables: no schedule occurs", "is the analysis right?"),
    Level(FORM, "f", "the latency forms for every s ≥ 0", "does it hold of the forms?"),
    Level(
        MACHINE,
        "m",
        "1||ΣC_j: one machine, a job that is killed starts again from nothing; every number of jobs",
        "does it hold on one machine?",
    ),
    Level(
        ALGORITHM,
        "a",
        "the discrete process, policies to the letter (n → ∞, then M → ∞ where the sentence has a limit)",
        "is it true of what would be deployed?",
    ),
)
