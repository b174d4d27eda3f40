"""The table ``FAMILIES`` of the spec grammar, and the named distributions.

Most are a function that returns a ``Pmf``. The log-normal and the Pareto distribution are in ``continuous``; ``from_scipy`` makes one of
SciPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from inspect import signature
from math import ceil, factorial, fsum
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from crtools.closed_form.sums import LARGEST_POLE, NotClosed, faulhaber
from crtools.distributions.base import (
    LARGEST_SUPPORT,
    Distribution,
    Empirical,
    ExpressionDistribution,
    K,
    bound,
    given_ends,
    spec_text,
)
from crtools.distributions.continuous import LogNormal, Pareto
from crtools.distributions.pmf import CHECKED, Pmf
from crtools.distributions.ranges import Condition, of_ends
from crtools.distributions.real_weights import RealPmf
from crtools.enclosure import ball, ball_range, ends, fraction, precision
from crtools.errors import MISSING, InputError
from crtools.expressions import free_symbols, number
from crtools.forms import Form
from crtools.names import named_arguments
from crtools.numeric_types import Ball, Exact, ObjectArray, Symbol, SymExpr, SymPoly
from crtools.setting import integer
from crtools.signs.ranges import Interval

Parameter = Any
"""An int, Fraction, decimal text, float with an exact decimal text, or a SymPy symbol."""


def parameter(name: str, value: Parameter) -> Any:
    """Return a parameter as a ``Fraction`` (0.9 is 9/10) or as a symbol; None is the symbol of that name."""
    if value is None:
        return sp.Symbol(name, positive=True)
    if isinstance(value, sp.Symbol):
        return sp.Symbol(value.name, positive=True)
    if isinstance(value, Fraction | int) and not isinstance(value, bool):
        return Fraction(value)
    return number(name, repr(float(value)) if isinstance(value, float) else str(value))


def whole(name: str, value: Parameter, most: int | None = None) -> int:
    """Return a parameter that is an integer ≥ 1."""
    exact = parameter(name, value)
    return integer(name, int(exact) if isinstance(exact, Fraction) and exact.denominator == 1 else exact, 1, most)


def length(name: str, value: Parameter) -> Any:
    """Return a length ≥ 1 as an int, or as a symbol; raises ``InputError`` for another value."""
    checked = parameter(name, value)
    return checked if isinstance(checked, sp.Symbol) else whole(name, checked)


def _decay(q: Parameter, p: Parameter) -> Any:
    """Return q, or 1 − p where the paper's p is given in its place."""
    if p is None:
        return _open_unit("q", parameter("q", q))
    if q is not None:
        raise InputError("p", str(p), "must be left out if q is given, since p = 1 − q")
    value = _open_unit("p", parameter("p", p))
    if isinstance(value, sp.Symbol):
        raise InputError("p", str(p), "must be a number here; q = 1 − p may be a symbol")
    return 1 - value


def _open_unit(name: str, value: Exact | Symbol) -> Exact | Symbol:
    if isinstance(value, Fraction) and not 0 < value < 1:
        raise InputError(name, value, "must lie strictly between 0 and 1")
    return value


def _put(fields: tuple[Any, ...], values: Mapping[str, Fraction]) -> list[Any]:
    """Return fields with numbers for those that are symbols."""
    return [values.get(field.name, field) if isinstance(field, sp.Symbol) else field for field in fields]


def _symbols(fields: tuple[Any, ...], values: tuple[Any, ...]) -> dict[str, Fraction]:
    """Return the values of those fields that are symbols, by name."""
    pairs = zip(fields, values, strict=True)
    return {field.name: Fraction(value) for field, value in pairs if isinstance(field, sp.Symbol)}


def _between(weight: SymExpr, name: str, l: Parameter = 1, u: Parameter = None, **parameters: Any) -> Distribution:
    """Return the distribution of a family with this weight on l ≤ k ≤ u, u None: unbounded; it is named with its parameters."""
    first, last = whole("l", l), None if u is None else length("u", u)
    spec = spec_text(name, **parameters, **given_ends(first, last))
    if isinstance(last, sp.Symbol):
        return SymbolicEnd(weight, first, last, spec)
    return Pmf(weight, l=first, u=last, spec=spec)


def Geometric(q: Parameter = None, *, p: Parameter = None, l: Parameter = 1, u: Parameter = None) -> Distribution:
    """P(k) = (1−q) q^(k−1), k ≥ 1, 0 < q < 1: G(p) of Section 5.2, with a number p in place of q = 1 − p; given l ≤ k ≤ u.

    >>> Geometric("1/2").weight(3)
    Fraction(1, 8)
    >>> Geometric("1/2", u=20).pmf(1)
    Fraction(524288, 1048575)
    """
    q = _decay(q, p)
    return _between(sp.sympify(q) ** K, "geometric", l, u, q=q)


def LinearGeometric(q: Parameter = None, *, p: Parameter = None, l: Parameter = 1, u: Parameter = None) -> Distribution:
    """P(k) = k (1−q)² q^(k−1), k ≥ 1, 0 < q < 1: LG(p) of Section 5.3, with a number p in place of q = 1 − p; given l ≤ k ≤ u.

    >>> LinearGeometric("1/2").weight(3)
    Fraction(3, 8)
    """
    q = _decay(q, p)
    return _between(K * sp.sympify(q) ** K, "linear-geometric", l, u, q=q)


def NegativeBinomial(r: int = 2, q: Parameter = None, *, l: Parameter = 1, u: Parameter = None) -> Distribution:
    """P(k) ∝ C(k+r−2, k−1) q^(k−1), l ≤ k ≤ u, for an integer r ≥ 1 and 0 < q < 1; r = 1 is the geometric law.

    >>> NegativeBinomial(3)
    negative-binomial(r=3, q)
    >>> NegativeBinomial(3, "1/2").weight(2)
    Fraction(3, 4)
    """
    r, q = whole("r", r, 60), _open_unit("q", parameter("q", q))
    choose = sp.expand(sp.prod([K + i for i in range(r - 1)])) / factorial(r - 1)
    return _between(choose * sp.sympify(q) ** K, "negative-binomial", l, u, r=r, q=q)


def LogSeries(q: Parameter = None, *, l: Parameter = 1, u: Parameter = None) -> Distribution:
    """P(k) ∝ q^k / k, l ≤ k ≤ u, 0 < q < 1.

    >>> LogSeries("1/2").weight(2)
    Fraction(1, 8)
    """
    q = _open_unit("q", parameter("q", q))
    return _between(sp.sympify(q) ** K / K, "log-series", l, u, q=q)


def Zipf(a: Parameter, u: Parameter = None, *, l: Parameter = 1) -> Distribution:
    """P(k) ∝ k^(−a) on l ≤ k ≤ u, a ≥ 0. For an integer a the weights are exact and u may be left a symbol; else they are enclosed.

    >>> Zipf(2, u=4).weight(2)
    Fraction(1, 4)
    >>> Zipf("5/2", u=100)
    zipf(a=5/2, u=100)
    """
    exponent, last = parameter("a", a), length("u", u)
    if isinstance(exponent, sp.Symbol) or not 0 <= exponent <= 64:
        raise InputError("a", exponent, "must be a number from 0 to 64")
    weight = K ** (-sp.Rational(exponent))
    if exponent.denominator == 1:
        return _between(weight, "zipf", l, last, a=exponent)
    if isinstance(last, sp.Symbol):
        raise InputError("u", last, f"must be a number where a is no integer; pmf(k**(-{exponent})) has no end")
    first = whole("l", l)
    return RealPmf(weight, l=first, u=last, spec=spec_text("zipf", a=exponent, **given_ends(first, last)))


def Harmonic(u: Parameter = None, *, l: Parameter = 1) -> Distribution:
    """P(k) ∝ 1/(4k²−1) on l ≤ k ≤ u: the shape of A_min's worst case at s = 0; u may be left a symbol.

    >>> Harmonic(3).weight(2)
    Fraction(1, 15)
    """
    return _between(1 / (4 * K**2 - 1), "harmonic", l, length("u", u))


def Uniform(l: Parameter = 1, u: Parameter = None) -> Distribution:
    """P(k) = 1/(u−l+1) on l ≤ k ≤ u; both may be left symbols.

    >>> Uniform(1, 4).weight(2)
    Fraction(1, 1)
    >>> Uniform(1)
    uniform(l=1, u)
    """
    l, u = length("l", l), length("u", u)
    if isinstance(l, sp.Symbol) or isinstance(u, sp.Symbol):
        return SymbolicUniform(l, u)
    return Pmf(sp.S.One, l=l, u=u, spec=spec_text("uniform", l=l, u=u))


def Point(k: int) -> Empirical:
    """All lengths are k: a part of mixtures."""
    return Empirical({length("k", k): 1}, spec=f"point({k})")


class _Symbolic(ExpressionDistribution):
    """A distribution whose support is symbolic: it can be derived, not evaluated."""

    @cached_property
    def ranges(self) -> dict[str, Interval]:
        """Those of the ends, which may be equal."""
        return of_ends(self.l, self.u, equal=True)

    def weight(self, k: int) -> Fraction:
        """Refused, as the support: the ends are symbols."""
        return Fraction(self.support[0])


class SymbolicUniform(_Symbolic):
    """The uniform law on [l, u] with a symbol for u, for l or for both: ends that ``Uniform`` has checked."""

    def __init__(self, l: Any, u: Any) -> None:
        if l == u:
            raise InputError("u", u, "must be another symbol than l")
        super().__init__(l, u, sp.S.One, spec_text("uniform", l=l, u=u))
        self.ending = SymbolicEnd(sp.S.One, l, u) if isinstance(l, int) else None

    def at(self, values: Mapping[str, Fraction]) -> Distribution:
        """Return the distribution with numbers for its ends."""
        return Uniform(*_put((self.l, self.u), values))

    def _points(self) -> list[dict[str, Fraction]]:
        pairs = [(1, 1), (2, 7), (4, 27)]
        if isinstance(self.l, int):
            pairs = [(self.l, self.l + k) for k in (0, 5, 23)]
        elif isinstance(self.u, int):
            pairs = [(l, self.u) for l in dict.fromkeys((1, (self.u + 1) // 2, self.u))]
        return [_symbols((self.l, self.u), pair) for pair in pairs]

    def closed(self, form: Form, s: SymExpr) -> SymExpr:
        """Return Σ_{l≤i,j≤u} N_ij as an expression in l and u; harmonic numbers stand for what is not rational.

        Raises ``NotClosed`` for an entry that is not a polynomial in i over a polynomial in j with integer roots.
        """
        low, u = sp.sympify(self.l), sp.sympify(self.u)
        i, j = sp.Dummy("i", positive=True), sp.Dummy("j", positive=True)
        above, below = sp.fraction(sp.together(bound(form, low, u).formula(i, j, sp.sympify(s))))
        if below.has(i):
            plain = below.xreplace({i: sp.Symbol("i"), j: sp.Symbol("j")})
            raise NotClosed(f"the entry has the denominator {plain}")
        inner = _polynomial_sum(sp.Poly(above, i), low, j - 1)  # Σ_{i=l}^{j−1}
        outer: SymExpr = sp.apart(sp.cancel((2 * inner + above.subs(i, j)) / below), j)
        total: SymExpr = sp.S.Zero
        for term in sp.Add.make_args(outer):
            up, down = sp.fraction(sp.together(term))
            if not down.has(j):
                total += _polynomial_sum(sp.Poly(up / down, j), low, u)
                continue
            poly = sp.Poly(down, j)
            root = poly.nth(0) / poly.nth(1) if poly.degree() == 1 else None
            if root is None or not root.is_Integer or root < 0 or up.has(j):
                raise NotClosed(f"the sum over 1/({down.subs(j, sp.Symbol('j'))})")
            if low.is_Integer and low + root > LARGEST_POLE:
                raise NotClosed(f"l + {root} is above {LARGEST_POLE}: the closed form has so many terms")
            total += up / poly.nth(1) * (sp.harmonic(u + root) - sp.harmonic(low - 1 + root))
        return total


def _polynomial_sum(poly: SymPoly, low: Any, top: Any) -> SymExpr:
    """Return Σ_{k=low}^{top} of a polynomial in its one generator, by Faulhaber's formula."""
    return sp.expand(sp.Add(*(c * (faulhaber(m, top) - faulhaber(m, low - 1)) for (m,), c in poly.terms())))


class SymbolicEnd(_Symbolic):
    """The distribution with weights proportional to ``weight`` (a SymPy expression in k) on l ≤ k ≤ u with a symbolic u.

    ``unbounded`` is the distribution without an end, None where the weights are not summable in a form that is known.
    """

    def __init__(self, weight: SymExpr, l: int = 1, u: Parameter = None, spec: str | None = None) -> None:
        u = parameter("u", u)
        super().__init__(integer("l", l, 1), u, weight, spec or spec_text("pmf", weight, l=l, u=u))
        others = sorted(x.name for x in free_symbols(self._expr) if x != K)
        if others:
            allowed = f"has a symbol for its last length {u} and for {', '.join(others)}: give a number for one of them"
            raise self.refusal(allowed)
        if not Pmf(weight, l=l, u=l + CHECKED, spec=self._spec).weight(l):  # which refuses what is no weight
            raise self.refusal(f"must have a weight > 0 at its first length l = {l}")
        self.ending = self

    @cached_property
    def unbounded(self) -> Pmf | None:
        """The distribution on all k ≥ l."""
        try:
            return Pmf(self._expr, l=self.l)
        except InputError:
            return None

    def closed(self, form: Form, s: SymExpr) -> SymExpr:
        """Refused: it is a sequence."""
        raise NotClosed(f"up to a last length {self.u} the ratio is a sequence in it")

    def up_to(self, u: int) -> Pmf:
        """Return the distribution with a number for its last length."""
        return Pmf(self._expr, l=self.l, u=u)


class TwoPoint(ExpressionDistribution):
    """Weight ``weight`` at l and 1 − weight at u, 1 ≤ l < u (D_2 of Section 5.1); each may be left a symbol.

    >>> TwoPoint(1, 3, "1/4").weight(3)
    Fraction(3, 4)
    """

    sparse = two_lengths = True

    def __init__(self, l: Parameter = None, u: Parameter = None, weight: Parameter = None) -> None:
        lengths = length("l", l), length("u", u)
        low, up = (end if isinstance(end, sp.Symbol) else Fraction(end) for end in lengths)
        self.share = parameter("weight", weight)
        if isinstance(low, Fraction) and isinstance(up, Fraction) and low >= up:
            raise InputError("u", up, f"must be larger than l = {low}")
        if isinstance(self.share, Fraction) and not 0 <= self.share <= 1:
            raise InputError("weight", self.share, "must lie between 0 and 1 (the share of length l)")
        share: Any = sp.sympify(self.share)
        expr = sp.Piecewise((share, sp.Eq(K, sp.sympify(low))), (1 - share, sp.Eq(K, sp.sympify(up))), (0, True))
        super().__init__(low, up, expr, spec_text("two-point", l=low, u=up, weight=self.share))

    def weight(self, k: int) -> Fraction:
        """Return the share at length k."""
        if self.parameters:
            raise self.refusal("needs numbers for l, u and weight")
        return self.share if k == self.l else 1 - self.share if k == self.u else Fraction(0)

    @cached_property
    def ranges(self) -> dict[str, Interval]:
        """Those of the lengths, which are apart, and of the share."""
        share = isinstance(self.share, sp.Symbol)
        share_range = {self.share.name: Interval(self.share.name, sp.S.Zero, sp.S.One, True, True)} if share else {}
        return of_ends(self.l, self.u, equal=False) | share_range

    def at(self, values: Mapping[str, Fraction]) -> Distribution:
        """Return the distribution with numbers for its symbols."""
        return TwoPoint(*_put((self.l, self.u, self.share), values))

    def _points(self) -> list[dict[str, Fraction]]:
        points: list[dict[str, Fraction]] = []
        for n, (l, u, share) in enumerate(((1, 2, Fraction(1, 2)), (3, 10, Fraction(5, 7)), (7, 40, Fraction(1, 9)))):
            l = 1 + n * (int(self.u) - 2) // 2 if isinstance(self.u, Fraction) else l
            u = u + int(self.l) if isinstance(self.l, Fraction) else u
            points.append(_symbols((self.l, self.u, self.share), (l, u, share)))
        return points

    def closed(self, form: Form, s: SymExpr) -> SymExpr:
        """Return the form at both lengths; entries may branch on ends that are numbers."""
        l, u, w = self.l, self.u, sp.sympify(self.share)
        size = s if isinstance(s, sp.Symbol) else fraction(sp.sympify(s))
        formula = bound(form, l, u).formula
        ll, lu, uu = (sp.sympify(formula(i, j, size)) for i, j in ((l, l), (l, u), (u, u)))
        return ll * w**2 + 2 * lu * w * (1 - w) + uu * (1 - w) ** 2

    def items(self) -> Iterator[tuple[int, Fraction]]:
        """Iterate over the two lengths."""
        return iter([(k, self.weight(k)) for k in self.support if k and self.weight(k)])


class Poisson(ExpressionDistribution):
    """P(k) ∝ λ^k/k! on l ≤ k ≤ u: the Poisson law of mean λ before conditioning on these k.

    >>> Poisson("5/2").weight(2)
    Fraction(25, 8)
    """

    def __init__(self, mean: Parameter = None, *, l: Parameter = 1, u: Parameter = None) -> None:
        value = parameter("mean", mean)
        if isinstance(value, Fraction) and not 0 < value <= 10**4:
            raise InputError("mean", value, "must be a number from 0 (excluded) to 10000")
        self.rate, last = value, None if u is None else whole("u", u, LARGEST_SUPPORT)
        first = whole("l", l)
        if last is not None and last < first:
            raise InputError("u", last, f"must be at least l = {first}")
        weight = sp.sympify(value) ** K / sp.factorial(K)
        super().__init__(first, last, weight, spec_text("poisson", mean=value, **given_ends(first, last)))
        self.entire = 1 / sp.factorial(K) if self.parameters and self.support == (1, None) else None

    def conditions(self, last: int) -> list[Condition]:
        """Return that the mean is > 0."""
        return [Condition(x) for x in self.parameters]

    def at(self, values: Mapping[str, Fraction]) -> Poisson:
        """Return the distribution with a number for its mean."""
        return Poisson(*_put((self.rate,), values), l=self.l, u=self.u)

    def until(self, u: int) -> Poisson:
        """Return the distribution with the end u."""
        return Poisson(self.rate, l=self.l, u=u)

    def weight(self, k: int) -> Fraction:
        """Return λ^k/k!, 0 outside the support."""
        if self.parameters:
            raise self.refusal("needs a value for the mean")
        return self.rate**k / factorial(k) if self.l <= k <= (self.u or k) else Fraction(0)

    def moment(self, power: int) -> Any:
        """Return Σ k^power weight(k) for the power 0, 1 or 2, by exponentials where there is no end."""
        rate: Any = sp.sympify(self.rate)
        if self.u is not None:
            return super().moment(power)
        whole = {0: sp.exp(rate) - 1, 1: rate * sp.exp(rate), 2: rate * (1 + rate) * sp.exp(rate)}[power]
        return whole - sum((k**power * rate**k / factorial(k) for k in range(1, self.l)), sp.S.Zero)

    def ball_weights(self, first: int, last: int) -> ObjectArray:
        """Return balls of λ^k/k!, each from the one before."""
        steps = ball(self.rate) / ball_range(first, last)
        steps[0] = self._ball_weight(first)
        return np.multiply.accumulate(steps)

    def _ball_weight(self, k: int) -> Ball:
        return ball(self.rate) ** k / ball(k + 1).gamma()

    @cached_property
    def least_total(self) -> Fraction:
        """The largest weight, rounded down."""
        mode = max(int(self.rate), self.l)
        with precision(64):
            return ends(self._ball_weight(mode if self.u is None else min(mode, self.u)))[0]

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Σ_{j>k} (s+j)² λ^j/j! ≤ (first term)/(1 − r) with r < 1 the ratio of the first two terms; the ratios decrease.

        Where r ≥ 1, the sum over all j: e^λ ((s+λ)² + λ). With an end it is a finite sum.
        """
        if self.u is not None:
            return super().tail_moment_bound(k, s)
        ratio = self.rate * (s + k + 2) ** 2 / ((s + k + 1) ** 2 * (k + 2))
        with precision(64):
            if ratio < 1:
                return ends((s + k + 1) ** 2 * self._ball_weight(k + 1) / ball(1 - ratio))[1]
            return ends(ball(self.rate).exp() * ball((s + self.rate) ** 2 + self.rate))[1]


class FromScipy(Empirical):
    """A SciPy law on [1, u]; ``left_out`` is the share of its mass that is elsewhere."""

    def __init__(self, counts: Mapping[int, Fraction], left_out: float, truncation: str) -> None:
        super().__init__(counts)
        self.left_out, self.truncation = left_out, truncation


LEAVE_OUT = 0.01
"""The largest share of a SciPy law that is left out where nothing else is said."""


@named_arguments()
def from_scipy(frozen: Any, u: int | None = None, leave_out: float = LEAVE_OUT) -> FromScipy:
    """Return a frozen SciPy distribution, conditioned on [1, u]; a continuous one is rounded up to whole lengths.

    Parameters
    ----------
    frozen : frozen distribution of ``scipy.stats``
        Its float probabilities are taken as exact numbers. Of a continuous one, P(o = k) = F(k) − F(k − 1).
    u : int
        The largest length that is kept.
    leave_out : float
        The largest share of the mass below 1 and above u that may be left out.

    Returns
    -------
    FromScipy
        An ``Empirical`` distribution whose ``left_out`` is that share, and whose ``truncation`` says so in words.

    Raises
    ------
    InputError
        If u is missing, if the share exceeds ``leave_out``, or if ``frozen`` is neither continuous nor on the integers.

    Examples
    --------
    >>> from scipy.stats import binom, gamma
    >>> law = from_scipy(binom(2, 0.5), u=2, leave_out=0.25)
    >>> law.weight(2), law.left_out
    (Fraction(1, 4), 0.25)
    >>> from_scipy(gamma(2, scale=30), u=400).truncation
    'gamma(2, scale=30) rounded up, without 2.32e-05 of its mass, 0 below 1 and 2.32e-05 above 400'
    """
    if u is None:
        raise InputError("u", MISSING, "give the largest length that is kept, such as from_scipy(frozen, u=1000)")
    u = integer("u", u, 1, LARGEST_SUPPORT)
    if not (isinstance(leave_out, int | float) and 0 <= leave_out <= 1):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("leave_out", leave_out, "must be a share from 0 to 1")
    try:
        until, beyond = frozen.cdf, getattr(frozen, "sf", None) or frozen.ccdf
        shares = np.asarray(frozen.pmf(np.arange(1, u + 1)) if hasattr(frozen, "pmf") else 0.0, dtype=float)
        rounded = hasattr(getattr(frozen, "dist", frozen), "pdf") and not shares.any()
        if rounded:  # from F or from 1 − F, whichever is smaller, to lose no digits
            edges = np.arange(u + 1, dtype=float)
            under, over = np.asarray(until(edges)), np.asarray(beyond(edges))
            shares = np.where(under[1:] < 0.5, np.diff(under), -np.diff(over))
        weights: list[float] = shares.tolist()
        below, above, law = float(until(0)), float(beyond(u)), _name(frozen) + (" rounded up" if rounded else "")
    except (AttributeError, TypeError, ValueError):
        allowed = "must be a frozen distribution of scipy.stats, such as gamma(2, scale=30)"
        raise InputError("frozen", type(frozen).__name__, allowed) from None
    if not (abs(fsum(weights) + below + above - 1) < 1e-6):
        total = f"{fsum(weights) + below + above:.6g}"
        raise InputError("frozen", law, f"must be a distribution on the integers: their total probability is {total}")
    left_out = below + above
    truncation = (
        f"{law}{',' * rounded} without {left_out:.3g} of its mass, {below:.3g} below 1 and {above:.3g} above {u}"
    )
    if left_out > leave_out:
        means = (
            f"more than leave_out = {leave_out:g}; take a larger u, or say leave_out={ceil(1000 * left_out) / 1000:g}"
        )
        allowed = f"leaves out {left_out:.3g} of {law}, {below:.3g} of it below 1: {means}"
        raise InputError("u", u, allowed)
    counts = {k: Fraction(weight) for k, weight in enumerate(weights, 1)}
    return FromScipy(counts, left_out, truncation if left_out or rounded else "")


def _name(frozen: Any) -> str:
    if not hasattr(frozen, "dist"):
        return f"a SciPy {type(frozen).__name__}"
    return f"{frozen.dist.name}({', '.join([*map(str, frozen.args), *(f'{k}={v}' for k, v in frozen.kwds.items())])})"


class LawFamily(NamedTuple):
    """A family of the spec grammar.

    make: what makes a distribution of it; its parameters are the family's, those after * by name only. summary: what it is in a few
    words (∝: what P(k) is proportional to). example: a spec.
    """

    make: Callable[..., Distribution]
    summary: str
    example: str

    def names(self, *, in_order: bool = False) -> list[str]:
        """Return the parameters' names; with ``in_order`` of those that are also given without a name."""
        return [n for n, p in signature(self.make).parameters.items() if not in_order or p.kind != p.KEYWORD_ONLY]


FAMILIES: Mapping[str, LawFamily] = {
    "geometric": LawFamily(Geometric, "∝ q^k; p = 1 − q", "geometric(q=9/10)"),
    "linear-geometric": LawFamily(LinearGeometric, "∝ k q^k; p = 1 − q", "linear-geometric(q=4/5)"),
    "negative-binomial": LawFamily(NegativeBinomial, "∝ C(k+r−2, k−1) q^k", "negative-binomial(3, 1/2)"),
    "log-series": LawFamily(LogSeries, "∝ q^k / k", "log-series(q=1/2)"),
    "zipf": LawFamily(Zipf, "∝ k^(−a), k ≤ u", "zipf(a=2, u=100)"),
    "harmonic": LawFamily(Harmonic, "∝ 1/(4k²−1), k ≤ u", "harmonic(u=50)"),
    "uniform": LawFamily(Uniform, "equal on l, …, u", "uniform(l=1, u=20)"),
    "two-point": LawFamily(TwoPoint, "weight at l, else u", "two-point(1, 10, 3/4)"),
    "lognormal": LawFamily(LogNormal, "⌈X⌉ with ln X normal", "lognormal(5, 1)"),
    "pareto": LawFamily(Pareto, "P(o ≥ k) = (l/k)^a", "pareto(a=5/2)"),
    "point": LawFamily(Point, "all lengths are k", "point(8)"),
    "poisson": LawFamily(Poisson, "∝ mean^k / k!", "poisson(mean=3)"),
}
"""The families of the spec grammar."""
