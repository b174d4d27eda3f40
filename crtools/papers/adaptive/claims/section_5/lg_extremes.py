"""lg-extremes: are extreme values more frequent under LG(p) than under a geometric distribution?"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from crtools.distributions import distribution
from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Proved, PublishedProof, Refuted, Repair, Verdict
from crtools.ledger.agree import agree
from crtools.ledger.evidence import by_theorem
from crtools.papers.adaptive.evidence.reading import one_of
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.theory import theorem

WHERE = Fraction(1, 2)
"""The q of the witness."""

RELATIONS = {"more": "larger", "less": "smaller", "equally": "as large"}
"""How frequent extreme values may be said to be, and what that says of tails."""

TRUE = {True: "less", False: "more"}
"""How frequent they are, at equal mean and at equal p."""

TAILS, SAME = (
    "LG against the geometric distribution of its mean",
    "LG against the geometric distribution of its parameter",
)


def decide(given: Given) -> Decision:
    """Decide whether P(o ≥ k) is larger, or smaller, under LG for all large k, and the variance beside it."""
    at_mean = one_of(given, "equal", ("mean", "p")) == "mean"
    relation = one_of(given, "extremes", RELATIONS)
    found, other = (tails(own, relation) for own in (at_mean, not at_mean))
    larger = RELATIONS[relation]
    than = "as" if relation == "equally" else "than"
    says = f"$P(o ≥ k)$ is {{}} under $LG(p)$ {than} under the geometric distribution {{}}, for all large $k$"
    equal = {True: "of the same mean", False: "of the same $p$"}
    verdict = Verdict(
        AT_ZERO,
        f"every $0 < p < 1$, $q = 1 − p$, lengths without an upper end; against the geometric distribution {equal[at_mean]}; extreme "
        "values are those above every $k$ that is large enough ($s$ does not occur)",
        f"the tail is {RELATIONS[TRUE[at_mean]]}",
        "tails in closed form, an inequality for every $k$ from twice the mean on",
        (
            Finding("tails", says.format(larger, equal[at_mean]), found),
            Finding("variance", f"the variance is {larger} at equal mean", variance(relation), decides=False),
            Finding(
                "at-equal-p" if at_mean else "at-equal-mean",
                says.format(larger, equal[not at_mean]),
                other,
                decides=False,
            ),
        ),
    )
    sentence = (
        "for every $0 < q < 1$: at equal mean $m = (1+q)/(1−q)$, $P(o ≥ k)$ is smaller under $LG(p)$ than under the geometric distribution "
        "for every $k ≥ 2m$; at equal $p$ it is larger for every $k ≥ 2$"
    )
    repair = Repair(
        AT_ZERO,
        sentence,
        tuple(Finding(id, sentence, tails(own, TRUE[own])) for id, own in (("mean", True), ("p", False))),
    )
    at = "at equal mean" if at_mean else "at equal $p$"
    line = f"{at} they are {TRUE[at_mean]} frequent"
    return Decision(line, (verdict,), PublishedProof(note="a remark without proof"), (repair,))


def tails(at_mean: bool, relation: str) -> Evidence:
    """Decide whether P(o ≥ k) is larger, smaller or the same under LG for all large k."""
    proof = theorem(TAILS if at_mean else SAME)
    if relation == TRUE[at_mean] and proof.holds:
        return by_theorem(proof)
    q, mean = WHERE, (1 + WHERE) / (1 - WHERE)
    k, other = ceil(2 * mean), 1 - 1 / mean if at_mean else q
    lg, geometric = (1 + (k - 1) * (1 - q)) * q ** (k - 1), other ** (k - 1)
    weights = [(i * (1 - q) ** 2 * q ** (i - 1), (1 - other) * other ** (i - 1)) for i in range(1, k)]
    second = [1 - sum(own) for own in zip(*weights, strict=True)]
    agree([lg, geometric], second, "the tails")
    if lg == geometric or (lg < geometric) is not at_mean:
        raise AssertionError("the tails at the witness are not as the theorem says")
    return Refuted(
        {"q": str(q), "k": k, "mean_of_LG": str(mean), "q_of_the_geometric": str(other)},
        _said(relation, geometric),
        str(lg),
        [str(tail) for tail in second],
        "so at every $q$ for every "
        + ("$k$ from twice the mean on, and the quotient tends to 0" if at_mean else "$k ≥ 2$"),
        proof.records,
    )


def _said(relation: str, value: Fraction) -> str:
    return f"{RELATIONS[relation]} {'as' if relation == 'equally' else 'than'} {value}"


def variance(relation: str) -> Evidence:
    """Decide whether the variance is larger, smaller or the same under LG at equal mean."""
    mean = (1 + WHERE) / (1 - WHERE)
    own, other = (mean**2 - 1) / 2, mean**2 - mean
    laws = (distribution(f"linear-geometric(q={WHERE})"), distribution(f"geometric(q={1 - 1 / mean})"))
    sums = [[sum(float(law.weight(k)) * k**power for k in range(1, 400)) for power in (0, 1, 2)] for law in laws]
    second = [round(square / n - (first / n) ** 2, 9) for n, first, square in sums]
    agree([round(float(value), 9) for value in (own, other)], second, "the variances")
    if relation == TRUE[True]:
        return Proved(argument="at the mean $m$ they are $(m²−1)/2$ and $m² − m$, which is larger by $½(m−1)²$")
    at = {"q": str(WHERE), "mean": str(mean)}
    return Refuted(at, _said(relation, other), str(own), second, "at every $q$ it is smaller by $½(m−1)²$")


CLAIM = Claim(
    id="lg-extremes",
    place="Section 5, the list of distributions, item 3",
    statement="under $LG(p)$ extreme values occur more frequently than geometric decay predicts, at equal mean",
    stated_at=AT_ZERO,
    given={"equal": "mean", "extremes": "more"},
    decide=decide,
)
