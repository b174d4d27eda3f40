"""What the certificates of these results carry beside the proofs of their findings: where a ratio is least."""

from __future__ import annotations

from functools import partial
from typing import Any

from crtools.certificates.beside import Beside
from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.nonclairvoyant.levels import ALGORITHM, KERNEL
from crtools.papers.nonclairvoyant.theorems.minima import COMMON_SLOPE, OWN_SLOPE, bisected

BITS = 30
"""Enough for the digits that are printed."""


def _place(slope: Any, result: ClaimResult) -> Data:
    """Return two numbers between which a ratio's derivative in y = √b changes its sign."""
    del result
    low, high = bisected(slope, BITS)
    return {"low": str(low), "high": str(high)}


BESIDE = {
    ("b-random-best", KERNEL): Beside(partial(_place, COMMON_SLOPE)),
    ("own-offsets", KERNEL): Beside(partial(_place, OWN_SLOPE)),
    ("own-lower", ALGORITHM): Beside(partial(_place, OWN_SLOPE)),
}
"""By claim and level, where there is such a thing."""
