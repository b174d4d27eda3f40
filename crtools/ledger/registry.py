"""Look up ledgers: installed ones by name, a user's by the path of a Python file."""

import sys
from dataclasses import replace
from pathlib import Path

from crtools.errors import InputError
from crtools.files import input_file
from crtools.installed_ledgers import DEFAULT, installed
from crtools.ledger.ledger import Ledger
from crtools.names import canonical
from crtools.user_file import module


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


def answering(question: str) -> tuple[Ledger, str, str]:
    """Return the installed ledger, the claim and the finding that decide a question of the toolkit.

    Raises ``InputError`` where no ledger does.
    """
    for ledger in ledgers().values():
        if question in (answers := ledger.answers()):
            return ledger, *answers[question]
    raise InputError("question", question, "must be one that an installed ledger answers")


_loaded: dict[Path, tuple[tuple[int, ...], Ledger]] = {}
"""The ledger of each file, with the times and sizes of the file and its text when it was run."""


def _from_file(path: Path) -> Ledger:
    """Return the ledger of a file, which is run again after it or its text has changed."""
    before, ledger = _loaded.get(path, ((), None))
    if ledger is None or before != _stamps(path, ledger):
        loaded = module("ledger", path, again=ledger is not None)
        sys.modules[loaded.__name__] = loaded  # results from other processes are unpickled by module name
        defined = getattr(loaded, "LEDGER", None)
        if not isinstance(defined, Ledger):
            raise InputError("ledger", str(path), "must define LEDGER, a crtools.ledger.Ledger")
        ledger = replace(defined, file=str(path))
        _loaded[path] = _stamps(path, ledger), ledger
    return ledger


def _stamps(path: Path, ledger: Ledger) -> tuple[int, ...]:
    text = ledger.theory()
    files = (path, *([] if text is None or text.ours else [Path(text.file)]))
    return tuple(number for file in files if file.exists() for number in (file.stat().st_mtime_ns, file.stat().st_size))
