"""What the pages speak of: every claim of the ledgers, and the true variants from which further theorems come.

``python docs/hooks/decide.py`` decides it all at once, in all processes, and keeps it where ``crtools verify`` does.
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
from crtools.ledger.deciding import Task, decide_all
from crtools.ledger.registry import load
from crtools.parallel import cores

WITH_VARIANTS = ("amin-derivation", "thm-aell", "prop-memory")


@cache
def decided(ledger: str) -> Any:
    """Return a ledger's results."""
    return verify(ledger=ledger, cache=default_folder())


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
    return subprocess.Popen([sys.executable, __file__])


def at_once() -> None:
    """Load all claims meanwhile, and wait until they are decided. Raises ``ValueError`` where that failed."""
    deciding = begun()
    all_tasks()
    if deciding.wait():
        raise ValueError(f"deciding the claims ended with {deciding.returncode}")


def decide_the_rest() -> None:
    """Decide, in all processes, what is not kept."""
    folder, tasks = default_folder(), all_tasks()
    kept = ((task.cache(folder), task) for task in tasks)
    if not all(own is not None and own.has(task.claim.id, task.given) for own, task in kept):
        decide_all(tasks, jobs=cores(), cache=folder)


if __name__ == "__main__":
    decide_the_rest()
