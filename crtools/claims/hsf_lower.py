"""hsf-lower: H-SF against the optimum."""

from fractions import Fraction
from typing import Any

from crtools.claims import literal_process as literal
from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.reading import PROCESS, most_requests, one_verdict, schedule
from crtools.claims.result import Decision, Proof, Repair, from_theorem
from crtools.claims.search import Small, search, searched
from crtools.errors import InputError
from crtools.expressions import number
from crtools.process import optimum, volume_bound
from crtools.theorems.volume import h_sf_near


def decide_hsf_lower(given: Given) -> Decision:
    """Search for a schedule that is better than H-SF's."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")
    most = most_requests(given["requests"], 4)

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

    tries = 100 if given["requests"].strip() == "any" else 0
    found = search(check, n=most, longest=5, prompts=(1, 2), random_n=8, random_longest=12, tries=tries)
    part = searched(f"no schedule is better than {given['factor']} × H-SF's total", found)
    why = f"{part.part}: {part.status}"
    state = Proof("not-examined", "stated without proof")
    which = "every instance" if given["requests"].strip() == "any" else f"at most {given['requests'].strip()} requests"
    reading = f"{which}, s ≥ 1, every schedule without cancellation, {PROCESS}"
    repairs = (_repair(),) if part.status == "refuted" else ()
    return one_verdict(
        reading, "mixed-integer optimum, exhaustive search, then random instances", (part,), why, state, repairs
    )


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
