"""Every claim of the ledger, in the order of docs/beyond/any-memory.md."""

from importlib.resources import files

from crtools.ledger.claim import claims_in, with_variants

ORDER = (
    "lower_bound factors.volume_order known_lengths factors.windows factors.box_offsets factors.box_thresholds factors.any_prompts "
    "arrivals"
)
CLAIMS = with_variants(claims_in(__name__, ORDER), files("crtools.papers.any_memory") / "variants.txt")
