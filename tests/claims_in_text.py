"""What the text of a ledger says of its claims: the levels of each, and the status at each of them."""

from __future__ import annotations

from crtools.ledger.ledger import Ledger

NO_CERTIFICATE = "no certificate"
"""Stands where the text says that a verdict has no certificate: it is neither proved, certified nor refuted."""


def statuses_in_text(ledger: Ledger) -> dict[str, dict[str, str]]:
    """Return the status of each claim at each of its levels, claims and levels in the ledger's order.

    An experiment has no level in the text; its one level is that at which the claim is stated.
    """
    text = ledger.theory()
    assert text is not None
    statuses: dict[str, dict[str, str]] = {}
    for claim in ledger.claims:
        in_text = {level: s.status for (id, level), s in text.book.claims.items() if id == claim.id}
        in_text |= {level or claim.stated_at: NO_CERTIFICATE for id, level in text.book.without if id == claim.id}
        statuses[claim.id] = {level.id: in_text.pop(level.id) for level in ledger.levels if level.id in in_text}
        assert not in_text, f"{claim.id} has other levels in the text: {', '.join(in_text)}"
    return statuses


def ids_in_text(ledger: Ledger) -> set[str]:
    """Return the ids of all claims that the text states for a ledger."""
    text = ledger.theory()
    assert text is not None
    return {id for (id, _), name in text.book.ledgers.items() if name == ledger.name}
