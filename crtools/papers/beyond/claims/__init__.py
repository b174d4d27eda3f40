"""Every claim of the ledger, in the order of docs/beyond."""

from importlib.resources import files

from crtools.ledger.claim import claims_in, with_variants

ORDER = (
    "minimax.rho_star minimax.blind_upper minimax.blind_lower best_for_all.blind_finite against_h_sf best_blind.best_value "
    "best_for_all.best_uniform best_for_all.minimax_closes best_for_all.minimax_always best_blind.quasi_concave best_blind.run_through "
    "best_blind.common_thresholds best_blind.best_two_lengths best_blind.uniform_lengths every_s.every_s every_s.at_zero "
    "continuous_limit every_s.switch_every_s a_max"
)
CLAIMS = with_variants(claims_in(__name__, ORDER), files("crtools.papers.beyond") / "variants.txt")
