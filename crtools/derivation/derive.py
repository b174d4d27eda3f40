"""``derive``: the ratio of two forms under a law with symbols, in closed form, verified before it is returned."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.quadratic import mass, quadratic_value
from crtools.closed_form.summand import NotClosed
from crtools.derivation.comparison import at_least
from crtools.derivation.finite_laws import two_point_value, uniform_value
from crtools.derivation.normal_form import Quotient
from crtools.derivation.supremum import (
    Evaluator,
    PowerSeries,
    Supremum,
    certified_supremum,
    limit_at,
    poisson_supremum,
    rational_supremum,
    sampled_supremum,
)
from crtools.distributions import Distribution, Mixture, Pmf, Poisson, TwoPoint, distribution
from crtools.distributions.families import SymbolicUniform
from crtools.enclosure import Enclosure
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form, known
from crtools.ratios import Ratio, bounded
from crtools.setting import integer

CHECKS = 3
"""Every closed form is compared with direct sums at this many points."""

CHECK_DIGITS = 15

PLACES = tuple(Fraction(a, b) for a, b in ((1, 3), (4, 5), (3, 5), (2, 7), (1, 2), (5, 9), (3, 4), (1, 5), (2, 3)))
"""Where parameters in (0, 1) are put for the comparison; neighbours differ, so no two parameters are equal."""


class Derivation:
    """The ratio of the form ``policy`` to the form ``against`` under a law with free parameters.

    ``ratio`` is None where no closed form is reached (``reason`` says why). ``evidence`` lists the points at which
    the closed form was compared with certified direct sums.
    """

    def __init__(self, policy: Form, against: Form, law: Distribution, s: int) -> None:
        self.policy, self.against, self.distribution, self.s = policy, against, law, s
        self.reason: str | None = None
        for f in (policy, against):
            if f.lengths is not None and not isinstance(law, TwoPoint):
                raise InputError("policy", f.name, "is defined for laws on two lengths only")
            if f.bind is not None and not isinstance(law, TwoPoint | SymbolicUniform):
                raise InputError("policy", f.name, f"needs a law of finite support; {law.spec()} is unbounded")
            if f.bind is None and _takes_symbols(law) and not f.closes(s):
                raise InputError("form", f.name, f.unclosed)
            if not isinstance(law, TwoPoint | SymbolicUniform) and not law.finite:
                bounded(f, s)
        try:
            self._values = self._both()
        except NotClosed as error:
            self.reason, self._values = str(error), None
        self.evidence = self._verified()

    # ---- results ---------------------------------------------------------------------------------------------------

    @property
    def parameters(self) -> tuple[Any, ...]:
        """The free symbols."""
        return self.distribution.parameters

    @cached_property
    def quotient(self) -> Quotient | None:
        """The ratio as a quotient of polynomials, or None."""
        if self._values is None:
            return None
        return Quotient.of(self._values[0] / self._values[1], self.parameters)

    @cached_property
    def ratio(self) -> Any:
        """The ratio as a simplified SymPy expression, or None where no closed form is reached."""
        return None if self.quotient is None else self.quotient.expr

    @cached_property
    def numerator(self) -> Any:
        """The form ``policy`` at the normalised law: TEL ≈ n²/(2M) times this."""
        return self._normalised(0)

    @cached_property
    def denominator(self) -> Any:
        """The form ``against`` at the normalised law."""
        return self._normalised(1)

    @property
    def latex(self) -> str:
        """The ratio in LaTeX."""
        return "" if self.ratio is None else sp.latex(self.ratio)

    @cached_property
    def alternative(self) -> Any:
        """For two points at s = 0: the ratio in α = l/u and t = x_l/x_u, else None."""
        law = self.distribution
        if not isinstance(law, TwoPoint) or len(law.parameters) != 3 or self.s or self.ratio is None:
            return None
        alpha, t = sp.symbols("alpha t", positive=True)
        put = self.ratio.subs({law.u: 1}).subs({law.l: alpha, law.share: t / (1 + t)})
        return sp.factor(sp.cancel(sp.together(put)))

    def limit(self, **end: Any) -> Any:
        """Return the exact limit of the ratio as its one parameter tends to an end of its range, from inside.

        ``limit(q=1)`` or ``limit(q=0)``; for the uniform law ``limit(u=sympy.oo)``. Raises ``InputError`` for another
        name or place, ``NotCertified`` where no closed form or no expansion is known.
        """
        if len(end) != 1:
            raise InputError("limit", str(end), "takes one parameter and its end, for instance q=1")
        [(name, place)] = end.items()
        quotient = self._one_parameter()
        [symbol] = quotient.parameters
        if symbol.name != name:
            raise InputError("limit", name, f"must be the free parameter {symbol.name}")
        self._require_positive()
        law = self.distribution
        if isinstance(law, SymbolicUniform) or (isinstance(law, TwoPoint) and symbol == law.u):
            if place != sp.oo:
                raise InputError("limit", str(place), "must be oo for the upper end of a law")
            return _limit_at_infinity(quotient)
        if isinstance(law, TwoPoint) and symbol == law.l:
            raise InputError("limit", name, "is an integer length between 1 and u: there is no limit")
        if place not in (0, 1):
            raise InputError("limit", str(place), "must be 0 or 1")
        return limit_at(quotient, int(place))

    @cached_property
    def limits(self) -> list[tuple[str, Any, Any]]:
        """The limits at the ends of the one parameter's range: (name, end, exact value); empty for several parameters."""
        if len(self.parameters) != 1 or self.quotient is None:
            return []
        [symbol] = self.parameters
        law = self.distribution
        if isinstance(law, TwoPoint) and symbol == law.l:
            return []
        upper = isinstance(law, SymbolicUniform) or (isinstance(law, TwoPoint) and symbol == law.u)
        places = (sp.oo,) if upper else (0, 1)
        found: list[tuple[str, Any, Any]] = []
        for place in places:
            try:
                found.append((symbol.name, place, self.limit(**{symbol.name: place})))
            except NotCertified:
                continue
        return found

    def value(self, at: Fraction) -> float:
        """Return the ratio at a value of its one parameter, rounded from a ball of 24 digits."""
        if not known(self.against) and self._values is not None:
            [symbol] = self._one_parameter().parameters
            if _value(self._values[1], {symbol: Fraction(at)}).lower <= 0:
                raise InputError(
                    "against", self.against.name, f"must be positive at the law; at {symbol} = {at} it is not"
                )
        return float(self._evaluator.at(at))

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self._one_parameter())

    def number(self, digits: int = 15) -> Enclosure | None:
        """Return a certified enclosure for a law without free parameters, whether or not a closed form is reached."""
        if self.parameters:
            return None
        return Ratio(self.policy, self.against, self.distribution, self.s).enclosure(digits)

    def supremum(self) -> Supremum:
        """Return the supremum over the one free parameter's range; raises ``InputError`` for another number of them."""
        return self._supremum

    @cached_property
    def _supremum(self) -> Supremum:
        if isinstance(self.distribution, Poisson) and self.parameters:
            return self._poisson_supremum()
        quotient = self._one_parameter()
        [symbol] = quotient.parameters
        self._require_positive()
        law = self.distribution
        if isinstance(law, SymbolicUniform):
            return self._integer_supremum(quotient, law.l)
        if isinstance(law, TwoPoint) and symbol == law.u:
            return self._integer_supremum(quotient, int(law.l) + 1)
        if isinstance(law, TwoPoint) and symbol == law.l:
            return self._listed_supremum(quotient, range(1, int(law.u)))
        if not quotient.parts:
            found = rational_supremum(quotient, closed=isinstance(law, TwoPoint))
            if isinstance(law, TwoPoint) or nonnegative(law):
                return found
            self.reason = "the weights are not seen to be non-negative on the whole range of the parameter"
            return replace(found, status="supported", attained=None)
        try:
            return certified_supremum(quotient, self._power_series(), symbol.name)
        except NotCertified as error:
            self.reason = f"the supremum is not certified: {error.reason}"

            def value(q: Fraction) -> float:
                return enclose(self._values[0] / self._values[1] if self._values else None, {symbol: q}, 12).middle

            return self._with_ends(sampled_supremum(value, symbol.name))

    # ---- the pieces ------------------------------------------------------------------------------------------------

    def _both(self) -> tuple[Any, Any]:
        law = self.distribution
        if isinstance(law, TwoPoint):
            return two_point_value(self.policy, law, self.s), two_point_value(self.against, law, self.s)
        if isinstance(law, SymbolicUniform):
            return uniform_value(self.policy, law, self.s), uniform_value(self.against, law, self.s)
        if not isinstance(law, Pmf | Mixture):
            raise NotClosed(f"{law.spec()} is not a sum of terms polynomial(k)·q^k/k^e")
        for f in (self.policy, self.against):
            if not f.closes(self.s):
                raise NotClosed(f"the form {f.name}: {f.unclosed}")
        field, summand = law.field, law.summand
        return (
            quadratic_value(field, summand, self.policy.formula, self.s).expr(),
            quadratic_value(field, summand, self.against.formula, self.s).expr(),
        )

    def _normalised(self, which: int) -> Any:
        if self._values is None:
            return None
        law = self.distribution
        total: Any = 1
        if isinstance(law, Pmf | Mixture):
            total = mass(law.summand).expr()
        elif isinstance(law, SymbolicUniform):
            total = law.parameters[0] - law.l + 1
        return Quotient.of(self._values[which] / total**2, self.parameters).expr

    def _one_parameter(self) -> Quotient:
        if self.quotient is None:
            raise NotCertified(f"no closed form: {self.reason}")
        if len(self.parameters) != 1:
            names = ", ".join(str(p) for p in self.parameters) or "none"
            raise InputError(
                "distribution", self.distribution.spec(), f"must have one free parameter here (has {names})"
            )
        return self.quotient

    def _with_ends(self, found: Supremum) -> Supremum:
        """Return the largest of a sampled supremum and the limits at the ends; ``NotCertified`` where one is infinite."""
        for _, end, limit in self.limits:
            if limit == sp.oo:
                raise NotCertified("the ratio is unbounded")
            height = Fraction(float(limit))
            if height > found.enclosure.upper:
                method = "sampled, and the limits at the ends"
                point = Enclosure(height, height)
                found = replace(found, enclosure=point, at=sp.sympify(end), attained=None, method=method)
        return found

    def _require_positive(self) -> None:
        """Raise ``NotCertified`` unless the denominator is seen to be positive on the parameter's range."""
        if known(self.against) or self.against.bind is not None or self._values is None:
            return
        [symbol] = self.parameters
        law = self.distribution
        low, high = sp.Integer(0), sp.Integer(1)
        if isinstance(law, SymbolicUniform):
            low, high = sp.Integer(law.l), sp.oo
        elif isinstance(law, TwoPoint) and symbol == law.u:
            low, high = _lifted(law.l) + 1, sp.oo
        elif isinstance(law, TwoPoint) and symbol == law.l:
            low, high = sp.Integer(1), _lifted(law.u) - 1
        elif self.against.rational is not None and self.against.rational.positive(self.s) and nonnegative(law):
            return
        quotient = Quotient.of(self._values[1], self.parameters)
        closed = isinstance(law, TwoPoint | SymbolicUniform)
        if quotient.parts or not _positive_on(quotient, low, high, closed=closed):
            raise NotCertified(
                f"the form {self.against.name} is not seen to be positive on the whole range of {symbol}"
            )

    def _power_series(self) -> PowerSeries:
        """Return N and D as power series with non-negative coefficients, or raise ``NotCertified``."""
        law = self.distribution
        assert self._values is not None
        if not isinstance(law, Pmf):
            raise NotCertified("the weights are not of the form c_k q^k")
        if not (self.policy.nonnegative_at(self.s) and self.against.nonnegative_at(self.s)):
            raise NotCertified("the forms are not known to have non-negative entries")
        rho: Any
        poly: Any
        [(rho, poly)] = law.summand.function.terms.items() if len(law.summand.function.terms) == 1 else [(None, None)]
        [symbol] = law.parameters
        field = law.field
        if rho is None or field.domain.to_sympy(rho) != symbol:
            raise NotCertified("the weights are not of the form c_k q^k")
        p: Any = sp.Poly(
            sum(field.domain.to_sympy(c) * sp.Symbol("k") ** m for (m,), c in poly.terms()), sp.Symbol("k")
        )
        if p.free_symbols_in_domain:
            raise NotCertified("the weights are not of the form c_k q^k")
        if any(c < 0 for c in p.shift(1).all_coeffs()):
            raise NotCertified("the weights are not seen to be non-negative for all k")
        start = next(k for k in range(1, p.degree() + 3) if p.eval(k) != 0)
        weight = _fraction(p.eval(start)) / _product(Fraction(start + c) ** m for c, m in law.summand.poles.items())
        entry = self.against.entry(start, start, self.s)
        if not entry > 0:
            raise NotCertified(f"the form {self.against.name} has no first term > 0")
        quotients = [Quotient.of(v, self.parameters) for v in self._values]
        return PowerSeries(quotients[0], quotients[1], Fraction(entry) * weight**2, 2 * start)

    def _poisson_supremum(self) -> Supremum:
        if self.policy is not form("a-min") or self.against is not form("h-sf"):
            raise NotCertified("for a Poisson law only the supremum of a-min against h-sf is bounded for large means")

        def both(rate: Fraction) -> tuple[Any, Any]:
            return Ratio(self.policy, self.against, Poisson(rate), self.s).both(30)

        return poisson_supremum(both, self.s, self.parameters[0].name)

    @staticmethod
    def _listed_supremum(quotient: Quotient, lengths: range) -> Supremum:
        """Return the largest of the exact values at a few integers."""
        [x] = quotient.parameters
        if not 0 < len(lengths) <= 10**4 or quotient.parts:
            raise NotCertified("the lengths are too many to be listed")
        p, r = (sp.Poly(part.as_expr(), x) for part in (quotient.numerator, quotient.denominator))
        values: dict[int, Any] = {n: p.eval(n) / r.eval(n) for n in lengths}
        best = max(values, key=lambda n: values[n])
        point = Enclosure(_fraction(values[best]), _fraction(values[best]))
        return Supremum(x.name, point, values[best], sp.Integer(best), True, "proved", "exact values at every length")

    def _integer_supremum(self, quotient: Quotient, low: int) -> Supremum:
        [u] = quotient.parameters
        top = _limit_at_infinity(quotient)
        if quotient.parts:
            values = {n: _at_integer(quotient.expr, u, n) for n in range(low, low + 400)}
            best = max(values, key=lambda n: values[n])
            inside = values[best] >= float(top)
            value = Fraction(max(values[best], float(top)))
            at = sp.Integer(best) if inside else sp.oo
            method = "the first 400 values in floats, and the limit"
            return Supremum(u.name, Enclosure(value, value), None, at, None, "supported", method)
        # u = low − 1 + 1/v maps the range to 0 < v ≤ 1
        v = sp.Dummy("v")
        put = Quotient.of(quotient.expr.subs(u, low - 1 + 1 / v), (v,))
        found = rational_supremum(put, closed=False)
        if found.at is None:
            return replace(found, parameter=u.name)
        if not found.attained:
            at_infinity = found.at == 0
            return replace(
                found, parameter=u.name, at=sp.oo if at_infinity else sp.Integer(low), attained=not at_infinity
            )
        if not _single_peak(put):
            return replace(found, parameter=u.name, at=None, attained=None, status="supported")
        real = Fraction(low - 1) + 1 / (found.at.lower if isinstance(found.at, Enclosure) else _fraction(found.at))
        values = {n: sp.Rational(quotient.expr.subs(u, n)) for n in (int(real), int(real) + 1) if n >= low}
        best = max(values, key=lambda n: values[n])
        point = Enclosure(_fraction(values[best]), _fraction(values[best]))
        return Supremum(u.name, point, values[best], sp.Integer(best), True, "proved", found.method, found.uses)

    def _verified(self) -> list[dict[str, str]]:
        """Compare the closed form with direct sums; raises ``AssertionError`` where they disagree."""
        if self._values is None:
            return []
        found: list[dict[str, str]] = []
        for point in _points(self.distribution, CHECKS):
            law = _with_values(self.distribution, point)
            try:
                direct = Ratio(self.policy, self.against, law, self.s).direct(CHECK_DIGITS)
            except NotCertified:  # the ratio may vanish at a point
                continue
            values = dict(zip(self.parameters, point.values(), strict=True))
            closed = _value(self._values[0] / self._values[1], values)
            if direct.upper < closed.lower or closed.upper < direct.lower:
                raise AssertionError(f"closed form and direct sum differ at {point}: {closed} and {direct}")
            low, high = direct.decimals(CHECK_DIGITS)
            found.append(
                {
                    "at": str({k: str(v) for k, v in point.items()}),
                    "direct sum": f"[{low}, {high}]",
                    "closed form": " … ".join(closed.decimals(CHECK_DIGITS)),
                }
            )
        if not found:
            raise NotCertified("direct sums reach the closed form at no point")
        return found

    def __repr__(self) -> str:
        return f"derive({self.distribution}, {self.policy.name!r}, s={self.s}) = {self.ratio}"


def derive(
    dist: str | Distribution, policy: str | Form = "a-min", s: int = 0, against: str | Form = "h-sf"
) -> Derivation:
    """Return the ratio of the form ``policy`` to ``against`` under ``dist`` as a closed form in its free parameters.

    Raises ``InputError`` for unknown names or a form that the law does not fit. Every closed form is compared with
    certified direct sums at rational points before it is returned.
    """
    return Derivation(form(policy, "policy"), form(against, "against"), distribution(dist), integer("s", s, 0))


def nonnegative(law: Distribution) -> bool:
    """Return whether a law in one parameter q is seen to have weights ≥ 0 for every k ≥ 1 and every 0 < q < 1.

    Pmf: one base ρ that is positive on (0, 1), and P(1 + x) with coefficients that are ≥ 0 there. Mixture: weights
    ≥ 0 there and such components.
    """
    zero, one = Fraction(0), Fraction(1)
    if isinstance(law, Mixture):
        total = sum(
            (
                sp.sympify(w) if not isinstance(w, Fraction) else sp.Rational(w.numerator, w.denominator)
                for w, _ in law.parts
            ),
            sp.S.Zero,
        )
        if sp.expand(total).free_symbols:  # a free weight is one of (0, 1) only where the weights sum to a constant
            return False
        for weight, part in law.parts:
            if part.parameters and not nonnegative(part):
                return False
            own: Any = sp.sympify(weight) if not isinstance(weight, Fraction) else sp.S.One
            free = list(own.free_symbols)
            if free and (len(free) > 1 or not at_least(own, sp.S.Zero, free[0], zero, one).holds):
                return False
        return True
    if not isinstance(law, Pmf) or len(law.parameters) != 1:
        return False
    [q] = law.parameters
    domain, k = law.field.domain, sp.Dummy("k")
    for rho, poly in law.summand.function.terms.items():
        whole = sp.Poly(sum(domain.to_sympy(c) * k**m for (m,), c in poly.terms()), k).compose(sp.Poly(k + 1, k))
        for expr in (domain.to_sympy(rho), *whole.all_coeffs()):
            if not at_least(sp.sympify(expr), sp.S.Zero, q, zero, one).holds:
                return False
    return True


def _value(expr: Any, values: dict[Any, Fraction]) -> Enclosure:
    """Return the closed form's value, exact where it is rational."""
    put = {x: sp.Rational(v.numerator, v.denominator) for x, v in values.items()}
    plain = expr.xreplace(put)
    if plain.has(sp.harmonic):
        plain = plain.doit()
    if not plain.has(sp.log, sp.polylog):
        exact = _fraction(sp.Rational(sp.cancel(plain)))
        return Enclosure(exact, exact)
    return enclose(expr, values, CHECK_DIGITS)


def _points(law: Distribution, number: int) -> list[dict[str, Fraction]]:
    """Return points at which all parameters have rational values inside their ranges."""
    names = [p.name for p in law.parameters]
    if not names:
        return [{}]
    if isinstance(law, SymbolicUniform):
        return [{law.u.name: Fraction(law.l + k)} for k in (0, 5, 23)]
    if isinstance(law, TwoPoint):
        lows, ups, shares = (1, 3, 7), (2, 10, 40), (Fraction(1, 2), Fraction(5, 7), Fraction(1, 9))
        found: list[dict[str, Fraction]] = []
        for a, b, w in zip(lows, ups, shares, strict=True):
            own: dict[str, Fraction] = {}
            for role, value, fixed in (("l", law.l, Fraction(a)), ("u", law.u, Fraction(b)), ("w", law.share, w)):
                if isinstance(value, sp.Symbol):
                    own[value.name] = fixed
                    if role == "l" and isinstance(law.u, Fraction):
                        own[value.name] = Fraction(1 + len(found) * (int(law.u) - 2) // 2)
                    if role == "u" and isinstance(law.l, Fraction):
                        own[value.name] = law.l + b
            found.append({p: own[p] for p in names})
        return found
    return [{name: PLACES[(k + 2 * n) % len(PLACES)] for n, name in enumerate(names)} for k in range(number)]


def _with_values(law: Distribution, point: dict[str, Fraction]) -> Distribution:
    """Return the law with its symbols replaced."""
    if not point:
        return law
    if isinstance(law, SymbolicUniform):
        return distribution(f"uniform(l={law.l}, u={point[law.u.name]})")
    if isinstance(law, TwoPoint):
        put = [point.get(v.name, v) if isinstance(v, sp.Symbol) else v for v in (law.l, law.u, law.share)]
        return TwoPoint(*put)
    assert isinstance(law, Pmf | Mixture)
    return law.at(point)


def _takes_symbols(law: Distribution) -> bool:
    """Return whether a closed form under the law needs the entry at symbols, not only at the lengths of two points."""
    if isinstance(law, TwoPoint):
        return not (isinstance(law.l, Fraction) and isinstance(law.u, Fraction))
    return bool(law.parameters)


def _positive_on(quotient: Quotient, low: Any, high: Any, *, closed: bool) -> bool:
    """Return whether a quotient of polynomials is positive from low to high, by Sturm's theorem."""
    [x] = quotient.parameters
    inside = (low + high) / 2 if high != sp.oo else low + 1
    sign = 1
    for part in (quotient.numerator, quotient.denominator):
        poly = sp.Poly(part.as_expr(), x, domain="QQ")
        sign *= sp.sign(poly.eval(inside))
        ends = [end for end in (low, high) if end != sp.oo and poly.eval(end) == 0]
        if poly.count_roots(low, None if high == sp.oo else high) > (0 if closed else len(ends)):
            return False
    return bool(sign > 0)


def _lifted(x: Fraction) -> Any:
    return sp.Rational(x.numerator, x.denominator)


def _limit_at_infinity(quotient: Quotient) -> Any:
    """Return the limit for u → ∞ of a quotient of polynomials in u and harmonic numbers H ~ ln u."""
    [u] = quotient.parameters
    tops: list[tuple[tuple[int, int], Any]] = []
    for poly in (quotient.numerator, quotient.denominator):
        whole = sp.Poly(poly, u, *quotient.parts)
        key = max((m[0], sum(m[1:])) for m, _ in whole.terms())
        tops.append((key, sum(c for m, c in whole.terms() if (m[0], sum(m[1:])) == key)))
    (a, p), (b, q) = tops
    return p / q if a == b else sp.oo if a > b else sp.S.Zero


def _at_integer(expr: Any, u: Any, n: int) -> float:
    return float(sp.N(expr.subs(u, n).doit(), 20))


def _single_peak(put: Quotient) -> bool:
    [v] = put.parameters
    p, q = (sp.Poly(part.as_expr(), v, domain="QQ") for part in (put.numerator, put.denominator))
    rate: Any = p.diff(v) * q - p * q.diff(v)
    inside = sum(f.count_roots(0, 1) - (f.eval(0) == 0) - (f.eval(1) == 0) for f, _ in rate.factor_list()[1])
    return inside == 1


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def _product(numbers: Any) -> Fraction:
    result = Fraction(1)
    for number in numbers:
        result *= number
    return result
