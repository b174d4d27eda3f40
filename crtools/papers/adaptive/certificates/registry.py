"""The witnesses of the certificates of the paper's verdicts."""

from __future__ import annotations

from functools import partial

from crtools.certificates.beside import Beside
from crtools.papers.adaptive.certificates import (
    laws,
)
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM

BESIDE: dict[tuple[str, str], Beside] = {
    ("lem-amin", ALGORITHM): Beside(laws.lemma_in_process),
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
}
"""By claim and level: the numbers of a witness that evidence does not hold as the text reads them."""
