"""``derive``: the ratio of two forms under a law with symbols, in closed form, verified before it is returned."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from crtools.distributions import Distribution
from crtools.errors import InputError
from crtools.forms import Form, form
from crtools.grammar import form_and_law
from crtools.ratios.derivation import Derivation
from crtools.ratios.intervals import Intervals
from crtools.ratios.known_upper_end import ToldEnd
from crtools.setting import integer


def derive(
    first: str | Form | Distribution | None = None,
    second: str | Form | Distribution | None = None,
    /,
    s: int | str = 0,
    against: str | Form = "h-sf",
    *,
    policy: str | Form | None = None,
    dist: str | Distribution | None = None,
    intervals: Iterable[tuple[int, int | None]] | None = None,
    u: str | None = None,
) -> Derivation:
    """Return the ratio of a form to ``against`` under a law, ``derive("h-sf", "geometric(q)")``, as a closed form in its free parameters.

    The form, or its name, comes first (``policy``; without it the default one is meant), then the law or its spec (``dist``).
    ``s`` is a number, or a letter that stands for it. ``intervals``: pairs (l, u) in one of which each length is known to
    lie; the last u may be None, no end. ``u``: what a form that knows the interval's ends is told of the upper one, a formula
    in the law's parameters and letters, ``u="c/(1-q)"``. Raises ``InputError`` for unknown names or a form that the law or the intervals do
    not fit. Every closed form is compared with certified direct sums at rational points before it is returned.

    >>> derive("geometric(q)").limit(q=1)
    10 - 12*log(2)
    """
    letter = isinstance(s, sp.Symbol) or (isinstance(s, str) and s.isidentifier())
    size = sp.Symbol(str(s), positive=True) if letter else integer("s", s, 0)
    own, law = form_and_law(first, second, policy, dist)
    if u is not None and intervals is not None:
        raise InputError("u", u, "goes with one interval: leave out the intervals")
    told = None if u is None else ToldEnd(own, law, size, str(u))
    return Derivation(own, form(against, "against"), law, size, Intervals.of(intervals, law), told)
