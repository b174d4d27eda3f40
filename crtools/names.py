"""A name from outside: one of a list, or an error that suggests the nearest."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from crtools.errors import InputError

LONGEST_LIST = 280


def one_of(argument: str, name: object, known: Iterable[str], more: str = "") -> str:
    """Return ``name`` if it is known, else raise ``InputError`` with the nearest name, or with all of them."""
    names = list(known)
    if isinstance(name, str) and name in names:
        return name
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}? It " if near else ""
    raise InputError(argument, name, f"{hint}must be one of {listed(names)}{more}")


def listed(names: Iterable[str]) -> str:
    """Return names separated by commas, cut where an error's one line would become too long."""
    text = ", ".join(names)
    return text if len(text) <= LONGEST_LIST else text[:LONGEST_LIST].rpartition(",")[0] + ", …"
