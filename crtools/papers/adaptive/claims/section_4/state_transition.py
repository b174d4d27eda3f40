"""prop-transition: how many requests of each length complete in each period."""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import lru_cache
from typing import Any

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.formulas import Point
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import Found, Small, first
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem
from crtools.papers.adaptive.claims.section_4.deletion import LITERAL, MEASURED, few_long
from crtools.papers.adaptive.evidence.measured import SAMPLES as MEASURED_SAMPLES
from crtools.papers.adaptive.evidence.measured import compared, counted, decidable, exact_value, outcome
from crtools.papers.adaptive.evidence.reading import PROCESS
from crtools.papers.adaptive.literal.lower_bounds import Endless, expectations
from crtools.papers.adaptive.theorems.process import cohort
from crtools.proof import symbols as sym

ALGEBRA = "from lem-deletion and update-distribution, exactly"

SETTINGS = tuple((s, l, j) for s in (1, 0, 2, 7) for l in (1, 2, 5) for j in range(l, l + 6))
FURTHER = tuple((s, l, l + 12) for s in (3, 100) for l in (1, 6))


def decide(given: Given) -> Decision:
    """Decide E[c_ij] = first(s, l, j) x_j n at i = l and later(s, l, i, j) x_j n at i > l."""
    trees, exprs = {}, {}
    for name, on in (("first", integers_from(s=0, l=1, j="l")), ("later", integers_from(s=0, l=1, i="l", j="i"))):
        symbols = {x: getattr(sym, x) for x in on.names}
        trees[name], exprs[name] = formula_on(name, given[name], symbols, on)

    def claimed(p: Point) -> Fraction | None:
        own = {n: p[n] for n in ("s", "l", "j")}
        return (
            exact_value(trees["first"], own) if p["i"] == p["l"] else exact_value(trees["later"], {**own, "i": p["i"]})
        )

    last = f"{LITERAL}: E[c_jj] for j > l"
    opening = f"{LITERAL}: E[c_lj]"
    literal = (decidable(last, lambda: _last(last, trees)), decidable(opening, lambda: _opening(opening, trees)))
    algebra = decidable(ALGEBRA, lambda: _algebra(trees, exprs))
    measured = decidable(MEASURED, lambda: Part(MEASURED, *compared("a-min-cohort", "share", claimed)))
    proof = (
        Proof(
            "false-step",
            "“in the next period τ_{l+1}, all remaining requests with o = l+1 must be completed”: Algorithm 2 gives a request that is "
            "cancelled with a tokens the bound a ≤ o − 1, so that none is ever started with õ = o > l. Under the cohort rule the "
            "induction is sound where lem-deletion is",
        )
        if literal[0].status == "refuted"
        else Proof("not-examined")
    )
    return Decision(
        (
            Verdict(
                "as-stated",
                "Algorithm 2 to the letter (õ := tokens generated), all s ≥ 1, l < j ≤ u, n and M, x_j > 0, expectation over the ties; "
                f"c_ij counts the requests of length j whose last start is with bound i; {PROCESS}",
                "an argument for every run, exact enumeration of the ties at small instances, simulation",
                literal,
                outcome(*literal),
                degenerate=("x_j = 0; α = 1, where there is one period", "M ≥ n(s+u), where all complete in period l"),
            ),
            Verdict(
                "where-argued",
                "the cohort rule of docs/model.md: first the recursion for the numbers b_ij, with E[c_ij | b_ij] = (s+i)/(s+j) b_ij, "
                "new bounds by the coins and the display of update-distribution as premises, for all s ≥ 0 and j ≥ i ≥ l ≥ 1; then "
                "the process with its overflow, at the stated sizes",
                "the recursion solved step by step; simulation with intervals over seeds",
                (algebra, measured),
                outcome(algebra, measured),
            ),
        ),
        proof,
        (_repair(),) if literal[0].status == "refuted" else (),
    )


def _repair() -> Repair:
    sentence = (
        "with the coins of the cohort rule alone, for all s ≥ 0 and j ≥ i > l ≥ 1: E[c_lj] = (s+l)/(s+j) x_j n and "
        "E[c_ij] = 1/(s+j) x_j n"
    )
    return Repair(
        sentence, (from_theorem(ALGEBRA, cohort.recursion((sym.s + sym.l) / (sym.s + sym.j), 1 / (sym.s + sym.j))),)
    )


def _last(name: str, trees: dict[str, ast.expr]) -> Part:
    """The periods i = j > l: Algorithm 2 completes nothing in them."""
    rows = [({"s": s, "l": 1, "i": j, "j": j}, exact_value(trees["later"], {"s": s, "l": 1, "i": j, "j": j}))
            for s in (1, 2, 5) for j in (2, 3, 4, 5)]  # fmt: skip
    wrong = next(((p, v) for p, v in rows if v != 0), None)
    if wrong is None:
        return Part(name, "supported", {"sample": "0 at every point, as in every run", **_nothing_at_the_end()})
    point, claimed = wrong
    smallest = _smallest(trees["later"])
    evidence: dict[str, Any] = {
        "counterexample": {
            "where": "every instance of Algorithm 2 with x_j > 0, j > l",
            **point,
            "claimed E[c_jj]/(x_j n)": "undefined" if claimed is None else str(claimed),
            "actual": "0, in every run",
            "argument": "õ starts at l and becomes max(õ, a) when a start is cancelled with a tokens; an unfinished request has "
            "a ≤ o − 1, so õ ≤ max(l, o − 1) always: no request of length j > l is ever started with the bound j, and c_jj = b_jj = 0",
            "why it stays": "it holds for all s, l, u, n, M and x, in whatever order n and M grow",
        },
        "smallest": smallest.as_json() | (smallest.hit or {}),
        **_nothing_at_the_end(),
        "second computation": "exact enumeration of all ties at the smallest instance, the simulator at the samples",
    }
    return Part(name, "refuted", evidence)


@lru_cache(maxsize=1)
def _nothing_at_the_end() -> dict[str, Any]:
    """Count, over the samples, the starts of Algorithm 2 with bound i = j > l: there are none."""
    rows = []
    for sample in MEASURED_SAMPLES:
        b = counted("a-min-literal", sample).pooled("started")
        rows.append({**sample.as_json(), "starts with i = j > l": int(b.diagonal()[1:].sum()), "starts": int(b.sum())})
    if any(row["starts with i = j > l"] for row in rows):
        raise AssertionError("a request was started with a bound that it cannot get")
    return {"simulated": rows}


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
                cells = {f"E c_{a}{b}": str(c) for (a, b), c in sorted(found.completed.items()) if b == j}
                return {"l": low, "j": j, **cells, f"E c_{j}{j}": "0"}
        return None

    return first(3, 3, (1,), check, fewest=2)


def _opening(name: str, trees: dict[str, ast.expr]) -> Part:
    """Period l: the family of lem-deletion, in which every request of length u completes there."""
    for s_, u_ in ((s_, u_) for s_ in (1, 2, 5) for u_ in (2, 3, 5)):
        share = exact_value(trees["first"], {"s": s_, "l": 1, "j": u_})
        if share != 1:
            evidence = {
                "counterexample": {
                    "family": "l = 1 and any s, u, M, n: m requests of length u with m(s+u) ≤ M, n − m of length 1 (see lem-deletion)",
                    "s": s_,
                    "u": u_,
                    "claimed c_1u/(x_u n)": "undefined" if share is None else str(share),
                    "actual": "1, in every run",
                },
                "members": [
                    few_long(s_, u_, memory, n) for memory, n in ((2 * (s_ + u_), 8), (40 * (s_ + u_), 10_000))
                ],
                "second computation": "exact enumeration of all ties at the small member, the simulator at both",
            }
            return Part(name, "refuted", evidence)
    return Part(name, "inconclusive", {"tried": "the family of lem-deletion, where c_1u = x_u n"})


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


def _algebra(trees: dict[str, ast.expr], exprs: dict[str, Any]) -> Part:
    checked = 0
    for s_, l_, j_ in (*SETTINGS, *FURTHER):
        one, two = by_recursion(s_, l_, j_), by_coins(s_, l_, j_)
        if one != two or sum(one) != 1:
            raise AssertionError("two computations of the transitions differ")
        for i_, true in enumerate(one, start=l_):
            own = {"s": s_, "l": l_, "j": j_}
            shown = exact_value(trees["first"], own) if i_ == l_ else exact_value(trees["later"], {**own, "i": i_})
            if shown != true:
                evidence = {
                    "counterexample": {**own, "i": i_},
                    "claimed": "undefined" if shown is None else str(shown),
                    "actual": str(true),
                    "second computation": str(two[i_ - l_]),
                }
                return Part(ALGEBRA, "refuted", evidence)
            checked += 1
    return from_theorem(ALGEBRA, cohort.recursion(exprs["first"], exprs["later"]), **{"points checked": checked})


CLAIM = Claim(
    id="prop-transition",
    place="Proposition state_transition",
    statement="E[c_ij] = (s+l)/(s+j) x_j n for i = l, else 1/(s+j) x_j n",
    given={"first": "(s+l)/(s+j)", "later": "1/(s+j)"},
    decide=decide,
    rests_on=("lem-deletion", "update-distribution"),
    corrupted=(
        Variant("without the prompt", {"first": "l/j", "later": "1/j"}),
        Variant("an index", {"first": "(s+l+1)/(s+j+1)"}),
        Variant("l + 1 for 1: what Algorithm 2 does to equal lengths in period l", {"first": "(s+l+1)/(s+j)"}),
        Variant("later periods doubled", {"later": "2/(s+j)"}),
        Variant("a difference of 10⁻³⁰", {"later": "1/(s+j) + (i-l)/10**30"}, ALGEBRA),
    ),
    variants=(
        Variant("by the complement", {"first": "1 - (j-l)/(s+j)"}),
        Variant("equivalent wording", {"later": "(s+i)/(s+j)/(s+i)"}),
    ),
)
