"""Policies whose cost is a sum over pairs of jobs: shortest first, round robin, a fixed or random order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations
from math import factorial
from typing import Any

import sympy as sp

from crtools.papers.nonclairvoyant.machine import Sizes, in_order, round_robin, scaling, shortest_first
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem, kept

EVERY = "every $n ≥ 1$ and all sizes $p_j > 0$"
n, i, j = sp.symbols("n i j", positive=True)
x, y = sp.symbols("x y")


def small(jobs: int = 4, largest: int = 3) -> Iterator[tuple[int, ...]]:
    """Iterate over all sorted sizes of at most ``jobs`` jobs, whole numbers up to ``largest``."""
    for count in range(1, jobs + 1):
        yield from combinations_with_replacement(range(1, largest + 1), count)


SMALL = "all jobs with $n ≤ 4$ and sizes up to 3"


def pairs_total(sizes: Sizes, cost: Callable[..., int | Fraction] = min) -> Fraction:
    """Return Σ p_j + Σ_{i<j} cost(p_i, p_j)."""
    return Fraction(sum(sizes)) + sum((Fraction(cost(a, b)) for a, b in combinations(sizes, 2)), Fraction(0))


def first_wrong(holds: Callable[[tuple[int, ...]], bool]) -> str | None:
    """Return the first of the small sets of jobs at which something does not hold, in words."""
    return next((f"it fails at the sizes {sizes}" for sizes in small() if not holds(sizes)), None)


def _none_is_faster(sizes: tuple[int, ...]) -> bool:
    least = pairs_total(sizes)
    orders = [in_order(sizes, order) for order in permutations(range(len(sizes)))]
    others = [round_robin(sizes), scaling(sizes, 2, [1] * len(sizes))]
    return sum(shortest_first(sizes)) == least == min(map(sum, orders)) and all(sum(run) >= least for run in others)


def optimum() -> Theorem:
    """Shortest first has the least total, Σ p_j + Σ_{i<j} min(p_i, p_j), of all schedules."""
    proof = Proof("shortest first", EVERY)
    proof.argued(
        r"\sum C_j \ge \sum_k (p_{(1)} + … + p_{(k)}), \text{ with equality for shortest first}",
        "When the k-th job completes, k jobs have been run in full, by whatever schedule, which takes at least the k least "
        "sizes; shortest first takes just that.",
        test=lambda: first_wrong(_none_is_faster),
        tested=f"{SMALL}: all orders, round robin, killing and restarting",
    )
    return proof.therefore(
        r"\min \sum C_j = \sum_j p_j + \sum_{i<j} \min(p_i, p_j)",
        "a size stands in its own sum and in that of each longer job, so the shorter of a pair counts once",
    ).qed()


def pair_cost(formula: Any = None) -> Theorem:
    """Under the optimum a pair costs min(i, j), which is the formula in i and j."""
    formula = sp.Min(i, j) if formula is None else formula
    low, gap = sp.symbols("p d", nonnegative=True)
    proof = Proof("the cost of a pair", "all sizes $i, j > 0$", r"N_{ij} = \min(i, j)").cite(kept(optimum))
    for text, one, two in (("i ≤ j", low, low + gap), ("i ≥ j", low + gap, low)):
        proof.identity(text, formula.subs({i: one, j: two}, simultaneous=True), low)
    return proof.qed()


def sharing() -> Theorem:
    """Round robin has at most 2 − 2/(n+1) times the optimum's total."""
    proof = Proof("round robin", EVERY).cite(kept(optimum))
    proof.argued(
        r"\sum C_j = \sum_j p_j + \sum_{i<j} 2 \min(p_i, p_j) = 2\,\mathrm{OPT} - \sum_j p_j",
        "While both of two jobs run they run at equal rates, so each waits for as much of the other as the shorter one has.",
        test=lambda: first_wrong(lambda sizes: sum(round_robin(sizes)) == 2 * pairs_total(sizes) - sum(sizes)),
        tested=SMALL,
    )
    proof.nonnegative("min(x, y) ≤ (x + y)/2 for x ≤ y", (x + y) / 2 - x, x >= 0, y >= x)
    proof.therefore(
        r"\mathrm{OPT} \le \Bigl(1 + \frac{n-1}{2}\Bigr) \sum_j p_j", "each job is in n − 1 pairs", name="average"
    )
    proof.identity("twice the optimum less the sizes", 2 - 1 / (1 + (n - 1) / 2), 2 - 2 / (n + 1))
    return proof.therefore(r"\sum C_j \le \Bigl(2 - \frac{2}{n+1}\Bigr) \mathrm{OPT}").qed()


def equal_sizes() -> Theorem:
    """With n equal sizes round robin has exactly 2 − 2/(n+1) times the optimum's total."""
    proof = Proof("equal sizes", "every $n ≥ 1$, $n$ jobs of size 1").cite(kept(optimum))
    proof.argued(
        r"C_j = n \text{ for every } j",
        "All jobs have run equally long at every instant, so all complete when all work is done.",
        test=lambda: next((f"{m} jobs" for m in range(1, 9) if round_robin([1] * m) != [m] * m), None),
        tested="$n ≤ 8$",
    )
    proof.identity("n jobs that complete at n, against 1 + … + n", n * n / (n * (n + 1) / 2), 2 - 2 / (n + 1))
    return proof.therefore(r"\sum C_j = \Bigl(2 - \frac{2}{n+1}\Bigr) \mathrm{OPT}").qed()


def _mean_over_orders(sizes: tuple[int, ...]) -> Fraction:
    orders = permutations(range(len(sizes)))
    return sum((sum(in_order(sizes, order), Fraction(0)) for order in orders), Fraction(0)) / factorial(len(sizes))


def random_order() -> Theorem:
    """The supremum of a random order's ratio over all jobs with sizes in [l, u] is ½(1 + √(u/l)), for every l < u."""
    m, r, w = sp.symbols("m r w")
    value = (1 + r) / 2
    proof = Proof(
        "a random order",
        "every $0 < ℓ < u$, sizes in $[ℓ, u]$; at most: at every $n$; reached: as $n → ∞$; $r = √(u/ℓ)$",
    ).cite(kept(optimum))
    proof.argued(
        r"E \sum C_j = \sum_j p_j + \sum_{i<j} \frac{p_i + p_j}{2}",
        "One of two jobs waits for the whole other one, each with probability ½.",
        test=lambda: first_wrong(
            lambda sizes: _mean_over_orders(sizes) == pairs_total(sizes, lambda a, b: Fraction(a + b, 2))
        ),
        tested=f"{SMALL}, the mean over all orders",
    )
    proof.therefore(
        r"\frac{\sum_{i,j} \frac12(p_i+p_j)}{\sum_{i,j} \min(p_i,p_j)} = \frac{1 + \int F}{1 + \int F^2} \quad (\ell = 1)",
        "both totals are half the sum over all i and j, and half the sum of the sizes, which is the same; F(t) is the share of jobs "
        "longer than t, 1 < t < r², and min(x, y) = ∫ 1[t < x] 1[t < y] dt.",
        name="shares",
    )
    proof.identity(
        "with m = ∫F and ∫F² ≥ m²/(r² − 1) (the mean of a square is at least the square of the mean) the gap is a square",
        value * (1 + m**2 / (r**2 - 1)) - (1 + m),
        (m - (r - 1)) ** 2 / (2 * (r - 1)),
    )
    proof.identity(
        "a share w = 1/(1 + r) of size r², all else of size 1, reaches it",
        ((1 + (r**2 - 1) * w) / (1 + (r**2 - 1) * w**2)).subs(w, 1 / (1 + r)),
        value,
    )
    return proof.therefore(
        r"\sup \frac{E \sum C_j}{\mathrm{OPT}} = \frac{1 + \sqrt{u/\ell}}{2}",
        "what both totals have in common, half the sum of the sizes, lowers a ratio above 1, and not its limit",
    ).qed()
