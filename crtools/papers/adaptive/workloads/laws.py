"""The output lengths of the embedded workloads as exact distributions, by name (``Ledger.laws``)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial

from crtools.distributions import Distribution, Empirical
from crtools.papers.adaptive.workloads.lengths import EMBEDDED, embedded


@cache
def _law(name: str) -> Distribution:
    column = embedded(name).outputs
    pairs = zip(column.lengths.tolist(), column.shares.tolist(), strict=True)
    return Empirical({k: Fraction(share) for k, share in pairs}, name)


LAWS: dict[str, Callable[[], Distribution]] = {name: partial(_law, name) for name in EMBEDDED}
"""Functions that make the distributions, by name; prompts are left out."""
