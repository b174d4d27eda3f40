"""Every claim of the paper, in its order."""

from importlib.resources import files

from crtools.ledger.claim import claims_in, with_variants

ORDER = (
    "schedules a_max algorithm_two.thm_complexity thm_optimality algorithm_two.observation_1 algorithm_two.lem_deletion "
    "algorithm_two.update_distribution algorithm_two.prop_transition lem_amin order_of_growth.wlog matrices.cor_ab matrices.lem_pd "
    "matrices.b_inverse matrices.t1 matrices.t2 matrices.trace order_of_growth.thm_log order_of_growth.fig_log_fit "
    "order_of_growth.cor_intervals intervals_help two_lengths one_parameter hsf_lower experiments packed_schedules "
    "a_random.thm_endpoints a_random.thm_random a_random.lem_max_random"
)
CLAIMS = with_variants(claims_in(__name__, ORDER), files("crtools.papers.adaptive") / "variants.txt")
