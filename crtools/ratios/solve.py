"""``ratio``: the ratio of a form to another under a distribution, by whichever class answers for that law."""

from __future__ import annotations

from collections.abc import Iterable

from crtools.distributions import Density
from crtools.distributions.base import LawLike
from crtools.errors import InputError
from crtools.forms import Form, form
from crtools.grammar import Word, form_and_law
from crtools.names import named_arguments
from crtools.ratios.density_limit import DensityLimit
from crtools.ratios.intervals import Intervals
from crtools.ratios.ratio import Ratio
from crtools.setting import integer


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
