"""Results beyond the paper: the best blind scheduler, the process's policies, the worst case at every prompt size."""

from __future__ import annotations

from crtools.ledger.claim import Claim
from crtools.ledger.ledger import Ledger
from crtools.papers.beyond.levels import LEVELS
from crtools.plotting.figure import Drawing
from crtools.process.policies import Policy


def _claims() -> tuple[Claim, ...]:
    from crtools.papers.beyond.claims import CLAIMS

    return CLAIMS


def _policies() -> dict[str, Policy]:
    from crtools.papers.beyond.policies import POLICIES

    return POLICIES


def _figures() -> dict[str, Drawing]:
    from crtools.papers.beyond.figures import FIGURES

    return FIGURES


LEDGER = Ledger(
    name="beyond",
    title="Beyond the paper: the best blind scheduler, and the sharp theory of the paper's policies",
    source="this project's own study",
    levels=LEVELS,
    load=_claims,
    policies=_policies,
    figures=_figures,
)
