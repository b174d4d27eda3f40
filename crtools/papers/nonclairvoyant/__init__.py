"""Total completion time on one machine with unknown sizes, 1||ΣC_j: a second theory, which has no privilege.

It is found through its entry point, as anybody's ledger is, and takes public names of the toolkit only.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from crtools.ledger.ledger import Ledger
from crtools.papers.nonclairvoyant.levels import LEVELS


def _when_asked(module: str, name: str) -> Callable[[], Any]:
    """Return what imports a module of this package when it is first asked for what it brings."""
    return lambda: getattr(import_module(f"{__name__}.{module}"), name)


LEDGER = Ledger(
    name="nonclairvoyant",
    title="Total completion time on one machine with unknown sizes",
    source="Motwani, Phillips, Torng 1994; Jäger, Sagnol, Schmidt genannt Waldschmidt, Warode, arXiv 2211.02044",
    levels=LEVELS,
    load=_when_asked("claims", "CLAIMS"),
    forms=_when_asked("forms", "FORMS"),
    certificates=_when_asked("certificates", "BESIDE"),
)
