"""The ledger ``beyond``: results beyond the paper on the best blind scheduler, the paper's policies, and worst cases."""

from importlib import import_module

from crtools.ledger.ledger import Ledger, Level, deferred_import
from crtools.papers.adaptive import ALGORITHM, FORM
from crtools.papers.adaptive import LEDGER as ADAPTIVE
from crtools.papers.nonclairvoyant import LEDGER as NONCLAIRVOYANT
from crtools.proof.accepted import recorded_in

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
    *(level for level in ADAPTIVE.levels if level.id == ALGORITHM),
)
"""The levels at which these results are read."""

LEDGER = Ledger(
    name="beyond",
    title="Beyond the paper: the best blind scheduler, and the sharp theory of the paper's policies",
    source="this project's own study",
    levels=LEVELS,
    load=deferred_import(f"{__name__}.claims", "CLAIMS"),
    policies=deferred_import(f"{__name__}.policies", "POLICIES"),
    families=deferred_import(f"{__name__}.policies", "FAMILIES"),
    theory=deferred_import(f"{__name__}.theory", "TEXT"),
    figures=deferred_import(f"{__name__}.figures", "FIGURES"),
    answers=lambda: {
        "minimax, upper": ("blind-upper", "best-base"),
        "minimax, lower": ("blind-lower", "bound"),
        "best, two lengths": ("best-two-lengths", "share"),
        "best, uniform lengths": ("uniform-lengths", "value"),
    },
    coq=lambda: import_module("crtools.proof.coq").developed(__name__),
    accepted=lambda: recorded_in(__name__) | ADAPTIVE.accepted() | NONCLAIRVOYANT.accepted(),  # whose theorems it cites
)
