"""Helpers of the claims: values read from ``given``, words for a status, schedules as evidence, decisions on formulas, repairs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import inf
from typing import Any, NamedTuple, TypeVar

import sympy as sp

from crtools.closed_form.normal_form import simplified
from crtools.errors import InputError
from crtools.expressions import evaluate, number, substitute, symbolic
from crtools.ledger import Decision, Finding, Given, PublishedProof, Repair, Verdict
from crtools.ledger.deciders.formulas import Point
from crtools.ledger.evidence import FALSE, SURE, Evidence, Measured, Open, Proved, Refuted, Status, by_theorem
from crtools.ledger.readings import Reading, blocks
from crtools.names import count_text
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive import AT_ZERO, FORM
from crtools.papers.adaptive.theory import theorem
from crtools.proof.theorem import Theorem
from crtools.signs.numbers import Exact, exact


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


def whole(name: str, text: str, minimum: int = 0, maximum: float = inf) -> int:
    """Read a value of ``given`` as an integer from ``minimum`` to ``maximum``; ``InputError`` for anything else."""
    value = number(name, text)
    if value.denominator != 1 or not minimum <= value <= maximum:
        allowed = f"≥ {minimum}" if maximum == inf else f"from {minimum} to {maximum}"
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
    name: str, starts: Sequence[int], lengths: Sequence[int], s: int, memory: int, assumed: Sequence[int] | None = None
) -> JsonObject:
    """Return a schedule for the list ``values["schedules"]``, from which a report draws memory over time.

    ``assumed``: the lengths that the policy reserves memory for, where they are not the true ones.
    """
    row = {"name": name, "starts": list(starts), "lengths": list(lengths), "s": s, "M": memory}
    return row if assumed is None else {**row, "assumed": list(assumed)}


AnyEvidence = TypeVar("AnyEvidence", Proved, Refuted, Proved | Open)


def with_measurements(evidence: AnyEvidence, **others: Evidence) -> AnyEvidence:
    """Return the evidence with measurements of the same quantity among its values; they do not decide."""
    added = {name: {"status": measurement.status, **measurement.as_json()} for name, measurement in others.items()}
    return replace(evidence, values={**evidence.values, **added})


def with_smallest(stays: Refuted, small: Evidence) -> Refuted:
    """Return a family's member with the smallest instance of all beside it, where there is one; that is drawn first."""
    if not isinstance(small, Refuted):
        return stays
    values = dict(small.values)
    drawn = [*values.pop("schedules"), *stays.values.get("schedules", ())]
    return replace(stays, values={**stays.values, "smallest": {**small.witness, **values}, "schedules": drawn})


# ---- claims on formulas ----------------------------------------------------------------------------------------------------


def exact_value(tree: ast.expr, point: Point) -> Exact | None:
    """Return a formula's exact value at a point, or None where it divides by zero; ``ArithmeticError`` where it is not real."""
    try:
        return evaluate(tree, point)
    except ZeroDivisionError:
        return None
    except ArithmeticError:
        value = symbolic(tree, {name: sp.Integer(k) for name, k in point.items()})
        return exact(simplified(value, lambda part: bool(part >= 0)))


def function(expr: SymExpr, *symbols: SymExpr) -> Callable[..., SymExpr]:
    """Return an expression as a function of its symbols."""
    return lambda *values: substitute(expr, dict(zip(symbols, map(sp.sympify, values), strict=True)))


def decidable(decide: Callable[..., Evidence], *arguments: Any) -> Evidence:
    """Return ``decide(*arguments)``; open where one of its values is not real or cannot be compared."""
    try:
        return decide(*arguments)
    except (ArithmeticError, ValueError, OverflowError) as error:
        return Open(f"the formula's values could not be compared: {error}")


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


def bound_on_the_form(
    read: Reading, says: str, decide: Callable[[int], Evidence], false: str, sure: str, other: str = "not decided"
) -> tuple[Verdict, Verdict]:
    """Return the verdicts on a bound on a form's ratio, at s = 0 and for every s ≥ 0: ``decide(0)`` and ``decide(1)``.

    ``false``, ``sure``, ``other``: why, in words, as for :func:`phrase`.
    """
    zero = Finding("bound-at-zero", f"{says}, of the form at $s = 0$", decide(0))
    every = Finding("bound-of-form", f"{says}, of the form for every $s$", decide(1))
    why_zero, why = (phrase(finding.status, false, sure, other) for finding in (zero, every))
    return read.verdict(AT_ZERO, why_zero, zero), read.verdict(FORM, why, every)


def generalised(evidence: Evidence, general: Theorem, **values: str) -> Evidence:
    """Add a theorem that says more to a proof, with values that come from it; other evidence stays as it is."""
    if not isinstance(evidence, Proved) or not general.holds:
        return evidence
    return replace(evidence, theorems=(*evidence.theorems, *general.records), values={**evidence.values, **values})


def at_zero(read: Reading, why: str, summary: str, findings: tuple[Finding, ...], proof: PublishedProof) -> Decision:
    """Return the decision on formulas at s = 0; ``why`` and ``summary`` say why, in the verdict and in short, where all hold."""
    failure = first_failure(findings)
    return Decision(failure or summary, (read.verdict(AT_ZERO, failure or why, *findings),), proof)


# ---- true sentences in the place of false ones (repairs.txt) -----------------------------------------------------------------


class Entry(NamedTuple):
    """A repair in the table: the level, the sentence, and for each finding its id, what it says and its theorem."""

    level: str
    sentence: str
    findings: list[list[str]]


@cache
def entries() -> dict[str, Entry]:
    """Return the blocks of repairs.txt by name."""
    table: dict[str, Entry] = {}
    for (name, level), lines in blocks(files("crtools.papers.adaptive") / "repairs.txt"):
        sentence = " ".join(line for line in lines if " | " not in line)
        table[name] = Entry(level, sentence, [line.split(" | ") for line in lines if " | " in line])
    return table


def repairs(*names: str) -> tuple[Repair, ...]:
    """Return the repairs of these names, with the evidence of their theorems."""
    return tuple(
        Repair(level, sentence, tuple(Finding(id, says, by_theorem(theorem(name))) for id, says, name in findings))
        for level, sentence, findings in map(entries().__getitem__, names)
    )


def conclusion(name: str) -> str:
    """Return what a repair says behind its quantifiers."""
    return entries()[name].sentence.partition(": ")[2]
