"""``derive``: the ratio of two forms under a distribution with symbols, in closed form, verified before it is returned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from crtools.distributions.base import LawLike
from crtools.errors import InputError
from crtools.forms import Form, form
from crtools.grammar import Word, form_and_law
from crtools.names import named_arguments
from crtools.ratios.derivation import Derivation
from crtools.ratios.intervals import Intervals
from crtools.ratios.known_upper_end import KnownUpperEnd
from crtools.setting import integer


@named_arguments()
def derive(
    first: Word | None = None,
    second: Word | None = None,
    /,
    s: int | str = 0,
    against: str | Form = "h-sf",
    *,
    policy: str | Form | None = None,
    dist: LawLike | None = None,
    intervals: Iterable[tuple[int, int | None]] | None = None,
    u: str | None = None,
) -> Derivation:
    """Return the ratio of two forms under a distribution with free parameters, in closed form.

    Parameters
    ----------
    first, second : str, Form, Distribution, list, array or mapping
        The form (or its name) and the distribution (its spec, or lengths or weights as :class:`Empirical` takes them), in either
        order. Without a form the default one is meant.
    s : int or str
        Prompt size in tokens, or a letter that stands for it.
    against : str or Form
        The form in the denominator.
    policy : str or Form, optional
        The form, by keyword.
    dist : str or Distribution, optional
        The distribution, by keyword.
    intervals : iterable of (int, int or None), optional
        Prediction intervals (l, u) that contain all lengths; the last u may be None, for an interval without an end.
    u : str, optional
        The upper end of the prediction interval that the policy is given, as a formula in the distribution's parameters
        and further letters, such as ``"c/(1-q)"``.

    Returns
    -------
    Derivation
        Its ``ratio``, ``limit(q=1)``, ``supremum()``, ``value(q)`` and ``plot()``.

    Raises
    ------
    InputError
        For unknown names, a form that does not fit the distribution or the intervals, or a letter s in which no closed form
        is reached.

    Examples
    --------
    >>> derive("geometric(q)").limit(q=1)
    10 - 12*log(2)

    Notes
    -----
    Every closed form is compared with certified direct sums at rational points before it is returned.
    """
    size = size_of_prompts(s)
    numerator_form, law = form_and_law(first, second, policy, dist)
    if u is not None and intervals is not None:
        raise InputError("u", u, "goes with one interval: leave out the intervals")
    upper_end = None if u is None else KnownUpperEnd(numerator_form, law, size, str(u))
    found = Derivation(numerator_form, form(against, "against"), law, size, Intervals.of(intervals, law), upper_end)
    if found.ratio is None and isinstance(size, sp.Symbol):
        raise InputError("s", s, f"must be a number here, such as s=1, or the law one on few lengths: {found.reason}")
    return found


def size_of_prompts(s: object) -> Any:
    """Return a prompt size as an integer, or a letter as a symbol. Raises ``InputError``."""
    if isinstance(s, sp.Symbol) or (isinstance(s, str) and s.isidentifier()):
        return sp.Symbol(str(s), positive=True)
    return integer("s", s, 0)
