"""The ledgers that are installed: entry points of the group ``crtools.ledgers``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from crtools.ledger.ledger import Ledger
from crtools.names import one_of

GROUP = "crtools.ledgers"
DEFAULT = "adaptive"


@cache
def ledgers() -> dict[str, Ledger]:
    """Return every installed ledger by its name; none of their claims is loaded by this."""
    found = {point.name: point.load() for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}
    return {name: ledger for name, ledger in found.items() if isinstance(ledger, Ledger)}


def load(name: str | Ledger = DEFAULT) -> Ledger:
    """Return the ledger of that name; a ``Ledger`` is returned as it is. ``InputError`` for an unknown name."""
    if isinstance(name, Ledger):
        return name
    return ledgers()[one_of("ledger", name, ledgers())]
