"""The theory's text, ``check/nonclairvoyant.txt``, which the judge reads too: its theorems and functions by name."""

from __future__ import annotations

from crtools.papers.nonclairvoyant import trials
from crtools.proof.text import Text
from crtools.proof.theorem import Theorem

TEXT = Text("nonclairvoyant", trials)


def theorem(name: str) -> Theorem:
    """Return a theorem of the text."""
    return TEXT.theorem(name)
