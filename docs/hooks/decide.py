"""What the pages speak of: every claim of the ledgers, and the true variants from which further theorems come.

``python docs/hooks/decide.py`` decides it all, in all processes, and keeps it where ``crtools verify`` does. It says when all that
may have a proof is decided: pages are written while the rest is.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import Any

import sources  # noqa: F401 -- before what is imported from the project

from check.statements import LEDGERS
from crtools import verify
from crtools.ledger.cache import default_folder
from crtools.ledger.registry import load
from crtools.ledger.run import Task, decide_all
from crtools.parallel import cores

WITH_VARIANTS = ("amin-derivation", "thm-aell", "prop-memory")

WITHOUT_PROOF = ("fig-log-fit", "exp-1", "exp-2", "exp-3")
"""Claims that runs and floats alone decide: only the errata speak of them."""


@cache
def decided(ledger: str) -> Any:
    """Return a ledger's results, once all are decided. Raises ``ValueError`` where that failed."""
    if begun.cache_info().currsize:
        _ended(begun())
    return verify(ledger=ledger, cache=default_folder())


@cache
def with_proofs(ledger: str) -> Any:
    """Return those of a ledger's results that may have a proof."""
    ids = [claim.id for claim in load(ledger).claims if claim.id not in WITHOUT_PROOF]
    return verify(ids, ledger=ledger, cache=default_folder())


def variants() -> list[Any]:
    """Return the results of the true variants."""
    return decide_all(_variants(), cache=default_folder())


def _variants() -> list[Task]:
    own = load()
    return [Task(own, claim, each.given) for claim in own.select(WITH_VARIANTS) for each in claim.true]


def all_tasks() -> list[Task]:
    """Return everything that is to be decided."""
    own = [Task(ledger, claim) for ledger in map(load, LEDGERS) for claim in ledger.claims]
    return [*_variants(), *own]


@cache
def begun() -> subprocess.Popen[bytes]:
    """Begin to decide, in a process of its own, and return that."""
    return subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE)


def wait_for_proofs() -> None:
    """Load all claims meanwhile, and wait until those are decided that may have a proof. Raises ``ValueError`` where that failed."""
    deciding = begun()
    all_tasks()
    assert deciding.stdout is not None
    if not deciding.stdout.readline():
        _ended(deciding)


def _ended(deciding: subprocess.Popen[bytes]) -> None:
    if deciding.wait():
        raise ValueError(f"deciding the claims ended with {deciding.returncode}")


def decide_the_rest() -> None:
    """Decide, in all processes, what is not kept, and say when each part is done."""
    folder, tasks = default_folder(), all_tasks()
    for late, said in ((False, "all that may have a proof is decided"), (True, "all is decided")):
        own = [task for task in tasks if (task.claim.id in WITHOUT_PROOF) == late]
        decide_all(own, jobs=cores(), cache=folder)
        print(said, flush=True)


if __name__ == "__main__":
    decide_the_rest()
