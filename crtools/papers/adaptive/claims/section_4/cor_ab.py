"""cor-ab: the entries of A_u and B_u, from Lemma "Amin" at s = 0, l = 1."""

from __future__ import annotations

from crtools.forms import form
from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence.inverse_rows import entry
from crtools.papers.adaptive.evidence.reading import at_zero, generalised, reading_of
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import theorem
from crtools.proof.symbols import i, j, s


@claim("cor-ab", AT_ZERO, "Section 4.1, Corollary 1 (cor:A/B)", "the entries of $A_u$, $B_u$ from the Lemma")
def cor_ab(given: Given) -> Decision:
    """Decide the two entries, and the displayed coefficient of x_i x_j."""
    a_min, h_sf = form("a-min"), form("h-sf")
    a_routes, b_routes = (a_min.entry, literal.a_min_entry), (h_sf.entry, literal.h_sf_entry)
    twice = (lambda x, y: 2 * a_min.entry(x, y), lambda x, y: 2 * literal.a_min_entry(x, y))
    a = entry(given, "a", "entries of A_u", "a", a_routes)
    b = entry(given, "b", "entries of B_u", "b", b_routes)
    cross = entry(given, "cross_sum", "coefficient of x_i x_j", "c", twice, diagonal=False)
    general = f"$a_ij = {str(a_min.formula(i, j, s)).replace('**', '^')}$ for $i ≤ j$"
    findings = (
        Finding(
            "entries-of-a",
            "$a_ij$ are the coefficients of the Lemma's numerator",
            generalised(a, theorem("entries"), for_every_s_and_l=general),
        ),
        Finding("entries-of-b", "$b_ij$ are those of its denominator", b),
    )
    read = reading_of("cor-ab")
    proof = read.proof(cross_term=cross, denominator=b)
    why = "the Lemma's double sums telescope to both matrices"
    return at_zero(read, why, "$a_ij$ and $b_ij$ as printed", findings, proof)
