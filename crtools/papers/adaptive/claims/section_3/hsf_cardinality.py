"""hsf-cardinality: the longest prefix in increasing length that fits is a largest set that fits."""

from __future__ import annotations

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Claim, Decision, Finding, Given, PublishedProof, Variant, Verdict, by_theorem
from crtools.papers.adaptive.evidence.queues.prefixes import larger_set
from crtools.papers.adaptive.evidence.reading import PROCESS, one_of
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem

WHYS = {"proved": "shorter requests never hold more", "refuted": "a larger set fits"}


def decide(given: Given) -> Decision:
    """Decide whether no fitting set has more requests than the longest fitting prefix, and ``margin`` more."""
    order = one_of(given, "order", ("increasing", "decreasing"))
    prompts = one_of(given, "prompts", ("equal", "unequal"))
    margin = _margin(given["margin"])
    more = "no fitting set is larger" if margin == 0 else f"no fitting set has more than {margin} requests more"
    # in increasing order with equal prompts; each of the other cases has a counterexample
    evidence = larger_set(order, prompts, margin) or by_theorem(theorem("largest prefix"))
    says = f"the longest prefix in {order} $o$ that fits: {more}, {prompts} prompts"
    why = "the $k$ shortest waiting requests hold at most what any $k$ of them hold, at every instant"
    verdict = Verdict(
        ALGORITHM,
        f"one scheduling round, {PROCESS}",
        why if evidence.status == "proved" else "a set that fits has more requests than the prefix",
        "exchange argument; a family with any gap",
        (Finding("largest-prefix", says, evidence),),
    )
    return Decision(WHYS.get(evidence.status, "not decided"), (verdict,), PublishedProof(note="stated without proof"))


def _margin(text: str) -> int:
    value = number("margin", text)
    if value.denominator != 1 or abs(value) > 100:
        raise InputError("margin", text, "must be an integer from -100 to 100")
    return int(value)


CLAIM = Claim(
    id="hsf-cardinality",
    place="Section EC.2, Algorithm 3, H-SF (algo:off)",
    statement="the longest prefix in increasing $o$ that fits is a set of largest cardinality that fits",
    stated_at=ALGORITHM,
    given={"order": "increasing", "prompts": "equal", "margin": "0"},
    decide=decide,
    corrupted=(
        Variant("the other order", {"order": "decreasing"}),
        Variant("unequal prompts", {"prompts": "unequal"}),
        Variant("both", {"order": "decreasing", "prompts": "unequal"}),
        Variant("every fitting set is smaller", {"margin": "-1"}),
        Variant("the other order, with room for ten", {"order": "decreasing", "margin": "10"}),
        Variant("unequal prompts, with room for ten", {"prompts": "unequal", "margin": "10"}),
    ),
    variants=(Variant("a weaker bound", {"margin": "1"}),),
)
