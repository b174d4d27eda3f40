"""The ledgers' certificates, written once for all tests that change them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from crtools.ledger.certificates import CertificateFolder
    from crtools.ledger.claim import ClaimResult
    from crtools.ledger.ledger import Ledger


@pytest.fixture(scope="session")
def decided(ledger: list[ClaimResult]) -> list[tuple[Ledger, list[ClaimResult]]]:
    """Every ledger of the toolkit with its claims, decided."""
    from forged import SLOW

    from check.statements import LEDGERS
    from crtools import verify
    from crtools.ledger.cache import default_folder
    from crtools.ledger.registry import load

    others = [load(name) for name in LEDGERS[1:]]
    ids = [[claim.id for claim in own.claims if claim.id not in SLOW] for own in others]
    results = [verify(own, ledger=other, cache=default_folder()) for own, other in zip(ids, others, strict=True)]
    return [(load(), ledger), *zip(others, results, strict=True)]


@pytest.fixture(scope="session")
def written(
    decided: list[tuple[Ledger, list[ClaimResult]]], tmp_path_factory: pytest.TempPathFactory
) -> CertificateFolder:
    """The folder of all certificates of all ledgers."""
    from crtools.ledger.certificates import CertificateFolder, write_certificates

    folder = tmp_path_factory.mktemp("certificates") / "all"
    each = [write_certificates(results, folder, ledger) for ledger, results in decided]
    return CertificateFolder(
        folder, tuple(key for own in each for key in own.written), tuple(row for own in each for row in own.without)
    )


@pytest.fixture(scope="session")
def documents(written: CertificateFolder) -> dict[tuple[str, str], dict[str, Any]]:
    """Every certificate, by claim and level."""
    from crtools.ledger.certificates import file_name

    texts = {key: (written.folder / file_name(*key)).read_text(encoding="utf-8") for key in written.written}
    return {key: json.loads(text) for key, text in texts.items()}
