"""crtools: a theory-verification toolkit for competitive ratios of LLM-inference schedulers.

The public names are loaded on first use, so that ``import crtools`` is as light as Python itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crtools.claims import verify
    from crtools.enclosure import Enclosure
    from crtools.errors import InputError, NotCertified
    from crtools.forms import FORMS, Form, form
    from crtools.plots import figure
    from crtools.setting import Setting
    from crtools.worstcase import WorstCase, worst_case

__version__ = "0.1.0"

_HOME = {
    "Enclosure": "crtools.enclosure",
    "FORMS": "crtools.forms",
    "Form": "crtools.forms",
    "InputError": "crtools.errors",
    "NotCertified": "crtools.errors",
    "Setting": "crtools.setting",
    "WorstCase": "crtools.worstcase",
    "figure": "crtools.plots",
    "form": "crtools.forms",
    "verify": "crtools.claims",
    "worst_case": "crtools.worstcase",
}

__all__ = [
    "FORMS",
    "Enclosure",
    "Form",
    "InputError",
    "NotCertified",
    "Setting",
    "WorstCase",
    "__version__",
    "figure",
    "form",
    "verify",
    "worst_case",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'crtools' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
