"""Which starts complete, and with which bounds: under the coins of the cohort rule, and under Algorithm 2.

The coins: at every age a ≥ õ a start is cancelled with probability 1/(s+a+1) and gets the bound a + 1. Each quantity is computed
exactly and by two routes: who is spared, who gets a new bound, who completes when. The theorems are in the text: survival, update,
recursion.

Algorithm 2: where needs shrink with age, memory is full, the shares of all lengths are fixed, and hardly any start is cancelled:
nearly all complete. Few long requests that all fit have the same limit, and a small instance is decided through all ties. No
start with the bound of its own length completes. Measured transitions are compared with claimed ratios, with a stated margin.

Used by lem-deletion, update-distribution and prop-transition.
"""

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import inf, prod
from typing import Literal, NamedTuple

import numpy as np
import sympy as sp

from crtools.ledger import Evidence, Measured, Open, Refuted, by_theorem
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.measured import measured
from crtools.ledger.deciders.search import SmallInstance, first_hit
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence.algorithm_two import areas, in_shares, shrinking
from crtools.papers.adaptive.evidence.reading import exact_value, with_measurements
from crtools.papers.adaptive.literal.ties import Expected, expectations
from crtools.papers.adaptive.policies.transitions import Counts, Transitions, transitions
from crtools.papers.adaptive.theory import TEXT
from crtools.process import simulate
from crtools.proof import symbols as sym
from crtools.signs.numbers import Exact

Shares = Mapping[int, Exact]
"""A law on lengths j; without a key the share is 0."""

Rule = Callable[[int, int, int, dict[int, int]], Shares | None]
"""A claimed law at (s, i, k) and b_ij by j; None where it is undefined."""

COIN_POINTS = tuple({"s": s, "i": i, "j": j} for s in (1, 0, 2, 7) for i in range(1, 6) for j in range(i, i + 6))
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
    lost = Fraction(0)
    for age in range(p["i"], p["j"]):
        lost += (1 - lost) / (p["s"] + age + 1)
    return 1 - lost


def spared(tree: ast.expr, expr: SymExpr) -> Evidence:
    """Decide whether a formula in s, i, j is the share of the starts with bound i and length j that every coin spares."""
    what = "the share that every coin spares"
    proof = partial(TEXT.theorem, "survival", F=sp.Lambda((sym.i, sym.j, sym.s), expr))
    return decide_formula(what, proof, tree, COIN_POINTS, survives, survives_by_loss, FURTHER)


# ---- the lengths of those that get a new bound -------------------------------------------------------------------


def coin_law(
    s: int, i: int, k: int, b: dict[int, int], survival: Callable[[Point], Fraction] = survives
) -> Shares | None:
    """Return the law of o given the new bound k: b_ij · P(spared to age k − 1) / (s+k) over the lengths j ≥ k."""
    return in_proportion({j: b[j] * survival({"s": s, "i": i, "j": k - 1}) / (s + k) for j in b if j >= k})


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
            one, two = coin_law(s, i, k, b), coin_law(s, i, k, b, survives_by_loss)
            agree(one, two, "the law of the lengths with a new bound")
            shares = claimed(s, i, k, b)
            if shares is None or {j: p for j, p in shares.items() if p} != one:
                return Refuted({"s": s, "i": i, "k": k, "b": b}, _law_text(shares), _law_text(one), _law_text(two))
            checked += 1
    if sp.sympify(weight) == 0:
        return Open("the weight vanishes")
    relative = weight if sp.sympify(weight).has(sym.j) else sp.S.One  # a factor without j need not be rational
    shares = sp.Lambda((sym.i, sym.j, sym.k, sym.s), relative)
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


def by_periods(trees: dict[str, ast.expr], exprs: dict[str, SymExpr]) -> Evidence:
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
                return Refuted({**point, "i": i}, _text(displayed), str(true), str(two[i - l]))
            checked += 1
    first = sp.Lambda((sym.l, sym.j, sym.s), exprs["first"])
    later = sp.Lambda((sym.i, sym.j, sym.l, sym.s), exprs["later"])
    return by_theorem(TEXT.theorem("recursion", F=first, G=later), values={"points_checked": checked})


def _text(value: Exact | None) -> str:
    return "undefined" if value is None else str(value)


# ---- Algorithm 2 ---------------------------------------------------------------------------------------------------

POINTS = tuple({"s": s, "l": 1, "i": j, "j": j} for s in (1, 2, 5) for j in (2, 3, 4, 5))

NEVER = (
    "$õ$ starts at $l$ and becomes $max(õ, a)$ when a start is cancelled with $a$ tokens; an unfinished request has $a ≤ o − 1$, so "
    "$õ ≤ max(l, o − 1)$ always: no request of length $j > l$ is ever started with the bound $j$, and $c_jj = b_jj = 0$"
)


def smallest(n: int, look: Callable[[SmallInstance, Expected], JsonObject | None], l: int | None = None) -> JsonObject:
    """Return the smallest instance, of at most n requests with o ≤ 3, at which ``look`` returns a counterexample, and that.

    ``look`` gets the instance and the expectations over all draws, with first bounds l (by default the smallest length).
    """

    def check(row: SmallInstance) -> JsonObject | None:
        return look(row, expectations(row.lengths, row.s, row.memory, l or min(row.lengths)))

    search = first_hit(n, 3, (1,), check, fewest=2)
    return search.as_json() | (search.hit or {})


# ---- the first period ------------------------------------------------------------------------------------------------

LAWS = tuple((s, 10, Fraction(9, 10)) for s in (1, 2, 5))
"""Laws (s, u, r) with needs (s+1) r^a at which a share is compared; every length up to u occurs."""

REGIME = (
    "$l = 1$, $n$ independent lengths with $P(o > a) = (s+1)r^a/(s+a+1)$ for $a < u$, so that the needs $(s+1)r^a$ shrink with age; "
    "$n → ∞$ at every $M$, then $M → ∞$"
)

COUNTED = (
    "$b_1j$ counts the requests that start with the bound 1, as all $x_j n$ do, or the starts made with it until all but a share $ε$ "
    "of the requests have started"
)


def _all_complete(share: Callable[[int, int], Exact | None]) -> Refuted | None:
    """Refute a share of the starts of length j, at s and with the bound l = 1, unless it is 1 at every point tried."""
    cases = ((s, u, r, j) for s, u, r in LAWS for j in (u, *range(2, u)))
    wrong = next((case for case in cases if share(case[0], case[3]) != 1), None)
    if wrong is None:
        return None
    s, u, r, j = wrong
    areas(shrinking(s, u, r), s)  # checks that the needs shrink
    return Refuted(
        witness={"family": REGIME, "s": s, "u": u, "r": str(r), "length_j": j, "counted": COUNTED},
        claimed=_text(share(s, j)),
        actual="$→ 1$",
        second=[saturated(s, u, r, 1000, 60_000), saturated(1, 30, Fraction(29, 30), 2000, 80_000), few_long(s)],
        stays="the law is fixed, and with it the shares of all lengths, $s$ and $α = 1/u < 1$; $n → ∞$ at every $M$, then $M → ∞$",
        theorems=TEXT.theorem("Algorithm 2 by areas, the first period").records,
    )


@lru_cache(maxsize=8)
def saturated(s: int, u: int, r: Fraction, memory: int, n: int) -> JsonObject:
    """Run Algorithm 2 on lengths in the shares of a law, and count b_1j, the requests that start, and c_1j of three lengths."""
    lengths = in_shares(shrinking(s, u, r), n)
    run = simulate("a-min-literal", lengths, memory, s, 1, u, seed=0, engine="fast", history=True)
    counts = Counts.of(run)
    columns = {"b_1j": counts.started, "requests_that_start": counts.entered, "c_1j": counts.completed}
    rows = [
        {"length": j, **{name: int(cells[0, j - 1]) for name, cells in columns.items()}}
        for j in dict.fromkeys((2, u // 2, u))
    ]
    law = {"s": s, "u": u, "r": str(r)}
    return {**law, "M": memory, "n": len(lengths), "cancelled": run.cancellations, "by_length": rows}


def few_long(s: int) -> JsonObject:
    """Count two requests of length 2, which fit at once, beside six of length 1: by the simulator and by enumeration."""
    lengths, memory = [1] * 6 + [2] * 2, 2 * (s + 2)
    counts = Counts.of(simulate("a-min-literal", lengths, memory, s, 1, 2, seed=0, history=True))
    b, entered, c = (int(cells[0, 1]) for cells in (counts.started, counts.entered, counts.completed))
    exact = expectations(lengths, s, memory)
    agree([b, entered, c, exact.started[1, 2], exact.completed[1, 2]], [2] * 5, "the transitions of few long requests")
    return {
        "s": s, "u": 2, "M": memory, "n": 8, "m": 2, "b_1u": b, "requests_that_start": entered, "c_1u": c,
        "by_enumeration": {"E_b_1u": str(exact.started[1, 2]), "E_c_1u": str(exact.completed[1, 2])},
    }  # fmt: skip


def completes(tree: ast.expr) -> Refuted:
    """Decide E[c_ij | b_ij] = f(s, i, j) b_ij of Algorithm 2: families with i = l = 1 that no formula meets at once."""
    refuted = _all_complete(lambda s, j: exact_value(tree, {"s": s, "i": 1, "j": j}))
    return with_measurements(refuted, at_fixed_shares=survival_of("a-min-literal", tree)) if refuted else _all_alike()


def _all_alike() -> Refuted:
    """Refute the share 1, at s = 1: where all have length 2 and l = 1, of 3r starts at an instant exactly 2r complete."""
    rows: list[JsonObject] = []
    for memory, n in ((6, 4), (60, 1000)):
        counts = Counts.of(simulate("a-min-literal", [2] * n, memory, 1, 1, 2, seed=0, history=True))
        rows.append({"M": memory, "n": n, "b_12": int(counts.started[0, 1]), "c_12": int(counts.completed[0, 1])})
    exact = expectations([2] * 4, 1, 6)
    by_enumeration = (exact.started[1, 2], exact.completed[1, 2])
    agree((rows[0]["b_12"], rows[0]["c_12"]), by_enumeration, "transitions of equal lengths")
    return Refuted(
        {"family": "$l = 1$, all $o = u = 2$, $M = 6r$", "s": 1, "limit": "$n → ∞$"},
        "1",
        "$→ 2/3$: of $3r$ starts at an instant $2r$ are kept",
        rows,
        "$n → ∞$ at every $r$, and $r → ∞$",
    )


def first_period(share: ast.expr) -> Refuted | Open:
    """Decide E[c_lj] = share · x_j n: where needs shrink, all complete in period l."""
    refuted = _all_complete(lambda s, j: exact_value(share, {"s": s, "l": 1, "j": j}))
    return refuted or Open("laws whose needs shrink, where $c_1j = x_j n$")


# ---- the last period -------------------------------------------------------------------------------------------------


def last_period(later: ast.expr) -> Refuted | Measured:
    """Decide E[c_jj] = later · x_j n for j > l: Algorithm 2 completes nothing there."""
    point = next((point for point in POINTS if exact_value(later, point) != 0), None)
    if point is None:
        return Measured(True, f"0 at {len(POINTS)} points, as in every run", "none: exact", {"argument": NEVER})
    claimed = exact_value(later, point)

    def look(row: SmallInstance, example: Expected) -> JsonObject | None:
        low = min(row.lengths)
        for j in sorted(set(row.lengths) - {low}):
            agree(example.completed.get((j, j), 0), 0, "what completes in its own period")
            if exact_value(later, {"s": row.s, "l": low, "i": j, "j": j}) != 0:
                cells = {f"E_c_{a}{b}": str(c) for (a, b), c in sorted(example.completed.items()) if b == j}
                return {"l": low, "j": j, **cells, f"E_c_{j}{j}": "0"}
        return None

    example = smallest(3, look)
    return Refuted(
        witness={**point, "where": "every instance of Algorithm 2 with $x_j > 0$, $j > l$", "argument": NEVER},
        claimed="undefined" if claimed is None else f"$E[c_jj] = {claimed} x_j n$",
        actual="0, in every run",
        second=[example],
        stays="it holds for all $s$, $l$, $u$, $n$, $M$ and $x$, in whatever order $n$ and $M$ grow",
        values={"smallest": example},
    )


MARGIN = 0.02
"""A ratio in [0, 1] is supported within this distance, and contradicted beyond it plus four standard errors."""

FEWEST_STARTS = 2000
"""Ratios of fewer starts are left out."""


class Sample(NamedTuple):
    """One experiment: a law, a prompt size, M, n, and the seeds 0, …, seeds − 1."""

    law: str
    s: int
    memory: int
    n: int
    seeds: int

    def as_json(self) -> JsonObject:
        """Return the sample as JSON data."""
        return {"law": self.law, "s": self.s, "M": self.memory, "n": self.n, "seeds": f"0, …, {self.seeds - 1}"}


SAMPLES = (
    Sample("uniform(l=1, u=5)", 1, 600, 30_000, 3),
    Sample("uniform(l=3, u=6)", 5, 900, 30_000, 3),
    Sample("two-point(l=2, u=6, weight=1/4)", 0, 600, 30_000, 3),
)


@lru_cache(maxsize=16)
def counted(policy: str, sample: Sample) -> Transitions:
    """Return the transitions of one experiment."""
    return transitions(policy, sample.law, n=sample.n, memory=sample.memory, s=sample.s, seeds=sample.seeds)


def compared(
    policy: str, of: Literal["started", "of_length"], claimed: Callable[[Point], Exact | None]
) -> Measured | Open:
    """Compare c_ij / b_ij (``started``) or c_ij / (x_j n) (``of_length``) with ``claimed`` at s, l, i ≤ j.

    One whose standard errors reach into the margin leaves it open.
    """
    rows: list[tuple[float, float, JsonObject]] = []
    for sample in SAMPLES:
        counts = counted(policy, sample)
        weights = np.broadcast_to(counts.pooled(of), counts.pooled("started").shape)
        for i, j in combinations_with_replacement(range(counts.l, counts.u + 1), 2):
            mean = counts.share(i, j, of)
            if weights[i - counts.l, j - counts.l] < FEWEST_STARTS or mean is None:
                continue
            right, error = claimed({"s": sample.s, "l": counts.l, "i": i, "j": j}), mean.standard_error or 0.0
            gap = inf if right is None or abs(right) > 10**6 else abs(mean.mean - float(right))
            claimed_text = _text(right)
            row = {
                "measured": round(mean.mean, 5), "standard_error": float(f"{error:.2g}"),
                "claimed": claimed_text if len(claimed_text) < 40 else "a long number",
            }  # fmt: skip
            rows.append((gap, error, {**sample.as_json(), "i": i, "j": j, **row}))
    return measured(
        ((gap - 4 * error, gap) for gap, error, _ in rows),
        most=MARGIN,
        sample=f"{len(rows)} ratios of at least {FEWEST_STARTS} requests or starts each, from {len(SAMPLES)} laws",
        margin=f"{MARGIN}, and four standard errors of the seeds beyond it to contradict",
        values={"largest_distance": max(rows, key=lambda row: row[0])[2]},
    )


def survival_of(policy: str, tree: ast.expr) -> Measured | Open:
    """Compare a policy's c_ij / b_ij with a formula in s, i, j."""
    return compared(policy, "started", lambda point: exact_value(tree, point))
