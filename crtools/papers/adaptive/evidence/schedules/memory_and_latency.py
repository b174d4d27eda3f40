"""Does less memory cost latency in proportion only? TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate, is_rational
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import first, searched
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.evidence.schedules import less_memory, threes_and_fours
from crtools.papers.adaptive.theorems.process.schedules import busy, n

MOST_REQUESTS = 16
"""Families of up to so many requests are tried."""

FAR, FAR_OF_FRACTIONS = (10**2, 10**3), (10**6, 10**40)
"""Numbers of requests at which a factor is compared with n as well; the second where it is a fraction."""


@dataclass(frozen=True)
class Factor:
    """The factor, a formula of the number n of requests."""

    text: str
    tree: ast.expr
    expr: Any

    @classmethod
    def read(cls, text: str) -> Factor:
        """Read the formula; ``InputError`` where it is not a number > 0 for few requests."""
        found = cls(text, *formula_on("factor", text, {"n": n}, integers_from(n=1)))
        for size in range(1, MOST_REQUESTS + 1):
            found.at(size)
        return found

    def at(self, size: int) -> Fraction:
        """Return the factor for so many requests; an upper end where it is not rational, so that what exceeds it is above it."""
        try:
            try:
                value = evaluate(self.tree, {"n": size})
            except ZeroDivisionError:
                raise
            except ArithmeticError:
                value = enclose(self.expr, {n: Fraction(size)}, 12).upper
        except (ArithmeticError, TypeError, ValueError):
            raise InputError("factor", self.text, f"must be a real number for n = {size} requests") from None
        if value <= 0:
            raise InputError("factor", self.text, f"must be > 0 for n = {size} requests")
        return value

    @property
    def below_n(self) -> bool:
        """Whether it is below n for some number of requests that is looked at."""
        sizes = (*range(2, MOST_REQUESTS + 1), *FAR, *(FAR_OF_FRACTIONS if is_rational(self.tree) else ()))
        return any(self.at(size) < size for size in sizes)


def in_total(factor: Factor) -> Evidence:
    """Decide the inequality between the totals: a family that stays, the smallest instance, one that lives by rounding."""
    look = less_memory.small_instance(factor.at, each=False)
    small = searched(first(2, 3, (1,), look, fewest=2))
    stays = threes_and_fours.slower_in_total(factor.at)
    if stays is not None:
        return _with_smallest(stays, small)
    sizes = range(2, MOST_REQUESTS + 1)
    family = next(filter(None, (less_memory.slow_total(size, factor.at(size)) for size in sizes)), None)
    if isinstance(small, Refuted) or family is not None:
        return small if isinstance(small, Refuted) else family or small
    proof = busy(factor.expr)
    if proof.holds:
        return by_theorem(proof)
    if factor.below_n:
        return Open("below $n$, which a family with growing $o$ tends to; $o$ is too long to be run")
    return searched(first(3, 3, (1,), look, fewest=2))


def of_each(factor: Factor) -> Evidence:
    """Decide the inequality for every request; it is false for every factor."""
    small = searched(first(2, 3, (1,), less_memory.small_instance(factor.at, each=True), fewest=2))
    stays = threes_and_fours.slower_each(factor.at)
    if stays is not None:
        return _with_smallest(stays, small)
    if isinstance(small, Refuted):
        return small
    family = less_memory.late_request(factor.at(2))
    return family or Open("false for every factor, with $L = 1$ and $L' = o + 1$; $o$ is too long to be run")


def _with_smallest(stays: Refuted, small: Evidence) -> Refuted:
    """Keep the smallest instance of all, by rounding, beside the family's member; it is the one that is drawn."""
    if not isinstance(small, Refuted):
        return stays
    drawn = small.values["schedules"]
    more = {name: value for name, value in small.values.items() if name != "schedules"}
    smallest = {**small.witness, **more, "by_rounding": "M/(s+u) is at most 2 in it"}
    return replace(stays, values={**stays.values, "smallest": smallest, "schedules": drawn})
