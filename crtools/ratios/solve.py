"""``ratio``: the ratio of a form to another under a law, by whichever class answers for that law."""

from __future__ import annotations

from collections.abc import Iterable

from crtools.distributions import Density, Distribution
from crtools.errors import InputError
from crtools.forms import Form, form
from crtools.grammar import form_and_law
from crtools.ratios.density_limit import DensityLimit
from crtools.ratios.intervals import Intervals
from crtools.ratios.ratio import Ratio
from crtools.setting import integer


def ratio(
    first: str | Form | Distribution | None = None,
    second: str | Form | Distribution | None = None,
    /,
    s: int = 0,
    against: str | Form = "h-sf",
    *,
    policy: str | Form | None = None,
    dist: str | Distribution | None = None,
    intervals: Iterable[tuple[int, int | None]] | None = None,
) -> Ratio:
    """Return the competitive ratio of a form under a law, ``ratio("h-sf", "geometric(q=1/2)")``, for prompts of ``s`` tokens.

    The form, or its name, comes first (``policy``; without it the default one is meant), then the law or its spec (``dist``);
    ``against`` the form in the denominator. It is a ratio of forms, the
    limit M → ∞. ``intervals``: pairs (l, u) in one of which each length is known to lie, as in ``worst_case``; the last u
    may be None, no end. Raises ``InputError`` for unknown names, symbols left open, or a form that the law or the intervals
    do not fit.

    >>> ratio("a-min", "two-point(l=1, u=10, weight=1/4)").exact
    Fraction(9367, 9070)
    """
    own, law = form_and_law(first, second, policy, dist)
    forms, size = (own, form(against, "against")), integer("s", s, 0)
    if isinstance(law, Density):
        if intervals is not None:
            raise InputError("intervals", str(intervals), "must be left out under a density")
        return DensityLimit(*forms, law, size)
    return Ratio(*forms, law, size, Intervals.of(intervals, law))
