"""update-distribution: the true lengths of the cancelled requests, given their new bound."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.algorithm_two.coins import Rule, Shares, in_proportion, updated
from crtools.papers.adaptive.evidence.algorithm_two.measured import beside, decidable, exact_value
from crtools.papers.adaptive.evidence.algorithm_two.new_bounds import of_algorithm_two, of_policy
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem
from crtools.proof import symbols as sym


def decide(given: Given) -> Decision:
    """Decide P_i(o = j | õ = k) ∝ weight · b_ij over j ≥ lowest, for Algorithm 2 and for the coins."""
    claimed, weight, lowest = _rule(given)
    literal = given.evidence(decidable, of_algorithm_two, claimed)
    coins = given.evidence(decidable, updated, claimed, weight, lowest)
    false = isinstance(literal, Refuted)
    words = {"supported": "simulation agrees", "contradicted": "simulation disagrees"}
    why = short = words.get(literal.status, "not decided")
    if false:
        why, short = "a cancelled request with $k$ tokens can have any $o ≥ k + 1$", "not their law"
        if (lowest - sym.k).is_nonpositive:
            why = "off by one as printed: a cancelled request with $k$ tokens has $o ≥ k + 1$, so that none has $o = õ$"
            short = "off by one: no cancelled one has $o = õ$"
    own = f"of the starts with bound $i$ that get the new bound $k$, lengths $j ≥ {given['lowest']}$ have shares in proportion to "
    own += f"${'b_ij' if given['weight'] == '1' else given['weight'] + ' b_ij'}$"
    verdict = Verdict(
        ALGORITHM,
        "Algorithm 2 to the letter ($õ$ := tokens generated), all $n$, $M$, $s ≥ 1$ and $k > i$ (for $k = i = l$ the bound is not "
        "new); $P_i$ is over the cancelled starts with bound $i$ that get the new bound $k$, where there may be some, and $b_ij > 0$",
        why,
        "an argument for every run, exact enumeration of the ties at small instances, simulation",
        (Finding("law-of-the-cancelled", own, literal),),
    )
    return Decision(short, (verdict,), _proof(literal, coins), (_repair(),) if false else ())


def _rule(given: Mapping[str, str]) -> tuple[Rule, Any, Any]:
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


def _proof(literal: Evidence, coins: Evidence) -> PublishedProof:
    symmetry = Display(
        "symmetry",
        "Section 4.1, Observation 2: “by input symmetry, the probability that its true output length is $o = j ≥ k$ is "
        "proportional to $b_ij$”",
        literal,
        "an unfinished request with $k$ tokens has $o > k$: with $t ≥ k + 1$ simulation agrees",
    )
    display = Display(
        "law-of-coins",
        "Equation (4), the display itself, where $õ$ := tokens + 1 and every start loses its place by a coin $1/(s+a+1)$ at each "
        "age $a ≥ i$",
        coins,
    )
    return PublishedProof((symmetry, display))


def _repair() -> Repair:
    measured = of_policy("a-min-cohort", lambda s, i, k, b: in_proportion({j: Fraction(b[j]) for j in b if j >= k}))
    evidence = beside(by_theorem(theorem("update(alike, lowest)")), with_overflow_measured=measured)
    sentence = (
        "With the coins of the cohort rule alone, which give a start that they cancel at age $a$ the bound $a + 1$, for all $s ≥ 0$ and "
        "$k > i ≥ 1$: $P_i(o = j | õ = k) = b_ij / Σ_{t≥k} b_it$."
    )
    return Repair(ALGORITHM, sentence, (Finding("coins", "those that a coin cancels at age $k − 1$", evidence),))


CLAIM = Claim(
    id="update-distribution",
    place="Section 4.1, Equation (4) (eq:update_distribution)",
    statement="$P_i(o = j | õ = k) = b_ij / Σ_{t≥k} b_it$",
    stated_at=ALGORITHM,
    given={"weight": "1", "lowest": "k"},
    decide=decide,
    corrupted=(
        Variant("an index: from k+1", {"lowest": "k+1"}, "law-of-coins"),
        Variant("an index: from k−1", {"lowest": "k-1"}, "law-of-coins"),
        Variant("weighted by the length", {"weight": "j"}, "law-of-coins"),
        Variant("weighted by the survival", {"weight": "(s+i)/(s+j)"}, "law-of-coins"),
        Variant("from k+2, for Algorithm 2 as well", {"lowest": "k+2"}, "law-of-the-cancelled"),
    ),
    variants=(
        Variant("from k+1, for Algorithm 2", {"lowest": "k+1"}, "law-of-the-cancelled"),
        Variant("any constant weight", {"weight": "(s+i)/(s+k)"}, "law-of-coins"),
    ),
)
