"""What each figure says, in a sentence that can stand in its place, and the claims that it belongs to."""

from __future__ import annotations

from crtools.ledger.ledger import Caption

CAPTIONS: dict[str, Caption] = {
    "log-fit": Caption(
        "The worst-case ratio of A_min's form at $s = 0$ grows with $log u$ and stays in the proved band; the published fit "
        "meets it at $u − 1$, not at $u$, and the paper's trace bound $H_u$ lies far above.",
        ("fig-log-fit", "thm-log"),
    ),
    "geometric": Caption(
        "The ratio of A_min's form against $q$: at $s = 0$ it increases to its limit, below the published bounds 1.7 (geometric) "
        "and 1.6 (linear-geometric); for larger $s$ it has a maximum inside, which at $s = 100$ lies above both bounds.",
        ("geometric", "thm-lg", "uniform-bounds"),
    ),
    "two-point": Caption(
        "Suprema of the forms on two lengths against $α$: at $s = 0$ those of A_min and A_ℓ are the published bounds, which "
        "cross at $(3 − √5)/2$; at $s = 100$ both are exceeded, that of A_min without limit as $α → 0$.",
        ("thm-two-point", "thm-aell", "switch"),
    ),
    "convergence": Caption(
        "Simulated latency over the paper's form against the memory: H-SF and the cohort A_min approach 1; A_max, A_random and "
        "Algorithm 2 to the letter approach other values, which depend on the law of lengths.",
        ("lem-amin", "thm-random"),
    ),
    "transitions": Caption(
        "Shares of starts that complete, against the shares that Lemma deletion and Proposition state_transition give: the "
        "cohort rule lies on the diagonal, Algorithm 2 to the letter lies off it.",
        ("lem-deletion", "prop-transition"),
    ),
    "lengths": Caption(
        "Surrogate laws of prompt and output lengths with the published medians, means and maxima, and the quantiles of a "
        "public trace."
    ),
    "exp-1": Caption(
        "Average latency against the number of requests, every interval $[1, 1000]$: A_max grows far above all others; "
        "Algorithm 2 and its cohort reading lie between H-SF and A_max, near A_random.",
        ("exp-1",),
    ),
    "exp-2": Caption(
        "Average latency against the number of requests in ten buckets: A_max in the order of upper bounds and Algorithm 2 "
        "come near H-SF; A_max in random order lies above A_random.",
        ("exp-2",),
    ),
    "exp-3": Caption(
        "Average latency against the number of requests for intervals $[(1−x)o, (1+x)o]$: at $x = 0.1$ A_max and A_min are near "
        "H-SF; at 0.95 and 0.99 A_min leaves it, and A_max in random order is the slowest.",
        ("exp-3",),
    ),
}
