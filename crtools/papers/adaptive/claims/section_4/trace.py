"""b-inverse, t1, t2 and trace: B_u⁻¹ and the trace of B_u⁻¹A_u in Part 2 of the proof of Theorem "aminmain"."""

from __future__ import annotations

from crtools.ledger import Decision, Evidence, Finding, Given, PublishedProof, by_theorem
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence import inverse_rows as exact
from crtools.papers.adaptive.evidence.reading import at_zero, generalised
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.theory import theorem


@claim(
    "b-inverse",
    AT_ZERO,
    "Section 4.1, Part 2, display of $B_u⁻¹$",
    "the tridiagonal inverse of $B_u$, its last row included",
)
def b_inverse(given: Given) -> Decision:
    """Decide the three kinds of entries; each is refuted at a size u and a row where it is wrong."""
    diagonal = generalised(exact.inverse_entry(given, "diagonal"), theorem("inverse of B, general"))
    findings = (
        Finding("diagonal", "$(B_u⁻¹)_ii$ for $i < u$", diagonal),
        Finding("last", "$(B_u⁻¹)_uu$, the last row", exact.inverse_entry(given, "last")),
        Finding("off-diagonal", "$(B_u⁻¹)_{i,i+1}$", exact.inverse_entry(given, "off_diagonal")),
    )
    return at_zero(
        findings,
        PublishedProof(note="the paper recalls the inverse without a proof"),
        reading="for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the form",
        why="$B = UᵀWU$: every row times every column of $B_u$ is 0 or 1",
        method="row-by-row products as rational-function identities",
        summary="tridiagonal as printed, last row included",
    )


@claim("t1", AT_ZERO, "Section 4.1, Part 2, display of $T_1(u)$", "the closed form of $T_1(u)$")
def t1(given: Given) -> Decision:
    """Decide the closed form of T_1."""
    says = "$T_1(u) = Σ_i (B_u⁻¹)_ii a_ii$ has this closed form"

    evidence = exact.closed_form(given, says, "t1", lambda t1, t2: t1)
    proof = PublishedProof(note="the paper says: explicit computation")
    return _decision(says, evidence, "$T_1(u)$ exactly, for every $u$", proof)


@claim("t2", AT_ZERO, "Section 4.1, Part 2, display of $2T_2(u)$", "the closed form of $2T_2(u)$")
def t2(given: Given) -> Decision:
    """Decide the closed form of 2T_2, and its summand."""
    says = "$2T_2(u) = 2 Σ_{i<u} (B_u⁻¹)_{i,i+1} a_{i,i+1}$ has this closed form"

    evidence = exact.closed_form(given, says, "t2", lambda t1, t2: 2 * t2)
    summand = Finding("summand", "the summand in the definition of $T_2(u)$", exact.summand(given))
    return _decision(says, evidence, "$2T_2(u)$ exactly, for every $u$", PublishedProof((summand,)))


@claim("trace", AT_ZERO, "Section 4.1, Part 2, display of $tr(B_u⁻¹A_u)$", "$tr(B_u⁻¹A_u) = H_u$")
def trace(given: Given) -> Decision:
    """Decide the trace, and that the two closed forms add up."""
    says = "$tr(B_u⁻¹A_u)$ is this sum"
    evidence = exact.closed_form(given, says, "trace", lambda t1, t2: t1 + 2 * t2)
    combined = Finding(
        "combined", "the closed forms of $T_1$ and $2T_2$ add up", by_theorem(theorem("t1 and t2 combined"))
    )
    return _decision(says, evidence, "$H_u$ exactly, for every $u$", PublishedProof((combined,)))


def _decision(says: str, evidence: Evidence, summary: str, proof: PublishedProof) -> Decision:
    return at_zero(
        (Finding("closed-form", says, evidence),),
        proof,
        reading="for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the forms",
        why="equal at $u = 1$, with equal increments",
        method="induction on $u$ with rational increments",
        summary=summary,
    )
