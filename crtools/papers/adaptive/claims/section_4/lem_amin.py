"""lem-amin: the closed form of CR(A_min), its H-SF and A_min parts each, against the processes themselves."""

from __future__ import annotations

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import Evidence, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.algorithm_two import latencies
from crtools.papers.adaptive.evidence.algorithm_two.measured import decidable
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem

READING = (
    "$s$, $l$, $u$ and the weights $x$ fixed, $n → ∞$ with the shares $x$, then $M → ∞$; H-SF and Algorithm 2 to the letter, expectation "
    "over its ties; forms by their entries for $i ≤ j$"
)
METHOD = (
    "theorems on Algorithm 2 and H-SF in the limit; exact schedules of H-SF in two phases; two implementations beside"
)

WORDS = {
    "ratio": "Algorithm 2 hardly cancels where needs shrink with age: it follows the order of a random draw, by areas, and learns nothing",
    "a-min": "under a law whose needs shrink with age Algorithm 2 takes longer than the form says",
    "h-sf": "H-SF's latency has no limit: it depends on the remainder of $n$ modulo a batch",
}
"""Why the Lemma is false, by the first of its parts that fails."""

SHORT = {"a-min": "Algorithm 2 takes longer than the form", "h-sf": "H-SF has no limit along every $n$"}


def decide(given: Given) -> Decision:
    """Decide both forms, given by their entries for i ≤ j, and their ratio, for H-SF and Algorithm 2."""
    a_min, h_sf = (latencies.entry(given, name) for name in ("a_min", "h_sf"))
    ratio = decidable(latencies.of_the_ratio, a_min, h_sf)
    own = decidable(latencies.of_algorithm_two, a_min)
    best = decidable(latencies.h_sf_in_phases, h_sf)
    generic = decidable(latencies.by_simulation, "h-sf", h_sf)
    findings = (
        Finding("ratio", "CR of Algorithm 2 is the ratio of the forms", ratio),
        Finding("a-min", "Algorithm 2's latency is A_min's form", own),
        Finding("h-sf", "H-SF's latency is its form, along every $n → ∞$", best),
        Finding("h-sf-generic", "H-SF's latency is its form, at large $n$ drawn at random", generic),
    )
    false = next((f.id for f in findings if f.status == "refuted"), "")
    verdict = Verdict(ALGORITHM, READING, WORDS.get(false, "not decided"), METHOD, findings)
    short = latencies.both_ratios(ratio) or SHORT.get(false, "not decided")
    proof = _proof(best, own, decidable(latencies.by_simulation, "a-min-cohort", a_min))
    return Decision(short, (verdict,), proof, _repairs() if false else ())


def _proof(best: Evidence, own: Evidence, latency: Evidence) -> PublishedProof:
    place = "Section 4.1, proof of Lemma 2:"
    return PublishedProof(
        (
            Display(
                "h-sf-time",
                f"{place} “the total processing time for requests of output length $k$ is $k(s+k) x_k n/M$”",
                best,
                "at most that, in the limit: requests of different ages share the memory, so that one can cost as little as its "
                "area $s o + o(o+1)/2$",
            ),
            Display(
                "a-min-time",
                f"{place} the display of $E[τ_k]$ and the latency summed from it",
                own,
                "the $E[c_ij]$ are not those of Algorithm 2 (Proposition 1), and a request costs its area where nothing is cancelled",
            ),
            Display(
                "latency-of-coins",
                f"{place} the latency as displayed, for the cohort rule that Lemma 1 describes",
                latency,
            ),
        )
    )


def _repairs() -> tuple[Repair, ...]:
    return (
        Repair(
            ALGORITHM,
            "For every $s ≥ 0$ and all lengths: $limsup 2M TEL(H-SF)/n²$ is at most H-SF's form ($n → ∞$ with the shares $x$, then "
            "$M → ∞$).",
            (Finding("h-sf-at-most", "H-SF by peaks", by_theorem(theorem("H-SF by peaks"))),),
        ),
        Repair(
            ALGORITHM,
            "For Algorithm 2 with $l = 1$, every $s ≥ 0$ and independent lengths whose needs $(s+a+1) P(o > a)$ fall with $a$: "
            "$liminf 2M E[TEL]/n² ≥ E[s o + o(o+1)/2]$ ($n → ∞$, then $M → ∞$).",
            (Finding("a-min-at-least", "Algorithm 2 by areas", by_theorem(theorem("Algorithm 2 by areas"))),),
        ),
    )


PAPER = "(s+i)*(j*j + 2*i*j - i*i + s*(i+j))/(2*(s+j))"

CLAIM = Claim(
    id="lem-amin",
    place="Section 4.1, Lemma 2 (thm:Amin)",
    statement="the closed form of CR(A_min), with its H-SF and A_min parts each, for Algorithm 2 with error $O(1/M)$",
    stated_at=ALGORITHM,
    given={"a_min": PAPER, "h_sf": "i*(s+i)"},
    decide=decide,
    rests_on=("prop-transition", "amin-derivation"),
    corrupted=(
        Variant("10 % more for A_min", {"a_min": f"1.1*{PAPER}"}, "latency-of-coins"),
        Variant("H-SF by areas", {"h_sf": "s*i + i*(i+1)/2"}, "h-sf-generic"),
        Variant(
            "A_min as a random order by areas", {"a_min": "(s*i + i*(i+1)/2 + s*j + j*(j+1)/2)/2"}, "latency-of-coins"
        ),
        Variant("a sign", {"a_min": "(s+i)*(j*j + 2*i*j + i*i + s*(i+j))/(2*(s+j))"}, "latency-of-coins"),
        Variant(
            "both forms without the prompt", {"a_min": "(j*j + 2*i*j - i*i)*i/(2*j)", "h_sf": "i*i"}, "h-sf-generic"
        ),
    ),
    variants=(
        Variant("equivalent wording", {"h_sf": "i*s + i**2"}, "h-sf-generic"),
        Variant("of A_min's as well", {"a_min": "(s+i)*(j + (2*i*j - i*i + s*i)/(s+j))/2"}, "latency-of-coins"),
    ),
)
