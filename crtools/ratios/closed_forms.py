"""``ClosedForms``: the values of two forms under a law in closed form; ``derivation`` makes a Derivation of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.quotient import Quotient
from crtools.closed_form.sums import LARGEST_POLE, NotClosed
from crtools.distributions import Distribution, Mixture, Pmf
from crtools.distributions.base import K, bound
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError, NotCertified
from crtools.expressions import formula, free_symbols, symbolic
from crtools.forms import Form
from crtools.numeric_types import Symbol, SymExpr
from crtools.parallel import WithoutCaches
from crtools.ratios.limits import limit_at_end
from crtools.ratios.ratio import Intervals, closed_value
from crtools.ratios.supremum import PowerSeries
from crtools.signs.charts import zeros
from crtools.signs.parameters import sign_on
from crtools.signs.ranges import UNIT, Interval

LARGEST_SIZE = 24
"""The degree of a distribution's polynomials in k times the number of its free parameters, for closed forms within a minute."""

LARGEST_WITH_S = 400
"""That degree times s."""

ONE = Form("one", lambda i, j, s: 0 * (i + j + s) + 1)
"""The form whose entries are 1, as an element of the ring in which i, j and s are given."""


@dataclass(frozen=True)
class PowerSeriesWeights:
    """Weights as power series with coefficients ≥ 0 in one base y = ρ(q), 0 < y < 1, up to the common ``factor`` Π Z_i.

    Three kinds of distributions have such a base: weights c_k y^k; sums of such terms with bases r y^m; and mixtures of distributions
    c_k y^k and distributions without a parameter, since the product Π Z_i of their masses, itself a power series, clears the
    denominators Z_i(y). ``law``: the weights as functions of y, whose symbol is ``parameter``; ``base``: ρ(parameter).
    """

    law: Pmf | Mixture
    base: SymExpr
    parameter: Symbol
    factor: SymExpr = sp.S.One

    @classmethod
    def of(cls, law: Distribution) -> PowerSeriesWeights | None:
        """Return the distribution in its base, or None if it has none or its coefficients could not be shown to be ≥ 0."""
        if len(law.parameters) != 1:
            return None
        try:
            return _of_mixture(law) if isinstance(law, Mixture) else _of_pmf(law) if isinstance(law, Pmf) else None
        except NotClosed:
            return None

    @property
    def same(self) -> bool:
        """Whether the base is the parameter itself."""
        return self.base == self.parameter

    @property
    def single(self) -> bool:
        """Whether the weights are c_k y^k."""
        return isinstance(self.law, Pmf) and len(self.law.summand.terms) == 1

    def ends(self, interval: Interval) -> tuple[int, int] | None:
        """Return the base at both ends of the interval if it maps the interval one to one onto (0, 1), else None."""
        values = self._end(interval.low), self._end(interval.high)
        monotone = sign_on(sp.diff(self.base, self.parameter), {self.parameter: interval})
        return next((ends for ends in ((0, 1), (1, 0)) if monotone and ends == values), None)

    def _end(self, end: SymExpr) -> int | None:
        value = sp.limit(self.base, self.parameter, end) if end.is_infinite else self.base.subs(self.parameter, end)
        value = sp.nsimplify(sp.simplify(value)) if value.is_finite else value
        return int(value) if value in (0, 1) else None

    def back(self, at: SymExpr | Enclosure, interval: Interval) -> SymExpr | Enclosure:
        """Return ρ⁻¹(y), the parameter at a point y of [0, 1]: exact if rational or an end of the interval, else enclosed."""
        if at in (0, 1):
            return interval.ends[0 if self._end(interval.low) == at else 1]
        if isinstance(at, Enclosure):
            pieces = [self._inverse(sp.Rational(y), interval) for y in (at.lower, at.upper)]
            return Enclosure(min(piece.lower for piece in pieces), max(piece.upper for piece in pieces))
        inverse = self._inverse(sp.sympify(at), interval)
        return inverse if inverse.width else sp.Rational(inverse.lower)

    def _inverse(self, y: SymExpr, interval: Interval) -> Enclosure:
        poly = sp.Poly(sp.fraction(sp.cancel(self.base - y))[0], self.parameter, domain="QQ")
        places = (zero.place for zero in zeros(poly, self.parameter, Interval(interval.name)))
        [place] = [place for place in places if place.lower in interval]
        return place

    def first_term(self, form: Form, s: int) -> tuple[Fraction, int] | None:
        """Return (c, m) for the term c y^m of the smallest length in the form; None unless the weights are c_k y^k."""
        if not self.single:
            return None
        coefficient = self.law.expr.subs(self.parameter, 1)
        k, weight = next((k, w) for k in itertools.count(self.law.support[0]) if (w := coefficient.subs(K, k)) != 0)
        return fraction(weight) ** 2 * Fraction(form.entry(k, k, s)), 2 * k


def _of_pmf(law: Pmf) -> PowerSeriesWeights | None:
    """Return weights c_k y^k with c_k free of parameters, or Σ_m c_mk q^(mk) with all c_mk ≥ 0."""
    if law.finite:
        return None
    convert: Any = law.field.domain.to_sympy
    terms = law.summand.terms
    below = sp.prod([(K + c) ** m for c, m in law.summand.poles.items()])
    [x] = law.parameters
    if len(terms) == 1:
        [(rho, poly)] = terms.items()
        base, leading = convert(rho), convert(poly.LC)
        shape: Any = sum(sp.cancel(convert(c) / leading) * K**m for (m,), c in poly.terms())
        if not base.free_symbols or shape.has(x):
            return None
        return PowerSeriesWeights(Pmf(shape * x**K / below, l=law.support[0]), base, x)
    groups: dict[int, SymExpr] = {}
    for rho, poly in terms.items():
        r, m = convert(rho).as_coeff_exponent(x)
        shape = sum(convert(c) * K**n for (n,), c in poly.terms())
        if r.has(x) or not (m.is_Integer and m >= 0) or shape.has(x):
            return None
        groups[int(m)] = groups.get(int(m), sp.S.Zero) + shape * r**K
    return PowerSeriesWeights(law, x, x) if all(_nonnegative(g, below) for g in groups.values()) else None


def _nonnegative(sequence: SymExpr, below: SymExpr | int) -> bool:
    """Return whether ``Pmf`` proves that Σ P(k) r^k ≥ 0 for all k ≥ 1; a factor t^k > 0 makes the terms summable."""
    largest = max((abs(power.base) for power in sequence.atoms(sp.Pow) if power.exp.has(K)), default=sp.S.One)
    try:
        Pmf(sp.expand(sequence * (1 / (2 * largest)) ** K / below))
    except InputError:
        return False
    return True


def _of_mixture(law: Mixture) -> PowerSeriesWeights | None:
    """Return the weights of a mixture, with numbers as shares, of distributions c_k y^k and distributions without a parameter."""
    parts: list[tuple[Any, Distribution]] = []
    bases: set[SymExpr] = set()
    factor: SymExpr = sp.S.One
    for share, part in law.parts:
        if not isinstance(share, Fraction):
            return None
        in_base = PowerSeriesWeights.of(part) if part.parameters else None
        if part.parameters and (in_base is None or in_base.factor != 1 or (len(law.parts) > 1 and not in_base.single)):
            return None
        if in_base is not None:
            bases.add(in_base.base)
            factor = factor * in_base.law.moment(0)
        parts.append((share, part if in_base is None else in_base.law))
    if len(bases) != 1:
        return None
    [base] = bases
    [x] = law.parameters
    if len(parts) == 1:
        only = parts[0][1]
        assert isinstance(only, Pmf)
        return PowerSeriesWeights(only, base, x)
    return PowerSeriesWeights(Mixture(parts), base, x, factor)


@dataclass(frozen=True)
class ClosedForms(WithoutCaches):
    """``forms``, the one above and the one below, under a distribution, for prompts of s tokens (a number or a symbol)."""

    forms: tuple[Form, Form]
    law: Distribution
    s: Any
    intervals: Intervals | None = None

    @property
    def size(self) -> int | None:
        """The number s, None for a symbol."""
        return None if isinstance(self.s, sp.Symbol) else self.s

    @cached_property
    def base(self) -> PowerSeriesWeights | None:
        """The distribution in its base y."""
        return None if self.size is None else PowerSeriesWeights.of(self.law)

    @property
    def written_out(self) -> bool:
        """Whether the closed form is a sum with one term for each length."""
        return self.law.two_lengths or self.law.open_ends or (self.size is None and self.law.finite)

    @cached_property
    def values(self) -> tuple[SymExpr, SymExpr]:
        """Both forms at the weights; raises ``NotClosed`` where there is no closed form."""
        if self.written_out:
            top, bottom = map(self.intervals.across, self.forms) if self.intervals else self.forms
            return self.law.closed(top, self.s), self.law.closed(bottom, self.s)
        top, bottom = self.in_base
        return self._in_parameters(top), self._in_parameters(bottom)

    @cached_property
    def in_base(self) -> tuple[SymExpr, SymExpr]:
        """Both values as sums, in y if the distribution has a base."""
        law = self._summed
        if law.summand and law.finite and not law.parameters:
            raise NotClosed("the law has no parameter: its ratio is a number")
        bound_forms = [f if f.bind is None else bound(f, *law.support) for f in self.forms]
        for f in bound_forms:
            if not law.finite and not f.closes(self.size):
                raise NotClosed(f"the form {f.name}: {f.unclosed}")
        top, bottom = (self._closed(f, self.intervals) for f in bound_forms)
        return top, bottom

    @cached_property
    def mass_squared(self) -> SymExpr:
        """The square of the sum of the weights: the value of the form whose entries are 1."""
        if self.written_out:
            return self.law.closed(ONE, self.s)
        return self._in_parameters(self._closed(ONE, None))

    def _closed(self, form: Form, intervals: Intervals | None) -> SymExpr:
        try:
            return closed_value(self._summed, form, self.s, intervals)
        except sp.polys.polyerrors.HeuristicGCDFailed:
            raise NotClosed("the closed form is too large: its common factors are not found") from None

    @property
    def _summed(self) -> Distribution:
        return self.law if self.base is None else self.base.law

    def _in_parameters(self, expr: SymExpr) -> SymExpr:
        """Return an expression in y as one in the distribution's parameters."""
        return expr if self.base is None or self.base.same else expr.subs(self.base.parameter, self.base.base)

    # ---- in the base -----------------------------------------------------------------------------------------------

    @cached_property
    def ratio(self) -> Quotient:
        """The ratio in y."""
        assert self.base is not None
        top, bottom = self.in_base
        return Quotient.of(top / bottom, (self.base.parameter,))

    def limit(self, end: int) -> SymExpr:
        """Return the limit for y → 0 or 1; at 0, where the weights are c_k y^k, it is that of the smallest length."""
        assert self.base is not None
        if end == 0:
            top, bottom = (self.base.first_term(f, self.s) for f in self.forms)
            if top is not None and bottom is not None and bottom[0] > 0:
                return sp.Rational(*(top[0] / bottom[0]).as_integer_ratio())
        return limit_at_end(self.ratio, UNIT, end)

    def power_series(self) -> PowerSeries:
        """Return N and D as power series in y with non-negative coefficients, or raise ``NotCertified``."""
        base, (_, against) = self.base, self.forms
        assert base is not None
        between = [f.between for f in self.forms if self.intervals and f.between]
        if not all(f.nonnegative_at(self.s) for f in (*self.forms, *between)):
            raise NotCertified("the forms are not known to have non-negative entries")
        first = base.first_term(against, self.s)
        if first is not None and not first[0] > 0:
            raise NotCertified(f"the form {against.name} has no first term > 0")
        top, bottom = (Quotient.of(v * base.factor**2, (base.parameter,)) for v in self.in_base)
        return PowerSeries.of(top, bottom, first)


def value_at(expr: SymExpr, values: Mapping[Symbol, Fraction], digits: int) -> Enclosure:
    """Return a closed form's value, exact where it is rational."""
    expr_at: Any = expr.xreplace({x: sp.Rational(v) for x, v in values.items()})
    if expr_at.has(sp.harmonic) and all(part.args[0] <= LARGEST_POLE for part in expr_at.atoms(sp.harmonic)):
        expr_at = expr_at.doit()
    if not expr_at.has(sp.log, sp.polylog, sp.harmonic):
        exact = fraction(sp.Rational(sp.cancel(expr_at)))
        return Enclosure(exact, exact)
    return enclose(expr, values, digits)


def check_size(law: Distribution, s: int) -> None:
    """Raise ``NotClosed`` for a distribution with symbols whose closed form would take minutes."""
    if not law.parameters or law.open_ends or law.finite:
        return
    try:
        degree = max((p.degree() for p in law.summand.terms.values()), default=0)
    except NotClosed:  # raised again where the ranges are known
        return
    for name, factor, largest in (("parameters", len(law.parameters), LARGEST_SIZE), ("s", s, LARGEST_WITH_S)):
        if degree * factor > largest:
            limit = f"degree × {name} is {degree * factor}, at most {largest}"
            raise NotClosed(f"degree {degree} in k is too large for a closed form: {limit}")


VALUES = (Fraction(3), Fraction(5, 2), Fraction(7))
"""Values of the user's letters at the points of comparison."""


class KnownUpperEnd:
    """The upper end ``expr`` that a form is given under a distribution; ``letters``: its symbols that the distribution does not have.

    The form is a polynomial in u. Its value at a distribution is too, and is interpolated from closed forms at a few numbers u.
    """

    def __init__(self, form_of_ends: Form, law: Distribution, s: Any, text: str) -> None:
        if form_of_ends.bind is None:
            allowed = f"is for a form that depends on the interval's ends, which {form_of_ends.name} does not"
            raise InputError("u", text, allowed)
        if "u" in {x.name for x in law.parameters}:
            raise InputError("u", text, f"is a parameter of {law.spec()}: give it there")
        self.form_of_ends, self.law, self.s, self.expr = form_of_ends, law, s, _read(text)
        self.letters = tuple(sorted(free_symbols(self.expr) - {*law.parameters, s}, key=str))
        self.ranges = {x.name: Interval(x.name, sp.S.Zero) for x in self.letters}

    def form(self, u: Any, law: Distribution | None = None) -> Form:
        """Return the form for a distribution's smallest length and this u."""
        assert self.form_of_ends.bind is not None
        return self.form_of_ends.bind((law or self.law).support[0], u)

    def values(self, against: Form) -> tuple[SymExpr, SymExpr]:
        """Return the values of the form, by interpolation, and of another one that does not know u.

        Raises ``NotClosed`` where the form is not shown to be a polynomial in u.
        """
        nodes, u = list(range(1, 2 + self._degree())), sp.Dummy("u")
        pairs = [ClosedForms((self.form(v), against), self.law, self.s).values for v in nodes]
        tops, bottoms = ([*side] for side in zip(*pairs, strict=True))
        interpolating_poly: Any = sp.interpolating_poly  # whose type SymPy states wrongly
        return interpolating_poly(len(nodes), u, nodes, tops).subs(u, self.expr), bottoms[0]

    def _degree(self) -> int:
        u, *letters = (sp.Dummy(name, positive=True) for name in "uijs")
        try:
            return int(sp.Poly(sp.together(self.form(u).formula(*letters)), u).degree())
        except (sp.PolynomialError, TypeError):
            raise NotClosed(f"the form {self.form_of_ends.name} is not shown to be a polynomial in u") from None

    def at(self, point: Mapping[str, Fraction], law: Distribution) -> Form:
        """Return the form at values of all letters and parameters."""
        u = self.expr.xreplace({x: sp.Rational(point[x.name]) for x in free_symbols(self.expr)})
        return self.form(fraction(u), law)

    def point(self, number: int) -> dict[str, Fraction]:
        """Return values of the letters for a comparison."""
        return {x.name: VALUES[(number + k) % len(VALUES)] for k, x in enumerate(self.letters)}


def _read(text: str) -> SymExpr:
    """Return a text as a rational function of positive symbols; ``InputError`` for any other formula."""
    names = sorted(set(re.findall(r"[A-Za-z_]\w*", text)))
    tree, _ = formula("u", text, {name: sp.Symbol(name, real=True) for name in names})
    expr = symbolic(tree, {name: sp.Symbol(name, positive=True) for name in names})
    try:
        for part in sp.fraction(sp.together(expr)):
            sp.Poly(part, *(expr.free_symbols or [sp.Dummy()]), domain=sp.QQ)
    except (sp.PolynomialError, sp.polys.polyerrors.CoercionFailed):
        raise InputError("u", text, "must be a rational function, such as c/(1-q)") from None
    return expr
