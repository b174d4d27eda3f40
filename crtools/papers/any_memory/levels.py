"""The levels at which these results are read."""

from __future__ import annotations

from crtools.ledger.level import Level

NUMBER = "number"
MACHINE = "machine"
ALGORITHM = "algorithm"

LEVELS = (
    Level(NUMBER, "#", "numbers and functions of real variables: no schedule occurs", "is the analysis right?"),
    Level(MACHINE, "m", "one machine, a job that is killed starts again from nothing", "does it hold on one machine?"),
    Level(ALGORITHM, "a", "the process itself, with a prompt of its own for each request", "is it true of every run?"),
)
