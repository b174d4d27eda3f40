"""Does less memory cost latency in proportion only? TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion."""

from __future__ import annotations

from functools import partial

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import is_rational
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import integers_from
from crtools.ledger.deciders.search import first, searched
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.evidence.reading import with_smallest
from crtools.papers.adaptive.evidence.schedules import less_memory, threes_and_fours
from crtools.papers.adaptive.evidence.schedules.less_memory import at
from crtools.papers.adaptive.theory import TEXT

n = sp.Symbol("n", positive=True)

MOST_REQUESTS = 16
"""Families of up to so many requests are tried."""

FAR, FAR_OF_FRACTIONS = (10**2, 10**3), (10**6, 10**40)
"""Numbers of requests at which a factor is compared with n as well; the second where it is a fraction."""


def factor_of(text: str) -> Bound:
    """Read the factor, a formula of the number n of requests; ``InputError`` where it is not > 0 for few requests."""
    factor = Bound.given("factor", text, n, integers_from(n=1))
    for size in range(1, MOST_REQUESTS + 1):
        if at(factor, size) <= 0:
            raise InputError("factor", text, f"must be > 0 for n = {size} requests")
    return factor


def in_total(factor: Bound) -> Evidence:
    """Decide the inequality between the totals: a family that stays, the smallest instance, one that lives by rounding."""
    look = less_memory.small_instance(factor, each=False)
    small = searched(first(2, 3, (1,), look, fewest=2))
    stays = threes_and_fours.slower(partial(at, factor), each=False)
    if stays is not None:
        return with_smallest(stays, small)
    if isinstance(small, Refuted):
        return small
    sizes = range(2, MOST_REQUESTS + 1)
    family = next(filter(None, (less_memory.slow_total(size, at(factor, size)) for size in sizes)), None)
    if family is not None:
        return family
    proof = TEXT.theorem("packed schedules are not idle for long", F=sp.Lambda(n, factor.expr))
    if proof.holds:
        return by_theorem(proof)
    if any(at(factor, size) < size for size in (*sizes, *FAR, *(FAR_OF_FRACTIONS if is_rational(factor.tree) else ()))):
        return Open("below $n$, which a family with growing $o$ tends to; $o$ is too long to be run")
    return searched(first(3, 3, (1,), look, fewest=2))


def of_each(factor: Bound) -> Evidence:
    """Decide the inequality for every request; it is false for every factor."""
    small = searched(first(2, 3, (1,), less_memory.small_instance(factor, each=True), fewest=2))
    stays = threes_and_fours.slower(partial(at, factor), each=True)
    if stays is not None:
        return with_smallest(stays, small)
    if isinstance(small, Refuted):
        return small
    family = less_memory.late_request(at(factor, 2))
    return family or Open("false for every factor, with $L = 1$ and $L' = o + 1$; $o$ is too long to be run")
