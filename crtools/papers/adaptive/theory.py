"""The theory's text, ``check/adaptive.txt``, which the judge reads too: its theorems and functions by name."""

from crtools.proof.text import Text

TEXT = Text("adaptive")
theorem = TEXT.theorem
