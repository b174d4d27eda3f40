"""``ratio``: the ratio of a form to another under a distribution, by whichever class answers for that law."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any

from crtools.distributions.base import LawLike
from crtools.distributions.density import Density
from crtools.errors import InputError
from crtools.forms import Form, form
from crtools.forms.rational_entry import trace
from crtools.grammar import Word, form_and_law
from crtools.names import named_arguments
from crtools.numeric_types import RingPoly
from crtools.ratios.intervals import Intervals
from crtools.ratios.ratio import Ratio
from crtools.setting import integer


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
            raise InputError(
                "distribution", law.spec(), f"has no limit: {grow}; give the lengths an end, pmf(…, u=1000)"
            )

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
        top, bottom = (
            [(a, b, c) for a, b, d, c in terms if d == top_degree]
            for terms, top_degree in ((above, high), (below, low))
        )
        if high >= low and all(a == 0 and c > 0 for a, _, _, c in below) and len(bottom) == 1:
            [(_, power, lead)] = bottom
            coefficients: dict[tuple[int, int], Fraction] = {}
            for a, b, c in top:
                coefficients[a, b - power] = coefficients.get((a, b - power), Fraction(0)) + Fraction(c, lead)
            return high - low, coefficients
    raise InputError(
        "form", form.name, "is not shown to be homogeneous for large lengths; give a law an end, pmf(…, u=1000)"
    )


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
