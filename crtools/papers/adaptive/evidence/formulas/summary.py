"""What claims on formulas share: their decision, the first failure in plain words, a more general theorem beside a proof."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crtools.ledger.evidence import FALSE, SURE, Evidence, Measured, Proved, Refuted
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.proof.theorem import Theorem


def first_failure(findings: Iterable[Finding]) -> str:
    """Return what is false first, and where, or what is open; "" where every finding is proved or certified."""
    left = [finding for finding in findings if finding.status not in SURE]
    if not left:
        return ""
    found = next((finding for finding in left if finding.status in FALSE), left[0])
    name = found.id.replace("-", " ")
    if isinstance(found.evidence, Refuted):
        point = {key: value for key, value in found.evidence.witness.items() if isinstance(value, int | str)}
        where = ", ".join(f"${key} = {value}$" for key, value in point.items())
        return f"{name}: false at {where}" if len(where) <= 30 else f"{name}: false"
    return f"{name}: {'contradicted' if isinstance(found.evidence, Measured) else 'open'}"


def generalised(found: Evidence, general: Theorem, **values: str) -> Evidence:
    """Add a theorem that says more to a proof, with values that come from it; other evidence stays as it is."""
    if not isinstance(found, Proved) or not general.holds:
        return found
    return replace(found, theorems=(*found.theorems, *general.records), values={**found.values, **values})


def at_zero(
    findings: tuple[Finding, ...], proof: PublishedProof, *, reading: str, why: str, method: str, shown: str
) -> Decision:
    """Return the decision on formulas at s = 0; ``why`` and ``shown`` say why, in the verdict and in short, where all hold."""
    failure = first_failure(findings)
    return Decision(failure or shown, (Verdict(AT_ZERO, reading, failure or why, method, findings),), proof)
