"""The theory's text, ``check/nonclairvoyant.txt``, which the judge reads too: its theorems and functions by name."""

from __future__ import annotations

from crtools.proof.text import Text

TEXT = Text("nonclairvoyant")
theorem = TEXT.theorem
