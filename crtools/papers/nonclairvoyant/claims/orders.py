"""spt-optimal and random-order: jobs one after the other, in the best order and in a random one."""

from fractions import Fraction
from functools import partial
from itertools import permutations

import sympy as sp

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim, decision, verdict
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.parameter import KnownRatio
from crtools.ledger.deciders.ranges import formula_on, pairs_from_one
from crtools.papers.nonclairvoyant.evidence import literal
from crtools.papers.nonclairvoyant.evidence.ratios import ALPHA, exactly
from crtools.papers.nonclairvoyant.levels import ALGORITHM, KERNEL
from crtools.papers.nonclairvoyant.machine import in_order, shortest_first
from crtools.papers.nonclairvoyant.theory import TEXT, theorem

i, j = sp.symbols("i j", positive=True)
HALF = KnownRatio(
    TEXT.value("random_order", 1 / sp.sqrt(ALPHA.symbol)), partial(theorem, "a random order"), literal.random_order
)
POINTS = [{"i": i, "j": j} for i in range(1, 6) for j in range(1, 6)]


@claim("spt-optimal", ALGORITHM, "Smith 1956", "shortest first minimises $ΣC_j$; the cost of a pair is $min(i, j)$")
def spt_optimal(given: Given) -> Decision:
    """Decide the cost of a pair under the optimum, which is shortest first."""
    tree, formula = formula_on("pair", given["pair"], {"i": i, "j": j}, pairs_from_one())

    def run(point: Point) -> Fraction:
        return sum(shortest_first((point["i"], point["j"])), Fraction(-sum(point.values())))

    def best(point: Point) -> Fraction:
        sizes = list(point.values())
        return min(sum(in_order(sizes, order), Fraction(-sum(sizes))) for order in permutations((0, 1)))

    pair = decide_formula(
        "the cost of a pair",
        lambda: TEXT.theorem("the cost of a pair", N=sp.Lambda((i, j), formula)),
        tree,
        POINTS,
        run,
        best,
    )
    says = f"two jobs cost ${given['pair']}$ beside their own sizes, under the best schedule"
    optimal = given.proved(partial(theorem, "shortest first"))
    best_of_all = Finding("optimal", "no schedule has a smaller total than shortest first", optimal)
    reading = "every $n ≥ 1$, all sizes, all schedules, also with preemption or restarts"
    why = "by the k-th completion k jobs are done"
    return decision(
        verdict(KERNEL, "all sizes $i, j > 0$", "identities", "it is $min(i, j)$", Finding("pair", says, pair)),
        verdict(ALGORITHM, reading, "an argument in words, and a count", why, best_of_all),
        why="no schedule has a smaller total",
    )


@claim(
    "random-order",
    KERNEL,
    "own, by two sizes",
    "a random order has no constant ratio: $sup = ½(1 + √(u/ℓ))$",
    rests_on=["spt-optimal"],
)
def random_order(given: Given) -> Decision:
    """Decide the supremum from both sides, and the bound at every n."""
    upper, lower = exactly(given, "ratio", ALPHA, HALF)
    every = Finding("every-n", f"at every n the mean total is {upper.says}", upper.evidence)
    why = "a share $1/(1 + √(u/ℓ))$ of the largest size, all else of the least"
    reading = "all $0 < ℓ < u$, $α = ℓ/u$"
    return decision(
        verdict(KERNEL, f"{reading}, the supremum over all laws on $[ℓ, u]$", "a square", why, upper, lower),
        verdict(
            ALGORITHM, f"{reading}, every $n$, all sizes in $[ℓ, u]$", "the same costs of pairs", "as $n → ∞$", every
        ),
        why="two sizes are worst; no constant bounds it",
    )


CLAIMS = (spt_optimal, random_order)
