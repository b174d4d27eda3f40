"""The theory's text, ``check/nonclairvoyant.txt``, which the judge reads too: its theorems and functions by name."""

from crtools.proof.text import Text

TEXT = Text("nonclairvoyant")
theorem = TEXT.theorem
