"""``decide_bound``: a given bound on a ratio is proved by a theorem, or refuted by an instance beyond it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
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

Setting = TypeVar("Setting")
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
class ProvedBound:
    """A function that is proved to bound a ratio on low < variable < high; every weaker bound holds too.

    ``theorem`` and ``more`` theorems prove it. ``argument``: a sentence that leads from them to the bound, or proves it alone.
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
        """Decide whether another bound is weaker."""
        pair = (bound.expr, self.value) if side == "at most" else (self.value, bound.expr)
        return at_least(*pair, bound.variable, self.low, self.high, closed=self.closed)

    def proved(self) -> Evidence:
        """Return the evidence for a weaker bound."""
        theorems = (*([self.theorem] if self.theorem else []), *self.more)
        return by_theorem(*map(kept, theorems), argument=self.argument, values=self.values())


@dataclass(frozen=True)
class Family(Generic[Setting]):
    """Instances, one for each setting, whose ratio can be computed or bounded; they refute bounds.

    ``point``: the bound's variable in a setting. ``ratio``: the ratio there, or a bound of it from the side that refutes, given the
    claimed bound; None where there is none. ``refuted``: the evidence, from the setting, the claimed bound, the ratio and the number
    of settings tested before; None where a second computation does not confirm it. ``settings``: tested in this order, simplest
    first. ``near``: further settings for a value of the variable at which the bound fails against the proved bound, or against the
    limit ``approaches`` of the family's ratios.
    """

    point: Callable[[Setting], Fraction]
    ratio: Callable[[Setting, Fraction], Fraction | None]
    refuted: Callable[[Setting, Enclosure, Fraction, int], Refuted | None]
    settings: Iterable[Setting] = ()
    near: Callable[[Fraction], Iterable[Setting]] = lambda point: ()
    approaches: ProvedBound | None = None


def decide_bound(
    bound: Bound | Callable[[Fraction], Enclosure | None],
    *families: Family[Any],
    tried: str,
    proved: Sequence[ProvedBound] = (),
    side: Side = "at most",
) -> Evidence:
    """Decide whether a ratio is at most (at least) the bound everywhere.

    It is proved where the bound is weaker than one of the ``proved`` ones, refuted by the first setting of a family whose ratio is
    beyond it, else open. A ``bound`` that is not a :class:`Bound` is compared with families only.
    """
    outcome, looked_at = Answer(None), 0
    if isinstance(bound, Bound):
        for proved_bound in proved:
            outcome = proved_bound.against(bound, side)
            if outcome.holds:
                return proved_bound.proved()
    value_at = bound.at if isinstance(bound, Bound) else bound
    for family in families:
        for setting in chain(family.settings, _near(family, bound, side, outcome)):
            claimed = value_at(family.point(setting))
            if claimed is None:
                continue
            ratio = family.ratio(setting, claimed.upper if side == "at most" else claimed.lower)
            if ratio is not None and (ratio > claimed.upper if side == "at most" else ratio < claimed.lower):
                refutation = family.refuted(setting, claimed, ratio, looked_at)
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
"""Numbers of digits that are tried until two decimals differ."""


def separating_decimals(small: Fraction, large: Fraction) -> tuple[str, str]:
    """Return two decimals, the first at least ``small`` and below the second, which is at most ``large``; small < large."""
    pairs = ((rounded(small, digits, up=True), rounded(large, digits)) for digits in DIGITS)
    return next((pair for pair in pairs if Fraction(pair[0]) < Fraction(pair[1])), (str(small), str(large)))


def bound_text(value: Enclosure, below: Fraction) -> str:
    """Return a bound's value: a short fraction, else the shortest decimal that is at least it and still ``below`` a ratio."""
    if value.width == 0 and value.upper.denominator < SHORT:
        return str(value.upper)
    decimals = (rounded(value.upper, digits, up=True) for digits in DIGITS)
    return next((text for text in decimals if Fraction(text) < below), str(value.upper))


SHORT = 1000
"""Fractions with smaller denominators are written as they are."""

WITNESS_WORDS = {
    "s": "$s = {s}$",
    "l": "$ℓ = {l}$",
    "u": "$u = {u}$",
    "q": "$q = {q}$",
    "q_tends_to": "$q → {q_tends_to}$",
    "x_l": "$x_ℓ : x_u = {x_l} : {x_u}$",
    "share_of_u": "a share ${share_of_u}$ of length $u$",
}
"""The words for an entry of a witness, by its name."""


def why_beyond(evidence: Evidence) -> str:
    """Return a sentence with the setting of a witness, its ratio and the claimed bound; "" for other evidence."""
    if not isinstance(evidence, Refuted):
        return ""
    parts = [words.format(**evidence.witness) for name, words in WITNESS_WORDS.items() if name in evidence.witness]
    at = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    return f"at {at} the ratio is {ratio_of(evidence)}, above {evidence.claimed}"


def above(claimed: str, ratio: Fraction) -> str:
    """Return a decimal that is at most the ratio and above the claimed bound."""
    texts = (rounded(ratio, digits) for digits in DIGITS)
    return next((text for text in texts if Fraction(text) > Fraction(claimed)), str(ratio))


def ratio_of(refuted: Refuted) -> str:
    """Return the ratio at a witness, in words: its value ``ratio``, or ``ratio_at_least``."""
    if "ratio_at_least" in refuted.values:
        return f"at least {refuted.values['ratio_at_least']}"
    return str(refuted.values.get("ratio", refuted.actual))
