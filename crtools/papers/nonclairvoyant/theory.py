"""The theory's texts: theorems and functions by name (``check/nonclairvoyant.txt``, which the judge reads), and how the claims are read."""

from crtools.ledger.readings import Readings
from crtools.papers.nonclairvoyant import ALGORITHM, KERNEL
from crtools.proof.text import Text

__all__ = ["ALGORITHM", "KERNEL", "TEXT", "reading_of", "stated_claim", "theorem"]

TEXT = Text("nonclairvoyant")
theorem = TEXT.theorem

READINGS = Readings("crtools.papers.nonclairvoyant")
reading_of, stated_claim = READINGS.of, READINGS.claim
