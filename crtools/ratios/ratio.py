"""The ratio of a form to another at a length distribution: exact, in closed form, or rigorously enclosed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.quotient import Quotient
from crtools.closed_form.summand import NotClosed
from crtools.dataframes import InNotebook
from crtools.distributions import Distribution, Geometric
from crtools.distributions.base import LawLike
from crtools.distributions.continuous import Density
from crtools.enclosure import Enclosure, ball, ends, precision, relative_width_of
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form, is_packaged
from crtools.forms.rational_entry import trace
from crtools.grammar import Word, form_and_law
from crtools.names import named_arguments
from crtools.numeric_types import Ball, RingPoly, SymExpr
from crtools.parallel import WithoutCaches
from crtools.ratios.direct_sums import block_sums, check_tail, direct_sums, in_blocks, linear
from crtools.ratios.intervals import Intervals, closed_value, refined
from crtools.setting import Setting, integer

LARGEST_EXACT = 300
"""Finite supports up to this span have an exact ratio; the fractions' digits grow with the span."""

LARGEST_S = 20
"""Up to this prompt size a closed form at numbers is the exact value; its rationals grow like ρ^(−s)."""

LARGEST_TRUNCATION = 3 * 10**5
"""The largest length at which direct sums over an unbounded distribution are truncated."""

DIRECT_DIGITS = 16
"""Direct sums are taken to at least this number of digits, once."""

GUARD = 48
"""Bits beyond the requested digits; with those of the last length, 16 digits fit into the 128 bits that balls store inline."""

CHECK_DIGITS = 6
"""The closed form of a user's form is compared with direct sums to this number of digits."""

SUM_TRIALS = 3
"""Upper limit on repetitions of a sum that cancels, each with more than twice the digits."""


SHORT = 24
"""A fraction of more characters is written as a decimal only."""


class Ratio(WithoutCaches, InNotebook):
    """The ratio xᵀNx / xᵀDx of two forms at the weights x of a distribution, as ``ratio`` returns it.

    Parameters
    ----------
    policy, against : Form
        The forms N and D.
    law : Distribution
        A distribution without free parameters.
    s : int
        Prompt size in tokens.
    intervals : Intervals, optional
        Prediction intervals that contain all lengths.

    Examples
    --------
    >>> from crtools import ratio
    >>> result = ratio("a-min", "geometric(q=1/2)")
    >>> result.exact
    -117*log(3)/10 + 63/10 + 117*log(2)/10
    >>> result.enclosure(6).decimals(6)
    ('1.55605', '1.55606')
    >>> result.status
    'certified'
    """

    def __init__(
        self, policy: Form, against: Form, law: Distribution, s: int, intervals: Intervals | None = None
    ) -> None:
        if law.parameters:
            names = ", ".join(str(p) for p in law.parameters)
            raise law.refusal(f"needs a value for {names}; derive keeps symbols")
        if intervals is not None:
            policy, against = intervals.checked(policy, law), intervals.checked(against, law)
        self.policy, self.against, self.distribution, self.s = policy, against, law, s
        self.intervals = intervals
        for f in (policy, against):
            low, high = law.support
            lengths = (k for k, _ in law.items()) if law.rational and high else range(low, (high or low) + 1)
            if f.lengths and not (high and all(k in f.lengths(low, high) for k in lengths)):
                raise InputError("policy", f.name, "is defined for laws on two lengths only")
            if f.bind is not None and not law.finite:
                example = "pmf(q**k, q=1/2, u=20) ends at 20"
                allowed = f"needs a law of finite support, and {law.spec()} is unbounded; {example}"
                raise InputError("policy", f.name, allowed)
            if not law.finite:
                bounded(f, s)
        check_tail(policy, against, law, s)

    @cached_property
    def exact(self) -> Fraction | SymExpr | None:
        """The exact ratio: a ``Fraction``, a SymPy expression, or None where neither is reached."""
        if not self.distribution.finite:
            return self._closed if self.s <= LARGEST_S else None
        if not self.distribution.rational:
            return None
        low, high = self.distribution.support
        if self._few is None and (high or 0) - low > LARGEST_EXACT:
            return None
        top, bottom = self._exact_sum(self.policy), self._exact_sum(self.against)
        if bottom <= 0:
            raise self._not_positive()
        return top / bottom

    @cached_property
    def value(self) -> float:
        """The ratio as a float."""
        if isinstance(self.exact, Fraction):
            return float(self.exact)
        if self._floats:
            x: Any = np.array([float(w) for w in self.distribution.ball_weights(self._setting.l, self._setting.u)])
            top, bottom = (f.on(self._setting).value(x) for f in (self.policy, self.against))
            if not bottom > 0:
                raise self._not_positive()
            return top / bottom
        return self.enclosure(DIRECT_DIGITS).middle

    @property
    def status(self) -> str:
        """``certified`` if :attr:`value` is exact or rounded from an enclosure, else ``supported``."""
        return "supported" if self.exact is None and self._floats else "certified"

    @property
    def method(self) -> str:
        """How :attr:`value` is computed."""
        if isinstance(self.exact, Fraction):
            return "exact rational arithmetic"
        if self._floats:
            return "sums in floats"
        return "closed form in ball arithmetic" if self.exact is not None else self._summation

    def enclosure(self, digits: int = 10) -> Enclosure:
        """Return a rigorous enclosure with upper − lower ≤ 10^(1−digits) · value, or raise ``NotCertified``."""
        digits = integer("digits", digits, 1, 1000)
        if isinstance(self.exact, Fraction):
            return Enclosure(self.exact, self.exact, "exact rational arithmetic")
        if self.exact is not None:
            return enclose(self.exact, {}, digits)
        try:
            return self._direct if digits <= DIRECT_DIGITS else self.direct(digits)
        except NotCertified:
            if self.distribution.finite or self._closed is None:
                raise
            return enclose(self._closed, {}, digits)

    def direct(self, digits: int = 10) -> Enclosure:
        """Return an enclosure from direct sums, independent of closed forms; the truncated tail is bounded.

        Raises ``NotCertified`` where it is wider than requested, ``InputError`` where the form ``against`` is not positive.
        """
        working, reached = digits, float("inf")
        for _ in range(SUM_TRIALS):
            result = self._summed(working)
            if result is not None:
                size = max(abs(result.lower), abs(result.upper))
                if result.width <= relative_width_of(digits) * size:
                    return result
                reached = result.relative_width()
            working = 2 * working + 20
        if reached == float("inf"):
            forms = f"{self.policy.name} or {self.against.name}"
            raise NotCertified(f"a sum is too close to 0: {forms} is not separated from 0")
        raise NotCertified("direct sums cancel", reached)

    @cached_property
    def _direct(self) -> Enclosure:
        return self.direct(DIRECT_DIGITS)

    def both(self, digits: int) -> tuple[Ball, Ball]:
        """Return balls of the two forms at the unnormalised weights, from direct sums with ``digits`` working digits."""
        return self._sums(digits, *self._truncation(digits))

    # ---- the pieces ------------------------------------------------------------------------------------------------

    @cached_property
    def _setting(self) -> Setting:
        low, high = self.distribution.support
        if self.intervals is None:
            return Setting(self.s, low, high)
        return Setting(self.s, intervals=self.intervals.within(low, high or low))

    @cached_property
    def _few(self) -> list[tuple[int, Fraction]] | None:
        """The lengths and weights if there are at most 60, however large the lengths are."""
        if self.distribution.sparse:
            pairs = list(self.distribution.items())
            return pairs if len(pairs) <= 60 else None
        return None

    @property
    def _floats(self) -> bool:
        """Whether a finite law without an exact ratio is summed in floats: where a form of this package takes all pairs."""
        packaged = not (self.policy.user_defined or self.against.user_defined)
        return self.distribution.finite and packaged and not all(linear(f, self.s) for f in self._bound_forms)

    @property
    def _in_blocks(self) -> bool:
        ruled = self.intervals is not None and not self.intervals.single
        return not ruled and in_blocks(self.distribution, self._bound_forms, self.s)

    @property
    def _bound_forms(self) -> list[Form]:
        return [f if f.bind is None else f.on(self._setting).form for f in (self.policy, self.against)]

    @property
    def _summation(self) -> str:
        """The method of direct sums; it names a growth that was stated and not derived."""
        way = "sums of Taylor polynomials" if self._in_blocks else "direct sums"
        tail = "" if self.distribution.finite else ", tail bounded"
        stated = [f for f in (self.policy, self.against) if f.user_defined]
        if tail and not self._in_blocks and any(not (f.rational and f.rational.growth(self.s)) for f in stated):
            tail += " by the growth as stated"
        return f"{way} in ball arithmetic{tail}"

    def _not_positive(self) -> InputError:
        allowed = f"must be positive at the law; at {self.distribution.spec()} it is not"
        return InputError("against", self.against.name, allowed)

    def _exact_sum(self, f: Form) -> Fraction:
        on = f.on(self._setting)
        if self._few is None and on.form.tails is not None:
            return on.value([self.distribution.weight(k) for k in range(self._setting.l, self._setting.u + 1)])
        pairs = combinations_with_replacement(self.distribution.items(), 2)
        return sum((on.entry(i, j) * x * y * (1 if i == j else 2) for (i, x), (j, y) in pairs), Fraction(0))

    def _summed(self, digits: int) -> Enclosure | None:
        """Return the ratio of direct sums with ``digits`` working digits, None where the denominator may vanish."""
        if self._in_blocks:
            last, (top, bottom) = 1, block_sums(self.distribution, self._bound_forms, self.s, digits)
        else:
            last, tail = self._truncation(digits)
            top, bottom = self._sums(digits, last, tail)
        with precision(int(3.33 * digits) + GUARD + last.bit_length()):
            if bottom <= 0:
                raise self._not_positive()
            return Enclosure(*ends(top / bottom), self._summation) if bottom > 0 else None

    def _truncation(self, digits: int) -> tuple[int, Fraction]:
        """Return the last length that direct sums take, and a bound of Σ (s+k)² x_k beyond it."""
        if self.distribution.finite:
            return self.distribution.support[1] or 1, Fraction(0)
        forms = (form for form in (self.policy, self.against) if form.user_defined)
        scale = max([Fraction(1), *(form.growth_at(self.s) or Fraction(0) for form in forms)])
        target = Fraction(10) ** (-digits - 3) * self.distribution.least_total / (scale * (1 + self.s))
        tail = cache(lambda k: self.distribution.tail_moment_bound(k, self.s))
        high = 64
        while tail(high) > target:
            high *= 2
            if high > 2 * LARGEST_TRUNCATION:
                raise NotCertified(f"the tail is not small enough below {LARGEST_TRUNCATION}; give the law an end, u=…")
        lengths = range(high // 2 + 32, high + 1, 32)
        last = lengths[bisect_left(lengths, True, key=lambda k: tail(k) <= target)]
        return last, tail(last)

    def _sums(self, digits: int, last: int, tail: Fraction) -> tuple[Ball, Ball]:
        """Return balls of the forms' sums over l, …, last, each widened by the most that the tail can add."""
        forms = (self.policy, self.against)
        with precision(int(3.33 * digits) + GUARD + last.bit_length()):
            values, moment = self._up_to(last, bounded=bool(tail))
            tail_ball = ball(tail)
            for n, f in enumerate(forms):
                ruled = [f] if self.intervals is None or f.between is None else [f, f.between]
                growths = [growth for g in ruled if tail and (growth := g.growth_at(self.s)) is not None]
                if len(growths) == len(ruled):
                    more = 2 * ball(max(growths)) * (moment + tail_ball) * tail_ball
                    lowest = values[n] if all(g.nonnegative_at(self.s) for g in ruled) else values[n] - more
                    values[n] = lowest.union(values[n] + more)
            return values[0], values[1]

    def _up_to(self, last: int, *, bounded: bool) -> tuple[list[Ball], Ball]:
        """Return balls of the forms' sums over the lengths ≤ ``last``, and of Σ (s+k)² x_k."""
        law, s, forms = self.distribution, self.s, (self.policy, self.against)
        if self.intervals is None:
            return direct_sums(law, forms, s, last, bounded=bounded)

        def total(f: Form, first: int, end: int | None) -> Ball:
            top = last if end is None else min(end, last)
            return direct_sums(law, [f], s, top, bounded=bounded, first=first)[0][0]

        moment = direct_sums(law, [], s, last, bounded=bounded)[1]
        return [refined(self.intervals, f, total) for f in forms], moment

    @cached_property
    def _closed(self) -> SymExpr | None:
        """The ratio in closed form, None where there is none."""
        if self._closed_sums is None:
            return None
        top, bottom = self._closed_sums
        if not is_packaged(self.against) and enclose(bottom, {}, CHECK_DIGITS).upper <= 0:
            raise self._not_positive()
        return Quotient.of(top / bottom, ()).expr

    @cached_property
    def _closed_sums(self) -> tuple[SymExpr, SymExpr] | None:
        """Both forms' sums in closed form, None where there is none; for a user's form direct sums must confirm it."""
        forms, law = (self.policy, self.against), self.distribution
        if not all(f.closes(self.s) for f in forms):
            return None
        try:
            top, bottom = (closed_value(law, f, self.s, self.intervals) for f in forms)
        except NotClosed:
            return None
        return (top, bottom) if all(map(is_packaged, forms)) or self._confirmed(top, bottom) else None

    def _confirmed(self, top: SymExpr, bottom: SymExpr) -> bool:
        """Return whether direct sums overlap the closed ones, here or, for a tail that is too long, under geometric(q=1/2).

        Raises ``AssertionError`` where they differ.
        """
        try:
            last, tail = self._truncation(CHECK_DIGITS)
        except NotCertified:
            lighter = Ratio(self.policy, self.against, Geometric(Fraction(1, 2)), self.s, self.intervals)
            return lighter._closed_sums is not None
        try:
            direct = [Enclosure.from_ball(x) for x in self._sums(CHECK_DIGITS, last, tail)]
            closed = [enclose(expr, {}, CHECK_DIGITS) for expr in (top, bottom)]
        except NotCertified:
            return False
        for a, b in zip(direct, closed, strict=True):
            if a.upper < b.lower or b.upper < a.lower:
                raise AssertionError(f"closed form and direct sum differ: {b} and {a}")
        return True

    def __repr__(self) -> str:
        call = f"ratio({self.policy.name!r}, {self.distribution}, s={self.s}, against={self.against.name!r})"
        try:
            return f"{self._text} ({self.status}): {call}"
        except (InputError, NotCertified) as error:
            return f"{call}: {error}"

    @property
    def latex(self) -> str:
        """The exact value in LaTeX where it is a short fraction or a closed form; else empty."""
        import sympy as sp

        long = self.exact is None or (isinstance(self.exact, Fraction) and not self._is_short_fraction)
        return "" if long else sp.latex(sp.sympify(self.exact), ln_notation=True)

    @property
    def _is_short_fraction(self) -> bool:
        few = isinstance(self.exact, Fraction) and self.exact.denominator.bit_length() < 4 * SHORT
        return few and len(str(self.exact)) <= SHORT

    @property
    def _text(self) -> str:
        """The value in print, with the fraction where it is a short one."""
        short = self._is_short_fraction
        return f"{self.exact} ≈ {self.value:.12g}" if short else f"≈ {self.value:.12g}"

    def __float__(self) -> float:
        return self.value


class DensityLimit(Ratio):
    """The limit u → ∞ of the ratio at lengths x·u, x of a given density on (0, 1]; s is fixed, so it does not depend on it.

    Let an entry be a polynomial in i ≤ j over one in j whose coefficients are > 0, and D ≥ 0 the difference of their degrees.
    Then N(xu, yu)/u^D is bounded and tends to its part of degree D, h(x, y) = Σ c x^a y^(D−a), so that the form over u^D tends
    to ∫∫ h f f = 2 Σ c f_m f_n / ((a+m+1)(D+m+n+2)) for f = Σ f_m x^m. A form that knows u is such an entry in i, j and u.
    """

    def __init__(self, policy: Form, against: Form, law: Density, s: int) -> None:
        self.policy, self.against, self.distribution, self.s = policy, against, law, s
        self.intervals = None
        degrees = {f.name: homogeneous(f, s)[0] for f in (policy, against)}
        if len(set(degrees.values())) > 1:
            grow = " and ".join(f"{name} like u^{degree}" for name, degree in degrees.items())
            raise law.refusal(f"has no limit: {grow}; give the lengths an end, pmf(…, u=1000)")

    @cached_property
    def exact(self) -> Fraction:
        """The limit."""
        top, bottom = (self._integral(f) for f in (self.policy, self.against))
        if bottom <= 0:
            raise self._not_positive()
        return top / bottom

    @property
    def method(self) -> str:
        """How :attr:`exact` is computed."""
        return "the limit u → ∞: exact integrals of the forms' homogeneous parts"

    def _integral(self, f: Form) -> Fraction:
        assert isinstance(self.distribution, Density)
        powers = self.distribution.powers.items()
        return sum(
            (
                2 * c * first * second / ((a + m + 1) * (a + b + m + n + 2))
                for (a, b), c in homogeneous(f, self.s)[1].items()
                for m, first in powers
                for n, second in powers
            ),
            Fraction(0),
        )


def homogeneous(form: Form, s: int) -> tuple[int, dict[tuple[int, int], Fraction]]:
    """Return the degree D of the entry and {(a, b): c} of lim N(xu, yu)/u^D = Σ c x^a y^b for x ≤ y ≤ 1.

    A form that knows u is one in i, j and u. Raises ``InputError`` where the entry does not show it.
    """
    if form.lengths is not None:
        raise InputError("policy", form.name, "is defined for laws on two lengths only")
    bind: Any = form.bind
    entry = form.rational if bind is None else trace(lambda i, j, u: bind(1, u).formula(i, j, Fraction(s)))
    if entry is not None and entry.regular(s if bind is None else None):
        above, below = (_terms(poly, s if bind is None else None) for poly in (entry.numerator, entry.denominator))
        high, low = (max((degree for _, _, degree, _ in terms), default=0) for terms in (above, below))
        top = [(a, b, c) for a, b, d, c in above if d == high]
        bottom = [(a, b, c) for a, b, d, c in below if d == low]
        if high >= low and all(a == 0 and c > 0 for a, _, _, c in below) and len(bottom) == 1:
            [(_, power, lead)] = bottom
            coefficients: dict[tuple[int, int], Fraction] = {}
            for a, b, c in top:
                coefficients[a, b - power] = coefficients.get((a, b - power), Fraction(0)) + Fraction(c, lead)
            return high - low, coefficients
    allowed = "is not shown to be homogeneous for large lengths; give a law an end, pmf(…, u=1000)"
    raise InputError("form", form.name, allowed)


def _terms(poly: RingPoly, s: int | None) -> list[tuple[int, int, int, int]]:
    """Return (a, b, degree, c) of the terms c i^a j^b, at prompts of s tokens; s None: the third variable counts for the degree."""
    totals: dict[tuple[int, int, int], int] = {}
    for (a, b, d), c in poly.terms():
        key, value = ((a, b, a + b + d), int(c)) if s is None else ((a, b, a + b), int(c) * s**d)
        totals[key] = totals.get(key, 0) + value
    return [(*key, c) for key, c in totals.items() if c]


@named_arguments(digits="is an argument of ratio(…).enclosure(digits)")
def ratio(
    first: Word | None = None,
    second: Word | None = None,
    /,
    s: int = 0,
    against: str | Form = "h-sf",
    *,
    policy: str | Form | None = None,
    dist: LawLike | None = None,
    intervals: Iterable[tuple[int, int | None]] | None = None,
) -> Ratio:
    """Return the competitive ratio of a form under a length distribution, as a number.

    Parameters
    ----------
    first, second : str, Form, Distribution, list, array or mapping
        The form (or its name) and the distribution (its spec, or lengths or weights as :class:`Empirical` takes them), in either
        order. Without a form the default one is meant.
    s : int
        Prompt size in tokens.
    against : str or Form
        The form in the denominator.
    policy : str or Form, optional
        The form, by keyword.
    dist : str or Distribution, optional
        The distribution, by keyword.
    intervals : iterable of (int, int or None), optional
        Prediction intervals (l, u) that contain all lengths; the last u may be None, for an interval without an end.

    Returns
    -------
    Ratio
        Its ``exact``, ``value`` and ``enclosure(digits)``.

    Raises
    ------
    InputError
        For unknown names, symbols left open, or a form that does not fit the distribution or the intervals.

    Examples
    --------
    >>> ratio("a-min", "two-point(l=1, u=10, weight=1/4)").exact
    Fraction(9367, 9070)

    Notes
    -----
    It is a ratio of forms, xᵀNx / xᵀDx at the distribution's weights x: the limit M → ∞ of the policies' ratio.
    """
    numerator_form, law = form_and_law(first, second, policy, dist)
    forms, size = (numerator_form, form(against, "against")), integer("s", s, 0)
    if isinstance(law, Density):
        if intervals is not None:
            raise InputError("intervals", str(intervals), "must be left out under a density")
        return DensityLimit(*forms, law, size)
    return Ratio(*forms, law, size, Intervals.of(intervals, law))


def bounded(f: Form, s: int) -> None:
    """Raise ``InputError`` for a form without a bound of its entries, which sums over an unbounded law need."""
    if f.growth_at(s) is None:
        f.entry(1, 1, s)  # an error of the entry itself comes first
        allowed = "needs growth=c with |entry| ≤ c (s+i)²(s+j)², which its entry does not show, or a law of finite support (u=…)"
        raise InputError("form", f.name, allowed)
