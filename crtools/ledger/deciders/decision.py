"""``verdict`` and ``decision``: put findings together, with the reason that goes with their status."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from crtools.ledger.evidence import FALSE, SURE, Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict, weakest
from crtools.proof.theorem import Theorem

Place = TypeVar("Place")

NOT_PUBLISHED = PublishedProof(note="no published proof is examined: the proofs here are our own")


def proved_or_refuted(
    theorem: Theorem, places: Iterable[Place], refuted: Callable[[Place], Refuted | None]
) -> Evidence:
    """Return what the theorem proves, else the refutation at the first place that has one, else why the theorem fails."""
    proved = by_theorem(theorem)
    if proved.status == "proved":
        return proved
    return next(filter(None, map(refuted, places)), proved)


def verdict(
    level: str,
    reading: str,
    method: str,
    why: str | tuple[str, str],
    *findings: Finding,
    undecided: str = "not decided",
    degenerate: tuple[Finding, ...] = (),
) -> Verdict:
    """Return a verdict with its reason: ``why`` where all holds, ``undecided`` where a finding is open.

    ``why`` may be two: the second is the reason where a finding is false; by default it is what is so at the witness.
    """
    holds, fails = (why, "") if isinstance(why, str) else why
    status = weakest(finding.status for finding in findings if finding.decides)
    reason = {"inconclusive": undecided}.get(status, holds)
    if status in FALSE:
        reason = fails or _at_the_witness(findings)
    return Verdict(level, reading, reason, method, findings, degenerate)


def _at_the_witness(findings: Iterable[Finding]) -> str:
    for finding in findings:
        if isinstance(finding.evidence, Refuted):
            at = ", ".join(f"{name} = {value}" for name, value in finding.evidence.witness.items())
            return f"at {at} it is {finding.evidence.actual}; claimed is {finding.evidence.claimed}"
    return "it is not so"


def decision(*verdicts: Verdict, why: str = "") -> Decision:
    """Return the decision of a result that is proved here: ``why`` is its line where all holds, by default the first verdict's reason."""
    status = weakest(each.status for each in verdicts)
    line = why if status in SURE else "false" if status in FALSE else "not decided"
    return Decision(line if why else verdicts[0].why, verdicts, NOT_PUBLISHED)
