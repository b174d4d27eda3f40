"""The range of each free parameter of a law: where the weights are summable, ≥ 0, and not all 0.

Necessary conditions are signs of rational functions in the parameters: every base in (0, 1), mixture weights, the
weights of the first lengths and the leading coefficient ≥ 0. Those in one parameter are solved exactly by their
roots. They suffice where all later weights are seen to be ≥ 0; what is not shown is stated as assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.solvers.inequalities import solve_rational_inequalities

from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution, Mixture, Pmf, Poisson, TwoPoint
from crtools.distributions.families import SymbolicEnd, SymbolicUniform
from crtools.errors import InputError
from crtools.signs.ranges import Interval
from crtools.signs.rational import factor_sign, factored, sign_on

FIRST_LENGTHS = (1, 2, 4, 8, 16, 32)
"""The weights of so many first lengths are made conditions, until those beyond are seen to be ≥ 0."""

MOST_STATED = 3
"""So many conditions in several parameters are stated one by one."""

LONGEST_WRITTEN_OUT = 300
"""A finite law up to this many lengths has all its weights as conditions."""


@dataclass(frozen=True)
class _Condition:
    """expr > 0 (``strict``) or expr ≥ 0."""

    expr: Any
    strict: bool = True

    def __str__(self) -> str:
        return f"{sp.factor(self.expr)} {'>' if self.strict else '>='} 0"


def ranges(law: Distribution) -> dict[str, Interval]:
    """Return the range of each free parameter, by name.

    Raises ``InputError`` where no value gives a law.
    """
    if isinstance(law, TwoPoint | SymbolicUniform | SymbolicEnd):
        return {own.name: own for own in _of_ends(law)}
    if isinstance(law, Poisson):
        return {x.name: Interval(x.name, sp.S.Zero) for x in law.parameters}
    if not isinstance(law, Pmf | Mixture) or not law.parameters:
        return {}
    found = {x: Interval(x.name) for x in law.parameters}
    lasts = FIRST_LENGTHS if len(found) == 1 else FIRST_LENGTHS[:2]
    try:
        for last in lasts:
            found = _solved(law, _conditions(law, last))
            if _nonnegative_beyond(law, last, found):
                return {x.name: own for x, own in found.items()}
    except NotClosed:
        return {x.name: _also(own, "summable weights >= 0, not all 0") for x, own in found.items()}
    beyond = f"the weights are >= 0 for k > {law.support[0] + lasts[-1] - 1}"
    return {x.name: _also(own, beyond) for x, own in found.items()}


def _of_ends(law: TwoPoint | SymbolicUniform | SymbolicEnd) -> Iterator[Interval]:
    """Iterate over the ranges of lengths l and u, which two points have apart, and of a share."""
    (l, u), equal = map(sp.sympify, (law.l, law.u)), not isinstance(law, TwoPoint)
    if l.free_symbols and u == 1 and not equal:
        raise InputError("u", 1, "must be at least 2, so that there is a smaller length l")
    if l.free_symbols:
        yield Interval(str(l), sp.S.One, u, low_in=True, high_in=equal, integer=True)
    if u.free_symbols:
        yield Interval(str(u), l, low_in=equal, integer=True)
    if isinstance(law, TwoPoint) and isinstance(law.share, sp.Symbol):
        yield Interval(law.share.name, sp.S.Zero, sp.S.One, True, True)


# ---- conditions ------------------------------------------------------------------------------------------------------


def _conditions(law: Distribution, last: int) -> list[_Condition]:
    """Return conditions that are necessary, with the weights of k ≤ ``last`` among them."""
    if isinstance(law, Mixture):
        weights = [sp.sympify(w) for w, _ in law.parts]
        found = [_Condition(w, strict=False) for w in weights] + [_Condition(sum(weights, sp.S.Zero))]
        return [*found, *(c for _, part in law.parts for c in _conditions(part, last))]
    if isinstance(law, Poisson):
        return [_Condition(x) for x in law.parameters]
    if not isinstance(law, Pmf) or not law.parameters:
        return []
    if law.finite:
        return _finite_conditions(law)
    pieces = _pieces(law)
    found = [c for rho, _ in pieces for c in (_Condition(rho), _Condition(1 - rho))]
    coefficients = [c for _, p in pieces for c in p.all_coeffs() if c != 0]
    found += _defined(coefficients)
    for k in range(law.support[0], law.support[0] + last):
        one = len(pieces) == 1
        found.append(_Condition(sum((p.eval(k) * (1 if one else rho**k) for rho, p in pieces), sp.S.Zero), False))
    if len(pieces) == 1:
        found.append(_Condition(pieces[0][1].LC(), strict=False))
    return found


def _finite_conditions(law: Pmf) -> list[_Condition]:
    low, high = law.support
    if (high or 0) - low >= LONGEST_WRITTEN_OUT:
        raise NotClosed("the lengths are too many to be written out")
    k = next((x for x in law.expr.free_symbols if x not in law.parameters), sp.Dummy())
    weights: list[Any] = [sp.together(law.expr.subs(k, n)) for n in range(low, (high or 0) + 1)]
    if not all(w.is_rational_function(*law.parameters) for w in weights):
        raise NotClosed("the weights are not rational in the parameters")
    return [*_defined([w for w in weights if w != 0]), *(_Condition(w, strict=False) for w in weights)]


def _defined(values: list[Any]) -> list[_Condition]:
    """Return that no denominator vanishes, and not all of the values."""
    numerators, denominators = zip(*(sp.fraction(sp.together(v)) for v in values), strict=True)
    common: Any = sp.S.Zero
    for numerator in numerators:
        common = sp.gcd(common, numerator)
    return [_Condition(x**2) for x in dict.fromkeys((common, *denominators)) if x.free_symbols]


def _pieces(law: Pmf) -> list[tuple[Any, Any]]:
    """Return (base, polynomial in k) for each base, as SymPy expressions in the parameters."""
    convert, k = law.field.domain.to_sympy, sp.Dummy("k")
    return [
        (convert(rho), sp.Poly(sum(convert(c) * k**m for (m,), c in p.terms()), k))
        for rho, p in law.summand.function.terms.items()
    ]


def _nonnegative_beyond(law: Distribution, last: int, found: Mapping[Any, Interval]) -> bool:
    """Return whether all weights of k > ``last`` are seen to be ≥ 0 on the ranges, by signs of coefficients.

    With k = last + 1 + t, each base's polynomial in t has coefficients ≥ 0; or the negative ones, at most their
    (r/top)^(last+1)-fold against the largest base, are outweighed by those of that base. A coefficient that is negative
    for some values only is looked at with and without it, one for each power of t.
    """
    if isinstance(law, Mixture):
        return all(_nonnegative_beyond(part, last, found) for _, part in law.parts)
    if not isinstance(law, Pmf) or law.finite or not law.parameters:
        return True
    last += law.support[0] - 1
    shifted = [(rho, dict(p.compose(sp.Poly(p.gen + last + 1, p.gen)).terms()), sp.Dummy()) for rho, p in _pieces(law)]
    signs = {(mark, m): sign_on(c, found) for _, coefficients, mark in shifted for m, c in coefficients.items()}
    if all(sign > 0 for sign in signs.values()):
        return True
    for top, own, mark in shifted:
        others = [piece for piece in shifted if piece[2] is not mark]
        if any(sign_on(top - rho, found) <= 0 for rho, _, _ in others):
            continue
        least, sometimes = dict(own), dict[Any, Any]()  # with what is always ≤ 0; what is so for some values only
        for rho, coefficients, other in others:
            for m, c in coefficients.items():
                scaled = c * (rho / top) ** (last + 1)
                if signs[other, m] < 0:
                    least[m] = least.get(m, sp.S.Zero) + scaled
                elif not signs[other, m]:
                    sometimes[m] = sp.nan if m in sometimes else scaled
        whole = [*least.values(), *(least.get(m, sp.S.Zero) + extra for m, extra in sometimes.items())]
        if all(c is not sp.nan and sign_on(c, found) > 0 for c in whole):
            return True
    return False


# ---- one parameter at a time -----------------------------------------------------------------------------------------


def _solved(law: Distribution, conditions: Iterable[_Condition]) -> dict[Any, Interval]:
    """Return the ranges that the conditions in one parameter leave; the others are stated as assumed."""
    found = {x: Interval(x.name) for x in law.parameters}
    own: dict[Any, list[_Condition]] = {x: [] for x in law.parameters}
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
    for x in law.parameters:
        texts = list(dict.fromkeys(str(c) for c in reduced if x in c.expr.free_symbols))
        texts = texts if len(texts) <= MOST_STATED else [*texts[: MOST_STATED - 1], "all weights are >= 0"]
        for text in texts:
            found[x] = _also(found[x], text)
    return found


def _reduced(condition: _Condition, found: Mapping[Any, Interval]) -> _Condition:
    """Leave out factors whose sign is known on the ranges; those in one parameter without a range yet are kept."""
    if len(condition.expr.free_symbols) == 1:
        return condition
    sign, powers = factored(condition.expr)
    if not condition.expr.free_symbols:
        return _Condition(sp.Integer(sign if condition.expr != 0 else 0), condition.strict)
    rest = sp.Integer(sign)
    for factor, power in powers.items():
        closed = any(found[x].low_in or found[x].high_in for x in factor.free_symbols)
        kept = condition.strict and closed and len(factor.free_symbols) > 1  # it may vanish where ends meet
        known = 0 if kept else factor_sign(factor, found)
        rest *= known**power if known else factor ** (2 if power % 2 == 0 else 1)
    return _Condition(rest, condition.strict)


def _interval(x: Any, conditions: list[_Condition], law: Distribution) -> Interval:
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


def _parities(expr: Any, x: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of a rational function with the same signs, zeros and poles, of a low degree."""
    sign, powers = factored(expr)
    above = [factor ** (2 - power % 2) for factor, power in powers.items() if power > 0]
    below = [factor ** (2 - power % 2) for factor, power in powers.items() if power < 0]
    return sp.Poly(sign * sp.prod(above), x), sp.Poly(sp.prod(below), x)


def _also(own: Interval, assumed: str) -> Interval:
    if assumed in own.assumed.split("; "):
        return own
    return replace(own, assumed="; ".join(filter(None, (own.assumed, assumed))), shown=False)
