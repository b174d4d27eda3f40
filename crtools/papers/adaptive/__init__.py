"""Chen, Ye and Zhou, *Adaptively Robust LLM Inference Optimization under Prediction Uncertainty*, arXiv 2508.14544."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from crtools.ledger.ledger import Ledger
from crtools.papers.adaptive.levels import LEVELS

if TYPE_CHECKING:
    from crtools.forms import Form
    from crtools.ledger.claim import Claim
    from crtools.plotting.figure import Drawing
    from crtools.worst_cases.known import WorstCases


def _claims() -> tuple[Claim, ...]:
    from crtools.papers.adaptive.claims import CLAIMS

    return CLAIMS


def _forms() -> dict[str, Form]:
    from crtools.papers.adaptive.forms import FORMS

    return FORMS


def _figures() -> dict[str, Drawing]:
    from crtools.papers.adaptive.figures import FIGURES

    return FIGURES


def _commands() -> tuple[Callable[[Any], None], ...]:
    from crtools.papers.adaptive.commands import add_experiment

    return (add_experiment,)


def _worst_cases() -> WorstCases:
    from crtools.papers.adaptive.worst_cases import WORST_CASES

    return WORST_CASES


def _certificates() -> dict[tuple[str, str], Any]:
    from crtools.papers.adaptive.certificates.registry import BUILDERS

    return BUILDERS


LEDGER = Ledger(
    name="adaptive",
    title="Adaptively Robust LLM Inference Optimization under Prediction Uncertainty (Chen, Ye, Zhou)",
    source="arXiv 2508.14544",
    levels=LEVELS,
    load=_claims,
    slow=frozenset({"fig-log-fit", "intervals-help", "exp-1", "exp-2", "exp-3"}),
    forms=_forms,
    figures=_figures,
    worst_cases=_worst_cases,
    certificates=_certificates,
    commands=_commands,
)
"""The paper's ledger; ``slow`` are long simulations and the fit of the figure, without which the rest takes some 20 seconds."""
