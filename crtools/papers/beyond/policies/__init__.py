"""Policies beside the paper's."""

from __future__ import annotations

from crtools.papers.beyond.policies.a_offset import A_OFFSET
from crtools.process.policies import Policy

__all__ = ["A_OFFSET", "POLICIES"]

POLICIES: dict[str, Policy] = {A_OFFSET.name: A_OFFSET}
"""By name."""
