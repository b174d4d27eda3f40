"""What the theory's texts say: theorems and functions by name (``check/adaptive.txt``, which the judge reads too), and the claims."""

from importlib.resources import files

from crtools.ledger.readings import Readings
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM
from crtools.proof.text import Text

__all__ = ["ALGORITHM", "AT_ZERO", "FORM", "TEXT", "reading_of", "stated_claim", "theorem"]

TEXT = Text("adaptive")
theorem = TEXT.theorem

READINGS = Readings(files("crtools.papers.adaptive") / "readings.txt")
reading_of, stated_claim = READINGS.of, READINGS.claim
