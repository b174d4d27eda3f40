"""Any prompts, any number of requests, any memory: guarantees that need no limit and no equal prompts."""

from importlib import import_module

from crtools.ledger.ledger import Ledger, deferred_import
from crtools.papers.adaptive import LEDGER as ADAPTIVE
from crtools.papers.beyond import ALGORITHM, MACHINE
from crtools.papers.beyond import LEDGER as BEYOND
from crtools.papers.nonclairvoyant import LEDGER as NONCLAIRVOYANT
from crtools.proof.accepted import recorded_in

LEDGER = Ledger(
    name="any-memory",
    title="Any prompts, any memory: guarantees at every number of requests",
    source="this project's own study",
    levels=tuple(level for level in BEYOND.levels if level.id in (MACHINE, ALGORITHM)),
    load=deferred_import(f"{__name__}.claims", "CLAIMS"),
    policies=deferred_import(f"{__name__}.policies", "POLICIES"),
    guarantees=deferred_import(f"{__name__}.guarantees", "GUARANTEES"),
    theory=deferred_import(f"{__name__}.theory", "TEXT"),
    coq=lambda: import_module("crtools.proof.coq").developed(__name__),
    accepted=lambda: recorded_in(__name__) | BEYOND.accepted() | ADAPTIVE.accepted() | NONCLAIRVOYANT.accepted(),
)
