"""The installed ledgers, entry points of the group ``crtools.ledgers``, and the forms, policies, laws, figures and functions they bring."""

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from crtools.errors import InputError
from crtools.user_file import module

GROUP = "crtools.ledgers"

DEFAULT = "adaptive"
"""The ledger used where none is named; it must have a ``default_form``."""


@cache
def installed() -> dict[str, Any]:
    """Return the installed ledgers by name; this loads no claim."""
    ledgers = {point.name: point.load() for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}
    if DEFAULT not in ledgers:
        allowed = "has no crtools installed; type .venv/bin/crtools or .venv/bin/python (./run verify makes them)"
        raise InputError("python", sys.executable, allowed)
    return ledgers


def ledger_at(address: str) -> Any:
    """Return the installed ledger of a name, or the ``LEDGER`` of a Python file; None where there is none."""
    if address.endswith(".py"):
        return getattr(module("ledger", address), "LEDGER", None)
    return installed().get(address)


def comes_with_crtools(ledger: Any) -> bool:
    """Return whether a ledger is one of this package's, so that all its modules and files are."""
    return any(installed()[name] is ledger for name in _own_names())


@cache
def _own_names() -> tuple[str, ...]:
    return tuple(point.name for point in entry_points(group=GROUP) if point.module.startswith(f"{__package__}."))


def default_form() -> str:
    """Return the name of the form used where none is named, as the default ledger defines it."""
    return installed()[DEFAULT].default_form


@cache
def policy_indices() -> frozenset[str]:
    """Return the indices of the ledgers' policies, as min in A_min."""
    return frozenset(word for ledger in installed().values() for word in getattr(ledger, "indices", ()))


def brought(what: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``own`` followed by what the ledgers bring of a kind, such as ``forms`` or ``policies``, by name.

    Raises ``InputError`` where two have the same name.
    """
    things = dict(own)
    for ledger in installed().values():
        for name, thing in getattr(ledger, what, dict[str, Any])().items():
            if name in things:
                raise InputError(what, name, "must be unique: two installed ones have this name")
            things[name] = thing
    return things
