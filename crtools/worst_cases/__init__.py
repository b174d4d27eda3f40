"""The worst case of a form: the supremum of a ratio of two forms over weights x ≥ 0, with a rigorous enclosure."""

from __future__ import annotations

from crtools.worst_cases.base import WorstCase
from crtools.worst_cases.solve import worst_case

__all__ = ["WorstCase", "worst_case"]
