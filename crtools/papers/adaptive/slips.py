"""Places at which the paper contradicts itself, and what is taken here (docs/model.md). No verdict rests on the choice."""

from __future__ import annotations

from crtools.ledger.ledger import Slip

A_MIN = "Algorithm $A_min$ (algo:milb), and its revision (algo:milbrevise)"

SLIPS = (
    Slip(
        A_MIN,
        "a removed request gets $õ = a$, its number of tokens, which may be below the $õ$ that it had: with lengths (3, 3), $s = 1$ and "
        "$M = 5$ a request with $õ = 2$ may be removed with one token. In the text $õ$ is a lower bound that is refined, and in "
        "Observation 1 it grows",
        "the larger of $õ$ and $a$",
    ),
    Slip(
        A_MIN,
        "$R_{t+1}$, which is $R_t$ without $I_t$, never has a removed request again, so that it would not complete. By the "
        "text it is “later restarted”",
        "it waits again, and may start at the same instant",
    ),
    Slip(
        "Algorithm $A_ℓ$ (algo:promote_l)",
        "it removes requests “with more than $ℓ$ tokens”, but counts each with $ℓ$ when it starts: with lengths (3, 3), $ℓ = 1$, $s = 1$ "
        "and $M = 4$ both hold 3 tokens at $t = 2$. By the text it removes a request “as soon as” it has generated $ℓ$ tokens",
        "an unfinished request is removed when it has $ℓ$ tokens",
    ),
    Slip(
        "Algorithm H-SF (algo:off)",
        "it asks for Equation (1), which is of one instant, at every later instant; the text and the other algorithms ask for Equation (3)",
        "Equation (3)",
    ),
    Slip(
        "Section 2, and the proofs of Theorems 2, 5 and 6",
        "the model has $s > 0$, these proofs take $s = 0$, one of them “W.L.O.G.”",
        "each level says of which $s$ it speaks, and the process is decided for $s ≥ 0$",
    ),
    Slip(
        "Section 4.2",
        "the prediction intervals are called disjoint, but $u_j ≤ ℓ_{j+1}$ lets two of them have an end in common",
        "they may touch, and a request's interval is given",
    ),
    Slip(
        "Section 5.1, after Theorem 7 (thm:Al_CR)",
        "the “quadratic inequality” is displayed as the equation $α² − 3α + 1 = 0$",
        "$α² − 3α + 1 > 0$",
    ),
    Slip("Section 6, Figure 4 (fig:distribution)", "the caption says “number of words”, the text tokens", "tokens"),
)
