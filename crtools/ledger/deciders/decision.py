"""``verdict`` and ``decision``: combine findings, with the reason for their status."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from crtools.ledger.evidence import FALSE, SURE, Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict, weakest
from crtools.proof.theorem import Theorem

Setting = TypeVar("Setting")

NOT_PUBLISHED = PublishedProof(note="no published proof is examined: the proofs here are our own")


def proved_or_refuted(
    theorem: Theorem, settings: Iterable[Setting], refuted: Callable[[Setting], Refuted | None]
) -> Evidence:
    """Return the proof by the theorem, else the refutation in the first setting that has one, else why the theorem fails."""
    proof = by_theorem(theorem)
    return proof if proof.status == "proved" else next(filter(None, map(refuted, settings)), proof)


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

    ``why`` may be a pair; the second is the reason where a finding is false, by default the actual value at the witness.
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


def decision_at(
    level: str,
    reading: str,
    method: str,
    why: str | tuple[str, str],
    *findings: Finding,
    undecided: str = "not decided",
    degenerate: tuple[Finding, ...] = (),
    line: str = "",
) -> Decision:
    """Return the decision of a result that is proved here and read at one level: that of its verdict, with ``line`` as its line."""
    only = verdict(level, reading, method, why, *findings, undecided=undecided, degenerate=degenerate)
    return decision(only, why=line)
