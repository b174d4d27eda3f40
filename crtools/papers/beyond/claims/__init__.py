"""Every claim of the ledger, in the order of docs/beyond."""

from importlib.resources import files

from crtools.ledger.claim import claims_in, with_variants

ORDER = (
    "minimax.rho_star minimax.blind_upper minimax.blind_lower minimax.blind_finite against_h_sf.against_h_sf best_blind.best_value "
    "minimax.best_uniform minimax.minimax_closes minimax.minimax_always best_blind.quasi_concave best_blind.run_through "
    "best_blind.common_thresholds best_blind.best_two_lengths best_blind.uniform_lengths worst_cases.every_s worst_cases.at_zero "
    "worst_cases.continuous_limit worst_cases.long_prompts worst_cases.switch_every_s against_h_sf.h_sf_charge against_h_sf.a_max "
    "against_h_sf.a_random against_h_sf.a_max_conjecture"
)
CLAIMS = with_variants(claims_in(__name__, ORDER), files("crtools.papers.beyond") / "variants.txt")
