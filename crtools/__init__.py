"""crtools: a theory-verification toolkit for competitive ratios of LLM-inference schedulers.

``__getattr__`` loads a public name on first use, so ``import crtools`` loads nothing heavy. A new name stands in three places here: the
imports for type checkers, ``_NAMES`` (but for distributions) and ``__all__``; and on a page of docs/api. A ledger brings ``experiment``.
Tests: tests/test_imports.py.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from crtools.blind import Best, BestForClasses, Minimax, PromptClass, best, best_for_classes, minimax
    from crtools.blind.expected_work import expected_work
    from crtools.discovery import Discovery, discover
    from crtools.distributions import (
        Distribution,
        Empirical,
        Geometric,
        Harmonic,
        LinearGeometric,
        LogNormal,
        LogSeries,
        Mixture,
        NegativeBinomial,
        Pareto,
        Pmf,
        Poisson,
        TwoPoint,
        Uniform,
        Zipf,
        distribution,
        from_scipy,
    )
    from crtools.enclosure import Enclosure
    from crtools.errors import InputError, NotCertified
    from crtools.forms import FORMS, Form, form
    from crtools.ledger import verify
    from crtools.plotting import figure
    from crtools.process import (
        POLICIES,
        Policy,
        Run,
        compare,
        guarantees,
        optimum,
        replay,
        simulate,
        volume_bound,
        workload,
    )
    from crtools.ratios import Derivation, Switch, derive, switch
    from crtools.ratios.ratio import Ratio, ratio
    from crtools.schedule import Schedule
    from crtools.setting import Setting
    from crtools.worst_cases import WorstCase, worst_case

    experiment: Callable[..., Any]

__version__ = "0.1.0"

_NAMES = {
    "crtools.blind": "Best BestForClasses Minimax PromptClass best best_for_classes minimax",
    "crtools.blind.expected_work": "expected_work",
    "crtools.discovery": "Discovery discover",
    "crtools.enclosure": "Enclosure",
    "crtools.errors": "InputError NotCertified",
    "crtools.forms": "FORMS Form form",
    "crtools.ledger": "verify",
    "crtools.plotting": "figure",
    "crtools.process": "POLICIES Policy Run compare guarantees optimum replay simulate volume_bound workload",
    "crtools.ratios": "Derivation Switch derive switch",
    "crtools.ratios.ratio": "Ratio ratio",
    "crtools.schedule": "Schedule",
    "crtools.setting": "Setting",
    "crtools.worst_cases": "WorstCase worst_case",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each public name; the others are in ``crtools.distributions``."""

__all__ = [
    "FORMS", "POLICIES", "Best", "BestForClasses", "Derivation", "Discovery", "Distribution", "Empirical", "Enclosure",
    "Form", "Geometric", "Harmonic", "InputError", "LinearGeometric", "LogNormal", "LogSeries", "Minimax", "Mixture",
    "NegativeBinomial", "NotCertified", "Pareto", "Pmf", "Poisson", "Policy", "PromptClass", "Ratio", "Run", "Schedule",
    "Setting", "Switch", "TwoPoint", "Uniform", "WorstCase", "Zipf", "__version__", "best", "best_for_classes",
    "compare", "derive", "discover", "distribution", "expected_work", "experiment", "figure", "form", "from_scipy", "guarantees", "minimax",
    "optimum", "ratio", "replay", "simulate", "switch", "verify", "volume_bound", "workload", "worst_case",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'crtools' has no attribute {name!r}")
    try:
        if name == "experiment":
            return import_module("crtools.installed_ledgers").brought("functions", {})[name]
        return getattr(import_module(_MODULES.get(name, "crtools.distributions")), name)
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("crtools", "check")):
            raise
        installed = "crtools is not installed for this Python: run .venv/bin/python (./run verify makes it)"
        raise ModuleNotFoundError(f"{error}; {installed}", name=error.name) from None


def __dir__() -> list[str]:
    return sorted(__all__)
