"""The ledger's certificates, written once for all tests that change them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from crtools.certificates import Written
    from crtools.ledger.verdict import ClaimResult


@pytest.fixture(scope="session")
def written(ledger: list[ClaimResult], tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The folder of all certificates."""
    from crtools.certificates import write_certificates
    from crtools.ledger.registry import load

    return write_certificates(ledger, tmp_path_factory.mktemp("certificates") / "all", load())


@pytest.fixture(scope="session")
def documents(written: Written) -> dict[tuple[str, str], dict[str, Any]]:
    """Every certificate, by claim and level."""
    from crtools.certificates.document import file_name

    texts = {key: (written.folder / file_name(*key)).read_text(encoding="utf-8") for key in written.written}
    return {key: json.loads(text) for key, text in texts.items()}
