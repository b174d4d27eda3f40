"""Closed forms of ratios with symbols, their limits and their suprema."""

from crtools.ratios.derive import Derivation, derive
from crtools.ratios.supremum import Supremum

__all__ = ["Derivation", "Supremum", "derive"]
