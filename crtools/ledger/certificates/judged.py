"""The judge's word on a decided claim: every verdict's certificate is made in this process, and checked in it."""

from __future__ import annotations

from dataclasses import replace

from crtools.ledger.certificates.folder import judged_certificate
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.ledger import Ledger
from crtools.ledger.trust import Trust
from crtools.ledger.verdict import Verdict


def judged(result: ClaimResult, ledger: Ledger) -> ClaimResult:
    """Return the result with what each of its verdicts rests on."""
    return replace(result, verdicts=tuple(replace(v, trust=trust(result, v, ledger)) for v in result.verdicts))


def trust(result: ClaimResult, verdict: Verdict, ledger: Ledger) -> Trust:
    """Return what a verdict rests on: as the judge counts its certificate, or its proofs where it accepts none."""
    found = judged_certificate(result, verdict, ledger)
    if isinstance(found, str):
        return verdict.uncertified(found)
    own = found.judged
    return Trust(own.facts, len(own.argued), len(own.computed), bool(found.statement.witness), "")
