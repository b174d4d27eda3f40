"""The best scheduler that does not know the lengths: what it pays against every schedule, and what nobody can undercut."""

from __future__ import annotations

from crtools.blind.least import LeastCost, least_cost
from crtools.blind.minimax import Interval, Minimax, State, minimax

__all__ = ["Interval", "LeastCost", "Minimax", "State", "least_cost", "minimax"]
