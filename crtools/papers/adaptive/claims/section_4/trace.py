"""b-inverse, t1, t2 and trace: B_u⁻¹ and the trace of B_u⁻¹A_u in Part 2 of the proof of Theorem "aminmain"."""

from __future__ import annotations

from crtools.ledger import Decision, Evidence, Finding, Given, by_theorem
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence import inverse_rows as exact
from crtools.papers.adaptive.evidence.reading import at_zero, generalised, reading_of
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
    read = reading_of("b-inverse")
    why = "$B = UᵀWU$: every row times every column of $B_u$ is 0 or 1"
    return at_zero(read, why, "tridiagonal as printed, last row included", findings, read.proof())


@claim("t1", AT_ZERO, "Section 4.1, Part 2, display of $T_1(u)$", "the closed form of $T_1(u)$")
def t1(given: Given) -> Decision:
    """Decide the closed form of T_1."""
    says = "$T_1(u) = Σ_i (B_u⁻¹)_ii a_ii$ has this closed form"
    evidence = exact.closed_form(given, says, "t1", lambda t1, t2: t1)
    return _decision("t1", says, evidence, "$T_1(u)$ exactly, for every $u$")


@claim("t2", AT_ZERO, "Section 4.1, Part 2, display of $2T_2(u)$", "the closed form of $2T_2(u)$")
def t2(given: Given) -> Decision:
    """Decide the closed form of 2T_2, and its summand."""
    says = "$2T_2(u) = 2 Σ_{i<u} (B_u⁻¹)_{i,i+1} a_{i,i+1}$ has this closed form"
    evidence = exact.closed_form(given, says, "t2", lambda t1, t2: 2 * t2)
    return _decision("t2", says, evidence, "$2T_2(u)$ exactly, for every $u$", summand=exact.summand(given))


@claim("trace", AT_ZERO, "Section 4.1, Part 2, display of $tr(B_u⁻¹A_u)$", "$tr(B_u⁻¹A_u) = H_u$")
def trace(given: Given) -> Decision:
    """Decide the trace, and that the two closed forms add up."""
    says = "$tr(B_u⁻¹A_u)$ is this sum"
    evidence = exact.closed_form(given, says, "trace", lambda t1, t2: t1 + 2 * t2)
    combined = by_theorem(theorem("t1 and t2 combined"))
    return _decision("trace", says, evidence, "$H_u$ exactly, for every $u$", combined=combined)


def _decision(claim: str, says: str, evidence: Evidence, summary: str, **displays: Evidence) -> Decision:
    read, finding = reading_of(claim), Finding("closed-form", says, evidence)
    return at_zero(read, "equal at $u = 1$, with equal increments", summary, (finding,), read.proof(**displays))
