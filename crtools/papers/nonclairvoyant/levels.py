"""The two levels at which a sentence about total completion time can be read."""

from crtools.ledger.ledger import Level

KERNEL = "kernel"
ALGORITHM = "algorithm"

LEVELS = (
    Level(KERNEL, "k", "the cost of a pair of sizes, n → ∞", "is the ratio of the two quadratic forms right?"),
    Level(ALGORITHM, "a", "the machine itself, every n", "is it true of every set of jobs?"),
)
