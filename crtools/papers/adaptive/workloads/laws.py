"""The output lengths of the workloads that are shipped, as laws: exact, with the shares that the tables have as floats."""

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
"""What makes the law of each, by its name; the prompts are left out."""
