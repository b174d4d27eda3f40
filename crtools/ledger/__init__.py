"""The ledger of the paper's claims: one file per claim or small group, decided anew on every run."""

from __future__ import annotations

from crtools.ledger.claim import Claim
from crtools.ledger.ledger import CLAIMS, verify
from crtools.ledger.result import ClaimResult, Part, Proof, Verdict

__all__ = ["CLAIMS", "Claim", "ClaimResult", "Part", "Proof", "Verdict", "verify"]
