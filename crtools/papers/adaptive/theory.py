"""The theory's texts: theorems and functions by name (``check/adaptive.txt``, which the judge reads), and how the claims are read."""

from crtools.ledger.readings import Readings
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM
from crtools.proof.text import Text

__all__ = ["ALGORITHM", "AT_ZERO", "FORM", "TEXT", "reading_of", "stated_claim", "theorem"]

TEXT = Text("adaptive")
theorem = TEXT.theorem

READINGS = Readings("crtools.papers.adaptive")
reading_of, stated_claim = READINGS.of, READINGS.claim
