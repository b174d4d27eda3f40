"""amax-safe: A_max never exceeds the memory."""

from __future__ import annotations

import ast
from fractions import Fraction
from math import floor

import sympy as sp

from check import process as judge
from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate, is_rational
from crtools.ledger import Decision, Finding, Given, Measured, Proved, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import reading_of, schedule
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import TEXT

WHYS = {
    "proved": ("no request outlives what is assumed", "the true use never exceeds the projected one, as $o_i ≤ u$"),
    "refuted": ("requests outlive what is assumed", "two requests that are longer than assumed exceed the memory"),
    "supported": ("no run exceeded the memory", "no interval was found on which less than $u$ is assumed"),
}


@claim(
    "amax-safe", ALGORITHM, "Section 3.2, Algorithm 1 (algo:malb)", "$A_max$ never exceeds the memory and never cancels"
)
def amax_safe(given: Given) -> Decision:
    """Decide whether a queue that assumes a length never exceeds the memory."""
    text = given["assumed"]
    tree, expr = formula_on("assumed", text, {"l": low_end, "u": high_end}, integers_from(l=1, u="l"))
    evidence = safe(text, tree, expr)
    says = f"assuming ${text.strip()}$ for every request, the memory is never exceeded and nothing is cancelled"
    short, why = WHYS[evidence.status]
    read = reading_of("amax-safe")
    verdict = read.verdict(ALGORITHM, why, Finding("never-exceeded", says, evidence))
    return Decision(short, (verdict,), read.proof(overestimated=evidence))


# ---- a run in which a queue that assumes less than u exceeds the memory

low_end, high_end = sp.symbols("l u", positive=True)

LARGEST_END = 40
FAR_ENDS = (10**2, 10**3, 10**6, 10**12, 10**40)
"""All intervals with ends up to ``LARGEST_END`` are tried, and some with the ends ``FAR_ENDS``."""


def safe(text: str, tree: ast.expr, expr: SymExpr) -> Proved | Refuted | Measured:
    """Decide whether a queue that assumes a formula's length never exceeds the memory: iff it assumes no less than u.

    A fractional assumption counts as the integer below it, and as 1 where it is less: a request holds memory at
    integer instants. Where less than u is assumed, two requests of length u in just the memory for two of the
    assumed length exceed it.
    """
    intervals = _intervals(is_rational(tree))
    for low, up in intervals:
        assumed = _assumed(text, tree, expr, low, up)
        if assumed < up:
            return _overflow(low, up, assumed)
    tried = f"{len(intervals)} intervals with 1 ≤ l ≤ u ≤ {max(up for _, up in intervals)}: at least u is assumed"
    ordered = expr.xreplace({sp.Max(low_end, high_end): high_end, sp.Min(low_end, high_end): low_end})
    theorem = TEXT.theorem("A_max is safe", F=sp.Lambda((low_end, high_end), ordered))
    proof = by_theorem(theorem, values={"also_tried": tried})
    return proof if isinstance(proof, Proved) else Measured(True, tried, "never less than u")


def _intervals(rational: bool) -> list[tuple[int, int]]:
    if not rational:
        return [(low, up) for up in (1, 2, 3, 10, LARGEST_END) for low in {1, up}]
    near = [(low, up) for up in range(1, LARGEST_END + 1) for low in range(1, up + 1)]
    return near + [(low, up) for up in FAR_ENDS for low in (1, 2, up // 2, up - 1, up)]


def _assumed(text: str, tree: ast.expr, expr: SymExpr, low: int, up: int) -> int:
    """Return the whole number of tokens that the formula assumes at [low, up]; ``InputError`` where it is undefined."""
    try:
        try:
            value = evaluate(tree, {"l": low, "u": up})
        except ZeroDivisionError:
            raise
        except ArithmeticError:  # not rational: an upper end, so that what is short is short
            value = enclose(expr, {low_end: Fraction(low), high_end: Fraction(up)}, 30).upper
    except (ArithmeticError, TypeError, ValueError):
        raise InputError("assumed", text, f"must be a real number at l = {low}, u = {up}") from None
    return max(1, floor(value))


def _overflow(low: int, up: int, assumed: int) -> Refuted:
    """Return the run of two requests of length u that exceeds the memory."""
    s, starts, lengths = 1, (0, 0), (up, up)
    memory = max(s + up, 2 * (s + assumed))
    peak = 2 * (s + up)  # both end at u
    admitted = judge.tokens(starts, (assumed, assumed), s, assumed) <= memory
    if not (admitted and peak > memory):
        raise AssertionError("the two requests do not exceed the memory")
    second = agree(peak, judge.tokens(starts, lengths, s, up), "the use")
    schedules = [schedule(f"assuming {assumed}", starts, lengths, s, memory, (assumed, assumed))]
    witness = {"l": low, "u": up, "lengths": lengths, "s": s, "M": memory, "assumed": assumed, "starts": starts}
    values = {"schedules": schedules} if up <= LARGEST_END else {}
    stays = "for every $M$: twice the requests need twice the memory"
    return Refuted(witness, f"at most {memory} tokens", peak, second, stays, values=values)
