"""The ratios of forms against the parameter of a law."""

from __future__ import annotations

from typing import Any

from crtools.forms import Form
from crtools.plotting.figure import Figure
from crtools.ratios.curves import ratio_curves


def curves(law: Any, policy: tuple[Form, ...], against: Form, s: tuple[int, ...]) -> Figure:
    """Return the figure. Raises ``InputError`` unless the law has one free parameter."""
    return ratio_curves(law, policy, against, s)
