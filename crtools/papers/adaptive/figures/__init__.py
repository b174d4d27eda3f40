"""The figures, one file each. What each name draws is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from crtools.plotting.figure import Drawing

HOME = "crtools.papers.adaptive.figures"


def _long(summary: str, module: str, function: str, *arguments: Any) -> Drawing:
    """Return what draws a figure that takes a while and shows its progress."""
    return Drawing(summary, lambda progress: getattr(import_module(f"{HOME}.{module}"), function)(*arguments, progress))


def _short(summary: str, module: str, function: str) -> Drawing:
    """Return what draws a figure that needs no progress."""
    return Drawing(summary, lambda progress: getattr(import_module(f"{HOME}.{module}"), function)())


FIGURES: dict[str, Drawing] = {
    "log-fit": _long("Figure log_CR: worst case of A_min against u, with its fit", "log_fit", "log_fit"),
    "geometric": _short("Figure G&LG: A_min under both geometric laws, against q", "geometric", "geometric"),
    "two-point": _short("Figure CRcompare: A_min and A_ℓ on two lengths, against l/u", "two_point", "two_point"),
    "convergence": _long("simulated latency over each form as M grows (minutes)", "convergence", "convergence"),
    "transitions": _long("transitions of both A_min's against the lemma", "transitions", "transitions_figure"),
    "lengths": _short("Figure distribution: the embedded laws of requests", "lengths", "lengths_figure"),
    "exp-1": _long("Experiment 1: every interval is [1, 1000] (minutes)", "experiments", "experiment_figure", 1),
    "exp-2": _long("Experiment 2: ten buckets (minutes)", "experiments", "experiment_figure", 2),
    "exp-3": _long("Experiment 3: intervals around the length (minutes)", "experiments", "experiment_figure", 3),
}
"""By name."""
