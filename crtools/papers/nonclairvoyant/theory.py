"""What the theory's texts say: theorems and functions by name (``check/nonclairvoyant.txt``, which the judge reads too), and the claims."""

from importlib.resources import files

from crtools.ledger.readings import Readings
from crtools.papers.nonclairvoyant import ALGORITHM, KERNEL
from crtools.proof.text import Text

__all__ = ["ALGORITHM", "KERNEL", "TEXT", "reading_of", "stated_claim", "theorem"]

TEXT = Text("nonclairvoyant")
theorem = TEXT.theorem

READINGS = Readings(files("crtools.papers.nonclairvoyant") / "readings.txt")
reading_of, stated_claim = READINGS.of, READINGS.claim
