"""Property tests draw the same examples on every run; the ledger is decided once, commands keep results in a folder.

The folder is the run's own, shared by its processes: what one of them keeps there is found again by the others.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from crtools.ledger.result import ClaimResult

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers inherit the folder of the process that starts them
    _kept = tempfile.TemporaryDirectory(prefix="crtools-tests-")
    os.environ["XDG_CACHE_HOME"] = _kept.name


@pytest.fixture(scope="session")
def ledger() -> list[ClaimResult]:
    """The whole ledger, decided once for all tests that ask for it."""
    from crtools import verify
    from crtools.ledger.cache import default_folder

    return verify(cache=default_folder())


@pytest.fixture(scope="session")
def report_page(ledger: list[ClaimResult]) -> str:
    """The report's page with the figures of the repository."""
    from crtools.report.figures import read_figures
    from crtools.report.page import page

    folder = Path(__file__).parent.parent / "figures"
    return page(ledger, read_figures([result.id for result in ledger], folder))
