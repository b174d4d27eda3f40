"""Latency forms: ``form(name)`` returns an installed one, ``Form.from_entry`` makes one from a function.

``base`` has the class, tail coordinates and the entry of a user's form, ``h_sf`` and ``volume`` the two forms of the toolkit; ledgers
bring others. ``rational_entry`` traces an entry to a rational function. Tests: ``tests/forms``.
"""

from __future__ import annotations

import copyreg
from functools import cache
from typing import Any

from crtools.errors import InputError
from crtools.forms.base import Form, FormOnSetting, TailRow, TailRule
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.installed_ledgers import brought, default_form
from crtools.names import canonical
from crtools.user_file import Kind, from_file, is_file

__all__ = [
    "Form", "FormOnSetting", "TailRow", "TailRule", "form", "form_describing", "form_given_for", "is_packaged", "known_forms",
    "numerator",
]  # fmt: skip


FORM = Kind("form", Form, "forms", "; crtools discover finds that of a policy")
"""The kind of object that a user's file may define (:mod:`crtools.user_file`)."""


@cache
def known_forms() -> dict[str, Form]:
    """Return every form by its name: the volume bound, H-SF, and what the installed ledgers bring."""
    return brought("forms", {f.name: f for f in (VOLUME, H_SF)})


def is_packaged(f: Form) -> bool:
    """Return whether the form is one of this package's, whose closed forms are tested and whose values are > 0."""
    return known_forms().get(f.name) is f and f.formula.__module__.startswith("crtools.")


def form(name: str | Form, argument: str = "form") -> Form:
    """Return the latency form of a name.

    Parameters
    ----------
    name : str or Form
        A name (``h_sf`` and ``hsf`` are ``h-sf``), or ``FILE.py[:NAME]``, a file that is run. ``optimum`` is the volume bound,
        which the best schedule attains for n → ∞ and then M → ∞. A ``Form`` is returned as it is.
    argument : str
        What an error calls the argument.

    Returns
    -------
    Form

    Raises
    ------
    InputError
        For an unknown name.

    Examples
    --------
    >>> form("a-min").entry(1, 2, 0)
    Fraction(7, 4)
    """
    if isinstance(name, Form):
        return name
    if is_file(name):
        return from_file(argument, name, FORM)
    if isinstance(name, str) and "(" in name:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(argument, name, "is a law, where a form is expected, such as h-sf; ratio and derive take both")
    if name == "optimum":
        return VOLUME
    return known_forms()[canonical(argument, name, sorted(known_forms()), ", or FILE.py[:NAME]")]


def _reduced(f: Form) -> Any:
    """Pickle an installed form by its name, so that it is unpickled as the same object: theorems are looked up by the object."""
    return (form, (f.name,)) if known_forms().get(f.name) is f else f.__reduce_ex__(4)


copyreg.pickle(Form, _reduced)


def numerator(policy: str | Form | None) -> Form:
    """Return the form in the numerator of a ratio: the named one, or for None the default ledger's."""
    return form(default_form() if policy is None else policy, "policy")


def form_given_for(policy: str) -> Form | None:
    """Return the form that its source states for the policy of that name, whether or not it describes it."""
    return next((f for f in known_forms().values() if policy in f.given_for), None)


def form_describing(policy: str) -> Form | None:
    """Return the form that describes the policy of that name; None where none is known."""
    return next((f for f in known_forms().values() if policy in f.describes), None)


def __getattr__(name: str) -> Any:
    if name == "FORMS":
        return known_forms()
    raise AttributeError(f"module 'crtools.forms' has no attribute {name!r}")
