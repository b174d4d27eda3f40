"""What installed ledgers prove of a policy's latency; every theorem is checked when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crtools.ledger.registry import ledgers
from crtools.process import Policy
from crtools.process.policies import known_names


@dataclass(frozen=True)
class InLedger:
    """A sentence about a policy's total latency, and the theorem of a ledger that proves it."""

    ledger: str
    says: str
    theorem: str

    def as_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {"ledger": self.ledger, "says": self.says, "theorem": self.theorem}


def in_ledgers(policy: Policy) -> tuple[InLedger, ...]:
    """Return what holds of a policy that is installed; nothing of one with other rules, whatever its name."""
    if known_names().get(policy.name) != policy:
        return ()
    stated = [(name, row) for name, ledger in ledgers().items() for row in ledger.latencies().get(policy.name, ())]
    proofs = [(name, says, theorem()) for name, (says, theorem) in stated]
    return tuple(InLedger(name, says, proof.name) for name, says, proof in proofs if proof.holds)
