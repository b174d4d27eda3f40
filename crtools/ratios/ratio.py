"""The ratio of a form to another at a length distribution: exact, in closed form, or rigorously enclosed.

With several prediction intervals each length is known to lie in one of them. ``ratio`` and ``derive`` make an :class:`Intervals` of
their argument. A form with a rule across intervals, ``between``, serves lower intervals first: two lengths of the same interval have
the form's entry, two lengths of different intervals the entry of ``between``. So its value is that of ``between``, plus the difference
of the two forms within each interval (:func:`refined`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.quotient import Quotient
from crtools.closed_form.sums import ClosedForm, Field, NotClosed, quadratic_value, value_of_points
from crtools.distributions import Distribution, Geometric
from crtools.distributions.base import K, LawLike
from crtools.distributions.continuous import Density
from crtools.enclosure import Enclosure, ball, ends, precision, relative_width_of
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form, is_packaged, known_forms
from crtools.forms.rational_entry import trace
from crtools.grammar import Word, form_and_law
from crtools.names import named_arguments
from crtools.numeric_types import Ball, RingElement, SymExpr
from crtools.parallel import WithoutCaches
from crtools.ratios.direct_sums import block_sums, check_tail, direct_sums, in_blocks, separated
from crtools.setting import LARGEST_LENGTH, Setting, integer, listed
from crtools.tables import InNotebook

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
        if not self._few and (high or 0) - low > LARGEST_EXACT:
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
    def _few(self) -> bool:
        """Whether there are at most 60 lengths, however large they are."""
        return self.distribution.sparse and sum(1 for _ in self.distribution.items()) <= 60

    @property
    def _floats(self) -> bool:
        """Whether a finite law without an exact ratio is summed in floats: where a form of this package takes all pairs."""
        packaged = not (self.policy.user_defined or self.against.user_defined)
        return self.distribution.finite and packaged and not all(separated(f, self.s) for f in self._bound_forms)

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
        if not self._few and on.form.tails is not None:
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
        law, s, forms, bounded = self.distribution, self.s, (self.policy, self.against), bool(tail)

        def total(f: Form, first: int, end: int | None) -> Ball:
            top = last if end is None else min(end, last)
            return direct_sums(law, [f], s, top, bounded=bounded, first=first)[0][0]

        with precision(int(3.33 * digits) + GUARD + last.bit_length()):
            values, moment = direct_sums(law, [] if self.intervals else forms, s, last, bounded=bounded)
            values = values or [refined(self.intervals, f, total) for f in forms]
            tail_ball = ball(tail)
            for n, f in enumerate(forms):
                ruled = [f] if self.intervals is None or f.between is None else [f, f.between]
                growths = [growth for g in ruled if tail and (growth := g.growth_at(self.s)) is not None]
                if len(growths) == len(ruled):
                    more = 2 * ball(max(growths)) * (moment + tail_ball) * tail_ball
                    lowest = values[n] if all(g.nonnegative_at(self.s) for g in ruled) else values[n] - more
                    values[n] = lowest.union(values[n] + more)
            return values[0], values[1]

    @cached_property
    def _closed(self) -> SymExpr | None:
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
        """Return whether direct sums overlap the closed ones, here or, for too long a tail, under geometric(q=1/2)."""
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
            return f"{self._short_fraction} ≈ {self.value:.12g} ({self.status}): {call}".lstrip()
        except (InputError, NotCertified) as error:
            return f"{call}: {error}"

    @property
    def latex(self) -> str:
        """The exact value in LaTeX where it is a short fraction or a closed form; else empty."""
        long = self.exact is None or (isinstance(self.exact, Fraction) and not self._short_fraction)
        return "" if long else sp.latex(sp.sympify(self.exact), ln_notation=True)

    @property
    def _short_fraction(self) -> str:
        """The exact value as a text where it is a short fraction; else empty."""
        exact = self.exact
        if not isinstance(exact, Fraction) or exact.denominator.bit_length() >= 4 * SHORT:
            return ""
        text = str(exact)
        return text if len(text) <= SHORT else ""

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
        powers, total = self.distribution.powers.items(), Fraction(0)
        for ((a, b), c), (m, first), (n, second) in product(homogeneous(f, self.s)[1].items(), powers, powers):
            total += 2 * c * first * second / ((a + m + 1) * (a + b + m + n + 2))
        return total


def homogeneous(form: Form, s: int) -> tuple[int, dict[tuple[int, int], Fraction]]:
    """Return the degree D of the entry and {(a, b): c} of lim N(xu, yu)/u^D = Σ c x^a y^b for x ≤ y ≤ 1.

    A form that knows u is one in i, j and u. Raises ``InputError`` where the entry does not show it.
    """
    if form.lengths is not None:
        raise InputError("policy", form.name, "is defined for laws on two lengths only")
    bind: Any = form.bind
    entry = form.rational if bind is None else trace(lambda i, j, u: bind(1, u).formula(i, j, Fraction(s)))
    if entry is not None and entry.regular(s if bind is None else None):
        above, below = entry.monomials(s) if bind is None else (entry.numerator, entry.denominator)  # u counts too
        high, low = (max(map(sum, terms), default=0) for terms in (above, below))
        leading = [(powers[1], c) for powers, c in below.items() if sum(powers) == low]
        positive_without_i = all(powers[0] == 0 and c > 0 for powers, c in below.items())
        if high >= low and len(leading) == 1 and positive_without_i:
            [(power, lead)] = leading
            top = {powers: int(c) for powers, c in above.items() if sum(powers) == high}
            return high - low, {(a, b - power): Fraction(c, int(lead)) for (a, b, *_), c in top.items()}
    allowed = "is not shown to be homogeneous for large lengths; give a law an end, pmf(…, u=1000)"
    raise InputError("form", form.name, allowed)


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


# ---- prediction intervals --------------------------------------------------------------------------------------------

LONGEST_WRITTEN_OUT = 60
"""Largest number of lengths of an interval in a closed form, which has a term for each pair."""


@dataclass(frozen=True)
class Intervals:
    """``given``: the intervals, an open end as None; ``blocks``: the same without shared ends and without empty ones."""

    given: tuple[tuple[int, int | None], ...]
    blocks: tuple[tuple[int, int | None], ...]

    @classmethod
    def of(cls, intervals: Iterable[tuple[int, int | None]] | None, law: Distribution) -> Intervals | None:
        """Return prediction intervals under a distribution, or None if none are given.

        The last interval may be open, u = None; it must be if the distribution is unbounded. Raises ``InputError`` if intervals are
        out of order or miss a length of the distribution.
        """
        if intervals is None:
            return None
        if law.open_ends or law.entire is not None:
            raise law.refusal("needs numbers for its parameters where there are intervals")
        pairs = listed("intervals", intervals, "must be pairs (l, u) with u_j ≤ l_{j+1}")
        endless = bool(pairs) and isinstance(pairs[-1], Sequence) and len(pairs[-1]) == 2 and pairs[-1][1] is None
        setting = Setting(0, intervals=[*pairs[:-1], (pairs[-1][0], LARGEST_LENGTH)] if endless else pairs)
        given, blocks = (
            (*pairs_of[:-1], (pairs_of[-1][0], None if endless else pairs_of[-1][1]))
            for pairs_of in (setting.intervals, setting.blocks())
        )
        result = cls(given, blocks)
        result._check(law)
        return result

    def _check(self, law: Distribution) -> None:
        low, high = law.support
        if high is None and self.blocks[-1][1] is not None:
            raise InputError("intervals", str(self), f"must have no last end under {law.spec()}, as in 1-5,6-")
        last = self.blocks[-1][0] if high is None else high
        last_lengths = [0, *(last if up is None else up for _, up in self.blocks)]
        first_lengths = [*(start for start, _ in self.blocks), last + 1]
        for end, start in zip(last_lengths, first_lengths, strict=True):
            for k in range(max(end + 1, low), min(start, last + 1)):
                if _has_length(law, k):
                    raise InputError("intervals", str(self), f"must contain every length of {law.spec()}, also {k}")

    @property
    def single(self) -> bool:
        """Whether there is one interval."""
        return len(self.given) == 1

    def checked(self, form: Form, law: Distribution) -> Form:
        """Return the form, bound to the ends of a single interval; raise ``InputError`` if it is not defined on these intervals."""
        [(low, up), *others] = self.given
        if not others and form.bind is not None and up is not None:
            lengths = law.support if law.parameters else (k for k, _ in law.items())
            if form.lengths is not None and any(k not in form.lengths(low, up) for k in lengths):
                raise InputError("policy", form.name, f"is defined for the lengths {low} and {up} only")
            return replace(form.bind(low, up), lengths=None)
        if others and form.bind is not None:
            names = ", ".join(f.name for f in known_forms().values() if f.between is not None)
            raise InputError("form", form.name, f"has no rule across intervals: give it one interval, or take {names}")
        return form

    def within(self, low: int, high: int) -> list[tuple[int, int]]:
        """Return the blocks' parts in [low, high]."""
        parts = [(max(a, low), high if b is None else min(b, high)) for a, b in self.blocks]
        return [(a, b) for a, b in parts if a <= b]

    def across(self, form: Form) -> Form:
        """Return the form with its rule across intervals built into its entries, for numbers only."""
        if form.between is None or self.single:
            return form
        within, between = form.formula, form.between.formula

        def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
            together = any(low <= i and (up is None or j <= up) for low, up in self.blocks)
            return (within if together else between)(i, j, s)

        return replace(form, formula=entry, tails=None, between=None)

    def __str__(self) -> str:
        return ",".join(f"{low}-{'' if up is None else up}" for low, up in self.given)


def _has_length(law: Distribution, k: int) -> bool:
    """Return whether a length within the ends of the support has a nonzero weight."""
    if not law.rational:
        return bool(law.ball_weights(k, k)[0] != 0)
    return bool(law.expr.subs(K, k) != 0 if law.parameters else law.weight(k))


def refined(
    intervals: Intervals | None, form: Form, total: Callable[[Form, int, int | None], RingElement]
) -> RingElement:
    """Return a form's sum over all pairs of lengths; ``total(form, first, last)`` sums over [first, last], last = None for no end."""
    if intervals is None or intervals.single or form.between is None:
        return total(form, 1, None)
    whole = total(form.between, 1, None)
    return sum((total(form, *block) - total(form.between, *block) for block in intervals.blocks), whole)


def closed_value(law: Distribution, form: Form, s: Any, intervals: Intervals | None = None) -> SymExpr:
    """Return a form's value under a distribution as an expression, also in s if that is a symbol; raise ``NotClosed`` if none is known."""
    field, summand, more = law.field, law.summand, law.point_weights
    if isinstance(s, sp.Symbol):
        if more:
            raise NotClosed("a part of the law has finitely many lengths")
        field = Field.of(*law.parameters, s)
        summand = summand.over(field)

    def total(f: Form, first: int, last: int | None) -> ClosedForm:
        if last is None:
            before = first - 1
            point_weights = {k - before: w for k, w in more.items() if k > before}
            moved = summand.shifted(before)
            return quadratic_value(field, moved, lambda i, j, s: f.formula(i + before, j + before, s), s, point_weights)
        if last - first >= LONGEST_WRITTEN_OUT:
            raise NotClosed(f"an interval of more than {LONGEST_WRITTEN_OUT} lengths is not written out")
        x = {k: summand.at(k) + more.get(k, field.domain.zero) for k in range(first, last + 1)}
        return ClosedForm(field, value_of_points(field, x, lambda i, j: QQ(*f.entry(i, j, s).as_integer_ratio())))

    return refined(intervals, form, total).expr()
