"""The range of each free parameter of a distribution: where the weights are summable, ≥ 0, and not all 0.

Necessary conditions are signs of rational functions in the parameters: every base in (0, 1), mixture weights, the
weights of the first lengths and the leading coefficient ≥ 0. Those in one parameter are solved exactly by their
roots. They suffice where all later weights are shown to be ≥ 0; what is not shown is stated as assumed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.solvers.inequalities import solve_rational_inequalities

from crtools.errors import InputError
from crtools.expressions import free_symbols
from crtools.numeric_types import Symbol, SymExpr, SymPoly
from crtools.signs.parameters import factor_sign, factored
from crtools.signs.ranges import Interval

MOST_STATED = 3
"""Upper limit on the conditions in several parameters that are listed one by one."""


@dataclass(frozen=True)
class Condition:
    """expr > 0 (``strict``) or expr ≥ 0."""

    expr: SymExpr
    strict: bool = True

    def __str__(self) -> str:
        return f"{sp.factor(self.expr)} {'>' if self.strict else '>='} 0"


def of_ends(l: Any, u: Any, *, equal: bool) -> dict[str, Interval]:
    """Return the ranges of the ends l and u that are symbols; ``equal``: whether they may be the same length."""
    if isinstance(l, sp.Symbol) and u == 1 and not equal:
        raise InputError("u", 1, "must be at least 2, so that there is a smaller length l")
    low = Interval(str(l), sp.S.One, sp.sympify(u), low_in=True, high_in=equal, integer=True)
    high = Interval(str(u), sp.sympify(l), low_in=equal, integer=True)
    return {interval.name: interval for interval, end in ((low, l), (high, u)) if isinstance(end, sp.Symbol)}


def defined(values: list[SymExpr]) -> list[Condition]:
    """Return that no denominator vanishes, and not all of the values."""
    numerators, denominators = zip(*(sp.fraction(sp.together(v)) for v in values), strict=True)
    common: Any = sp.gcd_list([sp.S.Zero, *numerators])
    return [Condition(x**2) for x in dict.fromkeys((common, *denominators)) if x.free_symbols]


# ---- one parameter at a time -----------------------------------------------------------------------------------------


def solved(parameters: Sequence[Symbol], spec: str, conditions: Iterable[Condition]) -> dict[Symbol, Interval]:
    """Return the ranges that the conditions in one parameter leave; the others are stated as assumed.

    Raises ``InputError`` where no value gives a distribution.
    """
    intervals = {x: Interval(x.name) for x in parameters}
    by_symbol: dict[Symbol, list[Condition]] = {x: [] for x in parameters}
    joint = list(conditions)
    while True:
        reduced = [_reduced(condition, intervals) for condition in joint]
        if any(not c.expr.free_symbols and not (c.expr > 0 or (c.expr == 0 and not c.strict)) for c in reduced):
            raise InputError("distribution", spec, "must have weights ≥ 0, not all 0, at some parameters")
        alone = [c for c in reduced if len(c.expr.free_symbols) == 1]
        if not alone:
            break
        joint = [c for c in reduced if len(c.expr.free_symbols) > 1]
        for condition in alone:
            [x] = free_symbols(condition.expr)
            by_symbol[x].append(condition)
        for x, conditions_on_x in by_symbol.items():
            if conditions_on_x:
                intervals[x] = _interval(x, conditions_on_x, spec)
    for x in parameters:
        texts = list(dict.fromkeys(str(c) for c in reduced if x in c.expr.free_symbols))
        texts = texts if len(texts) <= MOST_STATED else [*texts[: MOST_STATED - 1], "all weights are >= 0"]
        for text in texts:
            intervals[x] = assume(intervals[x], text)
    return intervals


def _reduced(condition: Condition, intervals: Mapping[Symbol, Interval]) -> Condition:
    """Leave out factors whose sign is known on the ranges; those in one parameter without a range yet are kept."""
    if len(condition.expr.free_symbols) == 1:
        return condition
    sign, powers = factored(condition.expr)
    if not condition.expr.free_symbols:
        return Condition(sp.Integer(sign if condition.expr != 0 else 0), condition.strict)
    remaining = sp.Integer(sign)
    for factor, power in powers.items():
        closed = any(intervals[x].low_in or intervals[x].high_in for x in free_symbols(factor))
        kept = condition.strict and closed and len(factor.free_symbols) > 1  # it may vanish where ends meet
        factor_known = 0 if kept else factor_sign(factor, intervals)
        remaining *= factor_known**power if factor_known else factor ** (2 if power % 2 == 0 else 1)
    return Condition(remaining, condition.strict)


def _interval(x: Symbol, conditions: list[Condition], spec: str) -> Interval:
    """Return the interval of x on which all conditions hold, the first with positive values where there are several."""
    system = dict.fromkeys((_with_low_powers(c.expr, x), ">" if c.strict else ">=") for c in conditions)
    solved: Any = solve_rational_inequalities([[*system]])
    parts: list[Any] = [part for part in sp.Union.make_args(solved) if isinstance(part, sp.Interval)]
    parts.sort(key=lambda part: part.start)
    intervals = [Interval(x.name, part.start, part.end, not part.left_open, not part.right_open) for part in parts]
    if not intervals:
        raise InputError("distribution", spec, f"must have summable weights ≥ 0, not all 0, at some {x}")
    positive = [interval for interval in intervals if interval.high > 0]
    chosen = positive[0] if positive else intervals[-1]
    if len(intervals) == 1:
        return chosen
    alone = chosen.low >= 0 and len(positive) == 1
    return replace(chosen, assumed=f"{x} > 0" if alone else "this interval of several")


def _with_low_powers(expr: SymExpr, x: Symbol) -> tuple[SymPoly, SymPoly]:
    """Return numerator and denominator of a rational function with the same signs, zeros and poles, of a low degree."""
    sign, powers = factored(expr)
    above = [factor ** (2 - power % 2) for factor, power in powers.items() if power > 0]
    below = [factor ** (2 - power % 2) for factor, power in powers.items() if power < 0]
    return sp.Poly(sign * sp.prod(above), x), sp.Poly(sp.prod(below), x)


def assume(interval: Interval, assumed: str) -> Interval:
    """Return the range with what is assumed of it in words."""
    if assumed in interval.assumed.split("; "):
        return interval
    return replace(interval, assumed="; ".join(filter(None, (interval.assumed, assumed))), shown=False)
