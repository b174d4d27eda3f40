"""The coins of the cohort rule, each quantity exactly and by two routes: who is spared, who gets a new bound, who completes when.

At every age a ≥ õ a start is cancelled with probability 1/(s+a+1) and gets the bound a + 1. The theorems are in the text:
survival, update, recursion. Used by lem-deletion, update-distribution and prop-transition.
"""

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import prod

import sympy as sp

from crtools.ledger import Evidence, Open, Refuted, by_theorem
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.evidence import agree
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import exact_value
from crtools.papers.adaptive.theory import TEXT
from crtools.proof import symbols as sym
from crtools.signs.numbers import Exact

Shares = Mapping[int, Exact]
"""A law on lengths j; without a key the share is 0."""

Rule = Callable[[int, int, int, dict[int, int]], Shares | None]
"""A claimed law at (s, i, k) and b_ij by j; None where it is undefined."""

POINTS = tuple({"s": s, "i": i, "j": j} for s in (1, 0, 2, 7) for i in range(1, 6) for j in range(i, i + 6))
FURTHER = tuple({"s": s, "i": i, "j": j} for s in (3, 10, 100) for i in (1, 6, 20) for j in range(i, i + 30))

BOUNDS = tuple((s, i, k) for s in (1, 0, 2, 7) for i in range(1, 5) for k in range(i + 1, i + 5))
PATTERNS: tuple[Callable[[int], int], ...] = (lambda j: 1, lambda j: j, lambda j: 1 + j % 3)
BEYOND = 5
"""Lengths from k − 3 to k + BEYOND − 1 are tried."""

SETTINGS = tuple((s, l, j) for s in (1, 0, 2, 7) for l in (1, 2, 5) for j in range(l, l + 6))
FURTHER_SETTINGS = tuple((s, l, l + 12) for s in (3, 100) for l in (1, 6))


# ---- a start that every coin spares ------------------------------------------------------------------------------


def survives(p: Point) -> Fraction:
    """Return Π_{a=i}^{j−1} (1 − 1/(s+a+1)), coin by coin."""
    return prod((1 - Fraction(1, p["s"] + age + 1) for age in range(p["i"], p["j"])), start=Fraction(1))


def survives_by_loss(p: Point) -> Fraction:
    """Return 1 − Σ_a P(cancelled at age a): another route, by the coin that cancels."""
    surviving, lost = Fraction(1), Fraction(0)
    for age in range(p["i"], p["j"]):
        lost += surviving / (p["s"] + age + 1)
        surviving = 1 - lost
    return surviving


def spared(tree: ast.expr, expr: SymExpr) -> Evidence:
    """Decide whether a formula in s, i, j is the share of the starts with bound i and length j that every coin spares."""
    what = "the share that every coin spares"
    proof = partial(TEXT.theorem, "survival", F=sp.Lambda((sym.i, sym.j, sym.s), expr))
    return decide_formula(what, proof, tree, POINTS, survives, survives_by_loss, FURTHER)


# ---- the lengths of those that get a new bound -------------------------------------------------------------------


def coin_law(s: int, i: int, k: int, b: dict[int, int], *, other: bool = False) -> Shares | None:
    """Return the law of o given the new bound k: b_ij · P(spared to age k − 1) / (s+k) over the lengths j ≥ k."""
    route = survives_by_loss if other else survives
    return in_proportion({j: b[j] * route({"s": s, "i": i, "j": k - 1}) / (s + k) for j in b if j >= k})


def in_proportion(weights: Shares) -> Shares | None:
    """Return the law in proportion to weights; None where they sum to 0."""
    total = sum(weights.values(), Fraction(0))
    return {j: w / total for j, w in weights.items()} if total else None


def updated(claimed: Rule, weight: SymExpr, lowest: SymExpr) -> Evidence:
    """Decide whether a law is that of the lengths of those that the coins give the new bound k."""
    checked = 0
    for s, i, k in BOUNDS:
        for pattern in PATTERNS:
            b = {j: pattern(j) for j in range(max(i, k - 3), k + BEYOND)}
            one, two = coin_law(s, i, k, b), coin_law(s, i, k, b, other=True)
            agree(one, two, "the law of the lengths with a new bound")
            shares = claimed(s, i, k, b)
            if shares is None or {j: p for j, p in shares.items() if p} != one:
                return Refuted({"s": s, "i": i, "k": k, "b": b}, _law_text(shares), _law_text(one), _law_text(two))
            checked += 1
    if sp.sympify(weight) == 0:
        return Open("the weight vanishes")
    relative_weight = (
        weight if sp.sympify(weight).has(sym.j) else sp.S.One
    )  # up to a factor without j, which need not be rational
    shares = sp.Lambda((sym.i, sym.j, sym.k, sym.s), relative_weight)
    theorem = TEXT.theorem("update", W=shares, L=sp.Lambda((sym.i, sym.k), lowest))
    return by_theorem(theorem, values={"points_checked": checked})


def _law_text(law: Shares | None) -> str | dict[str, str]:
    return "undefined" if law is None else {str(j): str(p) for j, p in law.items()}


# ---- who completes in which period -------------------------------------------------------------------------------


def by_recursion(s: int, l: int, j: int) -> list[Fraction]:
    """Return c_ij/(x_j n) for i = l, …, j: b_k is what earlier periods cancel with the new bound k."""
    b = [Fraction(1)]
    for k in range(l + 1, j + 1):
        b.append(sum((b[i - l] * Fraction(s + i, (s + k - 1) * (s + k)) for i in range(l, k)), Fraction(0)))
    return [x * Fraction(s + i, s + j) for i, x in enumerate(b, start=l)]


def by_coins(s: int, l: int, j: int) -> list[Fraction]:
    """Return the same coin by coin: the law of (bound, age) of one request of length j, until it completes."""
    done = [Fraction(0)] * (j - l + 1)
    states = {(l, 0): Fraction(1)}
    while states:
        following: dict[tuple[int, int], Fraction] = {}
        for (bound, age), p in states.items():
            if age == j:
                done[bound - l] += p
                continue
            coin = Fraction(1, s + age + 1) if age >= bound else Fraction(0)
            for state, q in (((bound, age + 1), p * (1 - coin)), ((age + 1, 0), p * coin)):
                if q:
                    following[state] = following.get(state, Fraction(0)) + q
        states = following
    return done


def transitions(trees: dict[str, ast.expr], exprs: dict[str, SymExpr]) -> Evidence:
    """Decide whether formulas ``first`` (s, l, j) and ``later`` (s, l, i, j) are the shares that complete in each period."""
    checked = 0
    for s, l, j in (*SETTINGS, *FURTHER_SETTINGS):
        one, two = by_recursion(s, l, j), by_coins(s, l, j)
        agree(one, two, "the transitions")
        agree(sum(one), 1, "the shares of all periods")
        for i, true in enumerate(one, start=l):
            point = {"s": s, "l": l, "j": j}
            displayed = exact_value(trees["first"], point) if i == l else exact_value(trees["later"], {**point, "i": i})
            if displayed != true:
                claimed = "undefined" if displayed is None else str(displayed)
                return Refuted({**point, "i": i}, claimed, str(true), str(two[i - l]))
            checked += 1
    first = sp.Lambda((sym.l, sym.j, sym.s), exprs["first"])
    later = sp.Lambda((sym.i, sym.j, sym.l, sym.s), exprs["later"])
    return by_theorem(TEXT.theorem("recursion", F=first, G=later), values={"points_checked": checked})
