"""``decide_bound``: a given bound on a ratio is proved by a theorem, or refuted by an instance beyond it.

``decide_side``: whether a formula in one parameter bounds a ratio, whose value is a known function of that parameter.
``decide_printed`` and ``decide_exact``: whether a printed decimal, or an exact expression, is a number that is enclosed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import chain
from math import floor, isclose
from typing import Any, Generic, Literal, TypeVar

import sympy as sp

from crtools.closed_form.evaluate import enclose, enclosed
from crtools.enclosure import Enclosure, fraction
from crtools.errors import NotCertified
from crtools.expressions import evaluate, number
from crtools.ledger.deciders.ranges import formula_on
from crtools.ledger.evidence import Data, Evidence, Open, Refuted, agree, by_theorem, records
from crtools.numeric_types import SymExpr
from crtools.proof.theorem import Theorem, kept
from crtools.signs.numbers import compare, number_at_least
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

    ``theorem`` proves it. ``argument``: a sentence that leads from it to the bound, or proves it alone.
    """

    value: Any
    theorem: Callable[[], Theorem] | None
    argument: str = ""
    values: Callable[[], Data] = dict
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    closed: tuple[Fraction, ...] = ()

    def against(self, bound: Bound, side: Side) -> Answer:
        """Decide whether another bound is weaker."""
        pair = (bound.expr, self.value) if side == "at most" else (self.value, bound.expr)
        return at_least(*pair, bound.variable, self.low, self.high, closed=self.closed)

    def proved(self) -> Evidence:
        """Return the evidence for a weaker bound."""
        theorems = [kept(self.theorem)] if self.theorem else []
        return by_theorem(*theorems, argument=self.argument, values=self.values())


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


# ---- against values that are known and proved ------------------------------------------------------------------------

T = sp.Symbol("t", positive=True)

Reading = Literal["rounded up", "rounded to nearest", "at least"]

PRECISION = 25
"""Digits of an enclosed ratio."""


@dataclass(frozen=True)
class Constant:
    """A number with an enclosure that theorems prove. ``second``: the number in floats by other code. ``witness``: its point.

    ``ends``: exact values from which the judge recomputes it.
    """

    value: Enclosure
    theorems: tuple[Callable[[], Theorem], ...]
    second: float
    witness: dict[str, str]
    ends: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        """The number truncated to 14 digits."""
        return f"{self.value.decimals(14)[0]}…"

    def refutes(self, claimed: str) -> Refuted:
        """Return the refutation of another number."""
        theorems = records(*map(kept, self.theorems))
        return Refuted(self.witness, claimed, self.text, f"{self.second:.12g}", theorems=theorems)


@dataclass(frozen=True)
class Parameter:
    """The parameter of a formula. ``value``: the parameter as a function of T, 0 < T < ``end`` (or ≤ ``end``, if ``whole``).

    ``values``: those at which a formula that is not proved is tested. ``whole``: the parameter takes whole numbers only.
    """

    symbol: SymExpr
    range: Range
    value: SymExpr
    values: tuple[Fraction, ...]
    end: Fraction = Fraction(1)
    whole: bool = False

    def near(self, point: Fraction) -> Iterable[Fraction]:
        """Iterate over the value of the parameter at T = ``point``, or the whole numbers next to it."""
        value = fraction(self.value.subs(T, sp.Rational(point)))
        if self.whole:
            yield from (Fraction(n) for n in (floor(value), floor(value) + 1) if n >= 1 / self.end)
        else:
            yield value


@dataclass(frozen=True)
class KnownRatio:
    """A ratio that is proved to be at most (or at least) ``value``; ``second`` computes it at one parameter by other code.

    ``minimum``: its least value, if that is known: every smaller number is a lower bound.
    """

    value: SymExpr
    theorem: Callable[[], Theorem]
    second: Callable[[Fraction], Enclosure]
    minimum: Callable[[], Constant] | None = None


@dataclass(frozen=True, kw_only=True)
class _Along(ProvedBound):
    """A function of a parameter, compared with bounds as functions of T."""

    parameter: Parameter

    def against(self, bound: Bound, side: Side) -> Answer:
        """Decide whether the bound is weaker; for whole numbers the first ones may be compared one by one."""
        parameter = self.parameter
        answer = _beyond(bound.expr, self.value, parameter, side)
        right = (0, 1) if side == "at most" else (0, -1)
        pairs = (_at(parameter, value, bound.expr, self.value) for value in parameter.values)
        if not answer.holds and parameter.whole and all(compare(*pair) in right for pair in pairs):
            return _beyond(bound.expr, self.value, replace(parameter, end=1 / parameter.values[-1]), side)
        return answer


def decide_side(
    name: str, text: str, parameter: Parameter, side: Side, holds: KnownRatio, fails: KnownRatio
) -> Evidence:
    """Decide whether a ratio is ``side`` the formula for every value of the parameter.

    ``holds``: a proved bound on the same side; weaker formulas are proved. ``fails``: a bound on the other side, attained by a
    family of instances; stronger formulas are refuted.
    """
    bound = Bound.given(name, text, parameter.symbol, parameter.range)
    if side == "at least" and holds.minimum is not None and bound.expr.is_number:
        least = holds.minimum()
        if number_at_least(bound.expr, least.value) is False:
            return by_theorem(*map(kept, (holds.theorem, *least.theorems)), values={"least": least.text})

    def ratio(value: Fraction, _: Fraction) -> Fraction | None:
        try:
            there = enclose(_at(parameter, value, fails.value)[0], {}, PRECISION)
        except NotCertified:
            return None
        return there.lower if side == "at most" else there.upper

    family = Family[Fraction](
        point=lambda value: value,
        ratio=ratio,
        refuted=lambda value, *_: _refuted(bound, parameter, value, side, fails),
        settings=parameter.values,
        near=parameter.near,
        approaches=None if fails.value == holds.value else _Along(fails.value, None, parameter=parameter),
    )
    tried = f"compared with {sp.sstr(holds.value)}, and at a few values"
    known = _Along(holds.value, holds.theorem, parameter=parameter)
    return decide_bound(bound, family, tried=tried, proved=[known], side=side)


def _refuted(bound: Bound, parameter: Parameter, value: Fraction, side: Side, fails: KnownRatio) -> Refuted | None:
    claimed, actual = _at(parameter, value, bound.expr, fails.value)
    try:
        again = agree(enclose(actual, {}, PRECISION), fails.second(value), f"the ratio at {value}")
    except NotCertified:
        return None
    return Refuted(
        {str(parameter.symbol): str(value)},
        f"{side} {_number_text(claimed)}",
        _number_text(actual),
        str(again),
        "a theorem for every value of the parameter; where the ratio is a limit, on larger and larger instances",
        records(kept(fails.theorem)),
    )


def _at(parameter: Parameter, value: Any, *exprs: SymExpr) -> list[Any]:
    return [sp.sympify(expr).subs(parameter.symbol, sp.sympify(value)) for expr in exprs]


def _beyond(formula: SymExpr, ratio: SymExpr, parameter: Parameter, side: Side) -> Answer:
    """Compare a formula with a ratio: exactly the same, the same times a number, or as functions of T."""
    given_value, ratio_value = _at(parameter, parameter.value, formula, ratio)
    points = (sp.Rational(parameter.end * part) for part in (Fraction(1, 3), Fraction(3, 4)))
    quotients = [float((given_value / ratio_value).subs(T, point)) for point in points]
    if isclose(*quotients) and (factor := sp.simplify(given_value / ratio_value)).is_number:
        order = compare(factor, 1)
        return Answer(None if order is None else order != (-1 if side == "at most" else 1))
    one, two = (given_value, ratio_value) if side == "at most" else (ratio_value, given_value)
    closed = (parameter.end,) if parameter.whole else ()
    return at_least(one, two, T, Fraction(0), parameter.end, closed=closed)


def _number_text(value: SymExpr) -> str:
    return str(value) if value.is_Rational else enclose(value, {}, 15).decimals(14)[0] + "…"


def decide_printed(name: str, text: str, constant: Constant, reading: Reading) -> Evidence:
    """Decide whether a printed decimal is a number rounded in the way of ``reading``, or a lower bound of it."""
    printed, step = number(name, text), Fraction(1, 10 ** len(text.strip().partition(".")[2]))
    low, high = {
        "rounded up": (printed - step, printed),
        "rounded to nearest": (printed - step / 2, printed + step / 2),
        "at least": (printed, max(printed, constant.value.upper)),
    }[reading]
    if low <= constant.value.lower and constant.value.upper <= high:
        return by_theorem(*map(kept, constant.theorems), values={"value": constant.text, **constant.ends})
    if constant.value.upper < low or constant.value.lower > high:
        return constant.refutes(f"{text}, {reading}")
    return Open(f"the enclosure contains an end of what {text}, {reading}, allows", {"value": constant.text})


def decide_exact(name: str, text: str, value: SymExpr | int, constant: Constant) -> Evidence:
    """Decide whether an expression in numbers is a number, exactly."""
    order = compare(formula_on(name, text, {}, Range.of())[1], value)
    if order is None:
        return Open(f"whether {text} is {value} could not be seen")
    return by_theorem(*map(kept, constant.theorems)) if order == 0 else constant.refutes(text)


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
