"""The normal form of a formula: |x|, max and min resolved where signs are known, rational constants, and finite sums.

Sums are written as they are counted up: Σ_{i=2u}^{3u} f(i), Σ_{i=1}^u f(u−i) and the like become sums from a constant to
u + constant of a summand without u, so that going from u to u + 1 adds one term.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any, cast

import sympy as sp

from crtools.expressions import arguments, free_symbols, substitute
from crtools.numeric_types import SymExpr

Nonnegative = Callable[[SymExpr], bool]
"""Returns whether an expression is proved to be ≥ 0 on the range of a formula."""

MAX_STEPS, MAX_TERMS = 6, 200
"""A sum may gain that many terms from u to u + 1, and have that many at the first u."""

INDEX = sp.Dummy("i", integer=True)
"""The index of every sum that is written anew, so that equal sums are equal expressions."""


def simplified(expr: SymExpr, nonnegative: Nonnegative) -> SymExpr:
    """Simplify absolute values, maxima, roots and sums by the signs that ``nonnegative`` shows; other parts stay as they are."""
    expr = sp.sympify(expr)
    if isinstance(expr, sp.Sum):
        return _counted_up(expr, nonnegative)
    if not expr.args:
        return expr
    args = [simplified(arg, nonnegative) for arg in arguments(expr)]
    if isinstance(expr, sp.Abs):
        return args[0] if nonnegative(args[0]) else -args[0] if nonnegative(-args[0]) else sp.Abs(args[0])
    if isinstance(expr, sp.Max | sp.Min):
        return _without_the_smaller(expr.func, args, nonnegative)
    if isinstance(expr, sp.Pow) and args[1] == sp.Rational(1, 2) and args[0].free_symbols:
        return _root(args[0], nonnegative)
    if isinstance(expr, sp.Mul | sp.Add):
        numbers = [arg for arg in args if arg.is_number and not arg.is_Rational]
        others = [arg for arg in args if not (arg.is_number and not arg.is_Rational)]
        return expr.func(_number(expr.func(*numbers)), *others)
    return expr.func(*args)


def _root(square: SymExpr, nonnegative: Nonnegative) -> SymExpr:
    """Return a square root with every square taken out of it whose sign is known."""
    nonnegative_symbols = {x: sp.Dummy(str(x), nonnegative=True) for x in free_symbols(square) if nonnegative(x)}
    root = sp.Integer(1)
    factored: Any = sp.factor(square)
    for base, power in factored.xreplace(nonnegative_symbols).as_powers_dict().items():
        base_root = base if base.is_nonnegative or not power.is_even else sp.Abs(base)
        root *= base_root ** (power / 2)
    root = root.xreplace({dummy: x for x, dummy in nonnegative_symbols.items()})
    return root.replace(lambda e: isinstance(e, sp.Abs), lambda e: simplified(e, nonnegative))


@lru_cache(maxsize=256)
def _number(value: SymExpr) -> SymExpr:
    """Return a real number as a fraction where it is shown to be one."""
    if value.is_Rational:
        return value
    simple = sp.simplify(sp.radsimp(sp.sqrtdenest(sp.expand_log(value, force=True))))
    return simple if simple.is_Rational else value


def _without_the_smaller(function: Callable[..., SymExpr], args: list[SymExpr], nonnegative: Nonnegative) -> SymExpr:
    """Leave out of a maximum (minimum) what is shown to be at most (at least) another argument."""
    sign = 1 if function is sp.Max else -1
    kept = list(args)
    for arg in args:
        if any(other is not arg and nonnegative(sign * (other - arg)) for other in kept):
            kept.remove(arg)
    return function(*kept)


def _counted_up(total: sp.Sum, nonnegative: Nonnegative) -> SymExpr:
    if len(total.limits) != 1:
        return total
    i, low, high = total.limits[0]
    low, high = simplified(low, nonnegative), simplified(high, nonnegative)
    term, low, high = substitute(cast(SymExpr, total.function), {i: INDEX}), sp.expand(low), sp.expand(high)
    normalised: Any = sp.Sum(term, (INDEX, low, high))
    free = sorted((low.free_symbols | high.free_symbols), key=str)
    if len(free) != 1 or not all(end.is_polynomial(*free) for end in (low, high)):
        return normalised
    u = free[0]
    if low.is_Integer and (high - u).is_Integer and not term.has(u):
        return normalised
    if nonnegative(low - high - 1):
        return sp.S.Zero
    first = next((k for k in (1, 0) if nonnegative(u - k)), None)  # from which u on
    if first is None or not nonnegative(high - low + 1):
        return normalised
    for sign, shift in sorted(product((1, -1), range(-MAX_STEPS, MAX_STEPS + 1)), key=lambda p: (abs(p[1]), -p[0])):
        summand = sp.cancel(term.xreplace({INDEX: sign * INDEX + shift * u}))
        if not summand.has(u):
            one, two = (sp.expand(sign * (end - shift * u)) for end in (low, high)[::sign])
            counted = _from_a_constant(summand, one, two, u, first)
            if counted is not None:
                return counted
    return normalised


def _from_a_constant(term: SymExpr, low: SymExpr, high: SymExpr, u: SymExpr, first: int) -> SymExpr | None:
    """Return Σ_{i=low}^{high} term from the terms up to ``high`` less those below ``low``, or None."""
    start = low.subs(u, first)
    if not term.is_rational_function(INDEX) or not start.is_Integer:
        return None
    poles = sp.Poly(sp.fraction(sp.cancel(term))[1], INDEX).ground_roots()
    if any(pole.is_Integer and pole >= start for pole in poles):
        return None
    above, below = (_up_to(term, start, end, u, first) for end in (high, low - 1))
    return None if above is None or below is None else above - below


def _up_to(term: SymExpr, start: SymExpr, end: SymExpr, u: SymExpr, first: int) -> SymExpr | None:
    """Return Σ_{i=start}^{end} term as a constant and a sum over first < i ≤ u; None where the end does not rise with u."""
    steps = sp.expand(end).coeff(u)
    if not (steps.is_Integer and 0 <= steps <= MAX_STEPS and sp.expand(end - steps * u).is_Integer):
        return None
    if end.subs(u, first) - start > MAX_TERMS:
        return None
    at_first = sp.Add(*(term.subs(INDEX, k) for k in range(int(start), int(end.subs(u, first)) + 1)))
    gained = sum((substitute(term, {INDEX: end.subs(u, INDEX) - back}) for back in range(int(steps))), sp.S.Zero)
    return at_first + (sp.Sum(sp.cancel(gained), (INDEX, first + 1, u)) if steps else 0)
