"""cor-ab: the entries of A_u and B_u, from Lemma "Amin" at s = 0, l = 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, pairs_from_one
from crtools.ledger.evidence import Evidence
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.summary import first_failure, generalised
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form import entries as theorems
from crtools.proof.symbols import i, j, s
from crtools.proof.theorem import Theorem

LARGEST = 8
"""Entries up to this length are compared with the Lemma's sums; where there is no proof, up to twice as much."""

Entry = Callable[[int, int], Fraction]


def decide(given: Given) -> Decision:
    """Decide the two entries, and the displayed coefficient of x_i x_j."""
    a_min, h_sf = form("a-min"), form("h-sf")
    a_true, b_true = (own.formula(i, j, sp.Integer(0)) for own in (a_min, h_sf))
    everywhere, apart = _pairs(lambda p: True), _pairs(lambda p: p["i"] != p["j"])
    a = _decide(
        ("a", given["a"], "entries of A_u"),
        lambda shown: theorems.corollary(shown, b_true),
        (a_min.entry, literal.a_min_entry),
        everywhere,
    )
    b = _decide(
        ("b", given["b"], "entries of B_u"),
        lambda shown: theorems.corollary(a_true, shown),
        (h_sf.entry, literal.h_sf_entry),
        everywhere,
    )
    cross = _decide(
        ("cross_sum", given["cross_sum"], "coefficient of x_i x_j"),
        theorems.cross_coefficient,
        (lambda x, y: 2 * a_min.entry(x, y), lambda x, y: 2 * literal.a_min_entry(x, y)),
        apart,
    )
    general = f"$a_ij = {str(a_min.formula(i, j, s)).replace('**', '^')}$ for $i ≤ j$"
    findings = (
        Finding(
            "entries-of-a",
            "$a_ij$ are the coefficients of the Lemma's numerator",
            generalised(a, theorems.entries(), for_every_s_and_l=general),
        ),
        Finding("entries-of-b", "$b_ij$ are those of its denominator", b),
    )
    failure = first_failure(findings)
    verdict = Verdict(
        AT_ZERO,
        "for all integers $1 ≤ i, j ≤ u$ and every $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms of the Lemma",
        failure or "the Lemma's double sums telescope to both matrices",
        "telescoping sums and rational-function identities",
        findings,
    )
    proof = PublishedProof(
        (
            Display("cross-term", "the coefficient of $x_i x_j$, $i ≠ j$, in the numerator", cross),
            Display("denominator", "the coefficients of the denominator", b),
        )
    )
    return Decision(failure or "$a_ij$ and $b_ij$ as printed", (verdict,), proof)


def _pairs(wanted: Callable[[Point], bool]) -> tuple[list[dict[str, int]], list[dict[str, int]]]:
    """Return all (i, j) that are wanted, in both orders: those up to LARGEST, and those up to twice as much."""

    def tops(first: int, last: int) -> list[dict[str, int]]:
        pairs = [{"i": x, "j": y} for x in range(1, last + 1) for y in range(1, last + 1)]
        return sorted((p for p in pairs if max(p.values()) >= first and wanted(p)), key=lambda p: max(p.values()))

    return tops(1, LARGEST), tops(LARGEST + 1, 2 * LARGEST)


def _decide(
    shown: tuple[str, str, str],
    theorem: Callable[[Any], Theorem],
    routes: tuple[Entry, Entry],
    points: tuple[list[dict[str, int]], list[dict[str, int]]],
) -> Evidence:
    """Decide one formula in i and j, ``shown`` as its name in ``given``, its text and what it is called."""
    name, text, what = shown
    tree, expr = formula_on(name, text, {"i": i, "j": j}, pairs_from_one())

    def prove() -> Theorem:
        found = theorem(theorems.ordered(expr))
        return replace(found, name=what, steps=(*found.steps, theorems.symmetric(expr)))

    first, second = routes
    return decide_formula(
        what, prove, tree, points[0], lambda p: first(p["i"], p["j"]), lambda p: second(p["i"], p["j"]), points[1]
    )


CLAIM = Claim(
    id="cor-ab",
    place="Section 4.1, Corollary 1 (cor:A/B)",
    statement="the entries of $A_u$, $B_u$ from the Lemma",
    stated_at=AT_ZERO,
    given={
        "a": "min(i,j)**2/(i*j) * ((i+j)**2/2 - min(i,j)**2)",
        "b": "min(i,j)**2",
        "cross_sum": "min(i,j)**2/(i*j) * ((i+j)**2 - 2*min(i,j)**2)",
    },
    decide=decide,
    corrupted=(
        Variant("a coefficient", {"a": "min(i,j)**2/(i*j) * ((i+j)**2/2 - 101/100*min(i,j)**2)"}),
        Variant("a sign", {"a": "min(i,j)**2/(i*j) * ((i+j)**2/2 + min(i,j)**2)"}),
        Variant("an index: max for min", {"b": "max(i,j)**2"}),
        Variant("no minimum: not symmetric", {"b": "i**2"}),
        Variant("an entry off by a hair", {"b": "min(i,j)**2 + 1e-9"}),
        Variant(
            "a display off by a factor 2", {"cross_sum": "min(i,j)**2/(i*j) * ((i+j)**2/2 - min(i,j)**2)"}, "cross-term"
        ),
    ),
    variants=(
        Variant("expanded", {"a": "min(i,j)*(max(i,j)**2 + 2*i*j - min(i,j)**2)/(2*max(i,j))"}),
        Variant("product form", {"b": "i*j*min(i,j)/max(i,j)"}),
        Variant(
            "the display by the difference",
            {"cross_sum": "min(i,j)**2/(i*j) * ((i-j)**2 + 4*i*j - 2*min(i,j)**2)"},
            "cross-term",
        ),
    ),
)
