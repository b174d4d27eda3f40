"""A_random's form against H-SF's: their difference is a sum of squares, so that the supremum is exact.

With the tails T_l = 1 ≥ T_{l+1} ≥ … ≥ T_u ≥ 0, a = l(s+l) and w_k = s+2k−1 (so a + Σ_{k>l} w_k = u(s+u) =: d),
H-SF's form is a + Σ w_k T_k², A_random's a + Σ w_k T_k.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.form import squares
from crtools.proof.steps import Identity, Inference, Positive, Step, Telescoping
from crtools.proof.symbols import k, l, s, u
from crtools.proof.theorem import Theorem


def tails() -> tuple[Step, ...]:
    """The two denominators' and numerators' structure in the tails, from the entries."""
    h, a_random = form("h-sf"), form("a-random")
    assert h.tails is not None
    assert a_random.tails is not None
    return (
        Identity(name="H-SF inside", text="w_k = s+2k−1", lhs=h.tails.inner(k, s).diagonal, rhs=s + 2 * k - 1),
        Identity(name="H-SF at l", text="a = l(s+l)", lhs=h.tails.first(l, s).diagonal, rhs=l * (s + l)),
        Identity(
            name="A_random inside",
            text="½ w_k in row l, nothing else off the diagonal",
            lhs=a_random.tails.first(l, s).left[0] * a_random.tails.inner(k, s).right[0],
            rhs=(s + 2 * k - 1) / 2,
        ),
        Identity(name="A_random at l", text="a", lhs=a_random.tails.first(l, s).diagonal, rhs=l * (s + l)),
        Identity(name="A_random diagonal", text="0 for k > l", lhs=a_random.tails.inner(k, s).diagonal, rhs=sp.S.Zero),
        Telescoping(
            name="sum of w", text="Σ_{l<k≤u} w_k = d − a", summand=s + 2 * k - 1, antidifference=k * (s + k), index=k
        ),
    )


@cache
def random_theorem() -> Theorem:
    """sup of A_random's form over H-SF's is ½(1 + √(d/a)), attained on {l, u}."""
    return Theorem(
        "A_random's supremum",
        r"\sup_x \frac{\mathcal A_{\mathrm{random}}}{\text{H-SF}} = \tfrac12\Bigl(1 + \sqrt{\tfrac{u(s+u)}{l(s+l)}}\Bigr)",
        "every s ≥ 0, 1 ≤ l ≤ u, all weights on [l, u]; attained at T_k = 1/(1+r), r = √(d/a): on {l, u} only",
        (
            *tails(),
            *squares.of_means("a", "d"),
            Positive(
                name="prompts",
                text="d/a ≤ (u/l)²: u l (s+l) u − l u l (s+u) = l u s (u − l) ≥ 0",
                expr=u**2 * l * (s + l) - l**2 * u * (s + u),
                where=((s, 0), (l, 1), (u, l)),
                strict=False,
            ),
            Inference(
                name="supremum",
                conclusion=r"K\,\text{H-SF} - \mathcal A_{\mathrm{random}} = \sum w_k K (T_k - \tfrac1{2K})^2 \ge 0",
                follows_from=("sum of w", "square", "constant"),
            ),
        ),
    )
