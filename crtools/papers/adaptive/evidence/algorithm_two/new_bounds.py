"""The lengths of the requests that Algorithm 2 cancels, by their new bound: exactly at small instances, and by simulation."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from crtools.ledger.deciders.measured import measured
from crtools.ledger.deciders.search import Small
from crtools.ledger.evidence import Measured, Open, Refuted
from crtools.papers.adaptive.evidence.algorithm_two.coins import Rule, Shares
from crtools.papers.adaptive.evidence.algorithm_two.completions import smallest
from crtools.papers.adaptive.evidence.algorithm_two.measured import LEAST, Sample, counted
from crtools.papers.adaptive.literal.ties import Expected
from crtools.papers.adaptive.policies.transitions import Counts
from crtools.process import simulate

SAMPLES = (
    Sample("mix(1/5*two-point(l=1, u=5, weight=1/2) + 4/5*uniform(l=4, u=7))", 0, 600, 30_000, 3),
    Sample("mix(1/20*uniform(l=1, u=2) + 19/20*uniform(l=6, u=9))", 1, 600, 30_000, 3),
)
"""Laws under which many requests are cancelled, with several lengths left."""

NEAR, FAR = 0.03, 0.05
"""Simulation supports a law that it meets within ``NEAR`` in total variation, and contradicts one beyond ``FAR``."""


def of_algorithm_two(claimed: Rule) -> Refuted | Measured | Open:
    """Decide a law of o given the new bound k for Algorithm 2: refuted where it has o = k, else measured."""
    share = claimed(1, 1, 2, {2: 1, 3: 1})
    if share is not None and not share.get(2):
        return of_policy("a-min-literal", claimed)
    smallest_found = _smallest(claimed)
    return Refuted(
        witness={
            "family": "$l = 1$, $s ≥ 1$, $M = (s+1)(s+2)(s+3)r$, at most $r$ requests of length 2 (at least one), the others of "
            "length 3, $n ≥ (s+2)(s+3)r$",
            "i": 1,
            "k": 2,
            "argument": "a request cancelled with $a$ tokens has $o ≥ a+1$, and $k > i$ makes $k = a$: no request of length $k$ ever "
            "gets $õ = k$. In the family $õ$ does become 2: $(s+2)(s+3)r$ start at 0, $(s+1)(s+3)r$ are kept at 1 and nothing else "
            "fits, and at 2 those of length 3 need at least $((s+1)(s+3) − 1)(s+3)r = M + s(s+3)r$, so that at least $sr$ are "
            "cancelled at age 2",
        },
        claimed="undefined" if share is None else f"$P(o = 2 | õ = 2) = {share.get(2, 0)}$, with $b_12 = b_13$",
        actual="0, in every run",
        second=[smallest_found, member(1, 1, 24), member(1, 20, 480), member(1, 20, 5000)],
        stays="$s$ and $α = 1/3$ are fixed, $r$, $M$ and $n → ∞$, the share of length 2 at a constant up to $r/n$; the argument that "
        "the share is 0 holds in every instance",
        values={"smallest": smallest_found},
    )


def member(s: int, r: int, n: int) -> dict[str, Any]:
    """Count what a member of the family does, by the simulator."""
    memory = (s + 1) * (s + 2) * (s + 3) * r
    run = simulate("a-min-literal", [2] * r + [3] * (n - r), memory, s, 1, 3, seed=0, history=True)
    counts = Counts.of(run)
    got = {int(j): int(c) for i, k, j, c in counts.moves if (i, k) == (1, 2)}
    if 2 in got or not got.get(3):
        raise AssertionError("a member of the family does what it cannot")
    b = {f"b_1{j}": int(counts.started[0, j - 1]) for j in (2, 3)}
    return {"s": s, "M": memory, "n": n, "r": r, **b, "cancelled_with_new_bound_2": {str(j): v for j, v in got.items()}}


def _smallest(claimed: Rule) -> dict[str, Any]:
    def look(row: Small, found: Expected) -> Any:
        for i, k in sorted({(i, k) for i, k, _ in found.moves if k > i}):
            b = {j: int(found.started[i, j] * 10**6) for j in set(row.lengths) if found.started[i, j]}
            shares = claimed(row.s, i, k, b)
            if k in b and (shares is None or shares.get(k)) and not found.moves.get((i, k, k)):
                got = {str(j): str(p) for (a, c, j), p in found.moves.items() if (a, c) == (i, k)}
                return {"i": i, "k": k, "E_cancelled_with_new_bound_k": got, "b_ik": str(found.started[i, k])}
        return None

    return smallest(4, look, l=1)


def of_policy(policy: str, claimed: Rule) -> Measured | Open:
    """Compare a law with the lengths of those that a policy cancels with a new bound, by simulation."""
    rows: list[tuple[float, dict[str, Any]]] = []
    for sample in SAMPLES:
        found = counted(policy, sample)
        for i, k in combinations(range(found.l, found.u + 1), 2):
            got, b = ({j: int(x) for j, x in enumerate(row, start=found.l) if x} for row in found.updated(i, k))
            if (cancelled := sum(got.values())) >= LEAST:
                gap = _distance(claimed(sample.s, i, k, b), got, set(got) | set(b))
                rows.append((gap, {**sample.as_json(), "i": i, "k": k, "cancelled": cancelled}))
    worst, where = max(rows, key=lambda row: row[0])
    return measured(
        ((gap - (FAR - NEAR), gap) for gap, _ in rows),
        most=NEAR,
        sample=f"{len(rows)} laws of at least {LEAST} cancelled requests",
        margin=f"total variation: supported up to {NEAR}, contradicted above {FAR}",
        values={"policy": policy, "largest_distance": {**where, "total_variation": round(worst, 5)}},
    )


def _distance(shares: Shares | None, got: dict[int, int], lengths: set[int]) -> float:
    """Return the total variation between a law and counts; 1 where there is no law."""
    if shares is None:
        return 1.0
    total = sum(got.values())
    return sum(abs(got.get(j, 0) / total - float(shares.get(j, 0))) for j in lengths) / 2
