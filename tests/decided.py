"""Claims decided once for all tests of a run: with the same values a result is found again in the folder of the run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from crtools import verify
from crtools.ledger.cache import default_folder
from crtools.ledger.claim import ClaimResult


def decided(claim: str, given: Mapping[str, str] | None = None) -> ClaimResult:
    """Return the result of a claim, with some of its values replaced."""
    return _decided(claim, tuple((given or {}).items()))


@cache
def _decided(claim: str, given: tuple[tuple[str, str], ...]) -> ClaimResult:
    return verify([claim], dict(given), cache=default_folder())[0]
