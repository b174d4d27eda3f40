"""volume-order, windows, box-offsets, box-thresholds, any-prompts: proved factors to the optimum, lengths known or not."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from crtools.blind.rho_star import least_cost
from crtools.expressions import number
from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Open, Refuted, agree, by_theorem
from crtools.papers.any_memory.process import Request, area, feasible, total, total_of_run, volume
from crtools.papers.any_memory.theory import TEXT, reading_of, stated_claim, theorem
from crtools.papers.beyond.claims.minimax import below_rho_star, offset_base
from crtools.papers.beyond.theory import ALGORITHM, constant
from crtools.schedule import batch_total

SIZES = (10, 20, 50, 100, 200, 400, 1000, 4000)


def smallest_step(length: int, memory: int) -> int:
    """Return the smallest d such that a start of (0, length) at every d-th instant stays within the memory."""
    return next(d for d in range(1, length + 1) if sum(range(length, 0, -d)) <= memory)


def in_areas(double: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return double · κA + L of equal requests without prompts, with a name for it."""
    areas = area([(0, length)] * count, memory) * memory / (memory - length + 1)
    return double * areas + count * length, f"{double}κA + L"


def in_another_schedule(factor: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return the factor times the total latency of regular starts, as dense as the memory allows, with a name for it."""
    step = smallest_step(length, memory)
    few = 4 * length // step + 4
    agree(feasible([(0, length)] * few, range(0, few * step, step), memory), True, "regular starts fit in the memory")
    taken = step * count * (count - 1) // 2 + count * length
    return factor * taken, f"{factor} times starts at every {step}th instant"


def in_peaks(factor: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return the same times κ = M/(M − P + 1)."""
    return in_another_schedule(factor * Fraction(memory, memory - length + 1), count, length, memory)


def above(claimed: Callable[..., tuple[Fraction, str]], peaks: int, constant: Fraction) -> Refuted | None:
    """Return a refutation by requests of which one fewer than ``peaks`` fit by reserved peaks, or None."""
    for length in SIZES:
        count, memory = 8 * length, peaks * length - peaks + 1
        bound, words = claimed(constant, count, length, memory)
        if (taken := length * batch_total(count, peaks - 1)) > bound:
            again = agree(taken, sum(length * (k // (peaks - 1) + 1) for k in range(count)), "the total")
            witness = {"s": 0, "o": length, "n": count, "M": memory, "rule": "reserved peaks"}
            return Refuted(witness, f"at most {bound}, {words}", str(taken), str(again), "n and o may grow together")
    return None


def thresholds_exceed(claimed: Fraction) -> Refuted | None:
    """Return equal requests just above a threshold on which common thresholds take more than ``claimed`` · κ · OPT."""
    length, count, memory = 20, 400, 400
    requests: list[Request] = [(0, length)] * count
    step, rate = Fraction(volume(requests[0]), memory - length), Fraction(memory, memory - length + 1)
    starts = [-(-k * step.numerator // step.denominator) for k in range(count)]
    agree(feasible(requests[:60], starts[:60], memory), True, "regular starts fit in the memory")
    taken, other = total_of_run("box-thresholds", requests, memory), total(requests, starts)
    if taken <= claimed * rate * other:
        return None
    again = agree(taken, total_of_run("box-thresholds", requests, memory, "reference"), "the total in both engines")
    witness = {"s": 0, "o": length, "n": count, "M": memory, "policy": "box-thresholds"}
    return Refuted(
        witness, f"at most {claimed} κ times {other}, regular starts", str(taken), str(again), "more exceed it"
    )


# ---- constants at every n, of policies that reserve before a start ----

FAMILIES: Mapping[str, Callable[[Fraction], Refuted | None]] = {
    "double": partial(above, in_areas, 2),
    "at_two": partial(above, in_another_schedule, 2),
    "at_three": partial(above, in_another_schedule, 3),
    "limit": partial(above, in_another_schedule, 20),
    "factor": partial(above, in_another_schedule, 3),
    "per_kappa": partial(above, in_peaks, 20),
}
"""For each constant, by name, a function that refutes it by a family of requests, or returns None.

At most as many last runs are concurrent as peaks fit, so requests (0, o) take as long as by reserved peaks.
"""

SAYS = {
    "factor": ("factor", "at most {} times the optimum"),
    "per_kappa": ("kappa", "at most {} κ times the optimum, $κ = M/(M−P+1)$"),
    "at_three": ("three", "at most {} times for $M ≥ 3P − 2$"),
    "at_two": ("two", "at most {} times for $M ≥ 2P − 1$"),
}
"""The id and the sentence of the finding about each constant."""


def with_constants(
    id: str,
    name: str,
    holds: str,
    families: Mapping[str, Callable[[Fraction], Refuted | None]] = FAMILIES,
    says: Mapping[str, tuple[str, str]] = SAYS,
) -> Claim:
    """Return the claim of the theorem ``name``, whose constants are decided by the judge together, or each by a family that exceeds it."""
    [stated] = [own for (claimed, _), own in TEXT.book.claims.items() if claimed == id]
    constants = {key: number(key, value) for key, value in stated.given.items()}

    @stated_claim(id)
    def decide(given: Given) -> Decision:
        """Decide each of the constants, with the others as they are proved."""
        values = {key: number(key, given[key]) for key in constants}
        evidence: Evidence = by_theorem(theorem(name, **values))
        refuted = {} if evidence.status == "proved" else {key: families[key](value) for key, value in values.items()}
        if any(refuted.values()):
            others = {key: constants[key] if refuted[key] else value for key, value in values.items()}
            evidence = by_theorem(theorem(name, **others))
        findings = [
            Finding(says[key][0], says[key][1].format(given[key]), refuted.get(key) or evidence) for key in constants
        ]
        why = (holds.format(given[next(iter(constants))]), "regular starts take less")
        return reading_of(id).decision(why, *findings)

    return decide


volume_order = with_constants(
    "volume-order",
    "volume order",
    "at most $max(2κ, 1+4κ/3)$ times the optimum",
    says={
        **SAYS,
        "double": ("total", "$TEL ≤ {}κA + L ≤ max(2κ, 1 + 4κ/3)·OPT$"),
        "at_two": ("two", "at most {} times the optimum for $M ≥ 2P − 1$"),
        "limit": ("limit", "at most {} times in the limit $M/P → ∞$"),
    },
)
windows = with_constants("windows", "windows", "at most ${}·OPT$ at every M")
box_offsets = with_constants("box-offsets", "own offsets in boxes", "blind, with coins: at most ${} κ·OPT$")
box_thresholds = with_constants(
    "box-thresholds",
    "common thresholds in boxes",
    "blind, without coins: at most ${} κ·OPT$",
    families={**FAMILIES, "per_kappa": thresholds_exceed},
)

# ---- the limit, for any prompts ----


def at_most(bound: Fraction, base: Fraction | None) -> Evidence:
    """Decide whether own offsets at the base (None: the best) have at most the bound in the limit, for any prompts."""
    rho_star = least_cost(40).value
    if bound < rho_star.lower:
        return below_rho_star(bound, ALGORITHM)
    if base is not None:
        kernel = theorem("the kernel at a base", base=constant(base), bound=constant(bound))
    elif bound >= rho_star.upper:
        kernel = theorem("the kernel at the best base")
    else:
        return Open("the bound is within the digits of ρ*")
    return by_theorem(theorem("own offsets with any prompts"), kernel)


@stated_claim("any-prompts")
def any_prompts(given: Given) -> Decision:
    """Decide the ratio at the given base and at the best one."""
    bound, base = number("bound", given["bound"]), offset_base(given["base"])
    return reading_of("any-prompts").decision(
        ("own offsets reach $(1 + ε)$ρ* in the limit", "every blind policy has more"),
        Finding("given-base", f"base {given['base']}: within {given['bound']}", given.evidence(at_most, bound, base)),
        Finding("best-base", f"at the best base within {given['bound']}", given.evidence(at_most, bound, None)),
        undecided="the kernel at this base is not shown to be within the bound",
    )
