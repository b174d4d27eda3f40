"""Closed forms of ratios with symbols, their limits and their suprema."""

from crtools.derivation.derive import Derivation, derive
from crtools.derivation.supremum import Supremum

__all__ = ["Derivation", "Supremum", "derive"]
