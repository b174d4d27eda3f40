"""thm-complexity: what Algorithm 2 costs, in counted operations."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Literal

import sympy as sp

from check import process as judge
from crtools.errors import InputError
from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Open, Refuted, agree, by_theorem
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence.counted_run import CountedRun, counted_run
from crtools.papers.adaptive.evidence.reading import decidable, exact_value, repairs
from crtools.papers.adaptive.theory import ALGORITHM, TEXT, reading_of, stated_claim
from crtools.process import simulate
from crtools.proof.symbols import s
from crtools.signs.one_variable import limit_of


@stated_claim("thm-complexity")
def thm_complexity(given: Given) -> Decision:
    """Decide what an instant and a run cost, and how many requests can run at once."""
    cost = formula_on("cost", given["cost"], {"M": M, "n": n}, integers_from(M=2, n=1))[1]
    tree, expr = formula_on("concurrent", given["concurrent"], {"M": M, "s": s}, integers_from(s=1, M=1))
    if not all(at(cost, count, memory) > 0 for memory in (RUN_MEMORY, 100) for count in (*RUN_SIZES, 5000)):
        raise InputError("cost", given["cost"], "must be positive")
    instant, whole = (given.evidence(of_the_pseudo_code, what, cost) for what in ("an instant", "the run"))
    why = summary = "so much per time step, not for the whole run" if isinstance(whole, Refuted) else "not decided"
    if isinstance(instant, Refuted):
        summary = "it sorts all $n$ waiting; buckets repair it"
        waiting = "what is sorted are the waiting requests, $n$ at first, not the at most $M/(s+1)$ that run"
        why = f"{waiting}; keeping them in buckets by $õ$ repairs it"
    order = f"$O({given['cost']})$"
    read = reading_of("thm-complexity")
    findings = (
        Finding("time-step", f"a time step of the pseudo-code, the sort of $R_t$ included, is {order}", instant),
        Finding("whole-run", f"the whole run of the pseudo-code is {order}", whole),
    )
    at_once = given.evidence(decidable, concurrent, tree, expr)
    proof = read.proof(concurrent=at_once, sort=running_sort(cost), available_prompts=instant)
    true = repairs("buckets") if isinstance(instant, Refuted) else ()
    return Decision(summary, (read.verdict(ALGORITHM, why, *findings),), proof, true)


# ---- What Algorithm 2 costs, in counted operations, against a claimed cost in n and M --------------------------------

M, n = sp.Symbol("M", positive=True), sp.Symbol("n", positive=True)

POWERS = (1, 2, 3, 4, 6, 12)
"""Families n = M^p along which a lower bound on the operations is compared with the claimed cost."""

RUN_MEMORY, RUN_SIZES = 20, (200, 1000)
"""The memory and the numbers of requests of the counted runs, at s = 1."""

FLAT = 2.0
"""Growth up to this counts as none: of counted work over the claimed cost, from the smallest n to the largest."""

What = Literal["an instant", "the run"]

LOWER_BOUNDS: dict[What, tuple[SymExpr, str]] = {
    "an instant": (n - 1, "at $t = 0$ all $n$ requests wait: a sort of $n$ keys compares at least $n − 1$ times"),
    "the run": (
        n * n / M - n,
        "for $s = 1$ at most $M/2$ requests start at an instant, so that $|R_t| ≥ n − tM/2$, and $Σ_t (|R_t| − 1) ≥ n²/M − n$",
    ),
}
"""A lower bound on the comparisons of the pseudo-code's sorts of R_t, and why: "sorts of those that wait" of check/adaptive.txt."""


def at(cost: SymExpr, count: int, memory: int) -> float:
    """Return a cost at integers; NaN where it is not real."""
    value = complex(cost.subs({n: count, M: memory}).evalf())
    return value.real if value.imag == 0 else float("nan")


def _limit(ratio: SymExpr, power: int) -> SymExpr | None:
    """Return the limit of a ratio along n = M^power, M → ∞, or None where SymPy finds none."""
    limit = limit_of(sp.simplify(ratio.subs(n, M**power)), M)
    return limit if limit is not None and limit.is_number else None


def of_the_pseudo_code(what: What, cost: SymExpr) -> Evidence:
    """Refute a cost that the lower bound exceeds by any factor along n = M^p; of others return what counted runs measure, or ``Open``."""
    lower_bound, argument = LOWER_BOUNDS[what]
    limits = {power: _limit(lower_bound / cost, power) for power in POWERS}
    beyond = next((power for power, limit in limits.items() if limit is sp.oo), None)
    table = [_row(what, cost, count) for count in RUN_SIZES]
    if beyond is not None:
        exact = [
            {"M": m, "n": m**beyond, "operations_at_least": str(lower_bound.subs({n: m**beyond, M: m})), "cost": at(cost, m**beyond, m)}
            for m in (10, 100, 1000)
        ]  # fmt: skip
        return Refuted(
            witness={"family": f"$n = M^{beyond}$, $s = 1$, $M → ∞$", "argument": argument, "members": exact},
            claimed=f"$O({cost})$",
            actual=f"at least ${str(lower_bound).replace('**', '^')}$ comparisons",
            second=table,
            stays="$n$ is not bounded by $M$ anywhere in the model: $n → ∞$ at every $M$",
            theorems=TEXT.theorem("sorts of those that wait").records,
        )
    if None in limits.values():
        return Open("the limit along $n = M^p$", {"counted": table})
    if table[-1]["over_the_cost"] > FLAT * table[0]["over_the_cost"]:
        return Open("counted runs grow faster than the cost", {"counted": table})
    runs = f"runs with n = {' and '.join(map(str, RUN_SIZES))} at M = {RUN_MEMORY}"
    sample = f"{runs}, and a lower bound that does not exceed the cost along $n = M^p$, $p ≤ 12$"
    return Measured(True, sample, f"counted work over the cost grows by at most {FLAT:g}", {"counted": table})


def _row(what: What, cost: SymExpr, count: int) -> JsonObject:
    run = _counted(count)
    operations = run.largest if what == "an instant" else run.in_all
    return {
        "n": count, "M": RUN_MEMORY, "most_operations_of_an_instant": run.largest, "operations_in_all": run.in_all,
        "over_the_cost": operations / at(cost, count, RUN_MEMORY),
    }  # fmt: skip


@lru_cache(maxsize=2)
def _counted(count: int) -> CountedRun:
    run = counted_run([1, 2, 3, 6] * (count // 4), 1, RUN_MEMORY)
    if run.concurrent > RUN_MEMORY // 2:
        raise AssertionError("more requests ran than the memory holds")
    return run


def concurrent(tree: ast.expr, claimed: SymExpr) -> Evidence:
    """Decide that at most ``claimed`` requests run at once."""
    for prompt in (1, 2, 3, 10):
        for memory in (prompt + 1, 2 * prompt + 2, 10 * (prompt + 1), 100 * (prompt + 1) + prompt):
            capacity = memory // (prompt + 1)
            bound = exact_value(tree, {"M": memory, "s": prompt})
            if bound is None or bound < capacity:
                ones, order = [1] * (capacity + 1), range(capacity + 1)
                run = simulate("a-min-literal", ones, memory, prompt, ties=order)
                judged = judge.run_queue(order, ones, ones, prompt, memory)
                starts = agree(list(run.schedule.starts), judged, "a schedule of Algorithm 2")
                agree(starts.count(0), capacity, "the number that starts at 0")
                family = "any $s ≥ 1$, $M$ a multiple of $s+1$, more than $M/(s+1)$ requests of length 1: $M/(s+1)$ run at $t = 0$"
                witness = {"family": family, "s": prompt, "M": memory, "n": capacity + 1}
                return Refuted(witness, "undefined" if bound is None else str(bound), capacity, starts)
    return by_theorem(TEXT.theorem("concurrent prompts", F=sp.Lambda((s, M), claimed)))


def running_sort(cost: SymExpr) -> Evidence:
    """Decide that a sort of the requests that run is within the cost."""
    argument = "a merge sort of $k ≤ M/(s+1)$ keys compares at most $k ⌈log₂ k⌉ ≤ M (log₂ M + 1)$ times"
    limit = _limit(M * (sp.log(M, 2) + 1) / cost.subs(n, 1), 1)
    values = {"limit_over_the_cost": str(limit)}
    if limit is None or limit.is_infinite:
        return Open(argument, values)
    return by_theorem(TEXT.theorem("sort of the concurrent prompts"), argument=argument, values=values)
