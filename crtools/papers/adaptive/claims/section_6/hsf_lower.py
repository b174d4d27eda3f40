"""hsf-lower: H-SF against the optimum."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.search import SHRUNK, Found, Hit, both, first, random_then_shrink, searched, shrink
from crtools.ledger.evidence import Measured, Open, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence import better_than_h_sf as families
from crtools.papers.adaptive.evidence.reading import PROCESS, requests_asked, which_instances
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theorems.process.h_sf import near_every_schedule

SMALL, LARGE, PROMPTS = 4, 8, (1, 2)
"""All instances of up to so many requests are looked at, and random ones of up to so many, with these prompt sizes."""


def decide(given: Given) -> Decision:
    """Search for a schedule that is better than H-SF's."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")
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
        return "H-SF takes up to $4/3$ of another's latency"
    better, own = evidence.values["total"], evidence.values["h_sf_total"]
    return f"{better} against H-SF's {own}" if own < 10**12 else "another schedule is better"


def _why(evidence: Refuted | Measured | Open) -> str:
    if isinstance(evidence, Refuted):
        if evidence.theorems:
            return "requests of three tokens, $s = 1$: as many starts at every instant as fit take $3/4$ of H-SF's latency as $n → ∞$"
        return "H-SF waits for whole batches; requests of different ages share the memory better"
    return "no schedule that was tried is better" if isinstance(evidence, Measured) else evidence.tried


def decided(factor: Fraction, asked: int | None) -> Refuted | Measured | Open:
    """Look at families, small instances and random instances, of at most ``asked`` requests (None: any)."""
    check = families.check(factor)
    most = asked or families.MANY
    three = families.three_token_requests(factor, most)
    small = first(min(asked or SMALL, SMALL), 5, PROMPTS, check)
    if three is not None:
        return _with_smallest(three, small)
    if small.instance is not None:
        return searched(small)
    hit = families.better(factor, most)
    if hit is not None:
        return hit
    pair = next(((row, found) for row in families.two_lengths(most) if (found := check(row)) is not None), None)
    if pair is not None:
        row, found = shrink(check, *pair, PROMPTS)
        witness = {"lengths": row.lengths, "s": row.s, "M": row.memory, "smaller_instances": SHRUNK}
        return Refuted(witness, found.claimed, found.actual, found.second, values=found.values)
    size = min(asked or LARGE, LARGE)
    drawn = random_then_shrink(check, n=size, longest=12, prompts=PROMPTS, tries=100, seed=0)
    evidence = searched(both(small, drawn), asked, families.searched_families(most))
    if isinstance(evidence, Measured) and asked is None and factor > Fraction(1, 2):
        tried = "above 1/2, which a family with one start at every instant tends to as its length grows; too large to be run"
        return Open(f"{tried}; {evidence.sample}", evidence.values)
    return evidence


def _with_smallest(three: Refuted, small: Found) -> Refuted:
    """Keep the smallest instance of all, which is drawn, beside the member of the family."""
    if small.instance is None:
        return three
    hit: Hit = small.hit
    smallest = {**small.as_json(), **{name: hit.values[name] for name in ("h_sf_total", "starts", "total")}}
    drawn = [*hit.values["schedules"], *three.values["schedules"]]
    return replace(three, values={**three.values, "smallest": smallest, "schedules": drawn})


def _repair() -> Repair:
    sentence = (
        "the volume bound $(1/M) Σ_k$ (sum of the $k$ smallest $s·o + o(o+1)/2$) is at most every schedule's total latency; for equal "
        "prompts $s$ and lengths up to $u$, H-SF's is at most $2(s+u)/(2s+u+1) < 2$ times any schedule's ($n → ∞$ with shares $x$, then "
        "$M → ∞$)"
    )
    near = Finding("h-sf-near", "H-SF's latency against every schedule's", by_theorem(near_every_schedule()))
    return Repair(ALGORITHM, sentence, (near,))


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
