"""``decide_bound``: a given bound on a ratio is proved by a theorem, or refuted by an instance beyond it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, Generic, Literal, TypeVar

from crtools.closed_form.evaluate import enclosed
from crtools.enclosure import Enclosure
from crtools.expressions import evaluate
from crtools.ledger.deciders.ranges import formula_on
from crtools.ledger.evidence import Data, Evidence, Open, Refuted, by_theorem
from crtools.numeric_types import SymExpr
from crtools.proof.theorem import Theorem, kept
from crtools.signs.one_variable import at_least
from crtools.signs.ranges import Answer, Range

Place = TypeVar("Place")
Side = Literal["at most", "at least"]


@dataclass(frozen=True)
class Bound:
    """A bound that a claim is given: a number, or a function of ``variable``."""

    text: str
    tree: ast.expr
    expr: SymExpr
    variable: SymExpr

    @classmethod
    def given(cls, name: str, text: str, variable: SymExpr, on: Range) -> Bound:
        """Read a bound that is real and defined on ``on``; else ``InputError``."""
        symbols = {str(variable): variable} if on.names else {}
        return cls(text.strip(), *formula_on(name, text, symbols, on), variable)

    def at(self, point: Fraction, digits: int = 60) -> Enclosure | None:
        """Return its value, exact where it is seen to be rational; None where there is none to enclose."""
        try:
            value = evaluate(self.tree, {str(self.variable): point})
            return Enclosure(value, value)
        except ArithmeticError:
            return enclosed(self.expr, {self.variable: point}, digits)


@dataclass(frozen=True)
class Known:
    """A function that a supremum is proved to be at most (or at least): a bound beyond it on the range holds.

    ``theorem`` proves it, and ``more`` theorems beside it, or ``argument`` alone does; ``argument``: why, in words, where more is
    needed than the theorems say.
    """

    value: Any
    theorem: Callable[[], Theorem] | None
    argument: str = ""
    values: Callable[[], Data] = dict
    more: tuple[Callable[[], Theorem], ...] = ()
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    closed: tuple[Fraction, ...] = ()

    def against(self, bound: Bound, side: Side) -> Answer:
        """Decide whether the bound is weaker than what is known."""
        pair = (bound.expr, self.value) if side == "at most" else (self.value, bound.expr)
        return at_least(*pair, bound.variable, self.low, self.high, closed=self.closed)

    def proved(self) -> Evidence:
        """Return the evidence for a bound that is beyond it."""
        theorems = (*([self.theorem] if self.theorem else []), *self.more)
        return by_theorem(*map(kept, theorems), argument=self.argument, values=self.values())


@dataclass(frozen=True)
class Family(Generic[Place]):
    """Instances whose ratio is known, exactly or from the side that counts, by which bounds are refuted.

    ``point``: the bound's variable at a place. ``ratio``: what is known there, given what the bound says; None where nothing is.
    ``refuted``: the evidence, from the place, what is claimed, the ratio, and how many places were looked at before; None where
    a second computation does not reach so far. ``places``: looked at one after the other, plainest first.
    ``near``: places for a value of the variable at which the bound fails against what is known, or what the ratios of these
    places approach.
    """

    point: Callable[[Place], Fraction]
    ratio: Callable[[Place, Fraction], Fraction | None]
    refuted: Callable[[Place, Enclosure, Fraction, int], Refuted | None]
    places: Iterable[Place] = ()
    near: Callable[[Fraction], Iterable[Place]] = lambda point: ()
    approaches: Known | None = None


def decide_bound(
    bound: Bound | Callable[[Fraction], Enclosure | None],
    *families: Family[Any],
    tried: str,
    known: Known | tuple[Known, ...] | None = None,
    side: Side = "at most",
) -> Evidence:
    """Decide whether a ratio is at most (at least) the bound everywhere.

    Proved where the bound is weaker than what is ``known`` (than one of several), refuted by the first place of a family that is
    beyond it, else open.
    """
    outcome, looked_at = Answer(None), 0
    for one in (known,) if isinstance(known, Known) else known or ():
        if not isinstance(bound, Bound):
            break
        outcome = one.against(bound, side)
        if outcome.holds:
            return one.proved()
    value_at = bound.at if isinstance(bound, Bound) else bound
    for family in families:
        for place in chain(family.places, _near(family, bound, side, outcome)):
            claimed = value_at(family.point(place))
            if claimed is None:
                continue
            ratio = family.ratio(place, claimed.upper if side == "at most" else claimed.lower)
            if ratio is not None and (ratio > claimed.upper if side == "at most" else ratio < claimed.lower):
                refutation = family.refuted(place, claimed, ratio, looked_at)
                if refutation is not None:
                    return refutation
            looked_at += 1
    values: Data = {"settings_looked_at": looked_at} if looked_at else {}
    if outcome.point is not None:
        values["what_is_known_is_beyond_the_bound_at"] = str(outcome.point)
    return Open("; ".join(filter(None, (tried, outcome.reason))), values)


def _near(family: Family[Any], bound: object, side: Side, outcome: Answer) -> Iterator[Any]:
    if family.approaches is not None and isinstance(bound, Bound):
        outcome = family.approaches.against(bound, side)
    if outcome.point is not None:
        yield from family.near(outcome.point)


# ---- how bounds and ratios are written ------------------------------------------------------------------------------

LONGEST = 40
"""A value with more characters is written as a decimal."""


def rounded(value: Fraction, digits: int = 6, *, up: bool = False) -> str:
    """Return a decimal with so many significant digits that is at most, or with ``up`` at least, the value."""
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR, Emax=10**9, Emin=-(10**9))
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    if abs(quotient.adjusted()) > LONGEST:
        return str(quotient)
    text = format(quotient, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


DIGITS = (6, 12, 24, 48, 96, 192)
"""Digits with which two numbers are written, until one sees which is larger."""


def apart(small: Fraction, large: Fraction) -> tuple[str, str]:
    """Return two decimals, the first at least ``small`` and below the second, which is at most ``large``; small < large."""
    pairs = ((rounded(small, digits, up=True), rounded(large, digits)) for digits in DIGITS)
    return next((pair for pair in pairs if Fraction(pair[0]) < Fraction(pair[1])), (str(small), str(large)))


def written(value: Enclosure, below: Fraction) -> str:
    """Return a bound's value: a short fraction, else the shortest decimal that is at least it and still ``below`` a ratio."""
    if value.width == 0 and value.upper.denominator < SHORT:
        return str(value.upper)
    decimals = (rounded(value.upper, digits, up=True) for digits in DIGITS)
    return next((text for text in decimals if Fraction(text) < below), str(value.upper))


SHORT = 1000
"""Fractions with smaller denominators are written as they are."""

PLACE = {
    "s": "$s = {s}$",
    "l": "$ℓ = {l}$",
    "u": "$u = {u}$",
    "q": "$q = {q}$",
    "q_tends_to": "$q → {q_tends_to}$",
    "x_l": "$x_ℓ : x_u = {x_l} : {x_u}$",
    "share_of_u": "a share ${share_of_u}$ of length $u$",
}
"""What is said of a witness that has the name."""


def why_beyond(evidence: Evidence) -> str:
    """Return the sentence about a witness: where it is, what the ratio is there, and what the bound says; else ""."""
    if not isinstance(evidence, Refuted):
        return ""
    parts = [words.format(**evidence.witness) for name, words in PLACE.items() if name in evidence.witness]
    at = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    return f"at {at} the ratio is {ratio_of(evidence)}, above {evidence.claimed}"


def above(claimed: str, ratio: Fraction) -> str:
    """Return a decimal that is at most the ratio, with as many digits as show that it is above what is claimed."""
    texts = (rounded(ratio, digits) for digits in DIGITS)
    return next((text for text in texts if Fraction(text) > Fraction(claimed)), str(ratio))


def ratio_of(refuted: Refuted) -> str:
    """Return the ratio at a witness, in words: its value ``ratio``, or ``ratio_at_least``."""
    if "ratio_at_least" in refuted.values:
        return f"at least {refuted.values['ratio_at_least']}"
    return str(refuted.values.get("ratio", refuted.actual))
