"""Which verdict has a certificate, and which function gives its evidence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from crtools.certificates.document import Data
from crtools.ledger.result import ClaimResult, Scope, Status
from crtools.papers.adaptive.certificates import (
    further,
    laws,
    lemma,
    literal_bounds,
    matrices,
    process,
    suprema,
    transitions,
    two_lengths,
)

Builder = Callable[[ClaimResult], Data]

STATED: Scope = "as-stated"
ARGUED: Scope = "where-argued"

BUILDERS: dict[tuple[str, Scope], tuple[Status, Builder]] = {
    ("tel-identity", STATED): ("proved", process.tel_identity),
    ("infeasible-pair", STATED): ("proved", process.infeasible_pair),
    ("hsf-cardinality", STATED): ("proved", process.holds_more),
    ("amax-safe", STATED): ("proved", process.holds_more),
    ("ex-amax", STATED): ("certified", process.ex_amax),
    ("thm-amax-upper", ARGUED): ("proved", suprema.amax_upper),
    ("thm-amax-lower", STATED): ("refuted", partial(suprema.amax_lower, scope=STATED)),
    ("thm-amax-lower", ARGUED): ("refuted", partial(suprema.amax_lower, scope=ARGUED)),
    ("rate-amax", STATED): ("refuted", suprema.rate_amax),
    ("thm-complexity", STATED): ("refuted", further.thm_complexity),
    ("thm-optimality", STATED): ("refuted", literal_bounds.stated),
    ("thm-optimality", ARGUED): ("refuted", literal_bounds.argued),
    ("lem-deletion", STATED): ("refuted", transitions.lem_deletion),
    ("update-distribution", STATED): ("refuted", transitions.update_distribution),
    ("prop-transition", STATED): ("refuted", transitions.prop_transition),
    ("amin-derivation", STATED): ("refuted", process.amin_derivation),
    ("lem-amin", STATED): ("refuted", lemma.lem_amin),
    ("wlog", STATED): ("refuted", matrices.not_logarithmic),
    ("wlog", ARGUED): ("proved", matrices.wlog_argued),
    ("cor-ab", STATED): ("proved", matrices.cor_ab),
    ("lem-pd", STATED): ("refuted", matrices.lem_pd_stated),
    ("lem-pd", ARGUED): ("proved", matrices.lem_pd_argued),
    ("b-inverse", STATED): ("proved", matrices.b_inverse),
    ("t1", STATED): ("proved", matrices.t1),
    ("t2", STATED): ("proved", matrices.t2),
    ("trace", STATED): ("proved", matrices.trace),
    ("thm-log", STATED): ("refuted", literal_bounds.not_logarithmic_in_process),
    ("thm-log", ARGUED): ("proved", matrices.thm_log_argued),
    ("fig-log-fit", STATED): ("refuted", laws.fig_log_fit),
    ("intervals-help", STATED): ("refuted", further.intervals_help_stated),
    ("intervals-help", ARGUED): ("proved", further.intervals_help_argued),
    ("cor-intervals", STATED): ("refuted", literal_bounds.not_logarithmic_in_process),
    ("cor-intervals", ARGUED): ("proved", matrices.cor_intervals_argued),
    ("thm-two-point", STATED): ("refuted", literal_bounds.two_point_stated),
    ("thm-two-point", ARGUED): ("proved", two_lengths.two_point_argued),
    ("thm-aell", STATED): ("refuted", partial(two_lengths.a_ell, scope=STATED)),
    ("thm-aell", ARGUED): ("refuted", partial(two_lengths.a_ell, scope=ARGUED)),
    ("switch", STATED): ("proved", two_lengths.switch),
    ("geometric", STATED): ("refuted", laws.geometric_stated),
    ("geometric", ARGUED): ("proved", laws.geometric_argued),
    ("thm-lg", STATED): ("refuted", partial(laws.lg, scope=STATED)),
    ("thm-lg", ARGUED): ("refuted", partial(laws.lg, scope=ARGUED)),
    ("lg-mode", STATED): ("refuted", laws.lg_mode),
    ("uniform-bounds", STATED): ("refuted", laws.uniform_stated),
    ("uniform-bounds", ARGUED): ("proved", laws.uniform_argued),
    ("hsf-lower", STATED): ("refuted", process.hsf_lower),
    ("ex-order", STATED): ("certified", process.ex_order),
    ("packed-random", STATED): ("refuted", process.packed_random),
    ("prop-memory", STATED): ("refuted", process.prop_memory),
    ("thm-endpoints", STATED): ("refuted", suprema.thm_endpoints),
    ("thm-random", STATED): ("refuted", suprema.thm_random_stated),
    ("thm-random", ARGUED): ("proved", suprema.thm_random),
    ("lem-max-random", STATED): ("refuted", process.lem_max_random),
}
"""Claim and scope: the status that the evidence establishes, and the function that computes it from a decided claim."""
