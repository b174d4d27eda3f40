"""A queue that assumes one length for every request: runs in which it exceeds the memory."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import floor
from typing import Any

from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate, is_rational
from crtools.ledger.agree import agree
from crtools.ledger.deciders.search import Hit, Small, search, searched
from crtools.ledger.evidence import Measured, Open, Proved, Refuted, by_theorem
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.process.a_max import high_end, low_end, never_exceeded
from crtools.schedule import Schedule

LARGEST_END = 40
FAR_ENDS = (10**2, 10**3, 10**6, 10**12, 10**40)
"""All intervals with ends up to the first are tried, and some up to these."""

STAYS = "for every $M$: twice the requests need twice the memory"


def safe(text: str, tree: Any, expr: Any) -> Proved | Refuted | Measured | Open:
    """Decide whether a queue that assumes a formula's length never exceeds the memory: iff it assumes no less than u.

    A fractional assumption counts as the integer below it, and as 1 where it is less: a request holds memory at
    integer instants. Where less than u is assumed, two requests of length u in just the memory for two of the
    assumed length exceed it.
    """

    @cache
    def assumed(low: int, up: int) -> int:
        return _assumed(text, tree, expr, low, up)

    ends = _intervals(is_rational(tree))
    short = next((x for x in ends if assumed(*x) < x[1]), None)
    found = search(_exceeds(assumed), n=3, longest=3, prompts=(0, 1, 2), random_n=3, random_longest=12, tries=100)
    if found.instance is not None:
        return searched(found)
    if short is not None:
        return _overflow(*short, assumed(*short))
    tried = f"{len(ends)} intervals with 1 ≤ l ≤ u ≤ {max(up for _, up in ends)}: at least u is assumed"
    proof = by_theorem(never_exceeded(expr), values={"also_tried": tried, **found.as_json()})
    return proof if isinstance(proof, Proved) else Measured(True, tried, "never less than u", found.as_json())


def _intervals(rational: bool) -> list[tuple[int, int]]:
    if not rational:
        return [(low, up) for up in (1, 2, 3, 10, LARGEST_END) for low in {1, up}]
    near = [(low, up) for up in range(1, LARGEST_END + 1) for low in range(1, up + 1)]
    return near + [(low, up) for up in FAR_ENDS for low in (1, 2, up // 2, up - 1, up)]


def _exceeds(assumed: Callable[[int, int], int]) -> Callable[[Small], Hit | None]:
    def check(row: Small) -> Hit | None:
        value = assumed(min(row.lengths), max(row.lengths))
        if row.s + value > row.memory:
            return None  # refused before it starts
        for order in permutations(range(len(row.lengths))):
            starts = literal.queue(order, [value] * len(order), row.lengths, row.s, row.memory)
            if not literal.feasible(starts, row.lengths, row.s, row.memory):
                peak = Schedule(starts, row.lengths, row.s).peak_memory
                agree(peak > row.memory, True, "whether the memory is exceeded")
                shown = [schedule(f"assuming {value}", starts, row.lengths, row.s, row.memory, [value] * len(order))]
                last = max(p + o for p, o in zip(starts, row.lengths, strict=True))
                most = max(literal.use(starts, row.lengths, row.s, t) for t in range(1, last + 1))
                values = {"order": list(order), "starts": starts, "schedules": shown}
                return Hit(f"at most {row.memory} tokens", most, agree(most, peak, "the peak"), STAYS, values)
        return None

    return check


def _assumed(text: str, tree: Any, expr: Any, low: int, up: int) -> int:
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
    admitted = literal.use(starts, (assumed, assumed), s, assumed) <= memory
    if not (admitted and peak > memory):
        raise AssertionError("the two requests do not exceed the memory")
    second = agree(peak, literal.use(starts, lengths, s, up), "the use")
    shown = [schedule(f"assuming {assumed}", starts, lengths, s, memory, (assumed, assumed))]
    witness = {"l": low, "u": up, "lengths": lengths, "s": s, "M": memory, "assumed": assumed, "starts": starts}
    values = {"schedules": shown} if up <= LARGEST_END else {}
    return Refuted(witness, f"at most {memory} tokens", peak, second, STAYS, values=values)
