"""The figures, one file each. What each name draws is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

HOME = "crtools.papers.adaptive.figures"


def _long(module: str, function: str, *arguments: Any) -> Callable[..., Any]:
    """Return what draws a figure that takes a while and shows its progress."""
    return lambda progress: getattr(import_module(f"{HOME}.{module}"), function)(*arguments, progress)


def _short(module: str, function: str) -> Callable[..., Any]:
    """Return what draws a figure that needs no progress."""
    return lambda progress: getattr(import_module(f"{HOME}.{module}"), function)()


FIGURES: dict[str, Callable[..., Any]] = {
    "log-fit": _long("log_fit", "log_fit"),
    "geometric": _short("geometric", "geometric"),
    "two-point": _short("two_point", "two_point"),
    "convergence": _long("convergence", "convergence"),
    "transitions": _long("transitions", "transitions_figure"),
    "lengths": _short("lengths", "lengths_figure"),
    "exp-1": _long("experiments", "experiment_figure", 1),
    "exp-2": _long("experiments", "experiment_figure", 2),
    "exp-3": _long("experiments", "experiment_figure", 3),
}
"""By name: functions of ``progress`` that return a ``Figure``."""
