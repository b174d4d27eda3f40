"""A_random's form against H-SF's: their difference is a sum of squares, so that the supremum is exact.

With the tails T_l = 1 ≥ T_{l+1} ≥ … ≥ T_u ≥ 0, a = l(s+l) and w_k = s+2k−1 (so a + Σ_{k>l} w_k = u(s+u) =: d),
H-SF's form is a + Σ w_k T_k², A_random's a + Σ w_k T_k.
"""

from __future__ import annotations

from functools import cache

from crtools.papers.adaptive.theorems.form import squares
from crtools.papers.adaptive.theorems.form.tails import generators, tails
from crtools.proof.builder import Proof
from crtools.proof.symbols import k, l, s, u
from crtools.proof.theorem import Theorem


@cache
def h_sf_in_tails() -> Theorem:
    """H-SF's form is diagonal in the tails, with weights that sum up to u(s+u)."""
    first, inner = generators("h-sf").first(l, s), generators("h-sf").inner(k, s)
    proof = Proof(
        "H-SF's form in the tails",
        "every s ≥ 0, 1 ≤ l ≤ u",
        r"a + \sum_{k=l+1}^{u} w_k T_k^2,\quad a = l(s+l),\ w_k = s+2k-1,\quad a + \sum_k w_k = u(s+u)",
    )
    proof.cite(tails("h-sf"))
    proof.identity("a, at T_l = 1", first.diagonal, l * (s + l))
    proof.identity("w_k, at k > l", inner.diagonal, s + 2 * k - 1)
    proof.telescoping("Σ_{l<k≤u} w_k = d − a", s + 2 * k - 1, k * (s + k), k)
    return proof.qed()


@cache
def random_theorem() -> Theorem:
    """sup of A_random's form over H-SF's is ½(1 + √(d/a)), attained on {l, u}."""
    first, inner = generators("a-random").first(l, s), generators("a-random").inner(k, s)
    proof = Proof(
        "A_random's supremum",
        "every s ≥ 0, 1 ≤ l ≤ u, all weights on [l, u]; attained at T_k = 1/(1+r), r = √(d/a): on {l, u} only",
        r"\sup_x \frac{\mathcal A_{\mathrm{random}}}{\text{H-SF}} = \tfrac12\Bigl(1 + \sqrt{\tfrac{u(s+u)}{l(s+l)}}\Bigr)",
    )
    proof.cite(h_sf_in_tails(), tails("a-random"))
    proof.identity("A_random: ½ w_k in row l", first.left[0] * inner.right[0], (s + 2 * k - 1) / 2)
    proof.identity("a on the diagonal at l", first.diagonal, l * (s + l))
    proof.identity("and 0 for k > l", inner.diagonal, 0)
    proof.add(*squares.of_means("a", "d"))
    proof.therefore(
        r"K\,\text{H-SF} - \mathcal A_{\mathrm{random}} = \sum w_k K (T_k - \tfrac1{2K})^2 \ge 0",
        "with T_l = 1 the left side is (K−1) a + Σ_{k>l} w_k (K T_k² − T_k); what the squares leave of it is (K−1) a − (d−a)/(4K) = 0, "
        "as the w_k sum to d − a",
    )
    proof.nonnegative(
        "d/a ≤ (u/l)²: u l (s+l) u − l u l (s+u) = l u s (u − l) ≥ 0",
        u**2 * l * (s + l) - l**2 * u * (s + u),
        *(s >= 0, l >= 1, u >= l),
    )
    return proof.qed()
