"""Which verdict has a certificate, and which function gives its evidence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from crtools.certificates.document import Data
from crtools.ledger.evidence import Status
from crtools.ledger.verdict import ClaimResult
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
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM

Builder = Callable[[ClaimResult], Data]

BUILDERS: dict[tuple[str, str], tuple[Status, Builder]] = {
    ("tel-identity", ALGORITHM): ("proved", process.tel_identity),
    ("infeasible-pair", ALGORITHM): ("proved", process.infeasible_pair),
    ("hsf-cardinality", ALGORITHM): ("proved", process.holds_more),
    ("amax-safe", ALGORITHM): ("proved", process.holds_more),
    ("ex-amax", ALGORITHM): ("certified", process.ex_amax),
    ("thm-amax-upper", AT_ZERO): ("proved", suprema.amax_upper),
    ("thm-amax-upper", FORM): ("proved", suprema.amax_upper),
    ("thm-amax-lower", AT_ZERO): ("refuted", suprema.amax_lower_at_zero),
    ("thm-amax-lower", FORM): ("refuted", suprema.amax_lower_form),
    ("rate-amax", AT_ZERO): ("refuted", partial(suprema.rate_amax, size=0)),
    ("rate-amax", FORM): ("refuted", partial(suprema.rate_amax, size=1)),
    ("thm-complexity", ALGORITHM): ("refuted", further.thm_complexity),
    ("thm-optimality", AT_ZERO): ("refuted", literal_bounds.optimality_at_zero),
    ("thm-optimality", FORM): ("refuted", literal_bounds.optimality_form),
    ("thm-optimality", ALGORITHM): ("refuted", literal_bounds.optimality_in_process),
    ("lem-deletion", ALGORITHM): ("refuted", transitions.lem_deletion),
    ("update-distribution", ALGORITHM): ("refuted", transitions.update_distribution),
    ("prop-transition", ALGORITHM): ("refuted", transitions.prop_transition),
    ("lem-amin", ALGORITHM): ("refuted", lemma.lem_amin),
    ("wlog", AT_ZERO): ("proved", matrices.logarithmic_at_zero),
    ("wlog", FORM): ("refuted", matrices.not_logarithmic),
    ("cor-ab", AT_ZERO): ("proved", matrices.cor_ab),
    ("lem-pd", AT_ZERO): ("proved", matrices.lem_pd),
    ("b-inverse", AT_ZERO): ("proved", matrices.b_inverse),
    ("t1", AT_ZERO): ("proved", matrices.t1),
    ("t2", AT_ZERO): ("proved", matrices.t2),
    ("trace", AT_ZERO): ("proved", matrices.trace),
    ("thm-log", AT_ZERO): ("proved", matrices.thm_log_at_zero),
    ("thm-log", FORM): ("refuted", matrices.not_logarithmic),
    ("thm-log", ALGORITHM): ("refuted", literal_bounds.not_logarithmic_in_process),
    ("cor-intervals", AT_ZERO): ("proved", matrices.cor_intervals_at_zero),
    ("cor-intervals", FORM): ("refuted", matrices.not_logarithmic),
    ("cor-intervals", ALGORITHM): ("refuted", literal_bounds.not_logarithmic_in_process),
    ("intervals-help", AT_ZERO): ("proved", further.intervals_help_form),
    ("intervals-help", FORM): ("proved", further.intervals_help_form),
    ("intervals-help", ALGORITHM): ("refuted", further.intervals_help_in_process),
    ("thm-two-point", AT_ZERO): ("proved", two_lengths.two_point_at_zero),
    ("thm-two-point", FORM): ("refuted", two_lengths.two_point_form),
    ("thm-two-point", ALGORITHM): ("refuted", partial(literal_bounds.above_a_bound, id="a-min-bound")),
    ("thm-aell", AT_ZERO): ("proved", two_lengths.a_ell_at_zero),
    ("thm-aell", FORM): ("refuted", two_lengths.a_ell_form),
    ("switch", AT_ZERO): ("proved", two_lengths.switch),
    ("geometric", AT_ZERO): ("proved", laws.geometric_at_zero),
    ("geometric", FORM): ("refuted", laws.geometric_form),
    ("thm-lg", AT_ZERO): ("proved", laws.lg_at_zero),
    ("thm-lg", FORM): ("refuted", laws.lg_form),
    ("lg-mode", AT_ZERO): ("refuted", laws.lg_mode),
    ("uniform-bounds", AT_ZERO): ("proved", laws.uniform_at_zero),
    ("uniform-bounds", FORM): ("refuted", laws.uniform_form),
    ("uniform-bounds", ALGORITHM): ("refuted", partial(literal_bounds.above_a_bound, id="two-point")),
    ("hsf-lower", ALGORITHM): ("refuted", process.hsf_lower),
    ("ex-order", ALGORITHM): ("certified", process.ex_order),
    ("packed-random", ALGORITHM): ("refuted", process.packed_random),
    ("prop-memory", ALGORITHM): ("refuted", process.prop_memory),
    ("thm-endpoints", AT_ZERO): ("refuted", partial(suprema.endpoints_of_form, size=0)),
    ("thm-endpoints", FORM): ("refuted", partial(suprema.endpoints_of_form, size=1)),
    ("thm-endpoints", ALGORITHM): ("refuted", suprema.endpoints_in_process),
    ("thm-random", AT_ZERO): ("proved", suprema.thm_random_form),
    ("thm-random", FORM): ("proved", suprema.thm_random_form),
    ("thm-random", ALGORITHM): ("refuted", suprema.thm_random_in_process),
    ("lem-max-random", AT_ZERO): ("proved", process.max_below_random),
    ("lem-max-random", FORM): ("proved", process.max_below_random),
    ("lem-max-random", ALGORITHM): ("refuted", process.lem_max_random),
}
"""Claim and level: the status that the evidence establishes, and the function that computes it from a decided claim."""
