"""prop-transition: how many requests of each length complete in each period."""

from __future__ import annotations

import ast

from crtools.ledger import Decision, Evidence, Finding, Given, PublishedProof, Refuted, Repair, Verdict, by_theorem
from crtools.ledger.claims import claim
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.coins import transitions
from crtools.papers.adaptive.evidence.completions import first_period, last_period
from crtools.papers.adaptive.evidence.measured import compared, with_measurements
from crtools.papers.adaptive.evidence.reading import decidable
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.policies.transitions import proposition_share
from crtools.papers.adaptive.theory import TEXT
from crtools.proof import symbols as sym

RANGES = {"first": integers_from(s=0, l=1, j="l"), "later": integers_from(s=0, l=1, i="l", j="i")}


@claim(
    "prop-transition",
    ALGORITHM,
    "Section 4.1, Proposition 1 (prop:state_transition)",
    "$E[c_ij] = (s+l)/(s+j) x_j n$ for $i = l$, else $1/(s+j) x_j n$",
    rests_on=["lem-deletion", "update-distribution"],
)
def prop_transition(given: Given) -> Decision:
    """Decide E[c_ij] = first(s, l, j) x_j n at i = l and later(s, l, i, j) x_j n at i > l."""
    trees, exprs = dict[str, ast.expr](), JsonObject()
    for name, on in RANGES.items():
        trees[name], exprs[name] = formula_on(name, given[name], {x: getattr(sym, x) for x in on.names}, on)
    last = given.evidence(decidable, last_period, trees["later"])
    opening = given.evidence(decidable, first_period, trees["first"])
    algebra = given.evidence(decidable, transitions, trees, exprs)
    why = short = "not decided"
    off = "an unfinished request has $õ ≤ o − 1$, so that none completes in its own period $i = j > l$: off by one as printed"
    if isinstance(last, Refuted):
        why, short = off, "off by one: none completes with $õ = o > l$"
    if isinstance(opening, Refuted):
        regime = (
            "where memory needs shrink with age hardly any start is cancelled, with every length at a fixed share: nearly all "
            "complete in period $l$, and not a share"
        )
        why, short = f"{regime}; {off}" if why == off else regime, "nearly all complete in period $l$"
    verdict = Verdict(
        ALGORITHM,
        "Algorithm 2 ($õ := max(õ, a)$ at a cancellation with $a$ tokens), all $s ≥ 1$, $l < j ≤ u$, $n$ and $M$, or laws as $n → ∞$, then "
        "$M → ∞$, $x_j > 0$, expectation over the ties; $c_ij$ counts the requests of length $j$ whose last start is with bound $i$",
        why,
        "a theorem on laws whose needs shrink with age, an argument for every run, exact enumeration of the ties of small instances, "
        "simulation",
        (
            Finding("first-period", f"$E[c_lj] = {given['first']} · x_j n$", opening),
            Finding("last-period", f"for $j > l$: $E[c_jj] = {given['later']} · x_j n$", last),
        ),
    )
    repairs = (_repair(),) if verdict.status == "refuted" else ()
    return Decision(short, (verdict,), _proof(last, algebra), repairs)


def _proof(last: Evidence, algebra: Evidence) -> PublishedProof:
    next_period = Finding(
        "next-period",
        "Appendix, proof of Proposition 1: “In the next period $τ_{l+1}$, all remaining requests with $o = l+1$ must be completed”",
        last,
        instead="Algorithm 2 gives a request that is cancelled with $a$ tokens the bound $a ≤ o − 1$: none is ever started with "
        "$õ = o > l$",
    )
    induction = Finding(
        "induction",
        "Appendix, proof of Proposition 1: the induction over the periods, with Lemma 1 and Equation (4) as premises",
        algebra,
    )
    return PublishedProof((next_period, induction))


def _repair() -> Repair:
    measured = compared("a-min-cohort", "share", lambda p: proposition_share(p["i"], p["j"], p["s"], p["l"]))
    theorem = TEXT.theorem("recursion(spared, in_later_periods)")
    evidence = with_measurements(by_theorem(theorem), with_overflow_measured=measured)
    sentence = (
        "With the coins of the cohort rule alone, for all $s ≥ 0$ and $j ≥ i > l ≥ 1$: $E[c_lj] = (s+l)/(s+j) x_j n$ and "
        "$E[c_ij] = 1/(s+j) x_j n$."
    )
    backing = Finding("coins", "the recursion for the numbers that start in each period", evidence)
    return Repair(ALGORITHM, sentence, (backing,))
