"""Helpers of the claims: values read from ``given``, words for a status, schedules as evidence, decisions on formulas at s = 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, PublishedProof, Verdict
from crtools.ledger.evidence import FALSE, SURE, Evidence, Measured, Proved, Refuted, Status
from crtools.names import count_text
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.proof.theorem import Theorem

PROCESS = "of the discrete process (docs/model.md)"


def one_of(given: Given, name: str, allowed: Iterable[str]) -> str:
    """Return a value of ``given`` that is one of a few, or raise ``InputError``."""
    value = given[name].strip()
    if value not in allowed:
        raise InputError(name, given[name], f"must be one of {', '.join(allowed)}")
    return value


def positive(given: Given, name: str) -> Fraction:
    """Return a number of ``given``, or raise ``InputError`` unless it is positive and below a million."""
    value = number(name, given[name])
    if not 0 < value < 10**6:
        raise InputError(name, given[name], "must be > 0 and below 1000000")
    return value


def whole(name: str, text: str, minimum: int = 0, maximum: int | None = None) -> int:
    """Read a value of ``given`` as an integer from ``minimum`` to ``maximum``; ``InputError`` for anything else."""
    value = number(name, text)
    if value.denominator != 1 or value < minimum or (maximum is not None and value > maximum):
        allowed = f"≥ {minimum}" if maximum is None else f"from {minimum} to {maximum}"
        raise InputError(name, text, f"must be an integer {allowed}")
    return int(value)


def integers(name: str, text: str) -> list[int]:
    """Return integers that are separated by commas."""
    return [whole(name, part) for part in text.split(",")]


def largest_n_given(value: str) -> int | None:
    """Return the largest number of requests that a claim speaks of, None for "any"."""
    if value.strip() == "any":
        return None
    try:
        return whole("requests", value, 1)
    except InputError:
        raise InputError("requests", value, "must be any, or an integer ≥ 1") from None


def which_instances(largest: int | None) -> str:
    """Return the instances that a claim speaks of, in words."""
    return "every instance" if largest is None else f"at most {count_text(largest, 'request')}"


def phrase(status: Status, false: str, sure: str, other: str = "not decided") -> str:
    """Return the words for a status: refuted or contradicted, proved or certified, or neither."""
    return false if status in FALSE else sure if status in SURE else other


def schedule(
    name: str,
    starts: Sequence[int],
    lengths: Sequence[int],
    s: int | Sequence[int],
    memory: int,
    assumed: Sequence[int] | None = None,
) -> JsonObject:
    """Return a schedule for the list ``values["schedules"]``, from which a report draws memory over time.

    ``assumed``: the lengths that the policy reserves memory for, where they are not the true ones.
    """
    prompts = s if isinstance(s, int) else list(s)
    row = {"name": name, "starts": list(starts), "lengths": list(lengths), "s": prompts, "M": memory}
    return row if assumed is None else {**row, "assumed": list(assumed)}


def with_smallest(stays: Refuted, small: Evidence) -> Refuted:
    """Return a family's member with the smallest instance of all beside it, where there is one; that is drawn first."""
    if not isinstance(small, Refuted):
        return stays
    values = dict(small.values)
    drawn = [*values.pop("schedules"), *stays.values.get("schedules", ())]
    return replace(stays, values={**stays.values, "smallest": {**small.witness, **values}, "schedules": drawn})


# ---- claims on formulas ----------------------------------------------------------------------------------------------------


def first_failure(findings: Iterable[Finding]) -> str:
    """Return what is false first, and where, or what is open; "" where every finding is proved or certified."""
    failures = [finding for finding in findings if finding.status not in SURE]
    if not failures:
        return ""
    first = next((finding for finding in failures if finding.status in FALSE), failures[0])
    name = first.id.replace("-", " ")
    if isinstance(first.evidence, Refuted):
        point = {key: value for key, value in first.evidence.witness.items() if isinstance(value, int | str)}
        where = ", ".join(f"${key} = {value}$" for key, value in point.items())
        return f"{name}: false at {where}" if len(where) <= 30 else f"{name}: false"
    return f"{name}: {'contradicted' if isinstance(first.evidence, Measured) else 'open'}"


def generalised(evidence: Evidence, general: Theorem, **values: str) -> Evidence:
    """Add a theorem that says more to a proof, with values that come from it; other evidence stays as it is."""
    if not isinstance(evidence, Proved) or not general.holds:
        return evidence
    return replace(evidence, theorems=(*evidence.theorems, *general.records), values={**evidence.values, **values})


def at_zero(
    findings: tuple[Finding, ...], proof: PublishedProof, *, reading: str, why: str, method: str, summary: str
) -> Decision:
    """Return the decision on formulas at s = 0; ``why`` and ``summary`` say why, in the verdict and in short, where all hold."""
    failure = first_failure(findings)
    return Decision(failure or summary, (Verdict(AT_ZERO, reading, failure or why, method, findings),), proof)
