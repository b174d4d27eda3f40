"""Chen, Ye and Zhou, *Adaptively Robust LLM Inference Optimization under Prediction Uncertainty*, arXiv 2508.14544."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from crtools.ledger.ledger import Ledger
from crtools.papers.adaptive.levels import LEVELS


def _when_asked(module: str, name: str) -> Callable[[], Any]:
    """Return what imports a module of this package when it is first asked for what it brings."""
    return lambda: getattr(import_module(f"{__name__}.{module}"), name)


LEDGER = Ledger(
    name="adaptive",
    title="Adaptively Robust LLM Inference Optimization under Prediction Uncertainty (Chen, Ye, Zhou)",
    source="arXiv 2508.14544",
    levels=LEVELS,
    load=_when_asked("claims", "CLAIMS"),
    slow=frozenset({"fig-log-fit", "intervals-help", "exp-1", "exp-2", "exp-3"}),
    forms=_when_asked("forms", "FORMS"),
    default_form="a-min",
    policies=_when_asked("policies", "POLICIES"),
    figures=_when_asked("figures", "FIGURES"),
    worst_cases=_when_asked("worst_cases", "WORST_CASES"),
    certificates=_when_asked("certificates.registry", "BESIDE"),
    commands=_when_asked("commands", "COMMANDS"),
    coq=lambda: import_module(f"{__name__}.coq").development(),
)
"""The paper's ledger; ``slow`` are long simulations and the fit of the figure, without which the rest takes some 20 seconds."""
