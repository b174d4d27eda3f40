"""What a finding rests on, as data."""

from __future__ import annotations

from crtools.certificates.document import Data
from crtools.ledger.evidence import Evidence, theorems_of, uncited
from crtools.ledger.trust import joined


def finding(evidence: Evidence, *, aside: bool = False) -> Data:
    """Return what a finding rests on: its status, its proofs, and the sentence that joins them to it ("" for none).

    ``aside``: it decides nothing, so that nothing is joined to it.
    """
    records = theorems_of(evidence)
    sentence = joined(evidence) if records and not aside else ""
    return {"status": evidence.status, "proofs": uncited(records), "joined": sentence}
