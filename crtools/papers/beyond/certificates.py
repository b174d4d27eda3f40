"""What the certificates of these results carry beside the proofs of their findings."""

from __future__ import annotations

from fractions import Fraction

from crtools.blind.least import least_cost
from crtools.certificates.beside import Beside
from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.beyond.levels import NUMBER


def _rho_star(result: ClaimResult) -> Data:
    """Return two numbers with the minimum's place between them, near enough to tell ρ* from the claim's bounds."""
    del result
    low, high = least_cost(12).y.decimals(8)
    return {"low": str(Fraction(low)), "high": str(Fraction(high))}


BESIDE = {("rho-star", NUMBER): Beside(_rho_star)}
"""By claim and level, where there is such a thing."""
