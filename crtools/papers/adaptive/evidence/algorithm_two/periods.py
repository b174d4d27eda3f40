"""In which period Algorithm 2 completes requests: none in period o > l, and all in period l where the long ones fit."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

from crtools.ledger.deciders.search import Found, Small, first
from crtools.ledger.evidence import Measured, Open, Refuted
from crtools.papers.adaptive.evidence.algorithm_two.kept_starts import ARGUMENT, FAMILY, PLACES, STAYS, members
from crtools.papers.adaptive.evidence.algorithm_two.measured import SAMPLES, counted, exact_value
from crtools.papers.adaptive.literal.ties import Endless, expectations

POINTS = tuple({"s": s, "l": 1, "i": j, "j": j} for s in (1, 2, 5) for j in (2, 3, 4, 5))

NEVER = (
    "$õ$ starts at $l$ and becomes $max(õ, a)$ when a start is cancelled with $a$ tokens; an unfinished request has $a ≤ o − 1$, so "
    "$õ ≤ max(l, o − 1)$ always: no request of length $j > l$ is ever started with the bound $j$, and $c_jj = b_jj = 0$"
)


def last_period(later: ast.expr) -> Refuted | Measured:
    """Decide E[c_jj] = later · x_j n for j > l: Algorithm 2 completes nothing there."""
    rows = ((point, exact_value(later, point)) for point in POINTS)
    wrong = next(((point, value) for point, value in rows if value != 0), None)
    simulated = nothing_at_the_end()
    if wrong is None:
        return Measured(True, f"0 at {len(POINTS)} points, as in every run", "none: exact", {"simulated": simulated})
    point, claimed = wrong
    smallest = _smallest(later)
    return Refuted(
        witness={**point, "where": "every instance of Algorithm 2 with $x_j > 0$, $j > l$", "argument": NEVER},
        claimed="undefined" if claimed is None else f"$E[c_jj] = {claimed} x_j n$",
        actual="0, in every run",
        second=[smallest.as_json() | (smallest.hit or {}), *simulated],
        stays="it holds for all $s$, $l$, $u$, $n$, $M$ and $x$, in whatever order $n$ and $M$ grow",
    )


def first_period(share: ast.expr) -> Refuted | Open:
    """Decide E[c_lj] = share · x_j n: the family of few long requests, in which all of length u complete in period l."""
    for s, u in PLACES:
        claimed = exact_value(share, {"s": s, "l": 1, "j": u})
        if claimed != 1:
            return Refuted(
                witness={"family": FAMILY, "s": s, "u": u, "argument": ARGUMENT},
                claimed="undefined" if claimed is None else f"$E[c_1u] = {claimed} x_u n$",
                actual="$c_1u = x_u n$, in every run",
                second=members(s, u),
                stays=STAYS,
            )
    return Open("the family of few long requests, where $c_1u = x_u n$")


@lru_cache(maxsize=1)
def nothing_at_the_end() -> list[dict[str, Any]]:
    """Count, over the samples, the starts of Algorithm 2 with bound i = j > l: there are none."""
    rows: list[dict[str, Any]] = []
    for sample in SAMPLES:
        b = counted("a-min-literal", sample).pooled("started")
        rows.append(
            {**sample.as_json(), "starts_in_their_own_period": int(b.diagonal()[1:].sum()), "starts": int(b.sum())}
        )
    if any(row["starts_in_their_own_period"] for row in rows):
        raise AssertionError("a request was started with a bound that it cannot get")
    return rows


def _smallest(later: ast.expr) -> Found:
    def check(row: Small) -> Any:
        low = min(row.lengths)
        try:
            found = expectations(row.lengths, row.s, row.memory, low)
        except Endless:
            return None
        for j in sorted(set(row.lengths)):
            if found.completed.get((j, j)) and j > low:
                raise AssertionError("a request completed in a period that it cannot be in")
            if j > low and exact_value(later, {"s": row.s, "l": low, "i": j, "j": j}) != 0:
                cells = {f"E_c_{a}{b}": str(c) for (a, b), c in sorted(found.completed.items()) if b == j}
                return {"l": low, "j": j, **cells, f"E_c_{j}{j}": "0"}
        return None

    return first(3, 3, (1,), check, fewest=2)
