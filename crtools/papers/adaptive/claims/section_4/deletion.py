"""lem-deletion: the share of the starts with bound i and length j that complete."""

from __future__ import annotations

from crtools.ledger import Decision, Evidence, Finding, Given, PublishedProof, Refuted, Repair, Verdict, by_theorem
from crtools.ledger.claims import claim
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.papers.adaptive.evidence.coins import spared
from crtools.papers.adaptive.evidence.completions import completes
from crtools.papers.adaptive.evidence.measured import compared, with_measurements
from crtools.papers.adaptive.evidence.reading import decidable
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.policies.transitions import lemma_share
from crtools.papers.adaptive.theory import theorem
from crtools.proof import symbols as sym


@claim(
    "lem-deletion",
    ALGORITHM,
    "Section 4.1, Lemma 1 (lem:deletion)",
    "$E[c_ij | b_ij] = (s+i)/(s+j) b_ij$ and the complement",
)
def lem_deletion(given: Given) -> Decision:
    """Decide E[c_ij | b_ij] = f(i, j, s) b_ij for Algorithm 2, and f for the coins."""
    names = {"s": sym.s, "i": sym.i, "j": sym.j}
    tree, expr = formula_on("completes", given["completes"], names, integers_from(s=0, i=1, j="i"))
    literal = given.evidence(decidable, completes, tree)
    false = isinstance(literal, Refuted)
    says = f"of the starts with bound $i$ and length $j$ a share ${given['completes']}$ completes"
    verdict = Verdict(
        ALGORITHM,
        "Algorithm 2, all $n$, $M$, $s ≥ 1$ and $i ≤ j$ with $b_ij > 0$, or laws as $n → ∞$ and then $M → ∞$; expectation "
        "over the ties; $b_ij$ counts the starts with bound $i$, or, as it may be read, the requests that start with it at least once",
        _why(literal) if isinstance(literal, Refuted) else "not decided",
        "a theorem on laws whose needs shrink with age, runs, exact enumeration of the ties of a small instance",
        (Finding("completes", says, literal),),
    )
    why = _short(literal) if isinstance(literal, Refuted) else "not decided"
    proof = _proof(literal, given.evidence(decidable, spared, tree, expr))
    return Decision(why, (verdict,), proof, (_repair(),) if false else ())


def _why(literal: Refuted) -> str:
    if "r" in literal.witness:
        at = literal.witness
        return (
            "where memory needs shrink with age hardly any start is cancelled, with every length at a fixed share: at "
            f"$s = {at['s']}$, $u = {at['u']}$ nearly all of length {at['length_j']} complete, and not a share ${literal.claimed}$"
        )
    return f"a share {literal.actual} completes where {literal.claimed} is claimed"


LONGEST = 10
"""Longest claimed share, in characters, that the ledger's line quotes."""


def _short(literal: Refuted) -> str:
    if len(str(literal.claimed)) > LONGEST:
        return "nearly all complete"
    return f"{'nearly ' * ('r' in literal.witness)}all complete where {literal.claimed} is claimed"


def _proof(literal: Evidence, coins: Evidence) -> PublishedProof:
    symmetry = Finding(
        "symmetry",
        "Appendix, proof of Lemma 1: “the symmetry among inputs … implies that only a fraction … can be completed”",
        literal,
        instead="symmetry makes the fraction equal for all of one length and says nothing of its size; memory that completed requests "
        "leave goes to those that run as well, so a start cohort does not keep its share",
    )
    fraction = Finding(
        "fraction-of-coins",
        "Lemma 1, the fraction itself, where instead every start loses its place by a coin $1/(s+a+1)$ at each age $a ≥ i$",
        coins,
    )
    return PublishedProof((symmetry, fraction))


def _repair() -> Repair:
    measured = compared("a-min-cohort", "survival", lambda p: lemma_share(p["i"], p["j"], p["s"]))
    evidence = with_measurements(by_theorem(theorem("survival(spared)")), with_overflow_measured=measured)
    sentence = (
        "With the coins of the cohort rule alone (at every age $a ≥ i$ a start with bound $i$ is cancelled with probability "
        "$1/(s+a+1)$, and nothing else cancels), for all $s ≥ 0$ and $j ≥ i ≥ 1$: $E[c_ij | b_ij] = (s+i)/(s+j) b_ij$."
    )
    return Repair(ALGORITHM, sentence, (Finding("coins", "a start that every coin spares", evidence),))
