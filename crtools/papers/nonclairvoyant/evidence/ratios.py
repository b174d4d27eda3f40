"""The ratios of this theory as formulas of their one parameter, and how they are decided from both sides."""

from fractions import Fraction

import sympy as sp

from crtools.ledger.claim import Given
from crtools.ledger.deciders.bounds import KnownRatio, Parameter, T, decide_side
from crtools.ledger.deciders.ranges import Range, integers_from, unit
from crtools.ledger.verdict import Decision, Finding, decision, verdict
from crtools.numeric_types import SymExpr
from crtools.papers.nonclairvoyant.levels import ALGORITHM, KERNEL


def jobs(smallest: int = 1) -> Parameter:
    """Return the number of jobs, from ``least`` on."""
    points = tuple(map(Fraction, range(smallest, smallest + 40)))
    return Parameter(
        sp.Symbol("n", positive=True), integers_from(n=smallest), 1 / T, points, Fraction(1, smallest), whole=True
    )


_root = 1 + sp.Symbol("r_0", positive=True)

BASE = Parameter(
    sp.Symbol("b", positive=True),
    Range("b > 1", ({"b": _root**2},)),
    1 / T**2,
    tuple(map(Fraction, (9, 100, 64, 4, 3))),
)
"""The base b > 1; T is 1/√b."""

ALPHA = Parameter(sp.Symbol("alpha", positive=True), unit("alpha"), T, tuple(Fraction(1, k) for k in (2, 4, 9, 100)))
"""The least size over the largest, 0 < α < 1."""


def in_base(expr: SymExpr) -> SymExpr:
    """Return an expression in y = √b in terms of b."""
    return expr.subs(sp.Symbol("y", positive=True), sp.sqrt(BASE.symbol))


def exactly(given: Given, name: str, parameter: Parameter, ratio: KnownRatio) -> tuple[Finding, Finding]:
    """Decide from both sides whether a ratio is the formula that is given."""
    upper, lower = (
        given.evidence_for(name, decide_side, parameter, side, ratio, ratio) for side in ("at most", "at least")
    )
    formula = f"${given[name]}$"
    return Finding("at-most", f"at most {formula}", upper), Finding("reached", f"no less than {formula}", lower)


def both_sides(given: Given, ratio: KnownRatio, how: str, worst: str, *more: Finding) -> Decision:
    """Decide a ratio that is given for every b from both sides, and as a bound at every n."""
    upper, lower = exactly(given, "ratio", BASE, ratio)
    every = Finding("every-n", f"the total is {upper.says} times the optimum, at every n", upper.evidence)
    reading = "every $b > 1$, every $n ≥ 1$, all sizes, in the worst order of the jobs or the mean over it"
    same = "the costs of pairs are those of the kernel at every n, and half of the sizes is left on both sides"
    return decision(
        verdict(KERNEL, "every $b > 1$, the supremum over all laws", how, f"reached by {worst}", upper, lower, *more),
        verdict(ALGORITHM, reading, f"{how}, at every n", same, every),
        why="tight for every b; at most this at every n",
    )
