"""Every claim of the paper, in its order: one folder a section."""

from importlib.resources import files

from crtools.ledger.claim import claims_in, with_variants

ORDER = {
    "section_2": "model",
    "section_3": "schedules a_max",
    "section_4": "algorithm_two.thm_complexity thm_optimality algorithm_two.observation_1 algorithm_two.lem_deletion "
    "algorithm_two.update_distribution algorithm_two.prop_transition lem_amin order_of_growth.wlog matrices.cor_ab matrices.lem_pd "
    "matrices.b_inverse matrices.t1 matrices.t2 matrices.trace order_of_growth.thm_log fig_log_fit order_of_growth.cor_intervals "
    "intervals_help",
    "section_5": "two_lengths one_parameter",
    "section_6": "hsf_lower experiments",
    "appendix": "packed_schedules a_random.thm_endpoints a_random.thm_random a_random.lem_max_random",
}
"""The modules of each folder, in the order of the paper; one may hold several claims, here or as MODULE.FUNCTION one by one."""


_CLAIMS = (claim for section, names in ORDER.items() for claim in claims_in(f"{__name__}.{section}", names))

CLAIMS = with_variants(_CLAIMS, files("crtools.papers.adaptive") / "variants.txt")
