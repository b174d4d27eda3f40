"""The ledger of further results: each claim is decided at its level and told from its corrupted neighbours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claims_in_text import NO_CERTIFICATE, ids_in_text, statuses_in_text

from crtools import verify
from crtools.ledger.cache import default_folder
from crtools.ledger.registry import load
from crtools.ledger.run import rows_of, self_test

LEDGER = load("beyond")
STATUSES = statuses_in_text(LEDGER)


def test_the_ledger_has_the_claims_of_its_text() -> None:
    assert set(STATUSES) == ids_in_text(LEDGER)


SLOW = ("a-max-conjecture", "minimax-always")
"""Claims whose variants take seconds: the exhaustive run alone decides them, with all others."""


@pytest.mark.parametrize("name", STATUSES)
def test_a_claim_is_decided_and_told_from_a_wrong_one(name: str) -> None:
    [claim] = load("beyond").select([name])
    few = replace(claim, corrupted=claim.wrong[:1], variants=claim.true[:1])
    if name in SLOW:
        few = replace(few, corrupted=(), variants=())
    [stated] = verify([name], ledger="beyond", cache=default_folder())  # which other files of the run ask for too
    others = [few.check(v.given) for v in (*few.wrong, *few.true)]
    assert stated.levels == tuple(STATUSES[name])
    for level, status in STATUSES[name].items():
        assert stated.at(level).status == ("supported" if status == NO_CERTIFICATE else status)
    assert [row for row in rows_of(few, [stated, *others]) if not row.ok] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", STATUSES)
def test_all_variants_are_told_apart(name: str) -> None:
    assert not self_test([name], ledger="beyond").missed


@pytest.mark.parametrize("name", ["minimax-closes", "blind-finite"])
def test_the_limits_stand_in_the_order_of_the_theorems(name: str) -> None:
    """First n → ∞, then M → ∞: the other way round all requests start at once and every ratio is 1."""
    [result] = verify([name], ledger="beyond", cache=default_folder())
    machine, process = (own.reading.replace("$", "") for own in result.verdicts)
    assert "n → ∞, then M → ∞" in process and "M → ∞, n" not in process
    assert "n → ∞" in machine and "M → ∞" not in machine
