"""Ledgers: what a claim is, how findings decide it level by level, and how many claims are run. No claim is loaded here."""

from __future__ import annotations

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import Certified, Evidence, Measured, Open, Proved, Refuted, Skipped, by_theorem
from crtools.ledger.ledger import Ledger
from crtools.ledger.level import Level
from crtools.ledger.run import verify
from crtools.ledger.verdict import ClaimResult, Decision, Display, Finding, PublishedProof, Repair, Verdict

__all__ = [
    "Certified",
    "Claim",
    "ClaimResult",
    "Decision",
    "Display",
    "Evidence",
    "Finding",
    "Given",
    "Ledger",
    "Level",
    "Measured",
    "Open",
    "Proved",
    "PublishedProof",
    "Refuted",
    "Repair",
    "Skipped",
    "Variant",
    "Verdict",
    "by_theorem",
    "verify",
]
