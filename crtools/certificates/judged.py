"""The judge's word on a decided claim: every verdict's certificate is made in this process, and checked in it."""

from __future__ import annotations

import json
from dataclasses import replace

from check.command import check_document
from check.kernel import Rejected
from crtools.certificates.document import signed
from crtools.certificates.document import text as written
from crtools.certificates.folder import certificate
from crtools.ledger.ledger import Ledger
from crtools.ledger.trust import Trust
from crtools.ledger.verdict import ClaimResult, Verdict


def judged(result: ClaimResult, ledger: Ledger) -> ClaimResult:
    """Return the result with what each of its verdicts rests on."""
    return replace(result, verdicts=tuple(replace(v, trust=trust(result, v, ledger)) for v in result.verdicts))


def trust(result: ClaimResult, verdict: Verdict, ledger: Ledger) -> Trust:
    """Return what a verdict rests on: as the judge counts its certificate, or its proofs where it accepts none."""
    found = certificate(result, verdict, ledger)
    if isinstance(found, str):
        return verdict.uncertified(found)
    text = ledger.theory()
    try:
        statement, own = check_document(json.loads(written(signed(found))), text and text.book)
    except Rejected as error:
        return verdict.uncertified(f"rejected: {error}")
    return Trust(own.facts, len(own.argued), len(own.computed), bool(statement.witness), "")
