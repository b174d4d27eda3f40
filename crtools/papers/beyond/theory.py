"""The theory's texts: theorems and functions by name (``check/beyond.txt``, which the judge reads), and how the claims are read."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.ledger.readings import Readings
from crtools.papers.adaptive.theory import TEXT as ADAPTIVE
from crtools.papers.beyond import ALGORITHM, FORM, MACHINE, computed
from crtools.papers.nonclairvoyant.theory import TEXT as NONCLAIRVOYANT
from crtools.proof.text import Text

__all__ = ["ALGORITHM", "FORM", "MACHINE", "TEXT", "constant", "reading_of", "stated_claim", "theorem"]

TEXT = Text("beyond", computed, builds_on=(ADAPTIVE, NONCLAIRVOYANT))
theorem = TEXT.theorem

READINGS = Readings("crtools.papers.beyond")
reading_of, stated_claim = READINGS.of, READINGS.claim


def constant(value: Fraction | int) -> Callable[..., Any]:
    """Return a parameter of a theorem that is a number, whatever it is a function of."""
    return lambda *_: sp.Rational(value)
