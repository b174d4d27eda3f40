"""Property tests draw the same examples on every run, so that a failure can be repeated; the ledger is decided once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from crtools.claims.result import ClaimResult

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def ledger() -> list[ClaimResult]:
    """The whole ledger, decided once for all tests that ask for it."""
    from crtools import verify

    return verify()


@pytest.fixture(scope="session")
def report_page(ledger: list[ClaimResult]) -> str:
    """The report's page with the figures of the repository."""
    from crtools.report.figures import read_figures
    from crtools.report.page import page

    folder = Path(__file__).parent.parent / "figures"
    return page(ledger, read_figures([result.id for result in ledger], folder))
