"""Formulas in α = l/u for two lengths: suprema of A_min's and A_ℓ's forms over H-SF's at s = 0, and bounds for every s."""

from __future__ import annotations

import sympy as sp

from crtools.papers.adaptive.bounds.two_lengths import alpha
from crtools.papers.adaptive.theory import TEXT

A_MIN_SUP = TEXT.value("a_min_top", alpha)
A_ELL_LOW, A_ELL_HIGH = (TEXT.value(name, alpha) for name in ("a_ell_low", "a_ell_high"))
"""At s = 0: A_min's supremum, and A_ℓ's up to α = ½ and from there on."""

EVERY_S = 1 + (1 + alpha) * (1 / sp.sqrt(alpha) - 1) / 2
A_ELL_EVERY_S_LOW, A_ELL_EVERY_S_HIGH = (TEXT.value(name, sp.sqrt(alpha)) for name in ("a_ell_low", "a_ell_high"))
"""Bounds for every s: A_min's, and A_ℓ's up to α = ¼ and from there on."""
