"""The public names: their types, and the modules from which ``__init__.py`` loads them."""

from collections.abc import Callable
from typing import Any

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
__version__: str

__all__ = [
    "FORMS", "POLICIES", "Best", "BestForClasses", "Derivation", "Discovery", "Distribution", "Empirical", "Enclosure",
    "Form", "Geometric", "Harmonic", "InputError", "LinearGeometric", "LogNormal", "LogSeries", "Minimax", "Mixture",
    "NegativeBinomial", "NotCertified", "Pareto", "Pmf", "Poisson", "Policy", "PromptClass", "Ratio", "Run", "Schedule",
    "Setting", "Switch", "TwoPoint", "Uniform", "WorstCase", "Zipf", "__version__", "best", "best_for_classes",
    "compare", "derive", "discover", "distribution", "expected_work", "experiment", "figure", "form", "from_scipy", "guarantees", "minimax",
    "optimum", "ratio", "replay", "simulate", "switch", "verify", "volume_bound", "workload", "worst_case",
]  # fmt: skip
