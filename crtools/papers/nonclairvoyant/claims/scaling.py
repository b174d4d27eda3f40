"""b-scaling, b-scaling-best and toeplitz: killing and restarting at the lengths b^k."""

from functools import partial

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim, decision_at
from crtools.ledger.deciders.decimals import decide_exact, decide_printed
from crtools.ledger.deciders.parameter import KnownRatio
from crtools.papers.nonclairvoyant import ARXIV
from crtools.papers.nonclairvoyant.evidence import literal
from crtools.papers.nonclairvoyant.evidence.minima import BEST_WITHOUT_OFFSET, RATIO, best_scaling, y
from crtools.papers.nonclairvoyant.evidence.ratios import BASE, both_sides, exactly, in_base
from crtools.papers.nonclairvoyant.levels import ALGORITHM, KERNEL
from crtools.papers.nonclairvoyant.theory import TEXT, theorem

EIGENVALUE = KnownRatio(in_base(TEXT.value("eigenvalue", y)), partial(theorem, "Toeplitz"), literal.eigenvalue)
WORST = KnownRatio(in_base(RATIO), partial(theorem, "b-scaling"), literal.scaling, best_scaling)


@claim(
    "toeplitz",
    KERNEL,
    f"{ARXIV}, the method of its abstract",
    "the largest eigenvalue of $(b^{−|i−j|/2})$ tends to its symbol's maximum $(√b+1)/(√b−1)$",
)
def toeplitz(given: Given) -> Decision:
    """Decide the limit from both sides, for every b."""
    why = "no eigenvalue exceeds the largest sum of a row, and the vector of ones comes near it"
    both = exactly(given, "limit", BASE, EIGENVALUE)
    reading = "every $b > 1$, $m × m$ matrices, $m → ∞$"
    return decision_at(KERNEL, reading, "two means", why, *both, line="the eigenvalue tends to this limit")


@claim(
    "b-scaling",
    ALGORITHM,
    f"{ARXIV}, abstract",
    "b-scaling is $1 + 2b^{3/2}/(b−1)$-competitive, and this is tight",
    rests_on=["spt-optimal", "toeplitz"],
)
def b_scaling(given: Given) -> Decision:
    """Decide the ratio from both sides for every b, and the bound at every n."""
    return both_sides(given, WORST, "the Toeplitz matrix of the classes", "the longest first, classes of equal weight")


@claim("b-scaling-best", KERNEL, f"{ARXIV}, abstract", "the best $b$ is 3: $1 + 3√3 ≈ 6.197$", rests_on=["b-scaling"])
def b_scaling_best(given: Given) -> Decision:
    """Decide where the ratio is least, its value there, and the decimal that is printed."""
    best = best_scaling()
    where = given.evidence_for("b", decide_exact, 3, best)
    minimum = given.evidence_for("least", decide_exact, BEST_WITHOUT_OFFSET, best)
    printed = given.evidence_for("printed", decide_printed, best, "rounded up")
    return decision_at(
        KERNEL,
        "every $b > 1$; the decimal rounded up, as the source rounds both of its ratios",
        "a factorisation",
        "the gap is $(√b − √3)²(2√b + √3)/(b − 1)$",
        Finding("where", f"it is least at $b = {given['b']}$", where),
        Finding("least", f"its least value is ${given['least']}$", minimum),
        Finding("printed", f"which is {given['printed']}, rounded up", printed),
        line=f"it is {best.value.middle:.6g}, printed rounded up",
    )


CLAIMS = (toeplitz, b_scaling, b_scaling_best)
