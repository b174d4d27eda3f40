"""The ledgers that are installed, and those in a file of one's own."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from crtools.errors import InputError
from crtools.files import input_file
from crtools.installed import DEFAULT, installed
from crtools.ledger.ledger import Ledger
from crtools.names import canonical


def ledgers() -> dict[str, Ledger]:
    """Return every installed ledger by its name; none of their claims is loaded by this."""
    return {name: ledger for name, ledger in installed().items() if isinstance(ledger, Ledger)}


def load(name: str | Ledger = DEFAULT) -> Ledger:
    """Return the ledger of that name, or the ``LEDGER`` of a Python file; a ``Ledger`` is returned as it is.

    Raises ``InputError`` for an unknown name, or a file that cannot be read or has no ledger.
    """
    if isinstance(name, Ledger):
        return name
    if str(name).endswith(".py"):
        return _from_file(input_file("ledger", name, "Python file").resolve())
    return ledgers()[canonical("ledger", name, ledgers(), ", or a file.py that defines LEDGER")]


@cache
def _from_file(path: Path) -> Ledger:
    module_name = f"crtools_ledger_{path.stem}"
    spec = spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None, "a file in .py has a loader"
    module = sys.modules[module_name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError("ledger", str(path), f"must run: {type(error).__name__}: {error}") from None
    found = getattr(module, "LEDGER", None)
    if not isinstance(found, Ledger):
        raise InputError("ledger", str(path), "must define LEDGER, a crtools.ledger.Ledger")
    return replace(found, file=str(path))
