"""How these results are decided: by a theorem about what is claimed, or at a place at which it fails; and how that is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

import sympy as sp

from crtools.ledger import Decision, Evidence, Finding, Given, PublishedProof, Refuted, Verdict, by_theorem
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import FALSE
from crtools.ledger.verdict import weakest
from crtools.proof import symbols
from crtools.proof.theorem import Theorem

Place = TypeVar("Place")


def formula_in(given: Given, name: str, **least: int | str) -> Any:
    """Return a formula that a claim is given in these names, integers with these lower bounds, real and defined there."""
    return formula_on(name, given[name], {own: getattr(symbols, own) for own in least}, integers_from(**least))[1]


def rational(value: Fraction | int) -> Any:
    """Return a number as SymPy's."""
    return sp.Rational(value.numerator, value.denominator)


def constant(value: Fraction | int) -> Callable[..., Any]:
    """Return a parameter of a theorem that is a number, whatever it is a function of."""
    return lambda *_: rational(value)


def proved_or_refuted(
    theorem: Theorem, places: Iterable[Place], refuted: Callable[[Place], Refuted | None]
) -> Evidence:
    """Return what the theorem proves, else the refutation at the first place that has one, else why the theorem fails."""
    proved = by_theorem(theorem)
    if proved.status == "proved":
        return proved
    return next(filter(None, map(refuted, places)), proved)


def verdict(
    level: str, reading: str, method: str, holds: str, fails: str, *findings: Finding, undecided: str = "not decided"
) -> Verdict:
    """Return a verdict whose reason is ``holds``, ``fails`` where a finding is false, else ``undecided`` where one is open."""
    status = weakest(finding.status for finding in findings)
    why = fails if status in FALSE else undecided if status == "inconclusive" else holds
    return Verdict(level, reading, why, method, findings)


def decision(*verdicts: Verdict) -> Decision:
    """Return a decision with the reason of its first verdict. No published proof is examined: the results are our own."""
    return Decision(verdicts[0].why, verdicts, PublishedProof(note="there is none: the result is our own"))
