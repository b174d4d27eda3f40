"""Every claim of the ledger, in the order of docs/beyond/any-memory.md."""

from __future__ import annotations

from importlib.resources import files

from crtools.ledger.claim import with_variants
from crtools.papers.any_memory.claims import any_prompts, arrivals, known_lengths, lower_bound, reserved

_CLAIMS = (*lower_bound.CLAIMS, *known_lengths.CLAIMS, *reserved.CLAIMS, *any_prompts.CLAIMS, *arrivals.CLAIMS)

CLAIMS = with_variants(_CLAIMS, files("crtools.papers.any_memory") / "variants.txt")
