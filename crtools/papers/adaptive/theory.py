"""The theory's text, ``check/adaptive.txt``, which the judge reads too: its theorems and functions by name; and the levels."""

from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.proof.text import Text

__all__ = ["ALGORITHM", "AT_ZERO", "FORM", "TEXT", "theorem"]

TEXT = Text("adaptive")
theorem = TEXT.theorem
