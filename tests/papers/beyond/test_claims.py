"""The ledger of further results: each claim is decided at its level and told from its corrupted neighbours."""

from __future__ import annotations

import pytest

from crtools import verify
from crtools.ledger.registry import load
from crtools.ledger.self_test import self_test

STATED = {  # id: the level at which the claim is stated
    "rho-star": "number",
    "blind-upper": "machine",
    "blind-lower": "machine",
    "blind-finite": "machine",
    "against-h-sf": "form",
    "b-scaling": "number",
    "every-s": "form",
    "at-zero": "form",
    "continuous-limit": "form",
    "switch-every-s": "form",
    "h-sf-charge": "algorithm",
    "a-max": "algorithm",
    "a-random": "algorithm",
    "a-max-conjecture": "algorithm",
}
SEARCHED = {"a-max-conjecture"}


def test_the_ledger_has_these_claims() -> None:
    assert {claim.id: claim.stated_at for claim in load("beyond").claims} == STATED


@pytest.mark.parametrize("name", STATED)
def test_a_claim_is_decided_and_its_variants_are_told_apart(name: str) -> None:
    result = verify([name], ledger="beyond")[0]
    assert result.stated.status in ({"supported"} if name in SEARCHED else {"proved", "certified"})
    assert not self_test([name], ledger="beyond").missed
