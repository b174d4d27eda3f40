"""Every claim of the ledger, in the order of docs/beyond."""

from __future__ import annotations

from importlib.resources import files

from crtools.ledger.variants import with_variants
from crtools.papers.beyond.claims import (
    a_max_conjecture,
    against_h_sf,
    at_zero,
    best_blind,
    best_for_all,
    blind_finite,
    blind_lower,
    blind_upper,
    continuous_limit,
    every_s,
    h_sf_charge,
    long_prompts,
    quasi_concave,
    queues_in_the_limit,
    rho_star,
    switch_every_s,
)

_CLAIMS = (
    rho_star.CLAIM,
    blind_upper.CLAIM,
    blind_lower.CLAIM,
    blind_finite.CLAIM,
    against_h_sf.CLAIM,
    best_blind.VALUE,
    best_for_all.UNIFORM,
    best_for_all.CLOSES,
    best_for_all.ALWAYS,
    quasi_concave.CLAIM,
    best_blind.RUN_THROUGH,
    best_blind.COMMON,
    best_blind.TWO,
    best_blind.UNIFORM_LENGTHS,
    every_s.CLAIM,
    at_zero.CLAIM,
    continuous_limit.CLAIM,
    long_prompts.CLAIM,
    switch_every_s.CLAIM,
    h_sf_charge.CLAIM,
    queues_in_the_limit.A_MAX,
    queues_in_the_limit.A_RANDOM,
    a_max_conjecture.CLAIM,
)

CLAIMS = with_variants(_CLAIMS, files("crtools.papers.beyond") / "variants.txt")
