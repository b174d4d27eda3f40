"""windows, box-offsets, box-thresholds: constants for every memory, lengths known or not; runs reserve their peaks or boxes."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from crtools.expressions import number
from crtools.ledger import Claim, Decision, Finding, Given, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision, verdict
from crtools.papers.any_memory.claims.known_lengths import (
    Families,
    above,
    in_another_schedule,
    in_peaks,
    with_constants,
)
from crtools.papers.any_memory.claims.lower_bound import PAGE
from crtools.papers.any_memory.process import Request, box_run, feasible, total, volume
from crtools.papers.any_memory.theory import TEXT
from crtools.papers.beyond.levels import ALGORITHM
from crtools.process import simulate

SAYS = {
    "factor": ("factor", "at most {} times the optimum"),
    "per_kappa": ("kappa", "at most {} κ times the optimum, $κ = M/(M−P+1)$"),
    "at_three": ("three", "at most {} times for $M ≥ 3P − 2$"),
    "at_two": ("two", "at most {} times for $M ≥ 2P − 1$"),
}


def reserving(id: str, name: str, says: str, reading: str, holds: str, families: Families) -> Claim:
    """Return the claim of a theorem on a policy that reserves at least the peak of each last run.

    Then at most as many last runs are concurrent as peaks fit, so requests (0, o) take as long as by reserved peaks.
    """
    [stated] = [statement for (claimed, _), statement in TEXT.book.claims.items() if claimed == id]
    constants = {key: number(key, value) for key, value in stated.given.items()}

    @claim(id, ALGORITHM, f"{PAGE}, {id}", says, rests_on=["lower-bound"])
    def decide(given: Given) -> Decision:
        """Decide each of the constants, with the others as they are proved."""
        evidence = with_constants(name, constants, families, {key: number(key, given[key]) for key in constants})
        rows = [(*SAYS[key], key) for key in constants]
        findings = [Finding(finding, says.format(given[key]), evidence[key]) for finding, says, key in rows]
        why = (holds.format(given[next(iter(constants))]), "regular starts take less")
        return decision(verdict(ALGORITHM, reading, "what is reserved before a start; the lower bound", why, *findings))

    return decide


def by_thresholds(requests: list[Request], memory: int) -> int:
    """Return the total of ``box-thresholds``, by a run of the policy and by the list in plain Python."""
    run = simulate("box-thresholds", [o for _, o in requests], memory, [s for s, _ in requests])
    largest_peak = max(map(sum, requests))
    again = box_run(requests, memory, largest_peak, Fraction(9, 4), [Fraction(1)] * len(requests))
    return agree(run.total_latency, sum(again.completions), "the total of the list of boxes")


def thresholds_exceed(claimed: Fraction) -> Refuted | None:
    """Return equal requests just above a threshold on which common thresholds take more than ``claimed`` · κ · OPT."""
    length, count, memory = 20, 400, 400
    requests = [(0, length)] * count
    step, rate = Fraction(volume(requests[0]), memory - length), Fraction(memory, memory - length + 1)
    starts = [-(-k * step.numerator // step.denominator) for k in range(count)]
    agree(feasible(requests[:60], starts[:60], memory), True, "regular starts fit in the memory")
    taken, other = by_thresholds(requests, memory), total(requests, starts)
    if taken <= claimed * rate * other:
        return None
    witness = {"s": 0, "o": length, "n": count, "M": memory, "policy": "box-thresholds"}
    return Refuted(
        witness, f"at most {claimed} κ times {other}, regular starts", str(taken), str(taken), "more exceed it"
    )


FAMILIES: Families = {
    "factor": partial(above, in_another_schedule, 3),
    "per_kappa": partial(above, in_peaks, 20),
    "at_three": partial(above, in_another_schedule, 3),
    "at_two": partial(above, in_another_schedule, 2),
}
EVERY = "every $n$ and $M ≥ P ≥ $ all peaks, all prompts and lengths"

windows = reserving(
    "windows",
    "windows",
    "lengths known, windows of volumes: $E TEL ≤ 9.955·OPT$ for every $M ≥ P$",
    f"{EVERY}; windows of ends θ g^r, large peaks apart; the mean over θ and a coin",
    "at most ${}·OPT$ at every M",
    FAMILIES,
)
box_offsets = reserving(
    "box-offsets",
    "own offsets in boxes",
    "blind, own offsets: $E TEL ≤ 7.525 κ·OPT$; 11.12 for $M ≥ 3P−2$, 14.74 for $M ≥ 2P−1$",
    f"{EVERY}; thresholds $(25/4)^(k+U)$, an own U for each request; the mean over the offsets",
    "blind, with coins: at most ${} κ·OPT$",
    FAMILIES,
)
box_thresholds = reserving(
    "box-thresholds",
    "common thresholds in boxes",
    "blind and deterministic: $TEL ≤ 14.57 κ·OPT$; 21.8 for $M ≥ 3P−2$, 29.03 for $M ≥ 2P−1$",
    f"{EVERY}; thresholds $(9/4)^k$ for all requests",
    "blind, without coins: at most ${} κ·OPT$",
    {**FAMILIES, "per_kappa": thresholds_exceed},
)

CLAIMS = (windows, box_offsets, box_thresholds)
