"""prop-memory: packed schedules in corresponding order, with less memory."""

from __future__ import annotations

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import Evidence, Refuted
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.queues.repairs import a_random_at_less_memory
from crtools.papers.adaptive.evidence.reading import PROCESS, phrase
from crtools.papers.adaptive.evidence.schedules.memory_and_latency import factor_of, in_total, of_each
from crtools.papers.adaptive.evidence.schedules.threes_and_fours import not_in_proportion
from crtools.papers.adaptive.levels import ALGORITHM


def decide(given: Given) -> Decision:
    """Decide TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion; the factor may depend on n."""
    factor = factor_of(given["factor"])
    times = "" if factor.text == "1" else f"{factor.text} · "
    findings = (
        Finding("total", f"$TEL(I') ≤ {times}β⁻¹ TEL(I)$", in_total(factor)),
        Finding("each", f"$L_i' ≤ {times}β⁻¹ L_i$ for every $i$", of_each(factor)),
    )
    reading = (
        "all pairs of feasible, optimally packed schedules in corresponding order at $M$ and $βM$, $s ≥ 1$; a request of the "
        f"first batch could move to any earlier instant; {PROCESS}"
    )
    method = "families run in exact integers; exhaustive search over all schedules"
    verdict = Verdict(ALGORITHM, reading, _why(findings[0].evidence), method, findings)
    display = Display(
        "in-proportion",
        "proof of Proposition EC.1: “at each moment, the number of requests being processed in $I'$ is $β$ times the number in $I$”",
        not_in_proportion(),
        "requests started together share the memory worse than requests of mixed ages",
    )
    repairs = (a_random_at_less_memory(),) if any(f.status == "refuted" for f in findings) else ()
    return Decision(_line(*findings), (verdict,), PublishedProof((display,)), repairs)


def _why(evidence: Evidence) -> str:
    if not isinstance(evidence, Refuted):
        return phrase(evidence.status, "", "the totals differ by at most the factor", "the factor was not decided")
    if less := evidence.witness.get("less"):
        return f"threes, then fours: at {less} tokens less than $M = 340k$ the ratio of the latencies nears $20/17$, while $β⁻¹ → 1$"
    return "by rounding: with a little less memory one request runs at a time instead of two"


def _line(total: Finding, each: Finding) -> str:
    found = total.evidence
    if isinstance(found, Refuted) and "less" in found.witness:
        ratio, inverse = (100 * float(found.values[name]) - 100 for name in ("ratio", "inverse_beta"))
        return f"{ratio:.1f} % slower with {inverse:.1f} % less memory"
    if isinstance(found, Refuted):
        return "false by rounding of the memory"
    return phrase(each.status, "false of single requests", "not decided")


CLAIM = Claim(
    id="prop-memory",
    place="Section EC.1, Proposition EC.1 (prop:memo_latency)",
    statement="for optimally packed schedules in corresponding order: $TEL(I') ≤ β⁻¹ TEL(I)$, and $L_i' ≤ β⁻¹ L_i$ for every $i$",
    stated_at=ALGORITHM,
    given={"factor": "1"},
    decide=decide,
    rests_on=("tel-identity",),
    corrupted=(
        Variant("1 % weaker, still false", {"factor": "1.01"}, "total"),
        Variant("1 % stronger", {"factor": "0.99"}, "total"),
        Variant("half", {"factor": "1/2"}, "total"),
        Variant("nearly six times weaker, still false", {"factor": "5.9"}, "total"),
        Variant("just below the number of requests", {"factor": "0.99*n"}, "total"),
    ),
    variants=(Variant("twice the number of requests", {"factor": "2*n"}, "total"),),
)
