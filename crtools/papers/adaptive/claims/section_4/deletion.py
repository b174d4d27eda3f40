"""lem-deletion: the share of the starts with bound i and length j that complete."""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import lru_cache
from typing import Any

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import Found, Small, first
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem
from crtools.papers.adaptive.evidence.measured import decidable, exact_value, outcome, survival_of
from crtools.papers.adaptive.evidence.reading import PROCESS
from crtools.papers.adaptive.literal.lower_bounds import Endless, expectations
from crtools.papers.adaptive.theorems.process import cohort
from crtools.process import simulate
from crtools.process.transitions import Counts
from crtools.proof import symbols as sym

LITERAL = "Algorithm 2"
COINS = "a start that every coin spares"
MEASURED = "a-min-cohort, overflow included, measured"


def survives(p: Point) -> Fraction:
    """Return Π_{a=i}^{j−1} (1 − 1/(s+a+1)), coin by coin."""
    share = Fraction(1)
    for age in range(p["i"], p["j"]):
        share *= 1 - Fraction(1, p["s"] + age + 1)
    return share


def survives_by_loss(p: Point) -> Fraction:
    """Return 1 − Σ_a P(cancelled at age a): another route, by the coin that cancels."""
    left, lost = Fraction(1), Fraction(0)
    for age in range(p["i"], p["j"]):
        lost += left / (p["s"] + age + 1)
        left = 1 - lost
    return left


POINTS = tuple({"s": s, "i": i, "j": j} for s in (1, 0, 2, 7) for i in range(1, 6) for j in range(i, i + 6))
FURTHER = tuple({"s": s, "i": i, "j": j} for s in (3, 10, 100) for i in (1, 6, 20) for j in range(i, i + 30))


def decide(given: Given) -> Decision:
    """Decide E[c_ij | b_ij] = f(i, j, s) b_ij for Algorithm 2 and for the coins."""
    tree, expr = formula_on(
        "completes", given["completes"], {"s": sym.s, "i": sym.i, "j": sym.j}, integers_from(s=0, i=1, j="i")
    )
    name = f"{LITERAL}: E[c_ij | b_ij] = ({given['completes']}) b_ij"
    literal = decidable(name, lambda: _literal(name, tree))
    coins = decide_formula(COINS, lambda: cohort.survival(expr), tree, POINTS, survives, survives_by_loss, FURTHER)

    measured = decidable(MEASURED, lambda: survival_of("a-min-cohort", MEASURED, tree))
    proof = (
        Proof(
            "false-step",
            "“the symmetry among inputs with o = j implies that only a fraction (s+i)/(s+j) can be completed”: symmetry makes "
            "the fraction equal for all of them and says nothing of its size; memory that completed requests leave goes to "
            "those that run as well, so a start cohort does not keep its share",
        )
        if literal.status == "refuted"
        else Proof("not-examined")
    )
    return Decision(
        (
            Verdict(
                "as-stated",
                "Algorithm 2 to the letter (a-min-literal), all n, M, s ≥ 1, i ≤ j with b_ij > 0, expectation over the ties; b_ij "
                f"counts the starts with bound i, or, as it may be read, the requests that start with it at least once; {PROCESS}",
                "a family for all n and M, exact enumeration of the ties at small members, simulation at large ones",
                (literal,),
                outcome(literal),
                degenerate=("M ≥ n(s+u), where everything runs at once and nothing is ever cancelled; n = 1",),
            ),
            Verdict(
                "where-argued",
                "the cohort rule of docs/model.md: at every age a ≥ õ a start is cancelled with probability 1/(s+a+1); first the "
                "coins alone, for all s ≥ 0 and j ≥ i ≥ 1, then the process with its overflow, at the stated sizes",
                "the telescoping product, step by step; simulation with intervals over seeds",
                (coins, measured),
                outcome(coins, measured),
            ),
        ),
        proof,
        (_repair(),) if literal.status == "refuted" else (),
    )


def _repair() -> Repair:
    sentence = (
        "with the coins of the cohort rule alone (at every age a ≥ i a start with bound i is cancelled with probability 1/(s+a+1), and "
        "nothing else cancels), for all s ≥ 0 and j ≥ i ≥ 1: E[c_ij | b_ij] = (s+i)/(s+j) b_ij"
    )
    return Repair(sentence, (from_theorem(COINS, cohort.survival((sym.s + sym.i) / (sym.s + sym.j))),))


def _literal(name: str, tree: ast.expr) -> Part:
    wrong = next(
        ((s, u) for s in (1, 2, 5) for u in (2, 3, 5) if exact_value(tree, {"s": s, "i": 1, "j": u}) != 1),
        None,
    )
    if wrong is not None:
        return _refuted(name, tree, *wrong)
    wrong = next(
        ((s, 2) for s in (1, 2, 5) if exact_value(tree, {"s": s, "i": 1, "j": 2}) != Fraction(s + 1, s + 2)), None
    )
    if wrong is None:
        return Part(name, "inconclusive", {"tried": "two families with i = l = 1"})
    return Part(name, "refuted", {"counterexample": alike(wrong[0]), "second computation": "by the simulator as well"})


def _refuted(name: str, tree: ast.expr, s: int, u: int) -> Part:
    claimed = exact_value(tree, {"s": s, "i": 1, "j": u})
    members = [few_long(s, u, memory, n) for memory, n in ((2 * (s + u), 8), (40 * (s + u), 10_000))]
    smallest = _smallest(tree)
    evidence: dict[str, Any] = {
        "counterexample": {
            "family": "l = 1 and any s, u, M, n: m requests of length u with m(s+u) ≤ M, n − m of length 1",
            "s": s,
            "u": u,
            "claimed c_1u / b_1u": "undefined" if claimed is None else str(claimed),
            "actual c_1u / b_1u": "1, in every run",
            "argument": "at each instant the requests of length 1 complete before memory is looked at, so that those left "
            "running are of length u and need at most m(s+u) ≤ M: no start is ever cancelled, and b_1u = c_1u = m",
            "why it stays": "α = 1/u < 1 and s are fixed; n → ∞ at any M, and m = ⌊M/(s+u)⌋ → ∞ as M → ∞; with n = 2M the "
            "share of length u stays at 1/(2(s+u)) and memory is short, n(s+1) > M",
        },
        "members": members,
        "smallest": smallest.as_json() | (smallest.hit or {}),
        "second computation": "exact enumeration of all ties and the simulator's counts agree on each member that both can run",
        "also where the share of long requests is fixed": _fixed_share(),
    }
    return Part(name, "refuted", evidence)


def few_long(s: int, u: int, memory: int, n: int) -> dict[str, Any]:
    """Count one member of the family with m = ⌊M/(s+u)⌋ by the simulator, and up to n = 8 by exact enumeration too."""
    m = memory // (s + u)
    lengths = [1] * (n - m) + [u] * m
    counts = Counts.of(simulate("a-min-literal", lengths, memory, s, 1, u, seed=0, history=True))
    row: dict[str, Any] = {
        "s": s, "u": u, "M": memory, "n": n, "m": m,
        "b_1u": int(counts.started[0, u - 1]), "requests that start": int(counts.entered[0, u - 1]),
        "c_1u": int(counts.completed[0, u - 1]),
    }  # fmt: skip
    if n <= 8:
        exact = expectations(lengths, s, memory)
        if (exact.started[1, u], exact.completed[1, u]) != (row["b_1u"], row["c_1u"]):
            raise AssertionError("two computations of transitions differ")
        row["by enumeration"] = {"E b_1u": str(exact.started[1, u]), "E c_1u": str(exact.completed[1, u])}
    if row["c_1u"] != m or row["b_1u"] != m:
        raise AssertionError("a start of the family was cancelled")
    return row


def alike(s: int) -> dict[str, Any]:
    """The family in which all have length 2 and l = 1: of (s+2)r starts at an instant exactly (s+1)r complete."""
    rows: list[dict[str, Any]] = []
    for r, cycles in ((1, 2), (10, 50)):
        memory, n = (s + 1) * (s + 2) * r, (s + 1) * r * cycles
        run = simulate("a-min-literal", [2] * n, memory, s, 1, 2, seed=0, history=True)
        counts = Counts.of(run)
        row = {"M": memory, "n": n, "b_12": int(counts.started[0, 1]), "c_12": int(counts.completed[0, 1])}
        if n <= 6:
            exact = expectations([2] * n, s, memory)
            if exact.started[1, 2] != row["b_12"] or exact.completed[1, 2] != row["c_12"]:
                raise AssertionError("two computations of transitions differ")
        rows.append(row)
    return {
        "family": "l = 1, all o = u = 2, M = (s+1)(s+2) r",
        "s": s,
        "actual c_12 / b_12": f"→ {Fraction(s + 1, s + 2)} as n → ∞: of (s+2)r starts at an instant (s+1)r are kept",
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
                cell = {"i": bound, "j": length, "claimed share": "undefined" if share is None else str(share)}
                return {**cell, "E b_ij": str(b), "E requests that start": str(entered), "E c_ij": str(c)}
        return None

    return first(3, 3, (1,), check, fewest=2)


@lru_cache(maxsize=1)
def _fixed_share() -> dict[str, Any]:
    """Simulated c/b at shares that do not change with n and M: it tends to 1, not to (s+1)/(s+2)."""
    rows: list[dict[str, Any]] = []
    for memory, n in ((60, 6_000), (600, 60_000)):
        run = simulate("a-min-literal", [1, 2] * (n // 2), memory, 1, 1, 2, seed=0, history=True)
        counts = Counts.of(run)
        ratio = counts.completed[0, 1] / counts.started[0, 1]
        rows.append(
            {"law": "half of length 1, half of length 2, s = 1", "M": memory, "n": n, "c_12/b_12": float(ratio)}
        )
    return {
        "simulated": rows,
        "claimed": str(Fraction(2, 3)),
        "proof": "“Algorithm 2 by areas” (claim lem-amin): needs 2, 3/2 shrink, so hardly any start is cancelled",
    }


CLAIM = Claim(
    id="lem-deletion",
    place="Lemma deletion",
    statement="E[c_ij | b_ij] = (s+i)/(s+j) b_ij, and the complement is deleted",
    given={"completes": "(s+i)/(s+j)"},
    decide=decide,
    corrupted=(
        Variant("without the prompt", {"completes": "i/j"}),
        Variant("an index: j for j+1", {"completes": "(s+i)/(s+j+1)"}),
        Variant("the complement", {"completes": "1 - (s+i)/(s+j)"}),
        Variant("5 % less at j > i", {"completes": "(s+i)/(s+j) - (j-i)/(20*(s+j))"}),
        Variant("a difference of 10⁻³⁰", {"completes": "(s+i)/(s+j) + 1/10**30"}, COINS),
    ),
    variants=(
        Variant("by the complement", {"completes": "1 - (j-i)/(s+j)"}),
        Variant("one coin at a time", {"completes": "(s+i)/(s+i+1)*(s+i+1)/(s+j)"}),
    ),
)
