"""``decide_side``: whether a formula in one parameter bounds a ratio, whose value is a known function of that parameter."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, isclose

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, fraction
from crtools.errors import NotCertified
from crtools.ledger.deciders.bounds import Bound, Family, ProvedBound, Side, decide_bound
from crtools.ledger.deciders.decimals import Constant
from crtools.ledger.evidence import Data, Evidence, Refuted, agree, records
from crtools.numeric_types import SymExpr
from crtools.proof.theorem import Theorem, kept
from crtools.signs.numbers import compare, number_at_least
from crtools.signs.one_variable import at_least
from crtools.signs.ranges import Answer, Range

T = sp.Symbol("t", positive=True)

DIGITS = 25


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

    ``minimum``: its least value, if that is known; numbers are compared with it.
    """

    value: SymExpr
    theorem: Callable[[], Theorem]
    second: Callable[[Fraction], Enclosure]
    minimum: Callable[[], Constant] | None = None

    def proved_bounds(self, parameter: Parameter, side: Side) -> list[ProvedBound]:
        """Return the bounds with which bounds in the parameter are compared."""
        along = _Along(self.value, self.theorem, parameter=parameter)
        if side == "at most" or self.minimum is None:
            return [along]
        minimum = self.minimum()
        values: Data = {"least": minimum.text}
        return [_Minimum(minimum.value, self.theorem, values=lambda: values, more=minimum.theorems), along]


@dataclass(frozen=True, kw_only=True)
class _Along(ProvedBound):
    """A function of a parameter, compared with bounds as functions of T."""

    parameter: Parameter

    def against(self, bound: Bound, side: Side) -> Answer:
        """Decide whether the bound is weaker; for whole numbers the first ones may be compared one by one."""
        parameter = self.parameter
        answer = _beyond(bound.expr, self.value, parameter, side)
        if not answer.holds and parameter.whole and _at_first(bound.expr, self.value, parameter, side):
            return _beyond(bound.expr, self.value, replace(parameter, end=1 / parameter.values[-1]), side)
        return answer


@dataclass(frozen=True)
class _Minimum(ProvedBound):
    """The least value of a ratio, from which every smaller number is a lower bound."""

    def against(self, bound: Bound, side: Side) -> Answer:
        """Decide whether the bound is a number below it."""
        below = bound.expr.is_number and number_at_least(bound.expr, self.value) is False
        return Answer(True if below and side == "at least" else None)


def decide_side(
    name: str, text: str, parameter: Parameter, side: Side, holds: KnownRatio, fails: KnownRatio
) -> Evidence:
    """Decide whether a ratio is ``side`` the formula for every value of the parameter.

    ``holds``: a proved bound on the same side; weaker formulas are proved. ``fails``: a bound on the other side, attained by a
    family of instances; stronger formulas are refuted.
    """
    bound = Bound.given(name, text, parameter.symbol, parameter.range)

    def ratio(value: Fraction, claimed: Fraction) -> Fraction | None:
        del claimed
        try:
            enclosed = enclose(fails.value.subs(parameter.symbol, sp.Rational(value)), {}, DIGITS)
        except NotCertified:
            return None
        return enclosed.lower if side == "at most" else enclosed.upper

    family = Family[Fraction](
        point=lambda value: value,
        ratio=ratio,
        refuted=lambda value, *_: _refuted(bound, parameter, value, side, fails),
        settings=parameter.values,
        near=parameter.near,
        approaches=None if fails.value == holds.value else _Along(fails.value, None, parameter=parameter),
    )
    tried = f"compared with {sp.sstr(holds.value)}, and at a few values"
    return decide_bound(bound, family, tried=tried, proved=holds.proved_bounds(parameter, side), side=side)


def _refuted(bound: Bound, parameter: Parameter, value: Fraction, side: Side, fails: KnownRatio) -> Refuted | None:
    """Return the refutation at a value of the parameter, confirmed by the second computation."""
    claimed, actual = (expr.subs(parameter.symbol, sp.Rational(value)) for expr in (bound.expr, fails.value))
    try:
        again = agree(enclose(actual, {}, DIGITS), fails.second(value), f"the ratio at {value}")
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


def _at_first(formula: SymExpr, ratio: SymExpr, parameter: Parameter, side: Side) -> bool:
    """Return whether a formula is on the right side of a ratio at each of the first whole numbers, exactly."""
    right = (0, 1) if side == "at most" else (0, -1)
    for value in parameter.values:
        numbers = (sp.sympify(expr).subs(parameter.symbol, sp.Rational(value)) for expr in (formula, ratio))
        if compare(*numbers) not in right:
            return False
    return True


def _beyond(formula: SymExpr, ratio: SymExpr, parameter: Parameter, side: Side) -> Answer:
    """Compare a formula with a ratio: exactly the same, the same times a number, or as functions of T."""
    given_value, ratio_value = (sp.sympify(expr).subs(parameter.symbol, parameter.value) for expr in (formula, ratio))
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
