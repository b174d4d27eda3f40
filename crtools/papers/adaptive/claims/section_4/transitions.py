"""lem-deletion, update-distribution and prop-transition: which starts of Algorithm 2 complete, and with which bounds."""

import ast
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Open, Refuted, Repair, by_theorem
from crtools.ledger.deciders.measured import measured
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import SmallInstance
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence.completions import (
    FEWEST_STARTS,
    Rule,
    Sample,
    Shares,
    by_periods,
    compared,
    completes,
    counted,
    first_period,
    in_proportion,
    last_period,
    smallest,
    spared,
    updated,
)
from crtools.papers.adaptive.evidence.reading import decidable, exact_value, with_measurements
from crtools.papers.adaptive.literal.ties import Expected
from crtools.papers.adaptive.policies.transitions import Counts, lemma_share, proposition_share
from crtools.papers.adaptive.theory import ALGORITHM, TEXT, reading_of, stated_claim
from crtools.process import simulate
from crtools.proof import symbols as sym


@stated_claim("lem-deletion")
def lem_deletion(given: Given) -> Decision:
    """Decide E[c_ij | b_ij] = f(i, j, s) b_ij for Algorithm 2, and f for the coins."""
    names = {"s": sym.s, "i": sym.i, "j": sym.j}
    tree, expr = formula_on("completes", given["completes"], names, integers_from(s=0, i=1, j="i"))
    literal = given.evidence(decidable, completes, tree)
    says = f"of the starts with bound $i$ and length $j$ a share ${given['completes']}$ completes"
    why, line = _why_complete(literal) if isinstance(literal, Refuted) else ("not decided", "not decided")
    read = reading_of("lem-deletion")
    verdict = read.verdict(ALGORITHM, why, Finding("completes", says, literal))
    proof = read.proof(symmetry=literal, fraction_of_coins=given.evidence(decidable, spared, tree, expr))
    if not isinstance(literal, Refuted):
        return Decision(line, (verdict,), proof)
    repair = _of_coins(
        "With the coins of the cohort rule alone (at every age $a ≥ i$ a start with bound $i$ is cancelled with probability "
        "$1/(s+a+1)$, and nothing else cancels), for all $s ≥ 0$ and $j ≥ i ≥ 1$: $E[c_ij | b_ij] = (s+i)/(s+j) b_ij$.",
        "a start that every coin spares",
        "survival(spared)",
        compared("a-min-cohort", "started", lambda p: lemma_share(p["i"], p["j"], p["s"])),
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
    evidence = with_measurements(by_theorem(TEXT.theorem(theorem)), with_overflow_measured=measured)
    return Repair(ALGORITHM, sentence, (Finding("coins", says, evidence),))


@stated_claim("update-distribution")
def update_distribution(given: Given) -> Decision:
    """Decide P_i(o = j | õ = k) ∝ weight · b_ij over j ≥ lowest, for Algorithm 2 and for the coins."""
    claimed, weight, lowest = _rule(given)
    literal = given.evidence(decidable, of_algorithm_two, claimed)
    coins = given.evidence(decidable, updated, claimed, weight, lowest)
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
        of_policy("a-min-cohort", lambda s, i, k, b: in_proportion({j: Fraction(b[j]) for j in b if j >= k})),
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
        return in_proportion({j: w * b[j] for j, w in parts.items() if w is not None})

    return claimed, weight_expr, lowest_expr


@stated_claim("prop-transition")
def prop_transition(given: Given) -> Decision:
    """Decide E[c_ij] = first(s, l, j) x_j n at i = l and later(s, l, i, j) x_j n at i > l."""
    trees, exprs = dict[str, ast.expr](), JsonObject()
    ranges = {"first": integers_from(s=0, l=1, j="l"), "later": integers_from(s=0, l=1, i="l", j="i")}
    for name, on in ranges.items():
        trees[name], exprs[name] = formula_on(name, given[name], {x: getattr(sym, x) for x in on.names}, on)
    last = given.evidence(decidable, last_period, trees["later"])
    opening = given.evidence(decidable, first_period, trees["first"])
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
    proof = read.proof(next_period=last, induction=given.evidence(decidable, by_periods, trees, exprs))
    if verdict.status != "refuted":
        return Decision(short, (verdict,), proof)
    repair = _of_coins(
        "With the coins of the cohort rule alone, for all $s ≥ 0$ and $j ≥ i > l ≥ 1$: $E[c_lj] = (s+l)/(s+j) x_j n$ and "
        "$E[c_ij] = 1/(s+j) x_j n$.",
        "the recursion for the numbers that start in each period",
        "recursion(spared, in_later_periods)",
        compared("a-min-cohort", "of_length", lambda p: proposition_share(p["i"], p["j"], p["s"], p["l"])),
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

    return smallest(4, look, l=1)


def of_policy(policy: str, claimed: Rule) -> Measured | Open:
    """Compare a law with the lengths of those that a policy cancels with a new bound, by simulation."""
    rows: list[tuple[float, JsonObject]] = []
    for sample in SAMPLES:
        transitions = counted(policy, sample)
        for i, k in combinations(range(transitions.l, transitions.u + 1), 2):
            got, b = (
                {j: int(x) for j, x in enumerate(row, start=transitions.l) if x} for row in transitions.updated(i, k)
            )
            if (cancelled := sum(got.values())) >= FEWEST_STARTS:
                gap = _distance(claimed(sample.s, i, k, b), got, set(got) | set(b))
                rows.append((gap, {**sample.as_json(), "i": i, "k": k, "cancelled": cancelled}))
    worst, where = max(rows, key=lambda row: row[0])
    return measured(
        ((gap - (FAR - NEAR), gap) for gap, _ in rows),
        most=NEAR,
        sample=f"{len(rows)} laws of at least {FEWEST_STARTS} cancelled requests",
        margin=f"total variation: supported up to {NEAR}, contradicted above {FAR}",
        values={"policy": policy, "largest_distance": {**where, "total_variation": round(worst, 5)}},
    )


def _distance(shares: Shares | None, got: dict[int, int], lengths: set[int]) -> float:
    """Return the total variation between a law and counts; 1 where there is no law."""
    if shares is None:
        return 1.0
    total = sum(got.values())
    return sum(abs(got.get(j, 0) / total - float(shares.get(j, 0))) for j in lengths) / 2
