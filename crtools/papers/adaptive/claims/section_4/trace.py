"""t1, t2 and trace: the trace of B_u⁻¹A_u in Part 2 of the proof of Theorem "aminmain"."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.formulas import decide_formula
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence import inverse_rows as exact
from crtools.papers.adaptive.evidence.inverse_rows import FURTHER, LARGEST, sizes
from crtools.papers.adaptive.evidence.summary import first_failure
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.theorems.form import trace as theorems
from crtools.proof.symbols import i, u
from crtools.proof.theorem import Theorem


def closed_form(
    says: str,
    shown: str,
    theorem: Callable[[object], Theorem],
    first: Callable[[int], Fraction],
    second: Callable[[int], Fraction],
    proof: Callable[[Given], PublishedProof],
) -> Callable[[Given], Decision]:
    """Return the checker of a closed form in u: what the finding ``says``, and what is ``shown`` where it is proved."""

    def decide(given: Given) -> Decision:
        tree, expr = formula_on("closed_form", given["closed_form"], {"u": u}, integers_from(u=1))
        evidence = decide_formula(
            says,
            lambda: theorem(expr),
            tree,
            sizes(1, LARGEST),
            lambda p: first(p["u"]),
            lambda p: second(p["u"]),
            sizes(LARGEST + 1, FURTHER),
        )
        findings = (Finding("closed-form", says, evidence),)
        failure = first_failure(findings)
        verdict = Verdict(
            AT_ZERO,
            "for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms",
            failure or "equal at $u = 1$, with equal increments",
            "induction on $u$ with rational increments",
            findings,
        )
        return Decision(failure or shown, (verdict,), proof(given))

    return decide


def _no_proof(_: Given) -> PublishedProof:
    return PublishedProof(note="the paper says: explicit computation")


def _summand(given: Given) -> PublishedProof:
    tree, shown = formula_on("terms", given["terms"], {"i": i}, integers_from(i=1))
    evidence = decide_formula(
        "the summand of T_2",
        lambda: theorems.t2_summand(shown),
        tree,
        [{"i": row} for row in range(1, LARGEST)],
        lambda p: exact.dense_term(p["i"]),
        lambda p: exact.direct_term(p["i"]),
        [{"i": row} for row in range(LARGEST, FURTHER)],
    )
    return PublishedProof((Display("summand", "the summand in the definition of $T_2(u)$", evidence),))


def _combined(_: Given) -> PublishedProof:
    return PublishedProof(
        (Display("combined", "the closed forms of $T_1$ and $2T_2$ add up", by_theorem(theorems.combined())),)
    )


T1 = Claim(
    id="t1",
    place="Section 4.1, Part 2, display of $T_1(u)$",
    statement="the closed form of $T_1(u)$",
    stated_at=AT_ZERO,
    given={"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2"},
    decide=closed_form(
        "$T_1(u) = Σ_i (B_u⁻¹)_ii a_ii$ has this closed form",
        "$T_1(u)$ exactly, for every $u$",
        lambda e: theorems.closed_form("t1", "T_1(u)", theorems.t1_sum(), e),
        exact.dense_t1,
        exact.direct_t1,
        _no_proof,
    ),
    corrupted=(
        Variant("a boundary term", {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u)/2"}),
        Variant("a sign", {"closed_form": "(u**2-1)/2 + sum(1/(2*i+1), i, 1, u-1)/2"}),
        Variant("a coefficient", {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)*101/200"}),
        Variant("a constant by a hair", {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2 + 1e-9"}),
    ),
    variants=(
        Variant("shifted sum", {"closed_form": "(u**2+1)/2 + sum(1/(2*i-1), i, 2, u)/2"}),
        Variant("with the first term", {"closed_form": "u**2/2 + sum(1/(2*i-1), i, 1, u)/2"}),
    ),
)

T2 = Claim(
    id="t2",
    place="Section 4.1, Part 2, display of $2T_2(u)$",
    statement="the closed form of $2T_2(u)$",
    stated_at=AT_ZERO,
    given={
        "closed_form": "-(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2",
        "terms": "-1/(2*i+1) * i/(i+1) * (i**2 + 2*i + 1/2)",
    },
    decide=closed_form(
        "$2T_2(u) = 2 Σ_{i<u} (B_u⁻¹)_{i,i+1} a_{i,i+1}$ has this closed form",
        "$2T_2(u)$ exactly, for every $u$",
        lambda e: theorems.closed_form("t2", "2T_2(u)", 2 * theorems.t2_sum(), e),
        lambda size: 2 * exact.dense_t2(size),
        lambda size: 2 * exact.direct_t2(size),
        _summand,
    ),
    corrupted=(
        Variant("a sign", {"closed_form": "-(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) + sum(1/(2*i+1), i, 1, u-1)/2"}),
        Variant("an index", {"closed_form": "-(u**2-1)/2 + sum(1/i, i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2"}),
        Variant("a coefficient in the summand", {"terms": "-1/(2*i+1) * i/(i+1) * (i**2 + 2*i + 1/4)"}, "summand"),
        Variant(
            "a coefficient off by 1 %",
            {"closed_form": "-1.01*(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2"},
        ),
    ),
    variants=(
        Variant("harmonic numbers", {"closed_form": "-(u**2-1)/2 + harmonic(u) - 1 - sum(1/(2*i+1), i, 1, u-1)/2"}),
        Variant("the summand as one fraction", {"terms": "-i*(2*i**2 + 4*i + 1)/(2*(i+1)*(2*i+1))"}, "summand"),
    ),
)

TRACE = Claim(
    id="trace",
    place="Section 4.1, Part 2, display of $tr(B_u⁻¹A_u)$",
    statement="$tr(B_u⁻¹A_u) = H_u$",
    stated_at=AT_ZERO,
    given={"closed_form": "sum(1/i, i, 1, u)"},
    decide=closed_form(
        "$tr(B_u⁻¹A_u)$ is this sum",
        "$H_u$ exactly, for every $u$",
        lambda e: theorems.trace(e),
        lambda size: exact.dense_t1(size) + 2 * exact.dense_t2(size),
        lambda size: exact.direct_t1(size) + 2 * exact.direct_t2(size),
        _combined,
    ),
    corrupted=(
        Variant("an index", {"closed_form": "sum(1/i, i, 1, u-1)"}),
        Variant("a boundary term", {"closed_form": "sum(1/(i+1), i, 1, u)"}),
        Variant("a coefficient", {"closed_form": "101/100*harmonic(u)"}),
        Variant("a sign", {"closed_form": "-harmonic(u)"}),
    ),
    variants=(
        Variant("harmonic number", {"closed_form": "harmonic(u)"}),
        Variant("split", {"closed_form": "1 + sum(1/(i+1), i, 1, u-1)"}),
    ),
)
