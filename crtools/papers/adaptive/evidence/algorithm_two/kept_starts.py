"""Algorithm 2 keeps starts that Lemma 1 deletes: where the long requests all fit, none of them is ever cancelled."""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import lru_cache
from typing import Any

from crtools.ledger.agree import agree
from crtools.ledger.deciders.search import Found, Small, first
from crtools.ledger.evidence import Open, Refuted
from crtools.papers.adaptive.evidence.algorithm_two.measured import exact_value
from crtools.papers.adaptive.literal.ties import Endless, expectations
from crtools.papers.adaptive.policies.transitions import Counts
from crtools.process import simulate

PLACES = tuple((s, u) for s in (1, 2, 5) for u in (2, 3, 5))
"""Settings (s, u), l = 1, of the family."""

FAMILY = "$l = 1$ and any $s, u, M, n$: $m$ requests of length $u$ with $m(s+u) ≤ M$, $n − m$ of length 1"

ARGUMENT = (
    "at each instant the requests of length 1 complete before memory is looked at, so that those left running are of "
    "length $u$ and need at most $m(s+u) ≤ M$: no start is ever cancelled, and $b_1u = c_1u = m$"
)

STAYS = (
    "$α = 1/u < 1$ and $s$ are fixed; $n → ∞$ at any $M$, and $m = ⌊M/(s+u)⌋ → ∞$ as $M → ∞$; with $n = 2M$ the share of "
    "length $u$ stays at $1/(2(s+u))$ while memory is short. At shares that do not change with $n$ and $M$ the ratio tends "
    "to 1 as well in simulations"
)


def members(s: int, u: int) -> list[dict[str, Any]]:
    """Return a small and a large member of the family, each counted."""
    return [few_long(s, u, memory, n) for memory, n in ((2 * (s + u), 8), (40 * (s + u), 10_000))]


def few_long(s: int, u: int, memory: int, n: int) -> dict[str, Any]:
    """Count one member of the family with m = ⌊M/(s+u)⌋ by the simulator, and up to n = 8 by exact enumeration too."""
    m = memory // (s + u)
    lengths = [1] * (n - m) + [u] * m
    counts = Counts.of(simulate("a-min-literal", lengths, memory, s, 1, u, seed=0, history=True))
    started, completed = int(counts.started[0, u - 1]), int(counts.completed[0, u - 1])
    row: dict[str, Any] = {
        "s": s, "u": u, "M": memory, "n": n, "m": m,
        "b_1u": started, "requests_that_start": int(counts.entered[0, u - 1]), "c_1u": completed,
    }  # fmt: skip
    if n <= 8:
        exact = expectations(lengths, s, memory)
        agree((started, completed), (exact.started[1, u], exact.completed[1, u]), "the transitions of a member")
        row["by_enumeration"] = {"E_b_1u": str(exact.started[1, u]), "E_c_1u": str(exact.completed[1, u])}
    agree((m, m), (started, completed), "what the family's argument says")
    return row


def completes(tree: ast.expr) -> Refuted | Open:
    """Decide E[c_ij | b_ij] = f(s, i, j) b_ij of Algorithm 2: two families with i = l = 1 that no formula meets at once."""
    wrong = next(((s, u) for s, u in PLACES if exact_value(tree, {"s": s, "i": 1, "j": u}) != 1), None)
    if wrong is None:
        return _all_alike(tree)
    s, u = wrong
    claimed = exact_value(tree, {"s": s, "i": 1, "j": u})
    smallest = _smallest(tree)
    return Refuted(
        witness={"family": FAMILY, "s": s, "u": u, "argument": ARGUMENT},
        claimed="undefined" if claimed is None else str(claimed),
        actual="1, in every run",
        second=members(s, u),
        stays=STAYS,
        values={
            "smallest_instance": smallest.as_json() | (smallest.hit or {}),
            "at_fixed_shares": fixed_shares(),
            "all_of_length_two": alike(1),
        },
    )


def _all_alike(tree: ast.expr) -> Refuted | Open:
    """Decide a formula that is 1 at i = 1: equal lengths, where it is (s+1)/(s+2) in the limit."""
    for s in (1, 2, 5):
        claimed = exact_value(tree, {"s": s, "i": 1, "j": 2})
        if claimed != Fraction(s + 1, s + 2):
            found = alike(s)
            witness = {"family": found["family"], "s": s, "limit": "$n → ∞$"}
            actual = f"$→ {found['limit_of_c_12_over_b_12']}$: of $(s+2)r$ starts at an instant $(s+1)r$ are kept"
            return Refuted(witness, str(claimed), actual, found["members"], "$n → ∞$ at every $r$, and $r → ∞$")
    return Open("two families with $i = l = 1$")


def alike(s: int) -> dict[str, Any]:
    """The family in which all have length 2 and l = 1: of (s+2)r starts at an instant exactly (s+1)r complete."""
    rows: list[dict[str, Any]] = []
    for r, cycles in ((1, 2), (10, 50)):
        memory, n = (s + 1) * (s + 2) * r, (s + 1) * r * cycles
        counts = Counts.of(simulate("a-min-literal", [2] * n, memory, s, 1, 2, seed=0, history=True))
        row = {"M": memory, "n": n, "b_12": int(counts.started[0, 1]), "c_12": int(counts.completed[0, 1])}
        if n <= 6:
            exact = expectations([2] * n, s, memory)
            agree(
                (row["b_12"], row["c_12"]), (exact.started[1, 2], exact.completed[1, 2]), "transitions of equal lengths"
            )
        rows.append(row)
    return {
        "family": "$l = 1$, all $o = u = 2$, $M = (s+1)(s+2)r$: the one case found where Lemma 1's fraction is met",
        "s": s,
        "limit_of_c_12_over_b_12": str(Fraction(s + 1, s + 2)),
        "members": rows,
    }


def _smallest(tree: ast.expr) -> Found:
    """Search for the smallest instance that contradicts the formula in both readings of b_ij."""

    def check(row: Small) -> Any:
        try:
            found = expectations(row.lengths, row.s, row.memory, min(row.lengths))
        except Endless:
            return None
        for (bound, length), b in found.started.items():
            share = exact_value(tree, {"s": row.s, "i": bound, "j": length})
            c = found.completed[bound, length]
            entered = found.entered[bound, length]
            if b and (share is None or (c != share * b and c != share * entered)):
                cell = {"i": bound, "j": length, "claimed_share": "undefined" if share is None else str(share)}
                return {**cell, "E_b_ij": str(b), "E_requests_that_start": str(entered), "E_c_ij": str(c)}
        return None

    return first(3, 3, (1,), check, fewest=2)


@lru_cache(maxsize=1)
def fixed_shares() -> list[dict[str, Any]]:
    """Simulated c/b at shares that do not change with n and M: it tends to 1, not to (s+1)/(s+2)."""
    rows: list[dict[str, Any]] = []
    for memory, n in ((60, 6_000), (600, 60_000)):
        counts = Counts.of(simulate("a-min-literal", [1, 2] * (n // 2), memory, 1, 1, 2, seed=0, history=True))
        ratio = float(counts.completed[0, 1] / counts.started[0, 1])
        rows.append(
            {"shares": "half of length 1, half of length 2", "s": 1, "M": memory, "n": n, "c_12_over_b_12": ratio}
        )
    return rows
