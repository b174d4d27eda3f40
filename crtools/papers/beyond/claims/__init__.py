"""Every claim of the ledger, in the order of docs/beyond."""

from importlib.resources import files

from crtools.ledger.claim import with_variants
from crtools.papers.beyond.claims import (
    a_max,
    against_h_sf,
    best_blind,
    best_for_all,
    continuous_limit,
    every_s,
    minimax,
    quasi_concave,
)

_CLAIMS = (
    minimax.rho_star,
    minimax.blind_upper,
    minimax.blind_lower,
    best_for_all.blind_finite,
    against_h_sf.against_h_sf,
    best_blind.best_value,
    best_for_all.best_uniform,
    best_for_all.minimax_closes,
    best_for_all.minimax_always,
    quasi_concave.quasi_concave,
    best_blind.run_through,
    best_blind.common_thresholds,
    best_blind.best_two_lengths,
    best_blind.uniform_lengths,
    every_s.every_s,
    every_s.at_zero,
    continuous_limit.continuous_limit,
    continuous_limit.long_prompts,
    every_s.switch_every_s,
    a_max.h_sf_charge,
    a_max.a_max,
    a_max.a_random,
    a_max.a_max_conjecture,
)

CLAIMS = with_variants(_CLAIMS, files("crtools.papers.beyond") / "variants.txt")
