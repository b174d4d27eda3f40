"""The theory's text, ``check/any_memory.txt``, which the judge reads too: its theorems and functions by name."""

from crtools.papers.adaptive.theory import TEXT as ADAPTIVE
from crtools.papers.beyond import computed
from crtools.papers.beyond.theory import TEXT as BEYOND
from crtools.papers.nonclairvoyant.theory import TEXT as NONCLAIRVOYANT
from crtools.proof.text import Text

TEXT = Text("any_memory", computed, builds_on=(ADAPTIVE, NONCLAIRVOYANT, BEYOND))
theorem = TEXT.theorem
