"""Ledgers: what a claim is, how findings decide it level by level, and how many claims are run. No claim is loaded here."""

from __future__ import annotations

from crtools.ledger.claim import Claim, ClaimResult, Given, Variant, claim
from crtools.ledger.evidence import Certified, Evidence, Measured, Open, Proved, Refuted, agree, by_theorem, records
from crtools.ledger.ledger import Ledger, Level
from crtools.ledger.run import verify
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict

__all__ = [
    "Certified", "Claim", "ClaimResult", "Decision", "Evidence", "Finding", "Given", "Ledger", "Level", "Measured", "Open", "Proved",
    "PublishedProof", "Refuted", "Repair", "Variant", "Verdict", "agree", "by_theorem", "claim", "records", "verify",
]  # fmt: skip
