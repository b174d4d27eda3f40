"""The range of each free parameter of a law: where the weights are summable, ≥ 0, and not all 0.

Necessary conditions are signs of rational functions in the parameters: every base in (0, 1), mixture weights, the
weights of the first lengths and the leading coefficient ≥ 0. Those in one parameter are solved exactly by their
roots. They suffice where all later weights are seen to be ≥ 0; what is not shown is stated as assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import sympy as sp
from sympy.solvers.inequalities import solve_rational_inequalities

from crtools.closed_form.summand import NotClosed
from crtools.errors import InputError
from crtools.expressions import Expr
from crtools.signs.ranges import Interval
from crtools.signs.rational import factor_sign, factored

FIRST_LENGTHS = (1, 2, 4, 8, 16, 32)
"""The weights of so many first lengths are made conditions, until those beyond are seen to be ≥ 0."""

MOST_STATED = 3
"""So many conditions in several parameters are stated one by one."""


@dataclass(frozen=True)
class Condition:
    """expr > 0 (``strict``) or expr ≥ 0."""

    expr: Any
    strict: bool = True

    def __str__(self) -> str:
        return f"{sp.factor(self.expr)} {'>' if self.strict else '>='} 0"


class _Law(Protocol):
    """What is asked of a ``Distribution`` here."""

    @property
    def support(self) -> tuple[int, int | None]: ...
    def conditions(self, last: int) -> list[Condition]: ...
    def nonnegative_beyond(self, last: int, found: Mapping[Any, Interval]) -> bool: ...
    def spec(self) -> str: ...


def ranges(parameters: Sequence[Any], law: _Law) -> dict[str, Interval]:
    """Return the range of each free parameter of a law, by name, by the law's conditions.

    Raises ``InputError`` where no value gives a law.
    """
    found = {x: Interval(x.name) for x in parameters}
    if not found:
        return {}
    lasts = FIRST_LENGTHS if len(found) == 1 else FIRST_LENGTHS[:2]
    try:
        for last in lasts:
            found = _solved(parameters, law, law.conditions(last))
            if law.nonnegative_beyond(last, found):
                return {x.name: own for x, own in found.items()}
    except NotClosed:
        return {x.name: _also(own, "summable weights >= 0, not all 0") for x, own in found.items()}
    beyond = f"the weights are >= 0 for k > {law.support[0] + lasts[-1] - 1}"
    return {x.name: _also(own, beyond) for x, own in found.items()}


def of_ends(l: Any, u: Any, *, equal: bool) -> dict[str, Interval]:
    """Return the ranges of the ends l and u that are symbols; ``equal``: whether they may be the same length."""
    if isinstance(l, sp.Symbol) and u == 1 and not equal:
        raise InputError("u", 1, "must be at least 2, so that there is a smaller length l")
    low = Interval(str(l), sp.S.One, sp.sympify(u), low_in=True, high_in=equal, integer=True)
    high = Interval(str(u), sp.sympify(l), low_in=equal, integer=True)
    return {own.name: own for own, end in ((low, l), (high, u)) if isinstance(end, sp.Symbol)}


def defined(values: list[Any]) -> list[Condition]:
    """Return that no denominator vanishes, and not all of the values."""
    numerators, denominators = zip(*(sp.fraction(sp.together(v)) for v in values), strict=True)
    common: Any = sp.S.Zero
    for numerator in numerators:
        common = sp.gcd(common, numerator)
    return [Condition(x**2) for x in dict.fromkeys((common, *denominators)) if x.free_symbols]


# ---- one parameter at a time -----------------------------------------------------------------------------------------


def _solved(parameters: Sequence[Any], law: _Law, conditions: Iterable[Condition]) -> dict[Any, Interval]:
    """Return the ranges that the conditions in one parameter leave; the others are stated as assumed."""
    found = {x: Interval(x.name) for x in parameters}
    own: dict[Any, list[Condition]] = {x: [] for x in parameters}
    joint = list(conditions)
    while True:
        reduced = [_reduced(condition, found) for condition in joint]
        if any(not c.expr.free_symbols and not (c.expr > 0 or (c.expr == 0 and not c.strict)) for c in reduced):
            raise InputError("distribution", law.spec(), "has no value of its parameters with weights >= 0, not all 0")
        alone = [c for c in reduced if len(c.expr.free_symbols) == 1]
        if not alone:
            break
        joint = [c for c in reduced if len(c.expr.free_symbols) > 1]
        for condition in alone:
            [x] = condition.expr.free_symbols
            own[x].append(condition)
        for x, wanted in own.items():
            if wanted:
                found[x] = _interval(x, wanted, law)
    for x in parameters:
        texts = list(dict.fromkeys(str(c) for c in reduced if x in c.expr.free_symbols))
        texts = texts if len(texts) <= MOST_STATED else [*texts[: MOST_STATED - 1], "all weights are >= 0"]
        for text in texts:
            found[x] = _also(found[x], text)
    return found


def _reduced(condition: Condition, found: Mapping[Any, Interval]) -> Condition:
    """Leave out factors whose sign is known on the ranges; those in one parameter without a range yet are kept."""
    if len(condition.expr.free_symbols) == 1:
        return condition
    sign, powers = factored(condition.expr)
    if not condition.expr.free_symbols:
        return Condition(sp.Integer(sign if condition.expr != 0 else 0), condition.strict)
    rest = sp.Integer(sign)
    for factor, power in powers.items():
        closed = any(found[x].low_in or found[x].high_in for x in factor.free_symbols)
        kept = condition.strict and closed and len(factor.free_symbols) > 1  # it may vanish where ends meet
        known = 0 if kept else factor_sign(factor, found)
        rest *= known**power if known else factor ** (2 if power % 2 == 0 else 1)
    return Condition(rest, condition.strict)


def _interval(x: Any, conditions: list[Condition], law: _Law) -> Interval:
    """Return the interval of x on which all conditions hold, the first with positive values where there are several."""
    system = dict.fromkeys((_parities(c.expr, x), ">" if c.strict else ">=") for c in conditions)
    solved: Any = solve_rational_inequalities([[*system]])
    parts: list[Any] = [part for part in sp.Union.make_args(solved) if isinstance(part, sp.Interval)]
    parts.sort(key=lambda part: part.start)
    found = [Interval(x.name, part.start, part.end, not part.left_open, not part.right_open) for part in parts]
    if not found:
        raise InputError("distribution", law.spec(), f"has no value of {x} with summable weights >= 0, not all 0")
    positive = [own for own in found if own.high > 0]
    chosen = positive[0] if positive else found[-1]
    if len(found) == 1:
        return chosen
    alone = chosen.low >= 0 and len(positive) == 1
    return replace(chosen, assumed=f"{x} > 0" if alone else "this interval of several")


def _parities(expr: Expr, x: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of a rational function with the same signs, zeros and poles, of a low degree."""
    sign, powers = factored(expr)
    above = [factor ** (2 - power % 2) for factor, power in powers.items() if power > 0]
    below = [factor ** (2 - power % 2) for factor, power in powers.items() if power < 0]
    return sp.Poly(sign * sp.prod(above), x), sp.Poly(sp.prod(below), x)


def _also(own: Interval, assumed: str) -> Interval:
    if assumed in own.assumed.split("; "):
        return own
    return replace(own, assumed="; ".join(filter(None, (own.assumed, assumed))), shown=False)
