"""thm-optimality: no policy without knowledge of o is better than A_min; kill and restart is, without bound.

The process decides it: at s = 1 and u = 1000 Algorithm 2's ratio is above that of a-restart, which knows l and u only.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, PublishedProof, Verdict
from crtools.ledger.claims import claim
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Open, Proved, Refuted, by_theorem
from crtools.papers.adaptive.claims.section_4.another_policy import in_the_process, of_the_forms, of_the_forms_at_zero
from crtools.papers.adaptive.evidence.reading import repairs
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import TEXT

NAMES = {
    AT_ZERO: "of the forms at $s = 0$: every π's supremum over H-SF's is at least the factor times A_min's",
    FORM: "of the forms, every $s ≥ 0$: every π's supremum over H-SF's is at least the factor times A_min's",
    ALGORITHM: "CR(π) is at least the factor times CR(A_min), for every π",
}
OF_THE_FORMS = (
    "every $[l, u]$: every form of a policy π that knows $l$ and $u$ only and that bounds its process from above"
)
READINGS = {
    AT_ZERO: f"of the forms at $s = 0$, {OF_THE_FORMS}",
    FORM: f"of the forms, every $s ≥ 0$, {OF_THE_FORMS}",
    ALGORITHM: "every $s ≥ 0$ and $l ≤ u$; A_min is Algorithm 2 to the letter; π is any policy that knows $l$ and $u$ and no length, and "
    "may cancel as A_min does; CR is the supremum over all lengths in $[l, u]$ and $n$ of E TEL over H-SF's, then $M → ∞$",
}
METHODS = {
    AT_ZERO: "weights on $[1, 10]$ for A_min, a positive definite matrix for own offsets, in integers",
    FORM: "the same at $s = 1$",
    ALGORITHM: "a lower bound for Algorithm 2 by areas, an upper bound for kill and restart over volumes, both proved",
}
DECIDERS = {AT_ZERO: of_the_forms_at_zero, FORM: of_the_forms, ALGORITHM: in_the_process}


@claim(
    "thm-optimality",
    ALGORITHM,
    "Section 4, Theorem 4 (thm:optimality)",
    "no feasible policy without knowledge of $o$ has a smaller CR than A_min as $M → ∞$",
)
def thm_optimality(given: Given) -> Decision:
    """Decide CR(π) ≥ factor · CR(A_min) for every π, of the forms and of the process, and the proof's displays."""
    factor = number("factor", given["factor"])
    proof = published_proof(given)  # reads its formula before anything long is computed
    by_level = {level: given.evidence(decider, factor) for level, decider in DECIDERS.items()}
    verdicts = tuple(
        Verdict(
            level,
            READINGS[level],
            _why(evidence, level),
            METHODS[level],
            (Finding("no-policy-is-better", NAMES[level], evidence),),
        )
        for level, evidence in by_level.items()
    )
    evidence = by_level[ALGORITHM]
    return Decision(
        _summary(evidence), verdicts, proof, repairs("kill-and-restart") if isinstance(evidence, Refuted) else ()
    )


def _why(evidence: Evidence, level: str = ALGORITHM) -> str:
    if not isinstance(evidence, Refuted):
        return "nothing is claimed: ratios are positive" if evidence.status == "proved" else "not decided"
    at = f"$s = {evidence.witness['s']}$, $u = {str(evidence.witness['u']).strip('$')}$"
    lower_bound, (policy, bound) = evidence.actual["a_min_at_least"], _better_policy(evidence)
    against = "H-SF" if level == ALGORITHM else "H-SF's form"
    return f"at {at} {policy}, which knows no length, has a ratio of at most {bound} to {against}, A_min of at least {lower_bound}"


def _better_policy(evidence: Refuted) -> tuple[str, str]:
    """Return the policy that is better than A_min, and an upper bound on its ratio."""
    if "own_offsets_at_most" in evidence.actual:
        return "the policy of own offsets", evidence.actual["own_offsets_at_most"]
    return "kill and restart", evidence.actual["a_restart_at_most"]


def _summary(evidence: Evidence) -> str:
    if not isinstance(evidence, Refuted):
        return _why(evidence)
    return f"CR ≥ {evidence.actual['a_min_at_least']}; kill and restart: ≤ {_better_policy(evidence)[1]}"


# ---- Theorem 4's proof: its displays on conditional expectations, decided for every law ------------------------------

O_I, O_J = sp.symbols("oi oj")

RELATIONS = {">": operator.gt, ">=": operator.ge, "=": operator.eq, "<=": operator.le, "<": operator.lt}
SIGNS = {">=": "≥", "<=": "≤"}
LAWS: tuple[dict[int, Fraction], ...] = (
    {1: Fraction(1, 2), 3: Fraction(1, 2)},
    {1: Fraction(1, 2), 2: Fraction(1, 2)},
    {1: Fraction(9, 10), 100: Fraction(1, 10)},
    {k: Fraction(1, 4) for k in (1, 2, 3, 4)},
)
"""Laws on which the displays of the proof are tried; each allows every n, and lengths with l < u."""


def published_proof(given: Given) -> PublishedProof:
    """Decide the proof's displays; ``InputError`` for what is no relation of two means."""
    for name in ("expectations", "residuals"):
        if given[name].strip() not in RELATIONS:
            raise InputError(name, given[name], f"must be one of {', '.join(RELATIONS)}")
    means, residuals = given["expectations"].strip(), given["residuals"].strip()
    displays = (
        (
            "expectations",
            f"$E[o_i | o_i ≥ õ_i] {SIGNS.get(means, means)} E[o_j | o_j ≥ õ_j]$ for $õ_i > õ_j$",
            conditional_means(means, residual=False),
            "≥, for every law; only strictness fails, where no length lies from $õ_j$ to $õ_i − 1$",
        ),
        (
            "residuals",
            f"$E[o_i | o_i ≥ õ_i] − õ_i {SIGNS.get(residuals, residuals)} E[o_j | o_j ≥ õ_j] − õ_j$",
            conditional_means(residuals, residual=True),
            "neither relation holds for every law",
        ),
        ("difference", "the difference “simplifies to $õ_i − õ_j$”", difference(given["difference"]), ""),
    )
    return PublishedProof(
        tuple(
            Finding(id, f"Appendix, proof of Theorem 4: {text}", evidence, instead=instead)
            for id, text, evidence, instead in displays
        ),
        ("exchanging two requests of two schedules is not shown to leave the others where they are",),
    )


def conditional_means(relation: str, *, residual: bool) -> Proved | Refuted | Open:
    """Decide E[o | o ≥ õ_i] (less õ_i where ``residual``) ``relation`` the same at õ_j, for every law and õ_i > õ_j."""
    for law in LAWS:
        for low in range(1, max(law)):
            for high in range(low + 1, max(law) + 1):
                i, j = _mean(law, high), _mean(law, low)
                lhs, rhs = (i - high, j - low) if residual else (i, j)
                if not RELATIONS[relation](lhs, rhs):
                    tail = {str(k): str(w) for k, w in law.items()}
                    return Refuted(
                        witness={"law_of_o": tail, "bound_i": high, "bound_j": low},
                        claimed=f"left {relation} right",
                        actual={"left": str(lhs), "right": str(rhs)},
                        second={"means_over_360_requests": [_by_counting(law, high), _by_counting(law, low)]},
                        stays="a law, for every $n$",
                    )
    if residual or relation != ">=":
        return Open("no law of the list contradicts it")
    return by_theorem(TEXT.theorem("conditional means"))


def _mean(law: dict[int, Fraction], bound: int) -> Fraction:
    rows = [(k, w) for k, w in law.items() if k >= bound]
    return sum((k * w for k, w in rows), Fraction(0)) / sum((w for _, w in rows), Fraction(0))


def _by_counting(law: dict[int, Fraction], bound: int) -> str:
    """Return the mean again, over 360 requests in the law's proportions."""
    lengths = [k for k, w in law.items() for _ in range(int(360 * w)) if k >= bound]
    return str(Fraction(sum(lengths), len(lengths)))


def difference(text: str) -> Evidence:
    """Decide what the latency difference of the second exchange simplifies to, in oi and oj."""
    on = integers_from(oi=1, oj=1)
    _, claimed = formula_on("difference", text, {"oi": O_I, "oj": O_J}, on)

    def with_means(at: Mapping[str, Fraction]) -> dict[str, str]:
        return {"with_means_11_and_7": str((7 - at["oj"] + 11) - (11 - at["oi"] + 7))}

    expected = O_I - O_J
    evidence = decide_identity("the second exchange", claimed, expected, on, with_means, "every pair of bounds")
    return (
        by_theorem(TEXT.theorem("the second exchange", D=sp.Lambda((O_I, O_J), claimed)))
        if isinstance(evidence, Proved)
        else evidence
    )
