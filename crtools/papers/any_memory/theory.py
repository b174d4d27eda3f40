"""The theory's texts: theorems and functions by name (``check/any_memory.txt``, which the judge reads), and how the claims are read."""

from crtools.ledger.readings import Readings
from crtools.papers.adaptive.theory import TEXT as ADAPTIVE
from crtools.papers.beyond import computed
from crtools.papers.beyond.theory import TEXT as BEYOND
from crtools.papers.nonclairvoyant.theory import TEXT as NONCLAIRVOYANT
from crtools.proof.text import Text

TEXT = Text("any_memory", computed, builds_on=(ADAPTIVE, NONCLAIRVOYANT, BEYOND))
theorem = TEXT.theorem

READINGS = Readings("crtools.papers.any_memory")
reading_of, stated_claim = READINGS.of, READINGS.claim
