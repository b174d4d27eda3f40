"""What the certificates of the paper's verdicts carry beside the proofs of their findings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from crtools.certificates.beside import Beside
from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates import (
    laws,
    literal_bounds,
    process,
    suprema,
    transitions,
)
from crtools.papers.adaptive.certificates.parts import refuted
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theorems.form import log_bound, tails
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.theorem import Theorem


def _beside(witness: Callable[[ClaimResult], Data] | None = None, *theorems: Callable[[], Theorem]) -> Beside:
    return Beside(witness, lambda result: [theorem() for theorem in theorems])


def _no_strictness(result: ClaimResult) -> Data:
    """Return two points and a vector at which g ≡ 1 is not strictly positive definite."""
    refuted(result, "strictness")
    return {"points": [0, 1], "vector": [1, -1]}


BESIDE: dict[tuple[str, str], Beside] = {
    ("ex-amax", ALGORITHM): _beside(process.ex_amax),
    ("thm-amax-upper", AT_ZERO): _beside(None, TEXT.named("A_max's upper bound")),
    ("thm-amax-upper", FORM): _beside(None, TEXT.named("A_max's upper bound")),
    ("thm-amax-lower", AT_ZERO): _beside(suprema.amax_lower_at_zero),
    ("thm-amax-lower", FORM): _beside(suprema.amax_lower_form),
    ("thm-amax-lower", ALGORITHM): _beside(suprema.amax_lower_in_process),
    ("rate-amax", AT_ZERO): _beside(partial(suprema.rate_amax, size=0), TEXT.named("rate of A_max's form, s = 0")),
    ("rate-amax", FORM): _beside(partial(suprema.rate_amax, size=1), TEXT.named("rate of A_max's form, s = 1")),
    ("thm-complexity", ALGORITHM): _beside(process.thm_complexity, TEXT.named("comparisons of a sort")),
    ("thm-optimality", AT_ZERO): _beside(literal_bounds.optimality_at_zero),
    ("thm-optimality", FORM): _beside(literal_bounds.optimality_form),
    ("thm-optimality", ALGORITHM): _beside(literal_bounds.optimality_in_process, TEXT.named("growth")),
    ("lem-deletion", ALGORITHM): _beside(transitions.lem_deletion, TEXT.named("no start is cancelled")),
    ("update-distribution", ALGORITHM): _beside(
        transitions.update_distribution, TEXT.named("the bound of who is cancelled")
    ),
    ("prop-transition", ALGORITHM): _beside(transitions.prop_transition, TEXT.named("periods of a length")),
    ("lem-amin", ALGORITHM): _beside(laws.lemma_in_process, TEXT.named("batches of H-SF")),
    ("lem-pd", AT_ZERO): _beside(_no_strictness),
    ("thm-log", AT_ZERO): _beside(
        None,
        tails.positivity,
        log_bound.trace_bound,
        log_bound.logarithmic_order,
    ),
    ("thm-two-point", FORM): _beside(partial(laws.example, id="a-min-bound")),
    ("thm-two-point", ALGORITHM): _beside(laws.two_point_in_process),
    ("thm-aell", FORM): _beside(laws.a_ell_form),
    ("thm-aell", ALGORITHM): _beside(partial(laws.example, id="bound", level=ALGORITHM)),
    ("switch", AT_ZERO): _beside(None, TEXT.named("the switch")),
    ("geometric", AT_ZERO): _beside(laws.geometric_at_zero),
    ("geometric", FORM): _beside(laws.geometric_form),
    ("geometric", ALGORITHM): _beside(partial(laws.on_law, id="bound")),
    ("thm-lg", AT_ZERO): _beside(laws.lg_at_zero),
    ("thm-lg", FORM): _beside(laws.lg_form),
    ("thm-lg", ALGORITHM): _beside(partial(laws.on_law, id="bound")),
    ("lg-mode", AT_ZERO): _beside(laws.lg_mode),
    ("uniform-bounds", AT_ZERO): _beside(laws.uniform_at_zero),
    ("uniform-bounds", FORM): _beside(laws.uniform_form),
    ("uniform-bounds", ALGORITHM): _beside(laws.uniform_in_process),
    ("hsf-lower", ALGORITHM): _beside(process.hsf_lower),
    ("ex-order", ALGORITHM): _beside(process.ex_order),
    ("packed-random", ALGORITHM): _beside(process.packed_random),
    ("prop-memory", ALGORITHM): _beside(
        process.prop_memory,
        TEXT.named("half the memory"),
        TEXT.named("A_random with less memory"),
    ),
    ("thm-endpoints", AT_ZERO): _beside(partial(suprema.endpoints_of_form, size=0)),
    ("thm-endpoints", FORM): _beside(partial(suprema.endpoints_of_form, size=1)),
    ("thm-endpoints", ALGORITHM): _beside(suprema.endpoints_in_process),
    ("thm-random", ALGORITHM): _beside(suprema.thm_random_in_process),
    ("lem-max-random", ALGORITHM): _beside(process.lem_max_random),
}
"""By claim and level: the witness, and theorems that no finding cites; other verdicts have the proofs of their findings only."""
