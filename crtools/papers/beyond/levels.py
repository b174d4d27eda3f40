"""The levels at which these results are read."""

from crtools.ledger.ledger import Level
from crtools.papers.adaptive import levels as paper
from crtools.papers.adaptive.levels import ALGORITHM, FORM

__all__ = ["ALGORITHM", "FORM", "LEVELS", "MACHINE", "NUMBER"]

NUMBER = "number"
MACHINE = "machine"

LEVELS = (
    Level(NUMBER, "#", "numbers and functions of real variables: no schedule occurs", "is the analysis right?"),
    Level(FORM, "f", "the latency forms for every s ≥ 0", "does it hold of the forms?"),
    Level(
        MACHINE,
        "m",
        "1||ΣC_j: one machine, a job that is killed starts again from nothing; every number of jobs",
        "does it hold on one machine?",
    ),
    *(level for level in paper.LEVELS if level.id == ALGORITHM),
)
