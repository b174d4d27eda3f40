"""The worst case of a form: the supremum of a ratio of two forms over weights x ≥ 0, with a rigorous enclosure.

``solve`` has ``worst_case``, which chooses a route: a proved formula or bounds, ``perron`` (an eigenvalue, in
balls or in floats), or ``general`` (any pair, by a local search from below and ``copositivity`` from above).
``base`` has the class ``WorstCase`` and what ledgers have proved. Tests: ``tests/worst_cases``.
"""

from __future__ import annotations

from crtools.worst_cases.base import WorstCase
from crtools.worst_cases.solve import worst_case

__all__ = ["WorstCase", "worst_case"]
