"""Every claim of the paper, in its order: one folder a section."""

from __future__ import annotations

from crtools.ledger.claim import Claim
from crtools.papers.adaptive.claims.appendix import endpoints, ex_order, max_random, packed_random, prop_memory
from crtools.papers.adaptive.claims.section_2 import infeasible_pair, tel_identity
from crtools.papers.adaptive.claims.section_3 import a_max_a_random, amax_safe, ex_amax, hsf_cardinality
from crtools.papers.adaptive.claims.section_4 import (
    amin_derivation,
    b_inverse,
    complexity,
    cor_ab,
    cor_intervals,
    deletion,
    fig_log_fit,
    intervals_help,
    lem_amin,
    lem_pd,
    state_transition,
    thm_log,
    thm_optimality,
    trace,
    update_distribution,
    wlog,
)
from crtools.papers.adaptive.claims.section_5 import (
    a_ell,
    geometric,
    lg_mode,
    linear_geometric,
    switch,
    two_point,
    uniform_bounds,
)
from crtools.papers.adaptive.claims.section_6 import experiments, hsf_lower

CLAIMS: tuple[Claim, ...] = (
    tel_identity.CLAIM,
    infeasible_pair.CLAIM,
    hsf_cardinality.CLAIM,
    amax_safe.CLAIM,
    ex_amax.CLAIM,
    a_max_a_random.AMAX_UPPER,
    a_max_a_random.AMAX_LOWER,
    a_max_a_random.RATE,
    complexity.CLAIM,
    thm_optimality.CLAIM,
    deletion.CLAIM,
    update_distribution.CLAIM,
    state_transition.CLAIM,
    amin_derivation.CLAIM,
    lem_amin.CLAIM,
    wlog.CLAIM,
    cor_ab.CLAIM,
    lem_pd.CLAIM,
    b_inverse.CLAIM,
    trace.T1,
    trace.T2,
    trace.TRACE,
    thm_log.CLAIM,
    fig_log_fit.CLAIM,
    cor_intervals.CLAIM,
    intervals_help.INTERVALS_HELP,
    two_point.CLAIM,
    a_ell.CLAIM,
    switch.CLAIM,
    geometric.CLAIM,
    linear_geometric.CLAIM,
    lg_mode.CLAIM,
    uniform_bounds.CLAIM,
    hsf_lower.CLAIM,
    experiments.EXP_1,
    experiments.EXP_2,
    experiments.EXP_3,
    ex_order.CLAIM,
    packed_random.CLAIM,
    prop_memory.CLAIM,
    endpoints.CLAIM,
    a_max_a_random.RANDOM,
    max_random.MAX_RANDOM,
)
