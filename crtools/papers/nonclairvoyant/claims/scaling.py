"""b-scaling, b-scaling-best and toeplitz: killing and restarting at the lengths b^k."""

from __future__ import annotations

from functools import partial

from crtools.ledger import Claim, Decision, Finding, Given
from crtools.ledger.deciders.decimals import decide_exact, decide_printed
from crtools.ledger.deciders.decision import decision, verdict
from crtools.ledger.deciders.parameter import KnownRatio
from crtools.papers.nonclairvoyant import ARXIV
from crtools.papers.nonclairvoyant.evidence import literal
from crtools.papers.nonclairvoyant.evidence.minima import LEAST_SCALING, RATIO, best_scaling, y
from crtools.papers.nonclairvoyant.evidence.ratios import BASE, both_sides, exactly, in_base
from crtools.papers.nonclairvoyant.levels import ALGORITHM, KERNEL
from crtools.papers.nonclairvoyant.theory import TEXT, theorem

EIGENVALUE = KnownRatio(in_base(TEXT.value("eigenvalue", y)), partial(theorem, "Toeplitz"), literal.eigenvalue)
WORST = KnownRatio(in_base(RATIO), partial(theorem, "b-scaling"), literal.scaling, best_scaling)


def decide_ratio(given: Given) -> Decision:
    """Decide the ratio from both sides for every b, and the bound at every n."""
    return both_sides(given, WORST, "the Toeplitz matrix of the classes", "the longest first, classes of equal weight")


def decide_best(given: Given) -> Decision:
    """Decide where the ratio is least, its value there, and the decimal that is printed."""
    best = best_scaling()
    where = given.evidence(decide_exact, "b", given["b"], 3, best)
    least = given.evidence(decide_exact, "least", given["least"], LEAST_SCALING, best)
    printed = given.evidence(decide_printed, "printed", given["printed"], best, "rounded up")
    return decision(
        verdict(
            KERNEL,
            "every $b > 1$; the decimal rounded up, as the source rounds both of its ratios",
            "a factorisation",
            "the gap is $(√b − √3)²(2√b + √3)/(b − 1)$",
            Finding("where", f"it is least at $b = {given['b']}$", where),
            Finding("least", f"its least value is ${given['least']}$", least),
            Finding("printed", f"which is {given['printed']}, rounded up", printed),
        ),
        why=f"it is {best.value.middle:.6g}, printed rounded up",
    )


def decide_toeplitz(given: Given) -> Decision:
    """Decide the limit from both sides, for every b."""
    why = "no eigenvalue exceeds the largest sum of a row, and the vector of ones comes near it"
    return decision(
        verdict(
            KERNEL,
            "every $b > 1$, $m × m$ matrices, $m → ∞$",
            "two means",
            why,
            *exactly(given, "limit", BASE, EIGENVALUE),
        ),
        why="the sum of a row, in the limit",
    )


SCALING = Claim(
    id="b-scaling",
    place=f"{ARXIV}, abstract",
    statement="b-scaling is $1 + 2b^{3/2}/(b−1)$-competitive, and this is tight",
    stated_at=ALGORITHM,
    decide=decide_ratio,
    rests_on=("spt-optimal", "toeplitz"),
)
BEST = Claim(
    id="b-scaling-best",
    place=f"{ARXIV}, abstract",
    statement="the best $b$ is 3: $1 + 3√3 ≈ 6.197$",
    stated_at=KERNEL,
    decide=decide_best,
    rests_on=("b-scaling",),
)
TOEPLITZ = Claim(
    id="toeplitz",
    place=f"{ARXIV}, the method of its abstract",
    statement="the largest eigenvalue of $(b^{−|i−j|/2})$ tends to its symbol's maximum $(√b+1)/(√b−1)$",
    stated_at=KERNEL,
    decide=decide_toeplitz,
)

CLAIMS = (TOEPLITZ, SCALING, BEST)
