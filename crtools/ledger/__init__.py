"""Ledgers: what a claim is, how findings decide it level by level, and how many claims are run. No claim is loaded here."""

from __future__ import annotations

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.evidence import Certified, Evidence, Measured, Open, Proved, Refuted, by_theorem
from crtools.ledger.ledger import Ledger, Level
from crtools.ledger.run import verify
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict

__all__ = [
    "Certified", "Claim", "ClaimResult", "Decision", "Evidence", "Finding", "Given", "Ledger", "Level", "Measured", "Open", "Proved",
    "PublishedProof", "Refuted", "Repair", "Variant", "Verdict", "by_theorem", "verify",
]  # fmt: skip
