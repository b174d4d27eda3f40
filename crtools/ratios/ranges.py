"""The range of each free parameter of a law: where the weights are summable, ≥ 0, and not all 0.

Necessary conditions are signs of rational functions in the parameters: every base in (0, 1), mixture weights, the
weights of the first lengths and the leading coefficient ≥ 0. Those in one parameter are solved exactly by their
roots. They suffice where all later weights are seen to be ≥ 0; what is not shown is stated as assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.solvers.inequalities import solve_rational_inequalities

from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution, Mixture, Pmf, Poisson, TwoPoint
from crtools.distributions.families import SymbolicEnd, SymbolicUniform
from crtools.enclosure import fraction
from crtools.errors import InputError
from crtools.expressions import number

FIRST_LENGTHS = (1, 2, 4, 8, 16, 32)
"""The weights of so many first lengths are made conditions, until those beyond are seen to be ≥ 0."""

MOST_STATED = 3
"""So many conditions in several parameters are stated one by one."""

LONGEST_WRITTEN_OUT = 300
"""A finite law up to this many lengths has all its weights as conditions."""

INWARD = sp.Rational(1, 10**24)
"""How far inside an irrational end the rational one lies that stands for it in computations."""


@dataclass(frozen=True)
class Range:
    """The interval of a parameter's values; ``low_in`` and ``high_in`` tell whether the ends belong to it.

    The ends are SymPy numbers or ±oo (for a law on l and u the other symbol). ``assumed`` is what was chosen or not
    shown; ``shown`` is False where some values in the range may not give a law.
    """

    name: str
    low: Any = -sp.oo
    high: Any = sp.oo
    low_in: bool = False
    high_in: bool = False
    integer: bool = False
    assumed: str = ""
    shown: bool = True

    @property
    def ends(self) -> tuple[Any, Any]:
        """(low, high)."""
        return self.low, self.high

    @property
    def closed(self) -> tuple[bool, bool]:
        """Whether the ends belong to it."""
        return self.low_in, self.high_in

    @property
    def unit(self) -> bool:
        """Whether the ends are 0 and 1."""
        return self.ends == (0, 1)

    @property
    def integers(self) -> tuple[int, int | None]:
        """The first and the last integer, None where there is no last one."""
        return int(self.low) + (not self.low_in), None if self.high is sp.oo else int(self.high) - (not self.high_in)

    def exact(self) -> bool:
        """Return whether both ends are rational or infinite."""
        return all(end.is_Rational or end.is_infinite for end in self.ends)

    def __contains__(self, value: Any) -> bool:
        x = sp.sympify(value)
        above = x > self.low or (self.low_in and x == self.low)
        below = x < self.high or (self.high_in and x == self.high)
        return bool(above and below) and (x.is_Integer or not self.integer)

    def checked(self, value: Any) -> Fraction:
        """Return a value of the parameter as a ``Fraction``; raises ``InputError`` for one outside the range."""
        if isinstance(value, sp.Rational | int | Fraction):
            exact = Fraction(int(value.numerator), int(value.denominator))
        else:
            exact = number(self.name, repr(value) if isinstance(value, float) else str(value))
        if exact not in self:
            raise InputError(self.name, str(value), f"must lie in the range {self}")
        return exact

    def place(self, share: Any) -> Any:
        """Return the point of the range at a share of (0, 1), increasing; a symbol gives an expression."""
        low, high = self.low, self.high
        if not self.exact():
            low, high = (_rational_inside(end, side) for end, side in ((low, 1), (high, -1)))
        v = sp.sympify(share)
        if low.is_infinite and high.is_infinite:
            return (2 * v - 1) / (v * (1 - v))
        if low.is_infinite:
            return high - (1 - v) / v
        return low + (v / (1 - v) if high.is_infinite else (high - low) * v)

    def at(self, share: Fraction) -> Fraction:
        """Return :meth:`place` at a number."""
        return fraction(self.place(share))

    def __str__(self) -> str:
        left = "" if self.low == -sp.oo else f"{self.low} {'<=' if self.low_in else '<'} "
        right = "" if self.high == sp.oo else f" {'<=' if self.high_in else '<'} {self.high}"
        bare = f"{left}{self.name}{right}" if left or right else f"{self.name} real"
        bare = f"{bare}, integer" if self.integer else bare
        return f"{bare} (assumed: {self.assumed})" if self.assumed else bare


UNIT = Range("y", sp.S.Zero, sp.S.One)
"""0 < y < 1."""


@dataclass(frozen=True)
class _Condition:
    """expr > 0 (``strict``) or expr ≥ 0."""

    expr: Any
    strict: bool = True

    def __str__(self) -> str:
        return f"{sp.factor(self.expr)} {'>' if self.strict else '>='} 0"


def ranges(law: Distribution) -> dict[str, Range]:
    """Return the range of each free parameter, by name.

    Raises ``InputError`` where no value gives a law.
    """
    if isinstance(law, TwoPoint | SymbolicUniform | SymbolicEnd):
        return {own.name: own for own in _of_ends(law)}
    if isinstance(law, Poisson):
        return {x.name: Range(x.name, sp.S.Zero) for x in law.parameters}
    if not isinstance(law, Pmf | Mixture) or not law.parameters:
        return {}
    found = {x: Range(x.name) for x in law.parameters}
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


def _of_ends(law: TwoPoint | SymbolicUniform | SymbolicEnd) -> Iterator[Range]:
    """Iterate over the ranges of lengths l and u, which two points have apart, and of a share."""
    (l, u), equal = map(sp.sympify, (law.l, law.u)), not isinstance(law, TwoPoint)
    if l.free_symbols and u == 1 and not equal:
        raise InputError("u", 1, "must be at least 2, so that there is a smaller length l")
    if l.free_symbols:
        yield Range(str(l), sp.S.One, u, low_in=True, high_in=equal, integer=True)
    if u.free_symbols:
        yield Range(str(u), l, low_in=equal, integer=True)
    if isinstance(law, TwoPoint) and isinstance(law.share, sp.Symbol):
        yield Range(law.share.name, sp.S.Zero, sp.S.One, True, True)


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


def _nonnegative_beyond(law: Distribution, last: int, found: Mapping[Any, Range]) -> bool:
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
    signs = {(mark, m): _sign(c, found) for _, coefficients, mark in shifted for m, c in coefficients.items()}
    if all(sign > 0 for sign in signs.values()):
        return True
    for top, own, mark in shifted:
        others = [piece for piece in shifted if piece[2] is not mark]
        if any(_sign(top - rho, found) <= 0 for rho, _, _ in others):
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
        if all(c is not sp.nan and _sign(c, found) > 0 for c in whole):
            return True
    return False


# ---- signs -----------------------------------------------------------------------------------------------------------


def _factored(expr: Any) -> tuple[int, dict[Any, int]]:
    """Return the sign of the constant and {irreducible factor: power} of a rational function."""
    sign, powers = 1, dict[Any, int]()
    for part, direction in zip(sp.fraction(sp.cancel(sp.together(expr))), (1, -1), strict=True):
        factored: Any = sp.factor_list(part)
        constant, factors = factored
        sign *= int(sp.sign(constant))
        for factor, power in factors:
            powers[factor] = powers.get(factor, 0) + direction * power
    return sign, powers


def _sign(expr: Any, found: Mapping[Any, Range]) -> int:
    """Return 1 where a rational function is ≥ 0 on the ranges, −1 where it is ≤ 0, 0 where that is not seen."""
    sign, powers = _factored(expr)
    for factor, power in powers.items():
        if power % 2:
            sign *= _factor_sign(factor, found)
    return sign if expr != 0 else 1


def _factor_sign(factor: Any, found: Mapping[Any, Range]) -> int:
    free = sorted(factor.free_symbols, key=lambda x: x.name)
    if len(free) == 1:
        own = found[free[0]]
        if any(own.low < root < own.high for root in sp.Poly(factor, free[0]).real_roots()):
            return 0
        return 1 if factor.subs(free[0], own.place(Fraction(1, 2))) > 0 else -1
    # x = place(y/(1+y)), y > 0: one sign if all coefficients of the numerator have it
    shares = {x: sp.Dummy(positive=True) for x in free}
    put = {x: found[x].place(y / (1 + y)) for x, y in shares.items()}
    above, below = (sp.Poly(part, *shares.values()) for part in sp.fraction(sp.together(factor.subs(put))))
    signs = {sign for sign in (1, -1) for poly in (above,) if all(sign * c > 0 for c in poly.coeffs())}
    positive = all(c > 0 for c in below.coeffs())
    return signs.pop() if signs and positive else 0


# ---- one parameter at a time -----------------------------------------------------------------------------------------


def _solved(law: Distribution, conditions: Iterable[_Condition]) -> dict[Any, Range]:
    """Return the ranges that the conditions in one parameter leave; the others are stated as assumed."""
    found = {x: Range(x.name) for x in law.parameters}
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


def _reduced(condition: _Condition, found: Mapping[Any, Range]) -> _Condition:
    """Leave out factors whose sign is known on the ranges; those in one parameter without a range yet are kept."""
    if len(condition.expr.free_symbols) == 1:
        return condition
    sign, powers = _factored(condition.expr)
    if not condition.expr.free_symbols:
        return _Condition(sp.Integer(sign if condition.expr != 0 else 0), condition.strict)
    rest = sp.Integer(sign)
    for factor, power in powers.items():
        closed = any(found[x].low_in or found[x].high_in for x in factor.free_symbols)
        kept = condition.strict and closed and len(factor.free_symbols) > 1  # it may vanish where ends meet
        known = 0 if kept else _factor_sign(factor, found)
        rest *= known**power if known else factor ** (2 if power % 2 == 0 else 1)
    return _Condition(rest, condition.strict)


def _interval(x: Any, conditions: list[_Condition], law: Distribution) -> Range:
    """Return the interval of x on which all conditions hold, the first with positive values where there are several."""
    system = dict.fromkeys((_parities(c.expr, x), ">" if c.strict else ">=") for c in conditions)
    solved: Any = solve_rational_inequalities([[*system]])
    parts: list[Any] = [part for part in sp.Union.make_args(solved) if isinstance(part, sp.Interval)]
    parts.sort(key=lambda part: part.start)
    found = [Range(x.name, part.start, part.end, not part.left_open, not part.right_open) for part in parts]
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
    sign, powers = _factored(expr)
    above = [factor ** (2 - power % 2) for factor, power in powers.items() if power > 0]
    below = [factor ** (2 - power % 2) for factor, power in powers.items() if power < 0]
    return sp.Poly(sign * sp.prod(above), x), sp.Poly(sp.prod(below), x)


def _also(own: Range, assumed: str) -> Range:
    if assumed in own.assumed.split("; "):
        return own
    return replace(own, assumed="; ".join(filter(None, (own.assumed, assumed))), shown=False)


def _rational_inside(end: Any, side: int) -> Any:
    if end.is_Rational or end.is_infinite:
        return end
    return sp.Rational(str(sp.N(end, 40))) + side * INWARD
