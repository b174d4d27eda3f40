"""update-distribution: the true lengths of the cancelled requests, given their new bound."""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import Found, Small, first
from crtools.ledger.result import Decision, Part, Proof, Repair, Status, Verdict, from_theorem
from crtools.papers.adaptive.claims.section_4.deletion import COINS, LITERAL, MEASURED, survives, survives_by_loss
from crtools.papers.adaptive.evidence.measured import Sample, counted, decidable, exact_value, outcome
from crtools.papers.adaptive.evidence.reading import PROCESS
from crtools.papers.adaptive.literal.lower_bounds import Endless, expectations
from crtools.papers.adaptive.theorems.process import cohort
from crtools.process import simulate
from crtools.process.transitions import Counts
from crtools.proof import symbols as sym

OWN = f"{LITERAL}: the display of P_i(o = j | õ = k)"

Shares = dict[int, Fraction]
"""A law on lengths j; without a key the share is 0."""

Rule = Callable[[int, int, int, dict[int, int]], Shares | None]
"""The claimed law at (s, i, k) and b_ij by j; None where it is undefined."""

SAMPLES = (
    Sample("mix(1/5*two-point(l=1, u=5, weight=1/2) + 4/5*uniform(l=4, u=7))", 0, 600, 30_000, 3),
    Sample("mix(1/20*uniform(l=1, u=2) + 19/20*uniform(l=6, u=9))", 1, 600, 30_000, 3),
)
"""Laws under which many requests are cancelled, with several lengths left."""

LEAST = 2000
NEAR, FAR = 0.03, 0.05
"""Simulation supports a law that it meets within ``NEAR`` in total variation, and contradicts one beyond ``FAR``."""

POINTS = tuple((s, i, k) for s in (1, 0, 2, 7) for i in range(1, 5) for k in range(i + 1, i + 5))
PATTERNS: tuple[Callable[[int], int], ...] = (lambda j: 1, lambda j: j, lambda j: 1 + j % 3)
BEYOND = 5
"""Lengths up to k + BEYOND are looked at."""


def decide(given: Given) -> Decision:
    """Decide P_i(o = j | õ = k) ∝ weight · b_ij over j ≥ lowest, for Algorithm 2 and for the coins."""
    weight, weight_expr = formula_on(
        "weight", given["weight"], {x: getattr(sym, x) for x in "sijk"}, integers_from(s=0, i=1, k="i", j="k")
    )
    lowest, lowest_expr = formula_on("lowest", given["lowest"], {"i": sym.i, "k": sym.k}, integers_from(i=1, k="i"))

    def claimed(s: int, i: int, k: int, b: dict[int, int]) -> Shares | None:
        start = exact_value(lowest, {"i": i, "k": k})
        if start is None:
            return None
        parts = {j: exact_value(weight, {"s": s, "i": i, "j": j, "k": k}) for j in b if j >= start}
        if any(w is None for w in parts.values()):
            return None
        whole = {j: w * b[j] for j, w in parts.items() if w is not None}
        total = sum(whole.values(), Fraction(0))
        return {j: w / total for j, w in whole.items()} if total else None

    literal = decidable(OWN, lambda: _literal(claimed))
    coins = decidable(COINS, lambda: _coins(claimed, weight, weight_expr, lowest_expr))
    measured = decidable(MEASURED, lambda: _measured(MEASURED, "a-min-cohort", claimed))
    proof = (
        Proof(
            "false-step",
            "“its true output length must satisfy o ≥ õ”, where õ is the number of tokens generated: an unfinished request has "
            "o > õ, so that o = k does not occur; with t ≥ k + 1 simulation agrees, and with õ := tokens + 1, as the cohort rule "
            "has it, the display is right",
        )
        if literal.status == "refuted"
        else Proof("not-examined")
    )
    return Decision(
        (
            Verdict(
                "as-stated",
                "Algorithm 2 to the letter (õ := tokens generated), all n, M, s ≥ 1 and k > i; P_i is over the cancelled starts with "
                f"bound i that get the new bound k, where there may be some, and b_ij > 0; {PROCESS}",
                "an argument for every run, exact enumeration of the ties at small instances, simulation",
                (literal,),
                outcome(literal),
                degenerate=("k = i = l, where õ does not rise: the display speaks of requests with a new bound",),
            ),
            Verdict(
                "where-argued",
                "the cohort rule of docs/model.md, õ := age + 1 when a coin cancels: the coins alone, for all s ≥ 0 and k > i ≥ 1 and "
                "all b; then the process with its overflow, at the stated sizes",
                "the survival product and Bayes' rule, step by step; simulation",
                (coins, measured),
                outcome(coins, measured),
            ),
        ),
        proof,
        (_repair(),) if literal.status == "refuted" else (),
    )


def _repair() -> Repair:
    sentence = (
        "with the coins of the cohort rule alone, which give a start that they cancel at age a the bound a + 1, for all s ≥ 0 and "
        "k > i ≥ 1: P_i(o = j | õ = k) = b_ij / Σ_{t≥k} b_it"
    )
    return Repair(sentence, (from_theorem(COINS, cohort.preserved(1, sym.k)),))


def _literal(claimed: Rule) -> Part:
    share = claimed(1, 1, 2, {2: 1, 3: 1})
    if share is not None and not share.get(2):
        return _measured(OWN, "a-min-literal", claimed)
    smallest = _smallest(claimed)
    evidence: dict[str, Any] = {
        "counterexample": {
            "family": "l = 1, s ≥ 1, M = (s+1)(s+2)(s+3) r, at most r requests of length 2 (at least one), the others of length 3, "
            "n ≥ (s+2)(s+3) r",
            "i": 1,
            "k": 2,
            "claimed P(o = 2 | õ = 2), with b_12 = b_13": "undefined" if share is None else str(share.get(2, 0)),
            "actual": "0, in every run",
            "argument": "a request cancelled with a tokens has o ≥ a + 1, and k > i makes k = a: no request of length k ever gets "
            "õ = k. In the family it happens that õ becomes 2: (s+2)(s+3)r start at 0, (s+1)(s+3)r are kept at 1 and nothing else "
            "fits, and at 2 those of length 3 need at least ((s+1)(s+3) − 1)(s+3) r = M + s(s+3) r, so that at least s·r are cancelled "
            "at age 2",
            "why it stays": "s and α = 1/3 are fixed, r, M and n → ∞, the share of length 2 at a constant up to r/n; the argument "
            "that the share is 0 holds in every instance",
        },
        "members": [member(1, 1, 24), member(1, 20, 480), member(1, 20, 5000)],
        "smallest": smallest.as_json() | (smallest.hit or {}),
        "second computation": "exact enumeration of all ties at the smallest instance, the simulator at the members",
    }
    return Part(OWN, "refuted", evidence)


def member(s: int, r: int, n: int) -> dict[str, Any]:
    """Count what a member of the family does, by the simulator."""
    memory = (s + 1) * (s + 2) * (s + 3) * r
    run = simulate("a-min-literal", [2] * r + [3] * (n - r), memory, s, 1, 3, seed=0, history=True)
    counts = Counts.of(run)
    got = {int(j): int(c) for i, k, j, c in counts.moves if (i, k) == (1, 2)}
    if 2 in got or not got.get(3):
        raise AssertionError("a member of the family does what it cannot")
    b = {f"b_1{j}": int(counts.started[0, j - 1]) for j in (2, 3)}
    return {
        "s": s,
        "M": memory,
        "n": n,
        "r": r,
        **b,
        "cancelled with õ = 2, by length": {str(j): v for j, v in got.items()},
    }


def _smallest(claimed: Rule) -> Found:
    def check(row: Small) -> Any:
        try:
            found = expectations(row.lengths, row.s, row.memory, 1)
        except Endless:
            return None
        for i, k in sorted({(i, k) for i, k, _ in found.moves if k > i}):
            b = {j: int(found.started[i, j] * 10**6) for j in set(row.lengths) if found.started[i, j]}
            shares = claimed(row.s, i, k, b)
            if k in b and (shares is None or shares.get(k)) and not found.moves.get((i, k, k)):
                got = {str(j): str(p) for (a, c, j), p in found.moves.items() if (a, c) == (i, k)}
                return {"i": i, "k": k, "E cancelled with õ = k, by length": got, "b_ik": str(found.started[i, k])}
        return None

    return first(4, 3, (1,), check, fewest=2)


def coin_law(s: int, i: int, k: int, b: dict[int, int], *, other: bool = False) -> Shares:
    """Return the true law of the coins: b_ij · P(spared to age k − 1) / (s+k) over the lengths j ≥ k."""
    spared = survives_by_loss if other else survives
    weights = {j: b[j] * spared({"s": s, "i": i, "j": k - 1}) / (s + k) for j in b if j >= k}
    total = sum(weights.values(), Fraction(0))
    return {j: w / total for j, w in weights.items()}


def _coins(claimed: Rule, tree: ast.expr, weight: Any, lowest: Any) -> Part:
    checked = 0
    for s_, i_, k_ in POINTS:
        for pattern in PATTERNS:
            b = {j: pattern(j) for j in range(max(i_, k_ - 3), k_ + BEYOND)}
            one, two = coin_law(s_, i_, k_, b), coin_law(s_, i_, k_, b, other=True)
            if one != two:
                raise AssertionError("two computations of a law differ")
            shares = claimed(s_, i_, k_, b)
            if shares is None or {j: p for j, p in shares.items() if p} != one:
                evidence = {
                    "counterexample": {"s": s_, "i": i_, "k": k_, "b": b},
                    "claimed": "undefined" if shares is None else {j: str(p) for j, p in shares.items()},
                    "actual": {j: str(p) for j, p in one.items()},
                    "second computation": {j: str(p) for j, p in two.items()},
                }
                return Part(COINS, "refuted", evidence)
            checked += 1
    if sp.sympify(weight) == 0:
        return Part(COINS, "inconclusive", {"tried": "the weight vanishes"})
    return from_theorem(COINS, cohort.preserved(weight, lowest), **{"points checked": checked})


def _measured(name: str, policy: str, claimed: Rule) -> Part:
    distances: list[tuple[float, dict[str, Any]]] = []
    for sample in SAMPLES:
        for (i, k), got, b in _moved(policy, sample):
            shares = claimed(sample.s, i, k, b)
            total = sum(got.values())
            every = set(got) | set(b)
            gap = (
                1.0 if shares is None else sum(abs(got.get(j, 0) / total - float(shares.get(j, 0))) for j in every) / 2
            )
            distances.append((gap, {**sample.as_json(), "i": i, "k": k, "cancelled": total}))
    worst = max(distances, key=lambda row: row[0])
    status: Status = "contradicted" if worst[0] > FAR else "supported" if worst[0] <= NEAR else "inconclusive"
    evidence = {
        "policy": policy,
        "laws compared": len(distances),
        "margin": f"total variation: supported up to {NEAR}, contradicted above {FAR}",
        "largest distance": {**worst[1], "total variation": round(worst[0], 5)},
    }
    return Part(name, status, evidence)


@lru_cache(maxsize=8)
def _moved(policy: str, sample: Sample) -> tuple[tuple[tuple[int, int], dict[int, int], dict[int, int]], ...]:
    """Return ((i, k), cancelled by length, b_ij by length) for every k > i with many cancellations."""
    found = counted(policy, sample)
    rows: list[tuple[tuple[int, int], dict[int, int], dict[int, int]]] = []
    for i in range(found.l, found.u):
        for k in range(i + 1, found.u + 1):
            got, b = found.updated(i, k)
            if got.sum() >= LEAST:
                by_length = [{j + found.l: int(x) for j, x in enumerate(column) if x} for column in (got, b)]
                rows.append(((i, k), by_length[0], by_length[1]))
    return tuple(rows)


CLAIM = Claim(
    id="update-distribution",
    place="Eq. update_distribution",
    statement="P_i(o = j | õ = k) = b_ij / Σ_{t≥k} b_it",
    given={"weight": "1", "lowest": "k"},
    decide=decide,
    rests_on=("lem-deletion",),
    corrupted=(
        Variant("an index: from k+1", {"lowest": "k+1"}),
        Variant("an index: from k−1", {"lowest": "k-1"}),
        Variant("weighted by the length", {"weight": "j"}),
        Variant("weighted by the survival", {"weight": "(s+i)/(s+j)"}),
        Variant("from k+2, for Algorithm 2 as well", {"lowest": "k+2"}, LITERAL),
    ),
    variants=(
        Variant("from k+1, for Algorithm 2", {"lowest": "k+1"}, LITERAL),
        Variant("any constant weight", {"weight": "(s+i)/(s+k)"}),
    ),
)
