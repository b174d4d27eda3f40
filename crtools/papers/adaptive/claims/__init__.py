"""Every claim of the paper, in its order: one folder a section."""

from __future__ import annotations

from importlib import import_module
from importlib.resources import files

from crtools.ledger.claim import Claim, with_variants

ORDER = {
    "section_2": "tel_identity infeasible_pair no_cancellations",
    "section_3": "hsf_cardinality amax_safe ex_amax a_max",
    "section_4": "complexity thm_optimality observation_1 deletion update_distribution state_transition amin_derivation lem_amin "
    "wlog cor_ab lem_pd trace thm_log fig_log_fit cor_intervals intervals_help",
    "section_5": "two_point a_ell dominates switch geometric linear_geometric lg_extremes lg_mode uniform_bounds",
    "section_6": "hsf_lower experiments",
    "appendix": "ex_order packed_random prop_memory endpoints thm_random max_random",
}
"""The modules of each folder, in the order of the paper; one may hold several claims."""

_CLAIMS = (
    value
    for section, names in ORDER.items()
    for name in names.split()
    for value in vars(import_module(f"{__name__}.{section}.{name}")).values()
    if isinstance(value, Claim)
)

CLAIMS = with_variants(_CLAIMS, files("crtools.papers.adaptive") / "variants.txt")
