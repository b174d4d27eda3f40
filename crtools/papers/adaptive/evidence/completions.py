"""Which starts of Algorithm 2 complete: evidence for lem-deletion, update-distribution and prop-transition.

Where needs shrink with age, memory is full, the shares of all lengths are fixed, and hardly any start is cancelled: nearly all
complete. A small family with the same limit, few long requests that all fit, is decided exactly through all ties. No start with
the bound of its own length completes. Measured transitions are compared with claimed ratios, with a stated margin.
"""

import ast
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import inf
from typing import Literal, NamedTuple

from crtools.ledger import Measured, Open, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.deciders.formulas import Point
from crtools.ledger.deciders.measured import measured
from crtools.ledger.deciders.search import SmallInstance, first_hit
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.algorithm_two import areas, in_shares, shrinking
from crtools.papers.adaptive.evidence.reading import exact_value, with_measurements
from crtools.papers.adaptive.literal.ties import Expected, expectations
from crtools.papers.adaptive.policies.transitions import Counts, Transitions, transitions
from crtools.papers.adaptive.theory import TEXT
from crtools.process import simulate
from crtools.signs.numbers import Exact

POINTS = tuple({"s": s, "l": 1, "i": j, "j": j} for s in (1, 2, 5) for j in (2, 3, 4, 5))

NEVER = (
    "$õ$ starts at $l$ and becomes $max(õ, a)$ when a start is cancelled with $a$ tokens; an unfinished request has $a ≤ o − 1$, so "
    "$õ ≤ max(l, o − 1)$ always: no request of length $j > l$ is ever started with the bound $j$, and $c_jj = b_jj = 0$"
)

PLACES = tuple((s, u) for s in (1, 2, 5) for u in (2, 3, 5))
"""Settings (s, u), l = 1, of the family of few long requests."""

FAMILY = "$l = 1$ and any $s, u, M, n$: $m$ requests of length $u$ with $m(s+u) ≤ M$, $n − m$ of length 1"

ARGUMENT = (
    "at each instant the requests of length 1 complete before memory is looked at, so that those left running are of "
    "length $u$ and need at most $m(s+u) ≤ M$: no start is ever cancelled, and $b_1u = c_1u = m = x_u n$"
)

STAYS = (
    "$α = 1/u < 1$ and $s$ are fixed; $n → ∞$ at any $M$, and $m = ⌊M/(s+u)⌋ → ∞$ as $M → ∞$; with $n = 2M$ the share of "
    "length $u$ stays at $1/(2(s+u))$ while memory is short"
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


def _nearly_all_complete(share: Callable[[int, int], Exact | None]) -> Refuted | None:
    """Refute a share of the starts of length j, at s and with the bound l = 1, by the theorem, unless it is 1 at every place."""
    theorem = TEXT.theorem("Algorithm 2 by areas, the first period")
    cases = ((s, u, r, j) for s, u, r in LAWS for j in (u, *range(2, u)))
    wrong = next((case for case in cases if share(case[0], case[3]) != 1), None)
    if wrong is None or not theorem.holds:
        return None
    s, u, r, j = wrong
    areas(shrinking(s, u, r), s)  # checks that the needs shrink
    claimed = share(s, j)
    return Refuted(
        witness={"family": REGIME, "s": s, "u": u, "r": str(r), "length_j": j, "counted": COUNTED},
        claimed="undefined" if claimed is None else str(claimed),
        actual="$→ 1$",
        second=[
            saturated(s, u, r, 1000, 60_000),
            saturated(1, 30, Fraction(29, 30), 2000, 80_000),
            few_long(s, 2, 2 * (s + 2), 8),
        ],
        stays="the law is fixed, and with it the shares of all lengths, $s$ and $α = 1/u < 1$; $n → ∞$ at every $M$, then $M → ∞$",
        theorems=theorem.records,
    )


@lru_cache(maxsize=8)
def saturated(s: int, u: int, r: Fraction, memory: int, n: int) -> JsonObject:
    """Run Algorithm 2 on lengths in the shares of a law, and count b_1j, the requests that start, and c_1j of three lengths."""
    lengths = in_shares(shrinking(s, u, r), n)
    run = simulate("a-min-literal", lengths, memory, s, 1, u, seed=0, engine="fast", history=True)
    counts = Counts.of(run)
    b, entered, c = (cells[0] for cells in (counts.started, counts.entered, counts.completed))
    rows = [
        {"length": j, "b_1j": int(b[j - 1]), "requests_that_start": int(entered[j - 1]), "c_1j": int(c[j - 1])}
        for j in dict.fromkeys((2, u // 2, u))
    ]
    law = {"s": s, "u": u, "r": str(r)}
    return {**law, "M": memory, "n": len(lengths), "cancelled": run.cancellations, "by_length": rows}


def few_long(s: int, u: int, memory: int, n: int) -> JsonObject:
    """Count one member of the family with m = ⌊M/(s+u)⌋ by the simulator, and up to n = 8 by exact enumeration too."""
    m = memory // (s + u)
    lengths = [1] * (n - m) + [u] * m
    counts = Counts.of(simulate("a-min-literal", lengths, memory, s, 1, u, seed=0, history=True))
    b, entered, c = (int(cells[0, u - 1]) for cells in (counts.started, counts.entered, counts.completed))
    agree([m, m, m], [b, entered, c], "what the family's argument says")
    row: JsonObject = {
        "s": s, "u": u, "M": memory, "n": n, "m": m, "b_1u": b, "requests_that_start": entered, "c_1u": c,
    }  # fmt: skip
    if n <= 8:
        exact = expectations(lengths, s, memory)
        agree((b, c), (exact.started[1, u], exact.completed[1, u]), "the transitions of a member")
        row["by_enumeration"] = {"E_b_1u": str(exact.started[1, u]), "E_c_1u": str(exact.completed[1, u])}
    return row


def _all_complete(share: Callable[[int, int], Exact | None]) -> Refuted | None:
    """Refute a share of the starts of length j, at s and with the bound l = 1, unless it is 1 at every point tried."""
    return _nearly_all_complete(share) or _all_of_few_long(share)


def _all_of_few_long(share: Callable[[int, int], Exact | None]) -> Refuted | None:
    """Refute a share of the starts of length u, at s and with the bound l = 1, unless it is 1 at every place."""
    wrong = next(((s, u) for s, u in PLACES if share(s, u) != 1), None)
    if wrong is None:
        return None
    (s, u), claimed = wrong, share(*wrong)
    return Refuted(
        witness={"family": FAMILY, "s": s, "u": u, "argument": ARGUMENT},
        claimed="undefined" if claimed is None else str(claimed),
        actual="1, in every run",
        second=[few_long(s, u, memory, n) for memory, n in ((2 * (s + u), 8), (40 * (s + u), 10_000))],
        stays=STAYS,
    )


def completes(tree: ast.expr) -> Refuted:
    """Decide E[c_ij | b_ij] = f(s, i, j) b_ij of Algorithm 2: families with i = l = 1 that no formula meets at once."""
    refuted = _all_complete(lambda s, u: exact_value(tree, {"s": s, "i": 1, "j": u}))
    if refuted is None:
        return _all_alike()
    return with_measurements(refuted, at_fixed_shares=survival_of("a-min-literal", tree))


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
    """Decide E[c_lj] = share · x_j n: where needs shrink, and for few long requests, all complete in period l."""
    refuted = _all_complete(lambda s, j: exact_value(share, {"s": s, "l": 1, "j": j}))
    return refuted or Open("laws whose needs shrink, and few long requests, where $c_1j = x_j n$")


# ---- the last period -------------------------------------------------------------------------------------------------


def last_period(later: ast.expr) -> Refuted | Measured:
    """Decide E[c_jj] = later · x_j n for j > l: Algorithm 2 completes nothing there."""
    rows = ((point, exact_value(later, point)) for point in POINTS)
    wrong = next(((point, value) for point, value in rows if value != 0), None)
    if wrong is None:
        return Measured(True, f"0 at {len(POINTS)} points, as in every run", "none: exact", {"argument": NEVER})
    point, claimed = wrong

    def look(row: SmallInstance, example: Expected) -> JsonObject | None:
        low = min(row.lengths)
        for j in sorted(set(row.lengths) - {low}):
            if example.completed.get((j, j)):
                raise AssertionError("a request completed in a period that it cannot be in")
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

Kind = Literal["survival", "share"]


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


def compared(policy: str, kind: Kind, claimed: Callable[[Point], Exact | None]) -> Measured | Open:
    """Compare c_ij / b_ij (``survival``) or c_ij / (x_j n) (``share``) with ``claimed`` at s, l, i ≤ j.

    One whose standard errors reach into the margin leaves it open.
    """
    rows: list[tuple[float, float, JsonObject]] = []
    for sample in SAMPLES:
        counts = counted(policy, sample)
        b, of_length = counts.pooled("started"), counts.pooled("of_length")
        for i, j in combinations_with_replacement(range(counts.l, counts.u + 1), 2):
            weight = b[i - counts.l, j - counts.l] if kind == "survival" else of_length[j - counts.l]
            mean = counts.survival(i, j) if kind == "survival" else counts.share(i, j)
            if weight < FEWEST_STARTS or mean is None:
                continue
            right, error = claimed({"s": sample.s, "l": counts.l, "i": i, "j": j}), mean.standard_error or 0.0
            gap = inf if right is None or abs(right) > 10**6 else abs(mean.mean - float(right))
            claimed_text = "undefined" if right is None else str(right)
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
    return compared(policy, "survival", lambda point: exact_value(tree, point))
