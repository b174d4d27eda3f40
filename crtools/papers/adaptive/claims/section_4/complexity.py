"""thm-complexity: what Algorithm 2 costs, in counted operations."""

from __future__ import annotations

import ast
from functools import lru_cache
from math import log
from typing import Any

import sympy as sp

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem
from crtools.papers.adaptive.evidence.counted_run import CountedRun, Waiting, counted_run
from crtools.papers.adaptive.evidence.measured import decidable, exact_value, outcome
from crtools.papers.adaptive.evidence.reading import PROCESS
from crtools.papers.adaptive.literal import process as literal_process
from crtools.process import simulate
from crtools.proof.steps import Inference, Positive
from crtools.proof.symbols import s
from crtools.proof.theorem import Theorem

M, n = sp.Symbol("M", positive=True), sp.Symbol("n", positive=True)
ONE_SORT = "an instant of the pseudo-code, Sort R_t included"
WHOLE = "the whole run of the pseudo-code"
CONCURRENT = "the number of concurrent prompts"
RUNNING_SORT = "sorting the concurrent prompts alone"
BUCKETS = "an instant with the waiting requests in buckets by õ, counted"
SIZES = tuple((n, memory) for memory in (20, 100) for n in (200, 1000, 5000))
POWERS = (1, 2, 3, 4, 6, 12)
"""Families n = M^p along which a lower bound on the operations is compared with the claimed cost."""

FLAT = 2.0
"""Counted work over the claimed cost may grow by this factor from the least to the largest n."""


def decide(given: Given) -> Decision:
    """Decide what an instant and a run cost, and how many requests can run at once."""
    cost = formula_on("cost", given["cost"], {"M": M, "n": n}, integers_from(M=2, n=1))[1]
    tree, expr = formula_on("concurrent", given["concurrent"], {"M": M, "s": s}, integers_from(s=1, M=1))
    if not all(_at(cost, count, memory) > 0 for count, memory in SIZES):
        raise InputError("cost", given["cost"], "must be positive")
    one = _grows(ONE_SORT, cost, n - 1, "at t = 0 all n requests wait: a sort of n keys compares at least n − 1 times")
    whole = _grows(
        WHOLE,
        cost,
        n * n / M - n,
        "for s = 1 at most M/2 requests start at an instant, so that |R_t| ≥ n − tM/2, and Σ_t (|R_t| − 1) ≥ n²/M − n",
    )
    concurrent = decidable(CONCURRENT, lambda: _concurrent(tree, expr))
    sort = _running_sort(cost)
    buckets = _buckets(cost)
    parts = (concurrent, sort, buckets)
    state = (
        Proof(
            "false-step",
            "“the algorithm sorts the available prompts … the number of concurrent prompts is at most M/s, sorting requires at most "
            "O(M log M)”: what is sorted are the waiting requests R_t, of which there are n at first; M bounds only those that run",
        )
        if one.status == "refuted"
        else Proof("not-examined")
    )
    counted = "operations are comparisons of two õ, moves of a request, and looks at a running one; counted, not timed"
    return Decision(
        (
            Verdict(
                "as-stated",
                f"Algorithm 2 as its pseudo-code stands, per time step as in the proof and for the whole run, all n, M, s ≥ 1; {counted}; "
                f"one constant for all n and M; {PROCESS}",
                "a lower bound on the operations of every sort, along n = M^p; counted runs",
                (one, whole),
                outcome(one, whole),
            ),
            Verdict(
                "where-argued",
                "what the proof bounds, the requests that run at once, s ≥ 1: their number and the sort of them alone; and the true "
                "sentence beside the theorem: after n operations to read the input, an instant of the same algorithm takes O(M log M) "
                f"operations if waiting requests are kept in buckets by õ instead of sorted (l = 1; {counted})",
                "an inequality; merge sort's bound; counted runs with n up to 250 M",
                parts,
                outcome(*parts),
            ),
        ),
        state,
        (_repair(),) if one.status == "refuted" else (),
    )


def _repair() -> Repair:
    sentence = (
        "for every s ≥ 1: at most M/(s+1) requests run at once, so that a sort of those that run, which is not the sort of R_t that "
        "the pseudo-code asks for, takes O(M log M) operations"
    )
    tree, expr = formula_on("concurrent", "M/(s+1)", {"M": M, "s": s}, integers_from(s=1, M=1))
    return Repair(sentence, (_concurrent(tree, expr), _running_sort(M * sp.log(M))))


def _at(cost: Any, count: int, memory: int) -> float:
    value = complex(cost.subs({n: count, M: memory}).evalf())
    return value.real if value.imag == 0 else float("nan")


def _limit(ratio: Any, power: int) -> Any:
    """Return the limit of a ratio along n = M^power, M → ∞, or None where SymPy finds none."""
    try:
        found = sp.limit(sp.simplify(ratio.subs(n, M**power)), M, sp.oo)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError):
        return None
    return found if found.is_number else None


def _grows(name: str, cost: Any, least: Any, argument: str) -> Part:
    """Refute a cost that a lower bound ``least`` on the operations leaves behind along n = M^p."""
    limits = {power: _limit(least / cost, power) for power in POWERS}
    beyond = next((power for power, found in limits.items() if found is sp.oo), None)
    mode: Waiting = "sorted"
    rows = [_counted(count, memory, mode) for count, memory in ((200, 20), (1000, 20))]
    ratios = [
        (run.most if name == ONE_SORT else run.in_all) / _at(cost, count, 20)
        for run, (count, _) in zip(rows, ((200, 20), (1000, 20)), strict=True)
    ]
    table = [
        {
            "n": count,
            "M": 20,
            "operations of an instant, at most": run.most,
            "in all": run.in_all,
            "over the cost": ratio,
        }
        for count, run, ratio in zip((200, 1000), rows, ratios, strict=True)
    ]
    if beyond is not None:
        exact = [
            {"M": m, "n": m**beyond, "operations, at least": str(least.subs({n: m**beyond, M: m})), "cost": _at(cost, m**beyond, m)}
            for m in (10, 100, 1000)
        ]  # fmt: skip
        evidence = {
            "counterexample": {"family": f"n = M^{beyond}, s = 1, M → ∞", "argument": argument, "members": exact},
            "why it stays": "n is not bounded by M anywhere in the model: n → ∞ at every M",
            "second computation": table,
        }
        return Part(name, "refuted", evidence)
    if None in limits.values():
        return Part(name, "inconclusive", {"tried": "the limit along n = M^p", "counted": table})
    status = "supported" if ratios[-1] <= FLAT * ratios[0] else "inconclusive"
    return Part(name, status, {"sample": "the lower bound does not exceed it along n = M^p, p ≤ 12", "counted": table})


@lru_cache(maxsize=32)
def _counted(count: int, memory: int, waiting: Waiting) -> CountedRun:
    run = counted_run([1, 2, 3, 6] * (count // 4), 1, memory, waiting)
    if run.concurrent > memory // 2:
        raise AssertionError("more requests ran than the memory holds")
    return run


def _concurrent(tree: ast.expr, claimed: Any) -> Part:
    for s_ in (1, 2, 3, 10):
        for memory in (s_ + 1, 2 * s_ + 2, 10 * (s_ + 1), 100 * (s_ + 1) + s_):
            most = memory // (s_ + 1)
            bound = exact_value(tree, {"M": memory, "s": s_})
            if bound is None or bound < most:
                starts = list(
                    simulate("a-min-literal", [1] * (most + 1), memory, s_, ties=range(most + 1)).schedule.starts
                )
                again = literal_process.queue(range(most + 1), [1] * (most + 1), [1] * (most + 1), s_, memory)
                if starts != again or starts.count(0) != most:
                    raise AssertionError("two computations of a schedule differ")
                family = "any s ≥ 1, M a multiple of s + 1, more than M/(s+1) requests of length 1: M/(s+1) of them run at t = 0"
                evidence = {
                    "counterexample": {"s": s_, "M": memory, "n": most + 1, "running at once": most, "family": family},
                    "claimed": "undefined" if bound is None else str(bound),
                    "second computation": f"{starts.count(0)} starts at t = 0 by the simulator, {again.count(0)} by another",
                }
                return Part(CONCURRENT, "refuted", evidence)
    memory = sp.Symbol("M", integer=True)
    theorem = Theorem(
        "concurrent prompts",
        rf"|S_t \cup I_t| \le {sp.latex(claimed)}",
        "every s ≥ 1, M ≥ 1 and feasible state",
        (
            Positive(
                name="bound",
                text="at the next instant each running request holds at least s + 1 tokens: at most M/(s+1) run",
                expr=claimed.subs(M, memory) - memory / (s + 1),
                where=((s, 1), (memory, 1)),
                strict=False,
            ),
            Inference(name="concurrent", conclusion=r"k (s+1) \le M", follows_from=("bound",)),
        ),
    )
    return from_theorem(CONCURRENT, theorem)


def _running_sort(cost: Any) -> Part:
    found = _limit((M * (sp.log(M, 2) + 1)).subs(n, 1) / cost.subs(n, 1), 1)
    evidence = {
        "argument": "at most k ≤ M/(s+1) requests run; a merge sort of k keys compares at most k ⌈log₂ k⌉ ≤ M (log₂ M + 1) times",
        "limit of M (log₂ M + 1) over the cost": str(found),
    }
    if found is None or found is sp.oo or found.is_infinite:
        return Part(RUNNING_SORT, "inconclusive", {"tried": evidence})
    ks = sp.Symbol("k", integer=True)
    memory = sp.Symbol("M", integer=True)
    theorem = Theorem(
        "sort of the concurrent prompts",
        r"k\lceil\log_2 k\rceil \le M(\log_2 M + 1)",
        "every s ≥ 1 and M ≥ 1; merge sort's bound is taken as known",
        (
            Positive(
                name="fewer than M",
                text="k (s+1) ≤ M: with M = k(s+1) + m, M − k ≥ 0",
                expr=ks * (s + 1) + memory - ks,
                where=((s, 1), (ks, 0), (memory, 0)),
                strict=False,
            ),
            Inference(
                name="sort", conclusion=r"k\lceil\log_2 k\rceil \le M(\log_2 M + 1)", follows_from=("fewer than M",)
            ),
        ),
    )
    return from_theorem(RUNNING_SORT, theorem, **evidence)


def _buckets(cost: Any) -> Part:
    rows: list[dict[str, Any]] = []
    grown: list[float] = []
    for memory in sorted({m for _, m in SIZES}):
        ratios: list[float] = []
        for count in sorted({c for c, m in SIZES if m == memory}):
            run = _counted(count, memory, "buckets")
            ratios.append(run.most / _at(cost, count, memory))
            work = {"operations of an instant, at most": run.most, "over M log M": run.most / (memory * log(memory))}
            rows.append({"n": count, "M": memory, **work, "concurrent": run.concurrent})
        grown.append(ratios[-1] / ratios[0])
    evidence = {"lengths": "1, 2, 3, 6 in equal shares, s = 1", "counted": rows, "growth over n, at most": max(grown)}
    return Part(BUCKETS, "supported" if max(grown) <= FLAT else "contradicted", evidence)


CLAIM = Claim(
    id="thm-complexity",
    place="Theorem complexity",
    statement="A_min's cost is O(M log M) (per time step, by its proof)",
    given={"cost": "M*log(M)", "concurrent": "M/s"},
    decide=decide,
    corrupted=(
        Variant("half as many prompts", {"concurrent": "M/(2*s)"}, CONCURRENT),
        Variant("one token more per prompt", {"concurrent": "M/(s+2)"}, CONCURRENT),
        Variant("one prompt fewer", {"concurrent": "M/(s+1) - 1"}, CONCURRENT),
        Variant("a sort of n keys in M² operations", {"cost": "M**2"}, ONE_SORT),
    ),
    variants=(
        Variant("the sort of R_t counted too", {"cost": "n*log(n) + M*log(M)"}, ONE_SORT),
        Variant("the exact number of prompts", {"concurrent": "M/(s+1)"}),
    ),
)
