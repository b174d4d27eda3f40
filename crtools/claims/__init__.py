"""The ledger of the paper's claims: one file per claim or small group, decided anew on every run."""

from __future__ import annotations

from crtools.claims.claim import Claim
from crtools.claims.ledger import CLAIMS, verify
from crtools.claims.result import ClaimResult, Part, Proof, Verdict

__all__ = ["CLAIMS", "Claim", "ClaimResult", "Part", "Proof", "Verdict", "verify"]
