"""hsf-lower: H-SF against the optimum."""

from __future__ import annotations

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import Measured, Open, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.reading import PROCESS, positive, requests_asked, which_instances
from crtools.papers.adaptive.evidence.schedules.better_than_h_sf import decided
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem


def decide(given: Given) -> Decision:
    """Search for a schedule that is better than H-SF's."""
    factor = positive(given, "factor")
    asked = requests_asked(given["requests"])
    evidence = decided(factor, asked)
    times = "" if factor == 1 else f"{given['factor'].strip()} × "
    finding = Finding("no-better-schedule", f"no schedule is better than {times}H-SF's total", evidence)
    verdict = Verdict(
        ALGORITHM,
        f"{which_instances(asked)}, $s ≥ 1$, every schedule without cancellation, {PROCESS}",
        _why(evidence),
        "families of equal lengths, exhaustive search with the mixed-integer optimum, then random instances",
        (finding,),
    )
    repairs = (_repair(),) if evidence.status == "refuted" else ()
    return Decision(_line(evidence), (verdict,), PublishedProof(note="stated without proof"), repairs)


def _line(evidence: Refuted | Measured | Open) -> str:
    if not isinstance(evidence, Refuted):
        return "no better schedule was found"
    if evidence.theorems:
        return "H-SF can take almost twice the optimum"
    better, own = evidence.values["total"], evidence.values["h_sf_total"]
    return f"{better} against H-SF's {own}" if own < 10**12 else "another schedule is better"


def _why(evidence: Refuted | Measured | Open) -> str:
    if isinstance(evidence, Refuted):
        if evidence.theorems:
            return (
                "requests of three tokens, $s = 1$: as many starts at every instant as fit take $3/4$ of H-SF's latency as $n → ∞$, "
                "and almost half of it where all are long"
            )
        return "H-SF waits for whole batches; requests of different ages share the memory better"
    return "no schedule that was tried is better" if isinstance(evidence, Measured) else evidence.tried


def _repair() -> Repair:
    sentence = (
        "the volume bound $(1/M) Σ_k$ (sum of the $k$ smallest $s·o + o(o+1)/2$) is at most every schedule's total latency; for equal "
        "prompts $s$ and lengths up to $u$, H-SF's is at most $2(s+u)/(2s+u+1) < 2$ times any schedule's ($n → ∞$ with shares $x$, then "
        "$M → ∞$), which equal lengths $u$ reach"
    )
    near = Finding(
        "h-sf-near", "H-SF's latency against every schedule's", by_theorem(theorem("H-SF against every schedule"))
    )
    reached = Finding("reached", "equal lengths reach it", by_theorem(theorem("equal lengths, started evenly")))
    return Repair(ALGORITHM, sentence, (near, reached))


CLAIM = Claim(
    id="hsf-lower",
    place="Section 6",
    statement="H-SF serves as a lower bound on achievable latency",
    stated_at=ALGORITHM,
    given={"factor": "1", "requests": "any"},
    decide=decide,
    corrupted=(
        Variant("1 % more", {"factor": "1.01"}),
        Variant("5 % more", {"factor": "1.05"}),
        Variant("twice", {"factor": "2"}),
        Variant("1 % more for two requests", {"factor": "1.01", "requests": "2"}),
        Variant("four requests", {"requests": "4"}),
    ),
    variants=(
        Variant("two requests, in the range searched", {"requests": "2"}),
        Variant("1 % less for two requests", {"factor": "0.99", "requests": "2"}),
    ),
)
