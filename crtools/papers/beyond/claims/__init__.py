"""Every claim of the ledger, in the order of docs/beyond."""

from __future__ import annotations

from crtools.ledger.claim import Claim
from crtools.papers.beyond.claims import against_h_sf, b_scaling, blind_finite, blind_lower, blind_upper, rho_star

CLAIMS: tuple[Claim, ...] = (
    rho_star.CLAIM,
    blind_upper.CLAIM,
    blind_lower.CLAIM,
    blind_finite.CLAIM,
    against_h_sf.CLAIM,
    b_scaling.CLAIM,
)
