"""What Algorithm 2 costs: thm-complexity. What completes: observation-1, lem-deletion, update-distribution, prop-transition."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal

import sympy as sp

from check import process as judge
from crtools.errors import InputError
from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Open, Refuted, Repair, agree, by_theorem
from crtools.ledger.deciders.measured import measured
from crtools.ledger.deciders.ranges import formula_on, integers_from, nonnegative_on
from crtools.ledger.deciders.search import SmallInstance, first_hit
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence import completions, reading
from crtools.papers.adaptive.evidence.completions import Rule, Sample, Shares
from crtools.papers.adaptive.evidence.counted_run import CountedRun, counted_run
from crtools.papers.adaptive.evidence.reading import decidable, exact_value, phrase, repairs, schedule
from crtools.papers.adaptive.literal.ties import Expected
from crtools.papers.adaptive.policies.transitions import Counts, lemma_share, proposition_share, unfinished
from crtools.papers.adaptive.theory import ALGORITHM, TEXT, reading_of, stated_claim
from crtools.process import simulate
from crtools.proof import symbols as sym
from crtools.proof.symbols import s
from crtools.signs.numbers import Exact
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
    findings = (
        Finding("time-step", f"a time step of the pseudo-code, the sort of $R_t$ included, is {order}", instant),
        Finding("whole-run", f"the whole run of the pseudo-code is {order}", whole),
    )
    true = repairs("buckets") if isinstance(instant, Refuted) else ()
    at_once = given.evidence(decidable, concurrent, tree, expr)
    displays = {"concurrent": at_once, "sort": running_sort(cost), "available_prompts": instant}
    return reading_of("thm-complexity").judged(summary, why, *findings, repairs=true, **displays)


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


# ---- observation-1: which requests have completed when Algorithm 2 first starts one with the bound i ------------------

MEMBERS = ((1, 1), (2, 1), (1, 2), (1, 10), (5, 2), (1, 50))
"""(s, h) of the members of the family that are run."""
FAMILY = (
    "$l = 1$, $s ≥ 1$, $M = (s+1)K$ with $K = (s+2)(s+3)h$: $(s+1)(s+3)h$ requests of length 3, and $2K − 1 − (s+1)(s+3)h$ of length 1; "
    "those of length 3 come first in the ties"
)
ARGUMENT = (
    "at 0 $K$ start, at 1 those of length 3 fill the memory, at 2 $(s+1)h$ of them are cancelled and get the bound 2, and at 3 the others "
    "leave: $K − 1$ requests of length 1 start, and one with the bound 2 beside them"
)

BATCH = TEXT.named("a batch before a period")


@stated_claim("observation-1")
def observation_1(given: Given) -> Decision:
    """Decide whether, at the first start with bound i, at most ``left`` requests with o < i have not completed."""
    tree, allowed_number = formula_on("left", given["left"], {"s": s, "M": M}, integers_from(s=0, M=1))
    evidence, batch = given.evidence(decidable, before_periods, tree, allowed_number), given.proved(BATCH)
    says = "when the first request starts with the bound $i$, all {}requests with $o < i$ have completed"
    number = given["left"].strip()
    findings = (
        Finding("before-the-start", says.format("" if number == "0" else f"but at most ${number}$ "), evidence),
        Finding("but-for-a-batch", says.format("but fewer than $M/(s+1)$ "), batch, decides=False),
    )
    why = phrase(evidence.status, "up to a batch of them still run", "all but those that run have completed")
    true = repairs("a-batch-before-a-period")
    return reading_of("observation-1").judged(why, why, *findings, repairs=true, a_new_bound=_kept_bound())


def before_periods(tree: ast.expr, allowed_number: SymExpr) -> Evidence:
    """Decide whether at most ``allowed_number`` (of s and M) shorter requests have not completed when a period begins."""
    if nonnegative_on(integers_from(s=0, M=1), allowed_number - M / (s + 1) + 1):
        return by_theorem(BATCH())

    def allowed(s: int, memory: int) -> Exact:
        value = exact_value(tree, {"s": s, "M": memory})
        if value is None:
            raise InputError("left", ast.unparse(tree), f"must be defined at s = {s}, M = {memory}")
        return value

    def early(row: SmallInstance) -> Any:
        before = judge.literal([(o, 1) for o in row.lengths], row.s, row.memory)["before"]
        rows = (
            key for key, p in sorted(before.items()) if p and key[1] < key[0] and key[2] > allowed(row.s, row.memory)
        )
        return next(({"i": i, "j": j, "not_completed": count} for i, j, count in rows), None)

    for prompt, scale in MEMBERS:
        memory, batch, lengths = _member(prompt, scale)
        run = simulate("a-min-literal", lengths, memory, prompt, 1, 3, ties=range(len(lengths)), history=True)
        count = agree(unfinished(run)[2], batch - 1, "the requests that have not completed")
        if count > (bound := allowed(prompt, memory)):
            last_attempts = schedule("the last attempts", run.schedule.starts, lengths, prompt, memory)
            search = first_hit(3, 4, (1,), early, fewest=2)
            smallest = {"smallest": search.as_json() | search.hit} if search.hit else {}
            return Refuted(
                {"family": FAMILY, "s": prompt, "h": scale, "M": memory, "n": run.n, "i": 2, "argument": ARGUMENT},
                f"at most {bound} with $o < i$ have not completed",
                count,
                [*(_through_ties(*member) for member in MEMBERS[:2]), _even(1000, 40_000)],
                "at every $M$ of the family all but one of a batch; as $n/M → ∞$ they are a vanishing share of all requests",
                values={**smallest, "schedules": [last_attempts]},
            )
    return Open(f"members (s, h) of a family, {', '.join(map(str, MEMBERS))}; at most $M/(s+1) − 1$ is proved")


def _member(s: int, h: int) -> tuple[int, int, list[int]]:
    """Return M, how many fit at first, and the lengths of a member, in the order of the ties."""
    batch, long = (s + 2) * (s + 3) * h, (s + 1) * (s + 3) * h
    return (s + 1) * batch, batch, [3] * long + [1] * (2 * batch - 1 - long)


def _through_ties(s: int, h: int) -> str:
    """Say how many starts with bound 2 a member has, in expectation, at which all but one of a batch have not completed."""
    memory, batch, lengths = _member(s, h)
    expected = judge.expected(judge.literal([(o, 1) for o in lengths], s, memory)["before"], 2, 1, batch - 1)
    agree(expected > 0, True, "whether a tie leads to what a run does")
    return f"s = {s}, h = {h}: {batch - 1} have not completed at {expected} starts with bound 2, in expectation over all ties"


def _even(memory: int, n: int) -> str:
    """Say how many have not completed in a run on lengths 1 to 5 in turn."""
    run = simulate("a-min-literal", [1 + k % 5 for k in range(n)], memory, 1, 1, 5, seed=0, history=True, engine="fast")
    unfinished_counts = {f"o < {i}": count for i, count in sorted(unfinished(run).items()) if i > 1}
    return f"lengths 1 to 5 in turn, s = 1, M = {memory}, n = {n}, one seed: not completed {unfinished_counts}"


def _kept_bound() -> Refuted:
    """Refute that a cancelled request's bound grows: two of length 3, of which one is cancelled with one token."""
    run = simulate("a-min-literal", (3, 3), 5, 1, 1, 3, ties=(0, 1), history=True)
    kept = judge.literal([(3, 1), (3, 1)], 1, 5)["moved"][1, 1, 3]
    agree([run.cancelled is not None and int(run.cancelled.age[0]), kept > 0], [1, True], "a bound that is kept")
    witness = {"lengths": (3, 3), "s": 1, "M": 5, "i": 1}
    return Refuted(witness, "a bound above 1", "1", f"{kept} that keep the bound 1, in expectation")


# ---- lem-deletion, update-distribution and prop-transition: which starts complete, and with which bounds ---------------


@stated_claim("lem-deletion")
def lem_deletion(given: Given) -> Decision:
    """Decide E[c_ij | b_ij] = f(i, j, s) b_ij for Algorithm 2, and f for the coins."""
    names = {"s": sym.s, "i": sym.i, "j": sym.j}
    tree, expr = formula_on("completes", given["completes"], names, integers_from(s=0, i=1, j="i"))
    literal = given.evidence(decidable, completions.completes, tree)
    says = f"of the starts with bound $i$ and length $j$ a share ${given['completes']}$ completes"
    why, line = _why_complete(literal) if isinstance(literal, Refuted) else ("not decided", "not decided")
    read = reading_of("lem-deletion")
    verdict = read.verdict(ALGORITHM, why, Finding("completes", says, literal))
    proof = read.proof(symmetry=literal, fraction_of_coins=given.evidence(decidable, completions.spared, tree, expr))
    if not isinstance(literal, Refuted):
        return Decision(line, (verdict,), proof)
    repair = _of_coins(
        "With the coins of the cohort rule alone (at every age $a ≥ i$ a start with bound $i$ is cancelled with probability "
        "$1/(s+a+1)$, and nothing else cancels), for all $s ≥ 0$ and $j ≥ i ≥ 1$: $E[c_ij | b_ij] = (s+i)/(s+j) b_ij$.",
        "a start that every coin spares",
        "survival(spared)",
        completions.compared("a-min-cohort", "started", lambda p: lemma_share(p["i"], p["j"], p["s"])),
    )
    return Decision(line, (verdict,), proof, (repair,))


LONGEST = 10
"""Longest claimed share, in characters, that the ledger's line quotes."""


def _why_complete(literal: Refuted) -> tuple[str, str]:
    """Return the verdict's reason and the clause for the line of the ledger."""
    at, claimed = literal.witness, str(literal.claimed)
    nearly = "nearly " * ("r" in at)
    line = f"{nearly}all complete where {claimed} is claimed" if len(claimed) <= LONGEST else "nearly all complete"
    if not nearly:
        return f"a share {literal.actual} completes where {claimed} is claimed", line
    some = f"at $s = {at['s']}$, $u = {at['u']}$ nearly all of length {at['length_j']} complete, and not a share ${claimed}$"
    return f"{SHRINKING}: {some}", line


SHRINKING = "where memory needs shrink with age hardly any start is cancelled, with every length at a fixed share"


def _of_coins(sentence: str, says: str, theorem: str, measured: Evidence) -> Repair:
    """Return what is true of the cohort rule's coins, with a measurement of the rule, which cancels what overflows as well."""
    evidence = reading.with_measurements(by_theorem(TEXT.theorem(theorem)), with_overflow_measured=measured)
    return Repair(ALGORITHM, sentence, (Finding("coins", says, evidence),))


@stated_claim("update-distribution")
def update_distribution(given: Given) -> Decision:
    """Decide P_i(o = j | õ = k) ∝ weight · b_ij over j ≥ lowest, for Algorithm 2 and for the coins."""
    claimed, weight, lowest = _rule(given)
    literal = given.evidence(decidable, of_algorithm_two, claimed)
    coins = given.evidence(decidable, completions.updated, claimed, weight, lowest)
    words = {"supported": "simulation agrees", "contradicted": "simulation disagrees"}
    why = short = words.get(literal.status, "not decided")
    if isinstance(literal, Refuted):
        why, short = "a cancelled request with $k$ tokens can have any $o ≥ k + 1$", "not their law"
        if (lowest - sym.k).is_nonpositive:
            why = "off by one as printed: a cancelled request with $k$ tokens has $o ≥ k + 1$, so that none has $o = õ$"
            short = "off by one: no cancelled one has $o = õ$"
    weighted = "b_ij" if given["weight"] == "1" else f"{given['weight']} b_ij"
    starts = f"of the starts with bound $i$ that get the new bound $k$, lengths $j ≥ {given['lowest']}$"
    says = f"{starts} have shares in proportion to ${weighted}$"
    read = reading_of("update-distribution")
    verdict = read.verdict(ALGORITHM, why, Finding("law-of-the-cancelled", says, literal))
    proof = read.proof(symmetry=literal, law_of_coins=coins)
    if not isinstance(literal, Refuted):
        return Decision(short, (verdict,), proof)
    repair = _of_coins(
        "With the coins of the cohort rule alone, which give a start that they cancel at age $a$ the bound $a + 1$, for all $s ≥ 0$ and "
        "$k > i ≥ 1$: $P_i(o = j | õ = k) = b_ij / Σ_{t≥k} b_it$.",
        "those that a coin cancels at age $k − 1$",
        "update(alike, lowest)",
        of_policy(
            "a-min-cohort", lambda s, i, k, b: completions.in_proportion({j: Fraction(b[j]) for j in b if j >= k})
        ),
    )
    return Decision(short, (verdict,), proof, (repair,))


def _rule(given: Mapping[str, str]) -> tuple[Rule, SymExpr, SymExpr]:
    """Return the claimed law, and the expressions of the weight and of the lowest length."""
    names = {x: getattr(sym, x) for x in "sijk"}
    weight, weight_expr = formula_on("weight", given["weight"], names, integers_from(s=0, i=1, k="i", j="k"))
    lowest, lowest_expr = formula_on("lowest", given["lowest"], {"i": sym.i, "k": sym.k}, integers_from(i=1, k="i"))

    def claimed(s: int, i: int, k: int, b: dict[int, int]) -> Shares | None:
        start = exact_value(lowest, {"i": i, "k": k})
        if start is None:
            return None
        parts = {j: exact_value(weight, {"s": s, "i": i, "j": j, "k": k}) for j in b if j >= start}
        if any(w is None for w in parts.values()):
            return None
        return completions.in_proportion({j: w * b[j] for j, w in parts.items() if w is not None})

    return claimed, weight_expr, lowest_expr


@stated_claim("prop-transition")
def prop_transition(given: Given) -> Decision:
    """Decide E[c_ij] = first(s, l, j) x_j n at i = l and later(s, l, i, j) x_j n at i > l."""
    trees, exprs = dict[str, ast.expr](), JsonObject()
    ranges = {"first": integers_from(s=0, l=1, j="l"), "later": integers_from(s=0, l=1, i="l", j="i")}
    for name, on in ranges.items():
        trees[name], exprs[name] = formula_on(name, given[name], {x: getattr(sym, x) for x in on.names}, on)
    last = given.evidence(decidable, completions.last_period, trees["later"])
    opening = given.evidence(decidable, completions.first_period, trees["first"])
    why = short = "not decided"
    off = "an unfinished request has $õ ≤ o − 1$, so that none completes in its own period $i = j > l$: off by one as printed"
    if isinstance(last, Refuted):
        why, short = off, "off by one: none completes with $õ = o > l$"
    if isinstance(opening, Refuted):
        regime = f"{SHRINKING}: nearly all complete in period $l$, and not a share"
        why, short = f"{regime}; {off}" if why == off else regime, "nearly all complete in period $l$"
    read = reading_of("prop-transition")
    first = Finding("first-period", f"$E[c_lj] = {given['first']} · x_j n$", opening)
    later = Finding("last-period", f"for $j > l$: $E[c_jj] = {given['later']} · x_j n$", last)
    verdict = read.verdict(ALGORITHM, why, first, later)
    proof = read.proof(next_period=last, induction=given.evidence(decidable, completions.by_periods, trees, exprs))
    if verdict.status != "refuted":
        return Decision(short, (verdict,), proof)
    repair = _of_coins(
        "With the coins of the cohort rule alone, for all $s ≥ 0$ and $j ≥ i > l ≥ 1$: $E[c_lj] = (s+l)/(s+j) x_j n$ and "
        "$E[c_ij] = 1/(s+j) x_j n$.",
        "the recursion for the numbers that start in each period",
        "recursion(spared, in_later_periods)",
        completions.compared("a-min-cohort", "of_length", lambda p: proposition_share(p["i"], p["j"], p["s"], p["l"])),
    )
    return Decision(short, (verdict,), proof, (repair,))


# ---- The lengths of the requests that Algorithm 2 cancels, by their new bound: exactly at small instances, and by simulation

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
    members = [member(1, 1, 24), member(1, 20, 480), member(1, 1, 4800)]
    b = {j: members[0][f"b_1{j}"] for j in (2, 3)}
    shares, smallest_found = claimed(1, 1, 2, b), _smallest(claimed)
    return Refuted(
        witness={
            "family": "$l = 1$, $s ≥ 1$, $M = (s+1)(s+2)(s+3)r$, $n = 2(s+2)(s+3)r$ requests, $r$ of length 2, the others of length 3",
            "i": 1,
            "k": 2,
            "argument": "a request cancelled with $a$ tokens has $o ≥ a+1$, and $k > i$ makes $k = a$: no request of length $k$ ever "
            "gets $õ = k$",
            "others_get_it": "$(s+2)(s+3)r$ start at 0, of which $(s+1)(s+3)r$ are kept at 1 and nothing else fits; at 2 those of "
            "length 3 need at least $M + s(s+3)r$, so that at least $sr$ are cancelled at age 2",
        },
        claimed=f"$P_1(o = 2 | õ = 2) = {'undefined' if shares is None else shares.get(2, 0)}$ for the starts $b_12 = {b[2]}$ and "
        f"$b_13 = {b[3]}$ that a run at $s = r = 1$ has",
        actual="0, in every run",
        second=[smallest_found, *members],
        stays="$s$, $α = 1/3$ and the share $1/(2(s+2)(s+3))$ of length 2 are fixed, and $n/M$ is; $r → ∞$. That no request of length "
        "$k$ gets $õ = k$ holds in every instance, for every $n$ and $M$",
        values={"smallest": smallest_found},
    )


def member(s: int, r: int, n: int) -> JsonObject:
    """Count what the simulator does with a member of the family, or with more requests n in the same shares."""
    memory, short = (s + 1) * (s + 2) * (s + 3) * r, n // (2 * (s + 2) * (s + 3))
    run = simulate("a-min-literal", [2] * short + [3] * (n - short), memory, s, 1, 3, seed=0, history=True)
    counts = Counts.of(run)
    got = {int(j): int(c) for i, k, j, c in counts.moves if (i, k) == (1, 2)}
    if 2 in got or not got.get(3):
        raise AssertionError("a member of the family does what it cannot")
    b = {f"b_1{j}": int(counts.started[0, j - 1]) for j in (2, 3)}
    return {"s": s, "M": memory, "n": n, "r": r, **b, "cancelled_with_new_bound_2": {str(j): v for j, v in got.items()}}


def _smallest(claimed: Rule) -> JsonObject:
    def look(row: SmallInstance, expected: Expected) -> JsonObject | None:
        for i, k in sorted({(i, k) for i, k, _ in expected.moves if k > i}):
            b = {j: int(expected.started[i, j] * 10**6) for j in set(row.lengths) if expected.started[i, j]}
            shares = claimed(row.s, i, k, b)
            if k in b and (shares is None or shares.get(k)) and not expected.moves.get((i, k, k)):
                got = {str(j): str(p) for (a, c, j), p in expected.moves.items() if (a, c) == (i, k)}
                return {"i": i, "k": k, "E_cancelled_with_new_bound_k": got, "b_ik": str(expected.started[i, k])}
        return None

    return completions.smallest(4, look, l=1)


def of_policy(policy: str, claimed: Rule) -> Measured | Open:
    """Compare a law with the lengths of those that a policy cancels with a new bound, by simulation."""
    rows: list[tuple[float, JsonObject]] = []
    for sample in SAMPLES:
        transitions = completions.counted(policy, sample)
        for i, k in combinations(range(transitions.l, transitions.u + 1), 2):
            got, b = (
                {j: int(x) for j, x in enumerate(row, start=transitions.l) if x} for row in transitions.updated(i, k)
            )
            if (cancelled := sum(got.values())) >= completions.FEWEST_STARTS:
                law, gap = claimed(sample.s, i, k, b), 1.0  # the total variation between the law and the counts
                if law is not None:
                    gap = sum(abs(got.get(j, 0) / cancelled - float(law.get(j, 0))) for j in set(got) | set(b)) / 2
                rows.append((gap, {**sample.as_json(), "i": i, "k": k, "cancelled": cancelled}))
    worst, where = max(rows, key=lambda row: row[0])
    return measured(
        ((gap - (FAR - NEAR), gap) for gap, _ in rows),
        most=NEAR,
        sample=f"{len(rows)} laws of at least {completions.FEWEST_STARTS} cancelled requests",
        margin=f"total variation: supported up to {NEAR}, contradicted above {FAR}",
        values={"policy": policy, "largest_distance": {**where, "total_variation": round(worst, 5)}},
    )
