"""b-inverse: the tridiagonal inverse of B_u in Part 2 of the proof of Theorem "aminmain"."""

from __future__ import annotations

from crtools.ledger import Decision, Finding, Given, PublishedProof
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence.inverse_rows import inverse_entry
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
    diagonal = generalised(inverse_entry(given, "diagonal"), theorem("inverse of B, general"))
    findings = (
        Finding("diagonal", "$(B_u⁻¹)_ii$ for $i < u$", diagonal),
        Finding("last", "$(B_u⁻¹)_uu$, the last row", inverse_entry(given, "last")),
        Finding("off-diagonal", "$(B_u⁻¹)_{i,i+1}$", inverse_entry(given, "off_diagonal")),
    )
    return at_zero(
        findings,
        PublishedProof(note="the paper recalls the inverse without a proof"),
        reading="for every integer $u ≥ 1$ at $s = 0$, $ℓ = 1$, of the form",
        why="$B = UᵀWU$: every row times every column of $B_u$ is 0 or 1",
        method="row-by-row products as rational-function identities",
        summary="tridiagonal as printed, last row included",
    )
