"""Total completion time on one machine with unknown sizes, 1||ΣC_j: a second theory, which has no privilege.

It is found through its entry point, as anybody's ledger is, and takes public names of the toolkit only.
"""

from importlib import import_module

from crtools.ledger.ledger import Ledger, Level, deferred_import
from crtools.proof.accepted import recorded_in

ARXIV = "arXiv 2211.02044"
JAEGER = f"Jäger, Sagnol, Schmidt genannt Waldschmidt, Warode, {ARXIV}"

KERNEL = "kernel"
ALGORITHM = "algorithm"

LEVELS = (
    Level(KERNEL, "k", "the cost of a pair of sizes, n → ∞", "is the ratio of the two quadratic forms right?"),
    Level(ALGORITHM, "a", "the machine itself, every n", "is it true of every set of jobs?"),
)
"""The two levels at which a sentence about total completion time can be read."""

LEDGER = Ledger(
    name="nonclairvoyant",
    title="Total completion time on one machine with unknown sizes",
    source=f"Motwani, Phillips, Torng 1994; {JAEGER}",
    levels=LEVELS,
    load=deferred_import(f"{__name__}.claims", "CLAIMS"),
    forms=deferred_import(f"{__name__}.forms", "FORMS"),
    theory=deferred_import(f"{__name__}.theory", "TEXT"),
    answers=lambda: {"round robin, upper": ("rr-upper", "ratio")},
    coq=lambda: import_module("crtools.proof.coq").developed(__name__),
    accepted=lambda: recorded_in(__name__),
)
