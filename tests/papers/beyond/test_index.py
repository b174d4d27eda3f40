"""docs/beyond/index.md: each row names claims that there are, with a status that one of their findings has."""

from __future__ import annotations

import re

import pytest
from paths import ROOT

from check.statements import book
from crtools.discovery.phase_theorem import by_phases
from crtools.discovery.rules import NoPhases
from crtools.ledger.registry import load
from crtools.process.policies import read_policy

PAGE = (ROOT / "docs" / "beyond" / "index.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| (proved|certified|supported|refuted|open) \| ?([^|]*)\|$", PAGE, re.MULTILINE)
IDS = {claim.id for name in ("beyond", "adaptive", "nonclairvoyant", "any-memory") for claim in load(name).claims}


def named(cell: str) -> list[str]:
    """The claims that a cell names, with `crtools verify` or alone."""
    return [word for text in re.findall(r"`([^`]+)`", cell) for word in text.split()[:6] if word in IDS]


def proved_by_phases(policy: str) -> bool:
    """Whether a policy's form is a theorem by the rule of phases."""
    try:
        return by_phases(read_policy(policy)).theorem.holds
    except NoPhases:
        return False


def test_every_claim_of_the_ledger_is_in_a_row() -> None:
    assert {id for _, _, cell in ROWS for id in named(cell)} >= {claim.id for claim in load("beyond").claims}


@pytest.mark.parametrize(("formula", "status", "cell"), ROWS, ids=range(len(ROWS)))
def test_a_row_has_the_status_of_a_finding(formula: str, status: str, cell: str) -> None:
    policy = re.search(r"crtools discover ([a-z-]+)", cell)
    if policy is not None:
        assert proved_by_phases(policy[1]) == (status == "proved")
        return
    ids = named(cell)
    found = {one.status for (id, _), own in book().claims.items() if id in ids for one in own.findings.values()}
    if status in ("proved", "certified") or (status == "refuted" and "--set" not in cell):
        assert status in found, formula
    else:
        assert not found or "--set" in cell, formula
