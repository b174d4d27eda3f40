"""Results beyond the paper: the best blind scheduler, the process's policies, the worst case at every prompt size."""

from __future__ import annotations

from typing import Any

from crtools.ledger.claim import Claim
from crtools.ledger.ledger import Ledger
from crtools.papers.beyond.levels import LEVELS


def _claims() -> tuple[Claim, ...]:
    from crtools.papers.beyond.claims import CLAIMS

    return CLAIMS


def _policies() -> Any:
    from crtools.papers.beyond.policies import POLICIES

    return POLICIES


def _figures() -> Any:
    from crtools.papers.beyond.figures import FIGURES

    return FIGURES


def _certificates() -> Any:
    from crtools.papers.beyond.certificates import BESIDE

    return BESIDE


LEDGER = Ledger(
    name="beyond",
    title="Beyond the paper: the best blind scheduler, and the sharp theory of the paper's policies",
    source="this project's own study",
    levels=LEVELS,
    load=_claims,
    policies=_policies,
    figures=_figures,
    certificates=_certificates,
)
