"""Every claim of the ledger, in the order of docs/beyond/any-memory.md."""

from importlib.resources import files

from crtools.ledger.claim import with_variants
from crtools.papers.any_memory.claims import arrivals, factors, known_lengths, lower_bound

_CLAIMS = (
    lower_bound.lower_bound,
    factors.volume_order,
    *known_lengths.CLAIMS,
    factors.windows,
    factors.box_offsets,
    factors.box_thresholds,
    factors.any_prompts,
    *arrivals.CLAIMS,
)

CLAIMS = with_variants(_CLAIMS, files("crtools.papers.any_memory") / "variants.txt")
