"""The witnesses of the certificates of the paper's verdicts."""

from __future__ import annotations

from functools import partial

from crtools.certificates.beside import Beside
from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates import (
    laws,
    suprema,
)
from crtools.papers.adaptive.certificates.parts import refuted
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM


def _no_strictness(result: ClaimResult) -> Data:
    """Return two points and a vector at which g ≡ 1 is not strictly positive definite."""
    refuted(result, "strictness")
    return {"points": [0, 1], "vector": [1, -1]}


BESIDE: dict[tuple[str, str], Beside] = {
    ("thm-amax-lower", AT_ZERO): Beside(suprema.amax_lower_at_zero),
    ("thm-amax-lower", FORM): Beside(suprema.amax_lower_form),
    ("thm-amax-lower", ALGORITHM): Beside(suprema.amax_lower_in_process),
    ("rate-amax", AT_ZERO): Beside(partial(suprema.rate_amax, size=0)),
    ("rate-amax", FORM): Beside(partial(suprema.rate_amax, size=1)),
    ("lem-amin", ALGORITHM): Beside(laws.lemma_in_process),
    ("lem-pd", AT_ZERO): Beside(_no_strictness),
    ("thm-two-point", FORM): Beside(partial(laws.example, id="a-min-bound")),
    ("thm-two-point", ALGORITHM): Beside(laws.two_point_in_process),
    ("thm-aell", FORM): Beside(laws.a_ell_form),
    ("thm-aell", ALGORITHM): Beside(partial(laws.example, id="bound", level=ALGORITHM)),
    ("geometric", AT_ZERO): Beside(laws.geometric_at_zero),
    ("geometric", FORM): Beside(laws.geometric_form),
    ("geometric", ALGORITHM): Beside(partial(laws.on_law, id="bound")),
    ("thm-lg", AT_ZERO): Beside(laws.lg_at_zero),
    ("thm-lg", FORM): Beside(laws.lg_form),
    ("thm-lg", ALGORITHM): Beside(partial(laws.on_law, id="bound")),
    ("lg-mode", AT_ZERO): Beside(laws.lg_mode),
    ("uniform-bounds", AT_ZERO): Beside(laws.uniform_at_zero),
    ("uniform-bounds", FORM): Beside(laws.uniform_form),
    ("uniform-bounds", ALGORITHM): Beside(laws.uniform_in_process),
    ("thm-endpoints", AT_ZERO): Beside(partial(suprema.endpoints_of_form, size=0)),
    ("thm-endpoints", FORM): Beside(partial(suprema.endpoints_of_form, size=1)),
    ("thm-endpoints", ALGORITHM): Beside(suprema.endpoints_in_process),
    ("thm-random", ALGORITHM): Beside(suprema.thm_random_in_process),
}
"""By claim and level: the numbers of a witness that evidence does not hold as the text reads them."""
