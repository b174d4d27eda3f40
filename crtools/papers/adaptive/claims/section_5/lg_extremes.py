"""lg-extremes: are extreme values more frequent under LG(p) than under a geometric distribution?"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from crtools.ledger import Decision, Finding, Given, PublishedProof, Repair, Verdict
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.ledger.evidence import Evidence, Proved, Refuted, by_theorem
from crtools.papers.adaptive.evidence.reading import one_of
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.theory import theorem

WHERE = Fraction(1, 2)
"""The q of the witness."""

RELATIONS = {"more": "larger", "less": "smaller", "equally": "as large"}
"""How frequent extreme values may be said to be, and what that says of tails."""

TRUE, PROOFS = {"mean": "less", "p": "more"}, {"mean": "mean", "p": "parameter"}
"""How frequent they are, at equal mean and at equal p, and the theorems that say so."""


@claim(
    "lg-extremes",
    AT_ZERO,
    "Section 5, the list of distributions, item 3",
    "under $LG(p)$ extreme values occur more frequently than geometric decay predicts, at equal mean",
)
def lg_extremes(given: Given) -> Decision:
    """Decide whether P(o ≥ k) is larger, or smaller, under LG for all large k, and (deciding nothing) the same of the variance."""
    kind, relation = one_of(given, "equal", TRUE), one_of(given, "extremes", RELATIONS)
    [other_kind] = TRUE.keys() - {kind}
    than = "as" if relation == "equally" else "than"
    larger = f"is {RELATIONS[relation]} under $LG(p)$ {than} under the geometric distribution of"
    reading = (
        f"every $0 < p < 1$, $q = 1 − p$, lengths without an upper end; against the geometric distribution of the same {kind}; extreme "
        "values are those above every $k$ that is large enough ($s$ does not occur)"
    )
    findings = (
        Finding("tails", f"$P(o ≥ k)$ {larger} the same {kind}, for all large $k$", tails(kind, relation)),
        Finding("variance", f"the variance {larger} the same mean", variance(relation), decides=False),
        Finding(
            f"at-equal-{other_kind}",
            f"$P(o ≥ k)$ {larger} the same {other_kind}, for all large $k$",
            tails(other_kind, relation),
            decides=False,
        ),
    )
    why = f"at equal {kind} they are {TRUE[kind]} frequent"
    verdict = Verdict(AT_ZERO, reading, why, "tails in closed form, an inequality for every $k ≥ 2m$", findings)
    sentence = (
        "for every $0 < q < 1$: at equal mean $m = (1+q)/(1−q)$, $P(o ≥ k)$ is smaller under $LG(p)$ than under the geometric distribution "
        "for every $k ≥ 2m$; at equal $p$ it is larger for every $k ≥ 2$"
    )
    repair = Repair(
        AT_ZERO,
        sentence,
        tuple(Finding(each, sentence, tails(each, true_relation)) for each, true_relation in TRUE.items()),
    )
    return Decision(why, (verdict,), PublishedProof(note="a remark without proof"), (repair,))


def tails(kind: str, relation: str) -> Evidence:
    """Decide whether P(o ≥ k) is larger, smaller or the same under LG for all large k."""
    proof, mean = theorem(f"LG against the geometric distribution of its {PROOFS[kind]}"), (1 + WHERE) / (1 - WHERE)
    if relation == TRUE[kind] and proof.holds:
        return by_theorem(proof)
    q, other, k = WHERE, 1 - 1 / mean if kind == "mean" else WHERE, ceil(2 * mean)
    values = [(1 + (k - 1) * (1 - q)) * q ** (k - 1), other ** (k - 1)]
    weights = [(i * (1 - q) ** 2 * q ** (i - 1), (1 - other) * other ** (i - 1)) for i in range(1, k)]
    second = agree(values, [1 - sum(weight_column) for weight_column in zip(*weights, strict=True)], "the tails")
    agree(values[0] < values[1], kind == "mean", "which tail is the larger one")
    witness = {"q": str(q), "k": k, "mean_of_LG": str(mean), "q_of_the_geometric": str(other)}
    stays = "at every $q$, for every $k ≥ " + ("2m$, and the quotient tends to 0" if kind == "mean" else "2$")
    tail_texts = [str(tail) for tail in second]
    return Refuted(witness, _comparison(relation, values[1]), str(values[0]), tail_texts, stays, proof.records)


def _comparison(relation: str, value: Fraction) -> str:
    return f"{RELATIONS[relation]} {'as' if relation == 'equally' else 'than'} {value}"


def variance(relation: str) -> Evidence:
    """Decide whether the variance is larger, smaller or the same under LG at equal mean."""
    mean = (1 + WHERE) / (1 - WHERE)
    lg_variance, geometric_variance = (mean**2 - 1) / 2, mean**2 - mean
    laws = ([k * WHERE**k for k in range(1, 400)], [(1 - 1 / mean) ** k for k in range(1, 400)])
    sums = [[float(sum(x * k**power for k, x in enumerate(law, start=1))) for power in (0, 1, 2)] for law in laws]
    second = [round(square / n - (first / n) ** 2, 9) for n, first, square in sums]
    agree([round(float(value), 9) for value in (lg_variance, geometric_variance)], second, "the variances")
    if relation == "less":
        return Proved(argument="at the mean $m$ they are $(m²−1)/2$ and $m² − m$, which is larger by $½(m−1)²$")
    at, stays = {"q": str(WHERE), "mean": str(mean)}, "at every $q$ it is smaller by $½(m−1)²$"
    return Refuted(at, _comparison(relation, geometric_variance), str(lg_variance), second, stays)
