"""Results beyond the paper: the best blind scheduler, the process's policies, the worst case at every prompt size."""

from importlib import import_module

from crtools.ledger.ledger import Ledger, deferred_import
from crtools.papers.adaptive import LEDGER as ADAPTIVE
from crtools.papers.beyond.levels import LEVELS
from crtools.papers.nonclairvoyant import LEDGER as NONCLAIRVOYANT
from crtools.proof.accepted import recorded_in

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
