"""b-inverse: the tridiagonal inverse of B_u in Part 2 of the proof of Theorem "aminmain"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.inverse_rows import FURTHER, LARGEST, dense, direct, rows, sizes
from crtools.papers.adaptive.evidence.summary import first_failure, generalised
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.theorems.form import inverse as inverses
from crtools.papers.adaptive.theorems.form import trace as traces
from crtools.proof.symbols import i, u
from crtools.proof.theorem import Theorem

TRUE = {"diagonal": traces.DIAGONAL, "last": traces.LAST, "off_diagonal": traces.OFF_DIAGONAL}


def decide(given: Given) -> Decision:
    """Decide the three kinds of entries; each is refuted at a size u and a row where it is wrong."""
    inner = (rows(2, LARGEST), rows(LARGEST + 1, FURTHER))
    findings = (
        Finding(
            "diagonal",
            "$(B_u⁻¹)_ii$ for $i < u$",
            generalised(_entries(given, "diagonal", *inner), inverses.general_inverse()),
        ),
        Finding(
            "last",
            "$(B_u⁻¹)_uu$, the last row",
            _entries(given, "last", sizes(1, LARGEST), sizes(LARGEST + 1, FURTHER)),
        ),
        Finding("off-diagonal", "$(B_u⁻¹)_{i,i+1}$", _entries(given, "off_diagonal", *inner)),
    )
    failure = first_failure(findings)
    verdict = Verdict(
        AT_ZERO,
        "for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the form",
        failure or "$B = UᵀWU$: every row times every column of $B_u$ is 0 or 1",
        "row-by-row products as rational-function identities",
        findings,
    )
    proof = PublishedProof(note="the paper recalls the inverse without a proof")
    return Decision(failure or "tridiagonal as printed, last row included", (verdict,), proof)


def _entries(given: Given, name: str, points: list[dict[str, int]], further: list[dict[str, int]]) -> Evidence:
    symbols = {"u": u} if name == "last" else {"i": i}
    tree, claimed = formula_on(name, given[name], symbols, integers_from(**dict.fromkeys(symbols, 1)))
    what = f"inverse of B_u, {name.replace('_', ' ')}"

    def theorem() -> Theorem:
        return replace(inverses.inverse(**{**TRUE, name: claimed}), name=what)

    def entry(value: Callable[[int, int, int], Fraction]) -> Callable[[Point], Fraction]:
        def at(p: Point) -> Fraction:
            row = p["u"] if name == "last" else p["i"]
            return value(p["u"], row, row + 1 if name == "off_diagonal" else row)

        return at

    by_elimination = entry(lambda size, row, column: dense(size)[0][row - 1][column - 1])
    return decide_formula(what, theorem, tree, points, by_elimination, entry(direct), further)


CLAIM = Claim(
    id="b-inverse",
    place="Section 4.1, Part 2, display of $B_u⁻¹$",
    statement="the tridiagonal inverse of $B_u$, its last row included",
    stated_at=AT_ZERO,
    given={"diagonal": "4*i/(4*i**2-1)", "last": "1/(2*u-1)", "off_diagonal": "-1/(2*i+1)"},
    decide=decide,
    corrupted=(
        Variant("the last row like the others", {"last": "4*u/(4*u**2-1)"}),
        Variant("a sign", {"off_diagonal": "1/(2*i+1)"}),
        Variant("an index: max for min", {"off_diagonal": "-1/(2*i+3)"}),
        Variant("a coefficient", {"diagonal": "4*i/(4*i**2-101/100)"}),
        Variant("an interval end: the last row's formula one row late", {"last": "1/(2*u+1)"}),
    ),
    variants=(
        Variant("partial fractions", {"diagonal": "1/(2*i-1) + 1/(2*i+1)"}),
        Variant("equivalent wording", {"last": "1/(u + u - 1)"}),
    ),
)
