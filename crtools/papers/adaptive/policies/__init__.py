"""The paper's policies, and one beside them; H-SF, with which they are compared, is the toolkit's."""

from __future__ import annotations

from crtools.papers.adaptive.policies.a_ell import A_ELL, A_RESTART, SWITCH
from crtools.papers.adaptive.policies.a_max import A_MAX, A_RANDOM
from crtools.papers.adaptive.policies.a_min import A_MIN_COHORT, A_MIN_LITERAL
from crtools.process.policies import Choice, Policy

__all__ = ["A_ELL", "A_MAX", "A_MIN_COHORT", "A_MIN_LITERAL", "A_RANDOM", "A_RESTART", "POLICIES", "SWITCH"]

POLICIES: dict[str, Policy | Choice] = {
    **{p.name: p for p in (A_RANDOM, A_MAX, A_MIN_LITERAL, A_MIN_COHORT, A_ELL, A_RESTART)},
    "a-min": A_MIN_LITERAL,
    "switch": SWITCH,
}
"""By name; ``a-min`` alone is Algorithm 2 to the letter."""
