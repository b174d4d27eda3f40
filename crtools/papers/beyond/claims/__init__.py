"""Every claim of the ledger, in the order of docs/beyond."""

from __future__ import annotations

from crtools.ledger.claim import Claim
from crtools.papers.beyond.claims import rho_star

CLAIMS: tuple[Claim, ...] = (rho_star.CLAIM,)
