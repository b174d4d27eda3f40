"""Every claim of the ledger, in the order of docs/beyond/any-memory.md."""

from importlib.resources import files

from crtools.ledger.claim import claims_in, with_variants

ORDER = (
    "lower_bound.lower_bound factors.volume_order formulas.full_memory_claim formulas.h_sf_unequal formulas.paced_volume_order "
    "formulas.greedy_starts formulas.wrong_order factors.windows factors.box_offsets factors.box_thresholds factors.any_prompts "
    "lower_bound.arrivals_lower_bound formulas.online_without_kills formulas.unstable formulas.set_up_threshold formulas.class_means "
    "formulas.kills_and_classes formulas.two_classes formulas.class_shares"
)
CLAIMS = with_variants(claims_in(__name__, ORDER), files("crtools.papers.any_memory") / "variants.txt")
