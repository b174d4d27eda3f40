"""Latency forms, one file each. ``form(name)`` returns one; ``Form.from_entry`` makes a user's own."""

from __future__ import annotations

from crtools.errors import InputError
from crtools.forms.base import Form, TailRow, TailRule
from crtools.forms.on_setting import FormOnSetting
from crtools.forms.volume import VOLUME
from crtools.papers.adaptive.forms.a_ell import A_ELL
from crtools.papers.adaptive.forms.a_max import A_MAX
from crtools.papers.adaptive.forms.a_min import A_MIN
from crtools.papers.adaptive.forms.a_min_literal_area import A_MIN_LITERAL_AREA
from crtools.papers.adaptive.forms.a_random import A_RANDOM
from crtools.papers.adaptive.forms.a_random_area import A_RANDOM_AREA
from crtools.papers.adaptive.forms.a_restart import A_RESTART
from crtools.papers.adaptive.forms.h_sf import H_SF

FORMS: dict[str, Form] = {
    f.name: f for f in (A_MIN, A_MIN_LITERAL_AREA, A_RANDOM, A_RANDOM_AREA, A_MAX, A_ELL, A_RESTART, H_SF, VOLUME)
}
"""Every form that the package knows, by name; all but the two area forms, a-restart and volume are the paper's."""

__all__ = ["FORMS", "Form", "FormOnSetting", "TailRow", "TailRule", "form", "known"]


def known(f: Form) -> bool:
    """Return whether the form is one of the package's, whose closed forms are tested and whose values are > 0."""
    return FORMS.get(f.name) is f


def form(name: str | Form, argument: str = "form") -> Form:
    """Return the form of that name; a ``Form`` is returned as it is.

    Raises ``InputError``, which calls it ``argument``, for an unknown name.
    """
    if isinstance(name, Form):
        return name
    if not isinstance(name, str) or name not in FORMS:  # pyright: ignore[reportUnnecessaryIsInstance] -- from outside
        raise InputError(argument, name, f"must be one of {', '.join(sorted(FORMS))}, or a Form")
    return FORMS[name]
