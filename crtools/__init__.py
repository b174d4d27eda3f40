"""crtools: a theory-verification toolkit for competitive ratios of LLM-inference schedulers.

The public names are loaded on first use, so that ``import crtools`` is as light as Python itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crtools.blind import Minimax, minimax
    from crtools.distributions import (
        Distribution,
        Empirical,
        Geometric,
        Harmonic,
        LinearGeometric,
        LogSeries,
        Mixture,
        NegativeBinomial,
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
    from crtools.process import POLICIES, Policy, Run, compare, optimum, replay, simulate, volume_bound
    from crtools.ratios import Derivation, derive
    from crtools.ratios.ratio import Ratio, ratio
    from crtools.schedule import Schedule
    from crtools.setting import Setting
    from crtools.worst_cases import WorstCase, worst_case

__version__ = "0.1.0"

_HOME = {
    "Derivation": "crtools.ratios",
    "Distribution": "crtools.distributions",
    "Empirical": "crtools.distributions",
    "Enclosure": "crtools.enclosure",
    "FORMS": "crtools.forms",
    "Form": "crtools.forms",
    "Geometric": "crtools.distributions",
    "Harmonic": "crtools.distributions",
    "InputError": "crtools.errors",
    "LinearGeometric": "crtools.distributions",
    "LogSeries": "crtools.distributions",
    "Mixture": "crtools.distributions",
    "NegativeBinomial": "crtools.distributions",
    "Minimax": "crtools.blind",
    "NotCertified": "crtools.errors",
    "POLICIES": "crtools.process",
    "Pmf": "crtools.distributions",
    "Poisson": "crtools.distributions",
    "Policy": "crtools.process",
    "Ratio": "crtools.ratios.ratio",
    "Run": "crtools.process",
    "Schedule": "crtools.schedule",
    "Setting": "crtools.setting",
    "TwoPoint": "crtools.distributions",
    "Uniform": "crtools.distributions",
    "WorstCase": "crtools.worst_cases",
    "Zipf": "crtools.distributions",
    "compare": "crtools.process",
    "derive": "crtools.ratios",
    "distribution": "crtools.distributions",
    "figure": "crtools.plotting",
    "form": "crtools.forms",
    "from_scipy": "crtools.distributions",
    "minimax": "crtools.blind",
    "optimum": "crtools.process",
    "ratio": "crtools.ratios.ratio",
    "replay": "crtools.process",
    "simulate": "crtools.process",
    "verify": "crtools.ledger",
    "volume_bound": "crtools.process",
    "worst_case": "crtools.worst_cases",
}

__all__ = [
    "FORMS",
    "POLICIES",
    "Derivation",
    "Distribution",
    "Empirical",
    "Enclosure",
    "Form",
    "Geometric",
    "Harmonic",
    "InputError",
    "LinearGeometric",
    "LogSeries",
    "Minimax",
    "Mixture",
    "NegativeBinomial",
    "NotCertified",
    "Pmf",
    "Poisson",
    "Policy",
    "Ratio",
    "Run",
    "Schedule",
    "Setting",
    "TwoPoint",
    "Uniform",
    "WorstCase",
    "Zipf",
    "__version__",
    "compare",
    "derive",
    "distribution",
    "figure",
    "form",
    "from_scipy",
    "minimax",
    "optimum",
    "ratio",
    "replay",
    "simulate",
    "verify",
    "volume_bound",
    "worst_case",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'crtools' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
