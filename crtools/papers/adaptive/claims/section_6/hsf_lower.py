"""hsf-lower: H-SF against the optimum."""

from fractions import Fraction
from typing import Any

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.search import SHRUNK, Check, Small, both, first, random_then_shrink, searched, shrink
from crtools.ledger.result import Decision, Part, Proof, Repair, from_theorem
from crtools.papers.adaptive.claims.section_6 import hsf_families as families
from crtools.papers.adaptive.evidence.reading import (
    PROCESS,
    found_so,
    one_verdict,
    requests_asked,
    schedule,
    which_instances,
)
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.process.volume import h_sf_near
from crtools.process import optimum, volume_bound

SMALL, LARGE, PROMPTS = 4, 8, (1, 2)
"""All instances of up to so many requests are looked at, and random ones of up to so many, with these prompt sizes."""


def decide_hsf_lower(given: Given) -> Decision:
    """Search for a schedule that is better than H-SF's."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")
    asked = requests_asked(given["requests"])

    def check(row: Small) -> Any:
        own = literal.shortest_first(row.lengths, row.s, row.memory)
        greedy = literal.total(own, row.lengths)
        if factor * greedy <= _least(row):
            return None
        best = optimum(row.lengths, row.memory, row.s)
        if best.total_latency < factor * greedy:
            starts = list(best.schedule.starts)
            if not literal.feasible(starts, row.lengths, row.s, row.memory):
                raise AssertionError("the better schedule is not feasible")
            return {
                "H-SF's total": greedy,
                "starts of a better schedule": starts,
                "its total": best.total_latency,
                "second computation": f"{literal.total(starts, row.lengths)}, memory summed at every instant",
                "schedules": [
                    schedule("H-SF", own, row.lengths, row.s, row.memory),
                    schedule("a better schedule", starts, row.lengths, row.s, row.memory),
                ],
            }
        return None

    name = f"no schedule is better than {given['factor']} × H-SF's total"
    part = _decided(name, check, factor, asked)
    state = Proof("not-examined", "stated without proof")
    searched_only = f"; searched {part.evidence['searched']}" if "searched" in part.evidence else ""
    reading = f"{which_instances(asked)}, s ≥ 1, every schedule without cancellation, {PROCESS}{searched_only}"
    repairs = (_repair(),) if part.status == "refuted" else ()
    method = "mixed-integer optimum, exhaustive search, families of equal lengths, then random instances"
    return one_verdict(reading, method, (part,), found_so((part,)), state, repairs)


def _decided(name: str, check: Check, factor: Fraction, asked: int | None) -> Part:
    """Look at small instances, families and random instances in turn, of at most ``asked`` requests (None: any)."""
    small = first(min(asked or SMALL, SMALL), 5, PROMPTS, check)
    if small.instance is not None:
        return searched(name, small)
    most = asked or families.MANY
    hit = families.better(factor, most)
    if hit is not None:
        return Part(name, "refuted", hit)
    pair = next(((row, found) for row in families.two_lengths(most) if (found := check(row)) is not None), None)
    if pair is not None:
        row, found = shrink(check, *pair, PROMPTS)
        at = {"lengths": list(row.lengths), "s": row.s, "M": row.memory, "smaller instances": SHRUNK}
        return Part(name, "refuted", {"counterexample": at, **found})
    size = min(asked or LARGE, LARGE)
    drawn = random_then_shrink(check, n=size, longest=12, prompts=PROMPTS, tries=100, seed=0)
    part = searched(name, both(small, drawn), asked, families.searched_families(most))
    if part.status == "supported" and asked is None and factor > Fraction(1, 2):
        tried = "above 1/2, which a family with one start at every instant tends to as its length grows; too large to be run"
        return Part(name, "inconclusive", {"tried": tried, **part.evidence})
    return part


def _repair() -> Repair:
    sentence = (
        "the volume bound (1/M) Σ_k (sum of the k smallest s·o + o(o+1)/2) is at most every schedule's total latency; for equal prompts s "
        "and lengths up to u, H-SF's is at most 2(s+u)/(2s+u+1) < 2 times any schedule's (n → ∞ with shares x, then M → ∞)"
    )
    return Repair(sentence, (from_theorem("H-SF against every schedule", h_sf_near()),))


def _least(row: Small) -> Fraction:
    """A bound below every schedule's total: no request ends before its own length, and each needs its volume."""
    return max(Fraction(sum(row.lengths)), volume_bound(row.lengths, row.memory, row.s))


HSF_LOWER = Claim(
    id="hsf-lower",
    place="Section 6",
    statement="H-SF serves as a lower bound on achievable latency",
    given={"factor": "1", "requests": "any"},
    decide=decide_hsf_lower,
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
