"""amax-safe: A_max never exceeds the memory."""

from __future__ import annotations

from crtools.ledger import Claim, Decision, Display, Finding, Given, PublishedProof, Variant, Verdict
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.papers.adaptive.evidence.queues.assumed_lengths import high_end, low_end, safe
from crtools.papers.adaptive.evidence.reading import PROCESS
from crtools.papers.adaptive.levels import ALGORITHM

WHYS = {
    "proved": ("no request outlives what is assumed", "the true use never exceeds the projected one, as $o_i ≤ u$"),
    "refuted": ("requests outlive what is assumed", "two requests that are longer than assumed exceed the memory"),
    "supported": ("no run exceeded the memory", "no interval was found on which less than $u$ is assumed"),
}


def decide(given: Given) -> Decision:
    """Decide whether a queue that assumes a length never exceeds the memory."""
    text = given["assumed"]
    tree, expr = formula_on("assumed", text, {"l": low_end, "u": high_end}, integers_from(l=1, u="l"))
    evidence = safe(text, tree, expr)
    says = f"assuming ${text.strip()}$ for every request, the memory is never exceeded and nothing is cancelled"
    short, why = WHYS[evidence.status]
    finding = Finding("never-exceeded", says, evidence)
    verdict = Verdict(ALGORITHM, f"every instance, {PROCESS}", why, "invariant; two requests of length $u$", (finding,))
    display = Display("overestimated", "Section 3.2, “Since the output lengths are overestimated”", evidence)
    return Decision(short, (verdict,), PublishedProof((display,)))


CLAIM = Claim(
    id="amax-safe",
    place="Section 3.2, Algorithm 1 (algo:malb)",
    statement="$A_max$ never exceeds the memory and never cancels",
    stated_at=ALGORITHM,
    given={"assumed": "u"},
    decide=decide,
    corrupted=(
        Variant("the lower end", {"assumed": "l"}),
        Variant("one token less", {"assumed": "u-1"}),
        Variant("the middle", {"assumed": "(l+u)/2"}),
        Variant("1 % less", {"assumed": "0.99*u"}),
        Variant("less for wide intervals only", {"assumed": "u+5-(u-l)"}),
    ),
    variants=(
        Variant("one token more", {"assumed": "u+1"}),
        Variant("more", {"assumed": "2*u-l"}),
        Variant("an equivalent wording", {"assumed": "max(l,u)"}),
        Variant("a product", {"assumed": "l*u"}),
    ),
)
