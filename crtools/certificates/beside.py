"""What the certificate of a verdict carries beside the proofs of its findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.proof.theorem import Theorem


@dataclass(frozen=True)
class Beside:
    """``witness`` gives instances, weights and numbers of a decided claim, ``theorems`` proofs that no finding cites."""

    witness: Callable[[ClaimResult], Data] | None = None
    theorems: Callable[[ClaimResult], Sequence[Theorem]] = lambda result: ()
