"""prop-memory: packed schedules in corresponding order, with less memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import first, searched
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence import less_memory, threes_and_fours
from crtools.papers.adaptive.evidence.reading import PROCESS
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theorems.process.schedules import busy, n

MOST_REQUESTS = 16
"""Families of up to so many requests are tried."""

FAR = (10**2, 10**3, 10**6, 10**40)


def decide(given: Given) -> Decision:
    """Decide TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion; the factor may depend on n."""
    text = given["factor"]
    tree, expr = formula_on("factor", text, {"n": n}, integers_from(n=1))

    def factor_at(size: int) -> Fraction:
        return _factor(text, tree, expr, size)

    for size in range(1, MOST_REQUESTS + 1):
        factor_at(size)  # refused here where it is not a number > 0
    times = "" if text.strip() == "1" else f"{text.strip()} · "
    findings = (
        Finding("total", f"$TEL(I') ≤ {times}β⁻¹ TEL(I)$", _total(factor_at, expr)),
        Finding("each", f"$L_i' ≤ {times}β⁻¹ L_i$ for every $i$", _each(factor_at)),
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
        threes_and_fours.not_in_proportion(),
        "requests started together share the memory worse than requests of mixed ages",
    )
    sentence = (
        "for every feasible, optimally packed $I'$ (its first batch at 0) and every feasible $I$ of the same $n$ requests: "
        "$TEL(I') ≤ 2n TEL(I)$"
    )
    repair = Repair(
        ALGORITHM, sentence, (Finding("busy", "packed schedules are not idle for long", by_theorem(busy(2 * n))),)
    )
    repairs = (repair,) if any(f.status == "refuted" for f in findings) else ()
    return Decision(_line(findings), (verdict,), PublishedProof((display,)), repairs)


def _factor(text: str, tree: Any, expr: Any, size: int) -> Fraction:
    try:
        try:
            value = evaluate(tree, {"n": size})
        except ZeroDivisionError:
            raise
        except ArithmeticError:  # not rational: an upper end, so that what exceeds it exceeds the factor
            value = enclose(expr, {n: Fraction(size)}, 12).upper
    except (ArithmeticError, TypeError, ValueError):
        raise InputError("factor", text, f"must be a real number for n = {size} requests") from None
    if value <= 0:
        raise InputError("factor", text, f"must be > 0 for n = {size} requests")
    return value


def _total(factor_at: Callable[[int], Fraction], expr: Any) -> Evidence:
    """Decide the inequality between the totals: a family that stays, the smallest instance, one that lives by rounding."""
    look = less_memory.small_instance(factor_at, each=False)
    small = searched(first(2, 3, (1,), look, fewest=2))
    stays = threes_and_fours.slower_in_total(factor_at)
    if stays is not None:
        return _with_smallest(stays, small)
    sizes = range(2, MOST_REQUESTS + 1)
    family = next(filter(None, (less_memory.slow_total(size, factor_at(size)) for size in sizes)), None)
    if isinstance(small, Refuted) or family is not None:
        return small if isinstance(small, Refuted) else family or small
    proof = busy(expr)
    if proof.holds:
        return by_theorem(proof)
    if any(factor_at(size) < size for size in (*sizes, *FAR)):
        return Open("below $n$, which a family with growing $o$ tends to; $o$ is too long to be run")
    return searched(first(3, 3, (1,), look, fewest=2))


def _each(factor_at: Callable[[int], Fraction]) -> Evidence:
    """Decide the inequality for every request; it is false for every factor."""
    small = searched(first(2, 3, (1,), less_memory.small_instance(factor_at, each=True), fewest=2))
    stays = threes_and_fours.slower_each(factor_at)
    if stays is not None:
        return _with_smallest(stays, small)
    if isinstance(small, Refuted):
        return small
    family = less_memory.late_request(factor_at(2))
    return family or Open("false for every factor, with $L = 1$ and $L' = o + 1$; $o$ is too long to be run")


def _with_smallest(stays: Refuted, small: Evidence) -> Refuted:
    """Keep the smallest instance of all, by rounding, beside the family's member; it is the one that is drawn."""
    if not isinstance(small, Refuted):
        return stays
    drawn = small.values["schedules"]
    more = {name: value for name, value in small.values.items() if name != "schedules"}
    smallest = {**small.witness, **more, "by_rounding": "M/(s+u) is at most 2 in it"}
    return replace(stays, values={**stays.values, "smallest": smallest, "schedules": drawn})


def _less(evidence: Evidence) -> int | None:
    return evidence.witness.get("less") if isinstance(evidence, Refuted) else None


def _why(evidence: Evidence) -> str:
    if less := _less(evidence):
        return f"threes, then fours: at {less} tokens less than $M = 340k$ the ratio of the latencies nears $20/17$, while $β⁻¹ → 1$"
    if isinstance(evidence, Refuted):
        return "by rounding: with a little less memory one request runs at a time instead of two"
    return "the totals differ by at most the factor" if evidence.status == "proved" else "the factor was not decided"


def _line(findings: tuple[Finding, Finding]) -> str:
    total, each = (f.evidence for f in findings)
    if isinstance(total, Refuted) and _less(total):
        ratio, inverse = (100 * float(total.values[name]) - 100 for name in ("ratio", "inverse_beta"))
        return f"{ratio:.1f} % slower with {inverse:.1f} % less memory"
    if isinstance(total, Refuted):
        return "false by rounding of the memory"
    return "false of single requests" if isinstance(each, Refuted) else "not decided"


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
