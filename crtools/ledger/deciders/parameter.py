"""``decide_side``: a formula in one parameter bounds a ratio that is known exactly, everywhere, or fails at a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, isclose

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, fraction
from crtools.errors import NotCertified
from crtools.ledger.agreement import agree
from crtools.ledger.deciders.bounds import Bound, Family, Known, Side, decide_bound
from crtools.ledger.deciders.decimals import Constant
from crtools.ledger.evidence import Evidence, Refuted, records
from crtools.numeric_types import SymExpr
from crtools.proof.theorem import Theorem, kept
from crtools.signs.numbers import compare, number_at_least
from crtools.signs.one_variable import at_least
from crtools.signs.ranges import Answer, Range

T = sp.Symbol("t", positive=True)

DIGITS = 25


@dataclass(frozen=True)
class Parameter:
    """What a formula depends on: ``value`` is the parameter in terms of T, 0 < T < ``end`` (or ≤, where only whole numbers count).

    ``places`` are values at which a formula that is not proved is looked at; ``whole``: only whole numbers count.
    """

    symbol: SymExpr
    range: Range
    value: SymExpr
    places: tuple[Fraction, ...]
    end: Fraction = Fraction(1)
    whole: bool = False

    def near(self, point: Fraction) -> Iterable[Fraction]:
        """Iterate over the values of the parameter at T = ``point``, and next to it where only whole numbers count."""
        value = fraction(self.value.subs(T, sp.Rational(point)))
        if self.whole:
            yield from (Fraction(n) for n in (floor(value), floor(value) + 1) if n >= 1 / self.end)
        else:
            yield value


@dataclass(frozen=True)
class KnownRatio:
    """A ratio that is proved to be at most (or at least) ``value``, and the same at one parameter by other code.

    ``least``: its least value, where that is known: what numbers are compared with.
    """

    value: SymExpr
    theorem: Callable[[], Theorem]
    second: Callable[[Fraction], Enclosure]
    least: Callable[[], Constant] | None = None

    def known(self, parameter: Parameter, side: Side) -> tuple[Known, ...]:
        """Return what bounds in the parameter are compared with."""
        along = _Along(self.value, self.theorem, parameter=parameter)
        if side == "at most" or self.least is None:
            return (along,)
        smallest = self.least()
        return (
            _Least(smallest.value, self.theorem, values=lambda: {"least": smallest.text}, more=smallest.theorems),
            along,
        )


@dataclass(frozen=True, kw_only=True)
class _Along(Known):
    """A function of a parameter, compared with bounds as functions of T."""

    parameter: Parameter

    def against(self, bound: Bound, side: Side) -> Answer:
        """Decide whether the bound is weaker; of whole numbers, the first ones are looked at one by one where that does not decide."""
        parameter = self.parameter
        answer = _beyond(bound.expr, self.value, parameter, side)
        if not answer.holds and parameter.whole and _at_first(bound.expr, self.value, parameter, side):
            return _beyond(bound.expr, self.value, replace(parameter, end=1 / parameter.places[-1]), side)
        return answer


@dataclass(frozen=True)
class _Least(Known):
    """The least value of a ratio: a smaller number is a bound from below."""

    def against(self, bound: Bound, side: Side) -> Answer:
        """Decide whether the bound is a number below it."""
        below = bound.expr.is_number and number_at_least(bound.expr, self.value) is False
        return Answer(True if below and side == "at least" else None)


def decide_side(
    name: str, text: str, parameter: Parameter, side: Side, holds: KnownRatio, fails: KnownRatio
) -> Evidence:
    """Decide whether a ratio is ``side`` the formula, everywhere.

    ``holds`` is what the ratio is known to be on that side of: a formula beyond it is proved. ``fails`` is what it is known to
    be on the other side of, by a theorem that shows a family of instances: a formula short of it is refuted.
    """
    bound = Bound.given(name, text, parameter.symbol, parameter.range)

    def ratio(place: Fraction, claimed: Fraction) -> Fraction | None:
        del claimed
        try:
            enclosed = enclose(fails.value.subs(parameter.symbol, sp.Rational(place)), {}, DIGITS)
        except NotCertified:
            return None
        return enclosed.lower if side == "at most" else enclosed.upper

    def refuted(place: Fraction, claimed: Enclosure, value: Fraction, looked: int) -> Refuted | None:
        del claimed, value, looked
        return _refuted(bound, parameter, place, side, fails)

    family = Family[Fraction](
        point=lambda place: place,
        ratio=ratio,
        refuted=refuted,
        places=parameter.places,
        near=parameter.near,
        approaches=None if fails.value == holds.value else _Along(fails.value, None, parameter=parameter),
    )
    tried = f"compared with {sp.sstr(holds.value)}, and at a few values"
    return decide_bound(bound, family, tried=tried, known=holds.known(parameter, side), side=side)


def _refuted(bound: Bound, parameter: Parameter, place: Fraction, side: Side, fails: KnownRatio) -> Refuted | None:
    """Return the refutation at a place where the formula falls short, confirmed by the second computation."""
    claimed, actual = (expr.subs(parameter.symbol, sp.Rational(place)) for expr in (bound.expr, fails.value))
    try:
        again = agree(enclose(actual, {}, DIGITS), fails.second(place), f"the ratio at {place}")
    except NotCertified:
        return None
    return Refuted(
        {str(parameter.symbol): str(place)},
        f"{side} {_written(claimed)}",
        _written(actual),
        str(again),
        "a theorem for every value of the parameter; where the ratio is a limit, on larger and larger instances",
        records(kept(fails.theorem)),
    )


def _at_first(formula: SymExpr, known: SymExpr, parameter: Parameter, side: Side) -> bool:
    """Return whether a formula is on the right side of a known one at each of the first whole numbers, exactly."""
    right = (0, 1) if side == "at most" else (0, -1)
    orders = (
        compare(*(sp.sympify(expr).subs(parameter.symbol, sp.Rational(place)) for expr in (formula, known)))
        for place in parameter.places
    )
    return all(order in right for order in orders)


def _beyond(formula: SymExpr, known: SymExpr, parameter: Parameter, side: Side) -> Answer:
    """Compare a formula with a known one: exactly the same, the same times a number, or as functions of T."""
    given_value, known_value = (sp.sympify(expr).subs(parameter.symbol, parameter.value) for expr in (formula, known))
    quotients = [
        float((given_value / known_value).subs(T, sp.Rational(parameter.end * part)))
        for part in (Fraction(1, 3), Fraction(3, 4))
    ]
    if isclose(*quotients) and (factor := sp.simplify(given_value / known_value)).is_number:
        order = compare(factor, 1)
        return Answer(None if order is None else order != (-1 if side == "at most" else 1))
    one, two = (given_value, known_value) if side == "at most" else (known_value, given_value)
    closed = (parameter.end,) if parameter.whole else ()
    return at_least(one, two, T, Fraction(0), parameter.end, closed=closed)


def _written(value: SymExpr) -> str:
    return str(value) if value.is_Rational else enclose(value, {}, 15).decimals(14)[0] + "…"
